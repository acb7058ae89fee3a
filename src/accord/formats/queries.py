"""What is asked of an engine, in words that every engine knows (narwhals)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from shutil import rmtree
from tempfile import TemporaryDirectory
from typing import Any

import narwhals as nw
import numpy as np
from numpy.typing import NDArray

from accord.data.ratings import ItemRun
from accord.data.sums import FIGURES, Sums
from accord.errors import InputError, UsageError, missing_dependency

#: rows whose items, or pairs of item and annotator, are held at once
PART = 10_000_000
#: rows whose items DuckDB counts at once, with what it cannot hold on the disk: 10⁹ rows took 34 GB there
AT_ONCE = 200_000_000


def profiles(
    marked: nw.LazyFrame[Any], keys: Sequence[str], roles: Mapping[str, str]
) -> nw.LazyFrame[Any]:
    """How many items have each profile: a sum over the rows of an item, then a count of the sums."""
    items = marked.group_by("__item").agg(
        *(nw.col(k).sum() for k in (*keys, "__n")),
        nw.len().alias("__rows"),
        *(nw.col(f"__{role}").max() for role in roles),
        *(nw.col(f"__{role}").min().alias(f"__least_{role}") for role in roles),
        *(nw.col(f"__{role}").count().alias(f"__said_{role}") for role in roles),
    )
    # whether all rows of an item say the same of it is part of what is counted
    one = [
        (
            (nw.col(f"__said_{role}") == 0)
            | (
                (nw.col(f"__{role}") == nw.col(f"__least_{role}"))
                & (nw.col(f"__said_{role}") == nw.col("__rows"))
            )
        ).alias(f"__one_{role}")
        for role in roles
    ]
    told = items.select(
        *(nw.col(k).cast(nw.Int64) for k in (*keys, "__n")),
        *(nw.col(f"__{role}") for role in roles),
        *one,
    )
    groups = [*keys, "__n", *(f"__{role}" for role in roles), *(f"__one_{r}" for r in roles)]
    return told.group_by(*groups).agg(nw.len().alias("__count"))


def case(name: nw.Expr, worth: Mapping[Any, int]) -> nw.Expr:
    """A number for each value of a column, 0 for all others."""
    made: nw.Expr = nw.lit(0)
    for value, number in worth.items():
        made = nw.when(name == value).then(nw.lit(number)).otherwise(made)
    return made


def collected(frame: nw.LazyFrame[Any]) -> nw.DataFrame[Any]:
    """What the engine finds, out of core where it can."""
    streaming: dict[str, Any] = {"engine": "streaming"} if frame.implementation.is_polars() else {}
    try:
        return frame.collect(**streaming)
    except Exception as problem:  # every engine has errors of its own
        raise refused(frame, problem) from None


def refused(frame: nw.LazyFrame[Any], problem: Exception) -> InputError:
    """What the engine says, in one sentence."""
    first = str(problem).strip().split("\n")[0]
    return InputError(
        f"the engine ({frame.implementation.name.lower()}) cannot count the frame: {first}"
    )


def in_parts(
    frame: nw.LazyFrame[Any], item: str, rows: int, *, must: bool = False, spills: bool = False
) -> Iterator[nw.LazyFrame[Any]]:
    """The frame in parts by item, where the engine would hold all its items at once.

    Counts of parts add up, since all rows of an item are in one of them. They are put on the disk in
    one pass, so that time stays in proportion to the rows, and are gone after the last of them.
    `spills`: DuckDB writes to the disk by itself what it cannot hold, and one part is quicker while
    that is not much. Other engines than polars and DuckDB are left to themselves, unless there `must`
    be parts.
    """
    number = -(-rows // PART)
    apart = _APART.get(frame.implementation)
    if number == 1 or (spills and rows <= AT_ONCE and frame.implementation.is_duckdb()):
        yield frame
    elif apart is not None:
        with TemporaryDirectory(prefix="accord-parts-", ignore_cleanup_errors=True) as folder:
            try:
                parts = apart(frame.to_native(), item, number, folder)
            except Exception as problem:  # every engine has errors of its own
                raise refused(frame, problem) from None
            for files in sorted(Path(folder).glob(f"{_PLACE}=*")):
                yield nw.from_native(parts(f"{files}/*.parquet"))
                rmtree(files, ignore_errors=True)
    elif must:
        raise UsageError(
            "this engine does not give its rows in parts by item; read the table with duckdb or polars"
        )
    else:
        yield frame


def _polars_apart(native: Any, item: str, number: int, folder: str) -> Callable[[str], Any]:
    import polars

    placed = native.with_columns((polars.col(item).hash(seed=0) % number).alias(_PLACE))
    target: Any
    if hasattr(polars, "PartitionBy"):
        target = polars.PartitionBy(folder, key=_PLACE, include_key=False)
        placed.sink_parquet(target, compression="lz4", mkdir=True)
    else:  # before 1.37: one pass for each part
        for place in range(number):
            part = placed.filter(polars.col(_PLACE) == place).drop(_PLACE)
            target = Path(folder, f"{_PLACE}={place}")
            target.mkdir()
            part.sink_parquet(target / "0.parquet", compression="lz4")
    return partial(polars.scan_parquet, hive_partitioning=False)


def _duckdb_apart(native: Any, item: str, number: int, folder: str) -> Callable[[str], Any]:
    name = item.replace('"', '""')
    placed = native.project(f'*, hash("{name}") % {number} AS {_PLACE}')
    placed.write_parquet(folder, partition_by=[_PLACE], overwrite=True, compression="lz4")

    def read(files: str) -> Any:
        quoted = files.replace("'", "''")
        asked = f"FROM read_parquet('{quoted}', hive_partitioning = false)"
        # (the connection that the table came from, with its limits)
        return native.query("accord_whole", asked)

    return read


#: the column that says in which part a row is, and what writes the parts of an engine's frame
_PLACE = "__part"
_APART: Mapping[nw.Implementation, Callable[[Any, str, int, str], Callable[[str], Any]]] = {
    nw.Implementation.POLARS: _polars_apart,
    nw.Implementation.DUCKDB: _duckdb_apart,
}


def item_run(
    found: nw.DataFrame[Any], who: Sequence[Any], spelt: Sequence[Any], codes: NDArray[np.int64]
) -> ItemRun:
    """Rows sorted by item as ratings: who is who by their place, values by the codes of spellings."""
    try:
        import pyarrow.compute as compute
    except ImportError:
        raise missing_dependency("pyarrow", "parquet", "reading ratings by chunks") from None

    def places(name: str, among: Sequence[Any]) -> NDArray[np.int64]:
        cells = found[name].to_arrow()
        if hasattr(cells.type, "value_type") and hasattr(cells, "dictionary"):
            cells = cells.cast(cells.type.value_type)
        place = compute.index_in(cells, value_set=compute.cast(list(among), cells.type))
        return np.asarray(compute.fill_null(place, -1).to_numpy(), dtype=np.int64)

    item = found["__item"].to_numpy()
    begins = np.append(True, item[1:] != item[:-1])
    row = np.cumsum(begins) - 1
    annotator = places("__annotator", who)
    code = np.append(codes, -1)[places("__value", spelt)]
    given = code >= 0
    sizes = np.bincount(row[given], minlength=int(row[-1]) + 1)
    return ItemRun(
        items=item[begins].astype(str) if item.dtype == object else item[begins],
        indptr=np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
        annotator=annotator[given].astype(np.int32),
        code=code[given].astype(np.int32),
    )


def item_sums(frame: nw.LazyFrame[Any], found: Mapping[str, str], centre: float, rows: int) -> Sums:
    """Per item n, Σx and Σx² (x less the centre), and what α makes of them, added up by document."""
    documents = "document" in found
    columns = [
        nw.col(found["item"]).alias("__item"),
        (nw.col(found["value"]) - centre).alias("__x"),
    ]
    if documents:
        columns.append(nw.col(found["document"]).cast(nw.String).alias("__document"))
    values = frame.select(*columns).with_columns((nw.col("__x") * nw.col("__x")).alias("__xx"))
    keys = ["__two", "__one", *(["__document"] if documents else [])]
    pairs = [(a, b) for i, a in enumerate(FIGURES) for b in FIGURES[i:]]
    parts = in_parts(values, "__item", rows, spills=True)
    whole = nw.concat([collected(_figures(p, keys, pairs, documents=documents)) for p in parts])
    if not all(whole["__one"].to_list()):
        raise InputError(
            f"some item has two values in the document column {found['document']!r}",
            hint="an item has one document: make its name part of the item's",
        )
    names: list[str] = sorted(set(whole["__document"].to_list())) if documents else []
    size = max(1, len(names))
    place = {name: i for i, name in enumerate(names)}
    of = np.array(
        [place[d] for d in whole["__document"].to_list()] if documents else [0] * len(whole)
    )
    two = np.array(whole["__two"].to_list(), dtype=bool)
    items, ratings = whole["__items"].to_numpy(), whole["__ratings"].to_numpy()
    added = np.zeros((size, len(FIGURES)))
    for k, name in enumerate(FIGURES):
        np.add.at(added[:, k], of[two], whole[f"__{name}"].to_numpy()[two])
    products = np.zeros((len(FIGURES), len(FIGURES)))
    for a, b in pairs:
        i, j = FIGURES.index(a), FIGURES.index(b)
        products[i, j] = products[j, i] = whole[f"__{a}_{b}"].to_numpy()[two].sum()
    return Sums(
        items=np.bincount(of, weights=items, minlength=size).astype(np.int64),
        ratings=np.bincount(of, weights=ratings, minlength=size).astype(np.int64),
        rows=added,
        sizes=np.bincount(of[two], weights=items[two], minlength=size).astype(np.int64),
        documents=tuple(names),
        products=products,
    )


def _figures(
    values: nw.LazyFrame[Any],
    keys: Sequence[str],
    pairs: Sequence[tuple[str, str]],
    *,
    documents: bool,
) -> nw.LazyFrame[Any]:
    items = values.group_by("__item").agg(
        nw.len().alias("__n"),
        nw.col("__x").sum().alias("__sum"),
        nw.col("__xx").sum().alias("__square"),
        *(
            [nw.col("__document").max(), nw.col("__document").min().alias("__least")]
            if documents
            else []
        ),
    )
    one = nw.col("__document") == nw.col("__least") if documents else nw.lit(True)
    items = items.with_columns(
        nw.col("__n").cast(nw.Float64).alias("__n"),
        (nw.col("__n") > 1).alias("__two"),
        one.alias("__one"),
    )
    rest = nw.when(nw.col("__two")).then(nw.col("__n") - 1.0).otherwise(nw.lit(1.0))
    spread = nw.col("__n") * nw.col("__square") - nw.col("__sum") * nw.col("__sum")
    told = items.with_columns((2.0 * spread / rest).alias("__apart"))
    told = told.with_columns(
        *((nw.col(f"__{a}") * nw.col(f"__{b}")).alias(f"__{a}_{b}") for a, b in pairs)
    )
    return (
        told.group_by(*keys)
        .agg(
            nw.len().alias("__items"),
            nw.col("__n").sum().alias("__ratings"),
            *(nw.col(f"__{name}").sum() for name in FIGURES if name != "n"),
            *(nw.col(f"__{a}_{b}").sum() for a, b in pairs),
        )
        .with_columns(nw.col("__ratings").alias("__n"))
    )
