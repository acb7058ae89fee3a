"""α_U of 1995, as corrected in 2004: squared differences of overlapping units."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from accord.data import Units
from accord.kernels.lines import squared_differences
from accord.measures.unitizing.continua import (
    Continua,
    Floats,
    Index,
    continua,
    length_warning,
)
from accord.measures.unitizing.options import CONTINUUM_ATOM, LENGTH, OVERLAP
from accord.measures.unitizing.result import of_categories
from accord.registry import measure
from accord.result import NO_SHARED_DOCUMENT, NO_UNIT, Array, Result, Row, Sample, signature


@measure(
    "alpha-u",
    title="α_U: Krippendorff's first unitizing α",
    usual=True,
    shape="units",
    question="agree",
    citation="Krippendorff (1995), Sociological Methodology 25; corrected in Krippendorff (2004), "
    "Content Analysis, 2nd ed., 11.6",
    range=(-float("inf"), 1.0),
    aliases=("alphau", "alpha-u-1995"),
    chance=True,
    origin_free=False,
    use="To compare with older studies. It is not monotone: moving a unit away from its match can "
    "raise it. Prefer u-alpha (lengths) or gamma (units).",
    options=(CONTINUUM_ATOM, LENGTH, OVERLAP),
)
def alpha_u(units: Units, *, atom: float | None, length: float | None, overlaps: str) -> Result:
    """α_U: squared differences between the bounds of units that meet, category by category.

    ::

        α_U = 1 - Σ_c D_o,c / Σ_c D_e,c
        D_o = 2 Σ_{i<j} Σ δ² / (m(m-1)L²)
        D_e = (2/L) Σ_u [(N_c-1)(2ℓ³-3aℓ²+a²ℓ)/3 + ℓ² Σ_{gaps g≥ℓ}(g-ℓ+a)] / (mL(mL-a) - Σ_u ℓ(ℓ-a))

    For each category everything else is a gap. Two units of different coders that intersect differ
    by δ² = (b₁-b₂)² + (e₁-e₂)²; a unit that lies wholly in the other's gap by ℓ². N_c counts the
    units of category c of all coders; touching units stay separate, and units of different categories
    may overlap. Several documents are summed,
    never concatenated: Σ over documents above and below.

    The formula counts atoms of the size a: 1 where offsets are whole numbers (characters, frames), as
    in the book; else the step in which they were measured, or `atom`.

    >>> c = [("d", "0", 75, 145, "c"), ("d", "0", 220, 250, "c"), ("d", "1", 70, 150, "c"),
    ...      ("d", "1", 205, 225, "c"), ("d", "1", 250, 270, "c")]
    >>> print(alpha_u(Units.from_rows(c, lengths={"d": 300})))
    alpha-u = 0.7286
    """
    found = continua(units, "alpha-u", length=length, atom=atom, by_value=True, overlap=overlaps)
    groups = _groups(found)
    D_o, total, moved = _observed(found, groups)
    D_e = _expected(found, groups)
    D = len(found.documents)
    rows = _by_document(groups, D_o, D_e, D)

    def score(totals: Array) -> Mapping[str, Array]:
        under = np.where(totals[:, 1] == 0, 1, totals[:, 1])
        value = 1 - totals[:, 0] / under
        return {"value": np.where(totals[:, 1] == 0, np.nan, value)}

    value = float(score(rows.sum(axis=0)[None, :])["value"][0])
    return Result(
        measure="alpha-u",
        value=value,
        observed=float(rows[:, 0].sum()),
        expected=float(rows[:, 1].sum()),
        terms={"squared_differences": float(total.sum()), "not_monotone": moved},
        by={"category": _categories(found, groups, D_o, D_e, total)},
        n=len(found),
        signature=signature("alpha-u", len(found), atom=found.atom_said, seen=units.seen),
        undefined=NO_UNIT if found.documents else NO_SHARED_DOCUMENT,
        warnings=(
            *units.notes,
            *found.warnings,
            *length_warning(found),
            *_warnings(moved),
        ),
        annotators=units.annotators,
        sample=Sample(
            rows=rows,
            score=score,
            keys=found.documents,
            unit="document",
            weight=found.lengths,
            parts=of_categories(
                found,
                [
                    (name, _by_document(groups, D_o, D_e, D, groups.value == k), score)
                    for k, name in enumerate(found.values)
                ],
            ),
        ),
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Groups:
    """Units sorted by (document, category), coder, start; a run is one coder's units of a group."""

    order: Index
    document: Index
    value: Index
    #: group of each sorted unit, first sorted unit of each run, first run of each group
    group: Index
    runs: Index
    indptr: Index


def _by_document(
    groups: _Groups, D_o: Floats, D_e: Floats, D: int, chosen: Any = slice(None)
) -> Array:
    """D_o and D_e of each document, over all groups or the chosen ones."""
    where = groups.document[chosen]
    return np.column_stack(
        [np.bincount(where, weights=x[chosen], minlength=D) for x in (D_o, D_e)]
    ).astype(np.float64)


