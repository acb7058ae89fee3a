"""Human decisions: what one is, where they are kept, and what they are about when data change."""

from accord.gold.decisions.decision import Decision, Value
from accord.gold.decisions.element import Element
from accord.gold.decisions.identity import Resolution, resolve
from accord.gold.decisions.ledger import Ledger, Standing
from accord.gold.decisions.store import ConflictError, Store, store_path

__all__ = [
    "ConflictError", "Decision", "Element", "Ledger", "Resolution", "Standing", "Store", "Value", "resolve",
    "store_path",
]  # fmt: skip
