"""A progress bar on stderr for work that is long, and nothing when nobody is looking."""

from __future__ import annotations

import math
import sys
from bisect import bisect_right
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import RLock
from time import monotonic

from accord.cli.terminal import Terminal, harmless
from accord.language import figures, spoken

#: seconds after which a bar appears, whether or not the work has said how long it is: with the start of the
#: program it is to be seen within two
_PATIENCE = 0.2
#: how long the work must have gone on after its first piece, and how much must be done, before the rest is
#: estimated
_SECONDS, _SHARE = 1.0, 0.02
#: the pace of late is that of so long, in seconds at least and as a share of the time since the beginning
_LATE, _LATE_SHARE = 3.0, 0.3
#: a piece under way is thought to go at the pace of what was done up to here; then it is slower than thought
_TRUSTED = 0.7
#: what is shown at most while not all was told
_ALMOST = 0.99
#: what is told within so many seconds is remembered once
_APART = 0.1
#: the estimate follows what is told within so long, as a share of the time since the beginning, in seconds
_CALM, _CALM_MOST = 0.1, 3.0
#: and is at most so many times what that says, or its part
_HELD = 1.5


class Estimate:
    """How much of a work is done, and how long the rest will take.

    The share that is shown never falls. Where the work turns out to be more than was told (chance is drawn
    again until it is known well enough), what is left to show is stretched over what is left to do; only work
    after all was done begins a phase of its own. Between two pieces the share moves on at the pace so far,
    no farther than to the end of the piece that is under way.
    """

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._lock = RLock()
        #: times, and the shares that had been done by then, as they are measured now
        self._times: list[float] = [clock()]
        self._shares: list[float] = [0.0]
        self._done = self._total = 0
        #: what will be done when the piece under way is
        self._ahead = 0.0
        self._pace = 0.0
        #: a share, and what is shown of it: from there on both go to 1 together
        self._from = (0.0, 0.0)
        self._shown = 0.0
        #: when all will be done, as it was estimated, and when that was
        self._end: tuple[float, float] | None = None
        self.phase = 1

    def told(self, done: int, total: int) -> None:
        """So much is done, of so much."""
        if total <= 0:
            return
        with self._lock:
            now, share = self._clock(), min(1.0, done / total)
            self._measured_anew(done, total, share)
            if share == 0 == self._shares[-1]:
                # what came before the first piece was no part of them
                self._times, self._shares = [], []
            if len(self._times) > 1 and now - self._times[-2] < _APART:
                self._times.pop()
                self._shares.pop()
            self._times.append(now)
            self._shares.append(share)
            self._done, self._total, self._ahead = done, total, share
            self._pace = self._pace_at(now, share)
            first, shown = self._from
            if shown + (share - first) * (1 - shown) / (1 - first or 1.0) < self._shown:
                if self._shown == 1 > share:
                    self.phase, self._shown, self._end = self.phase + 1, 0.0, None
                self._from = (share, self._shown)

    def coming(self, upto: int, total: int) -> None:
        """So much will be done when the piece under way is."""
        with self._lock:
            if total > 0:
                self._ahead = max(self._shares[-1], min(1.0, upto / total))

    @property
    def share(self) -> float:
        """How much is done, as far as can be told; 1 when all is."""
        with self._lock:
            first, shown = self._from
            here = self._here(self._clock())
            made = shown + (here - first) * (1 - shown) / (1 - first) if first < 1 else 1.0
            # (all is done when that is told, not before)
            self._shown = max(self._shown, min(1.0 if self._shares[-1] == 1 else _ALMOST, made))
            return self._shown

    @property
    def left(self) -> float | None:
        """Seconds still to go; None while that is not known."""
        with self._lock:
            now = self._clock()
            here = self._here(now)
            if len(self._times) < 3 or now - self._times[1] < _SECONDS or here < _SHARE:
                return None
            pace = self._pace_at(now, here)
            if pace <= 0:
                return None
            left = (1 - here) / pace
            if self._end is not None:
                before, then = self._end
                calm = min(_CALM_MOST, _CALM * (now - self._times[0]))
                held = before - now + (now + left - before) * -math.expm1((then - now) / calm)
                # (calm, and within a half of what is known)
                left = min(max(held, left / _HELD), left * _HELD)
            self._end = (now + left, now)
            return left

    def _measured_anew(self, done: int, total: int, share: float) -> None:
        """What was done is another share of another whole."""
        if total == self._total and done >= self._done:
            return
        old = self._shares[-1]
        # (a whole that grows is measured as before; where less is done than before, it is not)
        same = min(1.0, self._done / total) if done >= self._done else share
        if old > 0:
            self._shares = [s * same / old for s in self._shares]

    def _here(self, now: float) -> float:
        """The share that is done now, if the piece under way goes as those before it did."""
        share = self._shares[-1]
        piece = self._ahead - share
        if piece <= 0 or self._pace <= 0:
            return share
        gone = self._pace * (now - self._times[-1]) / piece
        if gone > _TRUSTED:
            rest = 1 - _TRUSTED
            gone = 1 - rest / (1 + (gone - _TRUSTED) / rest)
        return share + piece * gone

    def _pace_at(self, now: float, here: float) -> float:
        """The share that is done in a second: of late and since the beginning, the mean of both."""
        gone = now - self._times[0]
        if gone <= 0 or here <= self._shares[0]:
            return 0.0
        if len(self._times) > 2 and now > self._times[1] and here > self._shares[1]:
            # what the first piece took beyond its share (workers were started) will not be taken again
            since = (here - self._shares[1]) / (now - self._times[1])
            beyond = self._times[1] - self._times[0] - (self._shares[1] - self._shares[0]) / since
            gone -= max(0.0, beyond)
        whole = (here - self._shares[0]) / gone
        late = max(_LATE, _LATE_SHARE * gone)
        if gone <= late:
            return whole
        return math.sqrt(whole * max(0.1 * whole, (here - self._at(now - late)) / late))

    def _at(self, time: float) -> float:
        """The share that had been done at a time, which went evenly between what was told."""
        k = bisect_right(self._times, time)
        if k == len(self._times):
            return self._shares[-1]
        (a, b), (x, y) = self._times[k - 1 : k + 1], self._shares[k - 1 : k + 1]
        return x + (y - x) * (time - a) / (b - a)


