"""What open regions promise, against every packing there is and against their definition written out."""

from __future__ import annotations

import numpy as np
import pytest

from accord.kernels.outcome import has_tight_exchange
from accord.kernels.regions import open_regions
from tests.oracles.packings import Problem, packings, problem


def by_definition(p: Problem, *, ties: bool) -> tuple[list[int | None], set[int], set[int]]:
    """(region of each unit by any name, live columns, live lone units), as slowly as it is said.

    Regions start as single groups with slack (with ties: also those that a column without slack touches);
    distances from a region's seeds are least sums of slack of columns stepped through; regions are joined
    while a group is within the radius of two of them, or a column costs less than what is left of the
    radii of those it touches.
    """
    slack, sets, groups = p.slack.tolist(), p.sets, p.groups()
    least = 0 if ties else 1
    of = {u: g for g, (_, units) in enumerate(groups) for u in units}
    own = [slack[k] if k >= 0 else int(p.price[units[0]]) for k, units in groups]
    touched = [
        any(slack[c] == 0 for c in range(len(sets)) if c != k and set(sets[c]) & set(units))
        or (k >= 0 and any(p.price[u] == 0 for u in units))
        for k, units in groups
    ]
    regions = [{g} for g in range(len(groups)) if own[g] > 0 or (ties and touched[g])]
    used = {k for k, _ in groups}

    def ball(region: set[int]) -> dict[int, int]:
        radius = sum(own[g] for g in region)
        distance = dict.fromkeys(region, 0)
        changed = True
        while changed:
            changed = False
            for c, units in enumerate(sets):
                if c in used:
                    continue
                near = [distance[of[u]] for u in units if of[u] in distance]
                for u in units:
                    if near and min(near) + slack[c] + least <= radius:
                        reach = min(near) + slack[c]
                        if distance.get(of[u], reach + 1) > reach:
                            distance[of[u]] = reach
                            changed = True
        return distance

    while True:
        balls = [ball(r) for r in regions]
        join = next(
            (
                {a, b}
                for a in range(len(regions))
                for b in range(a)
                if balls[a].keys() & balls[b].keys()
            ),
            None,
        )
        if join is None:
            for c, units in enumerate(sets):
                met = {
                    r: min(ball_[of[u]] for u in units if of[u] in ball_)
                    for r, ball_ in enumerate(balls)
                    if any(of[u] in ball_ for u in units)
                }
                left = sum(sum(own[g] for g in regions[r]) - far for r, far in met.items())
                if len(met) > 1 and left >= slack[c] + least:
                    join = set(met)
                    break
        if join is None:
            break
        joined = set().union(*(regions[r] for r in join))
        regions = [x for r, x in enumerate(regions) if r not in join] + [joined]
    where: list[int | None] = [
        next((r for r, ball_ in enumerate(balls) if of[u] in ball_), None)
        for u in range(len(p.price))
    ]
    radii = [sum(own[g] for g in region) for region in regions]
    live, lone = set(), set()
    for c, units in enumerate(sets):
        r = where[units[0]]
        if r is None or any(where[u] != r for u in units):
            continue
        far = min(balls[r][of[u]] for u in units)
        if c in used or far + slack[c] + least <= radii[r]:
            live.add(c)
    for u, r in enumerate(where):
        if r is not None:
            reach = balls[r][of[u]] + int(p.price[u])
            if p.taken_by[u] < 0 or reach + least <= radii[r]:
                lone.add(u)
    return where, live, lone


@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize("block", range(30))
def test_regions_are_what_they_are_defined_to_be(block, ties):
    for seed in range(60 * block, 60 * block + 60):
        p = problem(seed, units=6 + seed % 7, columns=3 + seed % 11, high=3 + seed % 5)
        region, live, lone = open_regions(*p.arguments(), ties)
        where, live_set, lone_set = by_definition(p, ties=ties)
        assert [r < 0 for r in region.tolist()] == [r is None for r in where]
        names = set(zip(region.tolist(), where, strict=True))
        assert len(names) == len(set(region.tolist())) == len(set(where))
        assert set(np.flatnonzero(live).tolist()) == live_set
        assert set(np.flatnonzero(lone).tolist()) == lone_set


