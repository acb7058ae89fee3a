"""Examples behind the cells of a matrix: opened by the cell, in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from accord.data import Ratings
from accord.report.svg import escaped, shortened

#: examples behind one cell, and cells that have some
_MOST_EXAMPLES, _MOST_CELLS = 5, 60
#: items looked through for examples
_MOST_ITEMS = 50_000

#: (row, column) → what stands behind the cell: items, unitary alignments, mentions
Cases = Mapping[tuple[str, str], Sequence[Any]]


@dataclass(frozen=True, slots=True)
class Behind:
    """What stands behind the cells of a matrix, and how one of it is told (HTML)."""

    cases: Cases
    line: Callable[[Any], str]
    #: what is counted, one and several
    what: tuple[str, str] = ("item", "items")

    def links(self, prefix: str) -> dict[tuple[str, str], str]:
        """Where the cell of a row and a column leads."""
        found = {}
        for n, (pair, items) in enumerate(self._ranked()):
            if items:
                found[pair] = found[pair[::-1]] = f"#{prefix}-{n}"
        return found

    def html(self, prefix: str, joined: str) -> str:
        """The examples of each cell, folded away until the cell is chosen."""
        parts = []
        for n, ((first, second), items) in enumerate(self._ranked()):
            lines = "".join(f"<li>{self.line(item)}</li>" for item in items[:_MOST_EXAMPLES])
            count = f"{len(items)} {self.what[len(items) != 1]}"
            parts.append(
                f'<details class="examples" id="{prefix}-{n}"><summary>{escaped(first)} {joined} '
                f"{escaped(second)}: {count}</summary><ul>{lines}</ul></details>"
            )
        return "".join(parts)

    def _ranked(self) -> list[tuple[tuple[str, str], Sequence[Any]]]:
        """The cells with most behind them first."""
        return sorted(self.cases.items(), key=lambda case: -len(case[1]))[:_MOST_CELLS]


def confused_items(data: Ratings, texts: Mapping[str, str]) -> Behind:
    """For each two values, the items on which one annotator gave the one and another the other."""
    found: dict[tuple[str, str], list[int]] = {}
    for i in range(min(len(data.indptr) - 1, _MOST_ITEMS)):
        codes = sorted(set(data.code[data.indptr[i] : data.indptr[i + 1]].tolist()))
        for a, b in combinations(codes, 2):
            found.setdefault((data.labels[a], data.labels[b]), []).append(i)
    return Behind(found, _rated(data, texts))


def divided_items(data: Ratings, who: Sequence[str], texts: Mapping[str, str]) -> Behind:
    """For each two annotators, the items on which they differ."""
    chosen = {data.annotators.index(w) for w in who}
    found: dict[tuple[str, str], list[int]] = {}
    for i in range(min(len(data.indptr) - 1, _MOST_ITEMS)):
        here = range(int(data.indptr[i]), int(data.indptr[i + 1]))
        marks = [(int(data.annotator[r]), int(data.code[r])) for r in here]
        for (a, x), (b, y) in combinations([m for m in marks if m[0] in chosen], 2):
            if x != y:
                found.setdefault((data.annotators[a], data.annotators[b]), []).append(i)
    return Behind(found, _rated(data, texts))


def _rated(data: Ratings, texts: Mapping[str, str]) -> Callable[[int], str]:
    def line(i: int) -> str:
        name = str(data.items[i])
        words = escaped(shortened(texts[name], 240)) if name in texts else ""
        text = f' <q translate="no">{words}</q>' if words else ""
        said = ", ".join(
            f"{escaped(data.annotators[data.annotator[r]])} <b>{escaped(data.labels[data.code[r]])}</b>"
            for r in range(int(data.indptr[i]), int(data.indptr[i + 1]))
        )
        return f"<code>{escaped(name)}</code>{text}<br>{said}"

    return line
