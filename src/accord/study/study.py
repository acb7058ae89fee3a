"""One study of a question: a measure with its options on data, everything computed once.

A study is lazy. Its result, the interval around it, its breakdowns and its parts (a pair of
annotators, all but one, one document) are computed when they are first asked for and kept; `agree`,
`score`, the audit and the report ask the same study, so that nobody computes a number twice.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any, TypeVar, cast

import numpy as np

from accord.data import Annotations
from accord.data.reading import Reading, beside
from accord.data.roles import signed
from accord.errors import (
    AccordError,
    PairsOnlyError,
    RefusedError,
    TooLittleError,
    UsageError,
    did_you_mean,
)
from accord.options import LEVEL, RESAMPLES, filled
from accord.registry import Breakdown, Measure
from accord.result import Result, Row, Rows, Sample, signature
from accord.study.breakdowns import GENERIC
from accord.study.entered import entered
from accord.study.layout import beyond_layout
from accord.uncertainty import NO_INTERVAL, interval
from accord.uncertainty.interval import Without
from accord.uncertainty.mean import mean_sample

Value = TypeVar("Value")

#: resamples for the interval of a part
_OF_PARTS = 400


class MissingBreakdownError(RefusedError):
    """A breakdown was asked for that the measure does not have; the value is known all the same.

    Alone the measure is refused. Beside measures that have the breakdown it keeps its value: see
    :meth:`accord.study.ask.Ask.answer`.
    """

    def __init__(self, sentence: str, kept: Callable[[], tuple[Result, ...]]) -> None:
        super().__init__(sentence)
        #: the results without the breakdown, each with a warning that says so
        self.kept = kept


@dataclass(frozen=True, slots=True, kw_only=True)
class Certainty:
    """How the interval around a value is made; `ci` None for none. See `accord.interval`.

    >>> import accord
    >>> exact = accord.Certainty(ci="jackknife", level=0.9)
    >>> exact.now, accord.Certainty().now
    (True, False)
    """

    ci: str | None = None
    level: float = LEVEL
    resamples: int = RESAMPLES
    seed: int = 0
    unit: str | None = None
    thresholds: tuple[float, ...] = ()
    #: not before it is looked at
    later: bool = False

    @property
    def now(self) -> bool:
        """Whether intervals are made with the values."""
        return self.ci is not None and not self.later

    def around(self, result: Result, without: Without | None = None) -> Result:
        """Return the same result with its interval."""
        if self.ci is None or result.interval is not None:
            return result
        return interval(
            result,
            self.ci,
            level=self.level,
            resamples=self.resamples,
            seed=self.seed,
            unit=self.unit,
            thresholds=self.thresholds,
            without=without,
        )


class Study:
    """A measure with its options on data (or on a reference and a system)."""

    def __init__(
        self,
        record: Measure,
        *data: Annotations,
        options: Mapping[str, object] | None = None,
        certainty: Certainty | None = None,
        notes: tuple[str, ...] = (),
        part: bool = False,
    ) -> None:
        self.record = record
        #: a part of another study: where it is refused it has no value, and the others stand
        self.is_part = part
        #: the table of pairs was asked for: what is defined for two annotators has no value of its own
        self.of_pairs = False
        self.every = data
        self.certainty = certainty or Certainty()
        given = dict(options or {})
        if record.takes("seed"):
            given.setdefault("seed", self.certainty.seed)
        filled(record.name, record.options, given)
        #: what was assumed when this question was chosen
        self.notes = notes
        #: as they were given; the record knows the defaults
        self.options: Mapping[str, Any] = given
        self._parts: dict[Hashable, Study] = {}
        self._rows: dict[str, Sequence[Row]] = {}

    def __repr__(self) -> str:
        return f"<Study of {self.record.name} on {' and '.join(map(repr, self.every))}>"

    @property
    def data(self) -> Annotations:
        """The data; of a score, the reference."""
        return self.every[0]

    def option(self, name: str, kind: type[Value]) -> Value:
        """Return the value of an option of that type: as given, or its default."""
        given = self.options
        value = given[name] if name in given else self.record.option(name).default
        return cast(Value, value)

    # --- the values --------------------------------------------------------------------------------

    @cached_property
    def found(self) -> Result | tuple[Result, ...]:
        """What the measure returns: one result, or one per category."""
        found: Result | tuple[Result, ...]
        try:
            found = self.record.function(*self.every, **self.options)
        except (TooLittleError, PairsOnlyError) as refused:
            if not (self.is_part if isinstance(refused, TooLittleError) else self.of_pairs):
                raise
            values = filled(self.record.name, self.record.options, self.options)
            found = Result(
                measure=self.record.name,
                value=math.nan,
                undefined=refused.sentence.partition(";")[0],
                signature=signature(
                    self.record.name,
                    0,
                    **{o.key: values[o.name] for o in self.record.options if o.key and o.choices},
                ),
                annotators=self.data.annotators,
            )
        # who was chosen, and what values mean, belong to the question
        if isinstance(found, tuple):
            return tuple(replace(r, signature=signed(r.signature, *self.every)) for r in found)
        return replace(found, signature=signed(found.signature, *self.every))

    @property
    def results(self) -> tuple[Result, ...]:
        """The results, without interval."""
        return self.found if isinstance(self.found, tuple) else (self.found,)

    @property
    def result(self) -> Result:
        """The one result, without interval."""
        if isinstance(self.found, tuple):
            raise UsageError(f"{self.record.name} has one value per category and no single one")
        return self.found

    @cached_property
    def estimates(self) -> tuple[Result, ...]:
        """The results with their intervals, and what is left of them beyond shared layout."""
        without = None if isinstance(self.found, tuple) else self._values_without
        beyond = beyond_layout(self)
        return tuple(
            beyond(k, self.certainty.around(result, without))
            for k, result in enumerate(self.results)
        )

    @property
    def estimate(self) -> Result:
        """The one result with its interval."""
        _ = self.result
        return self.estimates[0]

    def answer(self, by: Sequence[str] = ()) -> Result | tuple[Result, ...]:
        """Return what a caller gets: the results with their intervals and these breakdowns."""
        self.of_pairs = "pair" in by
        several = isinstance(self.found, tuple)
        missing: dict[str, str] = {}
        for name in by:
            try:
                if several and not all(name in r.by for r in self.results):
                    raise RefusedError(f"{self.record.name} has {self._lacks(name)}")
                if not several:
                    self.breakdown(name)
            except RefusedError as problem:
                missing[name] = problem.sentence
        if missing:
            there = [name for name in by if name not in missing]
            first, *_ = said = tuple(missing.values())
            raise MissingBreakdownError(first, lambda: self._warned(there, said))
        dressed = tuple(self._dressed(k, by, self.notes) for k in range(len(self.results)))
        return dressed if several else dressed[0]

    def _dressed(self, k: int, by: Sequence[str], notes: tuple[str, ...]) -> Result:
        """One of the results with its interval, these breakdowns and what is said beside it."""
        how = self.certainty
        made = self.results[k] if how.later else self.estimates[k]
        by_now = {name: self._limited(k, name) for name in by} or made.by
        plain = replace(made, by=by_now, reading=self.reading)
        shown = replace(plain, warnings=(*plain.warnings, *notes))
        if not how.later:
            return shown
        # (only what asks for other people or other chance asks the study again, which holds the data)
        without = self._values_without if how.unit == "annotator" else None
        beyond = beyond_layout(self)

        def look() -> Result:
            found = beyond(k, how.around(plain, without))
            return replace(found, warnings=(*found.warnings, *notes))

        limited = {name: Rows(partial(self._surely._limited, k, name)) for name in by}
        return shown.awaiting(look, limited or plain.by)

    def _limited(self, k: int, name: str) -> Sequence[Row]:
        """The rows of a breakdown, with their limits where intervals are made."""
        if isinstance(self.found, tuple):
            return self._with_limits(self.found[k], name, self.found[k].by[name])
        return self.breakdown(name)

    @property
    def _surely(self) -> Study:
        """The same study with intervals made at once; what is known already is shared."""
        made = copy(self)
        made.certainty = replace(self.certainty, later=False)
        made._rows = {}
        made._parts = {key: part._surely for key, part in self._parts.items()}
        return made

    def answered(self) -> tuple[Result, ...]:
        """Return the same, always several."""
        found = self.answer()
        return found if isinstance(found, tuple) else (found,)

    @cached_property
    def reading(self) -> Reading:
        """What was read, of which this much entered the value."""
        if len(self.every) == 1:
            return entered(self.data, [(self.record, self.options)])
        reference, system = self.every
        name = system.annotators[0] if len(system.annotators) == 1 else "system"
        return beside(reference, {name: system}, scored=True)

    def _lacks(self, name: str) -> str:
        """Which breakdown there is not, and which there are."""
        if isinstance(self.found, tuple):
            return f"no breakdown by {name!r}: it has one value per category already"
        own = (*self.record.breakdowns, *self._generic(), *self.result.by, *self.result.offers)
        there = ", ".join(dict.fromkeys(own))
        return (
            f"no breakdown by {name!r}"
            + (f"; it has {there}" if there else "")
            + did_you_mean(name, own)
        )

    def _warned(self, by: Sequence[str], refusals: Iterable[str]) -> tuple[Result, ...]:
        """The answer with what it lacks said; its name stands beside its warnings."""
        said = tuple(why.removeprefix(f"{self.record.name} has ") for why in refusals)
        return tuple(self._dressed(k, by, (*self.notes, *said)) for k in range(len(self.results)))

    # --- where it comes from -------------------------------------------------------------------------

    def breakdown(self, name: str) -> Sequence[Row]:
        """Return the rows of one breakdown: the measure's own, or one that works for any measure."""
        if name not in self._rows:
            if name != "document" and getattr(self.data, "sums", None) is not None:
                raise UsageError(
                    f"there is no breakdown by {name} of sums: the numbers are too many to be counted "
                    "or fetched"
                )
            rows = self._broken_down(name)
            several = isinstance(self.found, tuple)
            self._rows[name] = rows if several else self._with_limits(self.result, name, rows)
        return self._rows[name]

    def _broken_down(self, name: str) -> Sequence[Row]:
        if name in self.record.breakdowns:
            return self.record.breakdowns[name](self)
        result = self.result
        if name in result.by:
            return result.by[name]
        if name in result.offers:
            return result.offers[name]()
        if name in self._generic():
            return self._generic()[name](self)
        raise RefusedError(f"{self.record.name} has {self._lacks(name)}")

    def part(
        self,
        *,
        annotators: Sequence[str] | None = None,
        documents: Sequence[str] | None = None,
    ) -> Study:
        """Ask the same question about some annotators or documents only."""
        who = self.data.annotators if annotators is None else tuple(annotators)
        where = self.data.documents if documents is None else tuple(documents)
        if set(who) == set(self.data.annotators) and set(where) == set(self.data.documents):
            return self
        key = (frozenset(who), frozenset(where))
        if key not in self._parts:
            chosen: dict[str, Sequence[str]] = {}
            if annotators is not None:
                chosen["annotators"] = who
            if documents is not None:
                chosen["documents"] = where
            self._parts[key] = self.of(*(side.select(**chosen) for side in self.every))
        return self._parts[key]

    def without(self, annotator: str) -> Study:
        """Ask the same question about all annotators but one."""
        return self.part(annotators=[a for a in self.data.annotators if a != annotator])

    def of(self, *data: Annotations, leave: Sequence[str] = ()) -> Study:
        """Ask the same question about other data, perhaps leaving out some options."""
        how = self.certainty
        return Study(
            self.record,
            *data,
            part=True,
            options={k: v for k, v in self.options.items() if k not in leave},
            # a part has too few annotators to say anything about others, and many parts are read
            # side by side: a coarser interval does
            certainty=replace(
                how,
                unit=None if how.unit == "annotator" else how.unit,
                resamples=min(how.resamples, _OF_PARTS),
                thresholds=(),
            ),
        )

    def against(self, chance: str) -> Study:
        """Ask the same question with other chance; who looks on was told of this one."""
        options = {k: v for k, v in self.options.items() if k != "progress"}
        return Study(
            self.record,
            *self.every,
            part=True,
            options={**options, "chance": chance},
            certainty=self.certainty,
        )

    def row(self) -> Row:
        """Return what a row of a breakdown shows of this study."""
        try:
            return brief(self.estimate if self.certainty.now else self.result)
        except AccordError:
            return brief(self.result)

    def interval(self) -> tuple[float, float] | None:
        """Return the limits around the value; None where there are none."""
        try:
            made = self.estimate.interval
        except AccordError:
            return None
        return None if made is None else (made.low, made.high)

    def _generic(self) -> Mapping[str, Breakdown]:
        """A score has two sides, which cannot be cut into annotators."""
        return GENERIC if len(self.every) == 1 else {}

    def _with_limits(self, result: Result, name: str, rows: Sequence[Row]) -> Sequence[Row]:
        """The rows of a breakdown, each value with its limits or with the reason that it has none."""
        if not self.certainty.now or not any(_coefficient(row) for row in rows):
            return rows
        sample = result.sample
        made = () if sample is None or sample.parts is None else sample.parts(name)
        known: dict[Hashable, Sample] = {
            key if isinstance(key, tuple) else str(key): part for key, part in made
        }
        return [
            {**row, **self._limits_of_row(result, name, row, known)}
            if _coefficient(row) and "low" not in row and "no_interval" not in row
            else row
            for row in rows
        ]

    def _limits_of_row(
        self, result: Result, name: str, row: Row, known: Mapping[Hashable, Sample]
    ) -> dict[str, Any]:
        value = row[_coefficient(row) or "value"]
        if not math.isfinite(value):
            return {} if row.get("undefined") else {"no_interval": "the value is undefined"}
        key = (row["first"], row["second"]) if name == "pair" else str(row.get(name))
        if key in known:
            return _ends(self._interval_of(result, value, known[key]))
        sample = result.sample
        if name == "document" and sample is not None and sample.unit == "document":
            return {"no_interval": "it takes several documents"}
        return {"no_interval": f"{result.measure} keeps no sample of each {name}"}

    def _interval_of(self, result: Result, value: float, sample: Sample) -> Result:
        """A value that rests on that sample, with its interval or a warning that says why not."""
        how = self.certainty
        return interval(
            replace(
                result,
                value=float(value),
                sample=sample,
                interval=None,
                undefined=None,
                warnings=(),
            ),
            how.ci or "auto",
            level=how.level,
            resamples=min(how.resamples, _OF_PARTS),
            seed=how.seed,
            unit=None if how.unit == "annotator" else how.unit,
        )

    def _limits_of_mean(self, value: float, parts: Sequence[Study]) -> dict[str, Any]:
        """The limits of the mean of several parts of the study, or why there are none."""
        if not self.certainty.now:
            return {}
        if not math.isfinite(value):
            return {"no_interval": "the value is undefined"}
        samples = [p.result.sample for p in parts if p.result.undefined is None]
        counted = getattr(self.data, "engine", None) is not None
        joint = mean_sample([s for s in samples if s is not None], counted=counted)
        if joint is None or any(s is None for s in samples):
            return {"no_interval": "the pairs of this annotator share no units to weigh"}
        return _ends(self._interval_of(self.result, value, joint))

    def _values_without(self) -> list[float]:
        return [self.without(a).result.value for a in self.data.annotators]


def brief(result: Result) -> dict[str, Any]:
    """What a row of a breakdown shows of a result."""
    row: dict[str, Any] = {
        "value": result.value,
        "observed": result.observed,
        "expected": result.expected,
        "n": result.n,
    }
    if result.undefined is not None:
        row["undefined"] = result.undefined
    elif result.interval is not None or any(w.startswith(NO_INTERVAL) for w in result.warnings):
        row |= _ends(result)
    return row


def _ends(result: Result) -> dict[str, Any]:
    """The limits of a result as a row shows them, or why it has none."""
    made = result.interval
    if made is not None:
        return {"low": made.low, "high": made.high}
    why = [w.removeprefix(NO_INTERVAL) for w in result.warnings if w.startswith(NO_INTERVAL)]
    return {"no_interval": why[-1] if why else "none was made"}


def _coefficient(row: Row) -> str | None:
    """The name under which a row holds a value of the measure."""
    return next(
        (k for k in ("value", "mean_pairwise") if isinstance(row.get(k), (float, np.floating))),
        None,
    )
