# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Candidate unitary alignments: tuples of near units by depth-first extension."""

import cython
import numpy as np

from accord.kernels.doors import check_indices, check_lengths, check_offsets

if cython.compiled:
    from cython.cimports.libc.math import floor
else:
    from math import floor


@cython.ccall
def candidate_tuples(
    indptr: cython.const[cython.longlong][::1],
    other: cython.const[cython.int][::1],
    cost: cython.const[cython.double][::1],
    annotators: cython.int,
    empty: cython.longlong,
    factor: cython.double,
    most: cython.longlong,
):
    """Every tuple of two or more units that some optimal alignment may need.

    Pairs are (i, other[e]) for indptr[i] <= e < indptr[i+1]; their distances cost[e] × factor are
    rounded to whole numbers, `empty` being the cost of the empty unit. A tuple of m units is dropped
    when cutting off one or two of its units is at least as good, cross distances >=
    empty × (C + |A||B|), C = n(n-1)/2, or leaving all its units alone is.
    Returns (offsets, units, sum of empty - distance over the pairs, whether all were found);
    stops when there are more than `most`, or
    more than 8 × `most` units in them, or when too many partial tuples were tried.
    """
    check_offsets(indptr, other.shape[0])
    check_indices(other, indptr.shape[0] - 1)
    check_lengths(other.shape[0], cost)
    if annotators == 2:
        return _candidate_pairs(indptr, other, cost, empty, factor)
    units: cython.Py_ssize_t = indptr.shape[0] - 1
    n: cython.longlong = annotators
    pairs: cython.longlong = n * (n - 1) // 2
    distance: cython.longlong[::1] = np.empty(other.shape[0], dtype=np.int64)
    cut: cython.longlong = empty * (pairs + n - 1)
    size: cython.Py_ssize_t = 4 * other.shape[0] + 16
    room: cython.Py_ssize_t = 4 * size
    offsets_array = np.empty(size + 1, dtype=np.int64)
    offsets: cython.longlong[::1] = offsets_array
    offsets[0] = 0
    gain_array = np.empty(size, dtype=np.int64)
    gain: cython.longlong[::1] = gain_array
    member_array = np.empty(room, dtype=np.int32)
    member: cython.int[::1] = member_array
    count: cython.Py_ssize_t = 0
    steps: cython.longlong = 0
    filled: cython.Py_ssize_t = 0
    widest: cython.Py_ssize_t = 0
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    e: cython.Py_ssize_t
    p: cython.Py_ssize_t
    q: cython.Py_ssize_t
    k: cython.Py_ssize_t
    b: cython.Py_ssize_t
    level: cython.Py_ssize_t
    m: cython.Py_ssize_t
    base: cython.Py_ssize_t
    for e in range(other.shape[0]):
        distance[e] = cython.cast(cython.longlong, floor(cost[e] * factor + 0.5))
    for i in range(units):
        widest = max(widest, indptr[i + 1] - indptr[i])
    place: cython.int[::1] = np.empty(units, dtype=np.int32)
    for i in range(units):
        place[i] = -1
    local: cython.longlong[::1] = np.empty(max(1, widest * widest), dtype=np.int64)
    root: cython.longlong[::1] = np.empty(max(1, widest), dtype=np.int64)
    # per level: the units that may still be added, where we stand among them, the member chosen,
    # and the sum of distances of each member to the others
    live: cython.int[::1] = np.empty(max(1, widest * (annotators + 1)), dtype=np.int32)
    live_count: cython.longlong[::1] = np.zeros(annotators + 1, dtype=np.int64)
    cursor: cython.longlong[::1] = np.zeros(annotators + 1, dtype=np.int64)
    chosen: cython.int[::1] = np.zeros(annotators + 1, dtype=np.int32)
    sums: cython.longlong[::1] = np.zeros((annotators + 1) * (annotators + 1), dtype=np.int64)
    total: cython.longlong[::1] = np.zeros(annotators + 1, dtype=np.int64)
    d: cython.longlong
    x: cython.longlong
    worst: cython.longlong
    good: cython.bint
    for i in range(units):
        base = indptr[i]
        k = indptr[i + 1] - base
        if k == 0:
            continue
        for p in range(k):
            place[other[base + p]] = p
            root[p] = distance[base + p]
        for p in range(k):
            for q in range(p + 1, k):
                local[p * k + q] = -1
            j = other[base + p]
            for e in range(indptr[j], indptr[j + 1]):
                q = place[other[e]]
                if q >= 0:
                    local[p * k + q] = distance[e]
        for p in range(k):
            place[other[base + p]] = -1
            live[p] = p
        live_count[0] = k
        cursor[0] = 0
        sums[0] = 0
        total[0] = 0
        level = 0
        while level >= 0:
            if cursor[level] >= live_count[level]:
                level -= 1
                continue
            q = live[level * widest + cursor[level]]
            cursor[level] += 1
            steps += level + 1
            if steps > 64 * most:
                return (
                    offsets_array[: count + 1],
                    member_array[:filled],
                    gain_array[:count],
                    False,
                )
            # member 0 is the root; members 1..level are chosen[1..level]; q becomes member level+1
            m = level + 2
            x = root[q]
            sums[(level + 1) * (annotators + 1)] = sums[level * (annotators + 1)] + x
            d = x
            worst = sums[(level + 1) * (annotators + 1)]
            for p in range(1, level + 1):
                x = local[chosen[p] * k + q]
                d += x
                x += sums[level * (annotators + 1) + p]
                sums[(level + 1) * (annotators + 1) + p] = x
                if x > worst:
                    worst = x
            sums[(level + 1) * (annotators + 1) + level + 1] = d
            if d > worst:
                worst = d
            if worst >= cut:
                continue
            chosen[level + 1] = q
            total[level + 1] = total[level] + d
            good = worst < empty * (pairs + m - 1)
            # saves nothing over leaving every unit alone
            if empty * (pairs * (m - 1) + m * (m - 1) // 2) <= total[level + 1]:
                good = False
            if good and m >= 4:
                # cut off two units: their sums minus twice their own distance cross the cut
                for p in range(1, m):
                    x = sums[(level + 1) * (annotators + 1) + p]
                    d = sums[(level + 1) * (annotators + 1)] + x - 2 * root[chosen[p]]
                    if d >= empty * (pairs + 2 * (m - 2)):
                        good = False
                        break
                    for b in range(p + 1, m):
                        d = x + sums[(level + 1) * (annotators + 1) + b]
                        d -= 2 * local[chosen[p] * k + chosen[b]]
                        if d >= empty * (pairs + 2 * (m - 2)):
                            good = False
                            break
                    if not good:
                        break
            if good:
                if count == most or filled > 8 * most:
                    return (
                        offsets_array[: count + 1],
                        member_array[:filled],
                        gain_array[:count],
                        False,
                    )
                if count == size:
                    size *= 2
                    offsets_array = np.resize(offsets_array, size + 1)
                    offsets = offsets_array
                    gain_array = np.resize(gain_array, size)
                    gain = gain_array
                if filled + m > room:
                    room *= 2
                    member_array = np.resize(member_array, room)
                    member = member_array
                member[filled] = i
                for p in range(1, m):
                    member[filled + p] = other[base + chosen[p]]
                filled += m
                gain[count] = empty * (m * (m - 1) // 2) - total[level + 1]
                count += 1
                offsets[count] = filled
            if m < annotators:
                b = 0
                for e in range(cursor[level], live_count[level]):
                    p = live[level * widest + e]
                    if local[q * k + p] >= 0:
                        live[(level + 1) * widest + b] = p
                        b += 1
                if b > 0:
                    level += 1
                    live_count[level] = b
                    cursor[level] = 0
    return offsets_array[: count + 1], member_array[:filled], gain_array[:count], True


@cython.cfunc
def _candidate_pairs(
    indptr: cython.const[cython.longlong][::1],
    other: cython.const[cython.int][::1],
    cost: cython.const[cython.double][::1],
    empty: cython.longlong,
    factor: cython.double,
):
    """The same for two annotators: a pair is good when it costs less than its units alone."""
    size: cython.Py_ssize_t = other.shape[0]
    member_array = np.empty(2 * size, dtype=np.int32)
    member: cython.int[::1] = member_array
    gain_array = np.empty(size, dtype=np.int64)
    gain: cython.longlong[::1] = gain_array
    count: cython.Py_ssize_t = 0
    i: cython.Py_ssize_t
    e: cython.Py_ssize_t
    d: cython.longlong
    for i in range(indptr.shape[0] - 1):
        for e in range(indptr[i], indptr[i + 1]):
            d = cython.cast(cython.longlong, floor(cost[e] * factor + 0.5))
            if d < 2 * empty:
                member[2 * count] = i
                member[2 * count + 1] = other[e]
                gain[count] = empty - d
                count += 1
    offsets = np.arange(0, 2 * count + 1, 2, dtype=np.int64)
    return offsets, member_array[: 2 * count], gain_array[:count], True
