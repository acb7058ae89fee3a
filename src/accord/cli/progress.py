"""A progress bar on stderr for work that is long, and nothing when nobody is looking."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

#: seconds after which a bar appears, whether or not the work has said how long it is: with the start of the
#: program and the reading of a file it is to be seen within two
_PATIENCE = 0.2


@contextmanager
def progress_bar(title: str) -> Iterator[Callable[[int, int], None]]:
    """Yield a callback (done, total); the bar appears after a moment, on a terminal only.

    The estimate of what remains is made over a minute, so that it does not jump.
    """
    from accord.cli.output import is_quiet

    if not sys.stderr.isatty() or is_quiet():
        yield lambda done, total: None
        return
    from threading import Timer

    from rich.console import Console
    from rich.progress import (
        BarColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.fields[count]}"),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
        speed_estimate_period=60,
    )
    task = bar.add_task(title, total=None, count="")

    def advance(done: int, total: int) -> None:
        bar.update(task, completed=done, total=total, count=f"{done}/{total}")

    late = Timer(_PATIENCE, bar.start)
    late.daemon = True
    late.start()
    try:
        yield advance
    finally:
        late.cancel()
        late.join()
        bar.stop()
