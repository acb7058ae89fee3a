"""Human decisions: stored once and for good, checked before, in force until replaced."""

import csv
import json
import multiprocessing
import sqlite3
from pathlib import Path

import pytest

import accord
from accord.errors import InputError
from accord.gold.adjudication import adjudicate, check_of
from accord.gold.decisions import ConflictError, Decision, Ledger, Store
from accord.gold.decisions.exchange import (
    read_decisions,
    read_records,
    take_in,
    write_decisions,
)


def decision(item, value="a", **more):
    return Decision(**{"item": item, "kind": "label", "value": value, "who": "Ann", **more})


@pytest.fixture
def store(tmp_path):
    with Store(tmp_path / "c.db") as opened:
        yield opened


def test_a_decision_must_name_the_one_in_force(store):
    first = store.decide(decision("1"))
    with pytest.raises(ConflictError) as refused:
        store.decide(decision("1", "b", who="Bob"))
    assert refused.value.standing.in_force == first
    second = store.decide(decision("1", "b", who="Bob", replaces=first.id))
    with pytest.raises(ConflictError):
        store.decide(decision("1", "c", replaces=first.id))
    assert store.ledger.standing("1").in_force == second
    assert len(store.ledger) == 2


def test_withdrawing_is_a_decision(store):
    first = store.decide(decision("1"))
    gone = store.decide(decision("1", None, kind="withdraw", replaces=first.id))
    assert store.ledger.in_force == {}
    # both who saw the withdrawal and who sees nothing may go on
    assert store.ledger.standing("1").accepts(None)
    third = store.decide(decision("1", "c", replaces=gone.id))
    assert store.ledger.in_force == {"1": third}
    assert [d.kind for d in store.ledger.standing("1").history] == ["label", "withdraw", "label"]


def test_what_contradicts_is_shown_and_settled_by_a_person(store):
    first = store.decide(decision("1", "a"))
    take_in(store, [decision("1", "b", who="Bob")])
    standing = store.ledger.standing("1")
    assert (standing.in_force, [r.who for r in standing.rivals]) == (first, ["Bob"])
    assert [s.item for s in store.ledger.conflicts] == ["1"]
    # one who says the same contradicts nobody
    take_in(store, [decision("1", "a", who="Cid")])
    assert len(store.ledger.standing("1").rivals) == 1
    store.decide(decision("1", "b", who="Dan", replaces=first.id))
    assert store.ledger.conflicts == []


def test_sent_again_is_stored_once(store):
    one = decision("1", id="k")
    assert store.decide(one) == store.decide(one)
    assert len(store.ledger) == 1
    stored = store.decide_all([decision("2", id="m"), decision("2", id="m")])
    assert stored[0] == stored[1]
    assert len(store.ledger) == 2


def test_the_file_only_grows_whoever_opens_it(store):
    store.decide(decision("1"))
    other = sqlite3.connect(store.path)
    for attack in (
        "UPDATE decisions SET value = '\"b\"'",
        "DELETE FROM decisions",
        'INSERT OR REPLACE INTO decisions (seq, id, item, kind, who, "when", why) '
        "VALUES (1, 'x', 'i', 'none', 'w', 't', '')",
        'INSERT OR REPLACE INTO decisions (id, item, kind, who, "when", why) '
        "SELECT id, 'i', 'none', 'w', 't', '' FROM decisions",
    ):
        with pytest.raises(sqlite3.DatabaseError, match="only ever added"):
            other.execute(attack)
    other.close()
    assert store._file.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert store._file.execute("PRAGMA synchronous").fetchone() == (2,)  # FULL


def _write_many(path, who):
    with Store(path) as store:
        for i in range(30):
            store.decide(decision(f"{who}{i}", who=who))


def test_two_people_at_once(tmp_path, monkeypatch):
    # (they import this module)
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2]))
    path = tmp_path / "both.db"
    context = multiprocessing.get_context("spawn")
    people = [context.Process(target=_write_many, args=(path, who)) for who in ("p", "q")]
    for person in people:
        person.start()
    for person in people:
        person.join()
    with Store(path) as store:
        assert len(store.ledger) == 60


def test_another_file_is_not_touched(tmp_path):
    text = tmp_path / "notes.db"
    text.write_text("these are notes, and no database at all, but they end in .db\n" * 5)
    with pytest.raises(InputError, match="cannot be used"):
        Store(text)
    foreign = tmp_path / "foreign.db"
    file = sqlite3.connect(foreign)
    file.execute("CREATE TABLE t (x)")
    file.commit()
    file.close()
    before = foreign.read_bytes()
    with pytest.raises(InputError, match="another program"):
        Store(foreign)
    assert foreign.read_bytes() == before


