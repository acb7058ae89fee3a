"""A hidden chain of tags: smoothing, the best path, and the probability of a run.

All sequences are worked on at once, atom by atom: the cost is the longest sequence in steps and the
number of atoms in work.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from accord.gold.labels import Array

Index = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Smoothed:
    """What the chain says of every atom once all evidence is in."""

    #: atoms × tags: P(tag)
    posterior: Array
    #: tags × tags: expected number of moves, the start counted as a move from O
    moves: Array
    log_evidence: float
    #: scaled forward and backward messages, and the scaled evidence of each atom
    forward: Array
    backward: Array
    evidence: Array


def steps_of(indptr: Index) -> list[tuple[Index, Index]]:
    """For each position: the atoms there, and those before them (empty at the first)."""
    sizes = np.diff(indptr)
    found: list[tuple[Index, Index]] = []
    for t in range(int(sizes.max(initial=0))):
        here = indptr[:-1][sizes > t] + t
        found.append((here, here - 1 if t else np.empty(0, dtype=np.int64)))
    return found


def smooth(log_evidence: Array, transition: Array, indptr: Index) -> Smoothed:
    """Forward–backward; `transition` need not sum to one, and is left as it is."""
    n, K = log_evidence.shape
    top = log_evidence.max(axis=1, keepdims=True)
    e = np.exp(log_evidence - top)
    forward, backward = np.empty((n, K)), np.ones((n, K))
    scale = np.empty(n)
    steps = steps_of(indptr)
    for here, back in steps:
        prior = forward[back] @ transition if len(back) else transition[0]
        now = prior * e[here]
        scale[here] = now.sum(axis=1)
        forward[here] = now / scale[here][:, None]
    moves = np.zeros((K, K))
    for here, back in reversed(steps):
        after = e[here] * backward[here] / scale[here][:, None]
        if len(back):
            backward[back] = after @ transition.T
            moves += transition * (forward[back].T @ after)
        else:
            moves[0] += transition[0] * after.sum(axis=0)
    return Smoothed(
        posterior=forward * backward,
        moves=moves,
        log_evidence=float(np.sum(np.log(scale)) + np.sum(top)),
        forward=forward,
        backward=backward,
        evidence=e / scale[:, None],
    )


def best_path(log_evidence: Array, log_transition: Array, indptr: Index) -> Index:
    """The most probable tags of every sequence together (Viterbi)."""
    n, K = log_evidence.shape
    best, came = np.empty((n, K)), np.zeros((n, K), dtype=np.int64)
    steps = steps_of(indptr)
    for here, back in steps:
        if len(back):
            through = best[back][:, :, None] + log_transition[None]
            came[here] = through.argmax(axis=1)
            best[here] = through.max(axis=1) + log_evidence[here]
        else:
            best[here] = log_transition[0] + log_evidence[here]
    path = np.zeros(n, dtype=np.int64)
    last = indptr[1:][np.diff(indptr) > 0] - 1
    path[last] = best[last].argmax(axis=1)
    for here, back in reversed(steps):
        if len(back):
            path[back] = came[here, path[here]]
    return path


def run_probability(
    found: Smoothed, transition: Array, first: int, end: int, label: int, opens: bool, closes: bool
) -> float:
    """P(a unit of this label covers exactly the atoms first … end − 1).

    `opens` and `closes` say that the run touches the start or the end of its sequence.
    """
    begin, inside = 1 + 2 * label, 2 + 2 * label
    prior = transition[0] if opens else found.forward[first - 1] @ transition
    p = float(prior[begin] * found.evidence[first, begin])
    tag = begin
    for i in range(first + 1, end):
        p *= float(transition[tag, inside] * found.evidence[i, inside])
        tag = inside
    if closes:
        return min(1.0, p)
    after = transition[tag] * found.evidence[end] * found.backward[end]
    return min(1.0, p * float(after.sum() - after[inside]))
