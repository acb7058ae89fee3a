"""The page of chains in a real browser: text, differences, filters, keyboard."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.browser.conftest import settle
from tests.report.test_chain_page import KEY, RESPONSE, WORDS

from accord.data import Chains
from accord.report.chain_explorer import chains_html, compared


def page(documents: int = 2) -> str:
    names = [f"story {i}" for i in range(documents)]
    words = dict.fromkeys(names, WORDS)
    key = Chains.from_clusters({(n, "A"): KEY for n in names}, words=words)
    response = Chains.from_clusters(
        {(n, "B"): RESPONSE if n == "story 1" else KEY for n in names}, words=words
    )
    return chains_html([compared(key, response, names=("key", "system"))])


def texts(browser: Any, query: str) -> list[str]:
    return [node.text for node in browser.find_elements("css selector", query)]


def press(browser: Any, key: str) -> None:
    browser.find_element("css selector", ".reading").send_keys(key)
    settle(browser)


def test_the_text_has_the_entities_of_both_sides(
    visit: Callable[[str], Any], violations: Callable[[], list[str]]
) -> None:
    browser = visit(page())
    assert browser.find_element("css selector", ".title").text == "story 1"
    reading = browser.find_element("css selector", ".reading").get_attribute("textContent")
    assert "met" in reading
    # what looks like markup is a word
    assert "<b>it</b>" in reading
    assert len(browser.find_elements("css selector", ".reading .piece")) > 5
    assert len(browser.find_elements("css selector", ".differences button")) == 4
    assert violations() == []


def test_keys_walk_through_the_differences(visit: Callable[[str], Any]) -> None:
    browser = visit(page())
    press(browser, "n")
    assert texts(browser, ".at") == ["1 of 4"]
    assert "“the old king”" in browser.find_element("css selector", ".details").text
    assert browser.find_elements("css selector", ".reading .here")
    press(browser, "p")
    assert texts(browser, ".differences [aria-current]") != []
    press(browser, "\ue00c")  # escape
    assert not browser.find_elements("css selector", ".reading .here")
    press(browser, "j")
    assert browser.find_element("css selector", ".title").text == "story 0"
    press(browser, "k")
    assert browser.find_element("css selector", ".title").text == "story 1"


def test_classes_and_cells_filter(visit: Callable[[str], Any]) -> None:
    browser = visit(page())
    span = browser.find_elements("css selector", "#filter-classes input")[0]
    span.click()
    settle(browser)
    kinds = texts(browser, ".differences .kind")
    assert kinds == ["extra entity", "conflated", "divided"]
    browser.find_element("css selector", "#count-by [value=size]").click()
    settle(browser)
    rows = texts(browser, ".drill tbody th")
    assert rows == ["1", "3–4"]
    browser.find_element("css selector", ".drill tbody td button").click()
    settle(browser)
    assert texts(browser, ".differences .kind") == ["extra entity"]
    browser.find_element("css selector", "[data-do=all]").click()
    settle(browser)
    assert len(texts(browser, ".differences .kind")) == 3


def test_a_side_can_be_hidden_and_a_mention_chosen(visit: Callable[[str], Any]) -> None:
    browser = visit(page())
    whole = len(browser.find_elements("css selector", ".reading .piece"))
    press(browser, "1")
    assert len(browser.find_elements("css selector", ".reading .piece")) < whole
    press(browser, "1")
    browser.find_element("css selector", ".entities .chip").click()
    settle(browser)
    details = browser.find_element("css selector", ".details").text
    assert "key" in details
    assert "system" in details
    assert browser.find_elements("css selector", ".entities li.lit")
