"""Dataframes of any library, through narwhals: columns out of them, rows into them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import ModuleType
from typing import TYPE_CHECKING, Any, TypeAlias, cast

import numpy as np

from accord.data.clock import shown
from accord.data.encode import Coded, label_of
from accord.data.values import Column
from accord.errors import InputError, UsageError, first_line

if TYPE_CHECKING:
    import narwhals as nw
    from narwhals.typing import IntoDataFrame, IntoFrame

#: names a dataframe library: "pandas", "polars", "pyarrow", … or the library itself
Backend: TypeAlias = str | ModuleType
#: names of libraries, which no breakdown and no part of an answer has
LIBRARIES = frozenset({"cudf", "modin", "pandas", "polars", "pyarrow"})
#: cells from which texts are told apart before they become Python's: a third of the time
MANY = 10_000
#: values that every dataframe library can keep in one column
_PLAIN = (str, bool, int, float, type(None))


def column(series: nw.Series[Any], path: str | None = None) -> Column:
    """Numbers as an array (null → NaN), anything else as a list with None for null (pd.NA too).

    Dates are written as people write them, durations as clocks show them.

    >>> import narwhals as nw, pandas as pd
    >>> column(nw.from_native(pd.Series([1, None], dtype="Int64"), series_only=True)).tolist()
    [1.0, nan]
    >>> column(nw.from_native(pd.Series(["a", pd.NA], dtype="string"), series_only=True))
    ['a', None]
    """
    import narwhals as nw

    absent = series.is_null()
    if series.dtype.is_numeric():
        if absent.any():
            return np.array(
                [np.nan if gone else float(v) for v, gone in zip(series, absent, strict=True)]
            )
        array: np.ndarray[Any, Any] = series.to_numpy()
        return array if array.dtype.kind in "iuf" else array.astype(np.float64)
    try:
        if len(series) >= MANY and (coded := _coded(series)) is not None:
            return coded
        values = series.to_list()
    except UnicodeDecodeError:
        raise InputError(
            f"has text that is not UTF-8 in the column {series.name!r}",
            path=path,
            hint="save it as UTF-8",
        ) from None
    lists = (v.tolist() if isinstance(v, np.ndarray) else v for v in values)  # of pandas' Parquet
    values = [
        None if gone or v != v else v for v, gone in zip(lists, absent.to_list(), strict=True)
    ]
    if isinstance(series.dtype, nw.Duration):
        return [None if v is None else shown(v) for v in values]
    if series.dtype.is_temporal():
        return written_days(values)
    if any(isinstance(v, bytes) for v in values):
        raise InputError(
            f"has bytes, not text, in the column {series.name!r}",
            path=path,
            hint="save it as a column of strings",
        )
    return values


def written_days(values: Sequence[Any]) -> list[str | None]:
    """Dates and times as people write them: days where no cell has a time of day.

    >>> from datetime import datetime
    >>> written_days([datetime(2020, 1, 2), None])
    ['2020-01-02', None]
    """
    texts = [None if v is None else str(v) for v in values]
    if all(t is None or t.endswith(" 00:00:00") for t in texts):
        return [None if t is None else t.removesuffix(" 00:00:00") for t in texts]
    return texts


def _coded(series: nw.Series[Any]) -> Coded | None:
    """A column of texts by its distinct ones, which Arrow finds; None for others, or without Arrow."""
    import narwhals as nw

    if series.dtype not in (nw.String, nw.Categorical, nw.Enum):
        return None
    try:
        import pyarrow as arrow
    except ImportError:
        return None
    cells = series.to_arrow()
    if arrow.types.is_dictionary(
        cells.type
    ):  # (which may name what does not occur, or a name twice)
        cells = cells.cast(cells.type.value_type)
    if not (arrow.types.is_string(cells.type) or arrow.types.is_large_string(cells.type)):
        return None
    found = cells.dictionary_encode(null_encoding="encode")
    found = found.combine_chunks() if isinstance(found, arrow.ChunkedArray) else found
    if isinstance(found, arrow.ChunkedArray):
        return None
    return Coded(found.indices.to_numpy().astype(np.int32), found.dictionary.to_pylist())


def opened(
    frame: IntoFrame, path: str | None = None, *, wanted: str = "a dataframe"
) -> nw.DataFrame[Any] | nw.LazyFrame[Any]:
    """A dataframe of any library, or why it is none (`wanted` says what to give instead).

    pandas has columns called 0 or None; they are called "0" and "None" here.

    >>> import pandas as pd
    >>> opened(pd.DataFrame([["a", "b"]])).columns
    ['0', '1']
    """
    import narwhals as nw

    try:
        table: nw.DataFrame[Any] | nw.LazyFrame[Any] = nw.from_native(frame)
        # (other libraries have texts alone)
        theirs = table.implementation.is_pandas_like() or table.implementation.is_dask()
        native: Any = table.to_native()
        there: list[Any] = list(native.columns) if theirs else []
        if any(isinstance(name, tuple) for name in there):
            raise InputError(
                "has column names of several levels",
                path=path,
                hint="give each column one name: `frame.columns = frame.columns.map('_'.join)`",
            )
        if not all(isinstance(name, str) for name in there):
            table = nw.from_native(native.rename(columns=written))
        return table
    except TypeError:
        raise UsageError(
            f"data of type {type(frame).__name__} cannot be read; give {wanted}"
        ) from None
    except UnicodeDecodeError:
        raise InputError(
            "has a column whose name is not UTF-8 text",
            path=path,
            hint="rename it, or save it again",
        ) from None
    except nw.exceptions.DuplicateError:
        raise InputError(
            "has two columns of one name", path=path, hint="rename or drop one of them"
        ) from None


def in_memory(
    table: nw.DataFrame[Any] | nw.LazyFrame[Any], path: str | None = None
) -> nw.DataFrame[Any]:
    """The rows of a frame, which the engine of a lazy one gives."""
    import narwhals as nw

    if isinstance(table, nw.DataFrame):
        return table
    try:
        return table.collect()
    except Exception as problem:  # every engine has errors of its own
        raise InputError(f"cannot be read ({first_line(problem)})", path=path) from None


def declared(series: nw.Series[Any]) -> list[str] | None:
    """The categories in their order, of an ordered categorical (pandas) or an enum (polars).

    >>> import narwhals as nw, pandas as pd
    >>> grades = pd.Series(pd.Categorical(["low", "high"], ["low", "mid", "high"], ordered=True))
    >>> declared(nw.from_native(grades, series_only=True))
    ['low', 'mid', 'high']
    """
    import narwhals as nw

    kind = series.dtype
    if not isinstance(kind, nw.Enum):
        return None
    return [str(c) for c in kind.categories]


def is_numbering(index: Any) -> bool:
    """Whether an index does no more than number the rows."""
    if index.nlevels > 1 or index.name is not None or index.dtype.kind not in "iu":
        return False
    return bool(np.array_equal(index, np.arange(len(index))))


def written(value: object) -> str:
    """A name as people write it: whole numbers without a point, whatever the column made of them.

    >>> written(2.0), written("x")
    ('2', 'x')
    """
    return label_of(value.item() if isinstance(value, np.generic) else value)


def words(series: nw.Series[Any]) -> list[str | None]:
    """A column as people write it, None where a cell is empty."""
    return [None if v is None or v != v else written(v) for v in column(series)]


def names(series: nw.Series[Any], of: str) -> list[str]:
    """A column in which no cell may be empty, as people write it; `of` says what it names."""
    found = [v for v in words(series) if v is not None]
    if len(found) < len(series):
        raise InputError(f"the {of} is empty in {len(series) - len(found)} of {len(series)} rows")
    return found


def cells(series: nw.Series[Any], kind: str, of: str) -> Column:
    """A column as the role it has is read (:class:`accord.data.schema.Role`); `of` is the role's name."""
    if kind == "name":
        return names(series, of)
    if kind == "number":
        return np.asarray(column(series), dtype=np.float64)
    return words(series) if kind == "label" else list(column(series))


