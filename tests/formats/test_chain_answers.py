"""References and answers in one file, documents without names, empty nodes between sentences."""

import json

import pytest

import accord

BOTH = {
    "doc_key": "d",
    "sentences": [["a", "b", "c", "d"]],
    "clusters": [[[0, 0], [2, 2]], [[1, 1], [3, 3]]],
    "predicted_clusters": [[[0, 0], [3, 3]], [[1, 1], [2, 2]]],
}


def test_the_answer_of_a_record_is_scored_not_its_reference(accord_command, table):
    path = table(json.dumps(BOTH) + "\n", "both.jsonl")
    done = accord_command("score", path, path, "--measure", "muc", "--json")
    answer = json.loads(done.stdout)
    assert answer["results"][0]["value"] == 0
    left_out = {one["what"]: one["keep_with"] for one in answer["reading"]["left_out"]}
    assert left_out == {
        "predicted_clusters of 1 documents": "--predictions",
        "clusters of 1 documents": None,
    }


def test_python_reads_either_side(table):
    path = table(json.dumps(BOTH) + "\n", "both.jsonl")
    reference, answer = accord.read(path), accord.read(path, predictions=True)
    assert [(0, 1), (2, 3)] in reference.clusters(0, 0)
    assert [(0, 1), (3, 4)] in answer.clusters(0, 0)


@pytest.mark.parametrize(
    "layout",
    [
        {"documents": [{"doc_key": "d", "clusters": [[[0, 1], [2, 3]]]}]},
        {"documents": [{"id": "d", "clusters": {"e1": [[0, 1], [2, 3]]}}]},
        {"doc_key": "d", "clusters": {"e1": [[0, 1], [2, 3]]}},
        {"doc_key": "d", "clusters": [[{"start": 0, "end": 1, "type": "PER"}, {"span": [2, 3]}]]},
        {"doc_key": "d", "mention_clusters": [[[0, 1], [2, 3]]]},
        # the ends of Maverick are inclusive
        {"doc_key": "d", "clusters_token_offsets": [[[0, 0], [2, 2]]]},
    ],
)
def test_layouts_of_other_tools(table, layout):
    found = accord.read(table(json.dumps(layout), "chains.json"), format="clusters")
    assert found.documents == ("d",)
    assert found.clusters(0, 0) == [[(0, 1), (2, 3)]]


def test_annotators_are_not_taken_for_entities(table):
    layout = {"documents": {"d": {"A": [[[0, 1], [2, 3]]], "B": [[[0, 1]], [[2, 3]]]}}}
    found = accord.read(table(json.dumps(layout), "chains.json"))
    assert found.annotators == ("A", "B")


CONLLU = """# newdoc
1\ta\ta\tNOUN\t_\t_\t0\troot\t0:root\tEntity=(e1)
1.1\t_\t_\tPRON\t_\t_\t_\t_\t1:nsubj\tEntity=(e1)

0.1\t_\t_\tPRON\t_\t_\t_\t_\t1:nsubj\tEntity=(e2)
1\tb\tb\tNOUN\t_\t_\t0\troot\t0:root\tEntity=(e2)

# newdoc
1\tc\tc\tNOUN\t_\t_\t0\troot\t0:root\tEntity=(e1)

"""


def test_zeros_of_neighbouring_sentences_never_collide(table):
    found = accord.read(table(CONLLU, "zeros.conllu"))
    assert found.documents == ("document", "document 2")
    mentions = [m for entity in found.clusters(0, 0) for m in entity]
    assert len(mentions) == len(set(mentions)) == 4
    assert len(found.clusters(0, 0)) == 2
