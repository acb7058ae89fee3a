# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Which relations may be aligned: those that share an end, and how far apart they are."""

import cython
import numpy as np

from accord.kernels.doors import check_indices, check_lengths, check_offsets


@cython.ccall
def relation_pairs(
    source: cython.const[cython.int][:],
    target: cython.const[cython.int][:],
    label: cython.const[cython.int][:],
    after: cython.const[cython.longlong][:],
    indptr: cython.const[cython.longlong][:],
    near: cython.const[cython.int][:],
    apart: cython.const[cython.double][:],
    from_first: cython.const[cython.longlong][:],
    from_rows: cython.const[cython.int][:],
    to_first: cython.const[cython.longlong][:],
    to_rows: cython.const[cython.int][:],
    costs: cython.const[cython.double][:, :],
    unordered: cython.const[cython.char][:],
    weight: cython.double,
    limit: cython.double,
):
    """Pairs (i, j), j >= after[i], of relations with a corresponding end and d < limit.

    Ends are numbers; end c corresponds to near[indptr[c] .. indptr[c+1]], itself among them, at cost
    apart (from 0 to below 1; all others cost 1). Relations from end c are
    from_rows[from_first[c] .. from_first[c+1]], those to it are in to_rows; both ascend. d = weight ×
    (cost of sources + cost of targets) + costs of the labels; where a label of the two is unordered, the
    better of the two ways to pair the ends. Labels index `costs` and `unordered`, -1 standing for the last.
    """
    check_lengths(source.shape[0], target, label, after)
    check_indices(source, indptr.shape[0] - 1)
    check_indices(target, indptr.shape[0] - 1)
    check_indices(label, costs.shape[0], -1)
    check_offsets(indptr, near.shape[0])
    check_indices(near, indptr.shape[0] - 1)
    check_lengths(near.shape[0], apart)
    check_offsets(from_first, from_rows.shape[0])
    check_offsets(to_first, to_rows.shape[0])
    check_indices(from_rows, source.shape[0])
    check_indices(to_rows, source.shape[0])
    check_lengths(indptr.shape[0], from_first, to_first)
    units: cython.Py_ssize_t = source.shape[0]
    ends: cython.Py_ssize_t = indptr.shape[0] - 1
    none: cython.Py_ssize_t = costs.shape[0] - 1
    room: cython.Py_ssize_t = 4 * units + 16
    count: cython.Py_ssize_t = 0
    found_array = np.zeros(units + 1, dtype=np.int64)
    found: cython.longlong[:] = found_array
    other_array = np.empty(room, dtype=np.int32)
    other: cython.int[:] = other_array
    cost_array = np.empty(room, dtype=np.float64)
    cost: cython.double[:] = cost_array
    # what each end costs against the source and the target of the relation in hand
    by_source: cython.double[:] = np.ones(ends)
    by_target: cython.double[:] = np.ones(ends)
    touched: cython.int[:] = np.full(units, -1, dtype=np.int32)
    waiting: cython.int[:] = np.empty(units, dtype=np.int32)
    several: cython.bint = False
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    e: cython.Py_ssize_t
    k: cython.Py_ssize_t
    way: cython.Py_ssize_t
    p: cython.Py_ssize_t
    q: cython.Py_ssize_t
    first: cython.Py_ssize_t
    middle: cython.Py_ssize_t
    last: cython.Py_ssize_t
    c: cython.Py_ssize_t
    d: cython.double
    straight: cython.double
    crossed: cython.double
    one: cython.double
    two: cython.double
    for e in range(unordered.shape[0]):
        if unordered[e]:
            several = True
    for i in range(units):
        p = label[i] if label[i] >= 0 else none
        last = 0
        for e in range(indptr[source[i]], indptr[source[i] + 1]):
            by_source[near[e]] = apart[e]
        for e in range(indptr[target[i]], indptr[target[i] + 1]):
            by_target[near[e]] = apart[e]
        # source against sources, target against targets, and crosswise where that may be
        for way in range(4 if several else 2):
            c = source[i] if way == 0 or way == 2 else target[i]
            for e in range(indptr[c], indptr[c + 1]):
                if way == 0 or way == 3:
                    first = from_first[near[e]]
                    middle = from_first[near[e] + 1]
                else:
                    first = to_first[near[e]]
                    middle = to_first[near[e] + 1]
                for k in range(first, middle):
                    j = from_rows[k] if way == 0 or way == 3 else to_rows[k]
                    if j >= after[i] and touched[j] != i:
                        touched[j] = i
                        waiting[last] = j
                        last += 1
        if count + last > room:
            room = 2 * (count + last)
            other_array = np.resize(other_array, room)
            other = other_array
            cost_array = np.resize(cost_array, room)
            cost = cost_array
        first = count
        for k in range(last):
            j = waiting[k]
            q = label[j] if label[j] >= 0 else none
            one = by_source[source[j]]
            two = by_target[target[j]]
            straight = one + two if one < 1.0 or two < 1.0 else float("inf")
            if unordered[p] or unordered[q]:
                one = by_source[target[j]]
                two = by_target[source[j]]
                crossed = one + two if one < 1.0 or two < 1.0 else float("inf")
                if crossed < straight:
                    straight = crossed
            d = weight * straight + costs[p, q]
            if straight < 2.0 and d < limit:
                other[count] = j
                cost[count] = d
                count += 1
        found[i + 1] = count
        if count - first > 64:
            order = np.argsort(other_array[first:count])
            other_array[first:count] = other_array[first:count][order]
            cost_array[first:count] = cost_array[first:count][order]
        else:
            for k in range(first + 1, count):
                j = other[k]
                d = cost[k]
                middle = k
                while middle > first and other[middle - 1] > j:
                    other[middle] = other[middle - 1]
                    cost[middle] = cost[middle - 1]
                    middle -= 1
                other[middle] = j
                cost[middle] = d
        for e in range(indptr[source[i]], indptr[source[i] + 1]):
            by_source[near[e]] = 1.0
        for e in range(indptr[target[i]], indptr[target[i] + 1]):
            by_target[near[e]] = 1.0
    return found_array, other_array[:count].copy(), cost_array[:count].copy()
