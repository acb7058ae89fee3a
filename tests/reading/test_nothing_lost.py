"""Nothing is lost on the way: statements about units, texts, files beside, pipes."""

import gzip
import json
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

import accord
from accord.data import Chains, Units
from accord.errors import InputError, UsageError
from accord.files import limits
from accord.reading import read
from accord.reading.conversion import convert, converted, differences

TEXT = "Anna went to Köln 🥳 and came back."
ANN = """T1\tPER 0 4\tAnna
T2\tLOC 13 17\tKöln
T5\tMOVE 5 9;24 28\twent came
E1\tMOVE:T5 Agent:T1 Goal:T2
R1\tVisits Arg1:T1 Arg2:T2
*\tEquiv T1 T2
A1\tSure T2
A2\tConfidence E1 High
N1\tReference T2 Wikidata:Q365\tCologne
#1\tAnnotatorNotes R1\ta note; on a relation
"""


@pytest.fixture
def brat(tmp_path):
    for who in ("ann", "bob", "cora"):
        folder = tmp_path / "export" / who
        folder.mkdir(parents=True)
        (folder / "d.txt").write_text(TEXT)
        (folder / "d.ann").write_text(ANN if who == "ann" else ANN.split("T5")[0])
    return tmp_path / "export"


def test_brat_to_brat_keeps_every_line(brat, tmp_path):
    data = read(brat)
    assert convert(data, tmp_path / "out", format="brat") == []
    for path in brat.rglob("*.ann"):
        again = tmp_path / "out" / path.relative_to(brat)
        assert sorted(again.read_text().splitlines()) == sorted(path.read_text().splitlines())


def test_what_is_said_of_a_unit_goes_with_it(brat, tmp_path):
    data = read(brat).select(annotators=["ann"], categories=["LOC", "MOVE"])
    lost = convert(data, tmp_path / "out", format="brat", check=False)
    lines = (tmp_path / "out" / "ann" / "d.ann").read_text().splitlines()
    # T1 is gone, so are the event, the relation and the equivalence that speak of it, and their notes
    assert sorted(line.split("\t")[0] for line in lines) == ["A1", "N1", "T2", "T5"]
    assert any("units that are left out" in sentence for sentence in lost)


def test_other_formats_list_what_they_cannot_hold(brat, tmp_path):
    lost = convert(read(brat), tmp_path / "x.csv")
    said = " / ".join(lost)
    assert "7 statements about units are not kept: 2 attributes" in said
    assert "the gaps in 1 discontinuous unit(s) are not kept" in said


@pytest.mark.parametrize(
    ("name", "kept", "lost"),
    [
        ("uima", "E1 R1 A1 A2 #1", "2 statements about units are not kept: 1 equivalences, 1 norm"),
        ("webanno-tsv3", "R1 A1 #1", "4 statements about units are not kept: 1 attributes"),
        ("label-studio", "R1 A1", "5 statements about units are not kept: 1 attributes"),
        ("doccano", "R1", "6 statements about units are not kept: 2 attributes"),
        ("glozz", "", "7 statements about units are not kept: 2 attributes"),
    ],
)
def test_statements_survive_where_a_format_has_them(name, kept, lost, brat, tmp_path):
    out = tmp_path / ("there.json" if name == "label-studio" else "there")
    said = " / ".join(convert(read(brat), out, format=name))
    assert lost in said
    assert "the gaps in 1 discontinuous unit(s) are not kept" in said
    convert(read(out, format=name), tmp_path / "back", format="brat")
    lines = (tmp_path / "back" / "ann" / "d.ann").read_text().splitlines()
    units = {line.split("\t")[2]: line.split("\t")[0] for line in lines if line[0] == "T"}
    anna, koeln = units["Anna"], units["Köln"]
    move = next(name for text, name in units.items() if text.startswith("went"))
    wanted = {
        "E1": f"MOVE:{move} Agent:{anna} Goal:{koeln}",
        "R1": f"Visits Arg1:{anna} Arg2:{koeln}",
        "A1": f"Sure {koeln}",
        "A2": "Confidence E1 High",
        "#1": "AnnotatorNotes R1",
    }
    assert sorted(line.split("\t")[1] for line in lines if line[0] != "T") == sorted(
        wanted[name] for name in kept.split()
    )


