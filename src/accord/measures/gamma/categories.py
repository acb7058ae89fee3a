"""γ-cat and γ-k: agreement on the categories of aligned units."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord.data.units import Units
from accord.distance.units import unit_dissimilarity
from accord.measures.gamma.breakdowns import by_document
from accord.measures.gamma.expected import Sampling
from accord.measures.gamma.options import DISTANCE, SAMPLING
from accord.measures.gamma.study import Study, study
from accord.registry import measure
from accord.result import Array, Result, Row, Sample, signature

_CITATION = "Mathet 2017, Computational Linguistics 43(3)"


@measure(
    "gamma-cat",
    title="γ-cat",
    shape="units",
    question="agree",
    citation=_CITATION,
    range=(-float("inf"), 1.0),
    aliases=("γ-cat", "gammacat"),
    chance=True,
    use="How far the labels of aligned units agree, whatever their positions; read beside gamma.",
    breakdowns={"document": by_document, "category": lambda u, _, o: _by_category(u, o)},
    options=(*DISTANCE, *SAMPLING),
)
def gamma_cat(
    units: Units,
    *,
    alpha: float | None = None,
    beta: float | None = None,
    delta: float | None = None,
    matrix: str | Path | NDArray[np.float64] | None = None,
    positional: str = "sporadic",
    categorical: str = "nominal",
    forbid: bool = False,
    chance: str = "statistical",
    expected: str | None = None,
    samples: int = 30,
    precision: float | None = None,
    ground_truth: Sequence[str] | None = None,
    time_limit: float | None = None,
    seed: int = 0,
    jobs: int = 1,
    progress: Callable[[int, int], None] | None = None,
) -> Result:
    """γ-cat = 1 − observed/expected disagreement on the categories of aligned units.

    .. math:: D = \\frac{\\sum w\\, d_{cat}}{\\sum w}, \\quad
       w = \\frac{\\max(0, 1 - d_{pos}/\\Delta)}{n_v - 1}

    over the pairs of real units aligned by γ, :math:`n_v` the number of real units of their unitary
    alignment; expected is the mean of the same on the ideal alignments of random continua. Options
    as for gamma.

    Mathet, Y. (2017). The agreement measure γcat, a complement to γ focused on categorization of a
    continuum. *Computational Linguistics* 43(3).

    >>> rows = [("d", a, s, s + 5, c) for a in "AB" for s, c in ((0, "x"), (20, "y"), (41, "x"))]
    >>> gamma_cat(Units.from_rows(rows)).value
    1.0
    """
    found, mark = _studied("gamma-cat", **dict(locals()))
    return _result("gamma-cat", found, units, mark, len(units.categories))


@measure(
    "gamma-k",
    title="γ-k",
    shape="units",
    question="agree",
    citation=_CITATION,
    range=(-float("inf"), 1.0),
    aliases=("γ-k", "gammak"),
    chance=True,
    use="Which categories the annotators of aligned units agree on: one value for each.",
    options=(*DISTANCE, *SAMPLING),
)
def gamma_k(
    units: Units,
    *,
    alpha: float | None = None,
    beta: float | None = None,
    delta: float | None = None,
    matrix: str | Path | NDArray[np.float64] | None = None,
    positional: str = "sporadic",
    categorical: str = "nominal",
    forbid: bool = False,
    chance: str = "statistical",
    expected: str | None = None,
    samples: int = 30,
    precision: float | None = None,
    ground_truth: Sequence[str] | None = None,
    time_limit: float | None = None,
    seed: int = 0,
    jobs: int = 1,
    progress: Callable[[int, int], None] | None = None,
) -> tuple[Result, ...]:
    """γ-k of each category k: γ-cat over the pairs with at least one unit of category k.

    One result per category, named in ``terms["category"]``, with its number of units. Options as
    for gamma (Mathet 2017).

    >>> rows = [("d", a, s, s + 5, c) for a in "AB" for s, c in ((0, "x"), (20, "y"), (41, "x"))]
    >>> [(r.terms["category"], r.value) for r in gamma_k(Units.from_rows(rows))]
    [('x', 1.0), ('y', 1.0)]
    """
    found, mark = _studied("gamma-k", **dict(locals()))
    return tuple(
        _result("gamma-k", found, units, mark, k, category=name)
        for k, name in enumerate(units.categories)
    )


def _by_category(units: Units, options: Mapping[str, Any]) -> Sequence[Row]:
    """γ-k of each category."""
    rows = []
    for result in gamma_k(units, **options):
        row: dict[str, Any] = {
            "category": result.terms["category"],
            "value": result.value,
            "observed": result.observed,
            "expected": result.expected,
            "n": result.n,
        }
        if result.undefined is not None:
            row["undefined"] = result.undefined
        rows.append(row)
    return rows


def _studied(
    name: str,
    *,
    units: Units,
    chance: str,
    expected: str | None,
    samples: int,
    precision: float | None,
    ground_truth: Sequence[str] | None,
    time_limit: float | None,
    seed: int,
    jobs: int,
    progress: Callable[[int, int], None] | None,
    **options: Any,
) -> tuple[Study, str]:
    d = unit_dissimilarity(units.categories, **options)
    how = Sampling(
        chance=chance,
        samples=samples,
        precision=precision,
        seed=seed,
        jobs=jobs,
        by_category=True,
        time_limit=time_limit,
    )
    found = study(units, d, how, expected=expected, ground_truth=ground_truth, progress=progress)
    words = {**d.words(), "chance": chance, "expected": found.scope, "samples": samples}
    if precision is not None:
        words["precision"] = precision
    words["ground-truth"] = None if ground_truth is None else "+".join(ground_truth)
    return found, signature(name, len(units), **words, seed=seed)


def _result(
    name: str,
    found: Study,
    units: Units,
    mark: str,
    k: int,
    *,
    category: str | None = None,
) -> Result:
    label = units.label
    n = int((label == k).sum()) if category is not None else len(units)
    terms = found.terms()
    if category is not None:
        terms = {"category": category, **terms}
    common: dict[str, Any] = {
        "measure": name,
        "n": n,
        "signature": mark,
        "warnings": (*found.notes, *units.notes),
        "annotators": units.annotators,
    }
    nan = float("nan")
    if found.undefined is not None:
        return Result(value=nan, terms=terms, undefined=found.undefined, **common)
    numerator = np.array([t.numerator[k] for t in found.tallies])
    weight = np.array([t.denominator[k] for t in found.tallies])
    e = np.nan_to_num(found.chance(k))
    rows = np.column_stack([numerator, weight * e, weight])
    observed, chance, total = rows.sum(axis=0).tolist()
    terms["pairs_weight"] = total
    subject = (
        "no aligned pair" if category is None else f"no aligned pair has category {category!r}"
    )
    undefined = None
    if total == 0:
        undefined = f"{subject} overlaps" if category is None else subject
    elif chance == 0:
        undefined = "chance alone gives no disagreement on categories"
    if undefined is not None:
        mean = None if total == 0 else observed / total
        return Result(value=nan, observed=mean, terms=terms, undefined=undefined, **common)
    low, high = found.sampling_interval(observed, k, weight)
    terms |= {
        "precision": found.precision(k, weight),
        "sampling": {"low": low, "high": high, "level": 0.95},
    }
    common["warnings"] += found.cautions(terms["precision"])
    return Result(
        value=1 - observed / chance,
        observed=observed / total,
        expected=chance / total,
        terms=terms,
        sample=Sample(
            rows=rows,
            score=_score,
            keys=tuple(x.name for x in found.documents),
            unit="document",
            weight=weight,
            noise=found.noise(observed / chance, k, weight),
        ),
        **common,
    )


def _score(totals: Array) -> dict[str, Array]:
    with np.errstate(divide="ignore", invalid="ignore"):
        return {
            "value": 1 - totals[:, 0] / totals[:, 1],
            "observed": totals[:, 0] / totals[:, 2],
            "expected": totals[:, 1] / totals[:, 2],
        }
