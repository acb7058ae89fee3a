"""A hostile page in the browser of somebody who is in, and hostile words in the data."""

from __future__ import annotations

import csv
import http.server
import json
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.browser.conftest import settle
from tests.browser.test_adjudication import ENTER, Person
from tests.served import ratings_file, serving, units_file

#: what a page elsewhere tries
ATTACKS = Path(__file__).with_name("elsewhere.js").read_text(encoding="utf-8")


@pytest.fixture
def elsewhere() -> Iterator[int]:
    """A server of somebody else on this machine: an empty page."""

    class Empty(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("content-type", "text/html")
            self.end_headers()
            self.wfile.write(b"<!DOCTYPE html><title>elsewhere</title><body>elsewhere")

        def log_message(self, *_: object) -> None:
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Empty)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server.server_port
    server.shutdown()


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_a_page_elsewhere_sees_and_does_nothing(
    browser: Any, tmp_path: Path, elsewhere: int, host: str
) -> None:
    """From another port of the same site, which gets the strict cookie along, and from another site."""
    data, texts = units_file(tmp_path)
    with serving(
        data, "--texts", texts, "--decisions", tmp_path / "c.db", "--lang", "fr"
    ) as client:
        person = Person(browser, client)
        item = person.title()
        body = json.dumps({"item": item, "kind": "none", "value": None, "who": "Mallory", "like": item,
                           "by": "form", "text": "x", "replaces": None})  # fmt: skip
        browser.get(f"http://{host}:{elsewhere}/")
        browser.execute_script(ATTACKS, client.url.rstrip("/"), body)
        person.until(lambda: person.script("window.seen"))
        seen = person.script("window.seen")
        assert seen  # (the attempts were made)
        time.sleep(0.5)  # forms and beacons that are under way
        shown = [(name, text) for name, text in seen if text.strip()]
        assert shown == []
        assert client.get("/api/decisions")["decisions"] == []
        assert client.item(item)["remarks"] == []
        # a link followed from there opens the page, and nothing of it is readable from there
        browser.execute_script("window.other = open(arguments[0])", client.url)
        person.until(lambda: len(browser.window_handles) == 2)
        time.sleep(0.5)  # (behind another tab, a page draws nothing that could be waited for)
        read = "try { return String(other.document && other.document.body.innerText) } catch { return '' }"
        assert browser.execute_script(read) in ("", "null")
        for handle in browser.window_handles[1:]:
            browser.switch_to.window(handle)
            browser.close()
        browser.switch_to.window(browser.window_handles[0])
        # whoever is in, still is
        browser.get(client.url)
        person.until(lambda: person.title() == item)
        browser.get_log("browser")
        browser.get("about:blank")


PAYLOADS = (
    "<script>window.pwned = 1</script>", "<img src=x onerror=window.pwned=1>", "<svg onload=window.pwned=1>",
    "\"><iframe srcdoc='<script>parent.pwned=1</script>'>", "'-window.pwned=1-'", "javascript:window.pwned=1",
    "{{window.pwned=1}}", "${window.pwned=1}", "</title><script>window.pwned=1</script>",
    "\u2028window.pwned=1//",
    "--><script>window.pwned=1</script>", "]]><script>window.pwned=1</script>",
    "&lt;img src=x onerror=pwned=1&gt;",
)  # fmt: skip


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_hostile_words_stay_words(browser: Any, tmp_path: Path, lang: str) -> None:
    """In items, annotators, labels, texts, guidelines, the name of the file, and what people write."""
    data = tmp_path / "<img src=x onerror=window.pwned=1>.csv"
    rows = [
        (f"{k}{bad}", f"{who}{bad}", f"{who}{bad}")
        for k, bad in enumerate(PAYLOADS)
        for who in "AB"
    ]
    tables = {data: ("item,annotator,value", rows),
              tmp_path / "t.csv": ("item,text", [(f"{k}{b}", b) for k, b in enumerate(PAYLOADS)]),
              tmp_path / "g.csv": ("label,text", [(f"A{b}", b) for b in PAYLOADS])}  # fmt: skip
    for path, (header, cells) in tables.items():
        with path.open("w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows([header.split(","), *cells])
    more = ("--texts", tmp_path / "t.csv", "--guidelines", tmp_path / "g.csv", "--lang", lang)
    with serving(data, "--decisions", tmp_path / "c.db", *more) as client:
        person = Person(browser, client, name="<b>Ann")
        quiet = (
            "return [window.pwned ?? null, "
            "document.querySelectorAll('main img, main iframe, main svg, header img').length]"
        )
        for k in range(len(PAYLOADS)):
            bad = PAYLOADS[k]
            client.ask(
                "/api/remarks", {"item": f"{k}{bad}", "kind": "comment", "text": bad, "who": bad}
            )
            client.decide(f"{k}{bad}", f"B{bad}", who=bad, why=bad)
            assert browser.execute_script(quiet) == [None, 0]
            person.press("n")
        person.press("o", "/", *"<img", ENTER)
        browser.get(f"{client.url}?token={client.token}")
        person.until(lambda: person.title() != "")
        browser.execute_script(
            "document.querySelector('#status').value = 'all'; document.querySelector('#disputed').value = '';"
            "document.querySelector('#filters').dispatchEvent(new Event('change'));"
        )
        person.until(lambda: "onerror" in person.text("#cards"))
        assert browser.execute_script(quiet) == [None, 0]
        for path in (
            "discussion",
            "discussion?annotator=A" + "%3Cimg%20src%3Dx%20onerror%3Dwindow.pwned%3D1%3E",
        ):
            browser.get(client.url + path)
            settle(browser)
            assert browser.execute_script("return window.pwned ?? null") is None
            assert (
                browser.execute_script("return document.querySelectorAll('img, iframe').length")
                == 0
            )
        person.quiet()
        browser.get("about:blank")


def test_the_private_file_leads_to_the_cards(browser: Any, tmp_path: Path) -> None:
    """What the browser is started with: a file that leads to the page, from no site at all."""
    with serving(ratings_file(tmp_path), "--decisions", tmp_path / "c.db") as client:
        page = tmp_path / "open.html"
        address = f"{client.url}?token={client.token}"
        page.write_text(f'<!DOCTYPE html><meta http-equiv="refresh" content="0; url={address}">')
        browser.get(page.as_uri())
        end = time.monotonic() + 30
        while not browser.execute_script("return document.querySelector('#title')?.textContent"):
            assert time.monotonic() < end
            time.sleep(0.05)
        assert client.token not in browser.current_url
        browser.get("about:blank")
