"""What needs a human, most useful first, as a table to fill in and read back."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from accord.data.ratings import label_of
from accord.gold.reference import Reference
from accord.result import Row

#: columns a person fills in
BLANK = ("decision", "who", "when", "why")


def worklist(
    reference: Reference, *, confidence: float = 0.75, blind: bool = False, most: int | None = None
) -> list[dict[str, Any]]:
    """Items that no person decided and that tie, rest on a weak majority, or are not sure enough.

    Ordered by expected gain: the probability that the value now held is wrong, 1 - confidence, times
    the weight of the item. `blind` hides what the annotators said and what the rule would choose, so
    that the person judges afresh.
    """
    data = reference.data
    overturned = set(reference.overturned.tolist())
    weights = data.weights
    numeric = reference.error is not None
    rows: list[tuple[float, int, dict[str, Any]]] = []
    for i, item in enumerate(data.items):
        if reference.source[i] > 0:
            continue
        sure = float(reference.confidence[i])
        reasons = []
        if data.per_item[i] == 0:
            reasons.append("no rating")
        elif reference.tied[i]:
            reasons.append("tie")
        elif not numeric and reference.strength[i] < 0.5:
            reasons.append("weak majority")
        if i in overturned:
            reasons.append("contradicts unanimous independent annotators")
        if sure < confidence:
            reasons.append("low confidence")
        if reference.code[i] < 0 and not reasons:
            reasons.append("no value by the rule")
        if not reasons:
            continue
        gain = (1 - sure) * (1.0 if weights is None else float(weights[i]))
        row: dict[str, Any] = {"item": label_of(item), "reason": "; ".join(reasons)}
        row["gain"] = round(gain, 6)
        if not blind:
            row["proposed"] = reference.written(i)
            row["confidence"] = round(sure, 6)
            row["votes"] = _votes(reference, i)
        rows.append((gain, i, row | dict.fromkeys(BLANK, "")))
    # a contradiction of unanimous people comes first whatever the model's confidence
    rows.sort(key=lambda r: (r[1] not in overturned, -r[0], str(r[2]["item"])))
    return [row for _, _, row in rows[:most]]


def write_table(path: Path, rows: Sequence[Row], columns: Sequence[str]) -> None:
    """Write rows as CSV; the columns are those named, then any other that occurs."""
    names = [*columns, *dict.fromkeys(k for row in rows for k in row if k not in columns)]
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, names, restval="", lineterminator="\n")
        writer.writeheader()
        for row in rows:
            writer.writerow({k: _cell(v) for k, v in row.items()})


def _cell(value: Any) -> Any:
    if isinstance(value, (float, np.floating)):
        return "" if np.isnan(value) else label_of(float(value))
    if isinstance(value, (list, tuple)):
        return ";".join(map(str, value))
    return value


def _votes(reference: Reference, i: int) -> str:
    """Who said what, most said first: 'yes: A, B; no: C'."""
    data = reference.data
    said: dict[str, list[str]] = {}
    for j in range(int(data.indptr[i]), int(data.indptr[i + 1])):
        said.setdefault(label_of(data.values[data.code[j]]), []).append(
            data.annotators[data.annotator[j]]
        )
    ordered = sorted(said.items(), key=lambda pair: (-len(pair[1]), pair[0]))
    return "; ".join(f"{value}: {', '.join(who)}" for value, who in ordered)
