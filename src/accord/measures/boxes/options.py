"""What the measures of boxes can be told."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from accord.data.boxes import Boxes
from accord.distance.units import Dissimilarity, unit_dissimilarity
from accord.measures.gamma import options as of_units
from accord.measures.gamma.options import weights_of
from accord.options import JOBS, PROGRESS, SEED, Option

CHANCE = Option(
    "chance",
    str,
    "What each annotator drew in another image, or every shape anywhere in its own image (uniform; needs "
    "the sizes of the images).",
    default="images",
    choices=("images", "uniform"),
)
SAMPLES = Option(
    "samples",
    int,
    "Random images made; where there are no more tuples of different images than this, all of them are "
    "tried and chance is exact.",
    default=1_000,
    least=2,
)
IOU = Option(
    "iou",
    float,
    "Least intersection over union of two shapes that match.",
    default=0.5,
    least=0,
    most=1,
    open=False,
)
UNLABELLED = Option(
    "unlabelled", bool, "Shapes match by their place, whatever their labels.", default=False
)

#: how far two shapes are apart
DISTANCE = (
    of_units.ALPHA,
    of_units.BETA,
    of_units.DELTA,
    of_units.MATRIX,
    of_units.CATEGORICAL,
    of_units.TAXONOMY,
    of_units.FEATURE_WEIGHTS,
    of_units.FORBID,
)
OPTIONS = (*DISTANCE, CHANCE, SAMPLES, of_units.TIME_LIMIT, SEED, JOBS, PROGRESS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """All of these, checked."""

    alpha: float | None
    beta: float | None
    delta: float | None
    matrix: str | Path | NDArray[np.float64] | None
    categorical: str
    taxonomy: str | Path | None
    feature_weights: tuple[str, ...] | None
    forbid: bool
    chance: str
    samples: int
    time_limit: float | None
    seed: int
    jobs: int
    progress: Callable[[int, int], None] | None

    def between(self, boxes: Boxes) -> Dissimilarity:
        """d = α·Δ(1−Dice)² + β·d_cat; a pair of units' distance but for the place."""
        return unit_dissimilarity(
            boxes.categories,
            alpha=self.alpha,
            beta=self.beta,
            delta=self.delta,
            categorical=self.categorical,
            matrix=self.matrix,
            forbid=self.forbid,
            taxonomy=self.taxonomy,
            feature_weights=weights_of(self.feature_weights),
        )
