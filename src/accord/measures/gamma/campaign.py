"""A campaign of units aligned and compared with chance: what all the γ measures share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from accord.alignment.batch import batches, in_order
from accord.alignment.chosen import kept_key
from accord.chance import ChanceModel, atom_of
from accord.chance.pool import Pool
from accord.data.continuum import Continuum, Document, documents_of
from accord.data.parallel import map_tasks
from accord.data.units import Units
from accord.distance.units import Array, Dissimilarity
from accord.errors import UsageError
from accord.measures.gamma.expected import (
    Expected,
    Group,
    Progress,
    Samples,
    Sampling,
    Z,
    expected_disorders,
)
from accord.measures.gamma.observed import Tally, tallies
from accord.result import NO_SHARED_DOCUMENT

#: relative half width of the expected value's interval beyond which the reader is told
_IMPRECISE = 0.1
#: alignments and samples under so many settings are kept with the data
_KEPT = 8
Places = np.ndarray[tuple[int], np.dtype[np.int64]]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Campaign:
    """Documents aligned, and the expected disorder that each is measured against."""

    documents: tuple[Document, ...]
    tallies: tuple[Tally, ...]
    expected: tuple[Expected, ...]
    #: which expected disorder a document has
    group: Places
    #: "document" or "corpus"
    scope: str
    notes: tuple[str, ...]
    #: why nothing could be computed
    undefined: str | None = None

    def weights(self, column: int = 0) -> Array:
        """Denominator of each document: its units per annotator, or the weight of its pairs."""
        return np.array([t.denominators[column] for t in self.tallies])

    def observed(self, column: int = 0) -> Array:
        """Numerator of each document."""
        return np.array([t.numerators[column] for t in self.tallies])

    def chance(self, column: int = 0) -> Array:
        """Expected value of each document."""
        means = np.nan_to_num([e.mean[column] for e in self.expected])
        return means[self.group] if len(means) else np.zeros(len(self.documents))

    def terms(self) -> dict[str, Any]:
        """What every γ measure reports beside its value."""
        if self.undefined is not None:
            return {"documents": len(self.documents)}
        total = float(self.observed().sum())
        gap = sum(t.gap for t in self.tallies)
        found: dict[str, Any] = {
            "documents": len(self.documents),
            "unitary_alignments_gap": gap / total if total > 0 else 0.0,
            "proven": self.proven,
            "samples": sum(e.samples for e in self.expected),
            "chance": sorted({e.model for e in self.expected}),
        }
        weight = sum(t.greedy_weight for t in self.tallies)
        greedy = sum(t.greedy_total for t in self.tallies) / weight if weight > 0 else np.nan
        if not np.isnan(greedy):
            ideal = total / float(self.weights().sum())
            found |= {"greedy": greedy, "greedy_excess": greedy - ideal}
        return found

    @property
    def proven(self) -> bool:
        return all(t.gap == 0 for t in self.tallies) and all(e.gap == 0 for e in self.expected)

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
        short = sum(t.gap for t in self.tallies) / total if total > 0 else 0.0
        share = np.bincount(self.group, weights=self.weights(), minlength=len(self.expected))
        mean = share * np.nan_to_num([e.mean[0] for e in self.expected])
        least = float(mean @ np.array([1 - e.gap for e in self.expected])) / float(mean.sum())
        highest = 1 - (1 - value) * (1 - short)
        return [1 - (1 - value) / least if least > 0 else float("-inf"), highest]

    def cautions(self, precision: float) -> tuple[str, ...]:
        """What a reader must know before trusting the value."""
        found: tuple[str, ...] = ()
        if not self.proven:
            worst = max([0.0, *(t.gap / t.total for t in self.tallies if t.total > 0)])
            worst = max([worst, *(e.gap for e in self.expected)])
            found += (
                f"some alignments are not proven ideal (the largest gap is {worst:.1%} of the "
                "disorder); a longer `time_limit` may prove them",
            )
        if precision > _IMPRECISE:
            found += (
                f"chance is known to ± {precision:.0%} only: sample it more, with `precision=0.05`",
            )
        return found


def campaign(
    units: Units,
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
    everything = documents_of(units)
    documents = tuple(x for x in everything if len(x.annotators) >= 2)
    notes: list[str] = []
    alone = len(everything) - len(documents)
    if alone and documents:
        notes.append(f"{alone} documents seen by fewer than two annotators were left out")
    scope = expected or ("corpus" if len(documents) > 1 else "document")
    empty = partial(
        Campaign,
        documents=documents,
        tallies=(),
        expected=(),
        group=np.zeros(0, dtype=np.int64),
        scope=scope,
        notes=tuple(notes),
    )
    if not documents:
        return empty(undefined=NO_SHARED_DOCUMENT)
    if not any(len(x.continuum) for x in documents):
        return empty(undefined="nobody marked any unit")
    if (how.chance != "rotation" or ground_truth is not None) and any(
        d.by_sets(x.continuum) for x in documents
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
    truth = None if ground_truth is None else tuple(ground_truth)
    bench = _bench(units, documents, d, how, scope, truth)
    found, more = expected_disorders(
        bench.groups, bench.sources, how, bench.samples, column, progress
    )
    return Campaign(
        documents=documents,
        tallies=bench.tallies,
        expected=tuple(found),
        group=bench.group,
        scope=scope,
        notes=(*notes, *more),
    )


@dataclass(slots=True, eq=False, kw_only=True)
class Bench:
    """Alignments and samples of one campaign under one dissimilarity, shared by all γ measures."""

    tallies: tuple[Tally, ...]
    groups: tuple[Group, ...]
    group: Places
    sources: tuple[Continuum, ...]
    atom: float
    d: Dissimilarity
    how: Sampling
    drawn: dict[str, Samples]

    def samples(self, name: str, able: Sequence[int]) -> Samples:
        """Those of a chance model for some of the groups (always the same ones for a model)."""
        if name not in self.drawn:
            self.drawn[name] = Samples(
                [
                    ChanceModel(
                        name=name,
                        templates=self.groups[g].templates,
                        sources=self.sources,
                        pool=self.groups[g].pool,
                        annotators=self.groups[g].annotators,
                        seed=self.how.seed,
                        key=self.groups[g].key,
                        atom=self.atom,
                    )
                    for g in able
                ],
                self.d,
                self.how,
            )
        return self.drawn[name]


def _bench(
    units: Units,
    documents: tuple[Document, ...],
    d: Dissimilarity,
    how: Sampling,
    scope: str,
    ground_truth: tuple[str, ...] | None,
) -> Bench:
    """The bench of these settings, kept with the data; one with categories serves γ too."""
    key = ("gamma", d.key, how.method, how.tolerance, how.own_labels, how.seed, how.time_limit,
           scope, ground_truth)  # fmt: skip
    for fit in ((*key, True), (*key, how.by_category)):
        if fit in units.memo:
            kept: Bench = units.memo[fit]
            # samples still to come may be drawn by another number of workers
            for samples in kept.drawn.values():
                samples.how = replace(samples.how, jobs=how.jobs)
            return kept
    # who looks at categories looks at the alignments next (a report draws them): they stay with the data
    keep = how.by_category and how.method == "exact" and not how.own_labels
    run = partial(
        tallies, d=d, by_category=how.by_category, greedy=True, time_limit=how.time_limit,
        method=how.method, tolerance=how.tolerance, keep=keep, own_labels=how.own_labels,
    )  # fmt: skip
    continua = [x.continuum for x in documents]
    together = batches(continua, d)
    work = [[continua[k] for k in some] for some in together]
    found = tuple(in_order(together, map_tasks(run, work, jobs=how.jobs)))
    group, groups, sources = _groups(documents, found, scope, ground_truth)
    made = Bench(
        tallies=found,
        groups=groups,
        group=group,
        sources=sources,
        atom=atom_of(continua),
        d=d,
        how=how,
        drawn={},
    )
    while len(units.memo) >= _KEPT:
        units.memo.pop(next(iter(units.memo)))
    units.memo[*key, how.by_category] = made
    if keep:
        where = kept_key(d, how.method, how.tolerance, how.time_limit)
        units.memo[where] = [t.chosen for t in found]
    return made


def _groups(
    documents: Sequence[Document],
    found: Sequence[Tally],
    scope: str,
    ground_truth: tuple[str, ...] | None,
) -> tuple[Places, tuple[Group, ...], tuple[Continuum, ...]]:
    """The group of each document, the groups, and all continua to draw from.

    A document without units weighs nothing: it needs no expected disorder.
    """
    order = _content_order(documents)
    imitated = [_imitated(x, ground_truth) for x in documents]
    sources = tuple(imitated[i] for i in order if len(imitated[i]))
    if not sources:
        raise UsageError("the ground-truth annotators marked no unit to model chance on")
    whole = Pool.gather(sources)
    used = [i for i in order if len(documents[i].continuum)]
    place = np.zeros(len(documents), dtype=np.int64)
    groups = []
    if scope == "document":
        for key, i in enumerate(used):
            own = imitated[i]
            # a document where no ground-truth annotator marked anything borrows from the corpus
            templates = (own,) if len(own) else sources
            pool = Pool.gather(templates) if len(own) else whole
            place[i] = key
            groups.append(
                Group(templates, pool, len(documents[i].annotators), key, found[i].denominators)
            )
        return place, tuple(groups), sources
    sizes = sorted({len(documents[i].annotators) for i in used})
    for number, n in enumerate(sizes):
        alike = [i for i in used if len(documents[i].annotators) == n]
        place[alike] = number
        weights = np.sum([found[i].denominators for i in alike], axis=0)
        templates = tuple(imitated[i] for i in alike if len(imitated[i]))
        groups.append(Group(templates or sources, whole, n, n, weights))
    return place, tuple(groups), sources


def _imitated(document: Document, ground_truth: tuple[str, ...] | None) -> Continuum:
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
    return Continuum.assemble(parts, c.low, c.high, known=c.known)


def _content_order(documents: Sequence[Document]) -> list[int]:
    """Documents in an order that depends on what is in them, not on their names."""
    return sorted(
        range(len(documents)),
        key=lambda i: (
            len(documents[i].continuum),
            sorted(documents[i].continuum.counts.tolist()),
            float((documents[i].continuum.start - documents[i].continuum.low).sum()),
        ),
    )
