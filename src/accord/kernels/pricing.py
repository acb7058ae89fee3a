# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""When tuples are too many to be listed: those that prices cannot rule out."""

import cython
import numpy as np

_FAR: cython.longlong = -(1 << 62)


@cython.ccall
def priced_tuples(
    indptr: cython.const[cython.longlong][::1],
    other: cython.const[cython.int][::1],
    close: cython.const[cython.longlong][::1],
    annotator: cython.const[cython.int][::1],
    annotators: cython.int,
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
    bonus: cython.longlong,
    price: cython.const[cython.longlong][::1],
    limit: cython.longlong,
    least_only: cython.bint,
    most: cython.longlong,
    steps: cython.longlong,
):
    """Tuples whose price exceeds their gain by `limit` at most (below 0: by less than they gain).

    Pairs are (i, other[e]) for indptr[i] <= e < indptr[i+1], j of later annotators ascending; a
    tuple of m units gains (m-1) × bonus plus close[e] of its pairs; its slack is the sum of its
    prices minus that. Searched are the tuples whose unit of the earliest annotator is one of
    first .. last-1, each at the cost of `steps` at most. A partial tuple is given up when what each
    later annotator can take off its slack at best, half of every pair counted on either side, does
    not bring it down to the limit.
    With `least_only` a tuple must have less slack than those found before it from the same unit.
    Returns (offsets, units, sum of close over the pairs, for each unit first .. last-1 a floor of
    the slack of its tuples (limit + 1 when none is within), whether nothing was cut short, steps
    taken); stops when there are more than `most`.
    """
    n: cython.Py_ssize_t = annotators
    size: cython.Py_ssize_t = 1024
    room: cython.Py_ssize_t = 4096
    offsets_array = np.zeros(size + 1, dtype=np.int64)
    offsets: cython.longlong[::1] = offsets_array
    total_array = np.empty(size, dtype=np.int64)
    total: cython.longlong[::1] = total_array
    member_array = np.empty(room, dtype=np.int32)
    member: cython.int[::1] = member_array
    least_array = np.full(max(0, last - first), limit + 1, dtype=np.int64)
    least: cython.longlong[::1] = least_array
    count: cython.Py_ssize_t = 0
    filled: cython.Py_ssize_t = 0
    finished: cython.bint = True
    widest: cython.Py_ssize_t = 0
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    e: cython.Py_ssize_t
    p: cython.Py_ssize_t
    q: cython.Py_ssize_t
    k: cython.Py_ssize_t
    a: cython.Py_ssize_t
    b: cython.Py_ssize_t
    c: cython.Py_ssize_t
    base: cython.Py_ssize_t
    level: cython.Py_ssize_t
    x: cython.longlong
    down: cython.longlong
    within: cython.longlong
    left: cython.longlong
    opening: cython.longlong
    spent: cython.longlong = 0
    for i in range(first, last):
        widest = max(widest, indptr[i + 1] - indptr[i])
    place: cython.int[::1] = np.full(max(1, indptr.shape[0] - 1), -1, dtype=np.int32)
    whose: cython.int[::1] = np.empty(max(1, widest), dtype=np.int32)
    local: cython.longlong[::1] = np.empty(max(1, widest * widest), dtype=np.int64)
    # half of what the pairs with annotators >= b can add to a unit, rounded up
    half: cython.longlong[::1] = np.zeros(max(1, widest * (n + 1)), dtype=np.int64)
    # per level: live units with what each adds to the slack, where we stand among them, the best
    # that annotators >= b can add together, the member chosen, slack and closeness so far
    live: cython.int[::1] = np.empty(max(1, widest * (n + 1)), dtype=np.int32)
    adds: cython.longlong[::1] = np.empty(max(1, widest * (n + 1)), dtype=np.int64)
    live_count: cython.longlong[::1] = np.zeros(n + 2, dtype=np.int64)
    cursor: cython.longlong[::1] = np.zeros(n + 2, dtype=np.int64)
    after: cython.longlong[::1] = np.zeros((n + 2) * (n + 2), dtype=np.int64)
    chosen: cython.int[::1] = np.zeros(n + 2, dtype=np.int32)
    slack: cython.longlong[::1] = np.zeros(n + 2, dtype=np.int64)
    for i in range(first, last):
        base = indptr[i]
        k = indptr[i + 1] - base
        if k == 0:
            continue
        for p in range(k):
            place[other[base + p]] = p
            whose[p] = annotator[other[base + p]]
        for p in range(k * k):
            local[p] = _FAR
        for p in range(k):
            j = other[base + p]
            for e in range(indptr[j], indptr[j + 1]):
                q = place[other[e]]
                if q >= 0:
                    local[p * k + q] = close[e]
                    local[q * k + p] = close[e]
        for p in range(k):
            place[other[base + p]] = -1
            live[p] = p
            adds[p] = price[other[base + p]] - bonus - close[base + p]
        within = limit
        left = steps
        spent += k * k
        slack[0] = price[i]
        b = annotator[i] + 1
        e = k
        # units that no tuple within the limit can have are dropped, which sharpens the halves
        while True:
            _halve(local, live, whose, half, k, n, e)
            opening = slack[0] + _best_after(adds, live, whose, half, after, n, 0, 0, e, b)
            left -= e * (e + n)
            spent += e * (e + n)
            c = 0
            for q in range(e):
                p = live[q]
                a = whose[p]
                down = after[a] - after[a + 1]
                if opening - down + adds[q] - half[p * (n + 1) + b] <= within:
                    live[c] = p
                    adds[c] = adds[q]
                    c += 1
            if c == e or opening > within:
                break
            e = c
            if left < 0:
                break
        if opening > within:
            continue
        live_count[0] = e
        cursor[0] = 0
        level = 0
        while level >= 0:
            if cursor[level] >= live_count[level]:
                level -= 1
                continue
            c = level * widest + cursor[level]
            cursor[level] += 1
            p = live[c]
            a = whose[p]
            b = (annotator[i] if level == 0 else whose[chosen[level]]) + 1
            x = slack[level] + adds[c]
            down = x - half[p * (n + 1) + b] + after[level * (n + 2) + a + 1]
            if down > within:
                continue
            level += 1
            chosen[level] = p
            slack[level] = x
            e = 0
            for q in range(cursor[level - 1], live_count[level - 1]):
                j = live[(level - 1) * widest + q]
                if whose[j] > a and local[p * k + j] != _FAR:
                    live[level * widest + e] = j
                    adds[level * widest + e] = adds[(level - 1) * widest + q] - local[p * k + j]
                    e += 1
            left -= live_count[level - 1] - cursor[level - 1] + n
            spent += live_count[level - 1] - cursor[level - 1] + n
            if x <= within:
                if count == most:
                    return (
                        offsets_array[: count + 1],
                        member_array[:filled],
                        total_array[:count],
                        least_array,
                        False,
                        spent,
                    )
                if count == size:
                    size *= 2
                    offsets_array = np.resize(offsets_array, size + 1)
                    offsets = offsets_array
                    total_array = np.resize(total_array, size)
                    total = total_array
                if filled + level + 1 > room:
                    room *= 2
                    member_array = np.resize(member_array, room)
                    member = member_array
                # slack = prices − (m−1) × bonus − closeness
                down = price[i] - x - level * bonus
                member[filled] = i
                for q in range(1, level + 1):
                    j = other[base + chosen[q]]
                    member[filled + q] = j
                    down += price[j]
                filled += level + 1
                total[count] = down
                count += 1
                offsets[count] = filled
                if x < least[i - first]:
                    least[i - first] = x
                if least_only:
                    within = x - 1
            live_count[level] = e
            cursor[level] = 0
            down = _best_after(adds, live, whose, half, after, n, level, level * widest, e, a + 1)
            if e == 0 or x + down > within:
                level -= 1
            if left < 0:
                # not finished: only what the first look promised is sure
                finished = False
                if opening < least[i - first]:
                    least[i - first] = opening
                break
    return (
        offsets_array[: count + 1],
        member_array[:filled],
        total_array[:count],
        least_array,
        finished,
        spent,
    )


