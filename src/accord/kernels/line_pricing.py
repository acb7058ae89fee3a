# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Units that are points of a line: the tuples that prices cannot rule out, by dynamic programming.

Where d is the distance of two points, the distances within m points x₁ ≤ … ≤ x_m add up to
Σ (2r − m − 1)·x_r: each point pays for its rank alone. So tuples of m units are grown from left to right,
and of all ways to have taken one unit from each of a set S of annotators only the cheapest matters. That
takes units × 2ⁿ steps for each m, however many tuples there are.
"""

import cython
import numpy as np

from accord.kernels.doors import check_indices, check_lengths

_FAR: cython.longlong = 1 << 61


@cython.ccall
def priced_on_line(
    place: cython.const[cython.longlong][::1],
    annotator: cython.const[cython.int][::1],
    annotators: cython.int,
    bonus: cython.longlong,
    empty: cython.longlong,
    digits: cython.longlong,
    price: cython.const[cython.longlong][::1],
    limit: cython.longlong,
    least_only: cython.bint,
    most: cython.Py_ssize_t,
):
    """Tuples whose price exceeds their gain by `limit` at most (below 0: by less than they gain).

    Unit i is at place[i]. A tuple of m units gains (m−1) × bonus + digits × (empty − distance) for each
    of its pairs; its slack is the sum of its prices minus that. With `least_only` one tuple is given for
    each size and last unit (the rightmost), that of least slack.
    Returns (offsets, units, sum of empty − distance over the pairs, the least slack of the tuples that
    end with each unit (limit + 1 when none is within), whether all were listed, steps taken).
    """
    check_lengths(place.shape[0], annotator, price)
    check_indices(annotator, annotators)
    n: cython.Py_ssize_t = annotators
    units: cython.Py_ssize_t = place.shape[0]
    sets: cython.Py_ssize_t = 1 << n
    order_array = np.argsort(place, kind="stable")
    order: cython.longlong[::1] = order_array
    # cheapest[k, S]: what one unit from each annotator of S costs at least, among the first k in order
    cheapest: cython.longlong[:, ::1] = np.empty((units + 1, sets), dtype=np.int64)
    count: cython.char[::1] = np.zeros(sets, dtype=np.int8)
    least_array = np.full(units, limit + 1, dtype=np.int64)
    least: cython.longlong[::1] = least_array
    size: cython.Py_ssize_t = 256
    found_array = np.empty((size, n), dtype=np.int32)
    found: cython.int[:, ::1] = found_array
    sizes_array = np.empty(size, dtype=np.int64)
    sizes: cython.longlong[::1] = sizes_array
    close_array = np.empty(size, dtype=np.int64)
    close: cython.longlong[::1] = close_array
    listed: cython.Py_ssize_t = 0
    # the tuple that is being unfolded, from its last unit: places in the order, sets left, what was spent
    taken: cython.longlong[::1] = np.zeros(n + 1, dtype=np.int64)
    cursor: cython.longlong[::1] = np.zeros(n + 1, dtype=np.int64)
    left: cython.longlong[::1] = np.zeros(n + 1, dtype=np.int64)
    spent: cython.longlong[::1] = np.zeros(n + 1, dtype=np.int64)
    # what a unit costs at each rank
    add: cython.longlong[::1] = np.zeros(n + 2, dtype=np.int64)
    steps: cython.longlong = 0
    m: cython.Py_ssize_t
    r: cython.Py_ssize_t
    k: cython.Py_ssize_t
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    s: cython.Py_ssize_t
    p: cython.Py_ssize_t
    several: cython.Py_ssize_t
    bit: cython.Py_ssize_t
    best: cython.Py_ssize_t
    level: cython.Py_ssize_t
    x: cython.longlong
    fixed: cython.longlong
    within: cython.longlong
    value: cython.longlong
    for s in range(1, sets):
        count[s] = count[s >> 1] + (s & 1)
    ranked_array = np.argsort(np.asarray(count), kind="stable")
    ranked: cython.longlong[::1] = ranked_array
    for m in range(2, n + 1):
        fixed = (m - 1) * bonus + digits * empty * (m * (m - 1) // 2)
        # sets of fewer than m annotators
        several = 0
        while several < sets and count[ranked[several]] < m:
            several += 1
        for p in range(several):
            cheapest[0, ranked[p]] = _FAR
        cheapest[0, 0] = 0
        for k in range(units):
            i = order[k]
            bit = 1 << annotator[i]
            steps += several
            best = -1
            value = limit + fixed + 1
            for r in range(1, m + 1):
                add[r] = price[i] + digits * (2 * r - m - 1) * place[i]
            for p in range(several):
                s = ranked[p]
                if s & bit:
                    continue
                x = cheapest[k, s]
                cheapest[k + 1, s] = x
                r = count[s] + 1
                x += add[r]
                if r < m:
                    if x > cheapest[k, s | bit]:
                        x = cheapest[k, s | bit]
                    cheapest[k + 1, s | bit] = x
                    continue
                # a tuple that ends here
                if x < value:
                    value = x
                    best = s
                if least_only or x > limit + fixed:
                    continue
                # all tuples of these annotators that end here, within the limit
                within = limit + fixed
                level = 0
                taken[0] = k
                left[0] = s
                spent[0] = x - cheapest[k, s]
                cursor[0] = k - 1
                while level >= 0:
                    if left[level] == 0:
                        if listed == size:
                            size *= 2
                            found_array = np.resize(found_array, (size, n))
                            found = found_array
                            sizes_array = np.resize(sizes_array, size)
                            sizes = sizes_array
                            close_array = np.resize(close_array, size)
                            close = close_array
                        if listed >= most:
                            return _answer(found_array, sizes_array, close_array, listed,
                                           least_array, False, steps)  # fmt: skip
                        _write(taken, order, place, m, empty, close, listed, found)
                        sizes[listed] = m
                        listed += 1
                        level -= 1
                        continue
                    j = cursor[level]
                    r = count[left[level]]
                    i = 0
                    while j >= 0:
                        i = order[j]
                        steps += 1
                        if left[level] >> annotator[i] & 1:
                            x = spent[level] + price[i] + digits * (2 * r - m - 1) * place[i]
                            if x + cheapest[j, left[level] ^ (1 << annotator[i])] <= within:
                                break
                        j -= 1
                    if j < 0:
                        level -= 1
                        continue
                    cursor[level] = j - 1
                    left[level + 1] = left[level] ^ (1 << annotator[i])
                    spent[level + 1] = x
                    level += 1
                    taken[level] = j
                    cursor[level] = j - 1
                i = order[k]
            if best < 0:
                continue
            if value - fixed < least[i]:
                least[i] = value - fixed
            if not least_only:
                continue
            # unfold the cheapest
            taken[0] = k
            s = best
            j = k
            for level in range(1, m):
                r = count[s]
                x = cheapest[j, s]
                j -= 1
                while True:
                    i = order[j]
                    if s >> annotator[i] & 1 and x == (
                        cheapest[j, s ^ (1 << annotator[i])]
                        + price[i]
                        + digits * (2 * r - m - 1) * place[i]
                    ):
                        break
                    j -= 1
                taken[level] = j
                s = s ^ (1 << annotator[i])
            if listed == size:
                size *= 2
                found_array = np.resize(found_array, (size, n))
                found = found_array
                sizes_array = np.resize(sizes_array, size)
                sizes = sizes_array
                close_array = np.resize(close_array, size)
                close = close_array
            if listed >= most:
                return _answer(
                    found_array, sizes_array, close_array, listed, least_array, False, steps
                )
            _write(taken, order, place, m, empty, close, listed, found)
            sizes[listed] = m
            listed += 1
    return _answer(found_array, sizes_array, close_array, listed, least_array, True, steps)


@cython.cfunc
def _write(
    taken: cython.longlong[::1],
    order: cython.longlong[::1],
    place: cython.const[cython.longlong][::1],
    m: cython.Py_ssize_t,
    empty: cython.longlong,
    close: cython.longlong[::1],
    row: cython.Py_ssize_t,
    found: cython.int[:, ::1],
):
    """Write a tuple, given from its last unit, and the sum of empty − distance over its pairs."""
    r: cython.Py_ssize_t
    p: cython.Py_ssize_t
    i: cython.int
    total: cython.longlong = empty * (m * (m - 1) // 2)
    for r in range(m):
        i = order[taken[r]]
        total -= (m - 1 - 2 * r) * place[i]
        # members ascend
        p = r
        while p > 0 and found[row, p - 1] > i:
            found[row, p] = found[row, p - 1]
            p -= 1
        found[row, p] = i
    close[row] = total


def _answer(found, sizes, close, listed, least, finished, steps):
    sizes = sizes[:listed]
    inside = np.arange(found.shape[1]) < sizes[:, None]
    offsets = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    return offsets, found[:listed][inside], close[:listed].copy(), least, finished, steps
