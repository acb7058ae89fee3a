"""A file of which nothing can be read is left out by name, and the others are read."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

import accord
from accord.errors import InputError, UnreadableError
from accord.reading import read_many
from tests.reading.test_places import campaign


def gone(data: accord.data.Annotations) -> dict[str, str]:
    return {one.what: one.why for one in data.reading.provenance.left_out}


def folder_of(root: Path, kind: str, spoilt: bytes) -> Path:
    folder = campaign(root / "c", "{annotator}/{document}", kind)
    (folder / "nathan" / f"Y.{kind}").write_bytes(spoilt)
    return folder


@pytest.mark.parametrize(
    ("kind", "spoilt", "why"),
    [
        ("tsv", b"", "is empty"),
        ("tsv", b"\x93\x00 scrambled", "is not of this format"),
        ("bio", b" \n", "is empty"),
        ("conllu", b"", "is empty"),
        ("ann", b"\xff\xfeT", "is not UTF-16 text"),
    ],
)
def test_of_a_folder_and_an_archive(kind: str, spoilt: bytes, why: str, tmp_path: Path) -> None:
    folder = folder_of(tmp_path, kind, spoilt)
    packed = tmp_path / "c.zip"
    with zipfile.ZipFile(packed, "w") as archive:
        for file in sorted(folder.rglob("*.*")):
            archive.write(file, file.relative_to(folder))
    for source in (folder, packed):
        data = accord.read(source, format={"bio": "conll2003"}.get(kind))
        assert data.annotators == ("michael", "nathan")
        assert list(gone(data)) == [f"nathan/Y.{kind}"]
        assert gone(data)[f"nathan/Y.{kind}"].startswith(why)
        assert f"left out: nathan/Y.{kind}" in str(data.reading)


def test_a_brat_file_without_a_line_is_a_document_without_a_unit(tmp_path: Path) -> None:
    data = accord.read(folder_of(tmp_path, "ann", b""))
    assert not gone(data)
    assert data.coverage.all()


def people(root: Path, **texts: str) -> list[Path]:
    for name, text in texts.items():
        (root / f"{name}.csv").write_text(text)
    return [root / f"{name}.csv" for name in texts]


GOOD = "item,value\n1,a\n2,b\n"


def test_of_files_that_are_named(tmp_path: Path) -> None:
    paths = people(tmp_path, ana=GOOD, ben=GOOD, cy="")
    for data in (read_many(paths), accord.read(tmp_path)):
        assert data.annotators == ("ana", "ben")
        assert list(gone(data).values()) == ["is empty"]
    damaged = tmp_path / "dan.xlsx"
    damaged.write_bytes(b"PK\x03\x04 and no more")
    data = read_many([*paths, damaged])
    assert list(gone(data)) == [str(paths[2]), str(damaged)]
    assert data.annotators == ("ana", "ben")


def test_one_alone_and_nothing_but_such_files_are_errors(tmp_path: Path) -> None:
    paths = people(tmp_path, ana="", ben=" \n")
    for source in ([paths[0]], paths, [tmp_path]):
        with pytest.raises(UnreadableError, match="is empty"):
            read_many(source)


def test_what_another_encoding_reads_is_not_left_out(tmp_path: Path) -> None:
    paths = people(tmp_path, ana=GOOD, ben=GOOD)
    paths[1].write_bytes(b"item,value\n1,caf\xe9\n2,b\n")
    with pytest.raises(InputError, match=r"ben\.csv:2: is not UTF-8 text.*encoding='cp1252'"):
        read_many(paths)


def test_a_mistake_in_a_file_is_an_error_all_the_same(tmp_path: Path) -> None:
    paths = people(tmp_path, ana=GOOD, ben="item,value\n1,a,b,c\n")
    with pytest.raises(InputError, match=r"ben\.csv:2"):
        read_many(paths)


def test_json_and_xml_that_end_too_early(tmp_path: Path) -> None:
    for name in ("ana", "ben", "cy"):
        rows = '[{"item": 1, "value": "a"}, {"item": 2, "value": "b"}]'
        (tmp_path / f"{name}.json").write_text(rows if name < "cy" else rows[:20])
    data = accord.read(tmp_path)
    assert (data.annotators, gone(data)) == (("ana", "ben"), {"cy.json": "is not JSON"})


def test_inspection_and_the_command_say_so(tmp_path: Path, accord_command) -> None:  # type: ignore[no-untyped-def]
    folder = folder_of(tmp_path, "ann", b"\xff\xfeT")
    for command in ("agree", "inspect"):
        done = accord_command(command, str(folder))
        assert done.returncode == 0
        assert "nathan/Y.ann" in done.stdout + done.stderr
