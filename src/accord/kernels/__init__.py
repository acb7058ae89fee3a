"""Compiled loops: arrays in, arrays out, nothing else.

Each module is Python with Cython types. Compiled when the package is built; the same source run
uncompiled is its own oracle in the tests. Where there was no C compiler the kernels run as the plain
Python they are, with the same results; this is said once, when one of them is first needed.
"""

from __future__ import annotations

import warnings
from multiprocessing import current_process

from accord.errors import SlowWarning
from accord.version import compiled

if not compiled() and current_process().name == "MainProcess":
    warnings.warn(
        "the kernels are not compiled here and run as plain Python, ten to a hundred times slower "
        "with the same results; install a wheel, or a C compiler and then accord again",
        SlowWarning,
        stacklevel=2,
    )
