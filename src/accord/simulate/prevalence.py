"""What prevalence alone does to agreement.

Two annotators detect a phenomenon with given sensitivity and specificity, each on their own. Only
the share of positive items changes; the coefficients move all the same. With .9 and .9, κ is .64 at
balance, .39 at 10 % and .066 at 1 % (Bonnardel 1996; seed of the debate on the kappa paradox,
Feinstein & Cicchetti 1990, *J. Clinical Epidemiology* 43).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from accord.data import Ratings
from accord.errors import UsageError
from accord.measures import agree, find

#: the coefficients compared by default
MEASURES = ("percent", "kappa", "pi", "s", "ac1", "alpha")
PREVALENCES = (
    0.005, 0.01, 0.02, 0.03, 0.05, 0.075, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5,
    0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.925, 0.95, 0.97, 0.98, 0.99, 0.995,
)  # fmt: skip
#: items of the expected table: enough that rounding and α's small-sample term vanish
_ITEMS = 10**9


@dataclass(frozen=True, slots=True, kw_only=True)
class PrevalenceCurves:
    """The value of each measure at each prevalence."""

    sensitivity: float
    specificity: float
    prevalence: tuple[float, ...]
    values: dict[str, tuple[float, ...]]

    def rows(self) -> list[dict[str, Any]]:
        """One row per prevalence, for a table."""
        return [
            {"prevalence": p, **{name: v[i] for name, v in self.values.items()}}
            for i, p in enumerate(self.prevalence)
        ]


def prevalence_curves(
    *,
    sensitivity: float = 0.9,
    specificity: float = 0.9,
    prevalence: Sequence[float] = PREVALENCES,
    measures: Sequence[str] = MEASURES,
) -> PrevalenceCurves:
    """Each measure, in expectation over many items, as a function of prevalence.

    With P positive items, P(both +) = P·se² + (1-P)(1-sp)², P(+, -) = P·se(1-se) + (1-P)·sp(1-sp),
    and so on: the annotators err independently of each other given the truth.

    >>> curves = prevalence_curves(prevalence=[0.5, 0.1, 0.01], measures=["kappa"])
    >>> [round(v, 3) for v in curves.values["kappa"]]
    [0.64, 0.39, 0.066]
    """
    for name, value in (("sensitivity", sensitivity), ("specificity", specificity)):
        if not 0 <= value <= 1:
            raise UsageError(f"the {name} must be between 0 and 1, got {value}")
    for p in prevalence:
        if not 0 < p < 1:
            raise UsageError(f"a prevalence must be strictly between 0 and 1, got {p}")
    names = [find(m).name for m in measures]
    campaigns = [_expected(p, sensitivity, specificity) for p in prevalence]
    return PrevalenceCurves(
        sensitivity=sensitivity,
        specificity=specificity,
        prevalence=tuple(float(p) for p in prevalence),
        values={m: tuple(float(agree(c, m).value) for c in campaigns) for m in names},
    )


def _expected(p: float, se: float, sp: float) -> Ratings:
    """The expected two-by-two table of two annotators, as ratings counted many times."""
    both = p * se**2 + (1 - p) * (1 - sp) ** 2
    one = p * se * (1 - se) + (1 - p) * sp * (1 - sp)
    cells = np.array([both, one, one, 1 - both - 2 * one])
    return Ratings(
        items=("++", "+-", "-+", "--"),
        annotators=("first", "second"),
        values=("positive", "negative"),
        kind="categories",
        declared=True,
        indptr=np.arange(0, 9, 2, dtype=np.int64),
        annotator=np.array([0, 1] * 4, dtype=np.int32),
        code=np.array([0, 0, 0, 1, 1, 0, 1, 1], dtype=np.int32),
        multiplicity=np.round(cells * _ITEMS).astype(np.int64),
    )
