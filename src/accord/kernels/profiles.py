# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Group items that received the same ratings, in one pass and linear memory."""

import cython
import numpy as np


@cython.ccall
def group_rows(indptr: cython.longlong[:], first: cython.int[:], second: cython.int[:]):
    """Give each row of a ragged table the number of the first row equal to it.

    Row i is the sequence of pairs (first[j], second[j]) for indptr[i] <= j < indptr[i+1]. Returns
    (group of each row, a representative row of each group); groups are numbered by appearance.
    """
    rows: cython.Py_ssize_t = indptr.shape[0] - 1
    size: cython.Py_ssize_t = 1024
    group_array = np.empty(rows, dtype=np.int32)
    group: cython.int[:] = group_array
    table_array = np.full(size, -1, dtype=np.int32)
    table: cython.int[:] = table_array
    keys_array = np.empty(64, dtype=np.uint64)
    keys: cython.ulonglong[:] = keys_array
    representative_array = np.empty(64, dtype=np.int64)
    representative: cython.longlong[:] = representative_array
    count: cython.Py_ssize_t = 0
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    k: cython.Py_ssize_t
    start: cython.Py_ssize_t
    length: cython.Py_ssize_t
    other: cython.Py_ssize_t
    slot: cython.Py_ssize_t
    g: cython.Py_ssize_t
    h: cython.ulonglong
    prime: cython.ulonglong = 0x100000001B3
    word: cython.ulonglong
    word_mask: cython.ulonglong = 0xFFFFFFFF
    mask: cython.ulonglong = 0xFFFFFFFFFFFFFFFF
    same: cython.bint
    for i in range(rows):
        start = indptr[i]
        length = indptr[i + 1] - start
        h = 0xCBF29CE484222325
        for j in range(start, start + length):
            # the explicit masks keep the interpreted run equal to C's wrap-around
            word = first[j] & word_mask
            h = ((h ^ word) * prime) & mask
            word = second[j] & word_mask
            h = ((h ^ word) * prime) & mask
            h = h ^ (h >> 29)
        h = h ^ (h >> 32)
        slot = h & (size - 1)
        while True:
            g = table[slot]
            if g < 0:
                break
            same = keys[g] == h
            if same:
                other = representative[g]
                same = indptr[other + 1] - indptr[other] == length
                other = indptr[other]
                k = 0
                while same and k < length:
                    same = (
                        first[start + k] == first[other + k]
                        and second[start + k] == second[other + k]
                    )
                    k += 1
            if same:
                break
            slot = (slot + 1) & (size - 1)
        if g < 0:
            g = count
            count += 1
            if g == representative.shape[0]:
                keys_array = np.concatenate([keys_array, np.empty_like(keys_array)])
                keys = keys_array
                representative_array = np.concatenate(
                    [representative_array, np.empty_like(representative_array)]
                )
                representative = representative_array
            keys[g] = h
            representative[g] = i
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
    return group_array, representative_array[:count].copy()


@cython.ccall
def sort_rows(indptr: cython.longlong[:], values: cython.int[:]):
    """Sort the values within each row of a ragged table; returns a new array."""
    out_array = np.array(values, dtype=np.int32)
    out: cython.int[:] = out_array
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    k: cython.Py_ssize_t
    start: cython.Py_ssize_t
    stop: cython.Py_ssize_t
    x: cython.int
    for i in range(indptr.shape[0] - 1):
        start = indptr[i]
        stop = indptr[i + 1]
        if stop - start > 64:
            out_array[start:stop].sort()
            continue
        for j in range(start + 1, stop):
            x = out[j]
            k = j - 1
            while k >= start and out[k] > x:
                out[k + 1] = out[k]
                k -= 1
            out[k + 1] = x
    return out_array
