"""One record per measure: what it is called, what it is for, what it can be told, its source."""

from __future__ import annotations

import inspect
import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from difflib import get_close_matches
from functools import wraps
from typing import Any, Literal, TypeVar, get_args

from accord.data.protocol import Shape, is_annotations
from accord.elsewhere import refuse_elsewhere
from accord.errors import RefusedError, UsageError
from accord.options import BY, JOBS, PROGRESS, SEED, Option, filled, python_signature, signed
from accord.reading.given import ELSEWHERE, Sides
from accord.result import Result, Row
from accord.result import signature as signature_line

__all__ = [
    "BY",
    "JOBS",
    "PROGRESS",
    "SEED",
    "Breakdown",
    "Measure",
    "Option",
    "Question",
    "enrolled",
    "find",
    "find_each",
    "function_of",
    "measure",
    "measure_of",
    "options_of",
]

Question = Literal["agree", "score"]
#: what several annotators share; for chance, what one alone rated too (unless `missing` is pairable);
#: everything; or the items alone that every annotator rated
RestsOn = Literal["shared", "chance", "everything", "complete"]
#: :class:`accord.study.Study` → rows of one breakdown
Breakdown = Callable[[Any], Sequence[Row]]
Found = TypeVar("Found")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Declared:
    """What is said of a measure where it is enrolled."""

    name: str = field(kw_only=False)
    title: str
    shape: Shape
    question: Question
    citation: str
    #: smallest and largest possible value
    range: tuple[float, float]
    aliases: tuple[str, ...] = ()
    #: one sentence: when to use it, and when not
    use: str = ""
    #: corrected for chance (an agreement coefficient)
    chance: bool = False
    #: larger values mean more alike; False for distances
    similarity: bool = True
    #: what the value rests on
    rests_on: RestsOn = "shared"
    #: makes sense for one category against all the others
    binary: bool = False
    #: chance draws from the shares of the values that were observed
    pooled: bool = False
    #: asks for documents part by part: units may stay in their files
    by_parts: bool = False
    #: needs of numbers only their sums: an engine may have added them up
    of_sums: bool = False
    #: needs numbers, or categories in order
    ordered: bool = False
    #: the share of right answers, item by item right or wrong
    right: bool = False
    #: gives several results: one per category, or one per way of counting
    several: bool = False
    #: the same in every unit of its positions or numbers (lengths among its options changed alike)
    unit_free: bool = True
    #: the same wherever its positions or numbers begin to count
    origin_free: bool = True
    #: compares distributions: several answers to an item are one, of their shares
    votes: bool = False
    #: among those that people know and use: what lists of measures show first
    usual: bool = False
    #: never run unless asked for by name ("all" leaves it out): it is easily misread
    explicit: bool = False
    breakdowns: Mapping[str, Breakdown] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure(_Declared):
    """A measure as people look it up. `function` takes data (or reference, system) and options."""

    function: Callable[..., Any]
    #: what it can be told
    options: tuple[Option, ...] = ()

    def __repr__(self) -> str:
        return f"<Measure {self.name}: {self.title}, {self.question} on {self.shape}>"

    def takes(self, name: str) -> bool:
        """Whether it has an option of that name."""
        return any(option.name == name for option in self.options)

    def option(self, name: str) -> Option:
        """Its option of that name."""
        return next(option for option in self.options if option.name == name)

    @property
    def summary(self) -> str:
        """First line of the docstring."""
        return (inspect.getdoc(self.function) or "").split("\n", 1)[0]


#: an agreement and a score may share a name: relation-f1 among annotators, and of a system
_measures: dict[tuple[str, Question], Measure] = {}
_names: dict[str, str] = {}
_QUESTIONS: tuple[Question, ...] = get_args(Question)


@dataclass(frozen=True, slots=True, kw_only=True)
class measure(_Declared):  # noqa: N801 it is used as a decorator
    """Enrol a function as a measure.

    What is enrolled (and stays under the function's name) checks the options that it is given
    against `options`, completes them with their defaults and passes all of them on: by keyword, or
    as one object after the data when `into` makes one of them.
    """

    options: Sequence[Option] | None = None
    into: Callable[..., Any] | None = None

    def __call__(self, function: Callable[..., Found]) -> Callable[..., Found]:
        """Enrol the function and return it behind the check of its options."""
        options = tuple(options_of(function) if self.options is None else self.options)
        checked = _checked(
            self.name, self.shape, function, options, self.into, of_sums=self.of_sums
        )
        declared = {part.name: getattr(self, part.name) for part in fields(_Declared)}
        record = Measure(**declared, function=checked, options=options)
        for known in (self.name, *self.aliases):
            if _names.get(known, self.name) != self.name:
                raise ValueError(f"two measures are called {known!r}")
            _names[known] = self.name
        _measures[self.name, self.question] = record
        return checked


