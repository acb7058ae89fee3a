"""A campaign of units aligned and compared with chance: what all the γ measures share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from accord.alignment.batch import relative_work
from accord.alignment.chosen import kept_key
from accord.chance import FROM_SOURCES, POOLED
from accord.chance.documents import too_few_others
from accord.data.corpus import Corpus, corpus_of
from accord.data.parallel import map_tasks, workers_of
from accord.data.progress import Course, Progress
from accord.data.units import Units
from accord.distance.units import Array, Dissimilarity
from accord.errors import UsageError
from accord.measures.gamma.expected import (
    Expected,
    Group,
    Z,
    expected_disorders,
    first_counts,
    likely_more,
    model_names,
)
from accord.measures.gamma.ground import Ground
from accord.measures.gamma.outline import Outline, Places, shared_by_two
from accord.measures.gamma.samples import Plan, Samples, Sampling
from accord.measures.gamma.tallies import Tallies, tallied
from accord.result import NO_SHARED_DOCUMENT

#: relative half width of the expected value's interval beyond which the reader is told
_IMPRECISE = 0.1
#: alignments and samples under so many settings are kept with the data
_KEPT = 8
#: documents in memory are cut as for so many workers at least: who looks on hears of smaller parts
_PARTS = 2


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Campaign:
    """Documents aligned, and the expected disorder that each is measured against."""

    #: the names of those that at least two annotators saw
    documents: tuple[str, ...]
    #: None where nothing could be computed
    tallies: Tallies | None
    expected: tuple[Expected, ...]
    #: which expected disorder a document has
    group: Places
    #: "document" or "corpus"
    scope: str
    notes: tuple[str, ...]
    #: why nothing could be computed
    undefined: str | None = None

    @property
    def _found(self) -> Tallies:
        assert self.tallies is not None
        return self.tallies

    def weights(self, column: int = 0) -> Array:
        """Denominator of each document: its units per annotator, or the weight of its pairs."""
        return self._found.denominators[:, column].copy()

    def observed(self, column: int = 0) -> Array:
        """Numerator of each document."""
        return self._found.numerators[:, column].copy()

    def chance(self, column: int = 0) -> Array:
        """Expected value of each document."""
        means = np.nan_to_num([e.mean[column] for e in self.expected])
        return means[self.group] if len(means) else np.zeros(len(self.documents))

    def terms(self) -> dict[str, Any]:
        """What every γ measure reports beside its value."""
        if self.undefined is not None:
            return {"documents": len(self.documents)}
        total = float(self.observed().sum())
        gap = sum(self._found.gap.tolist())
        found: dict[str, Any] = {
            "documents": len(self.documents),
            "unitary_alignments_gap": gap / total if total > 0 else 0.0,
            "proven": self.proven,
            "samples": sum(e.samples for e in self.expected),
            "chance": sorted({e.model for e in self.expected}),
        }
        weight = sum(self._found.greedy_weight.tolist())
        greedy = sum(self._found.greedy_total.tolist()) / weight if weight > 0 else np.nan
        if not np.isnan(greedy):
            ideal = total / float(self.weights().sum())
            found |= {"greedy": greedy, "greedy_excess": greedy - ideal}
        return found

    @property
    def proven(self) -> bool:
        return not self._found.gap.any() and all(e.gap == 0 for e in self.expected)

    def expectation(self, column: int = 0) -> tuple[float, float, int]:
        """Σ expected over the documents, its standard error, and the samples it rests on."""
        share = np.bincount(self.group, weights=self.weights(column), minlength=len(self.expected))
        mean = np.nan_to_num([e.mean[column] for e in self.expected])
        error = np.nan_to_num([e.error[column] for e in self.expected])
        used = [e.samples for e, s in zip(self.expected, share, strict=True) if s > 0]
        return float(share @ mean), float(np.sqrt(((share * error) ** 2).sum())), sum(used)

    def sampling(self, value: float, column: int = 0) -> tuple[dict[str, Any], tuple[float, float]]:
        """What sampling chance adds: terms for the reader, variance and freedom for intervals.

        The variance of 1 − O/E that follows from that of E is (1 − value)²(se_E/E)² (delta method),
        N − 1 its degrees of freedom.
        """
        whole, error, samples = self.expectation(column)
        precision = Z * error / whole
        low, high = whole - Z * error, whole + Z * error
        observed = (1 - value) * whole * self.lift(column)
        terms = {
            "sampling": {
                "low": 1 - observed / low if low > 0 else float("-inf"),
                "high": 1 - observed / high,
                "level": 0.95,
                "error": (1 - value) * error / whole,
            },
            "precision": precision,
        }
        return terms, (((1 - value) * error / whole) ** 2, float(max(1, samples - 1)))

    def lift(self, column: int = 0) -> float:
        """1 + (se_E/E)²: by so much 1/E is too high on average when E is a mean of samples.

        1/E is convex: without this, γ of 30 samples would be too low by (1 − γ)(se_E/E)² (delta
        method), up to .01 on short documents.
        """
        whole, error, _ = self.expectation(column)
        return 1 + (error / whole) ** 2 if whole > 0 else 1.0

    def proof_interval(self, value: float) -> list[float]:
        """Where the value lies for certain when some alignments are not proven ideal.

        What is missing of a proof can only lower a disorder: the observed one down to its bound
        raises the value, the expected one lowers it.
        """
        total = float(self.observed().sum())
        short = sum(self._found.gap.tolist()) / total if total > 0 else 0.0
        share = np.bincount(self.group, weights=self.weights(), minlength=len(self.expected))
        mean = share * np.nan_to_num([e.mean[0] for e in self.expected])
        least = float(mean @ np.array([1 - e.gap for e in self.expected])) / float(mean.sum())
        highest = 1 - (1 - value) * (1 - short)
        return [1 - (1 - value) / least if least > 0 else float("-inf"), highest]

    def cautions(self, precision: float, proven: Sequence[float] | None = None) -> tuple[str, ...]:
        """What a reader must know before trusting the value; `proven` is its :meth:`proof_interval`."""
        found: tuple[str, ...] = ()
        if not self.proven:
            some = self._found.totals > 0
            worst = max([0.0, *(self._found.gap[some] / self._found.totals[some]).tolist()])
            worst = max([worst, *(e.gap for e in self.expected)])
            means = "what that means for categories is not known"
            if proven is not None:
                low, high = (f"{limit:.3f}" for limit in proven)
                means = f"with proofs the value would be between {low} and {high}"
                if low == high:
                    means = f"with proofs the value would be {low} as well"
            found += (
                f"some alignments may not be the best (at most {worst:.1%} of the "
                f"disorder): {means}; a longer `time_limit` may prove them",
            )
        if precision > _IMPRECISE:
            found += (
                f"chance is known to ± {precision:.0%} only: sample it more, with `precision=0.05`",
            )
        return found


def campaign(
    units: Units | Corpus,
    d: Dissimilarity,
    how: Sampling,
    *,
    column: int = 0,
    expected: str | None = None,
    ground_truth: Sequence[str] | None = None,
    progress: Progress | None = None,
) -> Campaign:
    """Align every document, sample chance for it; what was aligned before is not aligned again.

    `column` is the statistic whose expectation must be as precise as asked (0 the disorder, −1 the
    disagreement on all categories).
    """
    if expected not in (None, "document", "corpus"):
        raise UsageError(f"expected must be document or corpus, got {expected!r}")
    course = Course(progress)
    corpus = corpus_of(units)
    shared = np.flatnonzero(shared_by_two(corpus.coverage))
    notes: list[str] = []
    alone = len(corpus.documents) - len(shared)
    if alone and len(shared):
        notes.append(f"documents left out because fewer than two people annotated them: {alone}")
    scope = expected or ("corpus" if len(shared) > 1 else "document")
    names = tuple([corpus.documents[k] for k in shared.tolist()])
    empty = partial(
        Campaign,
        documents=names,
        tallies=None,
        expected=(),
        group=np.zeros(0, dtype=np.int64),
        scope=scope,
        notes=tuple(notes),
    )
    if not names:
        return empty(undefined=NO_SHARED_DOCUMENT)
    if not corpus.sizes[shared].any():
        return empty(undefined="nobody marked any unit")
    if corpus.held is None:
        _refuse_stored(how.chance, scope if len(names) > 1 else "corpus")
    elif how.chance == "documents" and ground_truth is not None:
        raise UsageError(
            "chance documents gives every annotator their own annotations of other documents: it goes "
            "without `ground_truth`"
        )
    elif (
        (how.chance != "rotation" or ground_truth is not None)
        and corpus.held.pieces is not None
        and any(d.by_sets(corpus.held[k]) for k in shared.tolist())
    ):
        raise UsageError(
            "units of several fragments are drawn by chance rotation from all annotators only; "
            "pass `fragments=hull` to take them from their first to their last place"
        )
    if how.own_labels:
        notes.append(
            "labels were mapped between annotators, in each document and by chance alike: the best "
            "mapping of several beginnings, not proven to be the best of all"
        )
    truth = None
    if ground_truth is not None:
        truth = tuple(a for a, name in enumerate(corpus.annotators) if name in ground_truth)
    bench = _bench(corpus, shared, d, how, scope, truth, column, course)
    ground = bench.ground
    found, more = expected_disorders(
        ground.groups,
        len(ground.sources),
        how,
        ground.able,
        ground.samples,
        bench.weights(column),
        course,
        column=column,
    )
    course.end()
    compared = np.array([k for k, e in enumerate(found) if e is not None], dtype=np.int64)
    if not len(compared):
        return empty(undefined=too_few_others(corpus.coverage[shared]))
    kept = np.flatnonzero(np.isin(ground.group, compared))
    if left := int((corpus.sizes[shared] > 0).sum() - (corpus.sizes[shared[kept]] > 0).sum()):
        more.append(f"{left} documents whose annotators have too few others were left out")
    return Campaign(
        documents=tuple(names[k] for k in kept.tolist()),
        tallies=bench.tallies.taken(kept) if left else bench.tallies,
        expected=tuple(e for e in found if e is not None),
        group=np.searchsorted(compared, ground.group[kept]),
        scope=scope,
        notes=(*notes, *more),
    )


def _refuse_stored(chance: str, scope: str) -> None:
    """What needs all units at once, when they are not in memory."""
    if chance in (*POOLED, *FROM_SOURCES, "min"):
        raise UsageError(
            f"chance {chance} draws from the units of all documents at once, which stay in their file; "
            "use rotation or shuffle, or read the data into memory"
        )
    if scope == "document":
        raise UsageError(
            "`expected=document` draws from every document many times, and these stay in their file; "
            "use `expected=corpus`, or read the data into memory"
        )


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Bench:
    """Alignments and samples of one campaign under one dissimilarity, shared by all γ measures."""

    tallies: Tallies
    ground: Ground

    def weights(self, column: int) -> Array:
        """What each group weighs: Σ x̄ of its documents, or Σ w of their aligned pairs."""
        order = self.ground.order
        found: Array = np.bincount(
            self.ground.group[order],
            weights=self.tallies.denominators[order, column],
            minlength=len(self.ground.groups),
        ).astype(np.float64)
        return found


def _bench(
    corpus: Corpus,
    shared: Places,
    d: Dissimilarity,
    how: Sampling,
    scope: str,
    truth: tuple[int, ...] | None,
    column: int,
    course: Course,
) -> Bench:
    """The bench of these settings, kept with the data; one with categories serves γ too."""
    key = ("gamma", d.key, how.method, how.tolerance, how.own_labels, how.seed, how.time_limit,
           scope, truth)  # fmt: skip
    memo = corpus.memo
    for fit in ((*key, True), (*key, how.by_category)):
        if fit in memo:
            kept: Bench = memo[fit]
            # samples still to come may be drawn by another number of workers
            for samples in kept.ground.drawn.values():
                samples.how = replace(samples.how, jobs=how.jobs)
            return kept
    # who looks at categories looks at the alignments next (a report draws them): they stay with the data
    in_memory = corpus.held is not None
    keep = in_memory and how.by_category and how.method == "exact" and not how.own_labels
    made = _worked(corpus, shared, d, how, scope, truth, keep, column, course)
    while len(memo) >= _KEPT:
        memo.pop(next(iter(memo)))
    memo[*key, how.by_category] = made
    if keep:
        memo[kept_key(d, how.method, how.tolerance, how.time_limit)] = made.tallies.chosen
    return made


def _worked(
    corpus: Corpus,
    shared: Places,
    d: Dissimilarity,
    how: Sampling,
    scope: str,
    truth: tuple[int, ...] | None,
    keep: bool,
    column: int,
    course: Course,
) -> Bench:
    """Align all documents; with those in memory the first samples are drawn at the same time."""
    align = partial(
        tallied, d=d, by_category=how.by_category, time_limit=how.time_limit, method=how.method,
        tolerance=how.tolerance, keep=keep, own_labels=how.own_labels,
        outlined=corpus.held is not None, truth=truth,
    )  # fmt: skip
    lay = partial(Ground.of, corpus, shared, truth=truth, scope=scope, d=d, how=how)
    ground = None if corpus.held is None else lay(Outline.of(corpus.held, truth))
    plans: list[tuple[Samples, Plan, list[Group]]] = []
    for name in model_names(how.chance) if ground is not None else ():
        assert ground is not None
        able = ground.able(name)
        if not able:
            continue
        samples, groups = ground.samples(name, able), [ground.groups[g] for g in able]
        plans.append((samples, samples.plan(first_counts(groups, how)), groups))
    parts = corpus.parts(max(workers_of(how.jobs), 1 if corpus.held is None else _PARTS))
    seconds = [how.seconds(d, corpus.sizes[shared], corpus.coverage[shared].sum(axis=1))]
    seconds += [plan.seconds for _, plan, _ in plans]
    # samples before documents: they tell how many more it will take
    tasks: list[tuple[int, Any]] = [
        (k, task) for k, (_, plan, _) in enumerate(plans, 1) for task in plan.tasks
    ]
    drawn = len(tasks)
    tasks += [(0, part) for part in parts]
    # documents are cut into parts of about as many units; one weight for them and for samples
    work = relative_work(corpus.sizes[shared] + 1, corpus.coverage[shared].sum(axis=1)).sum()
    weights = [w for samples, plan, _ in plans for w in samples.work(plan)]
    weights += [work / len(parts) for _ in parts]
    found: list[Any] = []
    told = course.round(weights)

    def rows(k: int) -> list[list[Array]]:
        """The samples of a plan, as many as there are, task by task."""
        return [own for (kind, _), own in zip(tasks, found, strict=False) if kind == k]

    def tell(pieces: int) -> None:
        assert told is not None
        # (thought over a few times, not after every sample)
        if 4 * pieces // max(1, drawn) > 4 * (pieces - 1) // max(1, drawn) and pieces <= drawn:
            course.later = sum(
                (
                    likely_more(samples, samples.sorted_out(plan, rows(k)), groups, how, column)
                    for k, (samples, plan, groups) in enumerate(plans, 1)
                ),
                start=0.0,
            )
        told(pieces)

    map_tasks(
        partial(_one, functions=(align, *(plan.run for _, plan, _ in plans))),
        tasks,
        jobs=how.jobs,
        seconds=sum(s for s in seconds if s is not None) if None not in seconds else None,
        progress=None if told is None else tell,
        into=found,
    )
    tallies = Tallies.merged(found[drawn:])
    for k, (samples, plan, _) in enumerate(plans, 1):
        samples.keep(plan, rows(k))
    if corpus.stored_order is not None:
        stored = corpus.stored_order
        tallies = tallies.taken(np.argsort(stored[np.isin(stored, shared)]))
    if ground is None:
        assert tallies.outline is not None
        ground = lay(tallies.outline)
    return Bench(tallies=tallies, ground=ground)


def _one(task: tuple[int, Any], *, functions: tuple[Callable[[Any], Any], ...]) -> Any:
    kind, what = task
    return functions[kind](what)
