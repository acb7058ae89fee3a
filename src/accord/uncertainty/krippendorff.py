"""Krippendorff's own bootstrap of α: pair differences drawn as if they were independent."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from accord.errors import UsageError
from accord.result import Sample
from accord.uncertainty.spread import Spread, of_draws


def pair_bootstrap(sample: Sample, level: float, resamples: int, seed: int) -> Spread | str:
    """Differences of single pairs drawn again, the expected disagreement held fixed."""
    if sample.deviations is None:
        raise UsageError(
            "Krippendorff's bootstrap is defined for his alpha only; use auto or jackknife"
        )
    deviations, chances, pairs = sample.deviations()
    drawn = np.random.default_rng(seed).multinomial(pairs, chances, size=resamples)
    found = of_draws(np.maximum(-1.0, 1 - drawn @ deviations / pairs), level, "krippendorff")
    if found is None:
        return "the value is undefined on most resamples"
    return replace(
        found,
        warnings=(
            "Krippendorff's bootstrap treats pairs as independent and its intervals are too narrow; "
            "prefer auto",
        ),
    )
