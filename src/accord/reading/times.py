"""Places that are times: columns in which clocks stand are seconds, all of them together."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from accord.data.clock import is_like_clock, seconds_of
from accord.data.encode import Coded, encode
from accord.errors import InputError
from accord.formats.tables.table import Table

#: the same moment, whatever is counted
_ZERO = ("0", "0.0", "0,0")


def in_seconds(table: Table, names: Sequence[str]) -> list[NDArray[np.float64]] | None:
    """Return these columns in seconds, where clocks show them; None where no cell is a time.

    A number beside times could count anything: it is refused.
    """
    columns = [table.columns[name] for name in names]
    coded = [encode(c if isinstance(c, Coded) else [str(cell) for cell in c]) for c in columns]
    times = [cell for _, cells in coded for cell in cells if is_like_clock(cell)]
    if not times:
        return None
    found = []
    for name, (codes, cells) in zip(names, coded, strict=True):
        seconds = np.zeros(len(cells))
        for place, cell in enumerate(map(str, cells)):
            line = table.line(int(np.argmax(codes == place)))
            if is_like_clock(cell):
                seconds[place] = seconds_of(cell, path=table.path, line=line)
            elif cell.strip() not in _ZERO:
                got = "nothing" if cell in ("", "None") else repr(cell[:40])
                raise InputError(
                    f"the {name} must be a time as {times[0]!r} is, got {got}",
                    path=table.path,
                    line=line,
                    hint="write all places as times, or all as numbers",
                )
        found.append(seconds[codes])
    means = "places are times, in seconds"
    table.record.assume(means, why=f"they are written as clocks show them: {times[0]}")
    return found
