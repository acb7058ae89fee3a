"""Agreement of several annotators on chains: every score of two of them, and mention detection.

>>> from accord.data import Chains
>>> data = Chains.from_clusters({
...     ("d", "A"): [["he", "Paul"], ["she", "Anne"]],
...     ("d", "B"): [["he", "Paul"], ["she"], ["Anne"]],
...     ("d", "C"): [["he", "Paul"], ["she", "Anne"]],
... })
>>> result = pairwise(data, score="ceaf-m")
>>> print(result)
pairwise-ceaf-m = 0.8333
>>> [(row["first"], row["second"], row["value"]) for row in result.by["pair"]]
[('A', 'B', 0.75), ('A', 'C', 1.0), ('B', 'C', 0.75)]
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import combinations
from typing import Any

import numpy as np

from accord.data import Chains
from accord.errors import UsageError
from accord.measures.coreference import entities, links, partitions
from accord.measures.coreference.enrolment import SPECIFICATIONS
from accord.measures.coreference.key_response import pair
from accord.measures.coreference.near_mentions import near_mentions
from accord.measures.coreference.options import DROP_SINGLETONS, MATCHING, MENTIONS, OVERLAP
from accord.measures.coreference.specification import Specification
from accord.measures.gamma.options import PRECISION, SAMPLES
from accord.measures.unitizing.options import LENGTH
from accord.registry import JOBS, PROGRESS, SEED, find, measure
from accord.result import NO_MENTION, Array, Result, Sample, signature

#: the families that must have enrolled their scores before each is offered pairwise
_FAMILIES = (entities, links, partitions)
#: pairs of annotators compared at most
_MOST_PAIRS = 5_000


def pairwise(
    data: Chains,
    *,
    score: str = "conll",
    drop_singletons: bool = False,
    matching: str = "exact",
    mentions: str = "exact",
    overlap: float = 0.5,
) -> Result:
    """The mean over pairs of annotators of a coreference score, with the table of pairs.

    Each pair is scored over the documents both annotated. Not corrected for chance: a table to
    find who is apart, beside `chain-alpha`. A score that is not symmetric counts both ways. With
    mentions="near", near misses of all annotators are one mention first, as in `chain_alpha`.
    """
    beside: dict[str, float] = {}
    if mentions == "near":
        joined = near_mentions(data, overlap)
        exact = pairwise(data, score=score, drop_singletons=drop_singletons, matching=matching)
        data = joined.data
        beside = {"near": joined.classes, "near_dice": joined.dice, "exact": exact.value}
    specification = SPECIFICATIONS[find(score).name]
    couples = list(combinations(range(len(data.annotators)), 2))
    if len(couples) > _MOST_PAIRS:
        raise UsageError(
            f"{len(data.annotators)} annotators make {len(couples)} pairs; "
            "choose some annotators first"
        )
    name = f"pairwise-{specification.name}"
    tallies, kept = [], []
    for a, b in couples:
        rows = _pair_rows(specification, data, a, b, drop_singletons, matching)
        if rows is not None:
            tallies.append(rows)
            kept.append((data.annotators[a], data.annotators[b]))
    width = tallies[0].shape[1] if tallies else 0
    table = np.concatenate(tallies, axis=1) if tallies else np.zeros((len(data.documents), 0))

    def mean(totals: Array, pairs: int = len(kept)) -> Mapping[str, Array]:
        values = _values(specification, totals, width, pairs)
        known = np.isfinite(values)
        count = known.sum(axis=0)
        total = np.where(known, values, 0).sum(axis=0)
        return {"value": np.where(count == 0, np.nan, total / np.maximum(count, 1))}

    weight = np.bincount(data.document, minlength=len(data.documents)).astype(np.float64)
    n = int(weight[data.who_saw.sum(axis=1) > 1].sum())

    def parts(by: str) -> list[tuple[Hashable, Sample]]:
        """The sample of each pair and of each annotator's pairs, by document."""
        if by == "pair":
            return [(who, of([i])) for i, who in enumerate(kept)]
        mine = {a: [i for i, who in enumerate(kept) if a in who] for a in data.annotators}
        return [(a, of(i)) for a, i in mine.items() if i] if by == "annotator" else []

    def of(pairs: Sequence[int]) -> Sample:
        columns = [width * i + j for i in pairs for j in range(width)]
        return replace(sample, rows=table[:, columns], score=partial(mean, pairs=len(pairs)))

    sample = Sample(
        rows=table,
        score=mean,
        keys=data.documents,
        unit="document",
        weight=weight,
        parts=parts,
    )
    values = _values(specification, sample.totals(), width, len(kept))[:, 0]
    value = float(mean(sample.totals())["value"][0]) if kept else np.nan
    table_rows = [
        {"first": first, "second": second, "value": float(v)}
        for (first, second), v in zip(kept, values, strict=True)
    ]
    return Result(
        measure=name,
        value=float(value),
        terms={"pairs": len(kept), **beside},
        by={"pair": table_rows, "annotator": _by_annotator(data.annotators, table_rows)},
        n=n,
        signature=signature(
            name,
            n,
            matching=matching,
            singletons="dropped" if drop_singletons else "kept",
            mentions=None if mentions == "exact" else mentions,
            overlap=None if mentions == "exact" else overlap,
        ),
        undefined=f"{NO_MENTION} in any pair"
        if kept
        else "no document was annotated by two annotators",
        warnings=data.notes,
        annotators=data.annotators,
        sample=sample,
    )


