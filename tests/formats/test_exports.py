"""The collection of real and built exports: every file is read, or refused for a stated reason.

The built text files hold the same two annotators over one text; `built/base.csv` lists their units.
"""

from __future__ import annotations

import csv
import re
from pathlib import Path
from typing import Any

import pytest

from accord.errors import AccordError, InputError
from accord.reading import read

MOVE = ("anna", 66.0, 85.0, "MOVE")
#: numbers and codes that stand for the two annotators and labels in some exports
ANNOTATORS = {
    "1": "anna", "2": "ben", "63ad7e59-8384-53b8-b151-858107d7495f": "anna",
    "b1d59f59-048b-5639-9602-8da68cd35483": "ben", "ner-anna": "anna", "ner-ben": "ben",
    "built_anna": "anna", "built_ben": "ben", "built_v1.0_textlabels": "anna", "built_v1.2": "anna",
    "ner-reviewer": "curation", "CURATION_USER": "curation",
}  # fmt: skip
NUMBERED = {"1": "PER", "2": "LOC"}


@pytest.fixture(scope="session")
def exports(shared: Path) -> Path:
    path = shared / "exports"
    if not path.is_dir():
        pytest.skip("the collection of exports (../shared/data/exports) is not here")
    return path


def expected(exports: Path, *, move: bool, people: tuple[str, ...]) -> set[tuple[Any, ...]]:
    with (exports / "built" / "base.csv").open(encoding="utf-8") as file:
        rows = [
            r for r in csv.DictReader(file) if r["label"] != "MOVE" and r["annotator"] in people
        ]
    units = {(r["annotator"], float(r["start"]), float(r["end"]), r["label"]) for r in rows}
    return units | ({MOVE} if move and "anna" in people else set())


BOTH, ANNA, BEN = ("anna", "ben"), ("anna",), ("ben",)


@pytest.mark.parametrize(
    ("place", "people", "move", "options"),
    [
        ("built/brat_lf", BOTH, True, {}),
        ("built/brat_bom", BOTH, True, {}),
        ("built/brat_crlf", BOTH, True, {}),
        ("built/glozz", BOTH, False, {}),
        ("doccano/built_v1.0.csv", BOTH, False, {}),
        ("doccano/built_v1.0_annotations.jsonl", BOTH, False, {}),
        ("doccano/built_v1.0_textlabels.jsonl", ANNA, False, {}),
        ("doccano/built_v1.2.jsonl", ANNA, False, {}),
        ("doccano/built_v1.8_export.zip", BOTH, False, {}),
        ("doccano/built_v1.8_intent.zip", BOTH, False, {}),
        ("inception_project/built_two_annotators_json.zip", BOTH, False, {}),
        ("inception_project/built_two_annotators_xmi.zip", BOTH, False, {}),
        (
            "inception_project/built_two_annotators_xmi.zip",
            ("curation",),
            False,
            {"curation": "only"},
        ),
        ("label_studio/built_export.csv", BOTH, False, {}),
        ("label_studio/built_two_annotators.json", BOTH, False, {}),
        ("potato/v1", BOTH, False, {}),
        ("potato/v2", BOTH, False, {}),
        ("prodigy/built_two_sessions.jsonl", BOTH, False, {}),
        ("prodigy/built_review.jsonl", ("curation",), False, {}),
        ("qualcoder/doc.qda", BOTH, False, {}),
        ("refi_qda/built_two_coders.qdpx", BOTH, False, {}),
        ("spacy", BOTH, False, {"layer": "ents"}),
        ("uima_cas/built/anna.json", ANNA, False, {}),
        ("uima_cas/built/anna.xmi", ANNA, False, {}),
        ("uima_cas/built/ben.json", BEN, False, {}),
        ("uima_cas/built/ben.xmi", BEN, False, {}),
        ("webanno_tsv1", BOTH, False, {}),
    ],
)
def test_built_files_hold_the_units_of_the_table(
    exports: Path, place: str, people: tuple[str, ...], move: bool, options: dict[str, str]
) -> None:
    if place == "spacy":
        pytest.importorskip("spacy")
    units = read(exports / place, **options)
    wanted = expected(exports, move=move, people=people)
    found = set()
    first = max(units.documents, key=[u.document for u in units].count)
    for u in units:
        who = ANNOTATORS.get(u.annotator, u.annotator)
        label = NUMBERED.get(u.label or "", u.label)
        # brat names no trigger in the table: anna's T9 is the verb of an event
        if u.document == first and label in ("PER", "LOC", "MOVE") and who in people:
            found.add((who, u.start, u.end, label))
    if "brat_crlf" in place:
        wanted = {(w, s + (s > 34), e + (e > 34), x) for w, s, e, x in wanted}
    assert found == wanted
    if "potato/v2" not in place:
        assert units.texts is not None
        text = (exports / "built" / "base.txt").read_text(encoding="utf-8")
        assert (units.texts[units.documents.index(first)] or "").split() == text.split()


