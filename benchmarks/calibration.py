"""Is γ zero at chance? ``python benchmarks/calibration.py [--campaigns N] [--cells a,b]``

Campaigns of annotators who place their units independently of each other, each in a manner of his
own, are made up and measured with the default options and with every chance model. A model is
calibrated on a kind of data when the mean of the measure over the campaigns is within ± .02 of 0.
The table goes to ``benchmarks/results/calibration.md``.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import accord
from accord.data import Segments, Units
from accord.errors import AccordError
from accord.version import __version__

RESULTS = Path(__file__).parent / "results" / "calibration.md"
BOUND = 0.02
LABELS = ("a", "b", "c")
EVEN, SKEWED = (1 / 3, 1 / 3, 1 / 3), (0.9, 0.07, 0.03)

Floats = np.ndarray
#: (start, end, label) of one annotator on one document of that length
Made = tuple[float, Floats, Floats, Floats]
Maker = Callable[[np.random.Generator], Made]


def anywhere(rng: np.random.Generator, size: Floats, length: float) -> Floats:
    """Starts of units that may overlap, uniform over the possible ones."""
    return rng.random(len(size)) * (length - size)


def apart(rng: np.random.Generator, size: Floats, length: float) -> Floats:
    """Starts of units that do not overlap, all arrangements equally likely."""
    free = np.sort(rng.random(len(size))) * (length - size.sum())
    return free + np.cumsum(size) - size


def labels(rng: np.random.Generator, count: int, shares: Sequence[float] = EVEN) -> Floats:
    return rng.choice(len(LABELS), count, p=shares)


def overlapping(
    length: float, count: int, low: float, high: float, shares: Sequence[float] = EVEN
) -> Maker:
    def make(rng: np.random.Generator) -> Made:
        size = rng.uniform(low, high, count)
        start = anywhere(rng, size, length)
        return length, start, start + size, labels(rng, count, shares)

    return make


def lognormal(length: float, count: int, fill: float) -> Maker:
    """Units apart, of very unequal lengths, that fill a share of the continuum."""

    def make(rng: np.random.Generator) -> Made:
        size = rng.lognormal(0, 0.8, count)
        size *= fill * length / size.sum()
        start = apart(rng, size, length)
        return length, start, start + size, labels(rng, count)

    return make


def heavy(length: float, count: int) -> Maker:
    """Overlapping units whose lengths differ by a hundred."""

    def make(rng: np.random.Generator) -> Made:
        size = np.minimum(rng.lognormal(3, 1.2, count), 0.9 * length)
        start = anywhere(rng, size, length)
        return length, start, start + size, labels(rng, count)

    return make


def tiny(length: float, most: int) -> Maker:
    def make(rng: np.random.Generator) -> Made:
        count = int(rng.integers(0, most + 1))
        size = rng.uniform(5, 20, count)
        start = anywhere(rng, size, length)
        return length, start, start + size, labels(rng, count)

    return make


def tokens(length: int, most: int) -> Maker:
    """Names of one to three words in a sentence."""

    def make(rng: np.random.Generator) -> Made:
        count = int(rng.integers(0, most + 1))
        size = rng.integers(1, 4, count).astype(float)
        free = np.sort(rng.permutation(length - int(size.sum()) + count)[:count])
        start = free - np.arange(count) + np.cumsum(size) - size
        return float(length), start, start + size, labels(rng, count)

    return make


def nested(length: float, parents: int, depth: int) -> Maker:
    """Each unit holds a smaller one, and that another."""

    def make(rng: np.random.Generator) -> Made:
        size = rng.uniform(0.4, 1.0, parents) * 0.9 * length / parents
        start = apart(rng, size, length)
        starts, ends = [start], [start + size]
        for _ in range(depth):
            inner = size * rng.uniform(0.3, 0.9, parents)
            start = start + rng.random(parents) * (size - inner)
            size = inner
            starts.append(start)
            ends.append(start + size)
        return length, *map(np.concatenate, (starts, ends)), labels(rng, parents * (depth + 1))

    return make


def tree(length: float, sections: int, parts: int) -> Maker:
    """The whole, its sections, their parts: every level cuts it completely."""

    def make(rng: np.random.Generator) -> Made:
        upper = np.concatenate([[0.0], np.sort(rng.random(sections - 1)) * length, [length]])
        lower = np.sort(np.concatenate([upper, rng.random(parts - sections) * length]))
        start = np.concatenate([[0.0], upper[:-1], lower[:-1]])
        end = np.concatenate([[length], upper[1:], lower[1:]])
        return length, start, end, labels(rng, len(start))

    return make


def cutting(length: float, count: int) -> Maker:
    def make(rng: np.random.Generator) -> Made:
        edges = np.concatenate([[0.0], np.sort(rng.random(count - 1)) * length, [length]])
        return length, edges[:-1], edges[1:], labels(rng, count)

    return make


def bursts(length: float, count: int, each: int) -> Maker:
    def make(rng: np.random.Generator) -> Made:
        centre = rng.random(count) * (length - 80)
        start = (centre[:, None] + rng.random((count, each)) * 60).ravel()
        return length, start, start + rng.uniform(8, 20, count * each), labels(rng, count * each)

    return make


@dataclass(frozen=True, slots=True)
class Cell:
    """One kind of data."""

    name: str
    make: Maker
    annotators: int
    documents: int = 1
    #: the length of documents is told
    known: bool = True

    def draw(self, rng: np.random.Generator) -> Units:
        rows, lengths, coverage = [], {}, []
        for d in range(self.documents):
            for a in range(self.annotators):
                length, start, end, label = self.make(rng)
                lengths[f"d{d}"] = length
                coverage.append((f"d{d}", f"a{a}"))
                rows += [
                    (f"d{d}", f"a{a}", float(s), float(e), LABELS[int(c)])
                    for s, e, c in zip(start, np.minimum(end, length), label, strict=True)
                ]
        return Units.from_rows(
            rows, lengths=lengths if self.known else None, coverage=coverage, categories=LABELS
        )


CELLS = (
    Cell("dense, 2 annotators", overlapping(180, 12, 20, 60), 2),
    Cell("dense, 3 annotators", overlapping(180, 12, 20, 60), 3),
    Cell("very dense, 4 annotators", overlapping(80, 6, 20, 60), 4),
    Cell("sparse, 2 annotators", overlapping(1000, 30, 10, 40), 2),
    Cell("sparse, 3 annotators", overlapping(600, 12, 20, 60), 3),
    Cell("sparse, 5 annotators", overlapping(400, 6, 20, 60), 5),
    Cell("sparse, 6 annotators", overlapping(400, 5, 20, 60), 6),
    Cell("long, 2 annotators", overlapping(5000, 100, 20, 60), 2),
    Cell("nested, 2 annotators", nested(1000, 5, 1), 2),
    Cell("nested three deep, 3 annotators", nested(400, 4, 2), 3),
    Cell("every level a cutting, 2 annotators", tree(1000, 4, 12), 2),
    Cell("skewed lengths, overlapping, 3 annotators", heavy(2000, 25), 3),
    Cell("skewed lengths, apart (30 % full), 2 annotators", lognormal(1000, 10, 0.3), 2),
    Cell("skewed lengths, apart (85 % full), 3 annotators", lognormal(1000, 10, 0.85), 3),
    Cell("skewed lengths, apart (95 % full), 2 annotators", lognormal(1000, 10, 0.95), 2),
    Cell("skewed categories, 10 documents, 3 annotators",
         overlapping(500, 10, 20, 60, SKEWED), 3, 10),
    Cell("tiny (0–2 units), 200 documents, 3 annotators", tiny(100, 2), 3, 200),
    Cell("tiny (0–3 units), 80 documents, 2 annotators", tiny(100, 3), 2, 80),
    Cell("sentences of 20 tokens, 100 documents, 3 annotators", tokens(20, 3), 3, 100),
    Cell("cuttings, 3 annotators", cutting(1000, 10), 3),
    Cell("cuttings, 10 documents, 2 annotators", cutting(1000, 8), 2, 10),
    Cell("bursts, 10 documents, 3 annotators", bursts(1000, 3, 5), 3, 10),
    Cell("dense, length unknown, 3 annotators", overlapping(180, 12, 20, 60), 3, known=False),
    Cell("sparse, length unknown, 3 annotators", overlapping(600, 12, 20, 60), 3, known=False),
    Cell("tiny, length unknown, 80 documents, 3 annotators", tiny(100, 3), 3, 80, known=False),
)  # fmt: skip

#: documents × annotators, atoms, cuts
CUTS = ((1, 2, 100, 9), (1, 3, 100, 9), (10, 4, 60, 5), (40, 2, 20, 2))


def cut_at_random(rng: np.random.Generator, cell: tuple[int, int, int, int]) -> Segments:
    documents, annotators, length, cuts = cell
    rows = []
    for d in range(documents):
        for a in range(annotators):
            at = np.sort(rng.choice(np.arange(1, length), cuts, replace=False))
            masses = np.diff(np.concatenate([[0], at, [length]]))
            rows.append((f"d{d}", f"a{a}", [int(m) for m in masses]))
    return Segments.from_masses(rows)


@dataclass(frozen=True, slots=True)
class Column:
    """A measure with options, as a column of the table."""

    name: str
    measure: str
    options: tuple[tuple[str, str | int], ...] = ()


#: by default: all measures, both expectations
#: (γ-cat before γ: one alignment and one set of samples then serve both)
DEFAULT = (
    Column("γ-cat", "gamma-cat"),
    Column("γ-k", "gamma-k"),
    Column("γ", "gamma"),
    Column("γ, by document", "gamma", (("expected", "document"),)),
    Column("holistic", "holistic"),
)
PAPERS = (
    *(Column(name, "gamma", (("chance", name),)) for name in ("statistical", "shuffle", "random1")),
    Column("holistic, min", "holistic", (("chance", "min"),)),
)


def measured(data: Units | Segments, column: Column, seed: int) -> float:
    """The value; for γ-k the mean over the categories (weighted as γ-cat weighs them)."""
    try:
        found = accord.agree(data, column.measure, seed=seed, ci=None, **dict(column.options))
    except AccordError:
        return float("nan")
    if not isinstance(found, tuple):
        return float(found.value)
    values = [(r.value, r.n) for r in found if np.isfinite(r.value)]
    if not values:
        return float("nan")
    value, n = np.array(values).T
    return float(value @ n / n.sum())


def mean_and_error(values: Sequence[float]) -> tuple[float, float, int]:
    good = np.array([v for v in values if np.isfinite(v)])
    if len(good) < 2:
        return float("nan"), float("nan"), len(good)
    return float(good.mean()), float(good.std(ddof=1) / np.sqrt(len(good))), len(good)


def calibrated(
    cell: Cell, columns: Sequence[Column], campaigns: int, seed: int = 0
) -> list[tuple[float, float, int]]:
    """Mean, standard error and number of values of each column on campaigns of one kind."""
    rng = np.random.default_rng((seed, sum(map(ord, cell.name))))
    values: list[list[float]] = [[] for _ in columns]
    for b in range(campaigns):
        data = cell.draw(rng)
        for column, kept in zip(columns, values, strict=True):
            if cell.documents == 1 and ("expected", "document") in column.options:
                continue  # the same as without
            kept.append(measured(data, column, seed + b))
    return [mean_and_error(kept) for kept in values]


def entry(found: tuple[float, float, int], campaigns: int) -> str:
    mean, error, count = found
    if not np.isfinite(mean):
        return "–"
    text = f"{mean:+.3f} ± {error:.3f}"
    # beyond the bound, and not by the luck of these campaigns
    if abs(mean) - 2 * error > BOUND:
        text = f"**{text}**"
    return text if count == campaigns else f"{text} ({count})"


def lines(campaigns: int, cells: Sequence[Cell], papers: bool) -> Iterator[str]:
    for title, columns in (("By default (rotation)", DEFAULT), ("The papers' models", PAPERS)):
        if columns is PAPERS and not papers:
            continue
        yield f"## {title}\n"
        yield "| data | " + " | ".join(c.name for c in columns) + " |"
        yield "|---" * (len(columns) + 1) + "|"
        for cell in cells:
            count = max(20, campaigns // 4) if cell.documents > 20 else campaigns
            count = count if columns is DEFAULT else max(10, count // 4)
            found = calibrated(cell, columns, count)
            yield f"| {cell.name} | " + " | ".join(entry(f, count) for f in found) + " |"
        yield ""
    yield "## Complete cuttings (segmentation-gamma)\n"
    columns = (
        Column("rotation", "segmentation-gamma"),
        Column("by document", "segmentation-gamma", (("expected", "document"),)),
        Column("statistical", "segmentation-gamma", (("chance", "statistical"),)),
        Column("shuffle", "segmentation-gamma", (("chance", "shuffle"),)),
    )
    yield "| data | " + " | ".join(c.name for c in columns) + " |"
    yield "|---" * (len(columns) + 1) + "|"
    for cut in CUTS:
        rng = np.random.default_rng(cut)
        values: list[list[float]] = [[] for _ in columns]
        for b in range(campaigns):
            data = cut_at_random(rng, cut)
            for column, kept in zip(columns, values, strict=True):
                kept.append(measured(data, column, b))
        name = f"{cut[0]} documents of {cut[2]}, {cut[1]} annotators, {cut[3]} cuts"
        entries = [entry(mean_and_error(v), campaigns) for v in values]
        yield f"| {name} | " + " | ".join(entries) + " |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--campaigns", type=int, default=400)
    parser.add_argument("--cells", help="only those whose name contains one of these words")
    parser.add_argument("--no-papers", action="store_true")
    parser.add_argument("--print", action="store_true", help="do not write the table")
    given = parser.parse_args()
    cells = CELLS
    if given.cells:
        cells = tuple(c for c in CELLS if any(w in c.name for w in given.cells.split(",")))
    began = time.process_time()
    out = [
        "# Calibration: the value of independent annotators should be 0",
        "",
        f"accord {__version__}; mean over {given.campaigns} campaigns (a quarter of them for "
        "corpora of many documents, a quarter again for the papers' models) ± its standard error; "
        f"**bold** where it is beyond ± {BOUND} by more than two standard errors; in brackets the "
        "number of campaigns on which the measure has a value. Made by `python "
        "benchmarks/calibration.py`.",
        "",
    ]
    for line in lines(given.campaigns, cells, not given.no_papers):
        print(line, flush=True)
        out.append(line)
    out += ["", f"{time.process_time() - began:.0f} s of CPU time."]
    if not given.print:
        RESULTS.write_text("\n".join(out) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
