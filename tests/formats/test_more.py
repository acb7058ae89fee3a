"""Formats that hold no campaign of units, or more than one layout: small samples written by hand."""

from __future__ import annotations

import datetime
import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

import accord
from accord.data import Units
from accord.data.reading import OpenQuestionError
from accord.errors import AccordError, InputError, MissingDependencyError, UsageError
from accord.formats import detect, write
from accord.reading import read
from accord.reading.inspection import inspect
from tests.oracles.exports import write_folder


def units(path: Path, **options: Any) -> list[tuple[str, float, float, str | None]]:
    return [(u.annotator, u.start, u.end, u.label) for u in read(path, **options)]


def cells(path: Path, **options: Any) -> dict[tuple[str, str], str]:
    data = read(path, **options)
    return {
        (str(data.items[i]), data.annotators[a]): data.labels[c]
        for i, a, c in zip(data.item, data.annotator, data.code, strict=True)
    }


# --- Excel -----------------------------------------------------------------------------------------


def workbook(path: Path, **sheets: list[list[Any]]) -> Path:
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    book.save(path)
    return path


LONG = [["item", "annotator", "rating"], ["e1", "A", 1], ["e1", "B", 2.0], ["e2", "A", " 3 "]]


def test_a_sheet_is_a_table(tmp_path: Path) -> None:
    path = workbook(tmp_path / "r.xlsx", ratings=[["Essays"], [], *LONG, [], ["e2", "B", "=1+1"]])
    assert detect(path).name == "excel"
    found = read(path)
    assert cells(path) == {("e1", "A"): "1", ("e1", "B"): "2", ("e2", "A"): "3"}
    assert found.reading.left_out[0].what == "1 row above the header"
    assert any("1 formula(s) were saved without a value" in note for note in found.notes)
    assert inspect(path).format == "excel"


def test_sheets_are_never_guessed(tmp_path: Path) -> None:
    openpyxl = pytest.importorskip("openpyxl")
    path = workbook(tmp_path / "r.xlsx", one=LONG, two=LONG[:2], empty=[], hidden=[["do", "not"]])
    book = openpyxl.load_workbook(path)
    book["hidden"].sheet_state = "hidden"
    book.save(path)
    with pytest.raises(InputError, match="several sheets: 'one', 'two'; choose one with layer"):
        read(path)
    assert len(cells(path, layer="two")) == 1
    assert "sheet 'one'" in [x.what for x in read(path, layer="two").reading.left_out]
    with pytest.raises(UsageError, match="no sheet 'hidden'"):
        read(path, layer="hidden")


def test_what_a_sheet_must_not_have(tmp_path: Path) -> None:
    path = tmp_path / "r.xlsx"
    for rows, problem in [
        ([[*LONG[0], None, "x"], *LONG[1:]], "column 4 has no name"),
        ([LONG[0], [*LONG[1], "stray"]], "right of the last column"),
        ([["item", "item", "value"], ["e", "A", 1]], "two columns called 'item'"),
        ([], "no visible sheet with cells"),
    ]:
        workbook(path, s=rows)
        with pytest.raises(InputError, match=problem):
            read(path)
    path.write_bytes(b"PK\x03\x04 no workbook")
    with pytest.raises(InputError, match="not a sound zip archive"):
        read(path)
    (tmp_path / "old.xls").write_bytes(b"\xd0\xcf\x11\xe0")
    with pytest.raises(InputError, match="is an old Excel workbook"):
        read(tmp_path / "old.xls")


def test_dates_and_truth_are_text(tmp_path: Path) -> None:
    day = datetime.datetime(2024, 5, 2)
    path = workbook(tmp_path / "r.xlsx", s=[["item", "annotator", "value"], [day, "A", True]])
    assert cells(path) == {("2024-05-02", "A"): "true"}


def test_excel_is_written_and_read_back(tmp_path: Path) -> None:
    pytest.importorskip("openpyxl")
    data = Units.from_rows([("d", "A", 0, 3, "=SUM(A1)"), ("d", "B", 0, 4, "ß")])
    assert write(data, tmp_path / "u.xlsx") == []
    assert units(tmp_path / "u.xlsx") == [("A", 0, 3, "=SUM(A1)"), ("B", 0, 4, "ß")]
    bad = Units.from_rows([("d", "A", 0, 3, "a\x01b")])
    with pytest.raises(UsageError, match="no control characters"):
        write(bad, tmp_path / "v.xlsx")


