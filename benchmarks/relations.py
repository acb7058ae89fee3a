"""Is γ of relations zero at chance, and what does it take? ``python benchmarks/relations.py [--seconds S] [--error E]``

Campaigns of annotators who link without reading, each in a manner of his own, are made up and measured. The
measure is calibrated on a kind of data when its mean over the campaigns is within ± .02 of 0. Every kind is
drawn again until the standard error of its mean is below E, or for S seconds of CPU time. After it: how often
the 95 % interval by documents covers the true value; the CPU time of relations beside that of units, for each
candidate pair; and that of 100 000 relations in 1 000 documents. The tables go to
``benchmarks/results/relations.md``.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

import accord
from accord.alignment.batch import Batch
from accord.alignment.candidates import find_pairs
from accord.alignment.relations import Costs, Links, Network
from accord.data import Relations, Units
from accord.data.continuum import documents_of
from accord.distance.units import unit_dissimilarity
from accord.version import __version__

RESULTS = Path(__file__).parent / "results" / "relations.md"
FEWEST = 40
LABELS = ("a", "b", "c")
#: (source, target) of one annotator in a document of so many items
Draw = Callable[[np.random.Generator, int], list[tuple[int, int]]]


def trees(rng: np.random.Generator, items: int) -> list[tuple[int, int]]:
    """Every item has one head among the others, without circles: a random tree under the root 0."""
    order = rng.permutation(np.arange(1, items))
    heads = [0, *order.tolist()]
    return [(int(one), heads[rng.integers(0, k + 1)]) for k, one in enumerate(order)]


def sparse(rng: np.random.Generator, items: int) -> list[tuple[int, int]]:
    """A few pairs of items."""
    return _pairs(rng, items, max(2, rng.poisson(items / 6)), np.ones(items) / items)


def dense(rng: np.random.Generator, items: int) -> list[tuple[int, int]]:
    """As many pairs as three for each item."""
    return _pairs(rng, items, 3 * items, np.ones(items) / items)


def hubs(rng: np.random.Generator, items: int) -> list[tuple[int, int]]:
    """Items at the beginning are linked to much more often than others."""
    share = 1 / np.arange(1, items + 1)
    return _pairs(rng, items, items, share / share.sum())


def loops(rng: np.random.Generator, items: int) -> list[tuple[int, int]]:
    """Every item to any item, one in four or so to itself."""
    return [(s, s if rng.random() < 0.25 else int(rng.integers(0, items))) for s in range(items)]


def loops_and_pairs(rng: np.random.Generator, items: int) -> list[tuple[int, int]]:
    """As many pairs as items, one in four or so a loop."""
    found: set[tuple[int, int]] = set()
    while len(found) < items:
        s, t = (int(k) for k in rng.integers(0, items, 2))
        found.add((s, s if rng.random() < 0.25 else t))
    return sorted(found)


def loops_or_none(rng: np.random.Generator, items: int) -> list[tuple[int, int]]:
    """Half of the annotators make loops, the others never."""
    if rng.random() < 0.5:
        return loops(rng, items)
    return [(s, (s + int(rng.integers(1, items))) % items) for s in range(items)]


def few(rng: np.random.Generator, items: int) -> list[tuple[int, int]]:
    """One, two or three pairs."""
    return _pairs(rng, items, int(rng.integers(1, 4)), np.ones(items) / items)


def _pairs(
    rng: np.random.Generator, items: int, size: int, share: np.ndarray
) -> list[tuple[int, int]]:
    found: set[tuple[int, int]] = set()
    size = min(size, items * (items - 1) // 4)
    while len(found) < size:
        s, t = int(rng.integers(0, items)), int(rng.choice(items, p=share))
        if s != t:
            found.add((s, t))
    return sorted(found)


@dataclass(frozen=True)
class Kind:
    name: str
    annotators: int
    documents: int
    items: int
    draw: Draw
    chance: str = "endpoints"
    located: bool = False
    options: dict[str, object] = field(default_factory=dict)


UNDIRECTED: dict[str, object] = {"undirected": True}
KINDS = [
    Kind("trees of 12, 2 annotators, 20 documents", 2, 20, 12, trees),
    Kind("trees of 12, 4 annotators, 20 documents", 4, 20, 12, trees),
    Kind("trees of 40, 2 annotators, 1 document", 2, 1, 40, trees),
    Kind("sparse, 2 annotators, 20 documents", 2, 20, 30, sparse),
    Kind("sparse, 3 annotators, 20 documents", 3, 20, 30, sparse),
    Kind("sparse, 5 annotators, 20 documents", 5, 20, 30, sparse),
    Kind("dense, 2 annotators, 5 documents", 2, 5, 10, dense),
    Kind("hubs, 2 annotators, 10 documents", 2, 10, 20, hubs),
    Kind("hubs, 3 annotators, 10 documents", 3, 10, 20, hubs),
    Kind("hubs, 2 annotators, 1 document", 2, 1, 20, hubs),
    Kind("loops, 2 annotators, 10 documents", 2, 10, 20, loops),
    Kind("loops, 5 annotators, 5 documents", 5, 5, 20, loops),
    Kind("loops of some, 4 annotators, 10 documents", 4, 10, 20, loops_or_none),
    Kind("loops and pairs, 2 annotators, 10 documents", 2, 10, 20, loops_and_pairs),
    Kind("located, loops, 2 annotators, 10 documents", 2, 10, 20, loops, located=True),
    Kind("loops and pairs, undirected, 2 annotators, 10 documents", 2, 10, 20, loops_and_pairs,
         options=UNDIRECTED),
    Kind("loops and pairs, units, 2 annotators, 10 documents", 2, 10, 20, loops_and_pairs,
         chance="units"),
    Kind("one to three relations, 2 annotators, 100 documents", 2, 100, 6, few),
    Kind("one to three relations, 3 annotators, 400 documents", 3, 400, 6, few),
    Kind("located, sparse, 2 annotators, 20 documents", 2, 20, 30, sparse, located=True),
    Kind("located, hubs, 3 annotators, 10 documents", 3, 10, 20, hubs, located=True),
    Kind("hubs, undirected, 2 annotators, 10 documents", 2, 10, 20, hubs, options=UNDIRECTED),
    Kind(
        "sparse, label a symmetric, 3 annotators, 20 documents", 3, 20, 30, sparse,
        options={"symmetric": ("a",)},
    ),
    Kind("sparse, units, 2 annotators, 20 documents", 2, 20, 30, sparse, chance="units"),
    Kind("sparse, units, 4 annotators, 20 documents", 4, 20, 30, sparse, chance="units"),
    Kind("one to three relations, units, 2 annotators, 100 documents", 2, 100, 6, few, chance="units"),
    Kind("dense, units, 3 annotators, 5 documents", 3, 5, 10, dense, chance="units"),
    Kind("located, sparse, units, 2 annotators, 20 documents", 2, 20, 30, sparse,
         chance="units", located=True),
    Kind("dense, undirected, units, 2 annotators, 5 documents", 2, 5, 10, dense,
         chance="units", options=UNDIRECTED),
]  # fmt: skip


def campaign(
    kind: Kind, rng: np.random.Generator, reads: float = 0.0, *, alike: bool = False
) -> Relations:
    """Annotators with tastes of their own (or `alike`); with `reads`, that share follows the text."""
    taste = rng.dirichlet(np.full(len(LABELS), 3.0), size=kind.annotators)
    if alike:
        taste[:] = taste[0]
    undirected = bool(kind.options.get("undirected"))
    rows, units, seen = [], [], []
    for k in range(kind.documents):
        truth = [(*pair, int(rng.integers(0, len(LABELS)))) for pair in kind.draw(rng, kind.items)]
        for a in range(kind.annotators):
            own = {
                pair: int(rng.choice(len(LABELS), p=taste[a]))
                for pair in kind.draw(rng, kind.items)
            }
            if reads:
                kept = [p for p in own if rng.random() >= reads]
                own = {p: own[p] for p in kept}
                own |= {(s, t): c for s, t, c in truth if rng.random() < reads}
            if undirected:
                own = {(min(p), max(p)): c for p, c in own.items()}
            place = _places(rng, kind)
            rows += [(f"d{k}", f"w{a}", place[s], place[t], LABELS[c]) for (s, t), c in own.items()]
            units += [(f"d{k}", f"w{a}", *_unit(p), None) for p in place]
            seen.append((f"d{k}", f"w{a}"))
    return Relations.from_rows(
        rows,
        coverage=seen,
        units=Units.from_rows(units) if kind.located else units,
        categories=LABELS,
    )


def _places(rng: np.random.Generator, kind: Kind) -> list[object]:
    """Items by number; or units of the annotator's own, in the order of the text, some of them shifted."""
    if not kind.located:
        return [str(i) for i in range(kind.items)]
    start = 10 * np.arange(kind.items) + rng.integers(0, 3, kind.items)
    return [
        (int(s), int(s) + int(n))
        for s, n in zip(start, rng.integers(4, 8, kind.items), strict=True)
    ]


