"""Answers of several people nested in the records of JSON become rows of their own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import accord
from accord.errors import InputError

PAIRS = ("AA", "AB", "BB", "BA", "BB")


def of_list(who: str, what: str, column: str) -> list[dict[str, Any]]:
    return [
        {"id": i, column: [{who: "ana", what: a}, {who: "ben", what: b}]}
        for i, (a, b) in enumerate(PAIRS)
    ]


RECORDS = {
    "annotations": of_list("user", "label", "annotations"),
    "labels": of_list("annotator", "value", "labels"),
    "votes": [{"id": i, "votes": {"ana": a, "ben": b}} for i, (a, b) in enumerate(PAIRS)],
    "objects": [
        {"id": i, "answers": {"ana": {"label": a}, "ben": {"label": b}}}
        for i, (a, b) in enumerate(PAIRS)
    ],
}


def written(path: Path, records: list[dict[str, Any]]) -> Path:
    lines = "".join(json.dumps(r) + "\n" for r in records)
    path.write_text(json.dumps(records) if path.suffix == ".json" else lines)
    return path


@pytest.mark.parametrize("ending", ["jsonl", "json"])
@pytest.mark.parametrize("name", RECORDS)
def test_ratings(name: str, ending: str, tmp_path: Path) -> None:
    if (name, ending) == ("objects", "json"):
        pytest.skip("nothing in the first bytes says that these are answers")
    data = accord.read(written(tmp_path / f"r.{ending}", RECORDS[name]))
    flat = accord.agree([[a for a, _ in PAIRS], [b for _, b in PAIRS]], orientation="annotators")
    assert data.annotators == ("ana", "ben")
    assert accord.agree(data).value == flat.value


def test_text_names_the_item(tmp_path: Path) -> None:
    records = [
        {"text": f"t{r['id']}", "annotations": r["annotations"]} for r in RECORDS["annotations"]
    ]
    data = accord.read(written(tmp_path / "r.jsonl", records))
    assert list(data.items) == [f"t{i}" for i in range(5)]


ONE, TWO, FOUR = ({"start": s, "end": e, "label": "N"} for s, e in ((0, 3), (4, 7), (0, 4)))
#: text → what ana and ben marked
MARKED = {"one two": ([ONE], [ONE, TWO]), "none": ([], []), "four": ([], [FOUR])}
SPANS = [
    {"text": t, "annotations": [{"user": "ana", "spans": a}, {"user": "ben", "spans": b}]}
    for t, (a, b) in MARKED.items()
]


def test_spans_and_who_marked_nothing(tmp_path: Path) -> None:
    data = accord.read(written(tmp_path / "s.jsonl", SPANS))
    assert [(u.document, u.annotator, u.start, u.end) for u in data] == [
        ("four", "ben", 0, 4),
        ("one two", "ana", 0, 3),
        ("one two", "ben", 0, 3),
        ("one two", "ben", 4, 7),
    ]
    assert data.documents == ("four", "none", "one two")
    assert np.all(data.coverage)
    alone = [
        {"text": t, "annotator": who, "spans": spans}
        for t, marked in MARKED.items()
        for who, spans in zip(("ana", "ben"), marked, strict=True)
    ]
    other = accord.read(written(tmp_path / "o.jsonl", alone))
    assert ([*other], other.documents) == ([*data], data.documents)


def test_two_records_of_one_text_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="two records of annotator 'ana' for 'one two'"):
        accord.read(written(tmp_path / "s.jsonl", [SPANS[0], SPANS[0]]))


def test_numbers_by_name_are_no_votes(tmp_path: Path) -> None:
    """Of {"A": 2, "B": 1} nobody knows whether A is a person or a label."""
    with pytest.raises(InputError):
        accord.read(written(tmp_path / "c.jsonl", [{"id": 1, "votes": {"A": 2, "B": 1}}]))
