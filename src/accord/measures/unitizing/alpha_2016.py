"""u-α, |u-α, cu-α and (k)u-α: the unitizing family of 2016."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from accord.data import Units
from accord.distance.categories import squared_distances
from accord.measures.ratio import ratio
from accord.measures.unitizing.coincidences import Coincidences, coincidences, expected
from accord.measures.unitizing.continua import Floats, continua
from accord.measures.unitizing.options import CONTINUUM_ATOM, LENGTH, METRIC, OVERLAP, PERIOD
from accord.measures.unitizing.result import tables, totals_of, unitizing_result
from accord.registry import measure
from accord.result import Array, Result, Row

_CITATION = (
    "Krippendorff, Mathet, Bouvry & Widlöcher (2016). On the reliability of unitizing textual "
    "continua: Further developments. Quality & Quantity 50(6)."
)
_RECORD: dict[str, Any] = {
    "shape": "units",
    "question": "agree",
    "citation": _CITATION,
    "range": (-float("inf"), 1.0),
    "chance": True,
}


@measure(
    "u-alpha",
    title="u-α: agreement on units and their values, unmarked stretches included",
    origin_free=False,
    aliases=("ualpha", "u-alpha-2016"),
    use="Units that do not overlap, boundaries and values judged together by how much of the "
    "text coincides; insensitive to cutting a stretch into several units. For overlap, or to align unit "
    "with unit, use gamma.",
    **_RECORD,
    options=(CONTINUUM_ATOM, LENGTH, OVERLAP),
)
def u_alpha(units: Units, *, atom: float | None, length: float | None, overlaps: str) -> Result:
    """u-α: how far all coders put the same matter under the same value, or leave it out.

    ::

        u-α = 1 - (ℓ.. - Σ_c ℓ_cc)/(ℓ.. - Σ_c ε_cc), c over the values and the gap φ

    ℓ and ε are the observed and expected coincidences of
    :mod:`accord.measures.unitizing.coincidences`; `length` is that of documents whose length is not
    known. Documents pool as one continuum. A gap is made of atoms, which fall on each other by
    chance: characters or frames where offsets are whole numbers, else the step in which they were
    measured, or `atom`; the unit of time then changes nothing.

    >>> rows = [("d", "A", 0, 4, "x"), ("d", "B", 1, 4, "x"), ("d", "A", 6, 8, "y")]
    >>> print(u_alpha(Units.from_rows(rows, lengths={"d": 10})))
    u-alpha = 0.5221
    """
    found = coincidences(continua(units, "u-alpha", length=length, atom=atom, overlap=overlaps))
    K = found.marginal.shape[1]
    rows = np.column_stack(
        [found.agreed.sum(1), found.squares.sum(1), found.marginal, found.squares]
    )

    def score(totals: Array) -> Mapping[str, Array]:
        marginal, squares = totals[:, 2 : 2 + K], totals[:, 2 + K :]
        total = marginal.sum(axis=1)
        below = total**2 - totals[:, 1]
        several = (marginal != 0).sum(axis=1) > 1
        by_chance = ratio(total * (marginal**2 - squares).sum(axis=1), below)
        D_o, D_e = 1 - ratio(totals[:, 0], total), 1 - ratio(by_chance, total)
        return {"value": 1 - ratio(D_o, np.where(several, D_e, 0)), "D_o": D_o, "D_e": D_e}

    return unitizing_result(
        "u-alpha",
        units,
        found,
        rows,
        score,
        categories=_each_value(found),
        parts=[(v, _against_rest(found, i), _of_one) for i, v in enumerate([*found.values, "φ"])],
        terms=tables(found, found.observed, expected(*totals_of(found)), gaps=True),
        undefined="there is one value only (no unit, or one value and nothing unmarked)",
        options={"atom": found.continua.atom_said},
    )


@measure(
    "bar-u-alpha",
    title="|u-α: agreement on what is relevant, values ignored",
    origin_free=False,
    aliases=("|u-alpha", "baru-alpha", "bu-alpha", "unit-u-alpha"),
    use="Whether coders mark the same stretches as relevant, whatever value they give it.",
    **_RECORD,
    options=(CONTINUUM_ATOM, LENGTH, OVERLAP),
)
def bar_u_alpha(units: Units, *, atom: float | None, length: float | None, overlaps: str) -> Result:
    """Bar-u-α, written ``|u-α``: how far coders agree on what is a unit and what is a gap.

    ::

        |u-α = 1 - (ℓ_φ. - ℓ_φφ)/(ε_φ. - ε_φφ)

    >>> rows = [("d", "A", 0, 4, "x"), ("d", "B", 0, 4, "y")]
    >>> print(bar_u_alpha(Units.from_rows(rows, lengths={"d": 10})))
    bar-u-alpha = 1.0000
    """
    found = coincidences(continua(units, "bar-u-alpha", length=length, atom=atom, overlap=overlaps))
    return unitizing_result(
        "bar-u-alpha",
        units,
        found,
        _against_rest(found, -1),
        _of_one,
        categories=[],
        terms=tables(found, found.observed, expected(*totals_of(found)), gaps=True),
        undefined="nothing is marked, or everything is",
        options={"atom": found.continua.atom_said},
    )


@measure(
    "cu-alpha",
    title="cu-α: agreement on the values of what coders mark together",
    usual=True,
    aliases=("cualpha",),
    use="The values alone, where two coders both marked a unit, with any distance between values; "
    "read it with its coverage.",
    **_RECORD,
    options=(METRIC, PERIOD, LENGTH, OVERLAP),
)
def cu_alpha(
    units: Units,
    *,
    metric: str | Path,
    period: float | None,
    length: float | None,
    overlaps: str,
) -> Result:
    """cu-α: agreement on values, over the matter that at least two coders value.

    ::

        cu-α = 1 - Σ ℓ*_ck δ²_ck / Σ ε*_ck δ²_ck, c and k values other than φ

    ::

        w_g = Σ_{j≠i} |g ∩ valued matter of j|/(m - 1)

    is the matter of unit g of coder i that takes part; ε* is the formula of ε with the marginals
    ``ℓ*_c. = Σ_g w_g`` and the squares ``Q*_c = Σ_g w_g²``. Coverage is ``ℓ*../ℓ..``. `metric` is any
    distance of :func:`accord.distance.categories.squared_distances`.

    Deviations: for three coders and more, published readings of Q* differ (squares of the pairwise
    intersections, or of whole units); Σw² is the one that gives the .724 of the paper's example.
    For two coders all agree. The ordinal distance uses the lengths ``ℓ*_c.`` of all documents, also in
    resampling.

    >>> rows = [("d", "A", 0, 4, "x"), ("d", "B", 0, 4, "x"), ("d", "A", 6, 8, "y"),
    ...         ("d", "B", 6, 8, "x")]
    >>> print(cu_alpha(Units.from_rows(rows, lengths={"d": 10})))
    cu-alpha = 0.1333
    """
    arranged = continua(units, "cu-alpha", length=length, overlap=overlaps)
    found = coincidences(arranged)
    valued = found.valued.sum(0)
    if metric == "nominal":
        delta: Floats = 1.0 - np.eye(len(found.values))
    else:
        names = [v if v is not None else "" for v in found.values]
        numbers = _numbers(names) if _numeric(metric) else None
        delta = squared_distances(
            metric,
            names if numbers is None else numbers,
            valued,
            kind="categories" if numbers is None else "numbers",
            ordered=False,
            period=period,
        )
        found = coincidences(arranged, delta)
    rows = np.column_stack(
        [found.disagreement, found.valued_squares.sum(1), found.valued, found.total]
    )

    def score(totals: Array) -> Mapping[str, Array]:
        marginal = totals[:, 2:-1]
        total = marginal.sum(axis=1)
        # δ_cc = 0, so Q* stays in the denominator only
        spread = ((marginal @ delta) * marginal).sum(axis=1)
        by_chance = ratio(total * spread, total**2 - totals[:, 1])
        return {
            "value": 1 - ratio(totals[:, 0], by_chance),
            "D_o": ratio(totals[:, 0], total),
            "D_e": ratio(by_chance, total),
            "coverage": ratio(total, totals[:, -1]),
        }

    chance = expected(valued, found.valued_squares.sum(0))
    return unitizing_result(
        "cu-alpha",
        units,
        found,
        rows,
        score,
        categories=_each_kind(found),
        parts=[(v, _of_value(found, k), _of_kind) for k, v in enumerate(found.values)],
        terms=tables(found, found.observed[:-1, :-1], chance, gaps=False),
        undefined="coders never mark the same stretch, or use one value only there",
        options={"metric": Path(metric).name if isinstance(metric, Path) else metric},
        guessed=False,
    )


@measure(
    "ku-alpha",
    several=True,
    title="(k)u-α: agreement on one value, for each value",
    aliases=("(k)u-alpha", "k-u-alpha", "kualpha"),
    use="Which values are understood alike, over what two coders gave a value; one result for "
    "each value, with its coverage.",
    **_RECORD,
    options=(LENGTH, OVERLAP),
)
def ku_alpha(units: Units, *, length: float | None, overlaps: str) -> tuple[Result, ...]:
    """(k)u-α for each value k: agreement on k against all other values.

    ::

        (k)u-α = 1 - [(ℓ*_.k - ℓ*_kk)/ℓ*_.k] / [(ε*_.k - ε*_kk)/ε*_.k]

    with the valued coincidences of :func:`cu_alpha`. Coverage is the share of the matter of value k
    that another coder values too.

    >>> rows = [("d", "A", 0, 4, "x"), ("d", "B", 0, 4, "x"), ("d", "A", 6, 8, "y"),
    ...         ("d", "B", 6, 8, "x")]
    >>> for result in ku_alpha(Units.from_rows(rows, lengths={"d": 10})):
    ...     print(result.terms["category"], round(result.value, 4))
    x 0.16
    y 0.0
    """
    found = coincidences(continua(units, "ku-alpha", length=length, overlap=overlaps))
    results = []
    for k, name in enumerate(found.values):
        results.append(
            unitizing_result(
                "ku-alpha",
                units,
                found,
                _of_value(found, k),
                _of_kind,
                categories=[],
                terms={"category": name},
                undefined="no other coder marks anything where this value stands"
                if not found.valued[:, k].any()
                else "no other value meets it, so chance cannot be told from agreement",
                options={"category": name},
                guessed=False,
            )
        )
    return tuple(results)


def _against_rest(found: Coincidences, k: int) -> Array:
    """By document: ℓ_k. − ℓ_kk, ΣQ, ℓ_k. and the length of all other values, gap included."""
    own = found.marginal[:, k]
    return np.column_stack(
        [own - found.agreed[:, k], found.squares.sum(1), own, found.marginal.sum(1) - own]
    )


def _of_one(totals: Array) -> Mapping[str, Array]:
    """One value (of |u-α, the gap) against all the rest: 1 − (ℓ_k. − ℓ_kk)/(ε_k. − ε_kk)."""
    apart, squares, own, rest = totals.T
    total = own + rest
    # ε_k. - ε_kk = Σ_{c≠k} ε_kc
    by_chance = ratio(total * own * rest, total**2 - squares)
    return {
        "value": 1 - ratio(apart, by_chance),
        "D_o": ratio(apart, total),
        "D_e": ratio(by_chance, total),
    }


def _of_value(found: Coincidences, k: int) -> Array:
    """By document: ℓ*_.k, ℓ*_kk, Q*_k, ℓ*.., ΣQ*, ℓ_k."""
    return np.column_stack(
        [
            found.valued[:, k],
            found.agreed[:, k],
            found.valued_squares[:, k],
            found.valued.sum(1),
            found.valued_squares.sum(1),
            found.marginal[:, k],
        ]
    )


def _of_kind(totals: Array) -> Mapping[str, Array]:
    """(k)u-α from ℓ*_.k, ℓ*_kk, Q*_k, ℓ*.., ΣQ*, ℓ_k."""
    margin, agreed, square, total, squares, length = totals.T
    below = total**2 - squares
    column = ratio(total * (total * margin - square), below)
    diagonal = ratio(total * (margin**2 - square), below)
    # a value that takes in all the matter cannot be told from chance
    D_o = ratio(margin - agreed, margin)
    D_e = np.where(total == margin, 0, ratio(column - diagonal, column))
    return {
        "value": 1 - ratio(D_o, D_e),
        "D_o": D_o,
        "D_e": D_e,
        "coverage": ratio(margin, length),
    }


def _each_kind(found: Coincidences) -> list[Row]:
    totals = np.array([_of_value(found, k).sum(0) for k in range(len(found.values))])
    scored = _of_kind(totals) if len(totals) else {}
    return [
        {"category": name, **{k: float(v[i]) for k, v in scored.items()}}
        for i, name in enumerate(found.values)
    ]


def _each_value(found: Coincidences) -> list[Row]:
    """Each value against all the rest, gap included: the form of |u-α for every value."""
    marginal, squares = totals_of(found)
    chance = expected(marginal, squares)
    agreed = found.agreed.sum(0)
    rows: list[Row] = []
    for i, name in enumerate([*found.values, "φ"]):
        apart, by_chance = marginal[i] - agreed[i], chance[i].sum() - chance[i, i]
        rows.append(
            {
                "category": name,
                "value": float(1 - apart / by_chance) if by_chance > 0 else math.nan,
                "length": float(marginal[i]),
                "observed": float(agreed[i]),
                "expected": float(chance[i, i]),
            }
        )
    return rows


def _numeric(metric: str | Path) -> bool:
    return metric in ("ordinal", "interval", "ratio", "circular", "bipolar", "linear")


def _numbers(names: list[str]) -> list[float] | None:
    try:
        return [float(name) for name in names]
    except ValueError:
        return None
