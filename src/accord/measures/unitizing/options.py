"""What the measures on atoms and sections of the continuum can be told."""

from accord.measures.ratings.options import METRIC, PERIOD
from accord.measures.spans.options import ATOM as ANY_ATOM
from accord.measures.unitizing.overlap import RULES
from accord.options import SEED, Option

__all__ = [
    "ATOM",
    "BESIDE",
    "CONTINUUM_ATOM",
    "LENGTH",
    "METRIC",
    "OVERLAP",
    "OVERLAPPING_ATOMS",
    "PERIOD",
    "SEED",
]

ATOM = ANY_ATOM.but(
    help="Size of the pieces; else 1 where offsets are whole numbers, or the step of all offsets.",
)
#: of a continuum: 0 is one without atoms
CONTINUUM_ATOM = ATOM.but(open=False)
LENGTH = Option(
    "length",
    float,
    "Length of every continuum, where the data do not tell it.",
    least=0,
    open=True,
)
BESIDE = Option("beside", bool, "Compute γ beside it.", default=True, signed="")
OVERLAP = Option(
    "overlaps",
    str,
    "Overlapping units of one annotator: only the outermost or the innermost count; else they are "
    "refused, or all count, where the continuum is cut into pieces.",
    default="refuse",
    choices=("refuse", *RULES),
)
OVERLAPPING_ATOMS = OVERLAP.but(default="all", choices=("all", *RULES))
