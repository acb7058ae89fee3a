"""The rate or mean that people would give to all items, from few of their labels and many of a judge.

Each estimator takes :class:`Labels` and returns an :class:`Estimate`. M items, n of them (L) labelled
by people, N not (U); f the judge's score, Y the mean of the people's scores of an item.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from accord.errors import InputError, UsageError
from accord.evaluation.judges.classes import wilson
from accord.evaluation.judges.labels import Array, Labels
from accord.result import Interval

#: fewer labels than this were never simulated: only the people's own interval is claimed
FEW = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """A value, its interval, and what it rests on."""

    method: str
    value: float
    interval: Interval | None
    #: the interval before it was cut to the range of the value; what a variance is read from
    ends: tuple[float, float] | None = None
    #: variance of the value for these people, where the method has one of its own
    variance: float | None = None
    terms: Mapping[str, float]
    #: why there is no value or no interval
    reason: str | None = None
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Strata:
    """What the judge's answers divide the items into: their shares and the people's mean in each."""

    w: Array
    n: NDArray[np.int64]
    size: NDArray[np.int64]
    rho: Array
    #: variance (ddof 1) of the people's mean scores within each stratum
    s2: Array
    #: labels per item in each stratum
    labels_per_item: Array

    @property
    def value(self) -> float:
        return float(self.w @ self.rho)


def human(labels: Labels, level: float) -> Estimate:
    """The people's labels alone: Wilson's interval for a rate, Student's for a mean.

    Several people per item count as the number n* of independent labels that their variance is worth.
    """
    y, m = labels.y[labels.m > 0], labels.m[labels.m > 0]
    n, value = len(y), float(np.mean(y))
    if labels.target == "rate":
        s2 = np.array([np.var(y, ddof=1) if n > 1 else 0.0])
        worth = float(effective(np.array([n]), np.array([value]), s2, np.array([m.mean()]))[0])
        low, high = wilson(value * worth, worth, level)
        return _estimate("human", value, low, high, level, labels, {"n": n})
    if n < 2:
        return _point("human", value, {"n": n}, "an interval needs at least two labelled items")
    half = _t(level, n - 1) * float(np.std(y, ddof=1)) / np.sqrt(n)
    return _estimate("human", value, value - half, value + half, level, labels, {"n": n})


def people_alone(labels: Labels, level: float, sampling: str) -> Estimate:
    """What people's labels say of all items, given how their items were chosen.

    Where the judge's answers chose them, each label counts by the inverse of the share of its answer's
    items that people labelled, which is the post-stratified estimate; where probabilities are known,
    by the item's weight; where the true class chose them, they say nothing of how frequent it is.
    """
    if sampling == "by-class":
        reason = "items chosen by their true class do not show how frequent it is"
        return _point("human", float("nan"), {}, reason)
    if sampling == "weights":
        return replace(weighted(labels.blind(), level), method="human")
    if sampling == "random":
        return human(labels, level)
    strata = strata_of(labels)
    if np.any((strata.n == 0) & (strata.size > 0)):
        reason = (
            "people labelled no item of one answer of the judge, so that theirs cannot be weighted"
        )
        return _point("human", float("nan"), {}, reason)
    return replace(post_stratified(labels, level), method="human")


def inverse_fractions(labels: Labels) -> Array | None:
    """Weight of each item: how many of its answer's items each labelled one stands for.

    None where people labelled no item of an answer: nothing stands for those.
    """
    strata, part = strata_of(labels), parts_of(labels)
    if np.any((strata.n == 0) & (strata.size > 0)):
        return None
    return np.asarray((strata.size / np.maximum(strata.n, 1))[part])


def ppi(labels: Labels, level: float) -> Estimate:
    """Prediction-powered inference: the judge's mean on the rest, corrected by its mean error.

    .. math:: \\theta = \\bar f_U + \\overline{(Y - f)}_L

    Angelopoulos, Bates, Fannjiang, Jordan and Zrnic (2023). Prediction-powered inference. Science 382.
    """
    return _prediction_powered("ppi", labels, level, tuned=False)


def ppi_plus(labels: Labels, level: float) -> Estimate:
    """PPI++: the judge counts as much as it is worth.

    .. math:: \\theta = \\lambda \\bar f_U + \\overline{(Y - \\lambda f)}_L, \\quad
       \\lambda = \\frac{cov_L(Y, f)}{(1 + n/N)\\, var(f)}

    λ between 0 and 1 for a rate (the published form: z interval); for the mean of numbers λ is only
    kept from falling below 0, because the judge may use another scale, and the interval is Student's
    with n − 2 degrees.

    Angelopoulos, Duchi and Zrnic (2023). PPI++: efficient prediction-powered inference.
    arXiv:2311.01453.
    """
    return _prediction_powered("ppi++", labels, level, tuned=True)


def post_stratified(labels: Labels, level: float, *, finite: bool = False) -> Estimate:
    """The people's rate where the judge says yes and where it says no, weighted by its answers.

    .. math:: \\theta = \\sum_k w_k \\rho_k, \\quad v = (\\sum_k w_k \\rho_k^2 - \\theta^2) / M

    Strata k are the judge's answers (yes: f ≥ ½; for numbers, and where its answers chose the items,
    each of its values), w_k their shares over all M items, ρ_k the people's mean in k. Interval:
    Jeffreys' limits of each ρ_k joined by the method of variance estimates recovery (Zou and Donner
    2008). Several people per item count as the number n* of independent labels that their variance is
    worth. It is right also when people were sent more of the items that the judge flagged.
    """
    strata = strata_of(labels)
    low, high = labels.bounds if labels.target == "mean" else (0.0, 1.0)
    scale = (high - low) or 1.0
    rho, s2 = (strata.rho - low) / scale, strata.s2 / scale**2
    theta = float(strata.w @ rho)
    below, above = _jeffreys(rho, effective(strata.n, rho, s2, strata.labels_per_item), level)
    warnings = []
    for k in np.flatnonzero((strata.n == 0) & (strata.w > 0)):
        warnings.append(
            f"no person labelled any of the {strata.size[k]} items of one answer of the judge; "
            "the people's overall mean stands in, and the interval is wide for it"
        )
        below[k], above[k] = 0.0, 1.0
    m = strata.size.sum()
    v = 0.0 if finite else max(0.0, float(strata.w @ rho**2) - theta**2) / m
    left = np.where(strata.size > 0, 1 - strata.n / np.maximum(strata.size, 1), 1.0)
    left = left if finite else np.ones_like(left)
    z2v = _z(level) ** 2 * v
    down = np.sqrt(float(strata.w**2 @ ((rho - below) ** 2 * left)) + z2v)
    up = np.sqrt(float(strata.w**2 @ ((above - rho) ** 2 * left)) + z2v)
    ends = low + scale * (theta - down), low + scale * (theta + up)
    return _estimate(
        "post-stratified", low + scale * theta, *ends, level, labels,
        {"n": int(strata.n.sum()), "M": int(m)}, warnings,
    )  # fmt: skip


def rogan_gladen(labels: Labels, level: float) -> Estimate:
    """The judge's rate on the rest, corrected by its sensitivity and specificity.

    .. math:: \\theta = \\frac{p + sp - 1}{se + sp - 1}

    The only estimator that is right when the labelled items were chosen by their true class. Interval
    of Lang and Reiczigel (2014), Preventive Veterinary Medicine 113.

    Rogan and Gladen (1978). Estimating prevalence from the results of a screening test. American
    Journal of Epidemiology 107.
    """
    if labels.target != "rate":
        raise UsageError("rogan-gladen estimates a rate; name the value with `positive`")
    y, known = labels.y, labels.m > 0
    yes = (labels.f >= 0.5).astype(np.float64)
    Y, F = y[known], yes[known]
    n1, n0, N = float(Y.sum()), float((1 - Y).sum()), int((~known).sum())
    nan = float("nan")
    if n1 == 0 or n0 == 0:
        missing = "say yes" if n1 == 0 else "say no"
        return _point("rogan-gladen", nan, {}, f"no person {missing.replace('say', 'said')}")
    if N == 0:
        return _point("rogan-gladen", nan, {}, "every item has a person's label")
    se, sp = float(Y @ F) / n1, float((1 - Y) @ (1 - F)) / n0
    p = float(yes[~known].mean())
    terms = {"sensitivity": se, "specificity": sp, "rate": p, "n": int(known.sum())}
    J = se + sp - 1
    if J <= 0:
        return _point(
            "rogan-gladen", nan, terms,
            f"sensitivity and specificity sum to {se + sp:.3f}: the judge is no better than chance",
        )  # fmt: skip
    value = min(1.0, max(0.0, (p + sp - 1) / J))
    warnings = []
    if 3 * np.sqrt(se * (1 - se) / n1 + sp * (1 - sp) / n0) > J:
        warnings.append(
            "sensitivity and specificity hardly exceed chance (within three standard errors): "
            "the corrected rate is nearly unknown"
        )
    z = _z(level)
    p_ = (N * p + z * z / 2) / (N + z * z)
    se_, sp_ = (n1 * se + 1) / (n1 + 2), (n0 * sp + 1) / (n0 + 2)
    J_ = se_ + sp_ - 1
    if J_ <= 0:
        return _point("rogan-gladen", value, terms, "the judge is no better than chance", warnings)
    t = (p_ + sp_ - 1) / J_
    e1, e0 = se_ * (1 - se_) / (n1 + 2), sp_ * (1 - sp_) / (n0 + 2)
    shift = 2 * z * z * (t * e1 - (1 - t) * e0)
    half = z * np.sqrt(p_ * (1 - p_) / (N + z * z) + t * t * e1 + (1 - t) ** 2 * e0) / J_
    low, high = t + shift - half, t + shift + half
    if high < 0 or low > 1:
        return _point("rogan-gladen", value, terms, "these rates contradict each other", warnings)
    return _estimate("rogan-gladen", value, low, high, level, labels, terms, warnings)


def weighted(labels: Labels, level: float) -> Estimate:
    """PPI++ with each labelled item counted by the inverse of its probability of being labelled.

    .. math:: \\theta = \\lambda \\bar f + \\sum_L w (Y - \\lambda f) / \\sum_L w
    """
    if labels.weights is None:
        raise InputError(
            "sampling by weights needs a weight for each item",
            hint="give the table a column 'weight': 1 / probability of being labelled",
        )
    known = labels.m > 0
    y, f, w = labels.y[known], labels.f[known], labels.weights[known]
    if np.any(~np.isfinite(w)) or np.any(w <= 0):
        raise InputError("the weights of labelled items must be positive numbers")
    n, M, N = len(y), len(labels.f), int((~known).sum())
    spread = float(np.var(labels.f, ddof=1)) if M > 1 else 0.0
    share = w / w.sum()
    cov = float(share @ ((y - share @ y) * (f - share @ f)))
    lam = 0.0 if spread == 0 else max(0.0, cov / ((1 + n / max(N, 1)) * spread))
    lam = min(1.0, lam) if labels.target == "rate" else lam
    r = y - lam * f
    mean = float(share @ r)
    value = lam * float(labels.f.mean()) + mean
    variance = float(share**2 @ (r - mean) ** 2) + lam**2 * float(np.var(labels.f)) / M
    half = _z(level) * np.sqrt(variance)
    return _estimate(
        "weighted", value, value - half, value + half, level, labels,
        {"lambda": lam, "n": n, "M": M}, variance=variance,
    )  # fmt: skip


def stratified(
    labels: Labels, level: float, method: Callable[[Labels, float], Estimate]
) -> Estimate:
    """One estimate per declared stratum, weighted by the strata's shares; the variances add.

    Fisch et al. (2024). Stratified prediction-powered inference. NeurIPS.
    """
    if labels.stratum is None:
        raise UsageError("these labels have no strata; name their column with strata=…")
    value = down = up = 0.0
    warnings: list[str] = []
    for s, name in enumerate(labels.strata):
        own = labels.take(np.flatnonzero(labels.stratum == s))
        if not len(own.f):
            continue
        if not len(own.item):
            raise InputError(
                f"no person labelled an item of stratum {name!r}",
                hint="label some, or join it with another stratum",
            )
        found = method(own, level)
        if found.ends is None:
            return _point(found.method, float("nan"), {}, f"stratum {name!r}: {found.reason}")
        share = len(own.f) / len(labels.f)
        value += share * found.value
        down += (share * (found.value - found.ends[0])) ** 2
        up += (share * (found.ends[1] - found.value)) ** 2
        warnings += [f"stratum {name!r}: {w}" for w in found.warnings]
    return _estimate(
        found.method, value, value - np.sqrt(down), value + np.sqrt(up), level, labels,
        {"strata": len(labels.strata), "n": int((labels.m > 0).sum())}, warnings,
    )  # fmt: skip


def strata_of(labels: Labels) -> Strata:
    """The strata that the judge's answers make, with what people say in each."""
    y, m = labels.y, labels.m
    known = m > 0
    part = parts_of(labels)
    size = max(2, int(part.max()) + 1)
    sizes = np.bincount(part, minlength=size)
    n = np.bincount(part[known], minlength=size)
    overall = float(np.mean(y[known]))
    rho, s2, per_item = np.full(size, overall), np.zeros(size), np.ones(size)
    for k in range(size):
        inside = y[known & (part == k)]
        if len(inside):
            rho[k] = float(inside.mean())
            per_item[k] = float(m[known & (part == k)].mean())
        if len(inside) > 1:
            s2[k] = float(inside.var(ddof=1))
    return Strata(w=sizes / sizes.sum(), n=n, size=sizes, rho=rho, s2=s2, labels_per_item=per_item)


