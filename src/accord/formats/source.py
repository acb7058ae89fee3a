"""What the verbs of Python take as annotations: data, a path, a dataframe, or plain lists."""

from __future__ import annotations

from collections.abc import Iterable
from os import PathLike
from typing import Any, Protocol, TypeAlias

from accord.data import Annotations, Ratings


class Frame(Protocol):
    """A dataframe of any library that narwhals knows."""

    @property
    def columns(self) -> object: ...


#: annotations, a path to them, a dataframe of any library, or values (a list, an array, a series)
Given: TypeAlias = Annotations | str | PathLike[str] | Frame | Iterable[object]


def as_annotations(given: Given, *, annotator: str | None = None) -> Annotations:
    """The annotations themselves.

    A list of values is one annotator (called `annotator`), a list of lists one annotator each.

    >>> as_annotations([["a", "b"], ["a", "a"]]).annotators
    ('A1', 'A2')
    >>> as_annotations(["a", "b"], annotator="system").annotators
    ('system',)
    """
    if isinstance(given, Annotations):
        return given
    from accord.formats import read

    if isinstance(given, (str, PathLike)):
        return read(given)
    if not hasattr(given, "columns") and isinstance(given, Iterable):
        rows: list[Any] = list(given)
        if rows and all(isinstance(row, (list, tuple)) for row in rows):
            return Ratings.from_matrix(rows)
        return Ratings.from_matrix([rows], annotators=[annotator or "A"])
    return read(given)
