"""Aickin's α: the share of items classified for cause, by maximum likelihood."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord.data import Ratings
from accord.errors import PairsOnlyError, RefusedError
from accord.measures.ratings.disagreements import BREAKDOWNS
from accord.measures.ratings.profiles import Profiles, named_profiles, table
from accord.measures.ratings.result import ratings_result, refuse_counts, refuse_one_annotator
from accord.registry import measure
from accord.result import Array, Result

_ROUNDS = 200
#: different values that a table of all their pairs is fitted to, at most
_MOST_VALUES = 200
#: largest difference left between fitted and observed sums, as a share
_CLOSE = 1e-13
#: a parameter this far out is on its way to infinity: the likelihood is largest at the boundary
_FAR = 12.0


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
    annotators. When κ < 0 the likelihood is largest at α = 0: the value stays in [0, 1].

    >>> print(aickin(Ratings.from_matrix([list("aabb"), list("aabb")])))
    aickin = 1.0000
    """
    refuse_one_annotator(ratings, "aickin")
    refuse_counts(ratings, "aickin")
    if len(ratings.annotators) > 2:
        raise PairsOnlyError(
            f"aickin is defined for two annotators, these data have {len(ratings.annotators)}; its "
            "table of pairs comes with `by=pair`; choose two, or use alpha"
        )
    q = len(ratings.values)
    if q > _MOST_VALUES:
        raise RefusedError(
            f"aickin fits a table of all pairs of values, and {q} different values are too many (at most "
            f"{_MOST_VALUES}); use weighted-kappa, or alpha with the interval metric"
        )

    def tally(profiles: Profiles) -> Any:
        both = np.flatnonzero(profiles.per_item == 2)
        first = profiles.indptr[both]
        cell = profiles.code[first].astype(np.int64) * q + profiles.code[first + 1]
        return table(both, cell, np.ones(len(both)), (profiles.size, q * q))

    def score(totals: Array) -> dict[str, Array]:
        return {"value": maximum_likelihood(np.real(totals).reshape(-1, q, q))[0]}

    sample = named_profiles(ratings).sample(tally, score, least=2)
    result = ratings_result("aickin", ratings, sample, options={"missing": "pairable"})
    if maximum_likelihood(sample.totals().reshape(-1, q, q))[1].any():
        note = (
            "the likelihood is largest at the boundary of the model: some category is never confused "
            "in one direction"
        )
        result = replace(result, warnings=(*result.warnings, note))
    return result


def maximum_likelihood(confusions: Array) -> tuple[Array, NDArray[np.bool_]]:
    """α of each confusion matrix, and whether its likelihood is largest at the boundary.

    The mixture is log-linear with rows, columns and one parameter for the diagonal,
    log m_ij = u_i + v_j + δ[i = j]: its likelihood is concave, and Newton's method finds the
    largest, also where parameters go to infinity (their sums then do not). With s = Σ p_i q_i,
    α = (A_o − s)/(1 − s).
    """
    B, q, _ = confusions.shape
    n = confusions.sum(axis=(1, 2))
    P = confusions / np.where(n == 0, 1.0, n)[:, None, None]
    row, column = P.sum(axis=2), P.sum(axis=1)
    A_o = np.einsum("bii->b", P)
    A_e = (row * column).sum(axis=1)
    value = np.where(A_o <= A_e, 0.0, 1.0)
    value[(n == 0) | (np.count_nonzero(row + column, axis=1) < 2)] = np.nan
    fitted = np.flatnonzero(np.isfinite(value) & (A_o > A_e) & (A_o < 1))
    edge = np.zeros(B, dtype=bool)
    block = max(1, 2_000_000 // (2 * q + 1) ** 2)
    for start in range(0, len(fitted), block):
        here = fitted[start : start + block]
        s, far = _newton(P[here])
        value[here] = (A_o[here] - s) / (1 - s)
        edge[here] = far
    return value, edge


def _newton(P: Array) -> tuple[Array, NDArray[np.bool_]]:
    """s = Σ p_i q_i at the largest likelihood, and whether a parameter has left for infinity."""
    B, q, _ = P.shape
    wanted = _margins(P)
    row, column, diagonal = wanted[:, :q], wanted[:, q:-1], wanted[:, -1]
    chance = (row * column).sum(axis=1)
    at = np.log(np.maximum(np.column_stack([row, column, diagonal / chance]), 1e-12))
    going = np.arange(B)
    for _ in range(_ROUNDS):
        here = at[going]
        m = here[:, :q, None] + here[:, None, q:-1]
        m[:, np.arange(q), np.arange(q)] += here[:, -1:]
        np.exp(m, out=m)
        gradient = wanted[going] - _margins(m)
        # what has arrived stays: one fit that leaves for infinity does not hold the others up
        open_ = np.abs(gradient).max(axis=1, initial=0.0) >= _CLOSE
        going, m, gradient = going[open_], m[open_], gradient[open_]
        if not len(going):
            break
        step = np.linalg.solve(_hessian(m), gradient[:, :, None])[:, :, 0]
        longest = np.abs(step).max(axis=1, keepdims=True)
        at[going] += step * np.minimum(1.0, 2.0 / np.maximum(longest, 1e-300))
    # a category that one side never used is no sign of a boundary
    used = np.column_stack([row > 0, column > 0, np.ones(B, dtype=bool)])
    middle = np.where(used, at, np.nan)
    far = np.nanmax(middle[:, :-1], axis=1) - np.nanmin(middle[:, :-1], axis=1) > _FAR
    p, c = (np.exp(a - a.max(axis=1, keepdims=True)) for a in (at[:, :q], at[:, q:-1]))
    p, c = p / p.sum(axis=1, keepdims=True), c / c.sum(axis=1, keepdims=True)
    return (p * c).sum(axis=1), far


def _margins(m: Array) -> Array:
    """What the parameters add up to: the rows of each table, its columns, and its diagonal."""
    return np.column_stack([m.sum(axis=2), m.sum(axis=1), np.einsum("bii->b", m)])


def _hessian(m: Array) -> Array:
    """Xᵀ diag(m) X, whose blocks are the margins, the table itself and its diagonal."""
    q = m.shape[1]
    diagonal = np.diagonal(m, axis1=1, axis2=2)
    found = np.zeros((len(m), 2 * q + 1, 2 * q + 1))
    every = np.arange(2 * q + 1)
    found[:, every, every] = _margins(m)
    found[:, :q, q:-1] = m
    found[:, q:-1, :q] = m.transpose(0, 2, 1)
    found[:, :-1, -1] = found[:, -1, :-1] = np.tile(diagonal, 2)
    # rows and columns share a constant: the least-squares step does not need it
    found[:, every, every] *= 1 + 1e-10
    found[:, every, every] += 1e-12
    return found
