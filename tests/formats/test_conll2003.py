"""Token rows with BIO, IOB1, IOBES and BILOU tags."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import accord
from accord.data import Units
from accord.errors import InputError, UsageError
from accord.formats.tags.tags import from_tags, spans_of
from accord.reading.conversion import convert
from tests.told import told

TEXT = """-DOCSTART- -X- O O

EU NNP I-NP B-ORG
rejects VBZ I-VP O
German JJ I-NP B-MISC

Peter NNP I-NP B-PER
Blackburn NNP I-NP I-PER

-DOCSTART- -X- O O

Brussels NNP I-NP B-LOC
"""


def test_documents_sentences_and_columns(tmp_path):
    path = tmp_path / "gold.conll"
    path.write_text(TEXT)
    data = accord.read(path)
    assert data.annotators == ("gold",)
    assert [(u.document, u.start, u.end, u.label) for u in data] == [
        ("document 1", 0, 1, "ORG"),
        ("document 1", 2, 3, "MISC"),
        ("document 1", 3, 5, "PER"),
        ("document 2", 0, 1, "LOC"),
    ]
    assert data.lengths.tolist() == [5, 1]
    assert accord.read(path, layer="sentence").documents == (
        "sentence 1",
        "sentence 2",
        "sentence 3",
    )
    chunks = accord.read(path, feature="3")
    assert chunks.categories == ("NP", "VP")
    assert len(chunks) == 5


def test_a_document_may_start_without_a_blank_line_and_a_token_may_be_a_hash(tmp_path):
    path = tmp_path / "a.conll"
    path.write_text("-DOCSTART- O\n# 1 B-X\nw O\n-DOCSTART- O\n# a comment\nw B-Y\n")
    data = accord.read(path)
    assert [(u.document, u.start, u.label) for u in data] == [
        ("document 1", 0, "X"),
        ("document 2", 0, "Y"),
    ]
    assert data.lengths.tolist() == [2, 1]


@pytest.mark.parametrize(
    ("tags", "spans"),
    [
        ("B-X I-X B-X", [(0, 2, "X"), (2, 3, "X")]),
        ("I-X I-X B-X", [(0, 2, "X"), (2, 3, "X")]),
        ("B-X E-X S-X", [(0, 2, "X"), (2, 3, "X")]),
        ("B-X L-X U-X", [(0, 2, "X"), (2, 3, "X")]),
        ("B-X I-Y", [(0, 1, "X"), (1, 2, "Y")]),
        ("S-X I-X", [(0, 1, "X"), (1, 2, "X")]),
        ("O O", []),
        ("B I O B", [(0, 2, None), (3, 4, None)]),
        ("B-LOC-GPE I-LOC-GPE", [(0, 2, "LOC-GPE")]),
    ],
)
def test_tags(tags, spans):
    assert spans_of(tags.split()) == spans


def test_what_is_told(tmp_path):
    path = tmp_path / "a.conll"
    path.write_text("w I-X\nw O\n")
    (means,) = told(accord.read(path))
    assert means.startswith("1 spans that begin with a tag which continues one")
    path.write_text("w B-X\nw noun\n")
    with pytest.raises(InputError, match=r"a.conll:2: 'noun' is not a span tag"):
        accord.read(path, format="conll2003")
    path.write_text("w B-X\nB-Y\n")
    with pytest.raises(InputError, match=r":2: "):
        accord.read(path, format="conll2003")
    path.write_text("\n\n")
    with pytest.raises(InputError, match="has no token"):
        accord.read(path, format="conll2003")
    path.write_bytes(b"w\xff B-X\n")
    with pytest.raises(InputError, match="UTF-8"):
        accord.read(path, format="conll2003")


def test_one_file_a_side_through_the_command_line(tmp_path, accord_command):
    for name, tags in (("gold", "B-X I-X O B-Y"), ("sys", "B-X I-X O O")):
        (tmp_path / name).with_suffix(".conll").write_text(
            "\n".join(f"w {t}" for t in tags.split()) + "\n"
        )
    run = accord_command(
        "score", tmp_path / "gold.conll", tmp_path / "sys.conll", "--measure", "f1", "--json"
    )
    assert run.returncode == 0, run.stderr
    assert '"value": 0.6666666666666666' in run.stdout


TAGS = ["O", "B-x", "I-x", "E-x", "S-x", "I-y", "B", "I", "U-y", "L-y", "M-x"]


@given(st.lists(st.lists(st.sampled_from(TAGS), max_size=8), max_size=5))
@settings(max_examples=100, deadline=None)
def test_tags_of_many_documents_are_cut_as_one_by_one(sequences):
    found = from_tags(sequences, annotator="who")
    rows = [(u.document, int(u.start), int(u.end), u.label) for u in found]
    expected = [(str(d), s, e, x) for d, tags in enumerate(sequences) for s, e, x in by_hand(tags)]
    assert sorted(rows, key=str) == sorted(expected, key=str)


def test_from_tags_is_canonical():
    tags = [["B-b", "O"], ["O"], [], ["B-a", "I-a", "I"]]
    found = from_tags(tags, annotator="who", names=["d10", "d9", "empty", "d1"])
    rows = [(u.document, u.annotator, u.start, u.end, u.label) for u in found]
    same = Units.from_rows(
        rows,
        lengths={"d10": 2, "d9": 1, "d1": 3},
        coverage=[(d, "who") for d in ("d10", "d9", "empty", "d1")],
    )
    for name in ("documents", "annotators", "categories"):
        assert getattr(found, name) == getattr(same, name)
    for name in ("document", "annotator", "start", "end", "label", "coverage", "lengths"):
        np.testing.assert_array_equal(getattr(found, name), getattr(same, name))
        assert getattr(found, name).dtype == getattr(same, name).dtype
    with pytest.raises(InputError, match="two sequences"):
        from_tags([["O"], ["O"]], names=["d", "d"])


def by_hand(tags):
    """conlleval's rules, token by token."""
    spans, open_span, before = [], None, None
    for i, tag in enumerate([*tags, "O"]):
        sign, _, kind = tag.partition("-")
        kind = kind or None
        goes_on = (
            sign in "IELM" and before in ("B", "I", "M") and open_span and open_span[1] == kind
        )
        if open_span and not goes_on:
            spans.append((open_span[0], i, open_span[1]))
            open_span = None
        if sign != "O" and not goes_on:
            open_span = (i, kind)
        before = sign
    return spans


