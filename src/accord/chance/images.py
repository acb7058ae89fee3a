"""Chance for shapes in images: what each annotator drew in another image, or the same anywhere.

*images*: the shapes of every annotator come from a different image, so that where people usually draw
(the middle, the ground) and how large is kept, and what is in the image is not. *uniform*: every shape
anywhere in its own image.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, permutations, product

import numpy as np
from numpy.typing import NDArray

from accord.data.boxes import Boxes
from accord.errors import TooLittleError

Whole = NDArray[np.int64]

#: alignments made at most where all tuples of images are tried
_MOST = 50_000


@dataclass(frozen=True, slots=True, eq=False)
class Draws:
    """Random images of one number of annotators: which cell (image × annotator) each has from where."""

    cells: Whole
    #: these are all there are, each as often
    exact: bool
    #: ordered tuples of distinct images that there are
    tuples: int


@dataclass(frozen=True, slots=True, eq=False)
class Crowd:
    """Who saw which image, in an order that depends on what was drawn, not on names."""

    #: the images, and the annotators who saw each
    images: tuple[int, ...]
    seers: tuple[tuple[int, ...], ...]
    people: int

    @property
    def slots(self) -> bool:
        """Annotators differ from image to image: any annotator of an image may stand for another."""
        return len({frozenset(who) for who in self.seers}) > 1

    def only(self, number: int) -> Crowd:
        """The images that so many annotators saw."""
        kept = [k for k, who in enumerate(self.seers) if len(who) == number]
        return Crowd(
            tuple(self.images[k] for k in kept), tuple(self.seers[k] for k in kept), self.people
        )


def crowd_of(boxes: Boxes, images: Sequence[int]) -> Crowd:
    """Images and annotators by the number and the area of what they drew."""
    people = len(boxes.annotators)
    cell = boxes.document.astype(np.int64) * people + boxes.annotator
    size = len(boxes.documents) * people
    counts = np.bincount(cell, minlength=size).reshape(-1, people)
    # whole numbers of sums: the order of the additions must not tell
    places = np.round(np.bincount(cell, weights=boxes.x0 + 2 * boxes.y0, minlength=size), 6)
    areas = np.round(np.bincount(cell, weights=boxes.area, minlength=size), 6)
    where, wide = places.reshape(-1, people), areas.reshape(-1, people)
    by_image = sorted(
        images,
        key=lambda i: (
            int(counts[i].sum()),
            sorted(counts[i].tolist()),
            sorted(wide[i].tolist()),
            sorted(where[i].tolist()),
        ),
    )
    ranked = sorted(
        range(people),
        key=lambda a: (
            int(counts[:, a].sum()),
            sorted(wide[:, a].tolist()),
            sorted(where[:, a].tolist()),
        ),
    )
    place = {a: k for k, a in enumerate(ranked)}
    return Crowd(
        tuple(by_image),
        tuple(
            tuple(sorted(np.flatnonzero(boxes.coverage[i]).tolist(), key=place.__getitem__))
            for i in by_image
        ),
        people,
    )


def other_images(crowd: Crowd, annotators: int, samples: int, seed: int, *, slots: bool) -> Draws:
    """Tuples of distinct images for so many annotators: all, or a seeded sample of them.

    Annotator k draws as in the k-th image of the tuple; with `slots`, as any annotator of that image.
    """
    images = len(crowd.images)
    if images < annotators:
        raise TooLittleError(
            f"chance takes the shapes of {annotators} annotators from as many different images, and there "
            f"{'is' if images == 1 else 'are'} {images}; pass `chance=uniform`, with the sizes of the "
            "images (`lengths`), or read more images"
        )
    tuples = math.perm(images, annotators)
    if tuples <= samples:
        # (whose is which does not matter when any annotator may stand for another)
        ways = (
            _sets(crowd, annotators)
            if slots
            else [
                [i * crowd.people + a for i, a in zip(some, crowd.seers[0], strict=True)]
                for some in permutations(crowd.images, annotators)
            ]
        )
        if ways is not None:
            return Draws(np.array(ways, dtype=np.int64).reshape(-1, annotators), True, tuples)
    rng = np.random.default_rng([seed, annotators])
    picked = _distinct(rng, images, annotators, samples)
    own = np.array(crowd.images, dtype=np.int64)[picked]
    if not slots:
        return Draws(own * crowd.people + np.array(crowd.seers[0]), False, tuples)
    chance = rng.random(picked.shape)
    sizes = np.array([len(who) for who in crowd.seers])
    width = int(sizes.max())
    table = np.array([[*who, *[0] * (width - len(who))] for who in crowd.seers])
    stands = table[picked, (chance * sizes[picked]).astype(np.int64)]
    return Draws(own * crowd.people + stands, False, tuples)


def _sets(crowd: Crowd, annotators: int) -> list[list[int]] | None:
    """All sets of shapes by annotators of different images; None where they are too many."""
    sizes = [len(who) for who in crowd.seers]
    # the elementary symmetric polynomial counts them
    ways = [1] + [0] * annotators
    for size in sizes:
        for k in range(annotators, 0, -1):
            ways[k] += ways[k - 1] * size
    if ways[annotators] > _MOST:
        return None
    return [
        [crowd.images[k] * crowd.people + a for k, a in zip(some, who, strict=True)]
        for some in combinations(range(len(sizes)), annotators)
        for who in product(*(crowd.seers[k] for k in some))
    ]


def _distinct(rng: np.random.Generator, size: int, count: int, samples: int) -> Whole:
    """Rows of distinct numbers below `size`, each as likely as any.

    In every turn of `size` rows each number stands once in each column, so that what differs from image
    to image (how many shapes there are) adds no error: a shuffle of all, and itself moved by different steps.
    """
    found = []
    for _ in range(-(-samples // size)):
        turn = rng.permutation(size)
        steps = rng.permutation(size)[:count]
        found.append(turn[(np.arange(size)[:, None] + steps) % size])
    # whole turns where there is room for one
    rows = max(samples // size * size, min(samples, size))
    return np.concatenate(found)[:rows]