def test_what_label_studio_says_of_regions(tmp_path):
    """Choices, texts and numbers per region are no units of their own."""
    place = {"start": 0, "end": 4, "text": "Anna"}
    region = {"id": "r", "from_name": "label", "to_name": "text", "type": "labels"}
    results = [
        {**region, "value": {**place, "labels": ["PER"]}, "meta": {"text": ["who?"]}},
        {**region, "from_name": "sure", "type": "choices", "value": {**place, "choices": ["no"]}},
        {**region, "from_name": "why", "type": "textarea", "value": {**place, "text": ["a", "b"]}},
        {**region, "from_name": "stars", "type": "rating", "value": {**place, "rating": 3}},
        {**region, "id": "s", "value": {"start": 13, "end": 17, "text": "Köln", "labels": ["LOC"]}},
        {"from_id": "r", "to_id": "s", "type": "relation", "direction": "left", "labels": ["in"]},
        {"from_id": "r", "to_id": "s", "type": "relation", "direction": "bi"},
    ]
    task = {
        "id": 1,
        "data": {"text": TEXT},
        "annotations": [{"completed_by": 1, "result": results}],
    }
    path = tmp_path / "x.json"
    path.write_text(json.dumps([task]))
    data = read(path)
    assert [(u.start, u.end, u.label) for u in data] == [(0, 4, "PER"), (13, 17, "LOC")]
    said = {(s.kind, s.label, s.targets, s.value) for s in data.statements["1", "1"]}
    assert said >= {
        ("attribute", "sure", (("", "T1"),), "no"),
        ("attribute", "why", (("", "T1"),), "a|b"),
        ("attribute", "stars", (("", "T1"),), "3"),
        ("note", "AnnotatorNotes", (("", "T1"),), "who?"),
        ("relation", "in", (("Arg1", "T2"), ("Arg2", "T1")), ""),
        ("relation", "", (("Arg1", "T1"), ("Arg2", "T2")), "bi"),
    }
    assert [u.label for u in read(path, feature="sure")] == ["no", None]
    assert convert(data, tmp_path / "again.json", format="label-studio") == []


def test_stacked_values_of_webanno_belong_together_by_their_identifiers(tmp_path):
    path = tmp_path / "x.tsv"
    path.write_text(
        "#FORMAT=WebAnno TSV 3.2\n#T_SP=webanno.custom.Referent|entity|identity\n"
        "#T_RL=webanno.custom.Coref|type|BT_webanno.custom.Referent\n\n\n#Text=FIFA Cup won\n"
        "1-1\t0-4\tFIFA\ttime[1]|event[2]\tCup_2018[2]\t_\t_\t\n"
        "1-2\t5-8\tCup\tevent[2]\tCup_2018[2]\t_\t_\t\n"
        "1-3\t9-12\twon\tthing\t_\tcoref\t1-1[2_0]\t\n"
    )
    data = read(path, feature="identity")
    assert [(u.start, u.end, u.label) for u in data] == [
        (0, 4, None),
        (0, 8, "Cup_2018"),
        (9, 12, None),
    ]
    (relation,) = (
        s for said in read(path).statements.values() for s in said if s.kind == "relation"
    )
    named = {s.name: s for said in read(path).statements.values() for s in said}
    ends = [named[name].places[0] for _, name in relation.targets]
    assert (relation.label, ends) == ("coref", [(0, 8), (9, 12)])


def test_tables_have_lengths_and_coverage_beside_them(tmp_path):
    units = Units.from_rows(
        [("d1", "A", 0, 4, "x")], lengths={"d1": 20, "d2": 7.5}, coverage=[("d1", "A"), ("d2", "B")]
    )
    assert convert(units, tmp_path / "new" / "u.csv") == []
    back = read(tmp_path / "new" / "u.csv")
    assert back.coverage.tolist() == units.coverage.tolist()
    assert back.lengths.tolist() == [20, 7.5]
    plain = Units.from_rows([("d1", "A", 0, 4, "x")])
    convert(plain, tmp_path / "plain" / "u.csv")
    assert [p.name for p in (tmp_path / "plain").iterdir()] == ["u.csv"]


