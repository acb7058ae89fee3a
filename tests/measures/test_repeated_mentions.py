"""A span in two entities of one side, as each scorer counts it; what the official look-up loses."""

from __future__ import annotations

import random
from collections import Counter

import pytest

import accord
import accord.measures.coreference as coreference
from accord.data import Chains
from accord.files.archive import open_tree
from accord.formats.coreference.corefud import read_corefud
from accord.formats.format import ReadOptions
from accord.reading import read_many
from tests.oracles import coreference as oracles

PLAIN = ["(1", "(2)", "1)", "-", "(1)", "(2)"]


def conll(tmp_path, name, cells):
    lines = ["#begin document (d); part 000"]
    lines += [f"d\t0\t{i}\tw{i}\t{cell}" for i, cell in enumerate(cells)]
    (tmp_path / name).write_text("\n".join([*lines, "#end document"]) + "\n", encoding="utf-8")
    return accord.read(tmp_path / name)


def terms(name, key, response, **options):
    found = getattr(coreference, name)(key, response, **options)
    return found.terms["R"], found.terms["P"]


class TestConll:
    """Worked values of the scorer 8.01."""

    def test_a_copy_of_a_key_mention_is_taken_out_of_the_response(self, tmp_path):
        key = conll(tmp_path, "key.conll", PLAIN)
        response = conll(tmp_path, "r.conll", [*PLAIN[:4], "(2)|(1)", PLAIN[5]])
        for name in ("muc", "b3", "ceaf_e"):
            assert terms(name, key, response, repeated="conll") == (1, 1)

    def test_copies_of_what_the_key_lacks_all_stay(self, tmp_path):
        key = conll(tmp_path, "key.conll", PLAIN)
        response = conll(tmp_path, "r.conll", [*PLAIN[:3], "(1)|(2)", *PLAIN[4:]])
        assert terms("muc", key, response, repeated="conll")[1] == 0.5
        assert terms("b3", key, response, repeated="conll")[1] == pytest.approx(4 / 9)
        assert coreference.ceaf_e(key, response, repeated="conll").value == pytest.approx(0.8)

    def test_copies_of_the_key_stay_and_the_last_entity_is_looked_up(self, tmp_path):
        key = conll(tmp_path, "key.conll", [*PLAIN[:4], "(2)|(1)", PLAIN[5]])
        response = conll(tmp_path, "r.conll", PLAIN)
        assert terms("muc", key, response, repeated="conll") == pytest.approx((1 / 3, 1 / 2))
        assert terms("b3", key, response, repeated="conll") == pytest.approx((0.5333333333, 0.875))
        assert coreference.ceaf_e(key, response, repeated="conll").value == pytest.approx(0.9)
        assert coreference.conll(key, response, preset="conll12").terms["muc"] == pytest.approx(0.4)

    def test_more_removals_than_the_official_scorer_stands_are_said(self, tmp_path):
        cells = [f"({i})" for i in range(6)] * 2
        key = conll(tmp_path, "key.conll", cells)
        response = conll(tmp_path, "r.conll", [f"{c}|(9)" for c in cells])
        found = coreference.muc(key, response, repeated="conll")
        assert any("refuses to score after 10" in w for w in found.warnings)
        assert "repeated:conll" in found.signature


class TestFirst:
    def test_the_entity_opened_first_keeps_the_mention(self, tmp_path):
        # 7 is opened before 2 though it closes after it
        key = conll(tmp_path, "key.conll", ["(7", "(2)", "7)", "(2)|(7)"])
        assert sorted(key.clusters(0, 0)) == [[(0, 3), (3, 4)], [(1, 2)]]

    def test_on_one_token_mentions_of_one_token_come_first(self, tmp_path):
        key = conll(tmp_path, "key.conll", ["(7|(2)", "7)", "(7)|(2)"])
        assert sorted(key.clusters(0, 0)) == [[(0, 1), (2, 3)], [(0, 2)]]

    def test_several_files_keep_the_copies(self, tmp_path):
        cells = [*PLAIN[:4], "(2)|(1)", PLAIN[5]]
        conll(tmp_path, "key.conll", cells)
        other = (tmp_path / "key.conll").read_text().replace("(d)", "(e)")
        (tmp_path / "other.conll").write_text(other)
        both = read_many([tmp_path / "key.conll", tmp_path / "other.conll"], rename=["other=key"])
        assert len(both.copies) == 2
        assert len(both.select(documents=[both.documents[1]]).copies) == 1


