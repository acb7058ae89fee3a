"""Logs of evaluations by language models."""
