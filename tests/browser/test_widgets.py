"""The scripts of the notebook's widgets in a real browser, with a stand-in for the model they share."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from importlib.resources import files
from typing import Any

from selenium.webdriver.support.ui import WebDriverWait
from tests.browser.conftest import settle

import accord
from accord.notebook.cards import adjudicate
from accord.report import alignment_html

PAGE = """<!doctype html><html lang="en"><title>A notebook</title><main><h1>A notebook</h1>
<div id="cell"></div></main>
<script type="module">
%s
const state = %s, listeners = {}, saved = [];
const model = {
  get: (name) => state[name],
  set(name, value) {
    // as the model of a widget does: what does not differ is no change
    if (JSON.stringify(state[name]) === JSON.stringify(value)) return;
    state[name] = value;
    for (const call of [...(listeners["change:" + name] || [])]) call();
    saved.push([name, value]);
  },
  save_changes() {},
  on(name, call) { (listeners[name] = listeners[name] || []).push(call); },
  off(name, call) { listeners[name] = listeners[name].filter((one) => one !== call); },
};
Object.assign(window, { model, saved, show: () => render({ model, el: document.getElementById("cell") }) });
window.leave = show();
</script>"""


def shown(visit: Callable[[str], Any], script: str, state: Mapping[str, Any]) -> Any:
    source = (files("accord.notebook") / script).read_text(encoding="utf-8")
    source = source.replace("export default { render };", "")
    plain = json.dumps(state).replace("</", "<\\/")
    return visit(PAGE % (source, plain))


def opened(browser: Any) -> str:
    """Name of the document that the frame shows."""
    browser.switch_to.frame(browser.find_element("css selector", "iframe"))
    name = str(browser.execute_script("return document.querySelector('.title').textContent"))
    browser.switch_to.default_content()
    return name


def until(browser: Any, wanted: Callable[[], bool]) -> None:
    WebDriverWait(browser, 300).until(lambda _: wanted())


def explorer(visit: Callable[[str], Any], document: str) -> Any:
    rows = [
        (name, who, start, start + 4, "x" if who == "A" else other)
        for name, other in (("one", "x"), ("two", "y"), ("three", "x"))
        for who in ("A", "B")
        for start in (0, 10)
    ]
    units = accord.Units.from_rows(rows)
    page = alignment_html(units, accord.align(units))
    return shown(visit, "alignments.js", {"page": page, "height": 500, "document": document})


def test_explorer_opens_what_python_asks_for_and_tells_what_is_opened(
    visit: Callable[[str], Any],
) -> None:
    browser = explorer(visit, "three")  # the worst, which the page would open, is two
    until(browser, lambda: opened(browser) == "three")
    assert browser.execute_script("return [model.get('document'), saved]") == ["three", []]
    browser.execute_script("model.set('document', 'one')")
    until(browser, lambda: opened(browser) == "one")
    browser.switch_to.frame(browser.find_element("css selector", "iframe"))
    browser.find_element("css selector", "button[aria-label^='two,']").click()
    browser.switch_to.default_content()
    until(browser, lambda: browser.execute_script("return model.get('document')") == "two")


def test_explorer_that_is_loaded_again_keeps_its_document(visit: Callable[[str], Any]) -> None:
    browser = explorer(visit, "")
    until(browser, lambda: browser.execute_script("return model.get('document')") == "two")
    browser.execute_script("model.set('document', 'one')")
    until(browser, lambda: opened(browser) == "one")
    # a notebook takes what is out of sight out of the page, and puts it back
    browser.execute_script(
        "const cell = document.getElementById('cell'), frame = cell.firstChild;"
        "frame.remove(); cell.appendChild(frame);"
    )
    until(browser, lambda: opened(browser) == "one")
    assert browser.execute_script("return model.get('document')") == "one"
    browser.execute_script("leave()")  # a view that is closed listens no more
    browser.execute_script("model.set('document', 'three')")
    settle(browser)
    assert opened(browser) == "one"


def test_card_says_what_was_pressed(
    visit: Callable[[str], Any], violations: Callable[[], list[str]], tmp_path: Any
) -> None:
    ratings = accord.Ratings.from_matrix([list("abca"), list("abba"), list("bcba")])
    cards = adjudicate(ratings, who="Ann", decisions=tmp_path / "d.db")
    browser = shown(visit, "cards.js", {**cards._state(), "said": {}})
    assert violations() == []
    said = "return model.get('said')"
    browser.find_element("css selector", "[aria-label=Why]").send_keys(
        "2 of 3"
    )  # no key of the card
    assert browser.execute_script(said) == {}
    browser.find_element("css selector", "button").click()
    first = browser.execute_script(said)
    assert first.pop("number") == 1
    value = cards.card["versions"][0]["value"]
    assert first == {"do": "answer", "kind": "label", "value": value, "why": "2 of 3"}
    # Jupyter leaves the keys of the card alone, and a view drawn anew counts on
    cell = browser.find_element("css selector", "#cell")
    assert cell.get_attribute("data-lm-suppress-shortcuts") == "true"
    browser.execute_script("leave(); window.leave = show()")
    cell.send_keys("2")
    assert browser.execute_script(said)["number"] == 2
    browser.find_element("css selector", "button:last-child").click()
    assert browser.execute_script(said) == {"do": "skip", "number": 3}
    browser.execute_script("model.set('problem', 'nobody used it')")
    assert browser.find_element("css selector", "[role=alert]").text == "nobody used it"