def test_a_column_name_with_a_control_character_is_no_excel(tmp_path):
    pytest.importorskip("openpyxl", reason="openpyxl is not installed")
    path = tmp_path / "u.csv"
    path.write_text("document,annotator,start,end,label,no\x01te\nd,A,0,4,x,hm\nd,B,0,4,x,\n")
    with pytest.raises(UsageError, match="no control characters"):
        accord.write(accord.read(path), tmp_path / "out.xlsx")


def test_an_archive_with_a_nameless_member_is_read_without_it(tmp_path):
    import zipfile

    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("u.csv", "document,annotator,start,end,label\nd,A,0,4,x\nd,B,0,4,x\n")
        archive.writestr("?.csv", "nothing")
    # writestr refuses a nameless member: blank the name in both headers
    data = path.read_bytes().replace(b"?.csv", b"\x00.csv")
    path.write_bytes(data)
    assert len(accord.read(path)) == 2


def test_excel_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    path = workbook(tmp_path / "r.xlsx", s=LONG)
    monkeypatch.setitem(sys.modules, "openpyxl", None)
    with pytest.raises(MissingDependencyError, match=r"accord\[excel\]"):
        read(path)


def test_a_workbook_in_a_folder_and_a_zip(tmp_path: Path) -> None:
    (tmp_path / "f").mkdir()
    path = workbook(tmp_path / "f" / "r.xlsx", s=LONG)
    assert len(cells(tmp_path / "f")) == 3
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.write(path, "r.xlsx")
    assert len(cells(tmp_path / "a.zip")) == 3


# --- Hugging Face ----------------------------------------------------------------------------------

ROW = {"id": "1", "tokens": ["in", "New", "York"], "ner_tags": ["O", "B-LOC", "I-LOC"]}


def test_tokens_with_tags(tmp_path: Path) -> None:
    path = tmp_path / "ann.jsonl"
    path.write_text(json.dumps(ROW))
    assert detect(path).name == "hugging-face"
    assert units(path) == [("ann", 3, 11, "LOC")]
    assert read(path).texts == ("in New York",)
    path.write_text(json.dumps({**ROW, "ner_tags": [0, 1, 2]}))
    with pytest.raises(InputError, match="nothing that says what they mean"):
        read(path)
    path.write_text(json.dumps({**ROW, "ner_tags": ["O"]}))
    with pytest.raises(InputError, match="has 3 tokens and 1 ner_tags"):
        read(path)


def _parquet(features: dict[str, Any], **columns: list[Any]) -> bytes:
    pa = pytest.importorskip("pyarrow")
    import pyarrow.parquet as pq

    described = json.dumps({"info": {"features": features}})
    table = pa.table(columns).replace_schema_metadata({"huggingface": described})
    out = io.BytesIO()
    pq.write_table(table, out)
    return out.getvalue()


TAGS = {"feature": {"names": ["O", "B-LOC", "I-LOC"], "_type": "ClassLabel"}, "_type": "Sequence"}


def test_numbered_tags_have_names_in_the_schema(tmp_path: Path) -> None:
    data = _parquet({"ner_tags": TAGS}, tokens=[ROW["tokens"]], ner_tags=[[0, 1, 2]])
    path = tmp_path / "anna-00000-of-00001.parquet"
    path.write_bytes(data)
    assert detect(path).name == "hugging-face"
    assert units(path) == [("anna", 3, 11, "LOC")]


def test_splits_are_no_annotators_and_folders_are(tmp_path: Path) -> None:
    data = _parquet({"ner_tags": TAGS}, tokens=[ROW["tokens"]], ner_tags=[[0, 1, 2]])
    names = ["train-00000-of-00002", "train-00001-of-00002", "test-00000-of-00001"]
    path = write_folder({f"data/{n}.parquet": data for n in names}, tmp_path / "corpus")
    found = read(path)
    assert found.annotators == ("corpus",)
    assert found.documents == ("test/0", "train/0", "train/1")
    two = {f"{who}/train-00000-of-00001.parquet": data for who in ("ann", "bob")}
    assert read(write_folder(two, tmp_path / "both")).annotators == ("ann", "bob")


def test_class_labels_are_ratings(tmp_path: Path) -> None:
    label = {"label": {"names": ["neg", "pos"], "_type": "ClassLabel"}}
    data = _parquet(label, text=["good", "bad", "odd"], label=[1, 0, -1])
    (tmp_path / "ann.parquet").write_bytes(data)
    assert cells(tmp_path / "ann.parquet") == {("0", "ann"): "pos", ("1", "ann"): "neg"}


