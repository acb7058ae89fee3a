"""What writers of exports share: units by annotator and document, safe file names, losses."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from accord.data import Annotations, Ratings, Units
from accord.data.probabilities import PREFIX
from accord.data.ratings import label_of
from accord.data.reasons import SAID
from accord.data.statements import Statement
from accord.data.units import Unit
from accord.errors import InputError, UsageError

_UNSAFE = re.compile(r"[^\w.\- ]+")
_CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_MOST_BLANKS = 100_000_000
#: tokens of a document: more are milliseconds or the like, or a slip
_MOST_TOKENS = 1_000_000
_RESERVED = frozenset({"", ".", ".."})


def require_units(data: Annotations, title: str) -> Units:
    """The data, when they are units."""
    if not isinstance(data, Units):
        raise UsageError(f"{title} holds units, not {data.shape}; write a long table instead")
    return data


class Written(NamedTuple):
    """What one annotator said of one document, and how their files are called."""

    annotator: str
    folder: str
    document: str
    file: str
    text: str
    units: list[Unit]
    said: Sequence[Statement]


def by_annotator(
    data: Annotations, title: str, lost: list[str], *, folders: bool = True, texts: bool = False
) -> Iterator[Written]:
    """Each pair that was covered, for formats of units whose offsets are characters.

    Blanks stand in for texts that are not known, unless the format needs `texts`. `folders` are called
    after the annotators.
    """
    units = require_units(data, title)
    if units.texts is None or None in units.texts:
        if texts:
            raise UsageError(f"{title} needs the texts of the documents, and they are not known")
        lost.append("the texts are not known: blanks stand in for them")
    if not units.integral:
        raise UsageError("this format counts characters, but some offsets are not whole numbers")
    people, files = file_names(units.annotators), file_names(units.documents)
    rows = units_of(units)
    for a, who in enumerate(units.annotators):
        if folders and people[who] != who:
            lost.append(f"annotator {who!r} is written as {people[who]!r}")
        for d, document in enumerate(units.documents):
            if units.coverage[d, a]:
                pair = (document, who)
                text, said = text_or_blanks(units, d), units.statements.get(pair, ())
                held = rows.get(pair, [])
                yield Written(who, people[who], document, files[document], text, held, said)


def units_of(units: Units) -> dict[tuple[str, str], list[Unit]]:
    """The units of each document and annotator."""
    rows: dict[tuple[str, str], list[Unit]] = {}
    for unit in units:
        rows.setdefault((unit.document, unit.annotator), []).append(unit)
    return rows


class Answered(NamedTuple):
    """An item, its text, and the answers to it: annotator, value, and the value as labels."""

    item: str
    text: str | None
    answers: list[tuple[str, Any, list[str]]]


def by_item(data: Ratings, lost: list[str], *, what: str) -> Iterator[Answered]:
    """Each item, for formats that write an item as one of `what`."""
    if data.multiplicity is not None:
        raise UsageError(f"ratings that were only counted cannot be written as {what}")
    if data.document is not None:
        lost.append("the documents of the items are not written")
    for i in range(len(data.indptr) - 1):
        item = str(data.items[i])
        answers = []
        for k in range(data.indptr[i], data.indptr[i + 1]):
            value: Any = data.values[data.code[k]]
            labels = sorted(map(str, value)) if data.kind == "sets" else [label_of(value)]
            answers.append((data.annotators[data.annotator[k]], value, labels))
        yield Answered(item, data.texts.get(item), answers)


def is_one_file(
    path: Path,
    endings: Sequence[str],
    things: int,
    *,
    thing: str,
    format: str,  # noqa: A002
) -> bool:
    """Whether a path names one file and no folder; refused where it cannot hold all."""
    single = path.suffix.lower() in endings
    if single and things > 1:
        raise UsageError(
            f"{path.name} can hold one {thing}, but there are {things}; "
            f"name a folder, and the format {format}"
        )
    return single


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


def said_of_reference(data: Annotations) -> dict[str, dict[str, Any]]:
    """What a reference says of each item beside its value, as platforms keep it with the item."""
    if not isinstance(data, Ratings):
        return {}
    names = [n for n in data.extras if n in SAID or n.startswith(PREFIX)]
    told = {}
    for i, item in enumerate(data.items):
        cells = {name: data.extras[name][i] for name in names}
        told[str(item)] = {k: v for k, v in cells.items() if v not in (None, "") and v == v}
    return told


def answers_of(data: Annotations, title: str) -> dict[str, dict[str, Any]]:
    """Document or item → annotator → units in it, or the value it was given; also of nobody."""
    if isinstance(data, Ratings):
        return {
            one.item: {who: value for who, value, _ in one.answers}
            for one in by_item(data, [], what=f"records of {title}")
        }
    units, rows = require_units(data, title), units_of(require_units(data, title))
    return {
        document: {
            who: rows.get((document, who), [])
            for a, who in enumerate(units.annotators)
            if units.coverage[d, a]
        }
        for d, document in enumerate(units.documents)
    }


def texts_of(data: Annotations) -> Mapping[str, str]:
    """The texts of documents and items, as far as they are known."""
    if isinstance(data, Units):
        pairs = zip(data.documents, data.texts or (), strict=False)
        return {name: text for name, text in pairs if text is not None}
    return data.texts if isinstance(data, Ratings) else {}


def labels_of(value: Any) -> list[str]:
    """A value as the labels it is: those of a set, or one."""
    return sorted(map(str, value)) if isinstance(value, frozenset) else [label_of(value)]


def without_controls(text: str, lost: list[str]) -> str:
    """A text as XML 1.0 can hold it: control characters have no place there, not even as references."""
    clean = _CONTROLS.sub("\ufffd", text)
    if clean != text:
        lost.append("control characters, which XML cannot hold, are written as U+FFFD")
    return clean


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
