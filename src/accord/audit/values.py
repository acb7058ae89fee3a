"""Rules about the values: order, unused categories, prevalence."""

from __future__ import annotations

import numpy as np

from accord.audit.case import Case
from accord.audit.finding import Finding
from accord.data.choose import some
from accord.measures.ratings.diagnostics import prevalence

MATHET = "Mathet & Widlöcher (2016), Évaluation des annotations, TAL 57(2)"

#: nominal and ordered α apart by more than this matter
_APART = 0.05
#: a category with more than this share of the ratings dominates
_DOMINANT = 0.8


def ordered_as_nominal(case: Case) -> Finding | None:
    """Values with an order, which the nominal distance ignores (Table 4)."""
    data = case.ratings
    if data is None or not data.ordered or len(np.unique(data.code)) < 3:
        return None
    ordered = "interval" if data.kind == "numbers" else "ordinal"
    nominal, better = case.agree("alpha"), case.agree("alpha", metric=ordered)
    if nominal.undefined or better.undefined or abs(better.value - nominal.value) <= _APART:
        return None
    meant = case.measure in (
        None,
        "alpha",
        "fleiss",
        "kappa",
        "pi",
        "conger",
        "s",
        "ac1",
        "percent",
    )
    return Finding(
        rule="ordered-as-nominal",
        severity="serious" if case.measure is not None and meant else "caution",
        statement=(
            f"The values have an order. A measure that ignores it sees α = {nominal.value:.2f}; one "
            f"that respects it sees {better.value:.2f}."
        ),
        evidence={"alpha_nominal": nominal.value, f"alpha_{ordered}": better.value},
        advice=f"Report alpha with the {ordered} metric (or weighted κ, AC2).",
        citation=f"{MATHET}, §5.1, Table 4",
    )


def unused_categories(case: Case) -> Finding | None:
    """Declared categories that nobody used: S, AC1 and Brennan–Prediger count them."""
    data = case.ratings
    if data is None or not data.declared:
        return None
    used = set(np.unique(data.code).tolist())
    unused = [label for k, label in enumerate(data.labels) if k not in used]
    if not unused:
        return None
    return Finding(
        rule="unused-categories",
        severity="note",
        statement=f"{len(unused)} declared categories were never used: {some(unused)}.",
        evidence={"unused": unused, "declared": len(data.labels)},
        advice="S, AC1 and PABAK rise with every unused category: report alpha, or drop them.",
        citation=f"{MATHET}, §3.3.1",
    )


def skewed_prevalence(case: Case) -> Finding | None:
    """One category dominates: raw agreement is high for nothing and κ depends on the rare ones."""
    data = case.ratings
    if data is None or len(data.values) < 2:
        return None
    shares = prevalence(data)
    label, share = next(iter(shares.items()))
    if share < _DOMINANT:
        return None
    observed, value, ac1 = case.agree("percent"), case.agree("alpha"), case.agree("ac1")
    return Finding(
        rule="skewed-prevalence",
        severity="caution",
        statement=(
            f"{share:.0%} of the ratings are {label!r}: two annotators who only guessed by these "
            f"shares would agree on {_chance(shares):.0%} of the items. The raw agreement of "
            f"{observed.value:.0%} corresponds to α = {value.value:.2f} (AC1 = {ac1.value:.2f})."
        ),
        evidence={
            "prevalence": shares,
            "percent": observed.value,
            "alpha": value.value,
            "ac1": ac1.value,
        },
        advice="Report agreement per category (--by category), and the rare ones first.",
        citation=f"{MATHET}, §3.4, Table 2",
    )


def _chance(shares: dict[str, float]) -> float:
    return sum(p * p for p in shares.values())
