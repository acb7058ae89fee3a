"""Matching of mentions as the CorefUD scorer 1.2 does it: worked cases and brute force."""

from __future__ import annotations

import json
import random
from itertools import permutations

import numpy as np
import pytest

import accord
import accord.measures.coreference as coreference
from accord.data import Chains
from accord.errors import InputError, UsageError
from accord.files.archive import open_tree
from accord.formats.coreference.corefud import read_corefud
from accord.formats.format import ReadOptions
from accord.measures.coreference.matching import Rule, twin_mentions


def spans(*entities, annotator="A"):
    """Chains of mentions given as (first, last, head), inclusive word numbers from 1."""
    facts = {}
    clusters = []
    for entity in entities:
        clusters.append([(a - 1, b) for a, b, _ in entity])
        facts |= {("d", (a - 1, b)): {"head": a + h - 2} for a, b, h in entity}
    return Chains.from_clusters({("d", annotator): clusters}, facts=facts)


def corefud(path, rows):
    """A file of one sentence: (id, deps, entity) of each node."""
    lines = ["# global.Entity = eid-etype-head-other", "# newdoc id = d"]
    for number, deps, entity in rows:
        misc = f"Entity={entity}" if entity else "_"
        tree = ["_", "_"] if "." in number else ["0" if number == "1" else "1", "dep"]
        form = "_" if "." in number else f"w{number}"
        lines.append("\t".join([number, form, "_", "X", "_", "_", *tree, deps, misc]))
    path.write_text("\n".join(lines) + "\n\n", encoding="utf-8")
    (entry,) = open_tree(path)
    return read_corefud(entry, ReadOptions())


def one(entity):
    return f"({entity}--1-)"


def scores(key, response, name, **options):
    found = getattr(coreference, name)(key, response, **options)
    return found.terms["R"], found.terms["P"]


