"""What dkpro-cassis, pympi-ling and praatio read is what accord reads and writes.

dkpro-cassis 0.12.0, pympi-ling 1.71, praatio 6.2.2.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from accord.data import Units
from accord.formats import write
from accord.reading import read
from tests.oracles.exports import EXPORTS, TEXT, write_folder

ROWS = [("d", "A", 0.0, 12.0, "PER"), ("d", "A", 23.0, 28.0, "L&<"), ("d", "B", 13.0, 14.0, "🥳")]


@pytest.fixture
def units() -> Units:
    return Units.from_rows(ROWS, texts={"d": TEXT}, lengths={"d": len(TEXT)})


def test_cassis_reads_what_is_written(units: Units, tmp_path: Path) -> None:
    cassis = pytest.importorskip("cassis")
    write(units, tmp_path / "out", format="uima")
    with (tmp_path / "out" / "TypeSystem.xml").open("rb") as file:
        types = cassis.load_typesystem(file)
    found = set()
    for annotator in "AB":
        with (tmp_path / "out" / "d" / f"{annotator}.xmi").open("rb") as file:
            cas = cassis.load_cas_from_xmi(file, typesystem=types)
        assert cas.sofa_string == TEXT
        # cassis gives offsets in code points, as accord does
        spans = cas.select("custom.Span")
        found |= {("d", annotator, float(s.begin), float(s.end), s.value) for s in spans}
        segmentation = "de.tudarmstadt.ukp.dkpro.core.api.segmentation.type"
        words = [t.get_covered_text() for t in cas.select(f"{segmentation}.Token")]
        assert words == ["Barack", "Obama", "🥳", "visited", "Paris", "."]
        assert len(list(cas.select(f"{segmentation}.Sentence"))) == 1
    assert found == set(ROWS)


@pytest.mark.parametrize("ending", ["xmi", "json"])
def test_accord_reads_what_cassis_writes(ending: str, tmp_path: Path) -> None:
    cassis = pytest.importorskip("cassis")
    types = cassis.TypeSystem()
    span = types.create_type(name="custom.Span")
    types.create_feature(domainType=span, name="value", rangeType="uima.cas.String")
    cas = cassis.Cas(typesystem=types)
    cas.sofa_string = TEXT
    cas.sofa_mime = "text/plain"
    cas.add(span(begin=23, end=28, value="LOC"))
    cas.add(span(begin=13, end=14, value="🥳"))
    path = tmp_path / f"ann.{ending}"
    if ending == "xmi":
        cas.to_xmi(path)
    else:
        cas.to_json(path)
    units = read(path)
    assert [(u.start, u.end, u.label) for u in units] == [(13, 14, "🥳"), (23, 28, "LOC")]


def test_pympi_reads_the_same_from_elan(tmp_path: Path) -> None:
    pympi = pytest.importorskip("pympi")
    folder = write_folder(EXPORTS["elan"](), tmp_path)
    eaf = pympi.Elan.Eaf(str(folder / "d1.eaf"))
    theirs = {
        (tier, float(start), float(end), value)
        for tier in eaf.get_tier_names()
        for start, end, value in eaf.get_annotation_data_for_tier(tier)
    }
    ours = {(u.annotator, u.start, u.end, u.label) for u in read(folder) if u.document == "d1"}
    assert ours == theirs


@pytest.mark.parametrize("layout", ["short_textgrid", "long_textgrid"])
def test_praatio_and_accord_read_each_other(layout: str, tmp_path: Path) -> None:
    textgrid = pytest.importorskip("praatio.textgrid")
    rows = [
        ("d", "A", 0.25, 1.5, "x"),
        ("d", "A", 1.5, 2.0, 'say "y"'),
        ("d", "B", 0.5, 3.125, "é"),
    ]
    units = Units.from_rows(rows, lengths={"d": 4.0})
    write(units, tmp_path / "d.TextGrid")
    theirs = textgrid.openTextgrid(str(tmp_path / "d.TextGrid"), includeEmptyIntervals=False)
    found = {
        ("d", name, e.start, e.end, e.label)
        for name in theirs.tierNames
        for e in theirs.getTier(name).entries
    }
    assert found == set(rows)
    folder = tmp_path / "theirs"
    folder.mkdir()
    theirs.save(str(folder / "d.TextGrid"), format=layout, includeBlankSpaces=True)
    assert {tuple(u) for u in read(folder / "d.TextGrid", annotator_from="tier")} == set(rows)
