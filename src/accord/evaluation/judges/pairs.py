"""Judges two by two: whose answers are nearer to people's."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from itertools import combinations

import numpy as np

from accord.data import Ratings
from accord.evaluation.judges.labels import Labels
from accord.measures.ratio import ratio_of_totals
from accord.result import Result, Row, Sample, signature
from accord.uncertainty.family import comparisons


def compare_judges(
    data: Ratings, labels: Mapping[str, Labels], *, level: float, resamples: int, seed: int
) -> list[Row]:
    """Difference of the mean error |f − Y| of each two judges on the items both answered.

    Documents are kept together when the data have them; p-values are corrected by Holm's method.
    """
    pairs = []
    for a, b in combinations(labels, 2):
        shared = set(_labelled(labels[a])) & set(_labelled(labels[b]))
        if len(shared) < 2:
            continue
        keys = [key for key in data.items if key in shared]
        one, two = (_error(name, labels[name], keys, data) for name in (a, b))
        pairs.append(((a, one), (b, two)))
    rows = comparisons(pairs, level=level, resamples=resamples, seed=seed)
    return [
        {**row, "error_a": one.value, "error_b": two.value, "items": one.n}
        for row, ((_, one), (_, two)) in zip(rows, pairs, strict=True)
    ]


def difference(
    data: Ratings, labels: Mapping[str, Labels], judge: str, against: str, **how: object
) -> Row:
    """Return how much nearer to people's the judge's answers are: mean errors, against's − judge's.

    1 − |f − Y| is the share of people who answer the same, where answers are yes or no.
    """
    ours, theirs = labels[judge], labels[against]
    shared = set(_labelled(ours)) & set(_labelled(theirs))
    keys = [key for key in data.items if key in shared]
    if len(keys) < 2:
        return as_difference(judge, against, {"undefined": "they share fewer than two items"}, how)
    # (the smaller error is the better answer)
    errors = (
        (against, _error(against, theirs, keys, data)),
        (judge, _error(judge, ours, keys, data)),
    )
    (row,) = comparisons([errors], **how)
    return as_difference(judge, against, row, how)


def as_difference(judge: str, against: str, row: Row, how: Mapping[str, object]) -> Row:
    """Return what is said of a difference of two judges, from the row that compares them."""
    margin = how.get("margin")
    return {
        "judge": judge,
        "against": against,
        "value": row.get("difference"),
        "interval": row.get("interval"),
        "p": row.get("p"),
        "test": row.get("test"),
        "n": row.get("n", 0),
        **({} if margin is None else {"margin": margin, "p_margin": row.get("p_margin")}),
        **({"undefined": row["undefined"]} if "undefined" in row else {}),
    }


def _labelled(labels: Labels) -> list[Hashable]:
    return [labels.items[i] for i in np.flatnonzero(labels.m > 0).tolist()]


def _error(name: str, labels: Labels, keys: list[Hashable], data: Ratings) -> Result:
    place = {key: i for i, key in enumerate(labels.items)}
    errors = np.abs(labels.f - labels.y)[[place[key] for key in keys]]
    at = {key: i for i, key in enumerate(data.items)}
    cluster = None
    if data.document is not None:
        cluster = data.document[[at[key] for key in keys]]
    return Result(
        measure="error",
        value=float(errors.mean()),
        n=len(keys),
        signature=signature("error", len(keys)),
        system=name,
        sample=Sample(
            rows=np.column_stack([errors, np.ones(len(errors))]),
            score=ratio_of_totals,
            keys=keys,
            cluster=cluster,
            clusters=data.documents if cluster is not None else (),
        ),
    )
