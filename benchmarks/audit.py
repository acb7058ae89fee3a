"""How often each rule of the audit cries wolf, and how often it sees the wolf.

``python benchmarks/audit.py`` draws clean campaigns (several sizes, teams and crowds, categories and
numbers, with documents and batches; units, boundaries and chains) and campaigns with one fault each,
runs the whole audit on all of them, and writes results/audit.md. No peer does this: there is nothing
to install beside the package.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Mapping
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np

import accord
from accord.audit import RULES, audit, recommend
from accord.data import Annotations, Chains, Ratings, Segments, Units
from accord.data.roles import Choice, assign
from accord.data.tables import ratings_from_long

Draw = Callable[[np.random.Generator], Annotations]

#: rules that say a fact that a count decides: nothing is random about them, so nothing is simulated
FACTS = {
    "undefined-agreement",
    "few-documents",
    "wrong-shape",
    "atomised-continuum",
    "agreement-as-score",
    "system-among-humans",
    "unvalidated-reference",
    "not-a-metric",
    "spelling-variants",
    "unused-categories",
    "uncorrected-agreement",
    "undeclared-models",
    "one-relation-per-document",
    "units-nobody-shares",
}


# --- clean campaigns ---------------------------------------------------------------------------


def labels(
    rng: np.random.Generator,
    *,
    items: int = 300,
    annotators: int = 4,
    shares: tuple[float, ...] = (0.4, 0.35, 0.25),
    error: float | np.ndarray = 0.03,
    present: float = 1.0,
) -> np.ndarray:
    """Annotators × items: the truth, and another value with probability `error`; −1 is missing."""
    q = len(shares)
    truth = rng.choice(q, items, p=shares)
    wrong = rng.random((annotators, items)) < np.reshape(error, (-1, 1))
    other = (truth + rng.integers(1, q, (annotators, items))) % q
    found = np.where(wrong, other, truth)
    found[rng.random(found.shape) >= present] = -1
    return found


def ratings(codes: np.ndarray, *, names: str = "abcdefghij", **columns: Any) -> Ratings:
    """A matrix of codes as ratings, with documents or times of the items."""
    who, item = np.nonzero(codes >= 0)
    people = columns.pop("people", [f"A{a + 1}" for a in range(len(codes))])
    extra = {k: [v[i] for i in item] for k, v in columns.items()}
    return ratings_from_long(
        [f"i{i}" for i in item],
        [people[a] for a in who],
        [names[c] for c in codes[who, item]],
        **extra,
    )


def crowd(
    rng: np.random.Generator,
    *,
    bad: int = 0,
    kind: str = "guess",
    workers: int = 60,
    errors: tuple[float, float] = (1, 24),
) -> Ratings:
    """400 items, 5 answers each by some of the workers, who differ in quality."""
    error = rng.beta(*errors, workers)
    codes = labels(rng, items=400, annotators=workers, error=error)
    seen = np.argsort(rng.random(codes.shape), axis=0) < 5
    for a in range(bad):
        codes[a] = rng.integers(0, 3, 400) if kind == "guess" else 1
    return ratings(np.where(seen, codes, -1))


def scale(
    rng: np.random.Generator, *, items: int = 200, annotators: int = 4, error: float = 0.25
) -> Ratings:
    """Scores on a scale, with errors that grow with nothing."""
    truth = rng.normal(0, 1.5, items)
    x = truth + rng.normal(0, error, (annotators, items))
    return Ratings.from_matrix(np.clip(np.round(x + 3), 1, 5).tolist())


def spans(
    rng: np.random.Generator, *, documents: int = 12, annotators: int = 3, miss: float = 0.02
) -> Units:
    """Units found by everybody but a few, anywhere, with boundaries that move a little."""
    rows = []
    for d in range(documents):
        free = np.sort(rng.random(8)) * 138
        for k in range(8):
            start, label = 2 + 24 * k + int(free[k]), "xy"[int(rng.integers(0, 2))]
            for a in range(annotators):
                if rng.random() >= miss:
                    shift = int(rng.integers(-1, 2))
                    rows.append((f"d{d:02}", f"A{a}", start + shift, start + 20, label))
    return Units.from_rows(rows, lengths={f"d{d:02}": 330 for d in range(documents)})


def cuts(rng: np.random.Generator, *, documents: int = 12, annotators: int = 3) -> Segments:
    rows = []
    for d in range(documents):
        truth = rng.random(60) < 0.2
        for a in range(annotators):
            given = truth ^ (rng.random(60) < 0.02)
            places = [0, *(np.flatnonzero(given) + 1).tolist(), 61]
            rows.append((f"d{d:02}", f"A{a}", np.diff(places).tolist()))
    return Segments.from_masses(rows)


def entities(
    rng: np.random.Generator,
    *,
    documents: int = 12,
    annotators: int = 3,
    lost: float = 0.005,
    error: float = 0.005,
) -> Chains:
    clusters = {}
    for d in range(documents):
        truth = rng.integers(0, 6, 30)
        for a in range(annotators):
            given = np.where(rng.random(30) < error, rng.integers(0, 6, 30), truth)
            kept = rng.random(30) >= lost
            clusters[f"d{d:02}", f"A{a}"] = [
                [int(m) for m in np.flatnonzero((given == e) & kept)]
                for e in range(6)
                if np.any((given == e) & kept)
            ]
    return Chains.from_clusters(clusters)


def _paged(rng: np.random.Generator, codes: np.ndarray, size: int = 30) -> list[str]:
    return [f"p{i // size:03}" for i in range(codes.shape[1])]


def clean_pages(rng: np.random.Generator) -> Ratings:
    codes = labels(rng, items=360)
    return ratings(codes, documents=_paged(rng, codes))


def clean_batches(rng: np.random.Generator, *, error: float = 0.03) -> Ratings:
    """Batches with other shares of the categories, which is no drift."""
    parts = [
        labels(rng, items=60, shares=tuple(rng.dirichlet((8, 8, 8))), error=error) for _ in range(6)
    ]
    return ratings(np.hstack(parts), times=[f"week {i // 60}" for i in range(360)])


#: agreement is high and nothing is wrong
CLEAN: Mapping[str, Draw] = {
    "3 annotators × 200, two categories": lambda g: ratings(
        labels(g, items=200, annotators=3, shares=(0.6, 0.4), error=0.015)
    ),
    "4 annotators × 300, three categories": lambda g: ratings(labels(g)),
    "2 annotators × 300": lambda g: ratings(labels(g, annotators=2, error=0.02)),
    "6 annotators × 500 of unequal quality": lambda g: ratings(
        labels(g, items=500, annotators=6, error=g.uniform(0.005, 0.06, 6))
    ),
    "5 annotators × 300, 30 % missing": lambda g: ratings(labels(g, annotators=5, present=0.7)),
    "10 annotators × 200, 40 % missing": lambda g: ratings(
        labels(g, items=200, annotators=10, present=0.6)
    ),
    "crowd of 60, 5 answers of 400 items": crowd,
    "12 documents of 30": clean_pages,
    "6 batches of other composition": clean_batches,
    "scores 1–5, 4 annotators × 200": scale,
    "units, 3 annotators, 12 documents": spans,
    "boundaries, 3 annotators, 12 documents": cuts,
    "chains, 3 annotators, 12 documents": entities,
}


#: agreement is low or middling, which two rules say rightly; nothing else is wrong
HONEST: Mapping[str, Draw] = {
    "4 annotators × 300, 12 % errors": lambda g: ratings(labels(g, error=0.12)),
    "6 annotators × 500, errors of 6 to 14 %": lambda g: ratings(
        labels(g, items=500, annotators=6, error=g.uniform(0.06, 0.14, 6))
    ),
    "crowd of 60, errors of 15 % on average": lambda g: crowd(g, errors=(12, 68)),
    "6 batches of other composition, 10 % errors": lambda g: clean_batches(g, error=0.1),
    "chains, 12 % of the mentions elsewhere": lambda g: entities(g, error=0.12),
    "scores 1–5 with an error of one step": lambda g: scale(g, error=0.8),
}
THRESHOLDS = ("low-agreement", "wide-interval")

#: noisier than what is called clean: some annotator is much worse, or hardly any item is unanimous.
#: What is raised there is mostly true, so it is shown and not counted as a false alarm
NOISY: Mapping[str, Draw] = {
    "crowd of 60, errors of 20 % on average, up to 45 %": lambda g: crowd(g, errors=(4, 16)),
    "crowd of 60, errors of 12 % on average, up to 45 %": lambda g: crowd(g, errors=(2, 14)),
    "6 annotators × 500, errors of 5 to 25 %": lambda g: ratings(
        labels(g, items=500, annotators=6, error=g.uniform(0.05, 0.25, 6))
    ),
    "6 annotators × 500, errors of 2 to 12 %": lambda g: ratings(
        labels(g, items=500, annotators=6, error=g.uniform(0.02, 0.12, 6))
    ),
}


# --- campaigns with a fault --------------------------------------------------------------------


def low(g: np.random.Generator) -> Ratings:
    return ratings(labels(g, error=0.3))


def negative(g: np.random.Generator) -> Ratings:
    codes = labels(g, items=100, annotators=2, shares=(0.5, 0.5), error=0.05)
    codes[1] = 1 - codes[1]
    return ratings(codes)


def undecided(g: np.random.Generator) -> Ratings:
    return ratings(labels(g, items=60, annotators=2, error=0.13))


def few(g: np.random.Generator) -> Ratings:
    codes = labels(g, annotators=2)
    codes[1, 30:] = -1
    return ratings(codes)


def graded(g: np.random.Generator) -> Ratings:
    truth = g.integers(0, 10, 200)
    near = np.clip(truth + g.integers(-1, 2, (3, 200)), 0, 9)
    return Ratings.from_matrix(near.tolist())


def coded_names(g: np.random.Generator) -> Ratings:
    """Names coded 1–5, confused at random."""
    return Ratings.from_matrix((labels(g, shares=(0.2,) * 5, error=0.2) + 1).tolist())


def one_guesser(g: np.random.Generator) -> Ratings:
    codes = labels(g)
    codes[3] = g.integers(0, 3, 300)
    return ratings(codes)


def copied(g: np.random.Generator) -> Ratings:
    """The fifth copies the first, but for two items in a hundred."""
    codes = labels(g, annotators=5, error=0.12)
    again = labels(g, annotators=1, error=0.5)[0]
    codes[4] = np.where(g.random(300) < 0.02, again, codes[0])
    return ratings(codes)


def copied_units(g: np.random.Generator) -> Units:
    base = spans(g, annotators=4)
    rows = [tuple(u) for u in base if u.annotator != "A3"]
    rows += [(u.document, "A3", u.start, u.end, u.label) for u in base if u.annotator == "A0"]
    return Units.from_rows(rows, lengths=dict(zip(base.documents, base.lengths, strict=True)))


def two_camps(g: np.random.Generator, *, items: int = 1120) -> Ratings:
    """Six annotators of 1 120 messages: three see 10 % of them as hateful, three 20 %."""
    strict = g.random(items) < 0.10
    lenient = strict | (g.random(items) < 0.11)
    codes = np.array(
        [np.where(g.random(items) < 0.06, ~side, side) for side in [strict] * 3 + [lenient] * 3]
    )
    return ratings(codes.astype(int), names="nh")


def small_camps(g: np.random.Generator) -> Ratings:
    """Five annotators of 200 items, two of whom swap two of the three categories half of the time."""
    codes = labels(g, items=200, annotators=5, error=0.06)
    swap = g.random(200) < 0.5
    for a in (3, 4):
        codes[a] = np.where(swap & (codes[a] < 2), 1 - codes[a], codes[a])
    return ratings(codes)


def many_camps(g: np.random.Generator) -> Ratings:
    """Twenty annotators, each item by half of them; eight belong to another camp."""
    codes = labels(g, items=300, annotators=20, error=0.08, present=0.5)
    swap = g.random(300) < 0.4
    for a in range(12, 20):
        codes[a] = np.where(swap & (codes[a] >= 0) & (codes[a] < 2), 1 - codes[a], codes[a])
    return ratings(codes)


def models(g: np.random.Generator, *, shared: float = 0.6) -> Ratings:
    """Four people and three models, whose errors are the same in 60 % of the cases."""
    people = labels(g, annotators=4, error=0.1)
    truth = np.array([np.bincount(c, minlength=3).argmax() for c in people.T])
    common = np.where(g.random(300) < 0.12, (truth + g.integers(1, 3, 300)) % 3, truth)
    own = np.where(g.random((3, 300)) < 0.12, (truth + g.integers(1, 3, (3, 300))) % 3, truth)
    machine = np.where(g.random((1, 300)) < shared, common, own)
    return ratings(
        np.vstack([people, machine]), people=["ann", "ben", "cyd", "dan", "gpt-5", "llama", "qwen"]
    )


def honest_models(g: np.random.Generator) -> Ratings:
    """Models better than the people, with errors of their own."""
    codes = labels(g, annotators=7, error=np.array([0.1] * 4 + [0.03] * 3))
    return ratings(codes, people=["ann", "ben", "cyd", "dan", "gpt-5", "llama", "qwen"])


def declared(data: Ratings, *systems: str) -> Ratings:
    """The same with models set aside, as ``--systems`` does."""
    return assign(data, Choice(systems=systems))


def honest_models_declared(g: np.random.Generator) -> Ratings:
    """Four people, and models of different quality set aside, all with errors of their own."""
    codes = labels(g, annotators=7, error=np.array([0.05, 0.1, 0.1, 0.15, 0.03, 0.1, 0.2]))
    people = ["ann", "ben", "cyd", "dan", "gpt-5", "llama", "qwen"]
    return declared(ratings(codes, people=people), "gpt-5", "llama", "qwen")


def follower(g: np.random.Generator) -> Ratings:
    """A model that was shown one person's labels and repeats them in 60 % of the cases."""
    codes = labels(g, annotators=6, error=np.array([0.15] * 5 + [0.1]))
    codes[5] = np.where(g.random(300) < 0.6, codes[1], codes[5])
    people = ["ann", "ben", "cyd", "dan", "eve", "gpt-5"]
    return declared(ratings(codes, people=people), "gpt-5")


