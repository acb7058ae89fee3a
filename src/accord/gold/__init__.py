"""Building references from several annotators."""
