# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""From chosen columns to the table of unitary alignments, and whether others would do as well."""

import cython
import numpy as np

from accord.kernels.doors import (
    check_indices,
    check_lengths,
    check_long_indices,
    check_offset_rows,
    check_offsets,
)


@cython.ccall
def canonical_order(
    bounds: cython.const[cython.longlong][:, :],
    start: cython.const[cython.double][:],
    end: cython.const[cython.double][:],
    label: cython.const[cython.int][:],
):
    """The units of each document by (start, end, label, annotator).

    Annotator a of document x has the units bounds[x, a] .. bounds[x, a+1], in that order already: they
    are merged.
    """
    check_offset_rows(bounds, start.shape[0])
    check_lengths(start.shape[0], end, label)
    units: cython.Py_ssize_t = start.shape[0]
    annotators: cython.Py_ssize_t = bounds.shape[1] - 1
    order_array = np.empty(units, dtype=np.int64)
    order: cython.longlong[:] = order_array
    cursor: cython.longlong[:] = np.empty(annotators, dtype=np.int64)
    x: cython.Py_ssize_t
    a: cython.Py_ssize_t
    i: cython.Py_ssize_t
    place: cython.Py_ssize_t
    first: cython.Py_ssize_t
    whose: cython.Py_ssize_t
    for x in range(bounds.shape[0]):
        for a in range(annotators):
            cursor[a] = bounds[x, a]
        for place in range(bounds[x, 0], bounds[x, annotators]):
            first = -1
            whose = -1
            for a in range(annotators):
                i = cursor[a]
                if i == bounds[x, a + 1]:
                    continue
                if (
                    first < 0
                    or start[i] < start[first]
                    or (
                        start[i] == start[first]
                        and (
                            end[i] < end[first]
                            or (end[i] == end[first] and label[i] < label[first])
                        )
                    )
                ):
                    first = i
                    whose = a
            order[place] = first
            cursor[whose] += 1
    return order_array


@cython.ccall
def unitary_table(
    order: cython.const[cython.longlong][::1],
    bounds: cython.const[cython.longlong][:, :],
    taken_by: cython.const[cython.int][::1],
    offsets: cython.const[cython.longlong][::1],
    member: cython.const[cython.int][::1],
):
    """Unitary alignments × annotators: the unit, or -1.

    Annotator a of document x has the units bounds[x, a] .. bounds[x, a+1]. `order` lists the units of
    each document canonically; groups are disjoint, so listing each group when its first unit comes up is
    the canonical order of groups.
    taken_by[i] is the column of unit i, or -1.
    """
    check_long_indices(order, taken_by.shape[0])
    check_offset_rows(bounds, order.shape[0])
    check_offsets(offsets, member.shape[0])
    check_indices(taken_by, offsets.shape[0] - 1, -1)
    check_indices(member, taken_by.shape[0])
    units: cython.Py_ssize_t = order.shape[0]
    size: cython.Py_ssize_t = 0
    row: cython.Py_ssize_t = 0
    i: cython.Py_ssize_t
    p: cython.Py_ssize_t
    e: cython.Py_ssize_t
    k: cython.Py_ssize_t
    x: cython.Py_ssize_t
    annotators: cython.Py_ssize_t = bounds.shape[1] - 1
    annotator: cython.int[::1] = np.empty(units, dtype=np.int32)
    done: cython.char[::1] = np.zeros(units, dtype=np.int8)
    for x in range(bounds.shape[0]):
        for e in range(annotators):
            for i in range(bounds[x, e], bounds[x, e + 1]):
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
def has_tight_exchange(
    offsets: cython.const[cython.longlong][::1],
    member: cython.const[cython.int][::1],
    slack: cython.const[cython.longlong][::1],
    indptr: cython.const[cython.longlong][::1],
    column: cython.const[cython.int][::1],
    price: cython.const[cython.longlong][::1],
    taken_by: cython.const[cython.int][::1],
):
    """Whether columns without slack might replace some of a packing that has no slack either.

    An unused column without slack is struck out when it leaves a unit, of a group that it breaks,
    with neither another such column nor a price of 0 to stay alone; again, until nothing changes.
    True also when the packing itself has slack: then this is no proof.
    """
    check_offsets(offsets, member.shape[0])
    check_indices(member, price.shape[0])
    check_offsets(indptr, column.shape[0])
    check_indices(column, offsets.shape[0] - 1)
    check_lengths(offsets.shape[0] - 1, slack)
    check_lengths(indptr.shape[0] - 1, price, taken_by)
    check_indices(taken_by, offsets.shape[0] - 1, -1)
    columns: cython.Py_ssize_t = slack.shape[0]
    units: cython.Py_ssize_t = price.shape[0]
    live: cython.char[::1] = np.zeros(columns, dtype=np.int8)
    #: ways to cover each unit other than as it is now
    ways: cython.int[::1] = np.zeros(units, dtype=np.int32)
    stack_array = np.empty(max(1, columns), dtype=np.int32)
    stack: cython.int[::1] = stack_array
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
    taken_by: cython.const[cython.int][::1],
    offsets: cython.const[cython.longlong][::1],
    member: cython.const[cython.int][::1],
    value: cython.const[cython.longlong][::1],
):
    """(columns used, units alone, sum of `value` over the columns used)."""
    check_offsets(offsets, member.shape[0])
    check_indices(taken_by, offsets.shape[0] - 1, -1)
    check_lengths(offsets.shape[0] - 1, value)
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


@cython.ccall
def packing_totals(
    taken_by: cython.const[cython.int][::1],
    offsets: cython.const[cython.longlong][::1],
    member: cython.const[cython.int][::1],
    value: cython.const[cython.longlong][::1],
    bounds: cython.const[cython.longlong][:, :],
):
    """The same of each document: (columns used and units alone, sum of `value` over the former)."""
    check_offsets(offsets, member.shape[0])
    check_indices(taken_by, offsets.shape[0] - 1, -1)
    check_lengths(offsets.shape[0] - 1, value)
    check_offset_rows(bounds, taken_by.shape[0])
    documents: cython.Py_ssize_t = bounds.shape[0]
    last: cython.Py_ssize_t = bounds.shape[1] - 1
    size_array = np.zeros(documents, dtype=np.int64)
    size: cython.longlong[::1] = size_array
    total_array = np.zeros(documents, dtype=np.int64)
    total: cython.longlong[::1] = total_array
    x: cython.Py_ssize_t
    i: cython.Py_ssize_t
    k: cython.Py_ssize_t
    for x in range(documents):
        for i in range(bounds[x, 0], bounds[x, last]):
            k = taken_by[i]
            if k < 0:
                size[x] += 1
            elif member[offsets[k]] == i:
                size[x] += 1
                total[x] += value[k]
    return size_array, total_array
