# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Connected components of a graph of two sides."""

import cython
import numpy as np

from accord.kernels.doors import check_lengths, check_long_indices


@cython.ccall
def label_components(
    rows: cython.const[cython.longlong][:],
    columns: cython.const[cython.longlong][:],
    n_rows: cython.Py_ssize_t,
    n_columns: cython.Py_ssize_t,
):
    """The connected component of each row, then of each column, of a bipartite graph given by cells.

    A component is called after its smallest member; columns are numbered after the rows.
    """
    check_long_indices(rows, n_rows)
    check_long_indices(columns, n_columns)
    check_lengths(rows.shape[0], columns)
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
