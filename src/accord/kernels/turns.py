# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Turns: every annotator's own units at another place (see :mod:`accord.chance.rotation`)."""

import cython
import numpy as np

from accord.kernels.doors import check_lengths, check_offsets

if cython.compiled:
    from cython.cimports.libc.math import floor, fmod
else:
    from math import floor, fmod

#: overlapping units keep their clumps when so much of the continuum is free between so many
_FREE: cython.double = 0.2
_CLUMPS: cython.Py_ssize_t = 3
#: random numbers that a unit may need
NEEDS = 2


@cython.ccall
def turned_units(
    offsets: cython.const[cython.longlong][::1],
    start: cython.const[cython.double][::1],
    end: cython.const[cython.double][::1],
    label: cython.const[cython.int][::1],
    extent: cython.double,
    grid: cython.bint,
    low: cython.double,
    step: cython.double,
    random: cython.const[cython.double][::1],
):
    """New places of the units of each annotator on [0, extent], as low + step × place.

    Annotator a has the units offsets[a] .. offsets[a+1], by start, longer before shorter. With `grid`
    all places are whole numbers, and stay so. `random` are numbers in [0, 1), NEEDS for each unit.
    Returns (start, end, number of the unit), of each annotator by start, end, label.
    """
    check_offsets(offsets, start.shape[0])
    check_lengths(start.shape[0], end, label)
    check_lengths(NEEDS * start.shape[0], random)
    units: cython.Py_ssize_t = start.shape[0]
    real_array = np.empty(5 * units, dtype=np.float64)
    real: cython.double[::1] = real_array
    new: cython.double[::1] = real[:units]
    whole: cython.longlong[::1] = np.empty(2 * units, dtype=np.int64)
    first_array = np.empty(units, dtype=np.float64)
    first: cython.double[::1] = first_array
    last_array = np.empty(units, dtype=np.float64)
    last: cython.double[::1] = last_array
    order_array = np.empty(units, dtype=np.int64)
    order: cython.longlong[::1] = order_array
    a: cython.Py_ssize_t
    i: cython.Py_ssize_t
    for a in range(offsets.shape[0] - 1):
        _turn(start, end, offsets[a], offsets[a + 1], 0.0, 0.0, extent, grid, random,
              NEEDS * offsets[a], real, whole)  # fmt: skip
    for i in range(units):
        real[units + i] = low + new[i] * step
        real[2 * units + i] = low + (new[i] + (end[i] - start[i])) * step
    for a in range(offsets.shape[0] - 1):
        _sort(real[units : 2 * units], real[2 * units : 3 * units], label, offsets[a],
              offsets[a + 1], order, whole)  # fmt: skip
    for i in range(units):
        first[i] = real[units + order[i]]
        last[i] = real[2 * units + order[i]]
    return first_array, last_array, order_array


