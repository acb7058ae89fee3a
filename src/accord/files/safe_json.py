"""JSON and JSON lines that cannot bite: bounded nesting and numbers, and errors with a line."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterator
from typing import Any, NoReturn

from accord.errors import InputError, UnreadableError
from accord.files.text import decode

_SURROGATE = re.compile("[\ud800-\udfff]")
_KINDS: dict[type, str] = {str: "text", list: "a list", dict: "an object"}


def load(data: bytes, path: str, *, constants: bool = False) -> Any:
    """One JSON document; NaN and Infinity, which are no JSON, only where a format is known for them."""
    text = decode(data, path)
    return _loads(text, path, 1, constants=constants)


def load_lines(
    data: bytes, path: str, quick: Callable[[str], Any] = lambda line: None
) -> Iterator[tuple[int, Any]]:
    """The records of a JSON-lines file, of a JSON array, or of one pretty-printed object.

    Yields (line number, record). Exports are found in all three shapes under the same ending. A line is
    what `quick` makes of it, unless that is None.
    """
    text = decode(data, path)
    head = text.lstrip()
    if head.startswith("["):
        whole = _loads(text, path, 1)
        if isinstance(whole, list):
            for record in whole:
                yield 1, record
            return
    first, _, _ = head.partition("\n")
    if head.startswith("{") and not _is_json(first):
        yield 1, _loads(text, path, 1)
        return
    # not splitlines(): a record may hold U+2028 and its like, which end no line of JSON
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            value = quick(line)
            yield number, _loads(line, path, number) if value is None else value


def integer(value: object, what: str, path: str, line: int | None = None) -> int:
    """A whole number, whether written 3 or 3.0; an error that names it otherwise."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise InputError(f"{what} must be a number, got {_shown(value)}", path=path, line=line)
    if isinstance(value, float) and not (math.isfinite(value) and value.is_integer()):
        raise InputError(f"{what} must be a whole number, got {value}", path=path, line=line)
    if abs(value) > 1 << 53:
        raise InputError(f"{what} is too large: {_shown(value)}", path=path, line=line)
    return int(value)


def number(value: object, what: str, path: str, line: int | None = None) -> float:
    """A finite number."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise InputError(f"{what} must be a number, got {_shown(value)}", path=path, line=line)
    # NaN fails every comparison; an enormous integer must not be turned into a float
    if not abs(value) <= 1 << 53:
        raise InputError(f"{what} is too large: {_shown(value)}", path=path, line=line)
    return float(value)


def record(value: object, what: str, path: str, line: int | None = None) -> dict[str, Any]:
    """An object; an error that names it otherwise."""
    if not isinstance(value, dict):
        raise InputError(f"{what} must be an object, got {_shown(value)}", path=path, line=line)
    return value


def listed(value: object, what: str, path: str, line: int | None = None) -> list[Any]:
    """A list (nothing at all is an empty one); an error that names it otherwise."""
    if value is None:
        return []
    if not isinstance(value, list):
        raise InputError(f"{what} must be a list, got {_shown(value)}", path=path, line=line)
    return value


def word(value: object, what: str, path: str, line: int | None = None) -> str:
    """A name: a string or a number."""
    if isinstance(value, str):
        return value
    if isinstance(value, (int, float)):
        return _shown(value)
    raise InputError(f"{what} must be a string, got {_shown(value)}", path=path, line=line)


def _shown(value: object) -> str:
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) > 1 << 64:
        return "an enormous number"  # printing it can take longer than reading the file
    if isinstance(value, (int, float)):
        return str(value)
    return _KINDS.get(type(value), "nothing")


def _loads(text: str, path: str, line: int, *, constants: bool = False) -> Any:
    try:
        value = json.loads(text, parse_constant=float if constants else _constant)
    except json.JSONDecodeError as problem:
        raise UnreadableError(
            f"is not JSON ({problem.msg} at column {problem.colno})",
            path=path,
            line=line + problem.lineno - 1,
        ) from None
    except RecursionError:
        raise InputError(
            "nests its JSON too deep to be annotations", path=path, line=line
        ) from None
    except ValueError as problem:
        # Python refuses integers of more than a few thousand digits
        raise InputError(f"is not usable JSON ({problem})", path=path, line=line) from None
    return scrubbed(value) if "\\u" in text and _has_surrogate(text) else value


def _constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON number")


def _is_json(line: str) -> bool:
    try:
        json.loads(line)
    except (ValueError, RecursionError):
        return False
    return True


def _has_surrogate(text: str) -> bool:
    return re.search(r"\\u[dD][89a-fA-F]", text) is not None


def scrubbed(value: Any) -> Any:
    """Half a surrogate pair is no character: U+FFFD stands in its place, so offsets stay."""
    if isinstance(value, str):
        return _SURROGATE.sub("\ufffd", value)
    if isinstance(value, list):
        return [scrubbed(v) for v in value]
    if isinstance(value, dict):
        return {_SURROGATE.sub("\ufffd", k): scrubbed(v) for k, v in value.items()}
    return value
