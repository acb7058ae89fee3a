"""Spans against a reference: exact, overlapping, by length, SemEval schemes, slot errors."""

from accord.measures.spans import exact, semeval, slots, tokens

__all__ = ["exact", "semeval", "slots", "tokens"]
