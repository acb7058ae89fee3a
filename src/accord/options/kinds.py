"""The door of every public function: an argument of another kind than its signature says is refused.

What is checked is what annotations say in plain words (numbers, words, lists of names, paths, mappings,
functions); data, which come in many kinds, are looked at where they are read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from inspect import Parameter, signature
from numbers import Integral, Real
from os import PathLike
from typing import Any, NamedTuple, ParamSpec, TypeVar

from accord.errors import UsageError

P = ParamSpec("P")
T = TypeVar("T")


class Kind(NamedTuple):
    """One of the kinds that a parameter may have."""

    #: how an error says it
    wanted: str
    holds: Callable[[Any], bool]


def _list_of(holds: Callable[[Any], bool]) -> Callable[[Any], bool]:
    """A list, an array or the like, of which all hold; what can be gone through once is left alone."""

    def listed(value: Any) -> bool:
        if isinstance(value, (str, bytes, Mapping)) or not isinstance(value, Iterable):
            return False
        return iter(value) is value or all(map(holds, value))

    return listed


def _mapping_of(holds: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, Mapping) and all(map(holds, value.values()))


def _called(name: str) -> Callable[[Any], bool]:
    """Of a class of this name: some are imported where they are used only."""
    return lambda value: any(c.__name__ == name for c in type(value).__mro__)


def _annotations(value: Any) -> bool:
    return hasattr(value, "annotators") and isinstance(getattr(value, "shape", None), str)


def _matrix(value: Any) -> bool:
    """An array, a mapping of mappings or a dataframe: they are read by what they name."""
    rows = isinstance(value, Mapping) and all(_mapping_of(_number)(row) for row in value.values())
    return rows or _called("ndarray")(value) or hasattr(value, "columns")


def _word(value: Any) -> bool:
    return isinstance(value, str)


def _number(value: Any) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool)


def _whole(value: Any) -> bool:
    return _number(value) and isinstance(value, Integral)


def _true_or_false(value: Any) -> bool:
    whole = isinstance(value, Integral) and value in (0, 1)
    return whole or _called("bool")(value) or _called("bool_")(value)


_NAMES, _NUMBERS = _list_of(_word), _list_of(_number)
_PATH = Kind("a path", lambda value: isinstance(value, PathLike))
#: what annotations say → the kind
_KINDS: Mapping[str, Kind] = {
    "str": Kind("a word", _word),
    "int": Kind("a whole number", _whole),
    "float": Kind("a number", _number),
    "bool": Kind("True or False", _true_or_false),
    "None": Kind("None", lambda value: value is None),
    "Path": _PATH,
    "PathLike[str]": _PATH,
    "Sequence[str]": Kind("a list of names", _NAMES),
    "Sequence[float]": Kind("a list of numbers", _NUMBERS),
    "Sequence[int]": Kind("a list of whole numbers", _list_of(_whole)),
    "tuple[float, ...]": Kind("a list of numbers", _NUMBERS),
    "Sequence[Alignment]": Kind("alignments", _list_of(_called("Alignment"))),
    "Mapping[str, str]": Kind("a mapping", lambda value: isinstance(value, Mapping)),
    "Mapping[str, object]": Kind("a mapping", lambda value: isinstance(value, Mapping)),
    "Mapping[Hashable, object]": Kind("a mapping", lambda value: isinstance(value, Mapping)),
    "Mapping[str, Given]": Kind("a mapping", lambda value: isinstance(value, Mapping)),
    "Mapping[str, float]": Kind("a mapping of numbers", _mapping_of(_number)),
    "Mapping[str, Sequence[str]]": Kind("a mapping of lists of names", _mapping_of(_NAMES)),
    "Callable[[int, int], None]": Kind("a function", callable),
    "Progress": Kind("a function", callable),
    "OwnFunction": Kind("a function", callable),
    "NDArray[np.float64]": Kind("a matrix", _matrix),
    "Annotations": Kind("annotations", _annotations),
    "Result": Kind("a result", _called("Result")),
    "Ratings": Kind("ratings", _called("Ratings")),
    "Scale": Kind("a scale", _called("Scale")),
    "Studies": Kind("studies", _called("Studies")),
    "Setting": Kind("a setting", lambda value: type(value).__name__.endswith("Setting")),
    "Grid": Kind("a grid", _called("Grid")),
}
#: characters of what was given that an error repeats
_LONG = 60
#: the bars between the alternatives of an annotation, not those within its brackets
_BARS = re.compile(r"\s*\|\s*(?![^\[]*\])")


def kinds_of(annotation: str) -> tuple[Kind, ...]:
    """The kinds that an annotation allows, none where one of them can be anything.

    >>> [kind.wanted for kind in kinds_of("Sequence[str] | None")], kinds_of("Given | None")
    (['a list of names', 'None'], ())
    """
    found = [_KINDS.get(part) for part in _BARS.split(annotation)]
    return tuple(kind for kind in found if kind is not None) if all(found) else ()


def refuses_other_kinds(function: Callable[P, T]) -> Callable[P, T]:
    """Refuse what is given to a function when its signature says another kind.

    >>> @refuses_other_kinds
    ... def drawn(level: float = 0.95) -> float:
    ...     return level
    >>> drawn(level="x")
    Traceback (most recent call last):
    ...
    accord.errors.UsageError: level must be a number, got 'x'
    """
    whole = signature(function)
    positional = [
        p.name
        for p in whole.parameters.values()
        if p.kind in (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)
    ]
    kinds = {
        name: allowed
        for name, parameter in whole.parameters.items()
        if parameter.kind is not Parameter.VAR_KEYWORD
        and (allowed := kinds_of(str(parameter.annotation)))
    }
    # None asks for nothing where nothing is the default: `by=None`
    empty = {name for name, parameter in whole.parameters.items() if parameter.default == ()}

    @wraps(function)
    def door(*given: P.args, **named: P.kwargs) -> T:
        for name in [name for name in named if name in empty and named[name] is None]:
            named[name] = ()
        for name, value in [*zip(positional, given, strict=False), *named.items()]:
            allowed = kinds.get(name)
            if allowed and not any(kind.holds(value) for kind in allowed):
                wanted = " or ".join(k.wanted for k in allowed if k.wanted != "None")
                # (a whole table is no part of a sentence)
                got = repr(value)
                got = got if len(got) <= _LONG and "\n" not in got else type(value).__name__
                raise UsageError(f"`{name}` must be {wanted}, got {got}")
        return function(*given, **named)

    return door
