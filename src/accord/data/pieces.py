"""The fragments of discontinuous units: what each unit covers, without its gaps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

import numpy as np
from numpy.typing import NDArray

from accord.data.statements import matched

if TYPE_CHECKING:
    from accord.data.units import Units

Array = NDArray[np.float64]
Places = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Pieces:
    """Unit i has the fragments offsets[i] .. offsets[i+1], in order and apart; most have one."""

    offsets: Places
    start: Array
    end: Array

    @classmethod
    def of(cls, places: Sequence[Sequence[tuple[float, float]]]) -> Self:
        """From the places of each unit; those that overlap or touch are one fragment.

        >>> Pieces.of([[(0, 3), (7, 9), (2, 4)], [(1, 2)]]).start.tolist()
        [0.0, 7.0, 1.0]
        """
        offsets, start, end = [0], [], []
        for own in places:
            last = None
            for a, b in sorted(own):
                if last is not None and a <= last:
                    end[-1] = last = max(last, b)
                else:
                    start.append(a)
                    end.append(b)
                    last = b
            offsets.append(len(start))
        return cls(
            np.array(offsets, dtype=np.int64),
            np.array(start, dtype=np.float64),
            np.array(end, dtype=np.float64),
        )

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @property
    def broken(self) -> bool:
        """Whether some unit has more than one."""
        return len(self.start) > len(self)

    def take(self, units: Places) -> Pieces:
        """Those of some units, in this order."""
        sizes = np.diff(self.offsets)[units]
        offsets = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        cells = np.arange(offsets[-1]) + np.repeat(self.offsets[units] - offsets[:-1], sizes)
        return Pieces(offsets, self.start[cells], self.end[cells])

    def moved(self, by: Array) -> Pieces:
        """Each unit moved as a whole."""
        shift = np.repeat(by, np.diff(self.offsets))
        return Pieces(self.offsets, self.start + shift, self.end + shift)


def pieces_of(units: Units) -> Pieces | None:
    """The fragments of all units, where a format keeps them; None where no unit has a gap."""
    broken = {
        key
        for key, said in units.statements.items()
        if any(one.kind == "unit" and len(one.places) > 1 for one in said)
    }
    if not broken:
        return None
    own: dict[tuple[str, str], list[int]] = {}
    rows = list(units)
    for i, row in enumerate(rows):
        if (row.document, row.annotator) in broken:
            own.setdefault((row.document, row.annotator), []).append(i)
    places: list[Sequence[tuple[float, float]]] = [[(row.start, row.end)] for row in rows]
    for key, held in own.items():
        found, _, _ = matched([rows[i] for i in held], units.statements[key])
        for i, one in zip(held, found, strict=True):
            if one is not None and len(one.places) > 1:
                places[i] = one.places
    found_pieces = Pieces.of(places)
    return found_pieces if found_pieces.broken else None
