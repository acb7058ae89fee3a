"""The measures. Importing this package enrols them all in the registry."""

from accord.measures import ratings, soft, validity
from accord.measures.agreement import agree
from accord.registry import enrolled, find

__all__ = ["agree", "enrolled", "find", "ratings", "soft", "validity"]
