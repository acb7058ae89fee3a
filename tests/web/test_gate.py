"""Sessions, what ends them, and where a request comes from."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from starlette.requests import HTTPConnection
from starlette.responses import Response

from accord.web.accounts import add
from accord.web.events import Events
from accord.web.gate import EACH, IDLE, Gate
from tests.web.asked import ask, logged_in, with_accounts


def request(*headers: tuple[str, str], client: str | None = "10.0.0.9") -> HTTPConnection:
    given = [(k.encode(), v.encode("latin-1")) for k, v in headers]
    return HTTPConnection(
        {"type": "http", "headers": given, "path": "/", "query_string": b"",
         "client": None if client is None else (client, 1)}
    )  # fmt: skip


@pytest.mark.parametrize("change", ["removed", "password", "role", "unreadable", "no file"])
def test_an_account_that_is_changed_loses_its_sessions_at_once(change: str, tmp_path: Path) -> None:
    app, gate, _ = with_accounts(tmp_path)
    users = tmp_path / "users.json"
    ann, eve = logged_in(app, gate, "ann"), logged_in(app, gate, "eve")
    assert ask(app, "/api/about", **ann).status == 200
    held = json.loads(users.read_text())
    if change == "removed":
        users.write_text(json.dumps({"eve": held["eve"]}))
    elif change == "password":
        add(users, "ann", "adjudicator", "another password")
    elif change == "role":
        users.write_text(json.dumps({**held, "ann": {**held["ann"], "role": "viewer"}}))
    elif change == "unreadable":
        users.write_text("{")
    else:
        users.unlink()
    assert ask(app, "/api/about", **ann).status == 401
    others = 401 if change in ("unreadable", "no file") else 200
    assert ask(app, "/api/about", **eve).status == others
    if change == "unreadable":
        # (whoever edits the file by hand ends nobody's session)
        users.write_text(json.dumps(held))
        assert ask(app, "/api/about", **ann).status == 200


def test_logging_out_ends_this_session_only(tmp_path: Path) -> None:
    app, gate, _ = with_accounts(tmp_path)
    here, there = logged_in(app, gate, "ann"), logged_in(app, gate, "ann")
    assert ask(app, "/logout", "POST", **here).status == 303
    assert ask(app, "/api/about", **here).status == 401
    assert ask(app, "/api/about", **there).status == 200


def test_sessions_of_one_push_out_nobody_else(tmp_path: Path) -> None:
    app, gate, clock = with_accounts(tmp_path)
    eve = logged_in(app, gate, "eve")
    ann = [gate.open_session("ann", gate.accounts.people["ann"]) for _ in range(3 * EACH)]
    shown = [ask(app, "/api/about", authorization=f"Bearer {key}").status for key in ann]
    assert shown == [401] * (2 * EACH) + [200] * EACH
    assert ask(app, "/api/about", **eve).status == 200
    clock.time += IDLE
    gate.open_session("ann", gate.accounts.people["ann"])
    assert len(gate._sessions) == 1


def test_an_open_stream_ends_with_the_session() -> None:
    async def heard() -> list[str]:
        events, may = Events(), True
        stream = events.listen(lambda: may)
        out = [await anext(stream)]
        events.tell("decisions", {"items": ["first"]})
        out.append(await anext(stream))
        may = False
        events.tell("decisions", {"items": ["second"]})
        out += [text async for text in stream]
        assert events.count == 0
        return out

    told = asyncio.run(asyncio.wait_for(heard(), 10))
    assert "first" in told[1]
    assert len(told) == 2


FORWARDED: list[tuple[bool, tuple[str, ...], str]] = [
    (False, ("6.6.6.6",), "10.0.0.9"),
    (False, (), "10.0.0.9"),
    (True, (), "10.0.0.9"),
    (True, ("",), "10.0.0.9"),
    (True, ("1.2.3.4",), "1.2.3.4"),
    # what the client wrote stands on the left, what our proxy saw on the right
    (True, ("6.6.6.6, 1.2.3.4",), "1.2.3.4"),
    (True, ("6.6.6.6,7.7.7.7 ,  1.2.3.4 ",), "1.2.3.4"),
    # a proxy may write a line of its own
    (True, ("6.6.6.6", "1.2.3.4"), "1.2.3.4"),
]


@pytest.mark.parametrize(("proxied", "lines", "address"), FORWARDED)
def test_a_forwarded_address_is_taken_from_the_right(
    proxied: bool, lines: tuple[str, ...], address: str
) -> None:
    gate = Gate(cookie="c", proxied=proxied)
    assert gate.address(request(*(("x-forwarded-for", line) for line in lines))) == address
    assert gate.address(request(client=None)) == ""
    assert len(gate.address(request(("x-forwarded-for", "9" * 5000)))) <= 100


def test_wrong_passwords_are_remembered_by_the_address_the_proxy_names(tmp_path: Path) -> None:
    app, gate, _ = with_accounts(tmp_path, proxied=True)
    assert gate.proxied

    def tried(name: str, forwarded: str) -> int:
        body = f"name={name}&password=wrong".encode()
        return ask(app, "/login", "POST", body=body, x_forwarded_for=forwarded).status

    # each time the client says to be somebody else; the proxy adds who it is
    found = [tried(f"name {k}", f"9.9.9.{k}, 1.2.3.4") for k in range(8)]
    assert found == [401] * 6 + [429] * 2
    assert tried("another", "1.2.3.4, 5.6.7.8") == 401


def test_wrong_passwords_stay_counted_until_a_right_one(tmp_path: Path) -> None:
    app, gate, _ = with_accounts(tmp_path)
    body = b"name=ann&password=wrong"
    found = [ask(app, "/login", "POST", body=body, client=f"10.0.1.{k}").status for k in range(8)]
    # from eight addresses: the account remembers what each of them tried
    assert found == [401] * 6 + [429] * 2
    answer = ask(app, "/login", "POST", body=body, client="10.0.2.1")
    assert int(answer.headers["retry-after"]) >= 1
    # other accounts from other addresses are free
    assert logged_in(app, gate, "eve")


def test_who_was_here_before_is_not_shut_out_by_others(tmp_path: Path) -> None:
    app, gate, _ = with_accounts(tmp_path)
    good, wrong = b"name=ann&password=correct+horse", b"name=ann&password=wrong"

    def tried(body: bytes, **shown: str) -> int:
        return ask(app, "/login", "POST", body=body, **shown).status

    account = gate.accounts.people["ann"]
    answer = Response()
    gate.remember_browser(answer, "ann", account)
    said = answer.headers["set-cookie"]
    assert "Path=/login" in said
    assert "HttpOnly" in said
    known = {"cookie": said.split(";")[0]}
    assert gate.was_here(request(), "ann") is None
    # somebody else tries, from the same address
    assert [tried(wrong) for _ in range(7)][-1] == 429
    assert tried(good) == 429
    assert tried(good, **known) == 303
    # the mark is ann's alone, opens nothing, and has waits of its own
    assert tried(b"name=eve&password=battery+staple", **known) == 429
    assert ask(app, "/api/about", **known).status == 401
    assert [tried(wrong, **known) for _ in range(7)] == [401] * 6 + [429]
    assert tried(good, **known) == 429
    # a new password ends it
    add(tmp_path / "users.json", "ann", "adjudicator", "another password")
    assert gate.was_here(request(("cookie", known["cookie"])), "ann") is None


def test_logging_in_marks_the_browser(tmp_path: Path) -> None:
    app, gate, _ = with_accounts(tmp_path)
    answer = ask(app, "/login", "POST", body=b"name=ann&password=correct+horse")
    assert any(c.startswith("accord-8000-here=") for c in answer.cookies)
    assert gate.was_here(request(("cookie", answer.cookies[0])), "ann")


def test_cookies_stay_where_they_belong() -> None:
    for secure in (False, True):
        answer: Any = Response()
        Gate(cookie="accord-8000", secure=secure).remember(answer, "x")
        said = answer.headers["set-cookie"].lower()
        assert "httponly" in said
        assert "samesite=strict" in said
        assert ("secure" in said) == secure
