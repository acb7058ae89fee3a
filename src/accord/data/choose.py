"""Finding names among those the data have."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from accord.errors import InputError, UsageError, did_you_mean, some


def places(names: Sequence[str], known: Sequence[str], what: str) -> NDArray[np.int64]:
    """Where each name stands among the known ones; an error that lists them otherwise.

    >>> places(["b"], ("a", "b"), "annotator").tolist()
    [1]
    """
    if isinstance(names, str):
        raise UsageError(f"{what}s must be a list of names, got {names!r}; write [{names!r}]")
    if not isinstance(names, Iterable):
        raise UsageError(f"{what}s must be a list of names, got {names!r}")
    place = {name: i for i, name in enumerate(known)}
    unknown = [name for name in names if name not in place]
    if unknown:
        meant = did_you_mean(unknown[0], known, "'{}'")
        raise InputError(
            f"unknown {what} {unknown[0]!r}", hint=f"the data have {some(known)}{meant}"
        )
    if len(set(names)) < len(names):
        twice = next(name for name in names if list(names).count(name) > 1)
        raise InputError(f"{what} {twice!r} is named twice", hint="name each once")
    return np.array([place[name] for name in names], dtype=np.int64)


def chosen(names: Sequence[str] | None, known: Sequence[str], what: str) -> NDArray[np.int64]:
    """Where the chosen names stand; all of them when none were named, nobody for an empty list.

    >>> chosen(None, ("a", "b"), "annotator").tolist(), chosen([], ("a", "b"), "annotator").tolist()
    ([0, 1], [])
    """
    return places(known if names is None else names, known, what)