def test_audio_files_share_their_times(exports: Path) -> None:
    anna = {(0.0, 0.52, "PER"), (1.2, 1.75, "LOC"), (3.0, 3.4, "PER")}
    ben = {(0.0, 0.5, "PER"), (1.3, 1.8, "LOC"), (2.2, 2.6, "LOC")}
    for name, units in (("anna", anna), ("ben", ben)):
        label_track = read(exports / "audacity" / f"built_{name}.txt")
        assert {(u.start, u.end, u.label) for u in label_track} == units
        for kind in ("long", "short"):
            path = exports / "textgrid" / "built" / f"{name}_{kind}.TextGrid"
            grid = read(path, annotator_from="file", layer="entity")
            assert {(u.start, u.end, u.label) for u in grid} == units


def test_argilla_holds_three_units_each(exports: Path) -> None:
    wanted = {u for u in expected(exports, move=False, people=BOTH) if u[1] < 34}
    for name in ("v1.29_feedback_datasets.jsonl", "v1.29_feedback_records.json",
                 "v2.8_flattened.json", "v2.8_records.json"):  # fmt: skip
        units = read(exports / "argilla" / name)
        found = {(ANNOTATORS[u.annotator], u.start, u.end, u.label) for u in units}
        assert found == wanted, name
        ratings = read(exports / "argilla" / name, shape="ratings", layer="quality")
        here = [
            (ANNOTATORS[ratings.annotators[a]], ratings.labels[c])
            for i, a, c in zip(ratings.item, ratings.annotator, ratings.code, strict=True)
            if ratings.items[i] in ("doc", "1")
        ]
        assert sorted(here) == [("anna", "4"), ("ben", "2")], name
    old = read(exports / "argilla" / "v1.29_token_classification.json")
    assert {(u.annotator, u.start, u.end, u.label) for u in old} == {
        u for u in wanted if u[0] == "anna"
    }
    systems = read(exports / "argilla" / "v1.29_token_classification.json", predictions=True)
    assert systems.annotators == ("anna", "ner-v1")


def test_same_content_in_two_layouts(exports: Path) -> None:
    def units(place: str, **options: Any) -> list[tuple[Any, ...]]:
        return [(u.document, u.start, u.end, u.label) for u in read(exports / place, **options)]

    assert units("bioc/everything.json") == units("bioc/everything.xml")
    assert [
        u[1:] for u in units("textgrid/gorman/long_format.TextGrid", annotator_from="tier")
    ] == [u[1:] for u in units("textgrid/gorman/short_format.TextGrid", annotator_from="tier")]
    assert len(units("elan/built_two_annotators_utf16.eaf")) == len(
        units("elan/built_two_annotators.eaf")
    )


