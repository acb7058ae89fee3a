"""Measures for complete cuttings of a continuum: windows, edits, and agreement."""

from accord.measures.segmentation import agreement, hamming, similarity, windows

__all__ = ["agreement", "hamming", "similarity", "windows"]
