"""Would chance do as much? A permutation test within documents.

What independent annotators would have given is drawn again and again, the work of each annotator in each
document by itself:

* of ratings, the values in another order among the items that they rated;
* of units, the units turned to another place (:mod:`accord.chance.rotation`);
* of segments, the boundaries moved on together, those that pass the end coming in at the start;
* of chains, the entities in another order among the mentions that they marked;
* of boxes, the shapes in another order among all that they drew, over the images (people draw in the
  middle, so that another place in the same image would make any two agree);
* of relations, the targets, and the labels, in another order among the sources, nothing being linked to
  itself, or twice to the same, more often than by the annotator.

Everybody keeps their habits and every document its own, so that agreement on them is no evidence. p is
the share of the draws, and of the campaign itself, that agree at least as much. An interval over few
documents answers another question, and is wide because they are few.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sized
from dataclasses import replace
from inspect import signature
from typing import Any

import numpy as np

from accord.alignment.align import align
from accord.audit.case import Case
from accord.chance.atom import atom_of
from accord.chance.rotation import Manner
from accord.data import Annotations, Boxes, Chains, Ratings, Relations, Segments, Units
from accord.data.continuum import Document, documents_of
from accord.errors import AccordError, TooLittleError
from accord.study import Study

#: draws, of much data fewer, and never fewer than can show p under 5 %
_DRAWS, _LEAST = 199, 39
#: how much of a shape is drawn again in all: what is aligned each time takes longer
_MEASURED, _COUNTED, _ALIGNED = 20_000_000, 600_000, 60_000
#: pairs of targets or labels that may change places between two draws, for each relation
_SWAPS = 8


_Draw = Callable[[np.random.Generator], Any]


def chance_p(case: Case) -> float | None:
    """p of as much agreement among independent annotators; None where it is not tested."""
    return case.once("chance_p", lambda: _tested(case.data, case.recommended, case.seed))


def _tested(given: Any, study: Study, seed: int) -> float | None:
    data: Annotations = given
    if not len(_elements(data)) or (isinstance(data, Ratings) and not _has_people(data)):
        return None
    drawn, measured, most = _way_of(data)
    rng = np.random.default_rng(seed)
    draws = int(np.clip(most // len(_elements(data)), _LEAST, _DRAWS))
    try:
        again = drawn(given)
        here = measured(given, study)
        values = np.array([measured(again(rng), study) for _ in range(draws)])
    except AccordError:
        return None
    if not np.isfinite(here):
        return None
    return float((1 + np.sum(~(values < here - 1e-12))) / (1 + draws))


def _way_of(data: Annotations) -> tuple[Callable[[Any], _Draw], Callable[[Any, Study], float], int]:
    """How draws of such data are made, what says how far one agrees, and how much is drawn in all."""
    if isinstance(data, Ratings):
        return _ratings, _value, _MEASURED
    if isinstance(data, Segments):
        return _segments, _value, _COUNTED
    if isinstance(data, Chains):
        return _chains, _value, _COUNTED
    if isinstance(data, Boxes):
        return _boxes, _order, _ALIGNED
    return (_relations if isinstance(data, Relations) else _units), _order, _ALIGNED


def _elements(data: Annotations) -> Sized:
    """What is drawn again."""
    if isinstance(data, Segments):
        return [p for own in data.boundaries.values() for p in own]
    found: Sized = getattr(data, "code" if isinstance(data, Ratings) else "annotator")
    return found


def _has_people(data: Ratings) -> bool:
    return not data.anonymous and data.sums is None and data.multiplicity is None


def _ratings(data: Ratings) -> Callable[[np.random.Generator], Ratings]:
    """Draws of the same ratings, each annotator's values in another order within each document."""
    document = np.zeros(len(data.code), dtype=np.int64)
    if data.document is not None:
        document = data.document[data.item].astype(np.int64)
    group = document * len(data.annotators) + data.annotator
    place = np.argsort(group, kind="stable")
    plain = replace(data, probabilities=None, repeats=(), engine=None)

    def drawn(rng: np.random.Generator) -> Ratings:
        code = np.empty_like(data.code)
        code[place] = data.code[np.lexsort((rng.random(len(group)), group))]
        return replace(plain, code=code, _profiles={})

    return drawn


def _units(data: Units) -> Callable[[np.random.Generator], Units]:
    """Draws of the same units, each annotator's turned within each document."""
    documents = [d for d in documents_of(data) if len(d.annotators) >= 2]
    atom = atom_of([d.continuum for d in documents])
    manners = [(d, Manner.of(d.continuum, atom)) for d in documents]
    lengths = {d.name: d.continuum.high for d in documents if d.continuum.known}

    def drawn(rng: np.random.Generator) -> Units:
        rows = [row for d, manner in manners for row in _rows(data, d, manner.turned(rng))]
        seen = [(d.name, who) for d in documents for who in d.annotators]
        return Units.from_rows(rows, lengths=lengths, coverage=seen, duplicates="keep", points=True)

    return drawn


def _rows(data: Units, document: Document, turned: Any) -> list[tuple[Any, ...]]:
    return [
        (document.name, document.annotators[a], s, e, None if c < 0 else data.categories[c])
        for a, s, e, c in zip(turned.annotator, turned.start, turned.end, turned.label, strict=True)
    ]


