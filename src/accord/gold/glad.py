"""GLAD: able annotators and easy items."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from accord.data.progress import Progress, heard
from accord.gold.labels import Array, Estimate, Labels
from accord.kernels import crowd


def glad(
    labels: Labels,
    *,
    rounds: int = 200,
    tolerance: float = 1e-6,
    prior_mean: float = 1.0,
    prior_deviation: float = 1.0,
    progress: Progress | None = None,
) -> Estimate:
    r"""Ability of each annotator, ease of each item, class of each item.

    .. math:: P(y_{ai} = T_i) = \sigma(\alpha_a \beta_i), \qquad
              P(y_{ai} = l \ne T_i) = \frac{1 - \sigma(\alpha_a \beta_i)}{K - 1}

    with normal priors (mean 1, deviation 1) on the ability α_a and on log β_i, and a uniform prior
    over classes. Difficulty is 1/β_i.

    J. Whitehill, P. Ruvolo, T. Wu, J. Bergsma and J. Movellan (2009). Whose vote should count more:
    optimal integration of labels from labelers of unknown expertise. NIPS 22, 2035–2043.

    Deviations: the same posterior as the paper's EM is climbed directly by L-BFGS on its exact
    gradient (Fisher's identity), which needs far fewer passes over the labels.
    """
    A, n, K = labels.n_annotators, labels.n_items, max(2, labels.n_classes)
    log_prior = np.full(K, -np.log(K))
    posterior = np.empty((n, K))
    by_ability, by_ease = np.empty(A), np.empty(n)
    scratch = np.empty(int(np.diff(labels.indptr).max(initial=1)))
    variance = prior_deviation**2
    objective: list[float] = []

    def fall(parameters: Array) -> tuple[float, Array]:
        by_ability[:] = 0.0
        likelihood = crowd.ability_round(
            labels.indptr, labels.annotator, labels.code, labels.weight, labels.clamp,
            log_prior, parameters[:A], parameters[A:], posterior, by_ability, by_ease, scratch,
        )  # fmt: skip
        away = parameters - prior_mean
        slope = np.concatenate([by_ability, by_ease]) - away / variance
        return -(likelihood - float(away @ away) / (2 * variance)), -slope

    listens = progress or heard()

    def note(parameters: Array, value: float) -> None:
        objective.append(-value)
        if listens is not None:
            listens(len(objective), rounds)

    start = np.full(A + n, prior_mean)
    value, _ = fall(start)
    note(start, value)
    best, converged = _descend(fall, start, rounds, tolerance * max(1, len(labels.code)), note)
    fall(best)  # leaves the posterior of the best parameters
    ability = best[:A]
    total = labels.per_annotator()
    right = np.bincount(labels.annotator, weights=posterior[labels.item, labels.code], minlength=A)
    return Estimate(
        posterior=posterior[:, : labels.n_classes],
        accuracy=np.where(total > 0, right / np.where(total > 0, total, 1), np.nan),
        annotators={"ability": np.where(total > 0, ability, np.nan)},
        difficulty=np.exp(-best[A:]),
        objective=tuple(objective),
        converged=converged,
    )


def _descend(
    fall: Callable[[Array], tuple[float, Array]],
    start: Array,
    rounds: int,
    gain: float,
    note: Callable[[Array, float], None],
) -> tuple[Array, bool]:
    """L-BFGS that stops when a step gains less than `gain`; returns (parameters, converged)."""
    from scipy.optimize import minimize

    last = np.inf
    done = False

    def step(intermediate_result: Any) -> None:
        nonlocal last, done
        value = float(intermediate_result.fun)
        note(intermediate_result.x, value)
        if last - value <= gain:
            done = True
            raise StopIteration
        last = value

    found = minimize(
        fall, start, jac=True, method="L-BFGS-B", callback=step,
        options={"maxiter": rounds, "maxcor": 10, "ftol": 0.0, "gtol": 0.0},
    )  # fmt: skip
    return found.x, bool(done or found.success)