def _unit(place: object) -> tuple[object, ...]:
    return place if isinstance(place, tuple) else (place,)


def calibration(seconds: float, error: float) -> list[str]:
    lines = [
        "| data | n | relation-gamma | relation-cat | mean relation-f1 |",
        "|---|---|---|---|---|",
    ]
    for number, kind in enumerate(KINDS):
        rng = np.random.default_rng([7, number])
        start = time.process_time()
        found: list[tuple[float, float, float]] = []
        while True:
            data = campaign(kind, rng)
            gamma = accord.agree(
                data,
                "relation-gamma",
                chance=kind.chance,
                samples=30,
                seed=len(found),
                **kind.options,
            )
            only = {k: v for k, v in kind.options.items() if k == "undirected"}
            found.append(
                (
                    gamma.value,
                    accord.agree(campaign(kind, rng, alike=True), "relation-cat", **only).value,
                    accord.agree(data, "relation-f1", **kind.options).value,
                )
            )
            spread = (
                np.std([f[0] for f in found], ddof=1) / np.sqrt(len(found)) if len(found) > 1 else 1
            )
            if time.process_time() - start > seconds or (len(found) >= FEWEST and spread < error):
                break
        table = np.array(found)
        shown = [_shown(table[:, column]) for column in range(2)]
        lines.append(
            f"| {kind.name} | {len(table)} | {shown[0]} | {shown[1]} | {np.nanmean(table[:, 2]):.3f} |"
        )
        print(lines[-1], flush=True)
    return lines


