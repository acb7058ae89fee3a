"""Camps: a partition of the annotators in two, each agreeing with itself more than with the other.

For a partition, the contrast is T = min(κ inside one camp, κ inside the other) − κ between them, κ
averaged over pairs (CCC for numbers). Annotators of different quality who err independently have
κ_ab = λ_a λ_b, for which T is never positive: T is not raised by a careless annotator, nor by a
copied one. The largest T over all partitions is compared with that of the same items with their
answers permuted among those who gave them (sequential Monte Carlo test of Besag & Clifford 1991).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from accord.audit.case import Case
from accord.audit.finding import Finding, Skipped, percent
from accord.audit.rule import rule
from accord.data import Ratings

Array = NDArray[np.float64]

#: more annotators than this are not parted
_MOST = 60
#: partitions are all looked at up to this many annotators, then searched for
_ALL = 10
#: cells (annotators × items) looked at; items are drawn when there are more
_CELLS = 60_000
#: pairs that share fewer items than this do not show who is like whom
_SHARED = 10
#: a smaller contrast is not worth a finding
_CONTRAST = 0.05
_LEVEL = 0.01
_PERMUTATIONS = 199


@rule(
    "camps",
    looks_for="two camps of annotators, each agreeing with itself more than with the other",
    citation="Akhtar, Basile & Patti (2021), Whose opinions matter? Perspective-aware models, arXiv",
    people=True,
    items=True,
)
def camps(case: Case) -> Finding | Skipped | None:
    """Two camps who read the task in two ways: an average or a majority hides both."""
    if len(case.data.annotators) < 4:
        return None
    data = case.decisions
    if data is None or len(case.data.annotators) > _MOST:
        return Skipped(f"more than {_MOST} annotators, or too many marks, to part into camps")
    table = _table(data, np.random.default_rng(case.seed), whole=data is not case.data)
    if table.codes.shape[1] < 20:
        return Skipped("fewer than 20 items with two answers")
    shared = kappas(table)[1]
    if np.median(shared[np.triu_indices(len(shared), k=1)]) < _SHARED:
        return Skipped(f"most pairs of annotators share fewer than {_SHARED} items")
    found = parted(table)
    if found is None or found.contrast < _CONTRAST:
        return None
    p = _chance_of(table, found.contrast, np.random.default_rng(case.seed))
    if p > _LEVEL:
        return None
    names = data.annotators
    one = [names[a] for a in np.flatnonzero(found.side)]
    two = [names[a] for a in np.flatnonzero(~found.side)]
    differ = _differ(data, found.side)
    return Finding(
        severity="serious",
        statement=(
            f"Two camps: {', '.join(one)} against {', '.join(two)}. Agreement is {found.inside[0]:.2f} "
            f"and {found.inside[1]:.2f} inside them and {found.between:.2f} between them{differ[0]}."
        ),
        evidence={
            "camps": [one, two],
            "inside": list(found.inside),
            "between": found.between,
            "p": p,
            "shares": differ[1],
        },
        advice=(
            "Find out what parts them (guideline, background, training); report agreement inside each "
            "camp, and keep both readings rather than one majority."
        ),
    )


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """Answers, annotators × items: codes (−1 for none) and, on a scale, the numbers behind them."""

    codes: NDArray[np.int64]
    size: int
    numbers: Array | None
    #: the document of each item, when all who work on it see it whole
    blocks: NDArray[np.int64] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Partition:
    """Who is on which side, and κ inside the sides and between them."""

    side: NDArray[np.bool_]
    inside: tuple[float, float]
    between: float
    contrast: float


def _table(data: Ratings, rng: np.random.Generator, whole: bool = False) -> Table:
    rows = np.flatnonzero(data.per_item >= 2)
    most = max(200, _CELLS // len(data.annotators))
    if len(rows) > most:
        rows = np.sort(rng.choice(rows, most, replace=False))
    kept = data.take(rows)
    codes = np.full((len(data.annotators), len(rows)), -1, dtype=np.int64)
    codes[kept.annotator, kept.item] = kept.code
    if data.kind == "numbers" and len(data.values) > 2:
        return Table(codes, len(data.values), data.numbers)
    blocks = None
    if whole and kept.document is not None:
        blocks = np.unique(kept.document, return_inverse=True)[1].astype(np.int64)
    common = np.argsort(-np.bincount(data.code, minlength=len(data.values)), kind="stable")
    number = np.full(len(data.values), min(len(common), 50) - 1)  # the rare ones count as one
    number[common[:50]] = np.arange(min(len(common), 50))
    return Table(np.where(codes >= 0, number[codes], -1), min(len(common), 50), None, blocks)


def kappas(table: Table) -> tuple[Array, Array]:
    """Cohen's κ of every pair (numbers: Lin's concordance, its quadratic form), and their items."""
    there = (table.codes >= 0).astype(np.float64)
    N = there @ there.T
    safe = np.maximum(N, 1)
    if table.numbers is not None:
        x = np.where(table.codes >= 0, table.numbers[table.codes], 0.0)
        square, total, product = (x * x) @ there.T, x @ there.T, x @ x.T
        apart = square + square.T - 2 * product
        chance = square + square.T - 2 * total * total.T / safe
    else:
        same, expected = np.zeros_like(N), np.zeros_like(N)
        for c in range(table.size):
            says = (table.codes == c).astype(np.float64)
            said = says @ there.T
            same += says @ says.T
            expected += said * said.T
        apart, chance = N - same, N - expected / safe
    kappa = 1 - np.divide(apart, chance, out=np.ones_like(N), where=chance > 1e-9)
    np.fill_diagonal(N, 0)
    return kappa, N


def parted(table: Table) -> Partition | None:
    """The partition with the largest contrast; None when no two camps share items."""
    kappa, N = kappas(table)
    m = len(kappa)
    if m <= _ALL:
        code = np.arange(1, 2 ** (m - 1))
        sides = (code[:, None] >> np.arange(m)) & 1 == 1
    else:
        sides = _search(kappa, N)
    number = sides.sum(axis=1)
    sides = sides[(number >= 2) & (number <= m - 2)]
    if not len(sides):
        return None
    inside, other, between = _contrasts(sides, kappa, N)
    contrast = np.minimum(inside, other) - between
    if np.isnan(contrast).all():
        return None
    best = int(np.nanargmax(contrast))
    return Partition(
        sides[best],
        (float(inside[best]), float(other[best])),
        float(between[best]),
        float(contrast[best]),
    )


def _contrasts(sides: NDArray[np.bool_], kappa: Array, N: Array) -> tuple[Array, Array, Array]:
    """Mean κ inside the side, inside the other and between, weighted by the items shared."""
    Z = sides.astype(np.float64)
    weighted = kappa * N

    def mean(left: Array, right: Array) -> Array:
        top, bottom = ((left @ K) * right for K in (weighted, N))
        total = bottom.sum(axis=1)
        out: Array = np.full(len(total), np.nan)
        np.divide(top.sum(axis=1), total, out=out, where=total > 0)
        return out

    return mean(Z, Z), mean(1 - Z, 1 - Z), mean(Z, 1 - Z)


def _search(kappa: Array, N: Array) -> NDArray[np.bool_]:
    """Partitions worth a look among many: signs of leading eigenvectors, improved by single moves."""
    m = len(kappa)
    K = np.where(N > 0, kappa, 0.0)
    np.fill_diagonal(K, 0)
    centred = K - K.mean(axis=0) - K.mean(axis=1)[:, None] + K.mean()
    _, vectors = np.linalg.eigh((centred + centred.T) / 2)
    out = []
    for v in vectors[:, ::-1].T[:3]:
        side = v > 0
        if not 2 <= side.sum() <= m - 2:
            side = v > np.median(v)
        best = _contrast_of(side[None, :], kappa, N)[0]
        for _ in range(m):
            moved = side ^ np.eye(m, dtype=bool)
            found = _contrast_of(moved, kappa, N)
            if not found.max() > best:
                break
            best, side = found.max(), moved[int(np.argmax(found))]
        out.append(side)
    return np.array(out)


def _contrast_of(sides: NDArray[np.bool_], kappa: Array, N: Array) -> Array:
    inside, other, between = _contrasts(sides, kappa, N)
    number = sides.sum(axis=1)
    contrast = np.minimum(inside, other) - between
    contrast[(number < 2) | (number > len(kappa) - 2) | np.isnan(contrast)] = -np.inf
    return contrast


def _chance_of(table: Table, observed: float, rng: np.random.Generator) -> float:
    """p of a contrast this large among interchangeable annotators; stops when it is clearly large."""
    beyond = 0
    for done in range(1, _PERMUTATIONS + 1):
        codes = permuted(table.codes, rng, table.blocks)
        found = parted(Table(codes, table.size, table.numbers))
        beyond += found is not None and found.contrast >= observed - 1e-12
        if beyond >= 5:
            return beyond / done
    return (beyond + 1) / (_PERMUTATIONS + 1)


def permuted(
    codes: NDArray[np.int64], rng: np.random.Generator, blocks: NDArray[np.int64] | None = None
) -> NDArray[np.int64]:
    """The answers of each item (column) permuted among those who gave them; blocks of items as one.

    >>> codes = np.array([[0, 1], [-1, 2], [3, 3]])
    >>> again = permuted(codes, np.random.default_rng(0))
    >>> again[1, 0], sorted(again[:, 1].tolist())
    (np.int64(-1), [1, 2, 3])
    """
    there = codes >= 0
    if blocks is None and there.all():
        return rng.permuted(codes, axis=0)
    if blocks is None:
        drawn_keys = rng.random(codes.shape)
    else:
        drawn_keys = rng.random((len(codes), int(blocks.max(initial=-1)) + 1))[:, blocks]
    keys = np.where(there, drawn_keys, 2.0)
    drawn = np.take_along_axis(codes, np.argsort(keys, axis=0), axis=0)
    slots = np.argsort(~there, axis=0, kind="stable")
    out = np.empty_like(codes)
    np.put_along_axis(out, slots, drawn, axis=0)
    return out


def _differ(data: Ratings, side: NDArray[np.bool_]) -> tuple[str, dict[str, list[float]]]:
    """What the camps say more or less often, in words and figures."""
    if data.kind == "numbers" and len(data.values) > 2:
        x = data.numbers[data.code]
        means = [float(x[side[data.annotator] == s].mean()) for s in (True, False)]
        return f"; their means are {means[0]:.2f} and {means[1]:.2f}", {"mean": means}
    shares = np.array(
        [
            np.bincount(data.code[side[data.annotator] == s], minlength=len(data.values))
            for s in (True, False)
        ],
        dtype=np.float64,
    )
    shares /= np.maximum(1, shares.sum(axis=1, keepdims=True))
    k = int(np.argmax(np.abs(shares[0] - shares[1])))
    label = data.labels[k]
    figures = {label: [float(shares[0, k]), float(shares[1, k])]}
    if data.labels == ("unmarked", "marked"):
        one, two = shares[:, 1]
        return f"; they mark {percent(one)} and {percent(two)} of what anybody marked", figures
    if abs(shares[0, k] - shares[1, k]) < 0.02:
        return "", figures
    return (
        f"; they say {label!r} {percent(shares[0, k])} and {percent(shares[1, k])} of the time",
        figures,
    )
