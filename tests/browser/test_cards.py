"""The notebook's adjudication card in a browser: a click and a key answer, and the counts follow."""

from __future__ import annotations

from importlib.resources import files

import pytest

#: a model as notebooks give it to a widget: Python's answers come one state after the other
PAGE = """<!DOCTYPE html><html lang="en"><title>card</title><body><div id="card"></div><script type="module">
const state = {card: %s, decided: 0, left: 2, problem: ""}, heard = {};
const model = {
  get: (name) => state[name],
  set: (name, value) => { state[name] = value; for (const f of heard["change:" + name] || []) f(); },
  on: (name, f) => (heard[name] ||= []).push(f),
  save_changes: () => {},
};
window.model = model; window.state = state;
const source = %s;
const url = URL.createObjectURL(new Blob([source], {type: "text/javascript"}));
(await import(url)).default.render({model, el: document.getElementById("card")});
window.ready = true;
</script></body></html>"""


@pytest.fixture
def card(browser, tmp_path):
    import json

    before, after = "word " * 60, " more" * 60
    shown = {
        "id": "m1",
        "versions": [
            {"value": "yes", "shown": "yes", "annotators": ["Ana"]},
            {"value": None, "shown": "nothing", "annotators": ["Ben"]},
        ],
        "proposed": "yes",
        "confidence": 0.5,
        "context": {"before": before, "inside": "here", "after": after},
    }
    script = (files("accord.notebook") / "cards.js").read_text(encoding="utf-8")
    page = tmp_path / "card.html"
    source = json.dumps(script).replace("</", "<\\/")
    page.write_text(PAGE % (json.dumps(shown), source), encoding="utf-8")
    browser.get(page.as_uri())
    assert browser.execute_async_script(
        "const done = arguments[0], wait = () => window.ready ? done(true) : setTimeout(wait, 20); wait()"
    )
    return browser


def text(browser):
    return browser.execute_script("return document.getElementById('card').innerText")


def test_a_click_and_a_key_answer(card):
    card.execute_script("document.querySelector('#card button').click()")
    assert card.execute_script("return state.said") == {
        "do": "answer", "kind": "label", "value": "yes", "why": "", "number": 1,
    }  # fmt: skip
    card.execute_script(
        "document.getElementById('card').dispatchEvent(new KeyboardEvent('keydown', {key: '2'}))"
    )
    told = card.execute_script("return state.said")
    assert (told["kind"], told["value"], told["number"]) == ("none", None, 2)


def test_the_counts_follow_the_card(card):
    assert "0 decided, 2 left" in text(card)
    card.execute_script("model.set('card', null); model.set('left', 1); model.set('decided', 1)")
    assert "1 decided, 1 left" in text(card)
    assert "Nothing is left to decide." in text(card)


def test_the_text_is_cut_between_words(card):
    shown = card.execute_script("return document.querySelector('#card p').innerText").split()
    assert shown[0] == shown[-1] == "…"
    assert set(shown) == {"…", "word", "here", "more"}
