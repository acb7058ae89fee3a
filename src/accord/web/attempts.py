"""How often somebody may try a password: wrong ones make the next wait, per account and address."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

#: wrong passwords that cost nothing
FREE = 5
#: seconds to wait after the next one; each further one doubles them
FIRST = 2.0
#: the longest wait of an account, so that nobody is locked out by others, and of an address
LONGEST_ACCOUNT = 60.0
LONGEST_ADDRESS = 900.0
#: seconds after which wrong passwords are forgotten
FORGOTTEN = 3600.0
_MOST = 10_000


@dataclass(slots=True)
class _Record:
    wrong: int = 0
    last: float = 0.0
    until: float = 0.0


@dataclass(slots=True)
class Attempts:
    """Wrong passwords of late, by account and by address."""

    now: Callable[[], float] = time.monotonic
    _records: dict[tuple[str, str], _Record] = field(default_factory=dict)

    def wait(self, account: str, address: str) -> float:
        """Seconds until this account may be tried from this address; 0 when it may be now.

        >>> clock = [0.0]
        >>> tried = Attempts(now=lambda: clock[0])
        >>> for _ in range(6):
        ...     tried.wrong("ann", "10.0.0.1")
        >>> tried.wait("ann", "10.0.0.2"), tried.wait("bob", "10.0.0.2")
        (2.0, 0.0)
        """
        now = self.now()
        found = (self._records.get(key) for key in _keys(account, address))
        return max(0.0, *(0.0 if one is None else one.until - now for one in found))

    def wrong(self, account: str, address: str) -> None:
        """A wrong password; beyond the free ones it makes both wait."""
        now = self.now()
        for key, longest in zip(
            _keys(account, address), (LONGEST_ACCOUNT, LONGEST_ADDRESS), strict=True
        ):
            record = self._records.pop(key, None)
            if record is None or now - record.last > FORGOTTEN:
                record = _Record()
            record.wrong += 1
            record.last = now
            if record.wrong > FREE:
                record.until = now + min(longest, FIRST * 2.0 ** min(30, record.wrong - FREE - 1))
            self._records[key] = record
        while len(self._records) > _MOST:
            # the one that was touched longest ago
            del self._records[next(iter(self._records))]

    def right(self, account: str, address: str) -> None:
        """A right password: what was wrong before is forgotten."""
        for key in _keys(account, address):
            self._records.pop(key, None)


def _keys(account: str, address: str) -> tuple[tuple[str, str], tuple[str, str]]:
    return ("account", account.strip().casefold()[:200]), ("address", address)