def parts_of(labels: Labels) -> NDArray[np.int64]:
    """The stratum of each item: yes or no (a rate), or the judge's answer where that chose the items."""
    if labels.answer is not None:
        return labels.answer
    if labels.target == "rate":
        return (labels.f >= 0.5).astype(np.int64)
    return np.unique(labels.f, return_inverse=True)[1].astype(np.int64)


def effective(n: NDArray[np.int64], rho: Array, s2: Array, per_item: Array) -> Array:
    """n*: the independent labels that the mean of n items with several labels each is worth."""
    with np.errstate(divide="ignore", invalid="ignore"):
        worth = np.where((s2 > 0) & (n > 1), n * rho * (1 - rho) / s2, n)
    return np.clip(worth, n, n * per_item)


def _jeffreys(rho: Array, n: Array, level: float) -> tuple[Array, Array]:
    """Limits of each ρ: quantiles of Beta(½ + x, ½ + n − x), 0 and 1 at the ends."""
    from scipy.special import betaincinv

    x, tail = rho * n, (1 - level) / 2
    low = np.asarray(betaincinv(0.5 + x, 0.5 + n - x, tail))
    high = np.asarray(betaincinv(0.5 + x, 0.5 + n - x, 1 - tail))
    return np.where(rho <= 0, 0.0, low), np.where(rho >= 1, 1.0, high)


