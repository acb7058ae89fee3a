"""From a campaign to its value: one ratio of sums, for every measure of this family."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from accord.data.boxes import Boxes
from accord.data.units import Units
from accord.measures.gamma.campaign import Campaign
from accord.result import Array, Result, Sample

#: what annotators locate themselves
Located = Units | Boxes


def disorder_result(
    name: str, units: Located, found: Campaign, mark: str, *, terms: dict[str, Any] | None = None
) -> Result:
    """1 − Σ observed / Σ expected disorder, with documents as resampling units."""
    return ratio_result(
        name,
        units,
        found,
        mark,
        column=0,
        terms=terms,
        undefined=lambda _: "chance alone gives no disorder",
    )


def ratio_result(
    name: str,
    units: Located,
    found: Campaign,
    mark: str,
    *,
    column: int,
    undefined: Callable[[float], str],
    n: int | None = None,
    terms: dict[str, Any] | None = None,
) -> Result:
    """1 − Σ observed / Σ expected of one statistic of the campaign.

    `undefined` says why there is no value, given the weight of what was compared.
    """
    named = {**(terms or {}), **found.terms()}
    common: dict[str, Any] = {
        "measure": name,
        "n": units.compared if n is None else n,
        "signature": mark,
        "annotators": units.annotators,
    }
    warnings = (*found.notes, *units.notes)
    nan = float("nan")
    if found.undefined is not None:
        return Result(
            value=nan, terms=named, undefined=found.undefined, warnings=warnings, **common
        )
    weights = found.weights(column)
    chances = weights * found.chance(column) * found.lift(column)
    rows = np.column_stack([found.observed(column), chances, weights])
    observed, chance, weight = rows.sum(axis=0).tolist()
    if column:
        named["pairs_weight"] = weight
    if chance == 0:
        return Result(
            value=nan,
            observed=observed / weight if weight > 0 else None,
            expected=0.0 if weight > 0 else None,
            terms=named,
            undefined=undefined(weight),
            warnings=warnings,
            **common,
        )
    value = 1 - observed / chance
    sampled, noise = found.sampling(value, column)
    named |= sampled
    if not found.proven and not column:
        named["proof_interval"] = found.proof_interval(value)
    return Result(
        value=value,
        observed=observed / weight,
        expected=chance / weight,
        terms=named,
        warnings=(*warnings, *found.cautions(named["precision"], named.get("proof_interval"))),
        sample=Sample(
            rows=rows,
            score=disorder_ratio,
            keys=found.documents,
            unit="document",
            weight=weights,
            noise=noise,
        ),
        **common,
    )


def disorder_ratio(totals: Array) -> dict[str, Array]:
    """1 − observed / chance from the totals (observed, chance, weight)."""
    observed, chance, weight = totals[:, 0], totals[:, 1], totals[:, 2]
    with np.errstate(divide="ignore", invalid="ignore"):
        return {
            "value": 1 - observed / chance,
            "observed": observed / weight,
            "expected": chance / weight,
        }
