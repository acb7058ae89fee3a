"""Spans against a reference: exact, overlapping, by length, SemEval schemes, slot errors, disorder."""

from accord.measures.spans import disorder, exact, semeval, slots, tokens

__all__ = ["disorder", "exact", "semeval", "slots", "tokens"]
