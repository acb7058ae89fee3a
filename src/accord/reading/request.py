"""The keywords of :func:`accord.read`, as people give them, made into :class:`ReadOptions`."""

from __future__ import annotations

import codecs
import csv
from collections.abc import Iterable, Mapping
from dataclasses import fields
from os import PathLike
from pathlib import Path
from typing import Any

from accord.data.ratings import label_of
from accord.data.values import declared_as
from accord.errors import InputError, UsageError
from accord.files.text import open_table
from accord.formats.format import ReadOptions
from accord.reading.recode import new_names
from accord.reading.sidecars import seen_pairs

_NAMES = ("annotators", "without", "documents", "items", "systems")


def options_of(given: Mapping[str, Any]) -> tuple[ReadOptions, list[str]]:
    """The options, and what has to be said about how they were taken.

    Names may come as a list or as one text with commas; ``rename`` as a mapping or as texts
    ``old=new``; ``columns`` as a mapping (ours → theirs) or as the names of all columns in order.
    """
    known = {f.name for f in fields(ReadOptions)} - {"layout"}
    notes: list[str] = []
    found: dict[str, Any] = {}
    for name, value in given.items():
        if name == "missing":
            name = "missing_values"
        if name not in known:
            raise UsageError(
                f"unknown reading option {name!r}; there are {', '.join(sorted(known))}"
            )
        if value is None:
            continue
        if name == "documents" and isinstance(value, (str, PathLike)) and Path(value).is_file():
            found["lengths"] = Path(value)
            notes.append(
                f"`documents={value}` is a file: taken as the table of lengths, now called `lengths`"
            )
        elif name in _NAMES:
            found[name] = _names(name, value)
        elif name == "categories":
            found[name], ordered = declared_as(value, ordered=bool(given.get("ordered")))
            found["ordered"] = ordered
        elif name in ("rename", "recode"):
            found[name] = _renamed(name, value)
        elif name == "merge":
            found[name] = _merged(value)
        elif name in ("missing_values", "keep_values"):
            found[name] = _words(value)
        elif name == "groups":
            found[name] = _groups(value)
        elif name == "columns" and not isinstance(value, Mapping):
            found["layout"] = tuple(value.split(",")) if isinstance(value, str) else tuple(value)
        elif name in ("lengths", "coverage", "units"):
            found[name] = Path(value)
        elif name == "seen":
            found[name] = seen_pairs(value)
        elif name == "encoding":
            found[name] = _encoding(value)
        else:
            found.setdefault(name, value)
    _refuse_two_ways(found)
    return ReadOptions(**found), notes


def _refuse_two_ways(found: Mapping[str, Any]) -> None:
    """A word is a value or none, and a label has one new name."""
    both = {*found.get("missing_values", ())} & {*found.get("keep_values", ())}
    if both:
        raise UsageError(
            f"{min(both)!r} is in `missing_values` and in `keep_values`: it is a value, or it is none"
        )
    new_names(found.get("recode", {}), found.get("merge", {}))


def _names(option: str, value: Any) -> tuple[str, ...]:
    if not isinstance(value, Iterable):
        raise UsageError(f"`{option}` must be a list of names, got {value!r}")
    names = value.split(",") if isinstance(value, str) else list(map(str, value))
    found = tuple(n.strip() for n in names if n.strip())
    if not found:
        raise UsageError(f"`{option}` names nobody; leave it out, or name at least one")
    return found


def _words(value: Any) -> tuple[str, ...]:
    """Words in a list, or in one text with commas; an empty text is no word."""
    listed: list[Any] = value.split(",") if isinstance(value, str) else [value]
    if isinstance(value, Iterable) and not isinstance(value, str):
        listed = list(value)
    # 999 is as good as "999"
    return tuple(dict.fromkeys([w for w in (label_of(v).strip() for v in listed) if w]))


def _merged(value: Any) -> dict[str, tuple[str, ...]]:
    """New label → the labels it stands for: a mapping, or texts ``new=a,b``."""
    if isinstance(value, Mapping):
        return {str(new): _words(old) for new, old in value.items()}
    found: dict[str, tuple[str, ...]] = {}
    for pair in [value] if isinstance(value, str) else value:
        new, equals, old = pair.partition("=")
        if not equals or not new.strip() or not _words(old):
            raise UsageError(f"`merge` must be NEW=A,B, got {pair!r}")
        found[new.strip()] = _words(old)
    return found


def _renamed(option: str, value: Any) -> dict[str, str]:
    if isinstance(value, Mapping):
        return {str(old): str(new) for old, new in value.items()}
    found: dict[str, str] = {}
    listed = [value] if isinstance(value, str) else value
    for pair in (pair for text in listed for pair in _pairs(text)):
        old, equals, new = pair.rpartition("=")
        if not equals or not old.strip() or not new.strip():
            raise UsageError(f"`{option}` must be OLD=NEW, got {pair!r}")
        found[old.strip()] = new.strip()
    return found


def _pairs(text: str) -> list[str]:
    """Several pairs in one text, where each part is one."""
    parts = text.split(",")
    return parts if all("=" in part for part in parts) else [text]


def _groups(value: Any) -> Mapping[str, str] | str:
    """A mapping annotator → group, a table of two such columns, or the name of a column."""
    if isinstance(value, Mapping):
        return {str(who): str(group) for who, group in value.items()}
    path = Path(value)
    if not path.is_file():
        return str(value)
    try:
        with open_table(path) as file:
            rows = csv.DictReader(file)
            header = rows.fieldnames or ()
            if "annotator" not in header or "group" not in header:
                raise InputError(
                    f"has the columns {', '.join(header) or '(none)'}",
                    path=path,
                    line=1,
                    hint="name them annotator,group",
                )
            return {str(r["annotator"]).strip(): str(r["group"]).strip() for r in rows}
    except OSError as problem:
        raise InputError(f"cannot be read ({problem.strerror})", path=path) from None
    except (UnicodeDecodeError, csv.Error) as problem:
        raise InputError(f"is not a readable table ({problem})", path=path) from None


def _encoding(name: str) -> str:
    try:
        return codecs.lookup(name).name
    except LookupError:
        raise UsageError(
            f"`encoding={name}` is not known; use a name such as utf-8, cp1252, latin-1 or utf-16"
        ) from None