class Bar:
    """What work tells goes to its estimate and, where one is to be seen, to a bar."""

    def __init__(
        self, told: Callable[[int, int], None], coming: Callable[[int, int], None]
    ) -> None:
        self._told = told
        self.coming = coming

    def __call__(self, done: int, total: int) -> None:
        self._told(done, total)


@contextmanager
def progress_bar(title: str) -> Iterator[Callable[[int, int], None]]:
    """A bar that appears after a moment, on a terminal only: everything inside tells how far it is.

    Yields what to call with (done, total) where that is known here.
    """
    from accord.cli.output import is_quiet
    from accord.data.progress import hearing

    if not sys.stderr.isatty() or is_quiet():
        with hearing(None):
            yield lambda done, total: None
        return
    from threading import Timer

    from rich.console import Console
    from rich.progress import (
        BarColumn,
        Progress,
        ProgressColumn,
        Task,
        TextColumn,
        TimeElapsedColumn,
    )
    from rich.progress_bar import ProgressBar
    from rich.text import Text

    made = Estimate()

    class Share(ProgressColumn):
        max_refresh = 0.2

        def render(self, task: object) -> Text:
            known = bar.tasks and bar.tasks[0].total is not None
            return Text(figures(f"{math.floor(100 * made.share)}%") if known else "")

    class Remaining(ProgressColumn):
        max_refresh = 0.5

        def render(self, task: object) -> Text:
            return Text(_in_words(made.left), style="cyan")

    class Moving(BarColumn):
        def render(self, task: Task) -> ProgressBar:
            task.completed = made.share
            return super().render(task)

    bar = Progress(
        TextColumn("{task.description}", markup=False),
        Moving(),
        Share(),
        TimeElapsedColumn(),
        Remaining(),
        console=Console(file=sys.stderr.obeyed if isinstance(sys.stderr, Terminal) else sys.stderr),
        transient=True,
    )
    title = harmless(spoken(title))
    task = bar.add_task(title, total=None)

    phase = 0

    def advance(done: int, total: int) -> None:
        nonlocal phase
        made.told(done, total)
        if total > 0 and phase < made.phase:
            phase = made.phase
            more = f", {spoken('more of it')}" if phase > 1 else ""
            bar.update(task, description=f"{title}{more}", total=1.0)

    late = Timer(_PATIENCE, bar.start)
    late.daemon = True
    late.start()
    try:
        told = Bar(advance, made.coming)
        with hearing(told):
            yield told
    finally:
        late.cancel()
        late.join()
        bar.stop()


def _in_words(seconds: float | None) -> str:
    """What is left, in steps that do not flicker.

    >>> _in_words(None), _in_words(3.2), _in_words(78), _in_words(4000)
    ('', '4 s left', '80 s left', '67 min left')
    """
    if seconds is None:
        return ""
    if seconds >= 120:
        return spoken(f"{seconds / 60:.0f} min left")
    step = 10 if seconds > 60 else 5 if seconds > 20 else 1
    return spoken(f"{-int(-seconds // step) * step} s left")
