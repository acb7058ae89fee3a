"""Every row of every breakdown carries limits around its value, or says why it has none."""

import math

import numpy as np
import pytest

import accord
from accord.data import Boxes, Chains, Ratings, Relations, Segments, Units
from accord.data.tables import ratings_from_long
from accord.errors import AccordError
from accord.measures import enrolled
from accord.study import GENERIC, Certainty, Study
from accord.uncertainty.scale import scale_of

#: breakdowns whose rows are values of the measure
NAMES = ("category", "label", "annotator", "pair", "document", "type", "level", "time")
TWO_ONLY = {"kappa", "weighted-kappa", "aickin"}
RECORDS = enrolled()


def ratings(people: str, seed: int = 0) -> Ratings:
    rng = np.random.default_rng(seed)
    rows = []
    for i in range(60):
        truth = rng.integers(1, 4)
        for who in people:
            value = truth if rng.random() < 0.8 else rng.integers(1, 4)
            rows.append((f"i{i}", who, int(value), f"d{i // 12}", f"batch {i % 3}"))
    items, who, given, where, when = zip(*rows, strict=True)
    return ratings_from_long(items, who, given, documents=where, times=when)


def units(people: str, seed: int = 0) -> Units:
    rng = np.random.default_rng(seed)
    rows = [
        (f"d{d}", who, 20 * u + int(move), 20 * u + 7, "xy"[u % 2] if right else "yx"[u % 2])
        for d in range(5)
        for u in range(8)
        for who in people
        for move, right, there in [(rng.integers(0, 3), rng.random() < 0.9, rng.random() < 0.9)]
        if there
    ]
    return Units.from_rows(rows)


def segments(people: str, seed: int = 0) -> Segments:
    rng = np.random.default_rng(seed)
    cuts = [
        (f"d{d}", who, [(10 * k + int(rng.integers(0, 2)), "ab"[k % 2]) for k in range(1, 6)])
        for d in range(5)
        for who in people
    ]
    rows = [(d, who, at, kind) for d, who, places in cuts for at, kind in places]
    return Segments.from_boundaries(rows, lengths={f"d{d}": 60 for d in range(5)})


def chains(people: str, seed: int = 0) -> Chains:
    rng = np.random.default_rng(seed)
    found = {}
    for d in range(5):
        for who in people:
            clusters = {}
            for k in range(16):
                entity = k % 4 if rng.random() < 0.85 else int(rng.integers(0, 4))
                clusters.setdefault(entity, []).append((3 * k, 3 * k + 1))
            found[f"d{d}", who] = list(clusters.values())
    return Chains.from_clusters(found)


def relations(people: str, seed: int = 0) -> Relations:
    rng = np.random.default_rng(seed)
    rows = {
        (
            f"d{d}",
            who,
            k,
            int(rng.integers(0, 8)) if rng.random() < 0.2 else (3 * k + 1) % 8,
            "xy"[k % 2],
        )
        for d in range(5)
        for k in range(8)
        for who in people
        if rng.random() < 0.9
    }
    return Relations.from_rows(sorted(rows))


def boxes(people: str, seed: int = 0) -> Boxes:
    rng = np.random.default_rng(seed)
    rows = []
    for d in range(6):
        for who in people:
            for k in range(4):
                label = "xy"[(k + (rng.random() < 0.2)) % 2]
                x, y = 30 * k + rng.integers(0, 4), 10 * d + rng.integers(0, 4)
                rows.append((f"d{d}", who, x, y, x + 20, y + 15 + rng.integers(0, 4), label))
    return Boxes.from_rows(rows)


MADE = {
    "ratings": ratings,
    "units": units,
    "segments": segments,
    "chains": chains,
    "relations": relations,
    "boxes": boxes,
}


def data_for(record):
    make = MADE[record.shape]
    if record.question == "agree":
        return (make("AB" if record.name in TWO_ONLY else "ABC"),)
    return make("A", 1), make("B", 2)


def _generic(study):
    return GENERIC if len(study.every) == 1 and not isinstance(study.found, tuple) else ()


def breakdowns(record, study):
    names = [*record.breakdowns, *study.results[0].by, *study.results[0].offers, *_generic(study)]
    # the type of a mention is a fact about it: other shares are counted by it, not the measure
    left = ["type"] if record.shape == "chains" else []
    # a label that is there or not is no number: measures of numbers refuse it
    left += ["label"] if record.shape == "ratings" and not record.binary else []
    return [name for name in dict.fromkeys(names) if name in NAMES and name not in left]


