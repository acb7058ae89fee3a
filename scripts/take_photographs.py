"""Photograph the pages of the documentation: what accord shows of its examples, in a real browser.

    python scripts/take_photographs.py [NAME]...

Takes docs/images/*.png anew, or those named (report, explorer, notebook, serve-card, …). Needs chromium,
chromedriver and selenium, as the browser tests do; with Pillow the files are smaller.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from html import escape
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
IMAGES = ROOT / "docs" / "images"
CLAIMS = ("examples/claims.csv", "--texts", "examples/claims_texts.csv")
FLAGS = ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-background-networking",
         "--disable-component-update", "--disable-sync", "--no-first-run", "--hide-scrollbars")  # fmt: skip
#: as a notebook shows them
CELLS = (
    'accord.agree(data, "alpha", ci="auto", by=["category", "annotator"])',
    "accord.audit(data)",
    'accord.gold(data, "dawid-skene")',
)


def accord(*words: str) -> None:
    subprocess.run([sys.executable, "-m", "accord", *words, "--quiet"], cwd=ROOT, check=True)


@contextmanager
def browser() -> Iterator[Any]:
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium") or ""
    for flag in FLAGS:
        options.add_argument(flag)
    running = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver") or ""))
    try:
        yield running
    finally:
        running.quit()


@contextmanager
def serving(*words: str) -> Iterator[str]:
    """The address of a campaign that is served while the block lasts."""
    process = subprocess.Popen(
        [sys.executable, "-m", "accord", "serve", *words, "--port", "0", "--no-browser", "--json"],
        cwd=ROOT, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        assert process.stdout is not None
        ready = json.loads(process.stdout.readline())
        yield f"{ready['url']}?token={ready['token']}"
    finally:
        process.terminate()
        process.wait()


class Camera:
    """A window of a size, and what it sees as a file."""

    def __init__(self, driver: Any, folder: Path) -> None:
        self.driver, self.folder = driver, folder

    def open(self, address: str, width: int, height: int, *, scheme: str = "light") -> None:
        tell = self.driver.execute_cdp_cmd
        tell("Emulation.setDeviceMetricsOverride",
             {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500})  # fmt: skip
        feature = {"name": "prefers-color-scheme", "value": scheme}
        tell("Emulation.setEmulatedMedia", {"features": [feature]})
        self.driver.get(address)
        self.wait()

    def wait(self, seconds: float = 0.8) -> None:
        time.sleep(seconds)

    def run(self, script: str) -> Any:
        return self.driver.execute_script(script)

    def press(self, *keys: str) -> None:
        from selenium.webdriver.common.action_chains import ActionChains

        for key in keys:
            ActionChains(self.driver).send_keys(key).perform()
            self.wait(0.5)

    def take(self, name: str) -> None:
        path = IMAGES / f"{name}.png"
        self.driver.save_screenshot(str(path))
        try:
            from PIL import Image
        except ImportError:
            return
        # pages have few colours: a third of the size
        Image.open(path).convert("RGB").quantize(128, dither=Image.Dither.NONE).save(path)


def report(camera: Camera) -> None:
    page = camera.folder / "report.html"
    accord("report", "examples/moods.csv", "-o", str(page))
    camera.open(page.as_uri(), 1240, 860)
    camera.take("report")


def explorer(camera: Camera) -> None:
    page = camera.folder / "claims.html"
    accord("align", *CLAIMS, "--html", str(page))
    camera.open(page.as_uri(), 1180, 900)
    camera.press("n")
    camera.take("explorer")


def notebook(camera: Camera) -> None:
    import accord as package

    data = package.read(str(ROOT / "examples" / "moods.csv"))
    parts = [
        f"<pre>{escape(cell)}</pre>{eval(cell, {'accord': package, 'data': data})._repr_html_()}"
        for cell in CELLS
    ]
    style = (
        "body{font:14px/1.2 system-ui,sans-serif;margin:20px}"
        "pre{background:#f3f3f3;border-radius:3px;padding:8px;margin:24px 0 12px}"
    )
    page = camera.folder / "notebook.html"
    page.write_text(f"<meta charset=utf-8><style>{style}</style>{''.join(parts)}", "utf-8")
    camera.open(page.as_uri(), 900, 1150)
    camera.take("notebook")


def _served(camera: Camera, width: int, height: int, *, decide: int = 0, **how: str) -> Any:
    @contextmanager
    def opened() -> Iterator[str]:
        store = camera.folder / f"{time.monotonic_ns()}.db"
        with serving(*CLAIMS, "--decisions", str(store)) as address:
            camera.open(address, width, height, **how)
            camera.press(*"Ann", "\ue007")
            for _ in range(decide):
                camera.press("\ue007")
            yield address

    return opened()


def serve_card(camera: Camera) -> None:
    with _served(camera, 1120, 940):
        camera.take("serve-card")


def serve_edit(camera: Camera) -> None:
    with _served(camera, 1120, 860, decide=2):
        camera.press("e")
        camera.take("serve-edit")


def serve_group(camera: Camera) -> None:
    with _served(camera, 1120, 860):
        camera.press("g")
        camera.take("serve-group")


def serve_progress(camera: Camera) -> None:
    with _served(camera, 1120, 1000, decide=3):
        camera.run(
            "const s = [...document.querySelectorAll('summary')].find("
            "e => e.textContent.startsWith('Progress')); s.click();"
            "s.scrollIntoView({block: 'center'});"
        )
        camera.wait(3)
        camera.take("serve-progress")


def serve_meeting(camera: Camera) -> None:
    with _served(camera, 1120, 860, decide=2) as address:
        camera.open(address.partition("?")[0].rstrip("/") + "/discussion", 1120, 860)
        camera.take("serve-meeting")


def serve_phone(camera: Camera) -> None:
    with _served(camera, 390, 1180, scheme="dark"):
        camera.take("serve-phone")


SHOTS: dict[str, Callable[[Camera], None]] = {
    "report": report,
    "explorer": explorer,
    "notebook": notebook,
    "serve-card": serve_card,
    "serve-edit": serve_edit,
    "serve-group": serve_group,
    "serve-progress": serve_progress,
    "serve-meeting": serve_meeting,
    "serve-phone": serve_phone,
}


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder, browser() as driver:
        for name in sys.argv[1:] or SHOTS:
            SHOTS[name](Camera(driver, Path(folder)))
