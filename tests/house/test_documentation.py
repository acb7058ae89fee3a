"""What pages say beside their commands: a whole reference, pictures that are the ones commands draw."""

from __future__ import annotations

import doctest
import html
import re
import sys

import pytest

from tests.conftest import ROOT
from tests.in_process import run

DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", *sorted(p for p in DOCS.rglob("*.md") if "reference" not in p.parts)]


@pytest.fixture(scope="module")
def reference():
    """The module that writes the reference, which lies beside its pages."""
    sys.path.insert(0, str(DOCS))
    try:
        import reference_pages

        return reference_pages
    finally:
        sys.path.remove(str(DOCS))


def test_every_measure_has_its_facts_and_an_example(reference):
    from accord.registry import enrolled

    pages = dict(reference.measure_pages())
    found = set()
    for name, page in pages.items():
        shape, question = name.split("-")
        for section in re.split(r"^## ", page, flags=re.M)[1:]:
            title = section.split("\n", 1)[0]
            (m,) = [m for m in enrolled(shape=shape, question=question) if m.name == title]
            found.add((shape, question, title))
            assert "Range: " in section
            assert f"Source: {m.citation}" in section
            assert ">>> " in section or ">>> " in m.function.__doc__, f"{title} has no example"
    assert found == {(m.shape, m.question, m.name) for m in enrolled()}


def test_examples_of_the_reference_run_as_shown(reference):
    parser, runner = doctest.DocTestParser(), doctest.DocTestRunner(verbose=False)
    sessions = [
        session
        for _, page in reference.measure_pages()
        for session in re.findall(r"```pycon\n(.*?)```", page, re.S)
    ]
    assert len(sessions) > 50
    for number, session in enumerate(sessions):
        assert not re.search(r"undefined|= (nan|inf)", session), session
        runner.run(parser.get_doctest(session, {}, f"session {number}", None, 0))
    assert runner.failures == 0


def test_the_search_leads_from_an_author_to_the_measure(reference):
    """Main entries of the index come before pages that have the word in their text."""
    page = dict(reference.measure_pages())["ratings-agree"]
    section = page.split("\n## alpha\n")[1].split("\n## ")[0]
    assert "```{index} ! alpha, ! krippendorff\n" in section


def test_links_between_measures_lead_somewhere(reference):
    pages = dict(reference.measure_pages())
    links = [
        link for page in pages.values() for link in re.findall(r"\(([a-z-]+)\.md#([^)]+)\)", page)
    ]
    assert ("chains-score", "b3") in links
    for page, place in links:
        assert f"\n## {place}\n" in pages[page]


def test_every_option_of_reading_is_on_its_page(reference):
    from accord.options.reading import KEYWORDS

    rows = re.findall(r"^\| `(\w+)` \| (.*?) \|", reference.reading_page(), re.M)
    assert [name for name, _ in rows] == ["format", *(o.name for o in KEYWORDS)]
    assert dict(rows)["columns"] == "`--column`, `--columns`"
    assert dict(rows)["document"] == ""


def test_parameters_are_written_as_they_are_typed(reference):
    told = [
        "What it does.",
        "",
        "Parameters",
        "----------",
        "new_labels : labels that",
        "    nobody used",
    ]
    told += ["reference, system :", "    chains", "**options : others", "", ">>> 1"]
    assert reference.with_fields(told) == [
        *["What it does.", "", "``new_labels``", "   labels that nobody used"],
        *["``reference, system``", "   chains", "``**options``", "   others", "", "", ">>> 1"],
    ]


def test_formats_to_write_can_be_written():
    from accord.formats import formats

    named = {
        name for page in PAGES for name in re.findall(r"--to ([a-z0-9-]+)", page.read_text("utf-8"))
    }
    assert named
    assert named <= {f.name for f in formats() if f.writes}


def test_the_doors_lead_to_commands_that_run(monkeypatch, tmp_path):
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    for page in (DOCS / "index.md", DOCS / "fr" / "index.md"):
        lines = re.findall(r'class="door".*?<code>(.*?)</code>', page.read_text("utf-8"))
        assert len(lines) == 3
        for line in lines:
            code, _, told, _ = run(html.unescape(line))
            assert code == 0, told


def drawn() -> list[tuple[str, str]]:
    """Commands of the gallery that draw, each with the name of its picture."""
    page = (DOCS / "gallery.md").read_text("utf-8").replace("\\\n", " ")
    return re.findall(r"^\$ (accord .*--svg (\S+\.svg))", page, re.M)


@pytest.mark.parametrize(("line", "name"), drawn(), ids=lambda x: x.split()[-1])
def test_pictures_of_the_gallery_are_what_its_commands_draw(line, name, monkeypatch, tmp_path):
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    code, _, told, _ = run(line)
    assert code == 0, told
    fresh, kept = (text_and_marks(folder / name) for folder in (tmp_path, DOCS / "images"))
    assert fresh == kept, "run scripts/make_pictures.py"


def text_and_marks(path) -> str:
    """A drawing without its style."""
    return re.sub(r"<style>.*?</style>", "", path.read_text("utf-8"), flags=re.S)


def test_what_older_models_of_chance_give_is_what_was_measured():
    table = (ROOT / "benchmarks" / "results" / "calibration.md").read_text("utf-8")
    section = table.split("## The papers' models")[1].split("\n## ")[0]
    values = [
        (float(value), line.split("|")[1].strip())
        for line in section.splitlines()
        for value in re.findall(r"([+-]\d\.\d+) ±", line)
    ]
    most, data = max(values)
    assert "dense" in data
    assert f"up to {most:.1f} where units are dense".replace("0.", ".") in (
        DOCS / "tutorials" / "reading-gamma.md"
    ).read_text("utf-8")
    assert f"they give up to +{most:.1f}".replace("0.", ".") in (DOCS / "units.md").read_text(
        "utf-8"
    )
