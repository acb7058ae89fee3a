"""Reading grids: how agreement falls with controlled damage, and what a value is like.

Mathet & Widlöcher (2011, *Une approche holiste et unifiée de l'alignement et de la mesure d'accord
inter-annotateurs*, TALN, §6.1) draw agreement against a shift k and an omission rate p, and read
the curves backwards: an agreement of .37 is like k ≈ 1.2, or like p ≈ .46.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Literal

import numpy as np

from accord.alignment.batch import in_order
from accord.data import Ratings, Units
from accord.data.parallel import map_tasks
from accord.data.progress import weighed
from accord.errors import InputError, UsageError
from accord.measures import agree, find
from accord.options import bare, digest
from accord.options.kinds import refuses_other_kinds
from accord.printed import Printable, Printed
from accord.result import Row
from accord.simulate.degrade import RATINGS, UNITS, Degradation, damaged_ratings, damaged_units
from accord.simulate.settings import PAPER, Setting, UnitsSetting
from accord.version import __version__


@dataclass(frozen=True, slots=True)
class Curve:
    """The values of a measure at growing levels of one degradation.

    `low` and `high` hold nine tenths of the single campaigns; `value` is their mean.
    """

    degradation: str
    symbol: str
    levels: tuple[float, ...]
    value: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]

    def level_at(self, value: float, of: Literal["value", "low", "high"] = "value") -> float | None:
        """The level at which the curve has that value; None when it never falls so low.

        The curve is read as the lowest value up to each level, so that its noise gives one answer.
        `of` reads a limit of nine tenths of the campaigns in place of their mean.

        >>> Curve("omission", "p", (0, 0.5, 1), (1, 0.6, 0.1), (1, 0.6, 0.1), (1, 0.6, 0.1)
        ...       ).level_at(0.35)
        0.75
        """
        known = [
            (x, v) for x, v in zip(self.levels, getattr(self, of), strict=True) if np.isfinite(v)
        ]
        if not known:
            return None
        falling = np.minimum.accumulate([v for _, v in known])
        if value >= falling[0]:
            return 0.0
        if value < falling[-1]:
            return None
        levels = [x for x, _ in known]
        return float(np.interp(-value, -falling, levels))


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid(Printable):
    """The curves of one measure on one setting."""

    measure: str
    #: what the campaigns were made from, in a sentence
    setting: str
    annotators: int
    campaigns: int
    seed: int
    curves: tuple[Curve, ...]
    #: the options of the measure, as in the signature of its values
    options: Mapping[str, str] = field(default_factory=dict)
    #: campaigns on which the measure has no value, and why
    notes: tuple[str, ...] = ()
    version: str = __version__
    #: of everything in the setting; a sentence may be that of two
    digest: str = ""

    def _printed(self) -> Printed:
        caption = f"{self.measure} under damage: {self.setting}"
        return Printed.of_rows(self.shares(), caption=caption, notes=self.notes)

    def shares(self) -> list[Row]:
        """One row per degradation: its strongest level, and the value at some shares of it."""
        steps = len(self.curves[0].levels) - 1
        shown = sorted({round(steps * share / 5) for share in range(6)})
        return [
            {
                "degradation": c.degradation,
                "up to": f"{c.symbol} = {c.levels[-1]:g}",
                **{f"{100 * i / steps:.0f} %": float(c.value[i]) for i in shown},
            }
            for c in self.curves
        ]

    def read(self, value: float) -> dict[str, float | None]:
        """What the value is like: for each degradation its level, or None past the grid's end."""
        return {c.degradation: c.level_at(value) for c in self.curves}

    def limits(self, value: float) -> dict[str, tuple[float | None, float | None]]:
        """The levels at which nine tenths of the campaigns hold the value."""
        return {
            c.degradation: (c.level_at(value, "low"), c.level_at(value, "high"))
            for c in self.curves
        }

    @property
    def signature(self) -> str:
        names = "+".join(c.degradation for c in self.curves)
        steps = len(self.curves[0].levels) - 1
        parts = [f"{name}:{value}" for name, value in self.options.items()]
        parts += [f"degradations:{names}", f"annotators:{self.annotators}", f"steps:{steps}"]
        parts += [f"campaigns:{self.campaigns}", f"setting:{bare(self.setting)}"]
        parts += [*([f"of:{self.digest}"] if self.digest else []), f"seed:{self.seed}"]
        return "|".join(["grid", f"measure:{self.measure}", *parts, f"v:{self.version}"])

    def is_of(self, signature: str, *, but: Collection[str] = ()) -> bool:
        """Whether the value of that signature was measured as the grid was, these options aside."""
        aside = {*_EFFORT, *but}
        measured = {k: v for k, v in options_in(signature).items() if k not in aside}
        of_grid = {k: v for k, v in self.options.items() if k not in aside}
        return signature.partition("|")[0] == self.measure and measured == of_grid

    def rows(self) -> list[Row]:
        """One row per point, for a table."""
        return [
            {"degradation": c.degradation, "symbol": c.symbol, "level": x, "value": v, "low": lo,
             "high": hi}
            for c in self.curves
            for x, v, lo, hi in zip(c.levels, c.value, c.low, c.high, strict=True)
        ]  # fmt: skip

    def to_dict(self) -> dict[str, object]:
        """The grid as plain data."""
        return {
            "measure": self.measure,
            "options": dict(self.options),
            "setting": self.setting,
            "annotators": self.annotators,
            "campaigns": self.campaigns,
            "seed": self.seed,
            "version": self.version,
            "digest": self.digest,
            "signature": self.signature,
            "notes": list(self.notes),
            "curves": [
                {"degradation": c.degradation, "symbol": c.symbol, "levels": list(c.levels),
                 "value": list(c.value), "low": list(c.low), "high": list(c.high)}
                for c in self.curves
            ],
        }  # fmt: skip

    @classmethod
    def from_dict(cls, stored: Row) -> Grid:
        """A grid from :meth:`to_dict`."""
        curves = tuple(
            Curve(
                c["degradation"],
                c["symbol"],
                *(tuple(c[k]) for k in ("levels", "value", "low", "high")),
            )
            for c in stored["curves"]
        )
        kept = ("measure", "options", "setting", "annotators", "campaigns", "seed", "version")
        return cls(
            curves=curves,
            notes=tuple(stored["notes"]),
            **{k: stored[k] for k in kept},
            digest=stored.get("digest", ""),
        )


