"""γ of boxes by document and label, and what the aligned pairs differ in."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from accord.data.boxes import Boxes
from accord.errors import UsageError
from accord.measures.boxes.campaign import bench_of
from accord.measures.boxes.options import Settings
from accord.measures.gamma.parts import rows_of
from accord.options import filled
from accord.registry import Breakdown
from accord.result import Row
from accord.study import Study

#: aligned shapes that overlap less than this are drawn in different places
LOOSE = 0.5


def by_document(study: Study) -> Sequence[Row]:
    """Each image's own value, against the expected disorder of the whole computation."""
    boxes = _boxes(study)
    counts = np.bincount(boxes.document, minlength=len(boxes.documents)).tolist()
    return rows_of(study.result, dict(zip(boxes.documents, counts, strict=True)))


def by_label(study: Study) -> Sequence[Row]:
    """The measure on the shapes of one label alone: how well these are found and outlined."""
    boxes = _boxes(study)
    return [
        {
            "label": name,
            **study.of(boxes.select(categories=[name])).row(),
            "n": int((boxes.label[boxes.shared] == k).sum()),
        }
        for k, name in enumerate(boxes.categories)
    ]


def by_errors(study: Study) -> Sequence[Row]:
    """What two annotators of an image do with a shape of one of them, over all pairs of annotators.

    Every pair of annotators who saw an image makes a pair of each two shapes that are aligned, and a
    missing one of each shape whose group has no shape of the other.
    """
    boxes = _boxes(study)
    made = bench_of(boxes, settings_of(study))
    counts = dict.fromkeys(
        ("same", "other place", "other label", "other label and place", "missing"), 0
    )
    for image, one in zip(made.images, made.aligned, strict=True):
        near = one.iou >= LOOSE
        alike = boxes.label[one.first] == boxes.label[one.second]
        counts["same"] += int((near & alike).sum())
        counts["other place"] += int((~near & alike).sum())
        counts["other label"] += int((near & ~alike).sum())
        counts["other label and place"] += int((~near & ~alike).sum())
        sizes = (one.members >= 0).sum(axis=1)
        counts["missing"] += int((sizes * (len(image.annotators) - sizes)).sum())
    whole = sum(counts.values())
    return [
        {"error": name, "pairs": n, "share": n / whole if whole else math.nan}
        for name, n in counts.items()
    ]


def settings_of(study: Study) -> Settings:
    """The options of a study of this family."""
    values = filled(study.record.name, study.record.options, study.options)
    return Settings(**{k: v for k, v in values.items() if k in Settings.__slots__})


def _boxes(study: Study) -> Boxes:
    if not isinstance(study.data, Boxes):
        raise UsageError(f"this breakdown is for boxes, the data are {study.data.shape}")
    return study.data


BREAKDOWNS: Mapping[str, Breakdown] = {
    "document": by_document,
    "label": by_label,
    "category": by_label,
    "errors": by_errors,
}
