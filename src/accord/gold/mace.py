"""MACE: annotators who either know the class or guess in a way of their own."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from accord.data.progress import Progress, stepwise
from accord.errors import UsageError
from accord.gold.divergence import rows_divergence
from accord.gold.labels import Array, Chunks, Estimate, Labels, agreement_under, whole
from accord.gold.rounds import Rounds
from accord.gold.votes import content
from accord.kernels import crowd

#: force of the shares of votes on the prevalences, in items
_PRIOR_ITEMS = 10.0


def mace(
    labels: Labels | Chunks,
    *,
    restarts: int = 10,
    rounds: int = 200,
    tolerance: float = 1e-7,
    know_prior: float = 0.5,
    guess_prior: float = 10.0,
    prevalence: str = "learned",
    seed: int = 0,
    progress: Progress | None = None,
) -> Estimate:
    r"""Competence and guessing habits of each annotator, by variational Bayes with restarts.

    With probability θ_a annotator a knows the class of the item and says it; otherwise a says l with
    probability ξ_al whatever the class:

    .. math:: P(y_{ai} = l \mid T_i = k) = \theta_a [l = k] + (1 - \theta_a)\, \xi_{al}

    Priors: θ_a ~ Beta(`know_prior`, `know_prior`), ξ_a ~ Dirichlet(`guess_prior`). Each restart
    climbs the evidence lower bound, which never falls; the best one is kept. A restart differs from
    the others by the competences it starts from alone, drawn by what each annotator did, so that neither
    the order of the rows nor the names of labels and annotators change the result.

    D. Hovy, T. Berg-Kirkpatrick, A. Vaswani and E. Hovy (2013). Learning whom to trust with MACE.
    NAACL-HLT, 1120–1130.

    Deviations: the original starts every restart from random guesses for every label, and takes all
    classes for equally frequent (``prevalence="uniform"``). On data with one large class it then does
    best to say that everybody guesses that class and knows nothing; here the prevalences are learnt,
    under a Dirichlet prior worth ten items at the shares of votes.
    """
    if prevalence not in ("learned", "uniform"):
        raise UsageError(f"the prevalence must be learned or uniform, got {prevalence!r}")
    # annotators draw by what they did, not by their place in the table: names do not matter
    kind = np.unique(content(labels), axis=0, return_inverse=True)[1].ravel()
    best: Estimate | None = None
    bounds: list[float] = []
    for number in stepwise(range(max(1, restarts)), progress=progress):
        rng = np.random.default_rng([seed, number])
        drawn = rng.uniform(0.1, 0.9, size=int(kind.max(initial=0)) + 1)[kind]
        start = np.full(labels.n_annotators, 0.8) if number == 0 else drawn
        found = _climb(
            labels, start, rounds, tolerance, know_prior, guess_prior, prevalence == "learned"
        )
        bounds.append(found.objective[-1])
        if best is None or found.objective[-1] > best.objective[-1]:
            best = found
    assert best is not None
    near = sum(b >= best.objective[-1] - 1e-6 * abs(best.objective[-1]) for b in bounds)
    return replace(best, notes=(f"{near} of {len(bounds)} restarts reached the best bound",))


def _climb(
    labels: Labels | Chunks,
    start: Array,
    rounds: int,
    tolerance: float,
    knows: float,
    guesses: float,
    learn: bool,
) -> Estimate:
    from scipy.special import psi

    A, K = labels.n_annotators, labels.n_classes
    said, mass = np.zeros((A, K)), np.zeros(K)
    for part in labels.parts():
        key = part.annotator.astype(np.int64) * K + part.code
        weight = part.weight[part.annotator]
        said += np.bincount(key, weights=weight, minlength=A * K).reshape(A, K)
        mass += part.shares().sum(axis=0)
    given = said.sum(axis=1)
    know, guess = start * given, (1 - start)[:, None] * said
    n = labels.n_items
    belief = _PRIOR_ITEMS * (mass / n + 1e-6) if learn and n else np.ones(K)
    known, guessed = np.empty(A), np.empty((A, K))
    posterior = np.empty((0, K))
    prior = np.full(K, 1 / K)
    objective: list[float] = []
    converged = False
    goal = tolerance * max(1, labels.n_labels)
    told = Rounds(None, goal, rounds)
    for turn in range(rounds):
        yes, no = know + knows, guess.sum(axis=1) + knows
        habits = guess + guesses
        both = psi(yes + no)
        known = np.exp(psi(yes) - both)
        guessed = np.exp((psi(no) - both)[:, None] + psi(habits) - psi(habits.sum(axis=1))[:, None])
        divergence = rows_divergence(np.stack([yes, no], axis=1), knows)
        divergence += rows_divergence(habits, guesses)
        if learn:
            prior = mass + belief
            prior /= prior.sum()
        know, guess, mass, likelihood = np.zeros(A), np.zeros((A, K)), np.zeros(K), 0.0
        for part in labels.parts():
            posterior, gained = _pass(part, prior, known, guessed, know, guess)
            mass += posterior.sum(axis=0)
            likelihood += gained
        held = float(belief @ np.log(prior)) if learn else 0.0
        objective.append(likelihood + held - divergence)
        told.told(objective[-1] - objective[-2] if turn else math.inf)
        if turn and objective[-1] - objective[-2] <= goal:
            converged = True
            break
    competence = (know + knows) / (given + 2 * knows)
    habits = guess + guesses
    strategy = habits / habits.sum(axis=1, keepdims=True)

    def apply(part: Labels) -> Array:
        if part is labels:
            return posterior
        return _pass(part, prior, known, guessed, np.zeros(A), np.zeros((A, K)))[0]

    accuracy = agreement_under(apply, labels)
    return Estimate(
        posterior=whole(labels, apply),
        apply=apply,
        accuracy=accuracy,
        tables=lambda: (
            competence[:, None, None] * np.eye(K)
            + ((1 - competence)[:, None] * strategy)[:, :, None]
        ),
        prior=prior,
        annotators={"competence": np.where(np.isnan(accuracy), np.nan, competence)},
        objective=tuple(objective),
        converged=converged,
    )


def _pass(
    part: Labels, prior: Array, known: Array, guessed: Array, know: Array, guess: Array
) -> tuple[Array, float]:
    """The classes of these items; who knew and who guessed what is added to `know` and `guess`."""
    posterior = np.empty((part.n_items, part.n_classes))
    likelihood = crowd.spam_round(
        part.indptr, part.annotator, part.code, part.weight, part.clamp,
        np.log(prior), np.log(guessed), np.log1p(known[:, None] / guessed),
        known[:, None] / (known[:, None] + guessed), posterior, know, guess,
    )  # fmt: skip
    return posterior, float(likelihood)
