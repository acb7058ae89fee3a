"""CoNLL-2012, CorefUD, JSON clusters: what they hold, and one sentence for what is wrong."""

from __future__ import annotations

import gzip
import json

import pytest

import accord
from accord.data import Chains
from accord.errors import InputError, UsageError
from tests.told import told

CONLL = """#begin document (nw/a); part 001
nw/a\t1\t0\tThe\t-\t(0
nw/a\t1\t1\tking\t-\t0)
nw/a\t1\t2\tsaw\t-\t-
nw/a\t1\t3\this\t-\t(1|(0)
nw/a\t1\t4\tdog\t-\t1)

#end document
"""

COREFUD = """# global.Entity = eid-etype-head-other
# newdoc id = a
1\tThe\t_\tDET\t_\t_\t2\tdet\t_\tEntity=(e1-person-2-
2\tking\t_\tNOUN\t_\t_\t3\tnsubj\t_\tEntity=e1)
3\tsaw\t_\tVERB\t_\t_\t0\troot\t_\t_
3.1\t_\t_\tPRON\t_\t_\t_\t_\t3:dep\tEntity=(e3--1-)
4\this\t_\tPRON\t_\t_\t5\tdet\t_\tEntity=(e2-animal-2-(e1-person-1-)
5\tdog\t_\tNOUN\t_\t_\t3\tobj\t_\tEntity=e2)

1\tGo\t_\tVERB\t_\t_\t0\troot\t_\tEntity=(e4[1/2]--1-)
2\tthere\t_\tADV\t_\t_\t1\tadvmod\t_\t_
3\tnow\t_\tADV\t_\t_\t1\tadvmod\t_\tEntity=(e4[2/2])
"""


@pytest.fixture
def written(tmp_path):
    def write(name, content):
        path = tmp_path / name
        if name.endswith(".gz"):
            path.write_bytes(gzip.compress(content.encode()))
        else:
            path.write_text(content, encoding="utf-8")
        return path

    return write


def entities(chains, document=0, annotator=0):
    return sorted(sorted(e) for e in chains.clusters(document, annotator))


class TestConll2012:
    @pytest.mark.parametrize("name", ["sys.conll", "sys.conll.gz"])
    def test_reads_nested_mentions(self, written, name):
        chains = accord.read(written(name, CONLL))
        assert chains.documents == ("(nw/a); part 001",)
        assert chains.annotators == ("sys",)
        assert entities(chains) == [[(0, 2), (3, 4)], [(3, 5)]]
        assert chains.words == (("The", "king", "saw", "his", "dog"),)

    def test_reads_spaces_and_three_columns(self, written):
        three = "# begin document x\n0\ta\t(e-1(t-2\n1\tb\tt-2)e-1)\n"
        assert entities(accord.read(written("k.conll", three))) == [[(0, 2)]]
        spaced = CONLL.replace("\t", "   ")
        assert entities(accord.read(written("s.conll", spaced))) == [[(0, 2), (3, 4)], [(3, 5)]]

    def test_a_mention_in_two_entities_keeps_the_first_and_is_named(self, written):
        text = "#begin document (x); part 000\nx 0 0 a - (1)|(2)\nx 0 1 b - (2)\n#end document\n"
        chains = accord.read(written("k.conll", text))
        assert entities(chains) == [[(0, 1)], [(1, 2)]]
        (left,) = told(chains)
        assert "mention 'a' (0, 1) of 'k'" in left
        assert "in two entities" in left

    @pytest.mark.parametrize(
        ("old", "new", "line", "says"),
        [
            ("\t0)\n", "\t-\n", 2, "'0' opened here is never closed"),
            ("-\t-\n", "-\t7)\n", 4, "that was never opened"),
            ("-\t-\n", "-\t(7\n", 4, "'7' opened here is never closed"),
            ("-\t-\n", "-\t((7)\n", 4, "cannot read the coreference brackets"),
        ],
    )
    def test_unbalanced_brackets_name_their_line(self, written, old, new, line, says):
        path = written("bad.conll", CONLL.replace(old, new))
        with pytest.raises(InputError, match=r"bad\.conll") as caught:
            accord.read(path)
        assert (caught.value.line, says in str(caught.value)) == (line, True)

    def test_a_document_twice_is_refused(self, written):
        with pytest.raises(InputError, match="begins twice"):
            accord.read(written("k.conll", CONLL + CONLL))

    def test_round_trip(self, written, tmp_path):
        chains = accord.read(written("sys.conll", CONLL))
        target = tmp_path / "again.conll"
        assert accord.write(chains, target) == []
        again = accord.read(target)
        assert (entities(again), again.documents, again.words) == (
            entities(chains),
            chains.documents,
            chains.words,
        )

    def test_what_it_cannot_hold_is_listed(self, tmp_path):
        chains = Chains.from_clusters({("d", "A"): [["he", "it"], [(0, 1)]]})
        lost = accord.write(chains, tmp_path / "x.conll")
        assert lost == [f"mention {m!r} of 'd': it is not one span" for m in ("he", "it")]
        two = Chains.from_clusters({("d", "A"): [], ("d", "B"): []})
        with pytest.raises(UsageError, match="one annotator"):
            accord.write(two, tmp_path / "x.conll")


