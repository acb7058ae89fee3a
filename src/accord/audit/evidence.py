"""Rules about how much there is to conclude from."""

from __future__ import annotations

import numpy as np

from accord.audit.case import Case
from accord.audit.finding import Finding

_KRIPPENDORFF = "Krippendorff (2013), Content Analysis, ch. 12"

#: an interval wider than this does not tell a good campaign from a poor one
_WIDE = 0.2


def few_pairable(case: Case) -> Finding | None:
    """Most items were rated once, or hardly any twice."""
    data = case.ratings
    if data is None:
        return None
    times = 1 if data.multiplicity is None else data.multiplicity
    twice = int(((data.per_item >= 2) * times).sum())
    share = twice / max(1, data.n_items)
    if twice >= 50 and share >= 0.1:
        return None
    return Finding(
        rule="few-pairable",
        severity="serious" if twice < 20 else "caution",
        statement=f"Only {twice} of {data.n_items} items were rated by two annotators or more.",
        evidence={"items": data.n_items, "rated_twice": twice, "share": share},
        advice="Have more items annotated twice; accord simulate size says how many.",
        citation=_KRIPPENDORFF,
    )


def wide_interval(case: Case) -> Finding | None:
    """The interval is too wide to conclude."""
    result = case.headline()
    if result is None or result.interval is None:
        return None
    low, high = result.interval.low, result.interval.high
    if not np.isfinite(high - low) or high - low <= _WIDE:
        return None
    return Finding(
        rule="wide-interval",
        severity="serious" if high - low > 2 * _WIDE else "caution",
        statement=(
            f"{result.measure} = {result.value:.2f}, but anything from {low:.2f} to {high:.2f} fits "
            "these data: too wide to tell a good campaign from a poor one."
        ),
        evidence={
            "value": result.value,
            "low": low,
            "high": high,
            "n": result.n,
            "method": result.interval.method,
        },
        advice="Annotate more before concluding; accord simulate size says how much.",
        citation=_KRIPPENDORFF,
    )