def _groups(found: Continua) -> _Groups:
    K = max(len(found.values), 1)
    key = found.document * K + found.value
    order = np.lexsort((found.start, found.annotator, key))
    names, group = np.unique(key[order], return_inverse=True)
    group = group.reshape(-1).astype(np.int64)
    fresh = np.ones(len(order), dtype=bool)
    coder = found.annotator[order]
    fresh[1:] = (group[1:] != group[:-1]) | (coder[1:] != coder[:-1])
    starts = np.flatnonzero(fresh)
    runs = np.concatenate([starts, [len(order)]]).astype(np.int64)
    per_group = np.bincount(group[starts], minlength=len(names))
    return _Groups(
        order=order,
        document=names // K,
        value=names % K,
        group=group,
        runs=runs,
        indptr=np.concatenate([[0], np.cumsum(per_group)]).astype(np.int64),
    )


def _observed(found: Continua, groups: _Groups) -> tuple[Floats, Floats, int]:
    """D_o and Σδ² of each group, and how many units would differ less if they met nothing."""
    start, end = found.start[groups.order], found.end[groups.order]
    total, gain = squared_differences(groups.indptr, groups.runs, start, end)
    m = found.coders[groups.document]
    # coders without any unit of the category: every unit lies wholly in their gap
    silent = m - np.diff(groups.indptr)
    size = len(groups.document)
    squares = np.bincount(groups.group, weights=(end - start) ** 2, minlength=size)
    total = total + silent * squares
    L = found.lengths[groups.document]
    return 2 * total / (m * (m - 1) * L**2), total, int(np.count_nonzero(gain > 0))


def _expected(found: Continua, groups: _Groups) -> Floats:
    # D_e has no dimension: in atoms, where equal lengths are equal whatever the unit of time
    a, unit = (1.0, found.atom) if found.atom else (0.0, float(found.lengths.max(initial=1.0)))
    start, end = (
        np.round(x[groups.order] / unit, 6 if a else 12) for x in (found.start, found.end)
    )
    length = end - start
    size = len(groups.document)
    m, L = found.coders[groups.document], found.lengths[groups.document] / unit
    N_c = np.bincount(groups.group, minlength=size)
    gap_group, gap = _gaps(groups, m, np.round(L, 6 if a else 12), start, end)
    fitting = _room(groups.group, length, gap_group, gap, size, a)
    each = (N_c[groups.group] - 1) * (2 * length**3 - 3 * a * length**2 + a**2 * length) / 3
    above = np.bincount(groups.group, weights=each + length**2 * fitting, minlength=size)
    own = np.bincount(groups.group, weights=length * (length - a), minlength=size)
    below = m * L * (m * L - a) - own
    return np.where(below > 0, 2 / L * above / np.where(below > 0, below, 1.0), 0.0)


def _gaps(
    groups: _Groups, coders: Index, L: Floats, start: Floats, end: Floats
) -> tuple[Index, Floats]:
    """All gaps of all coders, for each group: before each unit, after the last, or everything."""
    first = np.zeros(len(start), dtype=bool)
    first[groups.runs[:-1]] = True
    before = np.where(first, start, start - np.concatenate([[0.0], end[:-1]]))
    last = groups.runs[1:] - 1
    after = L[groups.group[last]] - end[last]
    silent = (coders - np.diff(groups.indptr)).astype(np.int64)
    whole = np.repeat(np.arange(len(L)), silent)
    group = np.concatenate([groups.group, groups.group[last], whole])
    gap = np.concatenate([before, after, L[whole]])
    return group[gap > 0], gap[gap > 0]


def _room(
    group: Index, length: Floats, gap_group: Index, gap: Floats, size: int, atom: float
) -> Floats:
    """Σ (g - ℓ + a) over the gaps g ≥ ℓ of the unit's group, by sorting and suffix sums."""
    order = np.lexsort((gap, gap_group))
    sizes = gap[order]
    upto = np.concatenate([[0.0], np.cumsum(sizes)])
    bounds = np.searchsorted(gap_group[order], np.arange(size + 1))
    # rank units among the gaps of their group: both mapped to ranks of all lengths
    values = np.unique(np.concatenate([sizes, length]))
    width = len(values) + 1
    key = gap_group[order] * width + np.searchsorted(values, sizes)
    place = np.searchsorted(key, group * width + np.searchsorted(values, length), "left")
    stop = bounds[group + 1]
    count = stop - place
    room: Floats = upto[stop] - upto[place] - count * (length - atom)
    return room


def _categories(
    found: Continua, groups: _Groups, D_o: Floats, D_e: Floats, total: Floats
) -> list[Row]:
    K = len(found.values)
    observed, chance, squares = (
        np.bincount(groups.value, weights=x, minlength=K) for x in (D_o, D_e, total)
    )
    return [
        {
            "category": name,
            "value": float(1 - observed[i] / chance[i]) if chance[i] > 0 else math.nan,
            "observed": float(observed[i]),
            "expected": float(chance[i]),
            "squared_differences": float(squares[i]),
        }
        for i, name in enumerate(found.values)
    ]


def _warnings(moved: int) -> tuple[str, ...]:
    if not moved:
        return ()
    return (
        f"alpha-u is not monotone here: {moved} units would disagree less, by this measure, if they "
        "met nothing at all; u-alpha and gamma do not have this fault",
    )
