"""Distances between categories and between units."""
