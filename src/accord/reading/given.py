"""What the verbs of Python take as annotations: data, a path, a dataframe, or plain lists."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any, Protocol, TypeAlias, TypeVar

import numpy as np

from accord.data import Annotations, Ratings, Units
from accord.data.reading import Record
from accord.errors import UsageError
from accord.formats.format import ReadOptions

Kind = TypeVar("Kind", bound=Annotations)


class Frame(Protocol):
    """A dataframe of any library that narwhals knows."""

    @property
    def columns(self) -> object: ...


#: annotations, a path to them, a dataframe of any library, or values (a list, an array, a series)
Given: TypeAlias = Annotations | str | PathLike[str] | Frame | Iterable[object]


def as_annotations(given: Given, *, annotator: str | None = None) -> Annotations:
    """The annotations themselves.

    A list of values is one annotator (called `annotator`), a list of lists one annotator each; a
    mapping of labels to probabilities, or a list of such distributions, is one annotator's answers.

    >>> as_annotations([["a", "b"], ["a", "a"]]).annotators
    ('A1', 'A2')
    >>> as_annotations(["a", "b"], annotator="system").annotators
    ('system',)
    >>> as_annotations([{"x": 0.6, "y": 0.4}, {"x": 1.0}]).labels
    ('x', 'y')
    """
    # (a protocol is asked method by method: what is mostly given is asked first)
    if isinstance(given, (Units, Ratings)) or (
        isinstance(given, Annotations) and not isinstance(given, type)
    ):
        return given
    from accord.reading import read

    if isinstance(given, (str, PathLike)):
        compared = annotator in ("reference", "system")
        side = side_options(Path(given), system=annotator == "system") if compared else {}
        return read(given, **side)
    if isinstance(given, Mapping):
        return Ratings.from_probabilities(given, annotator=annotator or "A")
    # (asked of the class: a lazy frame that is asked for its columns resolves its schema)
    if not hasattr(type(given), "columns") and isinstance(given, Iterable):
        rows: list[Any] = list(given)
        if rows and all(isinstance(row, Mapping) for row in rows):
            labels = dict.fromkeys(label for row in rows for label in row)
            spread = {str(name): [row.get(name, 0.0) for row in rows] for name in labels}
            return Ratings.from_probabilities(spread, annotator=annotator or "A")
        if rows and all(isinstance(row, (list, tuple, np.ndarray)) for row in rows):
            return of_lists(rows)
        if any(hasattr(type(row), "columns") for row in rows):
            raise UsageError(
                "a list is of values, or of lists of values; put dataframes together first"
            )
        return of_lists([rows], annotators=[annotator or "A"])
    return read(given)


def of_lists(rows: Sequence[Any], *, annotators: Sequence[str] | None = None) -> Ratings:
    """Ratings of one list of values for each annotator, read as the columns of a table are."""
    from accord.reading.scale import values_of

    record = Record()
    read = values_of({str(a): list(r) for a, r in enumerate(rows)}, ReadOptions(), record)
    cells = [list(c) for c in read.columns.values()]
    return record.kept_by(Ratings.from_matrix(cells, annotators=annotators, **read.options))


def of_kind(given: Given, kind: type[Kind], *, annotator: str | None = None) -> Kind:
    """The annotations, which must be of one shape.

    >>> of_kind([["a", "b"], ["a", "a"]], Ratings).n_items
    2
    """
    # (first: asking for the protocol of all shapes takes its time)
    found = given if isinstance(given, kind) else as_annotations(given, annotator=annotator)
    if not isinstance(found, kind):
        raise UsageError(f"this needs {kind.shape}, the data are {found.shape}")
    return found


def side_options(
    path: Path,
    *,
    system: bool,
    format: str | None = None,  # noqa: A002
) -> dict[str, Any]:
    """What a reader of one side of a score is told beside what the user says.

    A folder of chains has one file per document, all of one side; a record of clusters may hold a
    reference beside a system's answer. A table without rows is a side that marked nothing.
    """
    from accord.formats import detect

    if not path.exists():
        return {}
    found = detect(path, format)
    if found.collect is not None or found.holds != ("chains",):
        return {} if found.load is None else {"empty": True}
    options: dict[str, Any] = {"annotator": path.name} if path.is_dir() else {}
    return options | ({"predictions": True} if system and found.name == "clusters" else {})
