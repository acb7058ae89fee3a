"""Heads from the trees of CoNLL-2012 files, and minimum spans by them."""

from __future__ import annotations

import pytest

import accord
from accord.formats.coreference.phrase_heads import head_of, phrases

#: word, tag, tree of "the old man in the garden 's wall saw it"
SENTENCE = [
    ("the", "DT", "(TOP(S(NP(NP*"), ("old", "JJ", "*"), ("man", "NN", "*)"), ("in", "IN", "(PP*"),
    ("the", "DT", "(NP(NP*"), ("garden", "NN", "*"), ("'s", "POS", "*)"), ("wall", "NN", "*)))"),
    ("saw", "VBD", "(VP*"), ("it", "PRP", "(NP*))))"),
]  # fmt: skip


def file(tmp_path, name, brackets, sentence=SENTENCE):
    rows = [
        "\t".join(["doc", "0", str(i), word, tag, tree, "-", "-", "-", "-", "*", cell])
        for i, ((word, tag, tree), cell) in enumerate(zip(sentence, brackets, strict=True))
    ]
    path = tmp_path / name
    text = "#begin document (doc); part 000\n" + "\n".join(rows) + "\n\n#end document\n"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("mention", "head"),
    [
        ((0, 8), 2), ((0, 3), 2), ((1, 3), 2), ((4, 8), 7),
        ((4, 7), 6), ((9, 10), 9), ((0, 10), 8), ((2, 4), 2),
    ],
)  # fmt: skip
def test_heads_of_phrases_and_of_parts_of_them(mention, head):
    trees = phrases([(tag, tree) for _, tag, tree in SENTENCE], 0)
    assert trees is not None
    assert head_of(mention, trees) == head


@pytest.mark.parametrize("pieces", [["(NP*", "*"], ["*)"], ["NP*"], ["(NP*))"]])
def test_brackets_that_do_not_match_make_no_tree(pieces):
    assert phrases([("NN", p) for p in pieces], 0) is None


def test_minimum_spans_forgive_what_surrounds_the_head(tmp_path):
    whole = ["(1", "-", "-", "-", "-", "-", "-", "1)", "-", "(1)"]
    short = ["(1", "-", "1)", "-", "-", "-", "-", "-", "-", "(1)"]
    key = accord.read(file(tmp_path, "key.conll", whole))
    response = accord.read(file(tmp_path, "response.conll", short))
    assert {m: f["head"] for m, f in zip(key.mentions[0], key.facts[0], strict=True)} == {
        (0, 8): 2, (9, 10): 9,
    }  # fmt: skip
    assert accord.score(key, response, "muc").value == 0
    assert accord.score(key, response, "muc", min_spans=True).value == 1


def test_a_broken_tree_gives_no_head_and_no_error(tmp_path):
    broken = [(w, t, "(NP*" if i == 0 else "*") for i, (w, t, _) in enumerate(SENTENCE)]
    data = accord.read(file(tmp_path, "b.conll", ["(1)", *["-"] * 8, "(1)"], broken))
    assert data.facts is None or not any(f.get("head") for f in data.facts[0])