def drawn(rng, mentions=7, entities=3):
    """Entities that may share mentions, each without repetition."""
    found = []
    for _ in range(entities):
        members = sorted(m for m in range(mentions) if rng.random() < 0.4)
        if members:
            found.append([(m, m + 1) for m in members])
    return found or [[(0, 1)]]


def side(entities, who):
    return Chains.from_clusters({("d", who): entities}, lengths={"d": 9})


class TestCorefud:
    """Copies stay; look-ups find the last entity by its first mention: straight from the text."""

    @staticmethod
    def looked_up(entities):
        order = sorted(range(len(entities)), key=lambda e: (entities[e][0], e))
        return {m: e for e in order for m in entities[e]}

    def muc(self, ours, theirs):
        found = self.looked_up(theirs)
        got = [[found[m] for m in e if m in found] for e in ours]
        return sum(len(g) - len(set(g)) for g in got), sum(len(e) - 1 for e in ours)

    def b3(self, ours, theirs):
        found = self.looked_up(theirs)
        counts = [Counter(found[m] for m in e if m in found) for e in ours]
        total = sum(
            sum(n * n for n in c.values()) / len(e) for c, e in zip(counts, ours, strict=True)
        )
        return total, sum(map(len, ours))

    def lea(self, ours, theirs):
        found = self.looked_up(theirs)
        total = 0.0
        for e in ours:
            counts = Counter(found[m] for m in e if m in found)
            if len(e) == 1:
                total += sum(len(theirs[other]) == 1 for other in counts)
            else:
                links = sum(n * (n - 1) / 2 for n in counts.values())
                total += len(e) * links / (len(e) * (len(e) - 1) / 2)
        return total, sum(map(len, ours))

    @pytest.mark.parametrize("name", ["muc", "b3", "lea"])
    def test_look_ups(self, name):
        rng = random.Random(name)
        for _ in range(150):
            key, response = drawn(rng), drawn(rng)
            expected = [
                oracles.quotient(*getattr(self, name)(*sides))
                for sides in ((key, response), (response, key))
            ]
            found = terms(name, side(key, "k"), side(response, "r"), repeated="corefud")
            assert found == pytest.approx(tuple(expected), abs=1e-12)

    @pytest.mark.parametrize("name", ["ceaf_e", "ceaf_m"])
    def test_alignments_count_members(self, name):
        rng = random.Random(name)
        for _ in range(100):
            key, response = drawn(rng), drawn(rng)
            expected = getattr(oracles, name)([set(e) for e in key], [set(e) for e in response])
            found = terms(name, side(key, "k"), side(response, "r"), repeated="corefud")
            assert found == pytest.approx(expected[:2], abs=1e-12)

    def test_without_copies_every_rule_is_the_same(self):
        key = side([[(0, 1), (1, 2)], [(3, 4)]], "k")
        response = side([[(0, 1)], [(1, 2), (3, 4)]], "r")
        for name in ("muc", "b3", "ceaf_e", "lea", "blanc", "mor"):
            values = {
                getattr(coreference, name)(key, response, repeated=rule).value
                for rule in ("first", "conll", "corefud")
            }
            assert len(values) == 1

    def test_partitions_keep_the_first_and_say_so(self):
        key = side([[(0, 1), (1, 2)], [(1, 2), (3, 4)]], "k")
        found = coreference.vi(key, key, repeated="corefud")
        assert found.value == 0
        assert any("compares partitions" in w for w in found.warnings)
        assert coreference.mor(key, key, repeated="corefud").terms["key_mentions"] == 4


def corefud(path, rows):
    lines = ["# global.Entity = eid-etype-head-other", "# newdoc id = d"]
    for number, deps, entity in rows:
        tree = ["_", "_"] if "." in number else ["0" if number == "1" else "1", "dep"]
        form = "_" if "." in number else f"w{number}"
        misc = f"Entity=({entity}--1-)" if entity else "_"
        lines.append("\t".join([number, form, "_", "X", "_", "_", *tree, deps, misc]))
    path.write_text("\n".join(lines) + "\n\n", encoding="utf-8")
    (entry,) = open_tree(path)
    return read_corefud(entry, ReadOptions())


