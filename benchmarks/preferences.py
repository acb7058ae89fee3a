"""Coverage of the intervals of `accord prefer`, and how often equal objects are called different.

    python benchmarks/preferences.py [--campaigns 400] [--resamples 200]

Judges have tastes of their own (normal, sd .5, around the common strengths) and judge every pair once, some as
ties. Two ways to make limits are compared: percentiles of the resamples, and ± t·se with the resamples' se.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from scipy.stats import t as student

from accord.data.preferences import Preferences
from accord.evaluation.preferences.preferred import _draws
from accord.evaluation.preferences.strengths import counts, fit, why_unbounded

STRENGTHS = {"equal": np.zeros(4), "apart": np.array([0.9, 0.3, -0.3, -0.9])}


def campaign(rng: np.random.Generator, theta: np.ndarray, judges: int, ties: float) -> Preferences:
    rows = []
    for j in range(judges):
        own = theta + rng.normal(0, 0.5, len(theta))
        for a in range(len(theta)):
            for b in range(a):
                left, right = (a, b) if rng.random() < 0.5 else (b, a)
                won = rng.random() < 1 / (1 + np.exp(own[right] - own[left]))
                tie = rng.random() < ties
                rows.append(
                    (f"J{j}", str(left), str(right), "tie" if tie else "left" if won else "right")
                )
    return Preferences.from_rows(rows)


def truth(theta: np.ndarray, ties: float) -> np.ndarray:
    """What the model would find with very many judges."""
    if not theta.any():
        return theta
    data = campaign(np.random.default_rng(99), theta, 4_000, ties)
    return fit(*counts(data)).theta


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--campaigns", type=int, default=400)
    parser.add_argument("--resamples", type=int, default=200)
    chosen = parser.parse_args()
    lines = [
        "| strengths | judges | ties | fitted | percentile | t·se | families with a false difference (t·se) |",
        "|---|---|---|---|---|---|---|",
    ]
    pairs = [(a, b) for a in range(4) for b in range(a)]
    for name, theta in STRENGTHS.items():
        for ties in (0.0, 0.2):
            real = truth(theta, ties)
            for judges in (5, 10, 20, 50):
                rng = np.random.default_rng(judges)
                held, wide, wrong, n = 0, 0, 0, 0
                for seed in range(chosen.campaigns):
                    data = campaign(rng, theta, judges, ties)
                    wins, tied = counts(data)
                    if why_unbounded(wins, tied, data.objects) is not None:
                        continue
                    best = fit(wins, tied).theta
                    _, draws, lost = _draws(data, 0.0, chosen.resamples, seed)
                    if lost > 0.05 * chosen.resamples:
                        continue
                    n += 1
                    apart = np.stack([draws[:, a] - draws[:, b] for a, b in pairs], axis=1)
                    gap = np.array([best[a] - best[b] for a, b in pairs])
                    goal = np.array([real[a] - real[b] for a, b in pairs])
                    low, high = np.quantile(apart, [0.025, 0.975], axis=0)
                    error = apart.std(axis=0, ddof=1) * np.sqrt(judges / (judges - 1))
                    held += float(np.mean((low <= goal) & (goal <= high)))
                    off = np.abs(gap - goal) / error
                    wide += float(np.mean(off <= student.ppf(0.975, judges - 1)))
                    size = np.abs(apart - apart.mean(axis=0)) / apart.std(axis=0, ddof=1)
                    limit = np.quantile(size.max(axis=1), 0.95)
                    limit *= student.ppf(0.975, judges - 1) / 1.959964
                    wrong += bool((off > limit).any())
                line = f"| {name} | {judges} | {ties:.0%} | {n} |"
                line += (
                    f" {held / max(1, n):.3f} | {wide / max(1, n):.3f} | {wrong / max(1, n):.3f} |"
                )
                lines.append(line)
                print(line, flush=True)
    out = Path(__file__).parent / "results" / "preferences.md"
    about = (
        "# Intervals of preferences\n\n"
        f"`benchmarks/preferences.py`: four objects, every judge judges every pair once, {chosen.campaigns} campaigns "
        f"a line, {chosen.resamples} resamples each. *Fitted*: campaigns with finite strengths in at least 95 % of the "
        "resamples (others get no interval). Coverage of the 95 % limits of differences.\n\n"
    )
    out.write_text(about + "\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
