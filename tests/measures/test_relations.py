"""Relations: worked values, brute force over all alignments, what is refused."""

from __future__ import annotations

import json
from collections import Counter
from itertools import combinations, permutations, product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import accord
from accord.data import Relations, Units
from accord.errors import InputError, RefusedError, UsageError

# the worked example of METHODS §18.4
LOCATED = [
    ("d", "A", (0, 5), (10, 15), "cause"),
    ("d", "A", (20, 25), (30, 35), "cause"),
    ("d", "A", (10, 15), (40, 45), "part"),
    ("d", "B", (0, 5), (10, 16), "cause"),
    ("d", "B", (20, 25), (30, 35), "part"),
    ("d", "B", (10, 16), (20, 25), "part"),
]
GIVEN = [
    ("d", "A", 2, 1, "r"),
    ("d", "A", 3, 2, "r"),
    ("d", "A", 4, 4, "s"),
    ("d", "A", 5, 4, "r"),
    ("d", "B", 2, 1, "r"),
    ("d", "B", 3, 1, "r"),
    ("d", "B", 4, 2, "r"),
    ("d", "B", 5, 4, "r"),
]
ENDS = Units.from_rows(
    sorted({(r[0], r[1], *end, None) for r in LOCATED for end in r[2:4]}, key=str)
)


# --- worked values -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "disorder"),
    [({}, 0.502754820936639), ({"beta": 0}, 0.169421487603306), ({"alpha": 3}, 0.841597796143251)],
)
def test_disorder_of_located_relations(options, disorder):
    result = accord.relation_gamma(Relations.from_rows(LOCATED), **options)
    assert result.observed == pytest.approx(disorder, abs=1e-9)


def test_located_relations_against_every_rearrangement():
    result = accord.relation_gamma(Relations.from_rows(LOCATED))
    assert result.expected == pytest.approx(0.858509335782062, abs=1e-9)
    assert result.value == pytest.approx(0.414386308940190, abs=1e-9)
    assert result.terms["exact_documents"] == 1
    assert result.terms["proven"]


def test_chance_by_units():
    relations = Relations.from_rows(LOCATED, units=ENDS)
    result = accord.relation_gamma(relations, chance="units", samples=4000)
    error = result.terms["precision"] / 1.96 * result.expected
    assert abs(result.expected - 1.2318) < 4 * (error**2 + 0.0046**2) ** 0.5
    assert abs(result.value - 0.592) < 0.02
    # the severer of the two expects less
    assert accord.relation_gamma(relations, chance="min", samples=500).value == pytest.approx(
        0.414386308940190, abs=1e-9
    )


def test_given_items():
    result = accord.relation_gamma(Relations.from_rows(GIVEN))
    assert (result.observed, result.expected) == (0.5, 0.59375)
    assert result.value == pytest.approx(3 / 19, abs=1e-12)
    assert accord.relation_f1(Relations.from_rows(GIVEN)).value == 0.5


@pytest.mark.parametrize(
    ("options", "value"),
    [
        ({}, 0),
        ({"unlabelled": True}, 1 / 3),
        ({"match": "overlap"}, 1 / 3),
        ({"match": "overlap", "unlabelled": True}, 2 / 3),
    ],
)
def test_f1_of_located_relations(options, value):
    relations = Relations.from_rows(LOCATED)
    assert accord.relation_f1(relations, **options).value == pytest.approx(value)
    sides = [relations.select(annotators=[who]) for who in "AB"]
    scored = accord.score(*sides, "relation-f1", **options)
    assert scored.value == pytest.approx(value)
    assert scored.terms["MIS"] == scored.terms["SPU"] == 3 - scored.terms["COR"]


def test_turned_round():
    mine = [r for r in LOCATED if r[1] == "A"]
    relations = Relations.from_rows([*mine, *((d, "B", t, s, c) for d, _, s, t, c in mine)])
    assert accord.relation_f1(relations).value == 0
    assert accord.relation_f1(relations, undirected=True).value == 1
    assert accord.relation_gamma(relations, undirected=True).observed == 0
    symmetric = accord.relation_gamma(relations, symmetric=("cause", "part"))
    assert symmetric.observed == 0
    # (a chain of two shares an end the other way round, too: one relation is plainly turned)
    rows = accord.agree(relations, "relation-gamma", by="errors").by["errors"]
    assert {r["error"]: r["count"] for r in rows}["turned round"] >= 1


