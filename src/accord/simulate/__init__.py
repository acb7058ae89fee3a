"""Controlled degradation, reading grids, curves and the falsification of metrics."""
