"""A table of lengths or of who saw what belongs to the table whose documents it names."""

from __future__ import annotations

from pathlib import Path

import pytest

import accord

ROWS = "document,annotator,start,end,label\nd1,A,0,4,x\nd1,B,0,4,x\nd1,A,6,9,y\nd1,B,7,9,y\n"


@pytest.fixture
def alone(tmp_path: Path) -> Path:
    (tmp_path / "t.csv").write_text(ROWS)
    return tmp_path / "t.csv"


def test_tables_of_others_are_left_out(alone: Path) -> None:
    before = accord.agree(alone, "u-alpha").value
    (alone.parent / "documents.csv").write_text("document,length\nq1,100\nq2,50\n")
    (alone.parent / "coverage.csv").write_text("document,annotator\nq1,A\nq1,B\n")
    data = accord.read(alone)
    assert data.documents == ("d1",)
    assert accord.agree(data, "u-alpha").value == before
    left = {x.what: x.why for x in data.reading.left_out}
    assert left == dict.fromkeys(
        ("documents.csv", "coverage.csv"), "names no document of this table"
    )


def test_further_documents_are_told(alone: Path) -> None:
    (alone.parent / "documents.csv").write_text("document,length\nd1,100\nd2,50\n")
    data = accord.read(alone)
    assert data.documents == ("d1", "d2")
    assert "documents.csv is of this table and has 1 more document ('d2')" in str(data.reading)
    assert accord.read(alone, documents=["d1"]).documents == ("d1",)


def test_a_table_of_its_own_is_read(alone: Path) -> None:
    alone.with_name("t.documents.csv").write_text("document,length\nd1,100\n")
    alone.with_name("documents.csv").write_text("document,length\nd1,70\n")
    data = accord.read(alone)
    assert (list(data.lengths), data.reading.left_out) == ([100.0], ())
