"""What a notebook shows: the HTML of objects, the widgets, a notebook executed from end to end."""

from __future__ import annotations

import html.parser
import importlib.util
import shutil
import sys
from pathlib import Path

import pytest

import accord
from accord.markup import axis_of, interval_bar
from accord.markup import table as markup_table

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
VOID = {"br", "img", "input", "line", "rect", "circle"}


class Balanced(html.parser.HTMLParser):
    """Every element that opens is closed, in order."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.text = ""

    def handle_starttag(self, tag, attrs):
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if tag not in VOID:
            assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data


def text_of(markup: str) -> str:
    reader = Balanced()
    reader.feed(markup)
    assert reader.open == []
    return reader.text


@pytest.fixture(scope="module")
def moods():
    return accord.read(EXAMPLES / "moods.csv")


def panel():
    """Four annotators and a system on forty items."""
    import random

    draw = random.Random(1)
    truth = [draw.choice("ab") for _ in range(40)]
    said = [[t if draw.random() < 0.8 else "a" for t in truth] for _ in range(5)]
    judges = accord.Ratings.from_matrix(said[:4])
    return judges, accord.Ratings.from_matrix(said[4:], annotators=["model"])


def shown_objects(moods):
    judges, system = panel()
    yield accord.agree(moods, "alpha", ci="auto", by=["category", "annotator"]), "by category"
    yield accord.agree(moods, "alpha"), "alpha = 0.646"
    yield accord.gold(moods, "dawid-skene"), "least sure first"
    yield accord.gold(EXAMPLES / "claims.csv"), "least sure first"
    yield accord.rank(judges, {"model": system}), "4 judges"
    yield accord.alt_test(judges, system), "human by human"
    yield accord.audit(moods), "caution"
    yield accord.compare(accord.agree(moods, "alpha"), accord.agree(moods, "ac1")), "−"
    yield moods, "120 ratings"
    yield accord.read(EXAMPLES / "claims.csv"), "47 units"
    yield accord.read(EXAMPLES / "key.conll"), "mentions"
    yield accord.Segments.from_masses([("d", "A", [2, 3])]), "2 3"


def test_every_object_is_short_in_text_and_whole_in_html(moods):
    for thing, expected in shown_objects(moods):
        assert len(repr(thing)) < 260, repr(thing)
        assert "\n" not in repr(thing)
        assert expected in text_of(thing._repr_html_()), expected


def test_undefined_says_why(moods):
    same = accord.Ratings.from_matrix([["a", "a"], ["a", "a"]])
    result = accord.agree(same, "alpha")
    assert "undefined" in repr(result)
    assert result.undefined is not None
    assert result.undefined.split(";")[0][:20] in text_of(result._repr_html_())


def test_labels_are_escaped():
    nasty = accord.Ratings.from_matrix([["<b>x", "y"], ["<b>x", "<b>x"]])
    for thing in (nasty, accord.gold(nasty), accord.agree(nasty, "alpha", by="category")):
        assert "<b>" not in thing._repr_html_()


def test_bar_stands_where_the_numbers_are():
    import re

    bar = interval_bar(0.5, 0.25, 0.75, axis=(0.0, 1.0), width=212)
    assert 'cx="106.0"' in bar  # 6 + 200 / 2
    assert re.search(r'rect x="56.0" width="100.0"', bar)
    assert axis_of([0.3, -0.2]) == (-1.0, 1.0)
    rows = [{"category": str(i), "value": 0.1, "low": 0.0, "high": 0.2} for i in range(20)]
    drawn = markup_table(rows)
    assert drawn.count("<svg") == 12
    assert "8 more" in drawn


def test_explorer_falls_back_to_a_frame(monkeypatch):
    monkeypatch.setitem(sys.modules, "anywidget", None)
    view = accord.explore(EXAMPLES / "claims.csv")
    bundle = view._repr_mimebundle_()
    assert set(bundle) == {"text/plain", "text/html"}
    assert bundle["text/html"].startswith("<iframe srcdoc=")
    view.document = "trees"
    assert view.document == "trees"
    with pytest.raises(accord.InputError, match="unknown document 'nowhere'"):
        view.document = "nowhere"


def test_cards_fall_back_to_a_list(moods, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "anywidget", None)
    cards = accord.adjudicate(moods, who="Ann", decisions=tmp_path / "d.db")
    assert "accord.serve" in text_of(cards._repr_mimebundle_()["text/html"])
    first = cards.card
    cards.skip()
    assert cards.card["id"] != first["id"]
    second = cards.card
    cards.answer(second["versions"][1]["value"], why="read again")
    reference = cards.reference()
    place = [str(i) for i in moods.items].index(second["id"])
    assert reference.value(place) == second["versions"][1]["value"]
    assert "1 decided" in repr(cards)
    with pytest.raises(accord.AccordError, match="label"):
        cards.answer("a label that nobody used")
    # the same file, read by gold
    again = accord.gold(moods, decisions=tmp_path / "d.db")
    assert again.value(place) == reference.value(place)


def test_decisions_of_a_file_lie_where_serve_looks_for_them(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "anywidget", None)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sent").mkdir()
    shutil.copy(EXAMPLES / "moods.csv", tmp_path / "sent")
    cards = accord.adjudicate("sent/moods.csv", who="Ann")
    cards.answer(cards.card["versions"][0]["value"])
    pytest.importorskip("starlette")
    pytest.importorskip("uvicorn")
    with accord.serve("sent/moods.csv") as page:
        assert page.decisions.resolve() == tmp_path / "sent" / "moods.decisions.db"
        assert page.decisions.exists()
    # data without a file share the one of the folder
    accord.adjudicate(accord.read("sent/moods.csv"), who="Ann")
    assert (tmp_path / "accord.decisions.db").exists()


def test_widget_hears_the_page(moods, tmp_path):
    pytest.importorskip("anywidget")
    cards = accord.adjudicate(moods, who="Ann", decisions=tmp_path / "d.db")
    bundle = cards._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in bundle
    card = cards.widget.card
    value = card["versions"][0]["value"]
    cards.widget.said = {"do": "answer", "kind": "label", "value": value, "number": 1}
    assert cards.widget.card["id"] != card["id"]
    assert cards.widget.decided == 1
    cards.widget.said = {"do": "answer", "kind": "label", "value": "unheard of", "number": 2}
    assert "unheard of" in cards.widget.problem
    assert cards.widget.decided == 1


def test_notebook_runs(tmp_path):
    """The notebook of the examples, executed by a kernel of its own."""
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    for name in ("moods.csv", "claims.csv", "first_steps.ipynb"):
        shutil.copy(EXAMPLES / name, tmp_path)
    book = nbformat.read(tmp_path / "first_steps.ipynb", as_version=4)
    client = nbclient.NotebookClient(
        book, timeout=120, resources={"metadata": {"path": str(tmp_path)}}
    )
    client.execute()
    outputs = [o.data for c in book.cells if c.cell_type == "code" for o in c.outputs]
    assert "Ratings(120 ratings" in outputs[0]["text/plain"]
    assert "<svg" in outputs[1]["text/html"]
    widgets = [o for o in outputs if "application/vnd.jupyter.widget-view+json" in o]
    assert len(widgets) == (2 if importlib.util.find_spec("anywidget") else 0)
    assert "1 decided by people" in outputs[-1]["text/plain"]


def test_notebook_is_what_its_script_writes():
    spec = importlib.util.spec_from_file_location("make", ROOT / "scripts" / "make_notebook.py")
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    assert made.TARGET.read_text(encoding="utf-8") == made.notebook()


def test_what_is_aligned_can_be_explored():
    """Relations and boxes have their own pages; what is not aligned is sent elsewhere."""
    linked = accord.Relations.from_rows(
        [("d", "A", 2, 1, "x"), ("d", "B", 2, 1, "x"), ("e", "A", 2, 1, "x"), ("e", "B", 3, 1, "x")]
    )
    view = accord.explore(linked)
    assert repr(view) == "<AlignmentView of 2 documents>"
    assert repr(accord.explore(linked.select(documents=["d"]))) == "<AlignmentView of 1 document>"
    assert [a.document for a in view.alignments] == ["d", "e"]
    assert '"q":' in view.html()
    drawn = accord.Boxes.from_rows([("p", "A", 0, 0, 8, 9, "c"), ("p", "B", 1, 0, 8, 9, "c")])
    assert "images" in accord.explore(drawn).html()
    with pytest.raises(accord.UsageError, match=r"these data are ratings; call accord\.adjudicate"):
        accord.explore(EXAMPLES / "moods.csv")
    with pytest.raises(accord.UsageError, match=r"these data are chains; call accord\.report"):
        accord.explore(EXAMPLES / "key.conll")


def test_documents_are_listed_by_the_disorder_of_their_relations():
    """Units far apart and links alike in one document, the other way round in the other."""
    import json
    import re

    from accord.report.relations_page import relations_explorer

    rows = [
        *(("units", who, (s, s + 4), (s + 20, s + 24), "x") for who, s in (("A", 0), ("B", 2))),
        ("links", "A", (0, 4), (20, 24), "x"),
        ("links", "B", (20, 24), (0, 4), "y"),
    ]
    relations = accord.Relations.from_rows(rows)
    packed = relations_explorer(relations)
    documents = json.loads(re.sub(r"\\u003c", "<", packed.data))["documents"]
    by_relations = {a.document: a.disorder for a in accord.align(relations)}
    assert by_relations["links"] > by_relations["units"]
    assert [d["n"] for d in documents] == ["links", "units"]
    assert documents[0]["o"] < documents[1]["o"]
    assert documents[0]["q"] == pytest.approx(by_relations["links"], abs=1e-4)
