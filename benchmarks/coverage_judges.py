"""Coverage of the corrected rate: ``python benchmarks/coverage_judges.py`` writes results/coverage_judges.md.

Simulated campaigns: people labelled n of M items, a judge all of them. Every interval that `accord judge`
offers is asked whether it holds the rate that these people would give; a good one does in 95 % of the
campaigns, and is no wider than what the people's labels give alone.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import numpy as np

from accord.evaluation.judges import estimate
from accord.evaluation.judges.labels import Labels
from accord.evaluation.judges.people import people_interval
from accord.version import __version__

HERE = Path(__file__).parent
LEVEL = 0.95
METHODS = {
    "human": estimate.human,
    "ppi": estimate.ppi,
    "ppi++": estimate.ppi_plus,
    "post-stratified": estimate.post_stratified,
    "rogan-gladen": estimate.rogan_gladen,
}
JUDGES = ((0.6, 0.6), (0.7, 0.7), (0.8, 0.8), (0.9, 0.9), (0.95, 0.95), (0.9, 0.6), (0.6, 0.95))


def binary(rng, prevalence, se, sp, n, M, humans=1, spread=0.0) -> tuple[Labels, float, float]:
    """One campaign: labels, the rate that these people give, and that people like them give."""
    truth = rng.random(M) < prevalence
    f = (rng.random(M) < np.where(truth, se, 1 - sp)).astype(float)
    if humans == 1 and spread == 0:  # the person's word is the target
        score, item, person = truth[:n].astype(float), np.arange(n), np.zeros(n, dtype=np.int64)
        here = there = prevalence
    else:
        shift = rng.normal(0, spread, humans)
        yes, no = (1 / (1 + np.exp(-(a + shift))) for a in (np.log(9), -np.log(9)))
        p = np.where(truth[:n, None], yes, no)
        score = (rng.random((n, humans)) < p).astype(float).ravel()
        item, person = np.repeat(np.arange(n), humans), np.tile(np.arange(humans), n)
        here = float(prevalence * yes.mean() + (1 - prevalence) * no.mean())
        z = rng.normal(0, spread, 4000)
        there = float(
            prevalence * np.mean(1 / (1 + np.exp(-(np.log(9) + z))))
            + (1 - prevalence) * np.mean(1 / (1 + np.exp(np.log(9) - z)))
        )
    names = tuple(f"h{h}" for h in range(humans))
    found = Labels(
        f=f, item=item, person=person, score=score, people=names, items=range(M),
        target="rate", positive="1",
    )  # fmt: skip
    return found, here, there


def multiclass(rng, share, quality, n, M) -> Labels:
    """Four classes, one of the given share; the judge errs evenly over the other classes."""
    p = np.array([share, *[(1 - share) / 3] * 3])
    truth = rng.choice(4, M, p=p)
    wrong = (truth + rng.integers(1, 4, M)) % 4
    said = np.where(rng.random(M) < quality, truth, wrong)
    return Labels(
        f=(said == 0).astype(float), item=np.arange(n), person=np.zeros(n, dtype=np.int64),
        score=(truth[:n] == 0).astype(float), people=("a",), items=range(M), target="rate",
        positive="0",
    )  # fmt: skip


def cells(campaigns: int) -> Iterator[tuple[str, str, dict[str, tuple[float, float]]]]:
    """(family, setting, method → (coverage, width relative to the people alone))."""
    rng = np.random.default_rng(2026)
    for n in (50, 100, 200, 500):
        for prevalence in (0.05, 0.1, 0.25, 0.5):
            for se, sp in JUDGES:
                hold = [binary(rng, prevalence, se, sp, n, 2000)[0] for _ in range(campaigns)]
                yield f"n={n}", f"p={prevalence} se={se} sp={sp}", measured(hold, prevalence)
    for share in (0.05, 0.28):
        for quality in (0.6, 0.75, 0.9):
            for n in (50, 100, 300):
                hold = [multiclass(rng, share, quality, n, 2000) for _ in range(campaigns)]
                yield "four classes", f"p={share} judge={quality} n={n}", measured(hold, share)
    for M in (600, 6000):
        for prevalence, se, sp in ((0.03, 0.7, 0.97), (0.15, 0.55, 0.9), (0.65, 0.85, 0.75)):
            for n in (60, 150):
                hold = [binary(rng, prevalence, se, sp, n, M)[0] for _ in range(campaigns)]
                yield f"M={M}", f"p={prevalence} se={se} sp={sp} n={n}", measured(hold, prevalence)


def measured(campaigns: list[Labels], truth: float) -> dict[str, tuple[float, float]]:
    out = {}
    alone = np.mean([width(estimate.human(c, LEVEL)) for c in campaigns])
    for name, method in METHODS.items():
        found = [method(c, LEVEL) for c in campaigns]
        kept = [e for e in found if e.ends is not None]
        inside = [e.ends[0] <= truth <= e.ends[1] for e in kept]
        out[name] = (float(np.mean(inside)), float(np.mean([width(e) for e in kept]) / alone))
    return out


def width(found: estimate.Estimate) -> float:
    return max(0.0, min(1.0, found.ends[1])) - max(0.0, min(1.0, found.ends[0]))


def people(campaigns: int) -> Iterator[tuple[str, float, float, float]]:
    """(setting, coverage for these people, for people like them, and without asking who they are)."""
    rng = np.random.default_rng(7)
    for humans in (2, 3, 5):
        for n in (50, 200):
            for spread in (0.0, 0.5):
                mine = theirs = plain = 0
                for _ in range(campaigns):
                    c, here, there = binary(rng, 0.2, 0.85, 0.9, n, 2000, humans, spread)
                    e = estimate.post_stratified(c, LEVEL)
                    wide = people_interval(c, e, estimate.post_stratified, LEVEL)
                    mine += e.ends[0] <= here <= e.ends[1]
                    plain += e.ends[0] <= there <= e.ends[1]
                    theirs += wide.low <= there <= wide.high
                yield (
                    f"{humans} people, n={n}, sd {spread}",
                    *(k / campaigns for k in (mine, theirs, plain)),
                )


def main() -> None:
    campaigns = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    families: dict[str, dict[str, list[tuple[float, float]]]] = {}
    for family, _, found in cells(campaigns):
        for name, pair in found.items():
            families.setdefault(family, {}).setdefault(name, []).append(pair)
    lines = [
        "# Coverage of the corrected rate",
        "",
        f"accord {__version__}, {date.today()}, {campaigns} campaigns a cell, nominal 95 %. Mean coverage "
        "over the cells (least cell), width relative to the people's labels alone. Binary labels of one "
        "person, M = 2000, prevalence .05–.5, seven judges (28 cells a column); then four classes "
        "(18 cells) and other sizes (12 cells).",
        "",
        "| interval | " + " | ".join(families) + " |",
        "|---|" + "---|" * len(families),
    ]
    for name in METHODS:
        row = []
        for table in families.values():
            coverage = np.array(table[name])
            row.append(
                f"{coverage[:, 0].mean():.3f} ({coverage[:, 0].min():.3f}), ×{coverage[:, 1].mean():.2f}"
            )
        lines.append(f"| {name} | " + " | ".join(row) + " |")
    lines += [
        "",
        "Several people who each label all n items (prevalence .2, se .85, sp .9); people differ by a "
        "normal shift of their log-odds. The last column is the plain interval asked about people like "
        "these, which it does not claim.",
        "",
        "| setting | these people | people like these (`interval_people`) | plain interval |",
        "|---|---|---|---|",
    ]
    lines += [f"| {s} | {a:.3f} | {b:.3f} | {c:.3f} |" for s, a, b, c in people(campaigns)]
    (HERE / "results" / "coverage_judges.md").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