@cython.cfunc
@cython.exceptval(check=False)
def _halve(
    local: cython.const[cython.longlong][::1],
    live: cython.const[cython.int][::1],
    whose: cython.const[cython.int][::1],
    half: cython.longlong[::1],
    k: cython.Py_ssize_t,
    n: cython.Py_ssize_t,
    count: cython.Py_ssize_t,
) -> cython.int:
    """Half of what each live unit's pairs with annotators >= b can add at best, rounded up."""
    e: cython.Py_ssize_t
    f: cython.Py_ssize_t
    p: cython.Py_ssize_t
    b: cython.Py_ssize_t
    row: cython.Py_ssize_t
    x: cython.longlong
    for e in range(count):
        p = live[e]
        row = p * (n + 1)
        for b in range(n + 1):
            half[row + b] = 0
        for f in range(count):
            x = local[p * k + live[f]]
            if x > half[row + whose[live[f]]]:
                half[row + whose[live[f]]] = x
        for b in range(n - 1, -1, -1):
            half[row + b] += half[row + b + 1]
        for b in range(n):
            half[row + b] = (half[row + b] + 1) // 2
    return 0


@cython.cfunc
@cython.exceptval(check=False)
def _best_after(
    adds: cython.const[cython.longlong][::1],
    live: cython.const[cython.int][::1],
    whose: cython.const[cython.int][::1],
    half: cython.const[cython.longlong][::1],
    after: cython.longlong[::1],
    n: cython.Py_ssize_t,
    level: cython.Py_ssize_t,
    start: cython.Py_ssize_t,
    count: cython.Py_ssize_t,
    b: cython.Py_ssize_t,
) -> cython.longlong:
    """What annotators >= b can add to the slack at best, 0 at most; kept for each later one too."""
    e: cython.Py_ssize_t = start + count - 1
    a: cython.Py_ssize_t
    x: cython.longlong
    least: cython.longlong
    total: cython.longlong = 0
    after[level * (n + 2) + n] = 0
    for a in range(n - 1, b - 1, -1):
        least = 0
        while e >= start and whose[live[e]] == a:
            x = adds[e] - half[live[e] * (n + 1) + b]
            if x < least:
                least = x
            e -= 1
        total += least
        after[level * (n + 2) + a] = total
    return total
