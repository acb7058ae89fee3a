"""What can be said: each option once, with its type, choices, default, help and conversion.

Those of a measure are records (:class:`Option`); those of reading are the annotated fields of
:class:`accord.options.reading.ReadOptions`, of which :func:`declared` makes the same records.
"""

from accord.options.option import (
    BY,
    JOBS,
    LEVEL,
    PROGRESS,
    RESAMPLES,
    SEED,
    USUAL,
    Option,
    Said,
    check_draws,
    declared,
    filled,
    given_as,
    python_signature,
)
from accord.options.signatures import (
    bare,
    digest,
    exact,
    further,
    signature,
    signed,
    unsigned,
    written,
)

__all__ = [
    "BY",
    "JOBS",
    "LEVEL",
    "PROGRESS",
    "RESAMPLES",
    "SEED",
    "USUAL",
    "Option",
    "Said",
    "bare",
    "check_draws",
    "declared",
    "digest",
    "exact",
    "filled",
    "further",
    "given_as",
    "python_signature",
    "signature",
    "signed",
    "unsigned",
    "written",
]
