"""Documents: what the same annotators marked in other documents, put on this one.

Whoever knows the genre but not the document would do as its annotators did elsewhere: begin with an
introduction, end with a coda, name people where people are usually named. A draw gives every annotator
of a document their own units of another one, nobody those of the same, stretched to its length.

Such annotators also mark many units where others mark few, which would raise the expected disorder.
So every draw is turned, too (see :mod:`accord.chance.rotation`): by so much as the draws are less
disorderly than themselves turned, the documents' own units turned are taken to be. Annotators who do
not look, but know where things stand, then get 0 on average, and so do those who know nothing.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from accord.chance.pool import Array
from accord.data.continuum import Continuum
from accord.data.encode import Codes

Places = NDArray[np.int64]
#: documents are alike in length up to this ratio
_ALIKE = math.log(1.5)


@dataclass(frozen=True, slots=True, eq=False)
class Others:
    """Who annotated which documents, and from which other ones each of them may be taken."""

    #: the annotators of each document, numbered by what they marked
    people: tuple[Places, ...]
    #: logarithm of the size of each; NaN where nothing tells it
    size: Array
    #: the documents of each annotator
    own: tuple[Places, ...]

    @classmethod
    def of(cls, people: Sequence[Places], sizes: Array) -> Self:
        """From the annotators of each document, and how large it is."""
        known = np.isfinite(sizes) & (sizes > 0)
        own: dict[int, list[int]] = {}
        for place, who in enumerate(people):
            for a in who.tolist():
                own.setdefault(a, []).append(place)
        return cls(
            tuple(people),
            np.log(np.where(known, sizes, np.nan)),
            tuple(
                np.array(own.get(a, []), dtype=np.int64) for a in range(max(own, default=-1) + 1)
            ),
        )

    def able(self, place: int) -> bool:
        """Whether all annotators of that document have more of them than it has annotators."""
        who = self.people[place]
        return bool(np.isfinite(self.size[place])) and all(
            len(self.own[a]) > len(who) for a in who.tolist()
        )

    def picked(self, place: int, rng: np.random.Generator) -> list[tuple[int, int]]:
        """Each of its annotators with another document, nobody with that of somebody else."""
        taken = {place}
        found = []
        for a in rng.permutation(np.sort(self.people[place])).tolist():
            near = [k for k in self._near(a, place) if k not in taken]
            other = near[int(rng.integers(len(near)))]
            taken.add(other)
            found.append((a, other))
        return found

    def _near(self, annotator: int, place: int) -> list[int]:
        """The annotator's other documents of about that size; enough for everybody in any case."""
        own = self.own[annotator]
        own = own[own != place]
        apart = np.nan_to_num(np.abs(self.size[own] - self.size[place]))
        enough = 2 * len(self.people[place])
        limit = np.partition(apart, enough - 1)[enough - 1] if len(own) > enough else math.inf
        found: list[int] = own[apart <= max(_ALIKE, limit)].tolist()
        return found


@dataclass(frozen=True, slots=True, eq=False)
class Elsewhere:
    """Documents, and what each of their annotators may be given from others."""

    place: Mapping[Continuum, int]
    continua: Sequence[Continuum]
    others: Others

    @classmethod
    def of(cls, continua: Sequence[Continuum], coverage: NDArray[np.bool_]) -> Self:
        """`coverage` says who annotated which."""
        rank = np.argsort(_by_content(continua, coverage))
        return cls(
            {continuum: place for place, continuum in enumerate(continua)},
            continua,
            Others.of(
                # (in the order of the continuum)
                [rank[np.flatnonzero(seen)] for seen in coverage],
                np.array([c.high - c.low for c in continua]),
            ),
        )

    def drawn(self, here: Continuum, rng: np.random.Generator, atom: float) -> Continuum:
        """One of the documents as its annotators would have done it without looking."""
        parts = [
            self._put(here, other, a, atom)
            for a, other in self.others.picked(self.place[here], rng)
        ]
        low, high = here.low, here.high
        if not here.known:
            # as of any continuum whose units alone tell where it ends
            some = [(start.min(), end.max()) for start, end, _ in parts if len(start)]
            low = min([float(start) for start, _ in some], default=low)
            high = max([float(end) for _, end in some], default=high)
        return Continuum.assemble(parts, low, high, known=here.known)

    def _put(
        self, here: Continuum, other: int, annotator: int, atom: float
    ) -> tuple[Array, Array, Codes]:
        """Their units of the other document, stretched to the length of this one."""
        there = self.continua[other]
        row = int(np.flatnonzero(self.others.people[other] == annotator)[0])
        units = slice(int(there.offsets[row]), int(there.offsets[row + 1]))
        start, end = there.start[units], there.end[units]
        if not len(start):
            return start, end, there.label[units]
        extent = there.high - there.low
        stretch = (here.high - here.low) / extent if extent > 0 else 1.0
        placed, ended = ((x - there.low) * stretch for x in (start, end))
        if atom:
            placed = atom * np.rint(placed / atom)
            ended = np.maximum(
                atom * np.rint(ended / atom), placed + np.where(end > start, atom, 0)
            )
        return here.low + placed, here.low + ended, there.label[units]


def _by_content(continua: Sequence[Continuum], coverage: NDArray[np.bool_]) -> Places:
    """Annotators in an order that depends on what they marked, not on their names."""
    people = coverage.shape[1]
    sums = np.zeros((3, people))
    for c, seen in zip(continua, coverage, strict=True):
        who = np.flatnonzero(seen)
        extent = (c.high - c.low) or 1.0
        owner = who[c.annotator]
        for k, x in enumerate((np.ones(len(c)), c.start - c.low, c.end - c.low)):
            sums[k] += np.bincount(owner, x / extent if k else x, minlength=people)
    count, start, end = np.round(sums, 8)
    return np.lexsort((end, start, coverage.sum(axis=0), count))


def too_few_others(coverage: NDArray[np.bool_]) -> str:
    """Why chance cannot be what the annotators marked in other documents."""
    documents, people = len(coverage), int(coverage.sum(axis=1).max(initial=0))
    if documents == 1:
        return (
            "of one document nobody can tell what its annotators would have marked without looking: "
            "chance documents takes that from their other documents"
        )
    return (
        f"chance documents gives each of the {people} annotators of a document their annotations of "
        f"another one: it takes more than {people} documents by each of them, and there are {documents} "
        "in all"
    )