@pytest.mark.parametrize("ending", ["csv", "tsv", "jsonl", "parquet", "xlsx"])
def test_lengths_and_coverage_come_back_from_every_table(ending, tmp_path):
    units = Units.from_rows(
        [("d1", "A", 0, 4, "x")], lengths={"d1": 20, "d2": 7.5}, coverage=[("d1", "A"), ("d2", "B")]
    )
    target = tmp_path / f"u.{ending}"
    made = converted(units, target)
    names = [f"u.{ending}", "u.documents.csv", "u.coverage.csv"]
    assert [file.name for file in made.files] == names
    assert sorted(p.name for p in tmp_path.iterdir()) == sorted(names)
    assert made.lost == []
    assert differences(units, read(target)) == []
    silent = Chains.from_clusters({("d1", "A"): [[(0, 1), (2, 3)]], ("d1", "B"): []})
    assert convert(silent, tmp_path / f"c.{ending}") == []
    assert sorted(read(tmp_path / f"c.{ending}").coverage) == sorted(silent.coverage)
    # the tables beside belong to this one alone
    (tmp_path / "other.csv").write_text("document,annotator,start,end,label\nd1,A,0,4,x\n")
    assert read(tmp_path / "other.csv").documents == ("d1",)


def test_what_stands_beside_is_not_read_by_accident(tmp_path):
    plain = Units.from_rows([("d1", "A", 0, 4, "x"), ("d1", "B", 0, 4, "x")])
    silent = Units.from_rows([("d1", "A", 0, 4, "x")], coverage=[("d1", "A"), ("d9", "B")])
    target = tmp_path / "u.csv"
    convert(silent, target)
    with pytest.raises(UsageError, match=r"u.coverage.csv is there already and would be read"):
        convert(plain, target)
    assert list(read(target)) == list(silent)
    assert convert(silent, target) == []
    assert convert(plain, target, overwrite=True) == []
    assert [p.name for p in tmp_path.iterdir()] == ["u.csv"]
    # tables of everything in the folder stay as they are, and out of it
    shared = tmp_path / "coverage.csv"
    shared.write_text("document,annotator\nd1,A\nd9,C\n")
    made = converted(plain, target)
    assert [file.name for file in made.files] == ["u.csv", "u.coverage.csv"]
    assert made.lost == []
    assert shared.read_text() == "document,annotator\nd1,A\nd9,C\n"


def test_every_file_that_is_written_is_said(brat, tmp_path, accord_command):
    import json

    done = accord_command("convert", brat, tmp_path / "out.csv")
    listed = ", ".join(repr(str(tmp_path / name)) for name in ("out.csv", "out.documents.csv"))
    assert f"2 files written: {listed}" in done.stderr
    done = accord_command("convert", brat, tmp_path / "out", "--to", "webanno-tsv3", "--json")
    said = json.loads(done.stdout)
    there = sorted(str(p) for p in (tmp_path / "out").rglob("*") if p.is_file())
    assert sorted(said["files"]) == there
    assert len(there) > 1
    done = accord_command("convert", brat, tmp_path / "one.json", "--to", "label-studio", "--json")
    assert json.loads(done.stdout)["files"] == [str(tmp_path / "one.json")]


@pytest.mark.parametrize(
    "name", ["brat", "webanno-tsv3", "uima", "label-studio", "doccano", "glozz", "conll2003"]
)
def test_the_reference_is_one_more_annotator_with_the_texts(name, brat, tmp_path, accord_command):
    ending = ".json" if name == "label-studio" else ""
    alone, out = tmp_path / f"alone{ending}", tmp_path / f"out{ending}"
    done = accord_command("gold", brat, "-o", alone, "--to", name)
    assert done.returncode == 0, done.stderr
    (only,) = read(alone, format=name, curation="include").annotators
    assert only == ("alone" if name == "doccano" else "reference")
    assert alone.is_file() == (name in ("label-studio", "doccano"))
    done = accord_command("gold", brat, "-o", out, "--to", name, "--with-annotators")
    assert done.returncode == 0, done.stderr
    back = read(out, format=name, curation="include")
    assert set(back.annotators) == {"ann", "bob", "cora", "reference"}
    assert read(out, format=name).annotators == ("ann", "bob", "cora")
    if name != "conll2003":
        assert back.texts[0].rstrip("\n") == TEXT
        mine = [(u.start, u.end, u.label) for u in back if u.annotator == "reference"]
        assert mine == [(0, 4, "PER"), (13, 17, "LOC")]


