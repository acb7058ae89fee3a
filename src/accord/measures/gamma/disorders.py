"""γ and the holistic measure: agreement as disorder below that of chance."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord.data.units import Units
from accord.distance.units import OwnFunction, unit_dissimilarity
from accord.measures.gamma.breakdowns import by_category, by_document
from accord.measures.gamma.expected import Sampling
from accord.measures.gamma.options import CHANCE, DISSIMILARITY, DISTANCE, SAMPLING
from accord.measures.gamma.study import Study, study
from accord.registry import measure
from accord.result import Array, Result, Sample, signature

_USE = (
    "Units that annotators locate and label freely on a text or recording (gaps, overlaps, nesting "
    "allowed). Not for items given in advance, nor for complete segmentations."
)


@measure(
    "gamma",
    title="γ",
    shape="units",
    question="agree",
    citation="Mathet, Widlöcher and Métivier 2015, Computational Linguistics 41(3)",
    range=(-float("inf"), 1.0),
    aliases=("γ",),
    chance=True,
    use=_USE,
    breakdowns={"document": by_document, "category": by_category},
    options=(*DISTANCE, DISSIMILARITY, *SAMPLING),
)
def gamma(
    units: Units,
    *,
    alpha: float | None = None,
    beta: float | None = None,
    delta: float | None = None,
    matrix: str | Path | NDArray[np.float64] | None = None,
    positional: str = "sporadic",
    categorical: str = "nominal",
    forbid: bool = False,
    dissimilarity: OwnFunction | None = None,
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
    """γ = 1 − observed disorder / expected disorder, both of ideal alignments.

    .. math:: \\gamma = 1 - \\frac{D_o}{D_e}, \\quad
       D = \\frac{1}{\\bar x} \\sum_K \\delta(K), \\quad
       \\delta(K) = \\Delta + \\frac{1}{C} \\sum_{u,v \\in K} (d(u,v) - \\Delta), \\quad
       d = \\alpha d_{pos} + \\beta d_{cat}

    over the unitary alignments K of the alignment with least disorder and their pairs of real
    units; :math:`C = n(n-1)/2` for n annotators, :math:`\\bar x` the units per annotator. The
    expected disorder is the mean over random continua. A corpus has one value, 1 − Σ observed /
    Σ expected, each document weighted by its units per annotator.

    * `alpha`, `beta`, `delta`, `matrix`, `positional`, `categorical`, `forbid`, `dissimilarity`: see
      :func:`accord.distance.units.unit_dissimilarity`.
    * `chance`: statistical, shuffle, random1, random2, or min, the severest of them.
    * `expected`: chance for each document by itself, or for the corpus (the default with several
      documents): then categories, gaps and durations are drawn from all documents.
    * `samples`, `precision`: at least so many random continua, and until the expected disorder is
      known to this relative precision (0.02: within ± 2 % with 95 % confidence).
    * `ground_truth`: annotators that alone are imitated by chance.
    * `time_limit`: seconds per alignment; what is then missing of a proof is in the terms.

    Mathet, Y., Widlöcher, A. and Métivier, J.-P. (2015). The unified and holistic method gamma (γ)
    for inter-annotator agreement measure and alignment. *Computational Linguistics* 41(3).

    Deviations: `alpha` is 1, as in the paper; the authors' program uses 3.

    >>> rows = [("d", a, s, s + 5, c) for a in "AB" for s, c in ((0, "x"), (20, "y"), (41, "x"))]
    >>> gamma(Units.from_rows(rows)).value
    1.0
    """
    return _measured("gamma", **_named(locals()))


@measure(
    "holistic",
    title="Holistic agreement (2011)",
    shape="units",
    question="agree",
    citation="Mathet and Widlöcher 2011, TALN",
    range=(-float("inf"), 1.0),
    aliases=("holistic-2011",),
    chance=True,
    use=_USE + " The predecessor of gamma, kept to compare with published values.",
    breakdowns={"document": by_document, "category": by_category},
    options=(*DISTANCE, DISSIMILARITY, CHANCE.but(default="min"), *SAMPLING[1:]),
)
def holistic(
    units: Units,
    *,
    alpha: float | None = None,
    beta: float | None = None,
    delta: float | None = None,
    matrix: str | Path | NDArray[np.float64] | None = None,
    positional: str = "sporadic",
    categorical: str = "nominal",
    forbid: bool = False,
    dissimilarity: OwnFunction | None = None,
    chance: str = "min",
    expected: str | None = None,
    samples: int = 30,
    precision: float | None = None,
    ground_truth: Sequence[str] | None = None,
    time_limit: float | None = None,
    seed: int = 0,
    jobs: int = 1,
    progress: Callable[[int, int], None] | None = None,
) -> Result:
    """(e_random − e_obs) / e_random, e the entropy of the ideal alignment.

    .. math:: \\frac{e_{random} - e_{obs}}{e_{random}}, \\quad
       e = \\frac{1}{|A|} \\sum_{K \\in A} \\delta(K), \\quad
       d_{pos} = \\left(\\frac{|s_u-s_v|+|e_u-e_v|}{(len_u+len_v)/2}\\right)^2, \\quad \\Delta = 4

    The alignment A minimises the mean of δ, a fractional objective solved exactly (Dinkelbach's
    iteration). :math:`e_{random}` is the least of the mean entropies that the chance models give
    (`chance` is min). A corpus: the mean over all unitary alignments of all documents. Options as
    for gamma.

    Mathet, Y. and Widlöcher, A. (2011). Une approche holiste et unifiée de l'alignement et de la
    mesure d'accord inter-annotateurs. *TALN*.

    Deviations: the paper's program aligned by its Algorithm 1, an approximation; here the alignment
    is ideal, and the terms say what Algorithm 1 would have given.

    >>> rows = [("d", a, s, s + 5, c) for a in "AB" for s, c in ((0, "x"), (20, "y"), (41, "x"))]
    >>> holistic(Units.from_rows(rows)).value
    1.0
    """
    return _measured("holistic", **_named(locals()))


def _named(arguments: dict[str, Any]) -> dict[str, Any]:
    return dict(arguments)


def _measured(
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
    dissimilarity: OwnFunction | None,
    **options: Any,
) -> Result:
    d = unit_dissimilarity(units.categories, objective=name, own=dissimilarity, **options)
    how = Sampling(
        chance=chance,
        samples=samples,
        precision=precision,
        seed=seed,
        jobs=jobs,
        by_category=False,
        time_limit=time_limit,
    )
    found = study(units, d, how, expected=expected, ground_truth=ground_truth, progress=progress)
    words = {**d.words(), "chance": chance, "expected": found.scope, "samples": samples}
    if precision is not None:
        words["precision"] = precision
    words["ground-truth"] = None if ground_truth is None else "+".join(ground_truth)
    mark = signature(name, len(units), **words, seed=seed)
    return disorder_result(name, found, units, mark)


def disorder_result(name: str, found: Study, units: Units, mark: str) -> Result:
    """1 − Σ observed / Σ expected, with documents as resampling units."""
    common: dict[str, Any] = {
        "measure": name,
        "n": len(units),
        "signature": mark,
        "warnings": (*found.notes, *units.notes),
        "annotators": units.annotators,
    }
    if found.undefined is not None:
        return Result(value=float("nan"), terms=found.terms(), undefined=found.undefined, **common)
    weights, e = found.weights, found.chance()
    rows = np.column_stack([[t.total for t in found.tallies], weights * e, weights])
    observed, chance, weight = rows.sum(axis=0).tolist()
    terms = found.terms()
    common["warnings"] += found.cautions(terms["precision"])
    if chance == 0:
        return Result(
            value=float("nan"),
            observed=observed / weight,
            expected=0.0,
            terms=terms,
            undefined="chance alone gives no disorder",
            **common,
        )
    low, high = found.sampling_interval(observed)
    terms |= {"sampling": {"low": low, "high": high, "level": 0.95}}
    return Result(
        value=1 - observed / chance,
        observed=observed / weight,
        expected=chance / weight,
        terms=terms,
        sample=Sample(
            rows=rows,
            score=_score,
            keys=tuple(x.name for x in found.documents),
            unit="document",
            weight=weights,
            noise=found.noise(observed / chance),
        ),
        **common,
    )


def _score(totals: Array) -> dict[str, Array]:
    observed, chance, weight = totals[:, 0], totals[:, 1], totals[:, 2]
    with np.errstate(divide="ignore", invalid="ignore"):
        return {
            "value": 1 - observed / chance,
            "observed": observed / weight,
            "expected": chance / weight,
        }
