# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Along a line: matching of points, coincidences of values, differences of units."""

import cython
import numpy as np

from accord.kernels.doors import check_lengths, check_long_indices, check_offsets


@cython.ccall
def match_line(
    first: cython.const[cython.longlong][:],
    second: cython.const[cython.longlong][:],
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


@cython.ccall
def sweep(
    indptr: cython.const[cython.longlong][:],
    time: cython.const[cython.double][:],
    unit: cython.const[cython.longlong][:],
    step: cython.const[cython.int][:],
    code: cython.const[cython.longlong][:],
    coders: cython.const[cython.longlong][:],
    length: cython.const[cython.double][:],
    delta: cython.const[cython.double][:, :],
):
    """Sweep every document from 0 to its length, event by event.

    Document d has the events indptr[d] <= e < indptr[d+1], sorted by time, ends before starts:
    unit[e] begins (step 1) or ends (step -1); code[u] is the value of unit u; the last value is the
    gap. Returns (observed[K, K] = Σ |S_ic ∩ S_jk| over ordered pairs of coders/(coders - 1),
    agreed[D, K] = its diagonal by document, marginal[D, K] = lengths, disagreement[D] = Σ over
    values other than the gap weighted by delta, mass[U] = Σ over the other coders of the valued
    matter that unit u meets).
    """
    check_offsets(indptr, time.shape[0])
    check_lengths(time.shape[0], unit, step)
    check_long_indices(unit, code.shape[0])
    check_long_indices(code, delta.shape[0])
    check_lengths(indptr.shape[0] - 1, coders, length)
    documents: cython.Py_ssize_t = indptr.shape[0] - 1
    size: cython.Py_ssize_t = delta.shape[0]
    gap: cython.Py_ssize_t = size - 1
    observed_array = np.zeros((size, size), dtype=np.float64)
    observed: cython.double[:, :] = observed_array
    agreed_array = np.zeros((documents, size), dtype=np.float64)
    agreed: cython.double[:, :] = agreed_array
    marginal_array = np.zeros((documents, size), dtype=np.float64)
    marginal: cython.double[:, :] = marginal_array
    disagreement_array = np.zeros(documents, dtype=np.float64)
    disagreement: cython.double[:] = disagreement_array
    mass_array = np.zeros(code.shape[0], dtype=np.float64)
    mass: cython.double[:] = mass_array
    count: cython.longlong[:] = np.zeros(size, dtype=np.int64)
    active: cython.longlong[:] = np.zeros(size, dtype=np.int64)
    place: cython.longlong[:] = np.full(size, -1, dtype=np.int64)
    used: cython.Py_ssize_t
    d: cython.Py_ssize_t
    e: cython.Py_ssize_t
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    a: cython.Py_ssize_t
    b: cython.Py_ssize_t
    u: cython.Py_ssize_t
    m: cython.double
    now: cython.double
    following: cython.double
    span: cython.double
    part: cython.double
    valued: cython.longlong
    integral: cython.double
    for d in range(documents):
        m = coders[d]
        used = 0
        valued = 0
        now = 0.0
        integral = 0.0
        for e in range(indptr[d], indptr[d + 1] + 1):
            following = time[e] if e < indptr[d + 1] else length[d]
            span = following - now
            if span > 0:
                # matter met by a unit: that of the other coders, so that nothing met is exactly 0
                if valued > 1:
                    integral += span * (valued - 1)
                for i in range(used):
                    a = active[i]
                    marginal[d, a] += span * count[a]
                    part = span * count[a] * (count[a] - 1) / (m - 1)
                    observed[a, a] += part
                    agreed[d, a] += part
                    for j in range(i + 1, used):
                        b = active[j]
                        part = span * count[a] * count[b] / (m - 1)
                        observed[a, b] += part
                        observed[b, a] += part
                        disagreement[d] += 2 * part * delta[a, b]
                    if m > valued:
                        part = span * count[a] * (m - valued) / (m - 1)
                        observed[a, gap] += part
                        observed[gap, a] += part
                if m > valued:
                    marginal[d, gap] += span * (m - valued)
                    part = span * (m - valued) * (m - valued - 1) / (m - 1)
                    observed[gap, gap] += part
                    agreed[d, gap] += part
                now = following
            if e == indptr[d + 1]:
                break
            u = unit[e]
            a = code[u]
            if step[e] > 0:
                if count[a] == 0:
                    place[a] = used
                    active[used] = a
                    used += 1
                count[a] += 1
                valued += 1
                mass[u] = integral
            else:
                count[a] -= 1
                valued -= 1
                mass[u] = integral - mass[u]
                if count[a] == 0:
                    used -= 1
                    b = active[used]
                    active[place[a]] = b
                    place[b] = place[a]
                    place[a] = -1
    return observed_array, agreed_array, marginal_array, disagreement_array, mass_array


@cython.ccall
def squared_differences(
    indptr: cython.const[cython.longlong][:],
    runs: cython.const[cython.longlong][:],
    start: cython.const[cython.double][:],
    end: cython.const[cython.double][:],
):
    """Σ δ² of α_U between the coders of each group (a document and a category).

    Group g has the coders (runs) indptr[g] <= r < indptr[g+1]; run r holds the units runs[r] <= u <
    runs[r+1], sorted and without overlap. Returns (Σ δ² of each group without the units that meet
    an empty run, gain[U]): gain[u] > 0 means that δ² would fall if unit u met nothing.
    """
    check_offsets(indptr, runs.shape[0] - 1)
    check_offsets(runs, start.shape[0])
    check_lengths(start.shape[0], end)
    groups: cython.Py_ssize_t = indptr.shape[0] - 1
    units: cython.Py_ssize_t = start.shape[0]
    total_array = np.zeros(groups, dtype=np.float64)
    total: cython.double[:] = total_array
    gain_array = np.zeros(units, dtype=np.float64)
    gain: cython.double[:] = gain_array
    partners: cython.longlong[:] = np.zeros(units, dtype=np.int64)
    g: cython.Py_ssize_t
    r: cython.Py_ssize_t
    s: cython.Py_ssize_t
    u: cython.Py_ssize_t
    v: cython.Py_ssize_t
    first: cython.Py_ssize_t
    turn: cython.Py_ssize_t
    square: cython.double
    own: cython.double
    other: cython.double
    for g in range(groups):
        for r in range(indptr[g], indptr[g + 1]):
            for s in range(r + 1, indptr[g + 1]):
                for u in range(runs[r], runs[r + 1]):
                    partners[u] = 0
                for v in range(runs[s], runs[s + 1]):
                    partners[v] = 0
                for turn in range(2):
                    first = runs[s]
                    for u in range(runs[r], runs[r + 1]):
                        while first < runs[s + 1] and end[first] <= start[u]:
                            first += 1
                        v = first
                        while v < runs[s + 1] and start[v] < end[u]:
                            if turn == 0:
                                partners[u] += 1
                                partners[v] += 1
                                square = (start[u] - start[v]) * (start[u] - start[v]) + (
                                    end[u] - end[v]
                                ) * (end[u] - end[v])
                                total[g] += square
                                gain[u] += square
                                gain[v] += square
                            else:
                                own = (end[u] - start[u]) * (end[u] - start[u])
                                other = (end[v] - start[v]) * (end[v] - start[v])
                                # a partner left alone would lie in a gap
                                if partners[v] == 1:
                                    gain[u] -= other
                                if partners[u] == 1:
                                    gain[v] -= own
                            v += 1
                for u in range(runs[r], runs[r + 1]):
                    square = (end[u] - start[u]) * (end[u] - start[u])
                    if partners[u] == 0:
                        total[g] += square
                    else:
                        gain[u] -= square
                for v in range(runs[s], runs[s + 1]):
                    square = (end[v] - start[v]) * (end[v] - start[v])
                    if partners[v] == 0:
                        total[g] += square
                    else:
                        gain[v] -= square
    return total_array, gain_array
