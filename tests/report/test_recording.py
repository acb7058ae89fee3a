"""Recordings beside the units: which file is whose, and how loud it is where."""

from __future__ import annotations

import json
import re
import wave
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from accord.errors import InputError, UsageError
from accord.report import alignment_html, draw
from accord.report.recording import recordings
from tests.oracles.drawn import aligned


def sound(
    path: Path, values: list[float], *, width: int = 2, channels: int = 1, rate: int = 100
) -> Path:
    """A WAV of these samples, as shares of the loudest that `width` bytes can say."""
    top = (1 << (8 * width - 1)) - 1
    whole = [round(v * top) + (128 if width == 1 else 0) for v in values]
    with wave.open(str(path), "wb") as out:
        out.setnchannels(channels)
        out.setsampwidth(width)
        out.setframerate(rate)
        out.writeframes(b"".join(v.to_bytes(width, "little", signed=width > 1) for v in whole))
    return path


@pytest.mark.parametrize("width", [1, 2, 3, 4])
def test_loudness_is_the_largest_sample_of_each_stretch(tmp_path: Path, width: int) -> None:
    file = sound(tmp_path / "a.wav", [0, 0.5, -1, 0.25], width=width)
    found = recordings(file, ["whatever"])["whatever"]
    assert found.seconds == pytest.approx(0.04)
    assert found.loudness == pytest.approx((0, 50, 99, 25), abs=1)


def test_channels_are_heard_together_and_long_sound_is_shortened(tmp_path: Path) -> None:
    two = recordings(sound(tmp_path / "b.wav", [0, 1, 0.5, 0], channels=2), ["b"])["b"]
    assert two.loudness == (99, 50)
    long = np.zeros(50_000)
    long[30_000] = 1
    shortened = recordings(sound(tmp_path / "c.wav", list(long)), ["c"])["c"]
    assert len(shortened.loudness) == 12_000
    assert np.flatnonzero(shortened.loudness).tolist() == [7_200]


def test_a_folder_gives_each_document_its_own(tmp_path: Path) -> None:
    sound(tmp_path / "r1.wav", [0, 1])
    (tmp_path / "r2.mp3").write_bytes(b"")
    (tmp_path / "notes.txt").write_text("no sound")
    found = recordings(tmp_path, ["r1", "folder/r2.mp3", "r3"])
    assert {d: r.path.name for d, r in found.items()} == {"r1": "r1.wav", "folder/r2.mp3": "r2.mp3"}
    assert found["folder/r2.mp3"].seconds is None
    sound(tmp_path / "r1.ogg", [0, 1])
    with pytest.raises(InputError, match=r"two recordings of 'r1'"):
        recordings(tmp_path, ["r1"])


def test_what_is_no_recording_is_refused(tmp_path: Path) -> None:
    table = tmp_path / "a.csv"
    table.write_text("x")
    with pytest.raises(InputError, match="not a sound or film file"):
        recordings(table, ["d"])
    with pytest.raises(
        InputError, match=r"no recording named like a document: 'd' would be d\.wav"
    ):
        recordings(tmp_path, ["d"])
    with pytest.raises(UsageError, match="one recording and there are 2 documents"):
        recordings(sound(tmp_path / "a.wav", [1]), ["d", "e"])
    broken = tmp_path / "b.wav"
    broken.write_bytes(b"RIFF")
    assert recordings(broken, ["d"])["d"].loudness == ()


def test_the_page_reaches_the_file_from_where_it_lies(tmp_path: Path) -> None:
    units, alignments = aligned()
    (tmp_path / "sounds").mkdir()
    (tmp_path / "pages").mkdir()
    file = sound(tmp_path / "sounds" / "a b.wav", [0.0] * 40_000)
    page = tmp_path / "pages" / "page.html"
    draw(units, alignments, time="s", media=file).save(page)
    data = json.loads(re.findall(r'id="explorer-data">(.*?)</script>', page.read_text())[0])
    assert data["documents"][0]["m"]["f"] == "../sounds/a%20b.wav"
    # the document lasts as long as what is heard
    assert data["documents"][0]["x"] == [0, 400]


def test_offsets_must_be_time(tmp_path: Path) -> None:
    units, alignments = aligned()
    file = sound(tmp_path / "a.wav", [1])
    with pytest.raises(UsageError, match="needs to know what the offsets count"):
        alignment_html(units, alignments, media=file)
    assert '"time":"ms"' in alignment_html(
        replace(units, unit="milliseconds"), alignments, media=file
    )


def test_the_command_plays_only_in_a_page(accord_command, table, tmp_path):
    data = table("document,annotator,start,end,label\nd,A,0,1,x\nd,B,0,2,x\n")
    file = sound(tmp_path / "d.wav", [0, 1])
    ran = accord_command("align", data, "--media", file, "--time", "s")
    assert ran.returncode == 2
    assert "--media is played in the page: name it with --html" in ran.stderr
    page = tmp_path / "page.html"
    ran = accord_command("align", data, "--media", file, "--time", "s", "--html", page)
    assert ran.returncode == 0, ran.stderr
    assert '"f":"d.wav"' in page.read_text(encoding="utf-8")


def test_texts_may_be_a_folder(accord_command, table, tmp_path):
    data = table("document,annotator,start,end,label\nin/d,A,0,1,x\nin/d,B,0,2,x\n")
    folder = tmp_path / "texts" / "in"
    folder.mkdir(parents=True)
    ran = accord_command("align", data, "--texts", folder.parent, "--html", tmp_path / "p.html")
    assert ran.returncode == 2
    assert "holds no .txt file" in ran.stderr
    (folder / "d.txt").write_bytes(b"Two\r\nlines")
    ran = accord_command("align", data, "--texts", folder.parent, "--html", tmp_path / "p.html")
    assert ran.returncode == 0, ran.stderr
    assert '"t":"Two\\r\\nlines"' in (tmp_path / "p.html").read_text(encoding="utf-8")
