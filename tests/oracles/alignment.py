"""Every alignment there is, for continua small enough to try them all."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations

#: (annotator, start, end, label)
Unit = tuple[int, float, float, str | None]
Distance = Callable[[Unit, Unit], float]


def gamma_distance(
    alpha: float = 1.0,
    beta: float = 1.0,
    delta: float = 1.0,
    table: dict[tuple[str, str], float] | None = None,
    holistic: bool = False,
) -> Distance:
    def distance(u: Unit, v: Unit) -> float:
        apart = abs(u[1] - v[1]) + abs(u[2] - v[2])
        length = (u[2] - u[1]) + (v[2] - v[1])
        position = (apart / (length / 2)) ** 2 if holistic else delta * (apart / length) ** 2
        if u[3] == v[3]:
            category = 0.0
        elif table is None or u[3] is None or v[3] is None:
            category = 1.0
        else:
            category = table[u[3], v[3]]
        return alpha * position + beta * category * delta

    return distance


def unitary(group: Sequence[Unit], distance: Distance, delta: float, n: int) -> float:
    pairs = n * (n - 1) / 2
    return delta + sum(distance(u, v) - delta for u, v in combinations(group, 2)) / pairs


def partitions(units: Sequence[Unit]) -> Iterator[list[tuple[Unit, ...]]]:
    """All partitions into groups with at most one unit of each annotator."""
    if not units:
        yield []
        return
    first, rest = units[0], list(units[1:])
    for size in range(len(rest) + 1):
        for others in combinations(rest, size):
            who = [first[0], *(u[0] for u in others)]
            if len(set(who)) == len(who):
                left = [u for u in rest if u not in others]
                for more in partitions(left):
                    yield [(first, *others), *more]


def order(group: Sequence[Unit]) -> list[tuple[float, float, str, int]]:
    return sorted((u[1], u[2], u[3] or "", u[0]) for u in group)


def best_alignments(
    units: Sequence[Unit], distance: Distance, delta: float, n: int, *, mean: bool
) -> tuple[float, list[list[tuple[float, float, str, int]]]]:
    """Least sum (or mean) of δ, and the canonical one among the alignments that reach it."""
    found = []
    for groups in partitions(units):
        total = sum(unitary(g, distance, delta, n) for g in groups)
        value = total / len(groups) if mean else total
        found.append((value, -len(groups), sorted(order(g) for g in groups)))
    least = min(f[0] for f in found)
    _, smallest = min((f[1], f[2]) for f in found if abs(f[0] - least) < 1e-9)
    return least, smallest


def best_cover(units: Sequence[Unit], distance: Distance, delta: float, n: int) -> float:
    """Least sum of δ over sets of groups that contain every unit at least once."""
    groups = []
    for size in range(1, n + 1):
        for some in combinations(range(len(units)), size):
            who = [units[i][0] for i in some]
            if len(set(who)) == len(who):
                cost = unitary([units[i] for i in some], distance, delta, n)
                groups.append((sum(1 << i for i in some), cost))
    best = {0: 0.0}
    full = (1 << len(units)) - 1
    for state in range(full):
        if state not in best:
            continue
        lowest = (~state & (state + 1)).bit_length() - 1
        for mask, cost in groups:
            if mask >> lowest & 1:
                joint = state | mask
                best[joint] = min(best.get(joint, float("inf")), best[state] + cost)
    return best[full]
