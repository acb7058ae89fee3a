"""Boxes and polygons in images: γ of boxes, γ-cat of boxes, and their F-measure."""

from accord.measures.boxes.box_f1 import box_f1, box_f1_score
from accord.measures.boxes.box_gamma import box_cat, box_gamma

__all__ = ["box_cat", "box_f1", "box_f1_score", "box_gamma"]
