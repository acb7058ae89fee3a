"""`judge`: may this model stand in for people, and what is the rate given its errors?"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal, Unpack

import numpy as np

from accord.data import Annotations, Ratings
from accord.data.join import joined
from accord.data.roles import rename, signed
from accord.errors import InputError, UsageError, some
from accord.evaluation.alternative import AltTest, alt_test
from accord.evaluation.entrants import Systems, entrants_of, is_name, models_among
from accord.evaluation.judges import estimate as estimates
from accord.evaluation.judges.agreement import agreement
from accord.evaluation.judges.answer import Corrected, JudgeAnswer, JudgeStudy
from accord.evaluation.judges.bias import bias_rows, drift
from accord.evaluation.judges.calibration import calibration
from accord.evaluation.judges.chosen_items import selection_test, selection_warning
from accord.evaluation.judges.classes import class_rows, confusion_rows, mistakes
from accord.evaluation.judges.estimate import FEW, Estimate
from accord.evaluation.judges.labels import (
    Labels,
    gives_probabilities,
    labels_of,
    positive_value,
    split,
)
from accord.evaluation.judges.located import judge_located
from accord.evaluation.judges.needed import Needed, needed, next_items
from accord.evaluation.judges.pairs import compare_judges, difference
from accord.evaluation.judges.panel import PANEL, error_correlation, panel_of
from accord.evaluation.judges.people import people_interval
from accord.evaluation.judges.words import beyond_chance, gain, sentence, verdict
from accord.evaluation.ranking import rank
from accord.options import LEVEL, bare, check_draws, further, written
from accord.options.kinds import refuses_other_kinds
from accord.options.reading import Duplicates
from accord.reading.given import Given, Sides
from accord.reading.keywords import Keywords
from accord.result import Row, signature
from accord.uncertainty.compare import check_margin

Method = Literal["auto", "post-stratified", "ppi++", "ppi", "rogan-gladen", "human"]
Sampling = Literal["random", "by-judge", "by-class", "weights"]
METHODS: tuple[Method, ...] = ("auto", "post-stratified", "ppi++", "ppi", "rogan-gladen", "human")
SAMPLINGS: tuple[Sampling, ...] = ("random", "by-judge", "by-class", "weights")
#: the methods that are right, by how the items that people labelled were chosen
RIGHT: Mapping[str, tuple[Method, ...]] = {
    "random": METHODS,
    "by-judge": ("auto", "post-stratified", "ppi++", "human"),
    "by-class": ("auto", "rogan-gladen"),
    "weights": ("auto", "post-stratified", "ppi++", "human"),
}
_RESAMPLES = 1000
Estimator = Callable[[Labels, float], Estimate]


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What was asked, checked once."""

    positive: str | None
    method: Method
    sampling: Sampling
    finite: bool
    strata: Mapping[Hashable, object] | None
    group: Mapping[Hashable, object] | None
    width: float | None
    epsilon: float
    level: float
    resamples: int
    seed: int


