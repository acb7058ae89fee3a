"""Waiting for what comes by itself: as long as a loaded machine takes, and no longer than it must."""

from __future__ import annotations

import time
from collections.abc import Callable


def until(told: Callable[[], object], seconds: float = 300.0) -> bool:
    """Wait until something is so; False when it never was."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if told():
            return True
        time.sleep(0.02)
    return bool(told())