class TestCorefud:
    def test_reads_heads_types_empty_nodes_and_discontinuous_mentions(self, written):
        chains = accord.read(written("sys.conllu", COREFUD))
        assert chains.documents == ("a",)
        assert entities(chains) == [
            [(0, 2), (3, 4)],
            [(2.01, 2.02)],
            [(3, 5)],
            [(5, 6, 7, 8)],
        ]
        facts = dict(zip(chains.mentions[0], chains.facts[0], strict=True))
        assert facts[0, 2] == {"head": 1, "upos": "NOUN", "type": "person"}
        assert facts[3, 5] == {"head": 4, "upos": "NOUN", "type": "animal"}

    def test_the_tree_gives_the_head_when_the_file_does_not(self, written):
        text = COREFUD.replace("eid-etype-head-other", "GRP-etype").replace("person-2-", "person")
        text = text.replace("animal-2-", "animal").replace("person-1-", "person")
        chains = accord.read(written("sys.conllu", text))
        facts = dict(zip(chains.mentions[0], chains.facts[0], strict=True))
        assert (facts[0, 2]["head"], facts[3, 5]["head"]) == (1, 4)

    def test_round_trip(self, written, tmp_path):
        chains = accord.read(written("sys.conllu", COREFUD))
        target = tmp_path / "again.conllu"
        lost = accord.write(chains, target)
        assert any("not on words" in sentence for sentence in lost)
        again = accord.read(target)
        assert entities(again) == [e for e in entities(chains) if e != [(2.01, 2.02)]]
        assert again.words == chains.words
        assert dict(zip(again.mentions[0], again.facts[0], strict=True))[0, 2]["head"] == 1

    def test_wrong_columns_name_their_line(self, written):
        with pytest.raises(InputError, match="3 columns where CoNLL-U has 10") as caught:
            accord.read(written("x.conllu", "# global.Entity = eid\n1\ta\tEntity=(e1)\n\n"))
        assert caught.value.line == 2


