"""What is also a table, and the types of dataframes in public signatures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, cast, overload

from accord.data.frame import LIBRARIES, to_frame
from accord.data.frame import Backend as Backend
from accord.printed import Printable, Printed

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl
    from narwhals.typing import IntoDataFrame

    from accord.data.protocol import Annotations
    from accord.data.reading import Reading


def library_first(part: str | None, backend: Backend | None) -> tuple[str | None, Backend | None]:
    """``to_frame("polars")`` of an answer that has parts: a library, not a part of that name.

    >>> library_first("polars", None), library_first("pair", "polars")
    ((None, 'polars'), ('pair', 'polars'))
    """
    return (None, part) if part in LIBRARIES and backend is None else (part, backend)


class Tabular(Printable):
    """Anything with rows: :meth:`to_frame` gives them to any dataframe library."""

    __slots__ = ()

    @property
    def reading(self) -> Reading:
        """What was read: who, how much, what was left out or assumed; see it in a notebook."""
        from accord.data.reading import reading_of

        return reading_of(cast("Annotations", self))

    def _table(self) -> tuple[Sequence[Mapping[str, Any]], Sequence[str]]:
        """The rows, and the names of the columns for when there are none."""
        raise NotImplementedError

    def _printed(self) -> Printed:
        """The rows, unless an answer knows better what a paper shows of it."""
        return Printed.of_rows(self._table()[0])

    def first_rows(self, most: int) -> list[Mapping[str, object]]:
        """The first rows, as they are looked at."""
        return list(self._table()[0][:most])

    @overload
    def to_frame(self, backend: Literal["pandas"] = ...) -> pd.DataFrame: ...
    @overload
    def to_frame(self, backend: Literal["polars"]) -> pl.DataFrame: ...
    @overload
    def to_frame(self, backend: Backend) -> IntoDataFrame: ...
    def to_frame(self, backend: Backend | None = None) -> IntoDataFrame:
        """Return the rows as a dataframe of the library named: ``to_frame("polars")``, pandas, pyarrow, …

        Without a name it is the first of pandas, polars and pyarrow that is installed.
        """
        rows, names = self._table()
        return to_frame(rows, backend, names)
