"""Every platform's export of one campaign reads as the same units, from a folder and from a zip."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import accord
from accord.errors import InputError, UsageError
from accord.formats import detect
from accord.reading import read
from accord.reading.inspection import inspect
from tests.oracles.exports import EXPORTS, MARKS, OTHER, TEXT, write_folder, write_zip
from tests.told import told

#: exports that say nothing about who saw a document and marked nothing
NO_COVERAGE = {
    "rttm", "pygamma-csv", "refi-qda", "qualcoder", "taguette", "chat", "subtitles", "audacity",
}  # fmt: skip
NO_TEXT = {"elan", "textgrid", "rttm", "pygamma-csv", "exmaralda"}


@pytest.fixture(params=EXPORTS)
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(params=["folder", "zip"])
def export(request: pytest.FixtureRequest, name: str, tmp_path: Path) -> Path:
    files = EXPORTS[name]()
    if request.param == "folder":
        return write_folder(files, tmp_path / "export")
    return write_zip(files, tmp_path / "export.zip")


def test_is_recognised_and_gives_the_same_units(name: str, export: Path) -> None:
    assert detect(export).name == name
    units = read(export)
    assert units.shape == "units"
    assert {(u.annotator, u.start, u.end, u.label) for u in units} == MARKS
    assert units.annotators == ("ann", "bob")
    first, *others = units.documents
    assert first.rpartition("/")[2] == "d1"
    if name in NO_COVERAGE:
        return
    assert [o.rpartition("/")[2] for o in others] == ["d2"]
    # Ann saw the second document and marked nothing; Bob never saw it
    assert units.coverage.tolist() == [[True, True], [True, False]]
    if name not in NO_TEXT:
        assert units.texts == (TEXT, OTHER)
        assert units.lengths.tolist() == [len(TEXT), len(OTHER)]


def test_is_inspected(name: str, export: Path) -> None:
    found = inspect(export)
    assert found.format == name
    assert found.shape == "units"
    assert found.problem is None
    assert [row["annotator"] for row in found.annotators] == ["ann", "bob"]
    assert sum(row["units"] for row in found.layers if not row["scaffolding"]) == len(MARKS)
    json.dumps(found.to_dict(), allow_nan=False)
    if name not in NO_COVERAGE:
        assert found.coverage == {"pairs": 3, "of": 4, "complete": False, "by_two_or_more": 1}
        assert found.annotators[0]["without_any"] == 1


def test_can_be_forced(name: str, export: Path) -> None:
    assert len(read(export, format=name)) == len(MARKS)


@pytest.mark.parametrize(
    ("name", "relations"),
    [
        ("brat", {"relation Visit": 1}),
        ("glozz", {"relation Visit": 1}),
        ("label-studio", {"visited": 1}),
        ("doccano", {"visits": 1}),
        ("lighttag", {"visits": 1}),
    ],
)
def test_relations_are_counted(name: str, relations: dict[str, int], tmp_path: Path) -> None:
    path = write_folder(EXPORTS[name](), tmp_path)
    assert inspect(path).relations == relations
    assert any("relations" in one and "`shape=relations`" in one for one in told(read(path)))


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("brat", "1 annotator notes (#)"),
        ("label-studio", "1 skipped (cancelled) annotations"),
        ("label-studio", "1 predictions,  `predictions=True`"),
        ("prodigy", "1 ignored tasks (answer: ignore), count as not annotated"),
        ("argilla", "1 responses with status draft"),
        ("inception", "1 document(s) are not finished; read as they are"),
        (
            "inception",
            "1 curated document(s),  `curation=include`",
        ),
    ],
)
def test_what_is_left_out_is_said(name: str, sentence: str, tmp_path: Path) -> None:
    assert sentence in told(read(write_folder(EXPORTS[name](), tmp_path)))


@pytest.mark.parametrize("name", ["label-studio", "argilla"])
def test_predictions_are_systems_when_asked_for(name: str, tmp_path: Path) -> None:
    units = read(write_folder(EXPORTS[name](), tmp_path), predictions=True)
    assert units.annotators == ("ann", "bob", "m1")


def test_curation_can_be_read_alone(tmp_path: Path) -> None:
    units = read(write_zip(EXPORTS["inception"](), tmp_path / "p.zip"), curation="only")
    assert [(u.annotator, u.start, u.end) for u in units] == [("CURATION_USER", 0, 12)]


@pytest.mark.parametrize("name", ["brat", "glozz", "gate"])
def test_a_feature_can_be_the_label(name: str, tmp_path: Path) -> None:
    feature = {"brat": "Sure", "glozz": "sure", "gate": "rule"}[name]
    value = {"brat": "high", "glozz": "yes", "gate": "hand"}[name]
    path = write_folder(EXPORTS[name](), tmp_path)
    assert value in {u.label for u in read(path, feature=feature)}
    with pytest.raises(UsageError, match="no feature 'colour'"):
        read(path, feature="colour")


def test_layers_are_never_guessed(tmp_path: Path) -> None:
    header = "#FORMAT=WebAnno TSV 3.3\n#T_SP=custom.A|value\n#T_SP=custom.B|value\n\n\n#Text=ab\n"
    path = tmp_path / "ann.tsv"
    path.write_text(header + "1-1\t0-2\tab\tx\ty\t\n")
    with pytest.raises(InputError, match=r"several layers: custom.A \(1\), custom.B \(1\).*layer"):
        read(path)
    assert [u.label for u in read(path, layer="B")] == ["y"]
    assert [u.label for u in read(path, layer="custom.A,custom.B")] == ["x", "y"]
    with pytest.raises(UsageError, match="no layer 'C'"):
        read(path, layer="C")
    assert inspect(path).problem is not None


def test_discontinuous_units_follow_the_stated_policy(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("one two three")
    (tmp_path / "a.ann").write_text("T1\tX 0 3;8 13\tone three\n")
    hull, parts, none = (
        [(u.start, u.end) for u in read(tmp_path / "a.ann", discontinuous=policy)]
        for policy in ("hull", "fragments", "drop")
    )
    assert (hull, parts, none) == ([(0, 13)], [(0, 3), (8, 13)], [])
    assert any("(`discontinuous=fragments`)" in n for n in told(read(tmp_path / "a.ann")))


def test_annotators_can_be_named_otherwise(tmp_path: Path) -> None:
    path = write_folder(EXPORTS["glozz"](), tmp_path)
    assert read(path, annotator_from="author").annotators == ("importer",)
    path = write_folder(EXPORTS["elan"](), tmp_path / "e")
    assert read(path, annotator="x", layer="ann").annotators == ("x",)
    files = EXPORTS["webanno-tsv3"]()
    path = write_folder(
        {"x/d.tsv": files["d1/ann.tsv"], "y/d.tsv": files["d1/bob.tsv"]}, tmp_path / "w"
    )
    assert read(path, annotator_from="folder").annotators == ("x", "y")


@pytest.mark.parametrize(
    ("files", "labels"),
    [
        (
            {
                "x.json": json.dumps(
                    [
                        {
                            "id": 1,
                            "data": {"text": "a"},
                            "annotations": [
                                {
                                    "completed_by": 1,
                                    "result": [
                                        {
                                            "from_name": "s",
                                            "type": "choices",
                                            "value": {"choices": ["pos"]},
                                        }
                                    ],
                                },
                                {
                                    "completed_by": 2,
                                    "result": [
                                        {
                                            "from_name": "s",
                                            "type": "choices",
                                            "value": {"choices": ["neg"]},
                                        }
                                    ],
                                },
                            ],
                        }
                    ]
                )
            },
            ("neg", "pos"),
        ),
        (
            {
                "a.jsonl": '{"id": 1, "text": "t", "label": ["pos"]}\n',
                "b.jsonl": '{"id": 1, "text": "t", "cats": ["neg"]}\n',
            },
            ("neg", "pos"),
        ),
        (
            {
                "x.jsonl": '{"text": "t", "_input_hash": 1, "_session_id": "a", "options": [],'
                ' "accept": ["pos"], "answer": "accept"}\n'
                '{"text": "t", "_input_hash": 1, "_session_id": "b", "options": [],'
                ' "accept": ["neg"], "answer": "accept"}\n'
            },
            ("neg", "pos"),
        ),
        (
            {
                "x.json": json.dumps(
                    [
                        {
                            "id": "1",
                            "text": "t",
                            "q.responses": ["pos", "neg"],
                            "q.responses.users": ["a", "b"],
                            "q.responses.status": ["submitted"] * 2,
                        }
                    ]
                )
            },
            ("neg", "pos"),
        ),
    ],
    ids=["label-studio", "doccano", "prodigy", "argilla"],
)
def test_classification_exports_are_ratings(
    files: dict[str, str], labels: tuple[str, ...], tmp_path: Path
) -> None:
    encoded = {name: text.encode() for name, text in files.items()}
    ratings = read(write_folder(encoded, tmp_path))
    assert isinstance(ratings, accord.Ratings)
    assert ratings.n_items == 1
    assert len(ratings.annotators) == 2
    assert ratings.labels == labels


def test_several_choices_are_sets(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(
        '{"id": 1, "text": "t", "label": ["x", "y"]}\n{"id": 2, "text": "u", "label": ["x"]}'
    )
    ratings = read(path)
    assert isinstance(ratings, accord.Ratings)
    assert ratings.kind == "sets"


def test_documents_without_identifier_are_matched_by_text(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text(
        '{"text": "x", "label": [[0, 1, "L"]]}\n{"text": "y", "label": []}'
    )
    (tmp_path / "b.jsonl").write_text(
        '{"text": "y", "label": []}\n{"text": "x", "label": [[0, 1, "M"]]}'
    )
    units = read(tmp_path)
    assert {(u.document, u.annotator, u.label) for u in units} == {("1", "a", "L"), ("1", "b", "M")}


def test_chains_of_webanno_and_uima(tmp_path: Path) -> None:
    tsv = (
        "#FORMAT=WebAnno TSV 3.3\n#T_CH=custom.Link|referenceRelation|referenceType\n\n\n"
        "#Text=He saw his dog\n1-1\t0-2\tHe\t*->1-1\tpers[1]\t\n1-2\t3-6\tsaw\t_\t_\t\n"
        "1-3\t7-10\this\t*->1-2|*->2-1\tposs[1]|np[2]\t\n1-4\t11-14\tdog\t*->2-1\tnp[2]\t\n"
    )
    (tmp_path / "ann.tsv").write_text(tsv)
    chains = read(tmp_path / "ann.tsv")
    assert isinstance(chains, accord.Chains)
    assert chains.clusters(0, 0) == [[(0, 2), (7, 10)], [(7, 14)]]
    units = read(tmp_path / "ann.tsv", shape="units")
    assert {(u.start, u.end, u.label) for u in units} == {
        (0, 2, "pers"),
        (7, 10, "poss"),
        (7, 14, "np"),
    }


def test_files_with_different_texts_are_different_documents(tmp_path: Path) -> None:
    files = EXPORTS["uima"]()
    path = write_folder(
        {"a.xmi": files["d1/ann.xmi"], "b.xmi": files["d2/ann.xmi"]}, tmp_path / "who"
    )
    units = read(path)
    assert (units.documents, units.annotators) == (("a", "b"), ("who",))


def test_the_same_document_with_two_texts_is_refused(tmp_path: Path) -> None:
    files = EXPORTS["brat"]()
    files["bob/d1.txt"] = "Barack ObamX 🥳 visited Paris.".encode()
    with pytest.raises(InputError, match=r"another text for document 'd1'.*from character 11"):
        read(write_folder(files, tmp_path))


def _run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "accord", *arguments], capture_output=True, text=True, check=False
    )


def test_inspect_on_the_command_line(tmp_path: Path) -> None:
    path = write_zip(EXPORTS["inception"](), tmp_path / "project.zip")
    found = json.loads(_run("inspect", str(path), "--json").stdout)
    assert found["format"] == "inception"
    assert found["coverage"]["pairs"] == 3
    shown = _run("inspect", str(path))
    assert shown.returncode == 0
    assert "custom.Span" in shown.stdout
    assert "not finished" in shown.stdout


def test_bad_input_on_the_command_line_is_one_sentence(tmp_path: Path) -> None:
    path = tmp_path / "x.ann"
    path.write_text("T1\tPER zero one\tx\n")
    result = _run("inspect", str(path))
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr.startswith("accord: ")
    assert "x.ann:1: is not a brat unit" in result.stderr
    assert result.stderr.count("\n") == 1


def test_an_export_that_rates_an_item_twice(tmp_path: Path) -> None:
    """Equal units may be stacked; two answers to one question may not."""
    rows = [
        {"text": "a", "label": "x", "answer": answer, "_annotator_id": "u", "_input_hash": 1}
        for answer in ("accept", "reject")
    ]
    path = tmp_path / "a.jsonl"
    path.write_text("\n".join(json.dumps(row) for row in rows))
    with pytest.raises(InputError, match="twice"):
        read(path, format="prodigy")
    assert len(read(path, format="prodigy", duplicates="last").items) == 1
