"""Who saw what and how long documents are, as people have it at hand: pairs, mappings, dataframes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from accord.errors import UsageError

if TYPE_CHECKING:
    from narwhals.typing import IntoDataFrame

    #: (document, annotator) pairs, document → annotators, or a frame of the columns document, annotator
    Pairs = Iterable[tuple[str, str]] | Mapping[str, Iterable[str]] | IntoDataFrame
    #: document → length, or a frame of the columns document, length
    Lengths = Mapping[str, float] | IntoDataFrame


def seen_word(marked: NDArray[np.bool_], coverage: NDArray[np.bool_]) -> str | None:
    """Who saw what, in a word: all, only who marked something, or a table; None where it is plain."""
    if marked.all():
        return None
    if coverage.all():
        return "all"
    return "marked" if np.array_equal(coverage, marked) else "table"


def pairs_of(given: Pairs, name: str) -> tuple[tuple[str, str], ...]:
    """Pairs (document, annotator), from pairs, a mapping or a dataframe; `name` is the option's.

    >>> pairs_of({"d1": ["A", "B"], "d2": ["A"]}, "seen")
    (('d1', 'A'), ('d1', 'B'), ('d2', 'A'))
    """
    if isinstance(given, Mapping):
        return tuple((str(d), str(a)) for d, who in given.items() for a in who)
    if hasattr(given, "columns"):
        documents, annotators = _columns(given, ("document", "annotator"), name)
        return tuple((str(d), str(a)) for d, a in zip(documents, annotators, strict=True))
    try:
        return tuple((str(d), str(a)) for d, a in given)
    except (TypeError, ValueError):
        raise UsageError(
            f"`{name}` must be a table or pairs (document, annotator), got {given!r}"
        ) from None


def lengths_by_document(given: Lengths | None) -> Mapping[str, float]:
    """Document → length, from a mapping or a dataframe.

    >>> lengths_by_document({"d": 9})
    {'d': 9}
    """
    if given is None:
        return {}
    if isinstance(given, Mapping):
        return given
    if not hasattr(given, "columns"):
        raise UsageError(f"`lengths` must be a mapping or a table, got {given!r}")
    documents, lengths = _columns(given, ("document", "length"), "lengths")
    return {str(d): float(n) for d, n in zip(documents, lengths, strict=True)}  # type: ignore[arg-type]


def _columns(given: object, names: Sequence[str], option: str) -> list[list[object]]:
    import narwhals as nw

    frame = nw.from_native(given, eager_only=True)  # type: ignore[call-overload]
    for name in names:
        if name not in frame.columns:
            raise UsageError(f"`{option}` must have a column {name!r}, it has {frame.columns}")
    return [frame[name].to_list() for name in names]
