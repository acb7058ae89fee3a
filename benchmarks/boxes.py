"""Is γ of boxes zero at chance, and what does it take? ``python benchmarks/boxes.py [--seconds S] [--error E]``

Campaigns of annotators who draw without looking at the image, each in a manner of his own, are made up and
measured. The measure is calibrated on a kind of data when its mean over the campaigns is within ± .02 of 0.
Every kind is drawn again until the standard error of its mean is below E, or for S seconds of CPU time.
After it: how often the 95 % interval by documents covers the true value; and the CPU time of boxes of one
height beside that of the same intervals as units, for as many candidate pairs. The tables go to
``benchmarks/results/boxes.md``.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import accord
from accord.alignment.batch import Batch
from accord.alignment.candidates import find_pairs
from accord.data import Boxes, Units
from accord.data.continuum import documents_of
from accord.distance.boxes import Geometry
from accord.distance.units import unit_dissimilarity
from accord.version import __version__

RESULTS = Path(__file__).parent / "results" / "boxes.md"
FEWEST = 40
LABELS = ("a", "b", "c")
Draw = Callable[[np.random.Generator, int], np.ndarray]


def anywhere(rng: np.random.Generator, size: int) -> np.ndarray:
    """Boxes of all sizes, anywhere in a square of side 100."""
    side = rng.uniform(5, 40, size=(size, 2))
    place = rng.random((size, 2)) * (100 - side)
    return np.column_stack([place, place + side])


def middle(rng: np.random.Generator, size: int) -> np.ndarray:
    """Large boxes in the middle, as people who frame what they photograph draw them."""
    centre = rng.normal(50, 5, size=(size, 2))
    half = rng.uniform(15, 25, size=(size, 2))
    return np.column_stack([centre - half, centre + half])


def ground(rng: np.random.Generator, size: int) -> np.ndarray:
    """Small boxes along the ground."""
    x, y = rng.uniform(0, 90, size), rng.normal(70, 4, size)
    w, h = rng.uniform(4, 10, size), rng.uniform(8, 20, size)
    return np.column_stack([x, y, x + w, y + h])


@dataclass(frozen=True)
class Kind:
    name: str
    annotators: int
    images: int
    draw: Draw
    #: shapes of an annotator in an image, on average
    shapes: float
    crowd: bool = False
    chance: str = "images"


KINDS = [
    Kind("anywhere, 2 annotators, 10 images", 2, 10, anywhere, 3),
    Kind("anywhere, 3 annotators, 20 images", 3, 20, anywhere, 3),
    Kind("anywhere, 5 annotators, 20 images", 5, 20, anywhere, 3),
    Kind("the middle, 2 annotators, 5 images", 2, 5, middle, 1),
    Kind("the middle, 2 annotators, 40 images", 2, 40, middle, 1),
    Kind("the middle, 4 annotators, 20 images", 4, 20, middle, 1.5),
    Kind("along the ground, 2 annotators, 20 images", 2, 20, ground, 6),
    Kind("along the ground, 4 annotators, 60 images", 4, 60, ground, 6),
    Kind("a crowd of 30, 4 an image, 40 images, the middle", 4, 40, middle, 1.5, crowd=True),
    Kind("a crowd of 30, 3 an image, 8 images, anywhere", 3, 8, anywhere, 3, crowd=True),
    Kind("anywhere, 2 annotators, 10 images, chance uniform", 2, 10, anywhere, 3, chance="uniform"),
]


def campaign(kind: Kind, rng: np.random.Generator, looks: float = 0.0) -> Boxes:
    """Annotators with tastes of their own; with `looks`, that share of shapes follows the image."""
    people = 30 if kind.crowd else kind.annotators
    taste = rng.dirichlet(np.full(len(LABELS), 3.0), size=people)
    busy = rng.gamma(20, 1 / 20, size=people)
    rows, seen = [], []
    for k in range(kind.images):
        who = rng.choice(people, kind.annotators, replace=False) if kind.crowd else range(people)
        there = kind.draw(rng, max(1, rng.poisson(kind.shapes)))
        names = rng.integers(0, len(LABELS), size=len(there))
        for a in who:
            seen.append((f"p{k}", f"w{a}"))
            drawn = list(kind.draw(rng, rng.poisson(kind.shapes * busy[a] * (1 - looks))))
            labels = list(rng.choice(len(LABELS), size=len(drawn), p=taste[a]))
            for box, name in zip(there, names, strict=True):
                if rng.random() < looks:
                    drawn.append(box + rng.normal(0, 1.0, size=4))
                    labels.append(name)
            for box, label in zip(drawn, labels, strict=True):
                x0, y0, x1, y1 = np.clip(box, 0, 100)
                if x1 - x0 > 0.01 and y1 - y0 > 0.01:
                    rows.append((f"p{k}", f"w{a}", x0, y0, x1, y1, LABELS[label]))
    return Boxes.from_rows(
        rows, coverage=seen, sizes={f"p{k}": (100, 100) for k in range(kind.images)}
    )


def calibration(seconds: float, error: float) -> list[str]:
    lines = [
        "| data | n | box-gamma | box-cat | mean box-f1 |",
        "|---|---|---|---|---|",
    ]
    for number, kind in enumerate(KINDS):
        rng = np.random.default_rng([7, number])
        start = time.process_time()
        found: list[tuple[float, float, float]] = []
        while True:
            boxes = campaign(kind, rng)
            values = [
                accord.agree(boxes, name, chance=kind.chance, samples=300, seed=len(found)).value
                for name in ("box-gamma", "box-cat")
            ]
            found.append((*values, accord.agree(boxes, "box-f1").value))
            spread = (
                np.nanstd([f[0] for f in found], ddof=1) / np.sqrt(len(found))
                if len(found) > 1
                else 1
            )
            if time.process_time() - start > seconds or (len(found) >= FEWEST and spread < error):
                break
        table = np.array(found)
        shown = []
        for column in range(2):
            own = table[np.isfinite(table[:, column]), column]
            mean, se = own.mean(), own.std(ddof=1) / np.sqrt(len(own))
            text = f"{mean:+.3f} ± {se:.3f}"
            shown.append(f"**{text}**" if abs(mean) > 0.02 + 2 * se else text)
        lines.append(
            f"| {kind.name} | {len(table)} | {shown[0]} | {shown[1]} | {np.nanmean(table[:, 2]):.3f} |"
        )
        print(lines[-1], flush=True)
    return lines


def coverage(rounds: int) -> list[str]:
    lines = ["| data | true value | covered | campaigns |", "|---|---|---|---|"]
    for number, (name, kind) in enumerate(
        (
            ("anywhere, 2 annotators, 20 images", Kind("", 2, 20, anywhere, 3)),
            ("the middle, 3 annotators, 30 images", Kind("", 3, 30, middle, 1.5)),
        )
    ):
        # annotators are the same throughout: the interval is about other images
        values, inside = [], 0
        large = Kind("", kind.annotators, 1500, kind.draw, kind.shapes)
        truth = accord.agree(
            campaign(large, np.random.default_rng([11, number]), 0.5), samples=4000
        ).value
        rng = np.random.default_rng([13, number])
        for _ in range(rounds):
            found = accord.agree(campaign(kind, rng, 0.5), samples=300, ci="auto")
            values.append(found.value)
            inside += found.interval.low <= truth <= found.interval.high
        lines.append(f"| {name} | {truth:.3f} | {inside / rounds:.1%} | {rounds} |")
        print(lines[-1], flush=True)
    return lines


def speed() -> list[str]:
    lines = [
        "| annotators | documents | pairs of units | CPU s | pairs of boxes | CPU s | boxes / units, per pair |",
        "|---|---|---|---|---|---|---|",
    ]
    for n, documents, size in ((2, 1000, 20), (3, 400, 12), (5, 200, 12), (3, 3, 3000)):
        rng = np.random.default_rng(n)
        rows = []
        for d in range(documents):
            for a in range(n):
                start = np.cumsum(rng.uniform(10, 30, size))
                end = start + rng.uniform(8, 24, size)
                rows += [(f"d{d}", f"w{a}", s, e, "x") for s, e in zip(start, end, strict=True)]
        units = Units.from_rows(rows)
        boxes = Boxes.from_rows([(d, a, s, 0, e, 10, c) for d, a, s, e, c in rows])
        d = unit_dissimilarity(units.categories)
        pairs = sum(len(find_pairs(Batch.of([x.continuum]), d).other) for x in documents_of(units))
        edges = np.searchsorted(
            boxes.document.astype(np.int64) * n + boxes.annotator, np.arange(documents * n + 1)
        )
        bounds = np.column_stack([edges[:-1].reshape(-1, n), edges[n::n]]).astype(np.int64)
        meet = len(Geometry.of(boxes).meeting(bounds)[1])
        times = []
        for data in (units, boxes):
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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--error", type=float, default=0.006)
    parser.add_argument("--rounds", type=int, default=200)
    given = parser.parse_args()
    fast = speed()
    table = calibration(given.seconds, given.error)
    covered = coverage(given.rounds)
    text = f"""# Boxes: calibration, coverage, speed

accord {__version__}, `python benchmarks/boxes.py --seconds {given.seconds:g} --error {given.error:g} --rounds {given.rounds}`.

## The value of annotators who do not look at the image should be 0

Mean over *n* made-up campaigns ± its standard error, 300 draws of chance each; **bold** where the mean is beyond ± .02 by more than two standard errors. The mean F beside it shows how alike such annotators seem without a correction.

What this shows: every mean of box-gamma is within ± .02, with errors of .006 or less. For box-cat it is shown where many shapes are aligned by chance (along the ground, 4 annotators); on a handful of aligned pairs it is too uncertain to be read, and on five images with one box each it is too low by a tenth: a ratio over two or three pairs, which leaves the images themselves out of its chance. Below ten aligned pairs it comes with a warning.

{chr(10).join(table)}

## How often the 95 % interval by documents covers the true value

Annotators of whom half of the shapes follow the image. The true value is that of 1 500 images.

{chr(10).join(covered)}

## Boxes of one height beside the same intervals as units

CPU seconds of `accord.align`, the best of seven runs. Units far apart are candidates too, boxes must overlap: the last column compares the time for each candidate pair (2 or less is the aim).

{chr(10).join(fast)}
"""
    RESULTS.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
