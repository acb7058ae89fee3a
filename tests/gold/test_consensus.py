"""Consensus of segments and chains against exhaustive search, and of units."""

from itertools import combinations, pairwise

import numpy as np
import pytest

import accord
from accord.data import Chains, Segments, Units
from accord.errors import UsageError
from accord.gold.clustering import cluster


def test_plain_majority_of_boundaries():
    data = Segments.from_masses([("d", "A", [2, 3, 5]), ("d", "B", [2, 8]), ("d", "C", [5, 5])])
    found = accord.gold(data, window=0)
    assert found.reference.masses(0, 0).tolist() == [2, 3, 5]
    assert found.reference.annotators == ("reference",)
    assert found.together().annotators == ("A", "B", "C", "reference")


def test_near_misses_are_pooled():
    data = Segments.from_masses([("d", "A", [4, 6]), ("d", "B", [5, 5]), ("d", "C", [6, 4])])
    assert accord.gold(data, window=0).reference.masses(0, 0).tolist() == [10]
    found = accord.gold(data, window=1)
    assert found.reference.masses(0, 0).tolist() == [5, 5]
    row = found.considered[0]
    assert (row["support"], row["kept"], row["confidence"]) == (3, True, 1.0)


def test_boundaries_of_one_annotator_are_not_pooled():
    data = Segments.from_masses([("d", "A", [4, 1, 5]), ("d", "B", [10]), ("d", "C", [10])])
    assert accord.gold(data, window=2).reference.masses(0, 0).tolist() == [10]


def _cost(groups, n, window):
    return sum(
        (n - len(g)) + sum(abs(p - _median(g)) for p in g) / (window + 1)
        if len(g) > n / 2
        else len(g)
        for g in groups
    )