def _shown(values: np.ndarray) -> str:
    own = values[np.isfinite(values)]
    if len(own) < len(values) / 2:
        return "hardly ever defined"
    mean, se = own.mean(), own.std(ddof=1) / np.sqrt(len(own))
    text = f"{mean:+.3f} ± {se:.3f}"
    return f"**{text}**" if abs(mean) > 0.02 + 2 * se else text


def coverage(rounds: int) -> list[str]:
    lines = ["| data | chance | true value | covered | campaigns |", "|---|---|---|---|---|"]
    for number, kind in enumerate(
        (
            Kind("trees of 12, 2 annotators, 20 documents", 2, 20, 12, trees),
            Kind("sparse, 3 annotators, 20 documents", 3, 20, 30, sparse),
            Kind("hubs, 2 annotators, 10 documents", 2, 10, 20, hubs),
            Kind(
                "one to three relations, 2 annotators, 60 documents", 2, 60, 6, few, chance="units"
            ),
            Kind("located, sparse, 2 annotators, 20 documents", 2, 20, 30, sparse, located=True),
        )
    ):
        large = Kind("", kind.annotators, 600, kind.items, kind.draw, located=kind.located)
        how = {"chance": kind.chance}
        truth = accord.agree(
            campaign(large, np.random.default_rng([11, number]), 0.5),
            "relation-gamma",
            samples=10,
            **how,
        ).value
        rng = np.random.default_rng([13, number])
        inside = 0
        for _ in range(rounds):
            found = accord.agree(
                campaign(kind, rng, 0.5), "relation-gamma", samples=30, ci="auto", **how
            )
            inside += found.interval.low <= truth <= found.interval.high
        lines.append(
            f"| {kind.name} | {kind.chance} | {truth:.3f} | {inside / rounds:.1%} | {rounds} |"
        )
        print(lines[-1], flush=True)
    return lines


