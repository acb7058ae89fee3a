"""Agreement that keeps up with the decisions: measured aside, kept, and measured again when it is old."""

from __future__ import annotations

import threading
import time
from typing import Any

from accord.adjudication.agreement import among_adjudicators, before_and_after, changes
from accord.adjudication.campaign import Campaign

#: of the time, the share that measuring may take: everybody's decisions come first
SHARE = 0.1
LEAST = 1.0


class Pulse:
    """The agreement of a campaign's annotators before and after, as of some number of decisions."""

    def __init__(self, campaign: Campaign) -> None:
        self.campaign = campaign
        self.latest: dict[str, Any] | None = None
        self._before: dict[str, Any] | None = None
        self._lock = threading.Lock()
        self._rest_until = 0.0

    @property
    def old(self) -> bool:
        """Whether decisions were made since it was measured."""
        return self.latest is None or self.latest["decisions"] != self._made

    @property
    def _made(self) -> int:
        return len(self.campaign.store.ledger.decisions)

    def due(self) -> bool:
        """Whether somebody asked for it, it is old, and enough time has passed."""
        return self.latest is not None and self.old and time.monotonic() >= self._rest_until

    def measure(self) -> dict[str, Any]:
        """What it is now; measured once, however many ask at the same time."""
        with self._lock:
            if self.latest is not None and not self.old:
                return self.latest
            began, made = time.monotonic(), self._made
            changed = changes(self.campaign)
            found = before_and_after(self.campaign, before=self._before)
            self._before = found["before"]
            self.latest = {
                **found,
                "adjudicators": among_adjudicators(self.campaign),
                "changes": {"count": len(changed), "items": changed[:200]},
                "decisions": made,
            }
            took = time.monotonic() - began
            self._rest_until = time.monotonic() + max(LEAST, took * (1 - SHARE) / SHARE)
            return self.latest
