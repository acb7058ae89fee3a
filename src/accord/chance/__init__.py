"""Chance models: random annotations of the same campaign."""
