"""A question as people ask it: which measures, with which options, how sure, broken down by what.

`accord.agree` and `accord.score`, the commands of these names and `distribute` ask here, so that several
measures at once, a measure that refuses the data and one that nobody named are the same at each of
them. A report and an audit, which keep many studies, ask for those by the same questions.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from accord.data import Annotations, Boxes, Ratings, Relations, Units
from accord.data.protocol import Shape
from accord.errors import (
    AccordError,
    InputError,
    RefusedError,
    UsageError,
    in_python,
    some,
)
from accord.options import LEVEL, RESAMPLES, USUAL, check_draws
from accord.registry import Measure, Question, enrolled, find
from accord.result import Result, Results
from accord.study.choice import Choice, check, choose
from accord.study.refusal import agreement_as_score
from accord.study.studies import Studies
from accord.study.study import Certainty, MissingBreakdownError, Study

#: what one of several measures may say without taking the others with it
_REFUSALS = (InputError, RefusedError)
#: measures named in an error
_NAMED = 5
#: called with (done, total) as the work on a measure advances; None where nobody looks
Watch = Callable[[str], AbstractContextManager[Callable[[int, int], None] | None]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What was asked, answered: the results, and which measure was chosen and why."""

    results: Results
    #: where no measure was named
    choice: Choice | None
    #: of "all" those that do not apply, each with its reason
    left_out: tuple[str, ...] = ()
    #: as Python returns it: the results of a list; of one measure the one, or those of its categories
    returned: Result | tuple[Result, ...] | Results


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """A question about data: of one campaign, or of a reference and a system.

    >>> import accord
    >>> data = accord.Ratings.from_matrix([["a", "b", "a", "b"], ["a", "b", "b", "b"]])
    >>> ask = Ask(question="agree", measures=["percent", "kappa", "gamma"])
    >>> [r.undefined or r.value for r in ask.answer(data).results]
    [0.75, 0.5, 'gamma is for units, these data are ratings; use alpha, or one of ...']
    """

    question: Question
    #: one by its name, several in a list ("all": those that apply), none for the one that suits the data
    measures: str | Sequence[str] | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    certainty: Certainty = field(default_factory=Certainty)
    by: tuple[str, ...] = ()
    #: an agreement coefficient is computed as a score, with its warning
    allow_agreement: bool = False
    #: the measure that suits the data, where none was named; see `settled`
    choice: Choice | None = None

    @property
    def named(self) -> tuple[str, ...]:
        """The measures that were named."""
        asked = self.measures or ()
        return (asked,) if isinstance(asked, str) else tuple(asked)

    @property
    def alone(self) -> bool:
        """Whether one measure is asked, which takes all options or refuses them."""
        return len(self.named) < 2 and "all" not in self.named

    def settled(self, data: Annotations) -> Ask:
        """Return the same question with its measure chosen, where none was named: once for all doors."""
        if self.named or self.choice is not None:
            return self
        return replace(self, choice=choose(data, self.question))

    def records(self, data: Annotations) -> list[Measure]:
        """Return the measures that are meant for these data; of several, one at least takes each option."""
        choice = self.settled(data).choice
        if "all" in self.named:
            there = enrolled(shape=data.shape, question=self.question)
            records = [m for m in there if not m.explicit]
        else:
            names = self.named if choice is None else (choice.measure,)
            records = [find(name, self.question) for name in names]
        for name in () if self.alone else self.options:
            if not any(record.takes(name) for record in records):
                known = ", ".join(r.name for r in records[:_NAMED])
                raise UsageError(f"`{name}` is not an option of {known}")
        return records

    def options_of(self, record: Measure) -> Mapping[str, Any]:
        """Return the options of this measure: those it takes of the given, and those it was chosen with."""
        chosen = {} if self.choice is None else self.choice.options
        given = self.options.items()
        return {**chosen, **{k: v for k, v in given if self.alone or record.takes(k)}}

    def study(
        self,
        record: Measure,
        *data: Annotations,
        studies: Studies | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> Study:
        """Return the study of one of the measures, with its options and what is to be said beside it."""
        options = dict(self.options_of(record))
        if progress is not None and record.takes("progress"):
            options["progress"] = progress
        check(record, data[0].shape, options, question=self.question)
        notes: tuple[str, ...] = ()
        choice = self.choice
        # who gives an option has read the data otherwise: nothing is assumed for them
        if (
            choice is not None
            and choice.assumed
            and not choice.options.keys() & self.options.keys()
        ):
            notes = (choice.why,)
        if self.question == "score":
            notes += _no_shared_label(*data)
        if studies is not None:
            return studies.of(record, options, notes)
        return Study(record, *data, options=options, certainty=self.certainty, notes=notes)

    def answer(
        self,
        *data: Annotations,
        told: Callable[[str], str] = in_python,
        watch: Watch = lambda _: nullcontext(),
    ) -> Answer:
        """Answer measure by measure.

        One that refuses the data stays in the list, undefined for its reason, `told` as the caller
        speaks. When there is no other, or all refuse, the refusal is the error it is. A breakdown that
        a measure does not have is a warning beside its value. Of "all" nobody named one that does not
        apply: it is left out with its reason.
        """
        ask = self.settled(data[0])
        records = ask.records(data[0])
        every = "all" in self.named
        listed = Results()
        found: Result | tuple[Result, ...] = ()
        left_out: list[str] = []
        refused: list[AccordError] = []
        for record in records:
            try:
                with watch(record.name) as progress:
                    found = ask._of(record, data, progress)
                    listed.extend(found if isinstance(found, tuple) else (found,))
            except MissingBreakdownError as problem:
                refused.append(problem)
                listed.extend(problem.kept())
            except AccordError as problem:
                if every:
                    left_out.append(f"{record.name} was left out: {problem.sentence}")
                    continue
                if not isinstance(problem, _REFUSALS):
                    raise
                refused.append(problem)
                why = told(problem.sentence).removeprefix(f"{record.name}: ")
                listed.append(Result(measure=record.name, value=math.nan, undefined=why))
        if refused and len(refused) == len(records):
            raise refused[0]
        one = self.measures is None or isinstance(self.measures, str)
        return Answer(
            results=listed,
            choice=ask.choice,
            left_out=tuple(left_out),
            returned=found if one and "all" not in self.named else listed,
        )

    def _of(
        self,
        record: Measure,
        data: Sequence[Annotations],
        progress: Callable[[int, int], None] | None,
    ) -> Result | tuple[Result, ...]:
        if self.question == "score":
            reference, system = data
            if reference.shape != system.shape:
                raise InputError(
                    f"the reference holds {reference.shape}, the system {system.shape}",
                    hint="both must have the same shape",
                )
            if record.question == "agree" and record.shape == reference.shape:
                found = agreement_as_score(
                    reference,
                    system,
                    record,
                    self.options_of(record),
                    self.certainty,
                    allowed=self.allow_agreement,
                    by=self.by,
                )
                return found[0] if len(found) == 1 else found
        return self.study(record, *data, progress=progress).answer(self.by)


def shape_asked(options: Mapping[str, Any], question: Question = "agree") -> Shape | None:
    """What plain values are, by `shape` or `measure` among the options; None where neither says it.

    >>> shape_asked({"measure": "gamma"}), shape_asked({"measure": ["muc", "b3"]}, "score")
    ('units', 'chains')
    """
    if options.get("shape") is not None:
        told: Shape = options["shape"]
        return told
    asked = options.get("measure") or ()
    names = [asked] if isinstance(asked, str) else list(asked)
    words = [name for name in names if isinstance(name, str) and name != "all"]
    shapes = {find(name, question).shape for name in words}
    return shapes.pop() if len(shapes) == 1 else None


def breakdown_names(by: str | Sequence[str] | None) -> tuple[str, ...]:
    """Breakdowns as a list, or as one word (or a,b,c)."""
    listed = by.split(",") if isinstance(by, str) else by or ()
    return tuple(dict.fromkeys(name.strip() for name in listed if name.strip()))


def certainty_of(
    ci: str | None = None,
    level: float = LEVEL,
    resamples: int = RESAMPLES,
    seed: int = 0,
    unit: str | None = None,
    threshold: float | Sequence[float] | None = (),
) -> Certainty:
    """How sure, as people say it: "none" for no interval, one threshold or several.

    What names neither a method nor a unit nor a threshold asks for no interval yet: the usual one is made
    when it is looked at.
    """
    check_draws(level=level, resamples=resamples, seed=seed)
    listed = (threshold,) if isinstance(threshold, (int, float)) else threshold or ()
    return Certainty(
        ci=None if ci == "none" else ci or USUAL,
        level=level,
        resamples=resamples,
        seed=seed,
        unit=unit,
        thresholds=tuple(listed),
        later=ci is None and unit is None and not listed,
    )


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
