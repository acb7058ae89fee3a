"""What writers of exports share: units by annotator and document, safe file names, losses."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from accord.data import Annotations, Units
from accord.data.units import Unit
from accord.errors import InputError, UsageError

_UNSAFE = re.compile(r"[^\w.\- ]+")
_MOST_BLANKS = 100_000_000
#: tokens of a document: more are milliseconds or the like, or a slip
_MOST_TOKENS = 1_000_000
_RESERVED = frozenset({"", ".", ".."})


def require_units(data: Annotations, title: str) -> Units:
    """The data, when they are units."""
    if not isinstance(data, Units):
        raise UsageError(f"{title} holds units, not {data.shape}; write a long table instead")
    return data


def by_annotator(units: Units, lost: list[str]) -> Iterator[tuple[str, str, list[Unit]]]:
    """(annotator, document, units) for each pair that was covered, offsets being characters.

    Annotators' names come as safe folder names.
    """
    if not units.integral:
        raise UsageError("this format counts characters, but some offsets are not whole numbers")
    folders = file_names(units.annotators)
    rows: dict[tuple[str, str], list[Unit]] = {}
    for unit in units:
        rows.setdefault((unit.document, unit.annotator), []).append(unit)
    for a, annotator in enumerate(units.annotators):
        if folders[annotator] != annotator:
            lost.append(f"annotator {annotator!r} is written as {folders[annotator]!r}")
        for d, document in enumerate(units.documents):
            if units.coverage[d, a]:
                yield folders[annotator], document, rows.get((document, annotator), [])


def file_names(names: Sequence[str], *, folders: bool = True) -> dict[str, str]:
    """A safe and distinct file name for each name; a safe one stays as it is.

    A name with slashes becomes a file in folders, unless `folders` is false.

    >>> file_names(["a", "b/c", "../x"])
    {'a': 'a', 'b/c': 'b/c', '../x': 'x'}
    >>> file_names(["b/c", "b_c"], folders=False)
    {'b/c': 'b_c', 'b_c': 'b_c-2'}
    """
    found: dict[str, str] = {}
    taken: set[str] = set()
    for name in names:
        parts = [
            _UNSAFE.sub("_", part).strip(" ") for part in (name.split("/") if folders else [name])
        ]
        safe = "/".join(part for part in parts if part not in _RESERVED) or "_"
        candidate, number = safe, 2
        while candidate.lower() in taken:
            candidate, number = f"{safe}-{number}", number + 1
        taken.add(candidate.lower())
        found[name] = candidate
    return found


def write_text(path: Path, text: str) -> None:
    """Write a text of a new export as UTF-8, line ends as they are, and make its folder."""
    write_bytes(path, text.encode("utf-8", "replace"))


def write_bytes(path: Path, data: bytes) -> None:
    """Write a file of a new export and make its folder; :func:`accord.write` puts it in place."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    except OSError as problem:
        raise InputError(f"cannot be written ({problem.strerror})", path=path) from None


def text_or_blanks(units: Units, document: int) -> str:
    """The text of a document, or as many blanks as it is long."""
    text = None if units.texts is None else units.texts[document]
    if text is not None:
        return text
    length = known_length(units, document)
    if length > _MOST_BLANKS:
        raise UsageError(
            f"document {units.documents[document]!r} is {length:g} long and its text is not known: "
            "it is too long to be written as blanks"
        )
    return " " * int(length)


def refuse_endless(document: str, tokens: float) -> None:
    """A wrong offset must not fill the disc with tokens that nobody wrote."""
    if tokens > _MOST_TOKENS:
        raise UsageError(
            f"document {document!r} is {tokens:g} long: that is too long to be written as tokens"
        )


def known_length(units: Units, document: int) -> float:
    """The extent of a document, or the end of its last unit when that is unknown."""
    length = float(units.lengths[document])
    if np.isfinite(length):
        return length
    ends = units.end[units.document == document]
    return float(ends.max()) if len(ends) else 0.0
