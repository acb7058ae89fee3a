# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Covers of units: prices by smoothed descent and exact repair, then depth-first search.

A column is a set of units with a gain over leaving them alone; prices u >= 0 are feasible when
every column's price sum is at least its gain. The sum of feasible prices bounds every packing.
"""

import cython
import numpy as np

from accord.kernels.doors import check_indices, check_lengths, check_long_indices, check_offsets

if cython.compiled:
    from cython.cimports.libc.math import exp, log
else:
    from math import exp, log

#: weight below which a column is left out of the smoothing
_LIGHT: cython.double = 1e-7


@cython.ccall
def columns_of_units(
    offsets: cython.const[cython.longlong][::1],
    member: cython.const[cython.int][::1],
    units: cython.Py_ssize_t,
):
    """For each unit the columns it is in, ascending: (indptr, column)."""
    check_offsets(offsets, member.shape[0])
    check_indices(member, units)
    columns: cython.Py_ssize_t = offsets.shape[0] - 1
    indptr_array = np.zeros(units + 1, dtype=np.int64)
    indptr: cython.longlong[::1] = indptr_array
    column_array = np.empty(member.shape[0], dtype=np.int32)
    column: cython.int[::1] = column_array
    fill: cython.longlong[::1] = np.zeros(units, dtype=np.int64)
    k: cython.Py_ssize_t
    e: cython.Py_ssize_t
    i: cython.Py_ssize_t
    for e in range(offsets[columns]):
        indptr[member[e] + 1] += 1
    for i in range(units):
        indptr[i + 1] += indptr[i]
        fill[i] = indptr[i]
    for k in range(columns):
        for e in range(offsets[k], offsets[k + 1]):
            i = member[e]
            column[fill[i]] = k
            fill[i] += 1
    return indptr_array, column_array


@cython.ccall
def first_prices(
    offsets: cython.const[cython.longlong][::1],
    member: cython.const[cython.int][::1],
    gain: cython.const[cython.double][::1],
    price: cython.double[::1],
    share: cython.double,
):
    """Raise each price to `share` × the greatest gain per unit of its columns, in place."""
    check_offsets(offsets, member.shape[0])
    check_indices(member, price.shape[0])
    check_lengths(offsets.shape[0] - 1, gain)
    k: cython.Py_ssize_t
    for k in range(offsets.shape[0] - 1):
        x: cython.double = share * gain[k] / (offsets[k + 1] - offsets[k])
        e: cython.Py_ssize_t
        for e in range(offsets[k], offsets[k + 1]):
            price[member[e]] = max(price[member[e]], x)


@cython.ccall
def smooth_prices(
    offsets: cython.const[cython.longlong][::1],
    member: cython.const[cython.int][::1],
    gain: cython.const[cython.double][::1],
    indptr: cython.const[cython.longlong][::1],
    column: cython.const[cython.int][::1],
    price: cython.double[::1],
    temperature: cython.double,
    sweeps: cython.int,
    tolerance: cython.double,
):
    """Descend the smoothed bound  Σu + T Σ exp((gain − Σu)/T)  one unit at a time, in place.

    With the other prices fixed the best price of a unit makes its columns' weights sum to one
    (Sinkhorn's step for multi-marginal transport). Stops when no price moves by more than
    tolerance × T in a sweep. Returns the number of sweeps.
    """
    check_offsets(offsets, member.shape[0])
    check_indices(member, price.shape[0])
    check_offsets(indptr, column.shape[0])
    check_indices(column, offsets.shape[0] - 1)
    check_lengths(offsets.shape[0] - 1, gain)
    check_lengths(indptr.shape[0] - 1, price)
    columns: cython.Py_ssize_t = offsets.shape[0] - 1
    units: cython.Py_ssize_t = indptr.shape[0] - 1
    weight: cython.double[::1] = np.empty(columns, dtype=np.float64)
    # weight of staying alone, exp(−u/T), and by what the weights of a unit were divided since its price
    # was last written down: a step multiplies, and logarithms are taken at the end
    alone: cython.double[::1] = np.empty(units, dtype=np.float64)
    divided: cython.double[::1] = np.ones(units, dtype=np.float64)
    # the columns of each unit that weigh something: what does not is looked at no more
    listed: cython.int[::1] = np.empty(column.shape[0], dtype=np.int32)
    last: cython.longlong[::1] = np.empty(units, dtype=np.int64)
    k: cython.Py_ssize_t
    e: cython.Py_ssize_t
    i: cython.Py_ssize_t
    x: cython.double
    high: cython.double = exp(tolerance)
    low: cython.double = 1.0 / high
    moved: cython.bint = True
    sweep: cython.int = 0
    for k in range(columns):
        x = gain[k]
        for e in range(offsets[k], offsets[k + 1]):
            x -= price[member[e]]
        weight[k] = exp(min(x / temperature, 600.0))
    for i in range(units):
        alone[i] = exp(-price[i] / temperature)
        if indptr[i] == indptr[i + 1]:
            price[i] = 0.0
        k = indptr[i]
        for e in range(indptr[i], indptr[i + 1]):
            if weight[column[e]] >= _LIGHT:
                listed[k] = column[e]
                k += 1
        last[i] = k
    while moved and sweep < sweeps:
        sweep += 1
        moved = False
        for i in range(units):
            if indptr[i] == indptr[i + 1]:
                continue
            x = alone[i]
            for e in range(indptr[i], last[i]):
                x += weight[listed[e]]
            if x > high or x < low:
                moved = True
            divided[i] *= x
            x = 1.0 / x
            alone[i] *= x
            for e in range(indptr[i], last[i]):
                weight[listed[e]] *= x
            if divided[i] > 1e100 or divided[i] < 1e-100:
                price[i] += temperature * log(divided[i])
                divided[i] = 1.0
                alone[i] = exp(-price[i] / temperature)
    for i in range(units):
        price[i] += temperature * log(divided[i])
    return sweep


@cython.ccall
def repair_prices(
    offsets: cython.const[cython.longlong][::1],
    member: cython.const[cython.int][::1],
    gain: cython.const[cython.longlong][::1],
    indptr: cython.const[cython.longlong][::1],
    column: cython.const[cython.int][::1],
    price: cython.longlong[::1],
):
    """Make whole-number prices feasible and as low as one pass allows, in place.

    Returns the slack of each column, price sum − gain >= 0.
    """
    check_offsets(offsets, member.shape[0])
    check_indices(member, price.shape[0])
    check_offsets(indptr, column.shape[0])
    check_indices(column, offsets.shape[0] - 1)
    check_lengths(offsets.shape[0] - 1, gain)
    check_lengths(indptr.shape[0] - 1, price)
    columns: cython.Py_ssize_t = offsets.shape[0] - 1
    units: cython.Py_ssize_t = indptr.shape[0] - 1
    slack_array = np.empty(columns, dtype=np.int64)
    slack: cython.longlong[::1] = slack_array
    k: cython.Py_ssize_t
    e: cython.Py_ssize_t
    i: cython.Py_ssize_t
    x: cython.longlong
    down: cython.longlong
    turn: cython.int
    for k in range(columns):
        x = -gain[k]
        for e in range(offsets[k], offsets[k + 1]):
            x += price[member[e]]
        slack[k] = x
    for turn in range(2):
        # first only raise (shared violations are met once), then only lower
        for i in range(units):
            down = price[i]
            for e in range(indptr[i], indptr[i + 1]):
                if slack[column[e]] < down:
                    down = slack[column[e]]
            if turn == 0 and down > 0:
                continue
            if down != 0:
                price[i] -= down
                for e in range(indptr[i], indptr[i + 1]):
                    slack[column[e]] -= down
    return slack_array


@cython.ccall
def take_greedily(
    offsets: cython.const[cython.longlong][::1],
    member: cython.const[cython.int][::1],
    ranking: cython.const[cython.longlong][::1],
    taken_by: cython.int[::1],
    value: cython.const[cython.longlong][::1],
):
    """Take columns by `ranking` whose units are free (taken_by < 0): (columns, units, total `value`)."""
    check_offsets(offsets, member.shape[0])
    check_indices(member, taken_by.shape[0])
    check_long_indices(ranking, offsets.shape[0] - 1)
    check_lengths(offsets.shape[0] - 1, value)
    count: cython.Py_ssize_t = 0
    units: cython.Py_ssize_t = 0
    total: cython.longlong = 0
    r: cython.Py_ssize_t
    k: cython.Py_ssize_t
    e: cython.Py_ssize_t
    free: cython.bint
    for r in range(ranking.shape[0]):
        k = ranking[r]
        free = True
        for e in range(offsets[k], offsets[k + 1]):
            if taken_by[member[e]] >= 0:
                free = False
                break
        if free:
            for e in range(offsets[k], offsets[k + 1]):
                taken_by[member[e]] = k
            count += 1
            units += offsets[k + 1] - offsets[k]
            total += value[k]
    return count, units, total


@cython.ccall
def search_covers(
    unit_offsets: cython.const[cython.longlong][::1],
    column_offsets: cython.const[cython.longlong][::1],
    offsets: cython.const[cython.longlong][::1],
    member: cython.const[cython.int][::1],
    slack: cython.const[cython.longlong][::1],
    best: cython.const[cython.longlong][::1],
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
    check_offsets(offsets, member.shape[0])
    check_offsets(column_offsets, offsets.shape[0] - 1)
    check_lengths(unit_offsets.shape[0], column_offsets)
    check_lengths(unit_offsets.shape[0] - 1, best)
    check_offsets(unit_offsets, member.shape[0])
    check_indices(member, unit_offsets[unit_offsets.shape[0] - 1])
    check_lengths(offsets.shape[0] - 1, slack)
    regions: cython.Py_ssize_t = unit_offsets.shape[0] - 1
    units: cython.Py_ssize_t = unit_offsets[regions]
    columns: cython.Py_ssize_t = column_offsets[regions]
    chosen_array = np.zeros(columns, dtype=np.int8)
    chosen: cython.char[::1] = chosen_array
    found_array = np.zeros(regions, dtype=np.int8)
    found: cython.char[::1] = found_array
    finished_array = np.ones(regions, dtype=np.int8)
    finished: cython.char[::1] = finished_array
    total_array = np.array(best, dtype=np.int64)
    total: cython.longlong[::1] = total_array
    covered: cython.char[::1] = np.zeros(units, dtype=np.int8)
    indptr: cython.longlong[::1] = np.zeros(units + 1, dtype=np.int64)
    fill: cython.longlong[::1] = np.zeros(units, dtype=np.int64)
    listed: cython.int[::1] = np.zeros(max(1, offsets[columns]), dtype=np.int32)
    branch: cython.int[::1] = np.zeros(units + 1, dtype=np.int32)
    cursor: cython.longlong[::1] = np.zeros(units + 1, dtype=np.int64)
    taken: cython.int[::1] = np.full(units + 1, -1, dtype=np.int32)
    incumbent: cython.int[::1] = np.zeros(units + 1, dtype=np.int32)
    spent: cython.longlong[::1] = np.zeros(units + 2, dtype=np.int64)
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
