"""Agreement of several people who cut the same texts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from accord.data import Segments
from accord.errors import InputError
from accord.measures.ratio import ratio
from accord.measures.segmentation.edits import boundary_edits
from accord.measures.segmentation.options import NT
from accord.registry import measure
from accord.result import Array, Result, Sample, Score, signature

_CITATION = "Fournier 2013, ACL; Artstein & Poesio 2008"


@measure(
    "boundary-pi",
    title="Fleiss' π on boundaries, observed agreement by boundary similarity",
    shape="segments",
    question="agree",
    citation=_CITATION,
    range=(-1.0, 1.0),
    chance=True,
    use="Agreement of coders who cut texts, with near misses counted in part; chance from the share "
    "of possible boundaries that all coders use.",
    options=(NT,),
)
def boundary_pi(data: Segments, *, nt: int) -> Result:
    """Multi-π whose observed agreement is boundary similarity.

    ::

        π = (A_o - A_e)/(1 - A_e)
        A_o = Σ B-numerators / Σ B-denominators over documents and pairs of coders
        A_e = (mean over coders and documents of boundaries placed / boundaries possible)²

    The numerators and denominators are those of
    :func:`~accord.measures.segmentation.similarity.boundary_similarity`.

    >>> data = Segments.from_masses([("d", "A", [2, 3, 5]), ("d", "B", [3, 2, 3, 2])])
    >>> result = boundary_pi(data)
    >>> print(result, result.observed, round(result.expected, 4))
    boundary-pi = 0.4582 0.5 0.0772
    """
    cut = _cut(data, "boundary-pi")
    rows = np.array(
        [
            (
                *_pairwise(data, d, coders, nt),
                sum((len(coders) - 1) * _rate(data, d, a) for a in coders),
                len(coders) * (len(coders) - 1),
            )
            for d, coders in cut.documents
        ]
    ).reshape(-1, 4)

    def score(totals: Array) -> Mapping[str, Array]:
        A_o = 1 - ratio(totals[:, 0], totals[:, 1])
        A_e = ratio(totals[:, 2], totals[:, 3]) ** 2
        return {"value": ratio(A_o - A_e, 1 - A_e), "observed": A_o, "expected": A_e}

    return _agreed("boundary-pi", data, cut, rows, score, {"nt": nt})


@measure(
    "boundary-kappa",
    title="κ on boundaries, observed agreement by boundary similarity",
    usual=True,
    shape="segments",
    question="agree",
    citation=_CITATION + "; Davies & Fleiss 1982",
    range=(-1.0, 1.0),
    chance=True,
    use="As boundary-pi, with each coder's own rate of boundaries in the chance term; report "
    "boundary-pi or boundary-alpha unless the coders' habits are meant to be excused.",
    options=(NT,),
)
def boundary_kappa(data: Segments, *, nt: int) -> Result:
    """κ (Davies and Fleiss for several coders) whose observed agreement is boundary similarity.

    ::

        κ = (A_o - A_e)/(1 - A_e), A_o as in boundary-pi,
        A_e = mean over pairs of coders of the product of their rates
        (boundaries placed / boundaries possible, over all documents)

    >>> data = Segments.from_masses([("d", "A", [2, 3, 5]), ("d", "B", [3, 2, 3, 2])])
    >>> print(boundary_kappa(data))
    boundary-kappa = 0.4600
    """
    cut = _cut(data, "boundary-kappa")
    coders = len(data.annotators)
    rows = np.zeros((len(cut.documents), 2 + 2 * coders))
    together = np.zeros((coders, coders), dtype=bool)
    for i, (d, present) in enumerate(cut.documents):
        rows[i, :2] = _pairwise(data, d, present, nt)
        for a in present:
            rows[i, 2 + a] = (len(present) - 1) * len(data.boundaries[d, a])
            rows[i, 2 + coders + a] = (len(present) - 1) * _possible(data, d)
            together[a, present] = True
    first, second = np.nonzero(np.triu(together, k=1))

    def score(totals: Array) -> Mapping[str, Array]:
        A_o = 1 - ratio(totals[:, 0], totals[:, 1])
        rates = ratio(totals[:, 2 : 2 + coders], totals[:, 2 + coders :])
        products = rates[:, first] * rates[:, second]
        known = ~np.isnan(products)
        A_e = ratio(np.where(known, products, 0).sum(axis=1), known.sum(axis=1))
        return {"value": ratio(A_o - A_e, 1 - A_e), "observed": A_o, "expected": A_e}

    return _agreed("boundary-kappa", data, cut, rows, score, {"nt": nt})


@measure(
    "boundary-alpha",
    title="Krippendorff's α on possible boundaries",
    shape="segments",
    question="agree",
    citation="Krippendorff 2004, Content Analysis, chapter 11",
    range=(-1.0, 1.0),
    chance=True,
    use="Strict agreement on each possible boundary, corrected for chance, with coders missing on "
    "some documents; a near miss is a miss. Use boundary-pi or segmentation-gamma to credit it.",
    options=(),
)
def boundary_alpha(data: Segments) -> Result:
    """Krippendorff's nominal α over the places where a boundary is possible.

    ::

        α = 1 - D_o/D_e

    where every place between two atoms is an item, and its value the types of the boundary that the
    coder put there, or none.

    >>> data = Segments.from_masses([("d", "A", [2, 3, 5]), ("d", "B", [3, 2, 3, 2])])
    >>> result = boundary_alpha(data)
    >>> print(result, round(result.observed, 4), round(result.expected, 4))
    boundary-alpha = 0.2154 0.3333 0.4248

    `observed` and `expected` are disagreements.
    """
    cut = _cut(data, "boundary-alpha")
    profiles = [_values(data, d, coders) for d, coders in cut.documents]
    kinds = {v: i for i, v in enumerate(dict.fromkeys(v for c, _ in profiles for v in c))}
    rows = np.zeros((len(profiles), 2 + len(kinds)))
    for i, (counts, disagreement) in enumerate(profiles):
        rows[i, 0] = sum(counts.values())
        rows[i, 1] = disagreement
        for v, n_v in counts.items():
            rows[i, 2 + kinds[v]] = n_v

    def score(totals: Array) -> Mapping[str, Array]:
        n = totals[:, 0]
        D_o = ratio(totals[:, 1], n)
        D_e = ratio(n * n - (totals[:, 2:] ** 2).sum(axis=1), n * (n - 1))
        return {"value": 1 - ratio(D_o, D_e), "observed": D_o, "expected": D_e}

    return _agreed("boundary-alpha", data, cut, rows, score, {})


@dataclass(frozen=True, slots=True)
class _Cut:
    """Documents that at least two annotators cut, with those annotators."""

    documents: Sequence[tuple[int, Sequence[int]]]
    warnings: Sequence[str]


def _cut(data: Segments, name: str) -> _Cut:
    if len(data.annotators) < 2:
        raise InputError(
            f"{name} needs at least two annotators, got {len(data.annotators)}",
            hint="check the annotator column",
        )
    present = [
        (d, [a for a in range(len(data.annotators)) if (d, a) in data.boundaries])
        for d in range(len(data.documents))
    ]
    kept = [(d, who) for d, who in present if len(who) > 1 and data.lengths[d] > 1]
    lost = [data.documents[d] for d, who in present if len(who) < 2 or data.lengths[d] < 2]
    warnings = []
    if lost and kept:
        warnings.append(
            f"{len(lost)} of {len(present)} documents have fewer than two annotators or two pieces "
            f"and do not count: {', '.join(lost[:5])}"
        )
    return _Cut(kept, warnings)


def _possible(data: Segments, d: int) -> int:
    return int(data.lengths[d] - 1) * max(1, len(data.categories))


def _rate(data: Segments, d: int, a: int) -> float:
    return len(data.boundaries[d, a]) / _possible(data, d)


def _pairwise(data: Segments, d: int, coders: Sequence[int], nt: int) -> tuple[float, int]:
    """Cost and size of the edits, summed over pairs of coders."""
    cost, size = 0.0, 0
    for a, b in combinations(coders, 2):
        edits = boundary_edits(
            data.boundaries[d, a],
            data.boundaries[d, b],
            nt=nt,
            first_types=None if data.types is None else data.types[d, a],
            second_types=None if data.types is None else data.types[d, b],
        )
        cost += edits.cost
        size += edits.size
    return cost, size


def _values(data: Segments, d: int, coders: Sequence[int]) -> tuple[Counter[Any], float]:
    """How often each value occurs, and Σ over places of Σ_{c≠k} n_c n_k/(m - 1)."""
    m = len(coders)
    at: dict[int, dict[int, set[int]]] = {}
    for a in coders:
        types = (
            data.types[d, a].tolist()
            if data.types is not None
            else [0] * len(data.boundaries[d, a])
        )
        for p, t in zip(data.boundaries[d, a].tolist(), types, strict=True):
            at.setdefault(p, {}).setdefault(a, set()).add(t)
    totals: Counter[Any] = Counter()
    disagreement = 0.0
    for marks in at.values():
        here = Counter(frozenset(t) for t in marks.values())
        here[frozenset()] = m - len(marks)
        totals.update(here)
        disagreement += (m * m - sum(n * n for n in here.values())) / (m - 1)
    totals[frozenset()] += m * (int(data.lengths[d]) - 1 - len(at))
    return Counter({v: n for v, n in totals.items() if n}), disagreement


def _agreed(
    name: str,
    data: Segments,
    cut: _Cut,
    rows: Array,
    score: Score,
    options: Mapping[str, object],
) -> Result:
    documents = [data.documents[d] for d, _ in cut.documents]
    n = int(sum(data.lengths[d] - 1 for d, _ in cut.documents))
    found = {k: float(v[0]) for k, v in score(rows.sum(axis=0)[None, :]).items()}
    undefined = (
        "no document was cut by two annotators"
        if not documents
        else "no annotator places any boundary"
        if not any(len(p) for p in data.boundaries.values())
        else "every possible boundary is used, so nothing can differ from chance"
    )
    return Result(
        measure=name,
        value=found["value"],
        observed=found["observed"],
        expected=found["expected"],
        terms={"documents": len(documents), "places": n},
        n=n,
        signature=signature(name, n, **options),
        undefined=undefined,
        warnings=tuple(cut.warnings),
        annotators=data.annotators,
        sample=Sample(
            rows=rows,
            score=score,
            keys=documents,
            unit="document",
            weight=np.array([data.lengths[d] - 1.0 for d, _ in cut.documents]),
        ),
    )
