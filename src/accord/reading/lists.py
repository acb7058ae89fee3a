"""Plain values of Python as annotations: a list, an array, records, columns, distributions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Sized
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

from accord.data import Annotations, Ratings
from accord.data.frame import is_numbering
from accord.data.protocol import Shape
from accord.data.ratings import label_of
from accord.data.reading import Answer, OpenQuestionError, Record, Source
from accord.data.roles import is_reference
from accord.data.tables import orientation_question, ratings_from_wide
from accord.errors import InputError, UsageError, some
from accord.formats.format import ReadOptions
from accord.formats.tables.table import Table
from accord.reading.columns import find_columns, matching_shape
from accord.reading.file import read_from
from accord.reading.layout import ratings_from_counts
from accord.reading.marks import MARKED, is_doc, plain, read_marks, refuse_other_lengths
from accord.reading.missing import trimmed
from accord.reading.named import Named
from accord.reading.scale import values_of
from accord.reading.shape import from_table

#: the columns of a long table of ratings
_LONG = ("item", "annotator", "value")


def are_values(given: object) -> bool:
    """Whether these are plain values: a list, an array, a series, a mapping."""
    # (asked of the class: a lazy frame that is asked for its columns resolves its schema)
    if isinstance(given, (str, PathLike)) or hasattr(type(given), "columns"):
        return False
    # (a reader of Arrow gives batches, which are no values; so does a batch columns)
    return isinstance(given, Iterable) and not hasattr(type(given), "schema")


@dataclass(frozen=True, slots=True)
class People:
    """What several people said, a sequence (or a source) of each: ``accord.agree(first, second)``."""

    answers: tuple[Any, ...]
    #: what they are called; else as their series are, or A1, A2 …
    names: tuple[str, ...] = ()

    def __iter__(self) -> Any:
        return iter(self.answers)

    @property
    def called(self) -> tuple[str, ...]:
        """What they are called."""
        own = [getattr(a, "name", None) for a in self.answers]
        words = [n for n in own if isinstance(n, str) and n and not is_reference(n)]
        if self.names or len({*words}) < len(own):
            return self.names or tuple(_numbered(len(own)))
        return tuple(words)


def is_bare(given: object, shape: Shape | None = None) -> bool:
    """Whether these are one person's answers: a sequence of values, a series, a mapping of items.

    Of units, segments and chains, whatever is no table of several people is one's.

    >>> is_bare(["a", "b"]), is_bare([["a", "b"]]), is_bare([["a", "b"]], "chains")
    (True, False, True)
    """
    if not are_values(given) or isinstance(given, People):
        return False
    if isinstance(given, Mapping):
        return shape not in MARKED and bool(given) and all(map(_is_scalar, given.values()))
    if hasattr(given, "ndim") and given.ndim != 1:
        return False
    # (what can be gone through once is left for who reads it)
    if not isinstance(given, Sized):
        return False
    rows = plain(given)
    if shape in MARKED:
        return not any(isinstance(row, Mapping) and "annotator" in row for row in rows)
    return all(map(_is_scalar, rows))


def _is_scalar(value: object) -> bool:
    """Whether it is a value: a word, a number, a set of labels; no row and no table."""
    if isinstance(value, (Mapping, list, tuple, np.ndarray)) or is_doc(value):
        return False
    return not (hasattr(type(value), "columns") or hasattr(type(value), "to_list"))


def read_people(people: People, options: ReadOptions) -> Annotations:
    """Read what several people said: values side by side, as the columns of one table."""
    names = options.annotators if options.annotators else people.called
    names = people.called if len(names) != len(people.answers) else names
    answers = dict(zip(names, people.answers, strict=True))
    if options.shape in (None, "ratings") and all(map(is_bare, people.answers)):
        items, columns = aligned(answers)
        return of_lists(list(columns.values()), options, annotators=names, items=items)
    from accord.data.join import joined

    parts = [
        _read_one(own, replace(options, annotator=who, annotators=None))
        for who, own in answers.items()
    ]
    for part in parts[1:]:
        refuse_other_lengths(parts[0], part)
    for who, part in zip(names, parts, strict=True):
        if len(part.annotators) > 1:
            raise UsageError(
                f"{who} holds {len(part.annotators)} annotators; give one table of all, or the answers of "
                "one person at a time"
            )
    from accord.data.roles import rename

    return joined(
        [rename(part, {part.annotators[0]: who}) for who, part in zip(names, parts, strict=True)]
    )


def _read_one(given: Any, options: ReadOptions) -> Annotations:
    """Read what one person said: values, or a table."""
    given = indexed(given)
    if are_values(given):
        return read_values(given, options)
    from accord.reading.frame import read_frame

    return read_frame(given, options, path="the dataframe")


def aligned(columns: Mapping[str, Any]) -> tuple[list[Any] | None, dict[str, list[Any]]]:
    """The values in one order, and the names of the items where labels (of an index, a mapping) say them.

    Series whose labels differ are refused: what is not there has to be said.
    """
    labels = {name: labels_in(own) for name, own in columns.items()}
    values = {
        n: list(c.values()) if isinstance(c, Mapping) else plain(c) for n, c in columns.items()
    }
    named = [name for name, own in labels.items() if own is not None]
    counted = all(labels[n] == list(range(len(values[n]))) for n in named)
    first, *others = columns
    if not named or (counted and len(named) < len(columns)):
        for other in others:
            if len(values[other]) != len(values[first]):
                raise InputError(
                    f"{first} has {len(values[first])} values and {other} {len(values[other])}",
                    hint="sequences are compared place by place; put None where there is no answer",
                )
        return None, values
    if len(named) < len(columns):
        other = next(name for name in columns if name not in named)
        raise InputError(
            f"items are named {some(list(map(str, labels[named[0]] or [])), 3)} by the index of one side "
            f"({named[0]}), and {other} has no index",
            hint="give both an index, or neither: `series.to_list()`",
        )
    wanted = labels[first] or []
    for name in others:
        own = labels[name] or []
        if own == wanted:
            continue
        _refuse_other_labels(first, wanted, name, own)
        place = {label: i for i, label in enumerate(own)}
        values[name] = [values[name][place[label]] for label in wanted]
    return None if counted else wanted, values


def _refuse_other_labels(first: str, wanted: list[Any], name: str, own: list[Any]) -> None:
    known, there = {*wanted}, {*own}
    if len(known) < len(wanted) or len(there) < len(own):
        raise InputError(
            f"an index has a label twice, so that the values of {first} and {name} cannot be paired by it",
            hint="give both the same index, or put them into one table",
        )
    for who, other, only in ((first, name, known - there), (name, first, there - known)):
        if only:
            refuse_labels(who, other, only)


def refuse_labels(who: str, other: str, only: Iterable[Any]) -> NoReturn:
    """Refuse series that are not of the same items."""
    raise InputError(
        f"the index of {who} has labels that {other} has not: {some(sorted(map(str, only)), 3)}",
        hint="give both the same labels (None where there is no answer), or neither an index",
    )


def labels_in(given: Any) -> list[Any] | None:
    """The labels of the values of one person: the index of a series, the keys of a mapping."""
    if isinstance(given, Mapping):
        return list(given)
    index: Any = getattr(given, "index", None)
    return list(index) if hasattr(index, "names") else None


def read_values(given: Any, options: ReadOptions) -> Annotations:
    """Read plain values: one annotator's, a table of them, records, columns, or distributions."""
    if isinstance(given, Mapping):
        return _of_mapping({str(name): cells for name, cells in given.items()}, options)
    rows: list[Any] = list(plain(given))
    if any(hasattr(type(row), "_fields") for row in rows):
        rows = [row._asdict() if hasattr(row, "_asdict") else row for row in rows]
    if rows and all(isinstance(row, Mapping) for row in rows):
        names = dict.fromkeys(str(name) for row in rows for name in row)
        named = [{str(name): cell for name, cell in row.items()} for row in rows]
        return _of_columns({n: [row.get(n) for row in named] for n in names}, options, by="rows")
    if options.shape in MARKED or (options.shape is None and rows and all(map(is_doc, rows))):
        return read_marks(
            given if is_doc(given) else rows, replace(options, shape=options.shape or "units")
        )
    if rows and not any(map(_is_scalar, rows)) and not any(_is_table(row) for row in rows):
        return _of_grid([list(plain(row)) for row in rows], options)
    if any(map(_is_table, rows)):
        raise UsageError(
            "a list is of values, or of lists of values; put dataframes together first"
        )
    if len(rows) > 1 and all(isinstance(v, (str, PathLike)) and Path(v).is_file() for v in rows):
        raise UsageError(
            "a list is of values; read the files one by one, or with accord.reading.read_many"
        )
    return of_lists([rows], options, annotators=[options.annotator or "A"])


