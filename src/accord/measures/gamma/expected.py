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
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from accord.chance import PAPERS
from accord.data.progress import Course
from accord.distance.units import Array
from accord.errors import InputError
from accord.measures.gamma.samples import Samples, Sampling

#: normal quantile of the 95 % interval, as in the γ paper's formula for the number of samples
Z = 1.959963984540054
#: samples per group: at first (all there are of a single document); at most by default; at all
FIRST, _DEFAULT_MOST, _MOST = 30, 300, 100_000
#: units that are aligned in no time
_SOON = 5_000
#: samples that have a spread, each with the same turned
_LEAST = 4
#: samples of a group that tell about how many it will take
_TELLING = 8
#: relative precision that the default tries to reach within these limits
_DEFAULT_PRECISION = 0.02


@dataclass(frozen=True, slots=True, eq=False)
class Group:
    """Documents that share one expected disorder, and what chance may imitate for them."""

    #: the documents to imitate
    places: NDArray[np.int64]
    #: units of each, on average
    units: float
    annotators: int
    key: int


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

    def times(self, share: Expected) -> Expected:
        """So much of it, by which other draws were less than themselves turned."""
        mean = self.mean * share.mean
        with np.errstate(divide="ignore", invalid="ignore"):
            error = mean * np.hypot(self.error / self.mean, share.error / share.mean)
        return Expected(mean, error, share.samples, share.model, max(self.gap, share.gap))


def expected_disorders(
    groups: Sequence[Group],
    sources: int,
    how: Sampling,
    able_groups: Callable[[str], list[int]],
    samples: Callable[[str, Sequence[int]], Samples],
    weights: Array,
    course: Course,
    *,
    column: int = 0,
) -> tuple[list[Expected | None], list[str]]:
    """The expected values of each group, and notes on models that could not be used.

    None for groups whose documents have too few others, where chance is what was marked in others.

    `sources` is the number of documents there are to draw from; `able_groups` says for which groups a
    chance model can draw, `samples` gives what it draws for some of them. `column` is the statistic
    that must be as precise as asked, `weights` what each group weighs in it.
    """
    notes: list[str] = []
    names = model_names(how.chance)
    best: list[Expected | None] = [None] * len(groups)
    for name in names:
        able = able_groups(name)
        if len(able) < len(groups) and name != "documents":
            need = max(g.annotators for g in groups)
            sentence = f"random2 needs at least {need} documents, there are {sources}"
            if how.chance != "min":
                raise InputError(sentence, hint="use another chance model")
            notes.append(f"{sentence}: the minimum is over the other chance models")
        if name == "documents":
            best = [found if g in able else None for g, found in enumerate(best)]
        if not able:
            continue
        drawn = samples(name, able)
        some = [groups[g] for g in able]
        if name == "documents" and how.precision is None:
            held = [e for e in best if e is not None]
            counts = [
                max(_LEAST, how.samples or _half(g, e.samples))
                for g, e in zip(some, held, strict=True)
            ]
            drawn.draw(counts, course)
        else:
            counts = _drawn(drawn, some, how, weights[able], column, course)
        for g, found in zip(able, expected_of(drawn, counts), strict=True):
            least = best[g]
            if least is not None and name == "documents":
                # (turned before)
                best[g] = least.times(found)
            elif least is None or found.mean[column] < least.mean[column]:
                best[g] = found
    return best, notes


def expected_of(samples: Samples, counts: Sequence[int]) -> list[Expected]:
    """The expectation from the first so many samples of each group."""
    alone = len(samples.models) == 1
    if samples.models[0].elsewhere is not None:
        return [
            compared_with_turned(np.array(rows[:count]), model.name)
            for rows, count, model in zip(samples.rows, counts, samples.models, strict=True)
        ]
    return [
        ratio_of_samples(
            np.array(rows[:count]),
            model.name,
            np.array([model.place(i) for i in range(count)]),
            corpus=alone,
        )
        for rows, count, model in zip(samples.rows, counts, samples.models, strict=True)
    ]


def model_names(chance: str) -> tuple[str, ...]:
    """The models whose least expectation is taken; mostly one.

    What annotators marked in other documents is compared with turning, and turned first.
    """
    if chance == "documents":
        return ("rotation", chance)
    return PAPERS if chance == "min" else (chance,)


