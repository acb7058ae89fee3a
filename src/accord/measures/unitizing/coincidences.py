"""Observed and expected coincidences of the 2016 family, document by document.

Each coder cuts [0, L) into units with a value c and gaps φ. For m coders of one document

    ℓ_ck = 1/(m - 1) Σ_{i≠j} |S_i,c ∩ S_j,k|,    ℓ_c. = Σ_k ℓ_ck = Σ_i |S_i,c|,    ℓ.. = mL

Chance keeps every unit whole: two sections fall on each other in proportion to their lengths, a unit
never on itself, and a gap may be cut anywhere, so that only its atoms do not meet themselves:

    ε_ck = ℓ.. (ℓ_c. ℓ_k. - [c=k] Q_c)/(ℓ..² - Σ Q),  Q_c = Σ_units length²,  Q_φ = a Σ_gaps length

with a the size of an atom, 1 where offsets count characters or frames.

Everything is a sum over documents, so documents pool as one concatenated continuum.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from accord.kernels.lines import sweep
from accord.measures.unitizing.continua import Continua, Floats


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Coincidences:
    """Sums by document; the last value is the gap φ."""

    continua: Continua
    #: K × K over all documents: ℓ_ck
    observed: Floats
    #: documents × K: ℓ_cc, ℓ_c., Q_c
    agreed: Floats
    marginal: Floats
    squares: Floats
    #: the same among valued matter only (ℓ*, without φ): documents × (K - 1)
    valued: Floats
    valued_squares: Floats
    #: Σ ℓ*_ck δ²_ck by document
    disagreement: Floats

    @property
    def values(self) -> tuple[str | None, ...]:
        return self.continua.values

    @property
    def total(self) -> Floats:
        """ℓ.. by document."""
        total: Floats = self.marginal.sum(axis=1)
        return total


def coincidences(found: Continua, delta: Floats | None = None) -> Coincidences:
    """Sweep all documents once; `delta` is the δ² between values (nominal when None)."""
    K = len(found.values) + 1
    if delta is None:
        squared = np.ones((K, K)) - np.eye(K)
    else:
        squared = np.zeros((K, K))
        squared[:-1, :-1] = delta
    n, D = len(found), len(found.documents)
    document = np.concatenate([found.document, found.document])
    time = np.concatenate([found.start, found.end])
    step = np.repeat(np.array([1, -1], dtype=np.int32), n)
    # ends before starts at equal times: touching units follow each other
    order = np.lexsort((step, time, document))
    indptr = np.concatenate([[0], np.cumsum(np.bincount(document, minlength=D))]).astype(np.int64)
    unit = np.concatenate([np.arange(n), np.arange(n)])
    observed, agreed, marginal, disagreement, mass = sweep(
        indptr,
        time[order],
        unit[order],
        step[order],
        found.value,
        found.coders,
        found.lengths,
        squared,
    )
    lengths = found.end - found.start
    w = mass / (found.coders[found.document] - 1)
    squares = _by_value(found, lengths**2, K)
    # gaps count by their atoms, so that cutting a gap (or joining documents) changes nothing
    squares[:, -1] = np.minimum(found.atom, marginal[:, -1]) * marginal[:, -1]
    return Coincidences(
        continua=found,
        observed=observed,
        agreed=agreed,
        marginal=marginal,
        squares=squares,
        valued=_by_value(found, w, K - 1),
        valued_squares=_by_value(found, w**2, K - 1),
        disagreement=disagreement,
    )


def expected(marginal: Floats, squares: Floats) -> Floats:
    """ε_ck for all pairs of values, from the totals ℓ_c. and Q_c."""
    total = marginal.sum()
    pairs = np.outer(marginal, marginal) - np.diag(squares)
    below = total**2 - squares.sum()
    if below == 0:
        return np.full_like(pairs, np.nan)
    table: Floats = total * pairs / below
    return table


def _by_value(found: Continua, weight: Floats, size: int) -> Floats:
    D = len(found.documents)
    flat = np.bincount(found.document * size + found.value, weights=weight, minlength=D * size)
    table: Floats = flat.astype(np.float64).reshape(D, size)
    return table