def test_ends_that_only_touch_do_not_correspond():
    touching = [("d", "A", (0, 5), (10, 15), "x"), ("d", "B", (5, 9), (15, 20), "x")]
    apart = [("d", "A", (0, 5), (10, 15), "x"), ("d", "B", (4, 9), (40, 45), "x")]
    assert _total(touching) == pytest.approx(2)
    assert _total(apart) == pytest.approx(0.82, abs=1e-9)


def test_the_greatest_matching_not_the_first():
    rows = [
        ("d", "A", (0, 10), (20, 30), "x"),
        ("d", "A", (0, 4), (20, 24), "x"),
        ("d", "B", (2, 6), (22, 26), "x"),
        ("d", "B", (6, 9), (26, 29), "x"),
    ]
    assert accord.relation_f1(Relations.from_rows(rows), match="overlap").value == 1.0


def test_heads_by_chance_corrected():
    """Where every item has one head: 1 − (share of different heads)/(that share by chance)."""
    one_head_each = 7
    rng = np.random.default_rng(5)
    heads = [rng.integers(0, one_head_each, one_head_each) for _ in range(2)]
    heads[1][:4] = heads[0][:4]
    rows = [("d", "AB"[a], i, int(h), "x") for a in (0, 1) for i, h in enumerate(heads[a])]
    result = accord.relation_gamma(Relations.from_rows(rows), samples=3000)
    different = float(np.mean(heads[0] != heads[1]))
    assert result.observed == pytest.approx(different / 2)
    counts = [np.bincount(h, minlength=one_head_each) for h in heads]
    if all((h == np.arange(one_head_each)).any() for h in heads):
        chance = 1 - float(counts[0] @ counts[1]) / one_head_each**2
        assert result.value == pytest.approx(1 - different / chance, abs=0.02)


# --- brute force ---------------------------------------------------------------------------------


def _end(one, two, delta):
    if not isinstance(one, tuple):
        return 0.0 if one == two else delta
    shared = min(one[1], two[1]) - max(one[0], two[0])
    if shared <= 0:
        return delta
    dice = 2 * shared / (one[1] - one[0] + two[1] - two[0])
    return min(delta, delta * (1 - dice) ** 2)


def _d(r, q, alpha, beta, delta, matrix, undirected):
    """`undirected`: all relations have no direction, or those with these labels."""
    ways = [(r[2], q[2], r[3], q[3])]
    if undirected is True or (undirected and (r[4] in undirected or q[4] in undirected)):
        ways.append((r[2], q[3], r[3], q[2]))
    best = None
    for s, s2, t, t2 in ways:
        e, f = _end(s, s2, delta), _end(t, t2, delta)
        if e < delta or f < delta:
            value = alpha * (e + f) / 2 + beta * delta * matrix[r[4]][q[4]]
            best = value if best is None else min(best, value)
    return best


def brute_force(rows, *, alpha=1.0, beta=1.0, delta=1.0, matrix=None, undirected=False):
    """The least Σδ(K) over all ways to group the relations of n annotators."""
    names = sorted({r[1] for r in rows})
    labels = {r[4] for r in rows}
    matrix = matrix or {a: {b: float(a != b) for b in labels} for a in labels}
    n = len(names)
    pairs = n * (n - 1) / 2

    def cost(group):
        total = 0.0
        for i, one in enumerate(group):
            for two in group[i + 1 :]:
                d = _d(one, two, alpha, beta, delta, matrix, undirected)
                if d is None:
                    return None
                total += d - delta
        return delta + total / pairs

    def extended(groups, left):
        if not left:
            yield sum(cost(g) for g in groups)
            return
        one, *rest = left
        for k, group in enumerate(groups):
            if all(one[1] != other[1] for other in group):
                joined = [*group, one]
                if cost(joined) is not None:
                    yield from extended([*groups[:k], joined, *groups[k + 1 :]], rest)
        yield from extended([*groups, [one]], rest)

    return min(extended([], list(rows)))