def mentions_as_units(
    data: Chains,
    *,
    measure: str,
    flat: bool = False,
    **options: Any,
) -> Result:
    """Any agreement measure of units, on the mentions alone: what was marked, whoever it is."""
    units = data.mention_units(flat=flat)
    result: Result = find(measure).function(units, **options)
    return replace(
        result,
        measure=f"mention-{result.measure}",
        signature=f"mention-{result.signature}",
        warnings=(*result.warnings, *units.notes),
    )


@measure(
    "mention-gamma",
    title="γ of mention detection",
    usual=True,
    shape="chains",
    question="agree",
    citation="Mathet, Widlöcher & Métivier 2015, The unified and holistic method γ",
    range=(-1.0, 1.0),
    use="Whether the same mentions were marked, near misses counting in part, whoever they refer to.",
    chance=True,
    options=(SAMPLES, PRECISION, SEED, JOBS, PROGRESS),
)
def mention_gamma(data: Chains, **options: Any) -> Result:
    """γ on the mentions as unlabelled units: agreement on what, apart from who.

    The options are those of :func:`accord.gamma`.
    """
    return mentions_as_units(data, measure="gamma", **options)


@measure(
    "mention-u-alpha",
    title="u-α of mention detection",
    shape="chains",
    question="agree",
    citation="Krippendorff, Mathet, Bouvry & Widlöcher 2016, On the reliability of unitizing",
    range=(-float("inf"), 1.0),
    unit_free=False,
    origin_free=False,
    use="Whether the same text was marked as mentions; nested mentions count as their outermost.",
    chance=True,
    options=(LENGTH,),
)
def mention_u_alpha(data: Chains, *, length: float | None) -> Result:
    """u-α on the text covered by mentions: agreement on what, apart from who."""
    return mentions_as_units(data, measure="u-alpha", flat=True, length=length)


def _enrol_pairs() -> dict[str, Any]:
    """Each score also as the agreement of two annotators at a time: functions by name."""
    functions = {}
    for name in SPECIFICATIONS:
        record = find(name)
        function = measure(
            f"pairwise-{name}",
            title=f"mean pairwise {record.title}",
            shape="chains",
            question="agree",
            citation=record.citation,
            range=record.range,
            use=f"The table of {record.title} between any two annotators, and its mean; not "
            "corrected for chance.",
            similarity=record.similarity,
            options=(
                DROP_SINGLETONS.but(default=False),
                MATCHING.but(default="exact"),
                MENTIONS,
                OVERLAP,
            ),
        )(_pairwise_by(name, record.title))
        functions[function.__name__] = function
    return functions


def _pairwise_by(name: str, title: str) -> Any:
    def of_score(data: Chains, **options: Any) -> Result:
        return pairwise(data, score=name, **options)

    of_score.__name__ = of_score.__qualname__ = f"pairwise_{name.replace('-', '_')}"
    of_score.__doc__ = f"Mean over pairs of annotators of {title}, with the table of pairs."
    return of_score


def _pair_rows(
    specification: Specification,
    data: Chains,
    a: int,
    b: int,
    drop_singletons: bool,
    matching: str,
) -> Array | None:
    """Statistics of one pair of annotators in all documents; 0 where one of them was not."""
    shared = [d for d in range(len(data.documents)) if {(d, a), (d, b)} <= data.coverage]
    if not shared:
        return None
    documents = [data.documents[d] for d in shared]
    sides = [data.select(annotators=[data.annotators[i]], documents=documents) for i in (a, b)]
    out = []
    for key, response in (sides, sides[::-1]) if _directed(specification) else (sides,):
        table = pair(key, response, drop_singletons=drop_singletons, matching=matching).table
        tally = specification.tally(table)
        rows = np.zeros((len(data.documents), tally.shape[1]))
        rows[shared] = tally
        out.append(rows)
    return np.concatenate(out, axis=1)


def _directed(specification: Specification) -> bool:
    return specification.name == "blanc"


def _values(specification: Specification, totals: Array, width: int, pairs: int) -> Array:
    """Pairs × replicates: the score of each pair on each row of totals."""
    # (complex where the analytic interval takes the derivative)
    out = np.full((pairs, len(totals)), np.nan, dtype=np.result_type(totals, np.float64))
    ways = 2 if _directed(specification) else 1
    for i in range(pairs):
        part = totals[:, width * i : width * (i + 1)]
        step = width // ways
        found = [
            specification.score(part[:, step * w : step * (w + 1)])["value"] for w in range(ways)
        ]
        out[i] = sum(found) / ways
    return out


def _by_annotator(
    annotators: Sequence[str], rows: Sequence[Mapping[str, Any]]
) -> list[dict[str, Any]]:
    out = []
    for who in annotators:
        values = [
            r["value"] for r in rows if who in (r["first"], r["second"]) and np.isfinite(r["value"])
        ]
        out.append(
            {
                "annotator": who,
                "pairs": len(values),
                "mean_pairwise": sum(values) / len(values) if values else np.nan,
            }
        )
    return out


# like every measure, each is a function of this module
globals().update(_enrol_pairs())
