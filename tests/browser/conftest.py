"""A real browser for the pages: Debian's chromium and chromedriver, or a skip that says why."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """A headless chromium, one for the whole session."""
    selenium = pytest.importorskip("selenium.webdriver", reason="selenium is not installed")
    chromium, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if chromium is None or driver is None:
        pytest.skip("chromium and chromedriver are not installed")
    from selenium.webdriver.chrome.service import Service

    options = selenium.ChromeOptions()
    options.binary_location = chromium
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    for flag in (
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--disable-dev-shm-usage",
        "--window-size=1300,950",
    ):
        options.add_argument(flag)
    running = selenium.Chrome(options=options, service=Service(driver))
    yield running
    running.quit()


@pytest.fixture
def visit(browser: Any, tmp_path: Path) -> Callable[[str], Any]:
    """Open a page given as text; fails on anything the page writes to the console."""

    def opened(html: str) -> Any:
        page = tmp_path / "page.html"
        page.write_text(html, encoding="utf-8")
        browser.get_log("browser")
        browser.get(page.as_uri())
        settle(browser)
        assert browser.get_log("browser") == []
        return browser

    return opened


def settle(browser: Any) -> None:
    """Wait until the page has drawn two frames."""
    browser.execute_async_script(
        "const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(done));"
    )


@pytest.fixture
def violations(browser: Any) -> Callable[[], list[str]]:
    """What axe-core finds wrong with the open page, one line each."""
    axe = pytest.importorskip("axe_core_python", reason="axe-core-python is not installed")
    source = (Path(axe.__path__[0]) / "axe.min.js").read_text(encoding="utf-8")

    def found() -> list[str]:
        browser.execute_script(source)
        report = browser.execute_async_script(
            "const done = arguments[0];"
            "axe.run().then(done, (e) => done({violations: [{id: '' + e, nodes: []}]}));"
        )
        return [
            f"{v['id']}: " + "; ".join(str(n["html"])[:160] for n in v["nodes"][:3])
            for v in report["violations"]
        ]

    return found
