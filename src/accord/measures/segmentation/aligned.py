"""γ on complete cuttings: segments aligned by where they end."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from accord.data import Segments
from accord.errors import InputError
from accord.measures.gamma import gamma
from accord.registry import measure
from accord.result import Result


@measure(
    "segmentation-gamma",
    title="γ on segments, with the positional dissimilarity for segmentations",
    shape="segments",
    question="agree",
    citation="Mathet & Widlöcher 2011, TALN; Mathet, Widlöcher & Métivier 2015, Computational "
    "Linguistics 41(3)",
    range=(-float("inf"), 1.0),
    aliases=("gamma-segments",),
    chance=True,
    use="Agreement of several people who cut texts, near misses graded by their distance relative to "
    "the mean segment, corrected for chance.",
)
def segmentation_gamma(
    data: Segments,
    *,
    chance: str = "statistical",
    expected: str | None = None,
    samples: int = 30,
    precision: float | None = None,
    time_limit: float | None = None,
    seed: int = 0,
    jobs: int = 1,
    progress: Callable[[int, int], None] | None = None,
) -> Result:
    """γ of the segments as units without label, their dissimilarity that of their ends.

    ::

        d_pos = |e_u - e_v| / (k/2),  k the mean length of the document's segments

    The options are those of γ on units.

    >>> data = Segments.from_masses([("d", "A", [4, 6, 5]), ("d", "B", [4, 6, 5])])
    >>> segmentation_gamma(data).value
    1.0

    With many annotators and long texts the exact alignment takes long; `time_limit` (seconds per
    alignment) returns the best one found with its gap.
    """
    if len(data.annotators) < 2:
        raise InputError(
            f"segmentation-gamma needs at least two annotators, got {len(data.annotators)}",
            hint="check the annotator column",
        )
    result = gamma(
        data.to_units(),
        positional="hamming",
        chance=chance,
        expected=expected,
        samples=samples,
        precision=precision,
        time_limit=time_limit,
        seed=seed,
        jobs=jobs,
        progress=progress,
    )
    return replace(
        result,
        measure="segmentation-gamma",
        signature=result.signature.replace("gamma", "segmentation-gamma", 1),
    )
