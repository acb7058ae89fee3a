"""Shapes drawn in images."""
