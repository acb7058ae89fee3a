# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Set packing along an order: one step, from all beginnings to those with one more unit decided."""

import cython
import numpy as np


@cython.cfunc
@cython.exceptval(check=False)
def _place(
    table: cython.longlong[::1], sets: cython.ulonglong[:, ::1], k: cython.Py_ssize_t
) -> cython.Py_ssize_t:
    """Where the set k stands in the table of sets, or the free place where it would."""
    words: cython.Py_ssize_t = sets.shape[1]
    last: cython.ulonglong = table.shape[0] - 1
    mixed: cython.ulonglong = 0
    w: cython.Py_ssize_t
    for w in range(words):
        mixed = mixed ^ sets[k, w] ^ (sets[k, w] >> (13 + w)) ^ (sets[k, w] >> (37 - w))
    p: cython.Py_ssize_t = int((mixed ^ (mixed >> 23)) & last)
    while table[p] >= 0:
        w = 0
        while w < words and sets[table[p], w] == sets[k, w]:
            w += 1
        if w == words:
            break
        p = (p + 1) & (table.shape[0] - 1)
    return p


@cython.ccall
def extend_beginnings(
    taken: cython.const[cython.ulonglong][:, ::1],
    slack: cython.const[cython.longlong][::1],
    masks: cython.const[cython.ulonglong][:, ::1],
    more: cython.const[cython.longlong][::1],
    budget: cython.longlong,
    most: cython.longlong,
):
    """Decide on the next unit in every beginning, and keep the best of those that took the same units.

    A beginning is the set of units taken beyond those decided, words of 64 bits of which the first is the
    unit to decide on, and its slack. If that unit is not taken yet, one of the choices is made: `masks`
    are their units, `more` what they add to the slack, ascending. Nothing exceeds the budget.
    Returns (sets of units, one further; slack; beginning it comes from; choice, or -1 where the unit was
    taken before; choices tried, at most `most`: with more the answer is not complete).
    """
    words: cython.Py_ssize_t = taken.shape[1]
    room: cython.Py_ssize_t = 1024
    found: cython.Py_ssize_t = 0
    tried: cython.longlong = 0
    sets_array = np.empty((room, words), dtype=np.uint64)
    sets: cython.ulonglong[:, ::1] = sets_array
    cost_array = np.empty(room, dtype=np.int64)
    cost: cython.longlong[::1] = cost_array
    origin_array = np.empty(room, dtype=np.int64)
    origin: cython.longlong[::1] = origin_array
    choice_array = np.empty(room, dtype=np.int32)
    choice: cython.int[::1] = choice_array
    table: cython.longlong[::1] = np.full(4 * room, -1, dtype=np.int64)
    top: cython.ulonglong = np.uint64(1 << 63)
    i: cython.Py_ssize_t
    c: cython.Py_ssize_t
    w: cython.Py_ssize_t
    p: cython.Py_ssize_t
    k: cython.Py_ssize_t
    first: cython.Py_ssize_t
    last: cython.Py_ssize_t
    here: cython.longlong
    for i in range(taken.shape[0]):
        first = -1 if taken[i, 0] & 1 else 0
        last = 0 if taken[i, 0] & 1 else masks.shape[0]
        if tried > most:
            break
        for c in range(first, last):
            here = slack[i]
            w = words
            if c >= 0:
                here += more[c]
                if here > budget:
                    break
                tried += 1
                if tried > most:
                    break
                w = 0
                while w < words and taken[i, w] & masks[c, w] == 0:
                    w += 1
            if w < words:
                continue
            if found == room:
                room *= 4
                sets_array = np.resize(sets_array, (room, words))
                sets = sets_array
                cost_array = np.resize(cost_array, room)
                cost = cost_array
                origin_array = np.resize(origin_array, room)
                origin = origin_array
                choice_array = np.resize(choice_array, room)
                choice = choice_array
                table = np.full(4 * room, -1, dtype=np.int64)
                for k in range(found):
                    table[_place(table, sets, k)] = k
            for w in range(words):
                sets[found, w] = taken[i, w]
                if c >= 0:
                    sets[found, w] |= masks[c, w]
            for w in range(words):
                sets[found, w] >>= 1
                if w + 1 < words and sets[found, w + 1] & 1:
                    sets[found, w] |= top
            p = _place(table, sets, found)
            k = table[p]
            if k < 0:
                k = table[p] = found
                found += 1
            elif cost[k] <= here:
                continue
            cost[k] = here
            origin[k] = i
            choice[k] = c
    return (
        sets_array[:found].copy(),
        cost_array[:found].copy(),
        origin_array[:found].copy(),
        choice_array[:found].copy(),
        tried,
    )