def test_out_and_in_again(store, tmp_path):
    unit = {"start": 0.1, "end": 2000010.0, "label": "x"}
    first = store.decide(
        decision("d:0.1-2000010", unit, place={"document": "d", **unit}, digest="f", why='ü, "q"')
    )
    store.decide(decision("d:0.1-2000010", None, kind="withdraw", replaces=first.id))
    for name in ("x.jsonl", "x.csv"):
        path = tmp_path / name
        assert write_decisions(store, path) == 2
        with Store(tmp_path / f"{name}.db") as copy:
            assert take_in(copy, read_decisions(path)) == 2
            assert copy.ledger.decisions == store.ledger.decisions
            # once is enough
            assert take_in(copy, read_decisions(path)) == 0


def test_an_old_file_does_not_beat_a_newer_decision(store, tmp_path):
    path = tmp_path / "d.csv"
    path.write_text("item,decision,who\n1,a,Ann\n")
    take_in(store, read_decisions(path))
    newer = store.decide(decision("1", "b", replaces=store.ledger.in_force["1"].id))
    assert take_in(store, read_decisions(path)) == 0
    assert store.ledger.in_force["1"] == newer
    assert not store.ledger.conflicts


def test_an_edited_export_replaces_and_withdraws(store, tmp_path):
    first = store.decide(decision("1", "a"))
    second = store.decide(decision("2", "a"))
    path = tmp_path / "d.csv"
    write_decisions(store, path)
    path.write_text(path.read_text().replace("1,a,", "1,b,"))
    assert take_in(store, read_decisions(path)) == 1
    assert (store.ledger.in_force["1"].value, store.ledger.in_force["1"].replaces) == (
        "b",
        first.id,
    )
    assert store.ledger.in_force["2"] == second
    # a withdrawal by hand names nothing: what is in force is meant, once
    path.write_text("item,decision,who\n2,(withdraw),Ann\n")
    assert take_in(store, read_decisions(path)) == 1
    assert "2" not in store.ledger.in_force
    again = store.decide(decision("2", "c"))
    assert take_in(store, read_decisions(path)) == 0
    assert store.ledger.in_force["2"] == again
    assert store.ledger.conflicts == []


def test_old_logs_are_read(tmp_path):
    log = tmp_path / "gold.decisions.jsonl"
    old = {"item": "d:2e+06-2.00001e+06", "value": "x", "kind": "label", "who": "", "when": "t",
           "why": ""}  # fmt: skip
    log.write_text(json.dumps(old) + "\n" + '{"item": "2", "val')
    found, _, notes = read_records(log, who="unknown")
    assert [(d.item, d.who) for d in found] == [("d:2e+06-2.00001e+06", "unknown")]
    assert ":2: is not a decision" in notes[0]
    units = accord.Units.from_rows(
        [("d", a, 2_000_000, 2_000_010, label) for a, label in zip("AB", "xy", strict=True)]
    )
    reference = accord.gold(units, decisions=Ledger(d.stamped() for d in found))
    assert [u.label for u in reference.reference] == ["x"]
    assert reference.considered[0]["source"] == "human"


def test_reading_a_filled_worklist(tmp_path):
    path = tmp_path / "d.csv"
    path.write_text(
        "item,reason,decision,who,when,why\n"
        "1,tie,a,Ann,2026-01-01,because\n2,tie,,,,\n3,tie,(reject),Bob,,\n4,tie,(none),Bob,,\n"
        '5,tie,(withdraw),Bob,,\n6,tie,"{""start"": 1, ""end"": 2, ""label"": ""x""}",,,\n'
    )
    found = read_decisions(path, who="Cid")
    assert [(d.item, d.value, d.kind) for d in found] == [
        ("1", "a", "label"), ("3", None, "reject"), ("4", None, "none"), ("5", None, "withdraw"),
        ("6", {"start": 1, "end": 2, "label": "x"}, "label"),
    ]  # fmt: skip
    assert (found[0].why, found[-1].who) == ("because", "Cid")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("item,x\n1,2\n", "needs the columns item and decision"),
        ("item,decision\n1,a,b\n", ":2: has another number of cells"),
        ("item,decision,who\n,a,Ann\n", "a decision names no item"),
        ("item,decision\n1,a\n", ":2: the decision on '1' does not say who made it"),
    ],
)
def test_bad_decisions_are_named(tmp_path, text, message):
    path = tmp_path / "d.csv"
    path.write_text(text)
    with pytest.raises(InputError, match=message):
        read_decisions(path)


