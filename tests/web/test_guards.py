"""Each guard by itself: what it lets pass and what it refuses, a test for each branch."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from starlette.requests import ClientDisconnect, HTTPConnection
from starlette.responses import PlainTextResponse

from accord.web.accounts import Person
from accord.web.gate import Gate
from accord.web.guards import (
    MOST_BYTES,
    MOST_OF_STRANGERS,
    BodyRefusedError,
    Door,
    Guarded,
    MayAsk,
    NotTooLong,
    OurName,
    OurOrigin,
    OurSite,
    limited,
)

HOSTS = frozenset({"localhost:8000", "lab.example.org"})
ORIGINS = frozenset({"http://localhost:8000", "https://lab.example.org"})


def request(
    *headers: tuple[str, str], path: str = "/", method: str = "GET", person: Person | None = None
) -> HTTPConnection:
    given = [(k.encode(), v.encode("latin-1")) for k, v in headers]
    return HTTPConnection(
        {"type": "http", "headers": given, "path": path, "method": method, "query_string": b"",
         "root_path": "", "client": ("10.0.0.9", 1), "accord.person": person}
    )  # fmt: skip


def status(guard: Any, *headers: tuple[str, str], **more: Any) -> int | None:
    answer = guard.refuse(request(*headers, **more))
    return None if answer is None else answer.status_code


@pytest.mark.parametrize("host", ["localhost:8000", "LOCALHOST:8000", "lab.example.org"])
def test_our_own_name_passes(host: str) -> None:
    assert status(OurName(HOSTS), ("host", host)) is None


@pytest.mark.parametrize(
    "host",
    [
        "", "localhost", "localhost:8001", "localhost:80000", "evil.example", "lab.example.org.evil.example",
        "evil.example/lab.example.org", "lab.example.org:8000", "xlab.example.org", "lab.example.org ",
        "localhost:8000, evil.example", "lab.example.org.",
    ],
)  # fmt: skip
def test_another_name_is_refused(host: str) -> None:
    assert status(OurName(HOSTS), ("host", host)) == 421


def test_no_name_and_two_names_are_refused() -> None:
    assert status(OurName(HOSTS)) == 421
    assert status(OurName(HOSTS), ("host", "localhost:8000"), ("host", "lab.example.org")) == 421
    assert status(OurName(HOSTS), ("host", "localhost:8000"), ("host", "evil.example")) == 421


@pytest.mark.parametrize("origin", [None, "http://localhost:8000", "https://LAB.example.org"])
def test_our_own_origin_passes(origin: str | None) -> None:
    given = [] if origin is None else [("origin", origin)]
    assert status(OurOrigin(ORIGINS), *given) is None


@pytest.mark.parametrize(
    "origin",
    [
        "http://localhost:80000", "http://localhost:8000.evil.example", "http://localhost:8000@evil.example",
        "https://lab.example.org.evil.example", "https://lab.example.org:444", "http://lab.example.org",
        "http://localhost", "https://localhost:8000", "null", "", "http://localhost:8000/", "file://",
        "http://evil.example", "https://evil-lab.example.org",
    ],
)  # fmt: skip
def test_another_origin_is_refused(origin: str) -> None:
    assert status(OurOrigin(ORIGINS), ("origin", origin)) == 403
    assert (
        status(OurOrigin(ORIGINS), ("origin", "http://localhost:8000"), ("origin", origin)) == 403
    )


FOLLOWED = (("sec-fetch-mode", "navigate"), ("sec-fetch-dest", "document"))


@pytest.mark.parametrize("site", [None, "none", "same-origin"])
def test_our_own_site_passes(site: str | None) -> None:
    given = [] if site is None else [("sec-fetch-site", site)]
    for method in ("GET", "POST"):
        assert status(OurSite(), *given, method=method) is None


@pytest.mark.parametrize("site", ["cross-site", "same-site", "something new"])
def test_another_site_is_refused_unless_a_link_is_followed(site: str) -> None:
    told = ("sec-fetch-site", site)
    assert status(OurSite(), told) == 403
    assert status(OurSite(), told, *FOLLOWED) is None
    assert status(OurSite(), told, *FOLLOWED, method="HEAD") is None
    # a form of theirs, a frame, an image, a script, a fetch
    assert status(OurSite(), told, *FOLLOWED, method="POST") == 403
    for mode, dest in (("navigate", "iframe"), ("no-cors", "document"), ("cors", "empty"),
                       ("no-cors", "image"), ("no-cors", "script")):  # fmt: skip
        given = ("sec-fetch-mode", mode), ("sec-fetch-dest", dest)
        assert status(OurSite(), told, *given) == 403


def closed(request: HTTPConnection) -> PlainTextResponse:
    return PlainTextResponse("closed", 401)


class Known(Gate):
    """A gate where the bearer's word is who they are."""

    def person(self, request: HTTPConnection, *, waking: bool = True) -> Person | None:
        said = request.headers.get("authorization")
        return None if said is None else Person(said, said)  # type: ignore[arg-type]


