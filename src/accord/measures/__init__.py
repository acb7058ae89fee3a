"""The measures. Importing this package enrols them all in the registry."""

from accord.measures import (
    boxes,
    coreference,
    gamma,
    ratings,
    relations,
    segmentation,
    soft,
    spans,
    unitizing,
    validity,
)
from accord.measures.agreement import agree, agree_each
from accord.plugins import plugged_in
from accord.registry import enrolled, find

__all__ = [
    "agree",
    "agree_each",
    "boxes",
    "coreference",
    "enrolled",
    "find",
    "gamma",
    "ratings",
    "relations",
    "segmentation",
    "soft",
    "spans",
    "unitizing",
    "validity",
]

# measures of other packages enrol when their modules are imported
plugged_in("accord.measures")