def relatives(g: np.random.Generator) -> Ratings:
    """Two models of one family among three people."""
    codes = labels(g, annotators=5, error=0.08)
    return ratings(codes, people=["ann", "ben", "cyd", "gpt-4o", "gpt-4o-mini"])


def habit(g: np.random.Generator) -> Ratings:
    codes = labels(g, annotators=2, shares=(0.7, 0.3), error=0.05)
    codes[1] = np.where((codes[1] == 0) & (g.random(300) < 0.3), 1, codes[1])
    return ratings(codes)


def pages(g: np.random.Generator) -> Ratings:
    parts = [labels(g, items=40, shares=s, error=0.1) for s in ((0.9, 0.1), (0.1, 0.9)) * 5]
    codes = np.hstack(parts)
    return ratings(codes, documents=_paged(g, codes, 40))


def drifting(g: np.random.Generator) -> Ratings:
    parts = [labels(g, items=60, error=e) for e in (0.04, 0.07, 0.10, 0.13, 0.16, 0.19)]
    return ratings(np.hstack(parts), times=[f"week {i // 60}" for i in range(360)])


def one_bad_week(g: np.random.Generator) -> Ratings:
    parts = [labels(g, items=60, error=e) for e in (0.05, 0.05, 0.25, 0.05, 0.05, 0.05)]
    return ratings(np.hstack(parts), times=[f"week {i // 60}" for i in range(360)])


