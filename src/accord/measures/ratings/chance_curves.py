"""Expected coefficients of two annotators of known quality, as functions of prevalence.

Bonnardel (1996), quoted in Mathet & Widlöcher (2016) §3.4: with sensitivity and specificity fixed,
κ falls with the prevalence of the rarer category although the annotators are as good as before.
"""

from __future__ import annotations

from collections.abc import Mapping

from accord.errors import UsageError


def expected_coefficients(
    prevalence: float, *, sensitivity: float = 0.9, specificity: float = 0.9
) -> Mapping[str, float]:
    """The coefficients two such annotators get on two categories, independent given the truth.

    >>> curve = expected_coefficients(0.1, sensitivity=0.9, specificity=0.9)
    >>> round(curve["kappa"], 2), round(curve["ac1"], 2)
    (0.39, 0.74)
    """
    for name, value in (
        ("prevalence", prevalence),
        ("sensitivity", sensitivity),
        ("specificity", specificity),
    ):
        if not 0 <= value <= 1:
            raise UsageError(f"the {name} must be between 0 and 1, got {value}")
    both = prevalence * sensitivity**2 + (1 - prevalence) * (1 - specificity) ** 2
    neither = prevalence * (1 - sensitivity) ** 2 + (1 - prevalence) * specificity**2
    positive = prevalence * sensitivity + (1 - prevalence) * (1 - specificity)
    A_o = both + neither
    pooled = positive**2 + (1 - positive) ** 2
    chance = {
        "percent": 0.0,
        "s": 0.5,
        # the two annotators have the same marginals, so that κ = π = α (of infinitely many items)
        "kappa": pooled,
        "pi": pooled,
        "alpha": pooled,
        "ac1": 2 * positive * (1 - positive),
    }
    return {
        name: (A_o - A_e) / (1 - A_e) if A_e < 1 else float("nan") for name, A_e in chance.items()
    } | {"A_o": A_o, "positive": positive}
