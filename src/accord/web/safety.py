"""Who may talk to the server: hosts, origins, tokens and accounts, and what a page may load."""

from __future__ import annotations

import contextlib
import hmac
import secrets
import socket
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection, cookie_parser
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

Role = Literal["adjudicator", "viewer"]

#: bytes of a request's body
MOST_BYTES = 1_000_000

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


@dataclass(frozen=True, slots=True)
class Person:
    """Who a request comes from; without accounts the name is what the person says it is."""

    name: str | None
    role: Role


@dataclass(slots=True, kw_only=True)
class Gate:
    """What a request must show to be let in.

    `hosts` are the values of Host that are ours, `origins` those of Origin. Without accounts there is
    one random token, in the address at first and then in the cookie; with accounts, one for each
    session.
    """

    hosts: frozenset[str]
    origins: frozenset[str]
    cookie: str
    token: str | None = field(default_factory=lambda: secrets.token_urlsafe(24))
    secure: bool = False
    #: a proxy stands before us and says who its clients are
    proxied: bool = False
    sessions: dict[str, Person] = field(default_factory=dict)

    def person(self, headers: Headers, query_token: str | None = None) -> Person | None:
        """Whoever shows a token that is good, or nobody."""
        scheme, _, bearer = headers.get("authorization", "").partition(" ")
        shown = bearer.strip() if scheme.lower() == "bearer" else ""
        shown = (
            shown or query_token or cookie_parser(headers.get("cookie", "")).get(self.cookie, "")
        )
        if not shown:
            return None
        if self.token is not None and hmac.compare_digest(shown.encode(), self.token.encode()):
            return Person(None, "adjudicator")
        return next(
            (
                p
                for key, p in self.sessions.items()
                if hmac.compare_digest(shown.encode(), key.encode())
            ),
            None,
        )

    def address(self, request: HTTPConnection) -> str:
        """Where a request comes from; a proxy of ours names its client last."""
        told = request.headers.get("x-forwarded-for", "").rpartition(",")[2].strip()
        if self.proxied and told:
            return told[:100]
        return request.client.host if request.client is not None else ""

    def open_session(self, person: Person) -> str:
        """A token for somebody who logged in."""
        key = secrets.token_urlsafe(24)
        self.sessions[key] = person
        while len(self.sessions) > 1000:
            del self.sessions[next(iter(self.sessions))]
        return key

    def remember(self, response: Response, token: str) -> None:
        """Set the cookie: for this site only, out of reach of scripts."""
        response.set_cookie(
            self.cookie, token, httponly=True, samesite="strict", secure=self.secure, path="/"
        )


#: open to everybody who reaches us by our own name: what a page needs before anybody is known
_PUBLIC = ("/static/", "/login", "/favicon.ico")


class Guard:
    """Middleware: wrong host 421, foreign origin 403, nobody we know 401, too much 413."""

    def __init__(self, app: ASGIApp, *, gate: Gate) -> None:
        self.app, self.gate = app, gate

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        refused = self._refused(scope, headers)
        answer = _with_headers(send, scope["path"])
        if refused is not None:
            await refused(scope, receive, answer)
            return
        await self.app(scope, _limited(receive), answer)

    def _refused(self, scope: Scope, headers: Headers) -> Response | None:
        if headers.get("host", "").lower() not in self.gate.hosts:
            return PlainTextResponse("this server does not go by that name", 421)
        origin = headers.get("origin")
        if origin is not None and origin.lower() not in self.gate.origins:
            return JSONResponse({"error": "requests from other sites are refused"}, 403)
        if headers.get("sec-fetch-site") in ("cross-site", "same-site") and not _navigates(headers):
            return JSONResponse({"error": "requests from other sites are refused"}, 403)
        length = headers.get("content-length", "0")
        if not length.isdigit() or int(length) > MOST_BYTES:
            return JSONResponse({"error": f"more than {MOST_BYTES} bytes"}, 413)
        path: str = scope["path"]
        if path.startswith(_PUBLIC):
            return None
        given = _query_token(scope) if path == "/" else None
        person = self.gate.person(headers, given)
        if person is None:
            if path.startswith("/api/"):
                return JSONResponse(
                    {"error": "show the token of this server"}, 401,
                    headers={"www-authenticate": "Bearer"},
                )  # fmt: skip
            scope["accord.person"] = None
            return None
        scope["accord.person"] = person
        if scope["method"] not in ("GET", "HEAD") and person.role == "viewer" and path != "/logout":
            return JSONResponse({"error": "viewers may look, not decide"}, 403)
        return None


def _navigates(headers: Headers) -> bool:
    """Following a link to us from elsewhere is no request by that site."""
    return (
        headers.get("sec-fetch-mode") == "navigate" and headers.get("sec-fetch-dest") == "document"
    )


def _query_token(scope: Scope) -> str | None:
    from urllib.parse import parse_qs

    found = parse_qs(scope.get("query_string", b"").decode("latin-1")).get("token")
    return found[0] if found else None


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


def _limited(receive: Receive) -> Receive:
    """Stop reading a body that is longer than it said."""
    seen = 0

    async def received() -> Message:
        nonlocal seen
        message = await receive()
        seen += len(message.get("body", b""))
        if seen > MOST_BYTES:
            return {"type": "http.disconnect"}
        return message

    return received


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
