"""A judge that marks units, cuts segments or links mentions, among the people who did the same."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from accord.data import Annotations
from accord.data.choose import some
from accord.errors import InputError, UsageError
from accord.evaluation.alternative import alt_test
from accord.evaluation.judges.answer import JudgeAnswer, JudgeStudy
from accord.evaluation.judges.words import sentence, verdict
from accord.evaluation.located import document_scores
from accord.result import Row, signature


def judge_located(
    data: Annotations, names: Sequence[str], *, measure: str | None, epsilon: float
) -> JudgeStudy:
    """The score of the judge against people, and of people against each other, per document.

    The rank is that of the judge's mean score among those of the people; the test is the
    alternative-annotator test with documents as items. A rate to correct does not exist here.
    """
    unknown = [n for n in names if n not in data.annotators]
    if unknown:
        raise UsageError(
            f"no judge {some(unknown)} among the annotators; they are {some(data.annotators)}"
        )
    people = [a for a in data.annotators if a not in names]
    if len(people) < 2:
        raise InputError(
            f"a judge of {data.shape} is compared with two people or more, got {len(people)}"
        )
    humans = data.select(annotators=people)
    answers = []
    for name in names:
        system = data.select(annotators=[name])
        scores = document_scores(humans, system, measure)
        means = np.nanmean(scores.means, axis=0)
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
                    "with_humans": float(means[-1]),
                    "among_humans": float(np.mean(means[:-1])),
                    "measure": scores.measure,
                    "documents": scores.n,
                    "each": {p: float(m) for p, m in zip(people, means[:-1], strict=True)},
                },
                rank=(ranked,),
                verdict=verdict(name, test, why_not, None, len(people)),
                sentence=sentence(name, scores.measure, None, scores.n, scores.n, test),
                signature=signature(
                    "judge", scores.n, judge=name, by=scores.measure, epsilon=epsilon
                ),
                warnings=scores.warnings,
            )
        )
    return JudgeStudy(judges=tuple(answers), people=tuple(people))
