"""Rules about annotators who are not independent: copies, and models that err together."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from accord.audit.case import Case
from accord.audit.exchange import pairs
from accord.audit.finding import Finding, Skipped
from accord.audit.rule import rule
from accord.data import Ratings

Array = NDArray[np.float64]

#: fewer shared items than this do not show a copy
_FEWEST = 20
#: fewer shared documents, where the items are marks in them (or all there are)
_DOCUMENTS = 5
#: without others to compare with, only this many identical answers are worth a question
_MANY = 50
#: pairs of ratings looked at; larger crowds are left out, and it is said
_MOST_PAIRS = 20_000_000


@rule(
    "copied-annotators",
    looks_for="annotators who agree with each other far more than their quality explains",
    citation="Dawid & Skene (1979), JRSS C 28; the one-factor model of Spearman (1904)",
    people=True,
    items=True,
)
def copied_annotators(case: Case) -> Finding | Skipped | None:
    """Nearly identical answers that agreement with the others does not explain.

    Annotators who err independently agree as κ_ab = κ_a· κ_b· / κ··; a copied pair exceeds this
    (binomial test, Bonferroni over the pairs). With two or three annotators there is nobody to
    compare with: only a long series of identical answers raises the question. Marks (units, boxes,
    boundaries, mentions, relations) must be the same in five documents at least, or in all there are.
    """
    from scipy.special import bdtr

    if len(case.data.annotators) < 2:
        return None
    data = case.decisions
    if data is None or float((data.per_item.astype(float) ** 2).sum()) > _MOST_PAIRS:
        return Skipped("too many pairs of ratings to compare annotators with each other")
    found = pairs(data)
    if not len(found.first) or found.chance >= 1:
        return None
    with np.errstate(divide="ignore", invalid="ignore"):
        share = found.same / found.items
    few = len(data.annotators) <= 3
    if few:
        others = np.array(
            [share[np.arange(len(share)) != k].max(initial=0.0) for k in range(len(share))]
        )
        tested = (found.items >= _MANY) & (share >= 0.99) & (share - others >= 0.05)
        if len(data.annotators) == 2:
            tested &= share == 1
        p = np.where(tested, 0.0, 1.0)
    else:
        quality = np.clip(found.expected, 0.0, 0.995)
        agreement = found.chance + (1 - found.chance) * quality
        apart = np.round(found.items - found.same)
        p = bdtr(apart, found.items.astype(int), 1 - agreement) * len(share)
        excess = found.kappa - quality
        tested = (found.items >= _FEWEST) & (share >= 0.95) & (excess >= 0.1) & (p < 0.001)
    if not isinstance(case.data, Ratings):
        # whether one marks the same is decided for a document as a whole: its marks are no separate evidence
        enough = min(_DOCUMENTS, len(case.data.documents))
        tested[tested] = (
            _shared_documents(data, found.first[tested], found.second[tested]) >= enough
        )
    if not tested.any():
        return None
    names = data.annotators
    copies = [
        (names[found.first[k]], names[found.second[k]], float(share[k]), int(found.items[k]))
        for k in np.flatnonzero(tested)[np.argsort(p[tested], kind="stable")]
    ]
    one, two, alike, items = copies[0]
    pairs_more = "1 more pair" if len(copies) == 2 else f"{len(copies) - 1} more pairs"
    more = f" (and {pairs_more})" if len(copies) > 1 else ""
    return Finding(
        severity="caution" if few else "serious",
        statement=(
            f"{one} and {two}{more} give the same answer on {alike:.1%} of {items} items"
            + (
                ": were they made independently?"
                if few
                else ", far more than their agreement with the others explains: one may be a copy of "
                "the other."
            )
        ),
        evidence={
            "pairs": [
                {"first": a, "second": b, "same": s, "items": n} for a, b, s, n in copies[:20]
            ],
            "number": len(copies),
        },
        advice="Ask how the work was done; count copies as one annotator.",
    )


def _shared_documents(
    data: Ratings, first: NDArray[np.int64], second: NDArray[np.int64]
) -> NDArray[np.int64]:
    """In how many documents both of each pair decided something."""
    assert data.document is not None
    seen = np.zeros((len(data.documents), len(data.annotators)), dtype=bool)
    seen[data.document[data.item], data.annotator] = True
    return np.array(
        [int((seen[:, a] & seen[:, b]).sum()) for a, b in zip(first, second, strict=True)],
        dtype=np.int64,
    )


@rule(
    "correlated-models",
    looks_for="models, among the people or set aside, that agree with each other beyond what their "
    "quality explains",
    citation="Kim et al. (2025), Correlated errors in large language models, ICML",
    people=True,
    items=True,
)
def correlated_models(case: Case) -> Finding | Skipped | None:
    """Models that share their errors outvote the people and raise agreement for nothing.

    T = κ(models) − κ(models, people)²/κ(people), 0 when all err independently given the truth;
    jackknife over items (or documents).
    """
    data, models = case.together
    if data is None or len(models) < 2:
        return None
    guessed = not set(models) & set(case.declared)
    if len(data.annotators) - len(models) < 2:
        return Skipped("fewer than two people beside the models")
    model = np.isin(np.array(data.annotators), models)
    T, error, kappa = _shared_errors(data, model)
    if not (np.isfinite(T) and np.isfinite(error)) or max(0.05, 2.6 * error) > T:
        return None
    who = ", ".join(models[:5]) + (f" and {len(models) - 5} more" if len(models) > 5 else "")
    return Finding(
        severity="caution",
        statement=(
            f"{'If' if guessed else ''}{' ' if guessed else ''}{who} are models"
            f"{', they' if guessed else ' that'} share errors: κ is {kappa[0]:.2f} among them, "
            f"{kappa[1]:.2f} with the people and {kappa[2]:.2f} among the people. Their votes are not "
            "independent."
        ),
        evidence={
            "models": models,
            "kappa_models": kappa[0],
            "kappa_models_people": kappa[1],
            "kappa_people": kappa[2],
            "excess": T,
            "standard_error": error,
        },
        advice="Count models as one voice, or leave them out; name them with `systems`.",
    )


def _shared_errors(data: Ratings, model: NDArray[np.bool_]) -> tuple[float, float, Array]:
    """T, its jackknife standard error, and κ among models, between, and among people."""
    n, item, q = len(data.indptr) - 1, data.item, len(data.values)
    mine = model[data.annotator]
    key = item * q + data.code
    _, cell = np.unique(key, return_inverse=True)
    by_cell = [np.bincount(cell, side) for side in (mine, ~mine)]
    by_item = [np.bincount(item, side, minlength=n) for side in (mine, ~mine)]
    at = np.zeros(len(by_cell[0]), dtype=np.int64)
    at[cell] = item

    def sums(a: int, b: int) -> tuple[Array, Array]:
        """Pairs with the same answer, and pairs, of each item."""
        own = 1 if a == b else 0
        same: Array = np.bincount(at, by_cell[a] * (by_cell[b] - own), minlength=n).astype(float)
        met: Array = by_item[a] * (by_item[b] - own).astype(float)
        return same, met

    times = np.ones(n) if data.multiplicity is None else data.multiplicity
    rows = np.stack([x * times for a, b in ((0, 0), (0, 1), (1, 1)) for x in sums(a, b)], axis=1)
    if data.document is not None and len(data.documents) > 4:
        grouped = np.zeros((len(data.documents), rows.shape[1]))
        np.add.at(grouped, data.document, rows)
        rows = grouped
    rows = rows[rows.any(axis=1)]
    share = np.bincount(data.code, minlength=q) / max(1, len(data.code))
    chance = float(share @ share)

    def kappas(totals: Array) -> Array:
        with np.errstate(divide="ignore", invalid="ignore"):
            return (totals[:, 0::2] / totals[:, 1::2] - chance) / (1 - chance)

    def contrast(k: Array) -> Array:
        with np.errstate(divide="ignore", invalid="ignore"):
            out: Array = k[:, 0] - k[:, 1] ** 2 / k[:, 2]
        return out

    total = rows.sum(axis=0, keepdims=True)
    whole = kappas(total)
    T = float(contrast(whole)[0])
    if whole[0, 2] <= 0.05 or len(rows) < 10:
        return float("nan"), float("nan"), whole[0]
    without = contrast(kappas(total - rows))
    error = float(np.sqrt((len(rows) - 1) * np.var(without)))
    return T, error, whole[0]
