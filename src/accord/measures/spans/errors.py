"""What exactly went wrong: every reference or system span that has no equal on the other side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord.measures.spans.sides import Both, Index, Side
from accord.measures.spans.touching import Touching, choose, identical, touching
from accord.result import Row

KINDS = (
    "missed",
    "spurious",
    "wrong label",
    "wrong boundary",
    "wrong label and boundary",
    "split",
    "merged",
)


class Analysis:
    """Each span explained once, by the alignment with the least errors.

    Equal spans are correct. Of the rest: a reference span that holds most of two or more system
    spans of its label is *split*; a system span that holds most of two or more reference spans of
    its label is *merged*; overlapping spans are matched one to one at the least cost (a wrong label
    or a wrong boundary ½, both 1, missed and spurious 1); what remains is *missed* or *spurious*.
    """

    def __init__(self, both: Both, *, tolerance: float = 0.0) -> None:
        self.both = both
        self.tolerance = tolerance

    def breakdowns(self) -> dict[str, Callable[[], Sequence[Row]]]:
        return {
            "errors": lambda: self.errors,
            "error": lambda: self.kinds,
            "confusion": lambda: self.confusion,
        }

    @cached_property
    def _found(self) -> tuple[list[tuple[str, list[int], list[int]]], tuple[Index, Index]]:
        """Errors as (kind, reference spans, system spans), and the correct pairs."""
        both = self.both
        pairs = touching(both, tolerance=self.tolerance)
        if self.tolerance > 0:
            near = pairs.where(pairs.same_bounds & pairs.same_label)
            best = choose(near)
            correct = near.first[best], near.second[best]
        else:
            correct = identical(both)
        open_ref, open_sys = (
            np.ones(len(side), dtype=bool) for side in (both.reference, both.system)
        )
        open_ref[correct[0]] = False
        open_sys[correct[1]] = False
        found: list[tuple[str, list[int], list[int]]] = []
        pairs = pairs.where(open_ref[pairs.first] & open_sys[pairs.second])
        for one, parts in _fragments(pairs.first, pairs.second, pairs, both.system):
            if open_ref[one] and open_sys[parts].sum() > 1:
                mine = [p for p in parts if open_sys[p]]
                found.append(("split", [one], mine))
                open_ref[one] = False
                open_sys[mine] = False
        for one, parts in _fragments(pairs.second, pairs.first, pairs, both.reference):
            if open_sys[one] and open_ref[parts].sum() > 1:
                mine = [p for p in parts if open_ref[p]]
                found.append(("merged", mine, [one]))
                open_sys[one] = False
                open_ref[mine] = False
        pairs = pairs.where(open_ref[pairs.first] & open_sys[pairs.second])
        gain = 2 + (pairs.same_bounds | pairs.same_label).astype(np.int64)
        best = choose(pairs, gain)
        for r, s, bounds, label in zip(
            pairs.first[best].tolist(),
            pairs.second[best].tolist(),
            pairs.same_bounds[best].tolist(),
            pairs.same_label[best].tolist(),
            strict=True,
        ):
            kind = (
                "wrong label"
                if bounds
                else "wrong boundary"
                if label
                else "wrong label and boundary"
            )
            found.append((kind, [r], [s]))
        open_ref[pairs.first[best]] = False
        open_sys[pairs.second[best]] = False
        found += [("missed", [int(r)], []) for r in np.flatnonzero(open_ref)]
        found += [("spurious", [], [int(s)]) for s in np.flatnonzero(open_sys)]
        return found, correct

    @cached_property
    def errors(self) -> list[Row]:
        """Every error, in the order of the text."""
        both, found = self.both, self._found[0]
        at = [(both.reference, r[0]) if r else (both.system, s[0]) for _, r, s in found]
        document = np.array([side.document[i] for side, i in at], dtype=np.int64)
        start = np.array([side.start[i] for side, i in at])
        end = np.array([side.end[i] for side, i in at])
        names = [both.documents[d] for d in document.tolist()]
        ref, sys = self._columns(both.reference), self._columns(both.system)
        return [
            {
                "document": names[n],
                "error": found[n][0],
                "reference": [[column[i] for column in ref] for i in found[n][1]],
                "system": [[column[i] for column in sys] for i in found[n][2]],
            }
            for n in np.lexsort((end, start, document)).tolist()
        ]

    @cached_property
    def kinds(self) -> list[Row]:
        """How many errors of each kind, by the label of the reference (of the system if spurious)."""
        ref, sys, names = self.both.reference, self.both.system, self.both.labels
        counts: Counter[tuple[str, str | None]] = Counter()
        for kind, r, s in self._found[0]:
            label = ref.label[r[0]] if r else sys.label[s[0]]
            counts[kind, names[int(label)]] += 1
        order = {kind: i for i, kind in enumerate(KINDS)}
        return [
            {"error": kind, "category": label, "count": n}
            for (kind, label), n in sorted(
                counts.items(), key=lambda c: (order[c[0][0]], str(c[0][1]))
            )
        ]

    @cached_property
    def confusion(self) -> list[Row]:
        """Label in the reference against label in the system; None where there is no span."""
        found, correct = self._found
        ref, sys, names = self.both.reference, self.both.system, self.both.labels
        counts: Counter[tuple[int, int]] = Counter()
        size = len(names)
        joint = np.bincount(ref.label[correct[0]] * size + sys.label[correct[1]])
        for cell in np.flatnonzero(joint).tolist():
            counts[cell // size, cell % size] += int(joint[cell])
        for _, r, s in found:
            one = int(ref.label[r[0]]) if r else size
            two = int(sys.label[s[0]]) if s else size
            counts[one, two] += 1
        full = [*(n if n is not None else "(no label)" for n in names), None]
        return [
            {"reference": full[one], "system": full[two], "count": n}
            for (one, two), n in sorted(counts.items())
        ]

    def _columns(self, side: Side) -> tuple[list[Any], list[Any], list[str | None]]:
        """Start, end and label of the spans as plain values."""
        whole = np.int64 if self.both.integral else np.float64
        names = self.both.labels
        return (
            side.start.astype(whole).tolist(),
            side.end.astype(whole).tolist(),
            [names[i] for i in side.label.tolist()],
        )


def _fragments(
    whole: Index, part: Index, pairs: Touching, side: Side
) -> list[tuple[int, NDArray[np.int64]]]:
    """Spans that hold more than half of two or more spans of the same label on the other side."""
    inside = pairs.same_label & (2 * pairs.shared > side.length[part])
    whole, part = whole[inside], part[inside]
    order = np.lexsort((part, whole))
    whole, part = whole[order], part[order]
    names, starts, counts = np.unique(whole, return_index=True, return_counts=True)
    return [
        (int(w), part[s : s + c]) for w, s, c in zip(names, starts, counts, strict=True) if c > 1
    ]