def _total(rows, **options):
    """What accord finds for the same."""
    from accord.alignment.relations import Network
    from accord.measures.relations.gamma import _observed
    from accord.measures.relations.options import Settings

    relations = Relations.from_rows(rows)
    how = dict.fromkeys(Settings.__slots__)
    how |= {"categorical": "nominal", "undirected": False, **options}
    _, costs = Settings(**how).between(relations)
    found, gap = _observed(Network.of(relations), costs)
    assert gap == 0
    return float(found.sum())


@st.composite
def campaigns(draw):
    located = draw(st.booleans())
    ends = (
        st.tuples(st.integers(0, 6), st.integers(1, 4)).map(lambda p: (p[0], p[0] + p[1]))
        if located
        else st.integers(0, 3)
    )
    people = draw(st.integers(2, 3))
    rows = set()
    for who in "ABC"[:people]:
        for _ in range(draw(st.integers(1, 3))):
            rows.add(("d", who, draw(ends), draw(ends), draw(st.sampled_from("xyz"))))
    return sorted(rows, key=str)


MATRIX = np.array([[0, 0.3, 1], [0.3, 0, 0.6], [1, 0.6, 0]])


@settings(max_examples=400, deadline=None)
@given(
    campaigns(),
    st.sampled_from([True, False, "x", "xy"]),
    st.booleans(),
    st.sampled_from([(1, 1, 1), (3, 1, 1), (1, 0, 2)]),
)
def test_the_alignment_is_the_best_of_all(rows, undirected, graded, weights):
    alpha, beta, delta = weights
    if len({r[1] for r in rows}) < 2:
        return
    labels = sorted({r[4] for r in rows})
    at = {name: "xyz".index(name) for name in labels}
    square = MATRIX[np.ix_([at[n] for n in labels], [at[n] for n in labels])]
    told = {a: {b: float(MATRIX[at[a], at[b]]) for b in labels} for a in labels}
    found = _total(
        rows,
        alpha=float(alpha),
        beta=float(beta),
        delta=float(delta),
        undirected=undirected is True,
        symmetric=tuple(n for n in labels if n in undirected)
        if isinstance(undirected, str)
        else None,
        matrix=square if graded else None,
    )
    least = brute_force(
        rows,
        alpha=alpha,
        beta=beta,
        delta=delta,
        undirected=undirected,
        matrix=told if graded else None,
    )
    assert found == pytest.approx(least, abs=1e-7)


def _rearranged(own, *, loops_apart):
    """Every arrangement of an annotator's targets and labels, as METHODS §18.2 has them; or, where another
    annotator has loops too, those that have as many loops, made of the targets that were none."""
    own_loops = sum(r[2] == r[3] for r in own)
    others = [r[3] for r in own if r[2] != r[3]]
    if loops_apart:
        ways = []
        for places in combinations(range(len(own)), len(others)):
            for order in permutations(others):
                targets = [r[2] for r in own]
                for place, target in zip(places, order, strict=True):
                    targets[place] = target
                if sum(r[2] == t for r, t in zip(own, targets, strict=True)) == own_loops:
                    ways.append(targets)
    else:
        ways = [
            targets
            for targets in permutations([r[3] for r in own])
            if own_loops or all(r[2] != t for r, t in zip(own, targets, strict=True))
        ]
    for targets in ways:
        for labels in permutations([r[4] for r in own]):
            yield [(*r[:3], t, c) for r, t, c in zip(own, targets, labels, strict=True)]


#: A has a loop, B has none; and both have one
ONE_LOOPS = GIVEN[:3] + GIVEN[4:7]
BOTH_LOOP = [*GIVEN[:3], *GIVEN[4:6], ("d", "B", 4, 4, "r")]


@pytest.mark.parametrize(("rows", "apart"), [(ONE_LOOPS, False), (BOTH_LOOP, True)])
def test_what_chance_gives_is_the_mean_over_all_rearrangements(rows, apart):
    parts = [list(_rearranged([r for r in rows if r[1] == who], loops_apart=apart)) for who in "AB"]
    totals = [brute_force([*a, *b]) for a, b in product(*parts)]
    result = accord.relation_gamma(Relations.from_rows(rows))
    assert result.terms["exact_documents"] == 1
    assert result.expected == pytest.approx(np.mean(totals) / 3, abs=1e-9)


