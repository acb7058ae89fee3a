"""How often the audit's test of chance is wrong, and how often it sees real agreement.

    python benchmarks/chance_test.py [--campaigns 200]

Independent annotators with habits of their own, in documents that differ in their labels, must be told from
chance (p <= .05) in at most 5 campaigns of 100; annotators who agree must be told from it mostly. Writes
results/chance_test.md.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from datetime import date
from pathlib import Path

import numpy as np

from accord.audit.case import Case
from accord.audit.permutation import chance_p
from accord.data import Annotations, Ratings, Units
from accord.data.tables import ratings_from_long
from accord.version import __version__

Draw = Callable[[np.random.Generator, float], Annotations]


def ratings(documents: int, items: int, people: int) -> Draw:
    """Each document has shares of its own, each person leans to a label; a share `right` is the truth."""

    def draw(rng: np.random.Generator, right: float) -> Ratings:
        lean = rng.dirichlet(np.ones(3) * 3, people)
        rows = []
        for d in range(documents):
            shares = rng.dirichlet(np.ones(3))
            truth = rng.choice(3, items, p=shares)
            for a in range(people):
                own = shares * lean[a] / (shares * lean[a]).sum()
                said = np.where(rng.random(items) < right, truth, rng.choice(3, items, p=own))
                rows += [(f"{d}-{i}", f"A{a}", "xyz"[c], f"d{d}") for i, c in enumerate(said)]
        items_, who, values, where = (list(c) for c in zip(*rows, strict=True))
        return ratings_from_long(items_, who, values, documents=where)

    return draw


def units(documents: int, count: int, people: int) -> Draw:
    """Units of random place; a share `right` of them is where the truth is, give or take."""

    def draw(rng: np.random.Generator, right: float) -> Units:
        rows = []
        for d in range(documents):
            true = np.sort(rng.choice(60, count, replace=False)) * 10.0
            for a in range(people):
                own = np.where(rng.random(count) < right, true, rng.choice(60, count) * 10.0)
                rows += [
                    (f"d{d}", f"A{a}", s, s + float(rng.integers(4, 10)), "xxy"[rng.integers(3)])
                    for s in np.unique(own)
                ]
        return Units.from_rows(rows, lengths={f"d{d}": 620.0 for d in range(documents)})

    return draw


SETTINGS: dict[str, Draw] = {
    "ratings, 1 document of 30 items, 2 people": ratings(1, 30, 2),
    "ratings, 2 documents of 10 items, 2 people": ratings(2, 10, 2),
    "ratings, 5 documents of 20 items, 3 people": ratings(5, 20, 3),
    "units, 2 documents of 8 units, 2 people": units(2, 8, 2),
    "units, 4 documents of 8 units, 3 people": units(4, 8, 3),
}
RIGHT = (0.0, 0.3, 0.6)


def share(draw: Draw, right: float, campaigns: int) -> float:
    """The share of campaigns that the test tells from chance."""
    told = [
        chance_p(Case(data=draw(np.random.default_rng([k, int(100 * right)]), right), seed=k))
        for k in range(campaigns)
    ]
    return float(np.mean([p is not None and p <= 0.05 for p in told]))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--campaigns", type=int, default=200)
    campaigns = parser.parse_args().campaigns
    lines = [
        "# The audit's test of chance",
        "",
        f"accord {__version__}, {date.today()}, {campaigns} campaigns a cell (`python benchmarks/chance_test.py`).",
        "Share of campaigns that permutations within documents tell from chance (p ≤ .05), by the share of answers",
        "that are the truth: 0 is the false alarm, to be at most .05.",
        "",
        "| campaign | 0 | .3 | .6 |",
        "|---|---|---|---|",
    ]
    for name, draw in SETTINGS.items():
        few = campaigns if name.startswith("ratings") else max(40, campaigns // 4)
        cells = " | ".join(f"{share(draw, right, few):.3f}" for right in RIGHT)
        lines.append(f"| {name}{'' if few == campaigns else f' ({few} campaigns)'} | {cells} |")
        print(lines[-1], flush=True)
        target = Path(__file__).parent / "results" / "chance_test.md"
        target.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
