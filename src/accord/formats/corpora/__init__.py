"""Formats of annotated corpora: texts with units, layers and relations."""
