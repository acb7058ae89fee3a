"""Units of words are written where characters are counted; words that are not there are said."""

from __future__ import annotations

from pathlib import Path

import pytest

import accord
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
