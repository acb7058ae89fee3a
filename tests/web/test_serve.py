"""`accord serve`: the contract of its API, its safeguards, and what survives a crash."""

from __future__ import annotations

import csv
import http.client
import io
import json
import os
import signal
import threading
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from tests.served import (
    Client,
    chains_file,
    ratings_file,
    segments_file,
    serving,
    units_file,
)
from tests.web.asked import Answer, ask, with_accounts


@pytest.fixture(scope="module")
def rated(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """One server for the tests that leave no trace on each other's items."""
    folder = tmp_path_factory.mktemp("rated")
    with serving(ratings_file(folder), "--decisions", folder / "c.db") as client:
        yield client


def data_file(shape: str, folder: Path) -> Path:
    makers = {"ratings": ratings_file, "segments": segments_file, "chains": chains_file}
    return units_file(folder)[0] if shape == "units" else makers[shape](folder)


@pytest.mark.parametrize("shape", ["ratings", "units", "segments", "chains"])
def test_the_contract_on_every_shape(shape: str, tmp_path: Path, accord_command: Any) -> None:
    data = data_file(shape, tmp_path)
    db = tmp_path / "c.db"
    with serving(data, "--decisions", db) as client:
        queue = client.get("/api/queue?order=gain&status=open&limit=5")
        left, first = queue["left"], queue["items"][0]
        assert set(first) >= {
            "id",
            "shape",
            "document",
            "proposal",
            "confidence",
            "versions",
            "decision",
        }
        assert (first["shape"], first["decision"]) == (shape, None)
        assert sum(len(v["annotators"]) for v in first["versions"]) >= 2
        assert first["disputed"]
        value = first["versions"][0]["value"]
        status, made = client.decide(first["id"], value)
        assert status == 201
        assert client.get("/api/queue")["left"] == left - 1
        # without naming it, or naming something else: a conflict that shows the one in force
        for replaces in (None, "x"):
            status, body = client.decide(first["id"], kind="reject", replaces=replaces, who="Bob")
            assert (status, body["in_force"]["id"]) == (409, made["id"])
        status, second = client.decide(first["id"], kind="reject", replaces=made["id"], who="Bob")
        assert status == 201
        card = client.item(first["id"])
        assert [d["kind"] for d in card["history"]] == ["label", "reject"]
        assert card["decision"]["id"] == second["id"]
        status, _ = client.decide(first["id"], kind="withdraw", replaces=second["id"])
        assert status == 201
        assert client.get("/api/queue")["left"] == left
        status, last = client.decide(first["id"], value, who="Cid")
        assert status == 201
        assert client.decide("no such item", value)[0] == 422
        assert client.decide(first["id"], value, who="  ", replaces=last["id"])[0] == 422
        assert client.decide(first["id"], "no such label", replaces=last["id"])[0] == 422
        assert client.decide(first["id"], value, kind="burn", replaces=last["id"])[0] == 422
        made_all = client.get("/api/decisions")["decisions"]
        assert [d["kind"] for d in made_all] == ["label", "reject", "withdraw", "label"]
        progress = client.get("/api/progress")
        assert (progress["decided"], progress["left"]) == (1, left - 1)
        assert progress["by"]["Cid"] == 1
        assert client.get("/api/agreement")["before"]["value"] is not None
        reference = client.get("/api/reference?format=csv")
        assert client.ask("/api/reference?format=../x")[0] == 400
        assert client.ask("/discussion")[0] == 200
    out = tmp_path / ("gold.json" if shape == "chains" else "gold.csv")
    run = accord_command("gold", data, "--decisions", db, "-o", out, "--json")
    assert run.returncode == 0, run.stderr
    row = next(r for r in json.loads(run.stdout)["items"] if r["item"] == first["id"])
    assert row["source"] == "human"
    if shape != "ratings":
        assert row["kept"]
    if shape == "units":
        assert list(csv.DictReader(io.StringIO(reference))) == list(csv.DictReader(out.open()))


def test_orders_filters_and_pages(rated: Client) -> None:
    seen: list[str] = []
    after = ""
    while True:
        page = rated.get(f"/api/queue?order=document&limit=7&status=all&after={after}")["items"]
        if not page:
            break
        seen += [card["id"] for card in page]
        after = page[-1]["id"]
    assert seen == [f"i{i}" for i in range(30)]
    for order in ("gain", "disorder", "confusion", "category", "pair"):
        assert rated.get(f"/api/queue?order={order}")["items"][0]["disputed"]
    assert rated.get("/api/queue?disputed=1")["matching"] == 10
    assert rated.get("/api/queue?between=A~B&status=all")["matching"] == 10
    assert rated.get("/api/queue?between=B~C&status=all")["matching"] == 0
    assert rated.get("/api/queue?search=I2&status=all")["matching"] == 11
    assert rated.get("/api/queue?confidence=.9&status=all")["matching"] == 20
    for wrong in (
        "order=x",
        "status=x",
        "limit=0",
        "limit=x",
        "limit=100000",
        "confidence=x",
        "between=A",
    ):
        assert rated.ask(f"/api/queue?{wrong}")[0] == 400, wrong
    assert rated.ask("/api/queue?after=nothing")[0] == 422


def test_only_who_shows_the_token_is_let_in(rated: Client) -> None:
    for path in ("/api/queue", "/api/decisions", "/api/events", "/api/reference", "/api/items/i1"):
        assert rated.ask(path, token=None)[0] == 401
        assert rated.ask(path, token="x" * 32)[0] == 401
    assert rated.ask("/api/decisions", {"item": "i1"}, token=None)[0] == 401
    assert rated.ask("/", token=None)[0] == 401
    assert rated.ask("/discussion", token=None)[0] == 401
    assert rated.ask("/api/queue", headers={"Origin": "http://evil.example"})[0] == 403
    assert rated.ask("/api/queue", headers={"Origin": "null"})[0] == 403
    assert rated.ask("/api/queue", headers={"Sec-Fetch-Site": "cross-site"})[0] == 403
    assert 400 <= rated.ask("/api/queue", headers={"Host": "evil.example"})[0] < 500
    assert rated.ask("/api/queue", headers={"Origin": rated.url.rstrip("/")})[0] == 200


def test_the_address_sets_a_strict_cookie(rated: Client) -> None:
    status, page, headers = rated.ask(f"/?token={rated.token}", token=None)
    assert status == 200
    cookie = headers["set-cookie"].lower()
    assert "samesite=strict" in cookie
    assert "httponly" in cookie
    assert rated.token not in page
    shown = {"Cookie": headers["set-cookie"].split(";")[0]}
    assert rated.ask("/api/queue", token=None, headers=shown)[0] == 200
    policy = headers["content-security-policy"]
    assert "unsafe-inline" not in policy
    assert "script-src 'self'" in policy
    assert "<script>" not in page
    assert "onclick" not in page


HOSTILE: list[Any] = [
    None, [], "x", 1, {}, {"item": None}, {"item": ["i1"]}, {"item": {"$ne": 1}}, {"who": 1},
    {"item": "i1", "kind": "label", "value": {"a": {"b": []}}, "who": "x"},
    {"item": "i1", "kind": "label", "value": [["yes"]], "who": "x"},
    {"item": "i1", "kind": "label", "value": "\ud800", "who": "x"},
    {"item": "i1", "kind": "none", "who": "\ud800"},
    {"item": "i1", "kind": "none", "who": "a\u0000b"},
    {"item": "i1", "kind": "none", "who": "x" * 100_000},
    {"item": "i1", "kind": "none", "who": "x", "why": "y" * 100_000},
    {"item": "i1", "kind": "label", "value": 10**400, "who": "x"},
    {"item": "i1", "kind": "none", "who": "x", "replaces": 7},
    {"item": "../../etc/passwd", "kind": "none", "who": "x"},
    {"item": "'; DROP TABLE decisions; --", "kind": "none", "who": "x"},
    {"like": "nothing"}, {"like": "i1", "by": "__class__", "who": "x"}, {"items": [1], "who": "x"},
    {"filter": {}, "who": "x"}, {"filter": {"confidence": "x"}, "who": "x"},
    {"id": 3}, {"id": "nothing", "who": "x"}, {"item": "i1", "kind": "comment", "text": 7, "who": "x"},
    {"item": "i1", "kind": "burn", "text": "x", "who": "x"},
]  # fmt: skip
RAW = [
    b"",
    b"{",
    b"\xff\xfe",
    b"[" * 50_000,
    b'{"item": 1e999}',
    b"9" * 5000,
    b'{"a":' + b"1" * 2_000_000 + b"}",
]


@pytest.mark.parametrize("path", ["/api/decisions", "/api/batches", "/api/undo", "/api/remarks"])
def test_hostile_bodies_are_refused_with_a_sentence(rated: Client, path: str) -> None:
    before = rated.get("/api/decisions")["decisions"]
    for body in HOSTILE:
        status, said, _ = rated.ask(path, body, method="POST", raw=json.dumps(body).encode())
        assert 400 <= status < 500, (path, body, status, said)
        assert said["error"]
    for raw in RAW:
        try:
            status = rated.ask(path, raw=raw, method="POST")[0]
        except (BrokenPipeError, ConnectionResetError):
            continue  # refused before the body was read
        assert 400 <= status < 500, (path, raw[:40], status)
    status = rated.ask(path, {"item": "i1"}, headers={"Content-Type": "text/plain"})[0]
    assert status == 400
    assert rated.get("/api/decisions")["decisions"] == before


@pytest.mark.parametrize(
    "path",
    [
        "/static/../../app.py", "/static/%2e%2e%2fapp.py", "/static/app.py", "/static//etc/passwd",
        "/api/items/..%2f..%2fetc%2fpasswd", "/api/items/%00", "/api/items/", "/api/items/%ff",
        "/api/reference?format=/etc/passwd", "/api/reference?format=%00", "/api/export?format=../x",
        "/document?name=../../etc/passwd", "/discussion?annotator=../../etc/passwd", "/nowhere",
        "/api/decisions?first=-1", "/api/decisions?first=x",
    ],
)  # fmt: skip
def test_no_path_reaches_the_disk(rated: Client, path: str) -> None:
    status, body, _ = rated.ask(path)
    assert 400 <= status < 500
    assert "root:" not in str(body)


def test_what_people_write_is_escaped(tmp_path: Path) -> None:
    bad = "<script>alert(1)</script>\"'&"
    data = tmp_path / "x.csv"
    with data.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(("item", "annotator", "value"))
        writer.writerows([(bad, "A" + bad, bad), (bad, "B", "no")])
    with serving(data, "--decisions", tmp_path / "c.db") as client:
        card = client.get("/api/queue")["items"][0]
        assert card["id"] == bad
        assert client.decide(bad, bad, why=bad, who=bad)[0] == 201
        client.ask("/api/remarks", {"item": bad, "kind": "flag", "text": bad, "who": bad})
        for path in (
            "/discussion",
            "/discussion?annotator=A%3Cscript%3Ealert(1)%3C/script%3E%22'%26",
        ):
            status, page, _ = client.ask(path)
            assert status == 200
            assert "<script>alert" not in page
            assert "&lt;script&gt;" in page


def test_undo_groups_and_flags(tmp_path: Path) -> None:
    with serving(ratings_file(tmp_path), "--decisions", tmp_path / "c.db") as client:
        status, body, _ = client.ask(
            "/api/batches", {"filter": {"confidence": 0.9}, "accept": "proposal", "who": "Ann"}
        )
        assert (status, body["stored"]) == (201, 20)
        assert client.get("/api/progress")["left"] == 10
        assert len(client.get("/api/decisions")["decisions"]) == 20
        status, undone, _ = client.ask("/api/undo", {"id": body["batch"], "who": "Ann"})
        assert undone["undone"] == 20
        assert client.get("/api/progress")["left"] == 30
        status, body, _ = client.ask(
            "/api/batches",
            {"like": "i0", "by": "confusion", "kind": "label", "value": "yes", "who": "Ann"},
        )
        assert body["stored"] == 10
        first = client.item("i0")["decision"]
        _, second = client.decide("i0", "no", replaces=first["id"])
        # undoing a replacement brings back what it replaced
        assert client.ask("/api/undo", {"id": second["id"], "who": "Ann"})[1]["undone"] == 1
        assert client.item("i0")["decision"]["value"] == "yes"
        assert client.ask("/api/remarks", {"item": "i1", "kind": "flag", "who": "Ann"})[0] == 201
        assert [c["id"] for c in client.get("/api/queue?status=flagged")["items"]] == ["i1"]
        client.ask("/api/remarks", {"item": "i1", "kind": "comment", "text": "hm", "who": "Ann"})
        assert [r["text"] for r in client.item("i1")["remarks"]] == ["", "hm"]
        assert client.get("/api/queue?status=flagged")["items"][0]["decision"] is None
        client.ask("/api/remarks", {"item": "i1", "kind": "unflag", "who": "Ann"})
        assert client.get("/api/queue?status=flagged")["items"] == []


def test_sending_again_does_not_decide_twice(tmp_path: Path) -> None:
    with serving(ratings_file(tmp_path), "--decisions", tmp_path / "c.db") as client:
        first = client.decide("i1", "yes", key="k1")
        assert client.decide("i1", "yes", key="k1") == first
        assert len(client.get("/api/decisions")["decisions"]) == 1
        # the key of somebody else's decision names nothing
        assert client.decide("i1", "no", key="k1", who="Bob")[0] == 409


def test_blind_hides_who_said_what(tmp_path: Path) -> None:
    data, texts = units_file(tmp_path)
    with serving(data, "--decisions", tmp_path / "c.db", "--blind", "--texts", texts) as client:
        told = json.dumps([client.get("/api/queue"), client.get("/api/about")])
        card = client.get("/api/queue")["items"][0]
        told += json.dumps(client.item(card["id"]))
        assert '"annotators": ["' not in told
        assert all("annotators" not in v for v in card["versions"])
        assert client.ask("/discussion?annotator=A")[0] == 404
        assert client.ask("/api/queue?between=A~B")[0] == 400
        assert client.ask("/api/queue?order=pair")[0] == 400
        assert "dissent" not in json.dumps(client.get("/api/reference?format=json"))


def test_two_people_are_asked_without_seeing_each_other(tmp_path: Path) -> None:
    data = ratings_file(tmp_path)
    with serving(data, "--decisions", tmp_path / "c.db", "--double", "1") as client:
        assert client.decide("i0", "yes", who="Ann")[0] == 201
        assert client.decide("i1", "yes", who="Ann")[0] == 201
        assert client.get("/api/queue?who=Ann")["items"][0]["id"] not in ("i0", "i1")
        hidden = client.item("i0", who="Bob")
        assert (hidden["decision"], hidden["history"], hidden["status"]) == (None, [], "open")
        assert client.decide("i0", "no", who="Bob")[0] == 201
        assert client.decide("i1", "yes", who="Bob")[0] == 201
        shown = client.item("i0", who="Bob")
        assert (shown["status"], shown["rivals"][0]["who"]) == ("conflict", "Bob")
        assert client.item("i1", who="Bob")["status"] == "decided"
        agreement = client.get("/api/agreement")["adjudicators"]
        assert agreement["items"] == 2
        # yes/no and yes/yes of two people: α = 1 - 3·1/(1·3) = 0 by hand
        assert agreement["value"] == pytest.approx(0.0)


def test_everybody_is_told(tmp_path: Path, accord_command: Any) -> None:
    data = ratings_file(tmp_path)
    with serving(data, "--decisions", tmp_path / "c.db") as client:
        connection = http.client.HTTPConnection(client.place.netloc, timeout=300)
        connection.request(
            "GET", "/api/events", headers={"Authorization": f"Bearer {client.token}"}
        )
        stream = connection.getresponse()
        assert stream.getheader("content-type", "").startswith("text/event-stream")
        client.decide("i4", "yes")
        assert _event(stream) == ("decisions", {"items": ["i4"], "left": 29})
        # another program writes to the same store
        table = tmp_path / "d.csv"
        table.write_text("item,decision,who\ni5,no,Bob\n")
        accord_command("gold", data, "--decisions", tmp_path / "c.db", "--adjudicate", table)
        assert _event(stream) == ("decisions", {"items": ["i5"], "left": 28})
        assert client.item("i5")["decision"]["who"] == "Bob"
        connection.close()


def _event(stream: Any) -> tuple[str, Any]:
    kind = ""
    while True:
        line = stream.readline().decode().strip()
        if line.startswith("event:"):
            kind = line[6:].strip()
        elif line.startswith("data:") and kind:
            return kind, json.loads(line[5:])


def test_killed_in_the_middle_nothing_acknowledged_is_lost(tmp_path: Path) -> None:
    """40 clients, 2 000 decisions, kill -9 when a quarter is acknowledged."""
    data = ratings_file(tmp_path, items=2000)
    db = tmp_path / "c.db"
    acknowledged: dict[str, str] = {}
    quarter = threading.Event()
    with serving(data, "--decisions", db) as client:

        def work(n: int) -> None:
            for i in range(n * 50, n * 50 + 50):
                if len(acknowledged) > 1500:  # (however late the kill comes, some are left)
                    return
                try:
                    status, body = client.decide(f"i{i}", "yes", who=f"p{n}")
                except (OSError, http.client.HTTPException):
                    return
                if status == 201:
                    acknowledged[f"i{i}"] = body["id"]
                if len(acknowledged) >= 500:
                    quarter.set()

        people = [threading.Thread(target=work, args=(n,)) for n in range(40)]
        for person in people:
            person.start()
        assert quarter.wait(600)
        os.kill(client.process.pid, signal.SIGKILL)
        for person in people:
            person.join()
    assert 500 <= len(acknowledged) < 2000
    with serving(data, "--decisions", db) as client:
        held = {d["item"]: d["id"] for d in client.get("/api/decisions")["decisions"]}
        assert {item: held.get(item) for item in acknowledged} == acknowledged
        # and it goes on
        rest = next(i for i in range(2000) if f"i{i}" not in held)
        assert client.decide(f"i{rest}", "yes")[0] == 201


def test_beyond_this_machine_only_with_accounts_and_tls(
    tmp_path: Path, accord_command: Any
) -> None:
    data, users = ratings_file(tmp_path), tmp_path / "users.json"
    run = accord_command(
        "serve", data, "--host", "0.0.0.0", "--no-browser", "--decisions", tmp_path / "c.db"
    )
    assert (run.returncode, "needs accounts" in run.stderr) == (2, True)
    for account, password in (("ann", "correct horse"), ("eve:viewer", "battery staple")):
        run = accord_command(
            "serve", "--users", users, "--add-user", account, input=password + "\n"
        )
        assert run.returncode == 0, run.stderr
    assert "correct horse" not in users.read_text()
    assert users.stat().st_mode & 0o077 == 0
    run = accord_command("serve", data, "--host", "0.0.0.0", "--users", users, "--no-browser",
                         "--decisions", tmp_path / "c.db")  # fmt: skip
    assert (run.returncode, "--behind-proxy" in run.stderr) == (2, True)
    with serving(data, "--decisions", tmp_path / "c.db", "--users", users) as client:
        assert client.token == ""
        assert client.ask("/api/queue", token="x")[0] == 401
        form = {"Content-Type": "application/x-www-form-urlencoded"}
        status, _, _ = client.ask(
            "/login", raw=b"name=ann&password=wrong", headers=form, token=None
        )
        assert status == 401

        def cookie(raw: bytes) -> dict[str, str]:
            status, _, headers = client.ask("/login", raw=raw, headers=form, token=None)
            assert status == 303
            return {"Cookie": headers["set-cookie"].split(";")[0]}

        ann = cookie(b"name=ann&password=correct+horse")
        status, _, _ = client.ask(
            "/api/decisions", {"item": "i0", "kind": "label", "value": "yes", "who": "somebody else"},
            headers=ann, token=None,
        )  # fmt: skip
        assert status == 201
        assert (
            client.ask("/api/decisions", headers=ann, token=None)[1]["decisions"][0]["who"] == "ann"
        )
        eve = cookie(b"name=eve&password=battery+staple")
        assert client.ask("/api/queue", headers=eve, token=None)[0] == 200
        assert (
            client.ask("/api/decisions", {"item": "i1", "kind": "none"}, headers=eve, token=None)[0]
            == 403
        )


def test_hosts_that_are_ours() -> None:
    from accord.web.guards import local_names

    hosts, origins = local_names("127.0.0.1", 8000, "http")
    assert {"localhost:8000", "127.0.0.1:8000", "[::1]:8000"} == hosts
    assert "http://localhost:8000" in origins
    hosts, origins = local_names("0.0.0.0", 443, "https", ["Lab.example.org"])
    assert {"lab.example.org", "lab.example.org:443", "localhost:443"} <= hosts
    assert "https://lab.example.org" in origins
    assert "evil.example" not in hosts


def test_units_can_be_added_split_and_taken_back(tmp_path: Path, accord_command: Any) -> None:
    data, texts = units_file(tmp_path)
    db = tmp_path / "c.db"
    with serving(data, "--decisions", db, "--texts", texts) as client:
        new = {"start": 7, "end": 13, "label": "PER"}
        status, made = client.decide("doc:+", new)
        assert (status, made["item"]) == (201, "doc:+7-13")
        assert client.decide("doc:+", {**new, "label": "dog"})[0] == 422
        assert client.decide("elsewhere:+", new)[0] == 422
        first = client.get("/api/queue?order=document")["items"][0]
        assert client.decide(first["id"], {"start": 0, "end": 3, "label": "PER"})[0] == 201
        kept = list(csv.DictReader(io.StringIO(client.get("/api/reference?format=csv"))))
        assert [(r["start"], r["end"]) for r in kept[:2]] == [("0", "3"), ("7", "13")]
        status, _ = client.decide(made["item"], kind="reject", replaces=made["id"])
        assert status == 201
        kept = list(csv.DictReader(io.StringIO(client.get("/api/reference?format=csv"))))
        assert ("7", "13") not in [(r["start"], r["end"]) for r in kept]
        for name in client.get("/api/about")["formats"]:
            assert client.ask(f"/api/reference?format={name}")[0] == 200, name


def test_discuss_writes_the_meeting_and_the_annotators_pages(
    tmp_path: Path, accord_command: Any
) -> None:
    data, texts = units_file(tmp_path)
    run = accord_command("discuss", data, "--texts", texts, "-o", tmp_path / "out", "--json")
    assert run.returncode == 0, run.stderr
    names = sorted(Path(p).name for p in json.loads(run.stdout)["pages"])
    assert names == ["annotator-A.html", "annotator-B.html", "meeting.html"]
    page = (tmp_path / "out" / "meeting.html").read_text()
    assert "ORG ~ PER" in page
    assert "<mark>" in page
    assert "What makes it ORG, and what PER?" in page


def test_wrong_passwords_make_the_next_wait(tmp_path: Path) -> None:
    app, _, clock = with_accounts(tmp_path, lang="en")

    def tried(password: str, name: str = "ann") -> Answer:
        return ask(app, "/login", "POST", body=f"name={name}&password={password}".encode())

    assert [tried("wrong").status for _ in range(6)] == [401] * 6
    answer = tried("correct+horse")
    assert (answer.status, answer.headers["retry-after"]) == (429, "2")
    assert "Too many wrong passwords: try again in" in answer.body
    # the address waits too, whatever the name
    assert tried("correct+horse", "bob").status == 429
    clock.time += 2
    assert tried("correct+horse").status == 303
    # and what was wrong is forgotten
    assert tried("wrong").status == 401


def test_waits_double_and_end() -> None:
    from accord.web.attempts import FREE, LONGEST_ACCOUNT, LONGEST_ADDRESS, Attempts

    clock = [0.0]
    tried = Attempts(now=lambda: clock[0])
    waits = []
    for _ in range(FREE + 4):
        tried.wrong("Ann ", "10.0.0.1")
        waits.append(tried.wait("ann", "elsewhere"))
    assert waits == [0.0] * FREE + [2.0, 4.0, 8.0, 16.0]
    for _ in range(20):
        tried.wrong("ann", "10.0.0.1")
    assert tried.wait("ann", "elsewhere") == LONGEST_ACCOUNT
    assert tried.wait("somebody", "10.0.0.1") == LONGEST_ADDRESS
    clock[0] = LONGEST_ADDRESS
    assert tried.wait("ann", "10.0.0.1") == 0
    tried.right("ann", "10.0.0.1")
    tried.wrong("ann", "10.0.0.1")
    assert tried.wait("ann", "10.0.0.1") == 0
    for k in range(11_000):
        tried.wrong(f"name {k}", "x")
    assert len(tried._records) <= 10_000


def test_what_is_added_is_a_card_of_the_queue(tmp_path: Path) -> None:
    data, texts = units_file(tmp_path)
    with serving(data, "--texts", texts, "--decisions", tmp_path / "c.db") as client:
        before = client.get("/api/queue?status=all&limit=1000")
        unit = {"start": 7, "end": 13, "label": "PER"}
        status, made = client.decide("doc:+", unit)
        assert (status, made["item"]) == (201, "doc:+7-13")
        client.decide("doc:+", {**unit, "start": 40, "end": 44})
        whole = client.get("/api/queue?status=all&order=document&limit=1000")
        assert whole["matching"] == before["matching"] + 2
        assert [c["id"] for c in whole["items"][-2:]] == ["doc:+7-13", "doc:+40-44"]
        # pages: what is added comes after the annotators' own, and after itself
        paged, after = [], ""
        while True:
            query = f"&after={quote(after)}" if after else ""
            page = client.get(f"/api/queue?status=decided&limit=1{query}")["items"]
            if not page:
                break
            after = page[0]["id"]
            paged.append(after)
        assert paged == ["doc:+7-13", "doc:+40-44"]
        assert client.get("/api/queue?status=decided&search=40-44")["matching"] == 1
        assert client.get("/api/queue?status=decided&document=nowhere")["matching"] == 0
        card = client.item("doc:+7-13")
        assert (card["added"], card["proposal"], card["place"]["start"]) == (True, unit, 7)
        assert card["around"]["rows"]
        assert card["context"]["inside"]
        # moved, flagged and withdrawn like any other
        status, body = client.decide("doc:+7-13", {**unit, "end": 14}, replaces=made["id"])
        assert status == 201
        assert (
            client.ask("/api/remarks", {"item": "doc:+7-13", "kind": "flag", "who": "A"})[0] == 201
        )
        assert client.item("doc:+7-13")["flagged"]
        assert client.item("doc:+7-13")["proposal"]["end"] == 14
        assert client.decide("doc:+7-13", kind="withdraw", replaces=body["id"])[0] == 201
        assert client.get("/api/queue?status=decided")["matching"] == 1
        assert client.ask(f"/api/items/{quote('doc:+1-2', safe='')}")[0] == 404


def test_agreement_keeps_up_by_itself(tmp_path: Path) -> None:
    with serving(ratings_file(tmp_path), "--decisions", tmp_path / "c.db") as client:
        first = client.get("/api/agreement")
        assert (first["decisions"], first["measure"]) == (0, "alpha")
        assert first["before"] == first["after"]
        heard: list[dict[str, Any]] = []
        listening = threading.Event()

        def listen() -> None:
            connection = http.client.HTTPConnection(client.place.netloc, timeout=3000)
            connection.request(
                "GET", "/api/events", headers={"Authorization": f"Bearer {client.token}"}
            )
            stream = connection.getresponse()
            listening.set()
            kind = ""
            while not heard:
                line = stream.readline().decode().strip()
                if line.startswith("event: "):
                    kind = line[7:]
                elif line.startswith("data: ") and kind == "agreement":
                    heard.append(json.loads(line[6:]))
            connection.close()

        listener = threading.Thread(target=listen)
        listener.start()
        assert listening.wait(300)
        card = client.get("/api/queue")["items"][0]
        assert client.decide(card["id"], card["versions"][0]["value"])[0] == 201
        listener.join(300)
        assert heard[0]["decisions"] == 1
        assert heard[0]["before"] == first["before"]
        assert heard[0]["after"]["value"] > first["after"]["value"]
        # asked again, nothing is measured anew
        assert client.get("/api/agreement") == heard[0]


def test_the_explorer_is_shown_in_the_card_and_nowhere_else(tmp_path: Path) -> None:
    data, texts = units_file(tmp_path)
    with serving(data, "--texts", texts, "--decisions", tmp_path / "c.db") as client:
        _, _, headers = client.ask("/")
        assert "frame-src 'self'" in headers["content-security-policy"]
        assert "frame-ancestors 'none'" in headers["content-security-policy"]
        status, page, headers = client.ask("/document?embedded=1&name=doc")
        assert (status, 'class="embedded"' in page) == (200, True)
        assert "frame-ancestors 'self'" in headers["content-security-policy"]
        cards = client.get("/api/queue?status=all&order=document&limit=1000")["items"]
        groups = [client.item(c["id"])["group"] for c in cards]
        assert sorted(groups) == list(range(len(cards)))
