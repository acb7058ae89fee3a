"""The queue: which cards, in which order, a page at a time, also when there are a hundred thousand."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord.adjudication.deck import Deck, Mask
from accord.errors import UsageError

Order = NDArray[np.int64]

#: name of an order → the keys that cards are sorted by, the first before the others
_KEYS: Mapping[str, Callable[[Deck], Sequence[Any]]] = {
    "gain": lambda deck: (-deck.gain, ~deck.disputed),
    "disorder": lambda deck: (-deck.disorder, ~deck.disputed),
    "document": lambda deck: (),
    "confusion": lambda deck: (_rank(deck.confusion), -deck.gain),
    "category": lambda deck: (_rank(deck.category), -deck.gain),
    "pair": lambda deck: (_rank(deck.pair), -deck.gain),
}
ORDERS = tuple(_KEYS)
STATUSES = ("open", "decided", "conflict", "flagged", "changed", "all")


@dataclass(frozen=True, slots=True, kw_only=True)
class Filter:
    """Which cards: all that are given must hold."""

    document: str | None = None
    category: str | None = None
    confusion: str | None = None
    #: two annotators who differ
    between: tuple[str, str] | None = None
    search: str | None = None
    disputed: bool | None = None
    #: at least this confidence
    confidence: float | None = None


class Queue:
    """Orders and filters of a deck, each worked out once."""

    def __init__(self, deck: Deck) -> None:
        self.deck = deck
        self._orders: dict[str, Order] = {}
        self._masks: dict[Filter, Mask] = {}
        self._words: list[str] = []

    def order(self, name: str) -> Order:
        """The numbers of all cards in this order; equal ones as the data have them."""
        if name not in _KEYS:
            raise UsageError(f"the order must be one of {', '.join(ORDERS)}, got {name!r}")
        if name not in self._orders:
            keys = _KEYS[name](self.deck)
            number = np.arange(len(self.deck))
            self._orders[name] = np.lexsort((number, *keys[::-1])) if keys else number
        return self._orders[name]

    def mask(self, wanted: Filter) -> Mask:
        """The cards that a filter lets through."""
        if wanted not in self._masks:
            if len(self._masks) > 64:
                self._masks.clear()
            self._masks[wanted] = self._match(wanted)
        return self._masks[wanted]

    def page(self, order: str, mask: Mask, *, after: int | None, limit: int) -> Order:
        """The cards after one of them (which itself need not be there any more), `limit` at most."""
        ranked = self.order(order)
        if after is not None:
            place = int(np.flatnonzero(ranked == after)[0])
            ranked = ranked[place + 1 :]
        # look through pieces: the first page of a long queue needs only its beginning
        found: list[Order] = []
        size, count = 4096, 0
        for first in range(0, len(ranked), size):
            piece = ranked[first : first + size]
            piece = piece[mask[piece]]
            found.append(piece)
            count += len(piece)
            if count >= limit:
                break
        return np.concatenate(found)[:limit] if found else np.empty(0, dtype=np.int64)

    def _match(self, wanted: Filter) -> Mask:
        deck = self.deck
        mask = np.ones(len(deck), dtype=bool)
        if wanted.document is not None:
            mask &= _equal(deck.documents, wanted.document)
        if wanted.category is not None:
            mask &= _equal(deck.category, wanted.category)
        if wanted.confusion is not None:
            mask &= _equal(deck.confusion, wanted.confusion)
        if wanted.between is not None:
            mask &= deck.differ(*wanted.between)
        if wanted.disputed is not None:
            mask &= deck.disputed == wanted.disputed
        if wanted.confidence is not None:
            mask &= deck.confidence >= wanted.confidence
        if wanted.search:
            words = wanted.search.casefold()
            mask &= np.fromiter((words in text for text in self._searched()), bool, len(deck))
        return mask

    def _searched(self) -> list[str]:
        if not self._words:
            deck = self.deck
            self._words = [
                f"{name}\n{category}\n{form}".casefold()
                for name, category, form in zip(deck.names, deck.category, deck.form, strict=True)
            ]
        return self._words


def _rank(names: Sequence[str]) -> Order:
    """Numbers that sort like the names, the most frequent first, no name last."""
    distinct, code, counts = np.unique(np.array(names, dtype=object).astype(str),
                                       return_inverse=True, return_counts=True)  # fmt: skip
    order = np.lexsort((distinct, -counts, distinct == ""))
    rank = np.empty(len(distinct), dtype=np.int64)
    rank[order] = np.arange(len(distinct))
    return rank[code]


def _equal(names: Sequence[str], wanted: str) -> Mask:
    return np.fromiter((name == wanted for name in names), bool, len(names))
