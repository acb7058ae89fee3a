"""Archives other than zip, and single files packed with gzip."""

from __future__ import annotations

import gzip
import io
import json
import tarfile
from pathlib import Path

import pytest

import accord
from accord.errors import InputError
from accord.files import archive
from accord.formats import detect
from accord.reading import read
from tests.oracles.exports import MARKS, TEXT, brat

ROWS = b"document,annotator,start,end,label\nd,A,0,2,x\nd,B,0,3,x\n"


def tarred(files: dict[str, bytes], mode: str = "w:gz") -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode=mode) as file:
        for name, data in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(data)
            file.addfile(member, io.BytesIO(data))
    return out.getvalue()


@pytest.mark.parametrize(
    ("mode", "ending"),
    [("w:gz", "tar.gz"), ("w:gz", "tgz"), ("w:", "tar"), ("w:bz2", "tar.bz2"), ("w:xz", "tar.xz")],
)
def test_tar(tmp_path: Path, mode: str, ending: str) -> None:
    path = tmp_path / f"export.{ending}"
    path.write_bytes(tarred(brat(), mode))
    assert detect(path).name == "brat"
    units = read(path)
    assert {(u.annotator, u.start, u.end, u.label) for u in units} == MARKS
    assert units.texts is not None
    assert units.texts[0] == TEXT


def test_files_of_one_annotator_are_called_after_the_archive(tmp_path: Path) -> None:
    path = tmp_path / "ann.tar.gz"
    path.write_bytes(tarred({"d.txt": b"one", "d.ann": b"T1\tX 0 3\tone\n"}))
    assert read(path).annotators == ("ann",)


@pytest.mark.parametrize("name", ["notes.csv.gz", "notes.csv"])
def test_gzip_of_a_table(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(gzip.compress(ROWS))
    units = read(path)
    assert [(u.annotator, u.start, u.end) for u in units] == [("A", 0, 2), ("B", 0, 3)]


def test_gzip_of_other_texts(tmp_path: Path) -> None:
    (tmp_path / "ann.conll.gz").write_bytes(gzip.compress(b"a B-X\nb O\n"))
    assert read(tmp_path / "ann.conll.gz").annotators == ("ann",)
    lines = b'{"text": "one two", "label": [[0, 3, "X"]]}\n'
    # two members, one after the other, are one file
    (tmp_path / "bob.jsonl.gz").write_bytes(gzip.compress(lines[:10]) + gzip.compress(lines[10:]))
    assert [(u.start, u.end, u.label) for u in read(tmp_path / "bob.jsonl.gz")] == [(0, 3, "X")]


def test_folder_of_packed_and_plain_tables(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes(ROWS)
    (tmp_path / "b.csv.gz").write_bytes(gzip.compress(ROWS.replace(b"\nd,", b"\ne,")))
    assert read(tmp_path).documents == ("d", "e")


def test_errors_name_the_packed_file(tmp_path: Path) -> None:
    path = tmp_path / "notes.csv.gz"
    path.write_bytes(gzip.compress(b"document,annotator,start,end\nd,A,0\n"))
    with pytest.raises(InputError, match=r"notes\.csv\.gz:2: has 3 cells"):
        read(path)


def test_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refusal(name: str, data: bytes) -> str:
        (tmp_path / name).write_bytes(data)
        with pytest.raises(InputError) as refused:
            read(tmp_path / name)
        return str(refused.value)

    assert "climbs out" in refusal("a.tar", tarred({"../x.csv": ROWS}, "w:"))
    assert "like a zip bomb" in refusal("b.csv.gz", gzip.compress(b"a" * 4_000_000))
    assert "cut off" in refusal("c.csv.gz", gzip.compress(ROWS)[:-20])
    assert "cannot be unpacked" in refusal("d.csv.gz", b"\x1f\x8b\x08" + b"x" * 40)
    assert "not a sound tar" in refusal("e.tar.xz", b"\xfd7zXZ\0" + b"x" * 40)
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder/a.csv").write_bytes(ROWS)
    (tmp_path / "folder/old.zip").write_bytes(b"PK\3\4 cut off")
    with pytest.raises(InputError, match=r"folder/old\.zip: is not a sound zip .* take it out"):
        read(tmp_path / "folder")
    inner = tarred({"a.csv": ROWS})
    for _ in range(6):
        inner = gzip.compress(inner)
    assert "nested more than" in refusal("f.gz", inner)
    monkeypatch.setattr(archive, "BUDGET", 100)
    assert "expands to more than" in refusal("g.csv.gz", gzip.compress(ROWS * 5))


def test_links_are_left_out(tmp_path: Path) -> None:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as file:
        member = tarfile.TarInfo("notes.csv")
        member.size = len(ROWS)
        file.addfile(member, io.BytesIO(ROWS))
        link = tarfile.TarInfo("other.csv")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        file.addfile(link)
    (tmp_path / "x.tar").write_bytes(out.getvalue())
    assert accord.read(tmp_path / "x.tar").annotators == ("A", "B")


@pytest.mark.parametrize("layout", ["lines", "pretty"])
def test_records_longer_than_a_head_are_recognised(tmp_path: Path, layout: str) -> None:
    record = {"id": 1, "text": 'He said "no" twice. ' * 20_000, "label": [[0, 2, "X"]]}
    text = json.dumps(record) if layout == "lines" else json.dumps([record], indent=1)
    path = tmp_path / ("ann.jsonl" if layout == "lines" else "ann.json")
    path.write_text(text)
    assert detect(path).name == "doccano"
    assert [(u.start, u.end, u.label) for u in read(path)] == [(0, 2, "X")]
    (tmp_path / "long.jsonl.gz").write_bytes(gzip.compress(text.encode(), 1))
    assert detect(tmp_path / "long.jsonl.gz").name == "doccano"