def unseen(g: np.random.Generator) -> Units:
    """One of three annotators never opened a third of the documents; nobody said so."""
    full = spans(g)
    rows = [tuple(u) for u in full if not (u.annotator == "A2" and u.document < "d04")]
    return Units.from_rows(rows, lengths=dict(zip(full.documents, full.lengths, strict=True)))


def sparse_marks(g: np.random.Generator) -> Units:
    full = spans(g)
    return Units.from_rows([tuple(u) for u in full], lengths=dict.fromkeys(full.documents, 3000.0))


def skewed(g: np.random.Generator) -> Ratings:
    return ratings(labels(g, items=600, shares=(0.93, 0.07), error=0.03))


def rare(g: np.random.Generator) -> Ratings:
    return ratings(labels(g, items=300, shares=(0.5, 0.49, 0.01), error=0.0))


def hard(g: np.random.Generator) -> Ratings:
    return ratings(labels(g, annotators=5, shares=(0.2,) * 5, error=0.45))


def easy_category(g: np.random.Generator) -> Ratings:
    """One category is hard and the other easy."""
    truth = g.random(300) < 0.5
    codes = truth ^ (g.random((4, 300)) < np.where(truth, 0.16, 0.02))
    return ratings(codes.astype(int))


def copied_block(g: np.random.Generator, *, people: int = 8) -> Ratings:
    """One annotator copies half of another's work, in one block."""
    codes = labels(g, annotators=people, error=0.1, shares=(1 / 3, 1 / 3, 1 / 3))
    block = np.arange(150) + g.integers(0, 151)
    codes[1, block] = codes[0, block]
    return ratings(codes)


