"""Variance components of numbers: items, annotators, error; by mean squares or by REML.

Both work on additive statistics of the items, so that any set of weights, or any item left out, costs
a sum: the likelihood needs of an item only how many ratings it has, their sum, and who gave them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord.data import Ratings
from accord.data.sums import Alike
from accord.errors import UsageError
from accord.measures.ratings.profiles import Profiles
from accord.result import Array

#: ratios of variances that the search starts from
_STARTS = (0.0, 0.03, 0.3, 1.0, 3.0, 30.0)
_ROUNDS = 60
_CLOSE = 1e-10


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Components:
    """Variances between items, between annotators, and of the rest; one entry per replicate."""

    items: Array
    annotators: Array
    error: Array
    #: ratings per item: their number, or the harmonic mean of their numbers
    k: Array
    #: mean squares (complete data only): between items, between annotators, residual, within items
    squares: dict[str, Array]
    #: number of items
    n: Array


def positions(ratings: Ratings, name: str) -> Array:
    """Where each value lies: its number, or the rank of a category declared in order."""
    if ratings.kind == "numbers":
        return ratings.numbers
    if ratings.ordered:
        return np.arange(1.0, len(ratings.values) + 1)
    shown = ratings.labels[0] if len(ratings.values) else ""
    raise UsageError(
        f"{name} needs numbers or categories declared in order, got {ratings.kind} such as "
        f"{shown!r}; declare their order with `categories=low<mid<high`"
    )


# --- complete data -------------------------------------------------------------------------------


def complete_tally(profiles: Profiles, x: Array) -> Array:
    """Rows: one item, (Σx)²/k, Σx², then the value of each annotator."""
    m = int(profiles.per_item.max(initial=0))
    values = x[profiles.code].reshape(-1, m)
    total = values.sum(axis=1)
    rows = np.zeros((profiles.size, 3 + m))
    rows[profiles.per_item > 0] = np.column_stack(
        [np.ones(len(values)), total**2 / m, (values**2).sum(axis=1), values]
    )
    return rows


def complete_sums(alike: Alike, m: int) -> Array:
    """The same rows, of the documents (or of all) that items were summed in."""
    size = len(alike.by_annotator)

    def added(figures: Array) -> Array:
        found: Array = np.bincount(alike.document, weights=figures, minlength=size).astype(float)
        return found

    three = [added(alike.items.astype(np.float64)), added(alike.squares) / m, added(alike.values)]
    return np.column_stack([*three, alike.by_annotator])


def mean_squares(totals: Array) -> Components:
    """The analysis of variance of items × annotators from its sums."""
    n, between, square, each = totals[:, 0], totals[:, 1], totals[:, 2], totals[:, 3:]
    k = each.shape[1]
    with np.errstate(divide="ignore", invalid="ignore"):
        middle = each.sum(axis=1) ** 2 / (n * k)
        # sums of squares that cancel up to rounding are 0 (totals are complex where the value is derived)
        least = 1e-12 * np.maximum(np.real(square), 1e-300)
        SSB, SSJ, SST = (
            np.where(np.real(ss) <= least, 0.0, ss)
            for ss in (between - middle, (each**2).sum(axis=1) / n - middle, square - middle)
        )
        SSE = SST - SSB - SSJ
        SSE = np.where(least >= np.real(SSE), 0.0, SSE)
        MSB, MSJ = SSB / (n - 1), SSJ / (k - 1)
        MSE, MSW = SSE / ((n - 1) * (k - 1)), (SSE + SSJ) / (n * (k - 1))
    return Components(
        items=(MSB - MSE) / k,
        annotators=(MSJ - MSE) / n,
        error=MSE,
        k=np.full(len(n), float(k)),
        squares={"MSB": MSB, "MSJ": MSJ, "MSE": MSE, "MSW": MSW},
        n=n,
    )


# --- missing cells -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Incomplete:
    """How the sums of incomplete data are laid out."""

    #: the different numbers of ratings per item
    sizes: NDArray[np.int64]
    annotators: int

    @property
    def width(self) -> int:
        m = self.annotators
        return len(self.sizes) * (3 + m + m * m) + m + 1

    def tally(self, profiles: Profiles, x: Array) -> Array:
        """For each number of ratings: items, Σs, Σs², Σ z s, Σ z zᵀ; then Σ x by annotator, Σ x².

        s is the sum of an item's ratings, z marks who rated it.
        """
        m, out = self.annotators, np.zeros((profiles.size, self.width))
        value = x[profiles.code]
        z = np.zeros((profiles.size, m))
        z[profiles.row, profiles.annotator] = 1.0
        s = profiles.sum_rows(value)
        step = 3 + m + m * m
        for g, k in enumerate(self.sizes.tolist()):
            here = np.flatnonzero(profiles.per_item == k)
            block = [
                np.ones((len(here), 1)), s[here, None], s[here, None] ** 2, z[here] * s[here, None],
                (z[here, :, None] * z[here, None, :]).reshape(len(here), m * m),
            ]  # fmt: skip
            out[here, g * step : (g + 1) * step] = np.concatenate(block, axis=1)
        by_annotator = np.zeros((profiles.size, m))
        by_annotator[profiles.row, profiles.annotator] = value
        out[:, -m - 1 : -1] = by_annotator
        out[:, -1] = profiles.sum_rows(value**2)
        return out

    def of_sums(self, alike: Alike) -> Array:
        """The same rows, of the documents (or of all) that items were summed in."""
        m, size = self.annotators, len(alike.by_annotator)
        out = np.zeros((size, self.width))
        z = alike.rated(m) if m else np.zeros((len(alike.size), 0))
        step = 3 + m + m * m
        for g, k in enumerate(self.sizes.tolist()):
            here = np.flatnonzero(alike.size == k)
            zz = z[here, :, None] * z[here, None, :] * alike.items[here, None, None]
            block = [
                alike.items[here, None], alike.sums[here, None], alike.squares[here, None],
                z[here] * alike.sums[here, None], zz.reshape(len(here), m * m),
            ]  # fmt: skip
            np.add.at(out[:, g * step : (g + 1) * step], alike.document[here], np.hstack(block))
        if m:
            out[:, -m - 1 : -1] = alike.by_annotator
        np.add.at(out[:, -1], alike.document, alike.values)
        return out

    def fit(self, totals: Array, *, two_way: bool) -> Components:
        """Restricted maximum likelihood of x = μ + item (+ annotator) + error, for each replicate."""
        sums = _Sums.of(self, totals)
        start = np.array(
            [(a, b if two_way else 0.0) for a in _STARTS for b in (_STARTS if two_way else (0.0,))]
        )
        whole = _Sums.of(self, totals.mean(axis=0, keepdims=True))
        grid = np.array([float(whole.deviance(p[None, :])[0][0]) for p in start])
        best = np.log1p(np.repeat(start[np.nanargmin(grid)][None, :], len(totals), axis=0))
        theta = np.expm1(_minimise(sums, best, two_way))
        _, residual = sums.deviance(theta)
        error = residual / (sums.ratings - 1)
        items = sums.items
        with np.errstate(divide="ignore", invalid="ignore"):
            harmonic = items.sum(axis=1) / (items / self.sizes).sum(axis=1)
        return Components(
            items=theta[:, 0] * error,
            annotators=theta[:, 1] * error,
            error=error,
            k=harmonic,
            squares={},
            n=items.sum(axis=1),
        )


@dataclass(frozen=True, slots=True, eq=False)
class _Sums:
    sizes: Array
    items: Array
    s: Array
    s2: Array
    zs: Array
    zz: Array
    x: Array
    x2: Array

    @classmethod
    def of(cls, layout: Incomplete, totals: Array) -> _Sums:
        m, G, B = layout.annotators, len(layout.sizes), len(totals)
        parts = totals[:, : G * (3 + m + m * m)].reshape(B, G, 3 + m + m * m)
        return cls(
            layout.sizes.astype(np.float64), parts[:, :, 0], parts[:, :, 1], parts[:, :, 2],
            parts[:, :, 3 : 3 + m], parts[:, :, 3 + m :].reshape(B, G, m, m),
            totals[:, -m - 1 : -1], totals[:, -1],
        )  # fmt: skip

    @property
    def ratings(self) -> Array:
        """Number of ratings."""
        return np.asarray(self.items @ self.sizes)

    def deviance(self, theta: Array) -> tuple[Array, Array]:
        """−2ℓ of the profile likelihood, and the weighted residual sum of squares.

        −2ℓ = (N−1) log r² + log|V| + log 1ᵀV⁻¹1 with V = I + θ_i Z_iZ_iᵀ + θ_a Z_aZ_aᵀ. Items are
        absorbed: a system of the size of the annotators is left.
        """
        item, annotator = theta[:, :1], theta[:, 1]
        k = self.sizes
        c = item / (1 + item * k)
        use = np.einsum("bgii->bgi", self.zz)
        each = use.sum(axis=1)
        A = -np.einsum("bg,bgij->bij", c, self.zz)
        m = A.shape[1]
        A[:, np.arange(m), np.arange(m)] += each
        u = self.x - np.einsum("bg,bgi->bi", c, self.zs)
        v = each - np.einsum("bg,bgi->bi", c * k, use)
        xx = self.x2 - (c * self.s2).sum(axis=1)
        x1 = self.s.sum(axis=1) - (c * k * self.s).sum(axis=1)
        one = self.ratings - (c * k * k * self.items).sum(axis=1)
        M = np.eye(m) + annotator[:, None, None] * A
        both = np.linalg.solve(M, np.stack([u, v], axis=2)) * annotator[:, None, None]
        xx = xx - (u * both[:, :, 0]).sum(axis=1)
        x1 = x1 - (u * both[:, :, 1]).sum(axis=1)
        one = one - (v * both[:, :, 1]).sum(axis=1)
        residual = np.maximum(xx - x1 * x1 / one, 0.0)
        with np.errstate(divide="ignore", invalid="ignore"):
            size = (self.items * np.log1p(item * k)).sum(axis=1) + np.linalg.slogdet(M)[1]
            found = (self.ratings - 1) * np.log(residual) + size + np.log(one)
        return np.where(np.isnan(found), np.inf, found), residual


def _minimise(sums: _Sums, start: Array, two_way: bool) -> Array:
    """Newton's method for all replicates at once, on log(1 + θ), with θ ≥ 0."""
    p = start.copy()
    free = [0, 1] if two_way else [0]
    step = 1e-4

    def f(at: Array) -> Array:
        return sums.deviance(np.expm1(at))[0]

    now = f(p)
    for _ in range(_ROUNDS):
        gradient, hessian = np.zeros_like(p), np.zeros((len(p), 2, 2))
        around: dict[tuple[int, int], Any] = {}
        for i in free:
            shift = np.zeros(2)
            shift[i] = step
            around[i, 1], around[i, -1] = f(p + shift), f(p - shift)
            gradient[:, i] = (around[i, 1] - around[i, -1]) / (2 * step)
            hessian[:, i, i] = (around[i, 1] - 2 * now + around[i, -1]) / step**2
        if two_way:
            mixed = f(p + step) - around[0, 1] - around[1, 1] + now
            hessian[:, 0, 1] = hessian[:, 1, 0] = mixed / step**2
        held = (p <= 0) & (gradient >= 0)
        if not two_way:
            held[:, 1] = True
        for i in (0, 1):
            fixed = held[:, i]
            hessian[fixed, i, :] = hessian[fixed, :, i] = 0.0
            hessian[fixed, i, i] = 1.0
            gradient[fixed, i] = 0.0
            # where the surface bends the wrong way, descend
            hessian[:, i, i] = np.maximum(np.abs(hessian[:, i, i]), 1e-3)
        wrong = hessian[:, 0, 0] * hessian[:, 1, 1] <= 1.0001 * hessian[:, 0, 1] ** 2
        hessian[wrong, 0, 1] = hessian[wrong, 1, 0] = 0.0
        move = -np.linalg.solve(hessian, gradient[:, :, None])[:, :, 0]
        move = np.clip(move, -1.0, 1.0)
        scale = np.ones(len(p))
        for _ in range(25):
            trial = np.maximum(p + scale[:, None] * move, 0.0)
            value = f(trial)
            worse = value > now + 1e-13 * np.abs(now)
            if not worse.any():
                break
            scale = np.where(worse, scale / 2, scale)
        accepted = ~worse
        change = np.where(accepted[:, None], np.abs(trial - p), 0.0)
        p = np.where(accepted[:, None], trial, p)
        now = np.where(accepted, value, now)
        if float(change.max(initial=0.0)) < _CLOSE:
            break
    return p
