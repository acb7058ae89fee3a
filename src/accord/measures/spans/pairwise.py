"""Agreement of several annotators on units by the F-measure of each two of them."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from functools import partial
from itertools import combinations

import numpy as np

from accord.data import Units
from accord.data.choose import some
from accord.errors import UsageError
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
    couples = list(combinations(range(len(units.annotators)), 2))
    if len(couples) > _MOST_PAIRS:
        raise UsageError(
            f"{len(units.annotators)} annotators make {len(couples)} pairs; "
            "choose some annotators first"
        )
    D = len(units.documents)
    number = {name: d for d, name in enumerate(units.documents)}
    kept: list[tuple[str, str]] = []
    silent: list[str] = []
    table = np.zeros((D, 3 * len(couples)))
    #: label → documents × (matched, of one, of the other), all pairs together
    labels: dict[str | None, Array] = {}
    for a, b in couples:
        who = (units.annotators[a], units.annotators[b])
        shared = np.flatnonzero(units.coverage[:, a] & units.coverage[:, b])
        if not len(shared):
            continue
        found = _scored(units, who, [units.documents[d] for d in shared], match)
        assert found.sample is not None
        assert found.sample.rows is not None
        rows = found.sample.rows[:, :3]
        if not rows[:, 1:].any():
            silent.append(f"{who[0]} and {who[1]}")
            continue
        at = [number[str(name)] for name in found.sample.keys or ()]
        table[at, 3 * len(kept) : 3 * len(kept) + 3] = rows
        kept.append(who)
        assert found.sample.parts is not None
        for label, part in found.sample.parts("category"):
            name = None if label is None else str(label)
            labels.setdefault(name, np.zeros((D, 3)))[at] += part.totals(np.eye(part.size))[
                :, [0, 2, 3]
            ]
    table = table[:, : 3 * len(kept)]
    totals = table.sum(axis=0)[None, :]
    scored = {k: float(v[0]) for k, v in _mean(totals).items()}
    values = _values(totals)[0]
    pairs: list[Row] = [
        {"first": first, "second": second, "value": float(v)}
        for (first, second), v in zip(kept, values, strict=True)
    ]
    warnings = [_UNCORRECTED]
    if silent:
        warnings.append(f"pairs without any unit are left out of the mean: {some(silent)}")
    return Result(
        measure="pairwise-f1",
        value=scored["value"],
        terms={"pooled": scored["pooled"], "pairs": len(kept)},
        by={
            "pair": pairs,
            "annotator": _by_annotator(units.annotators, pairs),
            "category": [
                {"category": label, "value": float(_mean(sums.sum(0)[None, :])["value"][0])}
                for label, sums in sorted(
                    labels.items(), key=lambda item: (item[0] is None, item[0] or "")
                )
            ],
            "document": Rows(lambda: _by_document(units, table)),
        },
        n=len(units),
        signature=signature("pairwise-f1", len(units), match=match),
        undefined=NO_UNIT if silent else NO_SHARED_DOCUMENT,
        warnings=tuple(warnings),
        annotators=units.annotators,
        sample=Sample(
            rows=table,
            score=_mean,
            keys=units.documents,
            unit="document",
            weight=np.bincount(units.document, minlength=D).astype(np.float64),
            parts=partial(_parts, units, kept, table, labels),
        ),
    )


def _parts(
    units: Units,
    kept: Sequence[tuple[str, str]],
    table: Array,
    labels: Mapping[str | None, Array],
    by: str,
) -> list[tuple[Hashable, Sample]]:
    """The sample behind each pair, annotator or category, by document."""

    def of(rows: Array) -> Sample:
        sizes = rows[:, 1::3].sum(axis=1) + rows[:, 2::3].sum(axis=1)
        return Sample(rows=rows, score=_mean, keys=units.documents, unit="document", weight=sizes)

    def columns(pairs: Sequence[int]) -> Array:
        return table[:, [3 * i + j for i in pairs for j in range(3)]]

    if by == "pair":
        return [(who, of(columns([i]))) for i, who in enumerate(kept)]
    if by == "annotator":
        mine = {a: [i for i, who in enumerate(kept) if a in who] for a in units.annotators}
        return [(a, of(columns(pairs))) for a, pairs in mine.items() if pairs]
    if by == "category":
        return [(label, of(rows)) for label, rows in labels.items()]
    return []


def _scored(units: Units, who: tuple[str, str], documents: list[str], match: str) -> Result:
    first, second = (units.select(annotators=[name], documents=documents) for name in who)
    result: Result = _SCORES[match](first, second)
    return result


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


def _by_document(units: Units, table: Array) -> list[Row]:
    scored = _mean(table)
    return [
        {"document": name, **{k: float(v[d]) for k, v in scored.items()}}
        for d, name in enumerate(units.documents)
    ]
