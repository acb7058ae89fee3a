"""What annotators linked in other documents: chance for those who know what is usually linked.

Ends are numbered through a document (or, where annotators chose them, through those of an annotator), so
that "each answers the one before" stays what it is in a document of other messages. What is linked beyond
the end of a shorter document is left out, a longer one goes on as the shorter one ended. By so much as
such relations have less disorder than themselves rearranged, the chance of the documents is lowered.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
from numpy.typing import NDArray

from accord.alignment.relations import Network
from accord.chance.documents import Others
from accord.measures.relations.expected import Expected
from accord.result import Array

Whole = NDArray[np.int64]
#: an exchange is aligned, and rearranged twice: so many for each of the alignments before
_PART, REARRANGED = 6, 2

#: documents × (disorder, disorder by chance) of a network
Disorders = Callable[[Network], tuple[Array, Array]]


@dataclass(frozen=True, slots=True, eq=False)
class Exchange:
    """The relations of a campaign, to be given to other documents."""

    network: Network
    #: the documents that two annotators or more saw, by what is in them
    documents: Whole
    #: the number of each annotator by what they linked, and the annotator of each number
    rank: Whole
    who: Whole
    others: Others

    @classmethod
    def of(cls, network: Network) -> Self:
        r = network.relations
        reach = np.abs(network.target.astype(np.int64) - network.source)
        size = network.ends.first[1:] - network.ends.first[:-1]
        by_document = np.bincount(r.document, reach, minlength=len(r.documents))
        by_annotator = np.bincount(r.annotator, reach, minlength=len(r.annotators))
        counts = np.bincount(r.annotator, minlength=len(r.annotators))
        who = np.lexsort((by_annotator, r.coverage.sum(axis=0), counts))
        rank = np.argsort(who)
        documents = network.shared[np.lexsort((by_document[network.shared], size[network.shared]))]
        people = [rank[network.annotators(d)] for d in documents.tolist()]
        sizes = size[documents].astype(np.float64)
        return cls(network, documents, rank, who, Others.of(people, sizes))

    @property
    def able(self) -> bool:
        """All documents may be given what was linked in others."""
        return all(self.others.able(k) for k in range(len(self.documents)))

    def drawn(self, rng: np.random.Generator) -> Network:
        """The network with everybody's relations in documents that they are not of."""
        network, r = self.network, self.network.relations
        cells: dict[tuple[int, int], tuple[Whole, Whole, Whole]] = {}
        for place, here in enumerate(self.documents.tolist()):
            for a, other in self.others.picked(place, rng):
                annotator = int(self.who[a])
                there = int(self.documents[other])
                cells[here, annotator] = self._moved(annotator, there, here)
        order = sorted(cells)
        lengths = [len(cells[key][0]) for key in order]
        rows, source, target = (np.concatenate([cells[key][k] for key in order]) for k in range(3))
        document, annotator_of = (
            np.repeat(np.array([key[k] for key in order]), lengths).astype(np.int32)
            for k in range(2)
        )
        documents, people = r.coverage.shape
        edges = (document.astype(np.int64) * people + annotator_of).searchsorted(
            np.arange(documents * people + 1)
        )
        relations = replace(
            r,
            document=document,
            annotator=annotator_of,
            label=r.label[rows],
            source=network.ends.place[source],
            target=network.ends.place[target],
            source_kind=r.source_kind[rows],
            target_kind=r.target_kind[rows],
            extras={},
        )
        return replace(
            network,
            relations=relations,
            source=source.astype(np.int32),
            target=target.astype(np.int32),
            first=document.searchsorted(np.arange(documents + 1)),
            own=np.column_stack(
                [edges[:-1].reshape(documents, people), edges[people::people][:documents]]
            ),
        )

    def _moved(self, annotator: int, there: int, here: int) -> tuple[Whole, Whole, Whole]:
        """Their relations of one document among the ends of another: rows, sources, targets."""
        network = self.network
        rows = np.arange(network.own[there, annotator], network.own[there, annotator + 1])
        before, after = self._ends(annotator, there), self._ends(annotator, here)
        source, target = (
            np.searchsorted(before, side[rows]) for side in (network.source, network.target)
        )
        parts = []
        shift = covered = 0
        while len(rows):
            there_to, then_to = source + shift, target + shift
            inside = (there_to >= covered) & (np.maximum(there_to, then_to) < len(after))
            parts.append((rows[inside], after[there_to[inside]], after[then_to[inside]]))
            covered = len(before) + shift
            if covered >= len(after):
                break
            # a longer document goes on as the shorter one ended
            shift = min(covered, len(after) - len(before))
        if not parts:
            nothing = np.empty(0, dtype=np.int64)
            return nothing, nothing, nothing
        moved, to, then = (np.concatenate(each) for each in zip(*parts, strict=True))
        return moved, to, then

    def _ends(self, annotator: int, document: int) -> Whole:
        """What they can link in a document: all of it, or the places that they chose."""
        network = self.network
        low, high = network.ends.first[document], network.ends.first[document + 1]
        if network.relations.given:
            return np.arange(low, high)
        if network.unit is not None:
            mine = network.unit_annotator == annotator
            own = network.unit[mine & (network.unit >= low) & (network.unit < high)]
            return np.unique(own).astype(np.int64)
        rows = slice(network.own[document, annotator], network.own[document, annotator + 1])
        return np.unique([network.source[rows], network.target[rows]]).astype(np.int64)


def beyond_layout(
    network: Network, chance: Expected, disorders: Disorders, *, samples: int | None, seed: int
) -> Expected | None:
    """Chance, less by what exchanged relations have less than chance; None without other documents.

    `disorders` tells the disorder of every document of a network and that of the same rearranged.
    """
    exchange = Exchange.of(network)
    if not exchange.able:
        return None
    draws = samples or max(1, (1 + chance.samples) // _PART)
    found = [disorders(exchange.drawn(np.random.default_rng((seed, k)))) for k in range(draws)]
    observed, rearranged = (np.concatenate([one[k] for one in found]) for k in range(2))
    whole, by_chance = float(observed.sum()), float(rearranged.sum())
    if not by_chance > 0:
        return None
    share = whole / by_chance
    apart = observed / whole - rearranged / by_chance if whole > 0 else np.zeros(len(observed))
    relative = float((apart**2).sum())
    mean = chance.mean * share
    # (the error of the share is that of all documents: it is put where the sum has it)
    more = relative * mean.sum() ** 2 / max(1, len(mean))
    return replace(
        chance,
        model="documents",
        mean=mean,
        variance=chance.variance * share**2 + more,
        samples=draws,
        freedom=max(1, len(observed) - 1),
    )
