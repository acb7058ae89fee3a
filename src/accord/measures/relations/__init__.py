"""Measures of relations between units or given items."""

from accord.measures.relations.alpha import relation_alpha, relation_cat
from accord.measures.relations.f1 import relation_f1
from accord.measures.relations.gamma import relation_gamma

__all__ = ["relation_alpha", "relation_cat", "relation_f1", "relation_gamma"]
