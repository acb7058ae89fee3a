"""How far a fit has come that goes round and round until it stands still."""

from __future__ import annotations

import math

from accord.data.progress import Progress, heard

#: what is left of a change after a round, at the least and the most: slower is told as that
_QUICK, _SLOW = 0.2, 0.98
#: EM slows down: it takes so many times the rounds that the last two foretell
_SLOWER = 2.0


class Rounds:
    """Tells how many rounds are done and about how many it will take, from how the change falls.

    A climb that ends when its change is at most `goal` nears its end by about the same factor in every
    round, a little less each time. None listens: nothing is told.
    """

    def __init__(self, progress: Progress | None, goal: float, most: int) -> None:
        self._progress = progress or heard()
        self._goal = goal
        self._most = most
        self._done = 0
        self._last = math.nan

    def told(self, change: float) -> None:
        """One more is done, which changed so much."""
        self._done += 1
        if self._progress is not None and (left := self._left(change)) is not None:
            self._progress(self._done, max(self._done, min(self._most, self._done + left)))
        self._last = change

    def _left(self, change: float) -> int | None:
        """How many more it will take; None while nothing tells."""
        if change <= self._goal:
            return 0
        if not (0 < self._last < math.inf and change < math.inf and self._goal > 0):
            return None
        left = min(max(change / self._last, _QUICK), _SLOW)
        return math.ceil(_SLOWER * math.log(self._goal / change) / math.log(left))
