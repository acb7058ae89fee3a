"""Bridging and split antecedents are scored apart from the chains."""

from __future__ import annotations

import pytest

import accord
import accord.measures.coreference as coreference
from accord.data import Chains
from accord.data.chains import Link
from tests.told import told

WORDS = 8


def corefud(path, cells, extra=()):
    """One sentence: {word number: entity brackets}, {word number: other attributes}."""
    lines = ["# global.Entity = eid-etype-head-other", "# newdoc id = d"]
    other = dict(extra)
    for n in range(1, WORDS + 1):
        parts = [f"{k}={v}" for k, v in other.get(n, ())]
        if n in cells:
            parts.append("Entity=" + "".join(f"({e}--1-)" for e in cells[n]))
        tree = ["0", "root"] if n == 1 else ["1", "dep"]
        lines.append(
            "\t".join([str(n), f"w{n}", "_", "X", "_", "_", *tree, "_", "|".join(parts) or "_"])
        )
    path.write_text("\n".join(lines) + "\n\n", encoding="utf-8")
    return accord.read(path)


CELLS = {1: ["car"], 2: ["tom"], 3: ["ann"], 4: ["wheel"], 5: ["car"], 6: ["they"], 7: ["door"]}


class TestReading:
    def test_links_are_kept_with_their_mention_and_entities(self, tmp_path):
        extra = {
            4: [("Bridge", "car<wheel:part")],
            6: [("SplitAnte", "tom<they,ann<they")],
        }
        chains = corefud(tmp_path / "k.conllu", CELLS, extra)
        names = chains.entity_names(0, 0)
        assert chains.links[0, 0] == (
            Link("bridge", (3, 4), (names.index("car"),), "part"),
            Link("split", (5, 6), (names.index("tom"), names.index("ann"))),
        )
        assert any("1 bridging links (Bridge)" in note for note in chains.notes)
        assert any("2 split antecedents (SplitAnte)" in note for note in chains.notes)

    def test_what_is_not_there_is_said(self, tmp_path):
        chains = corefud(tmp_path / "k.conllu", CELLS, {4: [("Bridge", "ghost<wheel")]})
        assert chains.links is None
        assert any("1 links (SplitAnte, Bridge)" in one for one in told(chains))

    def test_a_selection_keeps_its_own(self):
        data = Chains.from_clusters(
            {("d", "A"): [["a"], ["b"]], ("d", "B"): [["a"], ["b"]], ("e", "B"): [["a"]]},
            links={("d", "B"): [Link("bridge", "b", (0,))]},
        )
        assert list(data.select(annotators=["B"]).links) == [(0, 0)]
        assert data.select(documents=["e"]).links == {}


class TestBridging:
    def test_anaphor_and_antecedent(self, tmp_path):
        key = corefud(
            tmp_path / "k.conllu",
            CELLS,
            {4: [("Bridge", "car<wheel")], 7: [("Bridge", "car<door")]},
        )
        # wheel refers to the right entity; door to tom; tom is no anaphor
        response = corefud(
            tmp_path / "r.conllu",
            CELLS,
            {
                2: [("Bridge", "car<tom")],
                4: [("Bridge", "car<wheel")],
                7: [("Bridge", "tom<door")],
            },
        )
        found = coreference.bridging(key, response)
        assert (found.terms["R"], found.terms["P"]) == pytest.approx((1 / 2, 1 / 3))
        assert (found.terms["mention_R"], found.terms["mention_P"]) == pytest.approx((1, 2 / 3))
        assert coreference.bridging(key, key).value == 1
        # anaphors are singletons: they count though a preset drops those
        assert coreference.bridging(key, response, preset="crac").terms["right"] == 1

    def test_the_antecedent_is_the_last_mention_before(self, tmp_path):
        key = corefud(tmp_path / "k.conllu", CELLS, {7: [("Bridge", "car<door")]})
        # the response's entity car2 has word 5, which is in the key's car; its car has word 1 too
        cells = {**CELLS, 5: ["car2"]}
        right = corefud(tmp_path / "r.conllu", cells, {7: [("Bridge", "car2<door")]})
        assert coreference.bridging(key, right).value == 1
        cells = {**CELLS, 3: ["car"], 5: ["ann"]}
        wrong = corefud(tmp_path / "w.conllu", cells, {7: [("Bridge", "car<door")]})
        # the last mention of car before door is word 3, which is ann's in the key
        assert coreference.bridging(key, wrong).value == 0

    def test_without_links_there_is_no_score(self, tmp_path):
        plain = corefud(tmp_path / "k.conllu", CELLS)
        found = coreference.bridging(plain, plain)
        assert found.undefined == "neither side has a bridging link"


class TestSplitAntecedents:
    def test_each_antecedent_counts(self, tmp_path):
        key = corefud(tmp_path / "k.conllu", CELLS, {6: [("SplitAnte", "tom<they,ann<they")]})
        response = corefud(tmp_path / "r.conllu", CELLS, {6: [("SplitAnte", "tom<they,car<they")]})
        found = coreference.split_antecedent(key, response)
        assert (found.terms["R"], found.terms["P"]) == (0.5, 0.5)
        assert found.terms["mention_F"] == 1
        assert coreference.split_antecedent(key, key).value == 1

    def test_one_entity_of_the_key_is_right_once(self, tmp_path):
        key = corefud(tmp_path / "k.conllu", CELLS, {6: [("SplitAnte", "car<they,ann<they")]})
        split = {**CELLS, 5: ["car2"]}
        response = corefud(tmp_path / "r.conllu", split, {6: [("SplitAnte", "car<they,car2<they")]})
        found = coreference.split_antecedent(key, response)
        assert found.terms["right"] == 1

    def test_chains_do_not_change(self, tmp_path):
        key = corefud(tmp_path / "k.conllu", CELLS, {6: [("SplitAnte", "tom<they,ann<they")]})
        plain = corefud(tmp_path / "r.conllu", CELLS)
        assert coreference.conll(key, plain).value == coreference.conll(plain, plain).value
