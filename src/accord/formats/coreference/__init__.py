"""Chains of mentions: clusters, brackets in columns, heads."""