def test_unknown_texts_are_asked_for(tmp_path, accord_command):
    table = tmp_path / "u.csv"
    table.write_text("document,annotator,start,end,label\nd,A,0,4,x\nd,B,0,4,x\n")
    for words in (["gold", table, "-o", tmp_path / "g"], ["convert", table, tmp_path / "c"]):
        done = accord_command(*words, "--to", "brat")
        assert done.returncode == 2
        assert "--blank-texts" in done.stderr
        assert accord_command(*words, "--to", "brat", "--blank-texts").returncode == 0
    texts = tmp_path / "texts.csv"
    texts.write_text("document,text\nd,Anna went\n")
    done = accord_command("convert", table, tmp_path / "t", "--to", "brat", "--texts", texts)
    assert done.returncode == 0
    assert (tmp_path / "t" / "A" / "d.txt").read_text() == "Anna went"
    with pytest.raises(UsageError, match="blank_texts=True"):
        convert(read(table), tmp_path / "p", format="glozz")


def test_a_folder_lists_what_it_did_not_read(brat):
    (brat / "annotation.conf").write_text("[entities]\nPER\n")
    (brat / "ann" / "scan.pdf").write_bytes(b"%PDF")
    notes = " / ".join(read(brat).notes)
    assert (
        "ignored, not brat standoff (.ann beside .txt): 'ann/scan.pdf', 'annotation.conf'" in notes
    )
    from accord.reading.inspection import inspect

    assert any("scan.pdf" in note for note in inspect(brat).notes)


def test_a_folder_of_tables_too(tmp_path):
    (tmp_path / "a.csv").write_text("item,value\n1,x\n")
    (tmp_path / "b.csv").write_text("item,value\n1,y\n")
    (tmp_path / "readme.md").write_text("hello")
    assert any("ignored, not table (CSV, TSV): 'readme.md'" in n for n in read(tmp_path).notes)


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_an_unreadable_folder_is_named(brat):
    (brat / "dora").mkdir(mode=0o000)
    assert any("'dora' (cannot be read" in note for note in read(brat).notes)


def test_links_inside_are_followed_and_never_out(brat, tmp_path):
    (brat / "ann" / "d.txt").unlink()
    (brat / "ann" / "d.txt").symlink_to(brat / "bob" / "d.txt")
    outside = tmp_path / "secret.ann"
    outside.write_text("T1\tX 0 4\tAnna\n")
    (brat / "bob" / "e.ann").symlink_to(outside)
    (brat / "bob" / "again").symlink_to(brat)
    (brat / "bob" / "gone.ann").symlink_to(tmp_path / "nowhere")
    data = read(brat)
    assert data.texts == (TEXT,)
    notes = " / ".join(data.notes)
    assert "'bob/e.ann' (a symbolic link that leads out of the folder)" in notes
    assert "'bob/again' (a symbolic link that leads in a circle)" in notes
    assert "'bob/gone.ann' (a symbolic link that leads nowhere)" in notes


TABLE = "item,annotator,value\n1,A,x\n1,B,x\n2,A,y\n2,B,x\n"


def test_standard_input_and_pipes_are_read(tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "accord", "agree", "-", "--ci", "none", "--json"],
        input=TABLE,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    bad = subprocess.run(
        [sys.executable, "-m", "accord", "agree", "-"],
        input=TABLE + "2,B,y\n",
        capture_output=True,
        text=True,
        check=False,
    )
    assert bad.stderr.startswith("accord: -:6: annotator 'B' rates item '2' twice")
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)

    def late():
        time.sleep(0.2)
        pipe.write_text(TABLE)

    writer = threading.Thread(target=late)
    writer.start()
    assert read(pipe).n_ratings == 4
    writer.join()


def test_endless_and_special_input_is_refused(tmp_path, monkeypatch):
    with pytest.raises(InputError, match="/dev/zero: is a device"):
        read("/dev/zero")
    with pytest.raises(InputError, match="is a device"):
        read("/dev/zero", format="csv")
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    monkeypatch.setattr("accord.files.pipe.PATIENCE", 0.1)
    with pytest.raises(InputError, match="pipe into which nobody writes"):
        read(pipe)
    monkeypatch.setattr("accord.files.pipe.MOST", 1000)
    writer = threading.Thread(target=lambda: _endless(pipe))
    writer.start()
    with pytest.raises(InputError, match="save it to a file first"):
        read(pipe)
    writer.join()

    monkeypatch.setattr("accord.formats.tables.delimited._LONGEST_HEADER", 1000)
    long = tmp_path / "x.csv"
    long.write_text("a" * 5000)
    with pytest.raises(InputError, match="begins with a line of more than"):
        read(long)


