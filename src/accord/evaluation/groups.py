"""Groups of annotators: agreement within and between them, and whether a group stands apart.

Cross-replication reliability (κ_x) compares two groups, or two campaigns, on the same items; the
group association index (GAI) asks whether a group agrees more with itself than with the others.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord.data import Annotations, Ratings
from accord.distance.categories import squared_distances
from accord.errors import InputError, UsageError, some
from accord.evaluation.discoveries import benjamini_hochberg
from accord.options import LEVEL
from accord.result import Result, Row, Sample, signature
from accord.study import Certainty
from accord.study.ask import Ask
from accord.study.choice import choose
from accord.uncertainty import interval
from accord.uncertainty.family import between_campaigns, between_measures, comparisons

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class GroupStudy:
    """Each group with its agreement within and with the rest, and each pair of groups."""

    groups: tuple[Row, ...]
    pairs: tuple[Row, ...]
    metric: str
    permutations: int
    signature: str
    warnings: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, object]:
        return {
            "groups": [dict(r) for r in self.groups],
            "pairs": [dict(r) for r in self.pairs],
            "metric": self.metric,
            "permutations": self.permutations,
            "signature": self.signature,
            "warnings": list(self.warnings),
        }


def cross_replication(first: Ratings, second: Ratings, *, metric: str = "nominal") -> Result:
    r"""κ_x: agreement between two groups of annotators on the items that both rated.

    .. math:: \kappa_x = 1 - D_o / D_e, \quad
       D_o = \frac{1}{R+S} \sum_i \frac{R_i+S_i}{R_i S_i} \sum_{r,s} \delta(x_{ir}, y_{is}), \quad
       D_e = \frac{1}{RS} \sum_{r,s} \delta(x_r, y_s)

    R_i, S_i are the ratings of item i in each group, R and S their sums. The second sum of D_e runs
    over all ratings of the one group and all of the other.

    Wong, Paritosh and Aroyo (2021). Cross-replication reliability: an empirical approach to
    interpreting inter-rater reliability. ACL.

    >>> x = Ratings.from_matrix([["b", "b", "a"], ["b", "b", "a"]])
    >>> round(cross_replication(x, x).value, 3)
    1.0
    """
    x, y, labels, shared = _shared_counts(first, second)
    keys = [first.items[i] for i in shared.tolist()]
    cluster = None if first.document is None else first.document[shared]
    R, S = x.sum(axis=1), y.sum(axis=1)
    D = _distances(first, second, labels, metric, (x + y).sum(axis=0))
    per_item = (
        np.einsum("ik,kl,il->i", x, D, y) if len(labels) <= 50 else np.sum((x @ D) * y, axis=1)
    )
    K = len(labels)
    rows = np.column_stack([(R + S) / (R * S) * per_item, R + S, x, y])

    def score(totals: Array) -> Mapping[str, Array]:
        with np.errstate(invalid="ignore", divide="ignore"):
            D_o = totals[:, 0] / totals[:, 1]
            X, Y = totals[:, 2 : 2 + K], totals[:, 2 + K :]
            D_e = np.sum((X @ D) * Y, axis=1) / (X.sum(axis=1) * Y.sum(axis=1))
            return {"value": 1 - D_o / D_e, "observed": D_o, "expected": D_e}

    found = {k: float(v[0]) for k, v in score(rows.sum(axis=0)[None, :]).items()}
    D_o, D_e = found["observed"], found["expected"]
    return Result(
        measure="xrr",
        value=found["value"],
        observed=D_o,
        expected=D_e,
        terms={"D_o": D_o, "D_e": D_e},
        n=len(rows),
        signature=signature("xrr", len(rows), metric=metric),
        undefined="both groups always give the same value"
        if len(rows)
        else "the groups share no item",
        sample=Sample(
            rows=rows,
            score=score,
            graded=True,
            cluster=cluster,
            clusters=first.documents,
            keys=keys,
        ),
    )


def replication(
    first: Ratings, second: Ratings, *, metric: str = "nominal", level: float = LEVEL, seed: int = 0
) -> Row | None:
    """Two campaigns on the same items: κ_x with its interval, and both α; None when none is shared.

    *normalised* is κ_x/√(α·α'): how near the campaigns come to each other, given how near each comes to
    itself. Documents are left out whole when the data have them.

    >>> x = Ratings.from_matrix([["b", "b", "a", "a"], ["b", "b", "a", "b"]])
    >>> row = replication(x, x)
    >>> round(row["kappa_x"], 3), row["items"]
    (0.733, 4)
    """
    found = cross_replication(first, second, metric=metric)
    if not found.n:
        return None
    a, b = _alpha(first, second, metric), _alpha(second, first, metric)
    made = interval(found, "auto", level=level, seed=seed).interval
    row: dict[str, Any] = {
        "kappa_x": None if found.undefined else found.value,
        "alpha_this": a,
        "alpha_other": b,
        "normalised": _normalised(found.value, a, b),
        "items": found.n,
    }
    if made is not None:
        row |= {"low": max(-1.0, made.low), "high": min(1.0, made.high)}
    return row


def _normalised(between: float, first: float | None, second: float | None) -> float | None:
    """κ_x/√(α·α'); None where a campaign does not agree with itself."""
    if first is None or second is None or first <= 0 or second <= 0:
        return None
    return between / float(np.sqrt(first * second))


def compare_groups(
    data: Ratings,
    groups: Mapping[str, str],
    *,
    metric: str = "nominal",
    permutations: int = 999,
    seed: int = 0,
) -> GroupStudy:
    """Agreement within and between groups of annotators, tested by shuffling who is in which group.

    `groups` gives the group of each annotator; annotators without one are left out and named. For each
    group: α within it, κ_x with all others, and the association index GAI = α / κ_x (1 when the group
    agrees with itself no more than with the rest), with the p-value of a permutation of the annotators
    over the groups, p = (1 + min(#≤, #≥)) / (permutations + 1), and Benjamini–Hochberg's correction.

    Prabhakaran et al. (2024). GRASP: a disagreement analysis framework to assess group associations in
    perspectives. NAACL.
    """
    known = [a for a in data.annotators if a in groups]
    left = [a for a in data.annotators if a not in groups]
    if not known:
        raise InputError(f"no annotator has a group; the annotators are {some(data.annotators)}")
    names = list(dict.fromkeys(groups[a] for a in known))
    if len(names) < 2:
        raise UsageError(f"groups are compared when there are two or more, got {some(names)}")
    data = data.select(annotators=known)
    member = np.array([names.index(groups[a]) for a in known])
    rng = np.random.default_rng(seed)
    shuffled = [rng.permutation(member) for _ in range(permutations)]
    rows: list[dict[str, Any]] = []
    for g, name in enumerate(names):
        row = _association(data, member == g, metric)
        null = [_association(data, s == g, metric)["gai"] for s in shuffled]
        drawn = np.array([v for v in null if v is not None])
        p = None
        if row["gai"] is not None and len(drawn):
            p = (1 + min(int(np.sum(drawn <= row["gai"])), int(np.sum(drawn >= row["gai"])))) / (
                len(drawn) + 1
            )
        rows.append({"group": name, "annotators": int(np.sum(member == g)), **row, "p": p})
    corrected = iter(benjamini_hochberg([r["p"] for r in rows if r["p"] is not None]))
    for row in rows:
        row["p_corrected"] = None if row["p"] is None else next(corrected)
    pairs = []
    for g in range(len(names)):
        for h in range(g + 1, len(names)):
            one, two = (_of(data, member == k) for k in (g, h))
            found = cross_replication(one, two, metric=metric)
            a, b = _alpha(one, two, metric), _alpha(two, one, metric)
            made = None if found.undefined else interval(found, "auto", seed=seed).interval
            pair: dict[str, Any] = {
                "first": names[g],
                "second": names[h],
                "kappa_x": found.value,
                "items": found.n,
                "normalised": _normalised(found.value, a, b),
            }
            if made is not None:
                pair |= {"low": max(-1.0, made.low), "high": min(1.0, made.high)}
            pairs.append(pair)
    warnings = [f"annotators without a group are left out: {some(left)}"] if left else []
    return GroupStudy(
        groups=tuple(rows),
        pairs=tuple(pairs),
        metric=metric,
        permutations=permutations,
        signature=signature(
            "groups", data.n_items, metric=metric, permutations=permutations, seed=seed
        ),
        warnings=tuple(warnings),
    )


def beside(
    ask: Ask,
    data: Annotations,
    results: Sequence[Result],
    *,
    compare: bool = False,
    other: Annotations | None = None,
) -> dict[str, list[Row]]:
    """Return what stands beside the answer to a question of agreement, as tables by their names.

    With `compare` the measures two by two, with `other` each measure on another campaign; of groups of
    annotators the agreement in each, and between them.
    """
    how = ask.certainty
    tables: dict[str, list[Row]] = {}
    pairs = between_measures(results) if compare else []
    plain = replace(ask, by=(), certainty=Certainty(seed=how.seed))
    if other is not None:
        pairs += between_campaigns(results, plain.answer(other).results)
        if isinstance(data, Ratings) and isinstance(other, Ratings):
            metric = _metric(ask, data)
            row = replication(data, other, metric=metric, level=how.level, seed=how.seed)
            tables |= {} if row is None else {"replication": [row]}
    if compare or other is not None:
        tables["comparisons"] = list(
            comparisons(
                pairs, level=how.level, resamples=how.resamples, seed=how.seed, unit=how.unit
            )
        )
    if data.roles is not None and data.roles.groups:
        record = ask.records(data)[0]
        first = replace(plain, measures=(record.name,), options=ask.options_of(record), choice=None)
        tables |= group_tables(
            data,
            data.roles.groups,
            lambda part: first.answer(part).results[0],
            metric=_metric(ask, data),
            seed=how.seed,
        )
    return tables


def _metric(ask: Ask, data: Annotations) -> str:
    """The metric that groups and campaigns are compared with: the one given, or that of the data."""
    record = ask.records(data)[0]
    own = ask.options_of(record) if record.takes("metric") else {}
    return str(own.get("metric") or choose(data).options.get("metric", "nominal"))


def group_tables(
    data: Annotations,
    groups: Mapping[str, str],
    measured: Callable[[Annotations], Result],
    *,
    metric: str = "nominal",
    seed: int = 0,
) -> dict[str, list[Row]]:
    """What `agree` shows of groups: for ratings with the test, for other shapes the value in each."""
    if isinstance(data, Ratings):
        study = compare_groups(data, groups, metric=metric, seed=seed)
        return {"groups": list(study.groups), "pairs_of_groups": list(study.pairs)}
    rows: list[Row] = []
    for name in dict.fromkeys(groups.values()):
        members = [a for a in data.annotators if groups.get(a) == name]
        row: dict[str, Any] = {"group": name, "annotators": len(members), "value": None}
        if len(members) >= 2:
            row["value"] = measured(data.select(annotators=members)).value
        rows.append(row)
    everybody = [a for a in data.annotators if a in groups]
    rows.append(
        {
            "group": "(all)",
            "annotators": len(everybody),
            "value": measured(data.select(annotators=everybody)).value,
        }
    )
    return {"groups": rows}


def _association(data: Ratings, inside: NDArray[np.bool_], metric: str) -> dict[str, float | None]:
    """α within a group, κ_x with the rest, both on the items that both rated, and their ratio."""
    own, rest = _of(data, inside), _of(data, ~inside)
    between = cross_replication(own, rest, metric=metric).value
    within = _alpha(own, rest, metric)
    gai = None
    if within is not None and np.isfinite(between) and between > 0:
        gai = within / between
    return {"alpha": within, "kappa_x": between, "gai": gai}


def _alpha(group: Ratings, other: Ratings, metric: str) -> float | None:
    """α of a group on the items that the other group rated too."""
    from accord.measures.ratings.alpha import alpha

    if len(group.annotators) < 2:
        return None
    both = np.flatnonzero((group.per_item > 0) & (other.per_item > 0))
    found: Result = alpha(group.take(both), metric=metric)
    return None if found.undefined else found.value


def _of(data: Ratings, chosen: NDArray[np.bool_]) -> Ratings:
    return data.select(annotators=[a for a, c in zip(data.annotators, chosen, strict=True) if c])


def _shared_counts(
    first: Ratings, second: Ratings
) -> tuple[Array, Array, Sequence[str], NDArray[np.int64]]:
    """Items both rated × values: how often each group gave each value; and which items."""
    labels = list(dict.fromkeys([*first.labels, *second.labels]))
    code = {label: k for k, label in enumerate(labels)}
    place = {key: i for i, key in enumerate(first.items)}
    counts = []
    for data in (first, second):
        table = np.zeros((len(first.items), len(labels)))
        row = np.array([place.get(key, -1) for key in data.items], dtype=np.int64)[data.item]
        column = np.array([code[label] for label in data.labels], dtype=np.int64)[data.code]
        np.add.at(table, (row[row >= 0], column[row >= 0]), 1.0)
        counts.append(table)
    both = (counts[0].sum(axis=1) > 0) & (counts[1].sum(axis=1) > 0)
    return counts[0][both], counts[1][both], labels, np.flatnonzero(both)


def _distances(
    first: Ratings, second: Ratings, labels: Sequence[str], metric: str, counts: Array
) -> Array:
    values: dict[str, Any] = {}
    for data in (second, first):
        values |= dict(zip(data.labels, data.values, strict=True))
    kind = first.kind if first.kind == second.kind else "categories"
    return squared_distances(
        metric, [values[label] for label in labels], counts, kind=kind, ordered=first.ordered
    )