def test_drawn_and_counted_chance_agree_where_loops_are_kept(monkeypatch):
    from accord.measures.relations import expected

    relations = Relations.from_rows(BOTH_LOOP)
    counted = accord.relation_gamma(relations).expected
    monkeypatch.setattr(expected, "arrangements", lambda _: 0)
    relations.memo.clear()
    drawn = accord.relation_gamma(relations, samples=4000)
    assert drawn.terms["exact_documents"] == 0
    assert drawn.expected == pytest.approx(counted, abs=0.02)


def _own(source, target, unordered=False, **more):
    from accord.chance.relations import Linked

    size = len(source)
    codes = {
        "source": source, "target": target, "label": [0] * size, "source_kind": [-1] * size,
        "target_kind": [-1] * size, "unit": list(range(12)), "unit_kind": [-1] * 12,
    }  # fmt: skip
    return Linked(
        unordered=np.full(size, unordered),
        **{name: np.array(values, dtype=np.int32) for name, values in codes.items()},
        **more,
    )


@pytest.mark.parametrize("unordered", [False, True])
def test_chance_keeps_the_number_of_loops_where_annotators_share_the_habit(unordered):
    """And loops are at different sources: nobody says the same relation twice."""
    from accord.chance.relations import from_units, rearranged

    source, target = [0, 0, 1, 2, 3, 4, 5], [0, 3, 1, 2, 7, 8, 9]
    one = _own(source, target, unordered, shares_loops=True)
    for draw in (rearranged, from_units):
        (starts, ends, _), forced = draw(one, 200, np.random.default_rng(0))
        loop = starts == ends
        assert forced == 0
        assert (loop.sum(axis=1) == 3).all()
        assert all(len(set(s[k].tolist())) == 3 for s, k in zip(starts, loop, strict=True))
        # they are not always at the same places
        assert len({tuple(sorted(s[k].tolist())) for s, k in zip(starts, loop, strict=True)}) > 5
    # alone with the habit, an annotator's loops are targets like others (METHODS §18.2)
    alone = _own(source, target, unordered)
    (starts, ends, _), _ = rearranged(alone, 200, np.random.default_rng(0))
    assert len(set((starts == ends).sum(axis=1).tolist())) > 2


def test_annotators_who_like_loops_and_do_not_read_do_not_agree():
    """One item in four linked to itself gave + .02 to + .03 when loops were shuffled with the rest."""
    values = []
    for seed in range(12):
        rng = np.random.default_rng(seed)
        rows = [
            (f"d{d}", who, s, s if rng.random() < 0.25 else int(rng.integers(0, 15)), "x")
            for d in range(8) for who in "ABCD" for s in range(15)
        ]  # fmt: skip
        values.append(accord.relation_gamma(Relations.from_rows(rows), samples=10).value)
    assert abs(np.mean(values)) < 0.012


def test_draws_keep_degrees_and_labels():
    from accord.chance.relations import Linked, from_units, rearranged

    codes = {
        name: np.array(values, dtype=np.int32)
        for name, values in {
            "source": [0, 0, 1, 2], "target": [3, 3, 3, 4], "label": [0, 1, 1, 0],
            "source_kind": [-1] * 4, "target_kind": [-1] * 4,
            "unit": [0, 1, 2, 3, 4], "unit_kind": [-1] * 5,
        }.items()
    }  # fmt: skip
    one = Linked(unordered=np.zeros(4, dtype=bool), **codes)
    (source, target, label), forced = rearranged(one, 50, np.random.default_rng(0))
    assert forced == 0
    assert (source == one.source).all()
    for k in range(50):
        assert Counter(target[k].tolist()) == {3: 3, 4: 1}
        assert Counter(label[k].tolist()) == {0: 2, 1: 2}
    (source, target, label), short = from_units(one, 50, np.random.default_rng(0))
    assert short == 0
    assert (source != target).all()
    assert all(
        len(set(zip(s, t, strict=True))) == 4
        for s, t in zip(source.tolist(), target.tolist(), strict=True)
    )


