"""Annotators with a confusion matrix each (Dawid & Skene), or one error rate each (one coin)."""

from __future__ import annotations

import math

import numpy as np

from accord.data.progress import Progress
from accord.gold.labels import Array, Chunks, Estimate, Labels, agreement_under, whole
from accord.gold.rounds import Rounds
from accord.kernels import crowd


def dawid_skene(
    labels: Labels | Chunks,
    *,
    smoothing: float = 1.0,
    tolerance: float = 1e-7,
    rounds: int = 1000,
    progress: Progress | None = None,
) -> Estimate:
    r"""The class of each item and the confusion matrix of each annotator, by maximum a posteriori.

    .. math:: P(T_i = k) \propto p_k \prod_{a} \pi_{a,k,y_{ai}}, \qquad
              \pi_{a,k,l} = \frac{s_{kl} + \sum_i P(T_i = k)[y_{ai} = l]}{\sum_{l'} \dots}

    where p_k is the prevalence of class k, π_akl the probability that annotator a says l when the
    class is k, and s_kl are prior counts: `smoothing` for each class and for each right label, a
    hundredth of it for each wrong one. They are Dirichlet priors that say that annotators know
    something until they show otherwise; without them few labels per annotator are over-fitted. EM
    runs from the shares of votes until the objective gains less than `tolerance` per label; it
    never falls.

    A. P. Dawid and A. M. Skene (1979). Maximum likelihood estimation of observer error-rates using
    the EM algorithm. Applied Statistics 28(1), 20–28.

    Deviations: the paper has no prior (``smoothing=0``).
    """
    n, A, K = labels.n_items, labels.n_annotators, labels.n_classes
    mass, counts = np.zeros(K), np.zeros((A, K, K))
    for part in labels.parts():
        share = part.shares()
        mass += share.sum(axis=0)
        counts += _counted(part, share)
    belief = smoothing * (0.01 * np.ones((K, K)) + np.eye(K))
    objective: list[float] = []
    converged = False
    log_confusion, log_prior, prior = np.empty((A, K, K)), np.empty(K), np.empty(K)
    posterior = np.empty((0, K))
    goal = tolerance * max(1, labels.n_labels)
    told = Rounds(progress, goal, rounds)
    for turn in range(rounds):
        prior = _normal(mass + smoothing)
        with np.errstate(divide="ignore"):
            log_confusion = np.log(_columns(counts + belief))
            log_prior = np.log(prior)
        # an unseen event has likelihood zero; a finite floor keeps 0 × log 0 out of the sums
        np.maximum(log_confusion, -745.0, out=log_confusion)
        np.maximum(log_prior, -745.0, out=log_prior)
        mass, counts, likelihood = np.zeros(K), np.zeros((A, K, K)), 0.0
        for part in labels.parts():
            posterior, gained = _pass(part, log_prior, log_confusion, counts)
            mass += posterior.sum(axis=0)
            likelihood += gained
        penalty = float(np.sum(belief * log_confusion) + smoothing * log_prior.sum())
        objective.append(likelihood + penalty)
        told.told(objective[-1] - objective[-2] if turn else math.inf)
        if turn and objective[-1] - objective[-2] <= goal:
            converged = True
            break

    def apply(part: Labels) -> Array:
        if part is labels:
            return posterior
        return _pass(part, log_prior, log_confusion, np.zeros((A, K, K)))[0]

    return Estimate(
        posterior=whole(labels, apply),
        apply=apply,
        accuracy=agreement_under(apply, labels),
        confusion=np.exp(log_confusion) if n else None,
        difficulty=None,
        prior=prior,
        objective=tuple(objective),
        converged=converged,
    )


def _pass(
    part: Labels, log_prior: Array, log_confusion: Array, counts: Array
) -> tuple[Array, float]:
    """The classes of these items, whose expected confusions are added to `counts`; their likelihood."""
    posterior = np.empty((part.n_items, part.n_classes))
    likelihood = crowd.confusion_round(
        part.indptr, part.annotator, part.code, part.weight, part.clamp, log_prior, log_confusion,
        posterior, counts,
    )  # fmt: skip
    return posterior, float(likelihood)


