"""One record per measure: what it is called, what it is for, where it comes from."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any, Literal, TypeVar

from accord.data.protocol import Shape
from accord.errors import UsageError
from accord.result import Row

Question = Literal["agree", "score"]
#: (data, measure function, options) → rows of one breakdown
Breakdown = Callable[[Any, Callable[..., Any], Mapping[str, Any]], Sequence[Row]]
Function = TypeVar("Function", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """A measure as people look it up. `function` takes data (or reference, system) and options."""

    name: str
    title: str
    shape: Shape
    question: Question
    citation: str
    #: smallest and largest possible value
    range: tuple[float, float]
    function: Callable[..., Any]
    aliases: tuple[str, ...] = ()
    #: one sentence: when to use it, and when not
    use: str = ""
    #: corrected for chance (an agreement coefficient)
    chance: bool = False
    #: larger values mean more alike; False for distances
    similarity: bool = True
    #: never run unless asked for by name ("all" leaves it out): it is easily misread
    explicit: bool = False
    breakdowns: Mapping[str, Breakdown] = field(default_factory=dict)

    @property
    def options(self) -> tuple[str, ...]:
        """Names of the keyword options its function takes."""
        return tuple(
            p.name
            for p in inspect.signature(self.function).parameters.values()
            if p.kind is p.KEYWORD_ONLY
        )

    @property
    def summary(self) -> str:
        """First line of the docstring."""
        return (inspect.getdoc(self.function) or "").split("\n", 1)[0]


_measures: dict[str, Measure] = {}
_names: dict[str, str] = {}


def measure(
    name: str,
    *,
    title: str,
    shape: Shape,
    question: Question,
    citation: str,
    range: tuple[float, float],  # noqa: A002 the word of the field
    aliases: Iterable[str] = (),
    use: str = "",
    chance: bool = False,
    similarity: bool = True,
    explicit: bool = False,
    breakdowns: Mapping[str, Breakdown] | None = None,
) -> Callable[[Function], Function]:
    """Enrol a function as a measure; the function itself is left as it is."""

    def enrol(function: Function) -> Function:
        record = Measure(
            name=name,
            title=title,
            shape=shape,
            question=question,
            citation=citation,
            range=range,
            function=function,
            aliases=tuple(aliases),
            use=use,
            chance=chance,
            similarity=similarity,
            explicit=explicit,
            breakdowns=breakdowns or {},
        )
        for known in (name, *record.aliases):
            if _names.get(known, name) != name:
                raise ValueError(f"two measures are called {known!r}")
            _names[known] = name
        _measures[name] = record
        return function

    return enrol


def find(name: str) -> Measure:
    """The measure of that name or alias (capitals, spaces and underscores do not matter)."""
    key = name.strip().lower().replace("_", "-").replace(" ", "-")
    if key not in _names:
        near = get_close_matches(key, _names, n=3)
        hint = f"did you mean {' or '.join(near)}?" if near else "'accord measures' lists them"
        raise UsageError(f"unknown measure {name!r}; {hint}")
    return _measures[_names[key]]


def enrolled(*, shape: Shape | None = None, question: Question | None = None) -> list[Measure]:
    """All measures enrolled so far, in the order of their families."""
    return [
        m for m in _measures.values() if shape in (None, m.shape) and question in (None, m.question)
    ]
