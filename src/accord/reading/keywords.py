"""The keywords of :func:`accord.read` with their types, as people give them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike
from typing import TYPE_CHECKING, Literal, TypedDict

from accord.data.protocol import Shape
from accord.formats.format import Duplicates, EngineName

if TYPE_CHECKING:
    from narwhals.typing import IntoFrame

#: names as a list, or as one text with commas
Names = str | Sequence[str]


class Keywords(TypedDict, total=False):
    """What a reader may be told; :class:`accord.formats.ReadOptions` says what each does."""

    shape: Shape | None
    #: ours → theirs, or the names of all columns in their order
    columns: Mapping[str, str] | Names | None
    wide: bool | None
    rows: Literal["items", "annotators"] | None
    orientation: Literal["items", "annotators"] | None
    counts: bool
    encoding: str | None
    annotators: Names | None
    without: Names | None
    documents: Names | PathLike[str] | None
    items: Names | None
    systems: Names | None
    reference_annotator: str | None
    groups: Mapping[str, str] | str | PathLike[str] | None
    rename: Mapping[str, str] | Names | None
    document: str | None
    path: str | None
    categories: Sequence[str] | None
    ordered: bool
    missing_values: Names | None
    keep_values: Names | None
    recode: Mapping[str, str] | Names | None
    merge: Mapping[str, Names] | Names | None
    values: Literal["categories", "numbers", "sets"] | None
    separator: str | None
    multiple: bool
    none: str | None
    empty: bool
    duplicates: Duplicates
    lengths: str | PathLike[str] | None
    coverage: str | PathLike[str] | None
    units: str | PathLike[str] | None
    #: "all", "marked", a file, a frame, or pairs (document, annotator)
    seen: str | PathLike[str] | Sequence[tuple[str, str]] | IntoFrame | None
    length: float | None
    points: bool
    annotator: str | None
    layer: str | None
    feature: str | None
    annotator_from: str | None
    offsets: Literal["code-points", "utf-16", "graphemes"] | None
    discontinuous: Literal["hull", "fragments", "drop"]
    predictions: bool
    curation: Literal["leave-out", "include", "only"]
    engine: EngineName
