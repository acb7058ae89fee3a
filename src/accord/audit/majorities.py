"""Rules about the reference that these votes would make."""

from __future__ import annotations

import numpy as np

from accord.audit.case import Case
from accord.audit.exchange import same_answers
from accord.audit.finding import Finding, Skipped, percent
from accord.audit.homogeneity import disputes
from accord.audit.rule import rule
from accord.audit.values import MATHET


@rule(
    "weak-majorities",
    looks_for="items whose most chosen category has less than half of the votes, and ties",
    citation=f"{MATHET}, §6.1",
    shapes=("ratings",),
)
def weak_majorities(case: Case) -> Finding | None:
    """Items whose most voted category has less than half the votes, and ties.

    On a continuous scale every answer may differ from every other and nothing is wrong.
    """
    data = case.categories
    if data is None or len(data.annotators) < 3:
        return None
    n, total = len(data.indptr) - 1, data.per_item
    rated = total >= 3
    times = np.ones(n) if data.multiplicity is None else data.multiplicity
    if (rated * times).sum() < 10:
        return None
    item, same = data.item, same_answers(data)
    best = np.zeros(n)
    np.maximum.at(best, item, same)
    leaders = np.bincount(item, (same == best[item]) / same, minlength=n)
    weak, tied = rated & (best < total / 2), rated & (leaders > 1.5)
    share = float((weak * times).sum() / (rated * times).sum())
    ties = float((tied * times).sum() / (rated * times).sum())
    if share < 0.05 and ties < 0.1:
        return None
    return Finding(
        severity="serious" if share >= 0.2 else "caution",
        statement=(
            f"On {share:.1%} of the items the most chosen value has less than half of the votes, and "
            f"{ties:.1%} are ties: a majority reference would be arbitrary there."
        ),
        evidence={
            "share_under_half": share,
            "share_tied": ties,
            "items": int((rated * times).sum()),
        },
        advice=(
            "Keep the distribution of the votes (accord gold --soft) and score systems with "
            "weighted-accuracy and accord rank; adjudicate the rest."
        ),
    )


@rule(
    "unanimity-bias",
    looks_for="unanimous items that are few, or of other categories than the rest, by a test",
    citation=f"{MATHET}, §6.2",
    shapes=("ratings",),
    items=True,
)
def unanimity_bias(case: Case) -> Finding | Skipped | None:
    """A reference of unanimous items would be another corpus: few items, or other categories.

    Unanimity by category is tested by χ² (most chosen category × unanimous or not).
    """
    from scipy.special import chdtrc

    data = case.categories
    if data is None or len(data.annotators) < 3 or len(data.values) < 2:
        return None
    rated = data.per_item >= 3
    if rated.sum() < 20:
        return Skipped("fewer than 20 items with three answers")
    if np.median(data.per_item[rated]) > 8:
        return Skipped("more than eight answers per item: nobody keeps unanimous items of a crowd")
    times = np.ones(len(rated)) if data.multiplicity is None else data.multiplicity.astype(float)
    apart, most = disputes(data)
    kept, w = (apart == 0)[rated], times[rated]
    _, group = np.unique(most[rated], return_inverse=True)
    size, yes = np.bincount(group, w), np.bincount(group, w * kept)
    share = float(yes.sum() / size.sum())
    expected = size * share
    large = expected * (1 - share) >= 1  # smaller cells would break the χ² approximation
    p = 1.0
    if 0 < share < 1 and large.sum() > 1:
        chi2 = float((((yes - expected) ** 2) / (expected * (1 - share)))[large].sum())
        p = float(chdtrc(large.sum() - 1, chi2))
    shift = 0.0
    if 0 < share < 1:
        no = size - yes
        shift = float(np.abs(yes / yes.sum() - no / no.sum()).sum() / 2)
    other = p < 0.005 and shift >= 0.1
    if share >= 1 / 3 and not (other and share <= 0.9):
        return None
    says = f"A reference of unanimous items would keep {percent(share)} of them, the easy ones"
    if other:
        says += f", and {percent(shift)} of their categories would be others than in the rest"
    return Finding(
        severity="note",
        statement=f"{says}: a system scored there looks better than it is.",
        evidence={"kept": share, "shift": shift, "p": p, "items": int(size.sum())},
        advice="Do not score systems on unanimous items only; adjudicate the others.",
    )
