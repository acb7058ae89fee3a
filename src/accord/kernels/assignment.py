# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""The heaviest one-to-one matching of a sparse bipartite graph, exactly."""

import cython
import numpy as np


@cython.ccall
def match_rows(
    indptr: cython.longlong[:],
    columns: cython.longlong[:],
    weights: cython.double[:],
    n_columns: cython.Py_ssize_t,
):
    """The cell that each row is matched by, or -1: the matching of largest total weight.

    Row i has the cells indptr[i] <= c < indptr[i+1]; cell c links it to columns[c] with a positive
    weight. A row or column may stay alone. Successive shortest augmenting paths with Dijkstra's
    search on reduced costs u_i + v_j - w_ij >= 0; rows that stay alone end with u = 0 and columns
    with v = 0, which proves the total optimal. Each search touches only what it reaches, so that
    many small components cost no more than their cells.
    """
    n_rows: cython.Py_ssize_t = indptr.shape[0] - 1
    n_cells: cython.Py_ssize_t = columns.shape[0]
    infinity: cython.double = float("inf")
    matched_array = np.full(n_rows, -1, dtype=np.int64)
    matched: cython.longlong[:] = matched_array
    owner: cython.longlong[:] = np.full(n_columns, -1, dtype=np.int64)
    row_of: cython.longlong[:] = np.empty(n_cells, dtype=np.int64)
    u: cython.double[:] = np.zeros(n_rows, dtype=np.float64)
    v: cython.double[:] = np.zeros(n_columns, dtype=np.float64)
    dist: cython.double[:] = np.full(n_columns, infinity, dtype=np.float64)
    done: cython.char[:] = np.zeros(n_columns, dtype=np.int8)
    back: cython.longlong[:] = np.full(n_columns, -1, dtype=np.int64)
    reached: cython.longlong[:] = np.empty(n_columns, dtype=np.int64)
    heap_key: cython.double[:] = np.empty(n_cells + 1, dtype=np.float64)
    heap_column: cython.longlong[:] = np.empty(n_cells + 1, dtype=np.int64)
    i: cython.Py_ssize_t
    c: cython.Py_ssize_t
    j: cython.Py_ssize_t
    r: cython.Py_ssize_t
    k: cython.Py_ssize_t
    child: cython.Py_ssize_t
    size: cython.Py_ssize_t
    n_reached: cython.Py_ssize_t
    end: cython.Py_ssize_t
    last_row: cython.Py_ssize_t
    d: cython.double
    nd: cython.double
    limit: cython.double
    key: cython.double
    for i in range(n_rows):
        for c in range(indptr[i], indptr[i + 1]):
            row_of[c] = i
            if weights[c] > u[i]:
                u[i] = weights[c]
    for i in range(n_rows):
        for c in range(indptr[i], indptr[i + 1]):
            if weights[c] == u[i] and owner[columns[c]] < 0:
                owner[columns[c]] = i
                matched[i] = c
                break
    for i in range(n_rows):
        if matched[i] >= 0 or indptr[i] == indptr[i + 1]:
            continue
        size = 0
        n_reached = 0
        end = -1
        last_row = i
        limit = u[i]  # the price of leaving a row on the way alone
        r = i
        d = 0.0
        while True:
            for c in range(indptr[r], indptr[r + 1]):
                j = columns[c]
                if done[j]:
                    continue
                nd = d + (u[r] + v[j] - weights[c])
                if nd < limit and nd < dist[j]:
                    if dist[j] == infinity:
                        reached[n_reached] = j
                        n_reached += 1
                    dist[j] = nd
                    back[j] = c
                    k = size
                    size += 1
                    while k > 0 and heap_key[(k - 1) // 2] > nd:
                        heap_key[k] = heap_key[(k - 1) // 2]
                        heap_column[k] = heap_column[(k - 1) // 2]
                        k = (k - 1) // 2
                    heap_key[k] = nd
                    heap_column[k] = j
            j = -1
            while size > 0:
                d = heap_key[0]
                j = heap_column[0]
                size -= 1
                key = heap_key[size]
                k = 0
                while True:
                    child = 2 * k + 1
                    if child >= size:
                        break
                    if child + 1 < size and heap_key[child + 1] < heap_key[child]:
                        child += 1
                    if heap_key[child] >= key:
                        break
                    heap_key[k] = heap_key[child]
                    heap_column[k] = heap_column[child]
                    k = child
                heap_key[k] = key
                heap_column[k] = heap_column[size]
                if not done[j]:
                    break
                j = -1
            if j < 0 or d >= limit:
                break
            done[j] = 1
            if owner[j] < 0:
                end = j
                limit = d
                break
            r = owner[j]
            if d + u[r] < limit:
                limit = d + u[r]
                last_row = r
        u[i] -= limit
        for k in range(n_reached):
            j = reached[k]
            if done[j] and dist[j] < limit:
                v[j] += limit - dist[j]
                u[owner[j]] -= limit - dist[j]
            dist[j] = infinity
            done[j] = 0
        if end < 0 and last_row != i:
            end = columns[matched[last_row]]
            matched[last_row] = -1
        while end >= 0:
            c = back[end]
            r = row_of[c]
            j = -1
            if matched[r] >= 0:
                j = columns[matched[r]]
            matched[r] = c
            owner[end] = r
            end = j
    return matched_array


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
