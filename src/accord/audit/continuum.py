"""Rules about the shape: a continuum treated as items, a measure for another shape, coverage."""

from __future__ import annotations

import numpy as np

from accord.audit.case import Case
from accord.audit.finding import Finding
from accord.audit.values import MATHET
from accord.data import Ratings, Units
from accord.errors import AccordError
from accord.measures import agree
from accord.measures.agreement import DEFAULTS
from accord.registry import find

#: what people call "nothing here" when they cut a text into tokens
_OUTSIDE = {"o", "0", "none", "outside", "-", "_", "out", "other", "no", "nil", "null"}


def wrong_shape(case: Case) -> Finding | None:
    """The measure meant is for another shape of data."""
    if case.measure is None:
        return None
    record = find(case.measure)
    atomising = record.name.startswith("atomized")
    if record.shape == case.data.shape and not atomising:
        return None
    better = DEFAULTS[case.data.shape]
    why = (
        "cuts the continuum into atoms and does not see how many units there are"
        if atomising
        else f"is for {record.shape}, these data are {case.data.shape}"
    )
    return Finding(
        rule="wrong-shape",
        severity="serious",
        statement=f"{record.name} {why}.",
        evidence={"measure": record.name, "shape": case.data.shape},
        advice=f"Use {better}.",
        citation=f"{MATHET}, §4, Table 3",
    )


def atomised(case: Case) -> Finding | None:
    """Ratings that look like tokens or characters of a text, mostly outside of any unit."""
    data = case.data
    if not isinstance(data, Ratings) or data.kind == "sets" or len(data.values) > 200:
        return None
    counts = np.bincount(data.code, minlength=len(data.values))
    if not counts.sum():
        return None
    top = int(np.argmax(counts))
    label, share = data.labels[top], counts[top] / counts.sum()
    chunked = sum(name[:2] in ("B-", "I-", "E-", "S-", "L-", "U-") for name in data.labels) >= 2
    outside = label.strip().lower() in _OUTSIDE and share > 0.5
    if not (chunked or (outside and _numbered(data))):
        return None
    return Finding(
        rule="atomised-continuum",
        severity="serious",
        statement=(
            f"The items look like the tokens of a text ({share:.0%} are {label!r}): a coefficient on "
            "tokens does not see units, and rewards agreement on where nothing is."
        ),
        evidence={"outside": label, "share": float(share), "chunk_tags": bool(chunked)},
        advice="Give the units with their positions and use gamma; --shape units.",
        citation=f"{MATHET}, §4, Table 3",
    )


def _numbered(data: Ratings) -> bool:
    """Items are called by consecutive numbers, as tokens are."""
    tails = ["".join(c for c in str(name) if c.isdigit()) for name in list(data.items)[:500]]
    numbers = [int(t) for t in tails if t and len(t) < 12]
    return len(numbers) > 20 and float(np.mean(np.diff(numbers) == 1)) > 0.8


def low_coverage(case: Case) -> Finding | None:
    """Little of the continuum was marked by two annotators: category agreement rests on it."""
    data = case.data
    if not isinstance(data, Units) or len(data.annotators) < 2 or not len(data):
        return None
    if not data.categories:
        return None
    try:
        result = agree(data, "cu-alpha")
    except AccordError:
        return None  # overlapping units: the family does not apply
    coverage = result.terms.get("coverage")
    if coverage is None or not np.isfinite(coverage) or coverage >= 0.2:
        return None
    return Finding(
        rule="low-coverage",
        severity="note",
        statement=(
            f"Two annotators marked the same place on {coverage:.1%} of the continuum only: what is "
            "said about their categories (cu-α, γ-cat) rests on that part."
        ),
        evidence={"coverage": coverage, "cu_alpha": result.value},
        advice="Report the coverage beside cu-α or γ-cat, and γ for the whole.",
        citation="Krippendorff, Mathet, Bouvry & Widlöcher (2016), Quality & Quantity 50(6)",
    )
