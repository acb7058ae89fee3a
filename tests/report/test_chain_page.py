"""The page of chains: what is packed, what is escaped, and the commands that write it."""

from __future__ import annotations

import json
import re

import pytest

import accord
from accord.data import Chains
from accord.errors import InputError
from accord.measures.coreference.aligned_entities import aligned_entities
from accord.measures.coreference.corrections import CLASSES, corrections
from accord.measures.coreference.enrolment import paired_by
from accord.measures.coreference.unmatched import unmatched_mentions
from accord.report.chain_explorer import chain_explorer, chains_html, compared, compared_annotators

WORDS = ["the", "old", "king", "met", "his", "dog", "and", "<b>it</b>", "barked", "at", "him"]


def side(clusters, who="A", document="d", **extra):
    return Chains.from_clusters({(document, who): clusters}, words={document: WORDS}, **extra)


KEY = [[(0, 3), (4, 5), (10, 11)], [(4, 6), (7, 8)]]
RESPONSE = [[(1, 3), (4, 5)], [(4, 6), (7, 8), (10, 11)], [(8, 9)]]


def packed(*pairs, **options):
    return json.loads(chain_explorer(pairs, **options).data)


def pair(key=KEY, response=RESPONSE, **options):
    return compared(side(key), side(response, "B"), names=("key", "system"), **options)


class TestPacked:
    def test_mentions_entities_twins_and_differences(self):
        data = packed(pair(values={"d": 0.5}), measure="b3")
        document = data["pairs"][0]["documents"][0]
        assert (document["n"], document["v"]) == ("d", 0.5)
        key, response = document["k"], document["r"]
        assert key["x"] == ["the old king", "his", "his dog", "<b>it</b>", "him"]
        # the old king is a near miss of old king, him is found in the other entity
        assert [response["x"][p] for p in key["p"]] == [
            "old king",
            "his",
            "his dog",
            "<b>it</b>",
            "him",
        ]
        found = [(data["classes"][e["c"]], e["s"], e["m"]) for e in document["e"]]
        assert found == [
            ("span", 0, [0]),
            ("extra entity", 1, [4]),
            ("conflated", 1, [5]),
            ("divided", 0, [4]),
        ]
        assert [e["z"] for e in document["e"]] == [3, 1, 3, 3]

    def test_aligned_entities_share_colour_and_label(self):
        document = packed(pair())["pairs"][0]["documents"][0]
        assert document["k"]["l"] == ["1", "2"]
        # in the order of the text: king, dog, the entity that the key lacks
        assert dict(zip(document["r"]["l"], document["r"]["c"], strict=True)) == {
            "1": document["k"]["c"][0],
            "2": document["k"]["c"][1],
            "a": 2,
        }

    def test_documents_with_the_fewest_differences_stay_out(self):
        both = {("d", "A"): KEY, ("e", "A"): KEY}
        words = {"d": WORDS, "e": WORDS}
        key = Chains.from_clusters(both, words=words)
        response = Chains.from_clusters({("d", "B"): KEY, ("e", "B"): RESPONSE}, words=words)
        found = chain_explorer([compared(key, response, names=("a", "b"))], most_bytes=10)
        data = json.loads(found.data)
        assert [d["n"] for d in data["pairs"][0]["documents"]] == ["e"]
        assert found.left_out.startswith("The 1 documents with the most differences of 2")

    def test_the_page_loads_nothing_and_escapes_everything(self):
        evil = Chains.from_clusters(
            {("</script><script>alert(1)</script>", "A"): [["<img src=x>", "b"]]}
        )
        page = chains_html([compared(evil, evil, names=("<i>", "b"))], title="<u>", notes=["<s>"])
        assert "<script>alert" not in page
        assert "<img" not in page
        assert "<u>" not in page
        assert "<s>" not in page
        assert not re.search(r'(?:src|href)="(?!#)', page)
        assert "http" not in re.sub(r"http://www.w3.org/\S+", "", page)

    def test_differences_are_those_of_the_score(self):
        options = {"matching": "exact", "drop_singletons": True}
        document = packed(pair(**options))["pairs"][0]["documents"][0]
        rows = accord.score(side(KEY), side(RESPONSE, "B"), "b3", by="error", **options).by["error"]
        counted = dict.fromkeys(CLASSES, 0)
        for e in document["e"]:
            counted[CLASSES[e["c"]]] += 1
        assert counted == {row["error"]: row["count"] for row in rows}
        assert counted["extra entity"] == 0


def test_entities_are_aligned_one_to_one_by_likeness():
    found = corrections(paired_by(side(KEY), side(RESPONSE, "B")))
    shown = [(a.first, a.second, a.common, round(a.dice, 3)) for a in aligned_entities(found)]
    assert shown == [((0, 0), (0, 0), 2, 0.8), ((0, 1), (0, 1), 2, 0.8), (None, (0, 2), 0, 0.0)]


def test_annotators_are_compared_where_both_annotated():
    data = Chains.from_clusters(
        {("d", "A"): KEY, ("d", "B"): RESPONSE, ("e", "A"): KEY, ("e", "C"): KEY}
    )
    pairs = compared_annotators(data)
    assert [(p.first, p.second, p.paired.table.documents) for p in pairs] == [
        ("A", "B", ("d",)),
        ("A", "C", ("e",)),
    ]
    with pytest.raises(InputError, match="no document was annotated by two people"):
        compared_annotators(data.select(annotators=["B", "C"]))