def introductions(g: np.random.Generator) -> Units:
    """Three people who do not look begin every document with an introduction."""
    rows, lengths = [], {}
    for d in range(12):
        lengths[f"d{d:02}"] = 1000.0
        for a in range(3):
            at = np.sort(g.choice(np.arange(2, 19), 5, replace=False)) * 50 + g.random()
            rows += [(f"d{d:02}", f"A{a}", float(s), float(s + g.uniform(20, 50)), "x") for s in at]
            rows.append((f"d{d:02}", f"A{a}", 0.0, float(g.uniform(30, 60)), "intro"))
    return Units.from_rows(rows, lengths=lengths)


#: rule → name → campaign that has the fault, and the options of the audit
FAULTS: Mapping[str, Mapping[str, tuple[Draw, Mapping[str, Any]]]] = {
    "low-agreement": {
        "30 % errors, 4 × 300 (α ≈ .37)": (low, {}),
        "labels swapped, 2 × 100 (α ≈ −.8)": (negative, {}),
    },
    "wide-interval": {"2 × 60, α ≈ .67": (undecided, {})},
    "few-pairable": {"30 of 300 items rated twice": (few, {})},
    "ordered-as-nominal": {"scores 0–9, off by one": (graded, {})},
    "numbers-or-names": {"five names coded 1–5": (coded_names, {})},
    "spammers": {
        "6 of a crowd of 60 give one answer": (lambda g: crowd(g, bad=6, kind="spam"), {})
    },
    "guessers": {
        "one of 4 guesses": (one_guesser, {}),
        "6 of a crowd of 60 guess": (lambda g: crowd(g, bad=6), {}),
    },
    "copied-annotators": {
        "one of 5 copies another, but for 2 %": (copied, {}),
        "units of one of 4 copied": (copied_units, {}),
    },
    "copied-in-part": {
        "half of 300 items copied in one block, 8 people": (copied_block, {}),
    },
    "camps": {
        "two camps of 3, 1 120 messages": (two_camps, {}),
        "camps of 3 and 2, 200 items": (small_camps, {}),
        "camps of 12 and 8, half missing": (many_camps, {}),
    },
    "correlated-models": {
        "3 models with shared errors, 4 people": (models, {}),
        "the same, set aside as systems": (
            lambda g: declared(models(g), "gpt-5", "llama", "qwen"),
            {},
        ),
    },
    "model-follows-person": {
        "a model repeats one of 5 people in 60 % of the items": (follower, {})
    },
    "annotator-apart": {"one of 4 guesses": (one_guesser, {})},
    "habits-of-place": {
        "every document begins with an introduction, nobody looks": (introductions, {})
    },
    "asymmetric-confusions": {"2 × 300, 30 % of one category renamed": (habit, {})},
    "heterogeneous-documents": {"ten pages, 90/10 and 10/90": (pages, {})},
    "drift": {
        "errors from 4 to 19 % in six weeks": (drifting, {}),
        "one week of six with 25 % errors": (one_bad_week, {}),
    },
    "unknown-coverage": {"a third of the documents unseen by one": (unseen, {})},
    "different-mentions": {"mentions missed by 40 %": (lambda g: entities(g, lost=0.4), {})},
    "low-coverage": {"units on 5 % of the continuum": (sparse_marks, {})},
    "skewed-prevalence": {"93 % in one category": (skewed, {})},
    "rare-categories": {"1 % of 300 items": (rare, {})},
    "weak-majorities": {"5 annotators, 5 categories, 45 % errors": (hard, {})},
    "unanimity-bias": {"a hard and an easy category": (easy_category, {})},
}

