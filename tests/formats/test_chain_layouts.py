"""Layouts of chains that people have: SemEval-2010, Maverick, PreCo, folders, datasets, topics."""

from __future__ import annotations

import json

import pytest

import accord
from accord.errors import InputError, UsageError
from tests.told import told

WORDS = [["Barack", "Obama", "ran", "."], ["He", "won"]]
HEADER = "# global.Entity = eid-etype-head-other\n"


def written(path, content):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return path


def entities(chains, document=0):
    return chains.clusters(document, 0)


SEMEVAL = """#begin document 12-c1
1\tBarack\tbarack\t_\tNNP\t_\t_\t_\t2\t_\tNAME\t_\t_\t_\t_\t_\t(1
2\t1999\t1999\t_\tNNP\t_\t_\t_\t3\t_\tSBJ\t_\t_\t_\t_\t_\t1)
3\tran\trun\t_\tVBD\t_\t_\t_\t0\t_\tROOT\t_\t_\t_\t_\t_\t_

1\tHe\the\t_\tPRP\t_\t_\t_\t2\t_\tSBJ\t_\t_\t_\t_\t_\t(1)
2\twon\twin\t_\tVBD\t_\t_\t_\t0\t_\tROOT\t_\t_\t_\t_\t_\t_
#end document 12-c1
"""


class TestLayouts:
    def test_semeval_2010(self, tmp_path):
        chains = accord.read(written(tmp_path / "ca.txt", SEMEVAL))
        assert chains.words == (("Barack", "1999", "ran", "He", "won"),)
        assert entities(chains) == [[(0, 2), (3, 4)]]
        # its trees give heads
        assert [f["head"] for f in chains.facts[0]] == [1, 3]
        found = accord.score(chains, chains, "muc", matching="head")
        assert found.value == 1

    def test_a_document_called_1_in_conll_2012_is_not_semeval(self, tmp_path):
        text = "#begin document (1); part 000\n" + "".join(
            f"1\t0\t{i}\tw{i}\tN\t-\t-\t-\t({i})\n" for i in range(2)
        )
        assert accord.read(written(tmp_path / "x.conll", text)).words == (("w0", "w1"),)

    def test_maverick(self, tmp_path):
        record = {
            "tokens": [w for s in WORDS for w in s],
            "clusters_token_offsets": [[[0, 1], [4, 4]]],
            "clusters_token_text": [["Barack Obama", "He"]],
        }
        chains = accord.read(written(tmp_path / "maverick.json", record))
        assert entities(chains) == [[(0, 2), (4, 5)]]

    def test_preco(self, tmp_path):
        record = {"id": "dev_1", "sentences": WORDS, "mention_clusters": [[[0, 0, 2], [1, 0, 1]]]}
        path = written(tmp_path / "preco.jsonl", json.dumps(record) + "\n")
        chains = accord.read(path)
        assert (chains.documents, entities(chains)) == (("dev_1",), [[(0, 2), (4, 5)]])
        assert chains.words[0][4] == "He"
        record["mention_clusters"] = [[[7, 0, 1]]]
        with pytest.raises(InputError, match="sentence 7 of 2"):
            accord.read(written(tmp_path / "bad.jsonl", json.dumps(record) + "\n"))

    def test_word_pieces_become_words(self, tmp_path):
        record = {
            "doc_key": "d",
            "sentences": [["[CLS]", "Ba", "##rack", "ran"], [".", "He", "[SEP]"]],
            "subtoken_map": [0, 0, 0, 1, 2, 3, 3],
            "clusters": [[[1, 2], [5, 5]]],
        }
        chains = accord.read(written(tmp_path / "p.jsonl", json.dumps(record) + "\n"))
        assert entities(chains) == [[(0, 1), (3, 4)]]
        assert chains.words == (("Barack", "ran", ".", "He"),)
        record["clusters"] = [[[1, 9]]]
        with pytest.raises(InputError, match="of 7 pieces"):
            accord.read(written(tmp_path / "bad.jsonl", json.dumps(record) + "\n"))
        record["subtoken_map"] = [0, 1]
        with pytest.raises(InputError, match="does not hold clusters"):
            accord.read(written(tmp_path / "worse.jsonl", json.dumps(record) + "\n"))

    def test_characters_of_a_text_are_told_in_words(self, tmp_path):
        record = {"text": "Zoë ran. She won.", "clusters": [[[0, 3], [9, 12]]]}
        chains = accord.read(written(tmp_path / "fast.jsonl", json.dumps(record) + "\n"))
        assert entities(chains) == [[(0, 3), (9, 12)]]
        assert [chains.text(0, m) for m in (0, 1)] == ["Zoë", "She"]

    def test_a_list_of_documents(self, tmp_path):
        record = {"doc_key": "d", "tokens": ["a", "b"], "clusters": [[[0, 1], [1, 2]]]}
        chains = accord.read(written(tmp_path / "l.json", {"documents": [record]}))
        assert (chains.documents, entities(chains)) == (("d",), [[(0, 1), (1, 2)]])

    def test_clusters_by_entity_are_entities(self, tmp_path):
        record = {"clusters": {"e1": [[0, 1], [2, 3]], "e2": [[1, 2]]}}
        chains = accord.read(written(tmp_path / "e.json", record))
        assert (len(chains.annotators), chains.entity_names(0, 0)) == (1, ["e1", "e2"])

    def test_types_of_mentions(self, tmp_path):
        king = {"start": 0, "end": 2, "type": "person"}
        record = {"documents": {"d": [[king, {"span": [3, 4], "type": "place"}]]}}
        path = written(tmp_path / "t.json", record)
        rows = accord.score(path, path, "b3", by=["type"]).by["type"]
        assert [(r["type"], r["found"]) for r in rows] == [("person", 1), ("place", 1)]

    def test_corefud_without_names_and_without_entities(self, tmp_path):
        def line(n, misc):
            return "\t".join([str(n), "w", "_", "X", "_", "_", "0", "root", "_", misc]) + "\n"

        one, none = "Entity=(e1--1-)", "_"
        key = HEADER + f"# newdoc\n{line(1, one)}\n# newdoc\n{line(1, none)}\n"
        response = f"# newdoc\n{line(1, none)}\n# newdoc\n{line(1, none)}\n"
        found = accord.score(
            written(tmp_path / "k.conllu", key), written(tmp_path / "r.conllu", response), "b3"
        )
        assert (found.value, found.terms["documents"]) == (0, 2)
        assert found.terms["response_mentions"] == 0

    def test_predictions_are_the_system_s(self, tmp_path):
        record = {"doc_key": "d", "clusters": [["a", "b"]], "predicted_clusters": [["a"], ["b"]]}
        path = written(tmp_path / "both.jsonl", json.dumps(record) + "\n")
        assert accord.score(path, path, "ceaf-m").value == 0.5


