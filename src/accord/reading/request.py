"""The keywords of :func:`accord.read`, as people give them, made into :class:`ReadOptions`.

What each may be and becomes stands with its declaration (:mod:`accord.options.reading`); what a file
has to be opened for is done here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from os import PathLike
from pathlib import Path
from typing import Any

from accord.data.values import declared_as
from accord.errors import UsageError
from accord.options import given_as
from accord.options.reading import KEYWORDS, Names, ReadOptions
from accord.reading.recode import new_names
from accord.reading.sidecars import beside, seen_pairs


def options_of(given: Mapping[str, Any]) -> tuple[ReadOptions, list[str]]:
    """The options, and what has to be said about how they were taken.

    Names may come as a list or as one text with commas; ``rename`` as a mapping or as texts
    ``old=new``; ``columns`` as a mapping (ours → theirs) or as the names of all columns in order.
    """
    told = {name: value for name, value in given.items() if value is not None}
    notes: list[str] = []
    if "missing" in told:
        told["missing_values"] = told.pop("missing")
    documents = told.get("documents")
    if isinstance(documents, (str, PathLike)) and Path(documents).is_file():
        told["lengths"] = told.pop("documents")
        notes.append(
            f"`documents={documents}` is a file: taken as the table of lengths, now called `lengths`"
        )
    opened = {name: open_(told.pop(name)) for name, open_ in OPENED.items() if name in told}
    found = given_as("reading", KEYWORDS, told) | opened
    if isinstance(found.get("columns"), tuple):
        found["layout"] = found.pop("columns")
    if "categories" in found:
        found["categories"], found["ordered"] = declared_as(
            found["categories"], ordered=bool(found.get("ordered"))
        )
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


def _groups(value: Mapping[str, str] | str | PathLike[str]) -> Mapping[str, str] | str:
    """A mapping annotator → group, a table of two such columns, or the name of a column."""
    if isinstance(value, Mapping):
        return {str(who): str(group) for who, group in value.items()}
    path = Path(value)
    if not path.is_file():
        return str(value)
    rows = beside(path, ("annotator", "group"), "name them annotator,group")
    return {str(r["annotator"]).strip(): str(r["group"]).strip() for _, r in rows}


def _categories(value: Names | PathLike[str]) -> Names:
    """Names in a list, in one text, or in a file with one a line."""
    if not isinstance(value, (str, PathLike)):
        return value
    path, text = Path(value), str(value)
    if "," not in text and path.is_file():
        return tuple(line for line in path.read_text(encoding="utf-8").splitlines() if line)
    return text


#: option → what it is when the file that it may name has been read
OPENED: Mapping[str, Callable[[Any], Any]] = {
    "categories": _categories,
    "groups": _groups,
    "seen": seen_pairs,
}
