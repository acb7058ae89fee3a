"""Damaged stores of decisions: one sentence, or all that was decided; never other rows unsaid."""

import json
import os
import random
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

import accord
from accord.errors import AccordError, InputError, UsageError
from accord.gold.decisions import Decision, Store
from accord.gold.decisions.repair import salvage, verify
from accord.gold.decisions.store import Remark

#: the tables of a store as they were before rows had checksums
OLD = """
CREATE TABLE decisions (seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE,
  item TEXT NOT NULL, kind TEXT NOT NULL, value TEXT, who TEXT NOT NULL, "when" TEXT NOT NULL,
  why TEXT NOT NULL, replaces TEXT, digest TEXT, place TEXT, batch TEXT,
  independent INTEGER NOT NULL DEFAULT 0);
CREATE TABLE remarks (seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE,
  item TEXT NOT NULL, kind TEXT NOT NULL, text TEXT NOT NULL, who TEXT NOT NULL, "when" TEXT NOT NULL);
PRAGMA application_id = 0x61637264;
PRAGMA user_version = 1;
PRAGMA journal_mode = WAL;
"""
ROWS = 60


def _decided(n=ROWS):
    return [
        Decision(item=f"document-{i // 9}:{i}", kind="label", who=f"person {i % 3}",
                 value={"start": i, "end": i + 4, "label": "PER"} if i % 2 else f"label {i}",
                 why=f"because of {i}", place={"document": f"document-{i // 9}"}, digest=f"d{i}")
        for i in range(n)
    ]  # fmt: skip


def _filled(path, n=ROWS):
    with Store(path) as store:
        for decision in _decided(n):
            store.decide(decision)
        for i in range(3):
            store.remark(Remark(item=f"document-0:{i}", kind="comment", text=f"look {i}", who="Bo"))
        return list(store.ledger.decisions), list(store.remarks)


def _old(path):
    """A store as an older accord wrote it."""
    with closing(sqlite3.connect(path)) as file:
        file.executescript(OLD)
        for i, d in enumerate(_decided()):
            file.execute(
                'INSERT INTO decisions (id, item, kind, value, who, "when", why) '
                "VALUES (?, ?, 'label', ?, ?, '2026-01-02', '')",
                (f"k{i}", d.item, f'"{i}"', d.who),
            )
        file.commit()
    with Store(path) as store:
        return list(store.ledger.decisions), list(store.remarks)


def _logged(path):
    """A store whose program was killed: what it wrote last stands in the log beside it."""
    aside = path.with_name("aside.db")
    with Store(aside) as store:
        for decision in _decided(20):
            store.decide(decision)
        shutil.copy(aside, path)
        shutil.copy(f"{aside}-wal", f"{path}-wal")
        return list(store.ledger.decisions), []


def _client(statement):
    """What another program does to the file, which nothing stops once the triggers are gone."""

    def damage(path):
        with closing(sqlite3.connect(path)) as file:
            for table in ("decisions", "remarks"):
                for action in ("no_update", "no_delete", "no_replace"):
                    file.execute(f"DROP TRIGGER IF EXISTS {table}_{action}")
            file.executescript(statement)
            file.commit()

    return damage


def _bytes(change, beside=""):
    def damage(path):
        place = Path(f"{path}{beside}")
        data = bytearray(place.read_bytes())
        place.write_bytes(bytes(change(data)))

    return damage


def _flipped(seed, *, among=None):
    def change(data):
        drawn = random.Random(seed)
        places = [i for i in range(len(data)) if among is None or among <= data[i] < 128]
        for place in drawn.sample(places, drawn.choice((1, 1, 1, 3, 20))):
            data[place] ^= 1 << drawn.randrange(8)
        return data

    return change


