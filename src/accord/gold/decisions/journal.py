"""The log beside a store, held against its own checksums: SQLite drops without a word what breaks there.

A program that was killed leaves a last write that is not whole, which was never acknowledged. Every write
before it was on the disk before the next began: a break with whole writes behind it is damage.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from struct import unpack, unpack_from

_MASK = 0xFFFFFFFF
_HEADER, _FRAME = 32, 24


@dataclass(frozen=True, slots=True)
class Broken:
    """Where a log breaks, and how many writes stand behind the break."""

    at: int
    writes: int

    @property
    def acknowledged(self) -> bool:
        """Whether something was lost that was said to be on the disk."""
        return self.writes > 1

    @property
    def sentence(self) -> str:
        """Say it."""
        if self.acknowledged:
            return f"its log (-wal) is damaged at byte {self.at}, and {self.writes} writes stand behind"
        return "the last write in its log (-wal) is not whole and was left out"


def broken(store: Path) -> Broken | None:
    """Where the log of a store breaks; None when it is whole, or there is none."""
    log = store.with_name(store.name + "-wal")
    for _ in range(3):
        # (another program may be writing: what was read while it did so is read again)
        data = log.read_bytes() if log.exists() else b""
        found = _broken(data)
        if found is None or (log.exists() and log.read_bytes() == data):
            return found
    return None


def _broken(data: bytes) -> Broken | None:
    if len(data) <= _HEADER:
        return None
    magic, _, size, _, one, two, *told = unpack_from(">8I", data)
    order = ">" if magic & 1 else "<"
    sums = _summed(data[:24], (0, 0), order)
    whole = magic >> 1 == 0x377F0682 >> 1 and list(sums) == told
    step = _FRAME + (size if whole else 4096)
    writes = _commits(data, _HEADER, step, (one, two) if whole else None)
    if not whole:
        return Broken(0, max(writes, 2)) if writes else None
    for start in range(_HEADER, len(data), step):
        frame = data[start : start + step]
        salts = (one, two)
        if len(frame) < step:
            return Broken(start, 0) if any(frame) else None
        if unpack_from(">2I", frame, 8) == salts:
            sums = _summed(frame[:8] + frame[_FRAME:], sums, order)
            if unpack_from(">2I", frame, 16) == sums:
                continue
        behind = _commits(data, start, step, salts)
        return Broken(start, behind) if behind else None
    return None


def _commits(data: bytes, start: int, step: int, salts: tuple[int, int] | None) -> int:
    """How many writes end in the frames from here on, of this generation of the log."""
    found = 0
    for place in range(start, len(data) - step + 1, step):
        ends = unpack_from(">I", data, place + 4)[0]
        found += bool(ends) and salts in (None, unpack_from(">2I", data, place + 8))
    return found


def _summed(data: bytes, sums: tuple[int, int], order: str) -> tuple[int, int]:
    """SQLite's checksum of the log, gone on with."""
    a, b = sums
    words = unpack(f"{order}{len(data) // 4}I", data)
    for one, two in zip(words[::2], words[1::2], strict=True):
        a = (a + one + b) & _MASK
        b = (b + two + a) & _MASK
    return a, b
