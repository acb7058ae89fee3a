"""Spans against a reference: optimal matchings by brute force, itemised errors, degenerate cases."""

import math
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import accord
from accord.data import Units
from accord.errors import InputError, UsageError

ALL = ("f1", "overlap-f1", "token-f1", "ser", "semeval-strict", "semeval-exact",
       "semeval-partial", "semeval-type")  # fmt: skip

spans = st.lists(
    st.tuples(st.integers(0, 8), st.integers(1, 5), st.sampled_from("xy")), max_size=5
).map(lambda rows: [(s, s + n, x) for s, n, x in rows])


def units(rows, who="r", **options) -> Units:
    return Units.from_rows(
        [(r[3] if len(r) > 3 else "d", who, *r[:3]) for r in rows],
        coverage=[("d", who)],
        **options,
    )


def matchings(first, second, possible):
    if not first:
        yield []
        return
    head, rest = first[0], first[1:]
    yield from matchings(rest, second, possible)
    for j, other in enumerate(second):
        if other is not None and possible(head, other):
            left = [*second[:j], None, *second[j + 1 :]]
            for pairs in matchings(rest, left, possible):
                yield [(head, other), *pairs]


def overlap(a, b):
    return min(a[1], b[1]) > max(a[0], b[0])


def bounds(a, b):
    return a[:2] == b[:2]


CREDIT = {
    "semeval-strict": lambda a, b: float(a == b),
    "semeval-exact": lambda a, b: float(bounds(a, b)),
    "semeval-partial": lambda a, b: 1.0 if bounds(a, b) else 0.5,
    "semeval-type": lambda a, b: float(a[2] == b[2]),
}


@given(spans, spans)
@settings(max_examples=100, deadline=None)
def test_the_schemes_are_optimal(first, second):
    every = list(matchings(first, second, overlap))
    reference, system = units(first), units(second, "s")
    for name, credit in CREDIT.items():
        best = max((sum(credit(a, b) for a, b in m), len(m)) for m in every)
        terms = accord.score(reference, system, name).terms
        assert terms["COR"] + 0.5 * terms["PAR"] == pytest.approx(best[0])
        assert (
            terms["POS"] == terms["COR"] + terms["INC"] + terms["PAR"] + terms["MIS"] == len(first)
        )
        assert (
            terms["ACT"] == terms["COR"] + terms["INC"] + terms["PAR"] + terms["SPU"] == len(second)
        )
        if first or second:
            assert terms["F"] == pytest.approx(2 * best[0] / (len(first) + len(second)))
        if name == "semeval-type":
            pairs = max(len(m) for m in every if sum(credit(a, b) for a, b in m) == best[0])
            assert terms["COR"] + terms["INC"] == pairs


@given(spans, spans)
@settings(max_examples=100, deadline=None)
def test_slot_error_rate_is_least(first, second):
    every = list(matchings(first, second, overlap))
    reference, system = units(first), units(second, "s")

    def cost(weighting, a, b):
        if a == b:
            return 0
        half = bounds(a, b) != (a[2] == b[2])
        return 0.5 if weighting == "etape" and half else 1

    for weighting in ("makhoul", "etape"):
        least = min(
            len(first) + len(second) - 2 * len(m) + sum(cost(weighting, a, b) for a, b in m)
            for m in every
        )
        result = accord.ser(reference, system, weighting=weighting)
        if first:
            assert result.value == pytest.approx(least / len(first))
        else:
            assert result.undefined == "the reference has no span"


@given(spans, spans, st.integers(0, 2))
@settings(max_examples=80, deadline=None)
def test_f1_and_overlap_are_optimal(first, second, tolerance):
    reference, system = units(first), units(second, "s")

    def close(a, b):
        return a[2] == b[2] and all(
            abs(x - y) <= tolerance for x, y in zip(a[:2], b[:2], strict=True)
        )

    best = max(len(m) for m in matchings(first, second, close))
    assert accord.f1(reference, system, tolerance=tolerance).terms["COR"] == best
    same = max(
        len(m) for m in matchings(first, second, lambda a, b: overlap(a, b) and a[2] == b[2])
    )
    assert accord.overlap_f1(reference, system).terms["COR"] == same


