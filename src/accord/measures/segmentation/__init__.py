"""Measures for complete cuttings of a continuum: windows, edits, and agreement."""

from accord.measures.segmentation import agreement, aligned, hamming, similarity, windows

__all__ = ["agreement", "aligned", "hamming", "similarity", "windows"]
