"""What can be said: each option once, with its type, choices, default, help and conversion.

Those of a measure are records (:class:`Option`); those of reading are the annotated fields of
:class:`accord.options.reading.ReadOptions`, of which :func:`declared` makes the same records.
"""

from accord.options.option import (
    BY,
    JOBS,
    PROGRESS,
    SEED,
    Option,
    Said,
    check_draws,
    declared,
    filled,
    given_as,
    python_signature,
    signed,
)

__all__ = [
    "BY",
    "JOBS",
    "PROGRESS",
    "SEED",
    "Option",
    "Said",
    "check_draws",
    "declared",
    "filled",
    "given_as",
    "python_signature",
    "signed",
]