def test_a_table_of_annotators_stays_a_table(tmp_path: Path) -> None:
    value = {"value": {"names": ["a", "b"], "_type": "ClassLabel"}}
    data = _parquet(value, item=["1", "1"], annotator=["A", "B"], value=["a", "b"])
    (tmp_path / "r.parquet").write_bytes(data)
    assert detect(tmp_path / "r.parquet").name == "parquet"


def test_a_dataset_saved_to_disk(tmp_path: Path) -> None:
    pa = pytest.importorskip("pyarrow")
    table = pa.table({"tokens": [ROW["tokens"]], "ner_tags": [[0, 1, 2]]})
    out = io.BytesIO()
    with pa.ipc.new_stream(out, table.schema) as stream:
        stream.write_table(table)
    info = json.dumps({"features": {"ner_tags": TAGS}}).encode()
    files = {"data-00000-of-00001.arrow": out.getvalue(), "dataset_info.json": info}
    path = write_folder({**files, "state.json": b"{}"}, tmp_path / "saved")
    assert detect(path).name == "hugging-face"
    assert units(path) == [("saved", 3, 11, "LOC")]


# --- columns, lines, tokens ------------------------------------------------------------------------


def test_germeval(tmp_path: Path) -> None:
    path = tmp_path / "ann.tsv"
    text = "#\thttp://x\n1\tTroia\tB-OTH\tB-LOC\n2\tTraum\tI-OTH\tO\n\n#\thttp://y\n1\tBonn\tB-LOC\tO\n"
    path.write_text(text)
    assert detect(path).name == "germeval"
    with pytest.raises(InputError, match=r"several layers: inner \(1\), outer \(2\)"):
        read(path)
    assert units(path, layer="outer") == [("ann", 0, 11, "OTH"), ("ann", 12, 16, "LOC")]
    assert read(path, layer="outer").texts == ("Troia Traum\nBonn",)
    path.write_text(text.replace("B-LOC\tO", "LOC\tO"))
    with pytest.raises(AccordError):
        read(path, format="germeval", layer="outer")


def test_fasttext(tmp_path: Path) -> None:
    files = {
        "ann.txt": b"__label__a __label__b one\n__label__a two\n",
        "bob.txt": b"__label__a two\n",
    }
    path = write_folder(files, tmp_path / "f")
    assert cells(path) == {("1", "ann"): "{a, b}", ("2", "ann"): "{a}", ("2", "bob"): "{a}"}


def test_xces(tmp_path: Path) -> None:
    path = tmp_path / "ann.xml"
    path.write_text(
        '<cesDoc><text><body><p><s><t word="a" tag="D"/><t word="b" tag="N" lemma="B"/></s></p>'
        '<p><s><t word="c" tag="N"/></s></p></body></text></cesDoc>'
    )
    assert units(path) == [("ann", 0, 1, "D"), ("ann", 2, 3, "N"), ("ann", 4, 5, "N")]
    assert read(path).texts == ("a b\nc",)
    assert [u[3] for u in units(path, feature="lemma")] == [None, "B", None]
    path.write_text("<cesDoc><text><body><p>a b</p></body></text></cesDoc>")
    with pytest.raises(InputError, match="text and no token with a tag"):
        read(path)


def test_docbin(tmp_path: Path) -> None:
    spacy = pytest.importorskip("spacy")
    from spacy.tokens import DocBin

    nlp = spacy.blank("en")
    for who, end in (("ann", 3), ("bob", 2)):
        first, empty, never = (nlp(t) for t in ("in New York", "nothing here", "not seen"))
        first.ents = [first.char_span(3, 11 if end == 3 else 6, label="LOC")]
        first.cats = {"trip": 1.0, "food": 0.2}
        empty.ents = []
        DocBin(docs=[first, empty, never], store_user_data=True).to_disk(tmp_path / f"{who}.spacy")
    assert units(tmp_path) == [("ann", 3, 11, "LOC"), ("bob", 3, 6, "LOC")]
    found = read(tmp_path)
    assert found.texts is not None
    assert dict(zip(found.texts, found.coverage.any(axis=1).tolist(), strict=True))["nothing here"]
    assert "not seen" not in found.texts
    assert set(cells(tmp_path, shape="ratings").values()) == {"trip"}


