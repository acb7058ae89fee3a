"""What must be refused is refused in one sentence that names the place."""

from __future__ import annotations

import io
import json
import stat
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from accord.data import Chains
from accord.errors import InputError, MissingDependencyError, UsageError
from accord.files import archive, safe_json, safe_xml
from accord.formats import write
from accord.reading import read
from tests.oracles.exports import EXPORTS, write_folder

BILLION_LAUGHS = b"""<?xml version="1.0"?>
<!DOCTYPE annotations [
 <!ENTITY a "ha">
 <!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">
]>
<annotations><unit id="&b;"/></annotations>"""


def _zip(entries: dict[str, bytes], path: Path, *, compress: bool = False) -> Path:
    method = zipfile.ZIP_DEFLATED if compress else zipfile.ZIP_STORED
    with zipfile.ZipFile(path, "w", method) as held:
        for name, data in entries.items():
            held.writestr(name, data)
    return path


# --- XML -----------------------------------------------------------------------------------------


def test_entities_are_refused_with_their_line(tmp_path: Path) -> None:
    path = tmp_path / "x.aa"
    path.write_bytes(BILLION_LAUGHS)
    with pytest.raises(InputError, match=r"x\.aa:3: declares an entity, which accord refuses"):
        read(path)


@pytest.mark.parametrize(
    "declaration",
    [
        b'<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]>',
        b'<!DOCTYPE a [<!ENTITY % x SYSTEM "http://example.org/x.dtd"> %x;]>',
    ],
)
def test_external_entities_are_refused(declaration: bytes) -> None:
    with pytest.raises(InputError, match="which accord refuses"):
        safe_xml.parse(declaration + b"<a>&x;</a>", "f.xml")


@pytest.mark.parametrize("name", ["glozz", "uima", "gate", "tei", "elan"])
def test_every_xml_reader_refuses_entities(name: str, tmp_path: Path) -> None:
    files = EXPORTS[name]()
    victim = next(n for n, data in files.items() if data.lstrip()[:1] == b"<")
    head, _, tail = files[victim].partition(b"?>")
    files[victim] = head + b'?><!DOCTYPE x [<!ENTITY e "y">]>' + tail
    with pytest.raises(InputError, match="declares an entity"):
        read(write_folder(files, tmp_path), format=name)


def test_a_doctype_without_entities_is_harmless_unless_it_is_elsewhere() -> None:
    assert safe_xml.parse(b"<!DOCTYPE a [<!ELEMENT a ANY>]><a>x</a>", "f").text == "x"
    for where in (b'SYSTEM "a.dtd"', b'PUBLIC "-//X//EN" "http://x.org/a.dtd"'):
        with pytest.raises(InputError, match="external document type"):
            safe_xml.parse(b"<!DOCTYPE a " + where + b"><a>x</a>", "f")


def test_deep_xml_is_refused() -> None:
    with pytest.raises(InputError, match="nests elements more than"):
        safe_xml.parse(b"<a>" * 100_000, "f.xml")


def test_broken_xml_names_the_line() -> None:
    with pytest.raises(InputError, match=r"f\.xml:2: is not well-formed XML"):
        safe_xml.parse(b"<a>\n<b></a>", "f.xml")


@pytest.mark.parametrize("encoding", ["utf8", "UTF-8", "iso-8859-1", "utf-16"])
def test_declared_encodings_are_followed(encoding: str) -> None:
    data = f'<?xml version="1.0" encoding="{encoding}"?><a>é</a>'.encode(encoding)
    assert safe_xml.parse(data, "f").text == "é"


def test_long_texts_are_read_in_linear_time() -> None:
    text = "x\n" * 1_000_000
    assert safe_xml.parse(f"<a>{text}</a>".encode(), "f").text == text


