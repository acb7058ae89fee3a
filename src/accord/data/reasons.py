"""Why an item of a reference has no value."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from accord.data.reading import Record

#: of a column, of a JSON field and of codes; the first stands for an item that has a value
REASONS = ("", "rejected", "nobody", "tie", "threshold", "undecided")
#: reason → what is said of one item, of several
_SAYS = {
    "rejected": ("1 item rejected by people", "{} items rejected by people"),
    "nobody": ("1 item rated by nobody", "{} items rated by nobody"),
    "tie": ("1 item that ties", "{} items that tie"),
    "threshold": ("1 item under the threshold", "{} items under the threshold"),
    "undecided": ("1 item left undecided", "{} items left undecided"),
}


def leave_out(reasons: Iterable[str], record: Record) -> None:
    """Keep that items have no value, and why.

    >>> record = Record()
    >>> leave_out(["", "tie", "rejected", "tie"], record)
    >>> [one.what for one in record.left_out]
    ['2 items that tie', '1 item rejected by people']
    """
    for reason, n in Counter(reasons).items():
        if reason:
            one, many = _SAYS[reason]
            record.leave_out(one if n == 1 else many.format(f"{n:,}"), n, why="has no value")
