"""Preferences from a table: judge, left, right, winner, and the item where there is one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import Any, cast

from accord.data.frame import in_memory, opened, words
from accord.data.preferences import Preferences
from accord.data.reading import Source
from accord.errors import InputError
from accord.files.archive import open_tree
from accord.formats import detect
from accord.formats.format import ReadOptions
from accord.formats.tables.delimited import load_delimited, load_json_lines
from accord.formats.tables.table import Table
from accord.reading.given import Frame

#: what a dataframe is called in errors
_FRAME = "the dataframe"
#: how people call the columns of such a table
_COLUMNS = {
    "judge": ("judge", "annotator", "rater", "worker", "user", "evaluator"),
    "left": ("left", "model_a", "a", "first", "system_a", "option_a"),
    "right": ("right", "model_b", "b", "second", "system_b", "option_b"),
    "winner": ("winner", "preference", "preferred", "choice", "label"),
    "item": ("item", "prompt", "question", "document", "id"),
}
#: how people say which side won
_WORDS = {
    "model_a": "left", "a": "left", "first": "left", "left": "left",
    "model_b": "right", "b": "right", "second": "right", "right": "right",
    "tie": "tie", "equal": "tie", "both": "tie", "neither": "tie", "tie (bothbad)": "tie",
}  # fmt: skip


def read_preferences(
    source: str | PathLike[str] | Frame,
    *,
    columns: Mapping[str, str] | None = None,
    repeats: str = "error",
) -> Preferences:
    """Read a CSV, TSV or JSON-lines file, or a dataframe, of paired judgements.

    `columns` says what the columns are called, where they are not called judge, left, right, winner
    and item or as in the arenas of language models (model_a, model_b). Rows without a winner are left
    out and counted.
    """
    if isinstance(source, (str, PathLike)):
        path = Path(source)
        if not path.is_file():
            raise InputError("does not exist", path=path, hint="check the path")
        load = load_json_lines if path.suffix.lower() in (".jsonl", ".ndjson") else load_delimited
        with open_tree(path) as tree:
            title = detect(tree).title
            table = load(tree.entries[0], ReadOptions())
    else:
        title = type(source).__module__.partition(".")[0]
        given = opened(cast("Any", source), _FRAME, wanted="a path or a dataframe")
        frame = in_memory(given, _FRAME)
        table = Table(
            columns={n: words(frame[n]) if _is_asked(n, columns) else [] for n in frame.columns},
            path=_FRAME,
            line=lambda row: None,
            source="frame",
        )
    return _from_table(table, dict(columns or {}), repeats, title)


def _is_asked(name: str, columns: Mapping[str, str] | None) -> bool:
    """Whether preferences may have a column of that name; others may hold anything."""
    usual = name.strip().lower() in {one for names in _COLUMNS.values() for one in names}
    return usual or name in (columns or {}).values()


def _from_table(table: Table, columns: dict[str, str], repeats: str, title: str) -> Preferences:
    # a dataframe has no lines
    header = None if table.path == _FRAME else 1
    names = {name.strip().lower(): name for name in table.columns}
    record = table.record
    found: dict[str, Sequence[object]] = {}
    for role, usual in _COLUMNS.items():
        asked = columns.get(role)
        if asked is not None and asked not in table.columns:
            raise InputError(f"has no column {asked!r}", path=table.path, line=header)
        name = asked or next((names[u] for u in usual if u in names), None)
        if name is not None:
            record.columns[role] = name
            found[role] = list(table.columns[name])
        elif role not in ("item", "judge"):
            raise InputError(
                f"has no column {role!r}",
                path=table.path,
                line=header,
                hint="preferences have the columns judge, left, right, winner (and item)",
            )
    said = found["winner"]
    kept = [i for i, won in enumerate(said) if won not in (None, "")]
    rows, lines = [], []
    for i in kept:
        left, right = str(found["left"][i]), str(found["right"][i])
        won = str(said[i]).strip()
        rows.append(
            (
                str(found["judge"][i]) if "judge" in found else "judge",
                left,
                right,
                won if won in (left, right) else _WORDS.get(won.lower(), won),
            )
        )
        lines.append(table.line(i) or i + 2)
    made = Preferences.from_rows(
        rows,
        items=[str(found["item"][i]) for i in kept] if "item" in found else None,
        repeats=repeats,
        path=table.path,
        lines=None if header is None else lines,
    )
    lost = len(said) - len(kept)
    if not rows:
        raise InputError("holds no judgement", path=table.path, hint="check the winner column")
    if lost:
        record.leave_out(f"{lost:,} row{'s' * (lost > 1)}", lost, why="without a winner")
    source = Source(path=str(table.path), format=title, rows=table.height)
    return replace(made, provenance=record.provenance(source))
