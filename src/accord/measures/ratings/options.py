"""What the coefficients of ratings can be told."""

from accord.distance.agreement_weights import WEIGHTS
from accord.distance.categories import METRICS
from accord.options import Option

METRIC = Option(
    "metric",
    str,
    "Distance between values.",
    default="nominal",
    choices=METRICS,
    file=True,
    also="NDArray[np.float64]",
)
PERIOD = Option("period", float, "Period of the circular metric.", least=0, open=True)
WEIGHTING = Option(
    "weights",
    str,
    "How far two values agree.",
    default="identity",
    choices=WEIGHTS,
    file=True,
    also="NDArray[np.float64]",
)
MISSING = Option(
    "missing",
    str,
    "Items rated once: available keeps them for chance, pairable drops them.",
    default="available",
    choices=("available", "pairable"),
)
K = Option(
    "k",
    float,
    "Ratings whose mean is judged; by default as many as an item has.",
    least=1,
)