def _checked(
    name: str,
    shape: Shape,
    function: Callable[..., Found],
    options: Sequence[Option],
    into: Callable[..., Any] | None,
    *,
    of_sums: bool,
) -> Callable[..., Found]:
    """The function behind the check of its options."""
    signature = inspect.signature(function)
    parameters = signature.parameters.values()
    wanted = {p.name for p in parameters if p.kind is p.KEYWORD_ONLY}
    gathers = into is not None or any(p.kind is p.VAR_KEYWORD for p in parameters)
    # what to show of a result is no matter of the measure
    declared = {option.name for option in options} - {BY.name}
    if not gathers and wanted != declared:
        odd = wanted ^ declared
        raise ValueError(f"{name}: {', '.join(sorted(odd))} declared or taken, but not both")

    of_data = [p.name for p in parameters if p.kind is p.POSITIONAL_OR_KEYWORD]
    if into is not None:
        of_data.pop()

    @wraps(function)
    def measured(*data: Any, **given: Any) -> Found:
        # reference= and system= may be written too
        if len(of_data) > 1:
            given = {ELSEWHERE.get(n, n): value for n, value in given.items()}
        named = [given.pop(of) for of in of_data[len(data) :] if of in given]
        data = (*data, *named)
        if data and not all(map(is_annotations, data)):
            data, given = _read(data, given, shape, options, sides=len(of_data))
        values = filled(name, options, given)
        shown = values.pop(BY.name, ())
        _refuse_other_data(name, shape, data)
        if not of_sums and any(getattr(d, "sums", None) is not None for d in data):
            raise UsageError(
                f"{name} needs the ratings, and these are sums of numbers that are too many to be "
                "counted or fetched; use icc-1, icc-a, icc-c or alpha with metric=interval, or fewer "
                "ratings"
            )
        found = function(*data, into(**values)) if into else function(*data, **values)
        if isinstance(found, tuple) and not found:
            nothing = Result(
                measure=name,
                value=math.nan,
                undefined="nothing has a label, and it has one value for each label",
                signature=signature_line(name, 0),
            )
            found = (nothing,)  # type: ignore[assignment]
        completed: Found = _signed(found, options, values)
        return completed.showing(*shown) if shown else completed  # type: ignore[attr-defined]

    if into is not None:
        *seen, _ = parameters
        signature = signature.replace(parameters=seen)
    measured.__signature__ = python_signature(signature, options)  # type: ignore[attr-defined]
    return measured


def _read(
    data: Sequence[Any],
    given: Mapping[str, Any],
    shape: Shape,
    options: Sequence[Option],
    *,
    sides: int,
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """What was given as data, read as what the measure is for; and what is left of the options."""
    from accord.reading.lists import People

    if len(data) != sides and sides > 1:
        return tuple(data), dict(given)
    read = Sides(given, but={option.name for option in options}, meant=shape)
    if sides == 1:
        found = [read.data(data[0] if len(data) == 1 else People(tuple(data)))]
    else:
        found = [read.data(data[0], "reference"), read.beside(data[1], "system")]
    read.settle()
    return tuple(found), read.left


def _refuse_other_data(name: str, shape: Shape, data: Sequence[Any]) -> None:
    for found in data:
        if found.shape != shape:
            raise RefusedError(f"{name} is for {shape}, these data are {found.shape}")


def _signed(found: Any, options: Sequence[Option], values: Mapping[str, Any]) -> Any:
    """The result (or results) with everything that was asked for in the signature."""
    if isinstance(found, tuple):
        return tuple(_signed(one, options, values) for one in found)
    if isinstance(found, Result):
        line = signed(found.signature, options, values)
        return found if line == found.signature else replace(found, signature=line)
    return found


def options_of(function: Callable[..., Any]) -> tuple[Option, ...]:
    """Options of a function that declares none: what its signature tells."""
    words = {"str": str, "int": int, "float": float, "bool": bool}
    found = []
    for p in inspect.signature(function).parameters.values():
        if p.kind is p.KEYWORD_ONLY:
            first = str(p.annotation).split(" ")[0]
            found.append(
                Option(
                    p.name,
                    words.get(first, object),
                    "",
                    default=None if p.default is p.empty else p.default,
                    python_only=first not in words,
                )
            )
    return tuple(found)


def find(name: str, question: Question | None = None) -> Measure:
    """Find the measure of that name or alias (capitals, spaces and underscores do not matter).

    Where an agreement and a score share the name, `question` says which; the agreement otherwise. A
    name that has no measure for the question gives the one it has, which :func:`check` refuses.

    >>> import accord
    >>> accord.find("Cohen kappa").name
    'kappa'
    """
    every = find_each(name)
    return next((m for m in every if m.question == question), every[0])


def measure_of(result: Result) -> Measure:
    """The measure that gave a result: a score has a system."""
    return find(result.measure, "agree" if result.system is None else "score")


def function_of(name: str) -> Callable[..., Any]:
    """What ``accord.NAME`` is: where two measures share the name, what is given tells them apart."""
    first, *others = (m.function for m in find_each(name))
    if not others:
        return first
    (score,) = others

    @wraps(first)
    def either(*data: Any, **given: Any) -> Any:
        return (score if len(data) > 1 or "reference" in given else first)(*data, **given)

    return either


def find_each(name: str) -> tuple[Measure, ...]:
    """All measures of that name: one, or an agreement and a score."""
    if not isinstance(name, str):
        raise UsageError(f"a measure is named by a word such as 'alpha', got {name!r}")
    key = re.sub("[_ –]", "-", name.strip().lower())
    if key not in _names:
        refuse_elsewhere(key)
        near = get_close_matches(key, _names, n=3)
        hint = f"did you mean {' or '.join(near)}?" if near else "'accord measures' lists them"
        raise UsageError(f"unknown measure {name!r}; {hint}")
    found = _names[key]
    return tuple(_measures[found, q] for q in _QUESTIONS if (found, q) in _measures)


def enrolled(*, shape: Shape | None = None, question: Question | None = None) -> list[Measure]:
    """List all measures enrolled so far, in the order of their families.

    >>> import accord
    >>> [m.name for m in accord.enrolled(shape="boxes", question="score")]
    ['box-f1']
    """
    return [
        m for m in _measures.values() if shape in (None, m.shape) and question in (None, m.question)
    ]
