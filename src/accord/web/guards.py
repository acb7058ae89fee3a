"""What a request must pass, one guard after the other: our name, our origin, our site, who asks, how much.

To add a guard: 1. a frozen dataclass with `refuse`, which answers a request that may not pass; 2. its
place in :func:`guards`; 3. a test for each of its branches.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from starlette.datastructures import MutableHeaders
from starlette.requests import ClientDisconnect, HTTPConnection
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Match, Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from accord.web.accounts import Person
from accord.web.gate import Gate

#: who may ask for a route, at least; each may what those before may
Level = Literal["stranger", "viewer", "adjudicator"]
_LEVELS: tuple[Level, ...] = ("stranger", "viewer", "adjudicator")

#: bytes of a request's body: from people we know, and from others
MOST_BYTES, MOST_OF_STRANGERS = 1_000_000, 16_000
#: seconds that a body may take to arrive
BODY_SECONDS = 30.0

_HEADERS = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        "connect-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}
_CLOSE = {"connection": "close"}


class Door(Route):
    """A route that says who may ask for it; there is none that does not."""

    def __init__(
        self,
        path: str,
        answer: Callable[..., Any],
        *,
        who: Level,
        methods: Sequence[str] = ("GET",),
    ) -> None:
        super().__init__(path, answer, methods=list(methods))
        self.who = who


class Guard(Protocol):
    """One condition of being let in."""

    def refuse(self, request: HTTPConnection) -> Response | None:
        """Answer a request that may not pass; None lets it pass."""


@dataclass(frozen=True, slots=True)
class OurName:
    """Host is one of our names, exactly: a page elsewhere cannot make its own name mean us."""

    hosts: frozenset[str]

    def refuse(self, request: HTTPConnection) -> Response | None:
        given = [host.lower() for host in request.headers.getlist("host")]
        if len(given) == 1 and given[0] in self.hosts:
            return None
        return PlainTextResponse("this server does not go by that name", 421)


@dataclass(frozen=True, slots=True)
class OurOrigin:
    """Origin, where there is one, is one of ours, exactly."""

    origins: frozenset[str]

    def refuse(self, request: HTTPConnection) -> Response | None:
        if all(o.lower() in self.origins for o in request.headers.getlist("origin")):
            return None
        return _foreign()


@dataclass(frozen=True, slots=True)
class OurSite:
    """What a browser says to come from another site, or another origin of ours, is refused.

    Following a link to us from elsewhere is no request by that site.
    """

    def refuse(self, request: HTTPConnection) -> Response | None:
        told = request.headers.get
        if told("sec-fetch-site", "none") in ("none", "same-origin"):
            return None
        follows = (told("sec-fetch-mode"), told("sec-fetch-dest")) == ("navigate", "document")
        return None if follows and request.scope["method"] in ("GET", "HEAD") else _foreign()


@dataclass(frozen=True, slots=True)
class MayAsk:
    """Whoever asks may: each route names who, and what is no route is for people we know."""

    gate: Gate
    doors: Sequence[Door]
    #: what somebody we do not know is shown instead of a page
    closed: Callable[[HTTPConnection], Response]

    def refuse(self, request: HTTPConnection) -> Response | None:
        person = self.gate.person(request)
        request.scope["accord.person"] = person
        request.scope["accord.still"] = lambda: self.gate.person(request, waking=False) == person
        if person is not None and "accord.connection" in request.scope:
            request.scope["accord.connection"].known()
        needed = self._needed(request.scope)
        if _LEVELS.index(needed) <= _LEVELS.index("stranger" if person is None else person.role):
            return None
        if person is not None:
            return JSONResponse({"error": "viewers may look, not decide"}, 403)
        if request.scope["path"].startswith("/api/"):
            asked = {"www-authenticate": "Bearer"}
            return JSONResponse({"error": "show the token of this server"}, 401, headers=asked)
        return self.closed(request)

    def _needed(self, scope: Scope) -> Level:
        found = (door.who for door in self.doors if door.matches(scope)[0] is Match.FULL)
        return next(found, "viewer")


@dataclass(frozen=True, slots=True)
class NotTooLong:
    """A body says honestly how long it is, and is no longer than that may be."""

    def refuse(self, request: HTTPConnection) -> Response | None:
        length = request.headers.get("content-length", "0")
        most = _most(request.scope)
        if length.isascii() and length.isdigit() and len(length) < 16 and int(length) <= most:
            return None
        return _too_long(most)


def guards(
    gate: Gate,
    names: tuple[frozenset[str], frozenset[str]],
    doors: Sequence[Door],
    closed: Callable[[HTTPConnection], Response],
) -> tuple[Guard, ...]:
    """Everything that a request must pass, in this order."""
    hosts, origins = names
    return (
        OurName(hosts), OurOrigin(origins), OurSite(), MayAsk(gate, doors, closed), NotTooLong(),
    )  # fmt: skip


class Guarded:
    """Middleware: the first guard that refuses answers; what passes is read within limits."""

    def __init__(self, app: ASGIApp, *, guards: Sequence[Guard]) -> None:
        self.app, self.guards = app, guards

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
        if scope["type"] != "http":
            return
        request = HTTPConnection(scope)
        answer = _with_headers(send, scope["path"])
        refused = next((r for g in self.guards if (r := g.refuse(request)) is not None), None)
        if refused is None:
            try:
                await self.app(scope, limited(receive, _most(scope)), answer)
            except BodyRefusedError as problem:
                refused = problem.answer
            except ClientDisconnect:  # whoever asked is gone: nobody to answer, nothing to report
                return
        if refused is not None:
            await refused(scope, receive, answer)


class BodyRefusedError(Exception):
    """A body that is too long or too slow; nothing of it was used."""

    def __init__(self, answer: Response) -> None:
        super().__init__()
        self.answer = answer


def limited(receive: Receive, most: int, seconds: float = BODY_SECONDS) -> Receive:
    """Read a body of so many bytes, all its pieces counted, in so many seconds."""
    seen, complete = 0, False
    clock = asyncio.get_running_loop().time
    end = clock() + seconds

    async def received() -> Message:
        nonlocal seen, complete
        if complete:
            return await receive()
        try:
            message = await asyncio.wait_for(receive(), max(0.0, end - clock()))
        except TimeoutError:
            slow = {"error": "the request took too long to arrive"}
            raise BodyRefusedError(JSONResponse(slow, 408, headers=_CLOSE)) from None
        seen += len(message.get("body", b""))
        complete = not message.get("more_body", False)
        if seen > most:
            raise BodyRefusedError(_too_long(most))
        return message

    return received


def _most(scope: Scope) -> int:
    person: Person | None = scope["accord.person"]
    return MOST_OF_STRANGERS if person is None else MOST_BYTES


def _too_long(most: int) -> Response:
    return JSONResponse({"error": f"more than {most} bytes"}, 413, headers=_CLOSE)


def _foreign() -> Response:
    return JSONResponse({"error": "requests from other sites are refused"}, 403)


def _with_headers(send: Send, path: str) -> Send:
    async def sent(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in _HEADERS.items():
                headers.setdefault(name, value)
            headers.setdefault(
                "cache-control", "no-store" if not path.startswith("/static/") else "no-cache"
            )
        await send(message)

    return sent


def local_names(
    host: str, port: int, scheme: str, more: Iterable[str] = ()
) -> tuple[frozenset[str], frozenset[str]]:
    """The Host and Origin values of a server that listens here, under these other names too."""
    names = {host.lower(), *(name.lower() for name in more)}
    everywhere = host in ("0.0.0.0", "::")
    if everywhere or host in ("127.0.0.1", "localhost", "::1"):
        names |= {"localhost", "127.0.0.1", "::1"}
    if everywhere:
        names |= {socket.gethostname().lower(), socket.getfqdn().lower()}
        with contextlib.suppress(OSError):
            names |= {str(found[4][0]) for found in socket.getaddrinfo(socket.gethostname(), None)}
    written = {f"[{name}]" if ":" in name else name for name in names}
    hosts = {f"{name}:{port}" for name in written}
    if port == (443 if scheme == "https" else 80):
        hosts |= written
    return frozenset(hosts), frozenset(f"{scheme}://{h}" for h in hosts)
