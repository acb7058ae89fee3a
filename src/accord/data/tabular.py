"""What is also a table, and the types of dataframes in public signatures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import ModuleType
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, overload

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl
    from narwhals.typing import IntoDataFrame

#: names a dataframe library: "pandas", "polars", "pyarrow", … or the library itself
Backend: TypeAlias = str | ModuleType


class Tabular:
    """Anything with rows: :meth:`to_frame` gives them to any dataframe library."""

    __slots__ = ()

    def _table(self) -> tuple[Sequence[Mapping[str, Any]], Sequence[str]]:
        """The rows, and the names of the columns for when there are none."""
        raise NotImplementedError

    @overload
    def to_frame(self, *, backend: Literal["pandas"] = ...) -> pd.DataFrame: ...
    @overload
    def to_frame(self, *, backend: Literal["polars"]) -> pl.DataFrame: ...
    @overload
    def to_frame(self, *, backend: Backend) -> IntoDataFrame: ...
    def to_frame(self, *, backend: Backend | None = None) -> IntoDataFrame:
        """The rows as a dataframe of the library named (pandas, polars, pyarrow, …)."""
        from accord.data.frame import to_frame

        rows, names = self._table()
        return to_frame(rows, backend, names)