TEXTS = {"a": "Bob saw Ann Lee.\nIn Paris", "b (2)": "Nothing here", "c": " \n"}


def _campaign():
    return Units.from_rows(
        [
            ("a", "ann", 0, 3, "PER"),
            ("a", "ann", 8, 15, "PER"),
            ("a", "ann", 8, 11, "FIRST"),
            ("a", "ann", 20, 25, "two words"),
            ("a", "bob", 12, 15, None),
        ],
        texts=TEXTS,
        lengths={d: len(t) for d, t in TEXTS.items()},
        coverage=[("a", "ann"), ("b (2)", "ann"), ("c", "ann"), ("a", "bob")],
    )


ANN = """-DOCSTART- (a) -X- O

Bob -X- -X- B-PER
saw -X- -X- O
Ann -X- -X- B-PER
Lee -X- -X- I-PER
. -X- -X- O

In -X- -X- O
Paris -X- -X- B-two_words

-DOCSTART- (b (2)) -X- O

Nothing -X- -X- O
here -X- -X- O

-DOCSTART- (c) -X- O

"""


def test_written_as_tokens_that_all_annotators_share(tmp_path):
    lost = convert(_campaign(), tmp_path / "out", format="conll2003")
    assert sorted(p.name for p in (tmp_path / "out").iterdir()) == ["ann.conll", "bob.conll"]
    assert (tmp_path / "out/ann.conll").read_text() == ANN
    back = accord.read(tmp_path / "out")
    assert [tuple(u) for u in back] == [
        ("a", "ann", 0, 1, "PER"),
        ("a", "ann", 2, 4, "PER"),
        ("a", "ann", 6, 7, "two_words"),
        ("a", "bob", 3, 4, None),
    ]
    assert back.documents == ("a", "b (2)", "c")
    assert back.coverage.tolist() == [[True, True], [True, False], [True, False]]
    assert lost[:3] == [
        "label 'two words' is written 'two_words': tags have no blanks",
        "the texts, and offsets in characters: what is read back counts the tokens written",
        "1 units that overlap another of the same annotator that is longer or first: "
        "a token has one tag",
    ]
    sentences = accord.read(tmp_path / "out", layer="sentence").documents
    assert sentences == ("a, sentence 1", "a, sentence 2", "b (2), sentence 1")