@refuses_other_kinds
def judge(
    data: Given,
    judge: Systems,
    *,
    positive: str | None = None,
    method: Method = "auto",
    sampling: Sampling = "random",
    population: Literal["items like these", "finite"] = "items like these",
    strata: str | Mapping[Hashable, object] | None = None,
    unlabelled: Given | None = None,
    group: str | Mapping[Hashable, object] | None = None,
    width: float | None = None,
    epsilon: float = 0.2,
    measure: str | None = None,
    against: str | None = None,
    margin: float | None = None,
    level: float = LEVEL,
    resamples: int = _RESAMPLES,
    seed: int = 0,
    **reading: Unpack[Keywords],
) -> JudgeStudy:
    """Judge whether a model may stand in for people, and estimate what they would say of all items.

    `data` holds people's labels of some items and the judge's of all; every annotator not named in
    `judge` is a person. The corrected value is the rate of `positive` (or the mean of numbers) that
    *these people* would give to items like these; `population="finite"` asks for exactly these items.

    Parameters
    ----------
    judge : name of the judge, or names; several are compared, and their vote is one more judge
    positive : the value whose rate is meant; not needed for 0/1, yes/no, true/false
    method : how the judge is corrected; ``auto`` is post-stratified for a rate, ppi++ for a mean, the
        people alone when they labelled everything or fewer than 30 items, and rogan-gladen when the
        items were chosen by their true class
    sampling : how the items that people labelled were chosen: at random, by the judge's answers, by
        their true class, or with known probabilities (the items' weights are their inverses)
    strata : stratum of each item (or the column of the data that holds it), estimated apart
    unlabelled : more answers of the judges
    group : a group or a number for each item (or their column); the judge's bias is shown for each
    width : the width of the interval that is wanted; how many more labels it takes
    epsilon : price of a human in the alternative-annotator test
    measure : for units, segments and chains: what scores one annotation of a document against another
    against : another annotator (the judge in use until now): how much nearer to people's the answers
        of each judge are than its answers; it is no person, and not judged itself
    margin : by how much a judge may be worse and still count as no worse (``p_margin``)
    **reading : those of :func:`accord.read`, for what is not read yet; several answers of a judge to an
        item are averaged, several labels of a person are refused unless `duplicates` says which counts

    Rules, formulas and coverage are in the documentation ("Models as annotators").

    >>> from accord.data.tables import ratings_from_long
    >>> people = [(str(i), "ann", int(i % 5 == 0)) for i in range(100)]
    >>> model = [(str(i), "gpt", int(i % 4 == 0)) for i in range(1000)]
    >>> found = judge(ratings_from_long(*zip(*(people + model))), "gpt")
    >>> found.judges[0].raw, found.corrected.method, round(found.corrected.value, 3)
    (0.25, 'post-stratified', 0.2)
    """
    _check("method", method, METHODS)
    _check("sampling", sampling, SAMPLINGS)
    _check("population", population, ("items like these", "finite"))
    if margin is not None and against is None:
        raise UsageError("`margin` is about a difference: name the other annotator with `against`")
    check_margin("margin", margin)
    check_draws(level=level, resamples=resamples, seed=seed)
    sides, twice = Sides(reading), once(reading)
    given, names = _with_given(sides.data(data, duplicates=twice), judge, sides)
    if against in names:
        raise UsageError(f"`against` must be another annotator than the judge, got {against!r}")
    others = (*names, *([against] if against is not None else []))
    given = settled(given, reading, others)
    more = None
    if unlabelled is not None:
        more = sides.beside(unlabelled, "unlabelled", duplicates=twice)
    sides.settle("judge")
    data = _with_judges(given, others)
    asked = {
        "judges": ",".join(bare(n, ",") for n in names) if len(names) > 1 else None,
        "strata": None if strata is None else written(strata),
        "group": None if group is None else written(group),
        "width": width,
        "against": None if against is None else bare(against),
        "margin": margin,
        "level": None if level == LEVEL else level,
        "resamples": None if resamples == _RESAMPLES else resamples,
    }
    words = [f"{name}:{value}" for name, value in asked.items() if value is not None]
    if not isinstance(data, Ratings):
        study = judge_located(
            data,
            names,
            measure=measure,
            against=against,
            margin=margin,
            epsilon=epsilon,
            level=level,
        )
        return _signed(study, words, given)
    data = data.single()
    if more is not None:
        together = joined([data, more])
        if not isinstance(together, Ratings):
            raise InputError("the unlabelled data hold no ratings")
        data = together
    if sampling == "by-judge" and len(names) > 1:
        raise UsageError(
            "whose answers chose the items? With `sampling=by-judge` name that one judge, or give the "
            "chance of each item as a column `weight` (`sampling=weights`)"
        )
    if method not in RIGHT[sampling]:
        raise UsageError(
            f"{method} is wrong with `sampling={sampling}`; it must be one of "
            f"{', '.join(RIGHT[sampling])}"
        )
    question = Question(
        positive=positive, method=method, sampling=sampling, finite=population == "finite",
        strata=_column(data, strata), group=_column(data, group), width=width, epsilon=epsilon, level=level,
        resamples=resamples, seed=seed,
    )  # fmt: skip
    _one_label_each(data, others)
    people, judges = split(data, others)
    warnings = models_among(people, "judges")
    probabilities = gives_probabilities(people, judges)
    if probabilities and positive is None:
        question = replace(question, positive="1")
    target, chosen = (
        ("rate", "1") if probabilities else positive_value(data, question.positive)
    )  # fmt: skip
    soft = judges
    if probabilities:
        people, judges = _hard(people), _hard(judges)
    entrants = {n: (judges.select(annotators=[n]), soft.select(annotators=[n])) for n in names}
    if against is not None:
        labels_of_against, _ = labels_of(
            people, soft.select(annotators=[against]), target=target, positive=chosen,
            probabilities=probabilities,
        )  # fmt: skip
    if len(names) > 1:
        panel = panel_of(judges, names)
        entrants[PANEL] = panel, panel
    answers, labels = [], {}
    for name, (hard, probable) in entrants.items():
        own, notes = labels_of(
            people, probable, target=target, positive=chosen,
            probabilities=probabilities and name != PANEL,
        )  # fmt: skip
        if name != PANEL:
            labels[name] = own
        elif len(names) == 2:
            notes = [*notes, f"two judges are no majority: where they differ, {names[0]} decides"]
        answers.append(_answer(name, people, hard, own, question, notes))
    if against is not None:
        both = labels | {against: labels_of_against}
        how = {"level": level, "resamples": resamples, "seed": seed, "margin": margin}
        answers = [
            replace(a, difference=difference(data, both, a.judge, against, **how))
            if a.judge in labels
            else a
            for a in answers
        ]
    study = JudgeStudy(
        judges=tuple(answers),
        people=people.annotators,
        panel=error_correlation(labels) if len(labels) > 1 else None,
        comparisons=tuple(
            compare_judges(data, labels, level=level, resamples=resamples, seed=seed)
        ),
        warnings=tuple(warnings),
    )
    return _signed(study, words, given)


