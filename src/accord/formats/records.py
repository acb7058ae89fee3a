"""JSON as typed records: a platform declares what it writes, and a wrong type is told with its place.

A :class:`Struct` names the keys that are read; others are passed over. A default stands in for a
missing key, not for a null: `spans: list[Place] | None = None` takes both.
"""

from __future__ import annotations

import re
from abc import ABCMeta
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar, get_origin

import msgspec
from msgspec import Struct
from msgspec import field as key

from accord.errors import InputError
from accord.files import safe_json
from accord.files.archive import Entry
from accord.files.text import first_sign
from accord.formats.offsets import Span

__all__ = ["Name", "Number", "Place", "Struct", "Whole", "key", "record", "records", "shaped"]

if TYPE_CHECKING:
    Whole: TypeAlias = int
    Number: TypeAlias = float
    Name: TypeAlias = str
else:
    # what the checks make is no instance of these, yet msgspec takes it for one
    Whole = ABCMeta("Whole", (), {"__doc__": "A whole number, whether written 3 or 3.0."})
    Number = ABCMeta("Number", (), {"__doc__": "A finite number."})
    Name = ABCMeta("Name", (), {"__doc__": "A text, or a number that is a name."})
    for kind, made in ((Whole, int), (Number, float), (Name, str)):
        kind.register(made)

_CHECKS: dict[Any, Callable[..., Any]] = {
    Whole: safe_json.integer,
    Number: safe_json.number,
    Name: safe_json.word,
}
_SAID = re.compile(r"(.*?)(?: - at `(?:key in )?\$\.?(.*)`)?", re.DOTALL)
_EXPECTED = re.compile(r"Expected `(.*?)(?: \| null)?`, got `(.*)`")
_LENGTH = re.compile(r"Expected `array` of length (\d+).*")
_MISSING = re.compile(r"Object missing required field `(.*)`")
_WORDS = {"array": "a list", "object": "an object", "str": "text", "int": "a number"}
_WORDS |= {"float": "a number", "bool": "true or false", "null": "nothing"}
T = TypeVar("T")


class Place(Struct):
    """A place in a text, with its label."""

    start: Whole
    end: Whole
    label: Name | None = None
    #: the text that the file says it covers
    text: Any = None

    @property
    def span(self) -> Span:
        covered = self.text if isinstance(self.text, str) else None
        return Span(self.start, self.end, covered, self.label or "")


def records(entry: Entry, kind: type[T]) -> Iterator[tuple[int, T]]:
    """The records of a file of JSON Lines, of a JSON array, or its one object, with their lines."""
    decoder = msgspec.json.Decoder(kind, dec_hook=_checked)

    def quick(line: str) -> Any:
        # what msgspec refuses may be a half surrogate: the slow way decides, and tells the place
        with suppress(msgspec.MsgspecError, RecursionError):
            return decoder.decode(line)

    data = entry.read()
    array = first_sign(data) == b"["
    for number, (line, value) in enumerate(safe_json.load_lines(data, entry.path, quick)):
        place = f"[{number}]" if array else ""
        made = isinstance(value, get_origin(kind) or kind)
        yield line, value if made else shaped(value, kind, entry.path, line, place)


def record(entry: Entry, kind: type[T], *, constants: bool = False) -> T:
    """The one record of a file."""
    whole = safe_json.load(entry.read(), entry.path, constants=constants)
    return shaped(whole, kind, entry.path)


def shaped(value: Any, kind: type[T], path: str, line: int | None = None, place: str = "") -> T:
    """What JSON says as a record; `place` is where in the file it stands."""
    try:
        return msgspec.convert(value, kind, dec_hook=_checked)
    except msgspec.ValidationError as problem:
        raise InputError(_sentence(str(problem), place), path=path, line=line) from None
    except RecursionError:
        raise InputError(
            "nests its JSON too deep to be annotations", path=path, line=line
        ) from None


def _checked(kind: Any, value: Any) -> Any:
    try:
        return _CHECKS[kind](value, "", "")
    except InputError as problem:
        raise ValueError(problem.problem.strip()) from None


def _sentence(said: str, place: str) -> str:
    """What msgspec says, in our words.

    >>> _sentence("Expected `array | null`, got `str` - at `$.spans`", "[2]")
    '[2].spans must be a list, got text'
    >>> _sentence("Expected `int`, got `str` - at `$[1].start`", "ner")
    'ner[1].start must be a number, got text'
    """
    found = _SAID.fullmatch(said)
    assert found is not None
    where = f"{place}.{found[2] or ''}".replace(".[", "[").strip(".") or "the record"
    if missing := _MISSING.fullmatch(found[1]):
        return f"{where} has no {missing[1]}"
    if length := _LENGTH.fullmatch(found[1]):
        return f"{where} must be a list of {length[1]}"
    if expected := _EXPECTED.fullmatch(found[1]):
        words = dict.fromkeys(_WORDS.get(w, w) for w in expected[1].split(" | "))
        got = _WORDS.get(expected[2], expected[2])
        return f"{where} must be {' or '.join(words)}, got {got}"
    return f"{where} {found[1]}"
