"""Is γ zero for people who know the genre and do not look? ``python benchmarks/layout.py [DATA]``

Chance *rotation* takes an annotator's places for free, and gives people who know where things usually
stand more than 0; *documents* puts what they marked in other documents there. Both are measured on

* permuted corpora: every annotator's annotations of each document are given to another document, nobody
  of a document gets them from the same one, and they are stretched to its length. DATA is a folder of
  corpora (``NAME/spans.csv``, ``coverage.csv``, ``documents.csv``); without it these are left out;
* made-up campaigns of people who do not look and have habits of place, or none: those of
  ``calibration.py``, and some whose number of units follows the document.

and the interval of what is left beyond layout is looked at on campaigns of which some agree. The tables are in
``benchmarks/results/layout.md``.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path

import numpy as np
from calibration import (
    BOUND,
    LABELS,
    Cell,
    Made,
    Maker,
    apart,
    bursts,
    chain,
    cutting,
    labels,
    lognormal,
    overlapping,
    tiny,
)

import accord
from accord.data import Relations, Segments, Units
from accord.version import __version__

RESULTS = Path(__file__).parent / "results" / "layout.md"
CHANCES = ("rotation", "documents")
MEASURES = ("gamma", "gamma-cat", "holistic")


# --- permuted corpora ------------------------------------------------------------------------------


def corpora(folder: Path, names: Collection[str]) -> Iterator[tuple[str, Units]]:
    """The corpora of a folder that come with their coverage and lengths; all, or those named."""
    for spans in sorted(folder.glob("**/spans.csv")):
        here = spans.parent
        if names and str(here.relative_to(folder)) not in names:
            continue
        if (here / "coverage.csv").exists() and (here / "documents.csv").exists():
            yield (
                str(here.relative_to(folder)),
                accord.read(spans, coverage=here / "coverage.csv", lengths=here / "documents.csv"),
            )


def sources(rng: np.random.Generator, coverage: np.ndarray) -> dict[tuple[int, int], int]:
    """For each document and annotator the document that theirs comes from: others, and no two the same."""
    given: dict[tuple[int, int], int] = {}
    taken = [{d} for d in range(len(coverage))]
    for a in rng.permutation(coverage.shape[1]).tolist():
        own = np.flatnonzero(coverage[:, a])
        if len(own) <= int(coverage[own].sum(axis=1).max(initial=0)):
            continue
        found = rng.permutation(own)
        for _ in range(1000):
            bad = [k for k, (d, s) in enumerate(zip(own, found, strict=True)) if s in taken[d]]
            if not bad:
                break
            for k in bad:
                j = int(rng.integers(len(own)))
                found[[k, j]] = found[[j, k]]
        else:
            continue
        for d, s in zip(own.tolist(), found.tolist(), strict=True):
            given[d, a] = s
            taken[d].add(s)
    return given


def permuted(units: Units, rng: np.random.Generator) -> Units:
    """Every annotator's annotations given to other documents."""
    coverage = np.asarray(units.coverage)
    extent = dict(zip(units.documents, units.lengths.tolist(), strict=True))
    if not np.isfinite(units.lengths).all():
        extent = {d: max((r.end for r in units if r.document == d), default=1.0) for d in extent}
    rows: dict[tuple[str, str], list] = {}
    for r in units:
        rows.setdefault((r.document, r.annotator), []).append(r)
    made, seen = [], []
    for (d, a), s in sources(rng, coverage).items():
        here, there, who = units.documents[d], units.documents[s], units.annotators[a]
        stretch = extent[here] / extent[there]
        seen.append((here, who))
        made += [
            (here, who, r.start * stretch, min(r.end * stretch, extent[here]), r.label)
            for r in rows.get((there, who), [])
        ]
    return Units.from_rows(
        made, lengths={d: extent[d] for d, _ in seen}, coverage=seen, categories=units.categories
    )


# --- people who do not look --------------------------------------------------------------------------


