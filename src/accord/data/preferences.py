"""Preferences: which of two objects a judge prefers, or neither."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
from numpy.typing import NDArray

from accord.data.encode import encode_sorted
from accord.data.located import Origin
from accord.data.reading import Person, Provenance, Reading, Record
from accord.errors import UsageError

#: what a judge may say of a pair
LEFT, RIGHT, TIE = 0, 1, -1
#: how a judge who saw a pair in both orders judged it: alike, or by the side, or once as a tie
ONCE, ALIKE, BOTH_LEFT, BOTH_RIGHT, ONCE_TIED = range(5)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Preferences:
    """Who preferred what to what, one row per judgement.

    `winner` is 0 for the object on the left, 1 for that on the right, −1 for a tie. `item` is what
    the two were compared on (a prompt), −1 where nothing is said. A pair that a judge saw in both orders
    is one judgement, and a tie where the orders contradict each other; `orders` says which.
    """

    objects: tuple[str, ...]
    judges: tuple[str, ...]
    items: tuple[str, ...]
    judge: NDArray[np.int32]
    left: NDArray[np.int32]
    right: NDArray[np.int32]
    winner: NDArray[np.int32]
    item: NDArray[np.int32]
    #: of each row: judged once, or in both orders, and how; None where all were judged once
    orders: NDArray[np.int8] | None = None
    notes: tuple[str, ...] = ()
    #: what became of judgements that were made again, "keep" or "first"; empty where none was
    repeats: str = ""
    #: what reading kept of itself: see :attr:`reading`
    provenance: Provenance | None = None

    @property
    def reading(self) -> Reading:
        """What was read: which judges, how much, which objects."""
        counts = np.bincount(self.judge, minlength=len(self.judges)).tolist()
        size = {"items": len(self.items), "judgements": len(self)}
        return Reading(
            shape="preferences",
            provenance=self.provenance or Provenance(),
            people=tuple(
                [
                    Person(name=name, role="annotator", n=n)
                    for name, n in zip(self.judges, counts, strict=True)
                ]
            ),
            size={name: n for name, n in size.items() if n},
            labels=self.objects,
            scale="objects",
            used={"annotators": len(self.judges), **size},
        )

    def __len__(self) -> int:
        return len(self.judge)

    @classmethod
    def from_rows(
        cls,
        rows: Sequence[tuple[str, str, str, str]],
        *,
        items: Sequence[str] | None = None,
        repeats: str = "error",
        path: str | None = None,
        lines: Sequence[int] | None = None,
    ) -> Self:
        """Build from (judge, left, right, winner) rows; the winner is a name, left, right or tie.

        The two orders of a pair, judged by one judge on one item, are one judgement: a tie where they
        contradict each other. Any other pair judged twice is an error, unless `repeats` says "keep" (all
        count) or "first".

        >>> Preferences.from_rows([("J", "a", "b", "a"), ("K", "b", "a", "tie")]).winner.tolist()
        [0, -1]
        """
        origin = Origin(path, lines)
        judge, judges = encode_sorted([str(r[0]) for r in rows])
        both, objects = encode_sorted([str(o) for r in rows for o in (r[1], r[2])])
        left, right = both[::2], both[1::2]
        winner = np.empty(len(rows), dtype=np.int32)
        for i, (who, one, other, won) in enumerate(rows):
            if one == other:
                what = f"{who!r} compares {one!r} with itself"
                raise origin.error(i, what, "a judgement is about two objects")
            winner[i] = _winner(str(one), str(other), str(won), i, origin)
        item_of, names = (
            (np.full(len(rows), -1, dtype=np.int32), [])
            if items is None
            else encode_sorted([str(i) for i in items])
        )
        record = Record()
        orders, joined = _in_both_orders(judge, item_of, left, right, winner)
        keys = tuple(column[joined] for column in (judge, item_of, left, right))
        origin = Origin(path, None if lines is None else [lines[i] for i in joined])
        kept = joined[_once(keys, (judges, objects), repeats, origin, record)]
        told = repeats if record.decisions or record.left_out else ""
        if turned := int(np.count_nonzero(orders)):
            record.assume(f"{turned:,} pairs judged in both orders are one judgement each")
        return cls(
            objects=tuple(objects),
            judges=tuple(judges),
            items=tuple(names),
            judge=judge[kept].astype(np.int32),
            left=left[kept].astype(np.int32),
            right=right[kept].astype(np.int32),
            winner=winner[kept],
            item=item_of[kept].astype(np.int32),
            repeats=told,
            orders=orders[kept] if turned else None,
            provenance=record.own(),
        )

    def take(self, rows: NDArray[np.int64]) -> Preferences:
        """The judgements of these rows, under the same names."""
        chosen = {
            name: getattr(self, name)[rows] for name in ("judge", "left", "right", "winner", "item")
        }
        orders = None if self.orders is None else self.orders[rows]
        return replace(self, **chosen, orders=orders)


def _winner(left: str, right: str, won: str, row: int, origin: Origin) -> int:
    """Names first: an object may be called left."""
    word = won.strip()
    if word in (left, right):
        return LEFT if word == left else RIGHT
    known = {"left": LEFT, "right": RIGHT, "tie": TIE}
    if word.lower() in known:
        return known[word.lower()]
    raise origin.error(
        row,
        f"the winner {won!r} is neither {left!r} nor {right!r}",
        "write one of the two names, left, right or tie",
    )


def _in_both_orders(
    judge: NDArray[np.int32], item: NDArray[np.int32], left: NDArray[np.int32],
    right: NDArray[np.int32], winner: NDArray[np.int32],
) -> tuple[NDArray[np.int8], NDArray[np.int64]]:  # fmt: skip
    """How each pair was judged in its two orders, and the rows left; contradictions become ties.

    Only a pair that one judge judged twice, once each way round, is one: other repeats are repeats.
    """
    rows: dict[tuple[int, ...], list[int]] = {}
    for i, (j, k, a, b) in enumerate(zip(judge, item, left, right, strict=True)):
        rows.setdefault((int(j), int(k), int(min(a, b)), int(max(a, b))), []).append(i)
    orders, kept = np.zeros(len(judge), dtype=np.int8), np.ones(len(judge), dtype=bool)
    for found in rows.values():
        if len(found) != 2 or left[found[0]] == left[found[1]]:
            continue
        first, second = found
        sides = {int(winner[first]), int(winner[second])}
        kept[second] = False
        if sides in ({LEFT, RIGHT}, {TIE}):
            orders[first] = ALIKE
            continue
        orders[first] = {frozenset({LEFT}): BOTH_LEFT, frozenset({RIGHT}): BOTH_RIGHT}.get(
            frozenset(sides), ONCE_TIED
        )
        winner[first] = TIE
    return orders, np.flatnonzero(kept)


def _once(
    keys: Sequence[NDArray[np.int32]],
    names: tuple[Sequence[str], Sequence[str]],
    repeats: str,
    origin: Origin,
    record: Record,
) -> NDArray[np.int64]:
    """The rows to keep when a judge judges a pair of one item again."""
    if repeats not in ("error", "keep", "first"):
        raise UsageError(f"`repeats` must be one of error, keep or first, got {repeats!r}")
    judge, item, left, right = keys
    table = np.column_stack([judge, item, np.minimum(left, right), np.maximum(left, right)])
    _, first, place = np.unique(table, axis=0, return_index=True, return_inverse=True)
    again = np.flatnonzero(first[place.ravel()] != np.arange(len(table)))
    if not len(again):
        return np.arange(len(table))
    if repeats == "error":
        i = int(again[0])
        who, what = names
        raise origin.error(
            i,
            f"{who[judge[i]]!r} judges {what[left[i]]!r} and {what[right[i]]!r} twice",
            "pass `repeats=keep` to count both, or `repeats=first`",
        )
    if repeats == "keep":
        record.assume(f"{len(again):,} repeated judgements count", ("repeats", "first"))
        return np.arange(len(table))
    why = "each repeats an earlier one"
    record.leave_out(f"{len(again):,} judgements", len(again), why=why, keep=("repeats", "keep"))
    return np.sort(first)
