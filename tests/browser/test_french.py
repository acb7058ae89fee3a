"""The pages in French, in a real browser: nothing that the catalogue knows is left in English."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.browser.conftest import settle
from tests.conftest import ROOT
from tests.language.test_language import campaigns
from tests.served import chains_file, ratings_file, segments_file, serving, units_file

import accord
from accord.formats import formats
from accord.language import catalogue

SHOWN = """
const out = [], walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
for (let t = walker.nextNode(); t; t = walker.nextNode()) {
  const p = t.parentElement;
  if (p.closest("script, style, code, pre, kbd, textarea, [translate=no]")) continue;
  const text = t.data.trim().replace(/\\s+/g, " ");
  if (text) out.push(text);
}
for (const e of document.querySelectorAll("[title], [aria-label], [placeholder]"))
  for (const n of ["title", "aria-label", "placeholder"]) if (e.getAttribute(n)) out.push(e.getAttribute(n));
return out;
"""


def english(shown: list[str], names: set[str]) -> set[str]:
    """Texts on the page that are English words of ours."""
    known = catalogue("fr")
    french = set(known.values())
    return {t for t in shown if t in known and known[t] != t and t not in names | french}


#: what the page could not translate
MISSING = "return [...accordTranslate.missing]"
#: names of formats are names
FORMATS = {f.name for f in formats()}


def unknown(browser: Any, names: frozenset[str] | set[str]) -> set[str]:
    """English that the page shows and the catalogue does not know."""
    french = set(catalogue("fr").values())
    found = {t for t in browser.execute_script(MISSING) if t not in names | french | FORMATS}
    # what a script wrote in French is looked at again; names may be cut or stand in a list
    kept = re.compile(
        r"désordre|différence|chez |manquante|en trop|confondue|divisée|frontière|L'alignement|…|~"
    )
    return {t for t in found if not kept.search(t)}


@pytest.mark.parametrize("name", ["moods", "claims", "numbers", "cuttings", "chains"])
def test_what_scripts_write_is_french(name: str, visit: Callable[[str], Any]) -> None:
    data = dict(campaigns())[name]
    page = accord.report(data, resamples=20, lang="fr")
    browser = visit(page.html())
    browser.execute_script(
        "document.querySelectorAll('details').forEach((e) => { e.open = true; });"
        "document.querySelectorAll('[data-do=next], [data-do=worse]').forEach((b) => b.click());"
    )
    settle(browser)
    assert unknown(browser, page.names) == set()


def test_report(visit: Callable[[str], Any]) -> None:
    page = accord.report(ROOT / "examples" / "claims.csv", resamples=20, lang="fr")
    browser = visit(page.html())
    shown = browser.execute_script(SHOWN)
    assert english(shown, set(page.names)) == set()
    about = browser.find_element("css selector", ".explorer .about").text
    assert about.startswith("désordre 0,")
    assert "endroits" in about
    browser.execute_script("document.querySelector('[data-do=next]').click()")
    settle(browser)
    details = browser.find_element("css selector", ".explorer .details h4").text
    assert details.startswith("Endroit 1 sur")


def test_adjudication(browser: Any, tmp_path: Path) -> None:
    data, texts = units_file(tmp_path)
    campaigns_of = (
        (ratings_file(tmp_path),),
        (data, "--texts", texts),
        (segments_file(tmp_path),),
        (chains_file(tmp_path),),
    )
    for arguments in campaigns_of:
        with serving(*arguments, "--lang", "fr", "--decisions", tmp_path / "d.db") as client:
            browser.get_log("browser")
            browser.get(f"{client.url}?token={client.token}")
            settle(browser)
            for _ in range(50):
                if browser.execute_script("return document.querySelector('#card h2') !== null"):
                    break
                settle(browser)
            shown = browser.execute_script(SHOWN)
            names = {"A", "B", "C", "yes", "no", "doc", "PER", "ORG", Path(arguments[0]).stem}
            assert english(shown, names) == set()
            assert "Vous êtes" in shown
            data_words = re.compile(r"(PER|ORG)( \d+–\d+)?|w?ord\d.*|doc:.*|A : .* à .*")
            assert {t for t in unknown(browser, names) if not data_words.fullmatch(t)} == set()
            if "ratings.csv" in str(arguments[0]):
                # a label of the data is no word of ours
                assert {"yes", "no"} <= set(shown)
            assert browser.execute_script("return document.documentElement.lang") == "fr"
            assert browser.get_log("browser") == []
        (tmp_path / "d.db").unlink()
