"""γ on complete cuttings: segments aligned by where they end."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from accord.data import Segments
from accord.errors import InputError
from accord.measures.gamma import gamma
from accord.measures.gamma.options import SAMPLING
from accord.registry import measure
from accord.result import Result


@measure(
    "segmentation-gamma",
    title="γ on segments, with the positional dissimilarity for segmentations",
    usual=True,
    shape="segments",
    question="agree",
    citation="Mathet & Widlöcher 2011, TALN; Mathet, Widlöcher & Métivier 2015, Computational "
    "Linguistics 41(3)",
    range=(-float("inf"), 1.0),
    aliases=("gamma-segments",),
    chance=True,
    use="Agreement of several people who cut texts, near misses graded by their distance relative to "
    "the mean segment, corrected for chance.",
    options=SAMPLING,
)
def segmentation_gamma(
    data: Segments,
    **options: Any,
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
    result = gamma(data.to_units(), positional="hamming", **options)
    return replace(
        result,
        measure="segmentation-gamma",
        signature=result.signature.replace("gamma", "segmentation-gamma", 1),
    )