class TestErrorsApart:
    def test_by_document_type_and_size_add_up(self):
        facts = {("d", (4, 6)): {"type": "animal"}, ("d", (10, 11)): {"type": "person"}}
        key, response = side(KEY, facts=facts), side(RESPONSE, "B", facts=facts)
        by = ["error", "error-document", "error-type", "error-size"]
        found = accord.score(key, response, "b3", by=by).by
        total = {row["error"]: row["count"] for row in found["error"]}
        for name in by[1:]:
            assert {c: sum(row[c] for row in found[name]) for c in CLASSES} == total
        assert {row["type"] for row in found["error-type"]} == {"(none)", "person"}
        assert [row["size"] for row in found["error-size"]] == ["1", "3–4"]

    def test_a_correction_is_told_in_words(self):
        rows = accord.score(side(KEY), side(RESPONSE, "B"), "b3", by="correction").by["correction"]
        span = next(row for row in rows if row["error"] == "span")
        assert (span["text"], span["parts_text"]) == (["the old king"], [["old king"]])
        entity = accord.score(side(KEY), side(RESPONSE, "B"), "b3", by="entity").by["entity"]
        assert entity[0]["text"] == ["the old king", "his", "him"]


class TestUnmatched:
    DATA = Chains.from_clusters(
        {
            ("d", "Ana"): [[(0, 3), (4, 5)], [(7, 8)]],
            ("d", "Ben"): [[(1, 3), (4, 5)]],
            ("e", "Ana"): [[(0, 1)]],
        },
        words={"d": WORDS, "e": WORDS},
    )

    def test_each_with_its_nearest(self):
        rows = unmatched_mentions(self.DATA)
        shown = [(r["annotator"], r["text"], r["nearest_text"], r["nearest_by"]) for r in rows]
        # nobody else saw document e
        assert shown == [
            ("Ana", "the old king", "old king", "Ben"),
            ("Ana", "<b>it</b>", None, None),
            ("Ben", "old king", "the old king", "Ana"),
        ]
        assert [r["overlap"] for r in rows] == [0.8, 0.0, 0.8]

    def test_in_the_table_and_by_name(self, tmp_path, accord_command):
        (tmp_path / "c.json").write_text(
            json.dumps({"documents": {"d": {"A": [[[0, 2], [3, 4]]], "B": [[[1, 2], [3, 4]]]}}})
        )
        done = accord_command(
            "agree", tmp_path / "c.json", "--ci", "none", "--by", "unmatched", "--verbose"
        )
        assert done.returncode == 0, done.stderr
        assert re.search(r"unpaired.*\n.*chain-alpha\s.*\b2\b", done.stdout), done.stdout
        assert "--by unmatched lists them" in done.stderr
        asked = accord.agree(self.DATA, "chain-alpha", mentions="near", by="unmatched")
        assert [r["text"] for r in asked.by["unmatched"]] == ["<b>it</b>"]

    def test_in_the_report(self):
        page = accord.report(self.DATA).html()
        assert "Mentions of one annotator only" in page
        assert "old king" in page
        assert 'id="chains-data"' in page


class TestCommands:
    def files(self, tmp_path):
        for name, clusters in (("key", KEY), ("sys", RESPONSE)):
            accord.write(side(clusters, name), tmp_path / f"{name}.conllu")
        return tmp_path / "key.conllu", tmp_path / "sys.conllu"

    def test_score_writes_the_page(self, tmp_path, accord_command):
        page = tmp_path / "page.html"
        done = accord_command(
            "score", *self.files(tmp_path), "-m", "b3", "-m", "muc", "--html", page, "--json"
        )
        assert done.returncode == 0, done.stderr
        assert len(json.loads(done.stdout)["results"]) == 2
        text = page.read_text(encoding="utf-8")
        data = json.loads(re.search(r'id="chains-data">(.*?)</script>', text, re.S)[1])
        assert data["measure"] == "b3"
        assert data["pairs"][0]["b"] == "sys"
        assert "<td>muc</td>" in text

    def test_align_shows_the_entities_of_two_annotators(self, tmp_path, accord_command):
        page, table = tmp_path / "two.html", tmp_path / "two.csv"
        files = self.files(tmp_path)
        done = accord_command("align", *files, "--html", page, "--csv", table, "--json")
        assert done.returncode == 0, done.stderr
        document = json.loads(done.stdout)["pairs"][0]["documents"][0]
        assert document["differences"]["conflated"] == 1
        assert document["entities"][0]["second_text"] == ["old king", "his"]
        assert 'id="chains-data"' in page.read_text(encoding="utf-8")
        assert "the old king | his | him" in table.read_text(encoding="utf-8")
        shown = accord_command("align", *files)
        assert "What it takes from sys to key" in shown.stdout
        refused = accord_command("align", *files, "--svg", tmp_path / "x.svg")
        assert (refused.returncode, "name it with --html" in refused.stderr) == (2, True)

    def test_the_report_counts_the_errors_of_systems(self, tmp_path):
        data = Chains.from_clusters({("d", "A"): KEY, ("d", "B"): RESPONSE}, words={"d": WORDS})
        made = accord.report(data, reference=side(KEY), systems={"mine": side(RESPONSE, "B")})
        assert "What it takes to correct the systems" in made.html()
        rows = made.tables["errors-by-class"].rows
        assert rows[0][0] == "mine"
        assert sum(rows[0][1:]) == 4
        assert {"errors_mine_by_size", "errors_mine_by_document"} <= set(made.tables)
