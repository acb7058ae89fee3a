"""Agreement of several annotators on chains, against plain loops over mentions."""

from __future__ import annotations

import math
from itertools import combinations, permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import accord
from accord.data import Chains
from accord.errors import InputError, UsageError
from accord.measures import coreference
from accord.measures.coreference.enrolment import SPECIFICATIONS
from accord.measures.coreference.set_distances import DISTANCES
from tests.told import told


def relation(a, b):
    if a == b:
        return 0.0
    if a <= b or b <= a:
        return 1 / 3
    return 2 / 3 if a & b else 1.0


ORACLES = {
    "passonneau": relation,
    "jaccard": lambda a, b: 1 - len(a & b) / len(a | b),
    "masi": lambda a, b: 1 - len(a & b) / len(a | b) * (1 - relation(a, b)),
    "dice": lambda a, b: 1 - 2 * len(a & b) / (len(a) + len(b)),
    "nominal": lambda a, b: float(a != b),
}


def plain_alpha(documents, distance, *, pooled):
    """Krippendorff's α by loops; documents: list of {annotator: [set, …]}."""
    delta = ORACLES[distance]
    observed, values = 0.0, []
    for d, sides in enumerate(documents):
        own = []
        for m in sorted(set().union(*(e for side in sides.values() for e in side), set())):
            given_to = [e for side in sides.values() for e in side if m in e]
            if len(given_to) < 2:
                continue
            pairs = permutations(given_to, 2)
            observed += sum(delta(x, y) for x, y in pairs) / (len(given_to) - 1)
            own += [{(d, member) for member in e} for e in given_to]
        values.append(own)
    n = sum(map(len, values))
    if n == 0:
        return math.nan
    groups = [[v for own in values for v in own]] if pooled else values
    expected = sum(
        len(own) * np.mean([delta(x, y) for x, y in permutations(own, 2)])
        for own in groups
        if len(own) > 1
    )
    return 1 - observed / expected if expected else math.nan


@st.composite
def campaigns(draw):
    documents = []
    for _ in range(draw(st.integers(1, 2))):
        sides = {}
        for who in draw(st.sampled_from(["AB", "ABC"])):
            labels = draw(st.lists(st.integers(-1, 2), min_size=5, max_size=5))
            sides[who] = [{m for m, e in enumerate(labels) if e == k} for k in set(labels) - {-1}]
        documents.append(sides)
    return documents


def chains(documents):
    return Chains.from_clusters(
        {(f"d{i}", a): list(map(sorted, side)) for i, d in enumerate(documents) for a, side in d.items()}
    )  # fmt: skip


@pytest.mark.parametrize("distance", DISTANCES)
@pytest.mark.parametrize("expected", ["document", "corpus"])
@settings(max_examples=25, deadline=None)
@given(documents=campaigns())
def test_alpha_by_plain_loops(distance, expected, documents):
    result = coreference.chain_alpha(chains(documents), distance=distance, expected=expected)
    oracle = plain_alpha(documents, distance, pooled=expected == "corpus")
    assert result.value == pytest.approx(oracle, abs=1e-9, nan_ok=True)
    assert (result.undefined is not None) == math.isnan(result.value)


def test_perfect_and_undefined():
    same = {"A": [{1, 2}, {3}], "B": [{1, 2}, {3}]}
    assert coreference.chain_alpha(chains([same])).value == 1
    one = {"A": [{1, 2}], "B": [{1, 2}]}
    assert "one and the same entity" in coreference.chain_alpha(chains([one])).undefined
    apart = {"A": [{1, 2}], "B": [{3}]}
    assert "no mention was marked by two" in coreference.chain_alpha(chains([apart])).undefined


def test_breakdowns_interval_and_what_was_left_out():
    rng = np.random.default_rng(0)
    documents = []
    for _ in range(8):
        key = rng.integers(0, 4, 12)
        sides = {}
        for who in "ABC":
            own = np.where(rng.random(12) < 0.3, rng.integers(0, 4, 12), key)
            sides[who] = [set(np.nonzero(own == e)[0].tolist()) for e in set(own.tolist())]
        documents.append(sides)
    documents[0]["A"].append({99})
    data = chains(documents)
    result = accord.agree(data, "chain-alpha", ci="bootstrap", by=["pair", "document", "item"])
    assert result.interval.low < result.value < result.interval.high
    assert result.terms["unpaired"] == 1
    assert len(result.by["pair"]) == 3
    assert len(result.by["document"]) == 8
    first = result.by["item"][0]
    assert first["annotators"] == 3
    assert sum(r["disagreement"] for r in result.by["item"]) == pytest.approx(
        result.observed * result.n / 3
    )
    with pytest.raises(UsageError, match="distance must be one of"):
        coreference.chain_alpha(data, distance="edit")
    with pytest.raises(UsageError, match="document or corpus"):
        coreference.chain_alpha(data, expected="text")


@pytest.mark.parametrize("name", sorted(SPECIFICATIONS))
def test_pairwise_table_of_any_score(name):
    documents = [
        {"A": [{1, 2}, {3}], "B": [{1, 2, 3}], "C": [{1}, {2}, {3}, {4}]},
        {"A": [{1, 2}], "B": [{1}, {2}]},
    ]
    data = chains(documents)
    result = accord.agree(data, f"pairwise-{name}", ci="bootstrap", resamples=20)
    function = getattr(coreference, name.replace("-", "_"))
    for row, (a, b) in zip(result.by["pair"], combinations("ABC", 2), strict=True):
        shared = [i for i, d in enumerate(documents) if a in d and b in d]
        x, y = (chains([{"X": documents[i][w]} for i in shared]) for w in (a, b))
        expected = function(x, y).value
        if name == "blanc":
            expected = (expected + function(y, x).value) / 2
        assert (row["first"], row["second"], row["value"]) == (a, b, pytest.approx(expected))
    assert result.value == pytest.approx(np.mean([r["value"] for r in result.by["pair"]]))
    assert len(result.by["annotator"]) == 3


