"""The keywords of :func:`accord.read` as people give them; written by scripts/make_stub.py.

:class:`accord.options.reading.ReadOptions` declares them and says what each does.
"""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike
from typing import TYPE_CHECKING, Literal, TypedDict

from accord.options.reading import Duplicates, EngineName, Names, Shape

if TYPE_CHECKING:
    from accord.data.said import Pairs


class KeywordsButAny(TypedDict, total=False):
    """What a reader may be told, without what a caller has a parameter of its own for."""

    columns: Mapping[str, str] | Names | None
    wide: bool | None
    rows: Literal["items", "annotators"] | None
    orientation: Literal["items", "annotators"] | None
    counts: bool
    encoding: str | None
    annotators: Names | None
    without: Names | None
    documents: Names | None
    items: Names | None
    reference_annotator: str | None
    groups: Mapping[str, str] | str | PathLike[str] | None
    rename: Mapping[str, str] | Names | None
    document: str | None
    path: str | None
    categories: Names | PathLike[str] | None
    ordered: bool
    missing_values: Names | None
    keep_values: Names | None
    recode: Mapping[str, str] | Names | None
    merge: Mapping[str, Names] | Names | None
    values: Literal["categories", "numbers", "sets"] | None
    separator: str | None
    multiple: bool
    none: str | None
    duplicates: Duplicates
    lengths: str | PathLike[str] | None
    coverage: str | PathLike[str] | None
    empty: bool
    seen: str | PathLike[str] | Pairs | None
    annotator: str | None
    annotator_from: str | None
    layer: str | None
    feature: str | None
    offsets: Literal["code-points", "utf-16", "graphemes"] | None
    discontinuous: Literal["hull", "fragments", "drop"]
    points: bool
    predictions: bool
    curation: Literal["leave-out", "include", "only"]
    engine: EngineName


class KeywordsButSystems(KeywordsButAny, total=False):
    """What a reader may be told by a verb whose own `systems` say who is one."""

    shape: Shape | None
    length: float | None
    units: str | PathLike[str] | None


class KeywordsButShape(KeywordsButAny, total=False):
    """What a reader may be told by who says which shape is read."""

    systems: Names | None
    length: float | None
    units: str | PathLike[str] | None


class KeywordsButLength(KeywordsButAny, total=False):
    """What a reader may be told by a measure with `length` or `units` of its own."""

    systems: Names | None
    shape: Shape | None


class Keywords(KeywordsButSystems, total=False):
    """What a reader may be told."""

    systems: Names | None
