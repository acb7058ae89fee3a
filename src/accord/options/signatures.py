"""Signatures: the line under a number that says how it was made, written and read again.

A signature is words NAME:VALUE between bars. Measures put there what they resolved (the metric's name,
the window chosen), :func:`signed` what was asked for beside it, and :func:`unsigned` reads the options
again, so that the same question can be asked once more: see :func:`accord.study.settings.settings`.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from accord.errors import AccordError
from accord.options.option import Option
from accord.version import __version__

#: what measures call a switch that is on, or off
_ON, _OFF = ("True", "yes", "dropped"), ("False", "no", "kept")
#: hexadecimal digits of the digest of a file or a table
_DIGITS = 8
#: a per cent sign that would be read as the code of another
_QUOTED = re.compile(r"%(?=[0-9A-Fa-f]{2})")


def signature(measure: str, n: int, **options: object) -> str:
    """The line that lets a published number be reproduced.

    >>> signature("alpha", 480, metric="ordinal")
    'alpha|metric:ordinal|n:480|v:...'
    """
    parts = [measure, *(f"{k}:{bare(str(v))}" for k, v in options.items() if v is not None)]
    return "|".join([*parts, f"n:{n}", f"v:{__version__}"])


def signed(signature: str, options: Sequence[Option], values: Mapping[str, Any]) -> str:
    """The signature with every option in it that is not at its default, as exactly as it was given.

    Measures put there what they resolved (the metric's name, the window chosen); this adds what
    they left out or rounded, so that no number is published without what made it.

    >>> window = Option("window", int, "Window size.")
    >>> signed("pk|n:4|v:1", [window], {"window": 3})
    'pk|window:3|n:4|v:1'
    >>> signed("pk|window:3|n:4|v:1", [window], {"window": 3})
    'pk|window:3|n:4|v:1'
    """
    name, *parts = signature.split("|")
    place = {part.partition(":")[0].replace("-", "_"): i for i, part in enumerate(parts)}
    missing: list[str] = []
    for option in options:
        if (
            not option.key
            or option.name not in values
            or _same(values[option.name], option.default)
        ):
            continue
        value = values[option.name]
        named = isinstance(value, (str, PathLike))
        file = option.file and named and value not in option.choices
        word = f"{option.key}:{written(value, file=file)}"
        at = place.get(option.key.replace("-", "_"))
        if at is None:
            missing.append(word)
        elif (option.type in (int, float) and _number(parts[at]) != value) or file:
            parts[at] = word
    tail = next((i for i, part in enumerate(parts) if part.startswith("n:")), len(parts))
    return "|".join([name, *parts[:tail], *missing, *parts[tail:]])


def further(signature: str, *words: str) -> str:
    """The signature with more words, before those of the data and the version.

    >>> further("pk|n:4|v:1", "ci:none")
    'pk|ci:none|n:4|v:1'
    """
    head, mark, tail = signature.rpartition("|n:")
    return f"{'|'.join([head, *words])}{mark}{tail}" if mark else signature


def unsigned(words: Iterable[str], options: Sequence[Option]) -> tuple[dict[str, Any], list[str]]:
    """The options that stand among the words of a signature, and the words that are none.

    >>> window = Option("window", int, "Window size.")
    >>> unsigned(["window:3", "labels:yes"], [window])
    ({'window': 3}, ['labels:yes'])
    """
    found: dict[str, Any] = {}
    rest: list[str] = []
    for word in words:
        key, _, text = word.partition(":")
        for option in options:
            if option.key.replace("-", "_") != key.replace("-", "_") or option.name in found:
                continue
            try:
                found[option.name] = _read(option, text)
            except (AccordError, ValueError):
                continue
            break
        else:
            rest.append(word)
    return found, rest


def written(value: Any, *, file: bool = False) -> str:
    """A value as signatures have it: numbers in full, files by name and digest.

    >>> written(0.1), written(1.0), written(("a+b", "c")), written({"x": 1})
    ('0.1', '1.0', 'a%2Bb+c', 'given@...')
    """
    if isinstance(value, PathLike) or file:
        return f"{bare(Path(value).name)}@{digest(Path(value))}"
    if isinstance(value, (tuple, list)):
        return "+".join(bare(str(one), "+") for one in value)
    if isinstance(value, str):
        return bare(value)
    if isinstance(value, (bool, int, float)):
        return str(value)
    if callable(value):
        return getattr(value, "__name__", "given")
    return f"given@{digest(value)}"


def exact(number: float) -> str:
    """A number in full, and as short as it can be.

    >>> exact(1.0), exact(1 / 3)
    ('1', '0.3333333333333333')
    """
    short = f"{number:g}"
    return short if float(short) == number else repr(number)


def bare(text: str, *more: str) -> str:
    """A text in which no sign means something in a signature; :func:`unquote` undoes it.

    >>> bare("a|b, 50 %", ",")
    'a%7Cb%2C 50 %'
    """
    text = _QUOTED.sub("%25", text)
    for sign in ("|", "\n", *more):
        text = text.replace(sign, f"%{ord(sign):02X}")
    return text


def digest(value: Any) -> str:
    """A few digits that are others for another content of a file, a table or an array."""
    if isinstance(value, PathLike):
        held = Path(value).read_bytes()
    elif isinstance(value, Mapping):
        held = json.dumps([[str(k), str(v)] for k, v in sorted(value.items(), key=str)]).encode()
    elif hasattr(value, "to_dict"):
        held = str(value.to_dict()).encode()
    elif hasattr(value, "tobytes"):
        held = f"{value.dtype}{value.shape}".encode() + value.tobytes()
    else:
        held = str(value).encode()
    return hashlib.sha256(held).hexdigest()[:_DIGITS]


def _number(part: str) -> float | None:
    try:
        return float(part.partition(":")[2])
    except ValueError:
        return None


def _read(option: Option, text: str) -> Any:
    """The value that is written so; a ValueError where the option has no such value."""
    if option.type is bool:
        if text not in (*_ON, *_OFF):
            raise ValueError(text)
        return text in _ON
    if option.type is int:
        return option.checked(int(text))
    if option.type is float:
        return option.checked(float(text))
    if option.type is tuple:
        return tuple(unquote(one) for one in text.split("+"))
    name = unquote(text)
    if option.file and "@" in name:
        return name
    if option.choices and name not in option.choices:
        # (what it was resolved to stands behind it: path:tree.csv)
        name = name.partition(":")[0]
        if name not in option.choices:
            raise ValueError(text)
    return name


def _same(value: Any, default: Any) -> bool:
    return type(value) is type(default) and bool(value == default)
