"""What was read, as every command shows it: the header above the value, and ``reading`` in JSON."""

from __future__ import annotations

import json
import random
import shutil
import string
from dataclasses import replace
from pathlib import Path

import pytest

import accord
from accord.adjudication import Campaign
from accord.data.header import header
from accord.data.protocol import SHAPES
from accord.data.reading import Answer, Decision, LeftOut, Provenance, Reading, Source
from accord.errors import in_command
from accord.gold import Store
from accord.language import speak
from tests.conftest import ROOT
from tests.in_process import commands, run

#: what the JSON of a reading holds, whatever the shape
KEYS = {
    *("shape", "sources", "columns", "unused_columns", "people", "labels", "labels_n", "scale"),
    *("missing", "left_out", "assumed", "used"),
}
#: what the rows of its lists hold
LISTS = {
    "missing": {"word", "n"},
    "left_out": {"what", "n", "why", "keep_with"},
    "assumed": {"what", "why", "otherwise"},
}
#: command → lines that read data; the files stand in `place`
LINES = {
    "agree": ("agree moods.csv", "agree moods.csv --against moods.csv", "agree key.conll"),
    "align": ("align claims.csv",),
    "distribute": ("distribute claims.csv",),
    "gold": ("gold moods.csv", "gold claims.csv", "gold moods.csv --groups groups.csv"),
    "decisions": ("decisions made.db --import made.csv --check moods.csv",),
    "discuss": ("discuss moods.csv -o pages",),
    "score": (
        "score gold.csv one.csv two.csv",
        "score judged.csv --systems m",
        "score key.conll response.conll",
        "score golds systems --datasets",
    ),
    "rank": ("rank judged.csv --systems m",),
    "alt-test": ("alt-test judged.csv --systems m --least-items 5",),
    "judge": ("judge judged.csv --judge m --positive yes",),
    "prefer": ("prefer judgements.csv",),
    "limits": ("limits scores.csv",),
    "audit": ("audit moods.csv",),
    "report": ("report moods.csv -o page.html --resamples 50",),
    "inspect": ("inspect moods.csv", "inspect key.conll"),
    "convert": ("convert claims.csv out.csv",),
    "simulate grid": ("simulate grid moods.csv --steps 1 --campaigns 1",),
    "simulate damage": ("simulate damage moods.csv --degradation noise --level 0.2 -o noisy.csv",),
    "simulate size": ("simulate size moods.csv --campaigns 20",),
    "simulate measures": ("simulate measures moods.csv --steps 1 --campaigns 1 -m alpha,s",),
    "simulate chains": ("simulate chains --like key.conll --repetitions 2",),
    "simulate reliability": ("simulate reliability scores.csv",),
}
#: they read no annotations, or print what a program waits for (its reading is in /api/progress)
WITHOUT = {"measures", "falsify", "reproduce", "simulate prevalence", "serve"}


def check_contract(reading) -> None:
    """Every key of a reading, with its type, as programs rely on it."""
    assert set(reading) >= KEYS
    assert reading["shape"] in (*SHAPES, "preferences")
    for source in reading["sources"]:
        assert {"path", "format"} <= set(source) <= {"path", "format", "layer", "rows", "role"}
        assert all(isinstance(source[k], str) for k in source.keys() - {"rows"})
        assert isinstance(source.get("rows", 0), int)
    for columns in (reading["columns"], *reading["unused_columns"]):
        assert all(isinstance(k, str) and isinstance(v, str) for k, v in columns.items())
    for column in reading["unused_columns"]:
        assert set(column) == {"name", "looks_like"}
    for person in reading["people"]:
        assert {"name", "role", "n"} <= set(person) <= {"name", "role", "n", "why"}
        assert person["role"] in ("annotator", "system", "reference", "set aside")
        assert person["n"] is None or isinstance(person["n"], int)
    size = [reading[k] for k in ("items", "documents") if k in reading]
    assert size
    assert all(isinstance(n, int) for n in (*size, reading["labels_n"], *reading["used"].values()))
    assert all(isinstance(label, str) for label in reading["labels"])
    assert len(reading["labels"]) == min(50, reading["labels_n"])
    assert isinstance(reading["scale"], str)
    for key, names in LISTS.items():
        assert all(set(one) == names for one in reading[key]), key
    assert {"annotators", "systems"} & set(reading["used"])


