"""What a format is: how to recognise it, read it, and perhaps write it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

from accord.data import Annotations, Units
from accord.data.protocol import SHAPES, Shape
from accord.data.roles import Choice
from accord.errors import UsageError
from accord.formats.sniff import Head, Sniff

if TYPE_CHECKING:
    import narwhals as nw

    from accord.files.archive import Entry, Tree
    from accord.formats.export import Export
    from accord.formats.tables.table import Table

EngineName = Literal["auto", "eager", "duckdb", "polars", "spark", "dask"]
People = Literal["records", "judges", "folder", "file", "tier", "key"]
Duplicates = Literal["error", "first", "last", "mode", "keep"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadOptions:
    """Everything a reader may be told; each reader uses what concerns it."""

    shape: Shape | None = None
    #: our column name → the file's column name
    columns: Mapping[str, str] = field(default_factory=dict)
    #: the names of the columns in their order, for files without a header
    layout: tuple[str, ...] = ()
    #: one column per annotator, or not; seen from the columns when None
    wide: bool | None = None
    #: what a row of a wide table is: items, or annotators; told from its names when None
    rows: Literal["items", "annotators"] | None = None
    #: what a row of an array or a list of lists is: items or annotators
    orientation: Literal["items", "annotators"] | None = None
    #: one column per category that holds how many chose it
    counts: bool = False
    #: the encoding of text files; UTF-8, or UTF-16 with its mark, when None
    encoding: str | None = None
    #: who counts as an annotator, who does not, who is a system or the reference; None for all
    annotators: tuple[str, ...] | None = None
    without: tuple[str, ...] = ()
    documents: tuple[str, ...] | None = None
    items: tuple[str, ...] | None = None
    systems: tuple[str, ...] = ()
    reference_annotator: str | None = None
    #: annotator → group, or the column that says so
    groups: Mapping[str, str] | str | None = None
    #: old name of an annotator (or "file:old") → new name
    rename: Mapping[str, str] = field(default_factory=dict)
    #: the document of a table that names none
    document: str | None = None
    #: where annotator and document stand in the paths of files: "{annotator}/{document}.ann"
    path: str | None = None
    #: declared categories: a set, which an order is only when it is said (`ordered`)
    categories: Sequence[str] | None = None
    ordered: bool = False
    #: words that stand for no value beside the usual ones (NA, n/a, null, -); () for none but empty cells
    missing_values: tuple[str, ...] | None = None
    #: words that are values though they look like none
    keep_values: tuple[str, ...] = ()
    #: label → another name for it; new label → the labels that it stands for
    recode: Mapping[str, str] = field(default_factory=dict)
    merge: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    #: ratings: how values are read; guessed when None
    values: Literal["categories", "numbers", "sets"] | None = None
    #: ratings: what separates the labels of a set-valued cell
    separator: str | None = None
    #: ratings: rows of one annotator and item are the labels of a set; the word for the empty set
    multiple: bool = False
    none: str | None = None
    #: ratings of one item, or equal units, by the same annotator; only units can be kept
    duplicates: Duplicates = "error"
    #: units: tables of document lengths and of who saw what; one length for all; points allowed
    lengths: Path | None = None
    coverage: Path | None = None
    #: relations: the annotators' units, in a relation or not
    units: Path | Units | None = None
    #: a table without rows is somebody who marked nothing
    empty: bool = False
    #: units: all or marked, or pairs (document, annotator), over what the data say
    seen: str | tuple[tuple[str, str], ...] | None = None
    length: float | None = None
    points: bool = False
    #: rich formats: annotator of a single file, layer and feature to read
    annotator: str | None = None
    layer: str | None = None
    feature: str | None = None
    #: rich formats: what names the annotator: folder, file, tier or author, or a key of the records
    #: where the format has none of its own (COCO); the format's own way when None
    annotator_from: str | None = None
    #: rich formats: what offsets count; the format's own way when None
    offsets: Literal["code-points", "utf-16", "graphemes"] | None = None
    #: rich formats: a discontinuous unit becomes its hull, or one unit per fragment, or is left out
    discontinuous: Literal["hull", "fragments", "drop"] = "hull"
    #: rich formats: read the predictions of systems as annotators too
    predictions: bool = False
    #: rich formats: what to do with adjudicated (curated) annotations
    curation: Literal["leave-out", "include", "only"] = "leave-out"

    #: what counts large tables; by their size when "auto"
    engine: EngineName = "auto"

    def __post_init__(self) -> None:
        for name, allowed in _WORDS.items():
            value = getattr(self, name)
            if value is not None and value not in allowed:
                raise UsageError(f"{name} must be one of {', '.join(allowed)}, got {value!r}")

    def choice(self) -> Choice:
        """Who is who, as far as it was said."""
        return Choice(
            annotators=self.annotators,
            without=self.without,
            documents=self.documents,
            systems=self.systems,
            reference=self.reference_annotator,
            groups=self.groups if isinstance(self.groups, Mapping) else {},
            include_references=self.curation != "leave-out",
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """What is known of a format without loading it: how its files are recognised and what it can hold."""

    name: str
    title: str
    #: ways to know a file: any of them
    sniff: tuple[Sniff, ...] = ()
    #: ways to know a folder: patterns, for each of which there is a file whose name holds it
    tree: tuple[tuple[str, ...], ...] = ()
    #: formats that would take its files
    over: tuple[str, ...] = ()
    #: takes what no other format knows
    fallback: bool = False
    #: who annotated stands in the records, or in the records as judges (of whom `annotator_from=file`
    #: makes systems), in the place of a file, in its tiers, or under any key of its records
    people: People = "records"
    #: endings under which the other half of a single file stands next to it
    beside: tuple[str, ...] = ()
    #: endings that `accord convert` takes to mean this format
    suffixes: tuple[str, ...] = ()
    #: shapes that `write` can hold
    holds: tuple[Shape, ...] = SHAPES

    def check_annotator_from(self, word: str | None) -> None:
        """Refuse a word that does not say where this format's people are named."""
        known = ("folder", "file", "tier", "author")
        if word is None or self.people == "key":
            return
        if word not in known:
            raise UsageError(f"annotator_from must be one of {', '.join(known)}, got {word!r}")
        if self.people == "records":
            raise UsageError(
                f"{self.title} names its annotators in its records or by one file each: "
                "`annotator_from` has no say there; leave it out, or use `path` or `rename`"
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class Format(Known):
    """One file format. To add one: a module with its `FORMAT`, and a sample (docs/extend/format.md).

    A format says what a file says in one of three ways: `collect` gives all that an export holds
    (folders, archives, layered files), `load` the columns of a table, and `read` the annotations
    themselves where a file leaves nothing to decide. What it means is decided in
    :mod:`accord.reading`, the same for all.
    """

    #: where bytes do not tell: what must hold beside a sniff, of a file and of a folder
    test: Callable[[Path, bytes], bool] | None = None
    test_tree: Callable[[Tree], bool] | None = None
    read: Callable[[Path, ReadOptions], Annotations] | None = None
    #: the cells of a table, before anything is made of them
    load: Callable[[Path, ReadOptions], Table | nw.DataFrame[Any]] | None = None
    #: all that an export holds, before any choice
    collect: Callable[[Tree, ReadOptions], Export] | None = None
    #: writes the data and returns what the format could not hold, one sentence each
    write: Callable[[Annotations, Path], Sequence[str]] | None = None

    def recognises(self, path: Path, head: bytes) -> bool:
        """Whether a file is of this format, by its path and first bytes."""
        seen = Head(path.name, head)
        return any(way.holds(seen) for way in self.sniff) and (
            self.test is None or self.test(path, seen.text)
        )

    def among(self, tree: Tree, size: int = 1 << 18) -> list[Entry]:
        """The files of this format, by their first bytes."""
        return [e for e in tree if self.recognises(Path(e.name), e.head(size))]


_WORDS = {
    "shape": SHAPES,
    "rows": ("items", "annotators"),
    "orientation": ("items", "annotators"),
    "values": ("categories", "numbers", "sets"),
    "duplicates": ("error", "first", "last", "mode", "keep"),
    "offsets": ("code-points", "utf-16", "graphemes"),
    "discontinuous": ("hull", "fragments", "drop"),
    "curation": ("leave-out", "include", "only"),
    "engine": get_args(EngineName),
}

#: anything `accord.read` takes: a path or a dataframe
Source = Any
