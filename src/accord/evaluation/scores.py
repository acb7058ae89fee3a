"""`score`: any validity measure of a system against a reference, with its interval."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Sized
from dataclasses import replace
from typing import Literal, overload

import numpy as np

from accord.data import Annotations, Boxes, Ratings, Relations, Units
from accord.data.frame import is_numbering
from accord.errors import InputError, some
from accord.evaluation.entrants import systems_in
from accord.evaluation.refusal import agreement_as_score
from accord.measures import find
from accord.measures.agreement import (
    breakdown_names,
    check,
    options_of_each,
    thresholds_of,
)
from accord.measures.choice import choose
from accord.options.kinds import refuses_other_kinds
from accord.reading.given import Given, numbered_as, read_with
from accord.result import Result, Results
from accord.study import Certainty, Study
from accord.study.several import answers_of_each
from accord.uncertainty import RESAMPLES


@overload
def score(
    reference: Given,
    system: Given,
    measure: str | Sequence[str] | None = ...,
    *,
    ci: str | None = ...,
    level: float = ...,
    resamples: int = ...,
    seed: int = ...,
    by: str | Sequence[str] = ...,
    unit: str | None = ...,
    threshold: float | Sequence[float] = ...,
    allow_agreement: bool = ...,
    system_annotator: str | None = ...,
    each: Literal[True],
    **options: object,
) -> Results: ...


@overload
def score(  # type: ignore[overload-overlap] # a literal is a str; the narrower one comes first
    reference: Given,
    system: Given,
    measure: Literal["semeval"],
    *,
    ci: str | None = ...,
    level: float = ...,
    resamples: int = ...,
    seed: int = ...,
    by: str | Sequence[str] = ...,
    unit: str | None = ...,
    threshold: float | Sequence[float] = ...,
    allow_agreement: bool = ...,
    system_annotator: str | None = ...,
    each: Literal[False] = ...,
    **options: object,
) -> tuple[Result, ...]: ...


@overload
def score(
    reference: Given,
    system: Given,
    measure: list[str] | tuple[str, ...],
    *,
    ci: str | None = ...,
    level: float = ...,
    resamples: int = ...,
    seed: int = ...,
    by: str | Sequence[str] = ...,
    unit: str | None = ...,
    threshold: float | Sequence[float] = ...,
    allow_agreement: bool = ...,
    system_annotator: str | None = ...,
    each: Literal[False] = ...,
    **options: object,
) -> Results: ...


@overload
def score(
    reference: Given,
    system: Given,
    measure: str | None = ...,
    *,
    ci: str | None = ...,
    level: float = ...,
    resamples: int = ...,
    seed: int = ...,
    by: str | Sequence[str] = ...,
    unit: str | None = ...,
    threshold: float | Sequence[float] = ...,
    allow_agreement: bool = ...,
    system_annotator: str | None = ...,
    each: Literal[False] = ...,
    **options: object,
) -> Result: ...


@refuses_other_kinds
def score(
    reference: Given,
    system: Given,
    measure: str | Sequence[str] | None = None,
    *,
    ci: str | None = None,
    level: float = 0.95,
    resamples: int = RESAMPLES,
    seed: int = 0,
    by: str | Sequence[str] = (),
    unit: str | None = None,
    threshold: float | Sequence[float] = (),
    allow_agreement: bool = False,
    system_annotator: str | None = None,
    each: bool = False,
    **options: object,
) -> Result | tuple[Result, ...] | Results:
    """How good a system is against a reference.

    The reference and the system are annotations of the same shape, or what :func:`accord.read`
    reads, or two lists of labels; the reference may be the table of all judges. An agreement
    coefficient is refused as a score, with the reason; `allow_agreement` computes it with that
    reason as a warning. Of a system of several annotators, `system_annotator` names the one that is
    meant, and `each` scores them all. The other parameters are those of :func:`accord.agree`.

    >>> print(score(list("AAAABBBB"), list("AABBBBAA"), "accuracy"))
    accuracy = 0.5000
    >>> [r.value for r in score(list("AABB"), list("ABBB"), ["accuracy", "recall"])]
    [0.75, 0.75]
    """
    certainty = Certainty(
        ci=None if ci == "none" else ci,
        level=level,
        resamples=resamples,
        seed=seed,
        unit=unit,
        thresholds=thresholds_of(threshold),
    )
    _same_length(reference, system)
    key, own_options = read_with(reference, options, annotator="reference")
    answers, others = read_with(system, options, annotator="system")
    answers = numbered_as(key, reference, answers, system)
    # (what one side had to be told is no option of the measure)
    options = {name: value for name, value in own_options.items() if name in others}
    systems = systems_in(
        answers,
        "the system",
        system_annotator=system_annotator,
        each=each,
        votes=are_votes(measure),
    )
    names = breakdown_names(by)

    def of(own: Annotations) -> Result | tuple[Result, ...] | Results:
        if measure is None or isinstance(measure, str):
            found = scores(
                key, own, measure, options, certainty, by=names, allow_agreement=allow_agreement
            )
            return found[0] if len(found) == 1 else found
        listed, _ = answers_of_each(
            options_of_each(measure, options, "score"),
            lambda name, chosen: scores(
                key, own, name, chosen, certainty, by=names, allow_agreement=allow_agreement
            ),
        )
        return listed

    if not each:
        return of(next(iter(systems.values())))
    every = Results()
    for name, own in systems.items():
        found = of(own)
        results = [found] if isinstance(found, Result) else found
        every.extend(replace(result, system=name) for result in results)
    return every


def are_votes(measure: str | Sequence[str] | None) -> bool:
    """Whether these measures, all of distributions, take several answers to an item as one."""
    names = [measure] if isinstance(measure, str) else list(measure or ())
    return bool(names) and all(name != "all" and find(name, "score").votes for name in names)


def _same_length(reference: Given, system: Given) -> None:
    """Plain lists are matched place by place: a shorter one has lost something on its way here."""
    sides = (reference, system)
    if any(isinstance(s, (str, Mapping, Annotations)) for s in sides):
        return
    if not all(isinstance(s, Sequence) or getattr(s, "ndim", 0) == 1 for s in sides):
        return
    indices = [getattr(s, "index", None) for s in sides if hasattr(s, "reset_index")]
    # (two series are paired by their indices, and a list with one that only numbers its values)
    if len(indices) == len(sides) or not all(map(is_numbering, indices)):
        return
    first, second = (len(s) for s in sides if isinstance(s, Sized))
    if first != second:
        raise InputError(
            f"the reference has {first} values and the system {second}",
            hint="lists are compared place by place; put None where there is no answer",
        )


def scores(
    reference: Annotations,
    system: Annotations,
    measure: str | None,
    options: Mapping[str, object],
    certainty: Certainty,
    *,
    by: Sequence[str] = (),
    allow_agreement: bool = False,
) -> tuple[Result, ...]:
    """The score; or each of them, where a measure is several (semeval, one value per category)."""
    if reference.shape != system.shape:
        raise InputError(
            f"the reference holds {reference.shape}, the system {system.shape}",
            hint="both must have the same shape",
        )
    record = find(measure or choose(reference, "score").measure, "score")
    if record.question == "agree" and record.shape == reference.shape:
        return agreement_as_score(
            reference, system, record, options, certainty, allowed=allow_agreement, by=by
        )
    check(record, reference.shape, options, question="score")
    found = Study(
        record,
        reference,
        system,
        options=options,
        certainty=certainty,
        notes=_no_shared_label(reference, system),
    ).answer(by)
    return found if isinstance(found, tuple) else (found,)


def _no_shared_label(reference: Annotations, system: Annotations) -> tuple[str, ...]:
    """What is to be said where both sides have labels and none of them is the same."""
    ours, theirs = (_labels_used(side) for side in (reference, system))
    if not ours or not theirs or set(ours) & set(theirs):
        return ()
    return (
        f"the reference and the system share no label ({some(ours, 3)} against {some(theirs, 3)}): under "
        "its label nothing is right; where they are other names of the same, give them with `recode`",
    )


def _labels_used(data: Annotations) -> list[str]:
    """The names that were given to something; numbers and sets are no names."""
    if isinstance(data, Ratings):
        if data.kind != "categories":
            return []
        return [data.labels[k] for k in np.unique(data.code).tolist()]
    if isinstance(data, (Units, Boxes, Relations)):
        return [data.categories[k] for k in np.unique(data.label).tolist() if k >= 0]
    return []