class TestOfficialLookUp:
    """The CorefUD scorer 1.2 overwrites its own alignment; its value is given in a warning."""

    WORDS = tuple((str(i), "_", "") for i in range(1, 5))

    def test_a_chain_of_moved_zeros(self, tmp_path):
        w = self.WORDS
        key = corefud(
            tmp_path / "k.conllu",
            [w[0], ("1.1", "1:nsubj", "e"), w[1], ("2.1", "2:nsubj", "e"), w[2], ("4", "_", "e")],
        )
        response = corefud(
            tmp_path / "r.conllu",
            [w[0], w[1], ("2.1", "1:nsubj", "e"), w[2], ("3.1", "2:nsubj", "e"), ("4", "_", "e")],
        )
        printed = {"muc": "R 0.5000, P 1.0000", "b3": "R 0.4444, P 1.0000", "ceaf_e": "= 0.6667"}
        for name, value in printed.items():
            found = getattr(coreference, name)(key, response, zeros="dependent", matching="head")
            assert found.value == 1
            assert any(value in x and "scorer 1.2" in x for x in found.warnings), found.warnings
        same = coreference.muc(key, key, zeros="dependent", matching="head")
        assert not any("scorer 1.2" in x for x in same.warnings)

    def test_zero_anaphors_are_looked_for_by_place_first(self, tmp_path):
        def written(name, first, second):
            rows = [("1", "_", "e1"), ("2", "_", ""), ("3", "_", "e2"), ("4", "_", "")]
            return corefud(tmp_path / name, [*rows, ("4.1", *first), ("4.2", *second)])

        key = written("k.conllu", ("4:nsubj", "e1"), ("4:obj", "e2"))
        response = written("r.conllu", ("4:obj", "e2"), ("4:nsubj", "e1"))
        found = coreference.zero_anaphor(key, response, zeros="dependent")
        assert found.value == 1
        assert any("zero-anaphor = 0.0000" in x for x in found.warnings)
        muc = coreference.muc(key, response, zeros="dependent")
        assert (muc.value, [x for x in muc.warnings if "scorer" in x]) == (1, [])


class TestCasesOfTheScorer:
    """Pairs TC-ZF-4 and TC-ZG-2 of corefud-scorer 1.2: what the alignment says, and what it prints."""

    def text(self, path, *zeros):
        marked = {
            1: "(e1-x-1-",
            2: "e1)",
            4: "(e2-x-1-",
            7: "e2)",
            12: "(e1-x-1-)",
            19: "(e2-x-1-)",
        }
        lines = ["# newdoc id = L", "# global.Entity = eid-etype-head-other"]
        for n in range(1, 21):
            misc = f"Entity={marked[n]}" if n in marked else "_"
            lines.append("\t".join([str(n), *"_____", "0", "_", "_", misc]))
            lines += [
                "\t".join([node, *"_____", "0", "_", deps, f"Entity=({entity}-x-1-)"])
                for node, deps, entity in zeros
                if node.startswith(f"{n}.")
            ]
        path.write_text("\n".join(lines) + "\n\n", encoding="utf-8")
        (entry,) = open_tree(path)
        return read_corefud(entry, ReadOptions())

    @pytest.mark.parametrize(
        ("key", "response", "value", "printed"),
        [
            ([("15.1", "15:nsubj", "e1")], [("17.1", "15:nsubj", "e1")], 1, None),
            (
                [("15.1", "15:nsubj", "e1")],
                [("15.1", "15:dep", "e1"), ("17.1", "15:nsubj", "e2")],
                0,
                "zero-anaphor = 0.6667",
            ),
            (
                [("15.1", "13:a|14:b|15:c", "e1")],
                [("15.1", "13:a|18:x", "e2"), ("15.2", "13:a|15:x", "e1")],
                2 / 3,
                "zero-anaphor = 0.0000",
            ),
        ],
    )
    def test_zero_anaphors(self, key, response, value, printed, tmp_path):
        sides = self.text(tmp_path / "k.conllu", *key), self.text(tmp_path / "r.conllu", *response)
        found = coreference.zero_anaphor(*sides, zeros="dependent", matching="head")
        assert found.value == pytest.approx(value)
        said = [w for w in found.warnings if "scorer 1.2" in w]
        assert [printed in w for w in said] == ([] if printed is None else [True])


def test_minimum_spans_are_heads(tmp_path):
    facts = {("d", (0, 3)): {"head": 1}, ("d", (1, 2)): {"head": 1}, ("d", (5, 6)): {"head": 5}}
    key = Chains.from_clusters({("d", "k"): [[(0, 3), (5, 6)]]}, facts=facts)
    response = Chains.from_clusters({("d", "r"): [[(1, 2), (5, 6)]]}, facts=facts)
    assert coreference.muc(key, response).value == 0
    found = coreference.muc(key, response, min_spans=True)
    assert (found.value, "min_spans:True" in found.signature) == (1, True)
    with pytest.raises(accord.errors.UsageError, match="by their heads"):
        coreference.muc(key, response, min_spans=True, matching="partial")
