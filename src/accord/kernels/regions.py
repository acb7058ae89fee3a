# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Where a packing could still be improved, given feasible prices.

A *group* is a column of the packing or a unit that it leaves alone; the slack of a column is the sum of
its units' prices minus its gain, the slack of a lone unit its price, and none is negative. Another
packing differs from this one by independent *exchanges*: connected sets of groups that give way to other
columns over the same units. The prices of the units are the same before and after, so an exchange gains
what the old groups have in slack minus what the new ones have: it pays only if the new columns have less
slack than the groups they replace.

So around every group with slack (a *seed*) grows a ball whose radius is that slack, a step through a
column costing the column's slack. An exchange that pays cannot leave the balls of its seeds, unless balls
touch: those are joined, and their radii added. In the end balls are disjoint and no column bridges
several for less than what is left of their radii; then every exchange that pays lies within one region.
What is in no region is proven; the regions are independent problems.
"""

from __future__ import annotations

import cython
import numpy as np

from accord.kernels.doors import check_indices, check_lengths, check_offsets


@cython.ccall
def open_regions(
    offsets: cython.const[cython.longlong][::1],
    member: cython.const[cython.int][::1],
    slack: cython.const[cython.longlong][::1],
    indptr: cython.const[cython.longlong][::1],
    column: cython.const[cython.int][::1],
    price: cython.const[cython.longlong][::1],
    taken_by: cython.const[cython.int][::1],
    ties: cython.bint,
):
    """Region of each unit (-1: proven), and whether each column and each lone unit may still matter.

    Column k has the units member[offsets[k]] .. and this `slack`; unit i is in the columns
    column[indptr[i]] .. and has this `price`; taken_by[i] is its column in the packing, -1 when it is
    alone. With `ties`, exchanges that change nothing in the total are kept possible too.
    Returns (region of each unit, live flag of each column, live flag of each unit on its own).
    """
    check_offsets(offsets, member.shape[0])
    check_indices(member, price.shape[0])
    check_offsets(indptr, column.shape[0])
    check_indices(column, offsets.shape[0] - 1)
    check_lengths(offsets.shape[0] - 1, slack)
    check_lengths(indptr.shape[0] - 1, price, taken_by)
    check_indices(taken_by, offsets.shape[0] - 1, -1)
    balls: Balls = Balls(offsets, member, slack, indptr, column, price, taken_by, ties)
    balls.seed()
    while balls.grow_all() or balls.join_bridged():
        pass
    return balls.mark_live()


@cython.final
@cython.cclass
class Balls:
    """The balls around the groups of a packing that have slack; groups are called by their first unit."""

    offsets: cython.const[cython.longlong][::1]
    member: cython.const[cython.int][::1]
    slack: cython.const[cython.longlong][::1]
    indptr: cython.const[cython.longlong][::1]
    column: cython.const[cython.int][::1]
    price: cython.const[cython.longlong][::1]
    taken_by: cython.const[cython.int][::1]
    ties: cython.bint
    #: by how much an exchange must gain, in whole numbers
    least_gain: cython.longlong
    units: cython.Py_ssize_t
    #: the group of each unit
    group: cython.int[::1]
    seeds: cython.int[::1]
    seed_count: cython.Py_ssize_t
    #: joined regions: a forest over seeds; a region is called by its root
    parent: cython.int[::1]
    #: at the root of a region: the slack of all its seeds; -1 for groups that are no seed
    radius: cython.longlong[::1]
    #: the seeds of a region, from its root on, and at the root the last of them
    next_seed: cython.int[::1]
    last_seed: cython.int[::1]
    #: for each group: the region whose ball holds it (-1: none), how far it is from the region's seeds
    owner: cython.int[::1]
    distance: cython.longlong[::1]
    #: groups whose surroundings must be looked at (again), a ring
    ring: cython.int[::1]
    waits: cython.char[::1]

    def __init__(
        self,
        offsets: cython.const[cython.longlong][::1],
        member: cython.const[cython.int][::1],
        slack: cython.const[cython.longlong][::1],
        indptr: cython.const[cython.longlong][::1],
        column: cython.const[cython.int][::1],
        price: cython.const[cython.longlong][::1],
        taken_by: cython.const[cython.int][::1],
        ties: cython.bint,
    ):
        units: cython.Py_ssize_t = price.shape[0]
        unit: cython.Py_ssize_t
        used: cython.Py_ssize_t
        self.offsets, self.member, self.slack = offsets, member, slack
        self.indptr, self.column, self.price = indptr, column, price
        self.taken_by = taken_by
        self.ties = ties
        self.least_gain = 0 if ties else 1
        self.units = units
        self.group = np.empty(units, dtype=np.int32)
        self.seeds = np.empty(units, dtype=np.int32)
        self.seed_count = 0
        self.parent = np.arange(units, dtype=np.int32)
        self.radius = np.full(units, -1, dtype=np.int64)
        self.next_seed = np.full(units, -1, dtype=np.int32)
        self.last_seed = np.arange(units, dtype=np.int32)
        self.owner = np.empty(units, dtype=np.int32)
        self.distance = np.empty(units, dtype=np.int64)
        self.ring = np.empty(units, dtype=np.int32)
        self.waits = np.zeros(units, dtype=np.int8)
        for unit in range(units):
            used = taken_by[unit]
            self.group[unit] = unit if used < 0 else member[offsets[used]]

    @cython.cfunc
    @cython.exceptval(check=False)
    def seed(self) -> cython.void:
        """Make a seed of every group that an exchange which pays may begin with.

        Kept: the radii add up to the slack of the packing. With ties, a group without slack that some
        free exchange might touch is a seed of radius 0.
        """
        unit: cython.Py_ssize_t
        used: cython.Py_ssize_t
        slack: cython.longlong
        for unit in range(self.units):
            if self.group[unit] != unit:
                continue
            used = self.taken_by[unit]
            slack = self.price[unit] if used < 0 else self.slack[used]
            if slack > 0 or (self.ties and self.touches_free_column(unit)):
                self.radius[unit] = slack
                self.seeds[self.seed_count] = unit
                self.seed_count += 1

    @cython.cfunc
    @cython.exceptval(check=False)
    def touches_free_column(self, group: cython.Py_ssize_t) -> cython.bint:
        """Whether an unused column of some unit of the group, or leaving it alone, has no slack."""
        used: cython.Py_ssize_t = self.taken_by[group]
        first: cython.Py_ssize_t = 0 if used < 0 else self.offsets[used]
        last: cython.Py_ssize_t = 1 if used < 0 else self.offsets[used + 1]
        cell: cython.Py_ssize_t
        edge: cython.Py_ssize_t
        unit: cython.Py_ssize_t
        for cell in range(first, last):
            unit = group if used < 0 else self.member[cell]
            if used >= 0 and self.price[unit] == 0:
                return True
            for edge in range(self.indptr[unit], self.indptr[unit + 1]):
                if self.column[edge] != used and self.slack[self.column[edge]] == 0:
                    return True
        return False

    @cython.cfunc
    @cython.exceptval(check=False)
    def grow_all(self) -> cython.bint:
        """Grow the ball of every region afresh; whether some of them touched and were joined.

        Kept when none did: balls are disjoint, and each holds all groups within its radius at their
        least distance.
        """
        group: cython.Py_ssize_t
        turn: cython.Py_ssize_t
        joined: cython.bint = False
        for group in range(self.units):
            self.owner[group] = -1
        for turn in range(self.seed_count):
            group = self.seeds[turn]
            if self.parent[group] == group and self.grow(group):
                joined = True
        return joined

    @cython.cfunc
    @cython.exceptval(check=False)
    def grow(self, region: cython.Py_ssize_t) -> cython.bint:
        """Grow the ball of one region; whether it met another one and was joined with it.

        Kept: a group that the region owns is at distance[group] of its seeds through columns, or at less
        and waits; what is within the radius is owned, or its owner was joined with this region.
        """
        owner: cython.int[::1] = self.owner
        distance: cython.longlong[::1] = self.distance
        radius: cython.longlong = self.radius[region]
        joined: cython.bint = False
        head: cython.Py_ssize_t = 0
        waiting: cython.Py_ssize_t = 0
        group: cython.Py_ssize_t = region
        other: cython.Py_ssize_t
        unit: cython.Py_ssize_t
        used: cython.Py_ssize_t
        step: cython.Py_ssize_t
        first: cython.Py_ssize_t
        last: cython.Py_ssize_t
        cell: cython.Py_ssize_t
        edge: cython.Py_ssize_t
        entry: cython.Py_ssize_t
        reach: cython.longlong
        while group >= 0:
            # (a ball that reached this seed before was joined with its region then)
            owner[group] = region
            distance[group] = 0
            self.ring[waiting] = group
            self.waits[group] = 1
            waiting += 1
            group = self.next_seed[group]
        while waiting > 0:
            group = self.ring[head]
            head = (head + 1) % self.units
            waiting -= 1
            self.waits[group] = 0
            used = self.taken_by[group]
            first = 0 if used < 0 else self.offsets[used]
            last = 1 if used < 0 else self.offsets[used + 1]
            for cell in range(first, last):
                unit = group if used < 0 else self.member[cell]
                for edge in range(self.indptr[unit], self.indptr[unit + 1]):
                    step = self.column[edge]
                    reach = distance[group] + self.slack[step]
                    if step == used or reach + self.least_gain > radius:
                        continue
                    for entry in range(self.offsets[step], self.offsets[step + 1]):
                        other = self.group[self.member[entry]]
                        if owner[other] == region and distance[other] <= reach:
                            continue
                        if owner[other] >= 0 and owner[other] != region:
                            if self.join(owner[other], region):
                                joined = True
                            continue
                        if self.radius[other] >= 0 and self.join(other, region):
                            joined = True
                        owner[other] = region
                        distance[other] = reach
                        if not self.waits[other]:
                            self.waits[other] = 1
                            self.ring[(head + waiting) % self.units] = other
                            waiting += 1
        return joined

    @cython.cfunc
    @cython.exceptval(check=False)
    def join_bridged(self) -> cython.bint:
        """Join the balls that a column bridges for less than what is left of their radii together.

        Kept when there is none: a column that touches several balls costs an exchange all that their
        seeds could still pay, so no exchange that pays has it.
        """
        columns: cython.Py_ssize_t = self.slack.shape[0]
        bridge: cython.Py_ssize_t
        entry: cython.Py_ssize_t
        first: cython.Py_ssize_t
        region: cython.Py_ssize_t
        several: cython.bint
        joined: cython.bint = False
        for bridge in range(columns):
            first = -1
            several = False
            for entry in range(self.offsets[bridge], self.offsets[bridge + 1]):
                region = self.owner[self.group[self.member[entry]]]
                if region >= 0:
                    if first < 0:
                        first = region
                    elif region != first:
                        several = True
            if several and self.left_around(bridge) >= self.slack[bridge] + self.least_gain:
                for entry in range(self.offsets[bridge], self.offsets[bridge + 1]):
                    region = self.owner[self.group[self.member[entry]]]
                    if region >= 0 and self.join(region, first):
                        joined = True
        return joined

    @cython.cfunc
    @cython.exceptval(check=False)
    def left_around(self, bridge: cython.Py_ssize_t) -> cython.longlong:
        """What is left of the radius of each ball where it touches the column, summed over the balls."""
        first: cython.Py_ssize_t = self.offsets[bridge]
        last: cython.Py_ssize_t = self.offsets[bridge + 1]
        entry: cython.Py_ssize_t
        other: cython.Py_ssize_t
        group: cython.Py_ssize_t
        region: cython.Py_ssize_t
        rival: cython.Py_ssize_t
        nearest: cython.bint
        total: cython.longlong = 0
        for entry in range(first, last):
            group = self.group[self.member[entry]]
            region = self.owner[group]
            if region < 0:
                continue
            # a ball counts once, at its group nearest to its seeds (the first of equals)
            nearest = True
            for other in range(first, last):
                rival = self.group[self.member[other]]
                if other == entry or self.owner[rival] != region:
                    continue
                if self.distance[rival] < self.distance[group] or (
                    self.distance[rival] == self.distance[group] and other < entry
                ):
                    nearest = False
                    break
            if nearest:
                total += self.radius[region] - self.distance[group]
        return total

    @cython.cfunc
    def mark_live(self):
        """Region of each unit; which columns, and which units on their own, an exchange may use.

        Kept: what the packing uses within a region is live, so that it remains one of the choices; of the
        rest, what lies in one region and is within its radius, its own slack included.
        """
        columns: cython.Py_ssize_t = self.slack.shape[0]
        region_array = np.empty(self.units, dtype=np.int32)
        region: cython.int[::1] = region_array
        live_array = np.zeros(columns, dtype=np.int8)
        live: cython.char[::1] = live_array
        lone_array = np.zeros(self.units, dtype=np.int8)
        lone: cython.char[::1] = lone_array
        unit: cython.Py_ssize_t
        step: cython.Py_ssize_t
        entry: cython.Py_ssize_t
        ball: cython.Py_ssize_t
        reach: cython.longlong
        nearest: cython.longlong
        for unit in range(self.units):
            ball = self.owner[self.group[unit]]
            region[unit] = ball
            if ball >= 0:
                reach = self.distance[self.group[unit]] + self.price[unit]
                if self.taken_by[unit] < 0 or reach + self.least_gain <= self.radius[ball]:
                    lone[unit] = 1
        for step in range(columns):
            unit = self.member[self.offsets[step]]
            ball = region[unit]
            if ball < 0:
                continue
            if self.taken_by[unit] == step:
                live[step] = 1
                continue
            nearest = self.distance[self.group[unit]]
            for entry in range(self.offsets[step], self.offsets[step + 1]):
                unit = self.member[entry]
                if region[unit] != ball:
                    nearest = -1
                    break
                nearest = min(nearest, self.distance[self.group[unit]])
            if nearest >= 0 and nearest + self.slack[step] + self.least_gain <= self.radius[ball]:
                live[step] = 1
        return region_array, live_array, lone_array

    @cython.cfunc
    @cython.exceptval(check=False)
    def join(self, one: cython.Py_ssize_t, two: cython.Py_ssize_t) -> cython.bint:
        """Make one region of those of two seeds; False when they are one already.

        Kept: a region's radius is the sum of its seeds' slack, and its list has all its seeds.
        """
        one = self.root(one)
        two = self.root(two)
        if one == two:
            return False
        self.next_seed[self.last_seed[one]] = two
        self.last_seed[one] = self.last_seed[two]
        self.radius[one] += self.radius[two]
        self.parent[two] = one
        return True

    @cython.cfunc
    @cython.exceptval(check=False)
    def root(self, seed: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """The root of a seed's region; the way to it is halved."""
        parent: cython.int[::1] = self.parent
        while parent[seed] != seed:
            parent[seed] = parent[parent[seed]]
            seed = parent[seed]
        return seed