# --- JSON ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"[" * 200_000, "nests its JSON too deep"),
        (b'{"a": ' + b"9" * 10_000 + b"}", "is not usable JSON"),
        (b'{"a": NaN}', "NaN is no JSON number"),
        (b'{"a": "\xff"}', "is not UTF-8 text"),
        (b'{"a": 1', "is not JSON"),
    ],
)
def test_malicious_json_is_refused(data: bytes, sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        safe_json.load(data, "f.json")


def test_deep_json_is_refused_by_the_readers(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(b'{"text": "t", "label": ' + b"[" * 100_000 + b"]" * 100_000 + b"}")
    with pytest.raises(InputError, match=r"x\.jsonl:1: nests its JSON too deep"):
        read(path)


@pytest.mark.parametrize("value", ["1e400", "1e30", "-1", "0.5", "true", "null", '"3"', "10" * 300])
def test_strange_offsets_are_refused(value: str, tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text(f'{{"text": "some text", "label": [[0, {value}, "L"]]}}')
    with pytest.raises(InputError, match=r"x\.jsonl"):
        read(path)


@pytest.mark.parametrize("value", ["1e400", "1" + "0" * 400, "1e30"])
def test_enormous_times_are_refused(value: str, tmp_path: Path) -> None:
    region = f'{{"start": 0.5, "end": {value}, "labels": ["x"]}}'
    result = f'{{"from_name": "l", "type": "labels", "value": {region}}}'
    path = tmp_path / "x.json"
    path.write_text(f'[{{"id": 1, "data": {{}}, "annotations": [{{"result": [{result}]}}]}}]')
    with pytest.raises(InputError, match="is too large"):
        read(path)


def test_half_a_surrogate_pair_does_not_break_the_output(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text('{"text": "a\\ud83eb", "label": [[2, 3, "\\ud83e"]]}')
    units = read(path)
    assert units.texts == ("a\ufffdb",)
    json.dumps([u.label for u in units], ensure_ascii=False).encode()


def test_records_may_hold_unicode_line_ends() -> None:
    data = '{"a": "x\u2028y"}\n{"a": "z"}\n'.encode()
    assert [line for line, _ in safe_json.load_lines(data, "f")] == [1, 2]


# --- text ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["brat", "webanno-tsv3", "rttm", "textgrid", "pygamma-csv"])
def test_invalid_utf8_names_file_and_line(name: str, tmp_path: Path) -> None:
    files = EXPORTS[name]()
    victim = next(n for n in files if not n.endswith(".txt"))
    files[victim] = files[victim] + b"\nab\xff\n"
    with pytest.raises(InputError, match=r"is not UTF-8 text.*save it as UTF-8") as caught:
        read(write_folder(files, tmp_path), format=name)
    assert caught.value.line is not None


# --- archives ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", ["../evil.ann", "a/../../evil.ann", "/etc/evil.ann", "C:/evil.ann"]
)
def test_names_that_climb_out_are_refused(name: str, tmp_path: Path) -> None:
    path = _zip({name: b"T1\tX 0 1\ta\n"}, tmp_path / "x.zip")
    with pytest.raises(InputError, match="climbs out of the archive"):
        read(path)


def test_a_bomb_is_refused(tmp_path: Path) -> None:
    path = _zip({"a.ann": b"\n" * 50_000_000}, tmp_path / "x.zip", compress=True)
    with pytest.raises(InputError, match="like a zip bomb"):
        read(path)


def test_the_whole_archive_has_a_budget(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "BUDGET", 1000)
    path = _zip({f"{i}.ann": b"x" * 300 for i in range(5)}, tmp_path / "x.zip")
    with pytest.raises(InputError, match="expands to more than"):
        read(path)


def test_bottomless_nesting_is_refused(tmp_path: Path) -> None:
    data = b"T1\tX 0 1\ta\n"
    name = "a.ann"
    for _ in range(8):
        held = io.BytesIO()
        with zipfile.ZipFile(held, "w") as inner:
            inner.writestr(name, data)
        data, name = held.getvalue(), "a.zip"
    path = tmp_path / "x.zip"
    path.write_bytes(data)
    with pytest.raises(InputError, match="nested more than"):
        read(path)


def test_a_damaged_archive_is_refused(tmp_path: Path) -> None:
    path = _zip({"a.ann": b"T1\tX 0 1\ta\n" * 100}, tmp_path / "x.zip", compress=True)
    data = bytearray(path.read_bytes())
    data[40] ^= 0xFF
    path.write_bytes(data)
    with pytest.raises(InputError, match=r"x\.zip.*(cannot be unpacked|not a sound zip)"):
        read(path)
    path.write_bytes(data[:50])
    with pytest.raises(InputError, match="not a sound zip"):
        read(path)


def test_encrypted_archives_are_refused(tmp_path: Path) -> None:
    path = _zip({"a.ann": b"x"}, tmp_path / "x.zip")
    data = bytearray(path.read_bytes())
    central = data.index(b"PK\x01\x02")
    data[6] |= 1
    data[central + 8] |= 1
    path.write_bytes(data)
    with pytest.raises(InputError, match="is encrypted"):
        read(path)


def test_links_in_archives_are_left_out(tmp_path: Path) -> None:
    path = tmp_path / "x.zip"
    with zipfile.ZipFile(path, "w") as held:
        held.writestr("a/d.ann", "T1\tX 0 1\ta\n")
        link = zipfile.ZipInfo("b/d.ann")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        held.writestr(link, "/etc/passwd")
    units = read(path)
    assert units.annotators == ("a",)
    assert any("1 symbolic link(s) were left out" in note for note in units.notes)


def test_links_in_folders_are_not_followed(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "d.ann").write_text("T1\tX 0 1\ta\n")
    inside = tmp_path / "export" / "a"
    inside.mkdir(parents=True)
    (inside / "d.ann").write_text("T1\tX 0 1\ta\n")
    (tmp_path / "export" / "b").symlink_to(outside)
    (inside / "e.ann").symlink_to(outside / "d.ann")
    units = read(tmp_path / "export")
    assert len(units) == 1
    assert any("2 symbolic link(s) were not followed" in note for note in units.notes)


def test_nothing_is_ever_written_beside_an_archive(tmp_path: Path) -> None:
    path = _zip(EXPORTS["brat"](), tmp_path / "x.zip")
    read(path)
    assert [p.name for p in tmp_path.iterdir()] == ["x.zip"]


def test_archives_of_tables_are_read_too(tmp_path: Path) -> None:
    rows = b"document,annotator,start,end,label\nd,%s,0,4,x\n"
    path = _zip({"one.csv": rows % b"A", "two.csv": rows % b"B"}, tmp_path / "x.zip")
    assert read(path).annotators == ("A", "B")


# --- the rest ------------------------------------------------------------------------------------


def test_an_empty_folder_says_so(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is not in a format that accord recognises"):
        read(tmp_path)


def test_graphemes_need_regex(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "regex", None)
    path = tmp_path / "x.jsonl"
    path.write_text('{"text": "ab", "label": [[0, 1, "L"]]}')
    with pytest.raises(MissingDependencyError, match=r"pip install 'accord\[graphemes\]'"):
        read(path, offsets="graphemes")


@pytest.mark.parametrize(
    ("name", "change", "place"),
    [
        ("glozz", lambda d: d.replace(b'index="0"', b'index="x"', 1), "has no start position"),
        (
            "gate",
            lambda d: d.replace(b'StartNode="0"', b'StartNode="77"'),
            "node '77', which does not",
        ),
        (
            "elan",
            lambda d: d.replace(b'REF1="t0"', b'REF1="t77"'),
            "time slot 't77', which does not",
        ),
        ("textgrid", lambda d: d.replace(b"<exists>", b"7"), "where a flag must stand"),
        ("rttm", lambda d: d.replace(b"23.0", b"soon"), "a time that is no number: 'soon'"),
        ("pygamma-csv", lambda d: d.replace(b",28", b""), "has 3 cells"),
        ("uima", lambda d: d.replace(b'begin="24"', b'begin="x"'), "an offset that is no number"),
        ("webanno-tsv3", lambda d: d.replace(b"1-1\t", b"one\t", 1), "is not a token row"),
    ],
)
def test_errors_name_file_and_line(
    name: str, change: Callable[[bytes], bytes], place: str, tmp_path: Path
) -> None:
    files = {file: change(data) for file, data in EXPORTS[name]().items()}
    with pytest.raises(InputError, match=place) as caught:
        read(write_folder(files, tmp_path), format=name)
    assert caught.value.path is not None
    assert caught.value.line is not None


@pytest.mark.parametrize("name", ["corefud", "conll2012"])
def test_endless_mentions_are_not_written_as_tokens(tmp_path: Path, name: str) -> None:
    chains = Chains.from_clusters({("d", "A"): [[(0, 2), (3, 10**9)]]})
    with pytest.raises(UsageError, match="too long to be written as tokens"):
        write(chains, tmp_path / "out", format=name)
