"""What is told of long work: how much of it is done, every piece by what it weighs."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import accumulate

#: told how much is done, and of how much
Progress = Callable[[int, int], None]

#: what the least piece counts for at least, so that nothing is lost by rounding
_LEAST = 100


def weighed(
    progress: Progress | None,
    weights: Iterable[float],
    *,
    before: float = 0.0,
    whole: float | None = None,
) -> Callable[[int], None] | None:
    """What to call with the number of pieces done, so that `progress` hears of the work in them.

    Pieces are done in order. `before` is what had been done, `whole` what all will be, both weighed alike;
    by default all is what was done and these pieces. None where nobody listens.

    >>> told = []
    >>> tell = weighed(lambda *done: told.append(done), [1, 3])
    >>> tell(1), tell(2), told
    (None, None, [(100, 400), (400, 400)])
    """
    if progress is None:
        return None
    each = [max(0.0, float(w)) for w in weights]
    done = list(accumulate(each, initial=before))
    end = max(done[-1], done[-1] if whole is None else whole)
    least = min((w for w in each if w > 0), default=1.0)
    scale = _LEAST / least
    total = max(1, round(end * scale))

    def tell(pieces: int) -> None:
        progress(min(total, round(done[pieces] * scale)), total)

    return tell
