"""The continua that chance imitates, brought when a draw needs them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Self, overload

from accord.data.continuum import Continuum

#: the continua of these numbers
Bring = Callable[[Sequence[int]], Sequence[Continuum]]


class Templates(Sequence[Continuum]):
    """So many continua, of which only those are held that were asked for."""

    __slots__ = ("_bring", "_held", "_size")

    def __init__(self, size: int, bring: Bring | None) -> None:
        self._size = size
        self._bring = bring
        self._held: dict[int, Continuum] = {}

    def __len__(self) -> int:
        return self._size

    @overload
    def __getitem__(self, at: int) -> Continuum: ...

    @overload
    def __getitem__(self, at: slice) -> Sequence[Continuum]: ...

    def __getitem__(self, at: int | slice) -> Continuum | Sequence[Continuum]:
        if isinstance(at, slice):
            places = range(self._size)[at]
            self.hold(places)
            return [self._held[k] for k in places]
        if not 0 <= at < self._size:
            raise IndexError(at)
        self.hold([at])
        return self._held[at]

    def hold(self, places: Iterable[int]) -> None:
        """Bring all of these that are not there yet, at once."""
        missing = sorted({*places} - self._held.keys())
        if missing:
            if self._bring is None:
                raise KeyError(f"continua {missing} were not sent along")
            self._held.update(zip(missing, self._bring(missing), strict=True))

    def only(self, places: Iterable[int]) -> Self:
        """As many, but these alone are there: what the draws of a worker need."""
        self.hold(wanted := {*places})
        made = type(self)(self._size, None)
        made._held = {k: self._held[k] for k in sorted(wanted)}
        return made