class TestWorkedCases:
    def test_same_span_other_head_is_no_match_under_head_matching(self):
        key = spans([(1, 2, 2), (4, 5, 2)])
        response = spans([(1, 2, 1), (4, 5, 2)])
        for matching in ("exact", "partial"):
            assert coreference.muc(key, response, matching=matching).value == 1
        assert coreference.muc(key, response, matching="head").value == 0
        assert coreference.b3(key, response, matching="head").value == pytest.approx(0.25)
        assert coreference.mor(key, response, matching="head").value == 1

    def test_the_sum_of_overlaps_decides(self):
        # A = 1–4, B = 1–2 against 2–4 and 2, all with head 2: ¾ + ½ is the optimum
        key = spans([(1, 4, 2)], [(1, 2, 2)])
        response = spans([(2, 4, 1)], [(2, 2, 1)])
        rows = coreference.b3(key, response, matching="head", by=["entity"])
        assert rows.value == 1
        assert rows.by["entity"] == []
        joined = spans([(1, 4, 2), (9, 9, 1)], [(1, 2, 2)])
        answer = spans([(2, 4, 1), (9, 9, 1)], [(2, 2, 1)])
        assert coreference.b3(joined, answer, matching="head").value == 1

    def test_an_empty_node_inside_a_span_is_a_word(self, tmp_path):
        rows = [("1", "_", "(e1--1-"), ("2", "_", ""), ("3", "_", "e1)")]
        rows += [("4", "_", ""), ("5", "_", one("e1"))]
        key = corefud(tmp_path / "key.conllu", rows)
        response = corefud(tmp_path / "r.conllu", [*rows[:2], ("2.1", "1:dep", ""), *rows[2:]])
        for matching in ("exact", "partial"):
            assert coreference.muc(key, response, matching=matching).value == 0
            assert coreference.b3(key, response, matching=matching).value == pytest.approx(0.25)
        assert coreference.muc(key, response, matching="head").value == 1
        assert scores(key, response, "mor") == pytest.approx((1, 0.8))

    def zeros(self, tmp_path, name, *empty):
        anchors = [("1", "_", one("e1")), ("2", "_", ""), ("3", "_", one("e2")), ("4", "_", "")]
        return corefud(tmp_path / name, [*anchors, *empty])

    def test_zeros_are_what_depends_on_what(self, tmp_path):
        key = self.zeros(tmp_path, "k", ("4.1", "4:nsubj", one("e1")), ("4.2", "4:obj", one("e2")))
        swapped = self.zeros(
            tmp_path, "s", ("4.1", "4:obj", one("e2")), ("4.2", "4:nsubj", one("e1"))
        )
        assert coreference.muc(key, swapped).value == 0
        assert coreference.b3(key, swapped).value == pytest.approx(0.5)
        for matching in ("exact", "head", "partial"):
            options = {"zeros": "dependent", "matching": matching}
            assert coreference.muc(key, swapped, **options).value == 1
            assert coreference.b3(key, swapped, **options).value == 1
            assert coreference.zero_anaphor(key, swapped, **options).value == 1
        objects = self.zeros(tmp_path, "o", ("4.1", "4:obj", one("e2")))
        assert coreference.muc(key, objects).value == 0
        assert scores(key, objects, "b3") == pytest.approx((0.375, 2 / 3))
        assert scores(key, objects, "muc", zeros="dependent") == pytest.approx((0.5, 1))
        assert scores(key, objects, "b3", zeros="dependent") == pytest.approx((0.625, 1))

    def test_zeros_can_be_left_out(self, tmp_path):
        key = self.zeros(tmp_path, "k", ("4.1", "4:nsubj", one("e1")))
        none = self.zeros(tmp_path, "n")
        dropped = coreference.mention_detection(key, none, zeros="drop")
        assert (dropped.value, dropped.terms["key_mentions"]) == (1, 2)
        # after the singletons: e1 loses its zero and stays, e2 was a singleton
        alone = coreference.b3(key, key, zeros="drop", drop_singletons=True)
        assert alone.terms["key_mentions"] == 1

    def test_moved_zeros_all_align_where_the_official_lookup_loses_one(self, tmp_path):
        words = [(str(n), "_", one("e1") if n == 4 else "") for n in (1, 2, 3, 4)]
        first, second = ("nsubj", one("e1")), ("nsubj", one("e1"))
        key = corefud(
            tmp_path / "k",
            [
                words[0],
                ("1.1", f"1:{first[0]}", first[1]),
                words[1],
                ("2.1", f"2:{second[0]}", second[1]),
                *words[2:],
            ],
        )
        response = corefud(
            tmp_path / "r",
            [
                *words[:2],
                ("2.1", f"1:{first[0]}", first[1]),
                words[2],
                ("3.1", f"2:{second[0]}", second[1]),
                words[3],
            ],
        )
        for name in ("muc", "b3", "ceaf_e"):
            assert scores(key, response, name, zeros="dependent") == (1, 1)

    def test_a_zero_without_dependencies_is_matched_by_place_and_said(self, tmp_path):
        key = self.zeros(tmp_path, "k", ("4.1", "_", one("e1")))
        found = coreference.muc(key, key, zeros="dependent")
        assert found.value == 1
        assert any("2 zeros have no dependencies" in w for w in found.warnings)

    def test_zero_anaphors(self, tmp_path):
        def text(name, second):
            return corefud(
                tmp_path / name,
                [
                    ("1", "_", one("e1")),
                    ("2", "_", ""),
                    ("2.1", "2:nsubj", one("e1")),
                    ("3", "_", one("e2")),
                    ("4", "_", ""),
                    ("4.1", "4:nsubj", one(second)),
                ],
            )

        found = coreference.zero_anaphor(text("k", "e1"), text("r", "e2"))
        assert (found.terms["R"], found.terms["P"]) == (0.5, 0.5)
        assert [found.terms[t] for t in ("TP", "FP", "FN", "WL")] == [1, 0, 0, 1]
        # a zero that the response lacks is missed, one that it invents is false; nothing else counts
        alone = text("k2", "e1"), corefud(tmp_path / "r2", [("1", "_", one("e1")), ("2", "_", ""),
            ("3", "_", one("e2")), ("4", "_", "")])  # fmt: skip
        missed = coreference.zero_anaphor(*alone)
        assert [missed.terms[t] for t in ("TP", "FP", "FN", "WL")] == [0, 0, 2, 0]
        assert missed.value == 0
        false = coreference.zero_anaphor(*alone[::-1])
        assert [false.terms[t] for t in ("TP", "FP", "FN", "WL")] == [0, 2, 0, 0]
        assert false.value == 0

    def test_without_zeros_there_is_no_zero_score(self):
        found = coreference.zero_anaphor(spans([(1, 1, 1)]), spans([(1, 1, 1)]))
        assert found.undefined == "neither side has a zero that refers back"

    def test_mor_is_its_own_assignment(self):
        key, response = spans([(1, 4, 1), (6, 6, 1)]), spans([(2, 4, 1), (4, 7, 1)])
        assert scores(key, response, "mor") == pytest.approx((0.8, 4 / 7))


