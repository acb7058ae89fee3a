"""What is told of long work: how much of it is done, every piece by what it weighs.

Whoever listens is either named (`progress=` of a function that users call) or set around the work with
:func:`hearing`, as the command line does: whatever takes long inside tells it. A work of several stages
gives each of them its share of the whole with :func:`stages`; what a stage tells is told as a part of that.
Telling never changes what is computed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from itertools import accumulate, pairwise
from types import TracebackType
from typing import Self, TypeVar

#: told how much is done, and of how much; one with a method `coming` is told beforehand how much will be
#: done when the piece that is under way is
Progress = Callable[[int, int], None]

Item = TypeVar("Item")

#: what a weight of 1 counts for, so that little is lost by rounding; and a whole of several stages
_ONE, _WHOLE = 100, 1_000_000
#: what may always come after a round, as a share of what was done
_LITTLE = 0.01

_heard: ContextVar[Progress | None] = ContextVar("heard", default=None)


@contextmanager
def hearing(progress: Progress | None) -> Iterator[None]:
    """Inside, whatever takes long tells it to `progress`; None for silence."""
    before = _heard.set(progress)
    try:
        yield
    finally:
        _heard.reset(before)


def heard() -> Progress | None:
    """Who listens here."""
    return _heard.get()


def weighed(
    progress: Progress | None,
    weights: Iterable[float],
    *,
    before: float = 0.0,
    whole: float | Callable[[int], float] | None = None,
) -> Callable[[int], None] | None:
    """What to call with the number of pieces done, so that `progress` hears of the work in them.

    Pieces are done in order. `before` is what had been done, `whole` what all will be, both weighed alike;
    it may be asked anew after every piece, with the number of pieces done. By default all is what was done
    and these pieces. The beginning is told at once. None where nobody listens, here or around.

    >>> told = []
    >>> tell = weighed(lambda *done: told.append(done), [1, 3])
    >>> tell(1), tell(2), told
    (None, None, [(0, 400), (100, 400), (400, 400)])
    """
    listens = progress or heard()
    if listens is None:
        return None
    done = list(accumulate((max(0.0, float(w)) for w in weights), initial=before))

    def tell(pieces: int) -> None:
        asked = whole(pieces) if callable(whole) else whole
        total = max(1, round(max(done[-1], asked or 0.0) * _ONE))
        listens(min(total, round(done[pieces] * _ONE)), total)
        if pieces + 1 < len(done):
            coming(listens, min(total, round(done[pieces + 1] * _ONE)), total)

    tell(0)
    return tell


class Course:
    """A work of several rounds that is told as one: of each, its pieces and what is thought to come after.

    Something is thought to come, if little, until the end is told.
    """

    def __init__(self, progress: Progress | None) -> None:
        self._progress = progress or heard()
        self._done = 0.0
        if self._progress is not None:
            # what prepares it may take a while
            self._progress(0, 1)
        #: what is thought to come after the round that is under way; to be thought again at any time
        self.later = 0.0

    def round(self, weights: Iterable[float]) -> Callable[[int], None] | None:
        """What to call with the number of pieces done of the next round; see :func:`weighed`."""
        each = list(weights)
        before = self._done
        self._done += sum(each)
        self.later = max(0.0, self.later - sum(each))
        return weighed(
            self._progress,
            each,
            before=before,
            whole=lambda _: self._done + max(self.later, _LITTLE * self._done),
        )

    def end(self) -> None:
        """Nothing comes after."""
        weighed(self._progress, (), before=self._done)


def coming(progress: Progress, upto: int, total: int) -> None:
    """Say how much will be done when the piece under way is, to who can make something of it."""
    if (expects := getattr(progress, "coming", None)) is not None:
        expects(upto, total)


class Stage:
    """A part of a longer work: inside, what is told is told as its share of the whole."""

    def __init__(self, progress: Progress | None, first: float, last: float) -> None:
        self._progress = progress
        self._first, self._last = first, last
        #: the most that was told of it: a stage of several works does not fall back between them
        self._most = 0

    def __call__(self, done: int, total: int) -> None:
        if self._progress is not None:
            self._most = max(self._most, self._within(done, total))
            self._progress(self._most, _WHOLE)

    def coming(self, upto: int, total: int) -> None:
        if self._progress is not None:
            coming(self._progress, max(self._most, self._within(upto, total)), _WHOLE)

    def __enter__(self) -> Self:
        self(0, 1)
        self.coming(1, 1)
        self._token = _heard.set(None if self._progress is None else self)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        _heard.reset(self._token)
        if problem is None:
            self(1, 1)

    def _within(self, done: int, total: int) -> int:
        share = min(1.0, done / total) if total > 0 else 0.0
        return round((self._first + (self._last - self._first) * share) * _WHOLE)


def stages(weights: Sequence[float], progress: Progress | None = None) -> list[Stage]:
    """Stages one after another of what `progress` listens to, or who listens here: ``with`` each of them.

    >>> told = []
    >>> with hearing(lambda *done: told.append(done)):
    ...     first, second = stages([1, 3])
    ...     with first:
    ...         pass
    ...     with second:
    ...         weighed(None, [1, 1])(1)
    >>> [done / total for done, total in told]
    [0.0, 0.25, 0.25, 0.25, 0.625, 1.0]
    """
    listens = progress or heard()
    ends = list(accumulate((max(0.0, w) for w in weights), initial=0.0))
    whole = ends[-1] or 1.0
    return [Stage(listens, a / whole, b / whole) for a, b in pairwise(ends)]


def counted(items: Sequence[Item], together: int = 2_000) -> Iterator[Item]:
    """Each of many short items in turn; who listens hears of so many together, and nothing of a few.

    >>> told = []
    >>> with hearing(lambda *done: told.append(done)):
    ...     _ = list(counted(range(5), 2))
    >>> [done / total for done, total in told]
    [0.0, 0.4, 0.8, 1.0]
    """
    listens = heard() if len(items) > together else None
    for k, item in enumerate(items):
        if listens is not None and k % together == 0:
            listens(k, len(items))
        yield item
    if listens is not None:
        listens(len(items), len(items))


def stepwise(
    items: Sequence[Item],
    weights: Sequence[float] | None = None,
    *,
    progress: Progress | None = None,
) -> Iterator[Item]:
    """Each item in turn, as a stage of what `progress` listens to, or who listens here.

    They are alike where no weights are given.

    >>> told = []
    >>> for letter in stepwise("ab", progress=lambda *done: told.append(done)):
    ...     pass
    >>> [done / total for done, total in told]
    [0.0, 0.5, 0.5, 1.0]
    """
    listens = progress or heard()
    if listens is None:
        yield from items
        return
    for stage, item in zip(stages(weights or [1.0] * len(items), listens), items, strict=True):
        with stage:
            yield item
