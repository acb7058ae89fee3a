"""What γ and its relatives can be told."""

from accord.chance.models import MODELS
from accord.distance.units import CATEGORICAL as CATEGORIES
from accord.options import JOBS, PROGRESS, SEED, Option

ALPHA = Option("alpha", float, "Weight of positions (1).", least=0)
BETA = Option("beta", float, "Weight of categories (1).", least=0)
DELTA = Option("delta", float, "Cost Δ of the empty unit (γ 1, holistic 4).", least=0, open=True)
MATRIX = Option(
    "matrix",
    str,
    "Matrix of distances between categories.",
    file=True,
    also="NDArray[np.float64]",
)
POSITIONAL = Option(
    "positional",
    str,
    "Distance between positions.",
    default="sporadic",
    choices=("sporadic", "hamming"),
)
CATEGORICAL = Option(
    "categorical",
    str,
    "Distance between categories.",
    default="nominal",
    choices=CATEGORIES,
)
FORBID = Option("forbid", bool, "Never align categories at distance 1.", default=False)
DISSIMILARITY = Option(
    "dissimilarity",
    object,
    "A dissimilarity of one's own: two arrays of units → an array of distances.",
    also="OwnFunction",
    python_only=True,
)
CHANCE = Option(
    "chance",
    str,
    "Model of chance; min is the severest of them.",
    default="statistical",
    choices=(*MODELS, "min"),
)
EXPECTED = Option(
    "expected",
    str,
    "Chance for each document by itself, or over the corpus (with several documents).",
    choices=("document", "corpus"),
)
SAMPLES = Option("samples", int, "Random continua drawn at least.", default=30, least=2)
PRECISION = Option(
    "precision",
    float,
    "Draw until chance is known to this relative precision (0.02: ± 2 %).",
    least=0,
    most=1,
    open=True,
)
GROUND_TRUTH = Option("ground_truth", tuple, "Annotators that alone are imitated by chance: a,b.")
TIME_LIMIT = Option(
    "time_limit", float, "Seconds per alignment, then an honest gap.", least=0, open=True
)

#: how far two units are apart
DISTANCE = (ALPHA, BETA, DELTA, MATRIX, POSITIONAL, CATEGORICAL, FORBID)
#: what chance is, and how well it is known
SAMPLING = (CHANCE, EXPECTED, SAMPLES, PRECISION, GROUND_TRUTH, TIME_LIMIT, SEED, JOBS, PROGRESS)