#: clean for one rule only: looks like its fault and is not
LURES: Mapping[str, Mapping[str, Draw]] = {
    "correlated-models": {
        "models better than people": honest_models,
        "models of different quality, set aside": honest_models_declared,
    },
    "model-follows-person": {
        "models better than people": honest_models,
        "models of different quality, set aside": honest_models_declared,
    },
    "copied-annotators": {
        "two of 6 nearly perfect, the others 20 % errors": lambda g: ratings(
            labels(g, annotators=6, error=np.array([0.01, 0.01] + [0.2] * 4))
        )
    },
    "camps": {
        "three good and three careless": lambda g: ratings(
            labels(g, annotators=6, error=np.array([0.03] * 3 + [0.25] * 3))
        )
    },
    "spammers": {
        "95 % in one category": lambda g: ratings(
            labels(g, items=200, annotators=6, shares=(0.95, 0.05), error=0.02, present=0.3)
        )
    },
    "unanimity-bias": {
        "80/20, equal errors": lambda g: ratings(labels(g, shares=(0.8, 0.2), error=0.06))
    },
}


def error_for(value: float, shares: tuple[float, ...]) -> float:
    """The error rate at which α is this value (bisection of the formula)."""
    low, high, p, q = 0.0, 0.5, np.array(shares), len(shares)
    for _ in range(60):
        e = (low + high) / 2
        seen = p * (1 - e) + (1 - p) * e / (q - 1)
        observed, chance = (1 - e) ** 2 + e**2 / (q - 1), float(seen @ seen)
        low, high = (e, high) if (observed - chance) / (1 - chance) > value else (low, e)
    return low


