# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Group items that received the same ratings, in one pass and memory linear in the distinct ones."""

import cython
import numpy as np

from accord.kernels.doors import check_lengths, check_offsets


@cython.ccall
def group_rows(
    indptr: cython.const[cython.longlong][:],
    annotator: cython.const[cython.int][:],
    code: cython.const[cython.int][:],
    named: cython.bint,
):
    """Group the equal rows of a ragged table of ratings.

    Row i holds the ratings indptr[i] <= j < indptr[i+1]. With `named`, two rows are equal when the
    same annotators gave the same codes; otherwise when the codes are the same, in any order. Returns
    (group of each row, where each group starts in the pool, annotators, codes): the pool holds each
    distinct row once, its codes sorted unless `named`. Groups are numbered by appearance.
    """
    check_offsets(indptr, code.shape[0])
    check_lengths(code.shape[0], annotator)
    rows: cython.Py_ssize_t = indptr.shape[0] - 1
    size: cython.Py_ssize_t = 1024  # slots of the hash table, a power of two
    table_array = np.full(size, -1, dtype=np.int32)
    table: cython.int[:] = table_array
    group_array = np.empty(rows, dtype=np.int32)
    group: cython.int[:] = group_array
    # one entry per group, grown together
    keys_array = np.empty(64, dtype=np.uint64)
    keys: cython.ulonglong[:] = keys_array
    start_array = np.zeros(65, dtype=np.int64)
    start: cython.longlong[:] = start_array
    # the distinct rows, one after the other
    who_array = np.empty(256, dtype=np.int32)
    who: cython.int[:] = who_array
    what_array = np.empty(256, dtype=np.int32)
    what: cython.int[:] = what_array
    count: cython.Py_ssize_t = 0
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    k: cython.Py_ssize_t
    g: cython.Py_ssize_t
    first: cython.Py_ssize_t
    length: cython.Py_ssize_t
    end: cython.Py_ssize_t
    slot: cython.Py_ssize_t
    x: cython.int
    h: cython.ulonglong
    word: cython.ulonglong
    prime: cython.ulonglong = 0x100000001B3
    mask: cython.ulonglong = 0xFFFFFFFFFFFFFFFF
    same: cython.bint
    for i in range(rows):
        first = indptr[i]
        length = indptr[i + 1] - first
        end = start[count]
        while end + length > what.shape[0]:
            who_array = np.concatenate([who_array, np.empty_like(who_array)])
            who = who_array
            what_array = np.concatenate([what_array, np.empty_like(what_array)])
            what = what_array
        # the row is written at the end of the pool and stays there only if it is new
        if named:
            for j in range(length):
                who[end + j] = annotator[first + j]
                what[end + j] = code[first + j]
        elif length <= 64:
            for j in range(length):
                x = code[first + j]
                k = end + j - 1
                while k >= end and what[k] > x:
                    what[k + 1] = what[k]
                    k -= 1
                what[k + 1] = x
        else:
            what_array[end : end + length] = np.sort(np.asarray(code[first : first + length]))
        h = 0xCBF29CE484222325
        for j in range(end, end + length):
            # the explicit mask keeps the interpreted run equal to C's wrap-around
            if named:
                word = cython.cast(cython.ulonglong, who[j])
                h = ((h ^ word) * prime) & mask
            word = cython.cast(cython.ulonglong, what[j])
            h = ((h ^ word) * prime) & mask
            h = h ^ (h >> 29)
        h = h ^ (h >> 32)
        slot = h & (size - 1)
        g = table[slot]
        while g >= 0:
            same = keys[g] == h and start[g + 1] - start[g] == length
            k = 0
            while same and k < length:
                same = what[start[g] + k] == what[end + k] and (
                    not named or who[start[g] + k] == who[end + k]
                )
                k += 1
            if same:
                break
            slot = (slot + 1) & (size - 1)
            g = table[slot]
        if g < 0:
            g = count
            count += 1
            if count == keys.shape[0]:
                keys_array = np.concatenate([keys_array, np.empty_like(keys_array)])
                keys = keys_array
                start_array = np.concatenate([start_array, np.empty_like(start_array)])
                start = start_array
            keys[g] = h
            start[count] = end + length
            table[slot] = g
            if 2 * count > size:
                size *= 2
                table_array = np.full(size, -1, dtype=np.int32)
                table = table_array
                for k in range(count):
                    slot = keys[k] & (size - 1)
                    while table[slot] >= 0:
                        slot = (slot + 1) & (size - 1)
                    table[slot] = k
        group[i] = g
    end = start[count]
    return (
        group_array,
        start_array[: count + 1].copy(),
        who_array[:end].copy(),
        what_array[:end].copy(),
    )