@given(spans, spans)
@settings(max_examples=60, deadline=None)
def test_token_f1_by_atoms(first, second):
    atoms = [{(i, x) for s, e, x in rows for i in range(s, e)} for rows in (first, second)]
    terms = accord.token_f1(units(first), units(second, "s")).terms
    assert terms["COR"] == len(atoms[0] & atoms[1])
    assert terms["MIS"] == len(atoms[0] - atoms[1])
    assert terms["SPU"] == len(atoms[1] - atoms[0])


@given(spans, spans, st.randoms(use_true_random=False))
@settings(max_examples=40, deadline=None)
def test_order_and_names_do_not_matter(first, second, rng):
    other = {"x": "Q", "y": "A"}
    shuffled = []
    for rows in (first, second):
        rows = [(s, e, other[x]) for s, e, x in rows]
        rng.shuffle(rows)
        shuffled.append(rows)
    for name in ALL:
        a = accord.score(units(first), units(second, "s"), name)
        b = accord.score(units(shuffled[0]), units(shuffled[1], "s"), name)
        assert a.value == pytest.approx(b.value, nan_ok=True)
        kinds = [sorted((e["error"]) for e in r.by["errors"]) for r in (a, b)]
        assert kinds[0] == kinds[1]


@given(spans, spans)
@settings(max_examples=60, deadline=None)
def test_every_span_is_explained_once(first, second):
    result = accord.f1(units(first), units(second, "s"))
    for side, rows in (("reference", first), ("system", second)):
        told = [tuple(s) for e in result.by["errors"] for s in e[side]]
        rest = list(rows)
        for span in told:
            rest.remove(span)
        assert len(rest) == result.terms["COR"]
    confused = result.by["confusion"]
    assert sum(r["count"] for r in confused if r["reference"] == r["system"]) >= result.terms["COR"]


def test_itemised_errors():
    reference = units(
        [
            (0, 4, "PER"),
            (10, 20, "LOC"),
            (30, 34, "ORG"),
            (36, 40, "ORG"),
            (50, 52, "PER"),
            (60, 65, "PER"),
            (70, 75, "LOC"),
            (80, 84, "LOC"),
        ]
    )
    system = units(
        [
            (0, 4, "PER"),
            (10, 14, "LOC"),
            (15, 20, "LOC"),
            (30, 40, "ORG"),
            (50, 52, "LOC"),
            (60, 66, "PER"),
            (70, 76, "ORG"),
            (90, 95, "PER"),
        ],
        "s",
    )
    result = accord.f1(reference, system)
    assert [(e["error"], e["reference"], e["system"]) for e in result.by["errors"]] == [
        ("split", [[10, 20, "LOC"]], [[10, 14, "LOC"], [15, 20, "LOC"]]),
        ("merged", [[30, 34, "ORG"], [36, 40, "ORG"]], [[30, 40, "ORG"]]),
        ("wrong label", [[50, 52, "PER"]], [[50, 52, "LOC"]]),
        ("wrong boundary", [[60, 65, "PER"]], [[60, 66, "PER"]]),
        ("wrong label and boundary", [[70, 75, "LOC"]], [[70, 76, "ORG"]]),
        ("missed", [[80, 84, "LOC"]], []),
        ("spurious", [], [[90, 95, "PER"]]),
    ]
    assert {"reference": "PER", "system": "LOC", "count": 1} in result.by["confusion"]
    assert {"error": "missed", "category": "LOC", "count": 1} in result.by["error"]
    assert result.by["category"][0]["category"] == "LOC"
    only = accord.score(reference, system, "f1", by=["document"])
    assert set(only.by) == {"document"}


