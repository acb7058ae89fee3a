"""Readers and writers, one module per format, and the choice among them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import Any

from accord.data import Annotations
from accord.errors import InputError, UsageError
from accord.formats.format import Format, ReadOptions, Source

__all__ = ["Format", "ReadOptions", "detect", "formats", "read", "read_many", "write"]

_HEAD = 65_536


def formats() -> tuple[Format, ...]:
    """All formats, the most specific first: the first that recognises a file reads it."""
    from accord.formats import clusters_json, conll2003, conll2012, conllu_corefud, table

    return (
        conll2012.FORMAT,
        conllu_corefud.FORMAT,
        clusters_json.FORMAT,
        conll2003.FORMAT,
        *table.FORMATS,
    )


def detect(path: Path, name: str | None = None) -> Format:
    """The format called `name`, or the first that recognises the path."""
    known = formats()
    if name is not None:
        for candidate in known:
            if candidate.name == name:
                return candidate
        raise UsageError(f"unknown format {name!r}; it must be one of {_names(known)}")
    head = _head(path)
    for candidate in known:
        if candidate.recognise(path, head):
            return candidate
    raise InputError(
        "is not in a format that accord recognises",
        path=path,
        hint=f"name it with --format, one of {_names(known)}",
    )


def read(source: Source, *, format: str | None = None, **options: Any) -> Annotations:  # noqa: A002
    """Read annotations from a file, a folder or any dataframe.

    Parameters
    ----------
    source : path, or a pandas, polars, pyarrow, DuckDB or other dataframe (lazy ones too)
    format : name of the format; recognised from the content when not given
    **options : the fields of :class:`accord.formats.ReadOptions`

    >>> import polars as pl
    >>> read(pl.DataFrame({"item": [1, 1], "annotator": ["A", "B"], "value": ["x", "y"]})).n_items
    1
    """
    try:
        chosen = replace(ReadOptions(), **options)
    except TypeError as problem:
        raise UsageError(f"unknown reading option: {problem}") from None
    if isinstance(source, (str, PathLike)):
        path = Path(source)
        if not path.exists():
            raise InputError("does not exist", path=path, hint="check the path")
        return detect(path, format).read(path, chosen)
    from accord.formats.frame import read_frame

    return read_frame(source, chosen)


def read_many(
    sources: Sequence[Source],
    *,
    format: str | None = None,  # noqa: A002
    **options: Any,
) -> Annotations:
    """Read several sources as one campaign; each must bring annotations of the same shape.

    Files that name no annotator are taken to be one annotator each, called after the file.
    """
    parts = [read(source, format=format, **options) for source in sources]
    if not parts:
        raise UsageError("there is nothing to read")
    from accord.data.join import joined

    return joined(parts)


def write(data: Annotations, path: str | PathLike[str], *, format: str | None = None) -> list[str]:  # noqa: A002
    """Write annotations; returns what the format could not hold, one sentence each."""
    target = Path(path)
    for candidate in formats():
        wanted = candidate.name == format if format else target.suffix in candidate.suffixes
        if wanted and candidate.write is not None:
            return list(candidate.write(data, target))
    writable = ", ".join(f.name for f in formats() if f.write is not None)
    raise UsageError(
        f"cannot write {format or target.suffix or target.name!r}; formats: {writable}"
    )


def _head(path: Path) -> bytes:
    if path.is_dir():
        return b""
    try:
        with path.open("rb") as file:
            return file.read(_HEAD)
    except OSError as problem:
        raise InputError(f"cannot be read ({problem.strerror})", path=path) from None


def _names(known: tuple[Format, ...]) -> str:
    return ", ".join(f.name for f in known)