#: how a value was estimated, not what it is
_EFFORT = frozenset({"samples", "precision", "time_limit"})


def options_in(signature: str) -> dict[str, str]:
    """The options of its measure that a signature holds, but the seed."""
    name, *parts = signature.split("|")
    known = {option.name for option in find(name).options} - {"seed"}
    pairs = (part.partition(":") for part in parts)
    return {option: value for option, _, value in pairs if option in known}


@refuses_other_kinds
def reading_grid(
    measure: str | None = None,
    setting: Setting = PAPER,
    *,
    degradations: Sequence[str] | None = None,
    steps: int = 10,
    campaigns: int = 10,
    seed: int = 0,
    jobs: int = 1,
    progress: Callable[[int, int], None] | None = None,
    **options: object,
) -> Grid:
    """Degrade made-up campaigns step by step and measure them.

    Parameters
    ----------
    measure : any agreement measure for the shape of the setting; γ for units, α for ratings
    setting : :data:`PAPER`, or :func:`setting_of` the user's data
    degradations : some of shift, omission, false-positives, confusion, splits, together (units),
        noise, neighbour, habit (ratings); all that apply by default
    steps : number of levels after 0
    campaigns : made-up campaigns per level; the same ones are degraded at every level
    **options : those of the measure
    """
    record = find(measure or ("gamma" if setting.shape == "units" else "alpha"))
    if record.shape != setting.shape or record.question != "agree":
        raise UsageError(
            f"{record.name} is not an agreement measure on {setting.shape}; "
            "'accord measures' lists those"
        )
    chosen = _chosen(setting, degradations)
    if steps < 1 or campaigns < 1:
        raise UsageError(f"steps and campaigns must be at least 1, got {steps} and {campaigns}")
    levels = {d.name: [d.most * i / steps for i in range(steps + 1)] for d in chosen}
    tasks = [(d.name, x, b) for d in chosen for x in levels[d.name] for b in range(campaigns)]
    # some degradations take much longer than others: mixed, the rest is like what was done
    order = np.random.default_rng(0).permutation(len(tasks)).tolist()
    outcomes = in_order(
        [order],
        [
            map_tasks(
                partial(_one, record.name, setting, seed, options),
                [tasks[k] for k in order],
                jobs=jobs,
                progress=weighed(progress, [1.0] * len(tasks)),
            )
        ],
    )
    table = np.array([v for v, _, _ in outcomes], dtype=np.float64).reshape(
        len(chosen), steps + 1, campaigns
    )
    return Grid(
        measure=record.name,
        setting=setting.sentence,
        digest=digest(repr(setting)),
        annotators=setting.annotators,
        campaigns=campaigns,
        seed=seed,
        notes=_notes(record.name, [why for _, why, _ in outcomes]),
        options=next((options_in(made) for _, _, made in outcomes if made), {}),
        curves=tuple(
            _curve(d, levels[d.name], block) for d, block in zip(chosen, table, strict=True)
        ),
    )


