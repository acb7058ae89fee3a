"""Measures for complete cuttings of a continuum: windows, edits, and agreement."""

from accord.measures.segmentation import agreement, hamming, segmentation_gamma, similarity, windows

__all__ = ["agreement", "hamming", "segmentation_gamma", "similarity", "windows"]
