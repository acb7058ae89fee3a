"""Nothing that changes a value is only a note: it is in the reading, with the option that says otherwise."""

import ast
import json
from pathlib import Path

import pytest

import accord
from accord.data.header import header
from accord.data.join import joined
from accord.data.ratings import Ratings
from accord.data.tables import ratings_from_long
from accord.errors import InputError, in_command
from accord.reading.read import read, read_many
from tests.told import told

ROOT = Path(accord.__file__).parent

TEXT = "Anna went to Rome and Bob stayed"


def written(folder: Path, name: str, held: object) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(held if isinstance(held, str) else json.dumps(held), encoding="utf-8")
    return path


def shown(data: accord.data.Annotations) -> str:
    """The header as it stands above a value, in one line however long."""
    return " ".join(header(data.reading, width=None, spelt=in_command))


def brat(folder: Path, *lines: str) -> Path:
    for who in ("ann", "bob"):
        written(folder, f"{who}/d.txt", TEXT)
        written(folder, f"{who}/d.ann", "\n".join(lines) + "\n")
    return folder


def test_discontinuous_units_follow_a_policy_that_the_header_names(tmp_path):
    path = brat(tmp_path, "T1\tPER 0 4;22 25\tAnna Bob", "T2\tLOC 13 17\tRome")
    both = read(path)
    assert len(both) == 4
    assert "2 discontinuous unit(s) are read from first to last" in shown(both)
    assert "otherwise --discontinuous fragments" in shown(both)
    fragments = read(path, discontinuous="fragments")
    assert len(fragments) == 6
    assert "otherwise --discontinuous hull" in shown(fragments)
    dropped = read(path, discontinuous="drop")
    assert len(dropped) == 2
    assert "left out: 2 discontinuous unit(s) (kept by --discontinuous hull)" in shown(dropped)
    assert not any(
        "discontinuous" in note for data in (both, fragments, dropped) for note in data.notes
    )


def test_relations_beside_units_are_kept_by_the_shape(tmp_path):
    path = brat(tmp_path, "T1\tPER 0 4\tAnna", "T2\tLOC 13 17\tRome", "R1\tin Arg1:T1 Arg2:T2")
    assert "left out: 2 relations, relation in (2) (kept by --shape relations)" in shown(read(path))
    asked = read(path, shape="relations")
    assert len(asked) == 2
    assert "2 relations" not in " ".join(told(asked))


def test_relations_that_lead_nowhere_are_counted(tmp_path):
    path = brat(
        tmp_path,
        *("T1\tPER 0 4\tAnna", "T2\tLOC 13 17\tRome"),
        *("R1\tin Arg1:T1 Arg2:T2", "E1\tPER:T1 Place:T9", "*\tEquiv T1 T2"),
    )
    data = read(path, shape="relations")
    lost = [x for x in data.reading.left_out if "not there" in x.why]
    assert [x.n for x in lost] == [2]
    assert "2 equivalences, groups, not relations (kept by --shape chains)" in shown(data)


def label_studio(*results: dict, **more: object) -> list[dict]:
    task = {"id": 1, "data": {"text": TEXT}}
    people = [
        {"id": i, "completed_by": who, "result": list(results)} for i, who in enumerate((7, 8))
    ]
    return [{**task, "annotations": people, **more}]


def region(start: int, end: int, label: str) -> dict:
    value = {"start": start, "end": end, "labels": [label]}
    return {"id": label, "type": "labels", "from_name": "l", "to_name": "t", "value": value}


def choice(label: str) -> dict:
    value = {"choices": [label]}
    return {"id": "c", "type": "choices", "from_name": "topic", "to_name": "t", "value": value}


def test_predictions_are_kept_by_an_option(tmp_path):
    said = label_studio(
        region(0, 4, "PER"),
        predictions=[{"model_version": "m", "result": [region(0, 3, "PER")]}],
    )
    path = written(tmp_path, "e.json", said)
    assert "left out: 1 predictions (kept by --predictions)" in shown(read(path))
    data = read(path, predictions=True)
    assert "m" in data.annotators
    assert "left out" not in shown(data)


def test_judgements_beside_units_are_kept_by_their_shape(tmp_path):
    path = written(tmp_path, "e.json", label_studio(region(0, 4, "PER"), choice("travel")))
    units, ratings = read(path), read(path, shape="ratings")
    assert "left out: 2 judgements on whole items (kept by --shape ratings)" in shown(units)
    assert "left out: 2 located units (kept by --shape units)" in shown(ratings)


def test_cancelled_tasks_and_units_without_a_label_are_counted(tmp_path):
    said = label_studio(
        region(0, 4, "PER"), {**region(13, 17, "x"), "value": {"start": 13, "end": 17}}
    )
    said[0]["annotations"].append({"id": 9, "completed_by": 9, "was_cancelled": True, "result": []})
    data = read(written(tmp_path, "e.json", said))
    assert "left out: 1 skipped (cancelled) annotations" in shown(data)