def _segments(data: Segments) -> Callable[[np.random.Generator], Segments]:
    """Draws of the same boundaries, each annotator's moved on together within each document."""
    # (boundaries between sentences stay between sentences where these are of one length)
    steps = {
        d: int(np.gcd.reduce([int(data.lengths[d]), *(p for p in _of(data, d))]))
        for d in {d for d, _ in data.boundaries}
    }

    def drawn(rng: np.random.Generator) -> Segments:
        boundaries, types = {}, {}
        for (d, a), positions in data.boundaries.items():
            places = int(data.lengths[d]) // steps[d] - 1
            turn = int(rng.integers(max(1, places)))
            moved = ((positions // steps[d] - 1 + turn) % max(1, places) + 1) * steps[d]
            order = np.argsort(moved, kind="stable")
            boundaries[d, a] = moved[order]
            if data.types is not None:
                types[d, a] = data.types[d, a][order]
        return replace(data, boundaries=boundaries, types=None if data.types is None else types)

    return drawn


def _of(data: Segments, document: int) -> list[int]:
    """All positions in a document."""
    own = [p.tolist() for (d, _), p in data.boundaries.items() if d == document]
    return [at for positions in own for at in positions]


def _chains(data: Chains) -> Callable[[np.random.Generator], Chains]:
    """Draws of the same mentions, each annotator's entities in another order within each document."""
    group = data.document.astype(np.int64) * len(data.annotators) + data.annotator
    place = np.argsort(group, kind="stable")

    def drawn(rng: np.random.Generator) -> Chains:
        entity = np.empty_like(data.entity)
        entity[place] = data.entity[np.lexsort((rng.random(len(group)), group))]
        return replace(data, entity=entity, copies=None, names=None, links=None)

    return drawn


def _boxes(data: Boxes) -> Callable[[np.random.Generator], Boxes]:
    """Draws of the same shapes, each annotator's in another order among all that they drew.

    A shape goes into another image with its place and its size, as shares of the image where its size is
    known; the labels, and how many shapes there are, stay. In one image nothing tells where people
    usually draw from where something is.
    """
    seen = np.unique(np.stack([data.document, data.annotator]), axis=1)
    if np.bincount(seen[1]).max(initial=0) < 2:
        raise TooLittleError("one image does not tell habits from agreement")
    place = np.argsort(data.annotator, kind="stable")
    size = np.where(np.isfinite(data.sizes), data.sizes, 1.0)[data.document]

    def drawn(rng: np.random.Generator) -> Boxes:
        order = np.empty(len(data), dtype=np.int64)
        order[place] = np.lexsort((rng.random(len(data)), data.annotator))
        x, y = (size / size[order]).T
        outlines = None
        if data.outlines is not None:
            old = [data.outlines[i] for i in order]
            outlines = tuple(
                None if one is None else one * [x[i], y[i]] for i, one in enumerate(old)
            )
        return replace(
            data,
            x0=data.x0[order] * x,
            x1=data.x1[order] * x,
            y0=data.y0[order] * y,
            y1=data.y1[order] * y,
            area=data.area[order] * x * y,
            outlines=outlines,
        )

    return drawn


def _relations(data: Relations) -> Callable[[np.random.Generator], Relations]:
    """Draws of the same relations, each annotator's targets and labels in another order in each document.

    Two of them at a time change places, wherever nothing is then linked to itself, or twice by the same
    label, more often than by the annotator: all such orders are as likely, and a draw goes on from the last.
    """
    group = data.document.astype(np.int64) * len(data.annotators) + data.annotator
    rows = [np.flatnonzero(group == g) for g in np.unique(group)]
    ends = np.unique(np.concatenate([data.source, data.target]), axis=0, return_inverse=True)[1]
    whole = np.column_stack([*np.split(ends.reshape(-1), 2), data.label]).tolist()
    links = [_Links([whole[i] for i in own]) for own in rows]

    def drawn(rng: np.random.Generator) -> Relations:
        target, label = np.arange(len(group)), np.arange(len(group))
        for own, linked in zip(rows, links, strict=True):
            linked.move(rng)
            target[own], label[own] = own[linked.orders[0]], own[linked.orders[1]]
        return replace(
            data,
            target=data.target[target],
            target_kind=data.target_kind[target],
            label=data.label[label],
        )

    return drawn


class _Links:
    """What one annotator linked in one document: [source, target, label] of each relation."""

    def __init__(self, links: list[list[int]]) -> None:
        self._links = links
        #: which target, and which label, each source has now
        self.orders = list(range(len(links))), list(range(len(links)))
        self._held = Counter(map(tuple, links))
        self._faults = self._most = sum(map(self._fault, self._held))

    def _fault(self, link: tuple[int, ...]) -> int:
        """How often it is there and should not be: each time where it is a loop, else all but once."""
        return self._held[link] - (link[0] != link[1] and self._held[link] > 0)

    def move(self, rng: np.random.Generator) -> None:
        """Let targets, and labels, change places."""
        n = len(self._links)
        for i, j, which in rng.integers((n, n, 2), size=(_SWAPS * n, 3)).tolist():
            old = [self._now(i), self._now(j)]
            order = self.orders[which]
            order[i], order[j] = order[j], order[i]
            new = [self._now(i), self._now(j)]
            touched = {*old, *new}
            before = sum(map(self._fault, touched))
            self._held.subtract(old)
            self._held.update(new)
            faults = self._faults - before + sum(map(self._fault, touched))
            if faults <= self._most:
                self._faults = faults
            else:
                order[i], order[j] = order[j], order[i]
                self._held.subtract(new)
                self._held.update(old)

    def _now(self, i: int) -> tuple[int, int, int]:
        target, label = (order[i] for order in self.orders)
        return self._links[i][0], self._links[target][1], self._links[label][2]


def _value(data: Any, study: Study) -> float:
    return float(study.of(data).result.value)


def _order(units: Any, study: Study) -> float:
    """How little disorder the best alignments leave, under the options of the measure."""
    known = signature(align).parameters
    options = {k: v for k, v in study.options.items() if k in known}
    return -float(sum(a.disorders.sum() for a in align(units, **options)))
