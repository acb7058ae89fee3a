"""A reference: a value, or the reason why none, of each item or element; how sure, and who decided."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, overload

from accord.data import Annotations
from accord.data.tabular import Backend
from accord.errors import UsageError
from accord.gold.tables import write_table
from accord.result import Row

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl
    from narwhals.typing import IntoDataFrame

    from accord.alignment.alignment import Alignment

#: where a value comes from
SOURCES = ("rule", "known", "human")
#: tables that hold everything; other formats hold what they can
TABLES = frozenset({".csv", ".tsv", ".jsonl", ".ndjson", ".parquet"})


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Reference(ABC):
    """The reference of a campaign, whatever its shape.

    Of ratings it has a value of each item (:class:`accord.gold.item_reference.ItemReference`), of located
    annotations the elements that were considered (:class:`accord.gold.placed_reference.PlacedReference`).
    Each has a value or the reason why none; those without are never scored.
    """

    method: str
    data: Annotations
    #: the name of the reference where it is one more annotator
    name: str = "reference"
    annotators: tuple[Row, ...] = ()
    terms: Mapping[str, Any] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    signature: str = ""
    #: the alignments that elements come from
    alignments: tuple[Alignment, ...] = ()

    @abstractmethod
    def __len__(self) -> int:
        """The number of items, or of elements considered."""

    @property
    @abstractmethod
    def columns(self) -> tuple[str, ...]:
        """The columns that every carrier has."""

    @abstractmethod
    def rows(self, *, soft: bool = False, details: bool = False) -> Iterator[Row]:
        """One row each: its value or the reason why none, how sure, who decided; more when asked."""

    @abstractmethod
    def valued(self) -> Annotations:
        """What is scored: what has a value; the data say how much has none, and why."""

    @abstractmethod
    def carried(self, *, soft: bool = False) -> Annotations:
        """The reference alone as one annotator, with all that platforms can keep beside the values."""

    @abstractmethod
    def worklist(
        self,
        *,
        confidence: float = 0.75,
        blind: bool = False,
        texts: Mapping[str, str] | None = None,
    ) -> list[Row]:
        """What needs a human, most useful first."""

    @abstractmethod
    def to_dict(self, *, soft: bool = False) -> dict[str, object]:
        """Everything as plain data."""

    @abstractmethod
    def alone(self, name: str | None = None) -> Annotations:
        """What has a value, as annotations of one annotator, called so."""

    def together(self, name: str | None = None) -> Annotations:
        """The annotators and the reference as one more, so that everything else works on it."""
        from accord.data.join import joined

        return joined([self.data, self.alone(name)])

    @overload
    def to_frame(
        self, backend: Literal["pandas"] = ..., *, soft: bool = ..., details: bool = ...
    ) -> pd.DataFrame: ...
    @overload
    def to_frame(
        self, backend: Literal["polars"], *, soft: bool = ..., details: bool = ...
    ) -> pl.DataFrame: ...
    @overload
    def to_frame(
        self, backend: Backend, *, soft: bool = ..., details: bool = ...
    ) -> IntoDataFrame: ...
    def to_frame(
        self, backend: Backend | None = None, *, soft: bool = False, details: bool = False
    ) -> IntoDataFrame:
        """Return the rows as a dataframe of the library named: ``to_frame("polars")``."""
        from accord.data.frame import to_frame

        return to_frame(list(self.rows(soft=soft, details=details)), backend, self.columns)

    def write(
        self,
        path: str | PathLike[str],
        *,
        format: str | None = None,  # noqa: A002
        soft: bool = False,
        details: bool = False,
        with_annotators: bool = False,
        overwrite: bool = False,
        blank_texts: bool = False,
    ) -> list[str]:
        """Write the reference; returns what the format could not hold, one sentence each.

        A table holds all of it. A platform gets its own records back, with the reference in them as it
        takes one, and with those of the annotators beside it when that is asked for (`with_annotators`).
        """
        target = Path(path)
        if format is None and not with_annotators and target.suffix.lower() in TABLES:
            write_table(target, list(self.rows(soft=soft, details=details)), self.columns)
            return []
        if details:
            raise UsageError(
                "details are columns of a table; write a CSV, JSON Lines or Parquet file"
            )
        from accord.reading.conversion import converted

        whole = self.together() if with_annotators else self.carried(soft=soft)
        made = converted(
            whole, target, format=format, overwrite=overwrite, blank_texts=blank_texts,
            reference=self.name,
        )  # fmt: skip
        return made.lost
