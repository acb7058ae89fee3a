"""Is one value really larger than another? One question, one p-value, named by its test."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import comb
from typing import Any

import numpy as np

from accord.errors import UsageError
from accord.options import LEVEL, RESAMPLES, check_draws
from accord.options.kinds import refuses_other_kinds
from accord.printed import Printable, Printed
from accord.registry import Measure, find
from accord.result import Array, Interval, Result, Sample
from accord.uncertainty import dirichlet
from accord.uncertainty.interval import documents_of, few_documents, interval
from accord.uncertainty.jackknife import (
    freedom,
    leave_one_out,
    satterthwaite,
    student,
    student_below,
)
from accord.uncertainty.joint import Joint, joint_virtual, side_by_side
from accord.uncertainty.scale import Scale, scale_of
from accord.uncertainty.spread import Spread, hull, of_draws, of_error
from accord.uncertainty.swaps import SWAPS, mcnemar_p, permutation_p, swap_p

#: p-values below are not written out in a table
_SMALL = 0.001
#: documents from which swapping them can reach a small p: none is under 2^(1−D)
_LEAST_SWAPPED = 6
#: ways to deal documents from which .05 can be reached, and documents dealt at most
_LEAST_WAYS, _MOST_DEALT = 35, 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison(Printable):
    """The difference a − b, its interval, and the p-value of the test that fits the question."""

    a: str
    b: str
    difference: float
    interval: Interval | None
    #: two-sided; None when the question has no test
    p: float | None
    #: mcnemar, swap-items, swap-documents, jackknife-documents, dirichlet-paired, …
    test: str | None
    #: both rest on the same items (or documents)
    paired: bool
    n: int
    measure: str = ""
    #: by how much a may be worse than b and still count as no worse
    margin: float | None = None
    #: one-sided, of the hypothesis that a is worse than b by more than the margin
    p_margin: float | None = None
    #: larger values are better; False for distances
    similarity: bool = True
    warnings: tuple[str, ...] = ()

    def __str__(self) -> str:
        made = self.interval
        limits = "" if made is None else f" [{made.low:.4f}, {made.high:.4f}]"
        tested = "" if self.p is None else f", p = {self.p:.4f} ({self.test})"
        if self.p_margin is not None:
            tested += f", not worse by {self.margin:g}: p = {self.p_margin:.4f}"
        return f"{self.a} − {self.b} = {self.difference:.4f}{limits}{tested}"

    def __repr__(self) -> str:
        return f"<{self}>"

    def _repr_html_(self) -> str:
        from accord.markup import axis_of, block, interval_bar, paragraph

        made = self.interval
        limits = (None, None) if made is None else (made.low, made.high)
        least, most = axis_of([self.difference, *limits])
        return block(
            str(self),
            interval_bar(self.difference, *limits, axis=(min(least, -most), most)),
            *(paragraph(f"⚠ {w}") for w in self.warnings),
        )

    def _printed(self) -> Printed:
        row = self.to_dict()
        kept = (
            "measure",
            "a",
            "b",
            "difference",
            "interval",
            "p",
            "test",
            "margin",
            "p_margin",
            "n",
        )
        shown = {name: row[name] for name in kept if row.get(name, "") != ""}
        tested = {"p": self.p, "p_margin": self.p_margin}
        small = {name: "< 0.001" for name, p in tested.items() if p is not None and p < _SMALL}
        return Printed.of_rows([shown | small])

    def to_dict(self) -> dict[str, object]:
        out: dict[str, Any] = {
            "measure": self.measure,
            "a": self.a,
            "b": self.b,
            "difference": self.difference,
            "interval": None if self.interval is None else self.interval.to_dict(),
            "p": self.p,
            "test": self.test,
            "paired": self.paired,
            "n": self.n,
            **({} if self.margin is None else {"margin": self.margin, "p_margin": self.p_margin}),
        }
        return {**out, "warnings": list(self.warnings)} if self.warnings else out


@dataclass(frozen=True, slots=True, kw_only=True)
class _How:
    level: float
    resamples: int
    swaps: int
    seed: int
    #: what the two sides have in common: all answers, the reference, or nothing
    shared: str
    accuracy: bool


#: limits, p-value, test
_Found = tuple[Spread | None, float | None, str | None]


@refuses_other_kinds
def compare(
    first: Result,
    second: Result,
    *,
    level: float = LEVEL,
    resamples: int = RESAMPLES,
    swaps: int = SWAPS,
    seed: int = 0,
    unit: str | None = None,
    margin: float | None = None,
    names: Sequence[str] = ("", ""),
) -> Comparison:
    """Compare two systems, two groups of annotators, two campaigns, or two measures.

    ================================  ==========  ====================================================
    question                          units       test
    ================================  ==========  ====================================================
    two systems, accuracy             items       exact McNemar (``mcnemar``)
    two systems, another score        items       answers swapped (``swap-items``)
    two systems, any score            documents   swapped whole (``swap-documents``); fewer than six:
                                                  ``jackknife-documents``
    two groups, the same items        items       joint Dirichlet weights (``dirichlet-paired``)
    two groups, the same items        documents   ``jackknife-documents``
    two campaigns                     items       independent weights (``dirichlet-unpaired``)
    two campaigns                     documents   dealt at random to either (``deal-documents``), or the
                                                  limits of both (``mover-documents``)
    two measures on the same data     any         none: they answer different questions
    ================================  ==========  ====================================================

    The sides are *paired* when they rest on the same items in the same documents. Documents are
    respected wherever there are at least two; ``unit="item"`` ignores them on purpose.

    With a `margin`, ``p_margin`` tests non-inferiority: the hypothesis that the first side is worse
    than the second by more than the margin. It rests on the distribution of the interval: below
    (1 − level)/2 where the whole interval is on the good side of the margin.
    """
    for side in (first, second):
        if not isinstance(side, Result):
            raise UsageError(
                f"results are compared, got {type(side).__name__}; give what accord.agree or accord.score "
                "returns"
            )
    check_draws(level=level, resamples=resamples, seed=seed)
    check_margin("margin", margin)
    a, b = first.sample, second.sample
    if a is None or b is None:
        raise UsageError("both results must keep a sample to be compared")
    if first.undefined or second.undefined:
        raise UsageError(f"cannot compare: {first.undefined or second.undefined}")
    record = _record(first.measure)
    systems = not first.annotators and not second.annotators
    paired = _paired(a, b, loose=systems)
    alike = first.measure == second.measure and (not paired or not _two_options(first, second))
    how = _How(
        level=level, resamples=resamples, swaps=swaps, seed=seed,
        shared="reference" if systems and alike else "nothing" if alike else "all",
        accuracy=record is not None and record.right,
    )  # fmt: skip
    by = documents_of(a, unit), documents_of(b, unit)
    difference = first.value - second.value
    warnings: tuple[str, ...] = ()
    if by[0] is not None or by[1] is not None:
        found = (
            _paired_documents(a, b, by[0], by[1], difference, how)
            if paired and by[0] is not None and by[1] is not None
            else _two_corpora(first, second, (by[0] or a, by[1] or b), how)
        )
        D = min(int(np.count_nonzero(s.counts)) for s in by if s is not None)
        warnings = few_documents(D) if D >= 2 else ()
        used = "documents"
    else:
        found = _paired_items(a, b, difference, how) if paired else _unpaired(a, b, difference, how)
        used = "items"
        if unit == "item" and max(len(a.clusters), len(b.clusters)) > 1:
            warnings = ("documents are ignored: items of one document are taken as independent",)
    spread, p, test = found
    if not alike:
        p, test = None, None
        warnings = (*warnings, "two measures answer different questions: no p-value")
    elif p is None:
        warnings = (*warnings, f"no p-value: too few {used}, or none of them differs")
    similarity = record is None or record.similarity
    return Comparison(
        a=names[0] or first.system or first.signature,
        b=names[1] or second.system or second.signature,
        measure=first.measure if first.measure == second.measure else "",
        difference=difference,
        interval=_limits(spread, difference, first, second, level),
        p=p,
        test=test,
        paired=paired,
        n=int(max(a.counts.sum(), b.counts.sum())),
        margin=margin,
        p_margin=None if margin is None or not alike else _worse_by(spread, margin, similarity),
        similarity=similarity,
        warnings=warnings,
    )


def check_margin(name: str, margin: float | None) -> None:
    """Refuse a margin that is no distance."""
    if margin is not None and not 0 <= margin < math.inf:
        raise UsageError(f"`{name}` must be 0 or more, got {margin!r}")


def _worse_by(spread: Spread | None, margin: float, similarity: bool) -> float | None:
    """The p-value of the hypothesis that the first side is worse by more than the margin."""
    if spread is None:
        return None
    p = spread.below(-margin) if similarity else 1 - spread.below(margin)
    # (of draws the share is never none of them)
    B = spread.resamples
    return p if B is None else (p * B + 1) / (B + 1)


# --- the questions -------------------------------------------------------------------------------


def _paired_items(a: Sample, b: Sample, difference: float, how: _How) -> _Found:
    joint = side_by_side(a, b)
    n = int(joint.counts.sum())
    if n < 2:
        return None, None, None
    left = joint.leave_one_out()
    graded = a.graded or b.graded or a.virtual is None or b.virtual is None
    spread: Spread | None = None
    drawn = np.empty(0)
    if not (a.whole or b.whole):
        drawn = joint.draw(joint_virtual(a, b, how.shared), how.resamples, how.seed)
        spread = of_draws(drawn, how.level, "dirichlet:item")
    if np.isfinite(left.error):
        student = of_error(difference, left.error, n - 1, how.level, "jackknife:item")
        name = "dirichlet+jackknife:item" if graded else "dirichlet:item"
        spread = student if spread is None else hull(spread, student, name)
    if how.shared == "reference":
        if how.accuracy:
            return spread, mcnemar_p(joint), "mcnemar"
        if _swappable(a, b):
            return spread, swap_p(joint, swaps=how.swaps, seed=how.seed), "swap-items"
        return spread, _t_test(difference, left.error, n - 1), "jackknife-items"
    if len(drawn):
        p = _careful(_share_p(drawn), _t_test(difference, left.error, n - 1))
        return spread, p, "dirichlet-paired"
    return spread, _t_test(difference, left.error, n - 1), "jackknife-items"


def _paired_documents(
    a: Sample, b: Sample, by_a: Sample, by_b: Sample, difference: float, how: _How
) -> _Found:
    joint = side_by_side(by_a, by_b)
    D = int(joint.counts.sum())
    if D < 2:
        return None, None, None
    error = joint.leave_one_out().error
    df = _joint_freedom(joint)
    more = [s.noise for s in (by_a, by_b) if s.noise is not None]
    if more and np.isfinite(error):
        df = satterthwaite((error**2, df), *more)
        error = float(np.sqrt(error**2 + sum(v for v, _ in more)))
    spread: Spread | None = None
    if np.isfinite(error) and error > 0:
        spread = of_error(difference, error, df, how.level, "jackknife:document")
    if a.unit == "item" and not (a.whole or b.whole):
        items = of_draws(
            side_by_side(a, b).draw(joint_virtual(a, b, how.shared), how.resamples, how.seed),
            how.level,
            "dirichlet:item",
        )
        if items is not None and spread is not None:
            spread = hull(spread, items, "jackknife:document")
    if how.shared == "reference" and D >= _LEAST_SWAPPED and _swappable(a, b):
        return spread, swap_p(joint, swaps=how.swaps, seed=how.seed), "swap-documents"
    return spread, _t_test(difference, error, df), "jackknife-documents"


def _unpaired(a: Sample, b: Sample, difference: float, how: _How) -> _Found:
    if min(a.counts.sum(), b.counts.sum()) < 2:
        return None, None, None
    errors = [(leave_one_out(s).error, freedom(s)) for s in (a, b)]
    spread: Spread | None = None
    drawn = np.empty(0)
    if not (a.whole or b.whole):
        children = np.random.SeedSequence(how.seed).spawn(2)
        x, y = (
            dirichlet.replicates(s, how.resamples, int(c.generate_state(1)[0]))
            for s, c in zip((a, b), children, strict=True)
        )
        size = min(len(x), len(y))
        drawn = x[:size] - y[:size]
        spread = of_draws(drawn, how.level, "dirichlet:item")
    error, df = _sum(errors)
    if np.isfinite(error):
        student = of_error(difference, error, df, how.level, "jackknife:item")
        name = "dirichlet+jackknife:item" if a.graded or b.graded else "dirichlet:item"
        spread = student if spread is None else hull(spread, student, name)
    if len(drawn) and spread is not None:
        p = _careful(_share_p(drawn), _t_test(difference, error, df))
        return spread, p, "dirichlet-unpaired"
    return spread, _t_test(difference, error, df), "welch-items"


def _two_corpora(first: Result, second: Result, units: tuple[Sample, Sample], how: _How) -> _Found:
    """Two campaigns, at least one of them with documents: the limits of each recover its variance.

    A few documents seldom show the bad one that many do, so that their jackknife alone says too little
    (Welch's test of 4 documents and 40 rejects .11 to .30 of true nulls). The interval of each value has
    the unseen document and its longer tail; with a, b the lengths of its limits towards the other value,
    the difference reaches √(a² + b²) (Zou & Donner 2008). The test deals the documents of both to
    either at random, where their sums mean the same; else p is the level at which the limits end at 0.
    """
    difference = first.value - second.value
    if min(int(np.count_nonzero(s.counts)) for s in units) < 2:
        return None, None, None
    sides = [
        interval(side, level=how.level, resamples=how.resamples, seed=how.seed).interval
        for side in (first, second)
    ]
    one, two = sides
    if one is None or two is None:
        return None, 1.0 if difference == 0 else None, "mover-documents"
    degrees = [freedom(s) for s in units]
    down = np.array([first.value - one.low, two.high - second.value])
    up = np.array([one.high - first.value, second.value - two.low])

    def below(x: float) -> float:
        tail = _reach_p(down if x < difference else up, degrees, x - difference, how.level)
        return tail if x < difference else 1 - tail

    spread = Spread(
        low=difference - float(np.hypot(*down)),
        high=difference + float(np.hypot(*up)),
        method="mover:document",
        below=below,
    )
    a, b = units
    if _poolable(first, second, a, b):
        return spread, permutation_p(a, b, permutations=how.swaps, seed=how.seed), "deal-documents"
    toward = down if difference > 0 else up
    p = 2 * _reach_p(toward, degrees, abs(difference), how.level)
    return spread, min(1.0, p), "mover-documents"


def _poolable(first: Result, second: Result, a: Sample, b: Sample) -> bool:
    """Whether documents may be dealt to either campaign, and there are ways enough to deal them.

    Their sums must mean the same on both sides, and from 35 ways on a p of .05 can be reached.
    """
    known = a.meaning is not None or not (first.annotators or second.annotators)
    sizes = [int(s.counts.sum()) for s in (a, b)]
    own = first.sample, second.sample
    return (
        known
        and a.unit == b.unit == "document"
        and all(s is not None and s.rows is not None and not s.whole for s in own)
        and a.noise is None
        and b.noise is None
        and sum(sizes) <= _MOST_DEALT
        and comb(sum(sizes), min(sizes)) >= _LEAST_WAYS
        and _swappable(a, b)
    )


def _reach_p(lengths: Array, degrees: Sequence[float], gap: float, level: float) -> float:
    """The tail beyond which both limits, as Student's t stretches them, reach over the gap."""
    scaled = [
        length / student(df, (1 + level) / 2) for length, df in zip(lengths, degrees, strict=True)
    ]
    least, most = 0.0, 0.5
    for _ in range(60):
        tail = (least + most) / 2
        reach = np.hypot(
            *(s * student(df, 1 - tail) for s, df in zip(scaled, degrees, strict=True))
        )
        least, most = (tail, most) if reach > abs(gap) else (least, tail)
    return (least + most) / 2


# --- the pieces ----------------------------------------------------------------------------------


def _paired(a: Sample, b: Sample, *, loose: bool) -> bool:
    """The same units, each in the same document.

    Two systems are scored on one reference: an item that one of them left out stays its item, so
    that with `loose` most of the units must be the same, not all.
    """
    if a.keys is None or b.keys is None or a.unit != b.unit:
        return False
    if a.keys is b.keys and a.cluster is b.cluster:
        return True
    mine, other = (dict(_places(s)) for s in (a, b))
    common = sum(bool(mine.get(key, _NOWHERE) == where) for key, where in other.items())
    whole = len(mine.keys() | other.keys())
    return common > whole / 2 if loose else common == whole


_NOWHERE = object()


def _places(sample: Sample) -> list[tuple[Any, Any]]:
    keys = sample.keys or ()
    if sample.cluster is None:
        return [(key, None) for key in keys]
    return [(key, sample.clusters[c]) for key, c in zip(keys, sample.cluster, strict=True)]


def _two_options(first: Result, second: Result) -> bool:
    """The same answers under other options of the measure."""
    same = first.annotators == second.annotators and first.system == second.system
    return same and _options(first) != _options(second)


def _options(result: Result) -> set[str]:
    left_out = ("n:", "v:", "seed:", "ci:", "level:", "q:")
    return {part for part in result.plain.signature.split("|") if not part.startswith(left_out)}


def _swappable(a: Sample, b: Sample) -> bool:
    same: bool = a.meaning == b.meaning
    return same and a.swappable and b.swappable and a.width == b.width


def _joint_freedom(joint: Joint) -> float:
    sizes = joint.counts if joint.weight is None else joint.weight
    sizes = np.repeat(sizes, joint.counts.astype(np.int64))
    square = float(sizes @ sizes)
    return max(1.0, float(sizes.sum()) ** 2 / square - 1) if square > 0 else 1.0


def _sum(errors: Sequence[tuple[float, float]]) -> tuple[float, float]:
    variances = [(error**2, df) for error, df in errors]
    return float(np.sqrt(sum(v for v, _ in variances))), satterthwaite(*variances)


def _t_test(difference: float, error: float, df: float) -> float | None:
    if not np.isfinite(error):
        return None
    if error == 0:
        return 1.0 if difference == 0 else None
    return min(1.0, 2 * student_below(df, -abs(difference) / error))


def _share_p(differences: Array) -> float | None:
    """2·min(#{d ≤ 0} + 1, #{d ≥ 0} + 1)/(B + 1), at most 1."""
    good = differences[np.isfinite(differences)]
    if len(good) < len(differences) // 2:
        return None
    sides = int(np.sum(good <= 0)), int(np.sum(good >= 0))
    return min(1.0, 2 * (min(sides) + 1) / (len(good) + 1))


def _careful(drawn: float | None, student: float | None) -> float | None:
    """The larger of two p-values: weights alone are a little liberal in small samples.

    Dirichlet weights reject 6–8 % of true nulls at .05 (30 to 100 items); with Student's t of the
    jackknife beside them, about 5 %.
    """
    known = [p for p in (drawn, student) if p is not None]
    return max(known) if drawn is not None and known else None


def _limits(
    spread: Spread | None, difference: float, first: Result, second: Result, level: float
) -> Interval | None:
    if spread is None:
        return None
    one, two = scale_of(first.measure), scale_of(second.measure)
    reach = Scale(low=one.low - two.high, high=one.high - two.low)
    made = replace(spread).around(difference, reach)
    return Interval(
        made.low, made.high, level, made.method,
        error=made.error, df=made.df, resamples=made.resamples, dropped=made.dropped,
    )  # fmt: skip


def _record(measure: str) -> Measure | None:
    """The record of a measure; None for a name nobody enrolled."""
    try:
        return find(measure)
    except UsageError:
        return None
