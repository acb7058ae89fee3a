"""Every route of the application, asked by everybody who may not."""

from __future__ import annotations

from pathlib import Path
from typing import Any, get_args

import pytest
from starlette.routing import Route

from accord.web.gate import IDLE, LONGEST, Gate
from accord.web.guards import Door, Level
from tests.web.asked import ask, logged_in, made, with_accounts

#: what only those may see who are in: of the data, and of the file's name
SECRETS = ("Annotator-Zoe", "Annotator-Yan", "doc-Q", "LABEL-X", "LABEL-W", "secret-claims")
#: the routes that strangers need; to open another one is a decision, taken here
OPEN = {("/login", "GET"), ("/login", "POST"), ("/static/{name}", "GET"), ("/favicon.ico", "GET")}
#: a path for each parameter
EXAMPLES = {"{name:path}": "doc-Q%3A0-5", "{name}": "app.js"}


def asked_of(app: Any) -> list[tuple[Door, str, str]]:
    """Each route of the application with a method and a path; fails on one that says not who may."""
    found = []
    for route in app.routes:
        assert isinstance(route, Door), f"{route} does not say who may ask for it"
        assert route.who in get_args(Level)
        path = route.path
        for pattern, example in EXAMPLES.items():
            path = path.replace(pattern, example)
        assert "{" not in path, f"give an example of {route.path}"
        found += [(route, m, path) for m in sorted(route.methods or ()) if m != "HEAD"]
    return found


def refused(answer: Any) -> bool:
    """Not let in: told so, or led to the page where one logs in."""
    away = answer.status == 303 and answer.headers["location"] == "/login"
    return away or answer.status in (401, 403)


@pytest.fixture(params=["in the clear", "blind"])
def guarded(request: Any, tmp_path: Path) -> Any:
    return with_accounts(tmp_path, blind=request.param == "blind")


def test_every_route_refuses_who_may_not(guarded: Any) -> None:
    app, gate, clock = guarded
    eve = logged_in(app, gate, "eve")
    stale = logged_in(app, gate, "ann")
    clock.time += LONGEST + 1
    eve_now = logged_in(app, gate, "eve")
    assert len(asked_of(app)) > 15
    for door, method, path in asked_of(app):
        body = b"{}" if method == "POST" else b""
        for shown in ({}, eve, stale, {"cookie": "accord-8000="}, {"authorization": "Bearer x"}):
            answer = ask(app, path, method, body=body, **shown)
            if door.who == "stranger":
                assert (door.path, method) in OPEN, f"{door.path} is open to everybody"
                assert answer.status < 400 or answer.status == 401, (path, answer)
            else:
                assert refused(answer), (method, path, shown, answer)
            assert not [s for s in SECRETS if s in answer.body + str(answer.headers)], path
        # what changes anything is for those who decide, whatever the route says
        assert door.who == "adjudicator" or method == "GET" or path in ("/login", "/logout")
        if path == "/api/events" or path == "/logout":
            continue
        answer = ask(app, path, method, body=body, **eve_now)
        assert (answer.status == 403) == (door.who == "adjudicator"), (method, path, answer)


def test_a_route_without_a_rule_is_seen(guarded: Any) -> None:
    app, _, _ = guarded
    app.router.routes.append(Route("/new", lambda request: None))
    with pytest.raises(AssertionError, match="does not say who may"):
        asked_of(app)
    with pytest.raises(TypeError, match="who"):
        Door("/new", lambda request: None)  # type: ignore[call-arg]


def test_what_is_no_route_tells_a_stranger_nothing(guarded: Any) -> None:
    app, gate, _ = guarded
    for path in (
        "/api/nowhere",
        "/nowhere",
        "/api",
        "//api/queue",
        "/API/queue",
        "/static/x/../../y",
    ):
        assert refused(ask(app, path)), path
    assert ask(app, "/nowhere", **logged_in(app, gate, "eve")).status == 404
    # another method of a route that decides is no way round it
    assert refused(ask(app, "/api/decisions", "PUT"))
    assert ask(app, "/api/decisions", "PUT", **logged_in(app, gate, "eve")).status == 405


def test_the_words_of_the_page_are_for_those_who_are_in(tmp_path: Path) -> None:
    """French pages load the names that must stay as they are; a stranger's page needs none."""
    app, gate, _ = with_accounts(tmp_path)
    assert ask(app, "/language.js").status == 303
    page = ask(app, "/login")
    assert "Mot de passe" in page.body
    assert "language.js" not in page.body
    words = ask(app, "/language.js", **logged_in(app, gate, "eve")).body
    assert {s for s in SECRETS if s in words} == set(SECRETS)


def test_blind_words_name_no_annotator(tmp_path: Path) -> None:
    app, gate, _ = with_accounts(tmp_path, blind=True)
    words = ask(app, "/language.js", **logged_in(app, gate, "ann")).body
    assert "Annotator-" not in words
    assert "LABEL-X" in words


def test_the_token_of_a_server_without_accounts(tmp_path: Path) -> None:
    app = made(tmp_path, Gate(cookie="accord-8000", token="right-token"))
    for door, method, path in asked_of(app):
        if door.who == "stranger" or path == "/api/events":
            continue
        body = b"{}" if method == "POST" else b""
        for wrong in ("", "right", "right-token2", "wrong", "é"):
            assert ask(app, path, method, body=body, authorization=f"Bearer {wrong}").status == 401
            # the address opens the page alone
            assert ask(app, f"{path}?token={wrong}", method, body=body).status == 401
        if path != "/":
            assert ask(app, f"{path}?token=right-token", method, body=body).status == 401
        assert ask(app, path, method, body=body, authorization="Bearer right-token").status != 401
    answer = ask(app, "/?token=right-token")
    # a cookie goes to every port of this machine: the token is not in it
    assert "right-token" not in answer.headers["set-cookie"]
    assert ask(app, "/api/about", cookie=answer.cookies[0]).status == 200
    assert ask(app, "/api/about", cookie="accord-8000=" + "0" * 64).status == 401
    # only what was shown in the address is remembered
    assert "set-cookie" not in ask(app, "/", authorization="Bearer right-token").headers


def test_idle_sessions_end(tmp_path: Path) -> None:
    app, gate, clock = with_accounts(tmp_path)
    ann = logged_in(app, gate, "ann")
    for _ in range(3):
        clock.time += IDLE - 1
        assert ask(app, "/api/about", **ann).status == 200
    clock.time += IDLE
    assert ask(app, "/api/about", **ann).status == 401
    # using it all the time does not keep it for ever
    ann = logged_in(app, gate, "ann")
    end = clock.time + LONGEST
    while clock.time < end - IDLE / 2:
        assert ask(app, "/api/about", **ann).status == 200
        clock.time += IDLE / 2
    clock.time = end - 1
    assert ask(app, "/api/about", **ann).status == 200
    clock.time = end
    assert ask(app, "/api/about", **ann).status == 401