def refuse_lacking(table: nw.DataFrame[Any], wanted: Iterable[str], keyword: str) -> None:
    """Every column that was asked for must be there; `keyword` names it otherwise."""
    for name in wanted:
        if name not in table.columns:
            raise InputError(
                f"the frame has no column {name!r}; it has {', '.join(map(repr, table.columns))}",
                hint=f"name it with `{keyword}=NAME`",
            )


def to_frame(
    rows: Sequence[Mapping[str, Any]], backend: Backend | None, names: Sequence[str] = ()
) -> IntoDataFrame:
    """Rows as a dataframe of the library named: "pandas", "polars", "pyarrow", …

    None is the first of these three that is installed.
    `names` are the columns when there are no rows. What is neither a number nor text (a list, a
    set, a mapping) is written as text, so that every library takes it.

    >>> to_frame([{"a": 1, "b": None}, {"a": 2, "b": "x"}], "polars").to_dicts()
    [{'a': 1, 'b': None}, {'a': 2, 'b': 'x'}]
    """
    import narwhals as nw

    backend = _installed() if backend is None else backend
    if isinstance(backend, str) and backend not in LIBRARIES:
        raise UsageError(
            f"no dataframe library is called {backend!r}; there are {', '.join(sorted(LIBRARIES))}"
        )
    keys = list(dict.fromkeys(name for row in rows for name in row)) or list(names)
    columns = {name: _kept([row.get(name) for row in rows]) for name in keys}
    try:
        found: IntoDataFrame = nw.from_dict(columns, backend=cast("Any", backend)).to_native()
        return found
    except ModuleNotFoundError:
        raise UsageError(
            f"{backend} is not installed; install it, or pass `backend=polars`, `backend=pandas` or "
            "`backend=pyarrow`"
        ) from None


def _installed() -> str:
    """The library that a frame is of when nobody says which."""
    from importlib.util import find_spec

    for name in ("pandas", "polars", "pyarrow"):
        if find_spec(name) is not None:
            return name
    raise UsageError(
        "no library of dataframes is installed; install pandas, polars or pyarrow, or take the rows as "
        "they are from to_dict()"
    )


def _kept(values: list[Any]) -> list[Any]:
    """One column: numpy's numbers as Python's, mixed or composed values as text."""
    plain = [v.item() if isinstance(v, np.generic) else v for v in values]
    types = {type(v) for v in plain} - {type(None)}
    if types <= {int, float} or (len(types) <= 1 and types <= set(_PLAIN)):
        return [float(v) if v is not None and float in types else v for v in plain]
    return [None if v is None else _text(v) for v in plain]


def _text(value: Any) -> str:
    if isinstance(value, (list, tuple, set, frozenset)):
        members = sorted(value, key=str) if isinstance(value, (set, frozenset)) else value
        return ", ".join(_text(v) for v in members)
    if isinstance(value, Mapping):
        return ", ".join(f"{k}: {_text(v)}" for k, v in value.items())
    return f"{value:g}" if isinstance(value, float) else str(value)
