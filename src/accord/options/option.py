"""The record of an option: its name, type, choices, default, help and conversion.

The Python signature of a measure, its command-line options and their help, its page in the
documentation and the check of what a caller gives all come from these records.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields, is_dataclass, replace
from inspect import Parameter, Signature, signature
from numbers import Integral, Real
from os import PathLike, fspath
from pathlib import Path
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from accord.errors import UsageError, did_you_mean

#: the types an option can have; `tuple` is several names, `Mapping` pairs NAME=NAME, `Path` a file
#: that is read, `object` is for Python alone
TYPES = (str, int, float, bool, tuple, Mapping, Path, object)


@dataclass(frozen=True, slots=True)
class Said:
    """What the annotation of a field cannot say of it as an option."""

    #: one sentence, for both doors
    help: str
    #: how it is typed in a terminal, where that is not its name: "--wide/--long", "--quiet -q"
    typed: str = ""
    #: the panel of help pages where it stands; "" for that of its kind
    panel: str = ""
    #: what people give → what is used; a ValueError says what it must be
    made: Callable[[Any], Any] | None = None
    #: typed once for each name
    repeatable: bool = False
    #: instead of a word, the path of a file
    file: bool = False
    #: cannot be typed in a terminal
    python_only: bool = False
    #: what the shell offers where `choices` do not say it: words, or what goes on with what was typed
    words: str | Callable[[str], Sequence[Any]] = ""
    #: still understood, and not listed
    hidden: bool = False
    #: what stands for the value in a help page, where its type does not say it
    metavar: str | None = None
    #: stands on the first page of a command's help
    first: bool = False


@dataclass(frozen=True, slots=True)
class Option:
    """One option of a family of measures.

    >>> nt = Option("nt", int, "Transposition window.", default=2, least=1)
    >>> nt.checked(3)
    3
    >>> nt.checked(0)
    Traceback (most recent call last):
    ...
    accord.errors.UsageError: nt must be at least 1, got 0
    """

    name: str
    type: type
    #: one sentence, for both doors
    help: str
    default: Any = None
    #: the words allowed
    choices: tuple[str, ...] = ()
    #: instead of a word, the path of a file (a matrix of distances)
    file: bool = False
    #: smallest and largest number allowed; with `open` the bounds themselves are not
    least: float | None = None
    most: float | None = None
    open: bool = False
    #: beside `type`, Python also takes this (an annotation, such as "NDArray[np.float64]")
    also: str = ""
    #: cannot be typed in a terminal: a function, a callback
    python_only: bool = False
    #: its key in the signature of a result; "" when it does not change the number
    signed: str | None = None
    #: as in :class:`Said`
    typed: str = ""
    panel: str = ""
    made: Callable[[Any], Any] | None = None
    repeatable: bool = False
    words: str | Callable[[str], Sequence[Any]] = ""
    hidden: bool = False
    metavar: str | None = None
    first: bool = False
    #: typed by its place, without a name
    argument: bool = False

    def __post_init__(self) -> None:
        if self.type not in TYPES:
            raise ValueError(f"{self.name}: the type must be one of {TYPES}, got {self.type}")

    def but(self, **changes: Any) -> Option:
        """The same option with another default (or other choices) for one measure."""
        return replace(self, **changes)

    @property
    def flags(self) -> list[str]:
        """How it is typed in a terminal; `--YES/--NO` where it has two words."""
        return (self.typed or f"--{self.name.replace('_', '-')}").split()

    @property
    def flag(self) -> str:
        """How it is typed in full."""
        return self.flags[0].partition("/")[0]

    @property
    def key(self) -> str:
        """Its name in the signature of a result, "" when it is not there."""
        return self.name if self.signed is None else self.signed

    @property
    def annotation(self) -> str:
        """Its type as Python writes it."""
        words: dict[type, str] = {tuple: "Sequence[str]", object: self.also or "object"}
        kinds = [words.get(self.type, self.type.__name__)]
        if self.file:
            kinds.append("PathLike[str]")
        if self.also and self.type is not object:
            kinds.append(self.also)
        if self.default is None:
            kinds.append("None")
        return " | ".join(dict.fromkeys(kinds))

    @property
    def description(self) -> str:
        """The help with the choices and the default."""
        parts = [self.help]
        if self.choices:
            parts.append(f"One of {', '.join(self.choices)}{', or a file' if self.file else ''}.")
        if self.default_shown is not None:
            parts.append(f"Default: {self.default_shown}.")
        return " ".join(parts)

    @property
    def default_shown(self) -> str | None:
        """The default as it is typed, where it is worth a word."""
        if not self.default or self.python_only:
            return None
        return "on" if self.type is bool else str(self.default)

    def checked(self, value: Any) -> Any:
        """The value as the measure gets it; an error that says what it must be."""
        if value is None and self.default is None:
            return None
        if self.made is not None:
            try:
                return self.made(value)
            except ValueError as problem:
                raise UsageError(f"`{self.name}` {problem}") from None
        if self.type is object:
            return value
        if self.type is Path:
            if isinstance(value, (str, PathLike)):
                return Path(value)
            raise self._wrong("a path", value)
        if self.type is tuple:
            return self._names(value)
        if self.type is bool:
            if not isinstance(value, (bool, Integral)) or value not in (0, 1):
                raise self._wrong("True or False", value)
            return bool(value)
        if self.type is str:
            return self._text(value)
        return self._number(value)

    def _text(self, value: Any) -> Any:
        if isinstance(value, str) and (not self.choices or value in self.choices):
            return value
        if self.file and isinstance(value, (str, PathLike)):
            if not self.choices or Path(value).is_file():
                return value
        elif self.also and not isinstance(value, str):
            return value
        wanted = _alternatives(self.choices) if self.choices else "a word"
        if self.file:
            wanted = "a file" if not self.choices else f"{wanted}, or a matrix file"
        raise self._wrong(wanted, fspath(value) if isinstance(value, PathLike) else value)

    def _names(self, value: Any) -> tuple[str, ...]:
        if isinstance(value, str):
            return tuple(part.strip() for part in value.split(",") if part.strip())
        if isinstance(value, Sequence) and all(isinstance(v, str) for v in value):
            return tuple(value)
        if self.also and isinstance(value, Sequence):
            return tuple(map(str, value))
        raise self._wrong("a list of names", value)

    def _number(self, value: Any) -> float:
        if self.type is int and isinstance(value, Integral) and not isinstance(value, bool):
            number: float = int(value)
        elif self.type is float and isinstance(value, Real) and not isinstance(value, bool):
            number = float(value)
        else:
            raise self._wrong("a whole number" if self.type is int else "a number", value)
        low, high = self.least, self.most
        fits = math.isfinite(number) and (
            (low is None or (number > low if self.open else number >= low))
            and (high is None or (number < high if self.open else number <= high))
        )
        if not fits:
            raise self._wrong(self._range(), value)
        return number

    def _range(self) -> str:
        if self.least is not None and self.most is not None:
            return f"between {self.least:g} and {self.most:g}"
        if self.least is not None:
            return f"{'greater than' if self.open else 'at least'} {self.least:g}"
        if self.most is not None:
            return f"{'below' if self.open else 'at most'} {self.most:g}"
        return "finite"

    def _wrong(self, wanted: str, value: Any) -> UsageError:
        return UsageError(f"`{self.name}` must be {wanted}, got {value!r}")


#: the interval where none is named: its method, its level and its resamples, of which an end moves by one
#: to four per cent of the width from seed to seed
USUAL, LEVEL, RESAMPLES = "auto", 0.95, 2000


def check_draws(*, level: object = LEVEL, resamples: object = 2, seed: object = 0) -> None:
    """Refuse what is no level, no number of resamples or no seed."""
    if not isinstance(level, (int, float)) or not 0 < level < 1:
        raise UsageError(f"the level must be between 0 and 1, got {level!r}")
    if not isinstance(resamples, Integral) or resamples < 2:
        raise UsageError(f"the number of resamples must be at least 2, got {resamples!r}")
    SEED.checked(seed)


SEED = Option("seed", int, "Seed of everything random.", default=0, least=0)
JOBS = Option("jobs", int, "Worker processes; -1 for all cores.", default=1, signed="")
PROGRESS = Option(
    "progress",
    object,
    "Called with (done, total) as the work advances.",
    also="Callable[[int, int], None]",
    python_only=True,
    signed="",
)
BY = Option("by", tuple, "Breakdowns to make at once.", default=(), python_only=True, signed="")


def declared(kind: Callable[..., Any]) -> tuple[Option, ...]:
    """Return what the parameters of a function, or the fields of a dataclass, declare as options.

    Each is ``name: Annotated[TYPE, Said("…")] = DEFAULT``; those that say nothing are none. A parameter
    that is such a dataclass stands for its fields, all in one panel with ``Annotated[TYPE, "panel"]``.

    >>> from accord.options.reading import ReadOptions
    >>> rows = next(o for o in declared(ReadOptions) if o.name == "rows")
    >>> rows.flag, rows.choices, rows.checked("items")
    ('--rows', ('items', 'annotators'), 'items')
    """
    hints = get_type_hints(kind, include_extras=True)
    made = {f.name: f.default_factory for f in fields(kind)} if isinstance(kind, type) else {}
    found: list[Option] = []
    for name, parameter in signature(kind).parameters.items():
        hint, *notes = get_args(hints[name]) or (None,)
        said = next((note for note in notes if isinstance(note, Said)), None)
        if said is None:
            kind, panel = (hint, *notes) if notes else (hints[name], "")
            own = declared(kind) if declares(kind) else ()
            found += [o.but(panel=o.panel or panel) for o in own]
            continue
        # (of several types the first is the one that is typed in a terminal)
        while get_origin(hint) in (Union, UnionType, list):
            said = replace(said, repeatable=said.repeatable or get_origin(hint) is list)
            hint = get_args(hint)[0]
        words = get_args(hint) if get_origin(hint) is Literal else ()
        factory = made.get(name, MISSING)
        found.append(
            Option(
                name,
                str if words else get_origin(hint) or hint,
                default=parameter.default if factory is MISSING else factory(),
                choices=words,
                argument=parameter.kind is Parameter.POSITIONAL_OR_KEYWORD,
                **{part.name: getattr(said, part.name) for part in fields(said)},
            )
        )
    return tuple(found)


def declares(kind: object) -> bool:
    """Tell whether a type is a dataclass whose fields are options."""
    return is_dataclass(kind) and isinstance(kind, type) and bool(declared(kind))


def given_as(whose: str, options: Sequence[Option], given: Mapping[str, Any]) -> dict[str, Any]:
    """What was given, checked and converted; a name that is no option of `whose` is refused."""
    known = {option.name: option for option in options}
    for name in given:
        if name not in known:
            meant = did_you_mean(name, known, "`{}`")
            listed = f"; its options are {', '.join(known) or 'none'}"
            raise UsageError(f"{whose} has no option `{name}`{meant or listed}")
    return {name: known[name].checked(value) for name, value in given.items()}


def filled(measure: str, options: Sequence[Option], given: Mapping[str, Any]) -> dict[str, Any]:
    """Every option of a measure: as given, checked, or by default."""
    return {o.name: o.default for o in options} | given_as(measure, options, given)


def python_signature(function_signature: Signature, options: Sequence[Option]) -> Signature:
    """The signature people see: the data, then each option by keyword with its default."""
    data = [
        p
        for p in function_signature.parameters.values()
        if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)
    ]
    keywords = [
        Parameter(o.name, Parameter.KEYWORD_ONLY, default=o.default, annotation=o.annotation)
        for o in options
    ]
    return Signature([*data, *keywords], return_annotation=function_signature.return_annotation)


def _alternatives(words: Sequence[str]) -> str:
    *most, last = words
    return f"one of {', '.join(most)} or {last}"
