"""How many annotators per item are enough: the reliability of the mean of k labels.

One facet, items × annotators (Cronbach, Gleser, Nanda & Rajaratnam 1972; Brennan 2001): the G study
takes the variance apart, the D study says what the mean of k annotators would be worth.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from accord.data import Ratings
from accord.errors import RefusedError, UsageError
from accord.measures import agree
from accord.measures.ratings.icc import stepped_up
from accord.options import LEVEL
from accord.options.kinds import refuses_other_kinds
from accord.printed import Printable, Printed
from accord.result import Result


@dataclass(frozen=True, slots=True, kw_only=True)
class Reliability(Printable):
    """The variances (G study) and the reliability of means of k labels (D study)."""

    #: variance of items, annotators (unless nested) and error, with their shares
    components: tuple[dict[str, Any], ...]
    #: k, consistency Eρ² (ranking items) and agreement Φ (their level), with limits
    rows: tuple[dict[str, Any], ...]
    #: annotators needed for the target: consistency, agreement
    needed: dict[str, int | None]
    target: float
    nested: bool
    n: int
    warnings: tuple[str, ...] = ()

    def _printed(self) -> Printed:
        return Printed.of_rows(self.rows, caption="Reliability of the mean of k labels")

    def to_dict(self) -> dict[str, object]:
        return {
            "components": list(self.components),
            "points": list(self.rows),
            "needed": self.needed,
            "target": self.target,
            "nested": self.nested,
            "n": self.n,
            "warnings": list(self.warnings),
        }


@refuses_other_kinds
def reliability(
    data: Ratings,
    *,
    target: float = 0.8,
    most: int = 20,
    nested: bool = False,
    level: float = LEVEL,
    seed: int = 0,
) -> Reliability:
    """What the mean of k labels is worth, and how many annotators per item reach the target.

    Numbers: with the variances σ²_i of items, σ²_a of annotators and σ²_e of the rest,

    .. math:: E\\rho^2 = \\frac{\\sigma_i^2}{\\sigma_i^2 + \\sigma_e^2/k}, \\qquad
              \\Phi = \\frac{\\sigma_i^2}{\\sigma_i^2 + (\\sigma_a^2 + \\sigma_e^2)/k}

    Eρ² is for ranking items, Φ for their level. `nested`: other annotators for each item, not told
    apart: Φ only. Categories: k α/(1 + (k − 1) α) by Spearman and Brown is the reliability of the
    shares of votes, not of the majority label. Limits are those of one label, stepped up alike.

    >>> from accord.measures.ratings.icc import _example
    >>> found = reliability(_example())
    >>> found.needed
    {'consistency': 2, 'agreement': 10}
    """
    if not 0 < target < 1:
        raise UsageError(f"the target must be between 0 and 1, got {target}")
    if most < 1:
        raise UsageError(f"the most annotators must be at least 1, got {most}")
    numbers = data.kind == "numbers" or data.ordered
    if not numbers:
        single = {"agreement": agree(data, "alpha", ci="auto", level=level, seed=seed)}
    elif nested:
        single = {"agreement": agree(data, "icc-1", ci="auto", level=level, seed=seed)}
    else:
        single = {
            "consistency": agree(data, "icc-c", ci="auto", level=level, seed=seed),
            "agreement": agree(data, "icc-a", ci="auto", level=level, seed=seed),
        }
    for result in single.values():
        if result.undefined is not None:
            raise RefusedError(f"no reliability: {result.undefined}")
    rows = []
    for k in range(1, most + 1):
        row: dict[str, Any] = {"k": k}
        for name, result in single.items():
            row[name] = stepped_up(result.value, k)
            if result.interval is not None:
                row[f"{name}_low"] = stepped_up(result.interval.low, k)
                row[f"{name}_high"] = stepped_up(result.interval.high, k)
        rows.append(row)
    warnings: tuple[str, ...] = ()
    if not numbers:
        warnings = ("for categories this is the reliability of the shares of votes, not of the "
                    "majority label",)  # fmt: skip
    first = next(iter(single.values()))
    return Reliability(
        components=_components(single["agreement"]) if numbers else (),
        rows=tuple(rows),
        needed={name: labels_needed(result.value, target) for name, result in single.items()},
        target=target,
        nested=nested,
        n=first.n,
        warnings=(*warnings, *dict.fromkeys(w for r in single.values() for w in r.warnings)),
    )


def labels_needed(rho: float, target: float) -> int | None:
    """Labels whose mean has the wanted reliability: ⌈ρ*(1−ρ)/(ρ(1−ρ*))⌉; None when none has.

    >>> labels_needed(0.289764, 0.8), labels_needed(0.714841, 0.8), labels_needed(0.0, 0.8)
    (10, 2, None)
    """
    if not rho > 0:
        return None
    if rho >= 1:
        return 1
    exact = target * (1 - rho) / (rho * (1 - target))
    return max(1, math.ceil(exact - 1e-9))


def _components(result: Result) -> tuple[dict[str, Any], ...]:
    found = {k.removeprefix("sigma2_"): v for k, v in result.terms.items() if "sigma2_" in k}
    total = sum(max(0.0, v) for v in found.values())
    return tuple(
        {"source": name, "variance": v, "share": max(0.0, v) / total if total else math.nan}
        for name, v in found.items()
    )