TSV = """#FORMAT=WebAnno TSV 3.3
#T_SP=custom.NE|identifier|value
#T_SP=custom.Other|kind


#Text=Anna went
1-1\t0-4\tAnna\tQ1\tPER\tx
1-2\t5-9\twent\t_\t_\t_
"""


def test_the_layer_and_the_feature_are_chosen_by_options(tmp_path):
    for who in ("ann", "bob"):
        written(tmp_path, f"annotation/d.txt/{who}.tsv", TSV)
    with pytest.raises(InputError, match="several layers"):
        read(tmp_path)
    data = read(tmp_path, layer="NE")
    assert "left out: layer custom.Other (2) (kept by --layer custom.NE,custom.Other)" in shown(
        data
    )
    assert (
        "the label of layer 'custom.NE' is its feature 'value' (otherwise --feature identifier)"
        in shown(data)
    )
    assert {u.label for u in read(tmp_path, layer="NE", feature="identifier")} == {"Q1"}


def test_points_are_kept_by_an_option(tmp_path):
    path = brat(tmp_path, "T1\tPER 0 4\tAnna", "T2\tLOC 13 13\t")
    data = read(path)
    assert "left out: 2 unit(s) of length zero (kept by --points)" in shown(data)
    assert len(read(path, points=True)) == 4


@pytest.mark.parametrize(("how", "kept"), [("first", "x"), ("last", "y"), ("mode", "y")])
def test_repeated_ratings_are_counted(how, kept, tmp_path):
    rows = "item,annotator,value\n1,A,x\n1,A,y\n1,A,y\n1,B,y\n2,A,x\n2,B,y\n"
    data = read(written(tmp_path, "r.csv", rows), duplicates=how)
    assert data.labels[data.code[0]] == kept
    (left,) = data.reading.left_out
    assert (left.what, left.n) == ("2 repeated ratings", 2)
    assert f"resolved by {how!r}" in left.why


def test_probabilities_say_what_single_answers_are(tmp_path):
    path = written(tmp_path, "s.csv", "item,annotator,p:x,p:y\n1,A,0.6,0.4\n1,B,.1,.9\n")
    assert "single answers are the most probable label" in shown(read(path))


def test_a_label_that_looks_like_several_is_one_unless_told(tmp_path):
    path = written(tmp_path, "r.csv", "item,annotator,value\n1,A,a;b\n1,B,a\n2,A,b\n2,B,b\n")
    assert "'a;b' is one label (otherwise --separator ';')" in shown(read(path))
    assert read(path, separator=";").kind == "sets"


def test_numbers_and_words_are_names_unless_a_word_is_missing(tmp_path):
    path = written(tmp_path, "r.csv", "item,annotator,value\n1,A,1\n1,B,2\n2,A,2\n2,B,odd\n")
    assert "(otherwise --missing-values odd)" in shown(read(path))
    assert read(path, missing_values=["odd"]).kind == "numbers"


def test_one_name_in_two_files_is_one_person_unless_renamed(tmp_path):
    head = "document,annotator,start,end,label\n"
    one = written(tmp_path, "r1.csv", head + "d,1,0,4,x\nd,2,0,4,x\n")
    two = written(tmp_path, "r2.csv", head + "d,1,5,9,x\n")
    data = read_many([one, two])
    assert "annotator '1', with document 'd' in two files, is one person" in shown(data)
    assert "otherwise --rename FILE:1=NAME" in shown(data)
    assert "is one person" not in shown(read_many([one, two], rename={"r2.csv:1": "3"}))


def test_parts_that_know_less_say_so():
    heavy = ratings_from_long(
        ["i", "j"], ["A", "A"], ["x", "y"], weights=[2, 1], documents=["d", "e"]
    )
    data = joined([heavy, ratings_from_long(["k", "l"], ["B", "B"], ["x", "y"])])
    assert "items of files without weights have the weight 1" in told(data)
    assert any("document of items, known in some of the files only" in one for one in told(data))


def test_a_reference_by_name_is_a_decision_and_no_note(tmp_path):
    path = written(
        tmp_path,
        "r.csv",
        "item,annotator,value\n"
        + "".join(f"{i},{who},{'xy'[i % 2]}\n" for i in range(4) for who in ("A", "B", "gold")),
    )
    data = read(path)
    assert data.annotators == ("A", "B")
    assert data.reading.to_dict()["assumed"]
    assert not [note for note in data.notes if "reference" in note]


def test_a_packed_file_in_a_folder_is_named_not_its_copy(tmp_path):
    import gzip

    for who, end in (("ann", 1), ("bob", 2)):
        record = {"doc_key": "d", "clusters": [[[0, end], [3, 3]]], "sentences": [list("wxyz")]}
        (tmp_path / f"{who}.jsonl.gz").write_bytes(gzip.compress(json.dumps(record).encode()))
    data = read(tmp_path)
    assert [Path(s.path) for s in data.reading.provenance.sources] == [
        tmp_path / "ann.jsonl.gz",
        tmp_path / "bob.jsonl.gz",
    ]


