"""What a reader may be told: one annotated field per option.

The keywords of :func:`accord.read` with their check and conversion, the options of every command that
reads with their help, completion and panels, the types that editors see
(:mod:`accord.reading.keywords`, written by ``scripts/make_stub.py``) and the page of the documentation
come from these fields. Where a file has to be opened to know what was given,
:mod:`accord.reading.request` does it.
"""

from __future__ import annotations

import codecs
import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Literal, get_args

from accord.errors import UsageError
from accord.options.option import Option, Said, declared

Shape = Literal["ratings", "units", "segments", "chains", "relations", "boxes"]
#: the same, in the order in which they are listed to people
SHAPES: tuple[Shape, ...] = get_args(Shape)
EngineName = Literal["auto", "eager", "duckdb", "polars", "spark", "dask"]
Duplicates = Literal["error", "first", "last", "mode", "keep"]

#: names as a list, or as one text with commas
Names = str | Sequence[str]

#: the panels of help pages
READING_PANEL = "Reading the data"
PEOPLE_PANEL = "Who and which documents"


def named(value: Names) -> tuple[str, ...]:
    """Names of people or things: a list, or one text with commas.

    >>> named("a, b"), named(["a,b", 3])
    (('a', 'b'), ('a,b', '3'))
    """
    if not isinstance(value, Iterable):
        raise ValueError(f"must be a list of names, got {value!r}")
    names = value.split(",") if isinstance(value, str) else map(str, value)
    found = tuple([n.strip() for n in names if n.strip()])
    if not found:
        raise ValueError("names nobody; leave it out, or name at least one")
    return found


def words_of(value: Names) -> tuple[str, ...]:
    """Words of the data: one, a list, or one text with commas; an empty text is no word.

    >>> words_of("a, b"), words_of([999, 9.0]), words_of("")
    (('a', 'b'), ('999', '9'), ())
    """
    listed: Iterable[object] = [value]
    if isinstance(value, str):
        listed = value.split(",")
    elif isinstance(value, Iterable):
        listed = value
    # 999 is as good as "999"
    plain = [f"{w:g}" if isinstance(w, float) else str(w).strip() for w in listed]
    return tuple(dict.fromkeys([w for w in plain if w]))


def renamed(value: Mapping[str, str] | Names) -> dict[str, str]:
    """Old name → new one: a mapping, or texts ``old=new``, several in one where each part is one.

    >>> renamed(["a=b,c=d", "x,y=z"])
    {'a': 'b', 'c': 'd', 'x,y': 'z'}
    """
    if isinstance(value, Mapping):
        return {str(old): str(new) for old, new in value.items()}
    found: dict[str, str] = {}
    for pair in itertools.chain.from_iterable(
        map(_pairs, [value] if isinstance(value, str) else value)
    ):
        old, equals, new = pair.rpartition("=")
        if not equals or not old.strip() or not new.strip():
            raise ValueError(f"must be OLD=NEW, got {pair!r}")
        found[old.strip()] = new.strip()
    return found


def _pairs(text: str) -> list[str]:
    parts = text.split(",")
    return parts if all("=" in part for part in parts) else [text]


def merged(value: Mapping[str, Names] | Names) -> dict[str, tuple[str, ...]]:
    """New label → the labels it stands for: a mapping, or texts ``new=a,b``."""
    if isinstance(value, Mapping):
        return {str(new): words_of(old) for new, old in value.items()}
    found: dict[str, tuple[str, ...]] = {}
    for pair in [value] if isinstance(value, str) else value:
        new, equals, old = pair.partition("=")
        if not equals or not new.strip() or not words_of(old):
            raise ValueError(f"must be NEW=A,B, got {pair!r}")
        found[new.strip()] = words_of(old)
    return found


def columns_of(value: Mapping[str, str] | Names) -> Mapping[str, str] | tuple[str, ...]:
    """Our name of a column → theirs, or the names of all columns in their order."""
    if isinstance(value, Mapping):
        return value
    return tuple(value.split(",") if isinstance(value, str) else value)


