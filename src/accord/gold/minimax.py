"""Minimax conditional entropy: confusions of annotators and of items, nominal or ordinal."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from accord.gold.dawid_skene import Progress
from accord.gold.labels import Array, Estimate, Labels, agreement_with
from accord.kernels import crowd

#: the prevalences start from the shares of votes, held with the force of this many items
_PRIOR_ITEMS = 10.0
#: log-odds of the right label towards which σ is drawn
_TRUST = 2.0


def minimax_entropy(
    labels: Labels,
    *,
    ordinal: bool = False,
    regularization: float | None = None,
    rounds: int = 50,
    steps: int = 5,
    tolerance: float = 5e-3,
    progress: Progress | None = None,
) -> Estimate:
    r"""The class of each item, with a confusion matrix per annotator and one per item.

    .. math:: P(y_{ai} = l \mid T_i = k) \propto \exp(\sigma_a[k, l] + \tau_i[k, l])

    Alternates: σ and τ climb the expected log-likelihood less λ_w‖σ − 2·I‖²/2 + λ_t‖τ‖²/2, then
    T_ik ∝ p_k Π_a P(y_ai | k). λ_w = K²/4 and λ_t = λ_w × (labels per annotator / labels per item).
    The prevalences p are learnt under a Dirichlet prior worth ten items at the shares of votes. It
    stops when no probability moves by more than `tolerance`. With `ordinal`, σ and τ see only on
    which side of each threshold s the class and the label lie: σ[k, l] = Σ_s w_s[k ≥ s, l ≥ s].

    D. Zhou, J. Platt, S. Basu and Y. Mao (2012). Learning from the wisdom of crowds by minimax
    entropy. NIPS 25; D. Zhou, Q. Liu, J. Platt and C. Meek (2014). Aggregating ordinal labels from
    crowds by minimax conditional entropy. ICML, 262–270.

    Deviations: σ and τ are climbed by `steps` steps under a quadratic bound of the softmax (Böhning
    1992) rather than to the end by L-BFGS: the objective still never falls. σ is drawn towards
    2·I (right labels at log-odds 2) where the papers draw it towards 0: a sparse annotator then counts
    as a decent one, not as a random one, and the prevalences cannot run away to one class, which they
    did on simulated campaigns with five classes and 50 labels per annotator.
    """
    n, A, K = labels.n_items, labels.n_annotators, labels.n_classes
    posterior = np.ascontiguousarray(labels.shares())
    lambda_w = K * K / 4 if regularization is None else regularization
    per_annotator = len(labels.code) / max(1, len(np.unique(labels.annotator)))
    per_item = len(labels.code) / max(1, n)
    lambda_t = lambda_w * per_annotator / max(per_item, 1)
    form = _Ordinal(K) if ordinal else _Nominal(K)
    trust = form.trust(_TRUST)
    w_annotator, w_item = form.zeros(A) + trust, form.zeros(n)
    evidence, scratch = np.empty((n, K)), np.empty(K)
    nothing = np.zeros((1, 1, 1))
    item = labels.item
    weight = labels.weight[labels.annotator]
    belief = _PRIOR_ITEMS * _kept_open(posterior.mean(axis=0) if n else np.full(K, 1 / K))
    prior = _prior(posterior, belief)
    objective: list[float] = []
    converged = False

    def sweep(which: int, slope_annotator: Array, slope_item: Array) -> float:
        return float(
            crowd.entropy_round(
                labels.indptr, labels.annotator, labels.code, labels.weight,
                form.table(w_annotator), form.table(w_item), posterior, evidence,
                slope_annotator, slope_item, which, scratch,
            )
        )  # fmt: skip

    for turn in range(rounds):
        load_annotator = _load(labels.annotator, weight, posterior[item], A)
        load_item = _load(item, weight, posterior[item], n)
        for _ in range(steps):
            slope = np.zeros((A, K, K))
            sweep(1, slope, nothing)
            w_annotator = form.step(w_annotator, slope, load_annotator, lambda_w, trust)
            slope = np.zeros((n, K, K))
            sweep(2, nothing, slope)
            w_item = form.step(w_item, slope, load_item, lambda_t, 0 * trust)
        fit = sweep(0, nothing, nothing)
        penalty = (lambda_w * np.sum((w_annotator - trust) ** 2) + lambda_t * np.sum(w_item**2)) / 2
        held = float(belief @ np.log(prior))
        objective.append(fit + held + _entropy_and_prior(posterior, prior) - penalty)
        before = posterior.copy()
        posterior[:] = _updated(evidence, prior, labels.clamp)
        prior = _prior(posterior, belief)
        if progress is not None:
            progress(turn + 1, rounds)
        if np.max(np.abs(posterior - before), initial=0.0) < tolerance:
            converged = True
            break
    tables = form.table(w_annotator)
    exponent = np.exp(tables - tables.max(axis=2, keepdims=True))
    confusion = (exponent / exponent.sum(axis=2, keepdims=True)).transpose(0, 2, 1)
    return Estimate(
        posterior=posterior,
        accuracy=agreement_with(posterior, labels),
        confusion=confusion,
        # an item whose own matrix pulls its labels away from the class is hard
        difficulty=_pull(form.table(w_item), posterior),
        prior=prior,
        objective=tuple(objective),
        converged=converged,
    )


class _Nominal:
    """Parameters are the K × K matrices themselves; their curvature bound is diagonal."""

    def __init__(self, K: int) -> None:
        self.K = K

    def zeros(self, size: int) -> Array:
        return np.zeros((size, self.K, self.K))

    def table(self, w: Array) -> Array:
        return w

    def step(self, w: Array, slope: Array, load: Array, penalty: float, rest: Array) -> Array:
        moved: Array = w + (slope - penalty * (w - rest)) / (load[:, :, None] / 2 + penalty)
        return moved

    def trust(self, strength: float) -> Array:
        return strength * np.eye(self.K)


class _Ordinal:
    """Parameters are one 2 × 2 table per threshold; the curvature bound is a small matrix."""

    def __init__(self, K: int) -> None:
        side = np.arange(K)[None, :] >= np.arange(1, K)[:, None]
        # features[k, l] picks, for each threshold, the cell (k ≥ s, l ≥ s)
        features = np.zeros((K, K, K - 1, 4))
        for k in range(K):
            for q in range(K):
                for s in range(K - 1):
                    features[k, q, s, 2 * int(side[s, k]) + int(side[s, q])] = 1.0
        self.K = K
        self.features = features.reshape(K, K, 4 * (K - 1))
        centred = self.features - self.features.mean(axis=1, keepdims=True)
        #: for each class, half the centred Gram matrix: Böhning's bound of the curvature
        self.bound = np.einsum("klp,klq->kpq", centred, centred) / 2

    def zeros(self, size: int) -> Array:
        return np.zeros((size, self.features.shape[2]))

    def table(self, w: Array) -> Array:
        return np.ascontiguousarray(np.tensordot(w, self.features, axes=([1], [2])))

    def trust(self, strength: float) -> Array:
        # right and wrong side of each threshold, so that neighbours are likelier than far labels
        return np.tile([strength / 2, 0.0, 0.0, strength / 2], self.K - 1)

    def step(self, w: Array, slope: Array, load: Array, penalty: float, rest: Array) -> Array:
        P = self.features.shape[2]
        out = np.empty_like(w)
        block = max(1, 2_000_000 // (P * P))  # memory stays linear in the number of items
        for start in range(0, len(w), block):
            part = slice(start, start + block)
            gradient = np.tensordot(slope[part], self.features, axes=([1, 2], [0, 1]))
            gradient -= penalty * (w[part] - rest)
            curvature = np.tensordot(load[part], self.bound, axes=([1], [0]))
            curvature += penalty * np.eye(P)
            out[part] = w[part] + np.linalg.solve(curvature, gradient[:, :, None])[:, :, 0]
        return out


def _load(group: NDArray[np.integer], weight: Array, posterior: Array, size: int) -> Array:
    """Expected number of labels of each annotator (or item) for each class."""
    return np.stack(
        [np.bincount(group, weights=weight * column, minlength=size) for column in posterior.T],
        axis=1,
    )


def _prior(posterior: Array, belief: Array) -> Array:
    total = posterior.sum(axis=0) + belief
    normal: Array = total / total.sum()
    return normal


def _kept_open(share: Array) -> Array:
    """Shares in which a class nobody named keeps a trace, so that its logarithm exists."""
    opened = share + 1e-6
    normal: Array = opened / opened.sum()
    return normal


def _entropy_and_prior(posterior: Array, prior: Array) -> float:
    safe = np.where(posterior > 0, posterior, 1.0)
    return float(np.sum(posterior * (np.log(prior) - np.log(safe))))


def _updated(evidence: Array, prior: Array, clamp: NDArray[np.int32]) -> Array:
    score = evidence + np.log(prior)
    score -= score.max(axis=1, keepdims=True)
    out = np.exp(score)
    out /= out.sum(axis=1, keepdims=True)
    known = clamp >= 0
    out[known] = 0.0
    out[known, clamp[known]] = 1.0
    return out


def _pull(tables: Array, posterior: Array) -> Array:
    """How much an item's own matrix lowers the log-odds of the right label, on average."""
    K = tables.shape[1]
    if K < 2:
        return np.zeros(len(tables))
    right = np.einsum("ikk->ik", tables)
    others = (tables.sum(axis=2) - right) / (K - 1)
    pull: Array = np.sum(posterior * (others - right), axis=1)
    return pull
