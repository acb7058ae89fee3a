# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Matching two sorted sets of points on a line, at linear cost for a bounded reach."""

import cython
import numpy as np


@cython.ccall
def match_line(
    first: cython.longlong[:],
    second: cython.longlong[:],
    reward: cython.double,
    slope: cython.double,
    reach: cython.double,
):
    """Match points one to one with the greatest total gain; the partner of each first, or -1.

    A pair at distance d gains reward - slope * d and is possible when d <= reach. Some optimal
    matching of points on a line has no crossing pairs (uncrossing two pairs lengthens neither
    beyond the longer one nor their sum), so one pass over `first` with a row of prefix maxima over
    `second` finds it. Only second points within reach are touched: time and memory grow with the
    number of pairs within reach.
    """
    n: cython.Py_ssize_t = first.shape[0]
    m: cython.Py_ssize_t = second.shape[0]
    partner_array = np.full(n, -1, dtype=np.int64)
    partner: cython.longlong[:] = partner_array
    low: cython.longlong[:] = np.zeros(n, dtype=np.int64)
    high: cython.longlong[:] = np.zeros(n, dtype=np.int64)
    offset: cython.longlong[:] = np.zeros(n + 1, dtype=np.int64)
    best: cython.double[:] = np.zeros(m + 1, dtype=np.float64)
    choice: cython.char[:]
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    lo: cython.Py_ssize_t = 0
    hi: cython.Py_ssize_t = 0
    top: cython.Py_ssize_t = 0
    d: cython.double
    before: cython.double
    old: cython.double
    value: cython.double
    step: cython.char
    for i in range(n):
        while lo < m and first[i] - second[lo] > reach:
            lo += 1
        if hi < lo:
            hi = lo
        while hi < m and second[hi] - first[i] <= reach:
            hi += 1
        low[i] = lo
        high[i] = hi
        offset[i + 1] = offset[i] + hi - lo
    choice = np.zeros(max(offset[n], 1), dtype=np.int8)
    for i in range(n):
        lo = low[i]
        hi = high[i]
        # beyond the last point touched so far the prefix maxima are flat
        while top < hi:
            best[top + 1] = best[top]
            top += 1
        before = best[lo]
        for j in range(lo, hi):
            old = best[j + 1]
            d = first[i] - second[j]
            if d < 0:
                d = -d
            value = old
            step = 0
            if best[j] > value:
                value = best[j]
                step = 1
            if before + reward - slope * d > value:
                value = before + reward - slope * d
                step = 2
            before = old
            best[j + 1] = value
            choice[offset[i] + j - lo] = step
    i = n - 1
    j = m
    while i >= 0:
        if j > high[i]:
            j = high[i]
        if j <= low[i]:
            i -= 1
            continue
        step = choice[offset[i] + j - 1 - low[i]]
        if step == 1:
            j -= 1
            continue
        if step == 2:
            partner[i] = j - 1
            j -= 1
        i -= 1
    return partner_array
