"""EBCC: annotators whose errors go together because items of a class are of several kinds."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from accord.data.progress import Progress, stepwise
from accord.errors import UsageError
from accord.gold.divergence import rows_divergence
from accord.gold.labels import Array, Estimate, Labels, agreement_with
from accord.gold.rounds import Rounds
from accord.gold.votes import rest_accuracy


def ebcc(
    labels: Labels,
    *,
    subtypes: int = 10,
    subtype_prior: float = 0.1,
    right_prior: float = 4.0,
    wrong_prior: float = 1.0,
    prevalence: str = "votes",
    restarts: int = 3,
    rounds: int = 500,
    tolerance: float = 1e-3,
    seed: int = 0,
    progress: Progress | None = None,
) -> Estimate:
    r"""The class of each item when annotators err together, by variational Bayes with restarts.

    An item of class k is of a kind m of that class, and annotators answer by class and kind:

    .. math:: z_i \sim \tau, \quad g_i \mid z_i = k \sim \pi_k, \quad
              P(y_{ai} = l \mid k, m) = v^a_{kml}

    with τ ~ Dirichlet(vote counts, or 1 with ``prevalence="flat"``), π_k ~ Dirichlet(`subtype_prior`
    / M) over the M = `subtypes` kinds, v^a_km ~ Dirichlet(`right_prior` on the right label,
    `wrong_prior` on the others). Kinds of items on which many annotators fall into the same trap are
    what makes their errors correlated. The restart with the best evidence lower bound is kept. The
    starts are drawn in an order that depends on the votes alone, so that neither row order nor names
    change the result.

    Y. Li, B. Rubinstein and T. Cohn (2019). Exploiting worker correlation for label aggregation in
    crowdsourcing. ICML, 3886–3895.
    """
    if prevalence not in ("votes", "flat"):
        raise UsageError(f"prevalence must be votes or flat, got {prevalence!r}")
    if subtypes < 1:
        raise UsageError(f"subtypes must be at least 1, got {subtypes}")
    belief = np.full((labels.n_classes, labels.n_classes), wrong_prior)
    np.fill_diagonal(belief, right_prior)
    alpha = labels.votes().sum(axis=0) if prevalence == "votes" else np.ones(labels.n_classes)
    best: Estimate | None = None
    for number in stepwise(range(max(1, restarts)), progress=progress):
        start = _start(labels, subtypes, np.random.default_rng([seed, number]))
        found = _climb(
            labels,
            start,
            np.maximum(alpha, 1e-3),
            subtype_prior / subtypes,
            belief,
            rounds,
            tolerance,
        )
        if best is None or found.objective[-1] > best.objective[-1]:
            best = found
    assert best is not None
    return replace(best, accuracy=agreement_with(best.posterior, labels))


def _start(labels: Labels, subtypes: int, rng: np.random.Generator) -> Array:
    """Vote shares spread at random over the kinds; items with equal content start alike."""
    votes = np.sort(labels.votes(), axis=1)
    quality = np.round(rest_accuracy(labels), 9)
    who = np.bincount(labels.item, weights=quality[labels.annotator], minlength=labels.n_items)
    shares = labels.shares()
    match = np.bincount(
        labels.item,
        weights=quality[labels.annotator] * shares[labels.item, labels.code],
        minlength=labels.n_items,
    )
    content = np.column_stack([votes, np.round(who, 6), np.round(match, 6)])
    _, kind = np.unique(content, axis=0, return_inverse=True)
    drawn = rng.dirichlet(np.ones(subtypes), size=int(kind.max(initial=0)) + 1)
    start: Array = shares[:, :, None] * drawn[kind.ravel()][:, None, :]
    return start


def _climb(
    labels: Labels, rho: Array, alpha: Array, kind_prior: float, belief: Array, rounds: int,
    tolerance: float,
) -> Estimate:  # fmt: skip
    from scipy.sparse import csr_array
    from scipy.special import psi

    n, A, K, M = labels.n_items, labels.n_annotators, labels.n_classes, rho.shape[2]
    said = csr_array(
        (
            labels.weight[labels.annotator],
            (labels.item, labels.annotator.astype(np.int64) * K + labels.code),
        ),
        shape=(n, A * K),
    )
    known = np.flatnonzero(labels.clamp >= 0)
    allowed = np.ones((n, K))
    allowed[known] = 0.0
    allowed[known, labels.clamp[known]] = 1.0
    objective: list[float] = []
    converged = False
    mu = np.empty((A, K, K, M))
    told = Rounds(None, tolerance, rounds)
    for _ in range(rounds):
        # μ[a, l, k, m]: how often a said l of items of class k and kind m
        mu = (
            np.asarray(said.T @ rho.reshape(n, K * M)).reshape(A, K, K, M)
            + belief.T[None, :, :, None]
        )
        eta = rho.sum(axis=0) + kind_prior
        nu = rho.sum(axis=(0, 2)) + alpha
        log_v = psi(mu) - psi(mu.sum(axis=1, keepdims=True))
        log_pi = psi(eta) - psi(eta.sum(axis=1, keepdims=True))
        log_tau = psi(nu) - psi(nu.sum())
        score = (
            np.asarray(said @ log_v.reshape(A * K, K * M)).reshape(n, K, M)
            + log_pi
            + log_tau[:, None]
        )
        with np.errstate(divide="ignore"):
            score += np.log(allowed)[:, :, None]
        top = score.max(axis=(1, 2), keepdims=True)
        weight = np.exp(score - top)
        total = weight.sum(axis=(1, 2), keepdims=True)
        before, rho = rho, weight / total
        evidence = float(np.sum(top) + np.sum(np.log(total)))
        objective.append(
            evidence
            - rows_divergence(nu[None, :], alpha[None, :])
            - rows_divergence(eta, kind_prior)
            - rows_divergence(
                mu.transpose(0, 2, 3, 1).reshape(-1, K),
                np.broadcast_to(belief[None, :, None, :], (A, K, M, K)).reshape(-1, K),
            )
        )
        change = float(np.max(np.abs(rho - before), initial=0.0))
        told.told(change)
        if change < tolerance:
            converged = True
            break
    marginal = (mu * rho.sum(axis=0)[None, None]).sum(axis=3)
    confusion = marginal / marginal.sum(axis=1, keepdims=True)
    posterior = rho.sum(axis=2)
    return Estimate(
        posterior=np.ascontiguousarray(posterior),
        tables=lambda: confusion,
        prior=posterior.mean(axis=0) if n else None,
        objective=tuple(objective),
        converged=converged,
    )
