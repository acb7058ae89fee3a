"""What chance would give: mean disorder over random continua, sampled as precisely as asked."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from accord.chance import MODELS, ChanceModel
from accord.chance.pool import Pool
from accord.data.continuum import Continuum
from accord.data.parallel import map_tasks
from accord.distance.units import Array, Dissimilarity
from accord.errors import InputError, UsageError
from accord.measures.gamma.observed import tally

#: normal quantile of the 95 % interval, as in the γ paper's formula for the number of samples
_Z = 1.959963984540054
#: steps of search that the proof of one sample is worth, a few seconds; with many annotators it
#: rarely succeeds
_EFFORT, _EFFORT_OF_MANY = 500_000_000, 50_000_000
_MANY = 12
#: samples per continuum at most, however precise the answer asked for
_MOST = 100_000


@dataclass(frozen=True, slots=True, eq=False)
class Expected:
    """Mean over the samples of one group of documents, and how sure it is.

    Columns: one per statistic (the disorder; or the disagreement of each category, then of all).
    """

    mean: Array
    #: standard error of the mean
    error: Array
    samples: int
    model: str
    #: the largest gap of any sample that was stopped at a time limit, relative to its disorder
    gap: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Sampling:
    """How chance is sampled."""

    chance: str
    samples: int
    precision: float | None
    seed: int
    jobs: int
    by_category: bool
    time_limit: float | None

    def __post_init__(self) -> None:
        if self.chance not in (*MODELS, "min"):
            raise UsageError(
                f"chance must be one of {', '.join(MODELS)} or min, got {self.chance!r}"
            )
        if self.samples < 2:
            raise UsageError(f"the number of samples must be at least 2, got {self.samples}")
        if self.precision is not None and not 0 < self.precision < 1:
            raise UsageError(f"the precision must be between 0 and 1, got {self.precision}")


@dataclass(frozen=True, slots=True, eq=False)
class Group:
    """Documents that share one expected disorder, and what chance may imitate for them."""

    templates: tuple[Continuum, ...]
    pool: Pool
    annotators: int
    key: int


def expected_disorders(
    groups: Sequence[Group],
    sources: tuple[Continuum, ...],
    d: Dissimilarity,
    how: Sampling,
    progress: Callable[[int, int], None] | None = None,
) -> tuple[list[Expected], list[str]]:
    """The expected disorder of each group, and notes on models that could not be used."""
    notes: list[str] = []
    names = tuple(MODELS) if how.chance == "min" else (how.chance,)
    best: list[Expected | None] = [None] * len(groups)
    for turn, name in enumerate(names):
        able = [g for g in range(len(groups)) if _enough(name, groups[g], sources)]
        if len(able) < len(groups):
            need = max(g.annotators for g in groups)
            sentence = f"random2 needs at least {need} documents, there are {len(sources)}"
            if how.chance != "min":
                raise InputError(sentence, hint="use another chance model")
            notes.append(f"{sentence}: the minimum is over the other chance models")
        models = [
            ChanceModel(
                name=name,
                templates=groups[g].templates,
                sources=sources,
                pool=groups[g].pool,
                annotators=groups[g].annotators,
                seed=how.seed,
                key=groups[g].key,
            )
            for g in able
        ]
        step = None
        if progress is not None:
            step = partial(_share, progress, turn, len(names))
        for g, found in zip(able, _sample(models, d, how, step), strict=True):
            held = best[g]
            if held is None or found.mean[-1] < held.mean[-1]:
                best[g] = found
    return [e for e in best if e is not None], notes


def _enough(name: str, group: Group, sources: tuple[Continuum, ...]) -> bool:
    return name != "random2" or len(sources) >= group.annotators


def _share(
    progress: Callable[[int, int], None], turn: int, turns: int, done: int, total: int
) -> None:
    progress(turn * total + done, turns * total)


def _sample(
    models: Sequence[ChanceModel],
    d: Dissimilarity,
    how: Sampling,
    progress: Callable[[int, int], None] | None,
) -> list[Expected]:
    """Draw until every model has the samples it needs for the precision asked for."""
    values: list[list[Array]] = [[] for _ in models]
    gaps = [0.0] * len(models)
    needed = [how.samples] * len(models)
    run = partial(_values, d=d, by_category=how.by_category, time_limit=how.time_limit)
    while True:
        batches = [
            (g, model, first, last)
            for g, model in enumerate(models)
            for first, last in _batches(len(values[g]), needed[g], how.jobs)
        ]
        if not batches:
            break
        total = sum(needed)
        sizes = np.cumsum([last - first for _, _, first, last in batches])
        had = sum(len(v) for v in values)
        report: Callable[[int], None] | None = None
        if progress is not None:
            report = partial(_count, progress, had, sizes, total)
        tasks = [(model, first, last) for _, model, first, last in batches]
        for (g, *_), (rows, gap) in zip(
            batches, map_tasks(run, tasks, jobs=how.jobs, progress=report), strict=True
        ):
            values[g].extend(rows)
            gaps[g] = max(gaps[g], gap)
        if how.precision is None:
            break
        needed = [_needed(np.array(v), how) for v in values]
    return [
        _summary(np.array(v), model.name, gap)
        for v, model, gap in zip(values, models, gaps, strict=True)
    ]


def _count(
    progress: Callable[[int, int], None],
    had: int,
    sizes: np.ndarray[tuple[int], np.dtype[np.int64]],
    total: int,
    done: int,
) -> None:
    progress(had + int(sizes[done - 1]), total)


def _batches(have: int, need: int, jobs: int) -> list[tuple[int, int]]:
    """Ranges of sample numbers; small ones, so that several workers finish together."""
    size = 10 if jobs == 1 else max(1, math.ceil((need - have) / (4 * max(jobs, 4))))
    return [(i, min(need, i + size)) for i in range(have, need, size)]


def _values(
    task: tuple[ChanceModel, int, int],
    *,
    d: Dissimilarity,
    by_category: bool,
    time_limit: float | None,
) -> tuple[list[Array], float]:
    """The statistic(s) of the samples first..last of a model, and their largest relative gap."""
    model, first, last = task
    rows, worst = [], 0.0
    for index in range(first, last):
        drawn = model.draw(index)
        effort = _EFFORT if drawn.annotators <= _MANY else _EFFORT_OF_MANY
        t = tally(drawn, d, by_category=by_category, time_limit=time_limit, effort=effort)
        if by_category:
            rows.append(
                np.divide(
                    t.numerator,
                    t.denominator,
                    out=np.full(len(t.numerator), np.nan),
                    where=t.denominator > 0,
                )
            )
        else:
            rows.append(np.array([t.disorder]))
        worst = max(worst, t.gap / t.total if t.total > 0 else 0.0)
    return rows, worst


def _needed(values: Array, how: Sampling) -> int:
    """N = ⌈(1.96·cv/ε)²⌉ (γ 2015, §5.3), at least the samples asked for."""
    assert how.precision is not None
    last = values[:, -1]
    last = last[np.isfinite(last)]
    mean = float(last.mean()) if len(last) else 0.0
    if len(last) < 2 or mean == 0:
        return max(len(values), how.samples)
    cv = float(last.std(ddof=1)) / mean
    return min(_MOST, max(how.samples, math.ceil((_Z * cv / how.precision) ** 2)))


def _summary(values: Array, name: str, gap: float) -> Expected:
    defined = np.isfinite(values)
    count = defined.sum(axis=0)
    filled = np.where(defined, values, 0.0)
    mean = np.divide(
        filled.sum(axis=0), count, out=np.full(values.shape[1], np.nan), where=count > 0
    )
    spread = np.where(defined, values - mean, 0.0)
    variance = np.divide(
        (spread**2).sum(axis=0), count - 1, out=np.full(len(mean), np.nan), where=count > 1
    )
    error = np.sqrt(variance / np.maximum(count, 1))
    return Expected(mean, error, len(values), name, gap)


def sampling_error(shares: Array, errors: Array) -> float:
    """Standard error of Σ share·mean over independently sampled groups."""
    return float(np.sqrt(((shares * errors) ** 2).sum()))


def sampling_quantile() -> float:
    """Normal quantile of the sampling interval."""
    return _Z
