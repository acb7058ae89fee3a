"""One number of a paper beside ours."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """What a paper prints, what we compute, and by how much they may differ."""

    paper: str
    table: str
    what: str
    #: as printed; None where the paper gives no number (an order, a shape)
    printed: float | None
    ours: float
    #: half a unit of the last printed digit
    rounding: float = 0.0005
    #: a known slip of the paper: shown, never a failure
    slip: str | None = None
    #: for what is not a number: whether it holds
    holds: bool | None = None

    @property
    def difference(self) -> float | None:
        return None if self.printed is None else self.ours - self.printed

    @property
    def ok(self) -> bool:
        if self.holds is not None:
            return self.holds
        # 1e-9: a printed 0.5 lies exactly on the edge of its own rounding
        return self.difference is None or abs(self.difference) <= self.rounding + 1e-9

    @property
    def status(self) -> str:
        if self.ok:
            return "ok"
        return "slip" if self.slip is not None else "OFF"
