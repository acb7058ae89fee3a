"""write → read = the same data, for every format that can be written."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from accord.data import Ratings, Units
from accord.data.tables import ratings_from_long
from accord.errors import UsageError
from accord.formats import formats, read, write
from accord.formats.conversion import convert, differences

#: rich formats that hold units, and whether they hold texts exactly, whole coverage, and seconds
HELD = {
    "brat": {"text", "coverage"},
    "glozz": {"text", "coverage"},
    "uima": {"text", "coverage"},
    "webanno-tsv3": {"coverage"},
    "label-studio": {"text", "coverage", "seconds"},
    "textgrid": {"coverage", "seconds"},
    "rttm": {"seconds"},
}

names = st.text("abcXYZ019é", min_size=1, max_size=4)
characters = st.characters(
    exclude_categories=["Cs", "Cc"], exclude_characters="\u2028\u2029\ufffe\uffff"
) | st.sampled_from("🥳e\u0301\n\r\t ab.")


@st.composite
def unit_data(draw: st.DrawFn) -> Units:
    documents = draw(st.lists(names, min_size=1, max_size=3, unique_by=str.lower))
    annotators = draw(st.lists(names, min_size=1, max_size=3, unique_by=str.lower))
    texts = {d: draw(st.text(characters, min_size=1, max_size=25)) for d in documents}
    seen = [
        (d, a) for d in documents for a in annotators if draw(st.booleans()) or a == annotators[0]
    ]
    seen += [(documents[0], a) for a in annotators]
    rows = []
    for d, a in dict.fromkeys(seen):
        for _ in range(draw(st.integers(0, 4))):
            start = draw(st.integers(0, len(texts[d]) - 1))
            end = draw(st.integers(start + 1, len(texts[d])))
            rows.append(
                (d, a, float(start), float(end), draw(st.sampled_from(["PER", "a-b", "é|_[1]"])))
            )
    lengths = {d: float(len(t)) for d, t in texts.items()}
    return Units.from_rows(rows, texts=texts, coverage=seen, lengths=lengths)


@st.composite
def timed_data(draw: st.DrawFn) -> Units:
    documents = draw(st.lists(names, min_size=1, max_size=2, unique_by=str.lower))
    annotators = draw(st.lists(names, min_size=1, max_size=2, unique_by=str.lower))
    rows = []
    for d in documents:
        for a in annotators:
            place = 0
            for _ in range(draw(st.integers(1, 4))):
                place += draw(st.integers(0, 5000))
                end = place + draw(st.integers(1, 5000))
                rows.append(
                    (d, a, place / 1000, end / 1000, draw(st.sampled_from(["x", 'q"y', "é"])))
                )
                place = end
    return Units.from_rows(
        rows,
        coverage=[(d, a) for d in documents for a in annotators],
        lengths=dict.fromkeys(documents, 1000.0),
    )


def _trip(data: Units | Ratings, name: str) -> list[str]:
    folder = Path(tempfile.mkdtemp())
    try:
        write(data, folder / "out", format=name)
        return differences(data, read(folder / "out", format=name, points=True))
    finally:
        shutil.rmtree(folder)


@pytest.mark.parametrize("name", [n for n in HELD if n not in ("textgrid", "rttm")])
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=unit_data())
def test_units_on_texts(name: str, data: Units) -> None:
    if name == "uima":
        assume_xml(data)
    lost = _trip(data, name)
    if "text" not in HELD[name]:
        lost = [s for s in lost if "texts of" not in s and "lengths of" not in s]
    assert lost == []


def assume_xml(data: Units) -> None:
    """XML has no control characters; the writer says so, and that is another test."""
    assume(not any(0x7F <= ord(c) < 0xA0 for t in data.texts or () for c in t or ""))


@pytest.mark.parametrize("name", [n for n, held in HELD.items() if "seconds" in held])
@settings(max_examples=40, deadline=None)
@given(data=timed_data())
def test_units_in_seconds(name: str, data: Units) -> None:
    lost = _trip(data, name)
    if name == "label-studio":
        lost = [s for s in lost if "lengths of" not in s]
    assert lost == []


@settings(max_examples=40, deadline=None)
@given(
    st.dictionaries(
        st.tuples(names, names),
        st.sampled_from(["x", "y"]) | st.frozensets(st.sampled_from("pqr"), min_size=1),
        min_size=1,
    )
)
def test_ratings_through_label_studio(rows: dict[tuple[str, str], object]) -> None:
    sets = any(isinstance(v, frozenset) for v in rows.values())
    # sets of one label each are read as labels
    assume(not sets or any(isinstance(v, frozenset) and len(v) > 1 for v in rows.values()))
    values = [frozenset({v}) if sets and isinstance(v, str) else v for v in rows.values()]
    data = ratings_from_long([i for i, _ in rows], [a for _, a in rows], values)
    assert _trip(data, "label-studio") == []


def test_every_writer_of_exports_is_tested() -> None:
    rich = {f.name for f in formats() if f.write is not None and f.collect is not None}
    assert rich == set(HELD)


def _small() -> Units:
    return Units.from_rows(
        [("d", "A", 0, 3, "x"), ("d", "B", 4, 7, "two words")],
        texts={"d": "one two"},
        lengths={"d": 7},
    )


def test_what_is_lost_is_listed(tmp_path: Path) -> None:
    lost = convert(_small(), tmp_path / "b", format="brat")
    assert any("'two words' is written 'two_words'" in s for s in lost)
    assert any("1 of 2 units differ" in s for s in lost)
    assert any("texts of 1 document" in s for s in convert(_small(), tmp_path / "r", format="rttm"))


def test_overlapping_units_are_spread_over_tiers(tmp_path: Path) -> None:
    data = Units.from_rows([("d", "A", 0, 3, "x"), ("d", "A", 1, 4, "y")], lengths={"d": 7})
    lost = convert(data, tmp_path / "d.TextGrid")
    assert any("spread over 2 tiers" in s for s in lost)


def test_a_folder_in_use_is_not_written_to(tmp_path: Path) -> None:
    (tmp_path / "x").write_text("mine")
    with pytest.raises(UsageError, match="not empty"):
        convert(_small(), tmp_path, format="brat")


def test_single_files_hold_one_of_each(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="one annotator and one document"):
        write(_small(), tmp_path / "x.xmi")
    with pytest.raises(UsageError, match="one annotator"):
        write(_small(), tmp_path / "x.rttm")


def test_dangerous_names_stay_inside_the_folder(tmp_path: Path) -> None:
    data = Units.from_rows(
        [("../../d", "/etc/A", 0, 3, "x"), ("..", "a\\b:c", 0, 3, "x")],
        texts={"../../d": "abc", "..": "abc"},
        lengths={"../../d": 3, "..": 3},
    )
    target = tmp_path / "inner" / "out"
    for name in ("brat", "glozz", "uima", "webanno-tsv3"):
        convert(data, target / name, format=name)
    assert [p.name for p in tmp_path.iterdir()] == ["inner"]
    assert [p.name for p in (tmp_path / "inner").iterdir()] == ["out"]


def test_the_wrong_shape_is_refused(tmp_path: Path) -> None:
    ratings = Ratings.from_matrix([["a", "b"], ["a", "a"]])
    with pytest.raises(UsageError, match="holds units, not ratings"):
        write(ratings, tmp_path / "x", format="brat")
