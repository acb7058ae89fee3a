"""Compiled loops: arrays in, arrays out, nothing else.

Each module is Python with Cython types. Compiled when the package is built; the same source run
uncompiled is its own oracle in the tests.
"""