def values(row):
    return next((k for k in ("value", "mean_pairwise") if isinstance(row.get(k), float)), None)


def checked(row, name, scale):
    key = values(row)
    assert key is not None, (name, row)
    if "low" not in row:
        assert row.get("no_interval") or row.get("undefined"), (name, row)
        return False
    assert row["low"] <= row[key] <= row["high"], (name, row)
    assert row["low"] < row["high"], (name, row)
    assert min(scale.low, row[key]) <= row["low"], (name, row)
    assert row["high"] <= max(scale.high, row[key]), (name, row)
    return True


@pytest.mark.parametrize("record", RECORDS, ids=lambda r: f"{r.shape}-{r.name}")
def test_every_row_has_limits_or_a_reason(record):
    data = data_for(record)
    options = {"samples": 5} if record.takes("samples") else {}
    study = Study(record, *data, options=options, certainty=Certainty(ci="auto", resamples=100))
    scale = scale_of(record.name)
    found = breakdowns(record, study)
    with_limits = dict.fromkeys(found, 0)
    for name in found:
        answer = study.answer([name])
        results = answer if isinstance(answer, tuple) else (answer,)
        rows = [row for result in results for row in result.by[name]]
        assert rows, name
        defined = [row for row in rows if math.isfinite(row[values(row)])]
        with_limits[name] = sum(checked(row, name, scale) for row in rows) if defined else 1
    if any(r.sample is None for r in study.results):
        return  # nothing to resample: every row has said so
    for name in ("category", "annotator", "pair", "type", "level"):
        # a row of several documents (or of items) has limits
        assert with_limits.get(name, 1) > 0, with_limits
    if record.shape == "ratings":
        assert with_limits.get("document", 1) > 0, with_limits


def test_limits_of_a_category_of_spans_by_hand():
    """Leave a document out, score the category alone, and take the jackknife's formula."""
    reference, system = units("A", 1), units("B", 2)
    result = accord.score(reference, system, "f1", ci="jackknife", by="category")
    row = next(r for r in result.by["category"] if r["category"] == "x")

    def alone(names):
        sides = (side.select(documents=names, categories=["x"]) for side in (reference, system))
        return accord.score(*sides, "f1").value

    left = [alone([o for o in reference.documents if o != d]) for d in reference.documents]
    D = len(left)
    error = math.sqrt((D - 1) / D * sum((v - np.mean(left)) ** 2 for v in left))
    assert row["value"] == pytest.approx(alone(reference.documents))
    from accord.uncertainty.jackknife import student

    sizes = [
        sum(len(s.select(documents=[d], categories=["x"])) for s in (reference, system))
        for d in reference.documents
    ]
    df = sum(sizes) ** 2 / sum(n * n for n in sizes) - 1
    half = student(df, 0.975) * error
    assert row["low"] == pytest.approx(max(0.0, row["value"] - half))
    assert row["high"] == pytest.approx(min(1.0, row["value"] + half))


def test_limits_of_a_pair_are_those_of_the_two_alone():
    for data, name in ((units("ABC"), "pairwise-f1"), (chains("ABC"), "pairwise-b3")):
        rows = accord.agree(data, name, ci="auto", by="pair").by["pair"]
        for row in rows:
            two = data.select(annotators=[row["first"], row["second"]])
            found = accord.agree(two, name, ci="auto")
            assert row["value"] == pytest.approx(found.value)
            assert (row["low"], row["high"]) == pytest.approx(
                (found.interval.low, found.interval.high)
            )


def test_one_document_says_so():
    result = accord.agree(units("ABC"), "u-alpha", ci="auto", by="document")
    assert {r["no_interval"] for r in result.by["document"]} == {"it takes several documents"}
    # nobody asked for intervals: nobody is told that there are none
    plain = accord.agree(units("ABC"), "u-alpha", ci="none", by="document")
    assert not any("no_interval" in r for r in plain.by["document"])


def test_measures_of_numbers_have_no_category_against_the_rest():
    with pytest.raises(AccordError, match="icc-a has no breakdown by 'category'; it has"):
        accord.agree(ratings("ABC"), "icc-a", by="category")
