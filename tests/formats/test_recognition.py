"""Files are recognised from the index alone: current, without overlap, and whatever stands in front."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

from accord.errors import InputError
from accord.files.archive import is_archive, open_tree
from accord.formats import detect, formats, head_of, listed, recognised
from accord.formats.format import Head
from accord.reading import read
from tests.oracles.exports import EXPORTS, write_folder

ROOT = Path(__file__).parents[2]
SAMPLES = ROOT / "tests" / "samples"
FILES = [
    p for p in sorted(SAMPLES.rglob("*"))
    if p.is_file() and not is_archive(p.name, p.read_bytes()[:512])
]  # fmt: skip


def _head(path: Path) -> bytes:
    with open_tree(path) as tree:
        return head_of(tree.entries[0])


def test_the_index_is_current() -> None:
    spec = spec_from_file_location("make_index", ROOT / "scripts" / "make_index.py")
    assert spec is not None
    assert spec.loader is not None
    script = module_from_spec(spec)
    spec.loader.exec_module(script)
    index = ROOT / "src" / "accord" / "formats" / "index.json"
    assert index.read_text(encoding="utf-8") == script.index(), "run python scripts/make_index.py"


def test_the_index_says_what_the_records_say() -> None:
    for entry, record in zip(listed(), formats(), strict=True):
        assert entry.sniff == record.sniff
        assert (entry.name, entry.over, entry.people) == (record.name, record.over, record.people)


def _knowing(path: Path) -> list[str]:
    """All formats that know a file by its bytes."""
    seen = Head(path.name, _head(path))
    return [f.name for f in listed() if not f.fallback and f.recognises(path, seen)]


def test_of_two_formats_that_know_a_file_one_is_over_the_other(tmp_path: Path) -> None:
    over = {f.name: f.over for f in listed()}
    built = [write_folder(make(), tmp_path / name) for name, make in EXPORTS.items()]
    files = [*FILES, *(p for folder in built for p in folder.rglob("*") if p.is_file())]
    for path in files:
        known = _knowing(path)
        for a in known:
            for b in known:
                assert a == b or b in over[a] or a in over[b], f"{path}: {a} or {b}?"


def test_two_formats_that_know_a_file_are_both_named(tmp_path: Path) -> None:
    path = tmp_path / "both.json"
    path.write_text('{"images": [], "annotations": [], "categories": [], "_task_hash": 1}')
    with pytest.raises(InputError, match=r"may be COCO JSON or Prodigy JSONL.*format='prodigy'"):
        detect(path)
    assert detect(path, "coco").name == "coco"


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(SAMPLES)))
def test_damaged_beginnings(path: Path) -> None:
    """Cut anywhere a file is of its format, of a table's or of none; a mark in front changes nothing."""
    head = _head(path)
    whole = recognised(path, head)
    for end in {0, 1, 2, 3, 5, 8, 13, 40, 100, 200, 350, len(head) // 2, len(head) - 1}:
        found = recognised(path, head[:end])
        assert found is None or found.fallback or found == whole
    if head[:2] not in (b"\xff\xfe", b"\xfe\xff"):
        assert recognised(path, b"\xef\xbb\xbf" + head) == whole


@pytest.mark.parametrize(
    ("place", "rooms"),
    [
        ("csv/long.csv", {"tables"}),
        ("csv/unicode.txt", {"tables"}),
        ("jsonl/long.jsonl", {"tables"}),
        ("brat", {"corpora"}),
        ("prodigy/ner.jsonl", {"platforms"}),
    ],
)
def test_no_format_is_loaded_but_the_one_that_is_read(place: str, rooms: set[str]) -> None:
    code = (
        "import sys, accord; from accord.formats import detect; detect(__import__('pathlib').Path("
        f"{str(SAMPLES / place)!r})); print(*(m for m in sys.modules if m.count('.') > 2))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = [m.split(".") for m in done.stdout.split() if m.startswith("accord.formats.")]
    assert {m[2] for m in loaded} <= rooms | {"tables"}
    assert len({m[3] for m in loaded if m[2] in rooms - {"tables"}}) <= 3


def test_annotator_from_has_a_say_only_where_a_format_says_so() -> None:
    with pytest.raises(Exception, match="names its annotators in its records"):
        read(SAMPLES / "prodigy", annotator_from="file")
    judged = read(SAMPLES / "promptfoo", annotator_from="file", layer="equals")
    assert judged.annotators == ("openai:chat:small",)


@pytest.mark.parametrize(
    ("lines", "wrong"),
    [
        ("__label__x one\n__label__y two\nthree\n", "begins with no __label__"),
        ("#\tsentence\n1\tAna\tB-PER\tO\n2\tran\tO\tO\n3\taway\tO\n", "is not number, token and two tags"),
        ("0.5\t1.5\ta\n2.0\t3.0\tb\nthree\n", "is no label"),
    ],
)  # fmt: skip
def test_a_wrong_last_line_is_told_with_its_number(lines: str, wrong: str, tmp_path: Path) -> None:
    """The last line of a head may be cut: the lines before it tell what the file is."""
    (tmp_path / "a.txt").write_text(lines)
    with pytest.raises(InputError, match=rf"a\.txt:\d: {wrong}"):
        read(tmp_path / "a.txt")
