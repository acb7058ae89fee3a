"""From a sample of ratings to a Result: value, terms, signature, and why it is undefined."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from accord.data import Ratings
from accord.errors import InputError, UsageError
from accord.measures.ratings.profiles import are_shares
from accord.result import Result, Sample, signature


def refuse_one_annotator(ratings: Ratings, name: str) -> None:
    """Agreement needs two annotators."""
    if len(ratings.annotators) < 2:
        who = ratings.annotators[0] if ratings.annotators else "none"
        raise InputError(
            f"{name} needs at least two annotators, got one ({who!r})"
            if ratings.annotators
            else f"{name} needs at least two annotators, got none",
            hint="give the files of the others too, name the annotator column, or pass `wide=True` "
            "for one column per annotator",
        )


def refuse_counts(ratings: Ratings, name: str) -> None:
    """Measures with a chance of each annotator, or pairs of them, need to tell annotators apart."""
    if ratings.anonymous:
        raise UsageError(
            f"{name} needs to know who gave which rating, and these are counts per category; use a "
            "measure that takes annotators as interchangeable: alpha, fleiss, s, ac1, percent"
            + ("" if ratings.engine is None else "; or choose annotators with `annotators`")
        )


def ratings_result(
    name: str,
    ratings: Ratings,
    sample: Sample,
    *,
    options: Mapping[str, Any],
    warnings: Sequence[str] = (),
    disagreement: bool = False,
    undefined: Callable[[Ratings], str | None] | None = None,
    n: int | None = None,
) -> Result:
    """Score the whole sample once and say what it rests on: `n` items, or those rated twice or more.

    `disagreement`: the terms are D_o and D_e, shown as observed = 1 − D_o where D is a share.
    `undefined` says why there is no value, where it is not a matter of chance.
    """
    scored = sample.score(sample.totals())
    terms = {k: float(np.real(v[0])) for k, v in scored.items() if k != "value"}
    value = float(np.real(scored["value"][0]))
    pairable = int(((ratings.per_item >= 2) * _times(ratings)).sum())
    if ratings.sums is not None:
        pairable = ratings.sums.pairable
    n = pairable if n is None or not pairable else n
    if disagreement:
        observed, expected = terms.get("D_o"), terms.get("D_e")
    else:
        observed, expected = terms.get("A_o"), terms.get("A_e")
    why = None if undefined is None else undefined(ratings)
    return Result(
        measure=name,
        value=value,
        observed=observed,
        expected=expected,
        terms={**terms, "floor": least_agreement(ratings)},
        n=n,
        signature=signature(name, n, **options),
        undefined=why or _why(ratings, n),
        warnings=(*ratings.notes, *_of_weights(ratings), *warnings),
        annotators=ratings.annotators,
        sample=sample,
    )


def _of_weights(ratings: Ratings) -> tuple[str, ...]:
    if ratings.weights is None or not are_shares(ratings.weights):
        return ()
    return ("some items weigh less than 1: the weights count relative to their mean",)


def _why(ratings: Ratings, n: int) -> str:
    if n == 0:
        return "no item was rated by two annotators"
    used = np.unique(ratings.code)
    if len(used) == 1:
        label = ratings.labels[used[0]]
        return f"all values are {label!r}: with one category there is no chance model (0/0)"
    return "expected agreement is total, so chance cannot be told from agreement (0/0)"


def least_agreement(ratings: Ratings) -> float:
    """The least share of agreeing pairs that is attainable at all.

    Two categories and three annotators must agree on a third of the pairs. With r ratings over q
    categories, the least is reached by spreading them evenly.
    """
    if ratings.sums is not None:
        return 0.0  # more values than an item has ratings
    sizes, place = np.unique(ratings.per_item, return_inverse=True)
    counts = np.bincount(place, weights=ratings.multiplicity)
    q = max(1, len(ratings.values))
    kept = sizes >= 2
    if not kept.any():
        return float("nan")
    r = sizes[kept].astype(float)
    full, rest = np.divmod(r, q)
    pairs = (rest * (full + 1) * full + (q - rest) * full * (full - 1)) / (r * (r - 1))
    return float((pairs * counts[kept]).sum() / counts[kept].sum())


def _times(ratings: Ratings) -> Any:
    return 1 if ratings.multiplicity is None else ratings.multiplicity