def _cut(seed, unit=1):
    def change(data):
        return data[: random.Random(seed).randrange(1, len(data) // unit) * unit]

    return change


def _zeroed(page):
    def change(data):
        page_ = page % (len(data) // 4096)
        data[page_ * 4096 : page_ * 4096 + 4096] = bytes(4096)
        return data

    return change


def _exchanged(seed):
    def change(data):
        one, two = random.Random(seed).sample(range(len(data) // 4096), 2)
        a, b = slice(one * 4096, one * 4096 + 4096), slice(two * 4096, two * 4096 + 4096)
        data[a], data[b] = data[b], data[a]
        return data

    return change


def _poked(place, value):
    def change(data):
        data[place] = value
        return data

    return change


_SWAP = (
    "UPDATE decisions SET seq = -1 WHERE seq = {0}; UPDATE decisions SET seq = {0} WHERE seq = {1};"
    "UPDATE decisions SET seq = {1} WHERE seq = -1"
)
_COLUMNS = ("id", "item", "kind", "value", "who", '"when"', "why", "digest", "place", "batch",
            "independent", "replaces", "mark")  # fmt: skip
CLIENT = {
    **{
        f"deleted {where}": f"DELETE FROM decisions WHERE {where}"
        for where in ("seq = 1", "seq = 7", "seq = 60", "seq > 40", "seq < 9", "seq % 2", "1")
    },
    **{f"swapped {a} {b}": _SWAP.format(a, b) for a, b in ((1, 2), (5, 40), (59, 60))},
    **{
        f"edited {column} of {row}": f"PRAGMA ignore_check_constraints = 1;"
        f"UPDATE decisions SET {column} = {value} WHERE seq = {row}"
        for column, value, row in zip(
            _COLUMNS * 2,
            ["'x'", "'other'", "'none'", "'\"other\"'", "'Eve'", "'2020'", "'no'", "'d'", "'{}'", "'b'",
             "1", "'z'", "'0'", "x'00ff'", "5", "'love'", "'{'", "NULL", "7.5", "NULL", "4", "'[1'",
             "x'fe'", "'two'", "9", "NULL"],
            range(2, 54, 2),
            strict=True,
        )
        if not (column in ("who", "why") and value == "NULL")
    },
    "all checksums gone but the last": "UPDATE decisions SET mark = NULL, who = 'Eve' WHERE seq < 60",
    "a remark edited": "UPDATE remarks SET text = 'x' WHERE seq = 2",
    "a remark deleted": "DELETE FROM remarks WHERE seq = 3",
    "a row added": 'INSERT INTO decisions (id, item, kind, value, who, "when", why) '
    "VALUES ('n', 'i', 'label', '\"x\"', 'Eve', '2026', '')",
    "a table dropped": "DROP TABLE remarks",
    "a column dropped": "ALTER TABLE decisions DROP COLUMN batch",
    "another column dropped": "ALTER TABLE decisions DROP COLUMN mark",
    "the table renamed": "ALTER TABLE decisions RENAME TO decided",
    "the count of rows changed": "UPDATE sqlite_sequence SET seq = 900",
}  # fmt: skip
DAMAGE = {
    **{f"client: {name}": ("new", _client(words)) for name, words in CLIENT.items()},
    **{f"flips {n}": ("new", _bytes(_flipped(n))) for n in range(40)},
    **{f"flips in text {n}": ("new", _bytes(_flipped(n, among=32))) for n in range(30)},
    **{f"flips of old {n}": ("old", _bytes(_flipped(n))) for n in range(20)},
    **{f"flips in text of old {n}": ("old", _bytes(_flipped(n, among=32))) for n in range(15)},
    **{f"cut {n}": ("new", _bytes(_cut(n))) for n in range(15)},
    **{f"cut at a page {n}": ("new", _bytes(_cut(n, 4096))) for n in range(6)},
    **{f"cut of old {n}": ("old", _bytes(_cut(n))) for n in range(8)},
    **{f"zeroed page {n}": ("new", _bytes(_zeroed(n))) for n in range(9)},
    **{f"zeroed page of old {n}": ("old", _bytes(_zeroed(n))) for n in range(6)},
    **{f"exchanged pages {n}": ("new", _bytes(_exchanged(n))) for n in range(8)},
    **{f"header {n}": ("new", _bytes(_poked(n, 7))) for n in (0, 16, 18, 19, 21, 28, 31, 47, 59, 68)},
    "newer": ("new", _bytes(_poked(63, 9))),
    "no version": ("new", _bytes(_poked(63, 0))),
    "the version before": ("new", _bytes(_poked(63, 1))),
    "empty": ("new", _bytes(lambda data: b"")),
    "a header alone": ("new", _bytes(lambda data: data[:100])),
    "noise": ("new", _bytes(lambda data: random.Random(0).randbytes(len(data)))),
    "a text": ("new", _bytes(lambda data: b"these are notes\n" * 40)),
    "a short text": ("new", _bytes(lambda data: b"x")),
    **{f"log flips {n}": ("logged", _bytes(_flipped(n), "-wal")) for n in range(20)},
    **{f"log cut {n}": ("logged", _bytes(_cut(n), "-wal")) for n in range(12)},
    **{f"log zeroed {n}": ("logged", _bytes(_zeroed(n), "-wal")) for n in range(4)},
    "log empty": ("logged", _bytes(lambda data: b"", "-wal")),
    "log noise": ("logged", _bytes(lambda data: random.Random(1).randbytes(len(data)), "-wal")),
}  # fmt: skip


@pytest.fixture(scope="module")
def stores(tmp_path_factory):
    """kind → a whole store and what it holds."""
    folder = tmp_path_factory.mktemp("stores")
    made = {"new": _filled, "old": _old, "logged": _logged}
    return {
        kind: (folder / f"{kind}.db", make(folder / f"{kind}.db")) for kind, make in made.items()
    }


def _copied(stores, kind, folder):
    source, held = stores[kind]
    path = folder / "c.db"
    for beside in ("", "-wal"):
        if Path(f"{source}{beside}").exists():
            shutil.copy(f"{source}{beside}", f"{path}{beside}")
    return path, *held


def test_there_are_many():
    assert len(DAMAGE) >= 150


@pytest.mark.parametrize("name", DAMAGE)
def test_a_damaged_store_is_a_sentence_or_opens_right(name, stores, tmp_path):
    kind, damage = DAMAGE[name]
    path, decisions, remarks = _copied(stores, kind, tmp_path)
    damage(path)
    kept = tmp_path / "kept"
    kept.mkdir()
    for file in tmp_path.glob("c.db*"):
        shutil.copy(file, kept)
    try:
        found = verify(kept / "c.db")
    except AccordError:
        found = None
    try:
        with Store(path) as store:
            read, said, notes = list(store.ledger.decisions), list(store.remarks), store.notes
    except AccordError as problem:
        refused = str(problem)
    else:
        refused = ""
        if not notes:
            # a log cut short is what a program leaves that was killed: what came before it holds
            cut = kind == "logged" and ("cut" in name or "empty" in name)
            assert read == (decisions[: len(read)] if cut else decisions)
            assert said == remarks
    if refused:
        assert "\n" not in refused
        # and the file is called damaged, or none, there too
        assert found is None or found.damage
    # what is saved was decided, and nothing else
    try:
        found = salvage(kept / "c.db", tmp_path / "new.db")
    except AccordError:
        assert not (tmp_path / "new.db").exists()
        return
    with Store(tmp_path / "new.db") as store:
        assert len(store.ledger) == len(found.decisions)
        if not found.unchecked:
            assert {d.id for d in store.ledger.decisions} <= {d.id for d in decisions}
            assert all(d in decisions for d in store.ledger.decisions)
    assert verify(tmp_path / "new.db").damage == []


def _version(path):
    with closing(sqlite3.connect(path)) as file:
        return file.execute("PRAGMA user_version").fetchone()[0]


def test_an_old_store_says_so_until_it_is_written_to(stores, tmp_path):
    path, decisions, _ = _copied(stores, "old", tmp_path)
    before = path.read_bytes()
    with Store(path) as store:
        assert store.ledger.decisions == decisions
        assert "60 decisions carry no checksum" in store.notes[0]
    assert path.read_bytes() == before
    assert verify(path).unchecked == 60
    # two programs at once: both go on with the same chain
    with Store(path) as one, Store(path) as other:
        one.decide(Decision(item="a", kind="none", who="Ann"))
        other.decide(Decision(item="b", kind="none", who="Bo"))
        one.decide(Decision(item="c", kind="none", who="Ann"))
        one.remark(Remark(item="c", kind="flag", who="Ann"))
    assert _version(path) == 2
    with Store(path) as store:
        assert len(store.ledger) == 63
        assert store.notes == []
    assert verify(path).damage == []
    # what is added covers what was there
    _client("UPDATE decisions SET who = 'Eve' WHERE seq = 5")(path)
    with pytest.raises(InputError, match="row 61 of the decisions does not follow row 60"):
        Store(path)


def test_damage_while_a_store_is_open_is_said(stores, tmp_path):
    path, _, _ = _copied(stores, "new", tmp_path)
    with Store(path) as store:
        _client(
            'INSERT INTO decisions (id, item, kind, value, who, "when", why) '
            "VALUES ('n', 'i', 'none', NULL, 'Eve', '2026', '')"
        )(path)
        with pytest.raises(InputError, match="row 61 of the decisions was changed"):
            store.decide(Decision(item="a", kind="none", who="Ann"))


def test_verify_and_salvage_of_the_command(stores, tmp_path, accord_command):
    path, decisions, _ = _copied(stores, "new", tmp_path)
    whole = accord_command("decisions", path, "--verify")
    assert (whole.returncode, whole.stderr) == (0, "")
    assert "60 whole (0 without a checksum), 0 damaged or missing" in whole.stdout
    _client("DELETE FROM decisions WHERE seq = 60; UPDATE decisions SET who = 'Eve' WHERE seq = 7")(
        path
    )
    before = path.read_bytes()
    opened = accord_command("decisions", path)
    assert opened.returncode == 2
    assert "row 7 of the decisions was changed after it was written; `accord" in opened.stderr
    found = accord_command("decisions", path, "--verify", "--json")
    assert found.returncode == 1
    report = json.loads(found.stdout)
    assert [(d["table"], d["row"], d["item"]) for d in report["damage"]] == [
        ("decisions", 7, "document-0:6"),
        ("decisions", 59, None),
    ]
    assert (report["whole"], report["lost"], report["unchecked"]) == (58, 2, 0)
    new = tmp_path / "new.db"
    saved = accord_command("decisions", path, "--salvage", new)
    assert saved.returncode == 0
    assert "row 7 of the decisions (item 'document-0:6') was changed" in saved.stderr
    with Store(new) as store:
        assert store.ledger.decisions == decisions[:6] + decisions[7:59]
        assert len(store.remarks) == 3
    assert path.read_bytes() == before
    kept = new.read_bytes()
    for place, said in ((new, "exists already"), (path, "is read by this command")):
        again = accord_command("decisions", path, "--salvage", place)
        assert again.returncode == 2
        assert said in again.stderr
    # also where overwriting is asked for
    assert accord_command("decisions", path, "--salvage", path, "--overwrite").returncode == 2
    assert (path.read_bytes(), new.read_bytes()) == (before, kept)
    both = accord_command("decisions", path, "--verify", "--check", path)
    assert both.returncode == 2
    assert "read the store alone" in both.stderr
    for other in (tmp_path, tmp_path / "none.db"):
        assert accord_command("decisions", other, "--verify").returncode == 2


def test_a_store_that_may_only_be_read_is_read(stores, tmp_path, monkeypatch):
    path, decisions, remarks = _copied(stores, "new", tmp_path)
    monkeypatch.setattr("os.access", lambda place, mode: False)
    before = path.read_bytes()
    with Store(path) as store:
        assert store.ledger.decisions == decisions
        assert store.remarks == remarks
        assert not store.writable
        for write in (
            lambda: store.decide(Decision(item="a", kind="none", who="Ann")),
            lambda: store.remark(Remark(item="a", kind="flag", who="Ann")),
        ):
            with pytest.raises(InputError, match="can only be read"):
                write()
        store.relieve()
        assert store.decide_all([]) == []
    assert path.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir()] == ["c.db"]


def test_a_store_without_rights_to_write_is_read(stores, tmp_path):
    """As the system refuses it, where the system refuses anything to this user."""
    path, decisions, _ = _copied(stores, "new", tmp_path)
    path.chmod(0o444)
    tmp_path.chmod(0o555)
    try:
        with Store(path) as store:
            assert store.ledger.decisions == decisions
            assert store.writable == (os.geteuid() == 0)
    finally:
        tmp_path.chmod(0o755)


def test_a_new_store_is_there_whole_or_not_at_all(tmp_path, monkeypatch):
    from accord.gold.decisions import store as module

    def half(path, identity=None):
        path.write_bytes(b"SQLite")
        raise KeyboardInterrupt

    monkeypatch.setattr(module, "make", half)
    with pytest.raises(KeyboardInterrupt):
        Store(tmp_path / "c.db")
    assert list(tmp_path.iterdir()) == []
    monkeypatch.undo()

    # another program makes it in the same moment: its decisions stay
    def late(path, identity=None, make=module.make):
        make(path, identity)
        if not (tmp_path / "c.db").exists():
            with monkeypatch.context() as m:
                m.setattr(module, "make", make)
                _filled(tmp_path / "c.db", 2)

    monkeypatch.setattr(module, "make", late)
    with Store(tmp_path / "c.db") as store:
        assert len(store.ledger) == 2


def test_a_salvaged_store_is_never_put_onto_another(stores, tmp_path):
    path, _, _ = _copied(stores, "new", tmp_path)
    with pytest.raises(UsageError, match="exists already"):
        salvage(path, path)


def _identity(path):
    with Store(path) as store:
        return store.identity


def test_a_store_is_known_wherever_it_is(tmp_path):
    first, second = tmp_path / "c.db", tmp_path / "d.db"
    name = _identity(first)
    assert name == _identity(first)
    assert name != _identity(second)
    moved = tmp_path / "elsewhere" / "e.db"
    moved.parent.mkdir()
    first.rename(moved)
    # a copy takes its place: what waits in a browser for the one goes to the other
    shutil.copyfile(moved, first)
    assert _identity(moved) == _identity(first) == name


def test_an_old_store_is_given_its_identity_once(stores, tmp_path):
    path, decisions, _ = _copied(stores, "old", tmp_path)
    with Store(path) as one, Store(path) as other:
        one.writable = False
        # by its place, as long as it may only be read
        assert one.identity == one.identity != other.identity
        assert one.identity == other.identity
        assert other.ledger.decisions == decisions
    # it is otherwise as it was: an older accord reads it still
    assert _version(path) == 1
    assert verify(path).damage == []
    assert verify(path).identity == _identity(path)


def test_what_is_salvaged_is_the_same_store(stores, tmp_path):
    path, _, _ = _copied(stores, "new", tmp_path)
    name = _identity(path)
    _client("UPDATE decisions SET who = 'Eve' WHERE seq = 7")(path)
    assert salvage(path, tmp_path / "whole.db").lost == 1
    assert _identity(tmp_path / "whole.db") == name
    # one of an older accord has no identity to hand on
    old, _, _ = _copied(stores, "old", tmp_path)
    salvage(old, tmp_path / "made.db")
    assert _identity(tmp_path / "made.db") != name


@pytest.mark.parametrize("kind", ["new", "old"])
@pytest.mark.parametrize("gone", [16, 100, 4096])
def test_rows_are_read_when_the_first_page_is_gone(stores, tmp_path, kind, gone):
    path, decisions, remarks = _copied(stores, kind, tmp_path)
    if kind == "new":
        assert _identity(path)
    with closing(sqlite3.connect(path)) as file:
        file.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    damaged = tmp_path / "damaged.db"
    damaged.write_bytes(bytes(gone) + path.read_bytes()[gone:])
    with pytest.raises(InputError, match="cannot be used"):
        Store(damaged)
    before = damaged.read_bytes()
    found = salvage(damaged, tmp_path / "whole.db")
    assert found.damage[0].problem.startswith("the first page is damaged (")
    assert (found.decisions, found.remarks, found.lost) == (decisions, remarks, 0)
    assert damaged.read_bytes() == before
    with Store(tmp_path / "whole.db") as store:
        assert store.ledger.decisions == decisions
        if kind == "new":
            assert store.identity == _identity(path)


def test_what_never_was_a_store_is_none_without_its_first_page(tmp_path):
    for content in (b"notes, and no database at all\n" * 999, bytes(40_960), os.urandom(40_960)):
        path = tmp_path / "notes.db"
        path.write_bytes(content)
        with pytest.raises(InputError, match=r"not a database.*is it a file of decisions"):
            salvage(path, tmp_path / "whole.db")
        assert not (tmp_path / "whole.db").exists()


def test_references_say_that_an_old_store_has_no_checksums(stores, tmp_path):
    old, _, _ = _copied(stores, "old", tmp_path)
    new = tmp_path / "new.db"
    _filled(new)
    ratings = accord.Ratings.from_matrix([["a", "b", "a"], ["a", "b", "b"]])
    units = accord.Units.from_rows([("d", "Ann", 0, 4, "x"), ("d", "Bo", 0, 4, "x")])

    def said(data, decisions):
        return [w for w in accord.gold(data, decisions=decisions).warnings if "no checksum" in w]

    for data in (ratings, units):
        with Store(old) as store:
            for decisions in (old, store):
                (note,) = said(data, decisions)
                assert note.startswith(f"{old} is of an older accord: 60 decisions")
        # and nothing of it where there are checksums
        assert said(data, new) == []
