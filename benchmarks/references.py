"""Which method finds the truth: simulated campaigns of ratings and of spans, and a real one.

    python benchmarks/references.py [FOLDER OF CASA]

Every campaign is drawn from a seed and its truth is known. Ratings: share of right values, calibration
error (ten bins) of the model's own posteriors and of the confidences that accord reports, and the share
of all errors that the first fifth of the worklist finds, against an order by the entropy of the votes and
by the model's posterior. Spans: F of exact spans against the truth; the real set is CASA (stuttering in
speech, three clinicians, a consensus of experts on eight recordings), when its folder is given. The
table is written to benchmarks/results/references.md.
"""

from __future__ import annotations

import platform
import sys
import time
from datetime import date
from pathlib import Path

import numpy as np

import accord
from accord.data import Ratings, Units
from accord.data.tables import ratings_from_long
from accord.gold.confidence import calibration_error
from accord.gold.labels import Labels
from accord.measures.validity.strata import entropies

RESULTS = Path(__file__).resolve().parent / "results" / "references.md"
SEEDS = range(2)
#: items, annotators, labels an item, classes, kind of campaign
RATINGS = {
    "one error rate each": (250, 16, 5, 3, "coins"),
    "own confusions": (250, 16, 5, 4, "confusions"),
    "a third spammers": (250, 18, 5, 3, "spam"),
    "items that mislead": (250, 16, 5, 3, "traps"),
    "two labels an item": (250, 16, 2, 3, "coins"),
}
#: refits of these take minutes here: their confidences are left as the model's
SLOW = ("minimax-entropy",)
METHODS = ("majority", "one-coin", "dawid-skene", "mace", "glad", "ebcc", "minimax-entropy")
#: documents, annotators a document, annotators in all
SPANS = {
    "3 of 8 annotators, 100 documents": (100, 3, 8),
    "5 of 8 annotators, 100 documents": (100, 5, 8),
    "the same 3 annotators, 100 documents": (100, 3, 3),
    "2 of 20 annotators, 200 documents": (200, 2, 20),
    "3 of 8 annotators, 30 documents": (30, 3, 8),
}
SPAN_METHODS = ("consensus", "token-dawid-skene", "hmm-crowd", "bsc")


