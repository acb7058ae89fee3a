"""Tables that stay where they are: Parquet files, folders, globs and addresses, read by an engine.

Nothing is read here but what an engine needs to plan: the lazy frame that comes back is counted by
:mod:`accord.large.counted`. Small tables are collected, so that they are read as any other.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from glob import iglob
from os import PathLike
from pathlib import Path
from typing import Any
from urllib.request import url2pathname

from accord.data import Annotations
from accord.errors import AccordError, InputError, UsageError, first_line
from accord.formats.format import ReadOptions
from accord.large.engines import PARQUET, SCANS, TEXT, installed, is_text, parquet_files
from accord.reading.frame import read_frame
from accord.reading.sidecars import with_sidecars

#: rows up to which a Parquet table is read at once, when nobody says otherwise
SMALL = 2_000_000
_ADDRESS = re.compile(r"(s3|s3a|gs|gcs|hf|az|abfss?|https?):/+(?=[^/])")
#: (a path has lost two of the three slashes)
_FILE = re.compile(r"file:(//localhost)?/+", re.IGNORECASE)
_GLOB = re.compile(r"[*?\[]")


def at_home(source: Any) -> Any:
    """The path that a ``file:`` address means; anything else as it is.

    >>> at_home("file:///a%20b/c.csv"), at_home("file://localhost/c.csv"), at_home("c.csv")
    ('/a b/c.csv', '/c.csv', 'c.csv')
    """
    if not isinstance(source, (str, PathLike)):
        return source
    found = _FILE.match(str(source))
    return source if found is None else url2pathname(f"/{str(source)[found.end() :]}")


def addresses(
    sources: Sequence[Any],
    format: str | None,  # noqa: A002
    options: ReadOptions,
) -> list[str] | None:
    """Where an engine finds the table that these sources are together; None when no engine reads it.

    Addresses (``s3://…``), globs and folders of ``name=value`` partitions are always read by an
    engine; Parquet files when they are large or an engine was named; CSV when one was named.
    """
    if format not in (None, "parquet", "csv") or not sources:
        return None
    if not all(isinstance(s, (str, PathLike)) for s in sources):
        return None
    found = [_address(str(s)) for s in sources]
    if any(_ADDRESS.match(a) for a in found) or all(_is_glob(a) for a in found):
        for pattern in found:
            there = iglob(pattern, recursive=True)  # noqa: PTH207 it may be absolute
            if not _ADDRESS.match(pattern) and next(there, None) is None:
                raise InputError("no file matches", path=pattern, hint="check the path")
        return found
    paths = [Path(a) for a in found]
    if not all(p.exists() for p in paths) or options.path is not None:
        return None
    named = options.engine not in ("auto", "eager")
    if all(p.is_file() and TEXT.search(p.name) for p in paths):
        return found if named else None
    if len(paths) == 1 and paths[0].is_dir() and _is_partitioned(paths[0]):
        return found
    if not all(_holds_parquet(p) for p in paths):
        if named and not all(p.is_dir() for p in paths):
            raise UsageError(
                f"`engine={options.engine}` reads Parquet and CSV tables; leave it out for other files"
            )
        return None
    if options.engine == "eager":
        return None
    if not named and (_rows(paths) <= SMALL or installed() is None):
        return None
    return found


def read_scanned(found: Sequence[str], options: ReadOptions) -> Annotations:
    """Read the table at these addresses through the engine that was chosen."""
    remote = any(_ADDRESS.match(a) for a in found)
    engine: str = options.engine
    if engine in ("auto", "eager"):
        engine = installed(remote=remote) or "polars"
    path = found[0] if len(found) == 1 else f"{found[0]} and {len(found) - 1} more"
    try:
        frame = SCANS[engine](list(found))
    except AccordError:
        raise
    except Exception as problem:  # every engine has errors of its own
        raise InputError(
            f"cannot be read by {engine} ({first_line(problem).rstrip(' :.')})",
            path=path,
            hint=_elsewhere(engine) if remote else None,
        ) from None
    if not remote and len(found) == 1 and Path(found[0]).exists():
        options = with_sidecars(Path(found[0]), options)
    source = Path(re.sub(r"[*?\[\]]", "", found[0])).stem or "annotator"
    if options.engine in ("auto", "eager"):
        hint = _elsewhere(engine) if remote else None
        frame = _collected_if_small(frame, whole=options.engine == "eager", path=path, hint=hint)
    files = () if remote or is_text(found) else tuple(map(Path, parquet_files(found)))
    return read_frame(frame, options, path=path, source=source, files=files)


def _elsewhere(engine: str) -> str:
    """What to do when a table on another machine cannot be read."""
    if engine == "duckdb":
        return (
            "check the network, the address and the keys of this machine; DuckDB fetches its extension "
            "httpfs the first time (`INSTALL httpfs`): use `engine=polars`, or a copy of the table"
        )
    return "check the network, the address and the keys of this machine, or use a copy of the table"


def _collected_if_small(frame: Any, *, whole: bool, path: str, hint: str | None) -> Any:
    import narwhals as nw

    wrapped = nw.from_native(frame)
    if not isinstance(wrapped, nw.LazyFrame):
        return frame
    try:
        rows = wrapped.select(nw.len().alias("n")).collect()["n"].to_list()[0]
        return wrapped.collect().to_native() if whole or rows <= SMALL else frame
    except Exception as problem:  # every engine has errors of its own
        raise InputError(
            f"cannot be read ({first_line(problem).rstrip(' :.')})", path=path, hint=hint
        ) from None


def _address(given: str) -> str:
    """An address as it was written: a path has lost one of its two slashes.

    >>> _address(str(Path("s3://bucket/a.parquet"))), _address("a.parquet")
    ('s3://bucket/a.parquet', 'a.parquet')
    """
    found = _ADDRESS.match(given)
    return given if found is None else f"{found[1]}://{given[found.end() :]}"


def _is_glob(address: str) -> bool:
    ends = PARQUET.search(address) or TEXT.search(address) or address.endswith(("*", "/"))
    return bool(_GLOB.search(address) and ends) and not Path(address).exists()


def _is_partitioned(folder: Path) -> bool:
    """A folder of Parquet files in folders called ``name=value``."""
    below = [p for p in folder.iterdir() if p.is_dir() and "=" in p.name]
    return any(next(p.rglob("*.parquet"), None) is not None for p in below[:5])


def _holds_parquet(path: Path) -> bool:
    if path.is_dir():
        files = [p for p in path.rglob("*") if p.is_file() and not p.name.startswith((".", "_"))]
        # (engines take the files of a folder by this one ending)
        return bool(files) and all(p.name.endswith(".parquet") for p in files)
    return bool(PARQUET.search(path.name))


def _rows(paths: Sequence[Path]) -> int:
    """Rows of these Parquet files, which they say at their ends; by their sizes without pyarrow."""
    files = parquet_files(paths)
    try:
        import pyarrow.parquet

        return sum(pyarrow.parquet.read_metadata(f).num_rows for f in files)
    except Exception:  # without pyarrow, or damaged: the reader will say so
        return sum(Path(f).stat().st_size for f in files) // 10
