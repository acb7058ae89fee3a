"""Which aligned units are real: who marked them, and how often each annotator misses or invents."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from accord.gold.labels import Array


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Presence:
    """The probability that each candidate is real, and what each annotator is worth."""

    probability: Array
    #: P(marks it | real), P(marks it | not real) of each annotator
    found: Array
    invented: Array
    #: share of real ones among all candidates, those that nobody marked included
    real: float
    converged: bool


def presence(marks: NDArray[np.int8], *, rounds: int = 5000, tolerance: float = 1e-7) -> Presence:
    r"""Real and spurious units told apart by who marked them.

    `marks[i, a]` is 1 when annotator a marked candidate i, 0 when a saw the place and did not, −1 when a
    did not see it. A real unit is marked by a with probability s_a, a spurious one with f_a:

    .. math:: P(real \mid x) \propto \pi \prod_a s_a^{x_a} (1 - s_a)^{1 - x_a}

    Candidates that nobody marked are never seen, so each seen one stands for P₀/(1 − P₀) unseen ones of
    its kind (the EM algorithm for truncated data; Dempster, Laird and Rubin 1977). Two right marks and
    one miss are added to each s, one mark and two abstentions to each f; f ≤ s, so that the two kinds
    cannot change places.
    """
    # candidates with the same marks are one row: the work is the number of patterns
    marks, pattern, size = np.unique(marks, axis=0, return_inverse=True, return_counts=True)
    saw = marks >= 0
    on, off = (marks == 1).astype(np.float64), (marks == 0).astype(np.float64)
    p = np.clip(on.sum(axis=1) / np.maximum(saw.sum(axis=1), 1), 0.05, 0.95)
    unseen_real, unseen_false = np.zeros(len(p)), np.zeros(len(p))
    s = f = np.full(marks.shape[1], 0.5)
    share, converged = 0.5, False
    for _ in range(rounds):
        real, false = p + unseen_real, 1 - p + unseen_false
        real, false = size * real, size * false
        s = ((size * p) @ on + 2) / (real @ saw + 3)
        f = np.minimum(((size * (1 - p)) @ on + 1) / (false @ saw + 3), s)
        share = float(real.sum() / max(real.sum() + false.sum(), 1e-12))
        log_s, log_f = on @ np.log(s) + off @ np.log1p(-s), on @ np.log(f) + off @ np.log1p(-f)
        odds = np.log(max(share, 1e-12)) - np.log(max(1 - share, 1e-12)) + log_s - log_f
        before, p = p, 1 / (1 + np.exp(-np.clip(odds, -700, 700)))
        none_real, none_false = np.exp(saw @ np.log1p(-s)), np.exp(saw @ np.log1p(-f))
        unseen_real = p * none_real / (1 - none_real)
        unseen_false = (1 - p) * none_false / (1 - none_false)
        if np.max(np.abs(p - before), initial=0.0) < tolerance:
            converged = True
            break
    return Presence(
        probability=p[pattern.ravel()], found=s, invented=f, real=share, converged=converged
    )