def opening(length: float, count: int) -> Maker:
    """The first unit is an introduction at the beginning; the rest anywhere."""

    def make(rng: np.random.Generator) -> Made:
        first = rng.uniform(0.02, 0.06) * length
        size = rng.uniform(0.02, 0.08, count) * length
        start = np.append(0.0, first + apart(rng, size, length - first))
        end = start + np.append(first, size)
        return length, start, end, np.append(0, 1 + labels(rng, count) % 2)

    return make


def sections(length: float) -> Maker:
    """Cuttings of texts that all have the same parts, at about the same places."""
    usual = np.array([0.05, 0.2, 0.35, 0.7, 0.9])

    def make(rng: np.random.Generator) -> Made:
        at = np.sort(np.clip(usual + rng.normal(0, 0.03, len(usual)), 0.01, 0.99)) * length
        edges = np.concatenate([[0.0], at, [length]])
        return length, edges[:-1], edges[1:], np.array([0, 1, 2, 1, 2, 0])

    return make


def periodic(length: float, every: float, phase: float = 0.5) -> Maker:
    """A unit at regular distances, of a phase of its own; by habit not too late."""

    def make(rng: np.random.Generator) -> Made:
        start = np.arange(rng.uniform(0, every * phase), length - every / 2, every)
        return length, start, start + every / 2, labels(rng, len(start))

    return make


def early(length: float, count: int) -> Maker:
    """Most units in the first third."""

    def make(rng: np.random.Generator) -> Made:
        start = np.sort(rng.beta(1, 4, count)) * (length - 30)
        return length, start, start + rng.uniform(10, 30, count), labels(rng, count)

    return make


def levels(length: float, parents: int, children: int) -> Maker:
    """Parts and their parts, labelled by level: the label follows from the nesting."""

    def make(rng: np.random.Generator) -> Made:
        size = rng.uniform(0.5, 1.0, parents) * 0.9 * length / parents
        start = apart(rng, size, length)
        low = start[:, None] + np.sort(rng.random((parents, children)), axis=1) * size[:, None]
        inner = np.minimum(size[:, None] / (2 * children), start[:, None] + size[:, None] - low)
        return (length, np.append(start, low), np.append(start + size, low + inner),
                np.repeat([0, 1], [parents, parents * children]))  # fmt: skip

    return make


def uneven(cell: Cell, spread: float, *, follows: str) -> Callable[[np.random.Generator], Units]:
    """Documents whose numbers of units differ for all: with their length, or by what is in them."""

    def draw(rng: np.random.Generator) -> Units:
        rows, lengths, coverage = [], {}, []
        for d in range(cell.documents):
            factor = float(np.exp(rng.normal(0, spread)))
            count = max(1, round(8 * factor))
            length = 400 * factor if follows == "length" else 600.0
            make = overlapping(length, count, 8, 25)
            for a in range(cell.annotators):
                _, start, end, label = make(rng)
                lengths[f"d{d:03}"] = length
                coverage.append((f"d{d:03}", f"a{a}"))
                rows += [(f"d{d:03}", f"a{a}", float(s), float(e), LABELS[int(c)])
                         for s, e, c in zip(start, end, label, strict=True)]  # fmt: skip
        return Units.from_rows(rows, lengths=lengths, coverage=coverage, categories=LABELS)

    return draw


