# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Matchings of two sides with the least cost: of any size, of pairs of units, of every size."""

import cython
import numpy as np

from accord.kernels.doors import check_indices, check_lengths, check_offsets


@cython.ccall
def match_rows(
    indptr: cython.const[cython.longlong][::1],
    columns: cython.const[cython.int][::1],
    cost: cython.const[cython.double][::1],
    column_count: cython.Py_ssize_t,
):
    """Choose edges, at most one per row and per column, with the least sum of costs.

    Row i has the edges indptr[i] <= e < indptr[i+1] to columns[e] at cost[e]; staying alone costs
    0, so an edge of positive cost is never taken. Returns the edge of each row (-1 for none) and
    the prices of rows and columns (cost − row price − column price >= 0, and 0 on taken edges).

    Every row has a private column of cost 0, so each search ends near where it began: on edges
    that are local along an axis the whole is about linear.
    """
    check_offsets(indptr, columns.shape[0])
    check_indices(columns, column_count)
    check_lengths(columns.shape[0], cost)
    rows: cython.Py_ssize_t = indptr.shape[0] - 1
    edges: cython.Py_ssize_t = columns.shape[0]
    match_array = np.empty(rows, dtype=np.int64)
    match: cython.longlong[::1] = match_array
    # many small arrays cost more than the work on a small problem: two are cut into pieces
    whole: cython.int[::1] = np.empty(4 * column_count + 2 * edges + 3, dtype=np.int32)
    real: cython.double[::1] = np.empty(column_count + edges + 1, dtype=np.float64)
    row_of: cython.int[::1] = whole[:column_count]
    row_price_array = np.zeros(rows, dtype=np.float64)
    row_price: cython.double[::1] = row_price_array
    column_price_array = np.zeros(column_count, dtype=np.float64)
    column_price: cython.double[::1] = column_price_array
    distance: cython.double[::1] = real[:column_count]
    # the edge that reached a column, and the search in which it was reached or settled
    reached_by: cython.longlong[::1] = np.empty(column_count, dtype=np.int64)
    reached_in: cython.int[::1] = whole[column_count : 2 * column_count]
    settled_in: cython.int[::1] = whole[2 * column_count : 3 * column_count]
    settled: cython.int[::1] = whole[3 * column_count : 4 * column_count + 1]
    from_row: cython.int[::1] = whole[4 * column_count + 1 : 4 * column_count + edges + 2]
    heap_item: cython.int[::1] = whole[4 * column_count + edges + 2 :]
    heap_key: cython.double[::1] = real[column_count:]
    heap_size: cython.Py_ssize_t
    settled_count: cython.Py_ssize_t
    r: cython.Py_ssize_t
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    k: cython.Py_ssize_t
    e: cython.Py_ssize_t
    here: cython.double
    reach: cython.double
    key: cython.double
    shortest: cython.double
    end_row: cython.Py_ssize_t
    end_column: cython.Py_ssize_t
    for j in range(column_count):
        row_of[j] = -1
        reached_in[j] = -1
        settled_in[j] = -1
    for r in range(rows):
        match[r] = -1
        for e in range(indptr[r], indptr[r + 1]):
            from_row[e] = r
    for r in range(rows):
        heap_size = 0
        settled_count = 0
        i = r
        here = 0.0
        # ending alone at row r costs -row_price[r], with row_price[r] = 0 for a fresh row
        shortest = 0.0
        end_row = r
        end_column = -1
        while True:
            for e in range(indptr[i], indptr[i + 1]):
                j = columns[e]
                if settled_in[j] == r:
                    continue
                reach = here + cost[e] - row_price[i] - column_price[j]
                if reach >= shortest:
                    continue
                if reached_in[j] == r and distance[j] <= reach:
                    continue
                reached_in[j] = r
                distance[j] = reach
                reached_by[j] = e
                if row_of[j] < 0:
                    shortest = reach
                    end_row = -1
                    end_column = j
                    continue
                _push(heap_key, heap_item, heap_size, reach, j)
                heap_size += 1
            j = -1
            while heap_size > 0:
                key = heap_key[0]
                j = heap_item[0]
                heap_size -= 1
                _drop_first(heap_key, heap_item, heap_size)
                if settled_in[j] == r or key > distance[j]:
                    j = -1
                    continue
                break
            if j < 0 or distance[j] >= shortest:
                break
            settled_in[j] = r
            settled[settled_count] = j
            settled_count += 1
            here = distance[j]
            i = row_of[j]
            reach = here - row_price[i]
            if reach < shortest:
                shortest = reach
                end_row = i
                end_column = -1
        # prices first (they need the old matching), then the matching along the path
        row_price[r] += shortest
        for k in range(settled_count):
            j = settled[k]
            reach = shortest - distance[j]
            row_price[row_of[j]] += reach
            column_price[j] -= reach
        if end_row >= 0:
            # the last row of the path stays alone; its column passes to the row before it
            i = end_row
            if i == r:
                continue
            j = columns[match[i]]
            match[i] = -1
        else:
            j = end_column
        while True:
            e = reached_by[j]
            i = from_row[e]
            row_of[j] = i
            k = match[i]
            match[i] = e
            if i == r:
                break
            j = columns[k]
    return match_array, row_price_array, column_price_array


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _push(
    keys: cython.double[::1],
    items: cython.int[::1],
    size: cython.Py_ssize_t,
    key: cython.double,
    item: cython.Py_ssize_t,
) -> cython.void:
    """Add an item to a heap of this size: no key is less than that of its parent, at (k − 1)/2."""
    parent: cython.Py_ssize_t
    while size > 0:
        parent = (size - 1) // 2
        if keys[parent] <= key:
            break
        keys[size] = keys[parent]
        items[size] = items[parent]
        size = parent
    keys[size] = key
    items[size] = item


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _drop_first(
    keys: cython.double[::1], items: cython.int[::1], size: cython.Py_ssize_t
) -> cython.void:
    """Take the least item off a heap that is left with this size: its last one finds its place."""
    place: cython.Py_ssize_t = 0
    child: cython.Py_ssize_t
    key: cython.double = keys[size]
    item: cython.int = items[size]
    while True:
        child = 2 * place + 1
        if child >= size:
            break
        if child + 1 < size and keys[child + 1] < keys[child]:
            child += 1
        if keys[child] >= key:
            break
        keys[place] = keys[child]
        items[place] = items[child]
        place = child
    keys[place] = key
    items[place] = item


