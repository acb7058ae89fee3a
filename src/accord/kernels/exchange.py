# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Tuples of little slack, quickly: units of a tuple are exchanged as long as that lowers its slack.

What is found is good and nearly always the best, but not proven to be (:mod:`accord.kernels.pricing` is).
"""

import cython
import numpy as np

from accord.kernels.doors import check_indices, check_lengths, check_offsets


@cython.ccall
def exchange_units(
    indptr: cython.const[cython.longlong][::1],
    other: cython.const[cython.int][::1],
    close: cython.const[cython.longlong][::1],
    annotator: cython.const[cython.int][::1],
    bonus: cython.longlong,
    price: cython.const[cython.longlong][::1],
    member: cython.int[:, ::1],
    kicks: cython.Py_ssize_t,
    seed: cython.longlong,
):
    """Lower the slack of a tuple around every unit, in place; what the slacks are, and steps taken.

    Pairs are (i, other[e]) for indptr[i] <= e < indptr[i+1], in both directions, other ascending with its
    annotator. member[i, a] is the unit of annotator a in the tuple of unit i, -1 for none: i itself and units
    near it and each other. The slack of a tuple is that of :func:`accord.kernels.pricing.priced_tuples`. From
    the best tuple so far some units are replaced at random, so many times as `kicks`, to start anew. At last
    every unit is given the best of all tuples that it is in.
    """
    check_offsets(indptr, other.shape[0])
    check_indices(other, indptr.shape[0] - 1)
    check_lengths(other.shape[0], close)
    check_lengths(indptr.shape[0] - 1, annotator, price, member)
    check_indices(annotator, member.shape[1])
    units: cython.Py_ssize_t = indptr.shape[0] - 1
    n: cython.Py_ssize_t = member.shape[1]
    slack_array = np.empty(units, dtype=np.int64)
    slack: cython.longlong[::1] = slack_array
    exchange: Exchange = Exchange(indptr, other, close, annotator, bonus, price, n, seed)
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    a: cython.Py_ssize_t
    b: cython.Py_ssize_t
    for i in range(units):
        slack[i] = exchange.around(i, member, kicks)
    for i in range(units):
        for a in range(n):
            j = member[i, a]
            if j >= 0 and slack[i] < slack[j]:
                slack[j] = slack[i]
                for b in range(n):
                    member[j, b] = member[i, b]
    return slack_array, exchange.steps


@cython.final
@cython.cclass
class Exchange:
    """One tuple at a time, with what every unit near it is to it."""

    indptr: cython.const[cython.longlong][::1]
    other: cython.const[cython.int][::1]
    close: cython.const[cython.longlong][::1]
    annotator: cython.const[cython.int][::1]
    price: cython.const[cython.longlong][::1]
    bonus: cython.longlong
    n: cython.Py_ssize_t
    drawn: cython.longlong
    steps: cython.longlong
    #: the tuple: unit of each annotator, how many, and its slack
    now: cython.int[::1]
    size: cython.longlong
    slack: cython.longlong
    best: cython.int[::1]
    #: of each unit: closeness to the units of the tuple, and how many of them it is near
    score: cython.longlong[::1]
    met: cython.int[::1]

    def __init__(
        self,
        indptr: cython.const[cython.longlong][::1],
        other: cython.const[cython.int][::1],
        close: cython.const[cython.longlong][::1],
        annotator: cython.const[cython.int][::1],
        bonus: cython.longlong,
        price: cython.const[cython.longlong][::1],
        n: cython.Py_ssize_t,
        seed: cython.longlong,
    ):
        units: cython.Py_ssize_t = indptr.shape[0] - 1
        self.indptr = indptr
        self.other = other
        self.close = close
        self.annotator = annotator
        self.price = price
        self.bonus = bonus
        self.n = n
        self.drawn = seed
        self.steps = 0
        self.size = 0
        self.slack = 0
        self.now = np.full(n, -1, dtype=np.int32)
        self.best = np.full(n, -1, dtype=np.int32)
        self.score = np.zeros(max(1, units), dtype=np.int64)
        self.met = np.zeros(max(1, units), dtype=np.int32)

    @cython.cfunc
    @cython.exceptval(check=False)
    def around(
        self, i: cython.Py_ssize_t, member: cython.int[:, ::1], kicks: cython.Py_ssize_t
    ) -> cython.longlong:
        """The best tuple around a unit, from the one that is given; its slack."""
        a: cython.Py_ssize_t
        j: cython.Py_ssize_t
        _kick: cython.Py_ssize_t
        _turn: cython.Py_ssize_t
        few: cython.Py_ssize_t
        degree: cython.longlong = self.indptr[i + 1] - self.indptr[i]
        lowest: cython.longlong
        self.put(i)
        # (what a tuple gains begins with its second unit)
        self.slack += self.bonus
        for a in range(self.n):
            if member[i, a] >= 0 and member[i, a] != i:
                self.put(member[i, a])
        self.descend(i)
        lowest = self.slack
        for a in range(self.n):
            self.best[a] = self.now[a]
        if degree > 0:
            for _kick in range(kicks):
                few = 3 if self.draw() % 2 == 0 else self.n // 2
                for _turn in range(few):
                    j = self.other[self.indptr[i] + self.draw() % degree]
                    a = self.annotator[j]
                    if self.now[a] >= 0:
                        self.take(self.now[a])
                    if self.met[j] == self.size:
                        self.put(j)
                self.descend(i)
                if self.slack < lowest:
                    lowest = self.slack
                    for a in range(self.n):
                        self.best[a] = self.now[a]
                else:
                    self.go_back()
        for a in range(self.n):
            member[i, a] = self.best[a]
            if self.now[a] >= 0:
                self.take(self.now[a])
        self.slack = 0
        return lowest

    @cython.cfunc
    @cython.exceptval(check=False)
    def go_back(self) -> cython.void:
        """From the tuple that was tried to the best one."""
        a: cython.Py_ssize_t
        for a in range(self.n):
            if self.now[a] >= 0 and self.now[a] != self.best[a]:
                self.take(self.now[a])
        for a in range(self.n):
            if self.best[a] >= 0 and self.now[a] != self.best[a]:
                self.put(self.best[a])

    @cython.cfunc
    @cython.exceptval(check=False)
    def descend(self, i: cython.Py_ssize_t) -> cython.void:
        """Give every annotator the best of its units near i, or none, until nothing changes."""
        changed: cython.bint = True
        e: cython.Py_ssize_t
        j: cython.Py_ssize_t
        a: cython.Py_ssize_t
        last: cython.Py_ssize_t = self.indptr[i + 1]
        best: cython.Py_ssize_t
        needed: cython.longlong
        least: cython.longlong
        value: cython.longlong
        while changed:
            changed = False
            self.steps += last - self.indptr[i]
            e = self.indptr[i]
            while e < last:
                a = self.annotator[self.other[e]]
                best = self.now[a]
                least = 0
                needed = self.size
                if best >= 0:
                    least = self.price[best] - self.bonus - self.score[best]
                    needed -= 1
                    if least > 0:
                        least = 0
                        best = -1
                while e < last and self.annotator[self.other[e]] == a:
                    j = self.other[e]
                    if self.met[j] == needed:
                        value = self.price[j] - self.bonus - self.score[j]
                        if value < least:
                            least = value
                            best = j
                    e += 1
                if best != self.now[a]:
                    changed = True
                    if self.now[a] >= 0:
                        self.take(self.now[a])
                    if best >= 0:
                        self.put(best)

    @cython.cfunc
    @cython.exceptval(check=False)
    def put(self, unit: cython.Py_ssize_t) -> cython.void:
        """A unit joins the tuple."""
        e: cython.Py_ssize_t
        self.slack += self.price[unit] - self.bonus - self.score[unit]
        self.now[self.annotator[unit]] = unit
        self.size += 1
        for e in range(self.indptr[unit], self.indptr[unit + 1]):
            self.score[self.other[e]] += self.close[e]
            self.met[self.other[e]] += 1
        self.steps += self.indptr[unit + 1] - self.indptr[unit]

    @cython.cfunc
    @cython.exceptval(check=False)
    def take(self, unit: cython.Py_ssize_t) -> cython.void:
        """A unit leaves the tuple."""
        e: cython.Py_ssize_t
        self.slack -= self.price[unit] - self.bonus - self.score[unit]
        self.now[self.annotator[unit]] = -1
        self.size -= 1
        for e in range(self.indptr[unit], self.indptr[unit + 1]):
            self.score[self.other[e]] -= self.close[e]
            self.met[self.other[e]] -= 1
        self.steps += self.indptr[unit + 1] - self.indptr[unit]

    @cython.cfunc
    @cython.exceptval(check=False)
    def draw(self) -> cython.longlong:
        """The next number at random (the low digits of such numbers are not)."""
        self.drawn = (self.drawn * 1103515245 + 12345) & 0x7FFFFFFF
        return self.drawn >> 8