@pytest.mark.parametrize("shape", sorted(SHAPES))
def test_each_shape_keeps_the_contract(shape, place):
    rows = {
        "ratings": "item,annotator,value\n1,A,x\n1,B,x\n2,A,y\n2,B,x\n3,A,y\n",
        "units": "document,annotator,start,end,label\nd,A,0,4,x\nd,B,0,4,x\nd,A,6,9,y\nd,B,6,8,y\n",
        "segments": "document,annotator,masses\nd,A,3 4\nd,B,4 3\n",
        "relations": "document,annotator,source,target,label\nd,A,1,2,r\nd,B,1,2,r\nd,A,2,3,s\n",
        "boxes": "document,annotator,x0,y0,x1,y1,label\nd,A,0,0,4,4,x\nd,B,0,0,4,5,x\n"
        "e,A,3,3,8,8,x\ne,B,3,3,8,9,x\n",
        "chains": json.dumps({"documents": {"d": {"A": [["a", "b"]], "B": [["a"], ["b"]]}}}),
    }
    name = "data.json" if shape == "chains" else "data.csv"
    Path(name).write_text(rows[shape])
    for command in ("agree", "inspect"):
        code, out, told, _ = run(f"accord {command} {name} --json")
        assert code == 0, told
        reading = json.loads(out)["reading"]
        check_contract(reading)
        assert reading["shape"] == shape
        assert [p["name"] for p in reading["people"]] == ["A", "B"]


def every_command(group, before: str = "") -> set[str]:
    names = set()
    for name, command in group.commands.items():
        inner = getattr(command, "commands", None)
        names |= every_command(command, f"{before}{name} ") if inner else {before + name}
    return names


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    for file in (ROOT / "examples").iterdir():
        shutil.copy(file, tmp_path)
    draw = random.Random(5)
    rows = [("item", "annotator", "value")]
    for item in range(40):
        truth = draw.choice(["yes", "no"])
        for who in ("Ana", "Ben", "Cleo", "m"):
            said = truth if draw.random() < 0.8 else draw.choice(["yes", "no"])
            rows.append((str(item), who, said))
    write("judged.csv", rows)
    for name in ("gold", "one", "two", "golds/a", "golds/b", "systems/a", "systems/b"):
        answers = [(str(i), draw.choice(["yes", "no"])) for i in range(30)]
        write(f"{name}.csv", [("item", "value"), *answers])
    write("groups.csv", [("annotator", "group"), ("Ana", "x"), ("Ben", "x"), ("Cleo", "y")])
    write("made.csv", [("item", "decision", "who"), ("m31", "neutral", "Eva")])
    return tmp_path


def write(name, rows) -> None:
    path = Path(name)
    path.parent.mkdir(exist_ok=True)
    path.write_text("".join(f"{','.join(row)}\n" for row in rows))


def test_every_command_is_known_here():
    """A new command that reads data is named above; then it is held to what follows."""
    known = every_command(commands())
    assert known == set(LINES) | WITHOUT


@pytest.mark.parametrize("line", [line for lines in LINES.values() for line in lines])
def test_json_carries_what_was_read(line, place):
    code, out, told, _ = run(f"accord {line} --json")
    assert code == 0, told
    document = json.loads(out)
    several = "--datasets" in line or "--against" in line
    readings = document["reading"] if several else [document["reading"]]
    assert len(readings) == (2 if several else 1)
    for reading in readings:
        check_contract(reading)
        assert reading["sources"], line
        assert all(s["path"] and s["format"] for s in reading["sources"])
        assert reading["people"]
        assert reading["used"]


@pytest.mark.parametrize("line", [lines[0] for lines in LINES.values()])
def test_a_person_sees_what_was_read_above_the_answer(line, place):
    code, out, told, _ = run(f"accord {line}")
    assert code == 0, told
    told_first = out.partition("\n\n")[0].splitlines()
    assert 2 <= len(told_first) <= 5, out
    assert all(len(text) <= 80 for text in told_first)
    source = line.split()[1] if not line.startswith(("simulate", "decisions")) else "."
    assert source in told_first[0]
    if line.startswith("inspect"):
        return
    shutil.rmtree(place / "pages", ignore_errors=True)
    code, quiet, _, _ = run(
        f"accord {line} --quiet --overwrite" if "-o" in line else f"accord {line} -q"
    )
    assert "\n".join(told_first) not in quiet


def test_one_reading_has_the_roles_of_a_score(place):
    _, out, _, _ = run("accord score gold.csv one.csv two.csv --json")
    reading = json.loads(out)["reading"]
    roles = {s["path"]: s["role"] for s in reading["sources"]}
    assert roles == {"gold.csv": "reference", "one.csv": "system", "two.csv": "system"}
    assert {p["name"]: p["role"] for p in reading["people"]} == {
        "gold": "reference",
        "one": "system",
        "two": "system",
    }
    _, out, _, _ = run("accord score judged.csv --systems m --json")
    reading = json.loads(out)["reading"]
    assert [(p["name"], p["role"]) for p in reading["people"]] == [
        ("Ana", "annotator"),
        ("Ben", "annotator"),
        ("Cleo", "annotator"),
        ("m", "system"),
    ]


