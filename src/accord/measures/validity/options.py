"""What the scores of ratings against a reference can be told."""

from accord.measures.ratings.options import METRIC, PERIOD, TAXONOMY
from accord.measures.validity.pairing import TIES as WAYS
from accord.options import BY, SEED, Option

__all__ = ["AVERAGE", "BETA", "BY", "CLIP", "DISTANCE", "MATRIX", "NEUTRAL", "NORM", "PERIOD"]
__all__ += ["SEED", "TARGET", "TAXONOMY", "TIES"]

TIES = Option(
    "ties",
    str,
    "Items on which the judges tie.",
    default="split",
    choices=WAYS,
)
AVERAGE = Option(
    "average",
    str,
    "How classes are put together.",
    default="macro",
    choices=("macro", "micro", "weighted"),
)
BETA = Option("beta", float, "β of F: how much recall weighs.", default=1.0, least=0, open=True)
NEUTRAL = Option("neutral", str, "The class that means 'no decision'.")
TARGET = Option(
    "target",
    str,
    "What several judges are taken for.",
    default="majority",
    choices=("majority", "mean"),
)
DISTANCE = METRIC
MATRIX = Option(
    "matrix", str, "Matrix of distances between categories.", file=True, signed="metric"
)
NORM = Option(
    "norm", str, "Distance of fuzzy sets.", default="linear", choices=("linear", "quadratic")
)
CLIP = Option(
    "clip", float, "Least probability that is believed.", default=1e-6, least=0, most=1, open=True
)
