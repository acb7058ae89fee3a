"""Offsets: emoji, combining marks, CRLF and byte-order marks, checked against the covered text."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord.errors import InputError
from accord.files.text import decode
from accord.formats.offsets import Counting, Span, from_code_points, settle, to_code_points
from accord.reading import read

EMOJI = "a🥳b"
FAMILY = "x👩‍👩‍👧y"  # five code points joined into one grapheme
ACCENT = "cafe\u0301 noir"

texts = st.text(
    st.characters(exclude_categories=["Cs"]) | st.sampled_from("🥳e\u0301\r\n👩\u200d🇫🇷"),
    max_size=30,
)


@given(texts, st.sampled_from(["code-points", "utf-16"]), st.data())
def test_there_and_back(text: str, counting: Counting, data: st.DataObject) -> None:
    offsets = data.draw(st.lists(st.integers(0, len(text)), max_size=5))
    there = from_code_points(text, offsets, counting)
    assert to_code_points(text, there, counting) == offsets


@given(texts)
def test_utf16_is_what_utf16_says(text: str) -> None:
    for i in range(len(text) + 1):
        units = len(text[:i].encode("utf-16-le")) // 2
        assert from_code_points(text, [i], "utf-16") == [units]


@given(texts)
def test_graphemes_cover_the_text_in_order(text: str) -> None:
    import regex

    pieces = regex.findall(r"\X", text)
    edges = to_code_points(text, range(len(pieces) + 1), "graphemes")
    assert [text[a:b] for a, b in pairwise(edges)] == pieces


@pytest.mark.parametrize(
    ("text", "counting", "offsets", "points"),
    [
        (EMOJI, "utf-16", [0, 1, 3, 4], [0, 1, 2, 3]),
        (EMOJI, "utf-16", [2], [-1]),  # inside the pair
        (EMOJI, "utf-16", [9], [8]),  # past the end by as much
        (FAMILY, "graphemes", [0, 1, 2, 3], [0, 1, 6, 7]),
        (ACCENT, "graphemes", [3, 4], [3, 5]),
        (ACCENT, "code-points", [4, 5], [4, 5]),
    ],
)
def test_known_cases(text: str, counting: Counting, offsets: list[int], points: list[int]) -> None:
    assert to_code_points(text, offsets, counting) == points


def test_a_mismatch_names_file_unit_expected_and_found(tmp_path: Path) -> None:
    (tmp_path / "d.txt").write_text("one two three")
    (tmp_path / "d.ann").write_text("T7\tX 0 3\ttwo\nT8\tX 4 7\ttwo\n")
    units = read(tmp_path / "d.ann")
    assert len(units) == 2
    (note,) = units.notes
    assert note == (
        f"{tmp_path / 'd.ann'}:1: unit T7 [0, 3) should cover 'two' but the text has 'one' there; "
        "kept as it is"
    )


def test_many_mismatches_are_counted() -> None:
    read_as = settle("abcdef", [Span(i, i + 1, "z") for i in range(6)], path="f")
    assert len(read_as.notes) == 4
    assert read_as.notes[-1] == "f: 3 more units do not match their covered text"


@pytest.mark.parametrize(
    ("text", "span", "said", "covered"),
    [
        ("🥳 hi you", Span(3, 5, "hi"), "count UTF-16 code units", "hi"),
        ("\ufeffa hi", Span(2, 4, "hi"), "do not count the byte-order mark", "hi"),
        ("a\r\nhi", Span(2, 4, "hi"), r"count a line end (CR LF) as one", "hi"),
        ("\ufeffa\r\nhi", Span(2, 4, "hi"), "and the byte-order mark was left out", "hi"),
        ("a\r\nhi", Span(3, 5, "hi"), None, "hi"),
        ("\ufeffhi", Span(1, 3, "hi"), None, "hi"),
    ],
)
def test_another_reading_is_taken_only_when_it_explains_everything(
    text: str, span: Span, said: str | None, covered: str
) -> None:
    settled = settle(text, [span], path="f")
    assert settled.text[settled.starts[0] : settled.ends[0]] == covered
    assert (said is None) == (not settled.notes)
    assert said is None or said in settled.notes[0]
    also_wrong = settle(text, [span, Span(0, 1, "zz")], path="f")
    assert any("should cover 'zz'" in note for note in also_wrong.notes)


def test_the_person_has_the_last_word() -> None:
    settled = settle("🥳 hi", [Span(3, 4, "hi")], path="f", forced="code-points")
    assert settled.starts == [3]
    assert "should cover 'hi'" in settled.notes[0]


@pytest.mark.parametrize(
    ("span", "counting", "sentence"),
    [
        (Span(0, 9), "code-points", "past the end of the text, which has 3 characters"),
        (Span(2, 3), "utf-16", "cuts a character in two"),
        (Span(-2, 3), "code-points", "starts before the text"),
        (Span(2, 1), "code-points", "ends before it starts"),
    ],
)
def test_offsets_outside_the_text_are_refused(
    span: Span, counting: Counting, sentence: str
) -> None:
    with pytest.raises(InputError, match=sentence):
        settle(EMOJI, [span], path="f", counting=counting)


def test_line_ends_that_the_platform_rewrote_are_no_mismatch() -> None:
    assert settle("a\nb", [Span(0, 3, "a b")], path="f").notes == ()


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_texts_come_in_several_encodings(encoding: str) -> None:
    assert decode("é🥳".encode(encoding), "f") == "é🥳"


def test_graphemes_of_doccano(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text(
        f'{{"text": "{FAMILY}", "label": [[1, 2, "E"], [2, 3, "Y"]]}}', encoding="utf-8"
    )
    units = read(path, offsets="graphemes")
    assert [FAMILY[int(u.start) : int(u.end)] for u in units] == [FAMILY[1:6], "y"]


def test_crlf_in_brat(tmp_path: Path) -> None:
    (tmp_path / "d.txt").write_bytes(b"one\r\ntwo\r\nthree")
    (tmp_path / "d.ann").write_bytes(b"T1\tX 4 7\ttwo\r\nT2\tX 8 13\tthree\r\n")
    units = read(tmp_path / "d.ann")
    assert units.texts == ("one\ntwo\nthree",)
    assert "CR LF" in units.notes[0]
