"""Examples behind the cells of a matrix: opened by the cell, in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

from accord.data import Ratings
from accord.report.svg import escaped, shortened

#: examples behind one cell, and cells that have some
_MOST_EXAMPLES, _MOST_CELLS = 5, 60
#: items looked through for examples
_MOST_ITEMS = 50_000

#: (row, column) → items
Cases = dict[tuple[str, str], list[int]]


def confused_items(data: Ratings) -> Cases:
    """For each two values, the items on which one annotator gave the one and another the other."""
    found: Cases = {}
    for i in range(min(len(data.indptr) - 1, _MOST_ITEMS)):
        codes = sorted(set(data.code[data.indptr[i] : data.indptr[i + 1]].tolist()))
        for a, b in combinations(codes, 2):
            found.setdefault((data.labels[a], data.labels[b]), []).append(i)
    return found


def divided_items(data: Ratings, who: Sequence[str]) -> Cases:
    """For each two annotators, the items on which they differ."""
    chosen = {data.annotators.index(w) for w in who}
    found: Cases = {}
    for i in range(min(len(data.indptr) - 1, _MOST_ITEMS)):
        here = range(int(data.indptr[i]), int(data.indptr[i + 1]))
        marks = [(int(data.annotator[r]), int(data.code[r])) for r in here]
        for (a, x), (b, y) in combinations([m for m in marks if m[0] in chosen], 2):
            if x != y:
                found.setdefault((data.annotators[a], data.annotators[b]), []).append(i)
    return found


def links(prefix: str, cases: Cases) -> dict[tuple[str, str], str]:
    """Where the cell of a row and a column leads."""
    found = {}
    for n, (pair, items) in enumerate(_ranked(cases)):
        if items:
            found[pair] = found[pair[::-1]] = f"#{prefix}-{n}"
    return found


def examples(
    prefix: str, cases: Cases, data: Ratings, texts: Mapping[str, str], joined: str
) -> str:
    """The examples of each cell, folded away until the cell is chosen."""
    parts = []
    for n, ((first, second), items) in enumerate(_ranked(cases)):
        lines = []
        for i in items[:_MOST_EXAMPLES]:
            name = str(data.items[i])
            text = f" <q>{escaped(shortened(texts[name], 240))}</q>" if name in texts else ""
            said = ", ".join(
                f"{escaped(data.annotators[data.annotator[r]])} <b>{escaped(data.labels[data.code[r]])}</b>"
                for r in range(int(data.indptr[i]), int(data.indptr[i + 1]))
            )
            lines.append(f"<li><code>{escaped(name)}</code>{text}<br>{said}</li>")
        count = f"{len(items)} item{'' if len(items) == 1 else 's'}"
        parts.append(
            f'<details class="examples" id="{prefix}-{n}"><summary>{escaped(first)} {joined} '
            f"{escaped(second)}: {count}</summary><ul>{''.join(lines)}</ul></details>"
        )
    return "".join(parts)


def _ranked(cases: Cases) -> list[tuple[tuple[str, str], list[int]]]:
    """The cells with most items first."""
    return sorted(cases.items(), key=lambda case: -len(case[1]))[:_MOST_CELLS]