def test_docbin_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    (tmp_path / "ann.spacy").write_bytes(b"\x78\x9c")
    monkeypatch.setitem(sys.modules, "spacy", None)
    with pytest.raises(MissingDependencyError, match=r"accord\[spacy\]"):
        read(tmp_path / "ann.spacy")


# --- other layouts of known platforms --------------------------------------------------------------


def test_doccano_before_and_beside(tmp_path: Path) -> None:
    old = {"id": 1, "text": "New York", "annotation_approver": None, "annotations": [
        {"label": 2, "start_offset": 0, "end_offset": 8, "user": 7},
        {"label": 1, "start_offset": 0, "end_offset": 3, "user": 8}]}  # fmt: skip
    path = tmp_path / "all.jsonl"
    path.write_text(json.dumps(old))
    assert units(path) == [("7", 0, 8, "2"), ("8", 0, 3, "1")]
    intent = {"text": "New York", "entities": [[0, 8, "LOC"]], "cats": ["trip"]}
    path.write_text(json.dumps(intent))
    assert units(path) == [("all", 0, 8, "LOC")]
    assert cells(path, shape="ratings") == {("1", "all"): "trip"}
    path.write_text('{"filename": "a.png", "label": ["cat"]}\n{"filename": "b.png", "label": []}\n')
    assert cells(path) == {("1", "all"): "cat"}
    path.write_text('{"filename": "a.png", "bbox": [{"x": 1, "label": "cat"}]}')
    with pytest.raises(InputError, match="boxes and polygons"):
        read(path)
    path.write_text('{"text": "a", "entities": [[0, 1]]}')
    with pytest.raises(InputError, match=r"not \[start, end, name\]"):
        read(path)
    table = tmp_path / "all.csv"
    head = "id,text,meta,annotation_approver,label,start_offset,end_offset,user\n"
    table.write_text(head + '1,"New\nYork",{},,2,0,8,7\n2,Bonn,{},,2,0,4,7\n')
    assert detect(table).name == "doccano-csv"
    assert [(u.document, u.annotator, u.start, u.end) for u in read(table)] == [
        ("1", "7", 0, 8), ("2", "7", 0, 4),
    ]  # fmt: skip
    table.write_text(head + "1,Bonn,{},,2,x,4,7\n")
    with pytest.raises(InputError, match="offset that is no number"):
        read(table)


def test_argilla_feedback_of_version_1(tmp_path: Path) -> None:
    span = [{"start": 0, "end": 8, "label": "LOC"}]
    values = {"ents": {"value": span}, "quality": {"value": 4}}
    record = {
        "fields": {"text": "New York"}, "external_id": "d", "suggestions": [],
        "responses": [
            {"user_id": "ann", "values": values, "status": "submitted"},
            {"user_id": "bob", "values": values, "status": "discarded"},
        ],
    }  # fmt: skip
    path = tmp_path / "r.json"
    path.write_text(json.dumps([record]))
    assert units(path) == [("ann", 0, 8, "LOC")]
    flat = {
        "text": "New York", "external_id": "d", "ents-suggestion": span,
        "ents-suggestion-metadata": {"agent": "m1"},
        "ents": [{"user_id": "ann", "value": span, "status": "submitted"}],
    }  # fmt: skip
    path.write_text(json.dumps(flat))
    assert units(path) == [("ann", 0, 8, "LOC")]
    assert read(path, predictions=True).annotators == ("ann", "m1")


def test_paragraphs_of_label_studio(tmp_path: Path) -> None:
    value = {"start": "0", "end": "1", "startOffset": 1, "endOffset": 2, "paragraphlabels": ["X"]}
    region = {"type": "paragraphlabels", "from_name": "l", "value": value}
    task = {
        "id": 1, "data": {"talk": [{"text": "Hi."}, {"text": "Ho."}]},
        "annotations": [{"completed_by": 1, "result": [region]}],
    }  # fmt: skip
    path = tmp_path / "p.json"
    path.write_text(json.dumps([task]))
    assert units(path) == [("1", 1, 6, "X")]
    assert read(path).texts == ("Hi.\nHo.",)
    value["end"] = "7"
    path.write_text(json.dumps([task]))
    with pytest.raises(InputError, match="region in the paragraph '7'"):
        read(path)