def test_typed_units_are_linked_by_their_types():
    from accord.chance.relations import Linked, from_units

    kinds = np.array([0, 0, 1, 1], dtype=np.int32)
    one = Linked(
        source=np.array([0], dtype=np.int32), target=np.array([2], dtype=np.int32),
        label=np.zeros(1, dtype=np.int32), unordered=np.zeros(1, dtype=bool),
        source_kind=np.array([0], dtype=np.int32), target_kind=np.array([1], dtype=np.int32),
        unit=np.arange(4, dtype=np.int32), unit_kind=kinds,
    )  # fmt: skip
    (source, target, _), _ = from_units(one, 200, np.random.default_rng(0))
    assert set(source[:, 0].tolist()) == {0, 1}
    assert set(target[:, 0].tolist()) == {2, 3}


# --- the other measures --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("unrelated", "value"), [(0, -0.35), (10, 0.33), (100, 0.56), (1000, 0.596), (10000, 0.5996)]
)
def test_alpha_depends_on_unrelated_pairs(unrelated, value, tmp_path):
    """Ten relations each, six shared: METHODS §18.3."""
    table = tmp_path / "candidates.csv"
    pairs = [(2 * k, 2 * k + 1) for k in range(14 + unrelated)]
    table.write_text("document,source,target\n" + "".join(f"d,{s},{t}\n" for s, t in pairs))
    mine = {"A": pairs[:10], "B": [*pairs[:6], *pairs[10:14]]}
    rows = [("d", who, s, t, "x") for who, own in mine.items() for s, t in own]
    units = [("d", who, str(i), None) for who in "AB" for i in range(2 * len(pairs))]
    relations = Relations.from_rows(rows, units=units)
    result = accord.relation_alpha(relations, candidates=str(table))
    assert result.value == pytest.approx(value, abs=0.006)
    assert result.terms["pairs"] == len(pairs)
    assert accord.relation_f1(relations).value == pytest.approx(0.6)


def test_alpha_over_all_pairs_counts_them_without_listing():
    rows = [("d", "A", 1, 2, "x"), ("d", "B", 1, 2, "x"), ("d", "B", 3, 4, "y")]
    relations = Relations.from_rows(rows)
    result = accord.relation_alpha(relations)
    # 4 items, 12 ordered pairs: x x, (none) y, ten times (none) (none)
    n, counts = 24, {"x": 2, "y": 1, "none": 21}
    within = 2.0
    between = n * n - sum(c * c for c in counts.values())
    assert result.value == pytest.approx(1 - (n - 1) * within / between)
    assert result.terms == {"pairs": 12, "related": 2, "left_out": 0}
    assert any("unrelated pairs" in w for w in result.warnings)


def test_relations_on_units_nobody_shares_vanish_from_alpha_and_it_is_said():
    relations = Relations.from_rows([*LOCATED, ("d", "A", (90, 95), (0, 5), "part")])
    result = accord.relation_alpha(relations)
    assert result.terms["left_out"] >= 1
    assert any("vanish" in w for w in result.warnings)


def test_labels_of_shared_relations():
    rows = [("d", a, s, s + 1, c) for a, labels in (("A", "xxyy"), ("B", "xxyx")) for s, c in
            zip(range(0, 8, 2), labels, strict=True)]  # fmt: skip
    result = accord.relation_cat(Relations.from_rows(rows))
    # n = 8, x 5, y 3; one item differs: 2 ordered pairs
    assert result.value == pytest.approx(1 - 7 * 2 / (64 - 25 - 9))


# --- coverage, breakdowns, invariance ------------------------------------------------------------


def test_who_saw_and_linked_nothing_counts():
    rows = [*GIVEN, ("e", "A", 1, 2, "r"), ("e", "A", 3, 2, "r")]
    silent = accord.relation_gamma(Relations.from_rows(rows, coverage=[("e", "B")]))
    unseen = accord.relation_gamma(Relations.from_rows(rows, coverage=[]))
    assert silent.observed > unseen.observed
    assert any("fewer than two" in w for w in unseen.warnings)


def test_names_and_order_do_not_matter():
    rows = [(f"d{k}", *r[1:]) for k in range(2) for r in [*LOCATED,
        ("d", "A", (50, 60), (70, 80), "part"), ("d", "B", (50, 61), (70, 80), "cause"),
        ("d", "A", (51, 60), (10, 15), "x"), ("d", "B", (90, 95), (0, 5), "x")]]  # fmt: skip
    other = {"A": "Zoe", "B": "Amy"}
    one = accord.relation_gamma(Relations.from_rows(rows), samples=20)
    two = accord.relation_gamma(
        Relations.from_rows([("x" + r[0], other[r[1]], *r[2:]) for r in rows[::-1]]), samples=20
    )
    assert one.value == two.value
    assert one.terms["exact_documents"] == 0
    assert accord.relation_gamma(Relations.from_rows(rows), samples=20, jobs=2).value == one.value
    assert accord.relation_gamma(Relations.from_rows(rows), samples=20, seed=1).value != one.value


