"""Aickin's α: the share of items classified for cause, by maximum likelihood."""

from __future__ import annotations

from typing import Any

import numpy as np

from accord.data import Ratings
from accord.errors import RefusedError
from accord.measures.ratings.breakdowns import BREAKDOWNS
from accord.measures.ratings.finish import finish, refuse_one_annotator
from accord.measures.ratings.profiles import Profiles, named_profiles, table
from accord.registry import measure
from accord.result import Array, Result

_ROUNDS = 10_000
_CLOSE = 1e-13


@measure(
    "aickin",
    title="Aickin's α",
    aliases=("aickin-alpha",),
    shape="ratings",
    question="agree",
    range=(0.0, 1.0),
    chance=True,
    citation="Aickin, M. (1990). Maximum likelihood estimation of agreement in the constant "
    "predictive probability model, and its relation to Cohen's kappa. Biometrics 46(2).",
    use="Two annotators: the share of items on which agreement has a cause rather than chance.",
    breakdowns=BREAKDOWNS,
    options=(),
)
def aickin(ratings: Ratings) -> Result:
    """Aickin's α: a mixture of agreement for cause (share α) and independence.

    .. math:: P_{ij} = (1-\\alpha) p_i q_j + \\alpha\\, d_{ij}\\, p_i q_j / s, \\quad
       s = \\sum_{ij} d_{ij} p_i q_j

    with d the identity. α, p and q maximise the likelihood of the confusion matrix of the two
    annotators. The plain fixed point diverges when κ < 0, where the likelihood is largest at α = 0:
    the value stays in [0, 1].

    >>> print(aickin(Ratings.from_matrix([list("aabb"), list("aabb")])))
    aickin = 1.0000
    """
    refuse_one_annotator(ratings, "aickin")
    if len(ratings.annotators) > 2:
        raise RefusedError(
            f"aickin is defined for two annotators, these data have {len(ratings.annotators)}; "
            "choose two, or use alpha"
        )
    q = len(ratings.values)

    def tally(profiles: Profiles) -> Any:
        both = np.flatnonzero(profiles.per_item == 2)
        first = profiles.indptr[both]
        cell = profiles.code[first].astype(np.int64) * q + profiles.code[first + 1]
        return table(both, cell, np.ones(len(both)), (profiles.size, q * q))

    def score(totals: Array) -> dict[str, Array]:
        return {"value": np.array([_maximum_likelihood(t.reshape(q, q)) for t in np.real(totals)])}

    sample = named_profiles(ratings).sample(tally, score, least=2)
    return finish("aickin", ratings, sample, options={"missing": "pairable"})


def _maximum_likelihood(confusion: Array) -> float:
    """EM for the mixture; the share that agrees for cause only occurs on the diagonal."""
    n = confusion.sum()
    if n == 0 or np.count_nonzero(confusion.sum(axis=0) + confusion.sum(axis=1)) < 2:
        return float("nan")
    P = confusion / n
    A_o = float(np.trace(P))
    row, column = P.sum(axis=1), P.sum(axis=0)
    A_e = float(row @ column)
    if A_o <= A_e:
        return 0.0
    if A_o == 1.0:
        return 1.0
    value, p, c = (A_o - A_e) / (1 - A_e), row.copy(), column.copy()
    for _ in range(_ROUNDS):
        joint = p * c
        s = joint.sum()
        # expected share of each diagonal cell that agrees for cause
        caused = np.diag(P) * value / (value + (1 - value) * s)
        new = caused.sum()
        # given the cause of each item, p and c solve the marginal likelihood equations
        p_new, c_new = _marginals(row, column, caused.sum(), p, c)
        moved = max(
            abs(new - value), float(np.abs(p_new - p).max()), float(np.abs(c_new - c).max())
        )
        value, p, c = float(new), p_new, c_new
        if moved < _CLOSE:
            break
    return float(min(1.0, max(0.0, value)))


def _marginals(row: Array, column: Array, caused: float, p: Array, c: Array) -> tuple[Array, Array]:
    """p_i = row_i / ((1−A) + A·c_i/s) and alike for c, scaled to sum to one; A the caused share."""
    s = float(p @ c)
    p_new = row / ((1 - caused) + caused * c / s)
    p_new = p_new / p_new.sum()
    s = float(p_new @ c)
    c_new = column / ((1 - caused) + caused * p_new / s)
    return p_new, c_new / c_new.sum()
