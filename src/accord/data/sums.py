"""What sums say of numbers that are too many to be kept: per item n, Σx and Σx², added up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
#: the figures of an item with n ≥ 2 values z (less the centre): Σ_{j≠l}(z_j − z_l)²/(n − 1), n, Σz², Σz
FIGURES = ("apart", "n", "square", "sum")


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Alike:
    """Items of one document that as many, or the same, annotators rated: their number and their sums."""

    document: NDArray[np.int64]
    #: ratings of each of these items
    size: NDArray[np.int64]
    #: who rated them: annotator a is bit a; None when there are more annotators than bits
    who: NDArray[np.int64] | None
    items: NDArray[np.int64]
    #: over the items: Σs and Σs², s the sum of an item's values; Σx² over all values
    sums: Array
    squares: Array
    values: Array
    #: documents (or one for all) × annotators: Σx
    by_annotator: Array

    def rated(self, annotators: int) -> Array:
        """Rows × annotators: 1 where the annotator rated these items."""
        assert self.who is not None
        return ((self.who[:, None] >> np.arange(annotators)) & 1).astype(np.float64)

    def within(self, documents: Sequence[int]) -> Alike:
        """Those of some documents, numbered as they are given."""
        number = {d: i for i, d in enumerate(documents)}
        kept = np.flatnonzero(np.isin(self.document, list(documents)))
        return Alike(
            document=np.array([number[d] for d in self.document[kept].tolist()], dtype=np.int64),
            size=self.size[kept],
            who=None if self.who is None else self.who[kept],
            items=self.items[kept],
            sums=self.sums[kept],
            squares=self.squares[kept],
            values=self.values[kept],
            by_annotator=self.by_annotator[list(documents)],
        )


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Sums:
    """The figures of the items, summed over each document (or over all), and their products over all."""

    #: documents (or one for all) × figures, and the items behind each row
    rows: Array
    sizes: NDArray[np.int64]
    #: items and ratings of each, with those that were rated once
    items: NDArray[np.int64]
    ratings: NDArray[np.int64]
    #: names of the documents; none when there are none
    documents: tuple[str, ...]
    #: Σ over all items of figure × figure
    products: Array
    #: the same of items that are alike in who rated them
    alike: Alike

    @property
    def pairable(self) -> int:
        """Items with two ratings or more."""
        return int(self.sizes.sum())

    def within(self, documents: Sequence[int]) -> Sums:
        """The sums of some documents; those of products are of all, and are not used with documents."""
        at = list(documents)
        return replace(
            self,
            rows=self.rows[at],
            sizes=self.sizes[at],
            items=self.items[at],
            ratings=self.ratings[at],
            documents=tuple(self.documents[d] for d in at),
            alike=self.alike.within(at),
        )

    def stand_ins(self) -> tuple[Array, NDArray[np.int64]]:
        """A few items with the same sums and the same sums of products as all, and how often each.

        One is the mean item; the others lie on both sides of it along the axes of the spread.
        Whatever depends on first and second sums alone is the same, such as a linearised variance.

        >>> figures = np.array([[1.0, 2, 3, 4], [0, 2, 5, 1], [3, 3, 1, 0]] * 4)
        >>> twelve = np.array([12])
        >>> made = Sums(rows=figures.sum(axis=0)[None], sizes=twelve, items=twelve, ratings=2 * twelve,
        ...             documents=(), products=figures.T @ figures, alike=None)
        >>> rows, times = made.stand_ins()
        >>> bool(np.allclose(times @ rows, figures.sum(axis=0)))
        True
        >>> bool(np.allclose((rows * times[:, None]).T @ rows, made.products))
        True
        """
        n = self.pairable
        mean = self.rows.sum(axis=0) / max(1, n)
        spread = self.products - n * np.outer(mean, mean)
        sizes, axes = np.linalg.eigh((spread + spread.T) / 2)
        steps = (axes * np.sqrt(np.maximum(sizes, 0.0) / 2)).T
        rows = np.concatenate([mean[None], mean + steps, mean - steps])
        times = np.ones(len(rows), dtype=np.int64)
        times[0] = n - 2 * len(steps)
        return rows, times
