"""What a table says: named columns, and where each row stands."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from accord.data.reading import Record
from accord.data.values import Column


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Named columns and where they came from."""

    columns: Mapping[str, Column]
    path: str | None = None
    line: Callable[[int], int | None] = lambda row: None
    #: annotator to use when the table names none
    source: str = "annotator"
    #: what had to be said about the cells
    notes: list[str] = field(default_factory=list)
    #: what was decided about it, which the data keep as their provenance
    record: Record = field(default_factory=Record)
    #: numbers may be written with a decimal comma
    decimal_comma: bool = False
    #: cells may be lists and objects, and texts may have blanks around them
    objects: bool = False

    #: (document, annotator) of everybody who saw it, where records say so of those who marked nothing
    seen: Sequence[tuple[str, str]] = ()
    #: the lengths of documents, where rows say them
    lengths: Mapping[str, float] = field(default_factory=dict)

    @property
    def height(self) -> int:
        return len(next(iter(self.columns.values()))) if self.columns else 0
