"""Several labels an item: how sets of them are written in cells, and gathered from rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord.data.encode import Codes, natural_key
from accord.errors import InputError

#: the empty set as a cell: somebody looked and found nothing
EMPTY = "{}"
#: what separates labels when sets are written, and when they are read without being told
SEPARATOR = "|"


@dataclass(frozen=True, slots=True)
class LabelSets:
    """How a cell says which labels an item has.

    >>> sets = LabelSets(separator=";", none="neutral")
    >>> [sorted(sets.read(cell)) for cell in ("b; a", "neutral", "{}", "{a, b}")]
    [['a', 'b'], [], [], ['a', 'b']]
    """

    separator: str | None = SEPARATOR
    #: the word that means the empty set
    none: str | None = None

    def read(self, cell: str) -> frozenset[str]:
        """The labels of a cell."""
        text = cell.strip()
        if text in (EMPTY, self.none):
            return frozenset()
        if text.startswith("{") and text.endswith("}"):
            inner, cut = text[1:-1], self.separator
            parts = inner.split(cut if cut is not None and cut in inner else ",")
        else:
            parts = [text] if self.separator is None else text.split(self.separator)
        found = frozenset(p for p in (part.strip() for part in parts) if p)
        if self.none in found:
            raise InputError(
                f"{cell!r} holds {self.none!r}, which means no label, beside others",
                hint="choose one of them",
            )
        return found


def written(labels: frozenset[Any]) -> str:
    """A set as tables hold it.

    >>> written(frozenset("ba")), written(frozenset())
    ('a|b', '{}')
    """
    return SEPARATOR.join(sorted(map(str, labels))) if labels else EMPTY


def label_names(values: Sequence[frozenset[Any]]) -> tuple[str, ...]:
    """Every label that occurs in some set."""
    return tuple(sorted({str(label) for value in values for label in value}, key=natural_key))


def membership(values: Sequence[frozenset[Any]], names: Sequence[str]) -> NDArray[np.int32]:
    """Values × labels: 1 where the set holds the label."""
    place = {name: k for k, name in enumerate(names)}
    table = np.zeros((len(values), len(names)), dtype=np.int32)
    for row, value in enumerate(values):
        for label in value:
            if str(label) in place:
                table[row, place[str(label)]] = 1
    return table


def gathered(
    key: NDArray[np.int64], raw: Codes, values: Sequence[frozenset[str]]
) -> tuple[NDArray[np.int64], list[frozenset[str] | None], list[int], list[int]]:
    """Rows of one annotator on one item as one set.

    Returns the first row of each, its set, the rows that repeat a label, and the rows that say "no
    label" beside others. A row without a value says nothing; where no row of the item says
    anything, the set is missing.
    """
    order = np.argsort(key, kind="stable")
    cuts = np.flatnonzero(np.diff(key[order])) + 1
    first: list[int] = []
    sets: list[frozenset[str] | None] = []
    again: list[int] = []
    against: list[int] = []
    for rows in np.split(order, cuts) if len(order) else []:
        whole: set[str] = set()
        told = [row for row in rows.tolist() if raw[row] >= 0]
        for row in told:
            labels = values[raw[row]]
            if labels and labels <= whole:
                again.append(row)
            whole |= labels
        if whole:
            against += [row for row in told if not values[raw[row]]]
        first.append(int(rows[0]))
        sets.append(frozenset(whole) if told else None)
    return np.array(first, dtype=np.int64), sets, again, against
