"""How quickly `accord serve` answers when fifty people decide at once on 100 000 cards.

    python benchmarks/serve.py [--people 50] [--cards 100000] [--seconds 20]

On loopback, the people in processes of their own. Twice: at a pace no person reaches (a card read and
a decision made every second by each), and with no pause at all. Then the store is opened anew, and
every acknowledged decision must be in it. Writes benchmarks/results/serve.md.
"""

from __future__ import annotations

import argparse
import http.client
import json
import multiprocessing
import os
import platform
import random
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from datetime import date
from pathlib import Path
from urllib.parse import urlsplit

import numpy as np

RESULTS = Path(__file__).parent / "results" / "serve.md"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--people", type=int, default=50)
    parser.add_argument("--cards", type=int, default=100_000)
    parser.add_argument("--seconds", type=float, default=20)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        data = campaign(Path(folder) / "ratings.csv", given.cards)
        rows = [
            row
            for pace, title in ((1.0, "one card a second each"), (0.0, "no pause"))
            for row in measure(data, Path(folder) / f"{pace}.db", given, pace, title)
        ]
    table = report(rows, given)
    print(table)
    RESULTS.write_text(table)


def campaign(path: Path, cards: int) -> Path:
    """Three annotators, three labels, one item in four disputed."""
    draw = random.Random(1)
    with path.open("w") as file:
        file.write("item,annotator,value\n")
        for i in range(cards):
            labels = ["abc"[i % 3]] * 3
            if draw.random() < 0.25:
                labels[draw.randrange(3)] = "abc"[draw.randrange(3)]
            file.writelines(
                f"i{i},{who},{label}\n" for who, label in zip("ABC", labels, strict=True)
            )
    return path


def measure(data: Path, db: Path, given: argparse.Namespace, pace: float, title: str) -> list[dict]:
    """Let everybody work for a while; the latencies of each kind of request, in milliseconds."""
    began = time.perf_counter()
    server = subprocess.Popen(
        [sys.executable, "-m", "accord", "serve", str(data), "--decisions", str(db), "--port", "0",
         "--no-browser", "--json"],
        stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        ready = json.loads(server.stdout.readline())
        start = time.perf_counter() - began
        context = multiprocessing.get_context("spawn")
        results = context.Queue()
        desks = 2
        rooms = [
            context.Process(
                target=room,
                args=(
                    ready,
                    given.people // desks,
                    given.people // desks * d,
                    given,
                    pace,
                    results,
                ),
            )
            for d in range(desks)
        ]
        for r in rooms:
            r.start()
        before, load = cpu_seconds(server.pid), os.getloadavg()[0]
        found = [results.get() for _ in rooms]
        for r in rooms:
            r.join()
        spent, busy = cpu_seconds(server.pid) - before, max(load, os.getloadavg()[0])
    finally:
        server.kill()
        server.wait()
    # killed, not stopped: what was acknowledged must be there
    held = {row[0] for row in sqlite3.connect(db).execute("SELECT id FROM decisions")}
    acknowledged = [key for f in found for key in f["ids"]]
    lost = sum(key not in held for key in acknowledged)
    rows = []
    answers = sum(len(f[kind]) for f in found for kind in ("queue", "card", "decision"))
    for kind in ("queue", "card", "decision"):
        times = np.array([t for f in found for t in f[kind]]) * 1000
        rows.append(
            {"load": title, "request": kind, "n": len(times), "p50": np.percentile(times, 50),
             "p95": np.percentile(times, 95), "p99": np.percentile(times, 99), "most": times.max(),
             "per_second": len(times) / given.seconds, "lost": lost, "start": start,
             "load_average": busy, "cpu": spent / answers * 1000}
        )  # fmt: skip
    return rows


def cpu_seconds(pid: int) -> float:
    """CPU time that a process has used, its threads included."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def room(ready: dict, people: int, first: int, given: argparse.Namespace, pace: float, out) -> None:
    """Several people in one process, each on a connection of their own, at cards of their own."""
    found: dict[str, list] = {"queue": [], "card": [], "decision": [], "ids": []}
    end = time.perf_counter() + given.seconds

    def work(n: int) -> None:
        draw = random.Random(n)
        time.sleep(draw.random() * pace)
        line = http.client.HTTPConnection(urlsplit(ready["url"]).netloc, timeout=60)
        headers = {"Authorization": f"Bearer {ready['token']}", "Content-Type": "application/json"}

        def ask(kind: str, path: str, body: object = None) -> dict:
            sent = time.perf_counter()
            line.request(
                "GET" if body is None else "POST", path, body and json.dumps(body), headers
            )
            answer = line.getresponse()
            content = json.loads(answer.read())
            found[kind].append(time.perf_counter() - sent)
            if answer.status not in (200, 201):
                raise SystemExit(f"{path}: {answer.status} {content}")
            return content

        mine = given.cards // given.people
        for i in range(n * mine, n * mine + mine):
            began = time.perf_counter()
            if began > end:
                break
            if i % 20 == 0:
                ask("queue", f"/api/queue?limit=50&after=i{i}&order=document")
            card = ask("card", f"/api/items/i{i}?who=p{n}")
            value = card["versions"][draw.randrange(len(card["versions"]))]["value"]
            made = ask(
                "decision", "/api/decisions",
                {"item": f"i{i}", "kind": "label", "value": value, "who": f"p{n}", "replaces": None},
            )  # fmt: skip
            found["ids"].append(made["id"])
            time.sleep(max(0.0, pace - (time.perf_counter() - began)))

    threads = [threading.Thread(target=work, args=(first + k,)) for k in range(people)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    out.put(found)


def report(rows: list[dict], given: argparse.Namespace) -> str:
    lines = [
        "# accord serve under load",
        "",
        f"{given.people} people at once on {given.cards:,} cards, on loopback, {given.seconds:g} s each; "
        f"{date.today().isoformat()}, Python {platform.python_version()}, {platform.machine()}, "
        f"{multiprocessing.cpu_count()} cores shared with other work. Milliseconds from the request to "
        "the whole answer; a decision is answered when it is on the disk. After each run the server is "
        "killed (-9), and the acknowledged decisions are looked for in the store.",
        "",
        "| load | request | n | per second | median | p95 | p99 | longest | lost |",
        "|---|---|---:|---:|---:|---:|---:|---:|---:|",
    ]
    lines += [
        f"| {r['load']} | {r['request']} | {r['n']:,} | {r['per_second']:.0f} | {r['p50']:.1f} | "
        f"{r['p95']:.1f} | {r['p99']:.1f} | {r['most']:.0f} | {r['lost']} |"
        for r in rows
    ]
    lines += ["", f"Ready after {rows[0]['start']:.1f} s (reading, the rule, the cards).", ""]
    lines += [
        f"{r['load']}: {r['cpu']:.2f} ms of the server's CPU time per answer; load average of the machine "
        f"{r['load_average']:.0f} (its cores are {multiprocessing.cpu_count()}: beyond that, an answer "
        "waits for its turn)."
        for r in rows
        if r["request"] == "card"
    ]
    lines.append("")
    return "\n".join(lines)


if __name__ == "__main__":
    main()