def _prediction_powered(name: str, labels: Labels, level: float, *, tuned: bool) -> Estimate:
    known = labels.m > 0
    Y, f, rest = labels.y[known], labels.f[known], labels.f[~known]
    n, N = len(Y), len(rest)
    if N == 0:
        raise InputError(
            f"{name} needs items without a person's label, and every item has one",
            hint="give the judge's other answers with `unlabelled`, or use `method=human`",
        )
    lam, spread = 1.0, float(np.var(labels.f, ddof=1))
    number = labels.target == "mean"
    if tuned:
        cov = float(np.mean((Y - Y.mean()) * (f - f.mean())))
        lam = 0.0 if spread == 0 else max(0.0, cov / ((1 + n / N) * spread))
        lam = lam if number else min(1.0, lam)
    r = Y - lam * f
    value = lam * float(rest.mean()) + float(r.mean())
    warnings = []
    student = tuned and number
    if student and n < 3:
        return _point(
            name, value, {"lambda": lam, "n": n}, "an interval needs three labelled items"
        )
    below = n - 2 if student else n
    variance = float(np.sum((r - r.mean()) ** 2)) / (below * n)
    variance += lam**2 * float(np.var(rest)) / N
    half = (_t(level, n - 2) if student else _z(level)) * float(np.sqrt(variance))
    if not number and (n < 200 or min(Y.sum(), n - Y.sum()) < 10):
        warnings.append(
            f"the interval of {name} covers too little below 200 labels or 10 of the rarer class"
        )
    if number and n < 300:
        warnings.append(
            "below 300 labels the interval of a mean of skewed scores covers a little too little; "
            "`method=post-stratified` is the cautious choice"
        )
    if tuned and number and lam > 1:
        warnings.append(f"λ is {lam:.2f}: the judge uses a narrower scale than people")
    return _estimate(
        name, value, value - half, value + half, level, labels,
        {"lambda": lam, "n": n, "N": N}, warnings, variance=variance, cut=number,
    )  # fmt: skip


def _estimate(
    method: str, value: float, low: float, high: float, level: float, labels: Labels,
    terms: Mapping[str, float], warnings: list[str] | None = None,
    variance: float | None = None, cut: bool = True,
) -> Estimate:  # fmt: skip
    """An estimate whose interval is cut to what the value can be, unless the method is published so."""
    ends = float(low), float(high)
    shown = ends
    if cut and labels.target == "rate":
        shown = max(0.0, ends[0]), min(1.0, ends[1])
    return Estimate(
        method=method,
        value=float(value),
        interval=Interval(*shown, level, method),
        ends=ends,
        variance=variance,
        terms=terms,
        warnings=tuple(warnings or ()),
    )


def _point(
    method: str, value: float, terms: Mapping[str, float], reason: str,
    warnings: list[str] | None = None,
) -> Estimate:  # fmt: skip
    return Estimate(
        method=method, value=value, interval=None, terms=terms, reason=reason,
        warnings=tuple(warnings or ()),
    )  # fmt: skip


def _z(level: float) -> float:
    from scipy.special import ndtri

    return float(ndtri((1 + level) / 2))


def _t(level: float, degrees: float) -> float:
    from scipy.special import stdtrit

    return float(stdtrit(degrees, (1 + level) / 2))
