"""The decision tree of the documentation: every way is clicked to its end, and every end can be typed."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.in_process import commands

from accord.registry import enrolled, find

DOCS = Path(__file__).parents[2] / "docs"
PAGE = DOCS / "how-to" / "choose-a-measure.md"


def tree() -> str:
    found = re.search(r"```\{raw\} html\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.S)
    assert found is not None
    return f"<!doctype html><html lang='en'><title>tree</title>{found[1]}</html>"


def test_every_way_ends_with_something_to_type(visit: Callable[[str], Any]) -> None:
    from selenium.webdriver.common.by import By

    browser = visit(tree())
    ends: list[tuple[list[str], Any]] = []

    def walk(branch: Any, way: list[str]) -> None:
        """Open what stands under a branch, one after the other, and close it again."""
        for end in branch.find_elements(By.XPATH, "./p[@class='end']"):
            assert end.is_displayed(), way
            ends.append((way, [c.text for c in end.find_elements(By.TAG_NAME, "code")]))
        for below in branch.find_elements(By.XPATH, "./details"):
            summary = below.find_element(By.XPATH, "./summary")
            assert not below.get_attribute("open"), summary.text
            summary.click()
            walk(below, [*way, summary.text])
            summary.click()

    root = browser.find_element(By.CSS_SELECTOR, ".tree > details")
    walk(root, [])
    # every end was reached by clicks
    assert len(ends) == len(re.findall('class="end"', tree())) > 15
    shapes = set()
    for way, codes in ends:
        assert codes, way
        assert codes[0].startswith("accord "), way
        for code in codes:
            shapes |= typed(code, codes[0], way)
    # every shape of data, and both questions, are somewhere in the tree
    assert shapes == {(m.shape, m.question) for m in enrolled()}


def typed(code: str, whole: str, way: list[str]) -> set[tuple[str, str]]:
    """Check a command, or the options that stand for another end of it; which data it is for."""
    words = shlex.split(code)
    name = words[1] if words[0] == "accord" else shlex.split(whole)[1]
    command = commands().commands[name]
    context = command.make_context(name, [], resilient_parsing=True)
    known = {o for p in command.get_params(context) for o in p.opts}
    options = [w for w in words if w.startswith("--")]
    assert set(options) <= known, (way, code)
    if "--measure" not in words:
        return set()
    measures = words[words.index("--measure") + 1].split(",")
    records = [find(m, name) for m in measures]  # type: ignore[arg-type]
    assert {r.question for r in records} == {name}, code
    return {(r.shape, r.question) for r in records}


def test_links_of_the_tree_lead_somewhere() -> None:
    links = re.findall(r'href="([^"]+)\.html"', tree())
    assert len(links) > 5
    for link in links:
        assert (PAGE.parent / f"{link}.md").resolve().exists(), link
