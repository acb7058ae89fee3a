"""Does the interval of γ cover? ``python benchmarks/coverage_gamma.py [--replicates 400] [--only WORDS]``

Corpora are made up from true units that annotators miss, move, label wrongly or add to, with a
carefulness of each document. The true γ of a process is that of a corpus of thousands of its documents.
The interval is the default of ``accord.agree`` (documents left out one by one, and the variance of the
sampled chance); beside it stands what the documents alone would give, with the chance samples held fixed.
The table goes to ``benchmarks/results/coverage_gamma.md``; finished lines are kept in ``--json``.
"""

from __future__ import annotations

import argparse
import json
import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

import accord
from accord.data import Segments, Units
from accord.uncertainty import interval

RESULTS = Path(__file__).parent / "results" / "coverage_gamma.md"
LABELS = ("a", "b", "c")
EVEN, SKEWED = (1 / 3, 1 / 3, 1 / 3), (0.9, 0.07, 0.03)

#: (start, end, label) of the true units of one document, and its length
Truth = tuple[list[tuple[float, float, int]], float]


# --- documents -----------------------------------------------------------------------------------


def apart(length: float, fewest: int, most: int) -> Callable[[Any, Any], Truth]:
    """Units that do not overlap."""

    def make(rng: Any, shares: Any) -> Truth:
        count = int(rng.integers(fewest, most + 1))
        size = rng.uniform(0.3, 1.0, count) * 0.6 * length / max(most, 1)
        free = np.sort(rng.random(count)) * (length - size.sum())
        start = free + np.cumsum(size) - size
        kind = rng.choice(len(LABELS), count, p=shares)
        return [
            (float(s), float(s + z), int(k)) for s, z, k in zip(start, size, kind, strict=True)
        ], length

    return make


def dense(length: float, count: int) -> Callable[[Any, Any], Truth]:
    """Units that overlap."""

    def make(rng: Any, shares: Any) -> Truth:
        size = rng.uniform(0.1, 0.3, count) * length
        start = rng.random(count) * (length - size)
        kind = rng.choice(len(LABELS), count, p=shares)
        return [
            (float(s), float(s + z), int(k)) for s, z, k in zip(start, size, kind, strict=True)
        ], length

    return make


@dataclass(frozen=True, kw_only=True)
class Setting:
    """A process that makes corpora, and what is measured on them."""

    name: str
    documents: int
    annotators: int
    make: Callable[[Any, Any], Truth]
    #: shares of units missed, labelled anew and added; shift of an end, as a share of the length
    miss: float = 0.15
    relabel: float = 0.15
    add: float = 0.1
    shift: float = 0.1
    #: how unevenly careful documents are: a factor of all errors, log-normal with this spread
    spread: float = 0.5
    #: how unevenly long they are: some are so many ordinary ones, one after the other
    uneven: float = 0.0
    shares: tuple[float, ...] = EVEN
    measures: tuple[str, ...] = ("gamma", "gamma-cat")
    options: dict[str, Any] = field(default_factory=dict)
    #: documents of the corpus whose value is taken for the truth
    large: int = 3000

    def draw(self, rng: np.random.Generator, documents: int) -> Units:
        rows, lengths, seen = [], {}, []
        for d in range(documents):
            name = f"d{d:04}"
            parts = 1 + (int(rng.lognormal(0, self.uneven)) if self.uneven else 0)
            truth: list[tuple[float, float, int]] = []
            length = 0.0
            for _ in range(parts):
                units, more = self.make(rng, self.shares)
                truth += [(s + length, e + length, k) for s, e, k in units]
                length += more
            lengths[name] = length
            careless = float(rng.lognormal(0, self.spread)) if self.spread else 1.0
            for a in range(self.annotators):
                seen.append((name, f"A{a}"))
                rows += [
                    (name, f"A{a}", s, e, LABELS[k])
                    for s, e, k in self.marked(rng, truth, length, careless)
                ]
        return Units.from_rows(rows, lengths=lengths, coverage=seen, categories=LABELS)

    def marked(
        self, rng: Any, truth: list[tuple[float, float, int]], length: float, careless: float
    ) -> Iterator[tuple[float, float, int]]:
        """What one annotator makes of the true units."""
        held = set()
        for s, e, k in truth:
            if rng.random() < min(1.0, self.miss * careless):
                continue
            move = rng.standard_normal(2) * self.shift * careless * (e - s)
            start, end = sorted(np.clip((s + move[0], e + move[1]), 0, length).round(3).tolist())
            if rng.random() < min(0.9, self.relabel * careless):
                k = int(rng.choice(len(LABELS), p=self.shares))
            if end > start and (start, end) not in held:
                held.add((start, end))
                yield start, end, k
        for _ in range(rng.poisson(self.add * careless * len(truth))):
            size = float(rng.uniform(0.02, 0.1)) * length
            start = float(np.round(rng.random() * (length - size), 3))
            yield start, start + size, int(rng.choice(len(LABELS), p=self.shares))


