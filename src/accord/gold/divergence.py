"""How far a posterior Dirichlet lies from its prior: what variational bounds subtract."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def dirichlet_divergence(
    found: Array,
    prior: Array | float,
    *,
    row: NDArray[np.int64],
    total: Array,
    before: Array,
) -> float:
    r"""Kullback–Leibler divergence of Dirichlet distributions from their priors, summed.

    .. math:: \sum_r \ln\frac{\Gamma(\alpha_{r\cdot})}{\Gamma(\beta_{r\cdot})}
              - \sum_k \ln\frac{\Gamma(\alpha_{rk})}{\Gamma(\beta_{rk})}
              + \sum_k (\alpha_{rk} - \beta_{rk}) (\psi(\alpha_{rk}) - \psi(\alpha_{r\cdot}))

    `found` holds the parameters α along its first axis, `row` the distribution of each, `prior` their β,
    `total` and `before` the sums of α and β of each distribution. Parameters that are still at their
    prior add nothing and may be left out (of `found`, not of the sums).
    """
    from scipy.special import gammaln, psi

    return float(
        np.sum(gammaln(total) - gammaln(before))
        - np.sum(gammaln(found) - gammaln(prior))
        + np.sum((found - prior) * (psi(found) - psi(total)[row]))
    )


def rows_divergence(found: Array, prior: Array | float) -> float:
    """The same where each distribution is a row of a table, and all its parameters are there.

    >>> rows_divergence(np.array([[2.0, 2.0]]), 2.0)
    0.0
    >>> round(rows_divergence(np.array([[3.0, 1.0]]), 1.0), 6)  # ln 3 − 2/3
    0.431946
    """
    flat = np.broadcast_to(prior, found.shape)
    row = np.repeat(np.arange(len(found)), found.shape[1])
    return dirichlet_divergence(
        found.ravel(), flat.ravel(), row=row, total=found.sum(axis=1), before=flat.sum(axis=1)
    )
