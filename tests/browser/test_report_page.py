"""The report in a real browser: no console errors, accessible, printable, readable on a phone."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from typing import Any

import pytest
from tests.browser.conftest import settle
from tests.oracles.drawn import aligned
from tests.report.test_report import ratings

from accord.report import report


@pytest.fixture(scope="module")
def page() -> str:
    return report(ratings(documents=3), ["alpha", "ac1"], resamples=50, title="Places").html()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_accessible_in_light_and_dark(
    visit: Callable[[str], Any], violations: Callable[[], list[str]], page: str, scheme: str
) -> None:
    browser = visit(page)
    browser.execute_cdp_cmd(
        "Emulation.setEmulatedMedia",
        {"features": [{"name": "prefers-color-scheme", "value": scheme}]},
    )
    browser.execute_script(
        "document.querySelectorAll('details').forEach((d) => { d.open = true; })"
    )
    settle(browser)
    colour = browser.execute_script("return getComputedStyle(document.body).backgroundColor")
    assert colour == ("rgb(255, 255, 255)" if scheme == "light" else "rgb(20, 23, 26)")
    assert violations() == []
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


def test_reads_on_a_phone_without_sideways_scrolling(
    visit: Callable[[str], Any], page: str
) -> None:
    browser = visit(page)
    browser.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": 375, "height": 800, "deviceScaleFactor": 2, "mobile": True},
    )
    settle(browser)
    try:
        assert browser.execute_script("return document.documentElement.scrollWidth") <= 375
    finally:
        browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_prints_to_pdf_in_ink_on_white(visit: Callable[[str], Any], page: str) -> None:
    browser = visit(page)
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    settle(browser)
    shown = "return getComputedStyle(document.querySelector('.contents')).display"
    assert browser.execute_script(shown) == "none"
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
    pdf = base64.b64decode(browser.execute_cdp_cmd("Page.printToPDF", {})["data"])
    assert pdf.startswith(b"%PDF")
    assert pdf.count(b"/Type /Page\n") + pdf.count(b"/Type /Page ") >= 2


def test_tables_are_downloads_and_contents_are_links(
    visit: Callable[[str], Any], page: str
) -> None:
    browser = visit(page)
    as_csv = browser.execute_script("return accordTable('pairs', 'csv')")
    assert as_csv.startswith("first,second,value")
    as_json = json.loads(browser.execute_script("return accordTable('pairs', 'json')"))
    assert len(as_json) == 6
    links = browser.execute_script(
        "return [...document.querySelectorAll('.contents a')].map((a) => a.hash.slice(1))"
        ".filter((id) => !document.getElementById(id))"
    )
    assert links == []


def test_every_control_is_reached_by_keyboard(visit: Callable[[str], Any], page: str) -> None:
    browser = visit(page)
    wanted = browser.execute_script(
        "return document.querySelectorAll('a[href], button, summary, [tabindex=\"0\"]').length"
    )
    reached = set()
    for _ in range(wanted + 5):
        browser.switch_to.active_element.send_keys("\ue004")
        reached.add(
            browser.execute_script(
                "const a = document.activeElement;"
                "return a.tagName + (a.hash || a.dataset.table + a.dataset.as || '')"
            )
        )
    assert any(r.startswith("SUMMARY") for r in reached)
    assert any(r.startswith("BUTTONpairs") for r in reached)
    assert "A#method" in reached


def test_a_report_on_units_explores_and_is_accessible(
    visit: Callable[[str], Any], violations: Callable[[], list[str]]
) -> None:
    units, _ = aligned(documents=4, groups=6, text=True)
    browser = visit(report(units, resamples=20).html())
    assert browser.execute_script("return document.querySelectorAll('.plane g.unit').length") > 5
    # the page scrolls smoothly, so that a click at a place may miss
    browser.execute_script("document.querySelector('[data-do=worse]').click()")
    settle(browser)
    assert "Place" in browser.find_element("css selector", ".details h4").text
    assert violations() == []


def test_hundreds_of_documents_are_listed_in_part(visit: Callable[[str], Any]) -> None:
    units, _ = aligned(documents=310, groups=3)
    page = report(units, resamples=20).html()
    assert len(page.encode()) < 3_000_000
    browser = visit(page)
    assert "300 of 310" in browser.find_element("css selector", ".documents [role=status]").text


def test_a_cell_opens_its_examples(visit: Callable[[str], Any], page: str) -> None:
    browser = visit(page)
    cell = browser.find_element("css selector", "#annotators a.cell")
    goal = cell.get_dom_attribute("href").removeprefix("#")
    assert not browser.find_element("id", goal).get_property("open")
    browser.execute_script("location.hash = arguments[0]", goal)
    settle(browser)
    assert browser.find_element("id", goal).get_property("open")
    assert browser.execute_script("return document.activeElement.tagName") == "SUMMARY"
