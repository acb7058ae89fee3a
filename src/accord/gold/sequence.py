"""Sequence models of annotators: what they tagged given what is true and what they tagged before."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from accord.data.progress import Progress
from accord.gold.atoms import Index, Sequences, allowed
from accord.gold.chain import Smoothed, best_path, smooth
from accord.gold.dawid_skene import dawid_skene
from accord.gold.divergence import dirichlet_divergence
from accord.gold.labels import Array, Labels
from accord.gold.rounds import Rounds


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Tagging:
    """What a model made of tag sequences."""

    #: most probable tag of each atom
    path: Index
    posterior: Array
    #: expected share of right tags of each annotator
    accuracy: Array
    objective: tuple[float, ...]
    converged: bool
    #: the smoothed chain and its transitions; None for a model without a chain
    smoothed: Smoothed | None = None
    transition: Array | None = None


def bsc(
    data: Sequences,
    *,
    diagonal: float = 1.0,
    off: float = 1.0,
    moves: float = 1.0,
    memory: bool = True,
    rounds: int = 50,
    tolerance: float = 1e-3,
    progress: Progress | None = None,
) -> Tagging:
    r"""Bayesian sequence combination: each annotator errs by the true tag and by their own last tag.

    .. math:: t_\tau \mid t_{\tau-1} = k \sim B_k, \qquad
              P(c_\tau = l \mid t_\tau = k, c_{\tau-1} = m) = \pi^a_{mkl}

    with B_k ~ Dirichlet(`moves`) and π^a_mk ~ Dirichlet(`off` + `diagonal` [k = l]); tags that cannot
    follow each other have no mass, in B and, given the annotator's own last tag m, in π. Variational
    Bayes from the shares of votes; the evidence lower bound never falls. ``memory=False`` leaves out
    the annotator's own last tag (BSC-CM).

    E. Simpson and I. Gurevych (2019). A Bayesian approach for sequence tagging with crowds.
    EMNLP-IJCNLP, 1093–1104.

    Deviations: no model of the text; the prior does not spread the mass of forbidden tags.
    """
    from scipy.sparse import csr_array
    from scipy.special import psi

    K, n = data.n_tags, data.n_atoms
    ok = allowed(K)
    last = data.before if memory else np.zeros_like(data.before)
    support = ok if memory else np.ones((K, K), dtype=bool)
    # only what somebody did is stored: column j stands for annotator `who`, last tag m, tag said
    key = (data.annotator * K + last) * K + data.tag
    seen, column = np.unique(key, return_inverse=True)
    did = csr_array((np.ones(len(key)), (data.atom, column.ravel())), shape=(n, len(seen)))
    pair, pair_of = np.unique(seen // K, return_inverse=True)
    said = seen % K
    belief = off + diagonal * np.eye(K)
    before = belief.T[said]  # column × true tag
    before_pair = (belief[None] * support[pair % K][:, None, :]).sum(axis=2)
    start = vote_shares(data)
    posterior = start
    counted = _product_moves(start, data.indptr)
    objective: list[float] = []
    converged = False
    told = Rounds(progress, tolerance, rounds)
    for turn in range(rounds):
        counts = did.T @ posterior
        together = np.zeros((len(pair), K))
        np.add.at(together, pair_of, counts)
        alpha, total = before + counts, before_pair + together
        log_pi = psi(alpha) - psi(total)[pair_of]
        beta = np.where(ok, moves + counted, 1.0)
        rows = np.where(ok, beta, 0.0).sum(axis=1)
        transition = np.where(ok, np.exp(psi(beta) - psi(rows)[:, None]), 0.0)
        found = smooth(did @ log_pi, transition, data.indptr)
        objective.append(
            found.log_evidence
            - dirichlet_divergence(alpha, before, row=pair_of, total=total, before=before_pair)
            - dirichlet_divergence(
                beta[ok], moves, row=np.nonzero(ok)[0], total=rows, before=moves * ok.sum(axis=1)
            )
        )
        change = float(np.max(np.abs(found.posterior - posterior), initial=0.0))
        posterior, counted = found.posterior, found.moves
        told.told(change)
        if turn and change < tolerance:
            converged = True
            break
    with np.errstate(divide="ignore"):
        path = best_path(did @ log_pi, np.log(transition), data.indptr)
    return Tagging(
        path=path, posterior=posterior, accuracy=_accuracy(data, posterior),
        objective=tuple(objective), converged=converged, smoothed=found, transition=transition,
    )  # fmt: skip


def hmm_crowd(
    data: Sequences,
    *,
    rounds: int = 50,
    tolerance: float = 1e-3,
    progress: Progress | None = None,
) -> Tagging:
    r"""A chain of tags and, for each annotator, the probability of the right tag for each true tag.

    .. math:: P(c = k \mid t = k) = v_{ak}, \qquad P(c = l \ne k \mid t = k) = (1 - v_{ak})/(K - 1)

    Maximum a posteriori by EM: one right and one wrong tag added for each annotator and tag, one move
    for each allowed pair.

    A. T. Nguyen, B. Wallace, J. J. Li, A. Nenkova and M. Lease (2017). Aggregating and predicting
    sequence labels from crowd annotations. ACL, 299–309.
    """
    from scipy.sparse import csr_array

    K, n, A = data.n_tags, data.n_atoms, data.n_annotators
    ok = allowed(K)
    did = csr_array(
        (np.ones(len(data.tag)), (data.atom, data.annotator * K + data.tag)), shape=(n, A * K)
    )
    posterior = vote_shares(data)
    counted = _product_moves(posterior, data.indptr)
    objective: list[float] = []
    converged = False
    told = Rounds(progress, tolerance, rounds)
    for turn in range(rounds):
        counts = np.asarray(did.T @ posterior).reshape(A, K, K)  # annotator × said × true
        right = np.einsum("akk->ak", counts)
        v = (right + 1) / (counts.sum(axis=1) + 2)
        log_emission = np.repeat(np.log((1 - v) / (K - 1))[:, None, :], K, axis=1)
        log_emission[:, np.arange(K), np.arange(K)] = np.log(v)
        transition = np.where(ok, counted + 1, 0.0)
        transition /= transition.sum(axis=1, keepdims=True)
        evidence = did @ log_emission.reshape(A * K, K)
        found = smooth(evidence, transition, data.indptr)
        objective.append(
            found.log_evidence
            + float(np.sum(np.log(v) + np.log1p(-v)))
            + float(np.sum(np.log(transition[ok])))
        )
        change = float(np.max(np.abs(found.posterior - posterior), initial=0.0))
        posterior, counted = found.posterior, found.moves
        told.told(change)
        if turn and change < tolerance:
            converged = True
            break
    with np.errstate(divide="ignore"):
        path = best_path(evidence, np.log(transition), data.indptr)
    return Tagging(
        path=path, posterior=posterior, accuracy=_accuracy(data, posterior),
        objective=tuple(objective), converged=converged, smoothed=found, transition=transition,
    )  # fmt: skip


def token_dawid_skene(
    data: Sequences,
    *,
    smoothing: float = 1.0,
    rounds: int = 1000,
    progress: Progress | None = None,
) -> Tagging:
    """Dawid and Skene's model on atoms with tags as classes; the tags of neighbours do not matter."""
    order = np.argsort(data.atom, kind="stable")
    counts = np.bincount(data.atom, minlength=data.n_atoms)
    labels = Labels(
        indptr=np.concatenate([[0], np.cumsum(counts)]),
        annotator=data.annotator[order].astype(np.int32),
        code=data.tag[order].astype(np.int32),
        n_annotators=data.n_annotators,
        n_classes=data.n_tags,
        weight=np.ones(data.n_annotators),
        clamp=np.full(data.n_atoms, -1, dtype=np.int32),
    )
    found = dawid_skene(labels, smoothing=smoothing, rounds=rounds, progress=progress)
    return Tagging(
        path=found.posterior.argmax(axis=1).astype(np.int64),
        posterior=found.posterior,
        accuracy=_accuracy(data, found.posterior),
        objective=found.objective,
        converged=bool(found.converged),
    )


