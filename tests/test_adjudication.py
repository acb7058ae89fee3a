"""Human decisions: an append-only log that no automatic run overrides."""

import csv
import json
import multiprocessing

import pytest

from accord.errors import InputError
from accord.gold.decisions import append, latest, log_beside, read_decisions, read_log


def decision(item, value, **more):
    return {"item": item, "value": value, "kind": "label", "who": "Ann", "when": "t", "why": "",
            **more}  # fmt: skip


def test_the_log_only_grows(tmp_path):
    log = tmp_path / "gold.decisions.jsonl"
    assert append(log, [decision("1", "a"), decision("2", "b")]) == 2
    before = log.read_bytes()
    assert append(log, [decision("1", "a", when="later")]) == 0
    assert append(log, [decision("1", "c", who="Bob")]) == 1
    assert log.read_bytes().startswith(before)
    held, notes = read_log(log)
    assert (len(held), notes) == (3, [])
    assert latest(held)["1"]["value"] == "c"


def test_a_torn_line_is_passed_over_and_kept(tmp_path):
    log = tmp_path / "x.jsonl"
    append(log, [decision("1", "a")])
    with log.open("a") as file:
        file.write('{"item": "2", "val')
    torn = log.read_bytes()
    held, notes = read_log(log)
    assert [d["item"] for d in held] == ["1"]
    assert ":2: is not a decision" in notes[0]
    append(log, [decision("3", "c")])
    assert log.read_bytes().startswith(torn)
    assert [d["item"] for d in read_log(log)[0]] == ["1", "3"]


def _write_many(path, who):
    for i in range(30):
        append(path, [decision(f"{who}{i}", "a", who=who)])


def test_two_people_at_once(tmp_path):
    log = tmp_path / "both.jsonl"
    context = multiprocessing.get_context("spawn")
    people = [context.Process(target=_write_many, args=(log, who)) for who in ("p", "q")]
    for person in people:
        person.start()
    for person in people:
        person.join()
    held, notes = read_log(log)
    assert (len(held), notes) == (60, [])


def test_reading_a_filled_worklist(tmp_path):
    path = tmp_path / "d.csv"
    path.write_text(
        "item,reason,decision,who,when,why\n"
        "1,tie,a,Ann,2026-01-01,because\n2,tie,,,,\n3,tie,(reject),Bob,,\n4,tie,(none),Bob,,\n"
    )
    found = read_decisions(path)
    assert [(d["item"], d["value"], d["kind"]) for d in found] == [
        ("1", "a", "label"), ("3", "", "reject"), ("4", "", "none"),
    ]  # fmt: skip
    assert found[0]["why"] == "because"
    assert found[1]["when"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("item,x\n1,2\n", "needs the columns item and decision"),
        ("item,decision\n1,a,b\n", ":2: has another number of cells"),
        ("item,decision\n,a\n", "a decision names no item"),
    ],
)
def test_bad_decisions_are_named(tmp_path, text, message):
    path = tmp_path / "d.csv"
    path.write_text(text)
    with pytest.raises(InputError, match=message):
        read_decisions(path)


@pytest.fixture
def judges(table):
    rows = [(i, a, v) for a, row in zip("HKL", ("ABCAAB", "ABCBBB", "ABCABA"), strict=True)
            for i, v in enumerate(row, 1)]  # fmt: skip
    return table("item,annotator,value\n" + "".join(f"{i},{a},{v}\n" for i, a, v in rows))


def rows(path):
    with path.open() as file:
        return list(csv.DictReader(file))


def test_decisions_survive_later_runs(judges, table, tmp_path, accord_command):
    out = tmp_path / "gold.csv"
    decided = table(
        "item,decision,who,when,why\n5,A,Ann,2026-01-02,context\n6,(reject),Bob,,broken\n", "d.csv"
    )
    run = accord_command(
        "gold", judges, "--method", "majority", "--adjudicate", decided, "-o", out, "--details"
    )
    assert run.returncode == 0, run.stderr
    found = {r["item"]: r for r in rows(out)}
    assert (found["5"]["value"], found["5"]["source"], found["5"]["who"]) == ("A", "human", "Ann")
    assert found["5"]["why"] == "context"
    assert (found["6"]["value"], found["6"]["source"]) == ("", "human")
    # an automatic run without --adjudicate keeps them
    accord_command("gold", judges, "--method", "dawid-skene", "-o", out, "--details")
    again = {r["item"]: r for r in rows(out)}
    assert (again["5"]["value"], again["6"]["value"]) == ("A", "")
    assert len(read_log(log_beside(out))[0]) == 2


def test_worklist_can_be_filled_and_read_back(judges, tmp_path, accord_command):
    out, todo = tmp_path / "gold.csv", tmp_path / "todo.csv"
    accord_command("gold", judges, "-o", out, "--worklist", todo)
    work = rows(todo)
    assert [r["item"] for r in work] == ["4", "5", "6"]
    for r in work:
        r["decision"], r["who"] = "B", "Ann"
    with todo.open("w", newline="") as file:
        writer = csv.DictWriter(file, work[0])
        writer.writeheader()
        writer.writerows(work)
    run = accord_command("gold", judges, "-o", out, "--adjudicate", todo, "--json")
    found = json.loads(run.stdout)
    assert [r["value"] for r in found["items"]] == ["A", "B", "C", "B", "B", "B"]
    assert found["worklist"] == []


def test_command_line_of_gold(judges, table, tmp_path, accord_command):
    out = tmp_path / "g.csv"
    run = accord_command("gold", judges, "--method", "dawid-skene", "-o", out, "--soft", "--json")
    report = json.loads(run.stdout)
    assert report["convergence"]["converged"]
    assert report["terms"]["weak_majority"] == 0
    header = out.read_text().splitlines()[0]
    assert header == "item,value,confidence,p:A,p:B,p:C"
    bad = accord_command("gold", judges, "--method", "magic")
    assert bad.returncode == 2
    assert bad.stderr.startswith("accord: the method must be one of")
    known = table("item,value\n5,A\n", "known.csv")
    run = accord_command("gold", judges, "--known", known, "--group", "m=H,K", "--json")
    report = json.loads(run.stdout)
    assert report["items"][4]["source"] == "known"
    assert report["effective_annotators"] < 3