@cython.ccall
def match_pairs(
    member: cython.const[cython.int][::1],
    gain: cython.const[cython.longlong][::1],
    units: cython.Py_ssize_t,
):
    """Choose pairs of units, each unit in one at most, with the greatest sum of gains.

    Pair k joins member[2k] with member[2k+1], a unit of the other side; pairs are sorted. Returns the
    pair that each unit is in (-1 for none) and the prices of the units (a pair's are its gain or
    more, and its gain when it is chosen).
    """
    check_indices(member, units)
    check_lengths(member.shape[0] // 2, gain)
    pairs: cython.Py_ssize_t = gain.shape[0]
    indptr_array = np.zeros(units + 1, dtype=np.int64)
    indptr: cython.longlong[::1] = indptr_array
    second_array = np.empty(pairs, dtype=np.int32)
    second: cython.int[::1] = second_array
    cost_array = np.empty(pairs, dtype=np.float64)
    cost: cython.double[::1] = cost_array
    column_array = np.empty(units, dtype=np.int32)
    column: cython.int[::1] = column_array
    i: cython.Py_ssize_t
    k: cython.Py_ssize_t
    for k in range(pairs):
        indptr[member[2 * k] + 1] += 1
        second[k] = member[2 * k + 1]
        cost[k] = -cython.cast(cython.double, gain[k])
    for i in range(units):
        indptr[i + 1] += indptr[i]
        column[i] = -1
    match_array, row_price_array, column_price_array = match_rows(
        indptr_array, second_array, cost_array, units
    )
    match: cython.longlong[::1] = match_array
    row_price: cython.double[::1] = row_price_array
    column_price: cython.double[::1] = column_price_array
    for i in range(units):
        k = match[i]
        if k >= 0:
            column[i] = k
            column[second[k]] = k
        # a unit is on one side only: the price of the other side is 0
        row_price[i] = -(row_price[i] + column_price[i])
    return column_array, row_price_array


@cython.ccall
def matching_costs(
    offsets: cython.const[cython.longlong][::1],
    indptr: cython.const[cython.longlong][::1],
    other: cython.const[cython.int][::1],
    cost: cython.const[cython.longlong][::1],
    groups: cython.Py_ssize_t,
):
    """For g = 0 .. groups-1 the least that the pairs of annotators cost when there are g groups.

    Annotator a has the units offsets[a] .. offsets[a+1]. In g groups annotators a and b share at
    least |a| + |b| - g; so they match that many of their units or more, at the least total cost.
    Returns the sums over all pairs of annotators, -1 << 62 where g groups are too few. Shortest
    augmenting paths, one more matched pair each.
    """
    check_offsets(offsets, indptr.shape[0] - 1)
    check_offsets(indptr, other.shape[0])
    check_indices(other, indptr.shape[0] - 1)
    check_lengths(other.shape[0], cost)
    n: cython.Py_ssize_t = offsets.shape[0] - 1
    sums_array = np.zeros(groups, dtype=np.int64)
    sums: cython.longlong[::1] = sums_array
    widest: cython.Py_ssize_t = 1
    a: cython.Py_ssize_t
    b: cython.Py_ssize_t
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    e: cython.Py_ssize_t
    g: cython.Py_ssize_t
    m: cython.Py_ssize_t
    rows: cython.Py_ssize_t
    columns: cython.Py_ssize_t
    k: cython.Py_ssize_t
    best: cython.Py_ssize_t
    x: cython.longlong
    shift: cython.longlong
    level: cython.longlong
    so_far: cython.longlong
    never: cython.longlong = 1 << 62
    for a in range(n):
        widest = max(widest, offsets[a + 1] - offsets[a])
    edges: cython.Py_ssize_t = max(1, other.shape[0])
    # the edges between two annotators: of row i from begin[i], to a column, at a price
    begin: cython.longlong[::1] = np.empty(widest + 1, dtype=np.int64)
    to: cython.int[::1] = np.empty(edges, dtype=np.int32)
    price: cython.longlong[::1] = np.empty(edges, dtype=np.int64)
    row_height: cython.longlong[::1] = np.empty(widest, dtype=np.int64)
    column_height: cython.longlong[::1] = np.empty(widest, dtype=np.int64)
    reach: cython.longlong[::1] = np.empty(widest, dtype=np.int64)
    done: cython.char[::1] = np.empty(widest, dtype=np.int8)
    back: cython.int[::1] = np.empty(widest, dtype=np.int32)
    row_of: cython.int[::1] = np.empty(widest, dtype=np.int32)
    column_of: cython.int[::1] = np.empty(widest, dtype=np.int32)
    # least cost of m matched pairs
    by_size: cython.longlong[::1] = np.empty(widest + 1, dtype=np.int64)
    for a in range(n):
        rows = offsets[a + 1] - offsets[a]
        for b in range(a + 1, n):
            columns = offsets[b + 1] - offsets[b]
            shift = 0
            k = 0
            for i in range(rows):
                begin[i] = k
                for e in range(indptr[offsets[a] + i], indptr[offsets[a] + i + 1]):
                    j = other[e] - offsets[b]
                    if 0 <= j < columns:
                        to[k] = j
                        price[k] = cost[e]
                        if cost[e] < shift:
                            shift = cost[e]
                        k += 1
                row_height[i] = 0
                column_of[i] = -1
            begin[rows] = k
            for j in range(columns):
                column_height[j] = 0
                row_of[j] = -1
            by_size[0] = 0
            so_far = 0
            # what all columns that are free have in height
            level = 0
            m = 0
            while m < rows and m < columns:
                for j in range(columns):
                    reach[j] = never
                    done[j] = 0
                for i in range(rows):
                    if column_of[i] < 0:
                        for e in range(begin[i], begin[i + 1]):
                            j = to[e]
                            x = price[e] - shift - column_height[j]
                            if x < reach[j]:
                                reach[j] = x
                                back[j] = i
                # columns in the order of their distance, as far as the first that is free
                while True:
                    best = -1
                    for j in range(columns):
                        if not done[j] and (best < 0 or reach[j] < reach[best]):
                            best = j
                    if best < 0 or reach[best] == never:
                        best = -1
                        break
                    i = row_of[best]
                    if i < 0:
                        break
                    done[best] = 1
                    for e in range(begin[i], begin[i + 1]):
                        j = to[e]
                        if not done[j]:
                            x = reach[best] + price[e] - shift + row_height[i] - column_height[j]
                            if x < reach[j]:
                                reach[j] = x
                                back[j] = i
                if best < 0:
                    break
                level += reach[best]
                so_far += level + shift
                m += 1
                by_size[m] = so_far
                # heights are distances from the free rows, but none above that of the path
                for j in range(columns):
                    x = reach[j] if done[j] else reach[best]
                    column_height[j] += x
                    if row_of[j] >= 0:
                        row_height[row_of[j]] += x
                while best >= 0:
                    i = back[best]
                    row_of[best] = i
                    j = column_of[i]
                    column_of[i] = best
                    best = j
            # from "m pairs" to "m pairs or more"
            for i in range(m - 1, -1, -1):
                if by_size[i + 1] < by_size[i]:
                    by_size[i] = by_size[i + 1]
            for g in range(groups):
                i = max(0, rows + columns - g)
                if i > m or sums[g] == -never:
                    sums[g] = -never
                else:
                    sums[g] += by_size[i]
    return sums_array
