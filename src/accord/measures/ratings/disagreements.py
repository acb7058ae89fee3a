"""Where the ratings disagree: by category, item, annotator, batch, and the confusions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from accord.data import Ratings
from accord.data.label_sets import label_names
from accord.errors import UsageError
from accord.measures.ratings.coincidences import coincidences, confused
from accord.measures.ratings.result import refuse_counts
from accord.registry import Breakdown, find
from accord.result import Row
from accord.study import Study
from accord.study import by_annotator as generic_by_annotator

#: categories broken down at most: one coefficient each
_MOST_CATEGORIES = 500


#: options about the values themselves, which two classes no longer have
_OF_VALUES = ("metric", "weights", "period", "taxonomy")


def by_category(study: Study) -> Sequence[Row]:
    """Each category against the rest, and its specific agreement.

    Specific agreement is the chance that, an annotator having chosen the category, another annotator
    of the same item chose it too.
    """
    ratings = _ratings(study)
    if len(ratings.values) > _MOST_CATEGORIES:
        raise UsageError(
            f"{len(ratings.values)} categories are too many to break down (at most "
            f"{_MOST_CATEGORIES}); merge some first"
        )
    coincidence = coincidences(ratings)
    rows = []
    for k, label in enumerate(ratings.labels):
        alone = against_rest(study, ratings, k)
        total = coincidence[k].sum()
        rows.append(
            {
                "category": label,
                **alone.row(),
                "specific_agreement": float(coincidence[k, k] / total) if total else float("nan"),
                "share": float(total / coincidence.sum()) if coincidence.sum() else float("nan"),
            }
        )
    return rows


def against_rest(study: Study, ratings: Ratings, k: int) -> Study:
    """The same question about one category against all others together, which have no order."""
    return study.of(ratings.against_rest(k), leave=_OF_VALUES)


def by_label(study: Study) -> Sequence[Row]:
    """Each label alone, given to an item or not; `count` ratings hold it, `prevalence` is their share.

    Sets are taken apart over the items that each annotator rated. The mean of these values is not the
    value of the sets, and is not shown.
    """
    ratings = _ratings(study)
    names = (
        tuple(dict.fromkeys((*ratings.universe, *label_names(ratings.values))))
        if ratings.kind == "sets"
        else ratings.labels
    )
    if len(names) > _MOST_CATEGORIES:
        raise UsageError(
            f"{len(names)} labels are too many to break down (at most {_MOST_CATEGORIES}); merge "
            "some first"
        )
    rows = []
    for name in names:
        alone = ratings.with_label(name)
        times = 1 if ratings.multiplicity is None else ratings.multiplicity[alone.item]
        count = int(np.sum((alone.code == 1) * times))
        rows.append(
            {
                "label": name,
                **study.of(alone, leave=_OF_VALUES).row(),
                "prevalence": count / ratings.n_ratings if ratings.n_ratings else float("nan"),
                "count": count,
            }
        )
    return rows


def by_item(study: Study) -> Sequence[Row]:
    """Items from the most disputed to the most agreed, with every annotator's choice."""
    from accord.distance.categories import category_metric, mid_ranks
    from accord.measures.ratings.profiles import anonymous_profiles, pair_sums

    ratings, options = _ratings(study).single(), study.options
    profiles = anonymous_profiles(ratings)
    sizes = profiles.per_item
    metric = category_metric(
        options.get("metric", "nominal"),
        ratings.values,
        kind=ratings.kind,
        ordered=ratings.ordered,
        period=options.get("period"),
        taxonomy=options.get("taxonomy"),
    )
    pairs: Any = metric.pairs
    if metric.by_rank:
        ranks = mid_ranks(np.bincount(ratings.code, minlength=metric.size).astype(float))
        pairs = lambda c, k: (ranks[c] - ranks[k]) ** 2  # noqa: E731
    apart = pair_sums(profiles, pairs) / np.maximum(1, sizes * (sizes - 1))
    rows = []
    order = np.argsort(-apart[profiles.index], kind="stable")
    labels = ratings.labels
    for i in order.tolist():
        here = slice(ratings.indptr[i], ratings.indptr[i + 1])
        if ratings.indptr[i + 1] - ratings.indptr[i] < 2:
            continue
        rows.append(
            {
                "item": ratings.items[i],
                "disagreement": float(apart[profiles.index[i]]),
                "values": {
                    ratings.annotators[a]: labels[c]
                    for a, c in zip(ratings.annotator[here], ratings.code[here], strict=True)
                },
            }
        )
    return rows


