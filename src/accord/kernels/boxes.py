# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Which rectangles of different annotators overlap, and in how much: a sweep over x."""

import cython
import numpy as np

from accord.kernels.doors import check_lengths, check_long_indices, check_offset_rows


@cython.ccall
def meeting_boxes(
    bounds: cython.const[cython.longlong][:, :],
    order: cython.const[cython.longlong][:],
    x0: cython.const[cython.double][:],
    y0: cython.const[cython.double][:],
    x1: cython.const[cython.double][:],
    y1: cython.const[cython.double][:],
):
    """All pairs (i, j) of overlapping rectangles, j of a later annotator, as a ragged table.

    Annotator a of document x has the rectangles bounds[x, a] .. bounds[x, a+1]; `order` sorts the
    rectangles of each document by x0. Returns where the pairs of each i begin, their j in rising order,
    and the area that the two share.
    """
    check_offset_rows(bounds, order.shape[0])
    check_long_indices(order, x0.shape[0])
    check_lengths(x0.shape[0], y0, x1, y1)
    documents: cython.Py_ssize_t = bounds.shape[0]
    people: cython.Py_ssize_t = bounds.shape[1] - 1
    size: cython.Py_ssize_t = x0.shape[0]
    owner_array = np.empty(size, dtype=np.int32)
    owner: cython.int[:] = owner_array
    room: cython.Py_ssize_t = 1024 + 4 * size
    first_array = np.empty(room, dtype=np.int32)
    second_array = np.empty(room, dtype=np.int32)
    shared_array = np.empty(room, dtype=np.float64)
    first: cython.int[:] = first_array
    second: cython.int[:] = second_array
    shared: cython.double[:] = shared_array
    found: cython.Py_ssize_t = 0
    d: cython.Py_ssize_t
    a: cython.Py_ssize_t
    k: cython.Py_ssize_t
    m: cython.Py_ssize_t
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    last: cython.Py_ssize_t
    right: cython.double
    wide: cython.double
    high: cython.double
    for d in range(documents):
        for a in range(people):
            for i in range(bounds[d, a], bounds[d, a + 1]):
                owner[i] = a
        last = bounds[d, people]
        for k in range(bounds[d, 0], last):
            i = order[k]
            right = x1[i]
            for m in range(k + 1, last):
                j = order[m]
                if x0[j] >= right:
                    break
                if owner[j] == owner[i]:
                    continue
                high = min(y1[i], y1[j]) - max(y0[i], y0[j])
                if high <= 0.0:
                    continue
                wide = min(right, x1[j]) - x0[j]
                # two slivers may share less than a double can tell from nothing
                if wide * high <= 0.0:
                    continue
                if found == room:
                    room = 2 * room
                    first_array = np.resize(first_array, room)
                    second_array = np.resize(second_array, room)
                    shared_array = np.resize(shared_array, room)
                    first = first_array
                    second = second_array
                    shared = shared_array
                if owner[i] < owner[j]:
                    first[found] = i
                    second[found] = j
                else:
                    first[found] = j
                    second[found] = i
                shared[found] = wide * high
                found += 1
    # sorted by i, then j: by j first, each pass keeping what the one before it did
    start_array = np.zeros(size + 1, dtype=np.int64)
    start: cython.longlong[:] = start_array
    by_second_array = np.empty(found, dtype=np.int64)
    by_second: cython.longlong[:] = by_second_array
    for k in range(found):
        start[second[k] + 1] += 1
    for i in range(size):
        start[i + 1] += start[i]
    for k in range(found):
        by_second[start[second[k]]] = k
        start[second[k]] += 1
    begin_array = np.zeros(size + 1, dtype=np.int64)
    begin: cython.longlong[:] = begin_array
    for k in range(found):
        begin[first[k] + 1] += 1
    for i in range(size):
        begin[i + 1] += begin[i]
    place_array = begin_array.copy()
    place: cython.longlong[:] = place_array
    other_array = np.empty(found, dtype=np.int32)
    other: cython.int[:] = other_array
    area_array = np.empty(found, dtype=np.float64)
    area: cython.double[:] = area_array
    for m in range(found):
        k = by_second[m]
        i = first[k]
        other[place[i]] = second[k]
        area[place[i]] = shared[k]
        place[i] += 1
    return begin_array, other_array, area_array
