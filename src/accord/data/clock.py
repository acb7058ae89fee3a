"""Times as clocks show them, such as 1:02:03.5 or 02:03,5: hours, minutes and seconds."""

from __future__ import annotations

import re
from datetime import timedelta

from accord.errors import InputError

#: what is written like such a time, possible or not
_LIKE = re.compile(r"[0-9]{1,6}(?::[0-9]{1,6})+(?:[.,][0-9]{1,9})?")
_CLOCK = re.compile(
    r"(?:([0-9]{1,6}):(?=[0-5]?[0-9]:))?([0-9]{1,6}):([0-5]?[0-9])(?:[.,]([0-9]+))?"
)


def is_like_clock(cell: object) -> bool:
    """Whether a cell is written as clocks show times, possible or not.

    >>> [is_like_clock(cell) for cell in ("1:02", "12:75", "1:02:03,5", "62", "a:b", 62)]
    [True, True, True, False, False, False]
    """
    return isinstance(cell, str) and _LIKE.fullmatch(cell.strip()) is not None


def seconds_of(text: str, *, path: str | None = None, line: int | None = None) -> float:
    """Return the seconds of a time such as ``hh:mm:ss.mmm`` or ``mm:ss``.

    >>> seconds_of("1:02:03.5"), seconds_of("75:30"), seconds_of("00:00,25")
    (3723.5, 4530.0, 0.25)
    """
    found = _CLOCK.fullmatch(text.strip())
    if found is None:
        raise InputError(
            f"the time {text[:40]!r} is none that a clock shows",
            path=path,
            line=line,
            hint="write hh:mm:ss or mm:ss, with minutes and seconds below 60, and parts of a second "
            "after a point",
        )
    hours, minutes, seconds, parts = found.groups()
    whole = int(hours or 0) * 3600 + int(minutes) * 60 + int(seconds)
    return float(f"{whole}.{parts or 0}")


def shown(time: timedelta) -> str:
    """Write a duration as a clock shows it.

    >>> shown(timedelta(hours=26, seconds=1.5)), shown(timedelta(minutes=2))
    ('26:00:01.5', '0:02:00')
    """
    sign = "-" if time < timedelta() else ""
    whole, parts = divmod(abs(time) // timedelta(microseconds=1), 1_000_000)
    after = f".{parts:06d}".rstrip("0").rstrip(".")
    return f"{sign}{whole // 3600}:{whole // 60 % 60:02d}:{whole % 60:02d}{after}"
