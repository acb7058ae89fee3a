# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Where a packing could still be improved, given feasible prices.

Two packings differ by independent exchanges, each a connected set of columns. In an exchange that
pays, the slack of the new columns is less than the slack of the old ones. So around every group
(column or lone unit) of the packing that has slack, grow a ball of radius that slack, a step
through a column costing the column's slack; balls that touch are joined and their radii added.
What lies in no ball is proven, and the balls are independent problems.
"""

import cython
import numpy as np


@cython.cfunc
@cython.exceptval(check=False)
def _root(parent: cython.int[:], g: cython.Py_ssize_t) -> cython.Py_ssize_t:
    while parent[g] != g:
        parent[g] = parent[parent[g]]
        g = parent[g]
    return g


@cython.ccall
def open_regions(
    offsets: cython.longlong[:],
    member: cython.int[:],
    slack: cython.longlong[:],
    indptr: cython.longlong[:],
    column: cython.int[:],
    price: cython.longlong[:],
    taken_by: cython.int[:],
    ties: cython.bint,
):
    """Region of each unit (-1: proven), and whether each column may still matter.

    taken_by[i] is the column that unit i is in, -1 when it is alone. With `ties`, exchanges that
    change nothing in the total are kept possible too.
    Returns (region of each unit, live flag of each column, live flag of each lone unit).
    """
    units: cython.Py_ssize_t = price.shape[0]
    columns: cython.Py_ssize_t = slack.shape[0]
    strict: cython.longlong = 0 if ties else 1
    # a group is named by its first unit
    group: cython.int[:] = np.empty(units, dtype=np.int32)
    parent_array = np.arange(units, dtype=np.int32)
    parent: cython.int[:] = parent_array
    radius: cython.longlong[:] = np.full(units, -1, dtype=np.int64)
    distance: cython.longlong[:] = np.full(units, -1, dtype=np.int64)
    owner: cython.int[:] = np.full(units, -1, dtype=np.int32)
    settled: cython.char[:] = np.zeros(units, dtype=np.int8)
    region_array = np.full(units, -1, dtype=np.int32)
    region: cython.int[:] = region_array
    live_array = np.zeros(columns, dtype=np.int8)
    live: cython.char[:] = live_array
    lone_array = np.zeros(units, dtype=np.int8)
    lone: cython.char[:] = lone_array
    seeds: cython.int[:] = np.zeros(units + 1, dtype=np.int32)
    # the seeds of a joined region are a linked list headed by its root
    chain: cython.int[:] = np.full(units, -1, dtype=np.int32)
    ends: cython.int[:] = np.arange(units, dtype=np.int32)
    heap_key_array = np.zeros(64, dtype=np.int64)
    heap_key: cython.longlong[:] = heap_key_array
    heap_item_array = np.zeros(64, dtype=np.int32)
    heap_item: cython.int[:] = heap_item_array
    seed_count: cython.Py_ssize_t = 0
    size: cython.Py_ssize_t
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    k: cython.Py_ssize_t
    e: cython.Py_ssize_t
    f: cython.Py_ssize_t
    g: cython.Py_ssize_t
    h: cython.Py_ssize_t
    r: cython.Py_ssize_t
    p: cython.Py_ssize_t
    c: cython.Py_ssize_t
    q: cython.Py_ssize_t
    first: cython.Py_ssize_t
    last: cython.Py_ssize_t
    x: cython.longlong
    y: cython.longlong
    here: cython.longlong
    above: cython.Py_ssize_t
    merged: cython.bint = True
    touched: cython.bint
    for i in range(units):
        k = taken_by[i]
        group[i] = i if k < 0 else member[offsets[k]]
    for i in range(units):
        if group[i] != i:
            continue
        k = taken_by[i]
        x = price[i] if k < 0 else slack[k]
        if x > 0:
            radius[i] = x
        elif ties:
            # a seed of radius 0 where an unused column (or a unit alone) costs nothing
            touched = False
            first = indptr[i] if k < 0 else 0
            if k < 0:
                for e in range(indptr[i], indptr[i + 1]):
                    if slack[column[e]] == 0:
                        touched = True
                        break
            else:
                for f in range(offsets[k], offsets[k + 1]):
                    j = member[f]
                    if price[j] == 0:
                        touched = True
                    for e in range(indptr[j], indptr[j + 1]):
                        if column[e] != k and slack[column[e]] == 0:
                            touched = True
                            break
            if touched:
                radius[i] = 0
        if radius[i] >= 0:
            seeds[seed_count] = i
            seed_count += 1
    while merged:
        merged = False
        for i in range(units):
            distance[i] = -1
            owner[i] = -1
        for p in range(seed_count):
            r = seeds[p]
            if parent[r] != r:
                continue
            size = 0
            g = r
            while g >= 0:
                if size == heap_key.shape[0]:
                    heap_key_array = np.resize(heap_key_array, 2 * size)
                    heap_key = heap_key_array
                    heap_item_array = np.resize(heap_item_array, 2 * size)
                    heap_item = heap_item_array
                # all keys 0: any order is a heap
                heap_key[size] = 0
                heap_item[size] = g
                size += 1
                g = chain[g]
            for q in range(size):
                g = heap_item[q]
                if owner[g] >= 0 and _root(parent, owner[g]) != _root(parent, r):
                    # reached by another ball
                    _join(parent, chain, ends, radius, owner[g], r)
                    merged = True
                else:
                    owner[g] = r
                    distance[g] = 0
                    settled[g] = 0
            while size > 0:
                here = heap_key[0]
                g = heap_item[0]
                size -= 1
                x = heap_key[size]
                h = heap_item[size]
                c = 0
                while True:
                    q = 2 * c + 1
                    if q >= size:
                        break
                    if q + 1 < size and heap_key[q + 1] < heap_key[q]:
                        q += 1
                    if heap_key[q] >= x:
                        break
                    heap_key[c] = heap_key[q]
                    heap_item[c] = heap_item[q]
                    c = q
                heap_key[c] = x
                heap_item[c] = h
                if owner[g] != r or distance[g] < here or settled[g]:
                    continue
                settled[g] = 1
                k = taken_by[g]
                first = 0 if k < 0 else offsets[k]
                last = 1 if k < 0 else offsets[k + 1]
                for f in range(first, last):
                    i = g if k < 0 else member[f]
                    for e in range(indptr[i], indptr[i + 1]):
                        c = column[e]
                        x = here + slack[c]
                        if c == k or x + strict > radius[r]:
                            continue
                        for q in range(offsets[c], offsets[c + 1]):
                            h = group[member[q]]
                            if owner[h] >= 0 and owner[h] != r:
                                if _root(parent, owner[h]) != _root(parent, r):
                                    _join(parent, chain, ends, radius, owner[h], r)
                                    merged = True
                                continue
                            if owner[h] == r and distance[h] <= x:
                                continue
                            if radius[h] >= 0 and _root(parent, h) != _root(parent, r):
                                _join(parent, chain, ends, radius, h, r)
                                merged = True
                            owner[h] = r
                            distance[h] = x
                            settled[h] = 0
                            if size == heap_key.shape[0]:
                                heap_key_array = np.resize(heap_key_array, 2 * size)
                                heap_key = heap_key_array
                                heap_item_array = np.resize(heap_item_array, 2 * size)
                                heap_item = heap_item_array
                            j = size
                            size += 1
                            while j > 0:
                                above = (j - 1) // 2
                                if heap_key[above] <= x:
                                    break
                                heap_key[j] = heap_key[above]
                                heap_item[j] = heap_item[above]
                                j = above
                            heap_key[j] = x
                            heap_item[j] = h
        if merged:
            continue
        # columns that touch several balls: joined unless the column pays for all their radii
        for c in range(columns):
            first = -1
            touched = False
            for e in range(offsets[c], offsets[c + 1]):
                r = owner[group[member[e]]]
                if r >= 0:
                    if first < 0:
                        first = r
                    elif r != first:
                        touched = True
            if not touched:
                continue
            # the sum over the distinct balls of (radius − least distance)
            y = 0
            for e in range(offsets[c], offsets[c + 1]):
                h = group[member[e]]
                r = owner[h]
                if r < 0:
                    continue
                x = radius[r] - distance[h]
                touched = True
                for f in range(offsets[c], offsets[c + 1]):
                    g = group[member[f]]
                    if f != e and owner[g] == r:
                        here = radius[r] - distance[g]
                        if here > x or (here == x and f < e):
                            touched = False
                            break
                if touched:
                    y += x
            if y >= slack[c] + strict:
                for e in range(offsets[c], offsets[c + 1]):
                    r = owner[group[member[e]]]
                    if r >= 0 and _root(parent, r) != _root(parent, first):
                        _join(parent, chain, ends, radius, r, first)
                        merged = True
    for i in range(units):
        r = owner[group[i]]
        region[i] = r
        if r >= 0:
            x = distance[group[i]] + price[i]
            lone[i] = 1 if taken_by[i] < 0 or x + strict <= radius[r] else 0
    for c in range(columns):
        r = region[member[offsets[c]]]
        if r < 0:
            continue
        if taken_by[member[offsets[c]]] == c:
            live[c] = 1
            continue
        x = -1
        for e in range(offsets[c], offsets[c + 1]):
            if region[member[e]] != r:
                x = -1
                break
            y = distance[group[member[e]]]
            if x < 0 or y < x:
                x = y
        if x >= 0 and x + slack[c] + strict <= radius[r]:
            live[c] = 1
    return region_array, live_array, lone_array


@cython.cfunc
@cython.exceptval(check=False)
def _join(
    parent: cython.int[:],
    chain: cython.int[:],
    ends: cython.int[:],
    radius: cython.longlong[:],
    a: cython.Py_ssize_t,
    b: cython.Py_ssize_t,
) -> cython.void:
    """Put the region of seed b under that of seed a: radii add up, lists of seeds are joined."""
    a = _root(parent, a)
    b = _root(parent, b)
    if a == b:
        return
    chain[ends[a]] = b
    ends[a] = ends[b]
    radius[a] += radius[b]
    parent[b] = a