def _is_table(given: object) -> bool:
    return hasattr(type(given), "columns")


def _of_mapping(given: Mapping[str, Any], options: ReadOptions) -> Annotations:
    """A mapping: of columns to cells, items to values, or people to what they said."""
    cells = list(given.values())
    if options.shape in MARKED and matching_shape(find_columns(given, options, None)) is None:
        if cells and all(_is_table(c) or _are_records(c) for c in cells):
            return read_people(People(tuple(cells), tuple(given)), options)
        return read_marks(given, options)
    if cells and all(_is_table(c) or _are_records(c) for c in cells):
        return read_people(People(tuple(cells), tuple(given)), options)
    if cells and all(isinstance(c, Mapping) for c in cells):
        return _of_mappings(given, options)
    if cells and all(hasattr(getattr(c, "index", None), "names") for c in cells):
        return _of_series(given, options)
    if cells and all(not are_values(c) for c in cells):
        who = options.annotator or "A"
        columns = {"item": list(given), "annotator": [who] * len(cells), "value": cells}
        return _of_columns(columns, replace(options, columns={}), by="items")
    return _of_columns(given, options)


def is_table_of_columns(given: Mapping[Any, Any]) -> bool:
    """Whether a mapping has the columns of a table, by their names."""
    names = dict.fromkeys(map(str, given), ())
    return (
        matching_shape(find_columns(names, ReadOptions(), None)) is not None
        or {
            "item",
            "value",
        }
        <= find_columns(names, ReadOptions(), None).keys()
    )