def test_of_units_that_overlap_the_longest_is_kept(tmp_path):
    rows = [(0, 3, "a"), (2, 6, "b"), (5, 7, "c"), (6, 8, "d"), (6, 8, "e"), (9, 9, "point")]
    data = Units.from_rows([("d", "w", *r) for r in rows], points=True, lengths={"d": 10})
    lost = accord.write(data, tmp_path / "w.conll")
    assert [(u.start, u.end, u.label) for u in accord.read(tmp_path / "w.conll")] == [
        (2, 6, "b"),
        (6, 8, "d"),
    ]
    assert [s.split(":")[0] for s in lost] == [
        "1 units that have length zero",
        "3 units that overlap another of the same annotator that is longer or first",
    ]


def test_tokens_that_would_be_read_as_something_else(tmp_path):
    text = "-DOCSTART- # B-X \u2028 O"
    data = Units.from_rows([("d", "w", 11, 12, "X")], texts={"d": text}, lengths={"d": len(text)})
    accord.write(data, tmp_path / "w.conll")
    back = accord.read(tmp_path / "w.conll")
    assert [tuple(u) for u in back] == [("d", "w", 1, 2, "X")]
    assert back.lengths.tolist() == [4]


def test_an_annotator_who_marked_nothing_has_a_file_that_is_read(tmp_path):
    data = Units.from_rows(
        [("d", "A", 0, 1, "x")], lengths={"d": 2}, coverage=[("d", "A"), ("d", "B")]
    )
    assert convert(data, tmp_path / "out", format="conll2003") == []
    assert accord.read(tmp_path / "out").annotators == ("A", "B")
    assert accord.read(tmp_path / "out/B.conll").annotators == ("B",)


def test_what_cannot_be_written(tmp_path):
    with pytest.raises(UsageError, match=r"out.conll can hold one annotator, but there are 2"):
        accord.write(_campaign(), tmp_path / "out.conll")
    seconds = Units.from_rows([("d", "A", 0, 1.5, "x")])
    with pytest.raises(UsageError, match="counts tokens, but some offsets are not whole"):
        accord.write(seconds, tmp_path / "out.conll")
    long = Units.from_rows([("d", "A", 0, 10_000_000, "x")])
    with pytest.raises(UsageError, match="too long to be written as tokens"):
        accord.write(long, tmp_path / "out.conll")
    assert list(tmp_path.iterdir()) == []


def test_names_of_documents(tmp_path):
    path = tmp_path / "a.conll"
    path.write_text("-DOCSTART- (1 EU)\n\nw B-X\n-DOCSTART- -X- O O\nw O\n")
    assert accord.read(path).documents == ("1 EU", "document 2")
    path.write_text("w O\n\n-DOCSTART- (x) O\n\nw B-X\n-DOCSTART- (x) O\nw O\n")
    with pytest.raises(InputError, match=r"a.conll:6: document 'x' begins twice"):
        accord.read(path)


def test_the_command_line_writes_tags_for_units(tmp_path, accord_command):
    table = tmp_path / "units.csv"
    table.write_text(
        "document,annotator,start,end,label\nd,A,0,2,x\nd,A,2,3,x\nd,B,1,3,y\ne,A,0,1,y\n"
        "e,B,0,1,y\n"
    )
    run = accord_command("convert", table, tmp_path / "out", "--to", "conll2003", "--json")
    assert run.returncode == 0, run.stderr
    assert json.loads(run.stdout)["lost"] == []
    assert [tuple(u) for u in accord.read(tmp_path / "out")] == [
        tuple(u) for u in accord.read(table)
    ]
    one = tmp_path / "one.csv"
    one.write_text("document,annotator,start,end,label\nd,A,0,2,x\n")
    run = accord_command("convert", one, tmp_path / "A.conll")
    assert run.returncode == 0, run.stderr
    assert (tmp_path / "A.conll").read_text() == (
        "-DOCSTART- (d) -X- O\n\n_ -X- -X- B-x\n_ -X- -X- I-x\n\n"
    )