DOORS = [
    Door("/open", closed, who="stranger"),
    Door("/look", closed, who="viewer"),
    Door("/both", closed, who="viewer"),
    Door("/both", closed, who="adjudicator", methods=["POST"]),
]
MAY = MayAsk(Known(cookie="c"), DOORS, closed)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("who", "method", "path", "refused"),
    [
        (None, "GET", "/open", None), (None, "GET", "/look", 401), (None, "POST", "/both", 401),
        (None, "GET", "/nowhere", 401), (None, "POST", "/open", 401), (None, "GET", "/api/nowhere", 401),
        ("viewer", "GET", "/open", None), ("viewer", "GET", "/look", None), ("viewer", "GET", "/both", None),
        ("viewer", "POST", "/both", 403), ("viewer", "GET", "/nowhere", None),
        ("viewer", "PUT", "/both", None), ("adjudicator", "POST", "/both", None),
        ("adjudicator", "GET", "/look", None),
    ],
)  # fmt: skip
def test_each_may_what_the_route_says(
    who: str | None, method: str, path: str, refused: int | None
) -> None:
    given = [] if who is None else [("authorization", who)]
    assert status(MAY, *given, method=method, path=path) == refused


def test_programs_are_told_and_people_shown_what_is_missing() -> None:
    answer = MAY.refuse(request(path="/api/look"))
    assert answer is not None
    assert answer.headers["www-authenticate"] == "Bearer"
    answer = MAY.refuse(request(path="/look"))
    assert answer is not None
    assert answer.body == b"closed"


@pytest.mark.parametrize("person", [None, Person("ann", "viewer")])
def test_a_length_that_may_be(person: Person | None) -> None:
    most = MOST_OF_STRANGERS if person is None else MOST_BYTES
    for length in ("0", "1", str(most)):
        assert status(NotTooLong(), ("content-length", length), person=person) is None
    assert status(NotTooLong(), person=person) is None
    for length in (str(most + 1), "-1", "+1", "1e3", "", " 1", "x", "9" * 5000, "\xb2"):
        assert status(NotTooLong(), ("content-length", length), person=person) == 413, length


def pieces(*bodies: bytes, ends: bool = True) -> Any:
    """What a server hands over of a body that comes in pieces."""
    left = [{"type": "http.request", "body": b, "more_body": True} for b in bodies]
    if ends:
        left[-1]["more_body"] = False

    async def receive() -> Any:
        if not left:
            await asyncio.sleep(3600)
        return left.pop(0)

    return receive


def read(receive: Any, most: int, seconds: float = 60.0) -> bytes:
    async def run() -> bytes:
        got, body, more = limited(receive, most, seconds), b"", True
        while more:
            message = await got()
            body, more = body + message["body"], message["more_body"]
        return body

    return asyncio.run(run())


def test_a_body_is_counted_in_all_not_by_the_piece() -> None:
    assert read(pieces(b"x" * 10), 10) == b"x" * 10
    assert read(pieces(*[b"x"] * 10), 10) == b"x" * 10
    for bodies in ([b"x" * 11], [b"x"] * 11, [b"x" * 10, b"x"]):
        with pytest.raises(BodyRefusedError) as told:
            read(pieces(*bodies), 10)
        assert told.value.answer.status_code == 413
        assert told.value.answer.headers["connection"] == "close"


def test_a_body_that_does_not_come_is_not_waited_for() -> None:
    with pytest.raises(BodyRefusedError) as told:
        read(pieces(b"x", ends=False), 10, seconds=0.05)
    assert told.value.answer.status_code == 408


def test_the_time_of_a_body_is_counted_in_all_not_by_the_piece() -> None:
    async def run() -> int:
        clock = asyncio.get_running_loop()
        told, begin = 0, clock.time()

        async def drops() -> Any:
            await asyncio.sleep(0.03)
            return {"type": "http.request", "body": b"x", "more_body": True}

        got = limited(drops, 10_000, 0.2)
        try:
            while clock.time() < begin + 20:
                await got()
                told += 1
        except BodyRefusedError:
            return told
        raise AssertionError("waited for ever")

    assert asyncio.run(run()) < 20


def test_after_the_body_anything_may_take_its_time() -> None:
    """A stream of events waits for its listener to go."""

    async def run() -> str:
        messages = [{"type": "http.request", "body": b"", "more_body": False}]

        async def receive() -> Any:
            if messages:
                return messages.pop()
            await asyncio.sleep(0.1)
            return {"type": "http.disconnect"}

        got = limited(receive, 10, 0.02)
        await got()
        return str((await got())["type"])

    assert asyncio.run(run()) == "http.disconnect"


def through(app: Any, guards: Any = ()) -> list[Any]:
    said: list[Any] = []

    async def receive() -> Any:
        return {"type": "http.request", "body": b"x" * 50_000, "more_body": True}

    async def send(message: Any) -> None:
        said.append(message)

    scope = {"type": "http", "headers": [], "path": "/", "accord.person": None}
    asyncio.run(Guarded(app, guards=guards)(scope, receive, send))
    return said


def test_a_client_that_goes_away_is_no_error() -> None:
    async def gone(scope: Any, receive: Any, send: Any) -> None:
        raise ClientDisconnect

    assert through(gone) == []


def test_a_body_refused_in_the_middle_is_answered() -> None:
    async def reads(scope: Any, receive: Any, send: Any) -> None:
        while True:
            await receive()

    said = through(reads)
    assert said[0]["status"] == 413
    assert (b"content-security-policy" in dict(said[0]["headers"])) is True


def test_the_first_guard_that_refuses_answers() -> None:
    async def never(scope: Any, receive: Any, send: Any) -> None:
        raise AssertionError("let in")

    said = through(never, (OurOrigin(ORIGINS), OurName(HOSTS), OurSite()))
    assert said[0]["status"] == 421


def test_what_is_no_http_is_not_answered() -> None:
    async def never(scope: Any, receive: Any, send: Any) -> None:
        raise AssertionError("let in")

    asyncio.run(Guarded(never, guards=())({"type": "websocket"}, None, None))  # type: ignore[arg-type]
