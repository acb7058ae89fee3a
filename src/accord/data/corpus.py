"""Documents of units, in memory or not: what is aligned by parts and asked again for a few.

The γ measures need of a corpus its outline (who, which categories, how many units), every document once,
in parts that workers take, and a few documents again, which chance imitates.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from accord.data.continuum import Continua, Continuum
from accord.data.units import Units

Counts = NDArray[np.int64]
#: units of a part: at least, so that a worker is worth its call; at most, so that progress is told
_LEAST, _MOST = 8_000, 64_000
#: parts for each worker, so that all end together
_EACH = 12


class Part(Protocol):
    """Some documents that follow each other; what a worker takes."""

    def continua(self) -> Iterator[Continua]:
        """Its documents, in one or several pieces."""


@runtime_checkable
class Corpus(Protocol):
    """Documents of units; :class:`accord.Units` are asked through :class:`Held`."""

    @property
    def annotators(self) -> tuple[str, ...]: ...

    @property
    def categories(self) -> tuple[str, ...]: ...

    @property
    def documents(self) -> tuple[str, ...]: ...

    @property
    def coverage(self) -> NDArray[np.bool_]: ...

    @property
    def sizes(self) -> Counts:
        """Units of each document."""

    @property
    def label_counts(self) -> Counts:
        """Units of each category, in documents that two annotators or more have seen."""

    @property
    def compared(self) -> int:
        """Units in documents that two annotators or more have seen."""

    @property
    def notes(self) -> tuple[str, ...]: ...

    @property
    def seen(self) -> str | None: ...

    @property
    def memo(self) -> dict[Hashable, Any]: ...

    @property
    def held(self) -> Continua | None:
        """All documents, where they are in memory."""

    def __len__(self) -> int: ...

    @property
    def stored_order(self) -> Counts | None:
        """The numbers of the documents as the parts hold them; None where that is their order."""

    def parts(self, workers: int) -> Sequence[Part]:
        """All documents."""

    def some(self, places: Sequence[int]) -> Sequence[Continuum]:
        """The documents of these numbers."""


@dataclass(frozen=True, slots=True, eq=False)
class HeldPart:
    """Documents that are sent along."""

    documents: Continua

    def continua(self) -> Iterator[Continua]:
        yield self.documents


class Held:
    """Units in memory as a corpus."""

    stored_order = None

    def __init__(self, units: Units) -> None:
        self.units = units
        self.held = Continua.of(units)

    @property
    def annotators(self) -> tuple[str, ...]:
        return self.units.annotators

    @property
    def categories(self) -> tuple[str, ...]:
        return self.units.categories

    @property
    def documents(self) -> tuple[str, ...]:
        return self.units.documents

    @property
    def coverage(self) -> NDArray[np.bool_]:
        return self.units.coverage

    @property
    def sizes(self) -> Counts:
        return self.held.sizes

    @property
    def label_counts(self) -> Counts:
        label = self.units.label[self.units.shared]
        return np.bincount(label[label >= 0], minlength=len(self.categories))

    @property
    def compared(self) -> int:
        return self.units.compared

    @property
    def notes(self) -> tuple[str, ...]:
        return self.units.notes

    @property
    def seen(self) -> str | None:
        return self.units.seen

    @property
    def memo(self) -> dict[Hashable, Any]:
        return self.units.memo

    def __len__(self) -> int:
        return len(self.units)

    def parts(self, workers: int) -> Sequence[Part]:
        edges = cut(self.sizes, workers)
        return [HeldPart(self.held[a:b]) for a, b in pairwise(edges)]

    def some(self, places: Sequence[int]) -> Sequence[Continuum]:
        return [self.held[k] for k in places]


def corpus_of(data: Units | Corpus) -> Corpus:
    """The documents of units, wherever they are."""
    return Held(data) if isinstance(data, Units) else data


def cut(sizes: Counts, workers: int, most: int = _MOST) -> list[int]:
    """Where documents of these sizes are cut into parts of about as many units, at most `most`.

    >>> cut(np.full(6, 4_000), 2)
    [0, 2, 4, 6]
    """
    if not len(sizes):
        return [0]
    wanted = most if workers == 1 else int(np.clip(sizes.sum() // (_EACH * workers), _LEAST, most))
    before = np.concatenate([[0], np.cumsum(sizes)])[:-1]
    first = np.flatnonzero(np.diff(before // wanted, prepend=-1))
    return [*first.tolist(), len(sizes)]