def decided(value: float, items: int, annotators: int, replicates: int) -> tuple[float, float]:
    """At a true α of this value: share of campaigns said to be below it, and above it."""
    shares = (0.4, 0.35, 0.25)
    error = error_for(value, shares)
    below = above = 0
    for seed in range(replicates):
        codes = labels(
            np.random.default_rng([1900, seed]), items=items, annotators=annotators, error=error
        )
        found = recommend(ratings(codes)).result.interval
        below += found.high < value
        above += found.low >= value
    return below / replicates, above / replicates


def raised(draw: Draw, replicates: int, **options: Any) -> Counter[str]:
    """How many of the replicates raise each rule."""
    found: Counter[str] = Counter()
    for seed in range(replicates):
        found.update({f.rule for f in audit(draw(np.random.default_rng([2026, seed])), **options)})
    return found


def main(replicates: int, chosen: str = "") -> None:
    names = [r.name for r in RULES if r.name not in FACTS]
    unknown = set(FAULTS) ^ set(names)
    if unknown:
        sys.exit(f"every rule needs campaigns that have its fault, or to be a fact: {unknown}")
    lines = [
        "# The audit: false alarms and faults found",
        "",
        f"{date.today().isoformat()}, accord {accord.__version__}, {replicates} campaigns per cell, "
        "`python benchmarks/audit.py`.",
        "",
        "Rules that state a count or a name (" + ", ".join(sorted(FACTS)) + ") cannot be wrong by "
        "chance and are left out.",
        "",
        "## Clean campaigns: share in which a rule is raised",
        "",
        "Rules that are not named were never raised. `ordered-as-nominal` on scores is a true "
        "statement, not an alarm; so is `wide-interval`, which says that the interval holds .8 (boundaries "
        "of 12 documents: the true value is .88). In the last six campaigns agreement is low or middling, which "
        "`low-agreement` and `wide-interval` say rightly: they are left out there.",
        "",
        "| campaign | raised |",
        "|---|---|",
    ]
    worst: Counter[str] = Counter()
    for name, draw in {**CLEAN, **HONEST}.items():
        found = raised(draw, replicates)
        if name in HONEST:
            found = Counter({r: c for r, c in found.items() if r not in THRESHOLDS})
        for rule, count in found.items():
            worst[rule] = max(worst[rule], count)
        shown = ", ".join(f"{r} {c / replicates:.3f}" for r, c in found.most_common()) or "nothing"
        lines.append(f"| {name} | {shown} |")
        print(lines[-1], flush=True)
    lines += [
        "",
        "## By rule",
        "",
        "| rule | false alarms (worst clean campaign) | fault | found |",
        "|---|---|---|---|",
    ]
    for rule in names:
        if chosen and rule != chosen:
            continue
        for fault, (draw, options) in FAULTS[rule].items():
            share = raised(draw, replicates, **options)[rule] / replicates
            lines.append(f"| {rule} | {worst[rule] / replicates:.3f} | {fault} | {share:.3f} |")
            print(lines[-1], flush=True)
        for lure, draw in LURES.get(rule, {}).items():
            share = raised(draw, replicates)[rule] / replicates
            lines.append(f"| {rule} | {share:.3f} | (none: {lure}) | |")
            print(lines[-1], flush=True)
    lines += [
        "",
        "## Noisier campaigns",
        "",
        "Not counted as clean: some annotators are much worse than others, or hardly any item is "
        "unanimous, and the rules say so.",
        "",
        "| campaign | raised |",
        "|---|---|",
    ]
    for name, draw in NOISY.items():
        noisy = raised(draw, replicates)
        shown = ", ".join(
            f"{r} {c / replicates:.3f}" for r, c in noisy.most_common() if r not in THRESHOLDS
        )
        lines.append(f"| {name} | {shown or 'nothing'} |")
        print(lines[-1], flush=True)
    lines += [
        "",
        "## The lines: true α exactly on .667 or .8",
        "",
        "| α | annotators × items | said to be below | said to be above |",
        "|---|---|---|---|",
    ]
    for value in (0.667, 0.8):
        for annotators, items in ((2, 60), (2, 200), (4, 100), (4, 300)):
            below, above = decided(value, items, annotators, replicates)
            lines.append(f"| {value} | {annotators} × {items} | {below:.3f} | {above:.3f} |")
            print(lines[-1], flush=True)
    if not chosen:
        path = Path(__file__).parent / "results" / "audit.md"
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 300, sys.argv[2] if len(sys.argv) > 2 else "")
