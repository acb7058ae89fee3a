"""The one table all coreference scores come from: how many mentions each two entities share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord.alignment.matching import best_matching
from accord.kernels.components import label_components

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False, kw_only=True)
class Side:
    """The entities of one side (key or response), all documents in a row."""

    #: document and number of mentions of each entity
    document: Integers
    size: Integers
    #: number of its mentions that the other side has too
    shared: Integers
    #: number of entities of the other side it has mentions in
    pieces: Integers
    #: size of the largest of these pieces
    largest: Integers


@dataclass(frozen=True, eq=False, kw_only=True)
class Table:
    """Entities of both sides and the sparse contingency between them, over all documents.

    Cell c says that key entity `row[c]` and response entity `column[c]` share `count[c]` mentions;
    cells are sorted by row. Entities of different documents never share a mention.
    """

    documents: tuple[str, ...]
    key: Side
    response: Side
    row: Integers
    column: Integers
    count: Integers
    #: where a mention may be in several entities of a side: the mentions that the two entities have
    #: in common, of which `count` are those that look-ups find there
    common: Integers | None = None

    @property
    def members(self) -> Integers:
        """Mentions in common: `count`, unless a mention is in several entities."""
        return self.count if self.common is None else self.common

    @property
    def cell_document(self) -> Integers:
        """Document of each cell."""
        return self.key.document[self.row]

    def per_document(self, document: Integers, amount: NDArray[Any] | None = None) -> Floats:
        """Sums over the documents of an amount per entity or cell (or how many there are)."""
        found = np.bincount(document, weights=amount, minlength=len(self.documents))
        return found.astype(np.float64)

    @cached_property
    def mentions(self) -> tuple[Floats, Floats, Floats]:
        """Per document: mentions of the key, of the response, and of both."""
        return (
            self.per_document(self.key.document, self.key.size),
            self.per_document(self.response.document, self.response.size),
            self.per_document(self.cell_document, self.count),
        )

    @cached_property
    def dice(self) -> Floats:
        """φ₄ of each cell: 2|K∩R| / (|K|+|R|)."""
        return 2.0 * self.count / (self.key.size[self.row] + self.response.size[self.column])

    @cached_property
    def aligned_by_mentions(self) -> Integers:
        """Cells of the one-to-one alignment with the largest Σ φ₃ = Σ |K∩R|."""
        return self.align(self.count.astype(np.float64))

    @cached_property
    def aligned_by_dice(self) -> Integers:
        """Cells of the one-to-one alignment with the largest Σ φ₄."""
        return self.align(self.dice)

    def align(self, weight: Floats) -> Integers:
        """Cells of the heaviest one-to-one alignment of key and response entities."""
        return best_matching(self.row, self.column, weight)

    @cached_property
    def components(self) -> Floats:
        """Per document: groups of entities connected by shared mentions (blocks of the join)."""
        label = label_components(self.row, self.column, len(self.key.size), len(self.response.size))
        document = np.concatenate([self.key.document, self.response.document])
        # a component is called after its smallest member, which alone is called after itself
        return self.per_document(document[label == np.arange(len(label))])


def tabulate(
    documents: Sequence[str],
    key: tuple[NDArray[Any], NDArray[Any]],
    response: tuple[NDArray[Any], NDArray[Any]],
    twins: tuple[NDArray[Any], NDArray[Any]],
) -> Table:
    """Build the table from one row per mention.

    `key` and `response` are (document, entity) of each mention; `twins` pairs the rows of the key
    with the rows of the response that are the same mention.

    >>> import numpy as np
    >>> d = np.zeros(3, dtype=int)
    >>> t = tabulate(["d"], (d, np.array([0, 0, 1])), (d, np.array([0, 1, 1])), (np.arange(3),) * 2)
    >>> t.count.tolist(), t.key.size.tolist(), t.response.pieces.tolist()
    ([1, 1, 1], [2, 1], [1, 2])
    """
    key_document, key_entity, key_size = _number(len(documents), *key)
    response_document, response_entity, response_size = _number(len(documents), *response)
    pair = key_entity[twins[0]] * np.int64(max(1, len(response_size))) + response_entity[twins[1]]
    cells, count = np.unique(pair, return_counts=True)
    row = cells // max(1, len(response_size))
    column = cells % max(1, len(response_size))
    return Table(
        documents=tuple(documents),
        key=_side(key_document, key_size, row, count),
        response=_side(response_document, response_size, column, count),
        row=row,
        column=column,
        count=count.astype(np.int64),
    )


def _number(
    documents: int, document: NDArray[Any], entity: NDArray[Any]
) -> tuple[Integers, Integers, Integers]:
    """Number the entities over all documents: (document of each, entity of each mention, sizes)."""
    # entity numbers are small within a document: counting is faster than sorting
    last = np.full(documents, -1, dtype=np.int64)
    np.maximum.at(last, document, entity)
    start = np.concatenate([[0], np.cumsum(last + 1)])
    code = start[document] + entity
    size = np.bincount(code, minlength=int(start[-1]))
    used = np.flatnonzero(size)
    number = np.cumsum(size > 0) - 1
    home = np.repeat(np.arange(documents), last + 1)
    return home[used], number[code], size[used].astype(np.int64)


def _side(document: Integers, size: Integers, index: Integers, count: Integers) -> Side:
    largest = np.zeros(len(size), dtype=np.int64)
    np.maximum.at(largest, index, count)
    return Side(
        document=document,
        size=size,
        shared=np.bincount(index, weights=count, minlength=len(size)).astype(np.int64),
        pieces=np.bincount(index, minlength=len(size)).astype(np.int64),
        largest=largest,
    )