def test_what_some_files_show(exports: Path) -> None:
    tags = read(exports / "hf_parquet" / "wnut17_validation-00000-of-00001.parquet")
    assert tags.texts is not None
    named = [(tags.texts[tags.documents.index(u.document)] or "")[int(u.start) : int(u.end)]
             for u in tags]  # fmt: skip
    assert named[:2] == ["Redondo Beach Blvd", "Gardena"]
    nested = read(exports / "conll" / "germeval2014_test.tsv", layer="outer,inner")
    assert sorted((u.label or "") for u in nested) == ["LOC"] * 4 + ["LOCpart", "OTH"]
    stacked = read(exports / "webanno_tsv2" / "example2.tsv", layer="NamedEntity")
    assert {"ORG", "ORGpart", "PER", "LOC", "OTH"} == {u.label for u in stacked}
    chains = read(exports / "tcf" / "tcf04-karin-wl.xml", layer="references")
    assert chains.shape == "chains"
    utterances = read(exports / "chat" / "built.cha")
    assert [(u.start, u.end, u.label) for u in utterances] == [
        (0, 1200, "MOT"), (1300, 2600, "CHI"), (2700, 4000, "MOT"),
    ]  # fmt: skip
    sheet = read(exports / "xlsx" / "ratings.xlsx", layer="long")
    assert (sheet.shape, sheet.n_items, sheet.n_ratings) == ("ratings", 3, 8)
    spoken = read(exports / "label_studio" / "built_paragraphs.json")
    assert {(u.annotator, u.start, u.end, u.label) for u in spoken} == {
        ("1", 0, 3, "PER"), ("1", 24, 38, "LOC"), ("2", 0, 5, "PER"),
    }  # fmt: skip
    taguette = read(exports / "taguette" / "project.sqlite3")
    assert [(u.annotator, u.start, u.end) for u in taguette] == [
        ("anna", 0, 3), ("anna", 16, 20), ("anna", 24, 33), ("anna", 43, 49), ("anna", 43, 49),
        ("ben", 28, 33),
    ]  # fmt: skip


#: files that hold nothing to compare, or too much to choose from, and the words that say so
REFUSED = {
    r"(\.txt|\.ac)$": "is a text, without annotations|are not recognised",
    r"(codebook|highlights)\.": "codebook|neither places nor users|are not recognised",
    r"(Types?System|webannoTestTypes)\.xml$": "type system",
    r"\.xsd$": "XML schema",
    r"\.conf$": "configuration of brat",
    r"^coco/instances": "run-length encoding",
    r"^lm_eval/.*res": "no item",
    r"^promptfoo/.*(csv|yaml)$": "the last verdict and not who gave it",
    r"^promptfoo/.*json$": "holds no verdict on any item",
    r"^doccano/export_(bounding_box|segmentation)": "is not JSON",
    r"^doccano/(export|import|text).*\.(csv|xlsx)$": "are not recognised|the item is empty",
    r"webanno_3\.[46]\.\d_curated": "binary CAS only",
    r"casWithSofaDataURI": "holds no text",
    r"text_with_2_predictions": "holds no annotations|predictions",
    r"xces-basic": "no token with a tag",
    r"": r"holds several (layers|questions|sheets): .*; choose one with layer|tiers|cannot be all annotators",
}


def test_every_file_is_read_or_refused_for_a_stated_reason(exports: Path) -> None:
    refused: dict[str, str] = {}
    count = 0
    for path in sorted(p for p in exports.rglob("*") if p.is_file() and p.name != "README.md"):
        name = path.relative_to(exports).as_posix()
        if path.suffix == ".spacy":
            pytest.importorskip("spacy")
        count += 1
        try:
            read(path)
        except AccordError as problem:
            refused[name] = str(problem)
    unexplained = {
        name: sentence
        for name, sentence in refused.items()
        if not any(
            re.search(pattern, name) and re.search(words, sentence)
            for pattern, words in REFUSED.items()
        )
    }
    assert unexplained == {}
    assert count > 230
    assert count - len(refused) > 150


def test_garbage_is_refused_in_a_sentence(tmp_path: Path) -> None:
    for name, data in {
        "a.spacy": b"\x78\x9c broken",
        "b.xlsx": b"PK\x03\x04 broken",
        "c.qda": b"SQLite format 3\0 code_text code_name",
        "d.vtt": b"WEBVTT\n\nno cue\n",
        "e.cha": b"@Begin\n*CHI:\thello .\n@End\n",
        "f.exb": b"<basic-transcription><head/></basic-transcription>",
        "g.xml": b"<cesDoc><text/></cesDoc>",
    }.items():
        path = tmp_path / name
        path.write_bytes(data)
        with pytest.raises((InputError, AccordError)):
            read(path)
