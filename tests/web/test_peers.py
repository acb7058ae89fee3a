"""A cookie is good for the user of the machine who got it: others serve on its ports, and are shown it."""

from __future__ import annotations

import multiprocessing
import os
import socket
import sys
from pathlib import Path
from typing import Any

import pytest

from accord.web import peers
from tests.served import ratings_file, serving
from tests.web.asked import ask, logged_in, with_accounts

LINUX = pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells whose a connection is")


def connected(family: int, host: str, to: str) -> tuple[socket.socket, ...]:
    door = socket.socket(family)
    if family == socket.AF_INET6:
        door.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
    door.bind((host, 0))
    door.listen()
    near = socket.create_connection((to, door.getsockname()[1]))
    return door, near, door.accept()[0]


@LINUX
@pytest.mark.parametrize(
    ("family", "host", "to"),
    [
        (socket.AF_INET, "127.0.0.1", "127.0.0.1"),
        (socket.AF_INET6, "::1", "::1"),
    ],
)
def test_the_user_of_a_connection(family: int, host: str, to: str) -> None:
    try:
        door, near, far = connected(family, host, to)
    except OSError as problem:
        pytest.skip(f"no such loopback here: {problem}")
    with door, near, far:
        there, here = far.getpeername(), far.getsockname()
        assert peers.user_of(there, here) == str(os.getuid())
        # half closed, nobody can say whose it is
        near.shutdown(socket.SHUT_WR)
        far.shutdown(socket.SHUT_RDWR)
        assert peers.user_of(there, here) == ""


def test_whose_a_connection_is_where_nothing_tells(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = ("127.0.0.1", 80)
    assert peers.user_of(("192.0.2.7", 50_000), here) == ""
    assert peers.user_of(("",), here) == peers.user_of(("no address", 1), here) == ""
    monkeypatch.setattr(peers, "_TABLES", (tmp_path / "missing",))
    assert peers.user_of(("127.0.0.1", 50_000), here) == ""


def test_addresses_as_the_tables_write_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "byteorder", "little")
    table = tmp_path / "tcp6"
    monkeypatch.setattr(peers, "_TABLES", (table,))
    rows = [
        # a socket of IPv6 that speaks to an address of IPv4, as some browsers open them
        "0: 0000000000000000FFFF00000100007F:C350 0000000000000000FFFF00000100007F:1F90 01 0 0 0 1000",
        "1: 00000000000000000000000001000000:C351 00000000000000000000000001000000:1F90 01 0 0 0 1001",
        # one that its user has closed
        "2: 0100007F:C352 0100007F:1F90 05 0:0 0:0 0 0 0 0",
    ]
    table.write_text("\n".join(["header", *rows]) + "\n")
    assert peers.user_of(("127.0.0.1", 0xC350), ("127.0.0.1", 8080)) == "1000"
    assert peers.user_of(("::1", 0xC351, 0, 0), ("::1", 8080, 0, 0)) == "1001"
    assert peers.user_of(("127.0.0.1", 0xC352), ("127.0.0.1", 8080)) == ""
    assert peers.user_of(("127.0.0.1", 0xC350), ("127.0.0.1", 8081)) == ""


class Of:
    """A connection of one user."""

    def __init__(self, user: str) -> None:
        self.user = user

    def known(self) -> None: ...


def through(app: Any, user: str) -> Any:
    async def passed(scope: Any, receive: Any, send: Any) -> None:
        await app({**scope, "accord.connection": Of(user)}, receive, send)

    return passed


def test_a_session_is_good_for_the_user_who_logged_in(tmp_path: Path) -> None:
    app, gate, _ = with_accounts(tmp_path)
    ann = logged_in(through(app, "1000"), gate, "ann")
    assert ask(through(app, "1000"), "/api/about", **ann).status == 200
    for user in ("1001", "0", ""):
        assert ask(through(app, user), "/api/about", **ann).status == 401
        key = {"authorization": f"Bearer {ann['cookie'].partition('=')[2]}"}
        assert ask(through(app, user), "/api/about", **key).status == 401
    # where the system tells nothing it is as anywhere
    eve = logged_in(app, gate, "eve")
    assert ask(app, "/api/about", **eve).status == 200


def _ask_as(user: int, port: int, header: str, said: Any) -> None:
    os.setgid(user)
    os.setuid(user)
    with socket.create_connection(("127.0.0.1", port), timeout=300) as asking:
        line = f"GET /api/about HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n{header}\r\n\r\n"
        asking.sendall(line.encode())
        said.send(asking.recv(100).split()[1].decode())


@LINUX
def test_another_user_of_the_machine_cannot_use_the_cookie(tmp_path: Path) -> None:
    if os.getuid() != 0:
        pytest.skip("only root can ask as somebody else")
    with serving(ratings_file(tmp_path), "--decisions", tmp_path / "c.db") as client:
        _, _, headers = client.ask(f"/?token={client.token}", token=None)
        cookie = f"Cookie: {headers['set-cookie'].split(';')[0]}"
        bearer = f"Authorization: Bearer {client.token}"
        port = int(client.url.rstrip("/").rpartition(":")[2])
        context = multiprocessing.get_context("fork")

        def answered(user: int, header: str) -> str:
            hear, say = context.Pipe(duplex=False)
            process = context.Process(target=_ask_as, args=(user, port, header, say))
            process.start()
            process.join()
            return str(hear.recv())

        assert answered(0, cookie) == "200"
        assert answered(65534, cookie) == "401"
        # who was given the address is let in, whoever it is
        assert answered(65534, bearer) == "200"
