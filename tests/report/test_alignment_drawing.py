"""The drawings of an alignment as files."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

import accord
from accord.errors import MissingDependencyError, UsageError
from accord.report import alignment_svg, draw
from accord.report.scene import scene
from tests.oracles.drawn import aligned

SVG = "{http://www.w3.org/2000/svg}"


def test_one_box_per_unit_one_link_per_neighbouring_pair_and_singletons_marked() -> None:
    units, (alignment,) = aligned(groups=30)
    root = ElementTree.fromstring(alignment_svg(units, alignment))
    boxes = [r for r in root.iter(f"{SVG}rect") if "box" in r.get("class", "").split()]
    key = len(set(units.label.tolist()))
    assert len(boxes) == len(units) + key
    sizes = (alignment.members >= 0).sum(axis=1)
    links = [p for p in root.iter(f"{SVG}path") if p.get("class") == "link"]
    assert len(links) == int((sizes - 1).sum())
    alone = [r for r in boxes if "alone" in r.get("class", "").split()]
    assert len(alone) == int((sizes == 1).sum()) > 0
    over = alignment.members[(alignment.members >= 0).tolist().index([True, False, True])]
    assert over[1] == -1
    assert any(p.get("stroke-dasharray") for p in links)


def test_it_tells_its_disorder_and_whether_it_is_proven() -> None:
    units, (alignment,) = aligned()
    assert f"disorder {alignment.disorder:.3f} (ideal)" in alignment_svg(units, alignment)
    open_ended = replace(alignment, bound=alignment.disorder - 0.25)
    assert "within 0.25 of ideal" in alignment_svg(units, open_ended)


def test_overlapping_units_of_one_annotator_get_lanes_of_their_own() -> None:
    from accord.alignment.alignment import Alignment
    from accord.data import Units

    units = Units.from_rows(
        [
            ("d", "A", 0, 10, "x"),
            ("d", "A", 2, 5, "y"),
            ("d", "A", 5, 8, "y"),
            ("d", "B", 0, 9, None),
        ]
    )
    alignment = Alignment(
        document="d", annotators=("A", "B"),
        members=np.array([[0, 3], [1, -1], [2, -1]]), disorders=np.array([0.1, 1.0, 1.0]),
        disorder=1.05, bound=1.05, method="exact", objective="gamma",
    )  # fmt: skip
    drawn = scene(units, alignment)
    assert drawn.lanes == (2, 1)
    assert drawn.lane.tolist() == [0, 1, 1, 0]
    assert drawn.alone.tolist() == [False, True, True, False]
    assert "no label" in alignment_svg(units, alignment)


def test_text_and_names_are_escaped() -> None:
    units, (alignment,) = aligned(text=True)
    units = replace(units, categories=("<b>", *units.categories[1:]), texts=("a<b " * 45,))
    ElementTree.fromstring(alignment_svg(units, alignment))


def test_saves_by_suffix_and_shows_in_a_notebook(tmp_path: Path) -> None:
    units, alignments = aligned(documents=2, categories=10)
    drawing = draw(units, alignments)
    for suffix, start in (
        (".svg", b"<svg"),
        (".html", b"<!DOCTYPE"),
        (".png", b"\x89PNG"),
        (".pdf", b"%PDF"),
    ):
        drawing.save(tmp_path / f"drawing{suffix}")
        assert (tmp_path / f"drawing{suffix}").read_bytes().startswith(start)
    assert "<iframe" in drawing._repr_html_()
    assert "<svg" in draw(units, alignments[0])._repr_html_()
    with pytest.raises(UsageError, match=r"\.svg, \.html, \.png or \.pdf, got '\.docx'"):
        drawing.save(tmp_path / "drawing.docx")


def test_without_matplotlib_the_error_gives_the_install_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    units, alignments = aligned()
    with pytest.raises(MissingDependencyError, match=r"pip install 'accord\[plot\]'"):
        draw(units, alignments).save(tmp_path / "drawing.png")


SVG = "{http://www.w3.org/2000/svg}"


def test_a_long_drawing_goes_on_below_and_tells_the_time():
    from accord.report.svg import clock

    rows = [("d", a, 1000.0 * k, 1000.0 * k + 400, "x") for a in "AB" for k in range(200)]
    data = accord.Units.from_rows(rows, lengths={"d": 200_000})
    (found,) = accord.align(data)
    picture = alignment_svg(data, found, time="ms")
    root = ElementTree.fromstring(picture)
    assert float(root.get("width")) == 1000
    bands = [
        g
        for g in root.iter("{http://www.w3.org/2000/svg}g")
        if "translate" in (g.get("transform") or "")
    ]
    assert len(bands) == 10
    # every unit is drawn, those on a border twice
    boxes = [
        r
        for r in root.iter("{http://www.w3.org/2000/svg}rect")
        if (r.get("class") or "").startswith("box")
    ]
    assert 400 <= len(boxes) - 1 <= 400 + 2 * 9
    assert ">1:00<" in picture
    assert clock(3661) == "1:01:01"
    with pytest.raises(UsageError, match="time must be"):
        alignment_svg(data, found, time="min")


def test_text_is_cut_between_words():
    text = "some words of a rather long text " * 30
    rows = [("d", a, 33 * k, 33 * k + 4, "x") for a in "AB" for k in range(30)]
    data = accord.Units.from_rows(rows, texts={"d": text}, lengths={"d": len(text)})
    (found,) = accord.align(data)
    root = ElementTree.fromstring(alignment_svg(data, found))
    lines = [
        t.text
        for t in root.iter("{http://www.w3.org/2000/svg}text")
        if "monospace" in (t.get("style") or "")
    ]
    assert len(lines) > 2
    assert " ".join(line.strip() for line in lines).split() == text.split()
