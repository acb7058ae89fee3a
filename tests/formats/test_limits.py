"""What formats cannot hold or read is said; long cells are read."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

import accord
from accord.data import Units
from accord.errors import InputError, UsageError


def test_files_with_different_words_are_not_placed_in_one_text(tmp_path: Path) -> None:
    folder = tmp_path / "people"
    folder.mkdir()
    (folder / "ann.conll").write_text("-DOCSTART- (d) -X- O\n\nA O\nB B-X\n")
    (folder / "bob.conll").write_text("-DOCSTART- (d) -X- O\n\nA O\nB B-X\nC O\nD B-X\n")
    units = accord.read(folder)
    with pytest.raises(UsageError, match="'d' has 2 words and a unit that ends at word 4"):
        accord.write(units, tmp_path / "out", format="brat")


def test_an_enormous_probability_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "p.json"
    rows = [f'{{"item": "a", "annotator": "A", "p:x": 1{"0" * 400}, "p:y": 0.5}}']
    path.write_text(f"[{rows[0]}]")
    with pytest.raises(InputError, match="the probability of 'x' is 1000"):
        accord.read(path)


def test_a_cell_may_hold_a_whole_document(tmp_path: Path) -> None:
    csv.field_size_limit(131_072)
    path = tmp_path / "tasks.csv"
    text = "word " * 40_000
    label = '"[{""start"": 0, ""end"": 4, ""labels"": [""X""]}]"'
    path.write_text(
        f"id,text,label,annotator,annotation_id,lead_time\n1,{text},{label},ann,7,1.5\n"
    )
    units = accord.read(path)
    assert isinstance(units, Units)
    assert [(u.start, u.end, u.label) for u in units] == [(0, 4, "X")]