RATED = accord.Ratings.from_matrix([["pos", "neg"], ["neg", "neg"]], items=["i1", "i2"])
NUMBERS = accord.Ratings.from_matrix([[1.0, 2.0], [2.0, 5.0]], items=["i1", "i2"])
MARKED = accord.Units.from_rows(
    [("doc", "A", 0, 4, "x"), ("doc", "B", 1, 4, "y")], lengths={"doc": 9}
)
CUT = accord.Segments.from_masses([("doc", "A", [2, 3]), ("doc", "B", [3, 2])])
LINKED = accord.Chains.from_clusters({("doc", a): [[(0, 1), (3, 4)]] for a in "AB"})


@pytest.mark.parametrize(
    ("data", "item", "value", "message"),
    [
        (RATED, "i3", "pos", "no item 'i3'; did you mean 'i"),
        (RATED, "i1", "Pos", "nobody used the label 'Pos'; did you mean 'pos'"),
        (RATED, "i1", "(Reject)", "no decision '\\(Reject\\)'; did you mean '\\(reject\\)'"),
        (RATED, "i1", {"a": 1}, "must be a label"),
        (NUMBERS, "i1", "many", "must be a number"),
        (NUMBERS, "i1", 7, "outside those given, 1 to 5"),
        (MARKED, "doc:0-5", "z", "nobody used the label 'z'"),
        (MARKED, "doc:0-4", 3, "as a label or as"),
        (MARKED, "doc:0-4", {"start": 3, "end": 2, "label": "x"}, "end after it starts"),
        (MARKED, "doc:0-4", {"start": 3, "end": 12, "label": "x"}, "not inside document 'doc'"),
        (MARKED, "doc:0-4", {"start": "3", "end": 4, "label": "x"}, "must be a number"),
        (MARKED, "doc:0-4", {"start": float("nan"), "end": 4, "label": "x"}, "must be a number"),
        (MARKED, "dok:+", {"start": 3, "end": 5, "label": "x"}, "did you mean 'doc'"),
        (CUT, "doc:2", "5", "not inside document"),
        (CUT, "doc:2", "x", "whole number"),
        (LINKED, "doc:0-1", "9-9", "no mention of document 'doc'"),
    ],
)
def test_checked_before_stored(store, data, item, value, message):
    check = check_of(accord.gold(data))
    with pytest.raises(InputError, match=message):
        adjudicate(store, [decision(item, value)], check)
    assert len(store.ledger) == 0


def test_new_labels_must_be_allowed(store):
    check = check_of(accord.gold(RATED), new_labels=True)
    assert adjudicate(store, [decision("i1", "mixed")], check) == 1
    assert accord.gold(RATED, decisions=store).written(0) == "mixed"


def test_one_bad_row_and_nothing_is_stored(store):
    check = check_of(accord.gold(RATED))
    with pytest.raises(InputError, match=r"1 more such decisions.*nothing was stored"):
        adjudicate(
            store, [decision("i1", "pos"), decision("i9", "pos"), decision("i2", "?")], check
        )
    assert len(store.ledger) == 0


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
    with Store(tmp_path / "gold.decisions.db") as store:
        assert len(store.ledger) == 2


def test_a_bad_decision_bricks_nothing(judges, table, tmp_path, accord_command):
    db = tmp_path / "c.db"
    bad = table("item,decision,who\n5,Positive,Ann\n", "bad.csv")
    run = accord_command("gold", judges, "--decisions", db, "--adjudicate", bad)
    assert run.returncode == 2
    assert "nobody used the label 'Positive'" in run.stderr
    assert accord_command("gold", judges, "--decisions", db).returncode == 0
    run = accord_command("gold", judges, "--decisions", db, "--adjudicate", bad, "--new-labels",
                         "--json")  # fmt: skip
    assert json.loads(run.stdout)["items"][4]["value"] == "Positive"


def test_a_filled_worklist_is_not_overwritten(judges, tmp_path, accord_command):
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
    filled = todo.read_bytes()
    run = accord_command("gold", judges, "-o", out, "--worklist", todo)
    assert (run.returncode, todo.read_bytes()) == (2, filled)
    assert "holds 3 decisions that are not stored yet" in run.stderr
    accord_command("gold", judges, "-o", out, "--adjudicate", todo)
    run = accord_command("gold", judges, "-o", out, "--worklist", todo, "--json")
    found = json.loads(run.stdout)
    assert [r["value"] for r in found["items"]] == ["A", "B", "C", "B", "B", "B"]
    assert found["worklist"] == []
    assert rows(todo) == []


