"""Times as clocks show them, wherever a table says where something starts and ends."""

from __future__ import annotations

import datetime
from pathlib import Path

import pytest

import accord
from accord.data import Relations, Units
from accord.errors import InputError

HEADER = "document,annotator,start,end,label\n"


def _read(folder: Path, rows: str, name: str = "t.csv", header: str = HEADER) -> Units:
    (folder / name).write_text(header + rows)
    data = accord.read(folder / name)
    assert isinstance(data, Units)
    return data


@pytest.mark.parametrize(
    ("start", "end", "seconds"),
    [
        ("00:00:12", "01:02:03", (12.0, 3723.0)),
        ("0:12.5", "75:30.125", (12.5, 4530.125)),
        ('"0:12,5"', '"00:00:15,25"', (12.5, 15.25)),
        ("0", "1:00", (0.0, 60.0)),
        (" 0:01 ", "1:00:00", (1.0, 3600.0)),
    ],
)
def test_clocks_are_seconds(start, end, seconds, tmp_path):
    units = _read(tmp_path, f"d,A,{start},{end},x\n")
    assert [(u.start, u.end) for u in units] == [seconds]
    assert units.unit == "seconds"
    (said,) = units.reading.to_dict()["assumed"]
    assert said["what"] == "places are times, in seconds"
    assert said["otherwise"] == ""


@pytest.mark.parametrize(
    ("rows", "line", "said"),
    [
        ("d,A,0:01,0:02,x\nd,A,0:12,12:75,x\n", 3, "'12:75' is none that a clock shows"),
        ("d,A,0:01,1:60:02,x\n", 2, "'1:60:02'"),
        ("d,A,00:00:01:12,00:00:02:00,x\n", 2, "'00:00:01:12'"),
        ("d,A,0:01,0:02,x\nd,A,12,0:15,x\n", 3, "the start must be a time as '0:01' is, got '12'"),
        ("d,A,0:01,3,x\n", 2, "the end must be a time as '0:01' is, got '3'"),
        ("d,A,0:01,,x\n", 2, "got nothing"),
        ("d,A,-0:01,0:02,x\n", 2, "got '-0:01'"),
    ],
)
def test_what_no_clock_shows_is_refused(rows, line, said, tmp_path):
    with pytest.raises(InputError) as raised:
        _read(tmp_path, rows)
    assert raised.value.line == line
    assert said in str(raised.value)


def test_words_are_still_no_numbers(tmp_path):
    with pytest.raises(InputError, match="the start must be a number, got 'soon'"):
        _read(tmp_path, "d,A,soon,3,x\n")


def test_lengths_beside_may_be_times_and_count_the_same(tmp_path):
    (tmp_path / "documents.csv").write_text("document,length\nd,1:00:00\n")
    units = _read(tmp_path, "d,A,0:12,0:15,x\n")
    assert units.lengths.tolist() == [3600.0]
    (tmp_path / "documents.csv").write_text("document,length,unit\nd,3600000,ms\n")
    with pytest.raises(InputError, match="places in seconds and lengths of documents in mill"):
        accord.read(tmp_path / "t.csv")


def test_relations_between_times(tmp_path):
    (tmp_path / "r.csv").write_text(
        "document,annotator,source_start,source_end,target_start,target_end,label\n"
        "d,A,0:01,0:02,1:00,1:00:01,x\n"
    )
    data = accord.read(tmp_path / "r.csv")
    assert isinstance(data, Relations)
    assert [(r.source, r.target) for r in data] == [((1.0, 2.0), (60.0, 3601.0))]


def test_every_carrier_alike(tmp_path):
    """Texts and durations, in files and in frames."""
    pandas = pytest.importorskip("pandas")
    polars = pytest.importorskip("polars")
    openpyxl = pytest.importorskip("openpyxl")
    rows = [("d", "A", "0:12.5", "25:00:01", "x"), ("d", "B", "0:13", "1:00", "y")]
    names = HEADER.strip().split(",")
    texts = pandas.DataFrame(rows, columns=names)
    seconds = {"start": [12.5, 13], "end": [90001, 60]}
    spans = texts.assign(
        **{name: pandas.to_timedelta(cells, unit="s") for name, cells in seconds.items()}
    )
    book = openpyxl.Workbook()
    book.active.append(names)
    for who, start, end, label in (("A", 12.5, 90001, "x"), ("B", 13, 60, "y")):
        times = [datetime.timedelta(seconds=n) for n in (start, end)]
        book.active.append(["d", who, *times, label])
    book.save(tmp_path / "t.xlsx")
    texts.to_json(tmp_path / "t.jsonl", orient="records", lines=True)
    spans.to_parquet(tmp_path / "t.parquet")
    expected = list(_read(tmp_path, "".join(",".join(row) + "\n" for row in rows)))
    sources = [texts, spans, polars.from_pandas(texts), polars.from_pandas(spans)]
    for source in [*sources, *(tmp_path / f"t.{e}" for e in ("xlsx", "jsonl", "parquet"))]:
        data = accord.read(source)
        assert list(data) == expected, source
        assert data.unit == "seconds"
