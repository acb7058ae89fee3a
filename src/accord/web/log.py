"""What a server writes about itself: a line of each kind in a minute, however much is asked of it."""

from __future__ import annotations

import logging
import ssl
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

#: seconds between two lines of one kind, and kinds that are told apart
_REST = 60.0
_KINDS = 50


class Sparing(logging.Filter):
    """Lets a line of each kind through in a minute; the next one says how many were left out."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self.now = now
        self._last: dict[str, tuple[float, int]] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        problem = record.exc_info[1] if record.exc_info else None
        if isinstance(problem, (ConnectionError, TimeoutError, ssl.SSLError)):
            return False  # a client that went away
        if type(problem).__name__ == "LocalProtocolError":
            return False  # h11: a client whose request turned out to be none while it was answered
        kind = f"{str(record.msg).splitlines()[:1]} {type(problem).__name__}"[:120]
        if kind not in self._last and len(self._last) >= _KINDS:
            kind = ""
        last, left = self._last.get(kind, (-_REST, 0))
        if self.now() - last < _REST:
            self._last[kind] = last, left + 1
            return False
        self._last[kind] = self.now(), 0
        if left:
            record.msg, record.args = f"{record.getMessage()} ({left} more like this)", None
        return True


@contextmanager
def sparing(*names: str) -> Iterator[None]:
    """Keep what these loggers write short."""
    found, rest = [logging.getLogger(name) for name in names], Sparing()
    for logger in found:
        logger.addFilter(rest)
    try:
        yield
    finally:
        for logger in found:
            logger.removeFilter(rest)
