"""The alignment explorer in a real browser."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.browser.conftest import settle
from tests.drawn import aligned

from accord.report import alignment_html


def _count(browser: Any, query: str) -> int:
    return int(browser.execute_script(f"return document.querySelectorAll('{query}').length"))


def _press(browser: Any, key: str) -> None:
    browser.find_element("css selector", ".canvas").send_keys(key)
    settle(browser)


def test_draws_every_unit_and_is_accessible(
    visit: Callable[[str], Any], violations: Callable[[], list[str]]
) -> None:
    units, alignments = aligned(documents=3, text=True)
    browser = visit(alignment_html(units, alignments))
    worst = max(alignments, key=lambda a: a.disorder)
    assert browser.find_element("css selector", ".title").text == worst.document
    assert _count(browser, ".plane g.unit") == int((worst.members >= 0).sum())
    assert _count(browser, ".documents li") == 3
    assert "some words" in browser.find_element("css selector", ".words").text
    assert violations() == []


def test_zoom_pan_and_walk_by_keyboard(visit: Callable[[str], Any]) -> None:
    browser = visit(alignment_html(*aligned(groups=30)))
    whole = _count(browser, ".plane g.unit")
    _press(browser, "+")
    _press(browser, "+")
    near = _count(browser, ".plane g.unit")
    assert near < whole
    first = browser.find_element("css selector", ".plane g.unit").get_attribute("data-unit")
    for _ in range(6):
        _press(browser, "\ue014")  # right arrow
    moved = browser.find_element("css selector", ".plane g.unit").get_attribute("data-unit")
    assert moved != first
    _press(browser, "0")
    assert _count(browser, ".plane g.unit") == whole
    _press(browser, "n")
    assert "Unitary alignment" in browser.find_element("css selector", ".details h4").text
    assert _count(browser, ".plane g.lit") >= 1
    _press(browser, "\ue00c")  # escape
    assert _count(browser, ".plane g.lit") == 0


def test_filters_by_category_annotator_and_disorder(visit: Callable[[str], Any]) -> None:
    units, alignments = aligned(groups=30)
    browser = visit(alignment_html(units, alignments))
    assert _count(browser, ".plane g.unit.dim") == 0
    browser.find_element("css selector", "#filter-categories input").click()
    settle(browser)
    in_category = int((units.label == 0).sum())
    assert _count(browser, ".plane g.unit.dim") == in_category
    browser.find_element("css selector", "#filter-annotators input").click()
    settle(browser)
    assert _count(browser, ".plane g.unit") == int((units.annotator != 0).sum())
    browser.find_element("css selector", "#filter-annotators input").click()
    browser.find_element("css selector", "#filter-categories input").click()
    browser.execute_script(
        "const s = document.getElementById('least-disorder'); s.value = 1;"
        "s.dispatchEvent(new Event('input'));"
    )
    settle(browser)
    perfect = alignments[0].members[alignments[0].disorders == 0]
    assert _count(browser, ".plane g.unit.dim") == int((perfect >= 0).sum())


def test_two_thousand_units_and_nine_hundred_documents_stay_quick(
    visit: Callable[[str], Any],
) -> None:
    browser = visit(alignment_html(*aligned(groups=900)))
    assert _count(browser, ".plane g.unit") < 300  # opens on a part of it
    _press(browser, "0")
    assert _count(browser, ".plane g.unit") > 2000
    page = alignment_html(*aligned(documents=900, groups=6))
    assert len(page) < 1_000_000
    browser = visit(page)
    assert "300 of 900" in browser.find_element("css selector", ".documents [role=status]").text
    browser.find_element("css selector", "#find-document").send_keys("text 777")
    browser.find_element("css selector", ".documents li button").click()
    settle(browser)
    assert browser.find_element("css selector", ".title").text == "text 777"


def test_names_are_text_and_never_markup(visit: Callable[[str], Any]) -> None:
    from dataclasses import replace

    units, (alignment,) = aligned()
    name = "</script><script>document.title='taken'</script><b>"
    units = replace(
        units,
        documents=(name,),
        annotators=(name, "b", "c"),
        categories=(name, *units.categories[1:]),
    )
    browser = visit(
        alignment_html(units, [replace(alignment, document=name, annotators=units.annotators)])
    )
    assert browser.title == "Alignments"
    assert browser.find_element("css selector", ".title").text == name