def _signed(study: JudgeStudy, words: Sequence[str], data: Annotations) -> JudgeStudy:
    """The study whose answers say what else was asked for, and of whom."""
    answers = [
        replace(a, signature=signed(further(a.signature, *words), data)) for a in study.judges
    ]
    return replace(study, judges=tuple(answers))


def _answer(
    name: str, people: Ratings, judge: Ratings, labels: Labels, question: Question, notes: list[str]
) -> JudgeAnswer:
    warnings = list(notes)
    labels = _in_strata(labels, question.strata)
    if question.sampling == "by-judge":
        labels = _chosen_by_answer(labels, judge)
    weight = _weights(labels, question.sampling)
    corrected, said = _corrected(labels, question)
    warnings += said
    tested = selection_test(labels)
    suspicion = selection_warning(tested, question.sampling)
    if suspicion is not None:
        warnings.append(suspicion)
    test, why_not = _alternative(people, judge, question)
    metric = "interval" if people.kind == "numbers" and labels.target == "mean" else "nominal"
    n, total = int((labels.m > 0).sum()), len(labels.f)
    one = len(people.annotators) == 1
    if one:
        warnings.append(
            "agreement with one unvalidated person: whether that person is right is unknown"
        )
    target = "mean" if labels.target == "mean" else f"rate of {labels.positive}"
    agreed = agreement(
        people, judge, metric=metric, level=question.level, resamples=question.resamples,
        seed=question.seed, weight=weight,
    )  # fmt: skip
    return JudgeAnswer(
        judge=name,
        raw=float(labels.f.mean()),
        target=target,
        corrected=corrected,
        classes=tuple(class_rows(
                people, judge, question.level, weight, question.sampling, question.seed
            )),
        confusion=tuple(confusion_rows(people, judge)),
        mistakes=tuple(mistakes(people, judge)),
        alt_test=test,
        agreement=agreed,
        rank=() if one else _rank(people, name, judge, question),
        needed=_needed(labels, corrected, question),
        next_items=tuple(next_items(labels)),
        calibration=_calibrated(labels, question),
        bias=() if question.group is None else tuple(
            bias_rows(labels, question.group, question.level)
        ),
        drift=_drift(labels, judge, question.seed),
        repeats=_self_agreement(judge),
        selection=None if tested is None else {"test": tested[0], "p": tested[1]},
        verdict=" ".join(
            s for s in (
                verdict(name, test, why_not, len(people.annotators)), beyond_chance(agreed),
                _gained(labels, corrected, question),
            ) if s
        ),
        sentence=sentence(name, target, corrected, n, total, test),
        signature=signature(
            "judge", n, judge=name, positive=labels.positive, method=corrected.method,
            sampling=question.sampling, population="finite" if question.finite else None,
            of=total, people=len(people.annotators), epsilon=question.epsilon, seed=question.seed,
        ),
        warnings=tuple(dict.fromkeys(warnings)),
    )  # fmt: skip


def _chosen_by_answer(labels: Labels, judge: Ratings) -> Labels:
    """The labels with each of the judge's answers as a stratum (numbers are their own)."""
    if labels.target == "mean":
        return labels
    place = {key: i for i, key in enumerate(judge.items)}
    codes = [int(judge.code[judge.indptr[place[key]]]) for key in labels.items]
    return replace(labels, answer=np.unique(codes, return_inverse=True)[1].astype(np.int64))


