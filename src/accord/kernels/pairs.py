# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Pairs of units close enough to be aligned, found by windows along the axis."""

import cython
import numpy as np


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _dissimilarity(
    kind: cython.int,
    weight: cython.double,
    s: cython.double,
    e: cython.double,
    t: cython.double,
    f: cython.double,
) -> cython.double:
    """weight × positional dissimilarity of [s, e) and [t, f)."""
    x: cython.double
    if kind == 1:
        return weight * abs(e - f)
    x = abs(s - t) + abs(e - f)
    if x == 0.0:
        return 0.0
    if (e - s) + (f - t) == 0.0:
        return float("inf")
    x = x / ((e - s) + (f - t))
    return weight * (x * x)


@cython.ccall
def near_pairs(
    offsets: cython.longlong[:],
    start: cython.double[:],
    end: cython.double[:],
    label: cython.int[:],
    matrix: cython.double[:, :],
    kind: cython.int,
    weight: cython.double,
    limit: cython.double,
    key: cython.double[:],
    order: cython.int[:],
    group_offsets: cython.longlong[:],
    group_annotator: cython.int[:],
    group_length: cython.double[:],
    relative: cython.double,
    absolute: cython.double,
):
    """All pairs (i, j), j of a later annotator, with dissimilarity < limit, as a ragged table.

    Units are numbered annotator by annotator (`offsets`). `order` lists them group by group, a
    group being units of one annotator with lengths up to group_length, sorted by `key`; a pair
    within the limit has keys at most relative × (length + group_length) + absolute apart. Labels
    index `matrix` (-1 its last row), which is added to weight × positional dissimilarity (kind 0
    sporadic, 1 end).
    Returns (indptr, j, dissimilarity), j ascending within each i.
    """
    units: cython.Py_ssize_t = start.shape[0]
    groups: cython.Py_ssize_t = group_annotator.shape[0]
    annotators: cython.Py_ssize_t = offsets.shape[0] - 1
    none: cython.Py_ssize_t = matrix.shape[0] - 1
    size: cython.Py_ssize_t = 4 * units + 16
    indptr_array = np.zeros(units + 1, dtype=np.int64)
    indptr: cython.longlong[:] = indptr_array
    other_array = np.empty(size, dtype=np.int32)
    other: cython.int[:] = other_array
    cost_array = np.empty(size, dtype=np.float64)
    cost: cython.double[:] = cost_array
    count: cython.Py_ssize_t = 0
    a: cython.Py_ssize_t
    g: cython.Py_ssize_t
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    k: cython.Py_ssize_t
    low: cython.Py_ssize_t
    high: cython.Py_ssize_t
    middle: cython.Py_ssize_t
    first: cython.Py_ssize_t
    width: cython.double
    d: cython.double
    for a in range(annotators):
        for i in range(offsets[a], offsets[a + 1]):
            first = count
            for g in range(groups):
                if group_annotator[g] <= a:
                    continue
                width = relative * (end[i] - start[i] + group_length[g]) + absolute
                low = group_offsets[g]
                high = group_offsets[g + 1]
                while low < high:
                    middle = (low + high) // 2
                    if key[order[middle]] < key[i] - width:
                        low = middle + 1
                    else:
                        high = middle
                for k in range(low, group_offsets[g + 1]):
                    j = order[k]
                    if key[j] > key[i] + width:
                        break
                    d = _dissimilarity(kind, weight, start[i], end[i], start[j], end[j])
                    d = (
                        d
                        + matrix[
                            label[i] if label[i] >= 0 else none, label[j] if label[j] >= 0 else none
                        ]
                    )
                    if d < limit:
                        if count == size:
                            size *= 2
                            other_array = np.resize(other_array, size)
                            other = other_array
                            cost_array = np.resize(cost_array, size)
                            cost = cost_array
                        # keep j ascending: groups of one annotator interleave
                        middle = count
                        while middle > first and other[middle - 1] > j:
                            other[middle] = other[middle - 1]
                            cost[middle] = cost[middle - 1]
                            middle -= 1
                        other[middle] = j
                        cost[middle] = d
                        count += 1
            indptr[i + 1] = count
    return indptr_array, other_array[:count].copy(), cost_array[:count].copy()


@cython.ccall
def all_pairs(
    offsets: cython.longlong[:],
    start: cython.double[:],
    end: cython.double[:],
    label: cython.int[:],
    matrix: cython.double[:, :],
    kind: cython.int,
    weight: cython.double,
    limit: cython.double,
):
    """The same as :func:`near_pairs` by trying every pair: quicker on few units."""
    units: cython.Py_ssize_t = start.shape[0]
    annotators: cython.Py_ssize_t = offsets.shape[0] - 1
    none: cython.Py_ssize_t = matrix.shape[0] - 1
    size: cython.Py_ssize_t = 0
    a: cython.Py_ssize_t
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    p: cython.Py_ssize_t
    count: cython.Py_ssize_t = 0
    d: cython.double
    for a in range(annotators):
        size += (offsets[a + 1] - offsets[a]) * (units - offsets[a + 1])
    indptr_array = np.zeros(units + 1, dtype=np.int64)
    indptr: cython.longlong[:] = indptr_array
    other_array = np.empty(size, dtype=np.int32)
    other: cython.int[:] = other_array
    cost_array = np.empty(size, dtype=np.float64)
    cost: cython.double[:] = cost_array
    for a in range(annotators):
        for i in range(offsets[a], offsets[a + 1]):
            p = label[i] if label[i] >= 0 else none
            for j in range(offsets[a + 1], units):
                d = _dissimilarity(kind, weight, start[i], end[i], start[j], end[j])
                d = d + matrix[p, label[j] if label[j] >= 0 else none]
                if d < limit:
                    other[count] = j
                    cost[count] = d
                    count += 1
            indptr[i + 1] = count
    return indptr_array, other_array[:count], cost_array[:count]
