# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""From chosen columns to the table of unitary alignments and their disorders."""

import cython
import numpy as np


@cython.ccall
def unitary_table(
    order: cython.const[cython.longlong][:],
    own: cython.const[cython.longlong][:],
    taken_by: cython.const[cython.int][:],
    offsets: cython.const[cython.longlong][:],
    member: cython.const[cython.int][:],
):
    """Unitary alignments × annotators: the unit, or -1.

    Annotator a has the units own[a] .. own[a+1]. `order` lists the units canonically; groups are
    disjoint, so listing each group when its first unit comes up is the canonical order of groups.
    taken_by[i] is the column of unit i, or -1.
    """
    units: cython.Py_ssize_t = order.shape[0]
    size: cython.Py_ssize_t = 0
    row: cython.Py_ssize_t = 0
    i: cython.Py_ssize_t
    p: cython.Py_ssize_t
    e: cython.Py_ssize_t
    k: cython.Py_ssize_t
    annotators: cython.Py_ssize_t = own.shape[0] - 1
    annotator: cython.int[:] = np.empty(units, dtype=np.int32)
    done: cython.char[:] = np.zeros(units, dtype=np.int8)
    for e in range(annotators):
        for i in range(own[e], own[e + 1]):
            annotator[i] = e
    for i in range(units):
        k = taken_by[i]
        if k < 0 or member[offsets[k]] == i:
            size += 1
    table_array = np.empty((size, annotators), dtype=np.int64)
    table: cython.longlong[:, :] = table_array
    for p in range(size):
        for e in range(annotators):
            table[p, e] = -1
    for p in range(units):
        i = order[p]
        if done[i]:
            continue
        k = taken_by[i]
        if k < 0:
            table[row, annotator[i]] = i
        else:
            for e in range(offsets[k], offsets[k + 1]):
                table[row, annotator[member[e]]] = member[e]
                done[member[e]] = 1
        row += 1
    return table_array


@cython.ccall
def unitary_costs(
    table: cython.const[cython.longlong][:, :],
    start: cython.const[cython.double][:],
    end: cython.const[cython.double][:],
    label: cython.const[cython.int][:],
    costs: cython.const[cython.double][:, :],
    kind: cython.int,
    weight: cython.double,
    delta: cython.double,
):
    """δ of each unitary alignment: Δ + (1/C) Σ over its real pairs of (d − Δ).

    d = weight × positional part (kind 0 sporadic, 1 ends only) + costs[label, label]; a label of -1
    stands for the last row of `costs`.
    """
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
    x: cython.double
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
                if kind == 1:
                    x = weight * abs(end[i] - end[j])
                else:
                    x = abs(start[i] - start[j]) + abs(end[i] - end[j])
                    if x > 0.0:
                        x = x / ((end[i] - start[i]) + (end[j] - start[j]))
                        x = weight * (x * x)
                total += x + costs[p, q] - delta
        found[row] = delta + total / pairs
    return found_array


@cython.ccall
def has_tight_exchange(
    offsets: cython.const[cython.longlong][:],
    member: cython.const[cython.int][:],
    slack: cython.const[cython.longlong][:],
    indptr: cython.const[cython.longlong][:],
    column: cython.const[cython.int][:],
    price: cython.const[cython.longlong][:],
    taken_by: cython.const[cython.int][:],
):
    """Whether columns without slack might replace some of a packing that has no slack either.

    An unused column without slack is struck out when it leaves a unit, of a group that it breaks,
    with neither another such column nor a price of 0 to stay alone; again, until nothing changes.
    True also when the packing itself has slack: then this is no proof.
    """
    columns: cython.Py_ssize_t = slack.shape[0]
    units: cython.Py_ssize_t = price.shape[0]
    live: cython.char[:] = np.zeros(columns, dtype=np.int8)
    #: ways to cover each unit other than as it is now
    ways: cython.int[:] = np.zeros(units, dtype=np.int32)
    stack_array = np.empty(max(1, columns), dtype=np.int32)
    stack: cython.int[:] = stack_array
    depth: cython.Py_ssize_t = 0
    left: cython.Py_ssize_t = 0
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    k: cython.Py_ssize_t
    h: cython.Py_ssize_t
    e: cython.Py_ssize_t
    f: cython.Py_ssize_t
    g: cython.Py_ssize_t
    for i in range(units):
        k = taken_by[i]
        if k < 0:
            if price[i] != 0:
                return True
        else:
            if slack[k] != 0:
                return True
            if price[i] == 0:
                ways[i] += 1
    for k in range(columns):
        if slack[k] == 0 and taken_by[member[offsets[k]]] != k:
            live[k] = 1
            left += 1
            for e in range(offsets[k], offsets[k + 1]):
                ways[member[e]] += 1
        elif taken_by[member[offsets[k]]] == k:
            # a group that may simply fall apart is an exchange by itself
            g = 0
            for e in range(offsets[k], offsets[k + 1]):
                if price[member[e]] != 0:
                    g = 1
                    break
            if g == 0:
                return True
    for i in range(units):
        if ways[i] == 0 and taken_by[i] >= 0:
            # unit i cannot leave its group: no column may break that group
            k = taken_by[i]
            for e in range(offsets[k], offsets[k + 1]):
                j = member[e]
                for f in range(indptr[j], indptr[j + 1]):
                    h = column[f]
                    if live[h]:
                        live[h] = 0
                        left -= 1
                        stack[depth] = h
                        depth += 1
    while depth > 0:
        depth -= 1
        h = stack[depth]
        for e in range(offsets[h], offsets[h + 1]):
            i = member[e]
            ways[i] -= 1
            if ways[i] == 0 and taken_by[i] >= 0:
                k = taken_by[i]
                for f in range(offsets[k], offsets[k + 1]):
                    j = member[f]
                    for g in range(indptr[j], indptr[j + 1]):
                        if live[column[g]]:
                            live[column[g]] = 0
                            left -= 1
                            stack[depth] = column[g]
                            depth += 1
    return left > 0


@cython.ccall
def packing_total(
    taken_by: cython.const[cython.int][:],
    offsets: cython.const[cython.longlong][:],
    member: cython.const[cython.int][:],
    value: cython.const[cython.longlong][:],
):
    """(columns used, units alone, sum of `value` over the columns used)."""
    used: cython.Py_ssize_t = 0
    alone: cython.Py_ssize_t = 0
    total: cython.longlong = 0
    i: cython.Py_ssize_t
    k: cython.Py_ssize_t
    for i in range(taken_by.shape[0]):
        k = taken_by[i]
        if k < 0:
            alone += 1
        elif member[offsets[k]] == i:
            used += 1
            total += value[k]
    return used, alone, total
