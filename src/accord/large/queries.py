"""What is asked of an engine, in words that every engine knows (narwhals)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import pairwise
from math import ceil
from shutil import rmtree
from typing import Any

import narwhals as nw
import numpy as np
from numpy.typing import NDArray

from accord.data.encode import encode_as
from accord.data.progress import weighed
from accord.data.ratings import ItemRun
from accord.data.sums import FIGURES, Alike, Sums
from accord.errors import InputError, UsageError, first_line, needed
from accord.files.scratch import own_folder, sweep

#: rows whose items, or pairs of item and annotator, are held at once
PART = 10_000_000
#: as many times that in a part of polars, which takes twice the memory, and of DuckDB where it may write to
#: the disk what it cannot hold: few parts are quicker to write
_HALF, _LARGER = 0.5, 2.5
#: the same where the parts are ranges of items in the table: they cost nothing, and small ones are quicker
RANGE = 5_000_000
#: rows whose items DuckDB counts at once, with what it cannot hold on the disk: there 10⁹ rows took 34 GB,
#: and each of them several times as long
AT_ONCE = 100_000_000
#: what it takes to look who and what is there, before anything is counted, of what it takes to count
_BEFORE = 0.1
#: annotators that are told apart by the bits of a number; groups of items that are summed apart
MOST_BITS = 60
MOST_GROUPS = 500_000
_PAIRS = [(a, b) for i, a in enumerate(FIGURES) for b in FIGURES[i:]]


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


def together(tables: Sequence[nw.DataFrame[Any]], counts: Sequence[str]) -> nw.DataFrame[Any]:
    """What was found in all parts, the like added up: `counts` are what is added."""
    if len(tables) == 1:
        return tables[0]
    whole = nw.concat(list(tables))
    keys = [name for name in whole.columns if name not in counts]
    return whole.group_by(*keys).agg(*(nw.col(name).sum() for name in counts))


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
    engine = frame.implementation.name.lower()
    return InputError(f"the engine ({engine}) cannot count the frame: {first_line(problem)}")


def in_parts(
    frame: nw.LazyFrame[Any],
    item: str,
    rows: int,
    *,
    cuts: Sequence[Any] = (),
    must: bool = False,
    spills: bool = False,
) -> Iterator[nw.LazyFrame[Any]]:
    """The frame in parts by item, where the engine would hold all its items at once.

    Counts of parts add up, since all rows of an item are in one of them. Where the table itself has the
    items near each other, the parts are its ranges between `cuts`, and nothing is written. Else they are
    put on the disk in one pass, so that time stays in proportion to the rows, and are gone after the
    last of them. `spills`: DuckDB writes to the disk by itself what it cannot hold, and one part is
    quicker while that is not much. Other engines than polars and DuckDB are left to themselves, unless
    there `must` be parts.
    """
    spills = spills and frame.implementation.is_duckdb()
    times = _HALF if frame.implementation.is_polars() else _LARGER if spills else 1
    number = ceil(rows / (times * PART))
    apart = _APART.get(frame.implementation)
    if cuts and apart is not None:
        at = nw.col(item)
        number = len(cuts) + 1
        tell = weighed(None, [1.0] * number, before=_BEFORE * number)
        for done, (low, high) in enumerate(pairwise([None, *cuts, None])):
            if tell is not None:
                tell(done)
            part = frame if low is None else frame.filter(at >= low)
            yield part if high is None else part.filter(at < high)
    elif number == 1 or (spills and rows <= AT_ONCE):
        yield frame
    elif apart is not None:
        # (to write them takes about as long as to count them)
        tell = weighed(None, [1.0 * number] + [1.0] * number, before=_BEFORE * number)
        sweep()
        folder = own_folder("parts")
        folder.mkdir()
        try:
            try:
                parts = apart(frame.to_native(), item, number, str(folder))
            except Exception as problem:  # every engine has errors of its own
                raise refused(frame, problem) from None
            for done, files in enumerate(sorted(folder.glob(f"{_PLACE}=*")), 1):
                if tell is not None:
                    tell(done)
                yield nw.from_native(parts(f"{files}/*.parquet"))
                rmtree(files, ignore_errors=True)
        finally:
            rmtree(folder, ignore_errors=True)
    elif must:
        raise UsageError(
            "this engine does not give its rows in parts by item; read the table with duckdb or polars"
        )
    else:
        yield frame


def short(frame: nw.LazyFrame[Any], name: str, made: str) -> nw.LazyFrame[Any]:
    """The frame with a column of numbers that are alike where the names are alike, and seldom elsewhere.

    A name of 4 bytes is put on the disk and looked up in half the time. Other engines than polars and
    DuckDB get the names themselves.
    """
    native: Any = frame.to_native()
    if frame.implementation.is_polars():
        import polars

        number = polars.col(name).hash(seed=1) // 2**32
        native = native.with_columns(number.cast(polars.UInt32).alias(made))
    elif frame.implementation.is_duckdb():
        quoted = name.replace('"', '""')
        native = native.project(f'*, (hash("{quoted}") // 4294967296)::UINTEGER AS "{made}"')
    else:
        return frame.with_columns(nw.col(name).alias(made))
    shortened: nw.LazyFrame[Any] = nw.from_native(native)
    return shortened


def _polars_apart(native: Any, item: str, number: int, folder: str) -> Callable[[str], Any]:
    import polars

    placed = native.with_columns((polars.col(item).hash(seed=0) % number).alias(_PLACE))
    target = polars.PartitionBy(folder, key=_PLACE, include_key=False)
    placed.sink_parquet(target, compression="lz4", mkdir=True)
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
    compute = needed("pyarrow.compute", "parquet", "reading ratings by chunks")

    def places(name: str, among: Sequence[Any]) -> NDArray[np.int32]:
        cells = found[name].to_arrow()
        if hasattr(cells.type, "value_type") and hasattr(cells, "dictionary"):
            cells = cells.cast(cells.type.value_type)
        place = compute.index_in(cells, value_set=compute.cast(list(among), cells.type))
        return np.asarray(compute.fill_null(place, -1).to_numpy(), dtype=np.int32)

    item = found["__item"].to_numpy()
    begins = np.append(True, item[1:] != item[:-1])
    annotator = places("__annotator", who)
    code = np.append(codes, -1).astype(np.int32)[places("__value", spelt)]
    given = code >= 0
    sizes = np.add.reduceat(given, np.flatnonzero(begins), dtype=np.int64)
    return ItemRun(
        items=item[begins].astype(str) if item.dtype == object else item[begins],
        indptr=np.concatenate([[0], np.cumsum(sizes)]),
        annotator=annotator[given],
        code=code[given],
    )


def item_sums(
    frame: nw.LazyFrame[Any],
    found: Mapping[str, str],
    centre: float,
    rows: int,
    annotators: Sequence[Any],
    cuts: Sequence[Any] = (),
) -> Sums:
    """Per item n, Σx and Σx² (x less the centre), and what α and ICC make of them, added up by document.

    `annotators` are named as the engine spells them.
    """
    documents = "document" in found
    document = nw.col(found["document"]).cast(nw.String) if documents else nw.lit("")
    who = nw.col(found["annotator"])
    x = (nw.col(found["value"]) - centre).alias("__x")
    told = frame.select(x, document.alias("__document"), who.alias("__who"))
    each = collected(told.group_by("__who", "__document").agg(nw.col("__x").sum()))
    columns = [nw.col(found["item"]).alias("__item"), x]
    if documents:
        columns.append(document.alias("__document"))
    bits = {name: 1 << a for a, name in enumerate(annotators)}
    for told_apart in (True, False):
        if told_apart and len(annotators) > MOST_BITS:
            continue
        # (a sum of the bits: nobody rates an item twice)
        bit = case(who, bits) if told_apart else nw.lit(0)
        values = frame.select(*columns, bit.cast(nw.Int64).alias("__raters"))
        values = values.with_columns((nw.col("__x") * nw.col("__x")).alias("__xx"))
        tables = []
        for part in in_parts(values, "__item", rows, cuts=cuts, spills=True):
            tables.append(collected(_figures(part, documents=documents).head(MOST_GROUPS + 1)))
            if sum(map(len, tables)) > MOST_GROUPS:
                tables = [together(tables, [c for c in tables[0].columns if c not in _ALIKE])]
                if len(tables[0]) > MOST_GROUPS:
                    break
        else:
            return _added(nw.concat(tables), each, found, annotators, told_apart=told_apart)
    raise InputError(
        f"the items fall into more than {MOST_GROUPS} documents and numbers of ratings; summing does "
        "not help",
        hint="choose documents, or collect the frame",
    )


def _added(
    whole: nw.DataFrame[Any],
    each: nw.DataFrame[Any],
    found: Mapping[str, str],
    annotators: Sequence[Any],
    *,
    told_apart: bool,
) -> Sums:
    """What came from the parts, added up."""
    if not all(whole["__one"].to_list()):
        raise InputError(
            f"some item has two values in the document column {found['document']!r}",
            hint="an item has one document: make its name part of the item's",
        )
    names: list[str] = sorted(set(whole["__document"].to_list()))
    document = encode_as(whole["__document"].to_list(), names)
    size, items = (whole[c].to_numpy().astype(np.int64) for c in ("__size", "__items"))
    two = size > 1
    figures = {n: whole[f"__{n}"].to_numpy() for n in FIGURES if n != "n"} | {"n": items * size}
    rows = np.zeros((len(names), len(FIGURES)))
    np.add.at(rows, document[two], np.column_stack([figures[n] for n in FIGURES])[two])
    products = np.zeros((len(FIGURES), len(FIGURES)))
    for a, b in _PAIRS:
        i, j = FIGURES.index(a), FIGURES.index(b)
        products[i, j] = products[j, i] = whole[f"__{a}_{b}"].to_numpy()[two].sum()
    sums = np.zeros((len(names), len(annotators)))
    of = (
        encode_as(each["__document"].to_list(), names),
        encode_as(each["__who"].to_list(), annotators),
    )
    np.add.at(sums, of, each["__x"].to_numpy())

    def added(counts: NDArray[np.int64], kept: slice | NDArray[np.bool_]) -> NDArray[np.int64]:
        """Whole numbers, summed over each document."""
        total = np.bincount(document[kept], weights=counts[kept], minlength=len(names))
        return total.astype(np.int64)

    return Sums(
        items=added(items, slice(None)),
        ratings=added(items * size, slice(None)),
        rows=rows,
        sizes=added(items, two),
        documents=tuple(names) if "document" in found else (),
        products=products,
        alike=Alike(
            document=document.astype(np.int64),
            size=size,
            who=whole["__raters"].to_numpy().astype(np.int64) if told_apart else None,
            items=items,
            sums=whole["__sum"].to_numpy(),
            squares=whole["__sum_sum"].to_numpy(),
            values=whole["__square"].to_numpy(),
            by_annotator=sums,
        ),
    )


#: what items have in common whose figures are added up
_ALIKE = ("__size", "__raters", "__document", "__one")


def _figures(values: nw.LazyFrame[Any], *, documents: bool) -> nw.LazyFrame[Any]:
    document = nw.col("__document")
    items = values.group_by("__item").agg(
        nw.len().alias("__size"),
        nw.col("__x").sum().alias("__sum"),
        nw.col("__xx").sum().alias("__square"),
        nw.col("__raters").sum(),
        *([document.max(), document.min().alias("__least")] if documents else []),
    )
    one = document == nw.col("__least") if documents else nw.lit(True)
    items = items.with_columns(
        nw.col("__size").cast(nw.Float64).alias("__n"),
        nw.col("__size").cast(nw.Int64),
        nw.col("__raters").cast(nw.Int64),
        one.alias("__one"),
        *([] if documents else [nw.lit("").alias("__document")]),
    )
    rest = nw.when(nw.col("__size") > 1).then(nw.col("__n") - 1.0).otherwise(nw.lit(1.0))
    spread = nw.col("__n") * nw.col("__square") - nw.col("__sum") * nw.col("__sum")
    told = items.with_columns((2.0 * spread / rest).alias("__apart"))
    told = told.with_columns(
        *((nw.col(f"__{a}") * nw.col(f"__{b}")).alias(f"__{a}_{b}") for a, b in _PAIRS)
    )
    return told.group_by(*_ALIKE).agg(
        nw.len().alias("__items"),
        *(nw.col(f"__{name}").sum() for name in FIGURES if name != "n"),
        *(nw.col(f"__{a}_{b}").sum() for a, b in _PAIRS),
    )
