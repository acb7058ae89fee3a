"""The best alignment of every image that at least two annotators saw."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from accord.alignment.alignment import Alignment
from accord.alignment.layout import batched
from accord.alignment.scenes import Aligned, align_scenes, scenes_of
from accord.data.boxes import Boxes
from accord.data.parallel import map_tasks
from accord.distance.boxes import Geometry
from accord.distance.units import Dissimilarity
from accord.errors import InputError


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
    progress: Callable[[int], None] | None = None,
) -> list[Aligned]:
    """The ideal alignment of each image, in the order of the images."""
    shapes = Geometry.of(boxes)
    found: dict[int, Aligned] = {}
    counts = np.bincount(boxes.document, minlength=len(boxes.documents))
    run = partial(_align_task, boxes, shapes, d, time_limit)
    tasks: list[list[int]] = []
    for number in sorted({len(image.annotators) for image in images}):
        alike = [image.number for image in images if len(image.annotators) == number]
        tasks += [[alike[k] for k in part] for part in batched(counts[alike])]
    for task, answers in zip(
        tasks, map_tasks(run, tasks, jobs=jobs, progress=progress), strict=True
    ):
        found |= dict(zip(task, answers, strict=True))
    return [found[image.number] for image in images]


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