def test_breakdowns():
    rows = [(f"d{k}", *r[1:]) for k in range(3) for r in LOCATED]
    found = accord.agree(
        Relations.from_rows(rows), "relation-gamma", by="document,pair,annotator,label,errors"
    ).by
    assert [r["document"] for r in found["document"]] == ["d0", "d1", "d2"]
    assert [r["label"] for r in found["label"]] == ["cause", "part"]
    errors = {r["error"]: r["count"] for r in found["errors"]}
    assert errors["same"] == errors["other label"] == errors["other target"] == 3
    assert sum(errors.values()) == 9


def test_a_breakdown_says_why_a_row_has_no_value():
    rows = [*GIVEN, ("e", "C", 1, 2, "t"), ("e", "A", 1, 2, "t")]
    relations = Relations.from_rows(rows, coverage=[])
    by = accord.agree(relations, "relation-gamma", by="pair,label").by
    undefined = [r for r in by["pair"] if r["first"] == "A" and r["second"] == "C"]
    assert "rearranged" in undefined[0]["undefined"]
    assert "rearranged" in next(r for r in by["label"] if r["label"] == "t")["undefined"]


def test_intervals_by_documents():
    rows = [(f"d{k}", *r[1:]) for k in range(6) for r in LOCATED[: 6 - k % 2]]
    for name in ("relation-gamma", "relation-f1", "relation-alpha", "relation-cat"):
        result = accord.agree(Relations.from_rows(rows), name, ci="auto")
        assert result.interval is not None, name
        assert result.interval.low <= result.value <= result.interval.high


# --- refusals and errors -------------------------------------------------------------------------


def test_nothing_to_rearrange_is_refused():
    rows = [("d", "A", (0, 5), (10, 15), "x"), ("d", "B", (0, 5), (10, 15), "x")]
    with pytest.raises(RefusedError, match="nothing can be rearranged"):
        accord.relation_gamma(Relations.from_rows(rows))
    with pytest.raises(UsageError, match="give them with units"):
        accord.relation_gamma(Relations.from_rows(rows), chance="units")


def test_one_relation_in_a_document_is_warned_of():
    rows = [*LOCATED, ("e", "A", (0, 5), (10, 15), "x"), ("e", "B", (0, 5), (10, 15), "x")]
    result = accord.relation_gamma(Relations.from_rows(rows))
    assert any(w.startswith("in 1 of 2 documents") for w in result.warnings)


def test_coefficients_of_ratings_are_refused():
    with pytest.raises(UsageError, match="alpha is for ratings, these data are relations"):
        accord.agree(Relations.from_rows(GIVEN), "alpha")


@pytest.mark.parametrize(
    ("rows", "units", "sentence"),
    [
        ([("d", "A", (3, 3), (4, 5), "x")], None, "the source of the relation .* has length zero"),
        ([("d", "A", (1, 3), (5, 4), "x")], None, "the target of the relation .* ends before"),
        ([("d", "A", (1, 3), "b", "x")], None, "some ends .* are places and some are names"),
        ([("d", "A", (1, 3), (5, 7), "x")], ENDS, r"source \[1, 3\) .* is not among the units"),
    ],
)
def test_bad_relations(rows, units, sentence):
    with pytest.raises(InputError, match=sentence):
        Relations.from_rows(rows, units=units)


def test_a_relation_that_is_there_twice_counts_once():
    data = Relations.from_rows([GIVEN[0], GIVEN[0]])
    assert len(data) == 1
    assert [(x.what, x.keep) for x in data.reading.left_out] == [("1 repeated relation", None)]


def test_several_labels_on_one_pair_are_several_relations():
    rows = [("d", "A", 1, 2, "x"), ("d", "A", 1, 2, "y")]
    assert len(Relations.from_rows(rows)) == 2


# --- files ---------------------------------------------------------------------------------------