CELLS = (
    Cell("no habits, 10 documents, 3 annotators", overlapping(600, 10, 20, 60), 3, 10),
    Cell("no habits, apart, 6 documents, 2 annotators", lognormal(1000, 10, 0.3), 2, 6),
    Cell("no habits, tiny (0–3 units), 80 documents, 2 annotators", tiny(100, 3), 2, 80),
    Cell("no habits, names in 60 words, 30 documents, 3 annotators", chain(60, 0.08, 0.5), 3, 30),
    Cell("no habits, bursts, 10 documents, 3 annotators", bursts(1000, 3, 5), 3, 10),
    Cell("no habits, cuttings, 10 documents, 2 annotators", cutting(1000, 8), 2, 10),
    Cell("first unit an introduction, 20 documents, 3 annotators", opening(1000, 6), 3, 20),
    Cell("first unit an introduction, 6 documents, 2 annotators", opening(1000, 6), 2, 6),
    Cell("first unit an introduction, length unknown, 20 documents, 3 annotators",
         opening(1000, 6), 3, 20, known=False),
    Cell("usual sections, 20 documents, 3 annotators", sections(1000), 3, 20),
    Cell("most units early, 10 documents, 3 annotators", early(1000, 10), 3, 10),
    Cell("periodic, 10 documents, 2 annotators", periodic(1000, 80), 2, 10),
    Cell("periodic, 10 documents, 4 annotators", periodic(1000, 80), 4, 10),
    Cell("periodic, any phase, 10 documents, 2 annotators", periodic(1000, 80, 1.0), 2, 10),
    Cell("labels are levels of a hierarchy, 10 documents, 2 annotators", levels(1000, 4, 3), 2, 10),
)  # fmt: skip
UNEVEN = (
    (
        "numbers follow the length, 20 documents, 2 annotators",
        Cell("", tiny(1, 1), 2, 20),
        "length",
    ),
    ("numbers follow the content, 20 documents, 2 annotators", Cell("", tiny(1, 1), 2, 20), "text"),
)


def cut_by_habit(rng: np.random.Generator, documents: int, people: int, first: bool) -> Segments:
    """Texts of 60 units cut six times; with the habit, first of all after the second one."""
    rows = []
    for d in range(documents):
        for a in range(people):
            at = np.sort(rng.choice(np.arange(3, 60), 5, replace=False)).tolist()
            edges = [0, *([2] if first else []), *at, 60]
            rows.append((f"d{d:03}", f"a{a}", np.diff(edges).tolist()))
    return Segments.from_masses(rows)


def replies(rng: np.random.Generator, documents: int, people: int, habit: float) -> Relations:
    """Messages and what each answers: by habit the one before, else any earlier one."""
    rows = []
    for d in range(documents):
        size = int(rng.integers(12, 25))
        for a in range(people):
            for m in range(1, size):
                to = m - 1 if rng.random() < habit else int(rng.integers(m))
                rows.append((f"d{d:03}", f"a{a}", m, to, "r"))
    return Relations.from_rows(rows)


# --- the tables ----------------------------------------------------------------------------------------


def seen(cell: Cell, share: float) -> Callable[[np.random.Generator], Units]:
    """Documents of which people agree on some units, more in some documents than in others."""

    def draw(rng: np.random.Generator) -> Units:
        rows, lengths = [], {}
        for d in range(cell.documents):
            length, *truth = cell.make(rng)
            lengths[f"d{d:03}"] = length
            kept = float(np.clip(rng.normal(share, 0.2), 0, 1))
            for a in range(cell.annotators):
                _, *own = cell.make(rng)
                same = rng.random(len(truth[0])) < kept
                rows += [
                    (f"d{d:03}", f"a{a}", float(s), float(e), LABELS[int(c)])
                    for some, which in ((truth, same), (own, ~same))
                    for s, e, c in zip(*(x[which] for x in some), strict=True)
                ]
        return Units.from_rows(rows, lengths=lengths, categories=LABELS)

    return draw


def covered(documents: int, campaigns: int) -> list[str]:
    """How often the interval of what is left beyond layout holds that of a large campaign."""
    truth = accord.agree(
        seen(Cell("", opening(1000, 6), 3, 600), 0.5)(np.random.default_rng(0)),
        "gamma", chance="documents", samples=1200, ci=None,
    ).value  # fmt: skip
    draw = seen(Cell("", opening(1000, 6), 3, documents), 0.5)
    hits = widths = 0.0
    for k in range(campaigns):
        told = accord.agree(draw(np.random.default_rng((documents, k))), "gamma", ci="auto", seed=k)
        left = told.terms["beyond_layout"]
        hits += left["low"] <= truth <= left["high"]
        widths += left["high"] - left["low"]
    return [f"| {documents} | {truth:.3f} | {hits / campaigns:.3f} | {widths / campaigns:.2f} |"]


