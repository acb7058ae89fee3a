"""Images aligned and compared with chance: what box-gamma and box-cat share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from accord.alignment.align_boxes import (
    Image,
    align_images,
    images_of,
    scene_work,
    together,
)
from accord.alignment.layout import batched
from accord.alignment.scenes import Aligned, Scenes, align_scenes, assembled, cells_of
from accord.chance.images import Crowd, Draws, crowd_of, other_images
from accord.data.boxes import Boxes
from accord.data.parallel import map_tasks
from accord.data.progress import Course
from accord.distance.boxes import Geometry
from accord.distance.units import Dissimilarity
from accord.errors import InputError, some
from accord.measures.boxes.options import Settings
from accord.measures.gamma.campaign import Campaign
from accord.measures.gamma.expected import Expected, ratio_of_samples
from accord.measures.gamma.observed import Tally
from accord.measures.gamma.samples import effort_of
from accord.measures.gamma.tallies import Tallies
from accord.result import NO_SHARED_DOCUMENT, signature

Array = NDArray[np.float64]
#: benches of so many settings are kept with the data
_KEPT = 4


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Bench:
    """Images with their alignments, and the campaign that their sums make."""

    images: tuple[Image, ...]
    aligned: tuple[Aligned, ...]
    campaign: Campaign
    d: Dissimilarity
    #: any annotator of an image stood for another
    slots: bool = False
    scaled: bool = False


def bench_of(boxes: Boxes, how: Settings) -> Bench:
    """Align every image, sample chance; what was computed before under the same options is kept."""
    d = how.between(boxes)
    key = ("boxes", d.key, how.chance, how.samples, how.seed, how.time_limit)
    if key not in boxes.memo:
        while len(boxes.memo) >= _KEPT:
            boxes.memo.pop(next(iter(boxes.memo)))
        boxes.memo[key] = _made(boxes, how, d)
    made: Bench = boxes.memo[key]
    return made


def sign(name: str, boxes: Boxes, how: Settings, made: Bench) -> str:
    """The signature of a measure of this family."""
    words = {
        **made.d.words(),
        "positional": "dice",
        "chance": how.chance,
        "samples": how.samples,
        "slots": "yes" if made.slots else None,
        "scaled": "unit-square" if made.scaled else None,
        "seen": boxes.seen,
        "seed": how.seed,
    }
    return signature(name, boxes.compared, **words)


def _made(boxes: Boxes, how: Settings, d: Dissimilarity) -> Bench:
    course = Course(how.progress)
    images = images_of(boxes)
    numbers = [image.number for image in images]
    notes: list[str] = []
    alone = len(boxes.documents) - len(images)
    if alone and images:
        notes.append(f"images left out because fewer than two people annotated them: {alone}")
    drawn = np.isin(boxes.document, numbers)
    empty = partial(
        Campaign,
        documents=tuple(image.name for image in images),
        tallies=None,
        expected=(),
        group=np.zeros(0, dtype=np.int64),
        scope="corpus",
        notes=tuple(notes),
    )
    why = None if images else NO_SHARED_DOCUMENT
    if images and not drawn.any():
        why = "nobody drew any shape"
    if why is not None:
        return Bench(images=images, aligned=(), campaign=empty(undefined=why), d=d)
    if how.chance == "uniform":
        _refuse_unknown_sizes(boxes, images)
    known = bool(np.isfinite(boxes.sizes[numbers]).all())
    if how.chance == "images" and not known:
        part = "of some images " if np.isfinite(boxes.sizes[numbers]).any() else ""
        notes.append(
            f"the sizes {part}are not known: chance takes the shapes of other images as they are, not "
            "scaled to one size; give them with `lengths`"
        )
    crowd = crowd_of(boxes, numbers)
    sizes = sorted({len(image.annotators) for image in images})
    shapes = Geometry.of(boxes, scaled=known)
    chance = _Chance(boxes, shapes, d, how)
    draws: list[tuple[Draws, np.random.Generator | None]] = []
    few: list[tuple[int, int]] = []
    for number in sizes:
        if how.chance == "uniform":
            draws.append(chance.uniform(crowd.only(number), number))
            continue
        own = crowd.only(number)
        if len(own.images) < number <= len(crowd.images):
            few.append((len(own.images), number))
            own = crowd
        draws.append((other_images(own, number, how.samples, how.seed, slots=crowd.slots), None))
    course.later = sum(sum(chance.work(drawn)) for drawn, _ in draws)
    aligned = align_images(
        boxes, images, d, time_limit=how.time_limit, jobs=how.jobs, course=course
    )
    tallies = _together(
        [
            tallied(boxes.label, len(image.annotators), one, d, size)
            for image, one, size in zip(images, aligned, _counts(boxes, images), strict=True)
        ]
    )
    expected = [chance.expected(drawn, rng, course) for drawn, rng in draws]
    course.end()
    if few:
        notes.append(
            f"few images were annotated by as many people ({', '.join(f'{n} by {k}' for n, k in few)}): "
            "their chance is drawn from all images"
        )
    group = np.array([sizes.index(len(image.annotators)) for image in images], dtype=np.int64)
    return Bench(
        images=images,
        aligned=tuple(aligned),
        campaign=replace(
            empty(notes=tuple(notes)), tallies=tallies, expected=tuple(expected), group=group
        ),
        d=d,
        slots=crowd.slots and how.chance == "images",
        scaled=known and how.chance == "images",
    )


def _refuse_unknown_sizes(boxes: Boxes, images: Sequence[Image]) -> None:
    lacking = [x.name for x in images if not np.isfinite(boxes.sizes[x.number]).all()]
    if lacking:
        raise InputError(
            f"chance uniform needs the size of every image, {len(lacking)} are not known: {some(lacking, 3)}",
            hint="give a table document,width,height with `lengths`",
        )


def _together(found: Sequence[Tally]) -> Tallies:
    nothing = np.zeros(len(found))
    return Tallies(
        numerators=np.array([t.numerators for t in found]),
        denominators=np.array([t.denominators for t in found]),
        gap=np.array([t.gap for t in found]),
        greedy_total=nothing,
        greedy_weight=nothing,
        chosen=None,
        outline=None,
    )


def _counts(boxes: Boxes, images: Sequence[Image]) -> list[int]:
    counts = np.bincount(boxes.document, minlength=len(boxes.documents))
    return [int(counts[image.number]) for image in images]


def tallied(
    label: NDArray[np.int32], annotators: int, one: Aligned, d: Dissimilarity, shapes: int
) -> Tally:
    """Sums over the alignment of one image: Σδ over x̄; Σ w·d_cat over Σ w by category and for all.

    w = max(0, 1 − d_pos/Δ)/(n_v − 1), n_v the number of real shapes of the unitary alignment; a pair
    counts for a category when at least one of its shapes has it (as γ-cat, Mathet 2017).
    """
    size = len(d.categories)
    numerator, denominator = np.zeros(size + 2), np.zeros(size + 2)
    numerator[0], denominator[0] = one.total, shapes / annotators
    if len(one.row):
        present = (one.members >= 0).sum(axis=1)
        weight = np.maximum(0.0, 1 - (1 - one.dice) ** 2) / (present[one.row] - 1)
        left, right = label[one.first], label[one.second]
        cost = weight * d.matrix[left, right]
        for side, counted in ((left, left >= 0), (right, (right >= 0) & (right != left))):
            np.add.at(denominator, 1 + side[counted], weight[counted])
            np.add.at(numerator, 1 + side[counted], cost[counted])
        denominator[-1], numerator[-1] = weight.sum(), cost.sum()
    return Tally(numerator, denominator, one.gap)


@dataclass(frozen=True, slots=True, eq=False)
class _Chance:
    """Random images of these boxes, aligned and summed up."""

    boxes: Boxes
    shapes: Geometry
    d: Dissimilarity
    how: Settings

    def uniform(self, crowd: Crowd, annotators: int) -> tuple[Draws, np.random.Generator]:
        """Every image of the group in turn, its shapes anywhere in it."""
        rng = np.random.default_rng([self.how.seed, annotators])
        size = max(self.how.samples, 2)
        turns = np.concatenate(
            [rng.permutation(len(crowd.images)) for _ in range(-(-size // len(crowd.images)))]
        )[:size]
        cells = np.array(
            [[crowd.images[k] * crowd.people + a for a in crowd.seers[k]] for k in turns.tolist()],
            dtype=np.int64,
        )
        return Draws(cells, False, len(crowd.images)), rng

    def work(self, drawn: Draws) -> list[float]:
        """How much each part of these random images is."""
        counts, parts = self._parts(drawn)
        return [scene_work(int(counts[part].sum()), drawn.cells.shape[1]) for part in parts]

    def _parts(self, drawn: Draws) -> tuple[NDArray[np.int64], list[list[int]]]:
        """The shapes of each random image, and which are aligned at once."""
        edges = cells_of(self.boxes)
        counts = (edges[drawn.cells + 1] - edges[drawn.cells]).sum(axis=1)
        return counts, batched(counts, together(drawn.cells.shape[1]))

    def expected(self, drawn: Draws, rng: np.random.Generator | None, course: Course) -> Expected:
        """Their disorder, and disagreement on categories."""
        counts, parts = self._parts(drawn)
        if rng is not None:
            seeds = rng.integers(0, 2**63, size=len(drawn.cells)).tolist()
            tasks = [(drawn.cells[part], [seeds[k] for k in part]) for part in parts]
        else:
            tasks = [(drawn.cells[part], []) for part in parts]
        run = partial(_chance_task, self.boxes, self.shapes, self.d, self.how.time_limit)
        rows: list[Array] = [np.zeros(0)] * len(counts)
        tell = course.round(self.work(drawn))
        for part, found in zip(
            parts, map_tasks(run, tasks, jobs=self.how.jobs, progress=tell), strict=True
        ):
            for k, row in zip(part, found, strict=True):
                rows[k] = row
        name = "uniform" if rng is not None else "images: all" if drawn.exact else "images"
        made = ratio_of_samples(np.array(rows), name, np.zeros(len(rows), dtype=np.int64))
        return replace(made, error=np.zeros_like(made.error)) if drawn.exact else made


def _chance_task(
    boxes: Boxes,
    shapes: Geometry,
    d: Dissimilarity,
    time_limit: float | None,
    task: tuple[NDArray[np.int64], list[int]],
) -> list[Array]:
    cells, seeds = task
    scenes = assembled(boxes, shapes, cells_of(boxes), cells)
    if seeds:
        scenes = _anywhere(scenes, seeds)
    annotators = cells.shape[1]
    aligned = align_scenes(
        scenes,
        d,
        # of several ideal alignments any does, unless their labels are looked at
        canonical=len(d.categories) > 1,
        effort=effort_of(annotators),
        time_limit=time_limit,
    )
    return [
        np.concatenate([t.numerators, t.denominators, [t.gap]])
        for one, size in zip(aligned, scenes.sizes.tolist(), strict=True)
        for t in (tallied(boxes.label, annotators, one, d, size),)
    ]


def _anywhere(scenes: Scenes, seeds: Sequence[int]) -> Scenes:
    """Every shape at a random place of its image, its size kept; the same whatever the workers."""
    at = scenes.shapes
    where = np.concatenate(
        [
            np.random.default_rng(seed).random((size, 2))
            for seed, size in zip(seeds, scenes.sizes.tolist(), strict=True)
        ]
    ).reshape(-1, 2)
    # (sizes are known: places are shares of the image)
    x = where[:, 0] * np.maximum(0.0, 1 - (at.x1 - at.x0))
    y = where[:, 1] * np.maximum(0.0, 1 - (at.y1 - at.y0))
    return replace(scenes, shapes=at.moved(x, y))
