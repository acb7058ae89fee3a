"""Generalised Hamming distance between two cuttings."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from accord.data import Segments
from accord.errors import UsageError
from accord.kernels.lines import match_line
from accord.measures.ratio import ratio
from accord.measures.segmentation.cuttings import Pair, by_type, pair_up
from accord.measures.segmentation.options import DELETION, INSERTION, SHIFT
from accord.measures.segmentation.result import segmentation_result
from accord.registry import measure
from accord.result import Array, Result


@measure(
    "ghd",
    title="Generalised Hamming distance",
    shape="segments",
    question="score",
    citation="Bookstein, Kulyukin & Raita 2002, Information Retrieval 5",
    range=(0.0, float("inf")),
    aliases=("generalized-hamming", "generalised-hamming"),
    similarity=False,
    use="The least cost of turning one segmentation into the other by inserting, deleting and shifting "
    "boundaries, when you can say what each costs. Not normalised: terms hold the share of the worst.",
    options=(INSERTION, DELETION, SHIFT),
)
def ghd(
    reference: Segments,
    system: Segments,
    *,
    insertion: float,
    deletion: float,
    shift: float,
) -> Result:
    """Generalised Hamming distance: the least cost of editing the system into the reference.

    ::

        GHD = min Σ_unmatched ref insertion + Σ_unmatched sys deletion + Σ_matched shift·|i - j|

    over one-to-one matchings of boundaries; summed over documents. ``terms["normalised"]`` divides
    it by the cost of deleting and inserting everything, so it lies between 0 and 1.

    >>> ref = Segments.from_masses([("d", "ref", [2, 4, 4])])
    >>> sys = Segments.from_masses([("d", "sys", [3, 7])])
    >>> print(ghd(ref, sys))
    ghd = 3.0000

    Deviations: none from nltk, but no limit on the length; a shift dearer than an insertion and a
    deletion together is never made.
    """
    for name, cost in (("insertion", insertion), ("deletion", deletion), ("shift", shift)):
        if not 0 <= cost < float("inf"):
            raise UsageError(f"the cost of {name} must be at least 0 and finite, got {cost}")
    pairs, _ = pair_up(reference, system)
    rows = np.array([_costs(p, insertion, deletion, shift) for p in pairs]).reshape(-1, 5)

    def score(totals: Array) -> Mapping[str, Array]:
        return {"value": totals[:, 0], "normalised": ratio(totals[:, 0], totals[:, 1])}

    costs = {"insertion": insertion, "deletion": deletion, "shift": shift}
    return segmentation_result(
        "ghd",
        pairs,
        rows,
        score,
        terms=lambda row: {
            "normalised": float(row[0] / row[1]) if row[1] else 0.0,
            "insertions": int(row[2]),
            "deletions": int(row[3]),
            "shifts": int(row[4]),
        },
        options=costs,
        undefined="",
        parts=by_type(ghd, reference, system, costs),
    )


def _costs(pair: Pair, insertion: float, deletion: float, shift: float) -> tuple[float, ...]:
    first, second = np.unique(pair.first), np.unique(pair.second)
    reward = insertion + deletion
    reach = float(pair.length) if shift == 0 else min(float(pair.length), reward / shift)
    partner = match_line(first, second, reward, shift, reach)
    matched = np.flatnonzero(partner >= 0)
    moves = np.abs(first[matched] - second[partner[matched]])
    inserted, deleted = len(first) - len(matched), len(second) - len(matched)
    return (
        float(deletion * deleted + insertion * inserted + shift * moves.sum()),
        insertion * len(first) + deletion * len(second),
        inserted,
        deleted,
        int(np.count_nonzero(moves)),
    )
