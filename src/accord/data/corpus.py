"""Documents of units, in memory or not: what is aligned by parts and asked again for a few.

The γ measures need of a corpus its outline (who, which categories, how many units), every document once,
in parts that workers take, and a few documents again, which chance imitates.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterator, Sequence
from itertools import pairwise
from typing import Any, Protocol

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


class Corpus(ABC):
    """Documents of units; :class:`accord.Units` are asked through :class:`Held`."""

    annotators: tuple[str, ...]
    categories: tuple[str, ...]
    documents: tuple[str, ...]
    coverage: NDArray[np.bool_]
    #: units of each document
    sizes: Counts
    notes: tuple[str, ...]
    seen: str | None
    memo: dict[Hashable, Any]
    #: all documents, where they are in memory
    held: Continua | None = None
    #: the numbers of the documents as the parts hold them; None where that is their order
    stored_order: Counts | None = None

    def __len__(self) -> int:
        return int(self.sizes.sum())

    @property
    def compared(self) -> int:
        """Units in documents that two annotators or more have seen."""
        return int(self.sizes[self.coverage.sum(axis=1) > 1].sum())

    @property
    @abstractmethod
    def label_counts(self) -> Counts:
        """Units of each category, in documents that two annotators or more have seen."""

    @abstractmethod
    def parts(self, workers: int) -> Sequence[Part]:
        """All documents."""

    @abstractmethod
    def some(self, places: Sequence[int]) -> Sequence[Continuum]:
        """The documents of these numbers."""


class Held(Corpus):
    """Units in memory as a corpus."""

    held: Continua

    def __init__(self, units: Units) -> None:
        self.units = units
        self.held = Continua.of(units)
        self.sizes = self.held.sizes
        for name in ("annotators", "categories", "documents", "coverage", "notes", "seen", "memo"):
            setattr(self, name, getattr(units, name))

    @property
    def label_counts(self) -> Counts:
        label = self.units.label[self.units.shared]
        return np.bincount(label[label >= 0], minlength=len(self.categories))

    def parts(self, workers: int) -> Sequence[Part]:
        return [self.held[a:b] for a, b in pairwise(cut(self.sizes, workers))]

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
