"""Raw connections on loopback: crowds, drops and nonsense, and those who work meanwhile."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import resource
import shutil
import socket
import ssl
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from accord.web import connections
from accord.web.connections import Strangers
from accord.web.log import Sparing
from tests.served import Client, ratings_file, serving


@pytest.fixture
def client(tmp_path: Path) -> Iterator[Client]:
    with serving(ratings_file(tmp_path), "--decisions", tmp_path / "c.db") as client:
        yield client


def connected(client: Client, sent: bytes = b"") -> socket.socket:
    made = socket.create_connection((client.place.hostname or "", client.place.port or 0), 20)
    if sent:
        made.sendall(sent)
    return made


def ended(one: socket.socket) -> bool:
    """Whether the other side has ended a connection."""
    one.setblocking(False)
    try:
        return one.recv(1) == b""
    except BlockingIOError:
        return False
    except OSError:
        return True


def told(client: Client) -> str:
    """What the server wrote about itself."""
    client.process.kill()
    assert client.process.stderr is not None
    return client.process.stderr.read()


def head(client: Client, *, path: str = "/static/app.css", more: str = "") -> bytes:
    return f"GET {path} HTTP/1.1\r\nHost: {client.place.netloc}\r\n{more}".encode()


def test_a_crowd_of_unfinished_requests_keeps_nobody_out(client: Client) -> None:
    """As many connections as the process may hold, none of which ever says who it is."""
    _, hard = resource.prlimit(client.process.pid, resource.RLIMIT_NOFILE)
    resource.prlimit(client.process.pid, resource.RLIMIT_NOFILE, (1024, hard))
    crowd: list[socket.socket] = []
    working = 0
    try:
        for k in range(1100):
            crowd.append(connected(client, head(client)))
            if k % 50 == 49:
                status, _ = client.decide(f"i{working}", "yes")
                assert status == 201, k
                working += 1
        assert working == 22
        # the newest of the crowd still have their turn
        newest = crowd[-64:]
        assert not any(ended(one) for one in newest)
    finally:
        for one in crowd:
            one.close()
    assert len(told(client)) < 5000


def test_a_class_behind_one_address_is_heard(client: Client) -> None:
    """64 requests at a time from one address, each begun before any is finished."""
    class_ = [connected(client, head(client)) for _ in range(64)]
    for one in class_:
        one.sendall(b"\r\n")
    for one in class_:
        assert one.recv(12) == b"HTTP/1.1 200"
        one.close()


def test_a_crowd_that_never_begins_tls_keeps_nobody_out(tmp_path: Path) -> None:
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("openssl, which makes the certificate, is not installed")
    key, certificate = tmp_path / "key.pem", tmp_path / "cert.pem"
    subprocess.run(
        [openssl, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", certificate,
         "-days", "2", "-subj", "/CN=localhost"], check=True, capture_output=True,
    )  # fmt: skip
    data = ratings_file(tmp_path)
    with serving(data, "--decisions", tmp_path / "c.db", "--tls-certificate", certificate,
                 "--tls-key", key) as client:  # fmt: skip
        _, hard = resource.prlimit(client.process.pid, resource.RLIMIT_NOFILE)
        resource.prlimit(client.process.pid, resource.RLIMIT_NOFILE, (700, hard))
        trusting = ssl.create_default_context(cafile=str(certificate))
        trusting.check_hostname = False

        def status() -> bytes:
            known = f"Authorization: Bearer {client.token}\r\nConnection: close\r\n\r\n"
            with trusting.wrap_socket(connected(client)) as one:
                one.sendall(head(client, path="/api/progress", more=known))
                return one.recv(12)

        crowd = []
        for k in range(750):
            crowd.append(connected(client))
            if k % 50 == 49:
                assert status() == b"HTTP/1.1 200", k
        for one in crowd:
            one.close()
        assert len(told(client)) < 5000


def test_people_we_know_are_never_counted(client: Client) -> None:
    """More streams of somebody who is in than an address may have of strangers' connections."""
    known = f"Authorization: Bearer {client.token}\r\n\r\n"
    streams = [
        connected(client, head(client, path="/api/events", more=known))
        for _ in range(connections.EACH + 40)
    ]
    for one in streams:
        assert one.recv(12) == b"HTTP/1.1 200"
    strangers = [connected(client, head(client)) for _ in range(connections.EACH + 40)]
    client.decide("i1", "yes")
    for one in streams:
        text = b""
        while b"event: decisions" not in text:
            piece = one.recv(4096)
            assert piece, "the stream of somebody who is in was ended"
            text += piece
    for one in streams + strangers:
        one.close()


