"""What a format is: how to recognise it, read it, and perhaps write it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from accord.data import Annotations
from accord.data.protocol import SHAPES, Shape
from accord.options.reading import ReadOptions as ReadOptions

if TYPE_CHECKING:
    import narwhals as nw

    from accord.files.archive import Tree
    from accord.formats.export import Export
    from accord.formats.tables.table import Table


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """One file format. `recognise` sees the path and the first bytes (empty for a folder).

    A format says what a file says in one of three ways: `collect` gives all that an export holds
    (folders, archives, layered files), `load` the columns of a table, and `read` the annotations
    themselves where a file leaves nothing to decide. What it means is decided in
    :mod:`accord.reading`, the same for all.
    """

    name: str
    title: str
    recognise: Callable[[Path, bytes], bool]
    read: Callable[[Path, ReadOptions], Annotations] | None = None
    #: the cells of a table, before anything is made of them
    load: Callable[[Path, ReadOptions], Table | nw.DataFrame[Any]] | None = None
    #: all that an export holds, before any choice
    collect: Callable[[Tree, ReadOptions], Export] | None = None
    #: knows an export by the files it consists of, where no single file tells
    recognise_tree: Callable[[Tree], bool] | None = None
    #: the place of a file says who annotated which document
    placed: bool = False
    #: `annotator_from` may be any key of its records
    keyed: bool = False
    #: endings under which the other half of a single file stands next to it
    beside: tuple[str, ...] = ()
    #: writes the data and returns what the format could not hold, one sentence each
    write: Callable[[Annotations, Path], Sequence[str]] | None = None
    #: endings that `accord convert` takes to mean this format
    suffixes: tuple[str, ...] = ()
    #: shapes that `write` can hold
    holds: tuple[Shape, ...] = SHAPES


#: anything `accord.read` takes: a path or a dataframe
Source = Any
