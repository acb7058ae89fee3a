"""A judge that marks units, cuts segments or links mentions, among the people who did the same."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from accord.data import Annotations
from accord.errors import InputError, UsageError, some
from accord.evaluation.alternative import alt_test
from accord.evaluation.judges.answer import JudgeAnswer, JudgeStudy
from accord.evaluation.judges.pairs import as_difference
from accord.evaluation.judges.words import sentence, verdict
from accord.evaluation.located import DocumentScores, document_scores, mean_score
from accord.measures.ratio import ratio_of_totals
from accord.options import LEVEL
from accord.result import Result, Row, Sample, signature
from accord.uncertainty import Comparison, compare, interval
from accord.uncertainty.family import comparisons

Array = NDArray[np.float64]
#: a judge, and what it scores in each document
_Scored = tuple[str, DocumentScores]

#: people who agree less than this among themselves are no standard for a judge
_LITTLE = 0.2
_FORGIVING = "where bounds are never exactly the same, score near misses too: `measure=overlap-f1`"


def judge_located(
    data: Annotations,
    names: Sequence[str],
    *,
    measure: str | None,
    epsilon: float,
    against: str | None = None,
    margin: float | None = None,
    level: float = LEVEL,
) -> JudgeStudy:
    """The score of the judge against people, and of people against each other, per document.

    The rank is that of the judge's mean score among those of the people; the test is the
    alternative-annotator test with documents as items. Agreement with people and among them is on the
    same documents, which are what is drawn again. A rate to correct does not exist here.
    """
    others = (*names, *([against] if against is not None else []))
    unknown = [n for n in others if n not in data.annotators]
    if unknown:
        raise UsageError(
            f"no judge {some(unknown)} among the annotators; they are {some(data.annotators)}"
        )
    people = [a for a in data.annotators if a not in others]
    if len(people) < 2:
        raise InputError(
            f"a judge of {data.shape} is compared with two people or more, got {len(people)}"
        )
    humans = data.select(annotators=people)
    answers, values = [], []
    for name in names:
        system = data.select(annotators=[name])
        scores = document_scores(humans, system, measure)
        means = mean_score(scores.means)
        judged, among = _side_by_side(scores)
        values.append((name, scores))
        test, why_not = None, f"it takes at least three people, and there are {len(people)}"
        if len(people) >= 3:
            try:
                test = alt_test(humans, system, epsilon=epsilon, scoring=measure)
            except InputError as problem:
                why_not = problem.problem
        ranked: Row = {
            "system": name,
            "measure": scores.measure,
            "value": float(means[-1]),
            "rank": int(1 + np.sum(means[:-1] > means[-1] + 1e-12)),
            "of": len(means),
        }
        answers.append(
            JudgeAnswer(
                judge=name,
                raw=None,
                target=scores.measure,
                corrected=None,
                alt_test=test,
                agreement={
                    "with_humans": judged.value,
                    "among_humans": among.value,
                    "difference": judged.value - among.value,
                    "with_humans_interval": _limits(interval(judged, "auto", level=level)),
                    "among_humans_interval": _limits(interval(among, "auto", level=level)),
                    "difference_interval": _limits(compare(judged, among, level=level)),
                    "measure": scores.measure,
                    "documents": judged.n,
                    "each": {p: float(m) for p, m in zip(people, means[:-1], strict=True)},
                },
                rank=(ranked,),
                verdict=verdict(name, test, why_not, len(people)) + _little(among),
                sentence=sentence(name, scores.measure, None, scores.n, scores.n, test),
                signature=signature(
                    "judge", scores.n, judge=name, by=scores.measure, epsilon=epsilon
                ),
                warnings=(
                    *scores.warnings,
                    *([_FORGIVING] if _little(among) and data.shape == "units" else []),
                ),
            )
        )
    if against is not None:
        theirs = (against, document_scores(humans, data.select(annotators=[against]), measure))
        how = {"level": level, "margin": margin}
        answers = [
            replace(answer, difference=_difference(ours, theirs, how))
            for answer, ours in zip(answers, values, strict=True)
        ]
    return JudgeStudy(
        judges=tuple(answers),
        people=tuple(people),
        comparisons=tuple(_two_by_two(values, level=level)),
    )


def _little(among: Result) -> str:
    """What must be said of a test among people who hardly agree by the measure."""
    if not among.value < _LITTLE:
        return ""
    return (
        f" But people themselves agree at {among.value:.3f} only by {among.measure}: to do as well as "
        "they do says little."
    )


def _side_by_side(scores: DocumentScores) -> tuple[Result, Result]:
    """The judge against people, and people against each other, on the documents that have both."""
    counted = np.isfinite(scores.means[:, :-1]).sum(axis=1)
    total = np.nansum(scores.means[:, :-1], axis=1)
    among = np.where(counted, total / np.maximum(counted, 1), np.nan)
    both = np.isfinite(scores.means[:, -1]) & np.isfinite(among)
    return (
        _over_documents("", np.where(both, scores.means[:, -1], np.nan), scores),
        _over_documents("", np.where(both, among, np.nan), scores),
    )


def _over_documents(name: str, values: Array, scores: DocumentScores) -> Result:
    """The mean over the documents that have a value."""
    there = np.flatnonzero(np.isfinite(values))
    rows = np.column_stack([values[there], np.ones(len(there))])
    return Result(
        measure=scores.measure,
        value=float(rows[:, 0].mean()) if len(there) else float("nan"),
        n=len(there),
        signature=signature(scores.measure, len(there)),
        undefined="no document was annotated by the judge and by two people",
        system=name or None,
        sample=Sample(
            rows=rows,
            score=ratio_of_totals,
            keys=[scores.documents[d] for d in there],
            unit="document",
        ),
    )


def _limits(found: Result | Comparison) -> list[float] | None:
    return None if found.interval is None else [found.interval.low, found.interval.high]


def _difference(ours: _Scored, theirs: _Scored, how: Mapping[str, object]) -> Row:
    """How much better a judge is than another annotator, on the documents that both have."""
    nothing: Row = {"undefined": "they share fewer than two documents"}
    (row,) = _two_by_two([ours, theirs], **how) or [nothing]
    return as_difference(ours[0], theirs[0], row, how)


def _two_by_two(judged: Sequence[_Scored], **how: object) -> list[Row]:
    """Judges compared on the documents both have, Holm over the pairs."""
    pairs = []
    for (a, one), (b, two) in combinations(judged, 2):
        columns = [dict(zip(x.documents, x.means[:, -1], strict=True)) for x in (one, two)]
        both = {d for d in columns[0] if np.isfinite(columns[0][d] + columns[1].get(d, np.nan))}
        sides = [
            (
                name,
                _over_documents(name, np.array([_where(d in both, c[d]) for d in x.documents]), x),
            )
            for name, c, x in ((a, columns[0], one), (b, columns[1], two))
        ]
        if len(both) > 1:
            pairs.append((sides[0], sides[1]))
    return list(comparisons(pairs, **how))


def _where(kept: bool, value: float) -> float:
    return value if kept else float("nan")
