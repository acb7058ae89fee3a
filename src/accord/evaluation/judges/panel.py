"""Several judges: how alike their errors are, and the vote of all of them as one more judge."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from accord.data import Ratings
from accord.data.ratings import label_of
from accord.evaluation.judges.labels import Array, Labels

PANEL = "panel"


def panel_of(judges: Ratings, order: Sequence[str]) -> Ratings:
    """The judges' most frequent value on each item, as one annotator; ties go to the first named."""
    from accord.data.tables import ratings_from_long

    K = len(judges.values)
    votes = np.zeros((len(judges.items), K))
    np.add.at(votes, (judges.item, judges.code), 1.0)
    priority = {judges.annotators.index(name): k for k, name in enumerate(order)}
    rank = np.array([priority[a] for a in judges.annotator])
    # a share of a vote, less for each later judge, decides among equals and nothing else
    np.add.at(votes, (judges.item, judges.code), 0.5 ** (2 + rank.astype(np.float64)))
    answered = np.flatnonzero(votes.sum(axis=1) > 0)
    best = np.argmax(votes[answered], axis=1)
    keys = [judges.items[i] for i in answered.tolist()]
    found = ratings_from_long(
        keys,
        [PANEL] * len(answered),
        [judges.values[k] for k in best],
        kind=judges.kind,
        categories=judges.labels if judges.kind == "categories" else None,
    )
    # items without names of their own are numbers: they stay the judges' own
    known = {label_of(key): key for key in keys}
    return replace(found, items=tuple(known[label_of(name)] for name in found.items))


def error_correlation(labels: Mapping[str, Labels]) -> dict[str, Any]:
    """Correlation of |f − Y| between judges over the items people labelled, and what it leaves.

    .. math:: k_{eff} = k / (1 + (k - 1) \\bar r)

    Judges that err on the same items count for fewer than they are.
    """
    names = list(labels)
    shared = set.intersection(
        *({x.items[i] for i in np.flatnonzero(x.m > 0).tolist()} for x in labels.values())
    )
    columns = []
    for one in labels.values():
        errors = np.abs(one.f - one.y)
        place = {key: i for i, key in enumerate(one.items)}
        columns.append([errors[place[key]] for key in sorted(shared, key=str)])
    table: Array = np.array(columns)
    k = len(names)
    matrix = np.full((k, k), np.nan)
    for a in range(k):
        for b in range(k):
            if table.shape[1] > 2 and table[a].std() > 0 and table[b].std() > 0:
                matrix[a, b] = float(np.corrcoef(table[a], table[b])[0, 1])
    off = matrix[~np.eye(k, dtype=bool)]
    mean = float(np.nanmean(off)) if np.any(np.isfinite(off)) else float("nan")
    below = 1 + (k - 1) * mean
    return {
        "judges": names,
        "correlation": matrix.tolist(),
        "mean_correlation": mean,
        "effective_number": k / below if np.isfinite(mean) and below > 0 else float("nan"),
        "items": table.shape[1],
    }
