"""What chance would give: the disorder of random continua, sampled as precisely as asked.

The observed value of a corpus is a ratio of sums over its documents, Σ total / Σ x̄ (γ-cat and γ-k:
Σ w·d / Σ w). The expected one is formed alike: a ratio of sums over a random corpus, every document
drawn once, and its mean over several. The mean of the ratios of single documents is 5 to 14 % too
high where they hold two or three units. Where no random corpus is complete (more documents than
samples, or groups of different numbers of annotators), the sums are over all samples: with many
documents that is the same, with one it is not (γ-k then rises to +.08 at chance, since more
disagreement on a category also means more pairs with it).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial

import numpy as np
from numpy.typing import NDArray

from accord.chance import MODELS, PAPERS, ChanceModel
from accord.chance.pool import Pool
from accord.data.continuum import Continuum
from accord.data.parallel import map_tasks
from accord.distance.units import Array, Dissimilarity
from accord.errors import InputError, UsageError
from accord.measures.gamma.observed import tallies

#: normal quantile of the 95 % interval, as in the γ paper's formula for the number of samples
Z = 1.959963984540054
#: steps of search that the proof of one sample is worth, a few seconds; with many annotators it
#: rarely succeeds
_EFFORT, _EFFORT_OF_MANY = 500_000_000, 50_000_000
_MANY = 12
#: samples per group: at first (all there are of a single document); at most by default; at all
FIRST, _DEFAULT_MOST, _MOST = 30, 300, 100_000
#: relative precision that the default tries to reach within these limits
_DEFAULT_PRECISION = 0.02
#: units that one task draws, where documents are small
_TOGETHER = 4_000

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sampling:
    """How chance is sampled."""

    chance: str
    #: None: 30, and for several documents up to 300 while chance is known to worse than ± 2 %
    samples: int | None
    precision: float | None
    seed: int
    jobs: int
    by_category: bool
    time_limit: float | None
    method: str = "exact"
    #: what points are widened to, after they were drawn
    tolerance: float = 0.0
    #: labels are mapped between annotators, in the data and by chance
    own_labels: bool = False

    def __post_init__(self) -> None:
        if self.chance not in (*MODELS, "min"):
            raise UsageError(
                f"chance must be one of {', '.join(MODELS)} or min, got {self.chance!r}"
            )
        if self.samples is not None and self.samples < 2:
            raise UsageError(f"the number of samples must be at least 2, got {self.samples}")
        if self.precision is not None and not 0 < self.precision < 1:
            raise UsageError(f"the precision must be between 0 and 1, got {self.precision}")


@dataclass(frozen=True, slots=True, eq=False)
class Group:
    """Documents that share one expected disorder, and what chance may imitate for them.

    `weights` are Σ x̄ of its documents, then, for γ-cat and γ-k, Σ w of their aligned pairs for each
    category and for all.
    """

    templates: tuple[Continuum, ...]
    pool: Pool
    annotators: int
    key: int
    weights: Array


@dataclass(frozen=True, slots=True, eq=False)
class Expected:
    """Ratio of sums over the samples of one group of documents, and how sure it is.

    Columns: the disorder; then the disagreement of each category, then of all.
    """

    mean: Array
    #: standard error of the ratio (delta method)
    error: Array
    samples: int
    model: str
    #: what is missing of the proofs of the samples, as a share of their disorder
    gap: float


@dataclass(slots=True, eq=False)
class Samples:
    """The samples drawn so far of one chance model for each group; more are drawn when asked.

    A row holds numerators, denominators (in the columns of :class:`Expected`) and the gap.
    """

    models: Sequence[ChanceModel]
    d: Dissimilarity
    how: Sampling
    rows: list[list[Array]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.rows = [[] for _ in self.models]

    def draw(self, needed: Sequence[int], progress: Progress | None = None) -> None:
        """Have at least so many samples of each group."""
        batches = [
            (g, first, last)
            for g, need in enumerate(needed)
            for first, last in _batches(len(self.rows[g]), need, self.how.jobs)
        ]
        if not batches:
            return
        tasks = list(_tasks(batches, self.models))
        sizes = np.cumsum([sum(last - first for _, first, last in task) for task in tasks])
        had = sum(len(rows) for rows in self.rows)
        total = had + int(sizes[-1])
        report = None
        if progress is not None:
            report = lambda done: progress(had + int(sizes[done - 1]), total)  # noqa: E731
        run = partial(
            _rows,
            d=self.d,
            by_category=self.how.by_category,
            time_limit=self.how.time_limit,
            method=self.how.method,
            tolerance=self.how.tolerance,
            own_labels=self.how.own_labels,
        )
        work = [[(self.models[g], first, last) for g, first, last in task] for task in tasks]
        found = map_tasks(run, work, jobs=self.how.jobs, progress=report)
        for task, rows in zip(tasks, found, strict=True):
            taken = 0
            for g, first, last in task:
                self.rows[g].extend(rows[taken : taken + last - first])
                taken += last - first

    def expected(self, counts: Sequence[int]) -> list[Expected]:
        """The expectation from the first so many samples of each group."""
        alone = len(self.models) == 1
        return [
            _ratio(
                np.array(rows[:count]),
                model.name,
                np.array([model.place(i) for i in range(count)]),
                corpus=alone,
            )
            for rows, count, model in zip(self.rows, counts, self.models, strict=True)
        ]


def expected_disorders(
    groups: Sequence[Group],
    sources: tuple[Continuum, ...],
    how: Sampling,
    samples: Callable[[str, Sequence[int]], Samples],
    column: int,
    progress: Progress | None = None,
) -> tuple[list[Expected], list[str]]:
    """The expected values of each group, and notes on models that could not be used.

    `samples` gives those of a chance model for some of the groups. `column` is the statistic that
    must be as precise as asked.
    """
    notes: list[str] = []
    names = PAPERS if how.chance == "min" else (how.chance,)
    best: list[Expected | None] = [None] * len(groups)
    for turn, name in enumerate(names):
        able = [
            g
            for g, group in enumerate(groups)
            if name != "random2" or len(sources) >= group.annotators
        ]
        if len(able) < len(groups):
            need = max(g.annotators for g in groups)
            sentence = f"random2 needs at least {need} documents, there are {len(sources)}"
            if how.chance != "min":
                raise InputError(sentence, hint="use another chance model")
            notes.append(f"{sentence}: the minimum is over the other chance models")
        drawn = samples(name, able)
        step = None
        if progress is not None:
            step = partial(_share, progress, turn, len(names))
        counts = _drawn(drawn, [groups[g] for g in able], how, column, step)
        for g, found in zip(able, drawn.expected(counts), strict=True):
            held = best[g]
            if held is None or found.mean[column] < held.mean[column]:
                best[g] = found
    return [e for e in best if e is not None], notes


def _share(progress: Progress, turn: int, turns: int, done: int, total: int) -> None:
    progress(turn * total + done, turns * total)


def _drawn(
    samples: Samples,
    groups: Sequence[Group],
    how: Sampling,
    column: int,
    progress: Progress | None,
) -> list[int]:
    """Draw until the expectation of the whole corpus is as precise as asked; samples per group."""
    counts = [how.samples or _first(len(g.templates)) for g in groups]
    samples.draw(counts, progress)
    if how.samples is not None and how.precision is None:
        return counts
    if how.precision is not None:
        most = [_MOST] * len(groups)
    else:
        most = [FIRST if len(g.templates) == 1 else _DEFAULT_MOST for g in groups]
    while True:
        needed = _needed(
            samples.expected(counts),
            np.array([g.weights[column] for g in groups]),
            column,
            how.precision or _DEFAULT_PRECISION,
        )
        more = [
            max(c, _whole_turns(min(m, n), len(g.templates), m))
            for c, m, n, g in zip(counts, most, needed, groups, strict=True)
        ]
        if more == counts:
            return counts
        counts = more
        samples.draw(counts, progress)


def _needed(found: Sequence[Expected], weights: Array, column: int, precision: float) -> list[int]:
    """Samples per group so that ± 1.96 standard errors of Σ W·E are within `precision` of it.

    With one group this is N = ⌈(1.96·cv/ε)²⌉ (γ 2015, §5.3); several share the work in proportion
    to what each adds to the error.
    """
    mean = np.nan_to_num([e.mean[column] for e in found])
    counts = np.array([e.samples for e in found])
    spread = np.nan_to_num([e.error[column] for e in found]) * np.sqrt(counts) * weights
    whole = float(weights @ mean)
    if whole <= 0:
        return [0] * len(found)
    share = spread * (Z / (precision * whole)) ** 2 * spread.sum()
    return [math.ceil(x) for x in share]


def _first(documents: int) -> int:
    """30, or a little more for whole random corpora."""
    return FIRST if documents > FIRST else documents * math.ceil(FIRST / documents)


def _whole_turns(count: int, documents: int, most: int) -> int:
    """All documents as often, twice at least, where there is room for that.

    What differs between documents then adds nothing to the error of the expectation.
    """
    if documents == 1 or count <= _first(documents) or 2 * documents > most:
        return count
    return documents * max(2, min(math.ceil(count / documents), most // documents))


def _batches(have: int, need: int, jobs: int) -> list[tuple[int, int]]:
    """Ranges of sample numbers; small ones, so that several workers finish together."""
    size = 10 if jobs == 1 else max(1, math.ceil((need - have) / (4 * max(jobs, 4))))
    return [(i, min(need, i + size)) for i in range(have, need, size)]


def _tasks(
    batches: Sequence[tuple[int, int, int]], models: Sequence[ChanceModel]
) -> Iterator[list[tuple[int, int, int]]]:
    """Batches put together while their documents are small: those are aligned at once."""
    task: list[tuple[int, int, int]] = []
    units = 0.0
    for g, first, last in batches:
        templates = models[g].templates
        size = (last - first) * sum(map(len, templates)) / len(templates)
        many = models[g].annotators > _MANY
        if task and (units + size > _TOGETHER or many != (models[task[0][0]].annotators > _MANY)):
            yield task
            task, units = [], 0.0
        task.append((g, first, last))
        units += size
    yield task


def _rows(
    task: Sequence[tuple[ChanceModel, int, int]],
    *,
    d: Dissimilarity,
    by_category: bool,
    time_limit: float | None,
    method: str,
    tolerance: float,
    own_labels: bool,
) -> list[Array]:
    """Numerators, denominators and gap of the samples first..last of each model."""
    drawn = [model.draw(index) for model, first, last in task for index in range(first, last)]
    effort = _EFFORT if task[0][0].annotators <= _MANY else _EFFORT_OF_MANY
    return [
        np.concatenate([t.numerators, t.denominators, [t.gap]])
        for t in tallies(
            drawn,
            d,
            by_category=by_category,
            time_limit=time_limit,
            effort=effort,
            method=method,
            tolerance=tolerance,
            own_labels=own_labels,
        )
    ]


def _ratio(rows: Array, name: str, place: NDArray[np.int64], *, corpus: bool = False) -> Expected:
    """Σ numerator / Σ denominator, with the standard error of the delta method.

    `place` is the document that each sample imitates. Where all were imitated as often, twice or
    more, only what differs between the samples of one document is an error; and where these are all
    documents of the `corpus`, the ratio is formed for each random corpus and averaged.
    """
    width = (rows.shape[1] - 1) // 2
    numerator, denominator = rows[:, :width], rows[:, width : 2 * width]
    size = len(rows)
    whole = denominator.sum(axis=0)
    nothing = np.full(width, np.nan)
    mean = np.divide(numerator.sum(axis=0), whole, out=nothing.copy(), where=whole > 0)
    rest = numerator - mean * denominator
    each = np.bincount(place)
    balanced = bool(each.min() == each.max() >= 2)
    strata = len(each) if balanced else 1
    order = np.argsort(place, kind="stable") if strata > 1 else np.arange(size)
    within = rest[order].reshape(strata, size // strata, width)
    within = within - within.mean(axis=1, keepdims=True)
    freedom = size - strata
    spread = (within**2).sum(axis=(0, 1)) * size / freedom if freedom else nothing
    error = np.divide(np.sqrt(spread), whole, out=nothing.copy(), where=whole > 0)
    if corpus and balanced:
        # samples come in turns of all documents
        over, under = (
            x.reshape(-1, len(each), width).sum(axis=1) for x in (numerator, denominator)
        )
        some = (under > 0).sum(axis=0)
        shares = np.divide(over, under, out=np.zeros_like(over), where=under > 0)
        mean = np.divide(shares.sum(axis=0), some, out=nothing.copy(), where=some > 0)
        if strata == 1:
            # (of a mean of ratios the error is that of a mean)
            apart = (np.where(under > 0, shares - mean, 0.0) ** 2).sum(axis=0)
            error = np.sqrt(np.divide(apart, some * (some - 1), out=nothing.copy(), where=some > 1))
    total = float(numerator[:, 0].sum())
    gap = float(rows[:, -1].sum()) / total if total > 0 else 0.0
    return Expected(mean, error, size, name, gap)
