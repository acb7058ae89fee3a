"""The columns of a table without quotes, read from its bytes: no Python object per cell.

The delimiters and line ends of all rows are found at once. A column is then told apart eight bytes at a
time: cells with the same bytes get the same code, and only one of each becomes a string.
"""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from accord.data.encode import Coded, Codes, encode
from accord.data.values import is_number

Places = NDArray[np.int64]
Words = NDArray[np.uint64]

_NEWLINE = 10
#: bytes of a cell that are compared at once
_WORD = 8
#: longer cells are prose: their bytes are compared by Python
_LONGEST = 64


def cut(text: str, delimiter: str, width: int) -> list[Cells] | None:
    """The columns below the header, or None where the table needs a closer look.

    That is: rows of another width than the header's, and NUL characters. Blank lines are no rows.

    >>> [list(column) for column in cut("a,b\\n1,x\\n2,\\n", ",", 2)]
    [['1', '2'], ['x', None]]
    """
    if "\0" in text:
        return None
    if "\n\n" in text:
        text = re.sub("\n+", "\n", text)
    # cells are read as whole words: the last one may reach past the end
    data = b"".join([text.rstrip("\n").encode(), b"\n", bytes(_WORD)])
    held = np.frombuffer(data, dtype=np.uint8)[:-_WORD]
    marks = np.flatnonzero((held == ord(delimiter)) | (held == _NEWLINE))
    if len(marks) % width:
        return None
    ends = held[marks].reshape(-1, width) == _NEWLINE
    if ends[:, :-1].any() or not ends[:, -1].all():
        return None
    grid = marks.reshape(-1, width)
    starts = [grid[:-1, -1] + 1, *(grid[1:, j] + 1 for j in range(width - 1))]
    return [Cells(data, starts[j], grid[1:, j]) for j in range(width)]


class Cells(Coded):
    """One column, by the places of its cells; an empty cell is None."""

    def __init__(self, data: bytes, begin: Places, end: Places) -> None:
        self._data, self._begin, self._length = data, begin, end - begin
        # every eight bytes of the table as a number, the first byte lowest
        size = len(data) - _WORD
        self._words: Words = np.ndarray(size, dtype="<u8", buffer=data, strides=(1,))
        self._found: tuple[Codes, list[str | None]] | None = None

    def __len__(self) -> int:
        return len(self._begin)

    def coded(self) -> tuple[Codes, list[str | None]]:
        """Codes and names by first appearance, worked out when they are first asked for."""
        if self._found is None:
            longest = int(self._length.max(initial=0))
            if longest > _LONGEST:
                cells = (self._cell(row) for row in range(len(self)))
                self._found = encode([c.strip() or None if c is not None else None for c in cells])
            else:
                codes = _codes(self._word(0))
                for place in range(_WORD, longest, _WORD):
                    more = _codes(self._word(place))
                    both = codes.astype(np.uint64) << np.uint64(32)
                    codes = _codes(both | more.astype(np.uint64))
                self._found = self._by_appearance(codes)
        return self._found

    def numbers(self) -> NDArray[np.float64] | None:
        """The cells as numbers, or None when one of them is none."""
        found = self._digits()
        if found is not None:
            return found
        codes, names = self.coded()
        if not all(name is not None and is_number(name.strip()) for name in names):
            return None
        # some white space that strip() takes away is none to float()
        return np.array([float(name.strip()) for name in names if name is not None])[codes]

    def _word(self, place: int) -> Words:
        """Bytes `place` to `place + 8` of each cell, zero past its end."""
        words = self._words[np.minimum(self._begin + place, len(self._words) - 1)]
        words &= _KEEP[np.clip(self._length - place, 0, _WORD)]
        return words

    def _digits(self) -> NDArray[np.float64] | None:
        """Cells of one to eight digits, all at once; None when there are others.

        Eight digits in a word become a number in three multiplications (D. Lemire, "Quickly parsing
        eight digits", 2018).
        """
        length = self._length
        if not len(length) or length.min() < 1 or length.max() > _WORD:
            return None
        first = self._word(0)
        # codes with leading zeros are no numbers
        if bool(((length > 1) & ((first & np.uint64(0xFF)) == ord("0"))).any()):
            return None
        word = (first << _SHIFT[length]) | (_ZEROS & _KEEP[_WORD - length])
        high = np.uint64(0xF0F0F0F0F0F0F0F0)
        six = np.uint64(0x0606060606060606)
        if bool((((word & high) != _ZEROS) | (((word + six) & high) != _ZEROS)).any()):
            return None
        word -= _ZEROS
        word = word * np.uint64(10) + (word >> np.uint64(8))
        pairs = np.uint64(0x000000FF000000FF)
        left = (word & pairs) * np.uint64(0x000F424000000064)
        right = ((word >> np.uint64(16)) & pairs) * np.uint64(0x0000271000000001)
        numbers: NDArray[np.float64] = ((left + right) >> np.uint64(32)).astype(np.float64)
        return numbers

    def _cell(self, row: int) -> str | None:
        begin = int(self._begin[row])
        return self._data[begin : begin + int(self._length[row])].decode() or None

    def _by_appearance(self, codes: Codes) -> tuple[Codes, list[str | None]]:
        """Number the names in the order in which they first occur."""
        size = len(codes)
        first = np.empty(int(codes.max(initial=-1)) + 1, dtype=np.int64)
        first[codes[::-1]] = np.arange(size - 1, -1, -1)
        order = np.argsort(first)
        rank = np.empty(len(order), dtype=np.int32)
        rank[order] = np.arange(len(order), dtype=np.int32)
        names = [self._cell(row) for row in first[order].tolist()]
        bare = [name.strip() or None if name is not None else None for name in names]
        if bare != names:
            again, names = encode(bare)
            rank = again[rank]
        return rank[codes], names


#: by number of bytes: a word with these kept, and the shift that moves them to its end
_KEEP: Words = np.array([(1 << 8 * n) - 1 for n in range(_WORD + 1)], dtype=np.uint64)
_SHIFT: Words = np.array([8 * (_WORD - n) if n else 0 for n in range(_WORD + 1)], dtype=np.uint64)
_ZEROS = np.uint64(0x3030303030303030)


def _codes(keys: Words) -> Codes:
    """A number for each distinct key, dense from 0."""
    starts = np.flatnonzero(np.diff(keys, prepend=keys[:1] ^ np.uint64(1)))
    if len(starts) * 4 < len(keys):
        # rows of a document or an annotator stand together
        lengths = np.diff(starts, append=len(keys))
        return np.repeat(_codes(keys[starts]), lengths)
    # few are distinct, mostly: those of the first rows are looked up before all are sorted
    known = np.unique(keys[:4096])
    places = _looked_up(known, keys)
    missed = known[places] != keys if len(known) else np.zeros(0, dtype=bool)
    if missed.any():
        known = np.union1d(known, keys[missed])
        places = _looked_up(known, keys)
    return places.astype(np.int32)


def _looked_up(known: Words, keys: Words) -> Places:
    return np.minimum(np.searchsorted(known, keys), max(0, len(known) - 1))
