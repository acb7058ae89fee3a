"""What the coefficients of ratings can be told."""

from accord.distance.agreement_weights import WEIGHTS
from accord.distance.categories import METRICS
from accord.options import SEED, Option

METRIC = Option(
    "metric",
    str,
    "Distance between values.",
    default="nominal",
    choices=METRICS,
    file=True,
    also="NDArray[np.float64] | Callable[..., float]",
    first=True,
)
#: α's chance; the calibrated models of units have the same name in their own family
CHANCE = Option(
    "chance",
    str,
    "What the distance is by chance: between values that were given, or of random rankings.",
    default="observed",
    choices=("observed", "uniform"),
)
#: of a sample of pairs, which says in the signature how it was drawn
PAIRS_SEED = SEED.but(signed="")
QUANTILE = Option(
    "quantile",
    float,
    "Share of chance pairs that a pair must be closer than.",
    default=0.05,
    least=0,
    most=1,
    open=True,
)
CDF = Option(
    "cdf",
    str,
    "How chance is described: by the distances themselves, or smoothed by a Gaussian kernel.",
    default="empirical",
    choices=("empirical", "kde"),
)
PERIOD = Option("period", float, "Period of the circular metric.", least=0, open=True)
TAXONOMY = Option(
    "taxonomy",
    str,
    "Table label,parent: the tree of the labels, for path and wu-palmer.",
    file=True,
)
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
#: of κ and its kin: the items that both rated, as every other tool has it
COMMON = MISSING.but(default="pairable")
K = Option(
    "k",
    float,
    "Ratings whose mean is judged; by default as many as an item has.",
    least=1,
)