def _endless(pipe: Path) -> None:
    try:
        with pipe.open("wb") as file:
            while True:
                file.write(b"x" * 10_000)
    except BrokenPipeError:
        pass


def test_roles_stand_in_the_signature(tmp_path):
    path = tmp_path / "x.csv"
    path.write_text(TABLE + "1,C,x\n2,C,y\n")
    data = accord.read(path, without=["C"])
    assert "without:C" in accord.agree(data, "alpha").signature


def test_words_of_conll_are_a_text(tmp_path):
    path = tmp_path / "ann.conll"
    path.write_text(
        "-DOCSTART- (d) -X- O\n\nAnna NNP B-PER\nwent VBD O\nto TO O\nNew NNP B-LOC\nYork NNP I-LOC\n"
    )
    data = read(path)
    assert (data.unit, data.words) == ("tokens", (("Anna", "went", "to", "New", "York"),))
    assert convert(data, tmp_path / "out", format="brat") == []
    assert (tmp_path / "out" / "ann" / "d.txt").read_text() == "Anna went to New York"
    assert [(u.start, u.end, u.label) for u in read(tmp_path / "out")] == [
        (0, 4, "PER"),
        (13, 21, "LOC"),
    ]
    convert(data, tmp_path / "again.conll", format="conll2003")
    assert "York -X- -X- I-LOC" in (tmp_path / "again.conll").read_text()
    path.write_text("B-PER x Anna\nO x went\n")
    laid = read(path, format="conll2003", columns="tag,_,word")
    assert ([u.label for u in laid], laid.words) == (["PER"], (("Anna", "went"),))


def test_milliseconds_are_written_as_seconds(tmp_path):
    path = tmp_path / "r.eaf"
    path.write_text(
        '<?xml version="1.0"?><ANNOTATION_DOCUMENT><TIME_ORDER><TIME_SLOT TIME_SLOT_ID="a" TIME_VALUE="500"/>'
        '<TIME_SLOT TIME_SLOT_ID="b" TIME_VALUE="1500"/></TIME_ORDER><TIER TIER_ID="ann"><ANNOTATION>'
        '<ALIGNABLE_ANNOTATION ANNOTATION_ID="x" TIME_SLOT_REF1="a" TIME_SLOT_REF2="b"><ANNOTATION_VALUE>'
        "u</ANNOTATION_VALUE></ALIGNABLE_ANNOTATION></ANNOTATION></TIER></ANNOTATION_DOCUMENT>"
    )
    for name in ("textgrid", "rttm"):
        convert(read(path), tmp_path / name, format=name)
        assert [(u.start, u.end) for u in read(tmp_path / name)] == [(0.5, 1.5)]


@pytest.mark.parametrize(
    "name", ["x.json", "x.jsonl", "x.xml", "x.csv", "x.ann", "x.conll", "x.gz"]
)
def test_a_line_that_never_ends_is_refused_before_it_is_read(name, tmp_path, monkeypatch):
    monkeypatch.setattr(limits, "LONGEST", 1000)
    begin = {
        "x.json": '[{"text": "',
        "x.jsonl": '{"text": "',
        "x.xml": '<?xml version="1.0"?><XMI a="',
    }
    text = begin.get(name, "T1\tX 0 4\t" if name == "x.ann" else "") + "abc " * 1000
    path = tmp_path / name
    path.write_bytes(gzip.compress(text.encode()) if name == "x.gz" else text.encode())
    with pytest.raises(InputError, match="has a line of more than"):
        read(path, format="doccano" if name == "x.gz" else None)
    # short lines of a long file are read
    table = tmp_path / "t.csv"
    table.write_text("item,annotator,value\n" + "".join(f"{i},A,x\n{i},B,x\n" for i in range(500)))
    assert read(table).n_ratings == 1000