class TestPresets:
    def test_a_preset_fills_what_was_not_set(self):
        key = spans([(1, 3, 2), (5, 5, 1)], [(7, 7, 1)])
        response = spans([(2, 3, 1), (5, 5, 1)])
        crac = coreference.conll(key, response, preset="crac")
        assert crac.value == 1
        for part in ("preset:crac", "matching:head", "zeros:dependent", "singletons:dropped"):
            assert part in crac.signature
        exact = coreference.muc(key, response, preset="crac", matching="exact")
        assert exact.value == 0
        assert coreference.muc(key, response, preset="conll12").value == 0
        kept = coreference.b3(key, response, preset="crac23", drop_singletons=False)
        assert kept.terms["key_mentions"] == 3

    def test_no_head_in_the_file_is_the_first_word_under_a_preset(self, tmp_path):
        rows = [("1", "_", "(e1---"), ("2", "_", "e1)"), ("3", "_", one("e1"))]
        key = corefud(tmp_path / "k", rows)
        shorter = corefud(tmp_path / "r", [("1", "_", ""), ("2", "_", one("e1")), rows[2]])
        longer = corefud(tmp_path / "l", [("1", "_", one("e1")), (*rows[1][:2], ""), rows[2]])
        assert coreference.muc(key, shorter, preset="crac23").value == 0
        assert coreference.muc(key, longer, preset="crac23").value == 1

    def test_unknown_words_are_refused(self):
        one = spans([(1, 1, 1)])
        for options in ({"preset": "crac21"}, {"zeros": "none"}):
            with pytest.raises(UsageError, match="must be one of"):
                coreference.muc(one, one, **options)

    def test_the_command_shows_what_the_task_reports(self, tmp_path, accord_command):
        rows = [("1", "_", one("e1")), ("2", "_", ""), ("2.1", "2:nsubj", one("e1"))]
        files = [tmp_path / "key.conllu", tmp_path / "response.conllu"]
        for path in files:
            corefud(path, rows)
        done = accord_command("score", *files, "--preset", "crac", "--ci", "none", "--json")
        found = json.loads(done.stdout)["results"]
        reported = ["conll", "muc", "b3", "ceaf-e", "mor", "zero-anaphor"]
        assert [r["measure"] for r in found] == reported
        assert all(r["value"] == 1 for r in found)
        in_python = accord.score(*files, preset="crac", ci="none")
        assert [r.signature for r in in_python] == [r["signature"] for r in found]
        named = accord.score(*files, "b3", preset="crac", ci="none")
        assert named.signature == found[2]["signature"]


