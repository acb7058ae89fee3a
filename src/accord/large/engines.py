"""The engines that read tables without holding them: DuckDB, polars, Dask, Spark."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from glob import glob
from os import PathLike
from pathlib import Path
from typing import Any

from accord.errors import InputError, UsageError, missing_dependency, needed
from accord.files.scratch import own_folder, sweep

#: megabytes that DuckDB may use before it writes to the disk; with all the rest under 1 GB
_MEMORY = 800
#: megabytes of address space, and of memory, that an engine takes with its libraries and threads
#: whatever the table: with less it would be killed by the first allocation that fails
_SPACE = {"duckdb": 1_400, "polars": 1_800}
_OWN = {"duckdb": 550, "polars": 600}
#: where containers say what they may use
_CONTAINER = (
    Path("/sys/fs/cgroup/memory.max"),
    Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"),
)
#: tables that engines read beside Parquet, every cell as text
TEXT = re.compile(r"\.(csv|tsv|tab)(\.gz)?$", re.IGNORECASE)
PARQUET = re.compile(r"\.(parquet|parq|pq)$", re.IGNORECASE)


def lazy_dataset(dataset: Any) -> Any:
    """A pyarrow dataset as a lazy frame of DuckDB, or of polars."""
    engine = installed()
    if engine == "duckdb":
        return _connection().from_arrow(dataset)
    if engine == "polars":
        room("polars")
        import polars

        return polars.scan_pyarrow_dataset(dataset)
    raise missing_dependency("duckdb or polars", "duckdb", "counting a pyarrow dataset")


class Streamed:
    """A table that another library gives in batches, from its beginning whenever it is asked."""

    def __init__(self, schema: Any, batches: Callable[[], Iterator[Any]]) -> None:
        self.schema = schema
        self._batches = batches

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        import pyarrow

        schema: Any = self.schema

        def alike() -> Iterator[Any]:
            for batch in self._batches():
                yield from pyarrow.Table.from_batches([batch]).cast(schema).to_batches()

        reader = pyarrow.RecordBatchReader.from_batches(schema, alike())
        return reader.__arrow_c_stream__(requested_schema)


def streamed(frame: Any) -> Any:
    """A frame of Daft as a lazy frame of DuckDB, which reads it batch by batch; None for anything else.

    Narwhals does not reach Daft: it reads and DuckDB counts.
    """
    kind = type(frame)
    if (kind.__module__.split(".")[0], kind.__name__) == ("daft", "DataFrame"):
        schema = frame.schema().to_pyarrow_schema()
        return _connection().from_arrow(Streamed(schema, frame.to_arrow_iter))
    if kind.__module__.startswith("ray.data"):
        # a pipeline that is left before its end holds its workers, and the next question waits for them
        raise UsageError(
            "a dataset of Ray Data cannot be counted where it is; write it with "
            "`dataset.write_parquet(FOLDER)` and read the folder"
        )
    return None


def _duckdb(found: list[str]) -> Any:
    connection = _connection()
    for address in found:
        if address.startswith(("s3:", "s3a:")):
            # the keys that the machine has, as other tools find them
            connection.execute("CREATE OR REPLACE SECRET (TYPE s3, PROVIDER credential_chain)")
    if is_text(found):
        return connection.read_csv(found, all_varchar=True)
    return connection.read_parquet([_files_of(a) for a in found], hive_partitioning=True)


def room(engine: str) -> float:
    """Return the megabytes that an engine may fill here; an error where it cannot even start."""
    space, memory = _limits()
    for limit, least, what in (
        (space, _SPACE[engine], "address space"),
        (memory, _OWN[engine], "memory"),
    ):
        if limit < least:
            raise InputError(
                f"this process may use {limit:.0f} MB of {what}, and {engine} needs {least} MB",
                hint='raise the limit, or read the table at once (`engine="eager"`)',
            )
    return min(space - _SPACE[engine] + 100, memory - _OWN[engine] + 100)


def _limits() -> tuple[float, float]:
    """Megabytes of address space and of memory that this process may use, infinite where nothing says so."""
    try:
        import resource
    except ImportError:  # not on Windows
        return math.inf, math.inf

    def told(name: int) -> float:
        soft = resource.getrlimit(name)[0]
        return math.inf if soft == resource.RLIM_INFINITY else soft / 1e6

    held = [told(resource.RLIMIT_DATA)]
    for path in _CONTAINER:
        try:
            held.append(int(path.read_text(encoding="ascii")) / 1e6)
        except (OSError, ValueError):  # none, or "max"
            continue
    return told(resource.RLIMIT_AS), min(held)


def _connection() -> Any:
    free = room("duckdb")
    duckdb = needed("duckdb", "duckdb", "the engine duckdb")
    sweep()
    return duckdb.connect(
        config={
            "memory_limit": f"{min(_MEMORY, free):.0f}MB",
            # of this connection alone: two would write over each other's files
            "temp_directory": str(own_folder("duckdb")),
        }
    )


def _polars(found: list[str]) -> Any:
    room("polars")
    polars = needed("polars", "polars", "the engine polars")
    if is_text(found):
        tabs = all(re.search(r"\.(tsv|tab)", a) for a in found)
        return polars.scan_csv(found, infer_schema=False, separator="\t" if tabs else ",")
    hive = any("=" in a or "*" in a or Path(a).is_dir() for a in found)
    return polars.scan_parquet(found, hive_partitioning=True if hive else None)


def _dask(found: list[str]) -> Any:
    dask = needed("dask.dataframe", "dask", "the engine dask")
    if is_text(found):
        return dask.read_csv(found, dtype="string")
    return dask.read_parquet(found[0] if len(found) == 1 else found)


def _spark(found: list[str]) -> Any:
    session = needed("pyspark.sql", "spark", "the engine spark").SparkSession.builder.getOrCreate()
    if is_text(found):
        return session.read.csv(found, header=True)
    return session.read.parquet(*found)


#: name → what makes a lazy frame of the files, folders or addresses
SCANS: dict[str, Callable[[list[str]], Any]] = {
    "duckdb": _duckdb,
    "polars": _polars,
    "dask": _dask,
    "spark": _spark,
}


def installed(*, remote: bool = False) -> str | None:
    """The engine to take when nobody names one; polars finds the keys of clouds by itself."""
    from importlib.util import find_spec

    order = ("polars", "duckdb") if remote else ("duckdb", "polars")
    return next((name for name in order if find_spec(name) is not None), None)


def is_text(found: Sequence[str]) -> bool:
    return all(TEXT.search(a) for a in found)


def parquet_files(found: Iterable[str | PathLike[str]]) -> list[str]:
    """List the Parquet files behind these paths, folders and globs of this machine."""
    files: list[str] = []
    for one in map(str, found):
        if Path(one).is_dir():
            inside = (p for p in Path(one).rglob("*") if PARQUET.search(p.name) and p.is_file())
            files += sorted(map(str, inside))
        elif Path(one).exists():
            files.append(one)
        elif there := sorted(glob(one, recursive=True)):  # noqa: PTH207 (of any kind of path)
            files += there
        else:
            raise InputError("there is no such file", path=one)
    return files


def _files_of(address: str) -> str:
    return f"{address.rstrip('/')}/**/*.parquet" if Path(address).is_dir() else address
