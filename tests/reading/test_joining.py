"""Several files as one campaign: the texts of a document must be the same in all of them."""

import json

import pytest

import accord
from accord.data import Units
from accord.data.join import joined
from accord.errors import InputError
from accord.reading import read_many
from accord.reading.conversion import convert
from tests.told import told


def part(who, text, *units, length=None):
    rows = [("d", who, *u) for u in units]
    size = len(text) if text is not None else length
    return Units.from_rows(
        rows,
        texts=None if text is None else {"d": text},
        lengths={} if size is None else {"d": size},
        coverage=[("d", who)],
    )


def test_another_text_is_refused_with_the_place():
    parts = [part("A", "Anna went home.", (0, 4, "x")), part("B", "Anna goes home.", (0, 4, "x"))]
    with pytest.raises(InputError) as caught:
        joined(parts, sources=["a.xmi", "b.xmi"])
    assert str(caught.value) == (
        "b.xmi: document 'd' has another text for annotator 'B' (b.xmi) than for annotator 'A' (a.xmi): "
        "from character 5 on, 'Anna goes home.' against 'Anna went home.'; "
        "annotate the same text, or name the documents differently"
    )
    with pytest.raises(
        InputError, match=r"^document 'd' has another text for annotator 'B' than for"
    ):
        joined(parts)


def test_a_text_that_is_cut_is_another_text():
    long = "word " * 20 + "end"
    with pytest.raises(
        InputError, match="from character 99 on, '… word word' against '… word word end'"
    ):
        joined([part("A", long), part("B", long[:99])])


@pytest.mark.parametrize("texts", [("a\nb\n", "a b"), ("a b", "a\u2028b\n\n"), ("a b", "a b")])
def test_white_space_that_moves_nothing_may_differ(texts):
    data = joined([part(w, t, (0, 3, "x")) for w, t in zip("AB", texts, strict=True)])
    assert data.texts == (max(texts, key=len),)
    assert data.lengths.tolist() == [max(map(len, texts))]


UNIX, DOS, MARKED = "one\ntwo", "one\r\ntwo", "\ufeffone\ntwo"


@pytest.mark.parametrize("other", [DOS, MARKED])
def test_line_ends_and_marks_that_move_units_are_refused(other):
    parts = [part("A", UNIX, (4, 7, "x")), part("B", other, (5, 8, "x"))]
    with pytest.raises(InputError, match="save both with the same line ends and byte-order mark"):
        joined(parts)
    with pytest.raises(InputError, match="another text"):
        joined(parts[::-1])


@pytest.mark.parametrize("order", [1, -1])
@pytest.mark.parametrize("unit", [(0, 3, "x"), (5, 8, "x")])
def test_line_ends_behind_all_units_of_one_file_may_differ(unit, order):
    data = joined([part("A", UNIX, (0, 3, "x")), part("B", DOS, unit)][::order])
    assert [u.start for u in data] == [0, unit[0]]
    if unit[0]:
        assert data.texts == (DOS,)
    third = [
        part("A", UNIX, (0, 3, "x")),
        part("B", DOS, (5, 8, "x")),
        part("C", UNIX, (4, 7, "y")),
    ]
    with pytest.raises(InputError, match="another text"):
        joined(third[::order])


def test_documents_without_a_text_join_those_with_one():
    data = joined([part("A", None, (0, 3, "x")), part("B", "one")])
    assert data.texts == ("one",)


def test_lengths_that_differ_are_told():
    data = joined([part("A", None, length=9), part("B", None, length=7)])
    assert data.lengths.tolist() == [9]
    assert told(data) == ["of lengths that differ the longest is taken ('d')"]
    assert told(joined([part("A", None, length=9), part("B", None, length=9)])) == []


@pytest.mark.parametrize("name", ["brat", "glozz", "webanno-tsv3"])
def test_two_exports(name, tmp_path, accord_command):
    for who, text in (("A", "Anna went home."), ("B", "Anna went away.")):
        convert(part(who, text, (0, 4, "x")), tmp_path / who, format=name)
    with pytest.raises(
        InputError, match=r"another text for annotator 'B' \(.*B\) than .*'A' \(.*A\)"
    ):
        read_many([tmp_path / "A", tmp_path / "B"])
    run = accord_command("agree", tmp_path / "A", tmp_path / "B", "--measure", "u-alpha")
    assert run.returncode == 2
    assert "document 'd' has another text for annotator 'B'" in run.stderr


def test_two_label_studio_exports(tmp_path):
    for who, text in (("1", "Anna went home."), ("2", "Anna went away.")):
        task = {"id": 7, "data": {"text": text}, "annotations": [
            {"completed_by": int(who), "result": [{"type": "labels", "from_name": "label",
             "to_name": "text", "value": {"start": 0, "end": 4, "labels": ["x"]}}]}]}  # fmt: skip
        (tmp_path / f"{who}.json").write_text(json.dumps([task]))
    with pytest.raises(InputError, match=r"2\.json: document '7' has another text"):
        read_many([tmp_path / "1.json", tmp_path / "2.json"])


def test_a_reference_on_another_text_is_not_scored():
    with pytest.raises(InputError, match="from character 3 on"):
        accord.score(part("A", "oneX", (0, 3, "x")), part("B", "oneY", (0, 3, "x")), "f1")
