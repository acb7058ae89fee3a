"""Richer units: trees, features, points, overlap; each against the definition computed by hand."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

import accord
from accord.data import Units
from accord.distance.features import feature_distances
from accord.distance.taxonomy import taxonomy_distances
from accord.distance.units import unit_dissimilarity
from accord.errors import InputError, UsageError
from accord.measures.unitizing.overlap import without_overlap

TREE = {"owl": "bird", "tit": "bird", "bird": "animal", "cat": "animal", "oak": "plant"}


def ancestors(label):
    line = [label]
    while line[-1] in TREE:
        line.append(TREE[line[-1]])
    return line


@pytest.fixture
def tree(table):
    rows = "label,parent\n" + "".join(f"{a},{b}\n" for a, b in TREE.items()) + "animal,\n"
    return table(rows, "tree.csv")


def edges(one, two):
    """Shortest way in the graph with a common root, by breadth first."""
    near = {}
    for a, b in [*TREE.items(), ("animal", ""), ("plant", "")]:
        near.setdefault(a, set()).add(b)
        near.setdefault(b, set()).add(a)
    seen, front, steps = {one}, {one}, 0
    while two not in front:
        front = {n for f in front for n in near[f]} - seen
        seen |= front
        steps += 1
    return steps


def test_a_tree_is_measured_by_its_edges(tree):
    labels = [*TREE, "animal", "plant"]
    path = taxonomy_distances(labels, tree=tree)
    share = taxonomy_distances(labels, tree=tree, kind="wu-palmer")
    for (i, a), (j, b) in product(enumerate(labels), repeat=2):
        assert path[i, j] == (0 if a == b else edges(a, b))
        common = next((x for x in ancestors(a) if x in ancestors(b)), None)
        depth = {x: len(ancestors(x)) for x in labels}
        lowest = 0 if common is None else depth[common]
        assert share[i, j] == pytest.approx(1 - 2 * lowest / (depth[a] + depth[b]))
    written = [("/".join(reversed(ancestors(x)))) for x in labels]
    assert (taxonomy_distances(written) == path).all()


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ("label,parent\na,b\na,c\n", "two parents"),
        ("label,parent\na,b\nb,a\n", "its own ancestor"),
        ("label,parent\nb,\n", "'a' of the data is not in the tree"),
        ("name,parent\na,b\n", "columns label,parent"),
    ],
)
def test_wrong_trees(table, rows, said):
    with pytest.raises(InputError, match=said):
        taxonomy_distances(["a"], tree=table(rows, "t.csv"))


def test_a_tree_serves_gamma(tree, accord_command, table):
    rows = [("d", a, s, s + 5, c) for a, c in (("A", "owl"), ("B", "tit")) for s in (0, 20, 41)]
    rows += [("d", a, 70, 75, "oak") for a in "AB"]
    data = Units.from_rows(rows, lengths={"d": 100})
    d = unit_dissimilarity(data.categories, categorical="path", taxonomy=tree)
    # owl and tit are 2 apart, oak and owl 5: the largest is 1
    assert d.matrix[data.categories.index("owl"), data.categories.index("tit")] == 2 / 5
    near = accord.agree(data, "gamma", categorical="path", taxonomy=str(tree))
    assert near.observed == pytest.approx(3 * 0.4 / 4)
    assert near.observed < accord.agree(data, "gamma").observed
    assert "categorical:path:tree.csv" in near.signature
    with pytest.raises(UsageError, match="taxonomy goes with"):
        accord.agree(data, "gamma", taxonomy=str(tree))
    units = table(
        "document,annotator,start,end,label\n"
        + "".join(f"{d},{a},{s},{e},{c}\n" for d, a, s, e, c in rows),
        "u.csv",
    )
    done = accord_command(
        "agree",
        units,
        "--measure",
        "gamma-cat",
        "--categorical",
        "path",
        "--taxonomy",
        tree,
        "--json",
    )
    assert done.returncode == 0, done.stderr
    done = accord_command("align", units, "--categorical", "path", "--taxonomy", tree, "--json")
    assert done.returncode == 0, done.stderr


def test_features_are_weighed():
    labels = ["PER|sg|new", "PER|pl|new", "LOC|pl|old"]
    weights = [2.0, 1.0, 1.0]
    found = feature_distances(labels, weights)
    for (i, a), (j, b) in product(enumerate(labels), repeat=2):
        apart = [x != y for x, y in zip(a.split("|"), b.split("|"), strict=True)]
        assert found[i, j] == pytest.approx(
            sum(w * x for w, x in zip(weights, apart, strict=True)) / 4
        )
    data = Units.from_rows([("d", "A", 0, 5, "PER|sg"), ("d", "B", 0, 5, "PER|pl")])
    (aligned,) = accord.align(data, categorical="features", feature_weights=[3, 1])
    assert aligned.disorder == pytest.approx(0.25)
    result = accord.agree(data, "gamma", categorical="features", feature_weights=[3, 1])
    assert result.observed == pytest.approx(0.25)
    assert "categorical:features:3+1" in result.signature
    assert (
        accord.agree(data, "gamma", categorical="features", feature_weights="3, 1").value
        == result.value
    )
    with pytest.raises(UsageError, match="must be numbers"):
        accord.agree(data, "gamma", categorical="features", feature_weights="3,b")
    with pytest.raises(UsageError, match="as many features"):
        feature_distances(["a|b", "a"])
    with pytest.raises(UsageError, match="one for each"):
        feature_distances(["a|b"], [1])


def test_points_with_a_tolerance_are_units_around_them():
    """Two points 2 apart, τ = 4: as units [−2, 2) and [0, 4), d_pos = ((2 + 2)/8)²."""
    rows = [
        ("d", "A", 10, 10, "x"),
        ("d", "B", 12, 12, "x"),
        ("d", "A", 60, 60, "x"),
        ("d", "B", 60, 60, "x"),
    ]
    points = Units.from_rows(rows, points=True, lengths={"d": 100})
    wide = Units.from_rows([(d, a, s - 2, e + 2, c) for d, a, s, e, c in rows], lengths={"d": 100})
    (aligned,) = accord.align(points, tolerance=4)
    (same,) = accord.align(wide)
    assert aligned.disorder == pytest.approx(same.disorder) == pytest.approx(0.25 / 2)
    result = accord.agree(points, "gamma", tolerance=4.0)
    assert result.observed == pytest.approx(0.125)
    assert 0 < result.value < 1
    assert "tolerance:4" in result.signature
    # without a tolerance only equal points match
    (strict,) = accord.align(points)
    assert len(strict) == 3


@pytest.mark.parametrize("rule", ["outermost", "innermost"])
def test_overlap_is_resolved_by_the_rule_said(rule):
    rng = np.random.default_rng(3)
    for _ in range(30):
        rows = []
        for a in "AB":
            for _ in range(6):
                s = float(rng.integers(0, 30))
                rows.append(("d", a, s, s + float(rng.integers(1, 12)), "xy"[int(rng.integers(2))]))
        units = Units.from_rows(rows)
        kept, lost = without_overlap(units, rule)
        assert len(kept) + lost == len(units)
        for a in "AB":
            own = [u for u in units if u.annotator == a]
            own.sort(
                key=lambda u: (
                    (u.start - u.end) if rule == "outermost" else (u.end - u.start),
                    u.start,
                    u.label,
                )
            )
            by_hand = []
            for u in own:
                if all(u.end <= v.start or v.end <= u.start for v in by_hand):
                    by_hand.append(u)
            assert sorted(by_hand) == sorted(u for u in kept if u.annotator == a)


@pytest.mark.parametrize("measure", ["u-alpha", "bar-u-alpha", "cu-alpha", "alpha-u", "ku-alpha"])
def test_measures_without_overlap_can_be_told_what_to_keep(measure):
    rows = [("d", a, s, e, "x") for a in "AB" for s, e in ((0, 9), (2, 4), (20, 26))]
    rows += [("d", "A", 30, 33, "y"), ("d", "B", 31, 33, "y")]
    data = Units.from_rows(rows, lengths={"d": 40})
    with pytest.raises(InputError, match="overlapping units"):
        accord.agree(data, measure)
    values = {}
    for rule in ("outermost", "innermost"):
        found = accord.agree(data, measure, overlaps=rule)
        first = found[0] if isinstance(found, tuple) else found
        assert f"overlaps:{rule}" in first.signature
        assert any("2 units overlap" in w for w in first.warnings)
        values[rule] = first.value
    outer = Units.from_rows([r for r in rows if r[2:4] != (2, 4)], lengths={"d": 40})
    plain = accord.agree(outer, measure)
    assert values["outermost"] == (plain[0] if isinstance(plain, tuple) else plain).value


def test_atoms_of_the_outermost():
    rows = [("d", "A", 0, 9, "x"), ("d", "A", 2, 4, "y"), ("d", "B", 0, 9, "x")]
    data = Units.from_rows(rows, lengths={"d": 20})
    assert accord.agree(data, "atomized-alpha", overlaps="outermost", beside=False).value == 1.0
    assert accord.agree(data, "atomized-alpha", beside=False).value < 1.0