@pytest.mark.parametrize(
    ("matrix", "options", "scale", "words"),
    [
        ([[1, 2, 3], [1, 2, 2]], {}, "numbers", "are numbers"),
        ([[0, 1, 0], [0, 1, 1]], {}, "numbers", "whatever they mean"),
        ([list("abc"), list("abb")], {}, "names", "names without order"),
        ([list("abc"), list("abb")], {"categories": list("abc")}, "names", "names without order"),
        (
            [list("abc"), list("abb")],
            {"categories": list("abc"), "ordered": True},
            "ordered",
            "are ordered",
        ),
        ([[{"a"}, {"b"}], [{"a"}, {"a", "b"}]], {}, "sets", "sets of labels"),
        ([[(1.0, 2.0), (2.0, 3.0)], [(1.0, 2.0), (3.0, 4.0)]], {}, "vectors", "are vectors"),
        ([[1, "x", 3], [1, "x", 2]], {}, "names", "names without order"),
    ],
)  # fmt: skip
def test_why_a_measure_was_chosen_speaks_of_the_scale_of_the_header(matrix, options, scale, words):
    from accord.study.choice import choose

    data = Ratings.from_matrix(matrix, orientation="annotators", **options)
    assert data.reading.scale == scale
    assert words in choose(data).why


#: what stays a note in reading and formats, and why it changes no value
NOTES = {
    "formats/corpora/brat.py": "texts that are not there: offsets are read as they are, unchecked",
    "formats/corpora/glozz.py": "a text that is missing or another one: offsets stay as they are",
    "formats/corpora/tei.py": "what checking offsets against the text found",
    "formats/corpora/webanno_tsv3.py": "sentences that do not fit: offsets are read unchecked",
    "formats/coreference/conll2012.py": "links are kept beside the chains, for their own measures",
    "formats/coreference/corefud.py": "links are kept beside the chains, for their own measures",
    "formats/export.py": "what checking offsets against the text found",
    "formats/offsets.py": "units that do not match their covered text stay where they are",
    "formats/platforms/tagtog.py": "texts that are not there: offsets are read unchecked",
    "reading/file.py": "files of other kinds, and what could not be opened",
    "reading/frame.py": "passes on notes, and says which engine counted",
    "reading/inspection.py": "inspection shows the notes of others",
    "reading/layers.py": "passes on the notes of the export",
    "reading/layout.py": "counts do not say who gave what: measures that need it refuse",
    "reading/located.py": "passes on the notes of the table",
    "reading/read.py": "an option by its older name",
    "reading/relations.py": "passes on the notes of the export",
    "reading/request.py": "an option by its older name",
    "reading/shape.py": "passes on the notes of the table",
    "reading/together.py": "passes on the notes of the tables",
    # read by their own tests
    "formats/places.py": "how files name annotators",
    "formats/speech/tiers.py": "how tiers name annotators",
    "formats/tables/excel.py": "sheets and rows above the header",
    "reading/folders.py": "files that are not read",
}  # fmt: skip


def noting(path: Path) -> bool:
    """Whether a module makes or passes on notes: appends to some, or gives them as a keyword."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.keyword) and node.arg == "notes":
            empty = isinstance(node.value, ast.Tuple) and not node.value.elts
            if not empty:
                return True
        if isinstance(node, ast.Attribute) and node.attr in ("append", "extend"):
            of = node.value
            if getattr(of, "id", getattr(of, "attr", "")) == "notes":
                return True
    return False


def test_notes_are_made_only_where_they_change_no_value():
    found = {
        path.relative_to(ROOT).as_posix()
        for room in ("reading", "formats")
        for path in (ROOT / room).rglob("*.py")
        if noting(path)
    }
    assert found <= set(NOTES)


def test_one_thing_is_no_plural_and_empty_cells_are_counted_once():
    item, who = ["i", "i", "i", "j", "j"], ["A", "A", "B", "A", "B"]
    data = accord.read(
        {"item": item, "annotator": who, "value": ["x", "y", "x", "y", "NA"]}, duplicates="last"
    )
    assert data.reading.left_out[0].what == "1 repeated rating"
    assert data.reading.provenance.missing == {"NA": 1}
    assert data.notes == ()


def test_words_for_no_value_stand_in_the_order_of_the_data():
    cells = ["#N/A", "NA", "NULL", "null", "n/a", "1", "2", "1"]
    for words in (cells, cells[::-1]):
        columns = {"item": list(range(8)), "annotator": ["A"] * 8, "value": words}
        found = accord.read(columns).reading.provenance.missing
        assert list(found) == [w for w in words if w in found]
        assert len(found) == 5