NONSENSE = [
    b"\x00" * 100, b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", b"GET\r\n\r\n", b"\r\n\r\n\r\n",
    b"GET / HTTP/9.9\r\n\r\n", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", b"GET / HTTP/1.1\r\n" + b"A" * 70_000,
    b"GET /" + b"x" * 100_000 + b" HTTP/1.1\r\n", b"GET / HTTP/1.1\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", b"GET / HTTP/1.1\r\nHost : x\r\n\r\n",
    b"POST /api/decisions HTTP/1.1\r\nHost: HOST\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nabcdef",
    b"POST /api/decisions HTTP/1.1\r\nHost: HOST\r\nContent-Length: -1\r\n\r\n",
    b"POST /api/decisions HTTP/1.1\r\nHost: HOST\r\nTransfer-Encoding: chunked\r\n\r\nZZZ\r\n",
    b"POST /api/decisions HTTP/1.1\r\nHost: HOST\r\nTransfer-Encoding: chunked\r\n"
    b"Content-Length: 4\r\n\r\n0\r\n\r\nGET /api/decisions HTTP/1.1\r\nHost: HOST\r\n\r\n",
    b"GET http://evil.example/api/queue HTTP/1.1\r\nHost: evil.example\r\n\r\n",
    b"GET //evil.example/ HTTP/1.1\r\nHost: HOST\r\n\r\n",
    b"CONNECT evil.example:80 HTTP/1.1\r\nHost: HOST\r\n\r\n",
    b"TRACE / HTTP/1.1\r\nHost: HOST\r\n\r\n", b"OPTIONS * HTTP/1.1\r\nHost: HOST\r\n\r\n",
    b"GET /api/events HTTP/1.1\r\nHost: HOST\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n",
    b"GET /language.js HTTP/1.1\r\nHost: HOST\r\nCookie: accord=\xff\xfe; ;;==\r\n\r\n",
    b"GET /api/queue HTTP/1.1\r\nHost: HOST\r\nAuthorization: Bearer \xff\xfe\r\n\r\n",
    b"GET /api/queue HTTP/1.1\r\nHost: HOST\r\nOrigin: http://HOST.evil.example\r\n\r\n",
    b"GET /?token=%ff%00%ud800 HTTP/1.1\r\nHost: HOST\r\n\r\n", b"GET /?token HTTP/1.1\r\nHost: HOST\r\n\r\n",
    b"GET /static/%2e%2e%2f%2e%2e%2fetc%2fpasswd HTTP/1.1\r\nHost: HOST\r\n\r\n",
    b"GET /%0d%0aSet-Cookie:x=1 HTTP/1.1\r\nHost: HOST\r\n\r\n",
]  # fmt: skip


def test_nonsense_is_refused_and_the_log_stays_short(client: Client) -> None:
    for _ in range(12):
        for raw in NONSENSE:
            one = connected(client)
            with contextlib.suppress(OSError):  # refused before all of it was sent
                one.sendall(raw.replace(b"HOST", client.place.netloc.encode()))
                one.shutdown(socket.SHUT_WR)
            answer = b""
            with contextlib.suppress(ConnectionError):
                while piece := one.recv(65_536):
                    answer += piece
            one.close()
            first = answer.split(b"\r\n", 1)[0]
            assert not answer or first.split()[1][:1] == b"4", (raw[:80], answer[:300])
            assert b"HTTP/1.1 2" not in answer
            assert b"yes" not in answer
    assert client.get("/api/decisions")["decisions"] == []
    said = told(client)
    assert "Traceback" not in said, said
    assert len(said) < 2000


def test_clients_that_go_away_leave_no_traceback(client: Client) -> None:
    known = f"Authorization: Bearer {client.token}\r\n"
    post = f"POST /api/decisions HTTP/1.1\r\nHost: {client.place.netloc}\r\n{known}Content-Length: 900\r\n"
    login = (
        f"POST /login HTTP/1.1\r\nHost: {client.place.netloc}\r\nContent-Length: 900\r\n\r\nname="
    )
    for _ in range(10):
        for raw in (
            (post + "\r\n{").encode(), (post + "Expect: 100-continue\r\n\r\n").encode(), login.encode(),
            head(client, path="/api/events", more=known + "\r\n"),
            head(client, path="/api/reference?format=csv", more=known + "\r\n"),
            head(client, path="/static/app.js", more="\r\n"), head(client),
        ):  # fmt: skip
            one = connected(client, raw)
            # closed without reading: the other side is told that the connection was reset
            one.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\0\0\0\0\0\0\0")
            one.close()
    assert client.get("/api/progress")["left"] == 30
    assert told(client) == ""


# --- by the clock ------------------------------------------------------------------------------


def in_loop(act: Callable[[Any], None], **limits: Any) -> list[str]:
    """What ended, in order, when this was done with connections that say so."""
    ends: list[str] = []

    async def run() -> None:
        held = Strangers(**{"patience": 0.0, **limits})

        def add(host: str, port: int) -> None:
            held.add((host, port), lambda: ends.append(f"{host}:{port}"))

        held_add = type("Door", (), {"add": staticmethod(add), "held": held})
        act(held_add)
        await asyncio.sleep(0.1)

    asyncio.run(run())
    return ends


def test_the_oldest_of_an_address_goes_first() -> None:
    def act(door: Any) -> None:
        for k in range(5):
            door.add("a", k)
        door.add("b", 9)

    assert in_loop(act, each=3) == ["a:0", "a:1"]


def test_those_who_come_at_once_are_heard_first() -> None:
    def act(door: Any) -> None:
        for k in range(50):
            door.add("a", k)
        for k in range(40):
            door.held.discard(("a", k))

    assert in_loop(act, each=10, patience=0.01) == []


