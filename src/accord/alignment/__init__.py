"""Alignment of units: candidates, exact solver, one-to-one matching."""
