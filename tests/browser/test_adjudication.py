"""Adjudication in a real browser, with the keyboard alone."""

from __future__ import annotations

import json
import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.browser.conftest import settle
from tests.patience import until
from tests.served import (
    Client,
    chains_file,
    ratings_file,
    relations_file,
    segments_file,
    serving,
    units_file,
)

ENTER, ESCAPE, TAB, LEFT, RIGHT = "\ue007", "\ue00c", "\ue004", "\ue012", "\ue014"


#: how many cards the page has fetched
FETCHED = (
    "new Set(performance.getEntriesByType('resource').map((e) => e.name.split('?')[0])"
    ".filter((name) => name.includes('/api/items/'))).size"
)


class Person:
    """Somebody at the keyboard: looks at the page, and presses keys; never a mouse."""

    def __init__(self, browser: Any, client: Client, name: str = "Ann") -> None:
        self.browser, self.client = browser, client
        self.pressed = 0
        browser.get_log("browser")
        browser.get(f"{client.url}?token={client.token}")
        self.until(lambda: self.title() != "")
        if not self.script("document.querySelector('#who').value"):
            self.press(*name, ENTER)
        self.pressed = 0

    def press(self, *keys: str) -> None:
        from selenium.webdriver.common.action_chains import ActionChains

        for key in keys:
            ActionChains(self.browser).send_keys(key).perform()
            self.pressed += 1
        settle(self.browser)

    def script(self, text: str) -> Any:
        return self.browser.execute_script(f"return {text}")

    def title(self) -> str:
        return str(self.script("document.querySelector('#title')?.textContent ?? ''"))

    def text(self, query: str) -> str:
        return str(self.script(f"document.querySelector({json.dumps(query)})?.textContent ?? ''"))

    def until(self, holds: Callable[[], Any]) -> None:
        assert until(holds), self.text("body")[:2000]

    def provided(self, seen: int = 1) -> None:
        """Wait until the page has the next three cards after those that were seen: a server may go."""
        self.until(lambda: self.script(FETCHED) >= seen + 3)

    def settle_one(self, *keys: str) -> str:
        """Press, and wait until another card is there."""
        was = self.title()
        self.press(*keys)
        self.until(lambda: self.title() != was)
        return was

    def decisions(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.client.get("/api/decisions")["decisions"]
        return found

    def stored(self, n: int) -> list[dict[str, Any]]:
        """The decisions, once there are n."""
        self.until(lambda: len(self.decisions()) >= n)
        return self.decisions()

    def quiet(self) -> None:
        assert [e for e in self.browser.get_log("browser") if "favicon" not in e["message"]] == []


@pytest.fixture
def at(browser: Any, tmp_path: Path) -> Iterator[Callable[..., Person]]:
    """Sit down in front of ``accord serve`` with these arguments."""
    open_servers = []

    def sit(*arguments: object) -> Person:
        running = serving(*arguments, "--decisions", tmp_path / "c.db")
        open_servers.append(running)
        return Person(browser, running.__enter__())

    yield sit
    browser.get("about:blank")
    for running in open_servers:
        running.__exit__(None, None, None)


def test_twenty_units(at: Any, tmp_path: Path) -> None:
    data, texts = units_file(tmp_path, groups=24)
    person = at(data, "--texts", texts)
    for k in range(19):
        person.settle_one(ENTER if k % 3 else "2")
    # the last one by its borders: end one character later, with the arrow keys on the handle
    item = person.title()
    proposed = person.client.item(item)["proposal"]
    person.press("e", TAB, "\ue013", ENTER)  # to the end's field, one up, save
    made = person.stored(20)
    assert {d["kind"] for d in made} == {"label"}
    assert made[-1]["value"]["end"] == proposed["end"] + 1
    assert made[-1]["who"] == "Ann"
    assert len({d["item"] for d in made}) == 20
    person.quiet()


def test_twenty_ratings_with_reasons_undo_and_groups(at: Any, tmp_path: Path) -> None:
    person = at(ratings_file(tmp_path, items=90))
    first = person.title()
    person.press("w", *"context", ENTER)
    person.settle_one("2")
    for _ in range(18):
        person.settle_one("1")
    person.settle_one("r")
    made = person.stored(20)
    assert (made[0]["item"], made[0]["value"], made[0]["why"]) == (first, "no", "context")
    assert made[-1]["kind"] == "reject"
    person.press("u")
    person.until(lambda: person.decisions()[-1]["kind"] == "withdraw")
    person.until(lambda: person.title() == made[-1]["item"])
    person.press("f")
    person.until(lambda: "flagged" in person.text(".badges"))
    assert person.client.get("/api/progress")["flagged"] == 1
    # the card is drawn anew once it is flagged: ask until the dialog is there
    asked = "document.querySelector('#group').open"
    person.until(lambda: person.script(asked) or person.press("g"))
    person.press(ENTER)  # all with the same confusion, the first version
    person.until(lambda: person.client.get("/api/progress")["disputed_left"] == 0)
    person.until(lambda: person.title() == "No card is left here")
    person.press("u")
    person.until(lambda: person.client.get("/api/progress")["disputed_left"] == 11)
    person.quiet()


def test_a_boundary_and_a_chain(at: Any, tmp_path: Path) -> None:
    person = at(segments_file(tmp_path))
    person.press("e", "\ue013", ENTER)
    made = person.stored(1)
    assert (made[0]["item"], made[0]["value"]) == ("doc:3", 4)
    chained = tmp_path / "more"
    chained.mkdir()
    running = serving(chains_file(chained), "--decisions", chained / "c.db")
    with running as client:
        person = Person(person.browser, client)
        assert person.title() == "doc:4-5"
        person.settle_one("2")  # begins its entity
        person.press("e", *"4", ENTER)  # the other mention: with 4-5, chosen by its first letter
        made = person.stored(2)
        assert [(d["item"], d["value"]) for d in made] == [("doc:4-5", "4-5"), ("doc:8-9", "4-5")]
        entities = client.get("/api/reference?format=json")["items"]
        assert len({e["entity"] for e in entities}) == 2
        person.quiet()
        person.browser.get("about:blank")


def test_a_hundred_conflicts_take_a_hundred_keys(at: Any, tmp_path: Path) -> None:
    person = at(ratings_file(tmp_path, items=300))
    for k in range(99):
        person.settle_one(ENTER if k % 4 else "2")
    person.press(ENTER)
    person.stored(100)
    assert person.client.get("/api/progress")["disputed_left"] == 0
    assert person.pressed < 130


def test_two_windows_conflict(at: Any, tmp_path: Path, browser: Any) -> None:
    # a window that does not hear of the other's decisions: as when the network is slow
    deaf = browser.execute_cdp_cmd(
        "Page.addScriptToEvaluateOnNewDocument",
        {"source": "window.EventSource = class { addEventListener() {} };"},
    )
    try:
        person = at(ratings_file(tmp_path))
        item = person.title()
        status, made = person.client.decide(item, "yes", who="Bob")
        assert status == 201
        person.press("2")
        person.until(lambda: person.script("document.querySelector('#conflict').open"))
        assert "Bob says: yes" in person.text("#conflict")
        assert len(person.decisions()) == 1
        person.press(TAB, ENTER)  # put mine in its place, knowing theirs
        last = person.stored(2)[-1]
        assert (last["value"], last["replaces"], last["who"]) == ("no", made["id"], "Ann")
    finally:
        browser.execute_cdp_cmd(
            "Page.removeScriptToEvaluateOnNewDocument", {"identifier": deaf["identifier"]}
        )


def test_what_others_decide_shows_at_once(at: Any, tmp_path: Path) -> None:
    person = at(ratings_file(tmp_path))
    item = person.title()
    person.client.decide(item, "yes", who="Bob", why="seen before")
    person.until(lambda: "Bob" in person.text(".badges"))
    assert "seen before" in person.text(".history")
    # with theirs in sight, mine takes its place
    person.press("2")
    last = person.stored(2)[-1]
    assert (last["value"], last["who"]) == ("no", "Ann")


def test_unsent_decisions_stay_and_are_sent_again(browser: Any, tmp_path: Path) -> None:
    data, db = ratings_file(tmp_path), tmp_path / "c.db"
    with socket.socket() as door:
        door.bind(("127.0.0.1", 0))
        port = door.getsockname()[1]
    with serving(data, "--decisions", db, port=port) as client:
        person = Person(browser, client)
        person.until(lambda: "i" in person.title())
        person.provided()
        client.process.kill()
        client.process.wait()
        person.settle_one("2")
        person.settle_one("2")
        person.until(lambda: "2 decisions are not stored yet" in person.text("#unsent"))
    with serving(data, "--decisions", db, port=port) as client:
        person = Person(browser, client)
        made = person.stored(2)
        assert [d["value"] for d in made] == ["no", "no"]
        person.until(lambda: person.script("document.querySelector('#unsent').hidden"))
        browser.get("about:blank")


@pytest.mark.parametrize("shape", ["ratings", "units", "segments", "chains"])
def test_pages_are_accessible_and_narrow(
    at: Any, tmp_path: Path, shape: str, violations: Callable[[], list[str]]
) -> None:
    makers = {"ratings": ratings_file, "segments": segments_file, "chains": chains_file}
    data: list[object] = (
        [makers[shape](tmp_path)] if shape != "units" else list(units_file(tmp_path))
    )
    person = at(data[0], *(("--texts", data[1]) if len(data) > 1 else ()))
    assert violations() == []
    person.press("e")
    assert violations() == []
    person.press(ESCAPE, "?")
    assert violations() == []
    person.press(ESCAPE)
    size = person.browser.execute_cdp_cmd
    size("Emulation.setDeviceMetricsOverride",
         {"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": True})  # fmt: skip
    try:
        settle(person.browser)
        assert person.script("document.documentElement.scrollWidth") <= 390
        assert violations() == []
    finally:
        size("Emulation.clearDeviceMetricsOverride", {})
    # what a screen reader hears of a card
    person.press("n")
    person.until(lambda: person.text("#said") != "")
    person.browser.get(f"{person.client.url}discussion")
    assert violations() == []


def test_hostile_names_are_only_text(at: Any, tmp_path: Path) -> None:
    bad = "<img src=x onerror=alert(1)>"
    data = tmp_path / "x.csv"
    data.write_text(f"item,annotator,value\n{bad},A{bad},{bad}\n{bad},B,no\n")
    texts = tmp_path / "t.csv"
    texts.write_text(f"item,text\n{bad},{bad}\n")
    person = at(data, "--texts", texts)
    assert person.title() == bad
    person.press("w", *bad, ENTER, "1")
    person.stored(1)
    assert person.script("document.querySelectorAll('img').length") == 0
    person.browser.get(f"{person.client.url}discussion")
    assert person.script("document.querySelectorAll('img').length") == 0
    person.quiet()


def test_split_merge_add_and_the_explorer(at: Any, tmp_path: Path) -> None:
    data, texts = units_file(tmp_path)
    person = at(data, "--texts", texts)
    first = person.title()
    person.press("a", *"7", TAB, *"13", ENTER)
    made = person.stored(1)
    assert (made[0]["item"], made[0]["value"]["end"]) == ("doc:+7-13", 13)
    value = person.client.item(first)["proposal"]
    person.settle_one("e", TAB, TAB, TAB, *str(int(value["start"]) + 3), ENTER)
    made = person.stored(3)
    assert {(d["value"]["start"], d["value"]["end"]) for d in made[1:]} == {
        (value["start"], value["start"] + 3), (value["start"] + 3, value["end"]),
    }  # fmt: skip
    person.press("u")
    person.until(lambda: len(person.decisions()) == 5)
    reference = person.client.get("/api/reference?format=json")
    assert sum(r["source"] == "human" for r in reference["items"]) == 1
    person.browser.get(f"{person.client.url}document?name=doc")
    settle(person.browser)
    assert person.script("document.querySelectorAll('.plane g.unit').length") == 20
    person.quiet()


def test_the_alignment_shows_the_group_and_offers_its_versions(
    at: Any, tmp_path: Path, violations: Callable[[], list[str]]
) -> None:
    data, texts = units_file(tmp_path)
    person = at(data, "--texts", texts)
    browser = person.browser
    current = "document.querySelector('.versions [aria-current]')?.dataset.version"
    assert person.script(current) is not None  # a version is chosen already: the proposal
    inside = "document.querySelector('#alignment iframe')?.contentDocument"
    lit = f"({inside}?.querySelectorAll('.plane g.unit.lit') ?? []).length"
    person.until(lambda: person.script(lit) > 0)
    first = person.script(f"{inside}.querySelector('.details h4').textContent")
    card = person.client.item(person.title())
    assert first.startswith(f"Place {card['group'] + 1} of ")
    person.settle_one("n")
    person.until(
        lambda: person.script(f"{inside}.querySelector('.details h4').textContent") != first
    )
    # a unit of the group chosen in the drawing: Enter takes it
    card = person.client.item(person.title())
    other = next(
        k for k, v in enumerate(card["versions"]) if v["value"] and str(k) != person.script(current)
    )
    wanted = card["versions"][other]["value"]
    person.script(
        f"[...{inside}.querySelectorAll('.plane g.unit.lit')].map((g) => "
        "g.dispatchEvent(new MouseEvent('click', {bubbles: true}))).length"
    )
    person.until(lambda: "chosen" in person.text("#said"))
    # v goes into the drawing, Escape comes back
    person.press("v")
    assert person.script("document.activeElement.tagName") == "IFRAME"
    browser.switch_to.frame(0)
    person.press(ESCAPE)
    browser.switch_to.default_content()
    person.until(lambda: person.script("document.activeElement.id") == "title")
    assert violations() == []
    chosen = card["versions"][int(person.script(current))]["value"]
    person.settle_one(ENTER)
    assert person.stored(1)[0]["value"] == chosen
    assert wanted in [v["value"] for v in card["versions"]]
    person.quiet()


def test_merge_split_withdraw_and_panels_by_key(at: Any, tmp_path: Path) -> None:
    data, texts = units_file(tmp_path)
    person = at(data, "--texts", texts)
    item = person.title()
    person.settle_one("m")
    made = person.stored(2)
    assert [d["kind"] for d in made] == ["label", "reject"]
    assert (made[0]["item"], made[1]["why"]) == (item, f"merged into {item}")
    person.press("u")
    person.until(lambda: len(person.decisions()) == 4)
    person.until(lambda: person.title() == item)  # undoing goes back to the card
    person.until(lambda: "withdrawn" in person.text(".history"))
    value = person.client.item(item)["proposal"]
    person.settle_one("t", *str(int(value["start"]) + 2), ENTER)
    person.stored(6)
    person.press("o")
    assert person.script("document.querySelector('#out').open")
    person.until(lambda: "before" in person.text("#agreement"))
    assert "with what is decided" in person.text("#agreement")
    person.press("b")
    assert person.script("document.activeElement.dataset.sweep") == "unanimous"
    person.press("q")
    assert person.script("document.activeElement.id") == "order"
    person.press(ESCAPE)
    person.quiet()


def test_agreement_and_added_units_show_by_themselves(at: Any, tmp_path: Path) -> None:
    data, texts = units_file(tmp_path)
    person = at(data, "--texts", texts)
    person.press("o")
    person.until(lambda: "As of 0 decisions" in person.text("#agreement"))
    person.press(ESCAPE)
    person.script("document.querySelector('#title').focus()")
    person.settle_one(ENTER)
    person.until(lambda: "As of 1 decision" in person.text("#agreement"))
    person.press("a", *"7", TAB, *"13", ENTER)
    person.stored(2)
    person.browser.execute_script(
        "document.querySelector('#status').value = 'decided';"
        "document.querySelector('#disputed').value = '';"
        "document.querySelector('#filters').dispatchEvent(new Event('change'));"
    )
    person.until(lambda: "doc:+7-13" in person.text("#cards"))
    person.press("n")
    person.until(lambda: person.title() == "doc:+7-13")
    assert "added" in person.text(".badges")
    person.press("x")
    person.until(lambda: person.decisions()[-1]["kind"] == "withdraw")
    person.quiet()


def test_chains_are_merged_and_split_by_key(at: Any, tmp_path: Path) -> None:
    person = at(chains_file(tmp_path))
    first = person.title()
    person.settle_one("t")  # off its entity
    made = person.stored(1)
    assert (made[0]["item"], made[0]["value"]) == (first, first.rpartition(":")[2])
    person.press("m")
    assert "Merge its entity" in person.text("form.edit h3")
    joined = person.script("document.querySelector('#edit-joins').value")
    person.press(ENTER)
    made = person.stored(2)
    assert {d["why"] for d in made[1:]} == {"entities merged"}
    assert {d["value"] for d in made[1:]} == {joined}
    person.quiet()


def test_relations_are_decided_one_by_one(at: Any, tmp_path: Path) -> None:
    data, texts = relations_file(tmp_path)
    person = at(data, "--texts", texts)
    card = person.client.item(person.title())
    assert card["shape"] == "relations"
    # what is linked stands there in words
    assert "Heavy [rain →] flooded" in person.text("main")
    first = person.settle_one("1")
    second = person.settle_one("r")
    made = person.stored(2)
    assert [(d["item"], d["kind"]) for d in made] == [(first, "label"), (second, "reject")]
    assert made[0]["value"] == card["versions"][0]["value"] == "allows"
    found = {x["item"]: x for x in person.client.get("/api/reference?format=json")["items"]}
    assert (found[first]["label"], found[first]["source"]) == ("allows", "human")
    assert not found[second]["kept"]
    person.quiet()