@dataclass(frozen=True, kw_only=True)
class Cuts(Setting):
    """Complete cuttings: true boundaries that are missed, moved by one, or added."""

    measures: tuple[str, ...] = ("segmentation-gamma",)

    def draw(self, rng: np.random.Generator, documents: int) -> Any:
        rows = []
        for d in range(documents):
            length = 60
            truth = rng.choice(np.arange(2, length - 1), 6, replace=False)
            careless = float(rng.lognormal(0, self.spread))
            for a in range(self.annotators):
                kept = truth[rng.random(len(truth)) >= min(1.0, self.miss * careless)]
                moved = kept + rng.choice([-1, 0, 1], len(kept), p=[0.1, 0.8, 0.1])
                more = rng.integers(1, length, rng.poisson(self.add * careless * len(truth)))
                at = np.unique(np.concatenate([[0], moved, more, [length]]))
                rows.append((f"d{d:04}", f"A{a}", [int(m) for m in np.diff(at)]))
        return Segments.from_masses(rows)


def settings() -> Iterator[Setting]:
    three = apart(300, 4, 10)
    for D in (2, 3, 5, 10, 30):
        yield Setting(name=f"{D} documents, 3 annotators", documents=D, annotators=3, make=three)
    yield Setting(name="10 documents, 2 annotators", documents=10, annotators=2, make=three)
    yield Setting(
        name="10 documents, 5 annotators", documents=10, annotators=5, make=apart(300, 3, 6)
    )
    yield Setting(name="10 documents, overlapping units", documents=10, annotators=3,
                  make=dense(200, 8))  # fmt: skip
    yield Setting(name="40 documents of 0–3 units", documents=40, annotators=3,
                  make=apart(100, 0, 3), large=9000)  # fmt: skip
    yield Setting(name="150 documents of 0–2 units", documents=150, annotators=2,
                  make=apart(60, 0, 2), large=20000)  # fmt: skip
    yield Setting(name="2 long documents, independent annotators", documents=2, annotators=2,
                  make=apart(1500, 40, 40), miss=1.0, add=1.0, spread=0.0, large=300)  # fmt: skip
    yield Setting(name="10 uneven documents", documents=10, annotators=2, make=apart(150, 3, 6),
                  uneven=0.8, large=2000)  # fmt: skip
    yield Setting(name="10 documents, one label at 90 %", documents=10, annotators=3, make=three,
                  shares=SKEWED)  # fmt: skip
    yield Setting(name="10 documents, nearly perfect", documents=10, annotators=3, make=three,
                  miss=0.01, relabel=0.01, add=0.01, shift=0.01)  # fmt: skip
    yield Setting(name="5 documents, errors in few of them", documents=5, annotators=3, make=three,
                  miss=0.02, relabel=0.02, add=0.02, shift=0.02, spread=1.5)  # fmt: skip
    yield Setting(name="10 documents, hardly any agreement", documents=10, annotators=3, make=three,
                  miss=0.5, relabel=0.8, add=0.8, shift=0.4)  # fmt: skip
    yield Setting(name="5 alike documents, few samples", documents=5, annotators=2,
                  make=apart(600, 20, 20), spread=0.0, options={"samples": 10})  # fmt: skip
    yield Setting(name="20 alike documents, few samples", documents=20, annotators=2,
                  make=apart(300, 10, 10), spread=0.0, options={"samples": 20})  # fmt: skip
    yield Setting(name="10 documents, chance of each", documents=10, annotators=3, make=three,
                  options={"expected": "document"}, large=1000)  # fmt: skip
    yield Cuts(name="8 documents cut, 3 annotators", documents=8, annotators=3, make=three,
               large=1500)  # fmt: skip
    yield Cuts(name="20 documents cut, 2 annotators", documents=20, annotators=2, make=three,
               large=1500)  # fmt: skip


# --- measuring -----------------------------------------------------------------------------------


def truth_of(setting: Setting, name: str) -> tuple[float, float]:
    """The value of a very large corpus, and its standard error."""
    data = setting.draw(np.random.default_rng(987), setting.large)
    options = {k: v for k, v in setting.options.items() if k != "samples"}
    if "expected" not in options:
        options["samples"] = 2 * setting.large
    found = interval(accord.agree(data, name, seed=3, **options))
    return found.value, float(found.terms["standard_error"])