class TestFolders:
    @pytest.mark.parametrize("kind", ["conll", "json", "conllu"])
    def test_one_file_per_document_on_both_sides(self, kind, tmp_path, accord_command):
        for place, second in (("gold", True), ("model", False)):
            for name in ("a", "b"):
                content = {
                    "conll": f"#begin document ({name}); part 000\nx 0 0 w (1)\n"
                    f"x 0 1 w {'(1)' if second else '-'}\n",
                    "json": [[[0, 1], [1, 2]] if second else [[0, 1]]],
                    "conllu": HEADER
                    + "1\tw\t_\tX\t_\t_\t0\troot\t_\tEntity=(e--1-)\n"
                    + f"2\tw\t_\tX\t_\t_\t1\tdep\t_\t{'Entity=(e--1-)' if second else '_'}\n\n",
                }[kind]
                written(tmp_path / place / f"{name}.{kind}", content)
        sides = tmp_path / "gold", tmp_path / "model"
        done = accord_command("score", *sides, "-m", "b3", "--ci", "none", "--json")
        assert done.returncode == 0, done.stderr
        result = json.loads(done.stdout)["results"][0]
        assert (result["terms"]["documents"], result["value"]) == (2, pytest.approx(0.4))
        assert accord.score(*sides, "b3").value == pytest.approx(0.4)

    def test_datasets_have_a_row_each_and_a_mean(self, tmp_path, accord_command):
        # two languages: one right, one all wrong, of very different size
        written(tmp_path / "gold" / "cs.json", [[[0, 1], [1, 2]]])
        written(tmp_path / "model" / "cs.json", [[[0, 1], [1, 2]]])
        many = [[[i, i + 1] for i in range(9)]]
        written(tmp_path / "gold" / "en.json", many)
        written(tmp_path / "model" / "en.json", [[[i, i + 1] for i in range(20, 25)]])
        sides = tmp_path / "gold", tmp_path / "model"
        done = accord_command("score", *sides, "-m", "conll", "--datasets", "--json")
        assert done.returncode == 0, done.stderr
        found = json.loads(done.stdout)["results"]
        assert [r["terms"]["dataset"] for r in found] == ["cs", "en", "mean"]
        assert [r["value"] for r in found] == [1, 0, 0.5]
        refused = accord_command("score", *sides, "--datasets", "--compare")
        assert (refused.returncode, "leave --datasets out" in refused.stderr) == (2, True)
        (tmp_path / "model" / "en.json").unlink()
        done = accord_command("score", *sides, "--datasets")
        assert (done.returncode, "no file for the dataset 'en'" in done.stderr) == (2, True)