def test_tables_of_both_kinds(tmp_path):
    for rows in (LOCATED, GIVEN):
        relations = Relations.from_rows(rows)
        file = tmp_path / "r.csv"
        assert accord.write(relations, file) == []
        back = accord.read(file)
        assert isinstance(back, Relations)
        assert list(back) == list(relations)
        frame = relations.to_frame()
        assert list(Relations.from_frame(frame)) == list(relations)


def test_units_beside_a_table(tmp_path):
    accord.write(Relations.from_rows(LOCATED), tmp_path / "r.csv")
    accord.write(ENDS, tmp_path / "u.csv")
    relations = accord.read(tmp_path / "r.csv", units=tmp_path / "u.csv")
    assert len(relations.units) == len(ENDS)
    (tmp_path / "few.csv").write_text("document,annotator,start,end\nd,A,0,5\nd,B,0,5\n")
    with pytest.raises(InputError, match=r"r.csv:2: the target \[10, 15\)"):
        accord.read(tmp_path / "r.csv", units=tmp_path / "few.csv")


def test_a_table_with_texts_called_source_and_target_stays_ratings(tmp_path):
    file = tmp_path / "mt.csv"
    file.write_text("item,annotator,source,target,score\n1,A,Haus,house,4\n1,B,Haus,house,5\n")
    assert accord.read(file).shape == "ratings"


def test_files_joined(tmp_path):
    relations = Relations.from_rows(GIVEN)
    for who in "AB":
        accord.write(relations.select(annotators=[who]), tmp_path / f"{who}.csv")
    both = accord.reading.read_many([tmp_path / "A.csv", tmp_path / "B.csv"])
    assert list(both) == list(relations)
    assert accord.relation_gamma(both).value == pytest.approx(3 / 19)


def test_real_reply_links(shared: Path):
    relations = accord.read(shared / "beyond/relations_irc/relations.csv")
    assert isinstance(relations, Relations)
    assert len(relations) == 32755
    part = [d for d in relations.documents if d.startswith("dev-individual")]
    two = relations.select(annotators=["A1", "A2"], documents=part)
    # METHODS §18.4 has .670, whose chance mixes the loops (starts of conversations) with the other links
    assert accord.relation_gamma(two).value == pytest.approx(0.667, abs=0.002)
    assert accord.relation_f1(two).value == pytest.approx(0.754, abs=0.0005)


def test_the_worklist_shows_which_end_is_which(tmp_path):
    text = "Heavy rain flooded the bridge"
    rows = [("d", a, (6, 10), (23, 29), "hits") for a in "AB"]
    rows += [("d", "A", (23, 29), (6, 10), "hit by"), ("d", "B", (6, 10), (6, 10), "itself")]
    made = accord.gold(Relations.from_rows(rows, texts={"d": text}))
    shown = {row["item"]: row["text"] for row in made.worklist()}
    assert shown["d:23-29→6-10"] == "Heavy [→ rain] flooded the [bridge →]"
    assert shown["d:6-10→6-10"] == "Heavy [rain ↺] flooded the bridge"


# --- alignments at every door --------------------------------------------------------------------


def test_align_from_python():
    relations = Relations.from_rows(LOCATED)
    (found,) = accord.align(relations)
    assert found.proven
    # the distances themselves, not those of the solver's grid
    assert found.disorder == pytest.approx(0.502754820936639, abs=1e-15)
    assert found.disorders.tolist() == pytest.approx([1 / 242, (1 / 121 + 1) / 2, 1], abs=1e-15)
    frame = found.to_frame(relations)
    assert list(frame.columns) == [
        "document", "alignment", "annotator",
        "source_start", "source_end", "target_start", "target_end", "label", "disorder",
    ]  # fmt: skip
    assert frame["target_end"].tolist() == [15, 16, 45, 25, 35, 35]
    given = Relations.from_rows(GIVEN)
    named = accord.align(given)[0].to_frame(given)
    assert named[["source", "target"]].to_numpy().tolist()[:2] == [["2", "1"], ["2", "1"]]


def test_align_turned_round():
    mine = [r for r in LOCATED if r[1] == "A"]
    relations = Relations.from_rows([*mine, *((d, "B", t, s, c) for d, _, s, t, c in mine)])
    assert accord.align(relations)[0].disorder > 0
    assert accord.align(relations, undirected=True)[0].disorder == 0
    assert accord.align(relations, symmetric=["cause", "part"])[0].disorder == 0
    with pytest.raises(UsageError, match="which no relation is labelled"):
        accord.align(relations, symmetric=["effect"])