def known_encoding(name: str) -> str:
    """The encoding as Python calls it."""
    try:
        return codecs.lookup(name).name
    except LookupError:
        raise UsageError(
            f"`encoding={name}` is not known; use a name such as utf-8, cp1252, latin-1 or utf-16"
        ) from None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadOptions:
    """Everything a reader may be told; each reader uses what concerns it."""

    shape: Annotated[
        Shape | None,
        Said("ratings, units, segments, chains, relations or boxes; else detected."),
    ] = None
    columns: Annotated[
        Mapping[str, str],
        Said(
            "OURS=THEIRS: name a column, for example --column value=label; 'label=' says that there "
            "is none. Repeatable.",
            typed="--column",
            made=columns_of,
            first=True,
        ),
    ] = field(default_factory=dict)
    #: what a list of `columns` becomes
    layout: Annotated[
        tuple[str, ...],
        Said(
            "Names of all columns in order, for files without a header: word,_,label.",
            typed="--columns",
        ),
    ] = ()
    wide: Annotated[
        bool | None,
        Said(
            "One column per annotator, or not; else seen from the columns.", typed="--wide/--long"
        ),
    ] = None
    rows: Annotated[
        Literal["items", "annotators"] | None,
        Said("What a row of a wide table is: items or annotators; else told."),
    ] = None
    orientation: Annotated[
        Literal["items", "annotators"] | None,
        Said(
            "What a row of an array or a list of lists is: items or annotators.", python_only=True
        ),
    ] = None
    counts: Annotated[bool, Said("One column per category: how many chose it.")] = False
    #: UTF-8, or UTF-16 with its mark, when None
    encoding: Annotated[
        str | None, Said("Encoding of text files, such as cp1252.", made=known_encoding)
    ] = None
    annotators: Annotated[
        tuple[str, ...] | None,
        Said(
            "Who counts as an annotator: a,b; else all.", panel=PEOPLE_PANEL, made=named, first=True
        ),
    ] = None
    without: Annotated[
        tuple[str, ...],
        Said("Annotators to leave out: a,b.", panel=PEOPLE_PANEL, made=named, first=True),
    ] = ()
    documents: Annotated[
        tuple[str, ...] | None,
        Said("Documents to read: d1,d2; else all.", panel=PEOPLE_PANEL, made=named),
    ] = None
    items: Annotated[
        tuple[str, ...] | None,
        Said(
            "Items to read: i1,i2; '*' for every row, also a last one of sums.",
            panel=PEOPLE_PANEL,
            made=named,
        ),
    ] = None
    systems: Annotated[
        tuple[str, ...],
        Said(
            "Annotators in the data that are systems: a,b.",
            panel=PEOPLE_PANEL,
            made=named,
            first=True,
        ),
    ] = ()
    reference_annotator: Annotated[
        str | None, Said("Annotator that is the reference.", panel=PEOPLE_PANEL)
    ] = None
    groups: Annotated[
        str | Mapping[str, str] | None,
        Said("Groups of annotators: a table annotator,group, or a column.", panel=PEOPLE_PANEL),
    ] = None
    rename: Annotated[
        Mapping[str, str],
        Said(
            "OLD=NEW: another name for an annotator; FILE:OLD=NEW in one file.",
            panel=PEOPLE_PANEL,
            made=renamed,
        ),
    ] = field(default_factory=dict)
    document: Annotated[
        str | None, Said("The document of a table that names none.", python_only=True)
    ] = None
    path: Annotated[str | None, Said("What paths say: '{annotator}/{document}.ann'.")] = None
    #: a set, which an order is only when it is said (`ordered`)
    categories: Annotated[
        tuple[str, ...] | None,
        Said("Declared categories: a,b,c, or a file, one a line; 'a<b<c' says their order."),
    ] = None
    ordered: Annotated[bool, Said("The declared categories are in order, as typed.")] = False
    #: beside the usual words; () for none but empty cells
    missing_values: Annotated[
        tuple[str, ...] | None,
        Said(
            "Words that mean 'no value' beside NA, n/a, null, - and the like: 999,x; '' alone for "
            "none but empty cells. Repeatable.",
            made=words_of,
            repeatable=True,
        ),
    ] = None
    keep_values: Annotated[
        tuple[str, ...],
        Said(
            "Words that are values all the same: -,NA. Repeatable.", made=words_of, repeatable=True
        ),
    ] = ()
    recode: Annotated[
        Mapping[str, str],
        Said("OLD=NEW: another name for a label. Repeatable.", made=renamed),
    ] = field(default_factory=dict)
    merge: Annotated[
        Mapping[str, tuple[str, ...]],
        Said("NEW=A,B: one label for several. Repeatable.", made=merged),
    ] = field(default_factory=dict)
    values: Annotated[
        Literal["categories", "numbers", "sets"] | None,
        Said("categories, numbers or sets; else guessed."),
    ] = None
    separator: Annotated[str | None, Said("What separates the labels of a set-valued cell.")] = None
    multiple: Annotated[bool, Said("Items have several labels: one row for each of them.")] = False
    none: Annotated[
        str | None, Said("The label that means none of them: the empty set, as {} does.")
    ] = None
    duplicates: Annotated[
        Duplicates,
        Said("Same annotator, same item or unit: error, first, last, mode; units: keep."),
    ] = "error"
    lengths: Annotated[Path | None, Said("Table document,length of the continua.")] = None
    coverage: Annotated[
        Path | None,
        Said("Table document,annotator: which documents each worked on.", panel=PEOPLE_PANEL),
    ] = None
    #: the file, then the units that were read from it
    units: Annotated[
        Path | object | None, Said("Relations: the annotators' units, in a relation or not.")
    ] = None
    empty: Annotated[
        bool, Said("A table without rows is somebody who marked nothing.", python_only=True)
    ] = False
    #: pairs (document, annotator) where more than a word was given
    seen: Annotated[
        Literal["all", "marked"] | tuple[tuple[str, str], ...] | None,
        Said(
            "Which documents each annotator worked on: all, marked (where they marked something), or "
            "a table document,annotator.",
            panel=PEOPLE_PANEL,
            file=True,
        ),
    ] = None
    length: Annotated[float | None, Said("Length of every continuum.")] = None
    annotator: Annotated[
        str | None, Said("Annotator of a single-annotator file.", panel=PEOPLE_PANEL)
    ] = None
    #: the format's own way when None
    annotator_from: Annotated[
        str | None,
        Said(
            "What names the annotator: folder, file, tier, author, or a key of COCO records.",
            panel=PEOPLE_PANEL,
        ),
    ] = None
    layer: Annotated[str | None, Said("Annotation layer to read.")] = None
    feature: Annotated[str | None, Said("Feature that holds the label.")] = None
    #: the format's own way when None
    offsets: Annotated[
        Literal["code-points", "utf-16", "graphemes"] | None,
        Said("What offsets count: code-points, utf-16 or graphemes."),
    ] = None
    discontinuous: Annotated[
        Literal["hull", "fragments", "drop"],
        Said("Discontinuous units: hull, fragments or drop."),
    ] = "hull"
    points: Annotated[bool, Said("Keep units of length zero.")] = False
    predictions: Annotated[bool, Said("Read systems' predictions as annotators too.")] = False
    curation: Annotated[
        Literal["leave-out", "include", "only"],
        Said("Adjudicated annotations: leave-out, include or only."),
    ] = "leave-out"
    engine: Annotated[
        EngineName,
        Said("What counts large tables: auto (by size), eager, duckdb, polars, spark or dask."),
    ] = "auto"


#: what is said of the people in the data, not of what is compared with them
ROLES = ("annotators", "without", "systems", "reference_annotator", "groups", "rename")
FORMAT = Option("format", str, "Format of the file; else recognised.")
#: the fields as records
READING: tuple[Option, ...] = declared(ReadOptions)
#: those that :func:`accord.read` takes by keyword
KEYWORDS: tuple[Option, ...] = tuple([o for o in READING if o.name != "layout"])
