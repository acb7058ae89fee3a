"""Profiles of items as whole numbers: any engine folds them by adding and grouping, exactly.

The answers of one item become the digits of a number, so that "one row per item" is a sum and "which
items are alike" is a comparison of numbers: no pivot, no lists, nothing that an engine lacks. Two
layouts:

* *named*: a digit per annotator, which is the code of their answer plus one (0: no answer);
* *anonymous*: a digit per value, which is how many gave it, whoever they are.

Digits that overflow are seen, never guessed at: with n answers, a named number has n digits that are
not zero if and only if nobody answered twice, and the digits of an anonymous number sum to n if and
only if none of them overflowed (a carry only makes either number smaller).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

#: bits of a number that digits may take: the rest is head-room for repeated answers
_BITS = 56


@dataclass(frozen=True, slots=True)
class Digits:
    """So many digits of so many bits, over as few whole numbers as they need.

    >>> Digits.named(annotators=3, values=2)
    Digits(count=3, bits=3)
    """

    count: int
    bits: int

    @classmethod
    def named(cls, *, annotators: int, values: int) -> Digits:
        """A digit per annotator; two answers of one annotator do not reach the next digit."""
        return cls(annotators, max(1, (2 * values).bit_length()))

    @classmethod
    def anonymous(cls, *, values: int, most: int) -> Digits:
        """A digit per value, for up to `most` equal answers to an item."""
        return cls(values, max(1, most.bit_length()))

    @property
    def each(self) -> int:
        """Digits in one number."""
        return max(1, _BITS // self.bits)

    @property
    def numbers(self) -> int:
        """Numbers that hold all the digits."""
        return -(-self.count // self.each)

    def place(self, digit: int) -> tuple[int, int]:
        """In which number a digit stands, and what one unit of it is worth there.

        >>> Digits(30, 4).place(0), Digits(30, 4).place(15)
        ((0, 1), (1, 16))
        """
        number, within = divmod(digit, self.each)
        return number, 1 << (within * self.bits)

    def read(self, numbers: NDArray[np.int64]) -> tuple[Any, Any, Any]:
        """Rows, digits and what stands there, of all that is not zero; rows × numbers.

        >>> Digits(3, 4).read(np.array([[0x201], [0x030]]))
        (array([0, 0, 1]), array([0, 2, 1]), array([1, 2, 3]))
        """
        found = []
        for j in range(self.numbers):
            column = numbers[:, j].astype(np.uint64)
            # what ran out at the top is read too, so that it is counted
            here = min(self.each, self.count - j * self.each)
            for within in range(here):
                shift = np.uint64(within * self.bits)
                last = within == here - 1
                said = column >> shift
                if not last:
                    said = said & np.uint64((1 << self.bits) - 1)
                rows = np.flatnonzero(said)
                found.append(
                    (rows, np.full(len(rows), j * self.each + within), said[rows].astype(np.int64))
                )
        row, digit, value = (np.concatenate([f[k] for f in found]) for k in range(3))
        order = np.argsort(row, kind="stable")
        return row[order], digit[order], value[order]