@pytest.mark.parametrize(
    ("data", "options", "words"),
    [
        (Relations.from_rows(LOCATED), {"positional": "hamming"}, "positional is for units"),
        (Relations.from_rows(LOCATED), {"method": "greedy"}, "method is for units"),
        (ENDS, {"undirected": True}, "undirected is for relations, these data are units"),
    ],
)
def test_what_an_alignment_cannot_be_told(data, options, words):
    with pytest.raises(UsageError, match=words):
        accord.align(data, **options)


def test_align_at_the_command_line(tmp_path, accord_command):
    table = tmp_path / "links.csv"
    table.write_text(
        "document,annotator,source_start,source_end,target_start,target_end,label\n"
        + "".join(f"{d},{a},{s[0]},{s[1]},{t[0]},{t[1]},{c}\n" for d, a, s, t, c in LOCATED)
    )
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "d.txt").write_text("rain-fell-wet--street" + "x" * 30)
    done = accord_command(
        "align", table, "--csv", tmp_path / "out.csv", "--html", tmp_path / "out.html",
        "--texts", tmp_path / "texts", "--json",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    (document,) = found["documents"]
    assert document["disorder"] == accord.align(accord.read(table))[0].disorder
    assert document["gap"] == 0
    assert document["unitary"][0]["units"] == {
        "A": [[0, 5], [10, 15], "cause"],
        "B": [[0, 5], [10, 16], "cause"],
    }
    assert "positional:dice" in found["signature"]
    header, first, *_ = (tmp_path / "out.csv").read_text().splitlines()
    assert header == (
        "document,unitary,disorder,annotator,source_start,source_end,target_start,target_end,label"
    )
    assert first.endswith(",A,0,5,10,15,cause")
    assert "rain-fell-wet--street" in (tmp_path / "out.html").read_text()


def test_progress_counts_up_to_what_is_drawn():
    rng = np.random.default_rng(0)
    rows = [
        (f"d{d}", who, source, int(rng.integers(1, source)), "reply")
        for d in range(12)
        for who in "AB"
        for source in range(2, 14)
    ]
    told = []
    accord.agree(
        Relations.from_rows(rows),
        "relation-gamma",
        progress=lambda done, whole: told.append((done, whole)),
    )
    assert told[-1][0] == told[-1][1]
    assert all(done <= whole for done, whole in told)
    assert [done for done, _ in told] == sorted(done for done, _ in told)


def test_a_long_document_is_told_draw_by_draw(monkeypatch):
    """The weights sum to the whole, a large document of many annotators weighs most, and nothing changes."""
    from accord.measures.relations import expected

    rng = np.random.default_rng(0)
    sizes = {"small": ("AB", 8), "middle": ("ABC", 10), "large": ("ABCD", 20)}
    rows = [
        (document, who, source, int(rng.integers(1, source)), "reply")
        for document, (people, size) in sizes.items()
        for who in people
        for source in range(2, size)
    ]
    coverage = [(d, who) for d, (people, _) in sizes.items() for who in people]
    whole, pieces = [], []
    data = Relations.from_rows(rows, coverage=coverage)
    together = accord.agree(
        data, "relation-gamma", samples=4, progress=lambda *done: whole.append(done)
    )
    monkeypatch.setattr(expected, "LONG", 50)
    data = Relations.from_rows(rows, coverage=coverage)
    apart = accord.agree(
        data, "relation-gamma", samples=4, progress=lambda *done: pieces.append(done)
    )
    assert (together.value, together.expected) == (apart.value, apart.expected)
    assert len(pieces) > len(whole)
    for told in (whole, pieces):
        assert [done for done, _ in told] == sorted(done for done, _ in told)
        assert told[-1][0] == told[-1][1]
    assert pieces[0][0] == 0
    steps = np.diff(sorted({done for done, _ in pieces}))
    assert steps.sum() == pieces[-1][1]
    # the last four are the draws of the largest document
    assert steps[-4:].tolist() == pytest.approx([steps.max()] * 4, abs=1)