def one_coin(
    labels: Labels,
    *,
    smoothing: float = 1.0,
    tolerance: float = 1e-7,
    rounds: int = 1000,
    progress: Progress | None = None,
) -> Estimate:
    r"""The class of each item and one probability of being right per annotator.

    .. math:: P(T_i = k) \propto \prod_a p_a^{[y_{ai} = k]}
              \left(\frac{1 - p_a}{K - 1}\right)^{[y_{ai} \ne k]}

    The prior over classes is uniform and stays so: a learned one collapses on the largest class.
    `smoothing` adds that many right and wrong labels to each annotator. It is the one-parameter case
    of Dawid & Skene (1979), analysed by Li & Yu (2014), arXiv:1411.4086.
    """
    A, K = labels.n_annotators, max(2, labels.n_classes)
    posterior = np.ascontiguousarray(labels.shares())
    log_prior = np.full(labels.n_classes, -np.log(labels.n_classes))
    given = np.bincount(labels.annotator, weights=labels.weight[labels.annotator], minlength=A)
    right: Array = np.bincount(
        labels.annotator,
        weights=labels.weight[labels.annotator] * posterior[labels.item, labels.code],
        minlength=A,
    ).astype(np.float64)
    objective: list[float] = []
    converged = False
    p = np.full(A, 0.5)
    goal = tolerance * max(1, len(labels.code))
    told = Rounds(progress, goal, rounds)
    for turn in range(rounds):
        with np.errstate(invalid="ignore", divide="ignore"):
            p = (right + smoothing) / (given + 2 * smoothing)
        p = np.clip(np.where(np.isfinite(p), p, 0.5), 1e-300, 1 - 2**-53)
        log_right, log_wrong = np.log(p), np.log1p(-p) - np.log(K - 1)
        right = np.zeros(A)
        likelihood = crowd.coin_round(
            labels.indptr, labels.annotator, labels.code, labels.weight, labels.clamp,
            log_prior, log_right, log_wrong, posterior, right,
        )  # fmt: skip
        penalty = smoothing * float((np.log(p) + np.log1p(-p)).sum())
        objective.append(likelihood + penalty)
        told.told(objective[-1] - objective[-2] if turn else math.inf)
        if turn and objective[-1] - objective[-2] <= goal:
            converged = True
            break
    return Estimate(
        posterior=posterior,
        accuracy=np.where(given > 0, p, np.nan),
        objective=tuple(objective),
        converged=converged,
    )


def confusion_of(labels: Labels, posterior: Array, *, smoothing: float = 1.0) -> Array:
    """P(said | true) of each annotator under these distributions: annotators × said × true."""
    K = labels.n_classes
    belief = smoothing * (0.01 * np.ones((K, K)) + np.eye(K))
    return _columns(_counted(labels, posterior) + belief)


def _counted(labels: Labels, posterior: Array) -> Array:
    """Expected confusion counts (annotators × said × true) under these distributions."""
    A, K = labels.n_annotators, labels.n_classes
    counts = np.zeros((A * K, K))
    key = labels.annotator.astype(np.int64) * K + labels.code
    weight = labels.weight[labels.annotator]
    item = labels.item
    for k in range(K):
        counts[:, k] = np.bincount(key, weights=weight * posterior[item, k], minlength=A * K)
    return counts.reshape(A, K, K)


def _columns(counts: Array) -> Array:
    """P(said | true): normalised over what was said; uniform for a class never met."""
    total = counts.sum(axis=1, keepdims=True)
    return np.where(total > 0, counts / np.where(total > 0, total, 1), 1 / counts.shape[1])


def _normal(values: Array) -> Array:
    total = values.sum()
    return values / total if total > 0 else np.full(len(values), 1 / max(1, len(values)))
