"""What the measures on atoms and sections of the continuum can be told."""

from accord.measures.ratings.options import METRIC, PERIOD
from accord.measures.spans.options import ATOM as ANY_ATOM
from accord.measures.unitizing.overlap import RULES
from accord.options import SEED, Option

__all__ = ["ATOM", "BESIDE", "LENGTH", "METRIC", "OVERLAP", "OVERLAPPING_ATOMS", "PERIOD", "SEED"]

ATOM = ANY_ATOM.but(default=1.0)
LENGTH = Option(
    "length",
    float,
    "Length of every continuum, where the data do not tell it.",
    least=0,
    open=True,
)
BESIDE = Option("beside", bool, "Compute γ beside it.", default=True, signed="")
OVERLAP = Option(
    "overlap",
    str,
    "Overlapping units of one annotator: refused, or only the outermost or innermost are kept.",
    default="refuse",
    choices=("refuse", *RULES),
)
OVERLAPPING_ATOMS = Option(
    "overlap",
    str,
    "Overlapping units of one annotator: an atom bears all their labels, or only that of the "
    "outermost or innermost.",
    default="all",
    choices=("all", *RULES),
)
