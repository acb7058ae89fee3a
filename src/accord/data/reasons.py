"""Why an item of a reference has no value."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from accord.data.reading import Record

#: of a column, of a JSON field and of codes; the first stands for an item that has a value
REASONS = ("", "rejected", "nobody", "tie", "threshold", "undecided")
#: what a reference says of an item beside its value
SAID = ("confidence", "reason", "source", "who")
#: reason → what is said of one item, of several
_SAYS = {
    "rejected": ("1 {} rejected by people", "{} {}s rejected by people"),
    "nobody": ("1 {} rated by nobody", "{} {}s rated by nobody"),
    "tie": ("1 {} that ties", "{} {}s that tie"),
    "threshold": ("1 {} under the threshold", "{} {}s under the threshold"),
    "undecided": ("1 {} left undecided", "{} {}s left undecided"),
}


def leave_out(reasons: Iterable[str], record: Record, noun: str = "item") -> None:
    """Keep that items have no value, and why.

    >>> record = Record()
    >>> leave_out(["", "tie", "rejected", "tie"], record)
    >>> [one.what for one in record.left_out]
    ['2 items that tie', '1 item rejected by people']
    """
    for reason, n in Counter(reasons).items():
        if reason:
            one, many = _SAYS[reason]
            said = one.format(noun) if n == 1 else many.format(f"{n:,}", noun)
            record.leave_out(said, n, why="has no value")
