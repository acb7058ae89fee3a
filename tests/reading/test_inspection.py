"""`accord inspect` never refuses on an open question: it shows every way to read, and what to type."""

import json
import random
import shlex

import pytest

from accord.errors import InputError
from accord.reading.inspection import inspect
from tests.in_process import run

DRAW = random.Random(3)
ITEMS = range(1, 21)


def long_table(cell) -> str:
    rows = [f"{i},{who},{cell(i, who)}\n" for i in ITEMS for who in "AB"]
    return "item,annotator,value\n" + "".join(rows)


def events(head: str, silent=()) -> str:
    rows = [
        f"v{v},{who},{DRAW.choice(('run', 'sit'))},{10 * k + v},{10 * k + v + 5}\n"
        for v in range(6)
        for who in ("lea", "marc")
        for k in range(5)
        if (v, who) not in silent
    ]
    return head + "\n" + "".join(rows)


def graded(i: int, who: str) -> str:
    return "999" if (i, who) in ((4, "A"), (9, "B")) else str(DRAW.randint(0, 4))


#: what is open → the table, and the options that answer
OPEN = {
    "code": (long_table(graded), ["--missing-values 999", "--keep-values 999"]),
    "dash": (
        long_table(lambda i, who: "-" if i % 3 == 0 else DRAW.choice("xy")),
        ["--missing-values=-", "--keep-values=-"],
    ),
    "percent": (
        long_table(lambda i, who: "75" if i == 7 else f"{DRAW.choice((25, 50))}%"),
        ["--recode 75=75%", "--values numbers"],
    ),
    "columns": (
        events("blah,coder,foo,start,end"),
        [
            "--column document=blah --column label=foo",
            "--column document=blah --column label=",
            "--column label=blah",
            "--column document= --column label=",
        ],
    ),
    "silence": (
        events("video,coder,behaviour,start,end", {(4, "marc"), (5, "marc")}),
        ["--seen all", "--seen marked"],
    ),
    "repeats": (
        long_table(lambda i, who: "xyz"[i % 3]) + "1,A,z\n",
        ["--duplicates first", "--duplicates last", "--multiple"],
    ),
}


@pytest.fixture(params=OPEN)
def opened(request, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    text, options = OPEN[request.param]
    (tmp_path / "data.csv").write_text(text)
    code, _, told, _ = run("accord agree data.csv")
    assert code == 2
    assert told
    return options


def test_every_way_is_shown_with_its_rows_and_its_command(opened):
    code, out, told, _ = run("accord inspect data.csv")
    assert code == 0, told
    for option in opened:
        assert f"accord agree data.csv {option}\n" in out
    # the header and the first rows of each
    assert out.count("data.csv: table (CSV, TSV), ") == len(opened)
    assert out.count("annotator") >= 2 * len(opened)


def test_the_commands_it_shows_answer_the_question(opened):
    _, out, _, _ = run("accord inspect data.csv --json")
    found = json.loads(out)
    assert [way["option"] for way in found["ways"]] == opened
    for way, reading in zip(found["ways"], found["reading"], strict=True):
        code, answer, told, _ = run(f"{way['command']} --json")
        assert code == 0, told
        told_again = json.loads(answer)["reading"]
        assert {k: reading[k] for k in ("labels", "people", "missing", "used")} == {
            k: told_again[k] for k in ("labels", "people", "missing", "used")
        }
        assert 1 <= len(way["rows"]) <= 5
        assert way["problem"] is None


def test_an_answer_that_was_given_is_not_asked_again(opened):
    for option in opened:
        code, out, told, _ = run(f"accord inspect data.csv {option}")
        assert code == 0, told
        # it ends with what to type
        last = out.rstrip().splitlines()[-1]
        assert last.startswith("accord agree data.csv ")
        assert run(last)[0] == 0, last


def test_several_paths_are_looked_at_as_one_campaign(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for who in ("ana", "ben two"):
        cells = "".join(f"{i},{DRAW.choice('xy')}\n" for i in ITEMS)
        (tmp_path / f"{who}.csv").write_text(f"item,value\n{cells}")
    code, out, told, _ = run("accord inspect ana.csv 'ben two.csv'")
    assert code == 0, told
    last = out.rstrip().splitlines()[-1]
    assert shlex.split(last) == ["accord", "agree", "ana.csv", "ben two.csv"]
    found = inspect("ana.csv", "ben two.csv")
    assert [row["annotator"] for row in found.annotators] == ["ana", "ben two"]
    assert inspect("ana.csv").reading is not None


def test_one_person_is_scored(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "gold.csv").write_text("item,value\n1,x\n2,y\n")
    _, out, _, _ = run("accord inspect gold.csv")
    assert out.rstrip().splitlines()[-1] == "accord score gold.csv SYSTEM"


def test_what_is_no_question_is_refused_as_everywhere(tmp_path):
    (tmp_path / "data.csv").write_text("item,annotator,value\n1,A\n")
    with pytest.raises(InputError):
        inspect(tmp_path / "data.csv")
    with pytest.raises(InputError, match="does not exist"):
        inspect(tmp_path / "none.csv")
