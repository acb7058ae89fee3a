"""The measures. Importing this package enrols them all in the registry."""

from accord.measures import ratings, segmentation, spans, unitizing
from accord.measures.agreement import agree
from accord.registry import enrolled, find

__all__ = ["agree", "enrolled", "find", "ratings", "segmentation", "spans", "unitizing"]
