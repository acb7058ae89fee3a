# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Exact covers of least slack in small regions, depth first."""

import cython
import numpy as np


@cython.ccall
def search_covers(
    unit_offsets: cython.longlong[:],
    column_offsets: cython.longlong[:],
    offsets: cython.longlong[:],
    member: cython.int[:],
    slack: cython.longlong[:],
    best: cython.longlong[:],
    widest: cython.int,
    nodes: cython.longlong,
    first_found: cython.bint,
):
    """In each region, choose columns that cover every unit once with the least total slack.

    Region r has the units unit_offsets[r]..unit_offsets[r+1] and the columns
    column_offsets[r]..[r+1] (lone units are columns of one). Covers with a total >= best[r] are of
    no interest. Branches on the unit whose cheapest free column is dearest (any cover pays it);
    at most `nodes` steps per region.
    With `first_found`, the columns of a region must come in canonical order, the branching is on
    the first free unit and the search stops at the first cover with total < best[r]: the
    lexicographically smallest.
    Returns (chosen flag of each column, found flag and finished flag of each region, totals).
    """
    regions: cython.Py_ssize_t = unit_offsets.shape[0] - 1
    units: cython.Py_ssize_t = unit_offsets[regions]
    columns: cython.Py_ssize_t = column_offsets[regions]
    chosen_array = np.zeros(columns, dtype=np.int8)
    chosen: cython.char[:] = chosen_array
    found_array = np.zeros(regions, dtype=np.int8)
    found: cython.char[:] = found_array
    finished_array = np.ones(regions, dtype=np.int8)
    finished: cython.char[:] = finished_array
    total_array = np.array(best, dtype=np.int64)
    total: cython.longlong[:] = total_array
    covered: cython.char[:] = np.zeros(units, dtype=np.int8)
    indptr: cython.longlong[:] = np.zeros(units + 1, dtype=np.int64)
    fill: cython.longlong[:] = np.zeros(units, dtype=np.int64)
    listed: cython.int[:] = np.zeros(max(1, offsets[columns]), dtype=np.int32)
    branch: cython.int[:] = np.zeros(units + 1, dtype=np.int32)
    cursor: cython.longlong[:] = np.zeros(units + 1, dtype=np.int64)
    taken: cython.int[:] = np.full(units + 1, -1, dtype=np.int32)
    incumbent: cython.int[:] = np.zeros(units + 1, dtype=np.int32)
    spent: cython.longlong[:] = np.zeros(units + 2, dtype=np.int64)
    r: cython.Py_ssize_t
    i: cython.Py_ssize_t
    k: cython.Py_ssize_t
    e: cython.Py_ssize_t
    f: cython.Py_ssize_t
    pick: cython.Py_ssize_t
    level: cython.Py_ssize_t
    held: cython.Py_ssize_t
    steps: cython.longlong
    x: cython.longlong
    dearest: cython.longlong
    shared: cython.longlong
    room: cython.longlong
    free: cython.bint
    descend: cython.bint
    for e in range(offsets[columns]):
        indptr[member[e] + 1] += 1
    for i in range(units):
        indptr[i + 1] += indptr[i]
        fill[i] = indptr[i]
    for k in range(columns):
        for e in range(offsets[k], offsets[k + 1]):
            listed[fill[member[e]]] = k
            fill[member[e]] += 1
    for r in range(regions):
        level = 0
        steps = 0
        held = -1
        spent[0] = 0
        descend = True
        while level >= 0:
            if descend:
                # choose the unit to branch on, or give up this node
                pick = -1
                room = total[r] - spent[level]
                dearest = -1
                shared = 0
                for i in range(unit_offsets[r], unit_offsets[r + 1]):
                    if covered[i]:
                        continue
                    if first_found and pick >= 0 and i - pick > 64:
                        # the canonical search sweeps the axis: look ahead only a little
                        break
                    x = room
                    for e in range(indptr[i], indptr[i + 1]):
                        k = listed[e]
                        if slack[k] >= x:
                            if not first_found:
                                break
                            continue
                        free = True
                        for f in range(offsets[k], offsets[k + 1]):
                            if covered[member[f]]:
                                free = False
                                break
                        if free:
                            x = slack[k]
                            if not first_found:
                                break
                    shared += x
                    if x >= room:
                        dearest = x
                        break
                    if first_found:
                        if pick < 0:
                            pick = i
                            dearest = x
                    elif x > dearest:
                        pick = i
                        dearest = x
                if dearest < 0:
                    # every unit is covered
                    if room > 0:
                        total[r] = spent[level]
                        held = level
                        found[r] = 1
                        for i in range(level):
                            incumbent[i] = taken[i]
                    if first_found:
                        while level > 0:
                            level -= 1
                            k = taken[level]
                            for f in range(offsets[k], offsets[k + 1]):
                                covered[member[f]] = 0
                            taken[level] = -1
                        break
                    level -= 1
                    descend = False
                    continue
                if dearest >= room or shared >= room * widest:
                    level -= 1
                    descend = False
                    continue
                branch[level] = pick
                cursor[level] = indptr[pick]
                taken[level] = -1
                descend = False
            # next column of the unit we branch on
            k = taken[level]
            if k >= 0:
                for f in range(offsets[k], offsets[k + 1]):
                    covered[member[f]] = 0
                taken[level] = -1
            i = branch[level]
            while cursor[level] < indptr[i + 1]:
                k = listed[cursor[level]]
                cursor[level] += 1
                if spent[level] + slack[k] >= total[r]:
                    if first_found:
                        continue
                    cursor[level] = indptr[i + 1]
                    break
                free = True
                for f in range(offsets[k], offsets[k + 1]):
                    if covered[member[f]]:
                        free = False
                        break
                if free:
                    taken[level] = k
                    break
            if taken[level] < 0:
                level -= 1
                continue
            steps += 1
            if steps > nodes:
                finished[r] = 0
                for i in range(unit_offsets[r], unit_offsets[r + 1]):
                    covered[i] = 0
                break
            k = taken[level]
            for f in range(offsets[k], offsets[k + 1]):
                covered[member[f]] = 1
            spent[level + 1] = spent[level] + slack[k]
            level += 1
            descend = True
        for i in range(held):
            chosen[incumbent[i]] = 1
    return chosen_array, found_array, finished_array, total_array