def speed() -> list[str]:
    """The ideal alignments of units and of relations, per candidate pair."""
    lines = [
        "| annotators | documents | pairs of units | CPU s | pairs of relations | CPU s "
        "| relations / units, per pair |",
        "|---|---|---|---|---|---|---|",
    ]
    for n, documents, size in ((2, 1000, 20), (3, 300, 12), (4, 100, 10), (2, 3, 3000)):
        rng = np.random.default_rng(n)
        rows, links = [], []
        for d in range(documents):
            for a in range(n):
                start = np.cumsum(rng.integers(10, 30, size))
                end = start + rng.integers(8, 24, size)
                rows += [
                    (f"d{d}", f"w{a}", int(s), int(e), "x") for s, e in zip(start, end, strict=True)
                ]
                share = 1 / np.arange(1, size + 1)
                heads = rng.choice(size, size, p=share / share.sum())
                links += [(f"d{d}", f"w{a}", str(i), str(int(h)), "x") for i, h in enumerate(heads)]
        units, relations = Units.from_rows(rows), Relations.from_rows(links)
        d = unit_dissimilarity(units.categories)
        pairs = sum(len(find_pairs(Batch.of([x.continuum]), d).other) for x in documents_of(units))
        meet = candidates(relations)
        times = []
        for data in (units, relations):
            best = np.inf
            for _ in range(7):
                data.memo.clear()
                start = time.process_time()
                accord.align(data)
                best = min(best, time.process_time() - start)
            times.append(best)
        ratio = (times[1] / meet) / (times[0] / pairs)
        lines.append(
            f"| {n} | {documents} | {pairs:,} | {times[0]:.2f} | {meet:,} | {times[1]:.2f} | {ratio:.2f} |"
        )
        print(lines[-1], flush=True)
    return lines


def candidates(relations: Relations) -> int:
    """Pairs that the aligner is given."""
    network = Network.of(relations)
    d = unit_dissimilarity(relations.categories)
    costs = Costs(
        alpha=d.alpha,
        delta=d.delta,
        labels=d.costs,
        unordered=np.zeros(len(relations.categories) + 1, dtype=np.int8),
    )
    return sum(
        len(work.pairs(Links(work.bounds, work.source, work.target, work.label), costs).other)
        for work in network.works(network.shared.tolist())
    )


def large() -> list[str]:
    lines = ["| relations | documents | ends | value | CPU s |", "|---|---|---|---|---|"]
    for documents in (100, 1000):
        for ends in ("given", "located"):
            kind = Kind("", 2, documents, 50, loops, located=ends == "located")
            data = campaign(kind, np.random.default_rng(3), 0.5)
            start = time.process_time()
            found = accord.agree(data, "relation-gamma", samples=30)
            took = time.process_time() - start
            lines.append(
                f"| {len(data):,} | {documents:,} | {ends} | {found.value:.3f} | {took:.1f} |"
            )
            print(lines[-1], flush=True)
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--error", type=float, default=0.006)
    parser.add_argument("--rounds", type=int, default=200)
    given = parser.parse_args()
    many = large()
    fast = speed()
    table = calibration(given.seconds, given.error)
    covered = coverage(given.rounds)
    text = f"""# Relations: calibration, coverage, speed

accord {__version__}, `python benchmarks/relations.py --seconds {given.seconds:g} --error {given.error:g} --rounds {given.rounds}`.

## The value of annotators who do not read should be 0

Mean over *n* made-up campaigns ± its standard error, 30 draws of chance each; **bold** where the mean is beyond ± .02 by more than two standard errors. Chance is `endpoints` unless the row says `units`. relation-cat is an α, whose chance is the labels of all annotators together: it is 0 for annotators of one taste, which it is measured with (of different tastes it is below 0, as every α); few relations are shared by chance, so that its errors are large. The mean F beside it shows how alike such annotators seem without a correction.

What this shows: relation-gamma is within ± .02 under both chances, whatever the number of annotators, documents, relations and loops. Most is dense data, where shuffled targets repeat a relation now and then, which annotators do not. (Before chance kept the number of loops where annotators share the habit, those with loops got + .02 to + .03, and − .05 undirected.)

{chr(10).join(table)}

## How often the 95 % interval by documents covers the true value

Annotators of whom half of the relations follow the text. The true value is that of 600 documents.

{chr(10).join(covered)}

## Relations beside units

CPU seconds of `accord.align`, the best of seven runs; every item is linked to one other, earlier ones more often. The last column compares the time for each candidate pair (2 or less is the aim).

{chr(10).join(fast)}

## Many relations

`relation-gamma`, two annotators, 30 samples of chance.

{chr(10).join(many)}
"""
    RESULTS.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
