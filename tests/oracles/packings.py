"""Small weighted packings: columns at random, feasible prices, and every packing there is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from accord.kernels.covers import columns_of_units


@dataclass(frozen=True)
class Problem:
    """Columns over units, prices that pay for every column, and a packing of some columns."""

    offsets: np.ndarray
    member: np.ndarray
    gain: np.ndarray
    price: np.ndarray
    taken_by: np.ndarray

    @property
    def sets(self) -> list[tuple[int, ...]]:
        return [tuple(self.member[a:b].tolist()) for a, b in pairwise(self.offsets.tolist())]

    @property
    def slack(self) -> np.ndarray:
        paid = [self.price[list(s)].sum() for s in self.sets]
        return np.array(paid, dtype=np.int64) - self.gain

    @property
    def index(self) -> tuple[np.ndarray, np.ndarray]:
        return columns_of_units(self.offsets, self.member, len(self.price))

    def arguments(self) -> tuple[np.ndarray, ...]:
        """What the kernels are given."""
        return (
            self.offsets, self.member, self.slack, *self.index, self.price, self.taken_by,
        )  # fmt: skip

    def groups(self) -> list[tuple[int, tuple[int, ...]]]:
        """(column or -1, units) of the packing."""
        used = sorted(set(self.taken_by.tolist()) - {-1})
        alone = np.flatnonzero(self.taken_by < 0).tolist()
        return [(k, self.sets[k]) for k in used] + [(-1, (i,)) for i in alone]


def packings(sets: list[tuple[int, ...]]) -> Iterator[tuple[int, ...]]:
    """Every choice of disjoint sets."""
    masks = [sum(1 << i for i in s) for s in sets]

    def extend(first: int, covered: int) -> Iterator[tuple[int, ...]]:
        yield ()
        for k in range(first, len(sets)):
            if not masks[k] & covered:
                for rest in extend(k + 1, covered | masks[k]):
                    yield (k, *rest)

    return extend(0, 0)


def problem(seed: int, *, units: int = 9, columns: int = 12, high: int = 6) -> Problem:
    """Small whole numbers: many ties. Prices begin at random and are raised until they pay."""
    rng = np.random.default_rng(seed)
    sizes = rng.integers(2, 4, columns)
    sets = {tuple(sorted(rng.choice(units, size=s, replace=False).tolist())) for s in sizes}
    ordered = sorted(sets)
    offsets = np.concatenate([[0], np.cumsum([len(s) for s in ordered])]).astype(np.int64)
    member = np.concatenate([np.array(s) for s in ordered]).astype(np.int32)
    gain = rng.integers(1, high, len(ordered)).astype(np.int64)
    price = rng.integers(0, 1 + high // 3, units).astype(np.int64)
    for s, g in zip(ordered, gain.tolist(), strict=True):
        price[rng.choice(s)] += max(0, g - price[list(s)].sum())
    taken_by = np.full(units, -1, dtype=np.int32)
    for k in rng.permutation(len(ordered)).tolist()[: int(rng.integers(0, len(ordered)))]:
        if (taken_by[list(ordered[k])] < 0).all():
            taken_by[list(ordered[k])] = k
    return Problem(offsets, member, gain, price, taken_by)
