"""A format is one file and one sample: the one of the guide, taken from its page."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from accord.data import Units
from accord.errors import InputError
from accord.formats import Format
from accord.options.reading import ReadOptions
from accord.reading.file import read_file

GUIDE = Path(__file__).parents[2] / "docs" / "extend" / "format.md"


@pytest.fixture(scope="module")
def known() -> Format:
    found = re.search(r"```python\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL)
    assert found is not None
    module: dict[str, Any] = {"__name__": "remarks"}
    exec(found[1], module)
    made = module["FORMAT"]
    assert isinstance(made, Format)
    return made


def test_the_format_of_the_guide_is_read(known: Format, tmp_path: Path) -> None:
    path = tmp_path / "a.remarks"
    path.write_text("d;lea;0;9;PER\nd;tom;5;9;PER\nd;lea;18;22;LOC\n")
    assert known.recognises(path, path.read_bytes())
    units = read_file(path, known, ReadOptions())
    assert isinstance(units, Units)
    assert [(u.annotator, u.start, u.end, u.label) for u in units] == [
        ("lea", 0, 9, "PER"),
        ("lea", 18, 22, "LOC"),
        ("tom", 5, 9, "PER"),
    ]


def test_its_errors_name_the_line(known: Format, tmp_path: Path) -> None:
    path = tmp_path / "a.remarks"
    path.write_text("d;lea;0;9;PER\nd;tom;5\n")
    with pytest.raises(InputError, match=r"a\.remarks:2: is no remark"):
        read_file(path, known, ReadOptions())
