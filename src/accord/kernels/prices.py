# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Prices of units (dual values of set packing): smoothed descent, then exact repair.

A column is a set of units with a gain over leaving them alone; prices u >= 0 are feasible when
every column's price sum is at least its gain. The sum of feasible prices bounds every packing.
"""

import cython
import numpy as np

if cython.compiled:
    from cython.cimports.libc.math import exp, log
else:
    from math import exp, log


@cython.ccall
def columns_of_units(offsets: cython.longlong[:], member: cython.int[:], units: cython.Py_ssize_t):
    """For each unit the columns it is in, ascending: (indptr, column)."""
    columns: cython.Py_ssize_t = offsets.shape[0] - 1
    indptr_array = np.zeros(units + 1, dtype=np.int64)
    indptr: cython.longlong[:] = indptr_array
    column_array = np.empty(member.shape[0], dtype=np.int32)
    column: cython.int[:] = column_array
    fill: cython.longlong[:] = np.zeros(units, dtype=np.int64)
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
def smooth_prices(
    offsets: cython.longlong[:],
    member: cython.int[:],
    gain: cython.double[:],
    indptr: cython.longlong[:],
    column: cython.int[:],
    price: cython.double[:],
    temperature: cython.double,
    sweeps: cython.int,
    tolerance: cython.double,
):
    """Descend the smoothed bound  Σu + T Σ exp((gain − Σu)/T)  one unit at a time, in place.

    With the other prices fixed the best price of a unit makes its columns' weights sum to one
    (Sinkhorn's step for multi-marginal transport). Stops when no price moves by more than
    tolerance × T in a sweep. Returns the number of sweeps.
    """
    columns: cython.Py_ssize_t = offsets.shape[0] - 1
    units: cython.Py_ssize_t = indptr.shape[0] - 1
    weight: cython.double[:] = np.empty(columns, dtype=np.float64)
    k: cython.Py_ssize_t
    e: cython.Py_ssize_t
    i: cython.Py_ssize_t
    x: cython.double
    alone: cython.double
    moved: cython.double
    sweep: cython.int = 0
    for k in range(columns):
        x = gain[k]
        for e in range(offsets[k], offsets[k + 1]):
            x -= price[member[e]]
        weight[k] = exp(min(x / temperature, 600.0))
    while sweep < sweeps:
        sweep += 1
        moved = 0.0
        for i in range(units):
            alone = exp(-price[i] / temperature)
            x = alone
            for e in range(indptr[i], indptr[i + 1]):
                x += weight[column[e]]
            if x == alone:
                price[i] = 0.0
                continue
            alone = log(x)
            price[i] += temperature * alone
            if abs(alone) > moved:
                moved = abs(alone)
            x = 1.0 / x
            for e in range(indptr[i], indptr[i + 1]):
                weight[column[e]] *= x
        if moved < tolerance:
            break
    return sweep


@cython.ccall
def repair_prices(
    offsets: cython.longlong[:],
    member: cython.int[:],
    gain: cython.longlong[:],
    indptr: cython.longlong[:],
    column: cython.int[:],
    price: cython.longlong[:],
):
    """Make whole-number prices feasible and as low as one pass allows, in place.

    Returns the slack of each column, price sum − gain >= 0.
    """
    columns: cython.Py_ssize_t = offsets.shape[0] - 1
    units: cython.Py_ssize_t = indptr.shape[0] - 1
    slack_array = np.empty(columns, dtype=np.int64)
    slack: cython.longlong[:] = slack_array
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
    offsets: cython.longlong[:],
    member: cython.int[:],
    ranking: cython.longlong[:],
    taken_by: cython.int[:],
    value: cython.longlong[:],
):
    """Take columns in the order of `ranking` when all their units are free (taken_by < 0).

    Returns (columns taken, units taken, total of their `value`).
    """
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
