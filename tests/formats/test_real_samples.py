"""The real samples, one for each format, with what can be seen in them."""

from __future__ import annotations

from pathlib import Path

import pytest

from accord.formats import detect
from accord.reading import read
from accord.reading.inspection import inspect


@pytest.fixture(scope="session")
def samples(shared: Path) -> Path:
    return shared / "formats"


@pytest.mark.parametrize(
    ("place", "name", "annotators", "units", "options"),
    [
        ("argilla", "argilla", 2, 3, {}),
        ("brat", "brat", 4, 110, {}),
        ("csv_long/AlexPaulSuzan.csv", "pygamma-csv", 3, 16, {}),
        ("doccano/export_relation_extraction.jsonl", "doccano", 1, 4, {}),
        ("doccano/export_sequence_labeling.jsonl", "doccano", 1, 4, {}),
        ("elan", "elan", 3, 4, {}),
        ("gate_xml", "gate", 1, 11, {"layer": "scaffolding", "feature": "kind"}),
        ("label_studio/handmade_ner_two_annotators.json", "label-studio", 2, 3, {}),
        ("lighttag", "lighttag", 1, 11, {}),
        ("praat_textgrid", "textgrid", 3, 4, {}),
        ("prodigy/annotated_news_headlines_head3.jsonl", "prodigy", 1, 5, {}),
        ("prodigy/handmade_two_annotators.jsonl", "prodigy", 2, 2, {}),
        ("rttm", "rttm", 1, 2, {}),
        ("tei", "tei", 1, 9, {}),
        ("uima_cas/xmi_small_cas.xmi", "uima", 1, 11, {"layer": "Token", "feature": "pos"}),
        ("webanno_tsv3/simpleRelTypeDiffTest", "webanno-tsv3", 2, 4, {}),
        ("webanno_tsv3/simpleSpanDiffWithLabelTest", "webanno-tsv3", 2, 2, {}),
        ("webanno_tsv3/testSubMultiTokenSpanWithFeatureValue.tsv", "webanno-tsv3", 1, 9, {}),
        ("webanno_tsv3/testTokenBoundedStackedSpanWithFeatureValue.tsv", "webanno-tsv3", 1, 10, {}),
    ],
)
def test_units(
    samples: Path, place: str, name: str, annotators: int, units: int, options: dict[str, str]
) -> None:
    if not (samples / place).exists():
        pytest.skip(f"the sample {place} is not here")
    assert detect(samples / place).name == name
    data = read(samples / place, **options)
    assert (len(data.annotators), sum(u.label is not None or not options for u in data)) == (
        annotators,
        units,
    )
    assert not [note for note in data.notes if "should cover" in note]
    assert inspect(samples / place).format == name


@pytest.mark.parametrize(
    ("place", "items"),
    [
        ("doccano/export_text_classification.jsonl", 3),
        ("label_studio/previous_export.json", 1),
        ("label_studio/tasks_annotations_predictions.json", 3),
    ],
)
def test_ratings(samples: Path, place: str, items: int) -> None:
    data = read(samples / place)
    assert (data.shape, len(data.items)) == ("ratings", items)


def test_covered_texts_of_the_samples(samples: Path) -> None:
    """Emoji in a JSON CAS, collapsed white space in TEI: the offsets point to whole words."""
    emoji = "json_fs_as_array_ser-ref_casWithEmojiUnicodeTextAndAnnotations_data.json"
    units = read(samples / "uima_cas" / emoji)
    text = units.texts[0]
    covered = [text[int(u.start) : int(u.end)] for u in units]
    assert covered == text.split(" ")
    units = read(samples / "tei")
    covered = [units.texts[0][int(u.start) : int(u.end)] for u in units]
    assert covered[:4] == ["Germany", "England", "March", "Legoland"]


def test_subtokens_and_stacks(samples: Path) -> None:
    units = read(samples / "webanno_tsv3/testSubMultiTokenSpanWithFeatureValue.tsv", points=True)
    assert {(u.start, u.end, u.label) for u in units} == {
        (0, 6, "1"), (0, 13, "2"), (0, 10, "7"), (3, 17, "9"), (3, 13, "6"), (3, 10, "8"),
        (7, 11, "4"), (7, 7, "11"), (9, 13, "5"), (9, 11, "3"), (10, 10, "10"), (13, 13, "12"),
    }  # fmt: skip


def test_chains(samples: Path) -> None:
    chains = read(samples / "webanno_tsv3/testSimpleChain.tsv")
    assert chains.clusters(0, 0) == [[(0, 4), (5, 7), (8, 9)]]


def test_parts_of_tokens_and_layers_over_each_other(tmp_path: Path) -> None:
    """The same, in a file of our own: a stack on a token, its parts, and a mark across two."""
    rows = ["1-1\t0-4\tUndo\ta[1]|b[2]\t", "1-1.1\t0-2\tUn\tc\t", "1-1.2\t2-4\tdo\td\t"]
    head = "#FORMAT=WebAnno TSV 3.3\n#T_SP=custom.Part|value\n\n\n#Text=Undo it\n"
    path = tmp_path / "lea.tsv"
    path.write_text(head + "\n".join([*rows, "1-2\t5-7\tit\ta[1]\t", ""]), encoding="utf-8")
    assert {(u.start, u.end, u.label) for u in read(path)} == {
        (0, 7, "a"), (0, 4, "b"), (0, 2, "c"), (2, 4, "d"),
    }  # fmt: skip


def test_white_space_of_tei_is_collapsed(tmp_path: Path) -> None:
    place = "string-range(//p[@xml:id='p1'],{},{})"
    path = tmp_path / "d.xml"
    path.write_text(
        '<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader/><standOff><spanGrp resp="#lea">'
        f'<span from="{place.format(7, 11)}" ana="#LOC">Oslo</span></spanGrp></standOff><text><body>'
        '<p xml:id="p1">Fly  to\n   Oslo</p></body></text></TEI>',
        encoding="utf-8",
    )
    units = read(path)
    assert [(units.texts or [""])[0][int(u.start) : int(u.end)] for u in units] == ["Oslo"]
