"""Rules about the reference that these votes would make."""

from __future__ import annotations

import numpy as np

from accord.audit.case import Case
from accord.audit.finding import Finding
from accord.audit.values import MATHET
from accord.gold import gold


def weak_majorities(case: Case) -> Finding | None:
    """Items whose most voted value has half the votes or fewer, and ties."""
    data = case.ratings
    if data is None or data.kind == "sets" or len(data.annotators) < 3:
        return None
    q = len(data.values)
    if q > 1000:
        return None
    votes = np.zeros((len(data.indptr) - 1, q))
    np.add.at(votes, (data.item, data.code), 1.0)
    total = votes.sum(axis=1)
    rated = total >= 2
    if rated.sum() < 10:
        return None
    times = np.ones(len(total)) if data.multiplicity is None else data.multiplicity
    best = votes.max(axis=1)
    weak = rated & (best < total / 2)
    tied = rated & ((votes == best[:, None]).sum(axis=1) > 1)
    share = float((weak * times).sum() / (rated * times).sum())
    ties = float((tied * times).sum() / (rated * times).sum())
    if share < 0.05 and ties < 0.1:
        return None
    return Finding(
        rule="weak-majorities",
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
        citation=f"{MATHET}, §6.1",
    )


def unanimity_bias(case: Case) -> Finding | None:
    """Keeping unanimous items only would keep the easy ones and change the categories."""
    data = case.ratings
    if data is None or data.kind != "categories" or len(data.annotators) < 3:
        return None
    if len(data.values) > 200 or data.multiplicity is not None:
        return None
    found = gold(data, "unanimity").terms.get("unanimity")
    if not found or found.get("inflation") is None:
        return None
    kept, inflation, shift = found["kept"], found["inflation"], found["shift"] or 0.0
    if kept > 0.9 or (inflation < 0.05 and shift < 0.1):
        return None
    return Finding(
        rule="unanimity-bias",
        severity="note",
        statement=(
            f"A reference of unanimous items would keep {kept:.0%} of them, the easy ones: annotators "
            f"scored like systems gain {inflation:.0%} there for nothing."
        ),
        evidence=found,
        advice="Do not score systems on unanimous items only; adjudicate the others.",
        citation=f"{MATHET}, §6.2",
    )