def ratings(
    items: int, people: int, per: int, K: int, kind: str, seed: int
) -> tuple[Ratings, np.ndarray]:
    """A campaign, and the true class of each item."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, K, items)
    skill = rng.uniform(0.45, 0.9, people)
    matrix = np.stack([np.full((K, K), (1 - s) / (K - 1)) for s in skill])
    matrix[:, np.arange(K), np.arange(K)] = skill[:, None]
    if kind == "confusions":
        for a in range(people):
            for k in range(K):
                row = rng.dirichlet(np.full(K, 0.4)) * (1 - skill[a])
                row[k] += skill[a]
                matrix[a, k] = row
    if kind == "spam":
        for a in rng.permutation(people)[: people // 3]:
            matrix[a] = rng.dirichlet(np.full(K, 0.5))
    trap = rng.random(items) < (0.2 if kind == "traps" else 0.0)
    lure = (truth + rng.integers(1, K, items)) % K
    rows = []
    for i in range(items):
        for a in rng.permutation(people)[:per]:
            said = rng.choice(K, p=matrix[a, truth[i]])
            if trap[i] and rng.random() < 0.5:
                said = lure[i]
            rows.append((f"i{i}", f"a{a}", f"c{said}"))
    names = [f"c{k}" for k in range(K)]
    data = ratings_from_long(*map(list, zip(*rows, strict=True)), categories=names)
    return data, np.array([truth[int(str(name)[1:])] for name in data.items])


def of_ratings() -> list[str]:
    lines = [
        "## Ratings",
        "",
        f"Means of {len(SEEDS)} seeds. Errors found: in the first fifth of the cards, ordered by the "
        "entropy of the votes / the model's own posterior / as `accord gold` orders them.",
        "",
    ]
    for title, setting in RATINGS.items():
        lines += [
            f"**{title}** ({setting[0]} items, {setting[2]} labels each, {setting[1]} annotators, "
            f"{setting[3]} classes)",
            "",
            "| method | share right | ECE, model | ECE, reported | errors found |",
            "|---|---|---|---|---|",
        ]
        for method in METHODS:
            found = [_one(method, *ratings(*setting, seed), seed) for seed in SEEDS]
            right, raw, honest, votes, own, ours = _means(found)
            cells = f"| {method} | {right:.3f} "
            if method == "majority":
                lines.append(cells + "| – | – | – |")
            elif method in SLOW:
                lines.append(cells + f"| {raw:.3f} | – | {votes:.2f} / {own:.2f} / – |")
            else:
                lines.append(
                    cells + f"| {raw:.3f} | {honest:.3f} | {votes:.2f} / {own:.2f} / {ours:.2f} |"
                )
        lines.append("")
    return lines


def _means(rows: list[tuple[float, ...]]) -> list[float]:
    """Of each column, over the seeds in which it is defined."""
    return [
        float(np.mean([v for v in column if v == v])) if any(v == v for v in column) else np.nan
        for column in zip(*rows, strict=True)
    ]


def _one(method: str, data: Ratings, truth: np.ndarray, seed: int) -> tuple[float, ...]:
    how = "model" if method in SLOW else "auto"
    reference = accord.gold(data, method, ties="first", seed=seed, calibrate=how)
    right = reference.code == truth
    share = float(right.mean())
    if method == "majority":
        return (share, *[np.nan] * 5)
    at = np.arange(len(truth))
    raw = reference.estimate.posterior
    honest = reference.distribution
    votes = Labels.of(data).shares()
    orders = (-entropies(votes), raw[at, reference.code], reference.confidence)
    found = [_found(right, order) for order in orders]
    return share, calibration_error(raw, truth), calibration_error(honest, truth), *found


def of_worklist() -> list[str]:
    lines = [
        "## Worklist",
        "",
        "Share of the errors of Dawid–Skene that the first fifth of the cards finds, means of four seeds.",
        "",
        "| campaign | entropy of the votes | the model's posterior | as `accord gold` orders |",
        "|---|---|---|---|",
    ]
    means = []
    for title, setting in RATINGS.items():
        found = [_one("dawid-skene", *ratings(*setting, seed), seed)[3:] for seed in range(4)]
        means.append(_means(found))
        lines.append(f"| {title} | " + " | ".join(f"{v:.2f}" for v in means[-1]) + " |")
    return [*lines, "| mean | " + " | ".join(f"{v:.3f}" for v in _means(means)) + " |"]


def _found(right: np.ndarray, sure: np.ndarray) -> float:
    """Share of the errors among the fifth of the items that are least sure; ties share alike."""
    if right.all():
        return np.nan
    cards, wrong = len(right) // 5, 0.0
    for value in np.unique(np.round(sure, 12)):
        group = np.round(sure, 12) == value
        taken = min(cards, int(group.sum()))
        wrong += np.sum(~right[group]) * taken / group.sum()
        cards -= taken
    return float(wrong / np.sum(~right))


def spans(docs: int, per: int, pool: int, seed: int, length: int = 40) -> tuple[Units, Units]:
    """Annotators who miss, invent, move borders and mix up labels, each in their own measure."""
    rng = np.random.default_rng(seed)
    finds, exact, sure = (rng.beta(a, 2, pool) for a in (4, 5, 8))
    invents = rng.gamma(1, 0.4, pool)
    gold, rows, seen = [], [], []
    for d in range(docs):
        truth, at = [], 0
        while True:
            at += int(rng.integers(2, 12))
            n = int(rng.integers(1, 5))
            if at + n > length:
                break
            truth.append((at, at + n, int(rng.integers(3))))
            at += n
        gold += [(f"d{d}", "G", s, e, f"L{c}") for s, e, c in truth]
        for a in rng.choice(pool, per, replace=False):
            seen.append((f"d{d}", f"a{a}"))
            used = np.zeros(length + 2, dtype=bool)
            for s, e, c in truth:
                if rng.random() > finds[a]:
                    continue
                if rng.random() > exact[a]:
                    s = max(0, s + int(rng.integers(-1, 2)))
                if rng.random() > exact[a]:
                    e = min(length, e + int(rng.integers(-1, 2)))
                if rng.random() > sure[a]:
                    c = int(rng.integers(3))
                if e > s and not used[s:e].any():
                    used[s:e] = True
                    rows.append((f"d{d}", f"a{a}", s, e, f"L{c}"))
            for _ in range(rng.poisson(invents[a])):
                s = int(rng.integers(length - 3))
                e = s + int(rng.integers(1, 4))
                if not used[s:e].any():
                    used[s:e] = True
                    rows.append((f"d{d}", f"a{a}", s, e, f"L{int(rng.integers(3))}"))
    lengths = {f"d{d}": float(length) for d in range(docs)}
    everywhere = [(f"d{d}", "G") for d in range(docs)]
    return (
        Units.from_rows(rows, coverage=seen, lengths=lengths),
        Units.from_rows(gold, coverage=everywhere, lengths=lengths),
    )


def of_spans(casa: Path | None) -> list[str]:
    lines = [
        "## Spans",
        "",
        f"F of exact spans with their labels, means of {len(SEEDS)} seeds; CPU seconds of one run.",
        "",
        "| campaign | " + " | ".join(SPAN_METHODS) + " |",
        "|---" * (1 + len(SPAN_METHODS)) + "|",
    ]
    for title, setting in SPANS.items():
        cells = []
        for method in SPAN_METHODS:
            values, seconds = [], 0.0
            for seed in SEEDS:
                data, truth = spans(*setting, seed)
                start = time.process_time()
                reference = accord.gold(data, method).reference
                seconds = time.process_time() - start
                values.append(accord.score(truth, reference, "f1").value)
            cells.append(f"{np.mean(values):.3f} ({seconds:.1f} s)")
        lines.append(f"| {title} | {' | '.join(cells)} |")
    return lines if casa is None else [*lines, "", *_casa(casa)]


def _casa(folder: Path) -> list[str]:
    data = accord.read(
        folder / "spans.csv", lengths=folder / "documents.csv", coverage=folder / "coverage.csv",
        duplicates="first",
    )  # fmt: skip
    gold = accord.read(folder / "gold.csv", curation="include").select(annotators=["Gold"])
    documents = [d for d in gold.documents if (gold.document == gold.documents.index(d)).any()]
    gold = gold.select(documents=documents)
    lines = [
        f"CASA: {len(documents)} recordings with a consensus of experts, {len(gold)} units of it; "
        f"{len(data.annotators)} annotators.",
        "",
        "| method | units | f1 | overlap-f1 | token-f1 | disorder |",
        "|---|---|---|---|---|---|",
    ]
    for method in SPAN_METHODS:
        made = accord.gold(data, method).reference.select(documents=documents)
        values = [
            accord.score(gold, made, m).value for m in ("f1", "overlap-f1", "token-f1", "disorder")
        ]
        lines.append(f"| {method} | {len(made)} | " + " | ".join(f"{v:.3f}" for v in values) + " |")
    return lines


def main() -> None:
    casa = Path(sys.argv[1]) if len(sys.argv) > 1 else None
    lines = [
        "# Which method finds the truth",
        "",
        f"{date.today()}, Python {platform.python_version()}, accord {accord.__version__}.",
        "",
        *of_ratings(),
        *of_worklist(),
        "",
        *of_spans(casa),
        "",
    ]
    RESULTS.write_text("\n".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
