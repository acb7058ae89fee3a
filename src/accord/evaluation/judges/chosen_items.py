"""Were the items that people labelled a fair sample of those the judge answered?"""

from __future__ import annotations

import numpy as np

from accord.evaluation.judges.labels import Labels

_SUSPICIOUS = 0.01


def selection_test(labels: Labels) -> tuple[str, float] | None:
    """The test that the judge's answers are alike on labelled and unlabelled items, and its p.

    χ² on the judge's answers for a rate, the rank-sum test for numbers; None when one side is empty.
    """
    from scipy.stats import chi2_contingency, mannwhitneyu

    known = labels.m > 0
    inside, outside = labels.f[known], labels.f[~known]
    if not len(inside) or not len(outside):
        return None
    if labels.target == "mean":
        if np.ptp(labels.f) == 0:
            return "rank-sum", 1.0
        return "rank-sum", float(mannwhitneyu(inside, outside).pvalue)
    table = np.array([[np.sum(x >= 0.5), np.sum(x < 0.5)] for x in (inside, outside)])
    if np.any(table.sum(axis=0) == 0):
        return "chi-squared", 1.0
    return "chi-squared", float(chi2_contingency(table, correction=False).pvalue)


def selection_warning(found: tuple[str, float] | None, sampling: str) -> str | None:
    """What to say when the labelled items do not look like a random sample."""
    if found is None or found[1] >= _SUSPICIOUS or sampling != "random":
        return None
    name, p = found
    return (
        f"the items that people labelled are not a random sample: the judge answers differently on "
        f"them ({name} p = {p:.2g}). If its answers decided what people labelled, say "
        "`sampling=by-judge`; if the items were chosen by their true class, `sampling=by-class`; if "
        "the probabilities are known, `sampling=weights`"
    )
