"""Decisions that wait in the browser: two tabs, another campaign, a full disk; and eight tabs at once."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.browser.conftest import settle
from tests.browser.test_adjudication import ENTER, TAB, Person
from tests.served import Client, ratings_file, serving
from tests.web.test_unwritten import full

WAITING = "Object.keys(localStorage).filter((k) => k.startsWith('accord:unsent:')).length"


@pytest.fixture
def tabs(browser: Any) -> Iterator[Callable[[], str]]:
    """Open a further tab; those that were opened are closed afterwards."""
    first = browser.current_window_handle
    browser.switch_to.window(first)

    def opened() -> str:
        browser.switch_to.new_window("tab")
        return str(browser.current_window_handle)

    yield opened
    for handle in browser.window_handles:
        if handle != first:
            browser.switch_to.window(handle)
            browser.close()
    browser.switch_to.window(first)
    browser.get("about:blank")


def free_port() -> int:
    with socket.socket() as door:
        door.bind(("127.0.0.1", 0))
        return int(door.getsockname()[1])


def stop(client: Client) -> None:
    client.process.kill()
    client.process.wait()


def unsent(person: Person) -> str:
    return person.text("#unsent")


def alone(data: Path, db: Path, port: int) -> Any:
    return serving(data, "--decisions", db, port=port)


def test_two_tabs_without_a_server_lose_nothing(
    browser: Any, tabs: Callable[[], str], tmp_path: Path
) -> None:
    data, db, port = ratings_file(tmp_path), tmp_path / "c.db", free_port()
    home = browser.current_window_handle
    with alone(data, db, port) as client:
        one = Person(browser, client)
        second = tabs()
        two = Person(browser, client)
        for _ in range(4):  # other cards than those of the first tab
            two.settle_one("n")
        two.provided(seen=5)
        stop(client)
        made = [two.settle_one("2") for _ in range(2)]
        browser.switch_to.window(home)
        one.provided()
        made += [one.settle_one("2") for _ in range(3)]
        one.until(lambda: one.script(WAITING) == 5)
        one.until(lambda: "5 decisions are not stored yet" in unsent(one))
        assert all(item in unsent(one) for item in made)
        assert len(set(made)) == 5
        # the second tab is closed: what it made is not
        browser.switch_to.window(second)
        browser.close()
        browser.switch_to.window(home)
    with alone(data, db, port) as client:
        # a page of the same store, opened anew, sends what both left
        person = Person(browser, client)
        found = person.stored(5)
        assert sorted(d["item"] for d in found) == sorted(made)
        assert {(d["value"], d["who"]) for d in found} == {("no", "Ann")}
        person.until(lambda: person.script(WAITING) == 0)
        person.until(lambda: person.script("document.querySelector('#unsent').hidden"))


def test_both_tabs_stay_open_and_each_sends_its_own_once(
    browser: Any, tabs: Callable[[], str], tmp_path: Path
) -> None:
    data, db = ratings_file(tmp_path), tmp_path / "c.db"
    home = browser.current_window_handle
    with alone(data, db, free_port()) as client:
        one = Person(browser, client)
        tabs()
        two = Person(browser, client)
        for _ in range(4):
            two.settle_one("n")
        with full(client):
            made = [two.settle_one("2")]
            browser.switch_to.window(home)
            made += [one.settle_one("2")]
            one.until(lambda: "2 decisions are not stored yet" in unsent(one))
        found = one.stored(2)
        assert sorted(d["item"] for d in found) == sorted(made)
        one.until(lambda: one.script(WAITING) == 0)
        # taking back works in the tab that made it: it knows what became of it
        one.press("u")
        one.until(lambda: len(one.decisions()) == 3)
        assert one.decisions()[-1]["item"] == made[1]


def test_a_full_disk_keeps_what_was_decided(browser: Any, tmp_path: Path) -> None:
    data, db = ratings_file(tmp_path, items=60), tmp_path / "c.db"
    with alone(data, db, 0) as client:
        person = Person(browser, client)
        with full(client):
            made = [person.settle_one("2") for _ in range(12)]
            person.until(lambda: "12 decisions are not stored yet" in unsent(person))
            assert "cannot" in unsent(person)
            assert person.script(WAITING) == 12
            assert all(item in unsent(person) for item in made)
            assert person.decisions() == []
        found = person.stored(12)
        assert [d["item"] for d in found] == made
        person.until(lambda: person.script("document.querySelector('#unsent').hidden"))
        browser.get("about:blank")


def test_another_campaign_at_the_same_address_receives_nothing(
    browser: Any, tmp_path: Path
) -> None:
    port = free_port()
    data, db, other = ratings_file(tmp_path), tmp_path / "c.db", tmp_path / "other.db"
    with alone(data, db, port) as client:
        person = Person(browser, client)
        person.until(lambda: "i" in person.title())
        person.provided()
        stop(client)
        made = [person.settle_one("2") for _ in range(3)]
        person.until(lambda: "3 decisions are not stored yet" in unsent(person))
    # the same cards, another store: the page that is still open is told, and sends nothing
    with alone(data, other, port) as client:
        cookie = {"name": f"accord-{port}", "value": client.token, "path": "/", "httpOnly": True}
        browser.add_cookie(cookie)
        person.client = client
        person.until(lambda: "another campaign or account is open here now" in unsent(person))
        assert person.decisions() == []
        # nor does a page opened on the other store; it says what waits, and for whom
        person = Person(browser, client)
        person.until(lambda: "3 decisions of another campaign or account" in unsent(person))
        assert "ratings" in unsent(person)
        person.settle_one("1")
        assert [d["value"] for d in person.stored(1)] == ["yes"]
        person.until(lambda: person.script(WAITING) == 3)
    with alone(data, db, port) as client:
        person = Person(browser, client)
        assert [(d["item"], d["value"]) for d in person.stored(3)] == [(i, "no") for i in made]
        person.until(lambda: person.script(WAITING) == 0)
        browser.get("about:blank")


def test_each_conflict_is_shown_and_none_is_forgotten(browser: Any, tmp_path: Path) -> None:
    """Three decisions made while away, on cards that somebody else decided meanwhile."""
    data, db, port = ratings_file(tmp_path), tmp_path / "c.db", free_port()
    with alone(data, db, port) as client:
        person = Person(browser, client)
        person.provided()
        stop(client)
        made = [person.settle_one("2") for _ in range(3)]
        browser.get("about:blank")
    with alone(data, db, port) as client:
        theirs = [client.decide(item, "yes", who="Bob")[1]["id"] for item in made]
        person = Person(browser, client)
        for k, item in enumerate(made):
            person.until(lambda: person.script("document.querySelector('#conflict').open"))
            person.until(lambda item=item: item in person.text("#conflict"))
            # (what is put in the place of the first waits behind the others)
            assert person.script(WAITING) == [3, 3, 2][k]
            person.press(*((TAB, ENTER) if k != 1 else (ENTER,)))
        found = person.stored(5)
        mine = {d["item"]: d["replaces"] for d in found if d["who"] == "Ann"}
        assert mine == {made[0]: theirs[0], made[2]: theirs[2]}
        person.until(lambda: person.script(WAITING) == 0)
        browser.get("about:blank")


def test_a_browser_without_room_says_so(browser: Any, tmp_path: Path) -> None:
    data, db, port = ratings_file(tmp_path), tmp_path / "c.db", free_port()
    with alone(data, db, port) as client:
        person = Person(browser, client)
        person.provided()
        person.script("Storage.prototype.setItem = () => { throw new Error('full'); }")
        stop(client)
        person.settle_one("2")
        person.until(lambda: "leave this page open" in unsent(person))
    with alone(data, db, port) as client:
        browser.add_cookie({"name": f"accord-{port}", "value": client.token, "path": "/"})
        person.client = client
        assert len(person.stored(1)) == 1
        person.until(lambda: person.script("document.querySelector('#unsent').hidden"))
        browser.get("about:blank")


def test_eight_tabs_share_one_stream(browser: Any, tabs: Callable[[], str], tmp_path: Path) -> None:
    data, db = ratings_file(tmp_path), tmp_path / "c.db"
    home = browser.current_window_handle
    with alone(data, db, 0) as client:
        people = {home: Person(browser, client)}
        for _ in range(7):
            handle = tabs()
            people[handle] = Person(browser, client)
            assert people[handle].title().startswith("i"), "a tab shows no card"
        item = people[home].title()

        client.decide(item, "yes", who="Bob")
        for handle, person in people.items():
            browser.switch_to.window(handle)
            settle(browser)
            person.until(lambda person=person: "Bob" in person.text(".badges"))
        assert listening(browser) == [1, 7]
        # the tab that listens is closed: another takes its place, and all hear it
        browser.switch_to.window(home)
        browser.get("about:blank")
        del people[home]
        browser.switch_to.window(next(iter(people)))
        next(iter(people.values())).until(lambda: listening(browser) == [1, 6])
        made = client.item(item)["decision"]["id"]
        assert client.decide(item, "no", who="Cid", replaces=made)[0] == 201
        for handle, person in people.items():
            browser.switch_to.window(handle)
            settle(browser)
            person.until(lambda person=person: "Cid" in person.text(".badges"))


def listening(browser: Any) -> list[int]:
    """How many tabs listen to the server, and how many wait to."""
    found: list[int] = browser.execute_async_script(
        "const done = arguments[0], events = (x) => x.name.startsWith('accord:events');"
        "navigator.locks.query().then(({ held, pending }) => "
        "done([held, pending].map((locks) => locks.filter(events).length)));"
    )
    return found