def _median(places):
    ordered = sorted(places)
    low, high = ordered[(len(ordered) - 1) // 2], ordered[len(ordered) // 2]
    return high if places.count(high) > places.count(low) else low


@pytest.mark.parametrize("seed", range(8))
def test_boundary_grouping_is_the_best(seed):
    from accord.gold.boundaries import _grouped

    rng = np.random.default_rng(seed)
    n, window = 3, 1
    marks = sorted(
        (int(p), a) for a in range(n) for p in rng.choice(np.arange(1, 9), 2, replace=False)
    )
    found = [[p for p, _ in marks[i:j]] for i, j in _grouped(marks, n, window, 0.5)]
    best = np.inf
    for size in range(len(marks)):
        for cuts in combinations(range(1, len(marks)), size):
            edges = [0, *cuts, len(marks)]
            groups = [marks[i:j] for i, j in pairwise(edges)]
            if any(len({a for _, a in g}) < len(g) for g in groups):
                continue
            places = [[p for p, _ in g] for g in groups]
            if any(max(abs(p - _median(g)) for p in g) > window for g in places):
                continue
            best = min(best, _cost(places, n, window))
    assert _cost(found, n, window) == pytest.approx(best)


def partitions(items):
    if not items:
        yield []
        return
    first, *rest = items
    for part in partitions(rest):
        yield [[first], *part]
        for i in range(len(part)):
            yield [*part[:i], [first, *part[i]], *part[i + 1 :]]


@pytest.mark.parametrize("seed", range(6))
def test_chain_consensus_against_all_partitions(seed):
    rng = np.random.default_rng(seed)
    names = list("abcdef")
    annotators = {}
    for who in "XYZ":
        entity = rng.integers(0, 3, 6)
        annotators["d", who] = [
            [m for m, e in zip(names, entity, strict=True) if e == k]
            for k in range(3)
            if np.any(entity == k)
        ]
    data = Chains.from_clusters(annotators)

    def linked(clusters):
        return {frozenset(p) for c in clusters for p in combinations(c, 2)}

    links = [linked(c) for c in annotators.values()]

    def cost(clusters):
        mine = linked(clusters)
        return sum(
            sum((frozenset(p) in mine) != (frozenset(p) in other) for other in links) / 3
            for p in combinations(names, 2)
        )

    found = accord.gold(data)
    best = min(cost(p) for p in partitions(names))
    assert cost(found.reference.clusters(0, 0)) == pytest.approx(best)
    assert found.terms["disagreement"] == pytest.approx(best / 15)
    assert found.terms["bound"] <= found.terms["disagreement"] + 1e-12


def test_chain_consensus_is_proven_or_bounded_on_small_documents():
    """Against all partitions of up to 6 mentions, some of them not marked by somebody."""
    proven = 0
    for seed in range(60):
        rng = np.random.default_rng(100 + seed)
        n = int(rng.integers(3, 7))
        entity = rng.integers(-1, 3, (int(rng.integers(2, 5)), n))
        found = cluster(entity)

        def cost(clusters, entity=entity):
            where = {m: c for c, members in enumerate(clusters) for m in members}
            total = 0.0
            for i, j in combinations(sorted(where), 2):
                both = [r for r in entity if r[i] >= 0 and r[j] >= 0]
                if both:
                    yes = np.mean([r[i] == r[j] for r in both])
                    total += 1 - yes if where[i] == where[j] else yes
            return total

        best = min(cost(p) for p in partitions(list(range(n))))
        mine = [np.flatnonzero(found.labels == k).tolist() for k in range(found.labels.max() + 1)]
        assert cost(mine) == pytest.approx(found.cost)
        assert found.cost == pytest.approx(best)
        assert found.bound <= best + 1e-9
        proven += found.bound >= found.cost - 1e-9
        # the annotators' order changes nothing
        assert cluster(entity[::-1]).labels.tolist() == found.labels.tolist()
    assert proven >= 58


def test_the_search_is_limited_by_its_work_not_by_the_time(monkeypatch):
    """A slow machine finds what a fast one does; the bound holds wherever the search ends."""
    import scipy.optimize

    from accord.gold import dissent

    rng, real, asked = np.random.default_rng(0), scipy.optimize.milp, []

    def noted(*given, **options):
        asked.append((dict(options["options"]), sum(c.A.shape[0] for c in options["constraints"])))
        return real(*given, **options)

    monkeypatch.setattr(scipy.optimize, "milp", noted)
    entity = rng.integers(0, 4, 20)
    upper = np.triu(rng.random((20, 20)) < 0.45, 1)
    same = (entity[:, None] == entity) ^ upper ^ upper.T
    yes, no = same.astype(float), (~same).astype(float)
    np.fill_diagonal(no, 0)
    np.fill_diagonal(yes, 0)
    whole = dissent.least_dissent(yes, no, [], 1.0)
    assert whole.bound == whole.cost
    assert [o for o, _ in asked if "time_limit" in o] == []
    assert any(o.get("node_limit") for o, _ in asked)
    asked.clear()
    monkeypatch.setattr(dissent, "_MOST_ROWS", 20)
    monkeypatch.setattr(dissent, "MOST_ADDED", 15)
    short = dissent.least_dissent(yes, no, [], 1.0)
    assert [rows for _, rows in asked] == [15, 30]
    assert short.bound <= whole.cost <= short.cost


def test_chain_consensus_of_a_long_document():
    """Three annotators who each move a tenth of 2 000 mentions: components stay small."""
    rng = np.random.default_rng(4)
    true = rng.integers(0, 400, 2_000)
    entity = np.concatenate(
        [
            np.where(rng.random((1, 2_000)) < 0.1, rng.integers(0, 400, (1, 2_000)), true)
            for _ in range(3)
        ]
    )
    found = cluster(entity)
    assert found.cost - found.bound <= 0.001 * found.cost
    right = found.labels[:, None] == found.labels[None, :]
    assert np.mean(right == (true[:, None] == true[None, :])) > 0.999
    assert found.components > 100


def test_near_mentions_are_one_in_the_consensus():
    second = [(5, 6), (11, 13)]
    data = Chains.from_clusters(
        {
            ("d", "Ana"): [[(0, 3), (8, 9)], second],
            ("d", "Ben"): [[(1, 3), (8, 9)], second],
            ("d", "Cleo"): [[(0, 2), (8, 9)], [(5, 6), (12, 13)]],
        }
    )
    exact = accord.gold(data)
    assert sorted(map(sorted, exact.reference.clusters(0, 0))) == [[(5, 6), (11, 13)], [(8, 9)]]
    found = accord.gold(data, mentions="near")
    # 0–3 is nearest to both others
    assert sorted(map(sorted, found.reference.clusters(0, 0))) == [
        [(0, 3), (8, 9)],
        [(5, 6), (11, 13)],
    ]
    row = next(r for r in found.considered if r["mention"] == "0-3")
    assert row["support"] == 3
    assert sorted(s["span"] for s in row["spans"]) == [(0, 2), (0, 3), (1, 3)]
    assert found.terms["near"] == 2
    with pytest.raises(UsageError, match="mentions must be exact or near"):
        accord.gold(data, mentions="fuzzy")


def test_annotators_without_a_common_document_are_said():
    data = Chains.from_clusters({("d", "X"): [["a", "b"]], ("e", "Y"): [["a", "b"]]})
    assert any("no document was annotated by two" in w for w in accord.gold(data).warnings)


def test_mentions_of_a_minority_are_dropped():
    data = Chains.from_clusters(
        {("d", "X"): [["a", "b"]], ("d", "Y"): [["a", "b"], ["z"]], ("d", "Z"): [["a", "b"]]}
    )
    found = accord.gold(data)
    assert found.reference.clusters(0, 0) == [["a", "b"]]
    dropped = next(r for r in found.considered if r["mention"] == "z")
    assert (dropped["kept"], dropped["confidence"]) == (False, pytest.approx(2 / 3))


def test_order_of_annotators_does_not_matter():
    rng = np.random.default_rng(3)
    clusters = {}
    for who in "ABCD":
        entity = rng.integers(0, 4, 12)
        clusters["d", who] = [[f"m{i}" for i in np.flatnonzero(entity == k)] for k in range(4)]
    names = dict(zip("ABCD", "DCBA", strict=True))
    moved = {("d", names[a]): c for (_, a), c in clusters.items()}
    first, second = (
        accord.gold(Chains.from_clusters(c)).reference.clusters(0, 0) for c in (clusters, moved)
    )
    assert first == second


def test_methods_for_ratings_are_refused():
    data = Segments.from_masses([("d", "A", [2, 3]), ("d", "B", [5])])
    with pytest.raises(UsageError, match="majority is for ratings"):
        accord.gold(data, "majority")


@pytest.fixture
def units():
    rows = [
        ("d", "A", 0, 10, "x"), ("d", "B", 1, 10, "x"), ("d", "C", 0, 12, "y"),
        ("d", "A", 20, 25, "y"), ("e", "A", 3, 4, "x"), ("e", "B", 3, 5, "y"), ("g", "A", 0, 1, "x"),
    ]  # fmt: skip
    seen = [("d", "A"), ("d", "B"), ("d", "C"), ("e", "A"), ("e", "B"), ("f", "A"), ("f", "B")]
    return Units.from_rows(rows, lengths={"d": 30, "e": 30}, coverage=seen)


def test_units_of_most_annotators_are_kept(units):
    found = accord.gold(units)
    kept = [(u.document, u.start, u.end, u.label) for u in found.reference]
    assert kept == [("d", 0, 10, "x"), ("e", 3, 4, "x")]
    first, lone, tie = found.considered
    assert (first["support"], first["confidence"]) == (3, pytest.approx(2 / 3))
    assert (lone["kept"], lone["confidence"], lone["dissent"]) == (False, pytest.approx(2 / 3), "A")
    assert (tie["tie"], tie["confidence"]) == (True, pytest.approx(0.5))
    # a document seen and left empty by all is in the reference; one seen by one person is named
    assert found.reference.documents == ("d", "e", "f")
    assert "'g'" in found.warnings[0]
    assert [r["recall"] for r in found.annotators] == [1.0, 0.0, 0.0]
    assert [r["near"] for r in found.annotators] == [0, 2, 1]
    assert found.together().annotators == ("A", "B", "C", "reference")


def test_decisions_on_units_win(units):
    chosen = {
        "d:20-25": {"kind": "label", "value": "z", "who": "Ann"},
        "e:3-4": {"kind": "reject", "value": "", "who": "Ann"},
    }
    found = accord.gold(units, decisions=chosen)
    kept = [(u.document, u.start, u.end, u.label) for u in found.reference]
    assert kept == [("d", 0, 10, "x"), ("d", 20, 25, "z")]
    assert [r["source"] for r in found.considered] == ["rule", "human", "human"]


def test_medoid_and_disorder(units):
    found = accord.gold(units, position="medoid", max_disorder=0.05)
    assert [r["kept"] for r in found.considered] == [False, False, False]
    with pytest.raises(UsageError, match="position must be"):
        accord.gold(units, position="mean")


def test_consensus_is_nearer_to_the_experts_than_any_clinician(shared):
    """Stuttering moments: three clinicians, an expert consensus on eight recordings."""
    folder = shared / "units" / "casa_stuttering"
    gold = accord.read(folder / "gold.csv", annotators=["Gold"])
    where = sorted({u.document for u in gold})
    gold = gold.select(documents=where)
    people = accord.read(folder / "spans.csv").select(documents=where)
    ours = accord.gold(people).reference
    best = max(
        accord.score(gold, people.select(annotators=[a]), "overlap-f1").value
        for a in people.annotators
    )
    assert accord.score(gold, ours, "overlap-f1").value > best + 0.05


def test_decisions_on_what_is_gone_are_kept_aside(units):
    """Only what a person added stands without an annotator; the rest is listed, not in the reference."""
    chosen = {"d:14-18": "x", "zz:1-2": "x", "d:+14-19": {"kind": "label", "value": "y"}}
    found = accord.gold(units, decisions=chosen)
    kept = [(u.start, u.end, u.label) for u in found.reference if u.document == "d"]
    assert kept == [(0, 10, "x"), (14, 19, "y")]
    assert [s.item for s in found.resolution.aside] == ["d:14-18", "zz:1-2"]
    assert "'zz:1-2'" in found.warnings[-1]
    cuts = Segments.from_masses([("d", "A", [4, 6]), ("d", "B", [4, 6])])
    chosen = {"d:4": {"kind": "none"}, "d:+7": 7, "d:99": 99}
    found = accord.gold(cuts, decisions=chosen)
    assert found.reference.masses(0, 0).tolist() == [7, 3]
    assert "'d:99'" in found.warnings[0]


def test_decisions_on_chains():
    data = Chains.from_clusters({("d", a): [["a", "b"], ["c", "e"]] for a in "XYZ"})
    chosen = {"d:c": {"kind": "label", "value": "a"}, "d:e": {"kind": "reject", "value": ""}}
    found = accord.gold(data, decisions=chosen)
    assert found.reference.clusters(0, 0) == [["a", "b", "c"]]
    assert {r["source"] for r in found.considered if r["mention"] in "ce"} == {"human"}
    lost = accord.gold(data, decisions={"d:c": "q"})
    assert [s.item for s in lost.resolution.aside] == ["d:c"]
    assert lost.reference.clusters(0, 0) == [["a", "b"], ["c", "e"]]


def test_mentions_join_split_and_follow_each_other():
    data = Chains.from_clusters({("d", a): [["a", "b", "c"], ["e", "f"]] for a in "XY"})

    def clusters(**chosen):
        return accord.gold(
            data, decisions={f"d:{k}": v for k, v in chosen.items()}
        ).reference.clusters(0, 0)

    assert clusters(b="b") == [["a", "c"], ["b"], ["e", "f"]]
    # the first of an entity begins it already
    assert clusters(a="a") == [["a", "b", "c"], ["e", "f"]]
    assert clusters(b="b", c="b") == [["a"], ["b", "c"], ["e", "f"]]
    assert clusters(e="a", f="e") == [["a", "b", "c", "e", "f"]]
    assert clusters(b="e", e="b") == [["a", "c"], ["b", "e", "f"]]
