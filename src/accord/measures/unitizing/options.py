"""What the measures on atoms and sections of the continuum can be told."""

from accord.measures.ratings.options import METRIC, PERIOD
from accord.measures.spans.options import ATOM as ANY_ATOM
from accord.options import SEED, Option

__all__ = ["ATOM", "BESIDE", "LENGTH", "METRIC", "PERIOD", "SEED"]

ATOM = ANY_ATOM.but(default=1.0)
LENGTH = Option(
    "length",
    float,
    "Length of every continuum, where the data do not tell it.",
    least=0,
    open=True,
)
BESIDE = Option("beside", bool, "Compute γ beside it.", default=True, signed="")
