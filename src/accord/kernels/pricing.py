# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""When tuples are too many to be listed: those that prices cannot rule out.

The tuples that begin with a unit take from every later annotator one of the units near it, or none: a
choice per annotator, each with a cost of its own and a cost for every two of them. What such choices cost
together at least is found by moving costs to and fro between choices and pairs of them, which changes no
total, until none is negative and a constant is left (reparametrisation: Kolmogorov 2006 for the sweeps;
costs drawn together around one annotator, as in soft arc consistency: Cooper et al. 2010). Then what a choice
costs with the best of every other annotator around it says which choices need not be looked at; the rest
are tried, annotator by annotator, the one with fewest choices first, and costs are moved again each time.
"""

import cython
import numpy as np

from accord.kernels.doors import check_indices, check_lengths, check_offsets

#: what two units that are not near each other cost
_FAR: cython.longlong = 1 << 57
#: sweeps before the search, and times that costs are moved before an annotator is decided on, at most
_SWEEPS: cython.Py_ssize_t = 30
_ROUNDS: cython.Py_ssize_t = 12


@cython.ccall
def priced_tuples(
    indptr: cython.const[cython.longlong][::1],
    other: cython.const[cython.int][::1],
    close: cython.const[cython.longlong][::1],
    annotator: cython.const[cython.int][::1],
    annotators: cython.int,
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
    bonus: cython.longlong,
    price: cython.const[cython.longlong][::1],
    limit: cython.longlong,
    least_only: cython.bint,
    most: cython.longlong,
    steps: cython.longlong,
):
    """Tuples whose price exceeds their gain by `limit` at most (below 0: by less than they gain).

    Pairs are (i, other[e]) for indptr[i] <= e < indptr[i+1], j of later annotators ascending; a
    tuple of m units gains (m-1) × bonus plus close[e] of its pairs; its slack is the sum of its
    prices minus that. Searched are the tuples whose unit of the earliest annotator is one of
    first .. last-1, each at the cost of `steps` at most.
    With `least_only` a tuple must have less slack than those found before it from the same unit.
    Returns (offsets, units, sum of close over the pairs, for each unit first .. last-1 a floor of
    the slack of its tuples (limit + 1 when none is within), whether nothing was cut short, steps
    taken); stops when there are more than `most`.
    """
    check_offsets(indptr, other.shape[0])
    check_indices(other, indptr.shape[0] - 1)
    check_lengths(other.shape[0], close)
    check_lengths(indptr.shape[0] - 1, annotator, price)
    check_indices(annotator, annotators)
    check_lengths(last, price)
    least_array = np.full(max(0, last - first), limit + 1, dtype=np.int64)
    least: cython.longlong[::1] = least_array
    i: cython.Py_ssize_t
    widest: cython.Py_ssize_t = 0
    finished: cython.bint = True
    spent: cython.longlong = 0
    for i in range(first, last):
        widest = max(widest, indptr[i + 1] - indptr[i])
    search: Search = Search(annotators, widest, indptr.shape[0] - 1, least_only, most)
    for i in range(first, last):
        if indptr[i + 1] == indptr[i]:
            continue
        search.within = limit
        search.left = steps
        search.begin_with(i, indptr, other, close, annotator, bonus, price)
        search.explore(0, 0)
        spent += steps - search.left
        if search.full:
            finished = False
            break
        if search.cut:
            # not finished: only what the first look promised is sure
            finished = False
            least[i - first] = min(search.opening, limit + 1)
        elif search.lowest <= limit:
            least[i - first] = search.lowest
    return (*search.found(close, bonus, price), least_array, finished, spent)


@cython.final
@cython.cclass
class Search:
    """One search after the other; decisions are levels, each with its own costs of what is left."""

    n: cython.Py_ssize_t
    room: cython.Py_ssize_t
    least_only: cython.bint
    most: cython.longlong
    #: the slack that tuples may have, steps left, the least slack that was promised and found
    within: cython.longlong
    left: cython.longlong
    opening: cython.longlong
    lowest: cython.longlong
    cut: cython.bint
    full: cython.bint
    #: place of each unit among the choices of the unit it begins with
    place: cython.int[::1]
    #: per level: annotators left, and for each which one it is, where its choices begin, how many are
    #: left of how many; where the table of two annotators begins
    many: cython.longlong[::1]
    whose: cython.int[::1]
    begins: cython.longlong[::1]
    count: cython.longlong[::1]
    width: cython.longlong[::1]
    at: cython.longlong[::1]
    #: per level: the unit of each choice (-1: none) and its cost; where free space for tables begins
    unit: cython.int[::1]
    cost: cython.longlong[::1]
    free: cython.longlong[::1]
    table: cython.longlong[::1]
    #: per level: what all choices left cost at least
    floor: cython.longlong[::1]
    #: a choice's cost with the best of all others around it, for one annotator; the same being made
    around: cython.longlong[::1]
    best: cython.longlong[::1]
    message: cython.longlong[::1]
    #: the unit of each annotator in the tuple that is being made, and in those that were found
    chosen: cython.int[::1]
    member_array: object
    member: cython.int[::1]
    offsets_array: object
    offsets: cython.longlong[::1]
    slack_array: object
    slack: cython.longlong[::1]
    listed: cython.Py_ssize_t
    filled: cython.Py_ssize_t

    def __init__(
        self,
        annotators: cython.Py_ssize_t,
        widest: cython.Py_ssize_t,
        units: cython.Py_ssize_t,
        least_only: cython.bint,
        most: cython.longlong,
    ):
        levels: cython.Py_ssize_t = annotators + 1
        self.n = annotators
        self.room = widest + annotators
        self.least_only = least_only
        self.most = most
        self.full = False
        self.place = np.full(max(1, units), -1, dtype=np.int32)
        self.many = np.zeros(levels, dtype=np.int64)
        self.whose = np.zeros(levels * annotators, dtype=np.int32)
        self.begins = np.zeros(levels * annotators, dtype=np.int64)
        self.count = np.zeros(levels * annotators, dtype=np.int64)
        self.width = np.zeros(levels * annotators, dtype=np.int64)
        self.at = np.zeros(levels * annotators * annotators, dtype=np.int64)
        self.unit = np.zeros(levels * self.room, dtype=np.int32)
        self.cost = np.zeros(levels * self.room, dtype=np.int64)
        self.free = np.zeros(levels + 1, dtype=np.int64)
        self.table = np.zeros(1, dtype=np.int64)
        self.floor = np.zeros(levels, dtype=np.int64)
        self.around = np.zeros(self.room, dtype=np.int64)
        self.best = np.zeros(self.room, dtype=np.int64)
        self.message = np.zeros(1, dtype=np.int64)
        self.chosen = np.full(annotators, -1, dtype=np.int32)
        self.member_array = np.empty(4096, dtype=np.int32)
        self.member = self.member_array
        self.offsets_array = np.zeros(1025, dtype=np.int64)
        self.offsets = self.offsets_array
        self.slack_array = np.empty(1024, dtype=np.int64)
        self.slack = self.slack_array
        self.listed = 0
        self.filled = 0

    @cython.cfunc
    def begin_with(
        self,
        i: cython.Py_ssize_t,
        indptr: cython.const[cython.longlong][::1],
        other: cython.const[cython.int][::1],
        close: cython.const[cython.longlong][::1],
        annotator: cython.const[cython.int][::1],
        bonus: cython.longlong,
        price: cython.const[cython.longlong][::1],
    ):
        """The choices around a unit and their costs, moved until they say something."""
        n: cython.Py_ssize_t = self.n
        base: cython.Py_ssize_t = indptr[i]
        k: cython.Py_ssize_t = indptr[i + 1] - base
        m: cython.Py_ssize_t = 0
        slot: cython.Py_ssize_t = 0
        p: cython.Py_ssize_t
        j: cython.Py_ssize_t
        e: cython.Py_ssize_t
        a: cython.Py_ssize_t
        b: cython.Py_ssize_t
        x: cython.Py_ssize_t
        y: cython.Py_ssize_t
        cell: cython.Py_ssize_t
        size: cython.Py_ssize_t = 0
        self.cut = False
        self.lowest = self.within + 1
        for a in range(n):
            self.chosen[a] = -1
        self.chosen[annotator[i]] = i
        p = 0
        while p < k:
            a = annotator[other[base + p]]
            self.whose[m] = a
            self.begins[m] = slot
            while p < k and annotator[other[base + p]] == a:
                j = other[base + p]
                self.place[j] = slot - self.begins[m]
                self.unit[slot] = j
                self.cost[slot] = price[j] - bonus - close[base + p]
                slot += 1
                p += 1
            # and none of them
            self.unit[slot] = -1
            self.cost[slot] = 0
            slot += 1
            self.count[m] = slot - self.begins[m]
            self.width[m] = self.count[m]
            m += 1
        self.many[0] = m
        self.floor[0] = price[i]
        for a in range(m):
            for b in range(a + 1, m):
                self.at[a * n + b] = size
                size += self.width[a] * self.width[b]
        if size * (m + 1) > self.table.shape[0]:
            # every level has fewer cells than the one before
            self.table = np.empty(size * (m + 1), dtype=np.int64)
        self.free[0] = size
        for a in range(m):
            for b in range(a + 1, m):
                for x in range(self.width[a]):
                    cell = self.at[a * n + b] + x * self.width[b]
                    for y in range(self.width[b]):
                        self.table[cell + y] = _FAR
                    self.table[cell + self.width[b] - 1] = 0
                cell = self.at[a * n + b] + (self.width[a] - 1) * self.width[b]
                for y in range(self.width[b]):
                    self.table[cell + y] = 0
        number: cython.int[::1] = self.numbered(m)
        for a in range(m):
            for x in range(self.width[a] - 1):
                j = self.unit[self.begins[a] + x]
                for e in range(indptr[j], indptr[j + 1]):
                    if self.place[other[e]] >= 0:
                        b = number[annotator[other[e]]]
                        cell = self.at[a * n + b] + x * self.width[b]
                        self.table[cell + self.place[other[e]]] = -close[e]
        for p in range(k):
            self.place[other[base + p]] = -1
        self.left -= size
        self.halve()
        some: cython.bint = self.settle(0, 2)
        self.opening = self.floor[0]
        if some and self.many[0] > 2:
            self.sweep()
            self.level_out(0)
            self.opening = max(self.opening, self.floor[0])

    @cython.cfunc
    def numbered(self, m: cython.Py_ssize_t):
        """The number of each annotator among those that have choices."""
        number_array = np.full(self.n, -1, dtype=np.int32)
        number: cython.int[::1] = number_array
        a: cython.Py_ssize_t
        for a in range(m):
            number[self.whose[a]] = a
        return number_array

    @cython.cfunc
    @cython.exceptval(check=False)
    def halve(self) -> cython.void:
        """Move half of what two annotators cost each other at least to the choices of either.

        Afterwards no pair costs less than nothing.
        """
        n: cython.Py_ssize_t = self.n
        m: cython.Py_ssize_t = self.many[0]
        table: cython.longlong[::1] = self.table
        a: cython.Py_ssize_t
        b: cython.Py_ssize_t
        x: cython.Py_ssize_t
        y: cython.Py_ssize_t
        cell: cython.Py_ssize_t
        least: cython.longlong
        half: cython.longlong
        for a in range(m):
            for b in range(a + 1, m):
                for y in range(self.width[b]):
                    self.best[y] = _FAR
                for x in range(self.width[a]):
                    cell = self.at[a * n + b] + x * self.width[b]
                    for y in range(self.width[b]):
                        if table[cell + y] < self.best[y]:
                            self.best[y] = table[cell + y]
                for y in range(self.width[b]):
                    # rounded down; (0 with no unit is always there: none is positive)
                    self.best[y] = -((1 - self.best[y]) // 2)
                    self.cost[self.begins[b] + y] += self.best[y]
                for x in range(self.width[a]):
                    cell = self.at[a * n + b] + x * self.width[b]
                    least = _FAR
                    for y in range(self.width[b]):
                        if table[cell + y] < least:
                            least = table[cell + y]
                    half = -((1 - least) // 2)
                    self.cost[self.begins[a] + x] += half
                    for y in range(self.width[b]):
                        table[cell + y] -= half + self.best[y]

    @cython.cfunc
    @cython.exceptval(check=False)
    def sweep(self) -> cython.void:
        """Sequential tree-reweighted messages between all annotators left (Kolmogorov 2006)."""
        n: cython.Py_ssize_t = self.n
        m: cython.Py_ssize_t = self.many[0]
        a: cython.Py_ssize_t
        b: cython.Py_ssize_t
        k: cython.Py_ssize_t
        x: cython.Py_ssize_t
        y: cython.Py_ssize_t
        cell: cython.Py_ssize_t
        back: cython.Py_ssize_t
        out: cython.Py_ssize_t
        turn: cython.Py_ssize_t
        size: cython.Py_ssize_t
        several: cython.Py_ssize_t
        cells: cython.longlong = 0
        shares: cython.longlong
        least: cython.longlong
        value: cython.longlong
        wide: cython.Py_ssize_t = 0
        for a in range(m):
            wide = max(wide, self.count[a])
            for b in range(a + 1, m):
                cells += self.count[a] * self.count[b]
        if self.message.shape[0] < m * m * wide:
            self.message = np.zeros(m * m * wide, dtype=np.int64)
        message: cython.longlong[::1] = self.message
        table: cython.longlong[::1] = self.table
        theirs: cython.longlong[::1] = self.around
        best: cython.longlong[::1] = self.best
        for k in range(m * m * wide):
            message[k] = 0
        for turn in range(2 * _SWEEPS):
            for k in range(m):
                a = k if turn % 2 == 0 else m - 1 - k
                size = self.count[a]
                shares = max(a, m - 1 - a)
                for x in range(size):
                    theirs[x] = self.cost[self.begins[a] + x]
                for b in range(m):
                    if b != a:
                        back = (b * m + a) * wide
                        for x in range(size):
                            theirs[x] += message[back + x]
                for x in range(size):
                    # (any share will do: costs are moved, not changed)
                    theirs[x] = theirs[x] // shares
                for b in range(a + 1 if turn % 2 == 0 else 0, m if turn % 2 == 0 else a):
                    several = self.count[b]
                    back = (b * m + a) * wide
                    out = (a * m + b) * wide
                    if b > a:
                        for y in range(several):
                            best[y] = 2 * _FAR
                        for x in range(size):
                            value = theirs[x] - message[back + x]
                            cell = self.at[a * n + b] + x * self.width[b]
                            for y in range(several):
                                if value + table[cell + y] < best[y]:
                                    best[y] = value + table[cell + y]
                    else:
                        for y in range(several):
                            cell = self.at[b * n + a] + y * self.width[a]
                            least = 2 * _FAR
                            for x in range(size):
                                value = theirs[x] - message[back + x] + table[cell + x]
                                if value < least:
                                    least = value
                            best[y] = least
                    least = 2 * _FAR
                    for y in range(several):
                        if best[y] < least:
                            least = best[y]
                    for y in range(several):
                        message[out + y] = best[y] - least
        for a in range(m):
            for b in range(m):
                if b != a:
                    for x in range(self.count[a]):
                        self.cost[self.begins[a] + x] += message[(b * m + a) * wide + x]
            for b in range(a + 1, m):
                for x in range(self.count[a]):
                    cell = self.at[a * n + b] + x * self.width[b]
                    value = message[(b * m + a) * wide + x]
                    for y in range(self.count[b]):
                        table[cell + y] -= value + message[(a * m + b) * wide + y]
        # pairs may cost less than nothing now: levelled out at once
        self.left -= cells * _SWEEPS * 2

    @cython.cfunc
    @cython.exceptval(check=False)
    def level_out(self, level: cython.Py_ssize_t) -> cython.void:
        """What every choice of an annotator costs, and every pair of two, goes into the floor."""
        n: cython.Py_ssize_t = self.n
        m: cython.Py_ssize_t = self.many[level]
        table: cython.longlong[::1] = self.table
        cost: cython.longlong[::1] = self.cost
        a: cython.Py_ssize_t
        b: cython.Py_ssize_t
        x: cython.Py_ssize_t
        y: cython.Py_ssize_t
        cell: cython.Py_ssize_t
        start: cython.Py_ssize_t
        several: cython.Py_ssize_t
        least: cython.longlong
        for a in range(m):
            start = level * self.room + self.begins[level * n + a]
            least = 2 * _FAR
            for x in range(self.count[level * n + a]):
                if cost[start + x] < least:
                    least = cost[start + x]
            for x in range(self.count[level * n + a]):
                cost[start + x] -= least
            self.floor[level] += least
            for b in range(a + 1, m):
                several = self.count[level * n + b]
                least = 2 * _FAR
                for x in range(self.count[level * n + a]):
                    cell = self.at[(level * n + a) * n + b] + x * self.width[level * n + b]
                    for y in range(several):
                        if table[cell + y] < least:
                            least = table[cell + y]
                if least == 0:
                    continue
                self.floor[level] += least
                for x in range(self.count[level * n + a]):
                    cell = self.at[(level * n + a) * n + b] + x * self.width[level * n + b]
                    for y in range(several):
                        table[cell + y] -= least

    @cython.cfunc
    @cython.exceptval(check=False)
    def look_around(self, level: cython.Py_ssize_t, a: cython.Py_ssize_t) -> cython.longlong:
        """What each choice of an annotator costs with the best of all others; the least of them."""
        n: cython.Py_ssize_t = self.n
        table: cython.longlong[::1] = self.table
        cost: cython.longlong[::1] = self.cost
        around: cython.longlong[::1] = self.around
        best: cython.longlong[::1] = self.best
        size: cython.Py_ssize_t = self.count[level * n + a]
        start: cython.Py_ssize_t = level * self.room + self.begins[level * n + a]
        theirs: cython.Py_ssize_t
        several: cython.Py_ssize_t
        wide: cython.Py_ssize_t
        cell: cython.Py_ssize_t
        b: cython.Py_ssize_t
        x: cython.Py_ssize_t
        y: cython.Py_ssize_t
        value: cython.longlong
        least: cython.longlong
        for x in range(size):
            around[x] = cost[start + x]
        for b in range(self.many[level]):
            if b == a:
                continue
            several = self.count[level * n + b]
            theirs = level * self.room + self.begins[level * n + b]
            if b > a:
                wide = self.width[level * n + b]
                for x in range(size):
                    cell = self.at[(level * n + a) * n + b] + x * wide
                    least = 2 * _FAR
                    for y in range(several):
                        value = table[cell + y] + cost[theirs + y]
                        least = value if value < least else least
                    around[x] += least
            else:
                wide = self.width[level * n + a]
                for x in range(size):
                    best[x] = 2 * _FAR
                for y in range(several):
                    cell = self.at[(level * n + b) * n + a] + y * wide
                    value = cost[theirs + y]
                    for x in range(size):
                        least = table[cell + x] + value
                        best[x] = least if least < best[x] else best[x]
                for x in range(size):
                    around[x] += best[x]
        least = 2 * _FAR
        for x in range(size):
            if around[x] < least:
                least = around[x]
        return least

    @cython.cfunc
    @cython.exceptval(check=False)
    def draw_together(self, level: cython.Py_ssize_t, a: cython.Py_ssize_t) -> cython.void:
        """Move all costs that can be to the choices of one annotator."""
        n: cython.Py_ssize_t = self.n
        table: cython.longlong[::1] = self.table
        cost: cython.longlong[::1] = self.cost
        size: cython.Py_ssize_t = self.count[level * n + a]
        start: cython.Py_ssize_t = level * self.room + self.begins[level * n + a]
        theirs: cython.Py_ssize_t
        several: cython.Py_ssize_t
        origin: cython.Py_ssize_t
        along: cython.Py_ssize_t
        across: cython.Py_ssize_t
        b: cython.Py_ssize_t
        x: cython.Py_ssize_t
        y: cython.Py_ssize_t
        least: cython.longlong
        value: cython.longlong
        for b in range(self.many[level]):
            if b == a:
                continue
            several = self.count[level * n + b]
            theirs = level * self.room + self.begins[level * n + b]
            if b > a:
                origin = self.at[(level * n + a) * n + b]
                along = self.width[level * n + b]
                across = 1
            else:
                origin = self.at[(level * n + b) * n + a]
                along = 1
                across = self.width[level * n + a]
            for x in range(size):
                least = 2 * _FAR
                for y in range(several):
                    value = table[origin + x * along + y * across] + cost[theirs + y]
                    if value < least:
                        least = value
                for y in range(several):
                    table[origin + x * along + y * across] += cost[theirs + y] - least
                cost[start + x] += least
            for y in range(several):
                cost[theirs + y] = 0

    @cython.cfunc
    @cython.exceptval(check=False)
    def drop(self, level: cython.Py_ssize_t, a: cython.Py_ssize_t) -> cython.bint:
        """Leave out the choices that are too much with the best around them; whether there are any."""
        n: cython.Py_ssize_t = self.n
        table: cython.longlong[::1] = self.table
        size: cython.Py_ssize_t = self.count[level * n + a]
        start: cython.Py_ssize_t = level * self.room + self.begins[level * n + a]
        wide: cython.Py_ssize_t
        origin: cython.Py_ssize_t
        b: cython.Py_ssize_t
        x: cython.Py_ssize_t
        y: cython.Py_ssize_t
        kept: cython.Py_ssize_t = 0
        room: cython.longlong = self.within - self.floor[level]
        for x in range(size):
            if self.around[x] > room:
                continue
            if kept < x:
                self.cost[start + kept] = self.cost[start + x]
                self.unit[start + kept] = self.unit[start + x]
                for b in range(self.many[level]):
                    if b > a:
                        wide = self.width[level * n + b]
                        origin = self.at[(level * n + a) * n + b]
                        for y in range(self.count[level * n + b]):
                            table[origin + kept * wide + y] = table[origin + x * wide + y]
                    elif b < a:
                        wide = self.width[level * n + a]
                        origin = self.at[(level * n + b) * n + a]
                        for y in range(self.count[level * n + b]):
                            table[origin + y * wide + kept] = table[origin + y * wide + x]
            kept += 1
        self.count[level * n + a] = kept
        return kept < size

    @cython.cfunc
    @cython.exceptval(check=False)
    def settle(self, level: cython.Py_ssize_t, rounds: cython.Py_ssize_t) -> cython.bint:
        """Move costs and leave out choices until nothing changes; False when no tuple is left."""
        n: cython.Py_ssize_t = self.n
        m: cython.Py_ssize_t = self.many[level]
        a: cython.Py_ssize_t
        _turn: cython.Py_ssize_t
        centre: cython.Py_ssize_t
        cells: cython.longlong
        least: cython.longlong
        most: cython.longlong
        dropped: cython.bint
        for _turn in range(rounds):
            self.level_out(level)
            cells = m
            for a in range(m):
                cells += self.count[level * n + a]
            self.left -= cells * cells
            if self.floor[level] > self.within:
                return False
            dropped = False
            most = 0
            centre = -1
            for a in range(m):
                least = self.look_around(level, a)
                if self.floor[level] + least > self.within:
                    self.floor[level] += least
                    return False
                if self.drop(level, a):
                    dropped = True
                if least > most:
                    most = least
                    centre = a
            if dropped:
                continue
            # (costs that hardly raise the floor are not worth moving)
            if centre < 0 or most * 50 <= self.within - self.floor[level]:
                break
            self.draw_together(level, centre)
        self.level_out(level)
        return self.floor[level] <= self.within

    @cython.cfunc
    def explore(self, level: cython.Py_ssize_t, units: cython.Py_ssize_t) -> cython.bint:
        """Every tuple within the limit that goes on from here; `units` later ones are in it already.

        False when there is no room or time for more.
        """
        n: cython.Py_ssize_t = self.n
        m: cython.Py_ssize_t = self.many[level]
        a: cython.Py_ssize_t
        x: cython.Py_ssize_t
        _turn: cython.Py_ssize_t
        start: cython.Py_ssize_t
        size: cython.Py_ssize_t
        who: cython.Py_ssize_t
        step: cython.Py_ssize_t
        last: cython.longlong = -1
        at: cython.Py_ssize_t = -1
        best: cython.longlong
        if m == 0:
            if units and self.floor[level] <= self.within:
                return self.keep(self.floor[level])
            return True
        if not self.settle(level, _ROUNDS if m > 1 else 1):
            return True
        if self.left < 0:
            self.cut = True
            return False
        a = 0
        for x in range(1, m):
            if self.count[level * n + x] < self.count[level * n + a]:
                a = x
        who = self.whose[level * n + a]
        size = self.count[level * n + a]
        start = level * self.room + self.begins[level * n + a]
        # choices by ascending cost: the next one is the least of those that come after the last
        for _turn in range(size):
            best = 4 * _FAR
            step = -1
            for x in range(size):
                if self.cost[start + x] < best and (
                    self.cost[start + x] > last or (self.cost[start + x] == last and x > at)
                ):
                    best = self.cost[start + x]
                    step = x
            if step < 0 or self.floor[level] + best > self.within:
                break
            last = best
            at = step
            self.chosen[who] = self.unit[start + step]
            self.decide(level, a, step)
            if not self.explore(level + 1, units + (1 if self.chosen[who] >= 0 else 0)):
                self.chosen[who] = -1
                return False
        self.chosen[who] = -1
        return True

    @cython.cfunc
    @cython.exceptval(check=False)
    def decide(
        self, level: cython.Py_ssize_t, a: cython.Py_ssize_t, x: cython.Py_ssize_t
    ) -> cython.void:
        """The next level: what is left when an annotator's choice is made."""
        n: cython.Py_ssize_t = self.n
        m: cython.Py_ssize_t = self.many[level]
        table: cython.longlong[::1] = self.table
        cost: cython.longlong[::1] = self.cost
        now: cython.Py_ssize_t = level * n
        then: cython.Py_ssize_t = (level + 1) * n
        free: cython.Py_ssize_t = self.free[level]
        slot: cython.Py_ssize_t = 0
        p: cython.Py_ssize_t = 0
        q: cython.Py_ssize_t
        b: cython.Py_ssize_t
        c: cython.Py_ssize_t
        y: cython.Py_ssize_t
        z: cython.Py_ssize_t
        here: cython.Py_ssize_t
        there: cython.Py_ssize_t
        cell: cython.Py_ssize_t
        stride: cython.Py_ssize_t
        for b in range(m):
            if b == a:
                continue
            self.whose[then + p] = self.whose[now + b]
            self.begins[then + p] = slot
            self.count[then + p] = self.count[now + b]
            self.width[then + p] = self.count[now + b]
            here = level * self.room + self.begins[now + b]
            there = (level + 1) * self.room + slot
            if b > a:
                cell = self.at[(now + a) * n + b] + x * self.width[now + b]
                stride = 1
            else:
                cell = self.at[(now + b) * n + a] + x
                stride = self.width[now + a]
            for y in range(self.count[now + b]):
                cost[there + y] = cost[here + y] + table[cell + y * stride]
                self.unit[there + y] = self.unit[here + y]
            slot += self.count[now + b]
            q = p + 1
            for c in range(b + 1, m):
                if c == a:
                    continue
                self.at[(then + p) * n + q] = free
                for y in range(self.count[now + b]):
                    cell = self.at[(now + b) * n + c] + y * self.width[now + c]
                    for z in range(self.count[now + c]):
                        table[free + z] = table[cell + z]
                    free += self.count[now + c]
                q += 1
            p += 1
        self.many[level + 1] = m - 1
        self.free[level + 1] = free
        self.floor[level + 1] = (
            self.floor[level] + cost[level * self.room + self.begins[now + a] + x]
        )

    @cython.cfunc
    def keep(self, slack: cython.longlong) -> cython.bint:
        """Note the tuple that is made; False when there are enough."""
        a: cython.Py_ssize_t
        if self.listed == self.most:
            self.full = True
            return False
        if self.listed == self.slack.shape[0]:
            self.offsets_array = np.resize(self.offsets_array, 2 * self.listed + 1)
            self.offsets = self.offsets_array
            self.slack_array = np.resize(self.slack_array, 2 * self.listed)
            self.slack = self.slack_array
        if self.filled + self.n > self.member.shape[0]:
            self.member_array = np.resize(self.member_array, 2 * (self.filled + self.n))
            self.member = self.member_array
        for a in range(self.n):
            if self.chosen[a] >= 0:
                self.member[self.filled] = self.chosen[a]
                self.filled += 1
        self.slack[self.listed] = slack
        self.listed += 1
        self.offsets[self.listed] = self.filled
        self.lowest = min(self.lowest, slack)
        if self.least_only:
            self.within = slack - 1
        return True

    @cython.cfunc
    def found(
        self,
        close: cython.const[cython.longlong][::1],
        bonus: cython.longlong,
        price: cython.const[cython.longlong][::1],
    ):
        """(offsets, units, sum of close over the pairs) of the tuples."""
        total_array = np.empty(self.listed, dtype=np.int64)
        total: cython.longlong[::1] = total_array
        k: cython.Py_ssize_t
        e: cython.Py_ssize_t
        for k in range(self.listed):
            # slack = prices − (m−1) × bonus − closeness
            total[k] = -self.slack[k] - (self.offsets[k + 1] - self.offsets[k] - 1) * bonus
            for e in range(self.offsets[k], self.offsets[k + 1]):
                total[k] += price[self.member[e]]
        return (
            self.offsets_array[: self.listed + 1],
            self.member_array[: self.filled],
            total_array,
        )