def _weights(labels: Labels, sampling: str) -> Mapping[Hashable, float] | None:
    """How many items each labelled one stands for; None where all count alike, NaN where unknown."""
    if sampling not in ("by-judge", "weights"):
        return None
    known = labels.weights if sampling == "weights" else estimates.inverse_fractions(labels)
    each = np.full(len(labels.f), np.nan) if known is None else known
    return dict(zip(labels.items, each.tolist(), strict=True))


def _gained(labels: Labels, corrected: Corrected, question: Question) -> str:
    """What the judge's answers are worth, where the people's labels could stand without them."""
    if corrected.method == "human" or corrected.interval is None:
        return ""
    if question.sampling not in ("random", "weights"):
        return ""
    without = _estimator(corrected.method, question)(labels.blind(), question.level)
    return gain(corrected.interval, without.interval, int((labels.m > 0).sum()))


def _corrected(labels: Labels, question: Question) -> tuple[Corrected, list[str]]:
    """The estimate of the method asked for, and its interval for humans like these."""
    warnings = []
    n, N = int((labels.m > 0).sum()), int((labels.m == 0).sum())
    chosen = question.method
    if chosen == "auto":
        if question.sampling == "by-class":
            chosen = "rogan-gladen"
        elif n < FEW or (N == 0 and question.sampling == "random"):
            chosen = "human"
        else:
            by_judge = labels.target == "mean" and question.sampling == "by-judge"
            chosen = "post-stratified" if labels.target == "rate" or by_judge else "ppi++"
    elif n < FEW and chosen != "human":
        warnings.append(
            f"{chosen} from {n} labelled items: nothing is known of its coverage below {FEW}"
        )
    if n < FEW and question.method == "auto" and chosen == "human":
        warnings.append(
            f"fewer than {FEW} items are labelled by people ({n}): only their own interval is claimed"
        )
    estimator = _estimator(chosen, question)
    found = estimator(labels, question.level)
    return (
        Corrected(
            method=found.method,
            value=found.value,
            interval=found.interval,
            interval_people=people_interval(labels, found, estimator, question.level),
            people_alone=estimates.people_alone(labels, question.level, question.sampling),
            terms=found.terms,
            reason=found.reason,
        ),
        [*warnings, *found.warnings],
    )


def _estimator(method: str, question: Question) -> Estimator:
    if question.sampling == "weights" and method != "human":
        return estimates.weighted
    if question.sampling == "by-judge" and method == "ppi++":
        return estimates.weighted
    plain: dict[str, Estimator] = {
        "human": partial(estimates.people_alone, sampling=question.sampling),
        "ppi": estimates.ppi,
        "ppi++": estimates.ppi_plus,
        "rogan-gladen": estimates.rogan_gladen,
        "post-stratified": partial(estimates.post_stratified, finite=question.finite),
    }
    estimator = plain[method]
    if question.strata is not None:
        return partial(estimates.stratified, method=estimator)
    return estimator


def _in_strata(labels: Labels, strata: Mapping[Hashable, object] | None) -> Labels:
    if strata is None:
        return labels
    lost = [key for key in labels.items if key not in strata]
    if lost:
        raise InputError(f"{len(lost)} items have no stratum, for example {lost[0]!r}")
    texts = [str(strata[key]) for key in labels.items]
    names = tuple(dict.fromkeys(texts))
    place = {name: k for k, name in enumerate(names)}
    return replace(labels, stratum=np.array([place[t] for t in texts]), strata=names)


def _alternative(
    people: Ratings, judge: Ratings, question: Question
) -> tuple[AltTest | None, str | None]:
    if len(people.annotators) < 3:
        return None, f"it takes at least three people, and there are {len(people.annotators)}"
    try:
        return alt_test(people, judge, epsilon=question.epsilon), None
    except InputError as problem:
        return None, problem.problem


def _rank(people: Ratings, name: str, judge: Ratings, question: Question) -> tuple[Row, ...]:
    found = rank(
        people,
        {name: judge},
        level=question.level,
        resamples=question.resamples,
        seed=question.seed,
    )
    return tuple(found.systems)


