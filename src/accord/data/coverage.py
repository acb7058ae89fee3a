"""Who saw what, for the shapes in which an annotator may see a document and mark nothing."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from accord.data.choose import places
from accord.data.encode import Codes
from accord.data.protocol import Shape
from accord.data.tabular import Tabular
from accord.errors import UsageError

if TYPE_CHECKING:
    from accord.data.reading import Provenance


def seen_word(marked: NDArray[np.bool_], coverage: NDArray[np.bool_]) -> str | None:
    """Who saw what, in a word: all, only who marked something, or a table; None where it is plain."""
    if marked.all():
        return None
    if coverage.all():
        return "all"
    return "marked" if np.array_equal(coverage, marked) else "table"


class Covered(Tabular):
    """Rows by document and annotator, and a table of who saw what."""

    __slots__ = ()

    shape: ClassVar[Shape]
    documents: tuple[str, ...]
    annotators: tuple[str, ...]
    document: Codes
    annotator: Codes
    coverage: NDArray[np.bool_]
    notes: tuple[str, ...]
    told: bool
    provenance: Provenance | None

    @property
    def assumed(self) -> bool:
        """Nobody said who saw what, and some annotator marked nothing in some document."""
        return not self.told and not bool(self.marked.all())

    @property
    def seen(self) -> str | None:
        """Who saw what, in a word: all, only who marked something, or a table; None where it is plain."""
        return seen_word(self.marked, self.coverage)

    @property
    def marked(self) -> NDArray[np.bool_]:
        """Documents × annotators: who marked something there."""
        marked = np.zeros_like(self.coverage)
        marked[self.document, self.annotator] = True
        return marked

    def marked_pairs(self) -> list[list[int]]:
        """(document, annotator) where something was marked, by number."""
        pairs: list[list[int]] = np.argwhere(self.marked).tolist()
        return pairs

    def covered(self, seen: str | Iterable[tuple[str, str]]) -> Self:
        """The same with another answer to who saw what.

        "all": every annotator every document; "marked": only those who marked something there; or
        the pairs (document, annotator), to which those who marked something are added.

        >>> from accord.data.units import Units
        >>> u = Units.from_rows([("d", "A", 0, 4, "x"), ("d", "B", 0, 4, "x"), ("e", "A", 5, 9, "x")])
        >>> u.assumed, int(u.covered("marked").coverage.sum())
        (True, 3)
        """
        marked = self.marked
        if isinstance(seen, str):
            if seen not in ("all", "marked"):
                raise UsageError(f"seen must be all, marked or a table of pairs, got {seen!r}")
            found = np.ones_like(marked) if seen == "all" else marked
        else:
            found = marked
            for name, who in seen:
                where = places([name], self.documents, "document")
                found[where, places([who], self.annotators, "annotator")] = True
        kept = None if self.provenance is None else self.provenance.without("seen")
        return replace(self, coverage=found, told=True, provenance=kept)  # type: ignore[type-var]
