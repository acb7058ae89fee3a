"""A campaign of units aligned and compared with chance: what all the γ measures share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from accord.chance.pool import Pool
from accord.data.continuum import Continuum, Document, documents_of
from accord.data.parallel import map_tasks
from accord.data.units import Units
from accord.distance.units import Array, Dissimilarity
from accord.errors import UsageError
from accord.measures.gamma.expected import (
    Expected,
    Group,
    Sampling,
    expected_disorders,
    sampling_error,
    sampling_quantile,
)
from accord.measures.gamma.observed import Tally, tally

#: relative half width of the expected value's interval beyond which the reader is told
_IMPRECISE = 0.1


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Study:
    """Documents aligned, and the expected disorder that each is measured against."""

    documents: tuple[Document, ...]
    tallies: tuple[Tally, ...]
    expected: tuple[Expected, ...]
    #: which expected disorder a document has
    group: np.ndarray[tuple[int], np.dtype[np.int64]]
    #: "document" or "corpus"
    scope: str
    notes: tuple[str, ...]
    #: why nothing could be computed
    undefined: str | None = None

    @property
    def weights(self) -> Array:
        return np.array([t.weight for t in self.tallies])

    def chance(self, statistic: int = -1) -> Array:
        """Expected value of each document."""
        means = np.array([e.mean[statistic] for e in self.expected])
        return means[self.group] if len(means) else np.zeros(len(self.documents))

    def terms(self) -> dict[str, Any]:
        """What every γ measure reports beside its value."""
        if self.undefined is not None:
            return {"documents": len(self.documents)}
        total = sum(t.total for t in self.tallies)
        gap = sum(t.gap for t in self.tallies)
        found: dict[str, Any] = {
            "documents": len(self.documents),
            "unitary_alignments_gap": gap / total if total > 0 else 0.0,
            "proven": gap == 0 and all(e.gap == 0 for e in self.expected),
            "samples": sum(e.samples for e in self.expected),
            "chance": sorted({e.model for e in self.expected}),
            "precision": self.precision(),
        }
        weight = sum(t.greedy_weight for t in self.tallies)
        greedy = sum(t.greedy_total for t in self.tallies) / weight if weight > 0 else np.nan
        if not np.isnan(greedy):
            ideal = total / float(self.weights.sum())
            found |= {"greedy": greedy, "greedy_excess": greedy - ideal}
        return found

    def precision(self, statistic: int = -1, weights: Array | None = None) -> float:
        """Half width of the 95 % sampling interval of the expected value, relative to it."""
        whole, error = self._expected_total(statistic, weights)
        return sampling_quantile() * error / whole if whole > 0 else float("nan")

    def cautions(self, precision: float) -> tuple[str, ...]:
        """What a reader must know before trusting the value."""
        found: tuple[str, ...] = ()
        if not self.terms()["proven"]:
            worst = max([0.0, *(t.gap / t.total for t in self.tallies if t.total > 0)])
            worst = max([worst, *(e.gap for e in self.expected)])
            found += (
                f"some alignments are not proven ideal (the largest gap is {worst:.1%} of the "
                "disorder); a longer --time-limit may prove them",
            )
        if precision > _IMPRECISE:
            found += (
                f"chance is known to ± {precision:.0%} only: sample it more, with --precision 0.05",
            )
        return found

    def sampling_interval(
        self, observed: float, statistic: int = -1, weights: Array | None = None
    ) -> tuple[float, float]:
        """Interval of 1 − observed/expected that follows from sampling chance alone."""
        whole, error = self._expected_total(statistic, weights)
        half = sampling_quantile() * error
        low, high = whole - half, whole + half
        if low <= 0:
            return float("-inf"), 1 - observed / high
        return 1 - observed / low, 1 - observed / high

    def noise(
        self, ratio: float, statistic: int = -1, weights: Array | None = None
    ) -> tuple[float, float]:
        """Variance that sampling chance adds to 1 − ratio, and its degrees of freedom.

        (1 − γ)² (se_E / E)² with the standard error of the mean expected value; the degrees are those
        of the samples that make it.
        """
        whole, error = self._expected_total(statistic, weights)
        samples = sum(e.samples for e in self.expected)
        return (ratio * error / whole) ** 2 if whole > 0 else 0.0, max(1.0, samples - 1.0)

    def _expected_total(self, statistic: int, weights: Array | None) -> tuple[float, float]:
        share: Array = np.bincount(
            self.group,
            weights=self.weights if weights is None else weights,
            minlength=len(self.expected),
        ).astype(np.float64)
        mean = np.nan_to_num([e.mean[statistic] for e in self.expected])
        error = np.nan_to_num([e.error[statistic] for e in self.expected])
        return float(share @ mean), sampling_error(share, error)


def study(
    units: Units,
    d: Dissimilarity,
    how: Sampling,
    *,
    expected: str | None,
    ground_truth: Sequence[str] | None,
    progress: Callable[[int, int], None] | None,
) -> Study:
    """Align every document, sample chance for it."""
    if expected not in (None, "document", "corpus"):
        raise UsageError(f"expected must be document or corpus, got {expected!r}")
    everything = documents_of(units)
    documents = [x for x in everything if len(x.annotators) >= 2]
    notes: list[str] = []
    alone = len(everything) - len(documents)
    if alone and documents:
        notes.append(f"{alone} documents seen by fewer than two annotators were left out")
    scope = expected or ("corpus" if len(documents) > 1 else "document")
    empty = partial(
        Study,
        documents=tuple(documents),
        tallies=(),
        expected=(),
        group=np.zeros(0, dtype=np.int64),
        scope=scope,
        notes=tuple(notes),
    )
    if not documents:
        return empty(undefined="no document was seen by two annotators")
    if not any(len(x.continuum) for x in documents):
        return empty(undefined="nobody marked any unit")
    run = partial(tally, d=d, by_category=how.by_category, greedy=True, time_limit=how.time_limit)
    tallies = map_tasks(run, [x.continuum for x in documents], jobs=how.jobs)
    used, group, groups, sources = _groups(documents, scope, ground_truth)
    found, more = expected_disorders(groups, sources, d, how, progress)
    place = np.zeros(len(documents), dtype=np.int64)
    place[used] = group
    return Study(
        documents=tuple(documents),
        tallies=tuple(tallies),
        expected=tuple(found),
        group=place,
        scope=scope,
        notes=(*notes, *more),
    )


def _groups(
    documents: Sequence[Document], scope: str, ground_truth: Sequence[str] | None
) -> tuple[list[int], list[int], list[Group], tuple[Continuum, ...]]:
    """Documents that have units, the group of each, the groups, and all continua to draw from.

    A document without units weighs nothing: it needs no expected disorder.
    """
    imitated = [_imitated(x, ground_truth) for x in documents]
    sources = tuple(c for c in imitated if len(c))
    if not sources:
        raise UsageError("the ground-truth annotators marked no unit to model chance on")
    whole = Pool.gather(sources)
    used = [i for i, x in enumerate(documents) if len(x.continuum)]
    if scope == "document":
        keys = _content_order([documents[i] for i in used])
        groups = []
        for i, key in zip(used, keys, strict=True):
            own = imitated[i]
            # a document where no ground-truth annotator marked anything borrows from the corpus
            templates = (own,) if len(own) else sources
            pool = Pool.gather(templates) if len(own) else whole
            groups.append(Group(templates, pool, len(documents[i].annotators), key))
        return used, list(range(len(used))), groups, sources
    sizes = sorted({len(documents[i].annotators) for i in used})
    groups = []
    for n in sizes:
        alike = tuple(
            imitated[i] for i in used if len(documents[i].annotators) == n and len(imitated[i])
        )
        groups.append(Group(alike or sources, whole, n, n))
    return used, [sizes.index(len(documents[i].annotators)) for i in used], groups, sources


def _imitated(document: Document, ground_truth: Sequence[str] | None) -> Continuum:
    """The continuum as chance may see it: of the ground-truth annotators only, if there are some."""
    c = document.continuum
    if ground_truth is None:
        return c
    parts = [
        (c.start[a:b], c.end[a:b], c.label[a:b])
        for name, a, b in zip(document.annotators, c.offsets[:-1], c.offsets[1:], strict=True)
        if name in ground_truth
    ]
    if not parts:
        nothing = np.empty(0)
        parts = [(nothing, nothing, nothing.astype(np.int32))]
    return Continuum.assemble(parts, c.low, c.high)


def _content_order(documents: Sequence[Document]) -> list[int]:
    """A number for each document that depends on what is in it, not on its name."""
    shape = [
        (len(x.continuum), sorted(x.continuum.counts.tolist()), x.continuum.mean_count, i)
        for i, x in enumerate(documents)
    ]
    keys = [0] * len(documents)
    for key, (*_, i) in enumerate(sorted(shape)):
        keys[i] = key
    return keys