def test_the_browser_is_told_too(place):
    data = accord.read("moods.csv")
    with Store(":memory:") as store:
        told = Campaign(data, store).progress()
    assert told["reading"] == data.reading.to_dict()


DECIDED = Provenance(
    sources=(Source(path="r.csv", format="table (CSV, TSV)", rows=9),),
    missing={"NA": 3, "-": 2},
    left_out=(
        LeftOut(
            what="column 'total'", why="the sum of the others", keep=("annotators", "A,B,total")
        ),
    ),
    decisions=(
        Decision(
            about="rows",
            taken=Answer("rows are items", ("rows", "items")),
            others=(Answer("rows are annotators", ("rows", "annotators")),),
        ),
    ),
)


def decided() -> Reading:
    data = accord.Ratings.from_matrix([["x", "y"], ["x", "y"]], annotators=["A", "B"])
    return replace(data, provenance=DECIDED).reading


def test_what_was_decided_has_its_option():
    lines = header(decided(), width=100, spelt=in_command)
    assert lines[:3] == [
        "r.csv: table (CSV, TSV), 9 rows",
        "2 annotators: A, B",
        "2 items, 4 ratings; labels (names): x, y",
    ]
    assert " ".join(lines[3:]) == (
        "assumed: rows are items (otherwise --rows annotators); left out: column 'total' (kept by "
        "--annotators A,B,total); counted as missing: NA (3), - (2) (otherwise --keep-values NA,-)"
    )
    assert "rows=annotators" in str(decided()).replace("'", "")
    carried = decided().to_dict()
    assert carried["assumed"] == [
        {"what": "rows are items", "why": "", "otherwise": "--rows annotators"}
    ]
    assert carried["left_out"] == [
        {
            "what": "column 'total'",
            "n": 1,
            "why": "the sum of the others",
            "keep_with": "--annotators A,B,total",
        }
    ]
    assert carried["missing"] == [{"word": "NA", "n": 3}, {"word": "-", "n": 2}]


def test_a_header_is_five_lines_of_eighty_columns():
    draw = random.Random(1)

    def names(n: int) -> list[str]:
        length = draw.choice([1, 5, 30, 120])
        return ["".join(draw.choices(string.ascii_letters, k=length)) + str(i) for i in range(n)]

    for _ in range(100):
        people = names(draw.randint(1, 60))
        labels = names(draw.randint(1, 60))
        rows = [[draw.choice([*labels, None]) for _ in range(20)] for _ in people]
        rows[0][0] = labels[0]
        data = accord.Ratings.from_matrix(rows, annotators=people)
        gone = [LeftOut(what=n, why=draw.choice(["", "empty"])) for n in names(draw.randint(0, 9))]
        kept = Provenance(
            sources=tuple([Source(path=p, format="table") for p in names(draw.randint(1, 5))]),
            left_out=tuple(gone),
            decisions=DECIDED.decisions * draw.randint(0, 1),
            missing=dict.fromkeys(names(draw.randint(0, 9)), 7),
        )
        reading = replace(data, provenance=kept).reading
        lines = header(reading)
        assert 3 <= len(lines) <= 5
        assert max(map(len, lines)) <= 80, lines
        assert reading._repr_html_().startswith("<div")


def test_people_are_named_up_to_eight():
    data = accord.Ratings.from_matrix([["x", "y"]] * 20, annotators=[f"p{i}" for i in range(20)])
    assert header(data.reading)[0] == "20 annotators: p0, p1, p2, p3, p4, p5, p6, p7 and 12 more"


def test_what_one_person_alone_saw_is_named():
    rows = [
        ("lettre01", "A1", 0, 4, "x"),
        ("lettre01", "A2", 0, 4, "x"),
        ("lettre08", "A1", 5, 9, "y"),
    ]
    reading = accord.Units.from_rows(rows).covered("marked").reading
    assert header(reading)[-1] == "left out: document lettre08, annotated by A1 only"
    assert reading.used == {"annotators": 2, "documents": 1, "units": 2}
    data = accord.Ratings.from_matrix([["x", "y", None], ["x", "y", None], [None, None, "x"]])
    assert [x.what for x in data.reading.left_out] == ["annotator A3", "item 3"]


def test_a_header_in_french(place):
    _, out, _, _ = run("accord agree moods.csv --lang fr")
    assert out.splitlines()[:3] == [
        "moods.csv\xa0: tableau (CSV, TSV), 120 lignes",
        "3 annotateurs\xa0: Ana, Ben, Cleo",
        "40 items, 120 jugements ; étiquettes (noms)\xa0: negative, neutral, positive",
    ]
    speak("en")