TOPICS = """document,topic,start,end,entity
a,1,0,1,storm
a,1,2,3,flood
b,1,0,1,storm
c,2,0,1,storm
c,2,4,5,flood
"""


class TestAcross:
    def sides(self, tmp_path):
        key = written(tmp_path / "key.csv", TOPICS)
        other = TOPICS.replace("b,1,0,1,storm", "b,1,0,1,other")
        return accord.read(key), accord.read(written(tmp_path / "sys.csv", other))

    def test_an_entity_crosses_the_documents_of_its_topic(self, tmp_path):
        key, response = self.sides(tmp_path)
        assert any("apart (2 names)" in n for n in told(key))
        assert accord.score(key, response, "b3").value == 1
        # topic 1: {a:storm, b:storm}, {a:flood} against three singletons: recall (1/2·2 + 3)/5
        found = accord.score(key, response, "b3", across="topic")
        assert (found.terms["R"], found.terms["P"]) == pytest.approx((0.8, 1))
        assert found.terms["within_documents"] == 1
        assert found.terms["singletons"] == 0.75
        assert "across:topic" in found.signature
        # corpus: storm has three mentions of which two stay together, 4/3 + 1/3, and flood two
        assert accord.score(key, response, "b3", across="corpus").terms["R"] == pytest.approx(
            11 / 15
        )

    def test_mentions_that_name_their_document(self, tmp_path):
        key = {"documents": {"t": [[["a", 0, 1], ["b", 0, 1]], [["a", 2, 3]]]}}
        response = {"documents": {"t": [[["a", 0, 1]], [["b", 0, 1], ["a", 2, 3]]]}}
        sides = [
            accord.read(written(tmp_path / f"{n}.json", c))
            for n, c in (("k", key), ("r", response))
        ]
        assert sides[0].documents == ("a", "b")
        assert accord.score(*sides, "muc", across="topic").value == 0
        assert accord.score(*sides, "b3", across="topic").terms["R"] == pytest.approx(2 / 3)

    def test_matching_stays_within_a_document(self, tmp_path):
        # the same offsets in another document are another mention
        key = "document,start,end,entity\na,0,1,x\na,4,5,x\nb,0,1,y\n"
        response = "document,start,end,entity\na,0,1,x\nb,4,5,x\nb,0,1,y\n"
        found = accord.score(
            written(tmp_path / "k.csv", key),
            written(tmp_path / "r.csv", response),
            "mention-detection",
            across="corpus",
        )
        assert found.terms["common_mentions"] == 2

    def test_what_cannot_be_put_together_is_said(self, tmp_path):
        key, response = self.sides(tmp_path)
        with pytest.raises(UsageError, match=r"corpus or a column of the documents \(topic\)"):
            accord.score(key, response, "b3", across="genre")
        named = accord.Chains.from_clusters({("d", "A"): [["a"]]})
        with pytest.raises(InputError, match="no names that hold in other documents"):
            accord.score(named, named, "b3", across="corpus")
        with pytest.raises(InputError, match="the system lacks 'c'"):
            accord.score(key, response.select(documents=["a", "b"]), "b3", across="topic")
        empty = accord.score(
            key,
            response.select(documents=["a", "b"]),
            "b3",
            across="topic",
            missing_documents="empty",
        )
        assert empty.terms["response_mentions"] == 3


def test_a_warning_is_said_once_for_all_measures(tmp_path, accord_command):
    path = written(tmp_path / "k.json", [["a"], ["b"]])
    done = accord_command("score", path, path, "-m", "muc", "-m", "conll", "-m", "b3")
    assert done.stderr.count("the key are singletons") == 2  # the sentence of conll says more
    cells = "#begin document (d); part 000\nd 0 0 a (1)|(2)\nd 0 1 b (2)\n"
    twice = written(tmp_path / "t.conll", cells)
    done = accord_command("score", twice, twice, "-m", "muc", "-m", "b3", "--ci", "none")
    assert done.stderr.count("occurs in two entities") <= 2, done.stderr