@pytest.mark.parametrize("seed", range(60))
def test_no_better_packing_is_lost(seed):
    """Outside the regions the packing stays; inside, live columns and lone units reach the optimum."""
    p = problem(seed, columns=10, high=3 + seed % 6)
    every = list(packings(p.sets))
    best = max(int(p.gain[list(c)].sum()) for c in every)
    region, live, lone = open_regions(*p.arguments(), False)
    fixed = {k for k, units in p.groups() if k >= 0 and region[units[0]] < 0}
    reached = 0
    for chosen in every:
        covered = {u for k in chosen for u in p.sets[k]}
        kept = fixed <= set(chosen) and all(k in fixed or live[k] for k in chosen)
        alone = all(
            lone[u] or p.taken_by[u] < 0 for u in range(9) if u not in covered and region[u] >= 0
        )
        if kept and alone:
            reached = max(reached, int(p.gain[list(chosen)].sum()))
    assert reached == best


@pytest.mark.parametrize("seed", range(80))
def test_no_equal_packing_is_lost(seed):
    """With ties, every packing as good as an optimal one lies within what is live."""
    p = problem(seed, columns=9, high=3)
    every = list(packings(p.sets))
    total = [int(p.gain[list(c)].sum()) for c in every]
    equal = [c for c, t in zip(every, total, strict=True) if t == max(total)]
    taken_by = np.full(9, -1, dtype=np.int32)
    for k in equal[0]:
        taken_by[list(p.sets[k])] = k
    p = Problem(p.offsets, p.member, p.gain, p.price, taken_by)
    region, live, lone = open_regions(*p.arguments(), True)
    for chosen in equal:
        for k in chosen:
            assert live[k] or k in equal[0]
            assert region[list(p.sets[k])].min() >= 0 or k in equal[0]
        alone = set(range(9)) - {u for k in chosen for u in p.sets[k]}
        assert all(lone[u] or taken_by[u] < 0 for u in alone)
    if len(equal) > 1:
        assert has_tight_exchange(*p.arguments())


@pytest.mark.parametrize("seed", range(200))
def test_a_tight_exchange_is_not_missed(seed):
    """On a packing without slack: False only where no other packing has none."""
    rng = np.random.default_rng(seed)
    units, size = 8, 3
    order = rng.permutation(units)
    blocks = [tuple(sorted(order[i : i + size].tolist())) for i in (0, 3)]
    more = {tuple(sorted(rng.choice(units, 2, replace=False).tolist())) for _ in range(7)}
    sets = sorted({*blocks, *more})
    price = rng.integers(0, 3, units).astype(np.int64)
    price[order[6:]] = 0
    taken_by = np.full(units, -1, dtype=np.int32)
    for k, s in enumerate(sets):
        if s in blocks:
            taken_by[list(s)] = k
    paid = np.array([price[list(s)].sum() for s in sets])
    spare = np.where(rng.random(len(sets)) < 0.5, 0, 1)
    gain = paid - np.where([s in blocks for s in sets], 0, spare)
    offsets = np.concatenate([[0], np.cumsum([len(s) for s in sets])]).astype(np.int64)
    member = np.concatenate([np.array(s) for s in sets]).astype(np.int32)
    p = Problem(offsets, member, gain, price, taken_by)
    equal = [
        c
        for c in packings(sets)
        if int(gain[list(c)].sum()) == int(price.sum()) and set(c) != set(taken_by.tolist()) - {-1}
    ]
    found = has_tight_exchange(*p.arguments())
    assert found or not equal
    strikes = _struck_out(p)
    assert bool(found) == strikes


def _struck_out(p: Problem) -> bool:
    """The rule written out: strike out columns without slack that strand a unit, until none does."""
    slack, sets = p.slack, p.sets
    used = {k for k, _ in p.groups() if k >= 0}
    if any(all(p.price[u] == 0 for u in sets[k]) for k in used):
        return True
    live = {k for k in range(len(sets)) if slack[k] == 0 and k not in used}
    while True:
        stuck = {
            u
            for u in range(len(p.price))
            if p.taken_by[u] >= 0 and p.price[u] > 0 and not any(u in sets[k] for k in live)
        }
        broken = {k for k in live for u in sets[k] if p.taken_by[u] >= 0
                  if set(sets[p.taken_by[u]]) & stuck}  # fmt: skip
        if not broken:
            return bool(live)
        live -= broken


def test_a_packing_with_slack_proves_nothing():
    p = problem(3)
    assert p.slack[p.taken_by[p.taken_by >= 0]].any() or p.price[p.taken_by < 0].any()
    assert has_tight_exchange(*p.arguments())
