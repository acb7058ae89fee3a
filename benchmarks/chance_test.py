"""How often the audit's tests by permutation are wrong, and how often they see what is there.

    python benchmarks/chance_test.py [--campaigns 200]

Independent annotators with habits of their own, in documents that differ in their labels, must be told from
chance (p <= .05) in at most 5 campaigns of 100; annotators who agree must be told from it mostly. Agreement
that is the same along the file must be said to change in at most 5 of 100. Writes results/chance_test.md.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from datetime import date
from pathlib import Path

import numpy as np

from accord.audit.case import Case
from accord.audit.finding import Finding
from accord.audit.homogeneity import drift
from accord.audit.permutation import chance_p
from accord.data import Annotations, Boxes, Chains, Ratings, Relations, Segments, Units
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


def segments(documents: int, cuts: int, people: int) -> Draw:
    """Boundaries at random in a text of 120 sentences; a share `right` of them is where the truth is."""

    def draw(rng: np.random.Generator, right: float) -> Segments:
        rows = []
        for d in range(documents):
            true = rng.choice(np.arange(1, 120), cuts, replace=False)
            for a in range(people):
                own = np.where(rng.random(cuts) < right, true, rng.integers(1, 120, cuts))
                rows += [(f"d{d}", f"A{a}", int(at), None) for at in np.unique(own)]
        return Segments.from_boundaries(rows, lengths={f"d{d}": 120 for d in range(documents)})

    return draw


def chains(documents: int, mentions: int, people: int) -> Draw:
    """Mentions that all mark, in entities of very different sizes; a share `right` is put where it belongs."""

    def draw(rng: np.random.Generator, right: float) -> Chains:
        clusters = {}
        for d in range(documents):
            sizes = rng.dirichlet(np.ones(5))
            true = rng.choice(5, mentions, p=sizes)
            for a in range(people):
                free = rng.choice(5, mentions, p=sizes)
                own = np.where(rng.random(mentions) < right, true, free)
                clusters[f"d{d}", f"A{a}"] = [
                    [f"m{i}" for i in np.flatnonzero(own == e)] for e in np.unique(own)
                ]
        return Chains.from_clusters(clusters)

    return draw


def boxes(images: int, count: int, people: int, middle: float = 1.0) -> Draw:
    """Boxes anywhere, or in the `middle` share of the image; a share `right` is on an object, give or take."""

    def drawn(rng: np.random.Generator) -> np.ndarray:
        size = rng.uniform(60, 160, (count, 2))
        free = np.array([1000.0, 700.0]) - size
        low = free * (0.5 + middle * (rng.random((count, 2)) - 0.5))
        return np.column_stack([low, low + size])

    def draw(rng: np.random.Generator, right: float) -> Boxes:
        rows = []
        for d in range(images):
            true, labels = drawn(rng), rng.integers(3, size=count)
            for a in range(people):
                sees = rng.random((count, 1)) < right
                own = np.where(sees, true + rng.normal(0, 5, true.shape), drawn(rng))
                said = np.where(sees[:, 0], labels, rng.integers(3, size=count))
                rows += [
                    (f"d{d}", f"A{a}", *np.clip(own[i], 0, [1000, 700] * 2), "xxy"[said[i]])
                    for i in range(count)
                ]
        return Boxes.from_rows(rows, sizes={f"d{d}": (1000, 700) for d in range(images)})

    return draw


def relations(documents: int, count: int, people: int) -> Draw:
    """Links between a dozen items, some much liked; a share `right` of them is the truth."""

    def draw(rng: np.random.Generator, right: float) -> Relations:
        rows = []
        for d in range(documents):
            liked = rng.dirichlet(np.ones(12))

            def pairs(n: int, liked: np.ndarray = liked) -> list[tuple[str, str, str]]:
                share = 0.05 / 12 + 0.95 * liked
                ends = [rng.choice(12, 2, replace=False, p=share) for _ in range(n)]
                return [(f"i{s}", f"i{t}", "xxy"[rng.integers(3)]) for s, t in ends]

            true = pairs(count)
            for a in range(people):
                own = {
                    one if rng.random() < right else other
                    for one, other in zip(true, pairs(count), strict=True)
                }
                rows += [(f"d{d}", f"A{a}", *one) for one in sorted(own)]
        return Relations.from_rows(rows)

    return draw


def changing(documents: int, items: int, people: int, numbers: bool = False) -> Draw:
    """People are right in nine of ten, and from a place on in so much less."""

    def draw(rng: np.random.Generator, less: float) -> Ratings:
        rows = []
        whole = documents * items
        for i in range(whole):
            right = 0.9 if i < 0.6 * whole else 0.9 - less
            truth = rng.choice(3, p=(0.5, 0.3, 0.2))
            for a in range(people):
                said = truth if rng.random() < right else rng.integers(3)
                value = int(said) if numbers else "xyz"[said]
                rows.append((f"i{i}", f"A{a}", value, f"d{i // items}"))
        names, who, values, where = (list(c) for c in zip(*rows, strict=True))
        return ratings_from_long(names, who, values, documents=where if documents > 1 else None)

    return draw


SETTINGS: dict[str, Draw] = {
    "ratings, 1 document of 30 items, 2 people": ratings(1, 30, 2),
    "ratings, 2 documents of 10 items, 2 people": ratings(2, 10, 2),
    "ratings, 5 documents of 20 items, 3 people": ratings(5, 20, 3),
    "units, 2 documents of 8 units, 2 people": units(2, 8, 2),
    "units, 4 documents of 8 units, 3 people": units(4, 8, 3),
    "segments, 2 documents of 8 boundaries, 2 people": segments(2, 8, 2),
    "segments, 4 documents of 12 boundaries, 3 people": segments(4, 12, 3),
    "chains, 2 documents of 12 mentions, 2 people": chains(2, 12, 2),
    "chains, 4 documents of 20 mentions, 3 people": chains(4, 20, 3),
    "boxes, 2 images of 6 boxes, 2 people": boxes(2, 6, 2),
    "boxes, 5 images of 6 boxes, 3 people": boxes(5, 6, 3),
    "boxes, all in the middle third, 5 images of 6 boxes, 2 people": boxes(5, 6, 2, 1 / 3),
    "relations, 2 documents of 10 relations, 2 people": relations(2, 10, 2),
    "relations, 5 documents of 10 relations, 3 people": relations(5, 10, 3),
}
RIGHT = (0.0, 0.3, 0.6)
ALONG: dict[str, Draw] = {
    "60 items, 2 people": changing(1, 60, 2),
    "200 items, 3 people": changing(1, 200, 3),
    "200 items of numbers, 3 people": changing(1, 200, 3, numbers=True),
    "40 documents of 8 items, 2 people": changing(40, 8, 2),
}
LESS = (0.0, 0.2, 0.4)


def share(draw: Draw, right: float, campaigns: int) -> float:
    """The share of campaigns that the test tells from chance."""
    told = [
        chance_p(Case(data=draw(np.random.default_rng([k, int(100 * right)]), right), seed=k))
        for k in range(campaigns)
    ]
    return float(np.mean([p is not None and p <= 0.05 for p in told]))


def changes(draw: Draw, less: float, campaigns: int) -> float:
    """The share of campaigns whose agreement is said to change along the file."""
    found = [
        drift(Case(data=draw(np.random.default_rng([k, int(100 * less)]), less), seed=k))
        for k in range(campaigns)
    ]
    return float(np.mean([isinstance(one, Finding) for one in found]))


def table(
    lines: list[str],
    settings: dict[str, Draw],
    shares: Callable[[Draw, float, int], float],
    asked: tuple[float, ...],
    campaigns: Callable[[str], int],
) -> None:
    """One row a setting, written as soon as it is known."""
    head = " | ".join(f"{x:g}".replace("0.", ".") for x in asked)
    lines += ["", f"| campaign | {head} |", "|---" * (1 + len(asked)) + "|"]
    for name, draw in settings.items():
        few = campaigns(name)
        cells = " | ".join(f"{shares(draw, x, few):.3f}" for x in asked)
        lines.append(f"| {name} ({few} campaigns) | {cells} |")
        print(lines[-1], flush=True)
        target = Path(__file__).parent / "results" / "chance_test.md"
        target.write_text("\n".join(lines) + "\n", encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--campaigns", type=int, default=200)
    whole = parser.parse_args().campaigns
    # (what is aligned in each draw takes longer)
    fewer = {"ratings": 1, "segments": 1, "chains": 1, "boxes": 2, "relations": 2, "units": 4}
    lines = [
        "# The audit's tests by permutation",
        "",
        f"accord {__version__}, {date.today()} (`python benchmarks/chance_test.py`).",
        "",
        "## Chance",
        "",
        "Share of campaigns that permutations within documents tell from chance (p ≤ .05), by the share of answers",
        "that are the truth: 0 is the false alarm, to be at most .05.",
    ]
    table(lines, SETTINGS, share, RIGHT, lambda name: max(40, whole // fewer[name.split(",")[0]]))
    lines += [
        "",
        "## A change along the file",
        "",
        "Share of campaigns of which `drift` says that agreement changes along the file, without batches or",
        "moments, by how much less often people are right after three fifths of it: 0 is the false alarm, to be",
        "at most .05.",
    ]
    table(lines, ALONG, changes, LESS, lambda _: whole)


if __name__ == "__main__":
    main()