def test_when_all_is_full_the_address_with_the_most_makes_room() -> None:
    def act(door: Any) -> None:
        door.add("b", 1)
        for k in range(4):
            door.add("a", k)
        door.add("c", 1)

    assert in_loop(act, most=4, each=4) == ["a:0", "a:1"]


def test_known_people_make_room() -> None:
    def act(door: Any) -> None:
        for k in range(9):
            door.add("a", k)
            door.held.discard(("a", k))
        door.held.discard(("never", 1))
        for k in range(3):
            door.add("a", 100 + k)

    assert in_loop(act, each=3) == []


def test_time_ends_what_is_not_known() -> None:
    def act(door: Any) -> None:
        door.add("a", 1)
        door.add("a", 2)
        door.held.discard(("a", 1))

    assert in_loop(act, seconds=0.01) == ["a:2"]


def test_a_slow_request_ends_by_itself(tmp_path: Path) -> None:
    """The same in a server whose clock runs faster: drop by drop, nobody holds a place."""
    code = (
        "import sys; from accord.web import connections, guards\n"
        "\n"
        "real = connections.strangers\n"
        "def quick(**how):\n"
        "    held = real(**how); held.seconds = 1.0; return held\n"
        "connections.strangers = quick; limited = guards.limited\n"
        "guards.limited = lambda receive, most: limited(receive, most, 1.0)\n"
        "sys.argv = ['accord', 'serve', *sys.argv[1:]]\n"
        "from accord.cli import main; main()"
    )
    data = ratings_file(tmp_path)
    process = subprocess.Popen(
        [sys.executable, "-c", code, str(data), "--decisions", str(tmp_path / "c.db"), "--port", "0",
         "--no-browser", "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        assert process.stdout is not None
        ready = json.loads(process.stdout.readline())
        client = Client(ready["url"], ready["token"], process)
        drops = [connected(client, head(client)) for _ in range(3)]
        silent = connected(client)
        known = f"Authorization: Bearer {client.token}\r\n"
        post = f"POST /api/decisions HTTP/1.1\r\nHost: {client.place.netloc}\r\n{known}"
        body = connected(client, f"{post}Content-Length: 900\r\n\r\n".encode())
        stream = connected(client, head(client, path="/api/events", more=known + "\r\n"))
        stop = time.monotonic() + 300
        waiting = [*drops, silent]
        while waiting:
            assert time.monotonic() < stop
            for one in drops:
                with contextlib.suppress(OSError):
                    one.setblocking(True)
                    one.sendall(b"x")
            waiting = [one for one in waiting if not ended(one)]
            time.sleep(0.1)
        # somebody who is in is told what was wrong; a stream is no request that is slow
        body.settimeout(300)
        assert body.recv(12) == b"HTTP/1.1 408"
        assert stream.recv(12) == b"HTTP/1.1 200"
        time.sleep(1.2)
        client.decide("i1", "yes")
        text = b""
        stream.settimeout(300)
        while b"event: decisions" not in text:
            text += (piece := stream.recv(4096))
            assert piece
    finally:
        process.kill()
        process.wait()


# --- what is written ---------------------------------------------------------------------------


def record(message: str, problem: BaseException | None = None) -> logging.LogRecord:
    info = None if problem is None else (type(problem), problem, None)
    return logging.LogRecord("x", logging.ERROR, "f", 1, message, None, info)  # type: ignore[arg-type]


def test_a_line_of_each_kind_in_a_minute() -> None:
    clock = [0.0]
    log = Sparing(now=lambda: clock[0])
    assert log.filter(record("Invalid request"))
    assert not any(log.filter(record("Invalid request")) for _ in range(1000))
    assert log.filter(record("another"))
    clock[0] = 61.0
    last = record("Invalid request")
    assert log.filter(last)
    assert last.getMessage() == "Invalid request (1000 more like this)"
    again = record("another")
    assert log.filter(again)
    assert again.getMessage() == "another"


def test_kinds_without_end_are_one_kind() -> None:
    log = Sparing(now=lambda: 0.0)
    assert sum(log.filter(record(f"problem {k}")) for k in range(10_000)) <= 60


def test_what_differs_in_its_second_line_is_one_kind() -> None:
    log = Sparing(now=lambda: 0.0)
    assert log.filter(record("Fatal\ntransport: 1"))
    assert not log.filter(record("Fatal\ntransport: 2"))


@pytest.mark.parametrize(
    "gone", [ConnectionResetError(), BrokenPipeError(), TimeoutError(), ssl.SSLError()]
)
def test_who_went_away_is_not_reported(gone: BaseException) -> None:
    assert not Sparing().filter(record("Fatal error", gone))
    assert Sparing().filter(record("Fatal error", ValueError()))


def test_loggers_are_left_as_they_were() -> None:
    from accord.web.log import sparing

    logger = logging.getLogger("uvicorn.error")
    before = list(logger.filters)
    with sparing("uvicorn.error"):
        assert len(logger.filters) == len(before) + 1
    assert logger.filters == before