@cython.cfunc
def _turn(
    start: cython.const[cython.double][::1],
    end: cython.const[cython.double][::1],
    a: cython.Py_ssize_t,
    b: cython.Py_ssize_t,
    base: cython.double,
    at: cython.double,
    extent: cython.double,
    grid: cython.bint,
    random: cython.const[cython.double][::1],
    used: cython.Py_ssize_t,
    real: cython.double[::1],
    whole: cython.longlong[::1],
) -> cython.Py_ssize_t:
    """Turn units a .. b−1 within [base, base + extent], which itself comes to `at`.

    Their new places are the first of `real`; `used` random numbers were taken before, and their number
    now is returned.
    """
    units: cython.Py_ssize_t = start.shape[0]
    new: cython.double[::1] = real[:units]
    begin: cython.double[::1] = real[units : 2 * units]
    stop: cython.double[::1] = real[2 * units : 3 * units]
    clumps: cython.Py_ssize_t = 0
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    k: cython.Py_ssize_t
    reach: cython.double
    free: cython.double = extent
    room: cython.double
    turn: cython.double
    if a >= b:
        return used
    # what fills everything cannot move, and holds the others
    i = a
    while i < b and start[i] - base == 0 and end[i] - base == extent:
        i += 1
    if a < i < b:
        for k in range(a, i):
            new[k] = at
        return _turn(start, end, i, b, base, at, extent, grid, random, used, real, whole)
    i = a
    while i < b:
        reach = end[i]
        j = i + 1
        while j < b and start[j] < reach:
            if end[j] > reach:
                reach = end[j]
            j += 1
        begin[a + clumps] = start[i] - base
        stop[a + clumps] = reach - base
        free -= reach - start[i]
        clumps += 1
        i = j
    if (
        clumps < b - a
        and (free < _FREE * extent or clumps < _CLUMPS)
        and _crossing(start, end, a, b, real[3 * units : 4 * units])
    ):
        # each start a share of the possible ones, all shares turned together
        turn = random[used]
        for i in range(a, b):
            room = extent - (end[i] - start[i])
            if grid:
                room += 1
                new[i] = at + floor(fmod((start[i] - base + 0.5) / room + turn, 1.0) * room)
            elif room > 0:
                new[i] = at + fmod((start[i] - base) / room + turn, 1.0) * room
            else:
                new[i] = at
        return used + 1
    used = _in_free_space(a, clumps, extent, free, grid, random, used, real, whole)
    # clumps move as they are; what one unit contains turns within it
    k = a
    i = a
    while i < b:
        reach = end[i]
        j = i
        room = at + begin[k] - start[i]
        while j < b and (j == i or start[j] < reach):
            if end[j] > reach:
                reach = end[j]
            new[j] = start[j] + room
            j += 1
        # (places of clumps after this one are not to be overwritten by what is within it)
        whole[units + k] = j
        k += 1
        i = j
    for k in range(clumps - 1, -1, -1):
        j = whole[units + a + k]
        i = whole[units + a + k - 1] if k > 0 else a
        if j - i > 1 and _holds(end, i, j):
            used = _turn(start, end, i + 1, j, start[i], new[i], end[i] - start[i], grid, random,
                         used, real, whole)  # fmt: skip
    return used


@cython.cfunc
@cython.exceptval(check=False)
def _holds(
    end: cython.const[cython.double][::1], a: cython.Py_ssize_t, b: cython.Py_ssize_t
) -> cython.bint:
    """Whether unit a reaches as far as all up to b."""
    i: cython.Py_ssize_t
    for i in range(a + 1, b):
        if end[i] > end[a]:
            return False
    return True


@cython.cfunc
@cython.exceptval(check=False)
def _crossing(
    start: cython.const[cython.double][::1],
    end: cython.const[cython.double][::1],
    a: cython.Py_ssize_t,
    b: cython.Py_ssize_t,
    open_ends: cython.double[::1],
) -> cython.bint:
    """Whether two units overlap without one containing the other."""
    count: cython.Py_ssize_t = 0
    i: cython.Py_ssize_t
    for i in range(a, b):
        while count > 0 and open_ends[count - 1] <= start[i]:
            count -= 1
        if count > 0 and end[i] > open_ends[count - 1]:
            return True
        open_ends[count] = end[i]
        count += 1
    return False


