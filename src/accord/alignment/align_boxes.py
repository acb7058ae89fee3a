"""The best alignment of every image that at least two annotators saw."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from accord.alignment.alignment import Alignment
from accord.alignment.layout import TOGETHER, batched
from accord.alignment.scenes import Aligned, align_scenes, scenes_of
from accord.data.boxes import Boxes
from accord.data.parallel import map_tasks
from accord.data.progress import Course
from accord.distance.boxes import Geometry
from accord.distance.units import Dissimilarity
from accord.errors import InputError

#: how many times the work of a random image a real one is, whose alignment is to be proven
_PROVEN = 4


@dataclass(frozen=True, slots=True)
class Image:
    """An image that at least two annotators saw, its number among the documents, and who they are."""

    name: str
    number: int
    annotators: tuple[str, ...]


def images_of(boxes: Boxes) -> tuple[Image, ...]:
    """The images that at least two annotators saw."""
    number = boxes.coverage.sum(axis=1).tolist()
    return tuple(
        Image(
            name, i, tuple([boxes.annotators[a] for a in boxes.coverage[i].nonzero()[0].tolist()])
        )
        for i, name in enumerate(boxes.documents)
        if number[i] >= 2
    )


def align_images(
    boxes: Boxes,
    images: Sequence[Image],
    d: Dissimilarity,
    *,
    time_limit: float | None = None,
    jobs: int = 1,
    course: Course | None = None,
) -> list[Aligned]:
    """The ideal alignment of each image, in the order of the images."""
    shapes = Geometry.of(boxes)
    found: dict[int, Aligned] = {}
    counts = np.bincount(boxes.document, minlength=len(boxes.documents))
    run = partial(_align_task, boxes, shapes, d, time_limit)
    tasks: list[tuple[int, list[int]]] = []
    for number in sorted({len(image.annotators) for image in images}):
        alike = [image.number for image in images if len(image.annotators) == number]
        parts = batched(counts[alike], together(number, _PROVEN))
        tasks += [(number, [alike[k] for k in part]) for part in parts]
    weights = [_PROVEN * scene_work(int(counts[task].sum()), people) for people, task in tasks]
    course = course or Course(None)
    course.later += sum(weights)
    tell = course.round(weights)
    numbers = [task for _, task in tasks]
    for task, answers in zip(
        numbers, map_tasks(run, numbers, jobs=jobs, progress=tell), strict=True
    ):
        found |= dict(zip(task, answers, strict=True))
    return [found[image.number] for image in images]


def scene_work(shapes: int, annotators: int) -> float:
    """How much it is to align so many shapes of random images that so many annotators saw, about.

    Up to six annotators the shapes count; then each annotator more is as much again. Measured on images of
    6 to 9 annotators: between a third and three times that.
    """
    return float(
        (shapes + 1) * 2.0 ** min(6, max(0, annotators - 6)) * (6 if annotators > 6 else 1)
    )


def together(annotators: int, often: int = 1) -> int:
    """Shapes that are aligned at once: fewer where they take long, so that progress is told."""
    return max(500, int(TOGETHER / (often * scene_work(0, annotators))))


def align_boxes(
    boxes: Boxes, d: Dissimilarity, *, time_limit: float | None = None, jobs: int = 1
) -> tuple[Alignment, ...]:
    """The alignments of :func:`accord.align`, for shapes in images."""
    images = images_of(boxes)
    if not images:
        raise InputError(
            f"no image has two annotators (annotators: {len(boxes.annotators)})",
            hint="alignment compares at least two",
        )
    found = align_images(boxes, images, d, time_limit=time_limit, jobs=jobs)
    return tuple(
        Alignment.exact(x.name, x.annotators, one.members, one.disorders, one.gap)
        for x, one in zip(images, found, strict=True)
    )


def _align_task(
    boxes: Boxes, shapes: Geometry, d: Dissimilarity, time_limit: float | None, task: Sequence[int]
) -> list[Aligned]:
    return align_scenes(scenes_of(boxes, shapes, task), d, time_limit=time_limit)