def damaged(
    setting: Setting, degradation: str, level: float, *, seed: int = 0, campaign: int = 0
) -> Units | Ratings:
    """One campaign of a grid: the one that :func:`reading_grid` measures at that level."""
    (chosen,) = _chosen(setting, [degradation])
    if not 0 <= level <= chosen.most:
        raise UsageError(
            f"the level of {degradation} must be from 0 to {chosen.most:g}, got {level:g}"
        )
    return _damaged(setting, degradation, level, np.random.default_rng([seed, campaign]))


def _damaged(
    setting: Setting, name: str, level: float, rng: np.random.Generator
) -> Units | Ratings:
    if isinstance(setting, UnitsSetting):
        return damaged_units(setting, name, level, rng)
    return damaged_ratings(setting, name, level, rng)


def known_degradations(setting: Setting) -> Mapping[str, Degradation]:
    """The degradations of the setting's shape."""
    return UNITS if isinstance(setting, UnitsSetting) else RATINGS


def _chosen(setting: Setting, names: Sequence[str] | None) -> list[Degradation]:
    known = known_degradations(setting)
    several = sum(share > 0 for share in setting.shares) > 1
    several = several or getattr(setting, "labelled", None) is not None
    if names is None:
        return [d for d in known.values() if several or not d.needs_categories]
    for name in names:
        if name not in known:
            raise UsageError(f"unknown degradation {name!r}; it must be one of {', '.join(known)}")
        if known[name].needs_categories and not several:
            raise UsageError(f"{name} needs at least two categories, the data have one")
    return [known[name] for name in names]


def _one(
    measure: str,
    setting: Setting,
    seed: int,
    options: Mapping[str, Any],
    task: tuple[str, float, int],
) -> tuple[float, str | None, str]:
    """The measure on one campaign, or why it has none, and its signature.

    Campaign b starts from the same draw at every level.
    """
    name, level, b = task
    rng = np.random.default_rng([seed, b])
    try:
        result = agree(
            _damaged(setting, name, level, rng), measure, ci="none", seed=seed + b, **options
        )
    except InputError as problem:
        return float("nan"), problem.hint or problem.problem, ""
    return float(result.value), result.undefined, result.signature


def _notes(measure: str, reasons: Sequence[str | None]) -> tuple[str, ...]:
    """How often the measure had no value, and the first reason given."""
    given = [why for why in reasons if why is not None]
    if not given:
        return ()
    return (f"{measure} has no value on {len(given)} of {len(reasons)} campaigns: {given[0]}",)


def _curve(degradation: Degradation, levels: Sequence[float], block: Any) -> Curve:
    mean, low, high = [], [], []
    for values in block:
        good = values[np.isfinite(values)]
        mean.append(float(good.mean()) if len(good) else float("nan"))
        low.append(float(np.quantile(good, 0.05)) if len(good) else float("nan"))
        high.append(float(np.quantile(good, 0.95)) if len(good) else float("nan"))
    return Curve(
        degradation.name, degradation.symbol, tuple(levels), tuple(mean), tuple(low), tuple(high)
    )