def _are_records(given: object) -> bool:
    """Whether it is a list of records."""
    return (
        isinstance(given, (list, tuple))
        and bool(given)
        and all(isinstance(row, Mapping) for row in given)
    )


def _of_series(given: Mapping[str, Any], options: ReadOptions) -> Annotations:
    """A mapping of series, in the order of their labels, which name the items where nothing else does."""
    items, columns = aligned(given)
    named = items is None or matching_shape(find_columns(given, options, None)) is not None
    return _of_columns(columns if named else {"item": items, **columns}, options)


def _of_mappings(given: Mapping[str, Mapping[Any, Any]], options: ReadOptions) -> Annotations:
    """A mapping of mappings, as the dataframe that is made of it: the outer names are columns.

    Where they are more than the inner ones, they may be items.
    """
    inner = list(dict.fromkeys(label_of(name) for own in given.values() for name in own))
    held = {n: {label_of(k): v for k, v in own.items()} for n, own in given.items()}
    if matching_shape(find_columns(dict.fromkeys(["item", *inner], ()), options, None)):
        records = [{"item": outer, **own} for outer, own in held.items()]
        return read_values(records, options)
    if options.orientation is None and len(held) > len(inner):
        why = f"a mapping of {len(held)} names to {len(inner)} each does not say which are people"
        Record().ask(
            why,
            {
                "its names are items": ("orientation", "items"),
                "its names are annotators": ("orientation", "annotators"),
            },
        )
    if options.orientation == "items":
        held = {n: {k: own.get(n) for k, own in held.items()} for n in inner}
        inner = list(map(str, given))
    items, columns = inner, {n: [own.get(i) for i in inner] for n, own in held.items()}
    return of_lists(list(columns.values()), options, annotators=list(columns), items=items)


def of_lists(
    rows: Sequence[Any],
    options: ReadOptions | None = None,
    *,
    annotators: Sequence[str] | None = None,
    items: Sequence[Any] | None = None,
) -> Ratings:
    """Ratings of one list of values for each annotator, read as the columns of a table are."""

    record = Record()
    options = options or ReadOptions()
    read = values_of({str(a): _cells(r) for a, r in enumerate(rows)}, options, record)
    columns = dict(
        zip(annotators or _numbered(len(rows)), map(list, read.columns.values()), strict=True)
    )
    made = ratings_from_wide(
        columns, items=items, separator=options.separator, none=options.none, **read.options
    )
    return record.kept_by(made)


def _numbered(size: int) -> list[str]:
    return [f"A{i + 1}" for i in range(size)]


def _of_grid(rows: Sequence[Sequence[Any]], options: ReadOptions) -> Annotations:
    """Ratings of a list of lists; where nobody says what a row is, that is asked."""
    width = len(rows[0])
    if any(len(row) != width for row in rows):
        raise InputError("the rows have different lengths", hint="put None where there is no value")
    if options.layout:
        if len(options.layout) != width:
            raise UsageError(
                f"`columns` names {len(options.layout)} columns, the rows have {width}"
            )
        cells = dict(zip(options.layout, map(list, zip(*rows, strict=True)), strict=True))
        return _of_columns(cells, replace(options, layout=()), by="rows")
    if options.counts:
        named = options.categories or ()
        names = named if len(named) == width else [str(k + 1) for k in range(width)]
        counted = dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))
        table = Table(columns=counted)
        return table.record.kept_by(ratings_from_counts(Named(table, {}, options)))
    lying = options.orientation
    if lying is None:
        if len(rows) > 1 and width > 1:
            raise OpenQuestionError(orientation_question(rows, *_other_ways(rows)))
        lying = "annotators" if len(rows) == 1 else "items"
    if lying == "items":
        rows = list(map(list, zip(*rows, strict=True)))
    return of_lists(rows, options)


