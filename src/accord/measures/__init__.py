"""The measures. Importing this package enrols them all in the registry."""

from accord.measures import (
    coreference,
    gamma,
    ratings,
    segmentation,
    soft,
    spans,
    unitizing,
    validity,
)
from accord.measures.agreement import agree
from accord.registry import enrolled, find

__all__ = [
    "agree",
    "coreference",
    "enrolled",
    "find",
    "gamma",
    "ratings",
    "segmentation",
    "soft",
    "spans",
    "unitizing",
    "validity",
]
