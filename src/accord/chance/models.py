"""Generators of random annotation sets, each draw seeded by its own number.

Every model draws the units of n annotators who know the campaign but not the text; the disorder of
what they produce is what agreement is measured against. `rotation` is calibrated for annotators whose
manner does not depend on the place: they get 0. `documents` is for those who know where things usually
stand. The others are the papers' own, kept to compare with published values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Self

import numpy as np
from numpy.typing import NDArray

from accord.chance.documents import Elsewhere
from accord.chance.pool import Array, Pool
from accord.chance.rotation import Manner, by_content
from accord.chance.templates import Templates
from accord.data.continuum import Continuum
from accord.data.encode import Codes

#: (start, end, label) of one annotator
Part = tuple[Array, Array, Codes]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ChanceModel:
    """One way of drawing random continua for n annotators.

    `templates` are the continua to imitate: the document itself, or all documents of a corpus with
    as many annotators (the draws then imitate each as often). `sources` are all continua of the
    corpus, for random2. `key` and `seed` number the stream of draws; `atom` is the step of the grid
    that all offsets lie on, 0 for none.
    """

    name: str
    templates: Sequence[Continuum]
    sources: Sequence[Continuum]
    pool: Pool
    annotators: int
    seed: int
    key: int
    atom: float = 0.0
    #: all documents with those who annotated them, for documents
    elsewhere: Elsewhere | None = None
    #: templates that were made ready to be turned
    manners: dict[Continuum, Manner] = field(default_factory=dict, init=False, repr=False)

    def draw(self, index: int) -> Continuum:
        """The random continuum of that number; it may be one without any unit."""
        template = self.template(index)
        if self.elsewhere is None:
            return MODELS[self.name](self, template, self.random(index))
        # every second one is the one before, turned: their disorders are compared
        found = self.elsewhere.drawn(template, self.random(index - index % 2), self.atom)
        return Manner.of(found, self.atom).turned(self.random(index)) if index % 2 else found

    def random(self, index: int) -> np.random.Generator:
        """What decides that draw."""
        return np.random.default_rng((self.seed, self.key, index))

    def template(self, index: int) -> Continuum:
        """The continuum this draw imitates."""
        return self.templates[self.place(index)]

    def place(self, index: int) -> int:
        """Its number: all templates in turn, in an order drawn for each turn."""
        size = len(self.templates)
        if size == 1:
            return 0
        if self.elsewhere is not None:
            # (two draws imitate each)
            index //= 2
        turn, place = divmod(index, size)
        return int(_order(self.seed, self.key, turn, size)[place])

    def sent(self, samples: Iterable[int]) -> Self:
        """The same model with only those templates that the draws of these numbers imitate."""
        if not isinstance(self.templates, Templates):
            return self
        return replace(self, templates=self.templates.only(map(self.place, samples)))


@lru_cache(maxsize=4)
def _order(seed: int, key: int, turn: int, size: int) -> NDArray[np.int64]:
    """The order of all templates in that turn; long for many, and asked for at every draw."""
    return np.random.default_rng((seed, key, turn, size)).permutation(size)


def random1(model: ChanceModel, template: Continuum, rng: np.random.Generator) -> Continuum:
    """2011: as many units per annotator as observed, anywhere, of any observed size.

    Starts uniform over the continuum, lengths uniform between the observed extremes, labels at
    their observed frequencies.
    """
    pool = model.pool
    low, high = template.low, template.high
    parts: list[Part] = []
    for count in _counts(template, model.annotators, rng):
        length = rng.uniform(pool.durations[0], pool.durations[-1], count)
        length = np.minimum(length, high - low)
        start = low + rng.random(count) * (high - low - length)
        parts.append((start, start + length, _labels(pool, count, rng)))
    return Continuum.assemble(parts, low, high)


def random2(model: ChanceModel, template: Continuum, rng: np.random.Generator) -> Continuum:
    """2011, recommended there: one annotator from each of n different documents.

    Documents are stretched to the length of the first. Needs at least n documents.
    """
    del template
    chosen = rng.choice(len(model.sources), size=model.annotators, replace=False)
    first = model.sources[int(chosen[0])]
    low, high = first.low, first.high
    parts: list[Part] = []
    for i in chosen:
        source = model.sources[int(i)]
        start, end, label = _annotator(source, int(rng.integers(source.annotators)))
        stretch = (high - low) / (source.high - source.low) if source.high > source.low else 1.0
        # the same arithmetic for start and end keeps a zero shift exact
        parts.append(
            (low + (start - source.low) * stretch, low + (end - source.low) * stretch, label)
        )
    return Continuum.assemble(parts, low, high)


def shuffle(model: ChanceModel, template: Continuum, rng: np.random.Generator) -> Continuum:
    """γ 2015 §5.2: each new annotator is a real one, moved by a pivot with wrap-around.

    Pivots lie at least the mean length of a unit apart, as far as the continuum has room: else two
    new annotators could be a real one and himself.
    """
    low, span = template.low, template.high - template.low
    least = float((template.end - template.start).mean()) if len(template) else 0.0
    pivots: list[float] = []
    parts: list[Part] = []
    for _ in range(model.annotators):
        pivot = _pivot(rng, pivots, least, span)
        pivots.append(pivot)
        start, end, label = _annotator(template, int(rng.integers(template.annotators)))
        moved = start - low + pivot
        back = np.where(moved >= span, span, 0.0) if span > 0 else 0.0
        moved = moved - back
        parts.append((low + moved, low + moved + (end - start), label))
    return Continuum.assemble(parts, low, template.high)


def statistical(model: ChanceModel, template: Continuum, rng: np.random.Generator) -> Continuum:
    """Counts, gaps, durations and labels, each drawn from what was observed.

    Deviations: pygamma-agreement fits normal distributions to the first three and measures the
    first gap from the origin of the axis, so that its chance moves when all offsets are moved.
    """
    pool = model.pool
    observed = np.sort(template.counts)
    parts: list[Part] = []
    for count in observed[rng.integers(len(observed), size=model.annotators)]:
        gap = pool.gaps[rng.integers(len(pool.gaps), size=count)]
        length = pool.durations[rng.integers(len(pool.durations), size=count)]
        end = template.low + np.cumsum(gap + length)
        parts.append((end - length, end, _labels(pool, int(count), rng)))
    return Continuum.assemble(parts, template.low, template.high)


def turned(model: ChanceModel, template: Continuum, rng: np.random.Generator) -> Continuum:
    """Every annotator's own units, turned to another place (see :mod:`accord.chance.rotation`).

    When chance imitates fewer annotators than it makes, some are imitated again.
    """
    manner = model.manners.get(template)
    if manner is None:
        manner = model.manners[template] = Manner.of(template, model.atom)
    if template.annotators == model.annotators:
        return manner.turned(rng)
    parts: list[Part] = []
    while len(parts) < model.annotators:
        drawn = manner.turned(rng)
        parts += [
            (drawn.start[a:b], drawn.end[a:b], drawn.label[a:b])
            for a, b in zip(drawn.offsets[:-1], drawn.offsets[1:], strict=True)
        ]
    return Continuum.assemble(parts[: model.annotators], template.low, template.high)


Generator = Callable[[ChanceModel, Continuum, np.random.Generator], Continuum]
MODELS: dict[str, Generator] = {
    "rotation": turned,
    "random1": random1,
    "random2": random2,
    "shuffle": shuffle,
    "statistical": statistical,
}
#: documents draws from :class:`Elsewhere`
NAMES = (*MODELS, "documents")
#: the models that draw from the units of all documents at once, and from whole documents
POOLED, FROM_SOURCES = ("random1", "statistical"), ("random2", "documents")
#: the models of 2011 and 2015, whose least expectation `min` takes
PAPERS = ("random1", "random2", "shuffle", "statistical")


def _counts(template: Continuum, annotators: int, rng: np.random.Generator) -> Sequence[int]:
    """The observed counts; drawn from them when fewer annotators are imitated than made."""
    counts = np.sort(template.counts)
    if len(counts) != annotators:
        counts = counts[rng.integers(len(counts), size=annotators)]
    return [int(c) for c in counts]


def _labels(pool: Pool, count: int, rng: np.random.Generator) -> Codes:
    return pool.labels[rng.integers(len(pool.labels), size=count)]


def _annotator(continuum: Continuum, number: int) -> Part:
    """One annotator's units, numbered by what they marked."""
    a = int(by_content(continuum)[number])
    part = slice(int(continuum.offsets[a]), int(continuum.offsets[a + 1]))
    return continuum.start[part], continuum.end[part], continuum.label[part]


def _pivot(rng: np.random.Generator, taken: list[float], least: float, span: float) -> float:
    """Uniform on [0, span), at least `least` (on the circle) from the pivots taken, if there is room."""
    if not taken or least <= 0 or span <= 0:
        return float(rng.random() * span)
    # cut the forbidden arcs out of the circle
    edges = sorted(
        (max(a, 0.0), min(b, span))
        for p in taken
        for k in (-span, 0.0, span)
        for a, b in [(p - least + k, p + least + k)]
        if b > 0 and a < span
    )
    free: list[tuple[float, float]] = []
    reached = 0.0
    for a, b in edges:
        if a > reached:
            free.append((reached, a))
        reached = max(reached, b)
    if reached < span:
        free.append((reached, span))
    room = sum(b - a for a, b in free)
    x = float(rng.random())
    if room <= 0:
        return x * span
    x *= room
    for a, b in free:
        if x < b - a:
            return a + x
        x -= b - a
    return free[-1][0]
