"""What chance draws from: the documents by groups, and the samples that were drawn for each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial

import numpy as np

from accord.chance import FROM_SOURCES, POOLED, ChanceModel
from accord.chance.documents import Elsewhere
from accord.chance.pool import Pool
from accord.chance.templates import Templates
from accord.data.continuum import Continuum
from accord.data.corpus import Corpus
from accord.distance.units import Dissimilarity
from accord.errors import UsageError
from accord.measures.gamma.expected import Group
from accord.measures.gamma.outline import Outline, Places, imitated
from accord.measures.gamma.samples import Samples, Sampling


@dataclass(frozen=True, eq=False, kw_only=True)
class Ground:
    """Documents, which of them share an expected disorder, and samples under one dissimilarity."""

    corpus: Corpus
    #: the documents of the corpus that are compared
    shared: Places
    #: the annotators that alone are imitated, None for all
    truth: tuple[int, ...] | None
    scope: str
    d: Dissimilarity
    how: Sampling
    groups: tuple[Group, ...]
    #: the group of each document
    group: Places
    #: documents with units, by what is in them, and all
    order: Places
    every: Places
    #: documents with something to draw from
    sources: Places
    #: the step of the grid that offsets lie on
    atom: float
    drawn: dict[str, Samples] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        corpus: Corpus,
        shared: Places,
        outline: Outline,
        *,
        truth: tuple[int, ...] | None,
        scope: str,
        d: Dissimilarity,
        how: Sampling,
    ) -> Ground:
        order, group, groups, sources = _groups(outline, scope)
        return cls(
            corpus=corpus,
            shared=shared,
            truth=truth,
            scope=scope,
            d=d,
            how=how,
            groups=groups,
            group=group,
            order=order,
            every=outline.content_order,
            sources=sources,
            atom=outline.offsets.step,
        )

    @cached_property
    def elsewhere(self) -> Elsewhere:
        """All documents with those who annotated them, for chance that gives them others."""
        coverage = self.corpus.coverage[self.shared[self.every]]
        return Elsewhere.of(self._brought(self.every, range(len(self.every))), coverage)

    def able(self, name: str) -> list[int]:
        """The groups for which that model can draw: each annotator from another document."""
        numbers = range(len(self.groups))
        if name == "documents":
            return [g for g in numbers if self._targets(self.groups[g])]
        least = len(self.sources) if name in FROM_SOURCES else np.inf
        return [g for g in numbers if self.groups[g].annotators <= least]

    def _targets(self, group: Group) -> list[Continuum]:
        """The documents of a group that may be given what was marked in others."""
        found = self.elsewhere
        own = set(group.places.tolist()) if self.scope == "document" else None
        return [
            found.continua[k]
            for k, place in enumerate(self.every.tolist())
            if (len(found.others.people[k]) == group.annotators if own is None else place in own)
            and found.others.able(k)
        ]

    def samples(self, name: str, able: Sequence[int]) -> Samples:
        """Those of a chance model for some of the groups (always the same ones for a model)."""
        if name not in self.drawn:
            groups = [self.groups[g] for g in able]
            others = self.elsewhere if name == "documents" else None
            everything: Sequence[Continuum] = ()
            if name == "random2" or (name in POOLED and self.scope == "corpus"):
                everything = self._brought(self.sources, range(len(self.sources)))
            whole = Pool.gather(everything if name in POOLED else ())
            own_pools = name in POOLED and self.scope == "document"
            self.drawn[name] = Samples(
                [
                    ChanceModel(
                        name=name,
                        templates=Templates(len(g.places), partial(self._brought, g.places))
                        if others is None
                        else self._targets(g),
                        sources=everything if name in FROM_SOURCES else (),
                        pool=self._own_pool(g) if own_pools else whole,
                        annotators=g.annotators,
                        seed=self.how.seed,
                        key=g.key,
                        atom=self.atom,
                        elsewhere=others,
                    )
                    for g in groups
                ],
                [g.units for g in groups],
                self.d,
                self.how,
            )
        return self.drawn[name]

    def _brought(self, places: Places, numbers: Sequence[int]) -> Sequence[Continuum]:
        """Some of these documents, as chance may see them."""
        where = self.shared[places[list(numbers)]].tolist()
        return [
            imitated(found, self.corpus.coverage[k].nonzero()[0].tolist(), self.truth)
            for k, found in zip(where, self.corpus.some(where), strict=True)
        ]

    def _own_pool(self, group: Group) -> Pool:
        return Pool.gather(self._brought(group.places, range(len(group.places))))


def _groups(outline: Outline, scope: str) -> tuple[Places, Places, tuple[Group, ...], Places]:
    """The documents with units, the group of each, the groups, and the documents to draw from.

    A document without units weighs nothing: it needs no expected disorder.
    """
    order = outline.content_order
    own = outline.imitated
    sources = order[own[order] > 0]
    if not len(sources):
        raise UsageError("the ground-truth annotators marked no unit to model chance on")
    used = order[outline.units[order] > 0]
    place = np.zeros(len(outline), dtype=np.int64)
    groups = []
    if scope == "document":
        for key, i in enumerate(used.tolist()):
            # a document where no ground-truth annotator marked anything borrows from the corpus
            places = np.array([i]) if own[i] else sources
            place[i] = key
            units = float(own[places].mean())
            people = int(outline.annotators[i])
            groups.append(Group(places, units, people, key))
        return used, place, tuple(groups), sources
    for number, n in enumerate(np.unique(outline.annotators[used]).tolist()):
        alike = used[outline.annotators[used] == n]
        place[alike] = number
        places = alike[own[alike] > 0]
        places = places if len(places) else sources
        groups.append(Group(places, float(own[places].mean()), n, n))
    return used, place, tuple(groups), sources
