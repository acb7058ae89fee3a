"""What stands beside γ of boxes: three faults that have three different cures."""

from __future__ import annotations

from typing import Any

import numpy as np

from accord.data.boxes import Boxes
from accord.data.tables import ratings_from_long
from accord.measures.boxes.campaign import Bench
from accord.measures.ratings.alpha import alpha


def beside(boxes: Boxes, made: Bench) -> dict[str, Any]:
    """Share of shapes without counterpart, mean IoU of aligned pairs, α of the labels of groups.

    Shapes without counterpart are missed or invented (say what is to be drawn); a low IoU is careless
    or differently understood outlines (say where a shape ends); a low α of labels is a matter of the
    labels (say what they mean).
    """
    if not made.aligned:
        return {}
    sizes = np.concatenate([(one.members >= 0).sum(axis=1) for one in made.aligned])
    iou = np.concatenate([one.iou for one in made.aligned])
    return {
        "without_counterpart": float((sizes == 1).sum() / max(1, sizes.sum())),
        "aligned_pairs": len(iou),
        "mean_iou": float(iou.mean()) if len(iou) else None,
        "label_alpha": label_alpha(boxes, made),
    }


def label_alpha(boxes: Boxes, made: Bench) -> float | None:
    """Krippendorff's nominal α of the labels that aligned shapes have; None where nothing could differ."""
    items: list[str] = []
    who: list[str] = []
    values: list[str] = []
    group = 0
    for one in made.aligned:
        for members in one.members:
            rows = members[members >= 0]
            rows = rows[boxes.label[rows] >= 0]
            if len(rows) < 2:
                continue
            group += 1
            for row in rows.tolist():
                items.append(str(group))
                who.append(boxes.annotators[boxes.annotator[row]])
                values.append(boxes.categories[boxes.label[row]])
    if not items:
        return None
    found = alpha(ratings_from_long(items, who, values, kind="categories"), metric="nominal")
    return float(found.value) if found.undefined is None else None
