"""One number of a paper beside ours."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

#: small numbers that the papers write out
_WORDS = {"une": 1, "deux": 2, "trois": 3, "quatre": 4, "six": 6}


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """What a paper prints, what we compute, and by how much they may differ."""

    paper: str
    #: where in the paper: a table, a figure, a section
    table: str
    what: str
    ours: float
    #: as it stands in the paper, with a point for the comma and "~" for "about"; empty where the
    #: paper gives no number (an order, a shape, what follows from it)
    as_printed: str = ""
    #: what of accord computed it: a call, the same in every language
    how: str
    #: a known slip of the paper: shown, never a failure
    slip: str | None = None
    #: for what is not a number, or is made of other data than the paper's: whether it holds
    holds: bool | None = None
    #: computed on data made up here, since the paper's are not published
    own_data: bool = False

    @property
    def printed(self) -> float | None:
        return _read(self.as_printed)[0] if self.as_printed else None

    @property
    def rounding(self) -> float:
        """Half a unit of the last printed digit."""
        return _read(self.as_printed)[1] if self.as_printed else 0.0

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
            return "own data" if self.own_data else "ok"
        return "slip" if self.slip is not None else "OFF"


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    """A figure of a paper, drawn by accord from data of the same kind."""

    table: str
    caption: str
    #: a whole SVG with its own style
    svg: str


def row(
    paper: str,
    table: str,
    what: str,
    printed: str,
    ours: float | None,
    how: str,
    slip: str | None = None,
    *,
    holds: bool | None = None,
    own_data: bool = False,
) -> Check:
    """One row of a paper's table of checks."""
    value = float("nan") if ours is None else float(ours)
    return Check(paper=paper, table=table, what=what, as_printed=printed, ours=value, how=how,
                 slip=slip, holds=holds, own_data=own_data)  # fmt: skip


def rows_of(paper: str) -> Callable[..., Check]:
    """:func:`row` for one paper."""
    return partial(row, paper)


def _read(text: str) -> tuple[float, float]:
    """The number printed and half a unit of its last digit; "~" counts to the last digit not 0.

    >>> _read("0.50"), _read("99.85 %"), _read("~19000"), _read("2/3"), _read("deux")
    ((0.5, 0.005), (0.9985, 5e-05), (19000.0, 500.0), (0.6666666666666666, 0.0), (2.0, 0.0))
    """
    if text in _WORDS:
        return float(_WORDS[text]), 0.0
    if "/" in text:
        above, below = text.split("/")
        return float(above) / float(below), 0.0
    digits = text.removeprefix("~").removesuffix("%").replace(" ", "")
    unit = 10.0 ** -len(digits.partition(".")[2])
    if text.startswith("~"):
        unit *= 10.0 ** (len(digits) - len(digits.rstrip("0")))
    share = 0.01 if text.endswith("%") else 1.0
    return round(float(digits) * share, 12), unit * share / 2