def _needed(labels: Labels, corrected: Corrected, question: Question) -> Needed | None:
    if question.width is None or corrected.method != "post-stratified":
        return None
    return needed(labels, question.width, question.level, finite=question.finite)


def _calibrated(labels: Labels, question: Question) -> dict[str, object] | None:
    if labels.target != "rate" or np.all((labels.f == 0) | (labels.f == 1)):
        return None
    return calibration(labels, question.level, seed=question.seed)


def _drift(labels: Labels, judge: Ratings, seed: int) -> Row | None:
    if judge.time is None:
        return None
    moment = dict(zip(judge.items, judge.time.tolist(), strict=True))
    found = drift(labels, [moment[key] for key in labels.items], seed=seed)
    if found is None:
        return None
    return {**found, "from": judge.times[found["from"]]}


def _self_agreement(judge: Ratings) -> Row | None:
    """Share of agreeing pairs among the judge's repeated runs of one item."""
    if not judge.repeats:
        return None
    shares = []
    for _, _, codes in judge.repeats:
        counts = np.bincount(codes).astype(np.float64)
        m = counts.sum()
        shares.append(float(np.sum(counts * (counts - 1)) / (m * (m - 1))))
    return {"items": len(shares), "agreement": float(np.mean(shares))}


def _with_given(
    data: Annotations, judge: Systems, sides: Sides
) -> tuple[Annotations, tuple[str, ...]]:
    """The people with the answers of the judges that were given as data; and what all are called."""
    entrants = entrants_of(judge, data)
    if not entrants:
        raise UsageError("name at least one judge")
    held = {n: sides.beside(own, "system") for n, own in entrants.items() if not is_name(own)}
    parts = [rename(own, {own.annotators[0]: name}) for name, own in held.items()]
    return joined([data, *parts]) if parts else data, tuple(entrants)


def _with_judges(data: Annotations, names: Sequence[str]) -> Annotations:
    """The people and the judges together, when the judges were set aside as systems."""
    absent = [name for name in names if name not in data.annotators]
    if data.roles is None or not absent:
        return data
    everybody = data.roles.everybody
    known = [n for n in everybody.annotators if n in data.annotators or n in names]
    return everybody.select(annotators=known)


def _column(
    data: Ratings, given: str | Mapping[Hashable, object] | None
) -> Mapping[Hashable, object] | None:
    """A value for each item: given as such, or the name of a column that the data brought along."""
    if given is None or not isinstance(given, str):
        return given
    if given == "document" and data.document is not None:
        return {k: data.documents[d] for k, d in zip(data.items, data.document, strict=True)}
    if given not in data.extras:
        held = [*data.extras, *(["document"] if data.document is not None else [])]
        raise UsageError(f"the data have no column {given!r}; they have {some(held) or 'none'}")
    cells = zip(data.items, data.extras[given], strict=True)
    return {key: cell for key, cell in cells if cell is not None}


def once(reading: Mapping[str, Any]) -> Duplicates:
    """How data of judges are read whose models answered twice: their runs are averaged, not refused.

    >>> once({}), once({"duplicates": "last"})
    ('first', 'last')
    """
    said: Duplicates = reading.get("duplicates", "error")
    return "first" if said == "error" else said


def settled(data: Annotations, reading: Mapping[str, Any], judges: Sequence[str]) -> Annotations:
    """The data with one label of each person for an item, where `duplicates` said which."""
    if not isinstance(data, Ratings) or reading.get("duplicates", "error") == "error":
        return data
    models = {data.annotators.index(name) for name in judges if name in data.annotators}
    return replace(data, repeats=tuple(r for r in data.repeats if r[1] in models))


def _one_label_each(data: Ratings, judges: Sequence[str]) -> None:
    """Repeated runs of a judge are averaged; a person who labels an item twice is a mistake."""
    for item, who, codes in data.repeats:
        if data.annotators[who] not in judges and len({*codes}) > 1:
            raise InputError(
                f"{data.annotators[who]!r} labels item {data.items[item]!r} twice",
                hint="keep one label of each person for an item",
            )


def _hard(data: Ratings) -> Ratings:
    """Probabilities as answers: yes from one half on."""
    codes = (data.numbers >= 0.5).astype(np.int32)
    return data.recoded(codes, np.array([0.0, 1.0]), "numbers")  # type: ignore[arg-type]


def _check(name: str, value: str, allowed: Sequence[str]) -> None:
    if value not in allowed:
        raise UsageError(f"{name} must be one of {', '.join(allowed)}, got {value!r}")
