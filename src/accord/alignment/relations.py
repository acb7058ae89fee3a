"""Relations as what the aligner takes: numbered ends, which of them correspond, and pairs from that.

A relation is a point (source, target) among the ends of its document, each a number in the order of their
places. Candidates, solver, proof and canonical order are those of units. Only the list of pairs is made
differently (METHODS §18.2): two ends correspond when they overlap, and cost
min(Δ, Δ(1 − Dice)²) then; two relations may be aligned when at least one end corresponds.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from accord.alignment.alignment import real_pairs
from accord.alignment.layout import Layout, batched, farthest
from accord.alignment.packing import ranges
from accord.alignment.solution import Solution, solve_pairs
from accord.alignment.tuples import Pairs
from accord.data.encode import Codes
from accord.data.relations import Relations
from accord.distance.units import Array, Dissimilarity
from accord.errors import UsageError, some
from accord.kernels.outcome import canonical_order
from accord.kernels.relations import relation_pairs

Whole = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Costs:
    """What differences between relations cost."""

    alpha: float
    delta: float
    #: between labels, by β and Δ already; the last row stands for no label
    labels: Array
    #: by label (the last for none): the two ends of such a relation may be swapped
    unordered: NDArray[np.int8]

    @classmethod
    def of(
        cls,
        relations: Relations,
        d: Dissimilarity,
        *,
        undirected: bool = False,
        symmetric: Sequence[str] | None = None,
    ) -> Costs:
        """Those of a dissimilarity."""
        flags = without_direction(relations, undirected, symmetric)
        return cls(alpha=d.alpha, delta=d.delta, labels=d.costs, unordered=flags)


def without_direction(
    relations: Relations, undirected: bool, symmetric: Sequence[str] | None
) -> NDArray[np.int8]:
    """Which labels (the last entry: none) have no direction: all of them, or those that are named."""
    unknown = [name for name in symmetric or () if name not in relations.categories]
    if unknown:
        raise UsageError(
            f"`symmetric` names {unknown[0]!r}, which no relation is labelled; there are "
            f"{some(relations.categories) or 'no labels'}"
        )
    found = np.full(len(relations.categories) + 1, undirected, dtype=np.int8)
    found[[relations.categories.index(name) for name in symmetric or ()]] = 1
    return found


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Ends:
    """The distinct ends of each document, in the order of their places, and which correspond."""

    #: document d has the ends first[d] .. first[d+1]
    first: Whole
    #: ends × (start, end)
    place: Array
    #: end i corresponds to near[indptr[i] .. indptr[i+1]], itself among them, at cost `apart` < 1
    indptr: Whole
    near: Codes
    apart: Array


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Network:
    """All relations of a campaign as numbers: source and target among the ends of their document."""

    relations: Relations
    ends: Ends
    source: Codes
    target: Codes
    #: document d has the relations first[d] .. first[d+1], its annotator a own[d, a] .. own[d, a+1]
    first: Whole
    own: Whole
    #: documents that at least two annotators saw
    shared: Whole
    #: the annotators' units as ends of their document, their annotator and kind; None without units
    unit: Codes | None
    unit_annotator: Codes | None
    unit_kind: Codes | None

    @classmethod
    def of(cls, relations: Relations) -> Network:
        """Number the ends; what was numbered before is not numbered again."""
        if "network" not in relations.memo:
            relations.memo["network"] = cls._made(relations)
        made: Network = relations.memo["network"]
        return made

    @classmethod
    def _made(cls, relations: Relations) -> Network:
        documents, people = relations.coverage.shape
        size = len(relations)
        units = relations.units
        parts = [
            (relations.document, relations.source),
            (relations.document, relations.target),
        ]
        if units is not None:
            number = {name: i for i, name in enumerate(relations.documents)}
            where = np.array([number.get(name, -1) for name in units.documents], dtype=np.int32)
            there = where[units.document] >= 0
            parts.append(
                (where[units.document[there]], np.column_stack([units.start, units.end])[there])
            )
        document = np.concatenate([d for d, _ in parts])
        place = np.concatenate([p for _, p in parts])
        order = np.lexsort((place[:, 1], place[:, 0], document))
        changed = np.ones(len(order), dtype=bool)
        changed[1:] = (document[order][1:] != document[order][:-1]) | (
            place[order][1:] != place[order][:-1]
        ).any(axis=1)
        code = np.empty(len(order), dtype=np.int32)
        code[order] = np.cumsum(changed) - 1
        distinct = order[changed]
        cells = relations.document.astype(np.int64) * people + relations.annotator
        edges = cells.searchsorted(np.arange(documents * people + 1))
        own = np.column_stack(
            [edges[:-1].reshape(documents, people), edges[people::people][:documents]]
        )
        unit = who = kind = None
        if units is not None:
            unit = code[2 * size :]
            numbers = {name: i for i, name in enumerate(relations.annotators)}
            who = np.array([numbers.get(a, -1) for a in units.annotators], dtype=np.int32)[
                units.annotator[there]
            ]
            kinds = {name: i for i, name in enumerate(relations.kinds)}
            kind = np.array([*(kinds.get(c, -1) for c in units.categories), -1], dtype=np.int32)[
                units.label[there]
            ]
        return cls(
            relations=relations,
            ends=_ends(document[distinct], place[distinct], documents),
            source=code[:size],
            target=code[size : 2 * size],
            first=relations.document.searchsorted(np.arange(documents + 1)),
            own=own,
            shared=np.flatnonzero(relations.coverage.sum(axis=1) >= 2),
            unit=unit,
            unit_annotator=who,
            unit_kind=kind,
        )

    def annotators(self, document: int) -> Whole:
        """Who saw it."""
        return np.flatnonzero(self.relations.coverage[document])

    def work(self, documents: Sequence[int]) -> Work:
        """Documents (with as many annotators each; one may be there several times) side by side."""
        who = [self.annotators(d) for d in documents]
        counts = np.array(
            [self.own[d, a + 1] - self.own[d, a] for d, a in zip(documents, who, strict=True)]
        )
        bounds = np.zeros((len(documents), counts.shape[1] + 1), dtype=np.int64)
        bounds[:, 1:] = np.cumsum(counts, axis=1)
        bounds[1:] += np.cumsum(bounds[:-1, -1])[:, None]
        sizes = counts.sum(axis=1)
        rows = ranges(self.first[np.asarray(documents)], sizes)
        ends = self.ends
        low = ends.first[np.asarray(documents)]
        held = ends.first[np.asarray(documents) + 1] - low
        place = np.cumsum(held) - held
        shift = np.repeat(place - low, sizes)
        listed = ranges(low, held)
        near_counts = ends.indptr[listed + 1] - ends.indptr[listed]
        inside = ranges(ends.indptr[listed], near_counts)
        indptr = np.concatenate([[0], np.cumsum(near_counts)]).astype(np.int64)
        return Work(
            documents=tuple(int(d) for d in documents),
            bounds=bounds,
            rows=rows,
            source=(self.source[rows] + shift).astype(np.int32),
            target=(self.target[rows] + shift).astype(np.int32),
            label=self.relations.label[rows],
            place=place,
            low=low,
            indptr=indptr,
            near=(ends.near[inside] + np.repeat(np.repeat(place - low, held), near_counts)).astype(
                np.int32
            ),
            apart=ends.apart[inside],
        )

    def works(self, documents: Sequence[int]) -> Iterator[Work]:
        """All of these documents, small ones together, large ones alone."""
        wanted = np.asarray(documents, dtype=np.int64)
        people = self.relations.coverage[wanted].sum(axis=1)
        sizes = self.first[wanted + 1] - self.first[wanted]
        for number in np.unique(people).tolist():
            alike = np.flatnonzero(people == number)
            for part in batched(sizes[alike]):
                yield self.work(wanted[alike[part]].tolist())


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Work:
    """Documents that are aligned together; ends are numbered through all of them."""

    documents: tuple[int, ...]
    #: annotator a (of those who saw it) of document x has the relations bounds[x, a] .. bounds[x, a+1]
    bounds: Whole
    #: their rows in the data
    rows: Whole
    source: Codes
    target: Codes
    label: Codes
    #: number of the first end of each document here, and in the network
    place: Whole
    low: Whole
    indptr: Whole
    near: Codes
    apart: Array

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def annotators(self) -> int:
        return int(self.bounds.shape[1]) - 1

    def solved(
        self,
        costs: Costs,
        *,
        source: Codes | None = None,
        target: Codes | None = None,
        label: Codes | None = None,
        canonical: bool = False,
        time_limit: float | None = None,
        proof: bool = True,
    ) -> list[Solution[Links]]:
        """The ideal alignment, of the relations themselves or with other sources, targets, labels."""
        s, t, c = (
            own if given is None else given
            for own, given in ((self.source, source), (self.target, target), (self.label, label))
        )
        links = Links(self.bounds, s, t, np.ascontiguousarray(c, dtype=np.int32))

        def solve(some: Links) -> Solution[Links] | None:
            return solve_pairs(
                some,
                self.pairs(some, costs),
                costs.delta,
                canonical=canonical,
                time_limit=time_limit,
                proof=proof,
            )

        together = solve(links)
        if together is not None:
            return [together]
        # too much together: each document by itself
        found = []
        for x in range(len(self.bounds)):
            one = solve(links.alone(x))
            assert one is not None
            found.append(one)
        return found

    def totals(
        self,
        costs: Costs,
        *,
        source: Codes | None = None,
        target: Codes | None = None,
        label: Codes | None = None,
        time_limit: float | None = None,
        proof: bool = True,
    ) -> tuple[Array, float]:
        """Σδ(K) of each document, and what may be missing of a proof of their sum.

        Without `proof` it is a lower bound where alignments are hard to find, and the best elsewhere, to
        the grid of the solver.
        """
        found: list[Array] = []
        gap = 0.0
        for solution in self.solved(
            costs, source=source, target=target, label=label, time_limit=time_limit, proof=proof
        ):
            spent, sizes = solution.costs(solution.ideal)
            short = solution.ideal.gap * solution.step
            gap += short
            if not proof:
                # (a gap is that of one document)
                found.append(np.asarray(spent * solution.step - short, dtype=np.float64))
                continue
            row, one, two = real_pairs(solution.members(solution.ideal))
            own = solution.disorders(row, solution.pairs.at(one, two), int(sizes.sum()))
            document = np.repeat(np.arange(len(sizes)), sizes)
            found.append(np.asarray(np.bincount(document, own, len(sizes)), dtype=np.float64))
        return np.concatenate(found), gap

    def sharing(self, costs: Costs) -> tuple[Whole, Whole]:
        """All pairs of relations of two annotators that share an end, numbered as `rows` are."""
        links = Links(self.bounds, self.source, self.target, self.label)
        found = self.pairs(links, costs, limit=np.inf)
        return np.repeat(np.arange(len(self)), np.diff(found.indptr)), found.other.astype(np.int64)

    def pairs(self, links: Links, costs: Costs, limit: float | None = None) -> Pairs:
        """The relations of different annotators that may be aligned, and their d."""
        ends = len(self.indptr) - 1
        counts = links.bounds[:, 1:] - links.bounds[:, :-1]
        after = np.repeat(links.bounds[:, 1:].ravel(), counts.ravel())
        from_first, from_rows = _bucketed(links.source, ends)
        to_first, to_rows = _bucketed(links.target, ends)
        return Pairs(
            *relation_pairs(
                links.source,
                links.target,
                links.label,
                after.astype(np.int64),
                self.indptr,
                self.near,
                self.apart,
                from_first,
                from_rows,
                to_first,
                to_rows,
                costs.labels,
                costs.unordered,
                costs.alpha * costs.delta / 2,
                farthest(costs.delta, links.annotators) if limit is None else limit,
            )
        )


@dataclass(frozen=True, slots=True, eq=False)
class Links(Layout):
    """Relations of some documents side by side: numbers of their ends, and labels."""

    source: Codes
    target: Codes
    label: Codes

    def order(self) -> Whole:
        """The relations of each document by (source, target, label, annotator), the canonical order."""
        found: Whole = canonical_order(
            self.bounds, self.source.astype(np.float64), self.target.astype(np.float64), self.label
        )
        return found

    def alone(self, number: int) -> Links:
        """One of the documents by itself."""
        own = self.bounds[number]
        part = slice(int(own[0]), int(own[-1]))
        return Links(
            (own - own[0])[None, :], self.source[part], self.target[part], self.label[part]
        )


def _ends(document: Codes, place: Array, documents: int) -> Ends:
    """Which ends of each document overlap; they are sorted by document, start and end."""
    first = document.searchsorted(np.arange(documents + 1))
    start, end = place[:, 0], place[:, 1]
    last = np.empty(len(place), dtype=np.int64)
    for a, b in zip(first[:-1].tolist(), first[1:].tolist(), strict=True):
        last[a:b] = a + np.searchsorted(start[a:b], end[a:b], side="left")
    # those that begin inside i: from the next one on
    counts = np.maximum(0, last - np.arange(len(place)) - 1)
    one = np.repeat(np.arange(len(place)), counts)
    two = ranges(np.arange(len(place)) + 1, counts)
    shared = np.minimum(end[one], end[two]) - start[two]
    dice = 2 * shared / (end[one] - start[one] + end[two] - start[two])
    apart = (1 - dice) ** 2
    itself = np.arange(len(place))
    row = np.concatenate([itself, one, two])
    near = np.concatenate([itself, two, one])
    cost = np.concatenate([np.zeros(len(place)), apart, apart])
    order = np.lexsort((near, row))
    return Ends(
        first=first,
        place=place,
        indptr=np.searchsorted(row[order], np.arange(len(place) + 1)).astype(np.int64),
        near=near[order].astype(np.int32),
        apart=cost[order],
    )


def _bucketed(ends: Codes, size: int) -> tuple[Whole, Codes]:
    """Rows by their end, ascending; where those of each end begin."""
    order = np.argsort(ends, kind="stable").astype(np.int32)
    first = np.zeros(size + 1, dtype=np.int64)
    np.cumsum(np.bincount(ends, minlength=size), out=first[1:])
    return first, order


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Aligned:
    """The ideal alignment of one document, in canonical order."""

    document: int
    #: unitary alignments × annotators who saw it: a row of the data, or -1
    members: Whole
    #: δ of each unitary alignment
    disorders: Array
    #: what is missing of the proof of their sum
    gap: float


def aligned(
    network: Network,
    costs: Costs,
    documents: Sequence[int] | None = None,
    *,
    time_limit: float | None = None,
) -> Iterator[Aligned]:
    """The alignments of these documents, or of all that two or more annotators saw."""
    wanted = network.shared.tolist() if documents is None else list(documents)
    for work in network.works(wanted):
        end = first = 0
        for solution in work.solved(costs, canonical=True, time_limit=time_limit):
            _, sizes = solution.costs(solution.ideal)
            table = solution.members(solution.ideal)
            row, one, two = real_pairs(table)
            disorders = solution.disorders(row, solution.pairs.at(one, two), len(table))
            here = solution.batch.documents
            rows = work.rows[end : end + len(solution.batch)]
            table = np.where(table < 0, -1, rows[table]) if len(rows) else table
            cut = np.cumsum(sizes)[:-1]
            for document, members, own in zip(
                work.documents[first : first + here],
                np.split(table, cut),
                np.split(disorders, cut),
                strict=True,
            ):
                yield Aligned(
                    document=document,
                    members=members,
                    disorders=own,
                    gap=solution.ideal.gap * solution.step,
                )
            first += here
            end += len(solution.batch)
