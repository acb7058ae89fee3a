"""What the measures of relations can be told."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from accord.alignment.relations import Costs
from accord.data.relations import Relations
from accord.distance.units import Dissimilarity, unit_dissimilarity
from accord.measures.gamma.options import (
    BETA,
    CATEGORICAL,
    FEATURE_WEIGHTS,
    MATRIX,
    TAXONOMY,
    TIME_LIMIT,
    weights_of,
)
from accord.options import JOBS, PROGRESS, SEED, Option

ALPHA = Option("alpha", float, "Weight of the ends (1).", least=0)
DELTA = Option("delta", float, "Cost Δ of a missing relation (1).", least=0, open=True)
UNDIRECTED = Option("undirected", bool, "Relations have no direction: a→b is b→a.", default=False)
SYMMETRIC = Option("symmetric", tuple, "Labels whose relations have no direction: a,b.")
CHANCE = Option(
    "chance",
    str,
    "What chance links: endpoints shuffles the targets and the labels of each annotator, units draws "
    "pairs of its units, min is the severer; documents is what each linked in other documents, so that "
    "those who know what is usually linked get 0.",
    default="endpoints",
    choices=("endpoints", "units", "min", "documents"),
)
SAMPLES = Option(
    "samples",
    int,
    "Random sets of relations drawn of each document; by default 10, of many documents 2, up to 300 while "
    "chance is known to worse than ± 2 %. Where all arrangements are few they are all taken.",
    least=2,
)
MATCH = Option(
    "match",
    str,
    "Ends match when they are the same (strict), or when they overlap.",
    default="strict",
    choices=("strict", "overlap"),
)
UNLABELLED = Option(
    "unlabelled", bool, "Labels do not count: who is linked to whom.", default=False
)
WINDOW = Option(
    "window", int, "Only pairs of units at most so many units apart are judged.", least=1
)
CANDIDATES = Option(
    "candidates",
    str,
    "Table of the pairs that were judged: document, then the columns of the ends.",
    file=True,
)

#: how far two relations are apart
DISTANCE = (
    ALPHA,
    BETA,
    DELTA,
    MATRIX,
    CATEGORICAL,
    TAXONOMY,
    FEATURE_WEIGHTS,
    UNDIRECTED,
    SYMMETRIC,
)
SAMPLING = (CHANCE, SAMPLES, TIME_LIMIT, SEED, JOBS, PROGRESS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """All of these, checked: what relation-gamma is given beside the relations."""

    alpha: float | None
    beta: float | None
    delta: float | None
    matrix: str | Path | NDArray[np.float64] | None
    categorical: str
    taxonomy: str | Path | None
    feature_weights: tuple[str, ...] | None
    undirected: bool
    symmetric: tuple[str, ...] | None
    chance: str
    samples: int | None
    time_limit: float | None
    seed: int
    jobs: int
    progress: Callable[[int, int], None] | None

    def between(self, relations: Relations) -> tuple[Dissimilarity, Costs]:
        """The dissimilarity of labels and ends that is asked for."""
        d = unit_dissimilarity(
            relations.categories,
            alpha=self.alpha,
            beta=self.beta,
            delta=self.delta,
            categorical=self.categorical,
            matrix=self.matrix,
            taxonomy=self.taxonomy,
            feature_weights=weights_of(self.feature_weights),
        )
        return d, Costs.of(relations, d, undirected=self.undirected, symmetric=self.symmetric)

    def words(self, d: Dissimilarity) -> dict[str, object]:
        """The options, as the signature shows them."""
        words = d.words()
        return {
            "alpha": words["alpha"],
            "beta": words["beta"],
            "delta": words["delta"],
            "categorical": words["categorical"],
            "undirected": "yes" if self.undirected else None,
            "symmetric": None if not self.symmetric else "+".join(self.symmetric),
        }
