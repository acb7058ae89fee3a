"""Boxes aligned by trying everything: what the measures of boxes must give, from the formulas alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations, permutations, product

import shapely

#: (points or corners, label)
Shape = tuple[tuple[float, ...], str | None]


def polygon(shape: Shape) -> shapely.Polygon:
    place = shape[0]
    if len(place) == 4:
        return shapely.box(*place)
    return shapely.Polygon(list(zip(place[::2], place[1::2], strict=True)))


def dice(one: Shape, two: Shape) -> float:
    a, b = polygon(one), polygon(two)
    return 2 * a.intersection(b).area / (a.area + b.area)


def least_total(
    people: Sequence[Sequence[Shape]],
    distance: Callable[[Shape, Shape], float | None],
    delta: float = 1.0,
) -> float:
    """The least Σδ(K) over all alignments; `distance` None for what is never aligned."""
    n = len(people)
    pairs = n * (n - 1) / 2
    elements = [(a, shape) for a, own in enumerate(people) for shape in own]

    def cost(group: Sequence[tuple[int, Shape]]) -> float | None:
        total = pairs * delta
        for (_, one), (_, two) in combinations(group, 2):
            found = distance(one, two)
            if found is None:
                return None
            total += found - delta
        return total / pairs

    def best(left: Sequence[tuple[int, Shape]]) -> float:
        if not left:
            return 0.0
        first, rest = left[0], left[1:]
        others: dict[int, list[int]] = {}
        for k, (a, _) in enumerate(rest):
            if a != first[0]:
                others.setdefault(a, []).append(k)
        least = float("inf")
        for chosen in product(*([None, *own] for own in others.values())):
            taken = [k for k in chosen if k is not None]
            here = cost([first, *(rest[k] for k in taken)])
            if here is not None and here < least:
                least = min(least, here + best([e for k, e in enumerate(rest) if k not in taken]))
        return least

    return best(elements)


def distance_of(
    alpha: float = 1.0,
    beta: float = 1.0,
    delta: float = 1.0,
    between: Callable[[str | None, str | None], float] = lambda a, b: float(a != b),
) -> Callable[[Shape, Shape], float | None]:
    def distance(one: Shape, two: Shape) -> float | None:
        alike = dice(one, two)
        if alike <= 0:
            return None
        return alpha * delta * (1 - alike) ** 2 + beta * delta * between(one[1], two[1])

    return distance


def other_images(
    images: Sequence[Sequence[Sequence[Shape]]],
    distance: Callable[[Shape, Shape], float | None],
    *,
    slots: bool = False,
) -> float:
    """m · mean of S over all tuples of distinct images, all of n annotators."""
    n = len(images[0])
    totals = []
    for some in permutations(range(len(images)), n):
        for who in product(range(n), repeat=n) if slots else [tuple(range(n))]:
            scene = [images[i][a] for i, a in zip(some, who, strict=True)]
            totals.append(least_total(scene, distance))
    return len(images) * sum(totals) / len(totals)