def test_annotators_who_share_no_document():
    data = Chains.from_clusters({("d", "A"): [["a"]], ("e", "B"): [["a"]]})
    assert "no document was annotated by two" in coreference.pairwise(data).undefined


def test_mentions_as_units():
    data = Chains.from_clusters(
        {("d", "A"): [[(0, 4), (2, 3)], [(6, 8)]], ("d", "B"): []}, lengths={"d": 9}
    )
    units = data.mention_units()
    assert [(u.annotator, u.start, u.end) for u in units] == [("A", 0, 4), ("A", 2, 3), ("A", 6, 8)]
    assert units.coverage.all()
    assert units.lengths.tolist() == [9]
    flat = data.mention_units(flat=True)
    assert [(u.start, u.end) for u in flat] == [(0, 4), (6, 8)]
    assert told(flat) == ["1 nested mentions, part of the outermost"]
    with pytest.raises(InputError, match="no offsets"):
        Chains.from_clusters({("d", "A"): [["he"]]}).mention_units()


class TestNearMentions:
    @staticmethod
    def three(moved=False):
        second = [(5, 6), (11, 13)]
        ben = [[(1, 3)], [*second, (8, 9)]] if moved else [[(1, 3), (8, 9)], second]
        return Chains.from_clusters(
            {
                ("d", "Ana"): [[(0, 3), (8, 9)], second],
                ("d", "Ben"): ben,
                ("d", "Cleo"): [[(0, 3), (8, 9)], [(5, 6), (12, 13)]],
            }
        )

    @pytest.mark.parametrize(
        ("moved", "exact", "near"), [(False, 0.6044, 1), (True, 0.3487, 0.4954)]
    )
    def test_worked(self, moved, exact, near):
        data = self.three(moved)
        plain = accord.agree(data, "chain-alpha")
        assert plain.value == pytest.approx(exact, abs=5e-5)
        assert plain.terms["unpaired"] == 2
        assert any("2 of 6 mentions were marked by one" in w for w in plain.warnings)
        found = accord.agree(data, "chain-alpha", mentions="near", ci="none")
        assert found.value == pytest.approx(near, abs=5e-5)
        assert (found.terms["near"], found.terms["unpaired"]) == (2, 0)
        assert not found.warnings
        assert found.terms["exact"] == pytest.approx(plain.value)
        assert found.terms["near_dice"] == pytest.approx((0.8 + 2 / 3) / 2)
        assert "mentions:near" in found.signature

    def test_equal_spans_are_welded_and_who_marks_both_says_they_are_two(self):
        data = Chains.from_clusters(
            {("d", "A"): [[(2, 6), (0, 5)]], ("d", "B"): [[(2, 6), (3, 8)]]}
        )
        # crosswise 0–5 with 2–6 and 2–6 with 3–8 would have the greater sum
        found = accord.agree(data, "chain-alpha", mentions="near")
        assert (found.terms["near"], found.terms["unpaired"]) == (0, 2)

    def test_the_overlap_is_a_threshold(self):
        data = Chains.from_clusters({("d", "A"): [[(0, 4)]], ("d", "B"): [[(2, 6)]]})
        for overlap, near in ((0.5, 1), (0.51, 0)):
            found = accord.agree(data, "chain-alpha", mentions="near", overlap=overlap)
            assert found.terms["near"] == near

    def test_mentions_of_somebody_left_out_are_not_joined(self):
        data = Chains.from_clusters(
            {
                ("d", "A"): [[(0, 1), (2, 3)]],
                ("d", "B"): [[(0, 1), (2, 3)]],
                ("d", "R"): [[(4, 9)], [(5, 9)]],
                ("d", "S"): [[(4, 8)]],
            }
        )
        found = accord.agree(data.select(annotators=["A", "B"]), "chain-alpha", mentions="near")
        assert found.terms["near"] == 0

    def test_long_components_have_the_same_optimum(self, monkeypatch):
        from accord.measures.coreference import near_mentions as module

        rng = np.random.default_rng(3)
        for _ in range(20):
            clusters = {}
            for who in "ABC":
                starts = rng.choice(8, 3, replace=False).tolist()
                clusters["d", who] = [[(s, s + int(rng.integers(2, 6))) for s in starts]]
            data = Chains.from_clusters(clusters)
            values = []
            for most in (12, 0):
                monkeypatch.setattr(module, "MOST_TRIED", most)
                nodes = module._nodes(data, 0)
                weights = module._alike(nodes, 0.5)
                values.append(
                    sum(
                        weights[s, t]
                        for component in module._components(len(nodes), weights)
                        for group in module._best_classes(component, nodes, weights)
                        for s in group
                        for t in group
                        if s < t
                    )
                )
            assert values[0] == pytest.approx(values[1])


def test_pairwise_scores_take_near_misses_as_one():
    data = Chains.from_clusters(
        {
            ("d", "Ana"): [[(0, 3), (8, 9)], [(5, 6), (11, 13)]],
            ("d", "Ben"): [[(1, 3), (8, 9)], [(5, 6), (11, 13)]],
        }
    )
    found = coreference.pairwise(data, score="ceaf-m", mentions="near")
    assert (found.value, found.terms["near"]) == (1, 1)
    assert found.terms["exact"] == coreference.pairwise(data, score="ceaf-m").value == 0.75
    assert "mentions:near" in found.signature
    strict = accord.agree(data, "pairwise-ceaf-m", mentions="near", overlap=0.9)
    assert strict.value == 0.75