def test_split_antecedents_and_bridges_are_named(tmp_path):
    key = corefud(tmp_path / "k", [("1", "_", one("e1") + "|SplitAnte=e1<e3,e2<e3|Bridge=e1<e2")])
    assert any("2 split antecedents" in note for note in key.notes)
    assert any("1 bridging links" in note for note in key.notes)


class TestBruteForce:
    @staticmethod
    def random_side(rng):
        mentions = {}
        for _ in range(rng.randint(0, 5)):
            start = rng.randint(0, 4)
            words = set(range(start, rng.randint(start + 1, 6)))
            if len(words) > 2 and rng.random() < 0.3:
                words.discard(sorted(words)[1])
            cut = sorted(words)
            parts = []
            for w in cut:
                if parts and parts[-1] == w:
                    parts[-1] = w + 1
                else:
                    parts += [w, w + 1]
            mentions[tuple(parts)] = rng.choice(cut)
        return mentions

    @staticmethod
    def words(mention):
        return {w for s, e in zip(mention[::2], mention[1::2], strict=True) for w in range(s, e)}

    def overlap(self, matching, k, hk, r, hr):
        ours, theirs = self.words(k), self.words(r)
        if matching == "partial":
            return len(theirs) / len(ours) if hk in theirs and theirs <= ours else 0
        return len(ours & theirs) / len(ours) if hk == hr else 0

    def best(self, weights, rows, columns):
        if rows > columns:
            weights = [list(line) for line in zip(*weights, strict=True)]
            rows, columns = columns, rows
        return max(
            (
                sum(weights[i][p[i]] for i in range(rows))
                for p in permutations(range(columns), rows)
            ),
            default=0,
        )

    @pytest.mark.parametrize("matching", ["head", "partial"])
    def test_the_rest_is_paired_by_the_greatest_sum(self, matching):
        rng = random.Random(19)
        inexact = 0
        for _ in range(300):
            sides = [self.random_side(rng) for _ in range(2)]
            if not all(sides):
                continue
            chains = [
                Chains.from_clusters(
                    {("d", "A"): [list(side)]},
                    facts={("d", m): {"head": h} for m, h in side.items()},
                )
                for side in sides
            ]
            present = [[True] * len(c.mentions[0]) for c in chains]
            masks = [np.array(p) for p in present]
            twins = twin_mentions(chains[0], 0, masks[0], chains[1], 0, masks[1], Rule(matching))
            found = [
                (chains[0].mentions[0][i], chains[1].mentions[0][j])
                for i, j in zip(twins.key.tolist(), twins.response.tolist(), strict=True)
            ]
            key, response = sides
            same = {
                m for m in key if m in response and (matching == "partial" or key[m] == response[m])
            }
            assert {(m, m) for m in same} <= set(found)
            rest = [pair for pair in found if pair != (pair[0],) * 2 or pair[0] not in same]
            assert len({k for k, _ in found}) == len(found) == len({r for _, r in found})
            left, right = [m for m in key if m not in same], [m for m in response if m not in same]
            weights = [
                [self.overlap(matching, k, key[k], r, response[r]) for r in right] for k in left
            ]
            reached = [self.overlap(matching, k, key[k], r, response[r]) for k, r in rest]
            assert all(s > 0 for s in reached)
            expected = self.best(weights, len(left), len(right)) if left and right else 0
            assert sum(reached) == pytest.approx(expected)
            inexact += len(rest)
        assert inexact > 50

    def test_equal_sums_are_said(self):
        # 1–3 and 1–3 without 2 have the same overlap with either answer
        key = spans([(1, 3, 1)], [(1, 2, 1)])
        response = spans([(1, 4, 1)], [(1, 5, 1)])
        found = coreference.b3(key, response, matching="head")
        assert any("several best assignments" in w for w in found.warnings)
        clear = coreference.b3(key, spans([(1, 1, 1)]), matching="exact")
        assert not any("assignments" in w for w in clear.warnings)