def test_inspect_reads_pipes_and_refuses_devices(tmp_path):
    from accord.reading.inspection import inspect

    with pytest.raises(InputError, match="/dev/zero: is a device"):
        inspect("/dev/zero")
    done = subprocess.run(
        [sys.executable, "-m", "accord", "inspect", "-", "--json"],
        input=TABLE,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["path"] == "-"


@pytest.mark.parametrize("name", ["conll2012", "corefud"])
def test_the_reference_of_chains_beside_the_originals(name, tmp_path, accord_command):
    rows = ["document,annotator,start,end,entity"]
    for who, entity in (("ann", 1), ("bob", 1), ("cora", 2)):
        rows += [f"d,{who},0,1,1", f"d,{who},3,4,{entity}", f"d,{who},6,7,2"]
    table = tmp_path / "c.csv"
    table.write_text("\n".join(rows) + "\n")
    done = accord_command("gold", table, "-o", tmp_path / "out", "--to", name, "--with-annotators")
    assert done.returncode == 0, done.stderr
    back = read(tmp_path / "out", format=name, curation="include")
    assert set(back.annotators) == {"ann", "bob", "cora", "reference"}
    mine = back.clusters(0, back.annotators.index("reference"))
    assert {frozenset(c) for c in mine} == {frozenset({(0, 1), (3, 4)}), frozenset({(6, 7)})}
    # a file holds the reference alone
    done = accord_command("gold", table, "-o", tmp_path / "one.conll", "--to", name)
    assert done.returncode == 0, done.stderr
    assert len(read(tmp_path / "one.conll", format=name).annotators) == 1
    with pytest.raises(UsageError, match="name a folder"):
        convert(accord.read(table), tmp_path / "all.conll", format=name)


def _rated(platform, folder):
    """Two people rate three films, as the platform exports it."""
    films = {str(i): f"film {i} was good" for i in range(1, 4)}
    if platform == "label-studio":
        path = folder / "x.json"
        tasks = [
            {
                "id": int(i),
                "data": {"text": text},
                "annotations": [
                    {
                        "completed_by": who,
                        "result": [
                            {"from_name": "s", "type": "choices", "value": {"choices": ["pos"]}}
                        ],
                    }
                    for who in (1, 2)
                ],
            }
            for i, text in films.items()
        ]
        path.write_text(json.dumps(tasks))
        return path, films
    if platform == "doccano":
        for who in "ab":
            rows = [{"id": i, "text": text, "label": ["pos"]} for i, text in films.items()]
            (folder / f"{who}.jsonl").write_text("".join(json.dumps(r) + "\n" for r in rows))
        return folder, films
    path = folder / "x.jsonl"
    rows = [
        {
            "text": text,
            "_input_hash": int(i),
            "label": "pos",
            "answer": "accept",
            "_annotator_id": who,
        }
        for i, text in films.items()
        for who in "ab"
    ]
    path.write_text("".join(json.dumps(r) + "\n" for r in rows))
    return path, films


@pytest.mark.parametrize("platform", ["label-studio", "doccano", "prodigy"])
def test_the_texts_of_rated_items_travel(platform, tmp_path, accord_command):
    (tmp_path / "in").mkdir()
    path, films = _rated(platform, tmp_path / "in")
    data = read(path)
    assert sorted(data.texts.values()) == sorted(films.values())
    for name, out in (
        ("csv", "o.csv"),
        ("jsonl", "o.jsonl"),
        ("label-studio", "o.json"),
        ("doccano", "o"),
    ):
        assert convert(data, tmp_path / out, format=name) == []
        assert read(tmp_path / out, format=name).texts == data.texts
    done = accord_command(
        "gold",
        path,
        "-o",
        tmp_path / "g.csv",
        "--worklist",
        tmp_path / "w.csv",
        "--confidence",
        "1.1",
    )
    assert done.returncode == 0, done.stderr
    assert "film 2 was good" in (tmp_path / "w.csv").read_text()
    back = tmp_path / "back.jsonl"
    done = accord_command("gold", path, "-o", back, "--to", "doccano")
    assert done.returncode == 0, done.stderr
    assert read(back).texts == data.texts
    done = accord_command(
        "gold", path, "-o", tmp_path / "back", "--to", "doccano", "--with-annotators"
    )
    assert done.returncode == 0, done.stderr
    whole = read(tmp_path / "back", curation="include")
    assert "reference" in whole.annotators
    assert whole.texts == data.texts
