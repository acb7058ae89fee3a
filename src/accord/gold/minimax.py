"""Minimax conditional entropy: confusions of annotators and of items, nominal or ordinal."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from accord.data.progress import Progress
from accord.errors import UsageError
from accord.gold.labels import Array, Estimate, Labels, agreement_with
from accord.gold.rounds import Rounds
from accord.kernels import crowd

#: the learned prevalences start from the shares of votes, held with the force of this many items
_PRIOR_ITEMS = 10.0
#: steps of L-BFGS on σ and on τ in each round, as the authors' program takes
_STEPS = 25


def minimax_entropy(
    labels: Labels,
    *,
    ordered: bool | None = None,
    centre: float = 0.5,
    prevalence: str = "none",
    regularization: float | None = None,
    rounds: int = 50,
    tolerance: float = 5e-3,
    progress: Progress | None = None,
) -> Estimate:
    r"""The class of each item, with a confusion matrix per annotator and one per item.

    .. math:: P(y_{ai} = l \mid T_i = k) \propto \exp(\sigma_a[k, l] + \tau_i[k, l])

    Alternates: σ, then τ climb the expected log-likelihood less λ_w‖σ − c·I‖²/2 + λ_t‖τ‖²/2 (L-BFGS),
    then T_ik ∝ Π_a P(y_ai | k). λ_w = K²/4 and λ_t = λ_w × (labels per annotator / labels per item).
    It starts at the shares of votes and stops when no probability moves by more than `tolerance`. With
    `ordered` classes (when it is None: where the data say so), σ and τ see only on which side of each
    threshold s the class and the label lie:
    σ[k, l] = Σ_s w_s[k ≥ s, l ≥ s], a free weight for each of the four cases, the penalties on w.

    The published form has c = `centre` = 0. It is not a safe default: with many classes and few labels
    per annotator the penalty outweighs them and the classes vanish. c = ½ takes a sparse annotator for
    a decent one and never collapsed where it was tried. ``prevalence="learned"`` multiplies T by class
    prevalences learnt under a prior worth ten items at the shares of votes.

    D. Zhou, J. Platt, S. Basu and Y. Mao (2012). Learning from the wisdom of crowds by minimax
    entropy. NIPS 25; D. Zhou, Q. Liu, J. Platt and C. Meek (2014). Aggregating ordinal labels from
    crowds by minimax conditional entropy. ICML, 262–270.
    """
    if prevalence not in ("none", "learned"):
        raise UsageError(f"prevalence must be none or learned, got {prevalence!r}")
    n, A, K = labels.n_items, labels.n_annotators, labels.n_classes
    posterior = np.ascontiguousarray(labels.shares())
    start = posterior.copy()
    lambda_w = K * K / 4 if regularization is None else regularization
    per_annotator = len(labels.code) / max(1, len(np.unique(labels.annotator)))
    per_item = len(labels.code) / max(1, n)
    lambda_t = lambda_w * per_annotator / max(per_item, 1)
    form = _Ordinal(K) if (labels.ordered if ordered is None else ordered) else _Nominal(K)
    trust = form.trust(centre)
    w_annotator, w_item = form.zeros(A) + trust, form.zeros(n)
    evidence, scratch = np.empty((n, K)), np.empty(K)
    nothing = np.zeros((1, 1, 1))
    belief = _PRIOR_ITEMS * _kept_open(posterior.mean(axis=0) if n else np.full(K, 1 / K))
    uniform = np.full(K, 1 / K)
    prior = _prior(posterior, belief) if prevalence == "learned" else uniform
    objective: list[float] = []
    converged = False

    def sweep(annotators: Array, items: Array, which: int) -> tuple[float, Array]:
        """Expected log-likelihood, and its slope by the tables of annotators (1) or items (2)."""
        size = {0: 1, 1: A, 2: n}[which]
        slope = np.zeros((size, K, K)) if which else nothing
        fit = crowd.entropy_round(
            labels.indptr, labels.annotator, labels.code, labels.weight,
            form.table(annotators), form.table(items), posterior, evidence,
            slope if which == 1 else nothing, slope if which == 2 else nothing, which, scratch,
        )  # fmt: skip
        return float(fit), slope

    def climb(w: Array, rest: Array, penalty: float, which: int) -> Array:
        """σ (1) or τ (2) by L-BFGS, the other held."""
        from scipy.optimize import minimize

        def loss(flat: Array) -> tuple[float, Array]:
            here = flat.reshape(w.shape)
            one, two = (here, w_item) if which == 1 else (w_annotator, here)
            fit, slope = sweep(one, two, which)
            gap = here - rest
            value = penalty / 2 * float(np.sum(gap**2)) - fit
            return value, (penalty * gap - form.gradient(slope)).ravel()

        found = minimize(loss, w.ravel(), jac=True, method="L-BFGS-B", options={"maxiter": _STEPS})
        better: Array = found.x.reshape(w.shape)
        return better

    told = Rounds(progress, tolerance, rounds)
    for _ in range(rounds):
        w_annotator = climb(w_annotator, trust, lambda_w, 1)
        w_item = climb(w_item, 0 * trust, lambda_t, 2)
        sweep(w_annotator, w_item, 0)
        penalty = (lambda_w * np.sum((w_annotator - trust) ** 2) + lambda_t * np.sum(w_item**2)) / 2
        scores = evidence + np.log(prior)
        top = scores.max(axis=1, initial=-np.inf)
        total = top + np.log(np.exp(scores - top[:, None]).sum(axis=1)) if n else np.zeros(0)
        objective.append(float(total.sum() - penalty))
        before = posterior.copy()
        posterior[:] = _updated(evidence, prior, labels.clamp)
        if prevalence == "learned":
            prior = _prior(posterior, belief)
        change = float(np.max(np.abs(posterior - before), initial=0.0))
        told.told(change)
        if change < tolerance:
            converged = True
            break
    tables = form.table(w_annotator)
    exponent = np.exp(tables - tables.max(axis=2, keepdims=True))
    confusion = (exponent / exponent.sum(axis=2, keepdims=True)).transpose(0, 2, 1)
    return Estimate(
        posterior=posterior,
        accuracy=agreement_with(posterior, labels),
        tables=lambda: confusion,
        # an item whose own matrix pulls its labels away from the class is hard
        difficulty=_pull(form.table(w_item), posterior),
        prior=prior if prevalence == "learned" else None,
        objective=tuple(objective),
        converged=converged,
        notes=collapse_notes(posterior, start),
    )


def published_minimax_entropy(
    labels: Labels,
    *,
    ordered: bool | None = None,
    rounds: int = 50,
    tolerance: float = 5e-3,
    progress: Progress | None = None,
) -> Estimate:
    """Minimax entropy as published (2012, 2014): σ drawn towards 0, no class prior."""
    return minimax_entropy(
        labels, ordered=ordered, centre=0.0, rounds=rounds, tolerance=tolerance, progress=progress
    )


def collapse_notes(posterior: Array, votes: Array) -> tuple[str, ...]:
    """What to say when a model lets classes vanish: their share against that of the votes."""
    if not len(posterior):
        return ()
    notes = []
    held, share = posterior.mean(axis=0), votes.mean(axis=0)
    lost = [k for k in range(len(held)) if share[k] > 0.01 and held[k] < share[k] / 3]
    if lost:
        notes.append(
            f"{len(lost)} classes nearly vanish: class number {lost[0] + 1} has {share[lost[0]]:.1%} of "
            f"the votes and {held[lost[0]]:.1%} of the reference; compare with majority"
        )
    if float(posterior.max(axis=1).mean()) < 1 / posterior.shape[1] + 0.1:
        notes.append("the model tells the classes hardly apart; compare with majority")
    return tuple(notes)


class _Nominal:
    """Parameters are the K × K matrices themselves."""

    def __init__(self, K: int) -> None:
        self.K = K

    def zeros(self, size: int) -> Array:
        return np.zeros((size, self.K, self.K))

    def table(self, w: Array) -> Array:
        return w

    def gradient(self, slope: Array) -> Array:
        return slope

    def trust(self, strength: float) -> Array:
        return strength * np.eye(self.K)


class _Ordinal:
    """Parameters are one 2 × 2 table per threshold."""

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

    def zeros(self, size: int) -> Array:
        return np.zeros((size, self.features.shape[2]))

    def table(self, w: Array) -> Array:
        return np.ascontiguousarray(np.tensordot(w, self.features, axes=([1], [2])))

    def trust(self, strength: float) -> Array:
        # right and wrong side of each threshold, so that neighbours are likelier than far labels
        return np.tile([strength / 2, 0.0, 0.0, strength / 2], self.K - 1)

    def gradient(self, slope: Array) -> Array:
        return np.tensordot(slope, self.features, axes=([1, 2], [0, 1]))


def _prior(posterior: Array, belief: Array) -> Array:
    total = posterior.sum(axis=0) + belief
    normal: Array = total / total.sum()
    return normal


def _kept_open(share: Array) -> Array:
    """Shares in which a class nobody named keeps a trace, so that its logarithm exists."""
    opened = share + 1e-6
    normal: Array = opened / opened.sum()
    return normal


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