def test_annotations_that_changed_are_on_the_worklist_again(
    judges, table, tmp_path, accord_command
):
    out = tmp_path / "gold.csv"
    decided = table("item,decision,who\n4,B,Ann\n", "d.csv")
    accord_command("gold", judges, "-o", out, "--adjudicate", decided)
    changed = table(judges.read_text().replace("4,H,A", "4,H,C"), "later.csv")
    found = json.loads(accord_command("gold", changed, "-o", out, "--json").stdout)
    assert found["changed"] == ["4"]
    assert found["items"][3]["value"] == "B"
    again = next(r for r in found["worklist"] if r["item"] == "4")
    assert "changed since" in again["reason"]
    # confirming it by the table that names it settles it
    confirm = table(f"item,decision,who,replaces\n4,B,Bob,{again['replaces']}\n", "e.csv")
    found = json.loads(
        accord_command("gold", changed, "-o", out, "--adjudicate", confirm, "--json").stdout
    )
    assert (found["changed"], found["conflicts"]) == ([], [])


def test_terminal_worklist_fits_eighty_columns(table, accord_command, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    big = table(
        "document,annotator,start,end,label\n"
        "document_7,A,2000000,2000010,Organisation\n"
        "document_7,B,2000001,2000012,Person\n"
    )
    run = accord_command("gold", big)
    # (a command is typed as it stands)
    lines = [line for line in run.stdout.splitlines() if not line.startswith("  accord ")]
    assert max(map(len, lines)) <= 80
    assert "2000000-2000010" in run.stdout.replace("\n", "").replace(" ", "")


def test_the_command_lists_imports_exports_and_checks(judges, table, tmp_path, accord_command):
    db, out = tmp_path / "c.db", tmp_path / "all.jsonl"
    assert accord_command("decisions", db).returncode == 2
    assert not db.exists()
    decided = table("item,decision,who\n4,B,Ann\n9,B,Ann\n", "d.csv")
    run = accord_command("decisions", db, "--import", decided, "--check", judges)
    assert run.returncode == 2
    assert "no item '9'" in run.stderr
    run = accord_command("decisions", db, "--import", decided, "--export", out, "--json")
    assert json.loads(run.stdout)["imported"] == 2
    assert len(out.read_text().splitlines()) == 2
    found = json.loads(accord_command("decisions", db, "--check", judges, "--json").stdout)
    assert found["check"]["aside"] == ["9"]
    assert "2 made, 2 in force" in accord_command("decisions", db).stdout


def test_command_line_of_gold(judges, table, tmp_path, accord_command):
    out = tmp_path / "g.csv"
    run = accord_command("gold", judges, "--method", "dawid-skene", "-o", out, "--soft", "--json")
    report = json.loads(run.stdout)
    assert report["convergence"]["converged"]
    assert report["terms"]["weak_majority"] == 0
    header = out.read_text().splitlines()[0]
    assert header == "item,value,confidence,reason,source,who,p:A,p:B,p:C"
    bad = accord_command("gold", judges, "--method", "magic")
    assert bad.returncode == 2
    assert bad.stderr.startswith("accord: the method must be one of")
    known = table("item,value\n5,A\n", "known.csv")
    run = accord_command("gold", judges, "--known", known, "--group", "m=H,K", "--json")
    report = json.loads(run.stdout)
    assert report["items"][4]["source"] == "known"
    assert report["effective_annotators"] < 3


def test_the_reference_goes_back_to_the_platform(tmp_path, accord_command):
    """From a brat export, decided, to brat and to INCEpTION's TSV, texts and all."""
    text = "Captain Le Goff sailed the Marie Curie."
    for who, label in (("ann", "SHIP"), ("ben", "PER")):
        folder = tmp_path / "export" / who
        folder.mkdir(parents=True)
        (folder / "ferry.txt").write_text(text)
        (folder / "ferry.ann").write_text(f"T1\t{label} 27 38\tMarie Curie\n")
    decided = tmp_path / "d.csv"
    decided.write_text("item,decision,who\nferry:27-38,SHIP,Maria\n")
    for out, to in (("back", "brat"), ("back.tsv", "webanno-tsv3"), ("back-xmi", "uima")):
        run = accord_command("gold", tmp_path / "export", "--decisions", tmp_path / "c.db",
                             "--adjudicate", decided, "-o", tmp_path / out, "--to", to)  # fmt: skip
        assert run.returncode == 0, run.stderr
        # beside the annotators' own folders the reference is one more annotator
        again = accord.read(tmp_path / out, annotators=["reference"])
        assert [(u.start, u.end, u.label) for u in again] == [(27, 38, "SHIP")]
        assert again.texts[0].strip() == text
