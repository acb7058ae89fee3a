"""Errors marked in translations."""
