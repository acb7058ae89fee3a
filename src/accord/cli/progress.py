"""A progress bar on stderr for work that is long, and nothing when nobody is looking."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic

from accord.cli.terminal import Terminal, harmless
from accord.language import figures, spoken

#: seconds after which a bar appears, whether or not the work has said how long it is: with the start of the
#: program it is to be seen within two
_PATIENCE = 0.2


class Estimate:
    """How much of a work is done, and how long the rest will take at the pace of what was done.

    Within a phase the share never falls. Work that turns out to be more than was told (chance is drawn again
    until it is known well enough), and another work after it, begin a phase of what is still to do.
    """

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._began = self._told = clock()
        #: what was done when this phase began, and when something was told last
        self._before = self._done = 0
        self._left: float | None = None
        self.share = 0.0
        self.phase = 1

    def told(self, done: int, total: int) -> None:
        """So much is done, of so much."""
        if total <= 0:
            return
        again = done < self._done
        if again or (done - self._before) < self.share * (total - self._before):
            self.phase, self.share = self.phase + 1, 0.0
            self._before, self._began = 0 if again else self._done, self._told
        ahead = total - self._before
        self.share = max(self.share, min(1.0, (done - self._before) / ahead if ahead > 0 else 1.0))
        self._done, self._told = done, self._clock()
        if self.share > 0:
            self._left = (self._told - self._began) * (1 - self.share) / self.share

    @property
    def left(self) -> float | None:
        """Seconds still to go; None while nothing is known."""
        return None if self._left is None else max(0.0, self._left - (self._clock() - self._told))


@contextmanager
def progress_bar(title: str) -> Iterator[Callable[[int, int], None]]:
    """Yield a callback (done, total); the bar appears after a moment, on a terminal only."""
    from accord.cli.output import is_quiet

    if not sys.stderr.isatty() or is_quiet():
        yield lambda done, total: None
        return
    from threading import Timer

    from rich.console import Console
    from rich.progress import BarColumn, Progress, ProgressColumn, TextColumn, TimeElapsedColumn
    from rich.text import Text

    made = Estimate()

    class Remaining(ProgressColumn):
        max_refresh = 0.5

        def render(self, task: object) -> Text:
            return Text(_in_words(made.left), style="cyan")

    bar = Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TextColumn("{task.fields[share]}"),
        TimeElapsedColumn(),
        Remaining(),
        console=Console(file=sys.stderr.obeyed if isinstance(sys.stderr, Terminal) else sys.stderr),
        transient=True,
    )
    title = harmless(spoken(title))
    task = bar.add_task(title, total=None, share="")

    def advance(done: int, total: int) -> None:
        made.told(done, total)
        more = f", {spoken('more of it')}" if made.phase > 1 else ""
        bar.update(
            task,
            description=f"{title}{more}",
            completed=made.share,
            total=1.0,
            share=figures(f"{made.share:.0%}"),
        )

    late = Timer(_PATIENCE, bar.start)
    late.daemon = True
    late.start()
    try:
        yield advance
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