def coverage(
    setting: Setting, replicates: int, known: dict[str, tuple[float, float]]
) -> list[dict[str, Any]]:
    truths = {}
    for name in setting.measures:
        # corpora of more or fewer documents of one process have the same truth
        process = f"{name} {replace(setting, name='', documents=0)}"
        if process not in known:
            known[process] = truth_of(setting, name)
        truths[name] = known[process]
    kept: dict[str, list[Any]] = {name: [] for name in setting.measures}
    rng = np.random.default_rng(1)
    start = time.process_time()
    for b in range(replicates):
        data = setting.draw(rng, setting.documents)
        for name in setting.measures:
            result = accord.agree(data, name, seed=b, **setting.options)
            found = interval(result)
            if found.interval is None or result.sample is None:
                continue
            alone = interval(replace(result, sample=replace(result.sample, noise=None)))
            kept[name].append((result.value, found.interval, alone.interval))
    rows = []
    for name, (truth, error) in truths.items():
        value = np.array([v for v, _, _ in kept[name]])
        both, one = (
            np.array([(k[which].low, k[which].high) for k in kept[name]]) for which in (1, 2)
        )
        rows.append(
            {
                "setting": setting.name, "measure": name, "truth": truth, "truth_error": error,
                "mean": float(value.mean()),
                "coverage": float(((both[:, 0] <= truth) & (truth <= both[:, 1])).mean()),
                "too_low": float((both[:, 1] < truth).mean()),
                "too_high": float((both[:, 0] > truth).mean()),
                "width": float((both[:, 1] - both[:, 0]).mean()),
                "alone": float(((one[:, 0] <= truth) & (truth <= one[:, 1])).mean()),
                "without": replicates - len(value), "replicates": replicates,
                "seconds": time.process_time() - start,
            }
        )  # fmt: skip
    return rows


def page(found: list[dict[str, Any]]) -> str:
    def cell(x: float) -> str:
        return f"{x:.3f}".replace("0.", ".", 1) if abs(x) < 1 else f"{x:.3f}"

    every = [r["coverage"] for r in found]
    counts = sorted({r["replicates"] for r in found})
    lines = [
        "# Coverage of the interval of γ",
        "",
        f"accord {accord.__version__}, numpy {np.__version__}, {time.strftime('%Y-%m-%d')}; "
        f"{' to '.join(str(c) for c in dict.fromkeys((counts[0], counts[-1])))} corpora per line, nominal "
        "95 %, default interval; made by `python benchmarks/coverage_gamma.py`.",
        "",
        f"{len(found)} lines: least {cell(min(every))}, mean {cell(float(np.mean(every)))}, under .91: "
        f"{sum(x < 0.91 for x in every)}. A coverage of .95 has a standard error of .011 with 400 corpora, of .015 with 200. "
        "*Truth* is the value of one corpus of 300 to 20 000 documents of the same process (in brackets "
        "its standard error), *documents alone* the coverage when the sampling of chance is left out of "
        "the variance.",
        "",
        "| setting | measure | truth | mean value | coverage | ends below it | begins above it | mean width | "
        "documents alone | corpora | no interval |",
        "|---|---|---|---|---|---|---|---|---|---|---|",
    ]
    lines += [
        f"| {r['setting']} | {r['measure']} | {cell(r['truth'])} ({cell(r['truth_error'])}) | "
        f"{cell(r['mean'])} | {cell(r['coverage'])} | {cell(r['too_low'])} | {cell(r['too_high'])} | "
        f"{cell(r['width'])} | {cell(r['alone'])} | {r['replicates']} | {r['without'] or ''} |"
        for r in found
    ]
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--replicates", type=int, default=400)
    parser.add_argument("--only", default="", help="settings with this text")
    parser.add_argument("--json", type=Path, default=None, help="keep the figures, to go on later")
    parser.add_argument(
        "--finished", action="store_true", help="write what is kept, measure nothing"
    )
    parser.add_argument("--out", type=Path, default=RESULTS)
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    kept: dict[str, Any] = {}
    if given.json and given.json.exists():
        kept = json.loads(given.json.read_text())
    found: list[dict[str, Any]] = []
    known: dict[str, tuple[float, float]] = {}
    for setting in settings():
        key = setting.name
        if given.only not in key or (given.finished and key not in kept):
            continue
        if key not in kept:
            kept[key] = coverage(setting, given.replicates, known)
            for row in kept[key]:
                print(f"{row['setting']:40} {row['measure']:20} {row['truth']:.3f} {row['mean']:.3f} "
                      f"{row['coverage']:.3f} {row['alone']:.3f} {row['width']:.3f} ({row['seconds']:.0f} s)",
                      flush=True)  # fmt: skip
            if given.json:
                given.json.write_text(json.dumps(kept))
        found += kept[key]
    given.out.write_text(page(found), encoding="utf-8")


if __name__ == "__main__":
    main()
