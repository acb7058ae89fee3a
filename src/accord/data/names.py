"""Names found among those the data have; names of items, made when they are looked at."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from itertools import repeat
from operator import eq
from typing import TYPE_CHECKING, Any, overload

import numpy as np
from numpy.typing import NDArray

from accord.data.encode import label_of
from accord.errors import InputError, UsageError, did_you_mean, some

if TYPE_CHECKING:
    from accord.data.protocol import Annotations

#: items whose names are kept; a page shows no more of them
_ITEMS = 1000
#: names that a dictionary finds as fast as anything
_FEW = 20_000


class Numbered(Sequence[str]):
    """The names of items that are only numbered.

    >>> list(Numbered(range(1, 4))), Numbered(range(3))[2]
    (['1', '2', '3'], '2')
    """

    def __init__(self, numbers: range) -> None:
        self.numbers = numbers

    def __len__(self) -> int:
        return len(self.numbers)

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> list[str]: ...
    def __getitem__(self, place: int | slice) -> str | list[str]:
        if isinstance(place, slice):
            return list(map(str, self.numbers[place]))
        return str(self.numbers[place])

    def __iter__(self) -> Iterator[str]:
        return map(str, self.numbers)


def names_of(items: Sequence[Hashable]) -> Sequence[str]:
    """The names of items as people read them; a list of names as it is."""
    if isinstance(items, range):
        return Numbered(items)
    if isinstance(items, list) and set(map(type, items)) <= {str}:
        return items
    return [name if isinstance(name, str) else label_of(name) for name in items]


def same_names(one: Sequence[Hashable], two: Sequence[Hashable]) -> bool:
    """Whether the items are the same in the same order."""
    if isinstance(one, range) and isinstance(two, range):
        return one == two
    if len(one) != len(two):
        return False
    return bool(one == two) if isinstance(one, list) and isinstance(two, list) else all(
        map(eq, one, two)
    )  # fmt: skip


def places_among(names: Sequence[str], known: Sequence[str]) -> NDArray[np.int64]:
    """Where each name stands among the known ones, which are distinct; -1 for one that does not.

    >>> places_among(["b", "c"], ["a", "b"]).tolist()
    [1, -1]
    """
    if len(known) > _FEW:
        found = _by_hash(names, known)
        if found is not None:
            return found
    place = dict(zip(known, range(len(known)), strict=True))
    return np.fromiter(map(place.get, names, repeat(-1)), dtype=np.int64, count=len(names))


def _by_hash(names: Sequence[str], known: Sequence[str]) -> NDArray[np.int64] | None:
    """Sorted hashes are joined in order, which a large dictionary's scattered memory is not.

    None where two names share a hash: the dictionary tells them apart.
    """
    mine, theirs = (
        np.fromiter(map(hash, side), dtype=np.int64, count=len(side)) for side in (names, known)
    )
    order = np.argsort(theirs)
    theirs = theirs[order]
    if bool(np.any(theirs[1:] == theirs[:-1])):
        return None
    turn = np.argsort(mine)
    at = np.searchsorted(theirs, mine[turn])
    at = np.minimum(at, len(theirs) - 1)
    found = np.full(len(mine), -1, dtype=np.int64)
    found[turn] = np.where(theirs[at] == mine[turn], order[at], -1)
    hits = np.flatnonzero(found >= 0)
    chosen: Any = names if len(hits) == len(names) else map(names.__getitem__, hits.tolist())
    same = all(map(eq, chosen, map(known.__getitem__, found[hits].tolist())))
    return found if same else None


def places(names: Sequence[str], known: Sequence[str], what: str) -> NDArray[np.int64]:
    """Where each name stands among the known ones; an error that lists them otherwise.

    >>> places(["b"], ("a", "b"), "annotator").tolist()
    [1]
    """
    if isinstance(names, str):
        raise UsageError(f"{what}s must be a list of names, got {names!r}; write [{names!r}]")
    if not isinstance(names, Iterable):
        raise UsageError(f"{what}s must be a list of names, got {names!r}")
    place = {name: i for i, name in enumerate(known)}
    unknown = [name for name in names if name not in place]
    if unknown:
        meant = did_you_mean(unknown[0], known, "'{}'")
        raise InputError(
            f"unknown {what} {unknown[0]!r}", hint=f"the data have {some(known)}{meant}"
        )
    if len(set(names)) < len(names):
        twice = next(name for name in names if list(names).count(name) > 1)
        raise InputError(f"{what} {twice!r} is named twice", hint="name each once")
    return np.array([place[name] for name in names], dtype=np.int64)


def chosen(names: Sequence[str] | None, known: Sequence[str], what: str) -> NDArray[np.int64]:
    """Where the chosen names stand; all of them when none were named, nobody for an empty list.

    >>> chosen(None, ("a", "b"), "annotator").tolist(), chosen([], ("a", "b"), "annotator").tolist()
    ([0, 1], [])
    """
    return places(known if names is None else names, known, what)


def vocabulary(data: Annotations, *, annotators: bool = True) -> frozenset[str]:
    """Annotators, documents, labels, items: a label called “note” is no note of ours.

    Where annotators are hidden, nobody is told their names this way either.

    >>> from accord.data import Ratings
    >>> sorted(vocabulary(Ratings.from_matrix([["yes", "no"], ["no", "no"]], annotators=["A", "B"])))
    ['1', '2', 'A', 'B', 'no', 'yes']
    """
    found = {*(data.annotators if annotators else ()), *data.documents, *getattr(data, "times", ())}
    found |= set(getattr(data, "labels", ())) | set(getattr(data, "categories", ()))
    items = getattr(data, "items", None)
    found |= {str(item) for item in (() if items is None else items[:_ITEMS])}
    return frozenset(found)
