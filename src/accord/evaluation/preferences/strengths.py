"""How strong each object is: Bradley and Terry's model, and Davidson's where there are ties."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord.data.preferences import TIE, Preferences
from accord.errors import RefusedError, some

Array = NDArray[np.float64]

#: Newton's steps at most; the likelihood is concave and a dozen are enough
_STEPS = 100
#: when the largest slope is below it, per judgement, the summit is reached
_FLAT = 1e-10


@dataclass(frozen=True, slots=True, eq=False)
class Strengths:
    """θ = log π of each object, Σθ = 0, and ν, how readily two equal ones tie."""

    theta: Array
    nu: float
    #: covariance of θ by the information matrix
    covariance: Array
    log_likelihood: float


def counts(data: Preferences, weight: Array | None = None) -> tuple[Array, Array]:
    """Wins (row over column) and ties (symmetric) of every pair, judgements weighted."""
    k = len(data.objects)
    weight = np.ones(len(data)) if weight is None else weight
    wins, ties = np.zeros((k, k)), np.zeros((k, k))
    decided = data.winner != TIE
    first = np.where(data.winner == 1, data.right, data.left)
    second = np.where(data.winner == 1, data.left, data.right)
    np.add.at(wins, (first[decided], second[decided]), weight[decided])
    np.add.at(ties, (first[~decided], second[~decided]), weight[~decided])
    return wins, ties + ties.T


def fit(wins: Array, ties: Array, prior: float = 0.0) -> Strengths:
    """The most likely strengths, by Newton's method.

    .. math:: P(i \\succ j) = \\frac{\\pi_i}{\\pi_i + \\pi_j + \\nu\\sqrt{\\pi_i \\pi_j}}, \\quad
       P(i = j) = \\frac{\\nu\\sqrt{\\pi_i \\pi_j}}{\\pi_i + \\pi_j + \\nu\\sqrt{\\pi_i \\pi_j}}

    With ν = 0 when there is no tie. `prior` adds so many wins and losses of each object against an
    opponent of strength θ = 0.

    Bradley, R. A. & Terry, M. E. (1952). Rank analysis of incomplete block designs. Biometrika 39;
    Davidson, R. R. (1970). On extending the Bradley–Terry model to accommodate ties. JASA 65.

    >>> found = fit(np.array([[0., 3, 2], [1, 0, 3], [1, 1, 0]]), np.zeros((3, 3)))
    >>> np.abs(found.theta).round(5).tolist()
    [0.65758, 0.0, 0.65758]
    """
    k = len(wins)
    tied = bool(ties.any())
    x = np.zeros(k + tied)  # θ, and log ν
    total = max(1.0, float(wins.sum() + ties.sum() / 2))
    value, slope, bend = _likelihood(x, wins, ties, prior)
    for _ in range(_STEPS):
        if np.abs(_free(slope, k)).max(initial=0.0) <= _FLAT * total:
            break
        step = _step(slope, bend, k)
        while True:  # a concave climb may overshoot, never miss
            ahead = _likelihood(x + step, wins, ties, prior)
            if ahead[0] >= value - 1e-12 * abs(value) or np.abs(step).max() < 1e-14:
                break
            step = step / 2
        x, (value, slope, bend) = x + step, ahead
    theta = x[:k] - x[:k].mean()
    return Strengths(
        theta=theta,
        nu=float(np.exp(x[k])) if tied else 0.0,
        covariance=_covariance(bend, k),
        log_likelihood=float(value),
    )


def why_unbounded(wins: Array, ties: Array, names: tuple[str, ...]) -> str | None:
    """Why no finite strengths exist, or None when they do.

    Every object must be reachable from every other along wins, a tie joining both ways (Ford 1957);
    with ties, some cycle must have more wins than ties, or ν and the strengths grow without end.
    """
    from scipy.sparse.csgraph import connected_components

    beats = (wins > 0) | (ties > 0)
    n, part = connected_components(beats, directed=True, connection="strong")
    if n > 1:
        lost = [p for p in range(n) if not beats[np.ix_(part != p, part == p)].any()]
        won = [p for p in range(n) if not beats[np.ix_(part == p, part != p)].any()]
        chosen, said = (lost[0], "never lose to") if lost else (won[0], "never beat")
        group = [name for name, p in zip(names, part, strict=True) if p == chosen]
        verb = said if len(group) > 1 else said.replace("lose", "loses").replace("beat", "beats")
        return f"{some(group)} {verb} any of the others, so that their distance has no limit"
    if ties.any() and _can_spread(wins, ties):
        return (
            "ties are so many, or so placed, that the model takes the objects for ever more alike in "
            "some pairs and ever more different in others"
        )
    return None


def refuse_unbounded(wins: Array, ties: Array, names: tuple[str, ...]) -> None:
    """An error when the strengths have no finite value."""
    why = why_unbounded(wins, ties, names)
    if why is not None:
        raise RefusedError(f"{why}; pass `prior=0.5` to judge each against an average opponent too")


def _likelihood(x: Array, wins: Array, ties: Array, prior: float) -> tuple[float, Array, Array]:
    """Log-likelihood, its slope and its second derivatives, in θ and log ν."""
    k = len(wins)
    tied = len(x) > k
    i, j = np.nonzero(np.triu(wins + wins.T + ties, 1))
    win, loss, tie = wins[i, j], wins[j, i], ties[i, j]
    a, b = x[i], x[j]
    c = x[k] + (a + b) / 2 if tied else np.full(len(i), -np.inf)
    top = np.maximum(a, b) if not tied else np.maximum(np.maximum(a, b), c)
    log_sum = top + np.log(np.exp(a - top) + np.exp(b - top) + np.exp(c - top))
    p, q, t = np.exp(a - log_sum), np.exp(b - log_sum), np.exp(c - log_sum)
    n = win + loss + tie
    value = float((win * a + loss * b + (tie * c if tied else 0.0) - n * log_sum).sum())
    # derivatives of log_sum: θ_i p + t/2, θ_j q + t/2, log ν t
    slope, bend = np.zeros(len(x)), np.zeros((len(x), len(x)))
    gi, gj = p + t / 2, q + t / 2
    np.add.at(slope, i, win + tie / 2 - n * gi)
    np.add.at(slope, j, loss + tie / 2 - n * gj)
    np.add.at(bend, (i, i), -n * (p + t / 4 - gi * gi))
    np.add.at(bend, (j, j), -n * (q + t / 4 - gj * gj))
    both = -n * (t / 4 - gi * gj)
    np.add.at(bend, (i, j), both)
    np.add.at(bend, (j, i), both)
    if tied:
        slope[k] = float((tie - n * t).sum())
        bend[k, k] = float((-n * (t - t * t)).sum())
        for side, g in ((i, gi), (j, gj)):
            np.add.at(bend[:, k], side, -n * (t / 2 - t * g))
        bend[k, :k] = bend[:k, k]
    if prior:
        p = 1 / (1 + np.exp(-x[:k]))
        value += float((prior * x[:k] - 2 * prior * np.logaddexp(0.0, x[:k])).sum())
        slope[:k] += prior - 2 * prior * p
        bend[np.arange(k), np.arange(k)] -= 2 * prior * p * (1 - p)
    return value, slope, bend


def _free(slope: Array, k: int) -> Array:
    """The slope along which Σθ stays 0."""
    out = slope.copy()
    out[:k] -= out[:k].mean()
    return out


def _step(slope: Array, bend: Array, k: int) -> Array:
    """Newton's step under Σθ = 0, by a multiplier."""
    size = len(slope)
    system = np.zeros((size + 1, size + 1))
    system[:size, :size] = bend
    system[:k, size] = system[size, :k] = 1.0
    return np.asarray(np.linalg.lstsq(system, np.append(-slope, 0.0), rcond=None)[0][:size])


def _covariance(bend: Array, k: int) -> Array:
    """Inverse information on Σθ = 0."""
    size = len(bend)
    onto = np.eye(size)
    onto[:k, :k] -= 1 / k
    return np.asarray(np.linalg.pinv(onto @ -bend @ onto, rcond=1e-10)[:k, :k])


def _can_spread(wins: Array, ties: Array) -> bool:
    """Numbers with every winner at least 1 above its loser and tied ones at most 1 apart exist."""
    k = len(wins)
    edges = [(i, j, -1.0) for i, j in np.argwhere(wins > 0).tolist()]
    edges += [(i, j, 1.0) for i, j in np.argwhere(ties > 0).tolist()]
    distance = np.zeros(k)
    for _ in range(k):
        moved = False
        for i, j, length in edges:
            if distance[i] + length < distance[j] - 1e-12:
                distance[j], moved = distance[i] + length, True
        if not moved:
            return True
    return False


__all__: list[Any] = ["Strengths", "counts", "fit", "refuse_unbounded", "why_unbounded"]
