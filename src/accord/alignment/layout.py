"""Whose the elements are that are aligned: units, boxes, or anything else that comes with pairs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from accord.data.encode import Codes

#: elements that are aligned together, at most, and those of a document that is aligned alone
TOGETHER, FEW = 8_000, 400


@dataclass(frozen=True, slots=True, eq=False)
class Layout:
    """Elements of documents with as many annotators each, numbered document by document.

    Annotator a of document x has the elements bounds[x, a] .. bounds[x, a+1].
    """

    bounds: NDArray[np.int64]

    def order(self) -> NDArray[np.int64]:
        """The elements of each document in the canonical order, by which ties are broken."""
        raise NotImplementedError

    def along(self) -> NDArray[np.int64]:
        """The elements of each document in an order in which those near each other follow each other."""
        return self.order()

    def __len__(self) -> int:
        """Elements of all documents."""
        return int(self.bounds[-1, -1])

    @property
    def documents(self) -> int:
        return len(self.bounds)

    @property
    def annotators(self) -> int:
        return int(self.bounds.shape[1]) - 1

    @property
    def sizes(self) -> NDArray[np.int64]:
        """Elements of each document."""
        return self.bounds[:, -1] - self.bounds[:, 0]

    @property
    def document(self) -> NDArray[np.int64]:
        """Document of each element."""
        return np.repeat(np.arange(len(self.bounds)), self.sizes)

    @property
    def counts(self) -> NDArray[np.int64]:
        """Documents × annotators: elements of each."""
        return self.bounds[:, 1:] - self.bounds[:, :-1]

    @property
    def annotator(self) -> Codes:
        """Annotator of each element."""
        who = np.tile(np.arange(self.annotators, dtype=np.int32), self.documents)
        return np.repeat(who, self.counts.ravel())

    @property
    def fewest(self) -> int:
        """No alignment has fewer unitary alignments than an annotator has elements."""
        return int(self.counts.max(axis=1, initial=0).sum())


def farthest(delta: float, annotators: int) -> float:
    """No optimal alignment of so many annotators needs a pair from there on (pruning by splits)."""
    return delta * (annotators * (annotators - 1) // 2 + annotators - 1)


def batched(sizes: NDArray[np.int64], together: int = TOGETHER) -> list[list[int]]:
    """Which documents of these sizes are aligned together; a large one alone.

    >>> batched(np.array([5, 500, 7]))
    [[1], [0, 2]]
    """
    found: list[list[int]] = []
    filling: list[int] = []
    full = 0
    for k, size in enumerate(sizes.tolist()):
        if size > FEW:
            found.append([k])
            continue
        if filling and full + size > together:
            found.append(filling)
            filling, full = [], 0
        filling.append(k)
        full += size
    return [*found, filling] if filling else found
