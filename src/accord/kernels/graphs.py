# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Graphs of two sides: matching of least cost, connected components."""

import cython
import numpy as np


@cython.ccall
def match_rows(
    indptr: cython.longlong[:],
    columns: cython.int[:],
    cost: cython.double[:],
    column_count: cython.Py_ssize_t,
):
    """Choose edges, at most one per row and per column, with the least sum of costs.

    Row i has the edges indptr[i] <= e < indptr[i+1] to columns[e] at cost[e]; staying alone costs
    0, so an edge of positive cost is never taken. Returns the edge of each row (-1 for none) and
    the prices of rows and columns (cost − row price − column price >= 0, and 0 on taken edges).

    Every row has a private column of cost 0, so each search ends near where it began: on edges
    that are local along an axis the whole is about linear.
    """
    rows: cython.Py_ssize_t = indptr.shape[0] - 1
    edges: cython.Py_ssize_t = columns.shape[0]
    match_array = np.empty(rows, dtype=np.int64)
    match: cython.longlong[:] = match_array
    row_of: cython.int[:] = np.empty(column_count, dtype=np.int32)
    row_price_array = np.zeros(rows, dtype=np.float64)
    row_price: cython.double[:] = row_price_array
    column_price_array = np.zeros(column_count, dtype=np.float64)
    column_price: cython.double[:] = column_price_array
    distance: cython.double[:] = np.empty(column_count, dtype=np.float64)
    # the edge that reached a column, and the search in which it was reached or settled
    reached_by: cython.longlong[:] = np.empty(column_count, dtype=np.int64)
    reached_in: cython.int[:] = np.empty(column_count, dtype=np.int32)
    settled_in: cython.int[:] = np.empty(column_count, dtype=np.int32)
    from_row: cython.int[:] = np.empty(edges + 1, dtype=np.int32)
    heap_key: cython.double[:] = np.empty(edges + 1, dtype=np.float64)
    heap_item: cython.int[:] = np.empty(edges + 1, dtype=np.int32)
    settled: cython.int[:] = np.empty(column_count + 1, dtype=np.int32)
    heap_size: cython.Py_ssize_t
    settled_count: cython.Py_ssize_t
    r: cython.Py_ssize_t
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    k: cython.Py_ssize_t
    e: cython.Py_ssize_t
    child: cython.Py_ssize_t
    parent: cython.Py_ssize_t
    here: cython.double
    reach: cython.double
    key: cython.double
    shortest: cython.double
    end_row: cython.Py_ssize_t
    end_column: cython.Py_ssize_t
    for j in range(column_count):
        row_of[j] = -1
        reached_in[j] = -1
        settled_in[j] = -1
    for r in range(rows):
        match[r] = -1
        for e in range(indptr[r], indptr[r + 1]):
            from_row[e] = r
    for r in range(rows):
        heap_size = 0
        settled_count = 0
        i = r
        here = 0.0
        # ending alone at row r costs -row_price[r], with row_price[r] = 0 for a fresh row
        shortest = 0.0
        end_row = r
        end_column = -1
        while True:
            for e in range(indptr[i], indptr[i + 1]):
                j = columns[e]
                if settled_in[j] == r:
                    continue
                reach = here + cost[e] - row_price[i] - column_price[j]
                if reach >= shortest:
                    continue
                if reached_in[j] == r and distance[j] <= reach:
                    continue
                reached_in[j] = r
                distance[j] = reach
                reached_by[j] = e
                if row_of[j] < 0:
                    shortest = reach
                    end_row = -1
                    end_column = j
                    continue
                k = heap_size
                heap_size += 1
                while k > 0:
                    parent = (k - 1) // 2
                    if heap_key[parent] <= reach:
                        break
                    heap_key[k] = heap_key[parent]
                    heap_item[k] = heap_item[parent]
                    k = parent
                heap_key[k] = reach
                heap_item[k] = j
            j = -1
            while heap_size > 0:
                key = heap_key[0]
                j = heap_item[0]
                heap_size -= 1
                reach = heap_key[heap_size]
                k = 0
                while True:
                    child = 2 * k + 1
                    if child >= heap_size:
                        break
                    if child + 1 < heap_size and heap_key[child + 1] < heap_key[child]:
                        child += 1
                    if heap_key[child] >= reach:
                        break
                    heap_key[k] = heap_key[child]
                    heap_item[k] = heap_item[child]
                    k = child
                heap_key[k] = reach
                heap_item[k] = heap_item[heap_size]
                if settled_in[j] == r or key > distance[j]:
                    j = -1
                    continue
                break
            if j < 0 or distance[j] >= shortest:
                break
            settled_in[j] = r
            settled[settled_count] = j
            settled_count += 1
            here = distance[j]
            i = row_of[j]
            reach = here - row_price[i]
            if reach < shortest:
                shortest = reach
                end_row = i
                end_column = -1
        # prices first (they need the old matching), then the matching along the path
        row_price[r] += shortest
        for k in range(settled_count):
            j = settled[k]
            reach = shortest - distance[j]
            row_price[row_of[j]] += reach
            column_price[j] -= reach
        if end_row >= 0:
            # the last row of the path stays alone; its column passes to the row before it
            i = end_row
            if i == r:
                continue
            j = columns[match[i]]
            match[i] = -1
        else:
            j = end_column
        while True:
            e = reached_by[j]
            i = from_row[e]
            row_of[j] = i
            k = match[i]
            match[i] = e
            if i == r:
                break
            j = columns[k]
    return match_array, row_price_array, column_price_array


@cython.ccall
def label_components(
    rows: cython.longlong[:],
    columns: cython.longlong[:],
    n_rows: cython.Py_ssize_t,
    n_columns: cython.Py_ssize_t,
):
    """The connected component of each row, then of each column, of a bipartite graph given by cells.

    A component is called after its smallest member; columns are numbered after the rows.
    """
    size: cython.Py_ssize_t = n_rows + n_columns
    parent_array = np.arange(size, dtype=np.int64)
    parent: cython.longlong[:] = parent_array
    c: cython.Py_ssize_t
    a: cython.Py_ssize_t
    b: cython.Py_ssize_t
    for c in range(rows.shape[0]):
        a = rows[c]
        b = n_rows + columns[c]
        while parent[a] != a:
            parent[a] = parent[parent[a]]
            a = parent[a]
        while parent[b] != b:
            parent[b] = parent[parent[b]]
            b = parent[b]
        if a < b:
            parent[b] = a
        else:
            parent[a] = b
    for c in range(size):
        # parents are smaller than their children, so that one step is enough in this order
        parent[c] = parent[parent[c]]
    return parent_array
