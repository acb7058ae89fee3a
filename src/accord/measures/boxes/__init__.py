"""Boxes and polygons in images: γ of boxes, γ-cat of boxes, and their F-measure."""

from accord.measures.boxes.box_gamma import box_cat, box_gamma
from accord.measures.boxes.matched import box_f1, box_f1_score

__all__ = ["box_cat", "box_f1", "box_f1_score", "box_gamma"]
