"""relation-alpha and relation-cat: Krippendorff's α over pairs of units that annotators share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy as np

from accord.data.relations import Relations
from accord.errors import UsageError
from accord.measures.relations.options import CANDIDATES, UNDIRECTED, WINDOW
from accord.measures.relations.pairs import (
    NONE,
    all_pairs,
    chosen_pairs,
    judged,
    read_candidates,
)
from accord.registry import measure
from accord.result import NO_SHARED_DOCUMENT, Array, Result, Sample, signature

#: relations that no pair of shared units holds, from which share on it is said
_MANY_LEFT_OUT = 0.05
_ALL_PAIRS = (
    "every pair of shared units counts as judged: the value rises with the unrelated pairs and tends to "
    "relation-f1; give those really judged with `candidates` or `window`, or report relation-gamma"
)


@measure(
    "relation-alpha",
    title="α over pairs of units, related or not",
    shape="relations",
    question="agree",
    citation="Krippendorff 2018, Content Analysis, 4th ed., ch. 12; on its limit Hripcsak & Rothschild 2005, "
    "JAMIA 12(3)",
    range=(-float("inf"), 1.0),
    chance=True,
    use="Only for schemes in which every pair is really judged (temporal order, pairs shown one by one): "
    "name these with candidates or window. Otherwise relation-gamma.",
    options=(UNDIRECTED, WINDOW, CANDIDATES),
)
def relation_alpha(
    relations: Relations, *, undirected: bool, window: int | None, candidates: str | None
) -> Result:
    """Nominal α of what annotators say of pairs of units: a label, several, or (none).

    Units are aligned as γ does (given items are what they are). An item is an ordered pair of groups (an
    unordered one if `undirected`) in which at least two annotators have units in both; these are its
    raters, and the value is the label of their relation, the sorted labels joined, or (none).

    .. math:: \\alpha = 1 - (n - 1) \\frac{\\sum_{c \\ne k} o_{ck}}{n^2 - \\sum_c n_c^2}

    with o the coincidences within items and n_c how often a value was given. `window` keeps pairs at most
    so many units apart, `candidates` those of a table. ``terms``: pairs, related, and left_out, the
    relations with an end that nobody shares: they vanish from α.

    >>> rows = [("d", "A", 1, 2, "before"), ("d", "A", 2, 3, "before"),
    ...         ("d", "B", 1, 2, "before"), ("d", "B", 2, 3, "after")]
    >>> round(relation_alpha(Relations.from_rows(rows), window=1).value, 4)
    0.6316
    """
    if window is not None and candidates is not None:
        raise UsageError("give `window` or `candidates`, not both")
    listed = None if candidates is None else read_candidates(candidates, relations)
    tables: list[Counter[str]] = []
    disagreements: list[float] = []
    names: list[str] = []
    pairs = related = left = loops = outside = 0
    for document in judged(relations, undirected=undirected):
        chosen = chosen_pairs(document, undirected=undirected, window=window, candidates=listed)
        values: Counter[str] = Counter()
        disagreement = 0.0
        inside = None if chosen is None else set(chosen)
        told = {p: s for p, s in document.said.items() if len(document.raters(p)) >= 2}
        lost = sum(len(x) for p, s in document.said.items() if p not in told for x in s.values())
        if inside is not None:
            outside += sum(len(x) for p, s in told.items() if p not in inside for x in s.values())
            told = {p: s for p, s in told.items() if p in inside}
        for pair, said in told.items():
            raters = document.raters(pair)
            given = Counter(_value(said.get(a)) for a in raters)
            disagreement += _within(given)
            values.update(given)
        here = len(told)
        quiet = Counter[int]()
        if inside is None:
            for size, count in all_pairs(document, undirected):
                quiet[size] += count
            quiet.subtract(Counter(len(document.raters(p)) for p in told))
        else:
            quiet.update(
                len(document.raters(p))
                for p in inside
                if p not in told and len(document.raters(p)) >= 2
            )
        for size, count in quiet.items():
            values[NONE] += size * count
            here += count
        pairs += here
        related += len(told)
        left += document.left_out + lost
        loops += document.loops
        tables.append(values)
        disagreements.append(disagreement)
        names.append(document.name)
    terms = {"pairs": pairs, "related": related, "left_out": left}
    warnings = [*relations.notes, *_lost(relations, left, loops, outside)]
    if window is None and candidates is None:
        warnings.append(_ALL_PAIRS)
    return _result(
        "relation-alpha",
        relations,
        names,
        disagreements,
        tables,
        terms,
        warnings,
        words={
            "undirected": "yes" if undirected else None,
            "window": window,
            "candidates": None if candidates is None else "table",
        },
    )


@measure(
    "relation-cat",
    title="α of the labels of relations that annotators share",
    shape="relations",
    question="agree",
    citation="Krippendorff 2018, Content Analysis, 4th ed., ch. 12",
    range=(-float("inf"), 1.0),
    chance=True,
    use="Whether annotators who relate the same units call the relation the same; it says nothing about "
    "who relates what. Report relation-gamma beside it.",
    options=(UNDIRECTED,),
)
def relation_cat(relations: Relations, *, undirected: bool) -> Result:
    """Nominal α of the labels alone, over pairs of units that at least two annotators related.

    The items and the formula are those of ``relation-alpha``; raters are those who related the pair.

    >>> rows = [("d", "A", 1, 2, "before"), ("d", "A", 2, 3, "before"), ("d", "A", 3, 4, "after"),
    ...         ("d", "B", 1, 2, "before"), ("d", "B", 2, 3, "after"), ("d", "B", 4, 5, "after")]
    >>> relation_cat(Relations.from_rows(rows)).value
    0.0
    """
    tables: list[Counter[str]] = []
    disagreements: list[float] = []
    names: list[str] = []
    pairs = left = loops = 0
    for document in judged(relations, undirected=undirected):
        values: Counter[str] = Counter()
        disagreement = 0.0
        for said in document.said.values():
            if len(said) >= 2:
                given = Counter(_value(labels) for labels in said.values())
                disagreement += _within(given)
                values.update(given)
                pairs += 1
        left += document.left_out
        loops += document.loops
        tables.append(values)
        disagreements.append(disagreement)
        names.append(document.name)
    return _result(
        "relation-cat",
        relations,
        names,
        disagreements,
        tables,
        {"pairs": pairs, "left_out": left},
        [*relations.notes, *_lost(relations, left, loops, 0)],
        words={"undirected": "yes" if undirected else None},
    )


def _value(labels: list[str] | None) -> str:
    return NONE if not labels else " + ".join(sorted(labels))


def _within(given: Counter[str]) -> float:
    """Σ o_ck over c ≠ k of one item: ordered pairs of different values over (raters − 1)."""
    size = given.total()
    return (size * size - sum(n * n for n in given.values())) / (size - 1)


def _lost(relations: Relations, left: int, loops: int, outside: int) -> list[str]:
    found = []
    whole = max(1, len(relations))
    if left / whole >= _MANY_LEFT_OUT:
        found.append(
            f"{left} of {len(relations)} relations ({left / whole:.0%}) have an end that nobody shares and "
            "vanish from α"
        )
    if loops:
        found.append(
            f"{loops} relations from a unit to itself are no pairs of units and are left out"
        )
    if outside:
        found.append(
            f"{outside} relations are not among the pairs that were judged and are left out"
        )
    return found


def _result(
    name: str,
    relations: Relations,
    names: list[str],
    disagreements: list[float],
    tables: list[Counter[str]],
    terms: Mapping[str, Any],
    warnings: list[str],
    words: Mapping[str, object],
) -> Result:
    known = sorted({value for table in tables for value in table})
    rows = np.zeros((len(tables), 1 + len(known)))
    for d, table in enumerate(tables):
        rows[d, 0] = disagreements[d]
        rows[d, 1:] = [table[value] for value in known]
    totals = rows.sum(axis=0)[None, :]
    scored = {k: float(v[0]) for k, v in _score(totals).items()}
    if not names:
        why = NO_SHARED_DOCUMENT
    elif not rows.any():
        why = "no pair of units was judged by two annotators"
    else:
        why = f"all pairs have one value, {known[0]}"
    return Result(
        measure=name,
        value=scored["value"],
        observed=scored["observed"],
        expected=scored["expected"],
        terms=dict(terms),
        n=int(terms["pairs"]),
        signature=signature(name, int(terms["pairs"]), **words, seen=relations.seen),
        undefined=why,
        warnings=tuple(warnings),
        annotators=relations.annotators,
        sample=Sample(
            rows=rows,
            score=_score,
            keys=tuple(names),
            unit="document",
            weight=rows[:, 1:].sum(axis=1),
        ),
    )


def _score(totals: Array) -> Mapping[str, Array]:
    within, counts = totals[:, 0], totals[:, 1:]
    n = counts.sum(axis=1)
    between = n * n - (counts**2).sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        observed = within / n
        expected = between / (n * (n - 1))
        value = np.where(between == 0, np.nan, 1 - observed / expected)
    return {"value": value, "observed": observed, "expected": expected}
