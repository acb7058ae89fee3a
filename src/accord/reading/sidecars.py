"""Small tables beside a table of units: document lengths, and who saw what."""

from __future__ import annotations

import csv
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from math import isfinite
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from accord.data.boxes import Boxes
from accord.data.brief import count, one_of
from accord.data.clock import is_like_clock, seconds_of
from accord.data.located import Located
from accord.data.protocol import Annotations
from accord.data.ratings import label_of
from accord.data.reading import Record
from accord.data.said import pairs_of
from accord.data.silence import is_decided, silence_of
from accord.data.units import Units
from accord.data.values import is_number
from accord.errors import InputError, UsageError, some
from accord.files.text import open_table
from accord.formats.format import ReadOptions

if TYPE_CHECKING:
    from accord.data.said import Pairs

#: tables that tell about the annotations beside them
SIDECARS = ("documents.csv", "coverage.csv")
#: words for what offsets count
_COUNTED = {
    word: name
    for name, words in {
        "seconds": "s sec second seconds",
        "milliseconds": "ms msec millisecond milliseconds",
        "characters": "char chars character characters",
        "tokens": "token tokens word words",
    }.items()
    for word in words.split()
}


def lengths_of(path: Path) -> dict[str, float]:
    """Read a table with the columns document and length."""
    lengths: dict[str, float] = {}
    for line, (document, length) in _rows(path, ("document", "length")):
        found = seconds_of(length, path=str(path), line=line) if is_like_clock(length) else 0.0
        found = float(length) if is_number(length) else found
        if found <= 0:
            raise InputError(
                f"the length must be a number above 0, got {length!r}", path=path, line=line
            )
        if lengths.setdefault(document, found) != found:
            raise InputError(f"document {document!r} has two lengths", path=path, line=line)
    return lengths


def lengths_in(data: Annotations) -> dict[str, float]:
    """The lengths of documents, as far as units know them."""
    if not isinstance(data, Units):
        return {}
    pairs = zip(data.documents, data.lengths.tolist(), strict=True)
    return {document: n for document, n in pairs if isfinite(n)}


def counted_in(path: Path) -> str | None:
    """What offsets count, where the table of lengths has a column `unit` that says one thing."""
    said = {unit.strip().lower() for _, (_, unit) in _rows(path, ("document",), ("unit",))}
    return _COUNTED.get(said.pop()) if len(said) == 1 else None


def sizes_of(path: Path) -> tuple[dict[str, tuple[float, float]], dict[str, str]]:
    """Read a table with the columns document, width and height, and perhaps image: its file."""
    sizes: dict[str, tuple[float, float]] = {}
    images: dict[str, str] = {}
    for line, (document, *size, image) in _rows(path, ("document", "width", "height"), ("image",)):
        for name, side in zip(("width", "height"), size, strict=True):
            if not is_number(side) or not float(side) > 0:
                raise InputError(
                    f"the {name} must be a number above 0, got {side!r}", path=path, line=line
                )
        found = (float(size[0]), float(size[1]))
        if sizes.setdefault(document, found) != found:
            raise InputError(f"document {document!r} has two sizes", path=path, line=line)
        if image:
            images[document] = image
    return sizes, images


def coverage_of(path: Path) -> list[tuple[str, str]]:
    """Read a table with the columns document and annotator."""
    return [(d, a) for _, (d, a) in _rows(path, ("document", "annotator"))]


def seen_pairs(value: str | PathLike[str] | Pairs) -> str | tuple[tuple[str, str], ...]:
    """Who saw what, as people say it: "all", "marked", a table (file or dataframe) with the columns
    document and annotator, pairs of them, or a mapping document → annotators.

    >>> seen_pairs({"d1": ["A", "B"], "d2": ["A"]})
    (('d1', 'A'), ('d1', 'B'), ('d2', 'A'))
    """
    if isinstance(value, (str, PathLike)):
        if value in ("all", "marked"):
            return str(value)
        path = Path(value)
        if not path.is_file():
            raise UsageError(f"`seen` must be all, marked or a file, got {str(value)!r}")
        return tuple(coverage_of(path))
    return pairs_of(value, "seen")


def with_coverage(
    data: Annotations, seen: str | Sequence[tuple[str, str]], renamed: Mapping[str, str]
) -> Annotations:
    """The same data with what was said about who saw what."""
    if not isinstance(data, Located):
        raise UsageError(f"`seen` is for units, relations and boxes, these data are {data.shape}")
    if isinstance(seen, str):
        return data.covered(seen)
    pairs = [(d, renamed.get(a, a)) for d, a in seen]
    whole = _with_unmarked(data, pairs)
    return whole.covered(pairs) if isinstance(whole, Located) else whole


