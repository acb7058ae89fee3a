"""Coreference scores against their set definitions, their symmetries and their edge cases."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import accord.measures.coreference as coreference
from accord.data import Chains
from accord.errors import InputError, UsageError
from accord.measures.coreference.enrolment import SPECIFICATIONS
from accord.uncertainty import compare, interval
from tests.oracles import coreference as oracles
from tests.told import told

RPF = ("muc", "b3", "ceaf-m", "ceaf-e", "lea", "conll", "entity-f", "mention-detection")
RPF += ("blanc", "blanc-luo")
VALUE = [
    "vi",
    "vi-scaled",
    "nvi",
    "nid",
    "rand",
    "ari",
    "pair-jaccard",
    "split-join",
    "merge-split",
    "b3-jaccard",
    "ceaf-m-jaccard",
]
SYMMETRIC = [n for n in (*RPF, *VALUE) if n != "blanc"]


def chains(*partitions, annotator="A"):
    return Chains.from_clusters(
        {(f"d{i}", annotator): [sorted(e) for e in p] for i, p in enumerate(partitions)}
    )


def function(name):
    return getattr(coreference, name.replace("-", "_"))


def value(name, key, response, **options):
    return function(name)(chains(key), chains(response), **options).value


@st.composite
def partial_partitions(draw, mentions=6):
    """Entities over some of the mentions, at least one."""
    labels = draw(st.lists(st.integers(-1, 4), min_size=mentions, max_size=mentions))
    if max(labels) < 0:
        labels[0] = 0
    return [{m for m, e in enumerate(labels) if e == k} for k in sorted(set(labels) - {-1})]


def test_every_score_is_tested_against_an_oracle():
    assert set(SPECIFICATIONS) == {*RPF, *VALUE}


@pytest.mark.parametrize("name", RPF)
@settings(max_examples=60, deadline=None)
@given(key=partial_partitions(), response=partial_partitions())
def test_recall_precision_and_f_follow_the_definition(name, key, response):
    result = function(name)(chains(key), chains(response))
    expected = getattr(oracles, name.replace("-", "_"))(key, response)
    assert (result.terms["R"], result.terms["P"], result.value) == pytest.approx(
        expected, abs=1e-12
    )
    assert result.terms["F"] == result.value


@pytest.mark.parametrize("name", VALUE)
@settings(max_examples=60, deadline=None)
@given(key=partial_partitions(5), response=partial_partitions(5))
def test_alternatives_follow_the_definition(name, key, response):
    expected = getattr(oracles, name.replace("-", "_"))(key, response)
    assert value(name, key, response) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("name", SYMMETRIC)
@settings(max_examples=20, deadline=None)
@given(key=partial_partitions(), response=partial_partitions())
def test_symmetric_scores_are_symmetric(name, key, response):
    assert value(name, key, response) == pytest.approx(value(name, response, key), abs=1e-12)


@pytest.mark.parametrize("name", [*RPF, *VALUE])
@settings(max_examples=15, deadline=None)
@given(key=partial_partitions(), response=partial_partitions(), random=st.randoms())
def test_names_and_order_do_not_matter(name, key, response, random):
    names = [f"m{i}" for i in range(6)]
    random.shuffle(names)

    def renamed(partition):
        moved = [{names[m] for m in e} for e in partition]
        random.shuffle(moved)
        return moved

    assert value(name, key, response) == pytest.approx(
        value(name, renamed(key), renamed(response)), abs=1e-12
    )


@pytest.mark.parametrize("name", [*RPF, *VALUE])
@settings(max_examples=10, deadline=None)
@given(
    documents=st.lists(
        st.tuples(partial_partitions(), partial_partitions()), min_size=2, max_size=4
    )
)
def test_documents_add_up(name, documents):
    """Micro totals are sums of documents, macro values means of them."""
    keys, responses = zip(*documents, strict=True)
    one = [function(name)(chains(k), chains(r)) for k, r in documents]
    macro = function(name)(chains(*keys), chains(*responses), average="macro", by=["document"])
    assert macro.value == pytest.approx(np.mean([r.value for r in one]), abs=1e-9)
    assert [row["value"] for row in macro.by["document"]] == pytest.approx(
        [r.value for r in one], abs=1e-12
    )
    micro = function(name)(chains(*keys), chains(*responses))
    rows = np.concatenate([r.sample.rows for r in one])
    assert micro.sample.rows == pytest.approx(rows)
    specification = SPECIFICATIONS[name]
    assert micro.value == pytest.approx(
        float(specification.score(rows.sum(axis=0, keepdims=True))["value"][0])
    )


def test_micro_sums_numerators_and_denominators():
    """Two documents by hand: MUC R = (2 + 0)/(2 + 2), P = (2 + 0)/(2 + 1)."""
    key = chains([{1, 2, 3}], [{1, 2, 3}])
    response = chains([{1, 2, 3}], [{1}, {2}, {3, 4}])
    result = coreference.muc(key, response)
    assert (result.terms["R"], result.terms["P"]) == pytest.approx((1 / 2, 2 / 3))
    assert result.value == pytest.approx(4 / 7)


SINGLETONS = ({1}, {2}, {3})


class TestEdges:
    @pytest.mark.parametrize("name", [*RPF, *VALUE])
    def test_both_empty_is_undefined_with_a_sentence(self, name):
        empty = Chains.from_clusters({("d", "A"): []})
        result = function(name)(empty, empty)
        assert math.isnan(result.value)
        assert result.undefined == "neither side has a mention"

    @pytest.mark.parametrize("name", RPF)
    def test_one_side_empty_is_zero(self, name):
        empty = Chains.from_clusters({("d0", "A"): []})
        full = chains([{1, 2}, {3}])
        assert function(name)(full, empty).value == 0
        assert function(name)(empty, full).value == 0

    @pytest.mark.parametrize("name", RPF)
    def test_no_shared_mention_is_zero(self, name):
        assert value(name, [{1, 2}, {3}], [{4, 5}, {6}]) == 0

    @pytest.mark.parametrize(
        ("name", "expected"),
        [("muc", 0), ("conll", 2 / 3), ("b3", 1), ("ceaf-m", 1), ("ceaf-e", 1), ("lea", 1),
         ("blanc", 1), ("blanc-luo", 1), ("mention-detection", 1), ("ari", 1),
         ("pair-jaccard", 1), ("vi", 0), ("nvi", 0), ("nid", 0), ("rand", 1)],
    )  # fmt: skip
    def test_all_singletons(self, name, expected):
        assert value(name, SINGLETONS, SINGLETONS) == pytest.approx(expected)

    def test_muc_and_conll_say_that_a_side_is_all_singletons(self):
        key, response = chains(list(SINGLETONS)), chains([{1, 2}, {3}])
        for score in (coreference.muc, coreference.conll):
            warnings = score(key, response).warnings
            assert len(warnings) == 1
            assert "all entities of the key are singletons" in warnings[0]
            assert len(score(key, key).warnings) == 2
        assert coreference.b3(key, response).warnings == ()

    @pytest.mark.parametrize("name", ["blanc", "blanc-luo"])
    def test_one_shared_mention_is_one_and_another_mention_zero(self, name):
        assert value(name, [{1}], [{1}]) == 1
        assert value(name, [{1}], [{2}]) == 0

    def test_blanc_of_one_mention_against_links_is_zero(self):
        assert value("blanc", [{1}], [{1, 2}]) == 0


class TestOptions:
    def test_drop_singletons_on_both_sides(self):
        key, response = [{1, 2}, {3}, {4, 5}], [{1, 2}, {3, 4}, {5}]
        result = coreference.b3(chains(key), chains(response), drop_singletons=True)
        expected = oracles.b3([{1, 2}, {4, 5}], [{1, 2}, {3, 4}])
        assert (result.terms["R"], result.terms["P"], result.value) == pytest.approx(expected)
        assert "singletons:dropped" in result.signature

    def test_a_missing_document_is_named(self):
        key, response = chains([{1, 2}], [{3, 4}]), chains([{1, 2}])
        with pytest.raises(InputError, match="the system lacks 'd1'"):
            coreference.b3(key, response)
        with pytest.raises(InputError, match="the reference lacks 'd1'"):
            coreference.b3(response, key)
        counted = coreference.b3(key, response, missing_documents="empty")
        assert (counted.terms["R"], counted.terms["P"]) == (0.5, 1.0)

    def test_conll_names_and_plain_names_are_the_same_document(self):
        key = Chains.from_clusters({("(x); part 000", "A"): [[1, 2]]})
        response = Chains.from_clusters({("x", "A"): [[1, 2]]})
        assert coreference.b3(key, response).value == 1
        second = Chains.from_clusters({("(x); part 001", "A"): [[1, 2]]})
        with pytest.raises(InputError, match="part 1"):
            coreference.b3(second, response)

    def test_misaligned_tokens_are_refused(self):
        def over(words):
            return Chains.from_clusters({("d", "A"): [[(0, 1), (2, 3)]]}, words={"d": words})

        with pytest.raises(InputError, match="token 1 is 'b' in the reference and 'x'"):
            coreference.b3(over(["a", "b", "c"]), over(["a", "x", "c"]))
        with pytest.raises(InputError, match="3 tokens in the reference and 4"):
            coreference.b3(over(["a", "b", "c"]), over(["a", "b", "c", "d"]))

    def test_duplicate_mentions_keep_the_first_and_say_so(self):
        key = Chains.from_clusters({("d", "A"): [["a", "b"], ["b", "c"], ["d", "d"]]})
        result = coreference.b3(key, key)
        assert result.value == 1
        assert result.n == 4
        (b, d) = told(key)
        assert "'b'" in b
        assert "it occurs in two entities and the first is kept" in b
        assert "'d'" in d
        assert "it occurs twice in one entity and the first is kept" in d

    def test_several_annotators_on_one_side_are_refused(self):
        two = Chains.from_clusters({("d", "A"): [["a"]], ("d", "B"): [["a"]]})
        with pytest.raises(InputError, match="the reference has 2 annotators"):
            coreference.b3(two, two.select(annotators=["A"]))

    @pytest.mark.parametrize(
        "options",
        [{"matching": "fuzzy"}, {"missing_documents": "skip"}, {"average": "mean"}, {"by": ["x"]}],
    )
    def test_unknown_words_are_refused(self, options):
        with pytest.raises(UsageError, match=r"must be one of|has no breakdown"):
            coreference.b3(chains([{1}]), chains([{1}]), **options)


class TestMatching:
    @staticmethod
    def over(clusters, heads):
        return Chains.from_clusters(
            {("d", "A"): clusters}, facts={("d", m): {"head": h} for m, h in heads.items()}
        )

    def test_head_pairs_mentions_with_one_head(self):
        key = self.over([[(0, 3), (5, 6)]], {(0, 3): 2, (5, 6): 5})
        response = self.over([[(1, 3), (5, 6)]], {(1, 3): 2, (5, 6): 5})
        assert coreference.muc(key, response).value == 0
        assert coreference.muc(key, response, matching="head").value == 1

    def test_partial_needs_the_response_inside_the_key_with_its_head(self):
        key = self.over([[(0, 3), (5, 6)]], {(0, 3): 2, (5, 6): 5})
        inside = self.over([[(2, 3), (5, 6)]], {(2, 3): 2, (5, 6): 5})
        without_head = self.over([[(0, 2), (5, 6)]], {(0, 2): 0, (5, 6): 5})
        larger = self.over([[(0, 4), (5, 6)]], {(0, 4): 2, (5, 6): 5})
        for response, expected in ((inside, 1), (without_head, 0), (larger, 0)):
            assert coreference.muc(key, response, matching="partial").value == expected

    def test_exact_twins_go_first_and_matching_is_one_to_one(self):
        key = self.over([[(0, 3)], [(0, 4)]], {(0, 3): 1, (0, 4): 1})
        response = self.over([[(0, 4)]], {(0, 4): 1})
        found = coreference.mention_detection(key, response, matching="head")
        assert (found.terms["R"], found.terms["P"]) == (0.5, 1.0)
        entities = coreference.b3(key, response, matching="head", by=["entity"]).by["entity"]
        assert [(e["error"], e["mentions"]) for e in entities] == [("missing", [(0, 3)])]

    def test_without_heads_it_is_refused(self):
        with pytest.raises(InputError, match="no heads"):
            coreference.b3(chains([{1}]), chains([{2}]), matching="head")


class TestDetail:
    def test_entity_errors(self):
        key = [{1, 2, 3, 4}, {5, 6}, {7}, {8, 9}, {12, 13}]
        response = [{1, 2}, {3, 4}, {5, 6, 7}, {10, 11}, {12}]
        rows = coreference.b3(chains(key), chains(response), by=["entity"]).by["entity"]
        found = {(r["error"], tuple(r["mentions"])) for r in rows}
        assert found == {
            ("split", (1, 2, 3, 4)),
            ("merged", (5, 6, 7)),
            ("missing", (8, 9)),
            ("spurious", (10, 11)),
            ("incomplete", (12, 13)),
        }

    def test_sizes_add_up_to_the_score(self):
        key, response = [{1, 2, 3}, {4, 5}, {6}], [{1, 2}, {3}, {4, 5}, {6}]
        rows = coreference.b3(chains(key), chains(response), by=["size"]).by["size"]
        assert [r["size"] for r in rows] == ["1", "2", "3–4"]
        assert [r["key_entities"] for r in rows] == [1, 1, 1]
        assert [r["R"] for r in rows] == pytest.approx([1, 1, 5 / 9])
        with pytest.raises(UsageError, match="not a sum over entities"):
            coreference.vi(chains(key), chains(response), by=["size"])

    def test_mention_types(self):
        facts = {("d0", m): {"type": "person" if m < 3 else "place"} for m in range(1, 6)}
        make = Chains.from_clusters
        key = make({("d0", "A"): [[1, 2], [3, 4]]}, facts=facts)
        response = make({("d0", "B"): [[1, 2], [3], [5]]}, facts=facts)
        rows = coreference.conll(key, response, by=["type"]).by["type"]
        assert [(r["type"], r["key_mentions"], r["found"], r["spurious"]) for r in rows] == [
            ("person", 2, 2, 0),
            ("place", 2, 1, 1),
        ]
        assert [(r["B3_R"], r["B3_P"]) for r in rows] == [(1, 1), (0.25, 0.5)]
        with pytest.raises(UsageError, match="no 'upos'"):
            coreference.conll(key, response, by=["upos"])


class TestResampling:
    def corpus(self, noise):
        keys, responses = [], []
        for d in range(12):
            rng = np.random.default_rng(d)
            key = rng.integers(0, 6, 25)
            moved = np.where(rng.random(25) < noise, rng.integers(0, 6, 25), key)
            for side, codes in ((keys, key), (responses, moved)):
                side.append([set(np.nonzero(codes == e)[0].tolist()) for e in np.unique(codes)])
        return chains(*keys), chains(*responses)

    @pytest.mark.parametrize("name", [*RPF, *VALUE])
    @pytest.mark.parametrize("average", ["micro", "macro"])
    def test_every_score_has_an_interval_over_documents(self, name, average):
        result = function(name)(*self.corpus(0.3), average=average)
        for method in ("bootstrap", "jackknife", "analytic"):
            found = interval(result, method, resamples=200).interval
            assert found.low <= result.value <= found.high
            assert found.method == f"{method}:document"

    def test_two_systems_are_compared_in_pairs(self):
        key, good = self.corpus(0.05)
        _, bad = self.corpus(0.6)
        found = compare(coreference.lea(key, good), coreference.lea(key, bad), resamples=300)
        assert found.paired
        assert found.difference > 0
        assert found.p < 0.05
