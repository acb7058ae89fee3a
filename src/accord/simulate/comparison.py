"""Which measure sees which damage: several measures on the same degraded campaigns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from accord.errors import UsageError
from accord.options.kinds import refuses_other_kinds
from accord.printed import Printable, Printed
from accord.registry import find
from accord.result import Row
from accord.simulate.grid import Grid, reading_grid
from accord.simulate.settings import PAPER, Setting

#: measures compared when none is named
DEFAULTS = {
    "units": ("gamma", "holistic"),
    "ratings": ("percent", "s", "fleiss", "alpha", "ac1"),
}


@dataclass(frozen=True, slots=True)
class MeasureComparison(Printable):
    """One grid per measure, all on the same campaigns."""

    grids: tuple[Grid, ...]

    def _printed(self) -> Printed:
        return Printed.of_rows(
            self.rows(), caption=f"Measures under damage: {self.grids[0].setting}"
        )

    def rows(self) -> list[Row]:
        """One row per degradation and level, one column per measure."""
        first = self.grids[0]
        return [
            {
                "degradation": c.degradation,
                "level": x,
                **{g.measure: g.curves[i].value[j] for g in self.grids},
            }
            for i, c in enumerate(first.curves)
            for j, x in enumerate(c.levels)
        ]

    def falls(self) -> list[Row]:
        """How far each measure falls from no damage to half of each degradation's range.

        A measure that hardly falls does not see the damage; one that falls further than the others
        punishes it most.
        """
        rows: list[Row] = []
        for i, c in enumerate(self.grids[0].curves):
            half = len(c.levels) // 2
            row: dict[str, Any] = {"degradation": c.degradation, "level": c.levels[half]}
            for g in self.grids:
                row[g.measure] = g.curves[i].value[0] - g.curves[i].value[half]
            rows.append(row)
        return rows


@refuses_other_kinds
def compare_measures(
    measures: Sequence[str] = (),
    setting: Setting = PAPER,
    *,
    progress: Callable[[int, int], None] | None = None,
    **options: object,
) -> MeasureComparison:
    """Run the same degradations under each measure; the options are those of `reading_grid`."""
    names = [find(m).name for m in (measures or DEFAULTS[setting.shape])]
    if len(set(names)) != len(names):
        raise UsageError("a measure is named twice; name each measure once")
    own: dict[str, Any] = options
    grids = []
    for i, name in enumerate(names):
        told = None if progress is None else _shifted(progress, i, len(names))
        grids.append(reading_grid(name, setting, progress=told, **own))
    return MeasureComparison(tuple(grids))


def _shifted(
    progress: Callable[[int, int], None], before: int, measures: int
) -> Callable[[int, int], None]:
    return lambda done, total: progress(before * total + done, measures * total)
