"""A question as people ask it: which measures, with which options, how sure, broken down by what.

`accord.agree` and `accord.score`, the commands of these names and `distribute` ask here, so that several
measures at once, a measure that refuses the data and one that nobody named are the same at each of
them. A report, which keeps many studies, shares `choose` and `check` with them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from accord.data import Annotations, Boxes, Ratings, Relations, Units
from accord.errors import (
    AccordError,
    InputError,
    RefusedError,
    UsageError,
    in_python,
    some,
)
from accord.registry import Measure, Question, enrolled, find
from accord.result import Result, Results
from accord.study.choice import check, choose
from accord.study.refusal import agreement_as_score
from accord.study.study import Certainty, MissingBreakdownError, Study

#: what one of several measures may say without taking the others with it
_REFUSALS = (InputError, RefusedError)
#: measures named in an error
_NAMED = 5
#: called with (done, total) as the work on a measure advances; None where nobody looks
Watch = Callable[[str], AbstractContextManager[Callable[[int, int], None] | None]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """A question about data: of one campaign, or of a reference and a system.

    >>> import accord
    >>> data = accord.Ratings.from_matrix([["a", "b", "a", "b"], ["a", "b", "b", "b"]])
    >>> ask = Ask(question="agree", measures=["percent", "kappa", "gamma"])
    >>> results, left_out = ask.each(data)
    >>> [r.undefined or r.value for r in results]
    [0.75, 0.5, 'gamma is for units, these data are ratings; use alpha, or one of ...']
    """

    question: Question
    #: one by its name, several in a list ("all": those that apply), None for the one that suits the data
    measures: str | Sequence[str] | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    certainty: Certainty = field(default_factory=Certainty)
    by: tuple[str, ...] = ()
    #: an agreement coefficient is computed as a score, with its warning
    allow_agreement: bool = False

    def records(self, data: Annotations) -> list[Measure]:
        """Return the measures that are meant for these data."""
        asked = self.measures
        if asked is None:
            asked = choose(data, self.question).measure
        if isinstance(asked, str):
            asked = (asked,)
        if "all" in asked:
            there = enrolled(shape=data.shape, question=self.question)
            return [m for m in there if not m.explicit]
        return [find(name, self.question) for name in asked]

    def answer(self, *data: Annotations) -> Result | tuple[Result, ...] | Results:
        """Answer as Python does: a result, those of each category, or those of several measures."""
        if self.measures is not None and not isinstance(self.measures, str):
            return self.each(*data)[0]
        if self.question == "agree":
            return studied(data[0], self.measures, self.options, self.certainty).answer(self.by)
        found = self._scores(self.measures, self.options, *data)
        return found[0] if len(found) == 1 else found

    def each(
        self,
        *data: Annotations,
        told: Callable[[str], str] = in_python,
        watch: Watch = lambda _: nullcontext(),
    ) -> tuple[Results, list[str]]:
        """Answer measure by measure: the results, and which measures were left out.

        A measure gets the options that it takes; one that none takes is refused. One that refuses the
        data stays in the list, undefined for its reason, `told` as the caller speaks. When there is no
        other, or all refuse, the refusal is the error it is. A breakdown that a measure does not have
        is a warning beside its value. Of "all" nobody named one that does not apply: it is left out
        with its reason.
        """
        records = self.records(data[0])
        for name in self.options:
            if not any(record.takes(name) for record in records):
                names = ", ".join(r.name for r in records[:_NAMED])
                raise UsageError(f"`{name}` is not an option of {names}")
        every = self.measures is not None and "all" in self.measures
        listed = Results()
        left_out: list[str] = []
        refused: list[AccordError] = []
        for record in records:
            try:
                with watch(record.name) as progress:
                    listed.extend(self._of(record, data, progress))
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
        return listed, left_out

    def _of(
        self,
        record: Measure,
        data: Sequence[Annotations],
        progress: Callable[[int, int], None] | None,
    ) -> tuple[Result, ...]:
        own = {name: value for name, value in self.options.items() if record.takes(name)}
        if progress is not None and record.takes("progress"):
            own["progress"] = progress
        # (what nobody named has the options that the data ask for)
        name = None if self.measures is None else record.name
        if self.question == "score":
            return self._scores(name, own, *data)
        found = studied(data[0], name, own, self.certainty).answer(self.by)
        return found if isinstance(found, tuple) else (found,)

    def _scores(
        self,
        measure: str | None,
        options: Mapping[str, Any],
        reference: Annotations,
        system: Annotations,
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
                reference,
                system,
                record,
                options,
                self.certainty,
                allowed=self.allow_agreement,
                by=self.by,
            )
        check(record, reference.shape, options, question="score")
        notes = _no_shared_label(reference, system)
        study = Study(
            record, reference, system, options=options, certainty=self.certainty, notes=notes
        )
        found = study.answer(self.by)
        return found if isinstance(found, tuple) else (found,)


def studied(
    data: Annotations, measure: str | None, options: Mapping[str, Any], certainty: Certainty
) -> Study:
    """The study of a measure, or of the recommended one with the options it is recommended with."""
    if measure is not None:
        record = find(measure, "agree")
        check(record, data.shape, options, question="agree")
        return Study(record, data, options=options, certainty=certainty)
    choice = choose(data)
    record = find(choice.measure, "agree")
    # who gives an option has read the data otherwise: nothing is assumed for them
    assumed = choice.assumed and not choice.options.keys() & options.keys()
    return Study(
        record,
        data,
        options={**choice.options, **options},
        certainty=certainty,
        notes=(choice.why,) if assumed else (),
    )


def breakdown_names(by: str | Sequence[str] | None) -> tuple[str, ...]:
    """Breakdowns as a list, or as one word (or a,b,c)."""
    listed = by.split(",") if isinstance(by, str) else by or ()
    return tuple(dict.fromkeys(name.strip() for name in listed if name.strip()))


def certainty_of(
    ci: str | None,
    level: float,
    resamples: int,
    seed: int,
    unit: str | None,
    threshold: float | Sequence[float] | None = (),
) -> Certainty:
    """How sure, as people say it: "none" for no interval, one threshold or several."""
    listed = (threshold,) if isinstance(threshold, (int, float)) else threshold or ()
    return Certainty(
        ci=None if ci == "none" else ci,
        level=level,
        resamples=resamples,
        seed=seed,
        unit=unit,
        thresholds=tuple(listed),
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