#: models of units without overlap, by name
MODELS: Mapping[str, Callable[..., Tagging]] = {
    "bsc": bsc,
    "hmm-crowd": hmm_crowd,
    "token-dawid-skene": token_dawid_skene,
}


def vote_shares(data: Sequences) -> Array:
    """Share of the annotators behind each tag of each atom."""
    K = data.n_tags
    votes = np.bincount(data.atom * K + data.tag, minlength=data.n_atoms * K).reshape(-1, K)
    share: Array = votes / votes.sum(axis=1, keepdims=True)
    return share


def _product_moves(shares: Array, indptr: Index) -> Array:
    """Moves as if neighbouring tags were independent, from O at each start."""
    first = indptr[:-1]
    follows = np.ones(len(shares), dtype=bool)
    follows[first] = False
    later = np.flatnonzero(follows)
    moves: Array = shares[later - 1].T @ shares[later]
    moves[0] += shares[first].sum(axis=0)
    return moves


def _accuracy(data: Sequences, posterior: Array) -> Array:
    right = np.bincount(
        data.annotator, weights=posterior[data.atom, data.tag], minlength=data.n_annotators
    )
    given = np.bincount(data.annotator, minlength=data.n_annotators)
    return np.where(given > 0, right / np.maximum(given, 1), np.nan)