def _other_ways(rows: Sequence[Sequence[Any]]) -> list[Answer]:
    """How else an array may be meant: as numbers of votes, or as a long table of three columns."""
    ways = []
    whole = all(isinstance(cell, int) and cell >= 0 for row in rows for cell in row)
    if whole and len({sum(row) for row in rows}) == 1:
        ways.append(Answer("cells are numbers of votes, one category a column", ("counts", True)))
    if len(rows[0]) == len(_LONG) and not whole:
        first, second = ({str(row[i]) for row in rows} for i in range(2))
        names = _LONG if len(first) >= len(second) else (_LONG[1], _LONG[0], _LONG[2])
        ways.append(Answer("a row is one rating", ("columns", names)))
    return ways


def _of_columns(
    columns: Mapping[str, Any], options: ReadOptions, *, by: str = "columns"
) -> Annotations:
    """A table of columns, or the answers of one annotator as a probability of each label."""

    if not all(are_values(cells) for cells in columns.values()):
        raise UsageError("a mapping gives a column for each name: a list of cells")
    made: dict[str, Any] = {
        n: c if isinstance(c, np.ndarray) and c.dtype.kind in "iuf" else _cells(c)
        for n, c in columns.items()
    }
    if len({len(c) for c in made.values()}) > 1:
        raise UsageError("the columns have different lengths: give each a cell for every row")
    record = Record(path=f"the {by}")
    if _are_probabilities(made, options, record):
        # a label that a record leaves out has no chance there
        spread = {n: [0.0 if p is None and by == "rows" else p for p in c] for n, c in made.items()}
        return Ratings.from_probabilities(spread, annotator=options.annotator or "A")
    table = Table(columns={n: trimmed(c) for n, c in made.items()}, path=record.path, objects=True)
    kind = "list" if by == "rows" else "dict"
    made_of = from_table(table, options)
    return read_from(made_of, Source(path=f"the {by}", format=kind, rows=table.height))


def _cells(column: Any) -> list[Any]:
    """The cells as Python has them, None where there is nothing."""
    listed = column.tolist() if isinstance(column, np.ndarray) else list(column)
    plain = [v.item() if isinstance(v, np.generic) else v for v in listed]
    plain = [sorted(v, key=str) if isinstance(v, (set, frozenset)) else v for v in plain]
    return [None if isinstance(v, float) and v != v else v for v in plain]


def _are_probabilities(columns: Mapping[str, Any], options: ReadOptions, record: Record) -> bool:
    """Whether columns are labels, with the probability of each; open where they may be people too."""
    if options.wide is not None:
        return not options.wide and _are_numbers(columns)
    if options.counts or options.rows or options.annotators or options.columns:
        return False
    if matching_shape(find_columns(columns, options, None)) or not _are_numbers(columns):
        return False
    grid = np.array([[np.nan if v is None else v for v in c] for c in columns.values()], float)
    said = ~np.isnan(grid).all(axis=0)
    total = np.nansum(grid, axis=0)[said]
    if not len(total) or (len(columns) < 2 and not np.allclose(total, 1)):
        return False
    nearly = np.abs(total - 1) < 0.05
    if 2 * int(nearly.sum()) < len(total) and not np.allclose(total, 100):
        return False
    if nearly.all() and not np.any(grid[~np.isnan(grid)] % 1):
        record.ask(
            "has columns of 0 and 1 of which one is 1 in every row",
            {
                "each column is an annotator": ("wide", True),
                "each is a label, with its probabilities": ("wide", False),
            },
        )
    return True


def _are_numbers(columns: Mapping[str, Any]) -> bool:
    return all(
        (isinstance(c, np.ndarray) and c.dtype.kind in "iuf")
        or all(v is None or (isinstance(v, (int, float)) and not isinstance(v, bool)) for v in c)
        for c in columns.values()
    )


def indexed(given: Any) -> Any:
    """A series of pandas whose index names its values as a frame; anything else as it is."""
    index = getattr(given, "index", None)
    if type(given).__name__ != "Series" or index is None or is_numbering(index):
        return given
    return given.to_frame("value")