def first_counts(groups: Sequence[Group], how: Sampling) -> list[int]:
    """Samples of each group to begin with."""
    return [how.samples or _first(len(g.places)) for g in groups]


def _drawn(
    samples: Samples,
    groups: Sequence[Group],
    how: Sampling,
    weights: Array,
    column: int,
    course: Course,
) -> list[int]:
    """Draw until the expectation of the whole corpus is as precise as asked; samples per group."""
    counts = first_counts(groups, how)
    samples.draw(counts, course)
    while True:
        more = _asked_for(expected_of(samples, counts), counts, groups, how, weights, column)
        if more == counts:
            return counts
        counts = more
        samples.draw(counts, course)


def likely_more(
    samples: Samples,
    rows: Sequence[Sequence[Array]],
    groups: Sequence[Group],
    how: Sampling,
    column: int,
) -> float:
    """How much work more samples will be, as far as some of the first tell; 0 while they do not."""
    if min(map(len, rows)) < _TELLING:
        return 0.0
    found = [
        ratio_of_samples(
            np.array(own), model.name, np.array([model.place(i) for i in range(len(own))])
        )
        for own, model in zip(rows, samples.models, strict=True)
    ]
    # (what a group weighs is known after the alignments: about as much as it has units)
    weights = np.array([len(g.places) * g.units / g.annotators for g in groups])
    counts = first_counts(groups, how)
    more = _asked_for(found, counts, groups, how, weights, column)
    return sum(samples.effort(k, m - c) for k, (m, c) in enumerate(zip(more, counts, strict=True)))


def _asked_for(
    found: Sequence[Expected],
    counts: Sequence[int],
    groups: Sequence[Group],
    how: Sampling,
    weights: Array,
    column: int,
) -> list[int]:
    """Samples per group to have after so many, if the expectation of them all is to be precise enough."""
    if how.samples is not None and how.precision is None:
        return list(counts)
    if how.precision is not None:
        most = [_MOST] * len(groups)
    else:
        most = [FIRST if len(g.places) == 1 else _DEFAULT_MOST for g in groups]
    needed = _needed(found, weights, column, how.precision or _DEFAULT_PRECISION)
    return [
        max(c, _whole_turns(min(m, n), len(g.places), m))
        for c, m, n, g in zip(counts, most, needed, groups, strict=True)
    ]


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


def _half(group: Group, turned: int) -> int:
    """Samples of what was marked in other documents: half as many as there are alignments before.

    Where documents are small they take no time, and a few more are drawn.
    """
    before = len(group.places) + turned
    least = 2 * FIRST if 2 * FIRST * group.units < _SOON else 0
    return min(_DEFAULT_MOST, max(least, before // 2))


def _whole_turns(count: int, documents: int, most: int) -> int:
    """All documents as often, twice at least, where there is room for that.

    What differs between documents then adds nothing to the error of the expectation.
    """
    if documents == 1 or count <= _first(documents) or 2 * documents > most:
        return count
    return documents * max(2, min(math.ceil(count / documents), most // documents))


def ratio_of_samples(
    rows: Array, name: str, place: NDArray[np.int64], *, corpus: bool = False
) -> Expected:
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


def compared_with_turned(rows: Array, name: str) -> Expected:
    """By how much random continua have less disorder than the same turned, each after the other.

    Both are ratios of sums; the standard error is that of their ratio (delta method).
    """
    width = (rows.shape[1] - 1) // 2
    pairs = rows[: len(rows) // 2 * 2].reshape(-1, 2, rows.shape[1])
    gap = np.divide(pairs[:, :, -1].sum(), pairs[:, :, 0].sum())
    sums = pairs[:, :, : 2 * width]
    with np.errstate(divide="ignore", invalid="ignore"):
        shares = sums / sums.sum(axis=0)
        each = shares[:, 0] - shares[:, 1]
        each = each[:, :width] - each[:, width:]
        over, under = sums[..., :width].sum(axis=0), sums[..., width:].sum(axis=0)
        mean = (over[0] / under[0]) / (over[1] / under[1])
        error = mean * np.sqrt((each**2).sum(axis=0) * len(pairs) / (len(pairs) - 1))
    nothing = ~np.isfinite(mean)
    mean[nothing] = error[nothing] = np.nan
    return Expected(mean, error, 2 * len(pairs), name, float(gap))
