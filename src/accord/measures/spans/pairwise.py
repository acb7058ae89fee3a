"""Agreement of several annotators on units by the F-measure of each two of them."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from accord.data import Units
from accord.data.located import Located
from accord.errors import UsageError, some
from accord.measures.spans.exact import f1, overlap_f1
from accord.measures.spans.options import MATCH
from accord.measures.spans.tokens import token_f1
from accord.registry import measure
from accord.result import NO_SHARED_DOCUMENT, NO_UNIT, Array, Result, Row, Rows, Sample, signature

_SCORES = {"strict": f1, "overlap": overlap_f1, "token": token_f1}
#: pairs of annotators compared at most
_MOST_PAIRS = 5_000
_UNCORRECTED = (
    "not corrected for chance: annotators who mark much agree by it without reading; "
    "report gamma beside it"
)


@measure(
    "pairwise-f1",
    title="mean F-measure of the annotators, two by two",
    usual=True,
    shape="units",
    question="agree",
    citation="Hripcsak & Rothschild 2005, JAMIA 12(3); the F-measures of Tjong Kim Sang & De Meulder "
    "2003",
    range=(0.0, 1.0),
    aliases=("mean-f1",),
    use="What many papers report for spans, and easy to explain; it knows no chance and, when strict, "
    "no near miss. Report gamma beside it.",
    options=(MATCH,),
)
def pairwise_f1(units: Units, *, match: str) -> Result:
    """The F-measure of each two annotators, averaged over the pairs.

    ::

        value = (1/|pairs|) Σ_{a<b} 2·m_ab / (n_a + n_b),    pooled = Σ 2·m_ab / Σ (n_a + n_b)

    m_ab counts the units of a and b that match one to one, as many as possible, and n_a the units of
    a, both summed over the documents that a and b have seen. `match`: ``strict`` is the same bounds
    and label, ``overlap`` the same label and a shared place, ``token`` takes lengths instead of counts
    (marked characters, tokens or time). F is symmetric: nobody is the reference. A pair without any
    unit is left out and named.

    It is not corrected for chance. Where what nobody marked is vast, κ over all that could have been
    marked tends to it (Hripcsak & Rothschild 2005); where units are dense it does not, and `gamma`
    is the coefficient to report.

    >>> units = Units.from_rows([("d", "A", 0, 2, "x"), ("d", "A", 5, 9, "y"), ("d", "B", 0, 2, "x"),
    ...                          ("d", "B", 6, 9, "y"), ("d", "C", 0, 2, "x")])
    >>> result = pairwise_f1(units)
    >>> print(result, [round(row["value"], 4) for row in result.by["pair"]])
    pairwise-f1 = 0.6111 [0.5, 0.6667, 0.6667]
    >>> print(pairwise_f1(units, match="overlap"))
    pairwise-f1 = 0.7778
    """
    return mean_over_pairs(
        "pairwise-f1",
        units,
        partial(_scored, units, match),
        of_label="category",
        undefined=NO_UNIT,
        signature=signature("pairwise-f1", units.compared, match=match, seen=units.seen),
        notes=(*units.notes, _UNCORRECTED),
    )


@dataclass(frozen=True, slots=True, eq=False)
class Compared:
    """Two annotators: (matched, of one, of the other) in each of some documents, in all and by label."""

    documents: Sequence[int]
    rows: Array
    labels: Mapping[str | None, Array]


def mean_over_pairs(
    name: str,
    data: Located,
    compare: Callable[[int, int, Sequence[int]], Compared],
    *,
    of_label: str,
    undefined: str,
    signature: str,
    notes: tuple[str, ...],
) -> Result:
    """The F-measures of each two annotators, averaged; `compare` counts for two of them and the documents
    that both saw. `of_label` is what the breakdown by label is called."""
    saw = data.coverage.astype(np.int64)
    couples = np.argwhere(np.triu(saw.T @ saw, 1)).tolist()
    if len(couples) > _MOST_PAIRS:
        raise UsageError(
            f"{len(data.annotators)} annotators make {len(couples)} pairs; "
            "choose some annotators first"
        )
    D = len(data.documents)
    kept: list[tuple[str, str]] = []
    silent: list[str] = []
    table = np.zeros((D, 3 * len(couples)))
    #: label → (pair, its documents, their (matched, of one, of the other))
    labels: dict[str | None, list[tuple[int, Sequence[int], Array]]] = {}
    for a, b in couples:
        who = (data.annotators[a], data.annotators[b])
        shared = np.flatnonzero(data.coverage[:, a] & data.coverage[:, b])
        found = compare(a, b, shared.tolist())
        if not found.rows[:, 1:].any():
            silent.append(f"{who[0]} and {who[1]}")
            continue
        table[found.documents, 3 * len(kept) : 3 * len(kept) + 3] = found.rows
        for label, own in found.labels.items():
            labels.setdefault(label, []).append((len(kept), found.documents, own))
        kept.append(who)
    table = table[:, : 3 * len(kept)]
    totals = table.sum(axis=0)[None, :]
    scored = {k: float(v[0]) for k, v in _mean(totals).items()}
    values = _values(totals)[0]
    pairs: list[Row] = [
        {"first": first, "second": second, "value": float(v)}
        for (first, second), v in zip(kept, values, strict=True)
    ]
    warnings = list(notes)
    if silent:
        warnings.append(
            f"pairs without any {_THINGS[data.shape]} are left out of the mean: {some(silent)}"
        )
    sizes = np.bincount(data.document, minlength=D).astype(np.float64)
    return Result(
        measure=name,
        value=scored["value"],
        terms={"pooled": scored["pooled"], "pairs": len(kept)},
        by={
            "pair": pairs,
            "annotator": _by_annotator(data.annotators, pairs),
            of_label: [
                {of_label: label, **_of_label(sums)}
                for label, sums in sorted(
                    labels.items(), key=lambda item: (item[0] is None, item[0] or "")
                )
            ],
            "document": Rows(lambda: _by_document(data.documents, table)),
        },
        n=data.compared,
        signature=signature,
        undefined=undefined if silent else NO_SHARED_DOCUMENT,
        warnings=tuple(warnings),
        annotators=data.annotators,
        sample=Sample(
            rows=table,
            score=_mean,
            keys=data.documents,
            unit="document",
            weight=sizes,
            parts=partial(_parts, data, kept, table, labels),
        ),
    )


#: what a pair of annotators may have none of
_THINGS = {"units": "unit", "relations": "relation", "boxes": "box"}


def _parts(
    data: Located,
    kept: Sequence[tuple[str, str]],
    table: Array,
    labels: Mapping[str | None, list[tuple[int, Sequence[int], Array]]],
    by: str,
) -> list[tuple[Hashable, Sample]]:
    """The sample behind each pair, annotator or category, by document."""

    def of(rows: Array) -> Sample:
        sizes = rows[:, 1::3].sum(axis=1) + rows[:, 2::3].sum(axis=1)
        return Sample(rows=rows, score=_mean, keys=data.documents, unit="document", weight=sizes)

    def columns(pairs: Sequence[int]) -> Array:
        return table[:, [3 * i + j for i in pairs for j in range(3)]]

    if by == "pair":
        return [(who, of(columns([i]))) for i, who in enumerate(kept)]
    if by == "annotator":
        mine = {a: [i for i, who in enumerate(kept) if a in who] for a in data.annotators}
        return [(a, of(columns(pairs))) for a, pairs in mine.items() if pairs]
    if by in ("category", "label"):
        return [(label, of(_tabled(sums, *table.shape))) for label, sums in labels.items()]
    return []


def _of_label(sums: Sequence[tuple[int, Sequence[int], Array]]) -> dict[str, float]:
    """The mean over the pairs that have the label, and the F of all their units together."""
    totals = np.concatenate([own.sum(axis=0) for _, _, own in sums])[None, :]
    return {k: float(v[0]) for k, v in _mean(totals).items()}


def _tabled(sums: Sequence[tuple[int, Sequence[int], Array]], documents: int, width: int) -> Array:
    """Documents × (matched, of one, of the other) of each pair."""
    table = np.zeros((documents, width))
    for pair, where, own in sums:
        table[where, 3 * pair : 3 * pair + 3] = own
    return table


def _scored(units: Units, match: str, a: int, b: int, documents: Sequence[int]) -> Compared:
    names = [units.documents[d] for d in documents]
    first, second = (
        units.select(annotators=[units.annotators[who]], documents=names) for who in (a, b)
    )
    found: Result = _SCORES[match](first, second)
    sample = found.sample
    assert sample is not None
    assert sample.rows is not None
    assert sample.parts is not None
    number = {name: d for d, name in zip(documents, names, strict=True)}
    labels = {
        None if label is None else str(label): part.totals(np.eye(part.size))
        for label, part in sample.parts("category")
    }
    at = [number[str(name)] for name in sample.keys or ()]
    return Compared(at, sample.rows[:, :3], labels)


def _values(totals: Array) -> Array:
    """F of every pair, one row per resample; NaN where a pair has no unit there."""
    m, n = totals[:, 0::3], totals[:, 1::3] + totals[:, 2::3]
    values: Array = np.where(n == 0, np.nan, 2 * m / np.where(n == 0, 1, n))
    return values


def _mean(totals: Array) -> Mapping[str, Array]:
    values = _values(totals)
    known = np.isfinite(values)
    count = known.sum(axis=1)
    total = np.where(known, values, 0).sum(axis=1)
    m, n = totals[:, 0::3].sum(axis=1), (totals[:, 1::3] + totals[:, 2::3]).sum(axis=1)
    return {
        "value": np.where(count == 0, np.nan, total / np.maximum(count, 1)),
        "pooled": np.where(n == 0, np.nan, 2 * m / np.where(n == 0, 1, n)),
    }


def _by_annotator(annotators: tuple[str, ...], pairs: list[Row]) -> list[Row]:
    found: list[Row] = []
    for name in annotators:
        mine = [row["value"] for row in pairs if name in (row["first"], row["second"])]
        if mine:
            found.append({"annotator": name, "value": float(np.mean(mine)), "pairs": len(mine)})
    return found


def _by_document(documents: Sequence[str], table: Array) -> list[Row]:
    scored = _mean(table)
    return [
        {"document": name, **{k: float(v[d]) for k, v in scored.items()}}
        for d, name in enumerate(documents)
    ]