def test_micro_macro_and_weighted():
    reference = units([(0, 2, "A"), (3, 5, "A"), (6, 8, "B")])
    system = units([(0, 2, "A"), (6, 8, "C")], "s")
    # A: P 1, R ½; B: R 0; C: P 0
    assert accord.f1(reference, system).value == pytest.approx(2 * 1 / 5)
    macro = accord.f1(reference, system, average="macro")
    assert macro.value == pytest.approx((2 / 3 + 0 + 0) / 3)
    assert macro.terms["macro_P"] == pytest.approx(1 / 3)
    assert accord.f1(reference, system, average="weighted").value == pytest.approx(2 / 3 * 2 / 3)
    with pytest.raises(UsageError, match="micro, macro or weighted"):
        accord.f1(reference, system, average="mean")


def corpus(who, seed, noise):
    rng = random.Random(seed)
    rows = []
    for d in range(15):
        at = 0
        for _ in range(8):
            at += rng.randint(2, 6)
            length, label = rng.randint(1, 4), rng.choice("xyz")
            drawn = rng.random()
            moved = 1 if drawn < noise else 0
            rows.append((f"d{d}", who, at, at + length + moved, label))
            at += length
    return Units.from_rows(rows)


@pytest.mark.parametrize("name", ALL)
def test_intervals_documents_and_comparison(name):
    reference = corpus("ref", 1, 0)
    good, bad = (
        accord.score(reference, corpus("sys", 1, n), name, ci="bootstrap") for n in (0.1, 0.6)
    )
    assert good.interval.low <= good.value <= good.interval.high
    assert good.interval.method == "bootstrap:document"
    assert len(good.by["document"]) == 15
    comparison = accord.compare(good, bad)
    assert comparison.paired
    if name not in ("semeval-type", "overlap-f1"):
        sign = -1 if name == "ser" else 1
        assert sign * comparison.difference > 0
        assert comparison.p < 0.05


@pytest.mark.parametrize("name", ALL)
def test_perfect_and_empty(name):
    some, nothing = units([(0, 2, "A"), (3, 5, "B")]), units([])
    worst, best = (1.0, 0.0) if name == "ser" else (0.0, 1.0)
    assert accord.score(some, units([(0, 2, "A"), (3, 5, "B")], "s"), name).value == best
    assert accord.score(some, units([], "s"), name).value == worst
    empty = accord.score(nothing, units([], "s"), name)
    assert math.isnan(empty.value)
    assert empty.undefined
    spurious = accord.score(nothing, units([(0, 2, "A")], "s"), name)
    if name == "ser":
        assert spurious.undefined
    else:
        assert spurious.value == 0
        assert spurious.terms["SPU"] in (1, 2)


def test_documents_on_one_side_only():
    reference = Units.from_rows([("a", "r", 0, 2, "x"), ("b", "r", 0, 2, "x")])
    system = Units.from_rows([("a", "s", 0, 2, "x"), ("c", "s", 0, 2, "x")])
    result = accord.f1(reference, system)
    assert (result.terms["COR"], result.terms["MIS"], result.terms["SPU"]) == (1, 1, 1)
    assert any("nothing in the system" in w and "'b'" in w for w in result.warnings)
    assert any("nothing in the reference" in w and "'c'" in w for w in result.warnings)
    strict = {"missing_documents": "error"}
    with pytest.raises(InputError, match="document 'c' is missing in the reference"):
        accord.f1(reference, system, **strict)
    unseen = Units.from_rows([("a", "r", 0, 2, "x")], lengths={"c": 9}, coverage=[("a", "r")])
    partly = accord.f1(unseen, system)
    assert partly.value == 1
    assert any("not annotated in the reference" in w for w in partly.warnings)


def test_errors():
    two = Units.from_rows([("d", "A", 0, 1, "x"), ("d", "B", 0, 1, "x")])
    with pytest.raises(InputError, match="the reference has 2 annotators"):
        accord.f1(two, units([(0, 1, "x")]))
    with pytest.raises(UsageError, match="tolerance"):
        accord.f1(units([(0, 1, "x")]), units([(0, 1, "x")]), tolerance=-1)
    with pytest.raises(UsageError, match="weighting"):
        accord.ser(units([(0, 1, "x")]), units([(0, 1, "x")]), weighting="other")


