"""Boundary edit distance: additions, substitutions and transpositions of least total cost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from accord.alignment.matching import best_matching
from accord.data.segments import Positions
from accord.errors import UsageError
from accord.kernels.lines import match_line

Types = Literal["nominal", "ordinal"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Edits:
    """How one cutting becomes another; boundaries are (position, type) rows."""

    matches: int
    #: only in the first, only in the second
    first_only: Positions
    second_only: Positions
    #: (position in the first, position in the second, type)
    transpositions: Positions
    #: (position, type in the first, type in the second)
    substitutions: Positions
    #: Σ |i - j| / n_t and Σ of the costs of the substitutions
    w_t: float
    w_s: float

    @property
    def additions(self) -> int:
        return len(self.first_only) + len(self.second_only)

    @property
    def cost(self) -> float:
        return self.additions + self.w_s + self.w_t

    @property
    def size(self) -> int:
        """Edits of every kind and matches: the denominator of B."""
        return self.additions + len(self.transpositions) + len(self.substitutions) + self.matches


def boundary_edits(
    first: Positions,
    second: Positions,
    *,
    nt: int = 2,
    first_types: Positions | None = None,
    second_types: Positions | None = None,
    types: Types = "nominal",
    span: int = 1,
) -> Edits:
    """The edits of least total cost between two cuttings (Fournier 2013, section 3).

    Boundaries common to both are matches. Over the rest, an addition costs 1, a transposition of
    two boundaries of one type at a distance d ≤ n_t - 1 costs d/n_t, a substitution of the type of
    a boundary costs 1, or for ordinal types their distance over `span`. Among the cheapest, the one
    with the shortest transpositions.

    >>> e = boundary_edits(np.array([2, 5]), np.array([3, 5, 8]))
    >>> e.matches, e.transpositions.tolist(), e.second_only.tolist(), e.cost
    (1, [[2, 3, 0]], [[8, 0]], 1.5)

    Deviations: segeval finds transpositions greedily, which is not minimal for n_t ≥ 3.
    """
    if nt < 1:
        raise UsageError(f"nt must be at least 1, got {nt}")
    one, two = _table(first, first_types), _table(second, second_types)
    width = 1 + max((int(t[:, 1].max()) for t in (one, two) if len(t)), default=0)
    keys = one[:, 0] * width + one[:, 1], two[:, 0] * width + two[:, 1]
    rest = one[~np.isin(keys[0], keys[1])], two[~np.isin(keys[1], keys[0])]
    matches = len(one) - len(rest[0])
    if width == 1:
        pairs = _pairs_on_line(rest[0][:, 0], rest[1][:, 0], nt)
    else:
        pairs = _pairs_typed(rest[0], rest[1], nt, types, span)
    a, b = rest[0][pairs[:, 0]], rest[1][pairs[:, 1]]
    moved = a[:, 0] != b[:, 0]
    alone = (
        np.setdiff1d(np.arange(len(rest[0])), pairs[:, 0]),
        np.setdiff1d(np.arange(len(rest[1])), pairs[:, 1]),
    )
    gap = np.abs(a[~moved, 1] - b[~moved, 1])
    return Edits(
        matches=matches,
        first_only=rest[0][alone[0]],
        second_only=rest[1][alone[1]],
        transpositions=np.column_stack([a[moved, 0], b[moved, 0], a[moved, 1]]),
        substitutions=np.column_stack([a[~moved, 0], a[~moved, 1], b[~moved, 1]]),
        w_t=float(np.abs(a[moved, 0] - b[moved, 0]).sum()) / nt,
        w_s=float(gap.sum()) / span if types == "ordinal" else float(len(gap)),
    )


def _table(positions: Positions, types: Positions | None) -> Positions:
    if types is None:
        once = np.unique(positions)
        return np.column_stack([once, np.zeros_like(once)])
    width = int(types.max(initial=0)) + 1
    place, type_ = np.divmod(np.unique(positions * width + types), width)
    return np.column_stack([place, type_])


def _pairs_on_line(first: Positions, second: Positions, nt: int) -> Positions:
    """Transpositions when there is one type: points on a line.

    A pair saves 2 - d/n_t. In whole numbers, with the shorter distance deciding between equals:
    (2·n_t - d)·M - d, where M exceeds every sum of distances.
    """
    M = float(nt * (len(first) + 1))
    partner = match_line(first, second, 2 * nt * M, M + 1, float(nt - 1))
    rows = np.flatnonzero(partner >= 0)
    return np.column_stack([rows, partner[rows]])


def _pairs_typed(
    first: Positions, second: Positions, nt: int, types: Types, span: int
) -> Positions:
    """Transpositions and substitutions when a boundary may take part in either: an assignment."""
    low = np.searchsorted(second[:, 0], first[:, 0] - nt + 1, side="left")
    high = np.searchsorted(second[:, 0], first[:, 0] + nt - 1, side="right")
    left = np.repeat(np.arange(len(first)), high - low)
    right = np.arange(len(left)) - np.repeat(np.cumsum(high - low) - (high - low), high - low)
    right = right + np.repeat(low, high - low)
    a, b = first[left], second[right]
    d, gap = np.abs(a[:, 0] - b[:, 0]), np.abs(a[:, 1] - b[:, 1])
    possible = (d == 0) | (gap == 0)
    left, right, d, gap = left[possible], right[possible], d[possible], gap[possible]
    # whole numbers again: everything in units of 1/(n_t·span)
    substitution = gap * nt if types == "ordinal" else np.full(len(gap), nt * span)
    saved = 2 * nt * span - np.where(d > 0, d * span, substitution)
    M = nt * (len(first) + 1)
    chosen = best_matching(left, right, saved * M - d)
    return np.column_stack([left[chosen], right[chosen]])
