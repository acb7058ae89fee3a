"""The paper's Table 1, and the same for the alternatives and for predicted mentions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from accord.simulate.falsify import PROPERTIES, Falsification, falsify

#: the rows of Table 1 of Lion-Bouton et al. 2020, in its order, and the properties it refutes
TABLE_1: Mapping[str, tuple[str, ...]] = {
    "muc": ("4", "7"),
    "b3": ("4",),
    "ceaf-m": (),
    "ceaf-e": ("4",),
    "conll": ("4", "7"),
    "blanc": ("1", "4"),
    "lea": ("4",),
}
#: scores the paper does not examine
ALTERNATIVES = (
    "blanc-luo",
    "vi",
    "nvi",
    "nid",
    "rand",
    "ari",
    "pair-jaccard",
    "split-join",
    "merge-split",
    "b3-jaccard",
    "ceaf-m-jaccard",
)

_MARKS = {"falsified": "X", "not falsified": ".", "nothing was tried": "?"}


@dataclass(frozen=True, slots=True)
class PropertyTable:
    """Which properties which score violates."""

    title: str
    rows: Sequence[Falsification]

    def to_dict(self) -> dict[str, object]:
        return {"title": self.title, "rows": [row.to_dict() for row in self.rows]}

    def __str__(self) -> str:
        width = max(len(row.measure) for row in self.rows)
        lines = [self.title, " " * width + "  " + " ".join(PROPERTIES)]
        for row in self.rows:
            marks = [_MARKS[row.findings[p].verdict] for p in PROPERTIES]
            lines.append(f"{row.measure:<{width}}  {' '.join(marks)}")
        return "\n".join(lines)


def property_tables(
    *,
    max_n: int | None = None,
    max_n_triples: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> tuple[PropertyTable, ...]:
    """The seven scores of the paper, the alternatives, and all of them on predicted mentions."""
    plan = [
        ("Table 1 of Lion-Bouton et al. 2020: properties violated (X)", tuple(TABLE_1), False),
        ("Alternatives", ALTERNATIVES, False),
        ("Predicted mentions", (*TABLE_1, *ALTERNATIVES), True),
    ]
    total = sum(len(names) for _, names, _ in plan)
    done = 0
    tables = []
    for title, names, predicted in plan:
        rows = []
        for name in names:
            rows.append(
                falsify(
                    name, max_n=None if predicted else max_n,
                    max_n_triples=None if predicted else max_n_triples,
                    predicted_mentions=predicted,
                )
            )  # fmt: skip
            done += 1
            if progress is not None:
                progress(done, total)
        tables.append(PropertyTable(title, rows))
    return tuple(tables)