def by_annotator(study: Study) -> Sequence[Row]:
    """Leave-one-out, mean pairwise, and agreement with the majority of the others."""
    ratings = _ratings(study)
    rows = generic_by_annotator(study)
    return [{**row, **with_others(ratings, a)} for a, row in enumerate(rows)]


def with_others(ratings: Ratings, annotator: int) -> dict[str, Any]:
    """How often an annotator gives the (only) most frequent value of the others."""
    q = len(ratings.values)
    item = ratings.item
    own = ratings.annotator == annotator
    mine = np.full(len(ratings.indptr) - 1, -1, dtype=np.int64)
    mine[item[own]] = ratings.code[own]
    there = mine[item] >= 0
    key = item[there & ~own] * q + ratings.code[there & ~own]
    cells, votes = np.unique(key, return_counts=True)
    items, codes = cells // q, cells % q
    times = np.ones(len(mine)) if ratings.multiplicity is None else ratings.multiplicity
    most = np.zeros(len(mine), dtype=np.int64)
    np.maximum.at(most, items, votes)
    top = votes == most[items]
    tied = np.bincount(items[top], minlength=len(mine)) != 1
    judged = np.flatnonzero(~tied & (mine >= 0))
    majority = np.full(len(mine), -1)
    majority[items[top]] = codes[top]
    agree = float((times[judged] * (majority[judged] == mine[judged])).sum())
    return {
        "with_majority": agree / float(times[judged].sum()) if len(judged) else float("nan"),
        "ratings": int(times[item[own]].sum()),
    }


def by_time(study: Study) -> Sequence[Row]:
    """The measure on each batch or moment."""
    ratings = _ratings(study)
    if ratings.time is None:
        raise UsageError(
            "the data have no time or batch column; name it with `columns={time: NAME}`"
        )
    return [
        {"time": name, **study.of(ratings.take(np.flatnonzero(ratings.time == t))).row()}
        for t, name in enumerate(ratings.times)
    ]


def by_coincidence(study: Study) -> Sequence[Row]:
    """Krippendorff's coincidence matrix, the non-empty cells."""
    ratings = _ratings(study)
    matrix = coincidences(ratings)
    labels = ratings.labels
    return [
        {"first": labels[c], "second": labels[k], "coincidences": float(matrix[c, k])}
        for c, k in np.argwhere(matrix > 0).tolist()
    ]


def by_confusion(study: Study) -> Sequence[Row]:
    """What each ordered pair of annotators chose on the items they share."""
    from itertools import combinations

    ratings = _ratings(study)
    refuse_counts(ratings, "the confusion of two annotators")
    rows: list[Row] = []
    labels = ratings.labels
    for g, h in combinations(range(len(ratings.annotators)), 2):
        cells = (x.tolist() for x in confused(ratings, g, h))
        rows.extend(
            {
                "annotator": ratings.annotators[g],
                "other": ratings.annotators[h],
                "value": labels[c],
                "other_value": labels[k],
                "items": int(items),
            }
            for c, k, items in zip(*cells, strict=True)
            if items
        )
    return rows


def by_repeats(study: Study) -> Sequence[Row]:
    """Consistency of each annotator with themselves, from items they rated more than once."""
    ratings = _ratings(study)
    rows = []
    for a, name in enumerate(ratings.annotators):
        repeats = [codes for _, who, codes in ratings.repeats if who == a]
        if not repeats:
            continue
        width = max(map(len, repeats))
        matrix = [[codes[j] if j < len(codes) else None for codes in repeats] for j in range(width)]
        again = Ratings.from_matrix(
            [[None if c is None else ratings.labels[c] for c in row] for row in matrix],
            orientation="annotators",
            categories=ratings.labels if ratings.declared else None,
        )
        rows.append(
            {
                "annotator": name,
                "items": len(repeats),
                "same": find("percent").function(again).value,
                "alpha": find("alpha").function(again).value,
            }
        )
    return rows


def _ratings(study: Study) -> Ratings:
    if not isinstance(study.data, Ratings):
        raise UsageError(f"this breakdown is for ratings, the data are {study.data.shape}")
    return study.data


BREAKDOWNS: Mapping[str, Breakdown] = {
    "category": by_category,
    "label": by_label,
    "item": by_item,
    "annotator": by_annotator,
    "time": by_time,
    "coincidence": by_coincidence,
    "confusion": by_confusion,
    "repeats": by_repeats,
}
#: of measures of numbers: one value against all the others is no number
OF_NUMBERS: Mapping[str, Breakdown] = {k: v for k, v in BREAKDOWNS.items() if k != "category"}