@cython.cfunc
def _in_free_space(
    a: cython.Py_ssize_t,
    size: cython.Py_ssize_t,
    extent: cython.double,
    free: cython.double,
    grid: cython.bint,
    random: cython.const[cython.double][::1],
    used: cython.Py_ssize_t,
    real: cython.double[::1],
    whole: cython.longlong[::1],
) -> cython.Py_ssize_t:
    """New beginnings of bodies that do not overlap, from those given in their order."""
    units: cython.Py_ssize_t = real.shape[0] // 5
    begin: cython.double[::1] = real[units + a : 2 * units]
    # where bodies stop at first, then their lengths
    length: cython.double[::1] = real[2 * units + a : 3 * units]
    gap: cython.double[::1] = real[3 * units + a :]
    order: cython.longlong[::1] = whole[a:units]
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    k: cython.Py_ssize_t
    place: cython.double = 0.0
    circle: cython.double
    turn: cython.double
    x: cython.double
    for i in range(size):
        gap[i] = begin[i] - place
        place = length[i]
        length[i] = place - begin[i]
        order[i] = i
    if size > 1 and free * size < extent - free:
        # less free than one mean body is a cutting: bodies, and gaps, in any order
        gap[size] = extent - place if extent > place else 0.0
        for i in range(size, 0, -1):
            j = cython.cast(cython.Py_ssize_t, floor(random[used] * (i + 1)))
            used += 1
            x = gap[i]
            gap[i] = gap[j]
            gap[j] = x
        used = _permute(order, 0, size, random, used)
        place = 0.0
        for i in range(size):
            place += gap[i]
            begin[order[i]] = place
            place += length[order[i]]
        return used
    # bodies that touch change places within their stretch
    i = 0
    while i < size:
        j = i + 1
        while j < size and gap[j] <= 0:
            j += 1
        used = _permute(order, i, j, random, used)
        i = j
    # on a grid, free atoms and bodies are the beads of one circle
    circle = free + size if grid else free
    turn = floor(random[used] * circle) if grid else random[used] * circle
    used += 1
    place = 0.0
    for i in range(size):
        place += gap[i]
        x = place + i if grid else place
        gap[i] = fmod(x + turn, circle) if circle > 0 else x
    # what passed the end comes first
    k = 0
    for i in range(1, size):
        if gap[i] < gap[i - 1]:
            k = i
            break
    place = 0.0
    for j in range(size):
        i = k + j if k + j < size else k + j - size
        begin[order[i]] = place + (gap[i] - j if grid else gap[i])
        place += length[order[i]]
    return used


@cython.cfunc
def _permute(
    order: cython.longlong[::1],
    a: cython.Py_ssize_t,
    b: cython.Py_ssize_t,
    random: cython.const[cython.double][::1],
    used: cython.Py_ssize_t,
) -> cython.Py_ssize_t:
    """Put order[a:b] in any order; random numbers used so far (Fisher and Yates)."""
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    x: cython.longlong
    for i in range(b - 1, a, -1):
        j = a + cython.cast(cython.Py_ssize_t, floor(random[used] * (i - a + 1)))
        used += 1
        x = order[i]
        order[i] = order[j]
        order[j] = x
    return used


@cython.cfunc
def _sort(
    start: cython.double[::1],
    end: cython.double[::1],
    label: cython.const[cython.int][::1],
    a: cython.Py_ssize_t,
    b: cython.Py_ssize_t,
    order: cython.longlong[::1],
    whole: cython.longlong[::1],
):
    """The units a .. b−1 by (start, end, label), into order[a:b], by merging what is in order."""
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    k: cython.Py_ssize_t
    middle: cython.Py_ssize_t
    last: cython.Py_ssize_t
    place: cython.Py_ssize_t
    runs: cython.Py_ssize_t = 2
    for i in range(a, b):
        order[i] = i
    while runs > 1:
        runs = 0
        k = a
        while k < b:
            middle = k + 1
            while middle < b and not _before(start, end, label, order[middle], order[middle - 1]):
                middle += 1
            last = middle + 1 if middle < b else b
            while last < b and not _before(start, end, label, order[last], order[last - 1]):
                last += 1
            i = k
            j = middle
            for place in range(k, last):
                if i < middle and (j == last or not _before(start, end, label, order[j], order[i])):
                    whole[place] = order[i]
                    i += 1
                else:
                    whole[place] = order[j]
                    j += 1
            k = last
            runs += 1
        for i in range(a, b):
            order[i] = whole[i]


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _before(
    start: cython.double[::1],
    end: cython.double[::1],
    label: cython.const[cython.int][::1],
    i: cython.longlong,
    j: cython.longlong,
) -> cython.bint:
    """Whether unit i comes before unit j."""
    if start[i] != start[j]:
        return start[i] < start[j]
    if end[i] != end[j]:
        return end[i] < end[j]
    return label[i] < label[j]