def value(data: Units | Segments | Relations, measure: str, chance: str, seed: int) -> float:
    """One value without interval; NaN where there is none."""
    return accord.agree(data, measure, chance=chance, seed=seed, ci=None).value


def mean(values: Sequence[float]) -> str:
    good = np.array([v for v in values if np.isfinite(v)])
    if len(good) < 2:
        return "–"
    middle, error = good.mean(), good.std(ddof=1) / np.sqrt(len(good))
    text = f"{middle:+.3f} ± {error:.3f}"
    return f"**{text}**" if abs(middle) - 2 * error > BOUND else text


def table(
    kinds: Sequence[tuple[str, Callable[[np.random.Generator], Units | Segments | Relations]]],
    measures: Sequence[str],
    campaigns: int,
    before: str = "rotation",
) -> list[str]:
    names = [f"{m}, {c}" for m in measures for c in (before, "documents")]
    lines = [f"| data | {' | '.join(names)} |", "|---" * (len(names) + 1) + "|"]
    for name, draw in kinds:
        rng = np.random.default_rng(sum(map(ord, name)))
        found: dict[tuple[str, str], list[float]] = {}
        for k in range(campaigns):
            data = draw(rng)
            for m in measures:
                for c in (before, "documents"):
                    found.setdefault((m, c), []).append(value(data, m, c, k))
        lines.append(f"| {name} | " + " | ".join(map(mean, found.values())) + " |")
        print(lines[-1], file=sys.stderr, flush=True)
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", nargs="?", type=Path)
    parser.add_argument("--corpora", nargs="*", default=(), help="names of folders in DATA")
    parser.add_argument("--campaigns", type=int, default=100)
    parser.add_argument("--permutations", type=int, default=12)
    parser.add_argument("--kinds", default="", help="of the made-up kinds those that begin so")
    parser.add_argument("--only", default="", help="real,made,uneven,cuts,links,intervals")
    given = parser.parse_args()
    only = set(filter(None, given.only.split(",")))

    def wanted(part: str) -> bool:
        return not only or part in only

    text = [
        f"# Layout: people who know the genre and do not look should get 0\n\naccord {__version__}"
    ]
    if given.data is not None and wanted("real"):
        kinds = [
            (n, lambda rng, u=u: permuted(u, rng)) for n, u in corpora(given.data, given.corpora)
        ]
        text += ["", *table(kinds, MEASURES, given.permutations)]
    if wanted("made"):
        text += [
            "",
            *table(
                [(c.name, c.draw) for c in CELLS if c.name.startswith(given.kinds)],
                MEASURES,
                given.campaigns,
            ),
        ]
    if wanted("uneven"):
        kinds = [(n, uneven(c, 0.7, follows=f)) for n, c, f in UNEVEN]
        text += ["", *table(kinds, MEASURES, given.campaigns)]
    if wanted("cuts"):
        kinds = [
            (n, lambda rng, f=f: cut_by_habit(rng, 20, 3, f))
            for n, f in (("no habit", False), ("first cut after the second unit", True))
        ]
        text += ["", *table(kinds, ["segmentation-gamma"], given.campaigns)]
    if wanted("intervals"):
        text += ["", "| documents | true value | held | mean width |", "|---|---|---|---|"]
        for documents in (6, 10, 30):
            text += covered(documents, given.campaigns)
    if wanted("links"):
        kinds = [
            (f"{n}, 12 documents, 3 annotators", lambda rng, h=h: replies(rng, 12, 3, h))
            for n, h in (
                ("replies to any earlier message", 0.0),
                ("3 of 10 to the one before", 0.3),
                ("8 of 10 to the one before", 0.8),
            )
        ]
        text += ["", *table(kinds, ["relation-gamma"], given.campaigns, before="endpoints")]
    print("\n".join(text))


if __name__ == "__main__":
    main()