def test_points_and_spans_without_label():
    reference = Units.from_rows([("d", "r", 2, 2, None), ("d", "r", 5, 8, None)], points=True)
    system = Units.from_rows([("d", "s", 2, 2, None), ("d", "s", 6, 8, None)], points=True)
    assert accord.f1(reference, system).value == 0.5
    assert accord.overlap_f1(reference, system).value == 1
    assert accord.f1(reference, system).by["category"][0]["category"] is None


def test_equal_spans_count_as_often_as_they_occur():
    reference = units([(0, 2, "x"), (0, 2, "x"), (4, 6, "y")])
    system = units([(0, 2, "x"), (0, 2, "x"), (0, 2, "x"), (4, 6, "y")], "s")
    assert accord.f1(reference, system).terms["COR"] == 3
    assert accord.semeval_strict(reference, system).terms["COR"] == 3


def test_tolerance_in_seconds():
    reference = Units.from_rows([("d", "r", 10.89, 15.8, "a"), ("d", "r", 20.0, 20.2, "a")])
    system = Units.from_rows([("d", "s", 10.95, 15.7, "a"), ("d", "s", 20.3, 20.5, "a")])
    assert accord.f1(reference, system).value == 0
    # the second pair does not even overlap, and is within .31
    assert accord.f1(reference, system, tolerance=0.31).value == 1
    assert accord.semeval_strict(reference, system, tolerance=0.11).terms["COR"] == 1


def test_atoms_of_time():
    reference = Units.from_rows([("d", "r", 0.0, 1.04, "a")])
    system = Units.from_rows([("d", "s", 0.52, 1.06, "a")])
    terms = accord.token_f1(reference, system, atom=0.1).terms
    # frames with their middle at .05, .15, …, .95 against .55, …, 1.05
    assert (terms["POS"], terms["ACT"], terms["COR"]) == (10, 6, 5)
    with pytest.raises(UsageError, match="atom"):
        accord.token_f1(reference, system, atom=0)


def test_a_large_group_of_mutually_overlapping_spans():
    rng = np.random.default_rng(0)
    starts = rng.integers(0, 1000, 300)
    rows = [(int(s), int(s) + 400, "x") for s in starts]
    shifted = [(s + 7, e + 7, x) for s, e, x in rows]
    result = accord.semeval_partial(units(rows), units(shifted, "s"))
    assert result.terms["PAR"] + result.terms["COR"] == 300


# --- disorder ----------------------------------------------------------------------------------


@given(spans, spans)
@settings(max_examples=40, deadline=None)
def test_disorder_is_least(first, second):
    """Two sides: the alignment is a matching, each pair costs d, a span alone Δ = 1."""

    def d(a, b):
        apart = abs(a[0] - b[0]) + abs(a[1] - b[1])
        return (apart / (a[1] - a[0] + b[1] - b[0])) ** 2 + (a[2] != b[2])

    result = accord.disorder(units(first), units(second, "s"))
    if not first and not second:
        assert result.undefined == "neither side has a span"
        return
    least = min(
        len(first) + len(second) - 2 * len(m) + sum(d(a, b) for a, b in m)
        for m in matchings(first, second, lambda a, b: True)
    )
    assert result.terms["disorder_sum"] == pytest.approx(least, abs=1e-6)
    assert result.value == pytest.approx(2 * least / (len(first) + len(second)), abs=1e-6)
    assert result.terms["gap"] == 0
    swapped = accord.disorder(units(second), units(first, "s"))
    assert swapped.value == pytest.approx(result.value, abs=1e-6)


def test_disorder_shows_its_alignment():
    result = accord.disorder(units([(0, 4, "x"), (9, 12, "y")]), units([(1, 4, "x")], "s"))
    assert [(row["reference"], row["system"]) for row in result.by["alignment"]] == [
        ([0.0, 4.0, "x"], [1.0, 4.0, "x"]),
        ([9.0, 12.0, "y"], None),
    ]
    assert [e["error"] for e in result.by["errors"]] == ["wrong boundary", "missed"]
