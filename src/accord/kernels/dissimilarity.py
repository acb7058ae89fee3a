# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""How unlike units are: the formula, and the pairs, groups and documents that it is asked about.

Arguments that all functions share: `kind` 0 compares starts and ends relative to the lengths (sporadic),
1 the ends only (hamming); `weight` multiplies the positional part; labels index `costs`, which is added,
-1 standing for its last row.
"""

import cython
import numpy as np

from accord.kernels.doors import (
    check_index_rows,
    check_indices,
    check_lengths,
    check_long_indices,
    check_offset_rows,
    check_offsets,
)

if cython.compiled:
    from cython.cimports.libc.math import sqrt
else:
    from math import sqrt


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _position(
    kind: cython.int,
    weight: cython.double,
    start: cython.double,
    end: cython.double,
    other_start: cython.double,
    other_end: cython.double,
) -> cython.double:
    """weight × positional dissimilarity of [start, end) and [other_start, other_end)."""
    apart: cython.double
    length: cython.double
    if kind == 1:
        return weight * abs(end - other_end)
    apart = abs(start - other_start) + abs(end - other_end)
    if apart == 0.0:
        return 0.0
    length = (end - start) + (other_end - other_start)
    if length == 0.0:
        return float("inf")
    apart = apart / length
    return weight * (apart * apart)


@cython.ccall
def positions(
    start: cython.const[cython.double][:],
    end: cython.const[cython.double][:],
    other_start: cython.const[cython.double][:],
    other_end: cython.const[cython.double][:],
    kind: cython.int,
    weight: cython.double,
):
    """The positional part of each pair ([start, end), [other_start, other_end))."""
    size: cython.Py_ssize_t = start.shape[0]
    found_array = np.empty(size, dtype=np.float64)
    found: cython.double[:] = found_array
    k: cython.Py_ssize_t
    for k in range(size):
        found[k] = _position(kind, weight, start[k], end[k], other_start[k], other_end[k])
    return found_array


@cython.ccall
def set_positions(
    first: cython.const[cython.longlong][:],
    second: cython.const[cython.longlong][:],
    offsets: cython.const[cython.longlong][:],
    start: cython.const[cython.double][:],
    end: cython.const[cython.double][:],
    weight: cython.double,
):
    """The positional part of pairs of units of several fragments: weight × (D/(|A| + |B|))².

    Unit i has the fragments offsets[i] .. offsets[i+1], in order and apart. D is what only one of them
    covers where they share something; else the larger of |A| + |B| and the distances of starts and ends.
    """
    check_long_indices(first, offsets.shape[0] - 1)
    check_long_indices(second, offsets.shape[0] - 1)
    check_offsets(offsets, start.shape[0])
    check_lengths(start.shape[0], end)
    check_lengths(first.shape[0], second)
    size: cython.Py_ssize_t = first.shape[0]
    found_array = np.empty(size, dtype=np.float64)
    found: cython.double[:] = found_array
    k: cython.Py_ssize_t
    i: cython.Py_ssize_t
    a: cython.Py_ssize_t
    b: cython.Py_ssize_t
    last_a: cython.Py_ssize_t
    last_b: cython.Py_ssize_t
    shared: cython.double
    whole: cython.double
    apart: cython.double
    for k in range(size):
        a = offsets[first[k]]
        last_a = offsets[first[k] + 1]
        b = offsets[second[k]]
        last_b = offsets[second[k] + 1]
        apart = abs(start[a] - start[b]) + abs(end[last_a - 1] - end[last_b - 1])
        whole = 0.0
        for i in range(a, last_a):
            whole += end[i] - start[i]
        for i in range(b, last_b):
            whole += end[i] - start[i]
        # (for two intervals the distances of starts and ends are all)
        if last_a - a > 1 or last_b - b > 1:
            shared = 0.0
            while a < last_a and b < last_b:
                if min(end[a], end[b]) > max(start[a], start[b]):
                    shared += min(end[a], end[b]) - max(start[a], start[b])
                if end[a] < end[b]:
                    a += 1
                else:
                    b += 1
            apart = whole - 2 * shared if shared > 0 else max(whole, apart)
        if apart <= 0.0:
            found[k] = 0.0
        elif whole == 0.0:
            found[k] = float("inf")
        else:
            apart = apart / whole
            found[k] = weight * (apart * apart)
    return found_array


@cython.ccall
def near_pairs(
    offsets: cython.const[cython.longlong][:],
    start: cython.const[cython.double][:],
    end: cython.const[cython.double][:],
    label: cython.const[cython.int][:],
    costs: cython.const[cython.double][:, :],
    kind: cython.int,
    weight: cython.double,
    limit: cython.double,
    key: cython.const[cython.double][:],
    order: cython.const[cython.int][:],
    group_offsets: cython.const[cython.longlong][:],
    group_annotator: cython.const[cython.int][:],
    group_length: cython.const[cython.double][:],
    relative: cython.double,
    absolute: cython.double,
):
    """All pairs (i, j), j of a later annotator, with dissimilarity < limit, as a ragged table.

    Units are numbered annotator by annotator (`offsets`). `order` lists them group by group, a
    group being units of one annotator with lengths up to group_length, sorted by `key`; a pair
    within the limit has keys at most relative × (length + group_length) + absolute apart. Labels
    index `costs` (-1 its last row), which is added to weight × positional dissimilarity (kind 0
    sporadic, 1 end).
    Returns (indptr, j, dissimilarity), j ascending within each i.
    """
    check_offsets(offsets, start.shape[0])
    check_lengths(start.shape[0], end, label, key)
    check_indices(label, costs.shape[0], -1)
    check_offsets(group_offsets, order.shape[0])
    check_indices(order, start.shape[0])
    check_lengths(group_offsets.shape[0] - 1, group_annotator, group_length)
    check_indices(group_annotator, offsets.shape[0] - 1)
    units: cython.Py_ssize_t = start.shape[0]
    groups: cython.Py_ssize_t = group_annotator.shape[0]
    annotators: cython.Py_ssize_t = offsets.shape[0] - 1
    none: cython.Py_ssize_t = costs.shape[0] - 1
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
    p: cython.Py_ssize_t
    q: cython.Py_ssize_t
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    k: cython.Py_ssize_t
    low: cython.Py_ssize_t
    high: cython.Py_ssize_t
    middle: cython.Py_ssize_t
    first: cython.Py_ssize_t
    width: cython.double
    bound: cython.double
    d: cython.double
    # keys in the order of the groups, and where each group was last entered
    along: cython.double[::1] = np.empty(units, dtype=np.float64)
    hint: cython.longlong[::1] = np.empty(groups, dtype=np.int64)
    for k in range(units):
        along[k] = key[order[k]]
    for g in range(groups):
        hint[g] = group_offsets[g]
    for a in range(annotators):
        for i in range(offsets[a], offsets[a + 1]):
            first = count
            p = label[i] if label[i] >= 0 else none
            for g in range(groups):
                if group_annotator[g] <= a:
                    continue
                width = relative * (end[i] - start[i] + group_length[g]) + absolute
                # units come nearly in the order of their keys: the first within reach is near the last one
                bound = key[i] - width
                low = hint[g]
                high = group_offsets[g + 1]
                if low > group_offsets[g] and along[low - 1] >= bound:
                    high = low - 1
                    low = group_offsets[g]
                else:
                    middle = min(low + 4, high)
                    while low < middle and along[low] < bound:
                        low += 1
                    if low < middle:
                        high = low
                while low < high:
                    middle = (low + high) // 2
                    if along[middle] < bound:
                        low = middle + 1
                    else:
                        high = middle
                hint[g] = low
                bound = key[i] + width
                for k in range(low, group_offsets[g + 1]):
                    if along[k] > bound:
                        break
                    j = order[k]
                    d = _position(kind, weight, start[i], end[i], start[j], end[j])
                    q = label[j] if label[j] >= 0 else none
                    d = d + costs[p, q]
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
def window_pairs(
    bounds: cython.const[cython.longlong][:, ::1],
    start: cython.const[cython.double][::1],
    end: cython.const[cython.double][::1],
    label: cython.const[cython.int][::1],
    costs: cython.const[cython.double][:, ::1],
    kind: cython.int,
    weight: cython.const[cython.double][::1],
    limit: cython.double,
):
    """The same as :func:`near_pairs`, of several documents: quicker where lengths are alike.

    Annotator a of document x has the units bounds[x, a] .. bounds[x, a+1], sorted by start; every
    document has its own weight. A pair within the limit has |Δstart| + |Δend| < k × (both lengths),
    k = √(limit/weight), and that is at least twice the distance of the middles: with the longest unit
    of the other annotator this bounds the starts. Of kind 1 every pair is tried.
    """
    check_offset_rows(bounds, start.shape[0])
    check_lengths(start.shape[0], end, label)
    check_indices(label, costs.shape[0], -1)
    check_lengths(bounds.shape[0], weight)
    units: cython.Py_ssize_t = start.shape[0]
    annotators: cython.Py_ssize_t = bounds.shape[1] - 1
    none: cython.Py_ssize_t = costs.shape[0] - 1
    size: cython.Py_ssize_t = 8 * units + 16
    x: cython.Py_ssize_t
    a: cython.Py_ssize_t
    b: cython.Py_ssize_t
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    p: cython.Py_ssize_t
    first: cython.Py_ssize_t
    last: cython.Py_ssize_t
    count: cython.Py_ssize_t = 0
    d: cython.double
    k: cython.double
    low: cython.double
    high: cython.double
    own: cython.double
    apart: cython.double
    length: cython.double
    indptr_array = np.zeros(units + 1, dtype=np.int64)
    indptr: cython.longlong[::1] = indptr_array
    other_array = np.empty(size, dtype=np.int32)
    other: cython.int[::1] = other_array
    cost_array = np.empty(size, dtype=np.float64)
    cost: cython.double[::1] = cost_array
    # of each annotator of a document: the longest unit, and the first unit that was within reach last
    longest: cython.double[::1] = np.zeros(annotators, dtype=np.float64)
    hint: cython.longlong[::1] = np.zeros(annotators, dtype=np.int64)
    for x in range(bounds.shape[0]):
        # a little wider than needed: rounding must not lose a pair on the edge
        k = -1.0
        if kind == 0 and weight[x] > 0:
            k = sqrt(limit / weight[x]) * (1 + 1e-9)
        for a in range(annotators):
            hint[a] = bounds[x, a]
            longest[a] = 0.0
            for i in range(bounds[x, a], bounds[x, a + 1]):
                longest[a] = max(longest[a], end[i] - start[i])
        for a in range(annotators):
            for b in range(a + 1, annotators):
                hint[b] = bounds[x, b]
            for i in range(bounds[x, a], bounds[x, a + 1]):
                p = label[i] if label[i] >= 0 else none
                own = end[i] - start[i]
                for b in range(a + 1, annotators):
                    first = bounds[x, b]
                    last = bounds[x, b + 1]
                    j = first
                    high = float("inf")
                    if k >= 0:
                        low = (start[i] + end[i]) / 2 - k * own / 2 - (k + 1) / 2 * longest[b]
                        high = (start[i] + end[i]) / 2 + k * own / 2
                        if k > 1:
                            high += (k - 1) / 2 * longest[b]
                        d = 1e-9 * (abs(start[i]) + high - low)
                        low -= d
                        high += d
                        j = hint[b]
                        while j > first and start[j - 1] >= low:
                            j -= 1
                        while j < last and start[j] < low:
                            j += 1
                        hint[b] = j
                    while j < last and start[j] <= high:
                        apart = abs(start[i] - start[j]) + abs(end[i] - end[j])
                        length = own + (end[j] - start[j])
                        if k < 0 or apart <= k * length:
                            d = _position(kind, weight[x], start[i], end[i], start[j], end[j])
                            d = d + costs[p, label[j] if label[j] >= 0 else none]
                            if d < limit:
                                if count == size:
                                    size *= 2
                                    other_array = np.resize(other_array, size)
                                    other = other_array
                                    cost_array = np.resize(cost_array, size)
                                    cost = cost_array
                                other[count] = j
                                cost[count] = d
                                count += 1
                        j += 1
                indptr[i + 1] = count
    return indptr_array, other_array[:count], cost_array[:count]


@cython.ccall
def unitary_costs(
    table: cython.const[cython.longlong][:, :],
    start: cython.const[cython.double][:],
    end: cython.const[cython.double][:],
    label: cython.const[cython.int][:],
    costs: cython.const[cython.double][:, :],
    kind: cython.int,
    weight: cython.const[cython.double][:],
    delta: cython.double,
):
    """δ of each unitary alignment: Δ + (1/C) Σ over its real pairs of (d − Δ).

    Each unitary alignment has its own weight.
    """
    check_lengths(start.shape[0], end, label)
    check_indices(label, costs.shape[0], -1)
    check_lengths(table.shape[0], weight)
    check_index_rows(table, start.shape[0], -1)
    size: cython.Py_ssize_t = table.shape[0]
    n: cython.Py_ssize_t = table.shape[1]
    none: cython.Py_ssize_t = costs.shape[0] - 1
    found_array = np.empty(size, dtype=np.float64)
    found: cython.double[:] = found_array
    pairs: cython.double = n * (n - 1) / 2
    row: cython.Py_ssize_t
    a: cython.Py_ssize_t
    b: cython.Py_ssize_t
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    p: cython.Py_ssize_t
    q: cython.Py_ssize_t
    total: cython.double
    d: cython.double
    for row in range(size):
        total = 0.0
        for a in range(n):
            i = table[row, a]
            if i < 0:
                continue
            p = label[i] if label[i] >= 0 else none
            for b in range(a + 1, n):
                j = table[row, b]
                if j < 0:
                    continue
                q = label[j] if label[j] >= 0 else none
                d = _position(kind, weight[row], start[i], end[i], start[j], end[j])
                total += d + costs[p, q] - delta
        found[row] = delta + total / pairs
    return found_array
