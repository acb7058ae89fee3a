"""Rules about the annotators: systematic disagreement, and one who stands apart."""

from __future__ import annotations

import math
from itertools import combinations
from typing import Any

import numpy as np

from accord.audit.case import Case
from accord.audit.finding import Finding
from accord.audit.recommendation import choice
from accord.audit.values import MATHET
from accord.data import Annotations, Units
from accord.errors import AccordError
from accord.measures.breakdown import by_annotator
from accord.measures.ratings.breakdowns import confusion
from accord.measures.ratings.diagnostics import two_annotators
from accord.registry import find

#: more annotators than this are not compared one by one
_MOST = 40


def asymmetric_confusions(case: Case) -> Finding | None:
    """Two annotators disagree in one direction: κ is flattered over π (Table 1)."""
    data = case.ratings
    if data is None or len(data.annotators) > _MOST or len(data.values) > 200:
        return None
    pairs = list(combinations(range(len(data.annotators)), 2))
    worst: tuple[float, dict[str, Any]] | None = None
    for first, second in pairs:
        table = confusion(data, first, second)
        if table.sum() < 20:
            continue
        found = two_annotators(table)
        p = found["asymmetry_p"] * len(pairs)  # Bonferroni: one test per pair
        if p < 0.01 and found["kappa_minus_pi"] > 0.02 and (worst is None or p < worst[0]):
            apart = np.unravel_index(np.argmax(table - table.T), table.shape)
            worst = (
                p,
                {
                    **found,
                    "first": data.annotators[first],
                    "second": data.annotators[second],
                    "first_says": data.labels[int(apart[0])],
                    "second_says": data.labels[int(apart[1])],
                    "items": int(table[apart]),
                    "items_reversed": int(table.T[apart]),
                },
            )
    if worst is None:
        return None
    e = worst[1]
    return Finding(
        rule="asymmetric-confusions",
        severity="caution",
        statement=(
            f"{e['first']} says {e['first_says']!r} where {e['second']} says {e['second_says']!r} "
            f"{e['items']} times, and {e['items_reversed']} times the other way round: a difference "
            f"of habits that κ rewards ({e['kappa']:.2f}, against π = {e['pi']:.2f})."
        ),
        evidence=e,
        advice="Settle the guideline between these two categories; report alpha or π, not κ.",
        citation=f"{MATHET}, §3.3.2, Table 1",
    )


def annotator_apart(case: Case) -> Finding | None:
    """Agreement would be clearly higher without one annotator."""
    data = case.data
    if not 3 <= len(data.annotators) <= _MOST or _too_large(data):
        return None
    name, options, _ = choice(data)
    measure = find(name).function
    try:
        whole = measure(data, **options)
        rows = [
            r for r in by_annotator(data, measure, options) if math.isfinite(r["mean_pairwise"])
        ]
    except AccordError:
        return None
    if whole.undefined or len(rows) < 3:
        return None
    worst = min(rows, key=lambda r: r["mean_pairwise"])
    others = [r["mean_pairwise"] for r in rows if r is not worst]
    gain = worst["without"] - whole.value
    middle, spread = float(np.median(others)), float(np.std(others))
    if not gain >= 0.05 or worst["mean_pairwise"] > middle - max(0.1, 2 * spread):
        return None
    return Finding(
        rule="annotator-apart",
        severity="caution",
        statement=(
            f"{worst['annotator']} stands apart: {worst['mean_pairwise']:.2f} on average with the "
            f"others, who have {middle:.2f}; without them {name} goes from {whole.value:.2f} to "
            f"{worst['without']:.2f}."
        ),
        evidence={"measure": name, "value": whole.value, "annotators": rows, "gain": gain},
        advice="Talk to them before leaving them out: being alone is not being wrong.",
        citation=f"{MATHET}, §6.1",
    )


def _too_large(data: Annotations) -> bool:
    """Aligning every pair of annotators of a large corpus of units takes minutes: not in an audit."""
    return isinstance(data, Units) and len(data) * len(data.annotators) > 20_000