class TestClustersJson:
    SAME = (
        {"documents": {"d": [[[0, 2], [3, 4]], [[3, 5]]]}},
        {"documents": {"d": {"A": [[[0, 2], [3, 4]], [[3, 5]]]}}},
        {"unit": "x", "documents": {"d": {"tokens": 5, "clusters": {"A": [[[0, 2], [3, 4]], [[3, 5]]]}}}},
        {"documents": {"d": {"tokens": list("abcde"), "clusters": [[[0, 2], [3, 4]], [[3, 5]]]}}},
    )  # fmt: skip

    @pytest.mark.parametrize("layout", SAME)
    @pytest.mark.parametrize("name", ["A.json", "A.json.gz"])
    def test_layouts_of_documents(self, written, layout, name):
        chains = accord.read(written(name, json.dumps(layout)))
        assert (chains.documents, chains.annotators) == (("d",), ("A",))
        assert entities(chains) == [[(0, 2), (3, 4)], [(3, 5)]]

    def test_a_bare_list_of_clusters(self, written):
        chains = accord.read(written("k.json", '[["a", "b"], ["c"]]'))
        assert (chains.documents, entities(chains)) == (("document",), [["a", "b"], ["c"]])

    def test_scorch_clusters_and_graph(self, written):
        one = written("k.json", '{"type": "clusters", "clusters": {"1": ["a", "b"], "2": ["c"]}}')
        graph = {"type": "graph", "mentions": ["a", "b", "c"], "links": [["a", "b"]]}
        two = written("s.json", json.dumps(graph))
        assert entities(accord.read(one)) == entities(accord.read(two)) == [["a", "b"], ["c"]]
        graph["links"] = [["a", "z"]]
        with pytest.raises(InputError, match="link"):
            accord.read(written("s.json", json.dumps(graph)))

    def test_json_lines(self, written):
        lines = [
            {"doc_key": "x", "sentences": [["a", "b"], ["c"]], "clusters": [[[0, 1], [2, 2]]]},
            {"doc_key": "y", "clusters": [[[0, 1]]]},
        ]
        chains = accord.read(written("k.jsonl", "\n".join(map(json.dumps, lines))))
        assert chains.documents == ("x", "y")
        assert entities(chains) == [[(0, 2), (2, 3)]]
        assert entities(chains, 1) == [[(0, 1)]]
        assert chains.words == (("a", "b", "c"), None)

    def test_several_annotators_and_an_annotator_who_marked_nothing(self, written):
        path = written("k.json", json.dumps({"documents": {"d": {"A": [["a"]], "B": []}}}))
        chains = accord.read(path)
        assert chains.annotators == ("A", "B")
        assert chains.coverage == {(0, 0), (0, 1)}
        assert accord.read(path, annotator="B").annotators == ("B",)

    @pytest.mark.parametrize(
        ("text", "says"),
        [
            ('{"documents": {"d": [[[3, 1]]]}}', r"\[3, 1\]"),
            ('{"documents": {"d": [[null]]}}', "null"),
            ('{"documents": {"d": 5}}', "does not hold clusters"),
            ('{"documents": {"d": [], "d": []}}', "'d' twice"),
            ('{"documents": {"d": [[', "is not JSON"),
            ('{"documents": {}}', "holds no document"),
        ],
    )
    def test_what_is_wrong_is_said(self, written, text, says):
        with pytest.raises(InputError, match=says):
            accord.read(written("bad.json", text))

    def test_round_trip(self, written, tmp_path):
        path = written("k.json", json.dumps({"documents": {"d": {"A": [[[0, 2], "x"]], "B": []}}}))
        chains = accord.read(path)
        accord.write(chains, tmp_path / "again.json")
        again = accord.read(tmp_path / "again.json")
        assert (again.mentions, again.coverage) == (chains.mentions, chains.coverage)


def test_real_files_of_all_formats_say_the_same(shared):
    conll = accord.read(shared / "formats/conll2012/GUM_news_worship.conll")
    corefud = accord.read(shared / "formats/conllu_corefud/GUM_news_worship.conllu")
    assert entities(conll) == entities(corefud)
    folder = shared / "chains/model_based_coref"
    together = accord.read(folder / "systems_wiki.json")
    for who in together.annotators:
        own = accord.read(folder / f"{who}_wiki-grounded-output.conll.gz")
        assert accord.score(together.select(annotators=[who]), own, "b3").value == 1