def with_silence(data: Annotations) -> Annotations:
    """The same data with what is decided of those who marked nothing, where nobody said it."""
    decision = silence_of(data) if isinstance(data, Located) else None
    if decision is None or is_decided(data.provenance):
        return data
    sources = () if data.provenance is None else data.provenance.sources
    record = Record(path=", ".join(s.path for s in sources[:3]) or None)
    record.take(decision)
    return record.kept_by(data)


def _with_unmarked(data: Annotations, pairs: Sequence[tuple[str, str]]) -> Annotations:
    """The same with the documents and annotators that only a table of who saw what names.

    They are counted in a note: silence is data, and a name spelt in two ways looks like it.
    """
    if not isinstance(data, (Units, Boxes)):
        return data
    known = (set(data.documents), set(data.annotators))
    new = [(d, a) for d, a in pairs if d not in known[0] or a not in known[1]]
    if not new:
        return data
    empty = type(data).from_rows([], coverage=new, categories=data.categories)
    if isinstance(empty, Units) and isinstance(data, Units):
        empty = replace(empty, unit=data.unit)
    from accord.data.join import joined

    whole = joined([data, empty])
    sides = zip(known, zip(*new, strict=True), ("document", "annotator"), strict=True)
    counted = [
        f"{count(len(names), what)} ({some(names, 3)})"
        for held, column, what in sides
        if (names := [name for name in dict.fromkeys(column) if name not in held])
    ]
    record = Record()
    record.assume(
        f"the table of who saw what names {' and '.join(counted)} without any {one_of(data.shape)}"
    )
    return record.kept_by(whole)


def sidecars_of(path: Path) -> dict[str, Path]:
    """The tables that belong to this one alone: ``out.documents.csv`` beside ``out.csv``.

    >>> [file.name for file in sidecars_of(Path("out.csv")).values()]
    ['out.documents.csv', 'out.coverage.csv']
    """
    names = [path.with_name(f"{path.stem}.{name}") for name in SIDECARS]
    return dict(zip(("lengths", "coverage"), names, strict=True))


def is_sidecar(name: str) -> bool:
    """Whether a file is called as tables beside others are."""
    return name.rpartition("/")[2] in SIDECARS or name.endswith(tuple(f".{s}" for s in SIDECARS))


def with_sidecars(path: Path, options: ReadOptions) -> ReadOptions:
    """Document lengths and coverage from tables beside the file, its own first, unless given."""
    if path.name in SIDECARS:
        return options
    found: dict[str, Any] = {}
    for (name, own), shared in zip(sidecars_of(path).items(), SIDECARS, strict=True):
        there = [file for file in (own, path.with_name(shared)) if file.is_file()]
        if there and getattr(options, name) is None and options.length is None:
            found[name] = there[0]
    return replace(options, **found) if found else options


def belonging(
    documents: Iterable[Hashable], table: str | None, options: ReadOptions, record: Record
) -> ReadOptions:
    """The options without a `documents.csv` or `coverage.csv` beside a table whose documents it lacks.

    One that names some of them, and others, says that those were there as well: the record keeps it.
    """
    known = {label_of(name) for name in documents}
    for option in ("lengths", "coverage"):
        path = getattr(options, option)
        if path is None or Path(path).name not in SIDECARS:
            continue
        # (several tables that are read as one have no path of their own)
        if table is not None and Path(path).parent != Path(table).parent:
            continue
        named = {document for _, (document,) in _rows(Path(path), ("document",))}
        more = named - known
        if named and more == named:
            off: dict[str, Any] = {option: None}
            options = replace(options, **off)
            record.leave_out(Path(path).name, why="names no document of this table")
        elif more:
            record.assume(
                f"{Path(path).name} is of this table and has {count(len(more), 'more document')} "
                f"({some(sorted(more), 3)})",
                ("documents", tuple(sorted(known))),
                why="stands beside it",
            )
    return options


def _rows(
    path: Path, names: tuple[str, ...], optional: tuple[str, ...] = ()
) -> list[tuple[int, tuple[str, ...]]]:
    """The cells of these columns, each row with its line."""
    rows = beside(path, names)
    return [(n, tuple(row.get(name) or "" for name in (*names, *optional))) for n, row in rows]


def beside(
    path: Path, names: Sequence[str], hint: str | None = None
) -> list[tuple[int, dict[str, str | None]]]:
    """The rows of a small table that tells about data, each with its line; it must have these columns."""
    try:
        with open_table(path) as file:
            reader = csv.DictReader(file)
            header = reader.fieldnames or ()
            for name in names:
                if name not in header:
                    raise InputError(
                        f"has no column {name!r}; it has {', '.join(header) or 'none'}",
                        path=path,
                        hint=hint,
                    )
            return [(reader.line_num, row) for row in reader]
    except OSError as problem:
        raise InputError(f"cannot be read ({problem.strerror})", path=path) from None
    except (UnicodeDecodeError, csv.Error) as problem:
        raise InputError(f"is not a readable table ({problem})", path=path) from None
