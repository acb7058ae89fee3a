"""What was read stands under the title of every page, in the language of the page."""

import shutil
from html import unescape

import pytest

import accord
from accord.adjudication import Campaign
from accord.gold import Store
from accord.report import report
from accord.report.discussion import meeting
from tests.conftest import ROOT
from tests.in_process import run
from tests.served import serving

LINES = {
    "en": ("3 annotators: Ana, Ben, Cleo", "3 documents, 47 units; labels (names): claim"),
    "fr": (
        "3 annotateurs\xa0: Ana, Ben, Cleo",
        "3 documents, 47 unités ; étiquettes (noms)\xa0: claim",
    ),
}
#: a command → the page it writes
WRITTEN = {
    "report claims.csv --resamples 50 -o page.html": "page.html",
    "align claims.csv --html page.html": "page.html",
    "discuss claims.csv -o pages": "pages/meeting.html",
    "discuss claims.csv -o pages --quiet": "pages/annotator-Ben.html",
}


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for file in (ROOT / "examples").iterdir():
        shutil.copy(file, tmp_path)
    return tmp_path


def read_of(html: str) -> str:
    """What stands under the title."""
    title = html.index("</h1>")
    start = html.index('<div class="read" translate="no">', title)
    assert start - title < 300, html[title:start]
    return unescape(html[start : html.index("</div>", start)])


@pytest.mark.parametrize("lang", LINES)
@pytest.mark.parametrize("line", WRITTEN)
def test_it_stands_under_the_title(line, lang, place):
    code, _, told, _ = run(f"accord {line} --lang {lang}")
    assert code == 0, told
    html = (place / WRITTEN[line]).read_text()
    shown = read_of(html)
    assert "claims.csv" in shown
    for text in LINES[lang]:
        assert text in shown
    assert f'<html lang="{lang}">' in html


def test_python_speaks_the_language_of_its_page(place):
    shown = read_of(report(accord.read("claims.csv"), resamples=50, lang="fr").html())
    assert all(text in shown for text in LINES["fr"])


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("align key.conll response.conll --html page.html", "2 annotators: key, response"),
        ("score key.conll response.conll --html page.html", "system: response; reference: key"),
    ],
)
def test_pages_of_chains(line, text, place):
    code, _, told, _ = run(f"accord {line}")
    assert code == 0, told
    shown = read_of((place / "page.html").read_text())
    assert "key.conll" in shown
    assert text in shown


def test_pages_of_boxes_and_relations():
    from accord.data import Boxes, Relations
    from accord.report.images import images_html
    from accord.report.relations_page import relations_html

    boxes = Boxes.from_rows([("p", a, 0, 0, 10, 10, "cat") for a in "AB"])
    assert "1 document, 2 shapes; labels (names): cat" in read_of(
        images_html(boxes, accord.align(boxes))
    )
    relations = Relations.from_rows([("d", a, (0, 4), (6, 9), "cause") for a in "AB"])
    assert "1 document, 2 relations" in read_of(relations_html(relations))


@pytest.mark.parametrize("lang", LINES)
def test_the_page_of_the_server_and_its_progress(lang, place):
    with serving("claims.csv", "--decisions", "d.db", "--lang", lang) as client:
        _, html, _ = client.ask("/")
        assert all(text in unescape(html) for text in LINES[lang])
        reading = client.get("/api/progress")["reading"]
        assert [p["name"] for p in reading["people"]] == ["Ana", "Ben", "Cleo"]
        assert reading["used"]["units"] == 47


def test_who_is_who_stays_hidden_from_the_blind(place):
    data = accord.read("claims.csv")
    with Store(":memory:") as store:
        campaign = Campaign(data, store, blind=True)
        shown = str(campaign.progress()["reading"]) + read_of(meeting(campaign))
        assert "annotator 2" in shown
        assert not any(name in shown for name in data.annotators)


def test_notebooks_show_it_above_the_value(place):
    data = accord.read("claims.csv")
    for thing in (
        data,
        accord.agree(data),
        accord.agree(data, ["gamma", "u-alpha"]),
        accord.agree(data, "alpha-u"),
        data.reading,
    ):
        shown = unescape(thing._repr_html_())
        assert all(text in shown for text in LINES["en"]), shown[:600]
    gold, system = list("aab"), list("abb")
    assert "3 items, 3 ratings" in accord.score(gold, system, "accuracy")._repr_html_()
