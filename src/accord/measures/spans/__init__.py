"""Spans against a reference: exact, overlapping, by length, SemEval schemes, slot errors, disorder;
and the F-measure of each two annotators."""

from accord.measures.spans import disorder, exact, pairwise, semeval, slots, tokens

__all__ = ["disorder", "exact", "pairwise", "semeval", "slots", "tokens"]
