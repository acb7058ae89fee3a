"""What a format is: how to recognise it, read it, and perhaps write it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from accord.data import Annotations
from accord.data.protocol import Shape

Duplicates = Literal["error", "first", "last", "mode"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadOptions:
    """Everything a reader may be told; each reader uses what concerns it."""

    shape: Shape | None = None
    #: our column name → the file's column name
    columns: Mapping[str, str] = field(default_factory=dict)
    wide: bool = False
    #: ratings: declared categories in order, words that stand for a missing value
    categories: Sequence[str] | None = None
    missing: Sequence[str] = ()
    #: ratings: how values are read; guessed when None
    values: Literal["categories", "numbers", "sets"] | None = None
    #: ratings: what separates the labels of a set-valued cell
    separator: str | None = None
    duplicates: Duplicates = "error"
    #: units: tables of document lengths and of who saw what; one length for all; points allowed
    documents: Path | None = None
    coverage: Path | None = None
    length: float | None = None
    points: bool = False
    #: rich formats: annotator of a single file, layer and feature to read
    annotator: str | None = None
    layer: str | None = None
    feature: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """One file format. `recognise` sees the path and the first bytes (empty for a folder)."""

    name: str
    title: str
    recognise: Callable[[Path, bytes], bool]
    read: Callable[[Path, ReadOptions], Annotations]
    #: writes the data and returns what the format could not hold, one sentence each
    write: Callable[[Annotations, Path], Sequence[str]] | None = None
    #: endings that `accord convert` takes to mean this format
    suffixes: tuple[str, ...] = ()


#: anything `accord.read` takes: a path or a dataframe
Source = Any
