"""Agreement of several annotators on chains: Krippendorff's α over mentions, with set distances.

>>> from accord.data import Chains
>>> data = Chains.from_clusters({
...     ("d", "A"): [["he", "Paul"], ["she", "Anne"]],
...     ("d", "B"): [["he", "Paul"], ["she"], ["Anne"]],
... })
>>> print(chain_alpha(data))
chain-alpha = 0.7455
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from accord.data import Chains
from accord.errors import UsageError
from accord.measures.coreference.near_mentions import near_mentions
from accord.measures.coreference.options import (
    DISTANCE,
    DROP_SINGLETONS,
    EXPECTED,
    MENTIONS,
    OVERLAP,
)
from accord.measures.coreference.set_distances import set_distance
from accord.measures.coreference.unmatched import unmatched_mentions
from accord.measures.ratio import ratio
from accord.registry import measure
from accord.result import Array, Result, Row, Sample, signature
from accord.study import Study

Integers = NDArray[np.int64]


def by_mention(study: Study) -> Sequence[Row]:
    """How far the annotators of each mention disagree on its entity."""
    data = study.data
    if not isinstance(data, Chains):
        raise UsageError(f"mentions are of chains, the data are {data.shape}")
    if study.option("mentions", str) == "near":
        data = near_mentions(data, study.option("overlap", float)).data
    distance, drop = study.option("distance", str), study.option("drop_singletons", bool)
    found = _disagreements(data, distance, drop)
    return [
        {
            "document": data.documents[d],
            "mention": data.mentions[d][m],
            "text": data.text(d, m),
            "annotators": int(count),
            "disagreement": float(amount),
        }
        for d, m, count, amount in zip(
            found.document.tolist(), found.mention.tolist(), found.values, found.mean, strict=True
        )
    ]


def by_unmatched(study: Study) -> Sequence[Row]:
    """The mentions that one annotator marked and nobody else, with the nearest of another."""
    data = study.data
    if not isinstance(data, Chains):
        raise UsageError(f"mentions are of chains, the data are {data.shape}")
    if study.option("mentions", str) == "near":
        data = near_mentions(data, study.option("overlap", float)).data
    return unmatched_mentions(data)


def _left_out(found: _Disagreements, data: Chains, *, near: bool) -> list[str]:
    """A sentence about mentions that nobody else marked; none when a single person annotated."""
    if not found.unpaired or len(data.annotators) < 2:
        return []
    marked = found.unpaired + len(found.mean)
    placed = all(isinstance(m, tuple) for ms in data.mentions for m in ms)
    advice = "; `mentions=near` takes near misses as one" if placed and not near else ""
    return [
        f"{found.unpaired} of {marked} mentions were marked by one annotator only and are left out"
        f"{advice}; `by` unmatched lists them"
    ]


@measure(
    "chain-alpha",
    title="α over mentions with set distances",
    usual=True,
    shape="chains",
    question="agree",
    citation="Passonneau 2004, Computing reliability for coreference annotation (LREC); "
    "MASI: Passonneau 2006, Measuring agreement on set-valued items (LREC)",
    range=(-1.0, 1.0),
    aliases=("coreference-alpha", "passonneau-alpha"),
    use="Who corefers with whom, over the mentions that at least two annotators marked; use a "
    "mention measure beside it for what was marked at all.",
    chance=True,
    breakdowns={"item": by_mention, "mention": by_mention, "unmatched": by_unmatched},
    options=(DISTANCE, EXPECTED, DROP_SINGLETONS.but(default=False), MENTIONS, OVERLAP),
)
def chain_alpha(
    data: Chains,
    *,
    distance: str,
    expected: str,
    drop_singletons: bool,
    mentions: str,
    overlap: float,
) -> Result:
    """α over mentions: each annotator's value for a mention is the whole entity they put it in.

    α = 1 − D_o/D_e. D_o is the mean distance between the entities that two annotators give to one
    mention, D_e that between the entities given to any two mentions. Values of mentions that a
    single annotator marked cannot be paired and are left out: the question "what is a mention" is
    kept apart.

    Parameters
    ----------
    distance :
        "passonneau" (0, 1/3, 2/3, 1 for equal, nested, overlapping, disjoint), "masi", "jaccard",
        "dice" or "nominal"; used as it is, not squared
    expected :
        "document" compares mentions of one document only (entities never cross documents, so that
        other documents are at distance 1 whatever the annotators do), weighted by their values;
        "corpus" pools all values, as plain α would
    drop_singletons :
        leave out entities of one mention, each on its annotator's side
    mentions :
        "exact", or "near": spans of different annotators that share enough words (`overlap`) and do
        not differ in their heads are one mention, by the best partition of them; `near` is then the
        number of mentions with several spans, `near_dice` their mean likeness, `exact` the value
        with exact mentions
    """
    if expected not in ("document", "corpus"):
        raise UsageError(f"expected must be document or corpus, got {expected!r}")
    score = _within if expected == "document" else _pooled
    beside: dict[str, float] = {}
    if mentions == "near":
        exact = _disagreements(data, distance, drop_singletons).rows
        joined = near_mentions(data, overlap)
        data = joined.data
        beside = {
            "near": joined.classes,
            "near_dice": joined.dice,
            "exact": float(score(exact.sum(axis=0, keepdims=True))["value"][0]),
        }
    found = _disagreements(data, distance, drop_singletons)
    rows = found.rows
    sample = Sample(rows=rows, score=score, keys=data.documents, unit="document", weight=rows[:, 1])
    scores = {k: float(v[0]) for k, v in score(rows.sum(axis=0, keepdims=True)).items()}
    n = int(rows[:, 1].sum())
    undefined = (
        "all annotators put all mentions in one and the same entity"
        if n
        else "no mention was marked by two annotators"
    )
    return Result(
        measure="chain-alpha",
        value=scores["value"],
        observed=scores["D_o"],
        expected=scores["D_e"],
        terms={
            "D_o": scores["D_o"],
            "D_e": scores["D_e"],
            "values": n,
            "mentions": len(found.mean),
            "unpaired": found.unpaired,
            **beside,
        },
        n=n,
        signature=signature(
            "chain-alpha",
            n,
            distance=distance,
            expected=expected,
            singletons="dropped" if drop_singletons else None,
        ),
        undefined=undefined,
        warnings=(*data.notes, *_left_out(found, data, near=mentions == "near")),
        annotators=data.annotators,
        sample=sample,
    )


def _within(totals: Array) -> Mapping[str, Array]:
    return _alpha(totals[:, 0], totals[:, 1], ratio(totals[:, 2], totals[:, 1], 0.0))


def _pooled(totals: Array) -> Mapping[str, Array]:
    n = totals[:, 1]
    elsewhere = n * n - totals[:, 4]  # pairs across documents, all at distance 1
    return _alpha(totals[:, 0], n, ratio(totals[:, 3] + elsewhere, n * (n - 1), 0.0))


def _alpha(disagreement: Array, n: Array, D_e: Array) -> Mapping[str, Array]:
    D_o = ratio(disagreement, n, 0.0)
    value = ratio(D_e - D_o, D_e, otherwise=np.nan)
    return {"value": value, "D_o": D_o, "D_e": D_e}


@dataclass(frozen=True, slots=True, eq=False)
class _Disagreements:
    #: per pairable mention: document, mention, number of values, mean distance among them
    document: Integers
    mention: Integers
    values: Integers
    mean: Array
    #: per document: Σ observed, values n, n·D_e, Σ over all pairs of values, n²
    rows: Array
    unpaired: int


def _disagreements(data: Chains, distance: str, drop_singletons: bool) -> _Disagreements:
    delta = set_distance(distance)
    size = len(data.documents)
    entity, entity_size = _entities(data)
    keep = entity_size[entity] > 1 if drop_singletons else np.ones(len(entity), dtype=bool)
    width = max((len(m) for m in data.mentions), default=0) + 1
    code = data.document.astype(np.int64)[keep] * width + data.mention[keep]
    order = np.argsort(code, kind="stable")
    items, item, values = np.unique(code[order], return_inverse=True, return_counts=True)
    item = item.reshape(-1)
    own = entity[keep][order]
    pairable = values[item] > 1
    # (nobody could have marked a mention of a document that one annotator alone has seen)
    shared = data.who_saw.sum(axis=1) > 1
    unpaired = int((~pairable & shared[items[item] // width]).sum())
    own, item = own[pairable], item[pairable]
    first, second, of_item = _pairs(own, item)
    pair = first * np.int64(len(entity_size) or 1) + second
    pairs, place, common = np.unique(pair, return_inverse=True, return_counts=True)
    one, two = pairs // max(1, len(entity_size)), pairs % max(1, len(entity_size))
    d = delta(entity_size[one], entity_size[two], common)
    # both orders of each pair, divided by m − 1 (Krippendorff)
    observed = np.bincount(of_item, d[place.reshape(-1)], len(items)) * 2
    chosen = values > 1
    document = items // width
    D = np.bincount(document[chosen], (observed / np.maximum(values - 1, 1))[chosen], size)
    n: Array = np.bincount(document[chosen], values[chosen], size).astype(np.float64)
    # all pairs of values: distance 1 but for the entities that share a mention
    weight = np.bincount(own, minlength=len(entity_size)).astype(np.float64)
    home = np.zeros(len(entity_size), dtype=np.int64)
    home[entity] = data.document
    alike = np.bincount(home, weight * (weight - 1), size)
    alike = alike + np.bincount(home[one], 2 * weight[one] * weight[two] * (1 - d), size)
    everything: Array = n * (n - 1) - alike
    rows = np.stack([D, n, ratio(everything, n - 1, 0.0), everything, n * n], axis=1)
    m = values[chosen]
    return _Disagreements(
        document[chosen],
        items[chosen] % width,
        m,
        observed[chosen] / (m * (m - 1)),
        rows,
        unpaired,
    )


def _entities(data: Chains) -> tuple[Integers, Integers]:
    """A number for each (document, annotator, entity), of each row, and their sizes."""
    width = int(data.entity.max(initial=0)) + 1
    who = data.document.astype(np.int64) * max(1, len(data.annotators)) + data.annotator
    _, entity, size = np.unique(who * width + data.entity, return_inverse=True, return_counts=True)
    return entity.reshape(-1).astype(np.int64), size.astype(np.int64)


def _pairs(own: Integers, item: Integers) -> tuple[Integers, Integers, Integers]:
    """All pairs of values of one mention; rows are sorted by mention."""
    first, second, where = [], [], []
    lag = 1
    while lag < len(item):
        together = np.nonzero(item[lag:] == item[:-lag])[0]
        if not len(together):
            break
        first.append(own[together])
        second.append(own[together + lag])
        where.append(item[together])
        lag += 1
    empty = np.empty(0, dtype=np.int64)
    low, high = (np.concatenate([empty, *part]) for part in (first, second))
    return np.minimum(low, high), np.maximum(low, high), np.concatenate([empty, *where])
