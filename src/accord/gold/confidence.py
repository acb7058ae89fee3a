"""Confidence that means it: model posteriors are too sure, because annotators err together.

A model of annotators takes their errors for independent and is surer than it is right. Three cures, from
the surest to the cheapest: a temperature fitted on items whose value is known, a vote among models
fitted to annotators drawn again, a temperature fitted on held-out votes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord.data.progress import stepwise
from accord.errors import UsageError
from accord.gold.labels import Array, Estimate, Labels
from accord.gold.votes import content

Index = NDArray[np.int64]

CALIBRATIONS = ("auto", "known", "bagged", "held-out", "model")
#: known items from which a temperature can be fitted
_ENOUGH_KNOWN = 30
#: labels that all refits together may read, and how many refits there are
_LABELS_READ = 20_000_000
_REFITS = 20
_FOLDS = 5
_FLOOR = 1e-12

Fit = Callable[[Labels], Estimate]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Confidence:
    """Distributions that can be read as probabilities, and how they were made."""

    posterior: Array
    method: str
    temperature: float | None = None
    #: calibration error on known items, before and after, when there are some
    error_before: float | None = None
    error_after: float | None = None

    @property
    def warnings(self) -> tuple[str, ...]:
        """What must be said where nobody measured how honest the confidences are."""
        if self.method != "model" or self.error_before is not None:
            return ()
        return (
            "the confidences are the model's own posteriors, and their calibration error was not "
            f"measured (it needs {_ENOUGH_KNOWN} known items): models are surer than they are right",
        )

    def terms(self) -> dict[str, Any]:
        out: dict[str, Any] = {"confidence": self.method}
        for name in ("temperature", "error_before", "error_after"):
            if getattr(self, name) is not None:
                out[f"calibration_{name}" if name != "temperature" else name] = getattr(self, name)
        return out


def calibrated(
    labels: Labels, found: Estimate, fit: Fit, *, method: str = "auto", seed: int = 0
) -> Confidence:
    """The posteriors of a model made honest.

    * *known*: P^{1/T} renormalised, T ≥ 1 by maximum likelihood on the known items, which the model
      for this purpose has not seen (5 folds); needs thirty of them.
    * *bagged*: the mean posterior over models fitted to annotators drawn again (Bayesian bootstrap:
      weights Exp(1), one per annotator).
    * *held-out*: T by the likelihood of votes that the model has not seen (5 folds). Votes alone never
      show the whole over-confidence.
    * *model*: as the model says, with its calibration error where thirty items are known, and a
      warning where it could not be measured.

    ``auto`` is *known* with thirty known items or more, else *bagged*.
    """
    if method not in CALIBRATIONS:
        raise UsageError(f"calibrate must be one of {', '.join(CALIBRATIONS)}, got {method!r}")
    known = np.flatnonzero(labels.clamp >= 0).astype(np.int64)
    if method == "auto":
        method = "known" if len(known) >= _ENOUGH_KNOWN else "bagged"
    if method == "known":
        if len(known) < _ENOUGH_KNOWN:
            raise UsageError(
                f"a temperature needs at least {_ENOUGH_KNOWN} known items, got {len(known)}"
            )
        return _by_known(labels, found, fit, known, seed)
    if method == "bagged":
        return Confidence(posterior=_bagged(labels, found, fit, seed), method="bagged")
    if method == "held-out":
        T = _temperature(*_held_out_votes(labels, fit, seed))
        return Confidence(
            posterior=_clamped(tempered(found.posterior, T), labels),
            method="held-out",
            temperature=T,
        )
    error = None
    if len(known) >= _ENOUGH_KNOWN:
        error = calibration_error(_told(labels, fit, known, seed), labels.clamp[known])
    return Confidence(posterior=found.posterior, method="model", error_before=error)


def refits(labels: Labels, method: str) -> int:
    """How often the model is fitted again for that."""
    known = int((labels.clamp >= 0).sum()) >= _ENOUGH_KNOWN
    if method == "bagged" or (method == "auto" and not known):
        return int(np.clip(_LABELS_READ // max(1, 50 * len(labels.code)), 5, _REFITS))
    return _FOLDS if method != "model" or known else 0


def tempered(posterior: Array, temperature: float) -> Array:
    """P^{1/T}, renormalised.

    >>> tempered(np.array([[0.9, 0.1]]), 2.0).round(3).tolist()
    [[0.75, 0.25]]
    """
    logs = np.log(np.maximum(posterior, _FLOOR)) / temperature
    logs -= logs.max(axis=1, keepdims=True)
    weight = np.exp(logs)
    out: Array = weight / weight.sum(axis=1, keepdims=True)
    return out


def calibration_error(posterior: Array, truth: NDArray[np.integer]) -> float:
    """Expected calibration error: ten equal bins on the largest probability, the last closed."""
    top = posterior.max(axis=1)
    best = np.isclose(posterior, top[:, None], rtol=0, atol=1e-12)
    hit = best[np.arange(len(truth)), truth.astype(np.int64)] / best.sum(axis=1)
    part = np.minimum((top * 10).astype(np.int64), 9)
    return float(
        sum(
            np.mean(part == b) * abs(hit[part == b].mean() - top[part == b].mean())
            for b in np.unique(part)
        )
    )


def _bagged(labels: Labels, found: Estimate, fit: Fit, seed: int) -> Array:
    times = refits(labels, "bagged")
    # names do not decide which weight an annotator draws
    order = np.lexsort(content(labels).T)
    total = np.zeros_like(found.posterior)
    for number in stepwise(range(times)):
        rng = np.random.default_rng([seed, number])
        drawn = np.empty(labels.n_annotators)
        drawn[order] = rng.exponential(size=labels.n_annotators)
        total += fit(replace(labels, weight=labels.weight * drawn)).posterior
    mean: Array = total / times
    return mean


def _by_known(labels: Labels, found: Estimate, fit: Fit, known: Index, seed: int) -> Confidence:
    """T on folds of the known items, each judged by a model that did not know them."""
    told = _told(labels, fit, known, seed)
    truth = labels.clamp[known]
    T = _temperature(told, np.eye(labels.n_classes)[truth])
    return Confidence(
        posterior=_clamped(tempered(found.posterior, T), labels),
        method="known",
        temperature=T,
        error_before=calibration_error(told, truth),
        error_after=calibration_error(tempered(told, T), truth),
    )


def _told(labels: Labels, fit: Fit, known: Index, seed: int) -> Array:
    """What models that did not know them say of the known items, fold by fold."""
    fold = _folds(len(known), seed)
    told = np.empty((len(known), labels.n_classes))
    for f in stepwise(range(_FOLDS)):
        hidden = labels.clamp.copy()
        hidden[known[fold == f]] = -1
        told[fold == f] = fit(replace(labels, clamp=hidden)).posterior[known[fold == f]]
    return told


def _held_out_votes(labels: Labels, fit: Fit, seed: int) -> tuple[Array, Array]:
    """Posteriors without a vote, and how likely that vote is under each class."""
    from accord.gold.dawid_skene import confusion_of

    item = labels.item
    fold = _folds(len(labels.code), seed)
    posteriors, likelihoods = [], []
    for f in stepwise(range(_FOLDS)):
        keep = fold != f
        counts = np.bincount(item[keep], minlength=labels.n_items)
        rest = replace(
            labels,
            indptr=np.concatenate([[0], np.cumsum(counts)]),
            annotator=labels.annotator[keep],
            code=labels.code[keep],
        )
        estimate = fit(rest)
        confusion = confusion_of(rest, estimate.posterior)
        out = np.flatnonzero(~keep & (labels.clamp[item] < 0) & (counts[item] > 0))
        posteriors.append(estimate.posterior[item[out]])
        likelihoods.append(confusion[labels.annotator[out], labels.code[out]])
    return np.concatenate(posteriors), np.concatenate(likelihoods)


def _temperature(posterior: Array, likelihood: Array) -> float:
    """T in [1, 50] that makes what was held out most likely."""
    from scipy.optimize import minimize_scalar

    if not len(posterior):
        return 1.0

    def loss(log_t: float) -> float:
        p = np.sum(tempered(posterior, float(np.exp(log_t))) * likelihood, axis=1)
        return -float(np.sum(np.log(np.maximum(p, _FLOOR))))

    found = minimize_scalar(loss, bounds=(0.0, np.log(50.0)), method="bounded")
    return float(np.exp(found.x)) if loss(float(found.x)) < loss(0.0) else 1.0


def _folds(size: int, seed: int) -> Index:
    return np.random.default_rng(seed).permutation(size) % _FOLDS


def _clamped(posterior: Array, labels: Labels) -> Array:
    known = labels.clamp >= 0
    posterior[known] = 0.0
    posterior[known, labels.clamp[known]] = 1.0
    return posterior
