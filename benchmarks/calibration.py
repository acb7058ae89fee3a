"""Is γ zero at chance? ``python benchmarks/calibration.py [--seconds S] [--error E]``

Campaigns of annotators who place their units independently of each other, each in a manner of his
own, are made up and measured with the default options and with every chance model. A model is
calibrated on a kind of data when the mean of the measure over the campaigns is within ± .02 of 0.
Every kind of data is drawn again until the standard error of all its means is below E, or for S
seconds of CPU time in each of several rounds. The table goes to ``benchmarks/results/calibration.md``, after it
the means that are not shown to be within the bound are listed.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import accord
from accord.data import Segments, Units
from accord.data.corpus import corpus_of
from accord.distance.units import unit_dissimilarity
from accord.errors import AccordError
from accord.measures.gamma.tallies import tallied
from accord.version import __version__

RESULTS = Path(__file__).parent / "results" / "calibration.md"
BOUND = 0.02
#: campaigns of each kind, at least
FEWEST = 30
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


def renewal(length: float, gap: float, size: float) -> Maker:
    """As many units as there happen to be in a window of an endless line of gaps and units."""

    def make(rng: np.random.Generator) -> Made:
        count = int(4 * length / (gap + size)) + 20
        gaps, sizes = rng.exponential(gap, count), rng.gamma(3, size / 3, count)
        end = np.cumsum(gaps + sizes) - 10 * (gap + size) * rng.uniform(0.5, 1.5)
        start = end - sizes
        inside = (start >= 0) & (end <= length)
        return length, start[inside], end[inside], labels(rng, int(inside.sum()))

    return make


def styles(length: float) -> Maker:
    """Some mark a few long units, some many short ones."""

    def make(rng: np.random.Generator) -> Made:
        few = rng.random() < 0.5
        size = rng.uniform(60, 120, 4) if few else rng.uniform(5, 20, 16)
        start = apart(rng, size, length)
        return length, start, start + size, labels(rng, len(size))

    return make


def chain(length: int, begin: float, go_on: float) -> Maker:
    """Words inside and outside of names, a Markov chain; names that touch are two."""

    def make(rng: np.random.Generator) -> Made:
        start, end = [], []
        t = 0
        while t < length:
            if rng.random() < begin:
                first = t
                t += 1
                while t < length and rng.random() < go_on:
                    t += 1
                start.append(first)
                end.append(t)
            else:
                t += 1
        return float(length), np.array(start, float), np.array(end, float), labels(rng, len(start))

    return make


def by_size(length: float, count: int) -> Maker:
    """Overlapping units, each labelled by its length."""

    def make(rng: np.random.Generator) -> Made:
        size = rng.lognormal(3.2, 0.6, count)
        start = anywhere(rng, size, length)
        return length, start, start + size, np.digitize(size, [18.0, 32.0])

    return make


def in_pairs(length: float, count: int) -> Maker:
    """Questions and their answers, a little later."""

    def make(rng: np.random.Generator) -> Made:
        one, two = rng.uniform(10, 20, count), rng.uniform(20, 50, count)
        wait = rng.exponential(5, count)
        first = apart(rng, one + two + wait, length)
        second = first + one + wait
        return (length, np.concatenate([first, second]),
                np.concatenate([first + one, second + two]), np.repeat([0, 1], count))  # fmt: skip

    return make


def regular(length: int, count: int) -> Maker:
    """Cuts of whole numbers, of segments about as long."""

    def make(rng: np.random.Generator) -> Made:
        share = rng.gamma(4, 1, count)
        at = np.rint(np.cumsum(share)[:-1] / share.sum() * length)
        edges = np.unique(np.concatenate([[0.0], at, [length]]))
        return float(length), edges[:-1], edges[1:], labels(rng, len(edges) - 1)

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

    def draw(self, rng: np.random.Generator, campaigns: int = 1) -> Units:
        """A campaign, or several, the documents of one after those of the other."""
        rows, lengths, coverage = [], {}, []
        for d in range(self.documents * campaigns):
            for a in range(self.annotators):
                length, start, end, label = self.make(rng)
                lengths[f"d{d:05}"] = length
                coverage.append((f"d{d:05}", f"a{a}"))
                rows += [
                    (f"d{d:05}", f"a{a}", float(s), float(e), LABELS[int(c)])
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
    Cell("tiny (0–3 units), one document, 4 annotators", tiny(100, 3), 4),
    Cell("sparse, 8 documents, 5 annotators", overlapping(400, 6, 20, 60), 5, 8),
    Cell("tiny (0–3 units), 40 documents, 6 annotators", tiny(100, 3), 6, 40),
    Cell("bursts, 10 documents, 3 annotators", bursts(1000, 3, 5), 3, 10),
    Cell("dense, length unknown, 3 annotators", overlapping(180, 12, 20, 60), 3, known=False),
    Cell("sparse, length unknown, 3 annotators", overlapping(600, 12, 20, 60), 3, known=False),
    Cell("tiny, length unknown, 80 documents, 3 annotators", tiny(100, 3), 3, 80, known=False),
)  # fmt: skip

#: written after the model was chosen, to see whether it was chosen for the cells above
OTHERS = (
    Cell("any number of units, apart, 2 annotators", renewal(1000, 60, 30), 2),
    Cell("any number of units, close, 4 annotators", renewal(600, 10, 30), 4),
    Cell("few long or many short, 3 annotators", styles(800), 3),
    Cell("names in 60 words, 30 documents, 3 annotators", chain(60, 0.08, 0.5), 3, 30),
    Cell("labelled by length, overlapping, 3 annotators", by_size(600, 15), 3),
    Cell("in pairs, 2 annotators", in_pairs(1000, 7), 2),
    Cell("regular cuts of 200 words, 4 annotators", regular(200, 8), 4),
    Cell("few long or many short, 5 annotators, length unknown", styles(800), 5, known=False),
)

#: documents × annotators, atoms, cuts
CUTS = ((1, 2, 100, 9), (1, 3, 100, 9), (10, 4, 60, 5), (40, 2, 20, 2))


def cut_at_random(
    rng: np.random.Generator, cell: tuple[int, int, int, int], campaigns: int = 1
) -> Segments:
    documents, annotators, length, cuts = cell
    rows = []
    for d in range(documents * campaigns):
        for a in range(annotators):
            at = np.sort(rng.choice(np.arange(1, length), cuts, replace=False))
            masses = np.diff(np.concatenate([[0], at, [length]]))
            rows.append((f"d{d:05}", f"a{a}", [int(m) for m in masses]))
    return Segments.from_masses(rows)


@dataclass(frozen=True, slots=True)
class Column:
    """A measure with options, as a column of the table."""

    name: str
    measure: str
    options: tuple[tuple[str, str | int], ...] = ()


#: by default: all measures, both expectations
#: (γ-cat before γ: one alignment and one set of samples then serve both)
MEASURES = (("γ-cat", "gamma-cat"), ("γ-k", "gamma-k"), ("γ", "gamma"), ("holistic", "holistic"))
DEFAULT = (
    *(Column(name, measure) for name, measure in MEASURES),
    *(Column(f"{name}, by document", measure, (("expected", "document"),))
      for name, measure in MEASURES),
)  # fmt: skip
PAPERS = (
    *(Column(name, "gamma", (("chance", name),)) for name in ("statistical", "shuffle", "random1")),
    Column("holistic, min", "holistic", (("chance", "min"),)),
)


CUTTINGS = (
    Column("segmentation-gamma", "segmentation-gamma"),
    Column("by document", "segmentation-gamma", (("expected", "document"),)),
)
CUT_PAPERS = tuple(
    Column(name, "segmentation-gamma", (("chance", name),)) for name in ("statistical", "shuffle")
)
#: mean, standard error and number of values of each column
Found = list[tuple[float, float, int]]


def weighted(values: Sequence[tuple[float, int]]) -> float:
    """The mean over the categories that have a value, weighted by their units."""
    some = [(value, n) for value, n in values if np.isfinite(value)]
    return sum(v * n for v, n in some) / sum(n for _, n in some) if some else float("nan")


#: the sum of the values of a campaign and how many there are: one, but for γ-k, which has one for each category
Told = tuple[float, int]


def told(data: Units | Segments, column: Column, seed: int) -> tuple[Told, float]:
    """The value or values, and what was observed (for γ-k the mean over the categories)."""
    try:
        found = accord.agree(data, column.measure, seed=seed, ci=None, **dict(column.options))
    except AccordError:
        return (0.0, 0), float("nan")
    each = found if isinstance(found, tuple) else (found,)
    some = [r.value for r in each if np.isfinite(r.value)]
    observed = [(float("nan") if r.observed is None else r.observed, r.n) for r in each]
    return (sum(some), len(some)), weighted(observed)


def measured(data: Units | Segments, column: Column, seed: int) -> float:
    (total, count), _ = told(data, column, seed)
    return total / count if count else float("nan")


def alike(values: Sequence[Told]) -> Floats:
    """For each campaign what it adds to the mean of all values: their mean is that of all values.

    Campaigns weigh by how many values they have. The mean of the campaigns' own means would be too high
    for γ-k of few units: two units aligned with the same label are a value of one category, two that
    differ are bad values of two.
    """
    total, count = np.array(values, dtype=float).reshape(-1, 2).T
    some = count > 0
    if not some.any():
        return np.full(len(values), np.nan)
    mean = total.sum() / count.sum()
    found = mean + (total - mean * count) / count[some].mean()
    return np.where(some, found, np.nan)


def manners(data: Units | Segments, campaigns: int) -> Floats:
    """How long the units of each campaign are and how many: what goes with its value."""
    units = data if isinstance(data, Units) else data.to_units()
    which = units.document // (len(units.documents) // campaigns)
    size = np.log(units.end - units.start)
    count = np.bincount(which, minlength=campaigns)
    mean = np.bincount(which, weights=size, minlength=campaigns) / np.maximum(count, 1)
    spread = np.bincount(which, weights=(size - mean[which]) ** 2, minlength=campaigns)
    return np.column_stack([mean, spread / np.maximum(count, 1), count])


def glanced(
    data: Units | Segments, campaigns: int, names: Collection[str]
) -> dict[str, list[list[float]]]:
    """What campaigns of as many documents show without any chance, for each measure.

    The observed disorder, and the manner: one alignment instead of 31, all together.
    """
    units = data if isinstance(data, Units) else data.to_units()
    manner = manners(data, campaigns)
    corpus = corpus_of(units)
    found = {}
    for objective in ("gamma", "holistic"):
        wanted = [n for n in names if (n == "holistic") == (objective == "holistic")]
        if not wanted:
            continue
        d = unit_dissimilarity(
            units.categories,
            objective=objective,
            positional="sporadic" if data is units else "hamming",
        )
        by_category = not {"gamma-cat", "gamma-k"}.isdisjoint(wanted)
        rows = [
            tallied(part, d=d, by_category=by_category, time_limit=None, method="exact",
                    tolerance=0.0, keep=False, own_labels=False, outlined=True, truth=None)
            for part in corpus.parts(1)
        ]  # fmt: skip
        over, under = (
            np.concatenate(x).reshape(campaigns, -1, x[0].shape[1]).sum(axis=1)
            for x in ([t.numerators for t in rows], [t.denominators for t in rows])
        )
        ratio = np.divide(over, under, out=np.full(over.shape, np.nan), where=under > 0)
        which = units.document // (len(units.documents) // campaigns)
        for name in wanted:
            one = ratio[:, -1] if name == "gamma-cat" else ratio[:, 0]
            if name == "gamma-k":
                counts = [
                    np.bincount(units.label[which == k], minlength=len(units.categories)).tolist()
                    for k in range(campaigns)
                ]
                one = [
                    weighted(list(zip(r[1:-1].tolist(), c, strict=True)))
                    for r, c in zip(ratio, counts, strict=True)
                ]
            found[name] = np.column_stack([one, manner]).tolist()
    return found


def mean_and_error(values: Sequence[float]) -> tuple[float, float, int]:
    good = np.array([v for v in values if np.isfinite(v)])
    if len(good) < 2:
        return float("nan"), float("nan"), len(good)
    return float(good.mean()), float(good.std(ddof=1) / np.sqrt(len(good))), len(good)


def regressed(
    values: Sequence[float], seen: Sequence[Sequence[float]], more: Sequence[Sequence[float]]
) -> tuple[float, float, int]:
    """Mean and error of the values, helped by what was seen of these and of more campaigns.

    The regression estimator of double sampling (Cochran, *Sampling Techniques*, 12.7): the mean of the
    values is moved by what the campaigns measured in full differ by, in what was seen, from all. Its
    variance is s²(rest)/n + (s² − s²(rest))/N.
    """
    plain = mean_and_error(values)
    if plain[2] < 2:
        return plain
    value, x, every = np.array(values), np.array(seen), np.array([*seen, *more])
    good = np.isfinite(value) & np.isfinite(x).all(axis=1)
    n, width = int(good.sum()), x.shape[1]
    # (where values are missing that were seen, or the other way round, the two are not of one kind)
    if n < 10 * (width + 1) or n < plain[2] or (np.isfinite(x).all(axis=1) & ~good).any():
        return plain
    every = every[np.isfinite(every).all(axis=1)]
    y, x = value[good], x[good]
    slope, *_ = np.linalg.lstsq(x - x.mean(axis=0), y - y.mean(), rcond=1e-9)
    rest = y - y.mean() - (x - x.mean(axis=0)) @ slope
    left = float(rest @ rest) / (n - width - 1)
    whole = max(float(y.var(ddof=1)), left)
    mean = float(y.mean() + (every.mean(axis=0) - x.mean(axis=0)) @ slope)
    return mean, float(np.sqrt(left / n + (whole - left) / len(every))), n


def calibrated(
    cell: Cell,
    columns: Sequence[Column],
    campaigns: int,
    seed: int = 0,
    *,
    error: float = 0.0,
    seconds: float = float("inf"),
    glances: int = 0,
    wanted: Sequence[bool] | None = None,
    fewest: int = FEWEST,
) -> Found:
    """Mean, standard error and number of values of each column on campaigns of one kind.

    After `fewest` campaigns a column is left out when its standard error is below `error`; it is enough
    when all are, or when so many `seconds` of CPU time have passed. For each campaign so many more are
    only glanced at (:func:`regressed`). Only the columns `wanted` are measured.
    """
    rng = np.random.default_rng((seed, sum(map(ord, cell.name))))
    return _repeated(
        cell.draw,
        cell.documents,
        rng,
        columns,
        campaigns,
        seed,
        error,
        seconds,
        glances,
        wanted,
        fewest,
    )


def _repeated(
    draw: Callable[[np.random.Generator, int], Units | Segments],
    documents: int,
    rng: np.random.Generator,
    columns: Sequence[Column],
    campaigns: int,
    seed: int,
    error: float,
    seconds: float,
    glances: int,
    wanted: Sequence[bool] | None = None,
    fewest: int = FEWEST,
) -> Found:
    values: list[list[Told]] = [[] for _ in columns]
    seen: list[list[list[float]]] = [[] for _ in columns]
    more: dict[str, list[list[float]]] = {c.measure: [] for c in columns}
    # (for one document both expectations are the same)
    open_ = [documents > 1 or ("expected", "document") not in c.options for c in columns]
    if wanted is not None:
        open_ = [o and w for o, w in zip(open_, wanted, strict=True)]
    began, look = time.process_time(), fewest
    if not any(open_):
        campaigns = 0

    def found() -> Found:
        return [
            regressed(alike(v), s, more[c.measure]) if glances else mean_and_error(alike(v))
            for v, s, c in zip(values, seen, columns, strict=True)
        ]

    for b in range(campaigns):
        data = draw(rng, 1)
        manner = manners(data, 1)[0].tolist()
        for k, column in enumerate(columns):
            if open_[k]:
                value, observed = told(data, column, seed + b)
                values[k].append(value)
                seen[k].append([observed, *manner])
        if glances:
            names = {c.measure for c, o in zip(columns, open_, strict=True) if o}
            for name, rows in glanced(draw(rng, glances), glances, names).items():
                more[name] += rows
        late = time.process_time() - began > seconds
        if b + 1 >= look or (b + 1 >= fewest and late):
            look = b + 1 + max(10, b // 10)
            open_ = [o and not f[1] <= error for o, f in zip(open_, found(), strict=True)]
            if late or not any(open_):
                break
    return found()


def entry(found: tuple[float, float, int]) -> str:
    mean, error, _ = found
    if not np.isfinite(mean):
        return "–"
    text = f"{mean:+.3f} ± {error:.3f}"
    # beyond the bound, and not by the luck of these campaigns
    return f"**{text}**" if abs(mean) - 2 * error > BOUND else text


def row(name: str, found: Sequence[tuple[float, float, int]]) -> str:
    count = max(f[2] for f in found)
    return f"| {name} | {count} | " + " | ".join(map(entry, found)) + " |"


#: seconds, seed, which columns
Work = Callable[[float, int, Sequence[bool]], Found]


@dataclass(frozen=True, slots=True)
class Part:
    """A table: kinds of data in rows, measures in columns."""

    name: str
    title: str
    rows: tuple[tuple[str, Work], ...]
    columns: tuple[Column, ...]
    #: of the time for one kind of data
    share: float = 1.0


def parts(given: argparse.Namespace) -> list[Part]:
    def units(cells: Sequence[Cell], columns: Sequence[Column]) -> tuple:
        ours = columns is DEFAULT
        return tuple(
            (cell.name, lambda seconds, seed, wanted, cell=cell: calibrated(
                cell, columns, given.campaigns, seed, error=given.error, seconds=seconds,
                glances=given.glances if ours else 0, wanted=wanted,
                fewest=FEWEST if ours else FEWEST // 3))
            for cell in cells
        )  # fmt: skip

    def cuts(columns: Sequence[Column]) -> tuple:
        ours = columns is CUTTINGS
        return tuple(
            (f"{cut[0]} documents of {cut[2]}, {cut[1]} annotators, {cut[3]} cuts",
             lambda seconds, seed, wanted, cut=cut: _repeated(
                 lambda rng, k: cut_at_random(rng, cut, k), cut[0],
                 np.random.default_rng((*cut, seed)), columns, given.campaigns, seed, given.error,
                 seconds, given.glances if ours else 0, wanted, FEWEST if ours else FEWEST // 3))
            for cut in CUTS
        )  # fmt: skip

    return [
        Part("default", "By default (rotation)", units(CELLS, DEFAULT), DEFAULT),
        Part("others", "By default, on kinds of data written after the model was chosen",
             units(OTHERS, DEFAULT), DEFAULT),
        Part("cuts", "Complete cuttings (segmentation-gamma)", cuts(CUTTINGS), CUTTINGS),
        Part("papers", "The papers' models", units(CELLS, PAPERS), PAPERS, 0.1),
        Part("cuts-papers", "Complete cuttings with the papers' models",
             cuts(CUT_PAPERS), CUT_PAPERS, 0.1),
    ]  # fmt: skip


def together(rounds: Sequence[Found]) -> Found:
    """The means of several rounds, each with campaigns of its own, weighted by their number."""
    found: Found = []
    for column in zip(*rounds, strict=True):
        some = [(mean, error, n) for mean, error, n in column if n > 1 and np.isfinite(error)]
        n = sum(one[2] for one in some)
        if not some:
            found.append((float("nan"), float("nan"), 0))
            continue
        mean = sum(one[0] * one[2] for one in some) / n
        found.append((mean, float(np.sqrt(sum((one[1] * one[2]) ** 2 for one in some))) / n, n))
    return found


class Kept:
    """Rounds that were finished, in a file of their own: a run goes on where another was left.

    Every round has campaigns of its own and measures the columns whose error is too large still.
    """

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self.rounds: dict[str, list[dict]] = {}
        if path is not None and path.exists():
            for one in map(json.loads, path.read_text(encoding="utf-8").splitlines()):
                self.rounds.setdefault(one["key"], []).append(one)

    def found(self, key: str) -> Found:
        return together([one["found"] for one in self.rounds[key]])

    def more(self, key: str, work: Work, seconds: float, width: int, error: float) -> None:
        """Another round of what is not known well enough."""
        had = self.rounds.setdefault(key, [])
        wanted = [True] * width
        if had:
            wanted = [not e <= error for _, e, _ in self.found(key)]
        if not any(wanted):
            return
        began = time.process_time()
        found = work(seconds, len(had), wanted)
        one = {"key": key, "found": found, "seconds": time.process_time() - began}
        had.append(one)
        if self.path is not None:
            with self.path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(one) + "\n")

    @property
    def seconds(self) -> float:
        return sum(one["seconds"] for rounds in self.rounds.values() for one in rounds)


def chosen(given: argparse.Namespace) -> Iterator[tuple[Part, list[tuple[str, Work]]]]:
    words = given.cells.split(",") if given.cells else ()
    names = given.parts.split(",") if given.parts else None
    for part in parts(given):
        if names is None or part.name in names:
            yield (
                part,
                [one for one in part.rows if not words or any(w in one[0] for w in words)],
            )


def work(given: argparse.Namespace, kept: Kept) -> None:
    """Rounds over all kinds; what an earlier run has done of them is not done again."""
    for number in range(given.rounds):
        for part, rows in chosen(given):
            if number and "papers" in part.name:
                continue
            for name, one in rows:
                key = f"{part.name}: {name}"
                if len(kept.rounds.get(key, ())) <= number:
                    kept.more(key, one, given.seconds * part.share, len(part.columns), given.error)
                    print(number, row(name, kept.found(key)), flush=True)


def lines(given: argparse.Namespace, kept: Kept) -> Iterator[str]:
    doubtful, beyond, left, total = [], [], [], 0
    for part, rows in chosen(given):
        yield f"## {part.title}\n"
        yield "| data | n | " + " | ".join(c.name for c in part.columns) + " |"
        yield "|---" * (len(part.columns) + 2) + "|"
        for name, _ in rows:
            if f"{part.name}: {name}" not in kept.rounds:
                left.append(name if part.name == "default" else f"{name} ({part.name})")
                continue
            found = kept.found(f"{part.name}: {name}")
            yield row(name, found)
            if "papers" in part.name:
                continue
            for column, (mean, error, _) in zip(part.columns, found, strict=True):
                total += bool(np.isfinite(mean))
                said = f"{name}: {column.name} {mean:+.3f} ± {error:.3f}"
                if abs(mean) > BOUND:
                    beyond.append(said)
                elif abs(mean) + 2 * error > BOUND:
                    doubtful.append(said)
        yield ""
    yield f"## What the default is\n\nOf {total} means {total - len(beyond)} lie within ± {BOUND}."
    if left:
        yield f"\nNot run ({len(left)} rows): " + "; ".join(left) + "."
    if beyond:
        yield "\nBeyond it: " + "; ".join(beyond) + "."
    if doubtful:
        yield (
            f"\nWithin it, but by less than two standard errors ({len(doubtful)}): "
            + "; ".join(doubtful) + "."
        )  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--campaigns", type=int, default=20_000, help="of each kind, at most")
    parser.add_argument("--error", type=float, default=0.005, help="standard error that is enough")
    parser.add_argument(
        "--seconds", type=float, default=15.0, help="CPU seconds for each kind, each time"
    )
    parser.add_argument("--glances", type=int, default=4, help="campaigns glanced at for each")
    parser.add_argument("--cells", help="only those whose name contains one of these words")
    parser.add_argument("--parts", help="only these: default, others, cuts, papers, cuts-papers")
    parser.add_argument("--rounds", type=int, default=4, help="times all kinds are gone through")
    parser.add_argument("--keep", type=Path, help="file of finished rounds, to go on from")
    parser.add_argument("--print", action="store_true", help="do not write the table")
    given = parser.parse_args()
    kept = Kept(given.keep)
    work(given, kept)
    out = [
        "# Calibration: the value of independent annotators should be 0",
        "",
        f"accord {__version__}; mean over up to *n* made-up campaigns ± its standard error (a kind of data is "
        "repeated until its errors are small or its time is up); "
        f"**bold** where the mean is beyond ± {BOUND} by more than two standard "
        "errors. γ-k is the mean over all values, one for each category and campaign. “By document”: the expectation of each document "
        "by itself (the same for one document). Made by `python benchmarks/calibration.py`.",
        "",
    ]
    for line in lines(given, kept):
        print(line, flush=True)
        out.append(line)
    out += ["", f"{kept.seconds:.0f} s of CPU time."]
    if not given.print:
        RESULTS.write_text("\n".join(out) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
