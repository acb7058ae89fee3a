"""Every format has a sample in its platform's own layout, which is recognised, read and counted.

What the samples say, and the values worked from it by hand, stands in `samples/README.md`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import pytest

import accord
from accord.data import Annotations, Boxes, Chains, Ratings, Units
from accord.formats import detect, formats
from accord.reading import read
from accord.reading.inspection import inspect
from accord.result import Result

SAMPLES = Path(__file__).parents[1] / "samples"
TEXT, OTHER = "Mara Lind flew to Oslo 🛫 and met Jo.", "Nobody else came."
MARKS = [{(0, 9, "PER"), (18, 22, "LOC"), (33, 35, "PER")}]
MARKS += [{(5, 9, "PER"), (18, 22, "LOC"), (33, 35, "PER")}]
ERRORS = [{(0, 9), (18, 22)}, {(18, 22)}]
JUDGED = ["ababa", "ababb"]

#: formats of which no sample can be here, and why
WITHOUT = {"docbin": "spaCy's own program writes and reads it, and is not installed for the tests"}


class Sample(NamedTuple):
    """A place, and what can be seen there beside the marks and judgements that all share."""

    place: str
    people: tuple[str, str] = ("lea", "tom")
    #: how many times a character a unit of place is
    scale: float = 1
    #: both are known to have seen the second document
    seen: bool = True
    #: the labels of the marks that are called otherwise
    labels: dict[str, str] | None = None
    options: dict[str, Any] = {}  # noqa: RUF012

    @property
    def format(self) -> str:
        return self.place.partition("/")[0]


ALONE = {"seen": False}
SPOKEN = {"seen": False, "scale": 0.1}
PLACED = [
    Sample("argilla"),
    Sample("argilla-1"),
    Sample("audacity", **SPOKEN),
    Sample("bioc"),
    Sample("brat"),
    Sample("chat", scale=100, seen=False),
    Sample("conll2003"),
    Sample("csv/units.csv", **ALONE),
    Sample("doccano"),
    Sample("doccano-csv", ("1", "2"), seen=False, labels={"1": "PER", "2": "LOC"}),
    Sample("elan", scale=100),
    Sample("exmaralda", **SPOKEN),
    Sample("gate"),
    Sample("gate-json"),
    Sample("germeval", **ALONE),
    Sample("glozz"),
    Sample("hugging-face/jsonl"),
    Sample("hugging-face/parquet"),
    Sample("inception"),
    Sample("label-studio", ("lea@example.org", "tom@example.org")),
    Sample("label-studio-csv"),
    Sample("lighttag"),
    Sample("potato"),
    Sample("prodigy", ("ner-lea", "ner-tom")),
    Sample("pygamma-csv", **SPOKEN),
    Sample("qualcoder", **ALONE),
    Sample("refi-qda", **ALONE),
    Sample("rttm", **SPOKEN),
    Sample("subtitles", **SPOKEN),
    Sample("tagtog"),
    Sample("taguette", **ALONE),
    Sample("tcf"),
    Sample("tei"),
    Sample("textgrid", scale=0.1),
    Sample("uima"),
    Sample("webanno-tsv2"),
    Sample("webanno-tsv3"),
]
JUDGEMENTS = [
    Sample("csv/long.csv"),
    Sample("csv/wide.tsv", options={"wide": True}),
    Sample("csv/excel.csv"),
    Sample("csv/unicode.txt"),
    Sample(
        "deepeval", ("Exact Match", "Correctness [GEval] (gpt-mini)"),
        options={"layer": "Exact Match,Correctness [GEval]"},
    ),
    Sample("excel"),
    Sample("fasttext"),
    Sample(
        "inspect/plain", ("match", "model_graded_qa"),
        options={"layer": "match,model_graded_qa"},
    ),
    Sample("inspect/edited", ("rubric", "tom")),
    Sample("json"),
    Sample("jsonl"),
    Sample("langfuse"),
    Sample("lm-eval", ("org__model-a", "org__model-b")),
    Sample("mlflow", ("lea", "openai:/small")),
    Sample("parquet"),
    Sample("promptfoo", ("equals", "llm-rubric"), options={"layer": "equals,llm-rubric"}),
]  # fmt: skip
TRANSLATIONS = [Sample(p, ("rater1", "rater2")) for p in ("mqm", "esa/esa.jsonl", "esa/appraise")]
CHAINS = [Sample(p) for p in ("clusters", "conll2012", "corefud")]
BOXES = [Sample(p) for p in ("coco", "cvat")]
ALL = [*PLACED, *JUDGEMENTS, *TRANSLATIONS, *CHAINS, *BOXES, Sample("xces")]


def test_every_format_has_a_sample() -> None:
    names = {f.name for f in formats()}
    assert {s.format for s in ALL} | set(WITHOUT) == names
    assert not {s.format for s in ALL} & set(WITHOUT)
    folders = {p.name for p in SAMPLES.iterdir() if p.is_dir()}
    assert folders == {s.format for s in ALL}


def _read(sample: Sample) -> Annotations:
    path = SAMPLES / sample.place
    assert detect(path).name == sample.format
    data = read(path, **sample.options)
    assert sorted(data.annotators) == sorted(sample.people)
    if path.is_dir():
        found = inspect(path)
        assert found.format == sample.format
        # where there are several layers or questions, it says so
        assert (found.problem is None) == ("layer" not in sample.options)
    return data


def _value(data: Annotations, measure: str) -> float:
    result = accord.agree(data, measure)
    assert isinstance(result, Result)
    return float(result.value)


@pytest.mark.parametrize("sample", PLACED, ids=lambda s: s.place)
def test_marks(sample: Sample) -> None:
    units = _read(sample)
    assert isinstance(units, Units)
    for who, marks in zip(sample.people, MARKS, strict=True):
        own = {
            (round(u.start / sample.scale, 6), round(u.end / sample.scale, 6),
             (sample.labels or {}).get(u.label or "", u.label))
            for u in units if u.annotator == who
        }  # fmt: skip
        if sample.format == "conll2003":  # which counts tokens
            words = [(i, i + 1) for i in range(10)]
            marks = {(*words[4], "LOC"), (*words[8], "PER"), (0 if who == "lea" else 1, 2, "PER")}
        assert own == marks
    assert len(units.documents) == 1 + sample.seen
    assert units.coverage.all()
    first, *second = units.texts or (None,)
    if first is not None:
        assert first.strip() in (TEXT, TEXT.replace(".", " ."))
        assert all(t.strip() in (OTHER, OTHER.replace(".", " .")) for t in second if t)
    assert _value(units, "pairwise-f1") == pytest.approx(2 / 3)


@pytest.mark.parametrize("sample", JUDGEMENTS, ids=lambda s: s.place)
def test_judgements(sample: Sample) -> None:
    ratings = _read(sample)
    assert isinstance(ratings, Ratings)
    assert (ratings.n_items, ratings.n_ratings, len(ratings.labels)) == (5, 10, 2)
    for who, word in zip(sample.people, JUDGED, strict=True):
        place = ratings.annotators.index(who)
        given = [
            c for _, a, c in sorted(zip(ratings.item, ratings.annotator, ratings.code, strict=True))
            if a == place
        ]  # fmt: skip
        assert [c == given[0] for c in given] == [x == word[0] for x in word]
    assert _value(ratings, "kappa") == pytest.approx(8 / 13)
    assert _value(ratings, "percent") == pytest.approx(0.8)


@pytest.mark.parametrize("sample", TRANSLATIONS, ids=lambda s: s.place)
def test_errors_in_translations(sample: Sample) -> None:
    units = _read(sample)
    assert isinstance(units, Units)
    for who, errors in zip(sample.people, ERRORS, strict=True):
        assert {(u.start, u.end) for u in units if u.annotator == who} == errors
    assert units.coverage.tolist() == [[True, True], [True, True]]
    assert _value(units, "pairwise-f1") == pytest.approx(2 / 3)


@pytest.mark.parametrize("sample", CHAINS, ids=lambda s: s.place)
def test_chains(sample: Sample) -> None:
    chains = _read(sample)
    assert isinstance(chains, Chains)
    assert len(chains.documents) == 1
    lea, tom = (
        sorted(sorted(c) for c in chains.clusters(0, chains.annotators.index(who)))
        for who in sample.people
    )
    assert lea == [[(0, 1), (4, 5)], [(2, 3), (6, 7)]]
    assert tom == lea[:1]
    assert _value(chains, "pairwise-muc") == pytest.approx(2 / 3)


@pytest.mark.parametrize("sample", BOXES, ids=lambda s: s.place)
def test_boxes(sample: Sample) -> None:
    boxes = _read(sample)
    assert isinstance(boxes, Boxes)
    drawn = {(b.annotator, b.label, b.x0, b.y0, b.x1, b.y1) for b in boxes}
    assert drawn == {
        ("lea", "Car", 10, 10, 50, 30), ("lea", "Person", 100, 10, 120, 60),
        ("tom", "Car", 10, 10, 50, 30), ("tom", "Dog", 60, 80, 80, 95),
    }  # fmt: skip
    assert sorted(boxes.documents) == ["empty.jpg", "street.jpg"]
    assert boxes.coverage.all()
    assert _value(boxes, "box-f1") == pytest.approx(1 / 2)


def test_parts_of_speech() -> None:
    units = _read(Sample("xces"))
    tags = {who: [u.label for u in units if u.annotator == who] for who in units.annotators}
    assert [len(t) for t in tags.values()] == [10, 10]
    unlike = [i for i, (a, b) in enumerate(zip(*tags.values(), strict=True)) if a != b]
    assert unlike == [3, 8]
    assert _value(units, "pairwise-f1") == pytest.approx(0.8)