def test_short_textgrid_with_its_other_header(tmp_path: Path) -> None:
    path = tmp_path / "r.TextGrid"
    tier = '"IntervalTier"\n"ann"\n0\n2\n1\n0\n2\n"x"\n'
    path.write_text(f'File type = "ooTextFile short"\n"TextGrid"\n\n0\n2\n<exists>\n1\n{tier}')
    assert [(u.start, u.end, u.label) for u in read(path)] == [(0, 2, "x")]


def test_elan_in_utf16(tmp_path: Path) -> None:
    text = (
        '<?xml version="1.0" encoding="UTF-16"?>\n<ANNOTATION_DOCUMENT><TIME_ORDER>'
        '<TIME_SLOT TIME_SLOT_ID="a" TIME_VALUE="0"/><TIME_SLOT TIME_SLOT_ID="b" TIME_VALUE="9"/>'
        '</TIME_ORDER><TIER TIER_ID="ann"><ANNOTATION><ALIGNABLE_ANNOTATION ANNOTATION_ID="1" '
        'TIME_SLOT_REF1="a" TIME_SLOT_REF2="b"><ANNOTATION_VALUE>é</ANNOTATION_VALUE>'
        "</ALIGNABLE_ANNOTATION></ANNOTATION></TIER></ANNOTATION_DOCUMENT>"
    )
    (tmp_path / "r.eaf").write_bytes(text.encode("utf-16"))
    assert detect(tmp_path / "r.eaf").name == "elan"
    assert [(u.start, u.end, u.label) for u in read(tmp_path / "r.eaf")] == [(0, 9, "é")]


def test_files_that_stand_together_are_annotators_of_one_recording(tmp_path: Path) -> None:
    files = {f"{who}.srt": b"1\n00:00:01,000 --> 00:00:02,000\nhi\n" for who in ("ann", "bob")}
    path = write_folder(files, tmp_path / "talk")
    found = read(path)
    assert (found.documents, found.annotators) == (("talk",), ("ann", "bob"))
    assert "assumed: each file is an annotator of one recording" in str(found.reading)
    apart = read(path, annotator_from="folder")
    assert (apart.documents, apart.annotators) == (("ann", "bob"), ("talk",))


SRT = b"1\n00:00:01,000 --> 00:00:02,000\nhi\n"


@pytest.mark.parametrize(
    ("names", "patterns"),
    [
        (
            "ann/r1 ann/r2 bob/r1 bob/r2",
            ["{annotator}/{document}.srt", "{document}/{annotator}.srt"],
        ),
        ("r1/ann r1/bob r2/cy r2/dan", []),
    ],
)
def test_folders_of_recordings(names: str, patterns: list[str], tmp_path: Path) -> None:
    path = write_folder({f"{name}.srt": SRT for name in names.split()}, tmp_path / "talk")
    found = read(path)
    assert found.documents == ("r1", "r2")
    decisions = found.reading.provenance.decisions
    assert [a.option[1] for d in decisions for a in (d.taken, *d.others) if a] == patterns
    for pattern in patterns[1:]:
        assert read(path, path=pattern).annotators == ("r1", "r2")


def test_recordings_and_people_in_one_name_are_asked_about(tmp_path: Path) -> None:
    names = ("r1_ann", "r1_bob", "r2_ann", "r2_bob")
    path = write_folder({f"{name}.srt": SRT for name in names}, tmp_path / "talk")
    with pytest.raises(OpenQuestionError) as told:
        read(path)
    options = [answer.option for answer in told.value.decision.others]
    assert options[0] == ("path", "{document}_{annotator}.srt")
    found = read(path, path=str(options[0][1]))
    assert (found.documents, found.annotators) == (("r1", "r2"), ("ann", "bob"))
    assert len(read(path, annotator_from="file").annotators) == 4


@pytest.mark.parametrize(
    ("name", "data", "words"),
    [
        ("types.xml", b"<typeSystemDescription/>", "is a UIMA type system"),
        ("codebook.qdc", b'<CodeBook xmlns="urn:QDA-XML:codebook:1.0"/>', "lists codes"),
        ("highlights.csv", b"id,document,tag,content\n1,d,x,y\n", "neither places nor users"),
        ("novel.txt", b"It was a dark and stormy night.\n", "is a text, without annotations"),
        ("r.json", b'{"results": {"arc": {"acc": 0.5}}, "versions": {}}', "no item"),
    ],
)
def test_known_and_not_read(tmp_path: Path, name: str, data: bytes, words: str) -> None:
    (tmp_path / name).write_bytes(data)
    with pytest.raises(InputError, match=words):
        accord.read(tmp_path / name)
