"""Rules about sameness: documents that differ, and drift over time."""

from __future__ import annotations

import math

import numpy as np

from accord.audit.case import Case
from accord.audit.finding import Finding
from accord.audit.values import MATHET
from accord.measures.ratings.breakdowns import by_time
from accord.measures.ratings.diagnostics import homogeneity
from accord.measures.ratings.urns import percent

#: documents with fewer items on average say nothing about their own distribution
_ITEMS_PER_DOCUMENT = 5


def heterogeneous_documents(case: Case) -> Finding | None:
    """Documents differ in their categories, so chance over the corpus is too low (§3.6)."""
    data = case.ratings
    if data is None or data.document is None or not 2 <= len(data.documents) <= 2000:
        return None
    if data.n_items / len(data.documents) < _ITEMS_PER_DOCUMENT:
        return None
    found = homogeneity(data, seed=case.seed, permutations=199)
    inside, over = found["mean_local_value"], found["global_value"]
    if found["p"] > 0.01 or not over - inside > 0.05:
        return None
    return Finding(
        rule="heterogeneous-documents",
        severity="caution",
        statement=(
            f"The documents differ in their categories: agreement is {over:.2f} over the corpus and "
            f"{inside:.2f} on average inside a document."
        ),
        evidence=found,
        advice="Report both, and the values by document (--by document).",
        citation=f"{MATHET}, §3.6",
    )


def drift(case: Case) -> Finding | None:
    """Agreement moves from batch to batch, in one direction."""
    data = case.ratings
    if data is None or data.time is None or not 3 <= len(data.times) <= 500:
        return None
    rows = [r for r in by_time(data, percent, {}) if r["n"] >= 10 and math.isfinite(r["value"])]
    if len(rows) < 3:
        return None
    from scipy.stats import kendalltau

    values = [r["value"] for r in rows]
    trend = kendalltau(np.arange(len(values)), values)
    if not trend.pvalue < 0.05 and max(values) - min(values) <= 0.2:
        return None
    return Finding(
        rule="drift",
        severity="caution",
        statement=(
            f"Raw agreement changes over time: {values[0]:.0%} in {rows[0]['time']!r}, "
            f"{values[-1]:.0%} in {rows[-1]['time']!r} (from {min(values):.0%} to {max(values):.0%})."
        ),
        evidence={"by_time": rows, "tau": float(trend.statistic), "p": float(trend.pvalue)},
        advice="Look at what changed (guidelines, fatigue, training) and report the batches apart.",
        citation=f"{MATHET}, §3.6",
    )
