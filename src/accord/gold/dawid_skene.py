"""Annotators with a confusion matrix each (Dawid & Skene), or one error rate each (one coin)."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.lib.stride_tricks import as_strided
from numpy.typing import NDArray

from accord.data.progress import Progress
from accord.gold.labels import Array, Chunks, Estimate, Labels, agreement_under, whole
from accord.gold.rounds import Rounds
from accord.kernels import crowd

#: cells that are worked on at once
_BLOCK = 1 << 16


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
    n, K = labels.n_items, labels.n_classes
    said = _Said.of(labels, smoothing)
    mass, counts = np.zeros(K), said.zeros()
    for part in labels.parts():
        share = part.shares()
        mass += share.sum(axis=0)
        counts += _counted(part, share, said.row)
    objective: list[float] = []
    converged = False
    log_prior, prior, posterior = np.empty(K), np.empty(K), np.empty((0, K))
    found = _Confusion(counts, np.empty((0, K)), 0.0)
    goal = tolerance * max(1, labels.n_labels)
    told = Rounds(progress, goal, rounds)
    for turn in range(rounds):
        prior = _normal(mass + smoothing)
        log_prior = _logs(prior)
        found = said.confusion(counts)
        mass, likelihood = np.zeros(K), 0.0
        counts.fill(0.0)
        for part in labels.parts():
            posterior, gained = _pass(part, said.row, log_prior, found.logs, counts)
            mass += posterior.sum(axis=0)
            likelihood += gained
        objective.append(likelihood + found.penalty + smoothing * float(log_prior.sum()))
        told.told(objective[-1] - objective[-2] if turn else math.inf)
        if turn and objective[-1] - objective[-2] <= goal:
            converged = True
            break

    def apply(part: Labels) -> Array:
        if part is labels:
            return posterior
        return _pass(part, said.row, log_prior, found.logs, said.zeros())[0]

    return Estimate(
        posterior=whole(labels, apply),
        apply=apply,
        accuracy=agreement_under(apply, labels),
        tables=(lambda: said.table(found)) if n else None,
        difficulty=None,
        prior=prior,
        objective=tuple(objective),
        converged=converged,
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Said:
    """Which labels each annotator gave: of the others nothing is counted, and all have the prior.

    The tables have a row for each annotator and label that occur, in their order, and a column for
    each class: with many classes that is a small part of all their confusions.
    """

    #: annotators × labels: the row of each, or -1
    row: NDArray[np.int32]
    smoothing: float

    @classmethod
    def of(cls, labels: Labels | Chunks, smoothing: float) -> _Said:
        row = np.full((labels.n_annotators, labels.n_classes), -1, dtype=np.int32)
        for part in labels.parts():
            row[part.annotator, part.code] = 0
        occurs = row == 0
        row[occurs] = np.arange(np.count_nonzero(occurs), dtype=np.int32)
        return cls(row, smoothing)

    def zeros(self) -> Array:
        return np.zeros((int(self.row.max(initial=-1)) + 1, self.row.shape[1]))

    def confusion(self, counts: Array) -> _Confusion:
        """The logarithms of P(said | true) under the prior; of what nobody said, only the sums."""
        who, label = np.nonzero(self.row >= 0)
        K, wrong, right = counts.shape[1], 0.01 * self.smoothing, 1.01 * self.smoothing
        total = np.full(self.row.shape, (K - 1) * wrong + right)
        active, first = np.unique(who, return_index=True)
        if len(active):
            total[active] += np.add.reduceat(counts, first, axis=0)
        logs = counts + wrong
        logs[np.arange(len(label)), label] += right - wrong
        height = max(1, _BLOCK // K)
        for start in range(0, len(who), height):
            part, over = logs[start : start + height], total[who[start : start + height]]
            # a class that somebody never met says nothing without a prior
            np.divide(part, over, out=part, where=over > 0)
            part[over == 0] = 1 / K
            _logs(part, out=part)
        if self.smoothing == 0:
            return _Confusion(logs, total, 0.0)
        silent = self.row < 0
        # the labels that somebody never gave, the right one of each class apart
        other = silent.sum(axis=1, keepdims=True) - silent
        penalty = wrong * logs.sum() + (right - wrong) * logs[np.arange(len(label)), label].sum()
        penalty += (other * wrong * (math.log(wrong) - np.log(total))).sum()
        penalty += (silent * right * (math.log(right) - np.log(total))).sum()
        return _Confusion(logs, total, float(penalty))

    def table(self, found: _Confusion) -> Array:
        """P(said | true) of everything: annotators × said × true."""
        K = self.row.shape[1]
        total = found.total[:, None, :]
        held: Array = np.full((*self.row.shape, K), 1 / K)
        np.divide(_belief(K, self.smoothing), total, out=held, where=total > 0)
        held[self.row >= 0] = np.exp(found.logs)
        return held


@dataclass(frozen=True, slots=True, eq=False)
class _Confusion:
    logs: Array
    #: annotators × classes: what the counts and the prior of each class sum to
    total: Array
    #: the logarithm of the prior of all confusions
    penalty: float


def _logs(values: Array, out: Array | None = None) -> Array:
    """Logarithms; an unseen event has likelihood zero, and a floor keeps 0 × log 0 out of the sums."""
    with np.errstate(divide="ignore"):
        logs: Array = np.log(values, out=out)
    return np.maximum(logs, -745.0, out=logs)


def _belief(K: int, smoothing: float) -> Array:
    return np.asarray(smoothing * (0.01 * np.ones((K, K)) + np.eye(K)))


def _pass(
    part: Labels, row: NDArray[np.int32], log_prior: Array, log_confusion: Array, counts: Array
) -> tuple[Array, float]:
    """The classes of these items, whose expected confusions are added to `counts`; their likelihood."""
    posterior = np.empty((part.n_items, part.n_classes))
    # the kernel looks up annotator, label and class: every annotator is shown all rows
    likelihood = crowd.confusion_round(
        part.indptr, part.annotator, row[part.annotator, part.code], part.weight, part.clamp,
        log_prior, _seen_by_all(log_confusion, len(row)), posterior, _seen_by_all(counts, len(row)),
    )  # fmt: skip
    return posterior, float(likelihood)


def _seen_by_all(rows: Array, annotators: int) -> Array:
    return as_strided(rows, (annotators, *rows.shape), (0, *rows.strides))


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
    A, K = labels.n_annotators, labels.n_classes
    every = np.arange(A * K, dtype=np.int32).reshape(A, K)
    return _columns(_counted(labels, posterior, every).reshape(A, K, K) + _belief(K, smoothing))


def _counted(labels: Labels, posterior: Array, row: NDArray[np.int32]) -> Array:
    """Expected confusion counts (rows of annotators who say a label × true) under these distributions."""
    rows = int(row.max(initial=-1)) + 1
    counts = np.zeros((rows, labels.n_classes))
    key = row[labels.annotator, labels.code]
    weight = labels.weight[labels.annotator]
    item = labels.item
    for k in range(labels.n_classes):
        counts[:, k] = np.bincount(key, weights=weight * posterior[item, k], minlength=rows)
    return counts


def _columns(counts: Array) -> Array:
    """P(said | true): normalised over what was said; uniform for a class never met."""
    total = counts.sum(axis=1, keepdims=True)
    return np.where(total > 0, counts / np.where(total > 0, total, 1), 1 / counts.shape[1])


def _normal(values: Array) -> Array:
    total = values.sum()
    return values / total if total > 0 else np.full(len(values), 1 / max(1, len(values)))
