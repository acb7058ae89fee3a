"""What prevalence alone does to agreement, as curves.

Two annotators detect a phenomenon with given sensitivity and specificity, each on their own. Only
the share of positive items changes; the coefficients move all the same. With .9 and .9, κ is .64 at
balance, .39 at 10 % and .066 at 1 % (Bonnardel 1996, in Mathet & Widlöcher 2016, TAL 57(2), §3.4).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from accord.errors import UsageError
from accord.measures import find
from accord.measures.ratings.chance_curves import expected_coefficients
from accord.options.kinds import refuses_other_kinds
from accord.printed import Printable, Printed
from accord.result import Row

#: the coefficients compared by default
MEASURES = ("percent", "kappa", "pi", "s", "ac1", "alpha")
PREVALENCES = (
    0.005, 0.01, 0.02, 0.03, 0.05, 0.075, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5,
    0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.925, 0.95, 0.97, 0.98, 0.99, 0.995,
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class PrevalenceCurves(Printable):
    """The value of each measure at each prevalence."""

    sensitivity: float
    specificity: float
    prevalence: tuple[float, ...]
    values: dict[str, tuple[float, ...]]

    def _printed(self) -> Printed:
        return Printed.of_rows(self.rows(), caption="Measures by prevalence")

    def rows(self) -> list[Row]:
        """One row per prevalence, for a table."""
        return [
            {"prevalence": p, **{name: v[i] for name, v in self.values.items()}}
            for i, p in enumerate(self.prevalence)
        ]


@refuses_other_kinds
def prevalence_curves(
    *,
    sensitivity: float = 0.9,
    specificity: float = 0.9,
    prevalence: Sequence[float] = PREVALENCES,
    measures: Sequence[str] = MEASURES,
) -> PrevalenceCurves:
    """Each measure, in expectation over many items, as a function of prevalence.

    The annotators err independently of each other given the truth.

    >>> curves = prevalence_curves(prevalence=[0.5, 0.1, 0.01], measures=["kappa"])
    >>> [round(v, 3) for v in curves.values["kappa"]]
    [0.64, 0.39, 0.066]
    """
    for p in prevalence:
        if not 0 < p < 1:
            raise UsageError(f"a prevalence must be strictly between 0 and 1, got {p}")
    names = [find(m).name for m in measures]
    for name in names:
        if name not in MEASURES:
            raise UsageError(
                f"the prevalence curve of {name} is not known; it is for {', '.join(MEASURES)}"
            )
    points = [
        expected_coefficients(p, sensitivity=sensitivity, specificity=specificity)
        for p in prevalence
    ]
    return PrevalenceCurves(
        sensitivity=sensitivity,
        specificity=specificity,
        prevalence=tuple(float(p) for p in prevalence),
        values={m: tuple(float(point[m]) for point in points) for m in names},
    )
