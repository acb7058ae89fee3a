"""What γ and its relatives can be told."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from accord.chance.models import NAMES
from accord.data.units import Units
from accord.distance.units import CATEGORICAL as CATEGORIES
from accord.distance.units import Dissimilarity, OwnFunction, unit_dissimilarity
from accord.errors import UsageError
from accord.measures.gamma.campaign import Campaign, campaign
from accord.measures.gamma.samples import Sampling
from accord.options import JOBS, PROGRESS, SEED, Option
from accord.result import signature

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
TAXONOMY = Option(
    "taxonomy",
    str,
    "Table label,parent: the tree of the labels, for categorical path and wu-palmer.",
    file=True,
)
FEATURE_WEIGHTS = Option(
    "feature_weights",
    tuple,
    "Weight of each feature of labels such as PER|sg, for categorical features: 2,1.",
    also="Sequence[float]",
)
TOLERANCE = Option(
    "tolerance",
    float,
    "Points (units of length zero) count as units of this length around them.",
    least=0,
    open=True,
)
FORBID = Option("forbid", bool, "Never align categories at distance 1.", default=False)
DISSIMILARITY = Option(
    "dissimilarity",
    object,
    "A dissimilarity of one's own: a function of two (start, end, label) units.",
    also="OwnFunction",
    python_only=True,
)
CHANCE = Option(
    "chance",
    str,
    "Model of chance: rotation is 0 for independent annotators, documents also for those who know "
    "where things usually stand (it takes several documents); the others are the papers' own, min is "
    "the severest of those.",
    default="rotation",
    choices=(*NAMES, "min"),
)
EXPECTED = Option(
    "expected",
    str,
    "Chance for each document by itself, or over the corpus (with several documents).",
    choices=("document", "corpus"),
)
SAMPLES = Option(
    "samples",
    int,
    "Random continua drawn; by default 30, for several documents up to 300 while chance is known to "
    "worse than ± 2 %.",
    least=2,
)
PRECISION = Option(
    "precision",
    float,
    "Draw until the chance of the corpus is known to this relative precision (0.02: ± 2 %).",
    least=0,
    most=1,
    open=True,
)
GROUND_TRUTH = Option("ground_truth", tuple, "Annotators that alone are imitated by chance: a,b.")
TIME_LIMIT = Option(
    "time_limit",
    float,
    "Seconds per alignment; then the best one found, and what may be missing.",
    least=0,
    open=True,
)
FRAGMENTS = Option(
    "fragments",
    str,
    "Discontinuous units as sets of their fragments, or from first to last place (hull).",
    default="sets",
    choices=("sets", "hull"),
)
LABELS = Option(
    "labels",
    str,
    "Labels are names that all share, or each annotator's own, mapped where that lowers the disorder.",
    default="shared",
    choices=("shared", "own"),
)
ALONE = Option(
    "alone",
    str,
    "A unit and an annotator who marked nothing there are no pair (Mathet 2017), or one that differs "
    "(pygamma-agreement since 0.5.0).",
    default="none",
    choices=("none", "differs"),
)
ALIGNMENT = Option(
    "alignment",
    str,
    "Each unit aligned once (exact), or at least once (soft), in the data and by chance.",
    default="exact",
    choices=("exact", "soft"),
)

#: how far two units are apart
DISTANCE = (
    ALPHA,
    BETA,
    DELTA,
    MATRIX,
    POSITIONAL,
    CATEGORICAL,
    TAXONOMY,
    FEATURE_WEIGHTS,
    TOLERANCE,
    FORBID,
    DISSIMILARITY,
    FRAGMENTS,
)
#: what chance is, and how well it is known
SAMPLING = (CHANCE, EXPECTED, SAMPLES, PRECISION, GROUND_TRUTH, TIME_LIMIT, SEED, JOBS, PROGRESS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """All of these, checked: what the γ measures are given beside the units."""

    alpha: float | None
    beta: float | None
    delta: float | None
    matrix: str | Path | NDArray[np.float64] | None
    positional: str
    categorical: str
    taxonomy: str | Path | None
    feature_weights: tuple[str, ...] | None
    tolerance: float | None
    forbid: bool
    dissimilarity: OwnFunction | None
    chance: str
    expected: str | None
    samples: int | None
    precision: float | None
    ground_truth: tuple[str, ...] | None
    time_limit: float | None
    seed: int
    jobs: int
    progress: Callable[[int, int], None] | None
    fragments: str = "sets"
    alignment: str = "exact"
    labels: str = "shared"
    alone: str = "none"

    def between(self, units: Units, objective: str) -> Dissimilarity:
        """The dissimilarity of units that is asked for."""
        return unit_dissimilarity(
            units.categories,
            objective=objective,
            alpha=self.alpha,
            beta=self.beta,
            delta=self.delta,
            positional=self.positional,
            categorical=self.categorical,
            matrix=self.matrix,
            forbid=self.forbid,
            own=self.dissimilarity,
            taxonomy=self.taxonomy,
            feature_weights=weights_of(self.feature_weights),
            fragments=self.fragments,
        )

    def carried_out(
        self, name: str, units: Units, *, objective: str = "gamma", by_category: bool = False
    ) -> tuple[Campaign, str]:
        """The campaign aligned and compared with chance, and the signature of the measure."""
        d = replace(self.between(units, objective), alone=self.alone == "differs")
        if self.labels == "own" and d.name != "nominal":
            raise UsageError(
                "labels of one's own have no distances between them: `labels=own` goes with "
                f"categorical nominal, got {d.name}"
            )
        if self.labels == "own" and name == "gamma-k":
            raise UsageError("labels of one's own are no categories: use γ or γ-cat")
        how = Sampling(
            chance=self.chance,
            samples=self.samples,
            precision=self.precision,
            seed=self.seed,
            jobs=self.jobs,
            by_category=by_category,
            time_limit=self.time_limit,
            method=self.alignment,
            tolerance=self.tolerance or 0.0,
            own_labels=self.labels == "own",
        )
        found = campaign(
            units,
            d,
            how,
            column=-1 if by_category else 0,
            expected=self.expected,
            ground_truth=self.ground_truth,
            progress=self.progress,
        )
        truth = None if self.ground_truth is None else "+".join(self.ground_truth)
        words = {
            **d.words(),
            "tolerance": self.tolerance,
            "alignment": None if self.alignment == "exact" else self.alignment,
            "labels": None if self.labels == "shared" else self.labels,
            "chance": self.chance,
            "expected": found.scope,
            "samples": self.samples or "auto",
            "precision": self.precision,
            "ground-truth": truth,
            "seen": units.seen,
            "seed": self.seed,
        }
        return found, signature(name, units.compared, **words)


def weights_of(given: str | Sequence[str] | None) -> tuple[float, ...] | None:
    """Numbers, from a list or from words such as "2,1"."""
    if given is None:
        return None
    words = given.split(",") if isinstance(given, str) else given
    try:
        return tuple(float(word) for word in words)
    except ValueError:
        raise UsageError(f"`feature_weights` must be numbers, got {given!r}") from None
