"""The size of an atom: a character or a frame, or the step in which a recording was measured."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from accord.chance.atom import largest_step
from accord.errors import RefusedError, UsageError


def atom_of(
    offsets: NDArray[np.float64], asked: float | None, name: str, *, needed: bool = False
) -> tuple[float, tuple[str, ...]]:
    """The size of an atom, and what is to be said of it.

    As asked for; else 1 where all offsets and lengths are whole numbers (they count atoms), else
    the largest length that all of them are multiples of, so that a recording has the same atoms in
    seconds, minutes and hours. Offsets without such a step lie on a continuum without atoms: 0,
    or refused where atoms are `needed`.
    """
    if asked is not None:
        if needed and not asked > 0:
            raise UsageError(f"the atom must be greater than 0, got {asked}")
        return asked, ()
    known = np.abs(offsets[np.isfinite(offsets)])
    if np.all(known % 1 == 0):
        return 1.0, ()
    step = largest_step(known)
    if not step and needed:
        raise RefusedError(
            f"{name} counts pieces of the continuum, and these offsets are no multiples of one length; "
            "give their size with `atom`"
        )
    if not step:
        return 0.0, (
            "these offsets are no multiples of one length: the continuum is not cut into pieces; give "
            "their size with `atom`",
        )
    return step, (
        f"these offsets are not whole numbers: pieces of {step:.9g}, the largest length that all of them "
        "are multiples of, are taken; give their size with `atom`",
    )