class TestErrors:
    @staticmethod
    def counts(key, response, **options):
        rows = coreference.b3(key, response, by=["error"], **options).by["error"]
        return {row["error"]: row["count"] for row in rows if row["count"]}

    def test_the_classes_of_the_worked_example(self):
        sides = (["abc", "de", "fg"], ["abd", "cx", "yz", "e"])
        key, response = (Chains.from_clusters({("d", "A"): side}) for side in sides)
        assert self.counts(key, response) == {
            "conflated": 1,
            "divided": 2,
            "extra mention": 1,
            "extra entity": 1,
            "missing entity": 1,
        }
        rows = coreference.b3(key, response, by=["correction"]).by["correction"]
        assert [r["mentions"] for r in rows if r["error"] == "divided"] == [["c"], ["e"]]
        assert [r["mentions"] for r in rows if r["error"] == "conflated"] == [["d"]]
        assert self.counts(key, key) == {}

    def test_a_document_may_have_another_name_on_the_other_side(self):
        key, response = (
            Chains.from_clusters({(name, "A"): entities}, words={name: ["a", "b", "c"]})
            for name, entities in (
                ("(d); part 000", [[(0, 1), (1, 2)]]),
                ("answer", [[(0, 1)], [(1, 2)], [(2, 3)]]),
            )
        )
        assert self.counts(key, response) == {"divided": 1, "extra entity": 1}

    def test_a_near_miss_is_one_span_error(self):
        key = spans([(1, 3, 2), (5, 5, 1)], [(7, 9, 1), (11, 11, 1)])
        response = spans([(2, 3, 1), (5, 5, 1)], [(8, 9, 1), (11, 11, 1)])
        # both files have heads: 7–9 and 8–9 differ in theirs
        assert self.counts(key, response) == {
            "span": 1,
            "extra mention": 1,
            "missing mention": 1,
        }
        assert self.counts(key, response, matching="head") == self.counts(key, response)
        bare = [Chains.from_clusters({("d", "A"): c.clusters(0, 0)}) for c in (key, response)]
        assert self.counts(*bare) == {"span": 2}

    def test_conflated_and_divided_count_the_cells_of_the_table(self):
        rng = random.Random(8)
        for _ in range(100):
            sides = []
            for _ in range(2):
                entities = {}
                for mention in range(8):
                    if rng.random() < 0.8:
                        entities.setdefault(rng.randint(0, 3), []).append(f"m{mention}")
                sides.append([set(e) for e in entities.values()])
            key, response = sides
            cells = [(i, j) for i, k in enumerate(key) for j, r in enumerate(response) if k & r]
            found = self.counts(
                *(Chains.from_clusters({("d", "A"): [sorted(e) for e in s]}) for s in sides)
            )
            assert found.get("conflated", 0) == len(cells) - len({j for _, j in cells})
            assert found.get("divided", 0) == len(cells) - len({i for i, _ in cells})
            assert found.get("missing entity", 0) == len(key) - len({i for i, _ in cells})
            assert found.get("extra entity", 0) == len(response) - len({j for _, j in cells})
            assert "span" not in found


def test_other_words_are_refused_or_said():
    sides = [
        Chains.from_clusters({("d", "A"): [[(0, 1), (1, 2)]]}, words={"d": words})
        for words in (["Ana", "she"], ["ana", "she"], ["ana", "she", "."])
    ]
    with pytest.raises(InputError, match="token 0 is 'Ana' in the reference and 'ana'"):
        coreference.muc(*sides[:2])
    found = coreference.muc(*sides[:2], words="ignore")
    assert found.value == 1
    assert any("1 of 1 documents have other words" in w for w in found.warnings)
    assert "words:ignore" in found.signature
    with pytest.raises(InputError, match="2 tokens in the reference and 3"):
        coreference.muc(sides[0], sides[2], words="ignore")
