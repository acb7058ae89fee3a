# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Doors of the kernels: what points outside a table is refused, for the loops behind look at no bound."""

import cython


@cython.ccall
def check_indices(
    index: cython.const[cython.int][:], size: cython.Py_ssize_t, lowest: cython.int = 0
):
    """Refuse an index below `lowest` (-1 where that stands for nothing) or not below `size`."""
    i: cython.Py_ssize_t
    for i in range(index.shape[0]):
        if not lowest <= index[i] < size:
            raise IndexError(f"index {index[i]} points outside a table of {size}")


@cython.ccall
def check_long_indices(
    index: cython.const[cython.longlong][:], size: cython.Py_ssize_t, lowest: cython.longlong = 0
):
    """The same of wider numbers."""
    i: cython.Py_ssize_t
    for i in range(index.shape[0]):
        if not lowest <= index[i] < size:
            raise IndexError(f"index {index[i]} points outside a table of {size}")


@cython.ccall
def check_offsets(offsets: cython.const[cython.longlong][:], size: cython.Py_ssize_t):
    """Refuse offsets that are none, fall, or end beyond a table of `size`."""
    i: cython.Py_ssize_t
    if offsets.shape[0] == 0:
        raise IndexError("there are no offsets, not even of the end")
    if offsets[0] < 0 or offsets[offsets.shape[0] - 1] > size:
        raise IndexError(f"offsets reach outside a table of {size}")
    for i in range(1, offsets.shape[0]):
        if offsets[i] < offsets[i - 1]:
            raise IndexError(f"offsets fall from {offsets[i - 1]} to {offsets[i]}")


@cython.ccall
def check_offset_rows(bounds: cython.const[cython.longlong][:, :], size: cython.Py_ssize_t):
    """The same of each row of a table of offsets."""
    x: cython.Py_ssize_t
    for x in range(bounds.shape[0]):
        check_offsets(bounds[x], size)


@cython.ccall
def check_index_rows(
    table: cython.const[cython.longlong][:, :], size: cython.Py_ssize_t, lowest: cython.longlong = 0
):
    """The same of each row of a table of indices."""
    x: cython.Py_ssize_t
    for x in range(table.shape[0]):
        check_long_indices(table[x], size, lowest)


def check_lengths(needed: cython.Py_ssize_t, *tables):
    """Refuse tables with fewer rows than are looked up in them."""
    for table in tables:
        if table.shape[0] < needed:
            raise IndexError(f"a table of {table.shape[0]} rows is looked up at {needed}")
