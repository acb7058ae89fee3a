"""A server in a process of its own, and a client for it."""

from __future__ import annotations

import http.client
import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit


class Client:
    """Talks to one server; every request on a connection of its own."""

    def __init__(self, url: str, token: str, process: subprocess.Popen[str]) -> None:
        self.url, self.token, self.process = url, token, process
        self.place = urlsplit(url)

    def ask(
        self, path: str, body: Any = None, *, method: str | None = None, token: str | None = "",
        headers: dict[str, str] | None = None, raw: bytes | None = None,
    ) -> tuple[int, Any, dict[str, str]]:  # fmt: skip
        """Status, body (parsed when it is JSON) and headers of an answer."""
        sent = raw if raw is not None else None if body is None else json.dumps(body).encode()
        told = {"Content-Type": "application/json"} if sent is not None else {}
        shown = self.token if token == "" else token
        if shown is not None:
            told["Authorization"] = f"Bearer {shown}"
        connection = http.client.HTTPConnection(self.place.netloc, timeout=300)
        try:
            connection.request(
                method or ("GET" if sent is None else "POST"),
                path,
                sent,
                {**told, **(headers or {})},
            )
            answer = connection.getresponse()
            text = answer.read()
        finally:
            connection.close()
        found = {k.lower(): v for k, v in answer.getheaders()}
        if found.get("content-type", "").startswith("application/json"):
            return answer.status, json.loads(text), found
        return answer.status, text.decode("utf-8", "replace"), found

    def get(self, path: str) -> Any:
        status, body, _ = self.ask(path)
        assert status == 200, (status, body)
        return body

    def item(self, name: str, who: str = "") -> Any:
        return self.get(f"/api/items/{quote(name, safe='')}?who={quote(who)}")

    def decide(self, item: str, value: Any = None, *, kind: str = "label", who: str = "Ann",
               replaces: str | None = None, **more: Any) -> tuple[int, Any]:  # fmt: skip
        record = {"item": item, "kind": kind, "value": value, "who": who, "why": "",
                  "replaces": replaces, **more}  # fmt: skip
        status, body, _ = self.ask("/api/decisions", record)
        return status, body


@contextmanager
def serving(*arguments: object, port: int = 0) -> Iterator[Client]:
    """Run ``accord serve`` with these arguments until the block ends."""
    process = subprocess.Popen(
        [sys.executable, "-m", "accord", "serve", *map(str, arguments),
         "--port", str(port), "--no-browser", "--json"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        assert line, process.stderr.read() if process.stderr else ""
        ready = json.loads(line)
        yield Client(ready["url"], ready["token"], process)
    finally:
        process.kill()
        process.wait()


def ratings_file(folder: Path, items: int = 30, name: str = "ratings.csv") -> Path:
    """Three annotators who differ on a third of the items."""
    rows = ["item,annotator,value"]
    for i in range(items):
        for k, who in enumerate("ABC"):
            rows.append(f"i{i},{who},{'yes' if (i % 3 or k) else 'no'}")
    path = folder / name
    path.write_text("\n".join(rows) + "\n")
    return path


def units_file(folder: Path, groups: int = 10) -> tuple[Path, Path]:
    """Two annotators on a text, near misses and other labels; and the table of the text."""
    words = [f"word{i:02d}" for i in range(groups * 3)]
    text = " ".join(words)
    rows = ["document,annotator,start,end,label"]
    for g in range(groups):
        start = text.index(words[3 * g])
        rows.append(f"doc,A,{start},{start + 6},PER")
        rows.append(f"doc,B,{start + g % 2},{start + 6 + (g % 3) * 7},{'ORG' if g % 2 else 'PER'}")
    data, table = folder / "units.csv", folder / "texts.csv"
    data.write_text("\n".join(rows) + "\n")
    table.write_text(f'document,text\ndoc,"{text}"\n')
    return data, table


def segments_file(folder: Path) -> Path:
    path = folder / "segments.csv"
    path.write_text(
        "document,annotator,masses\ndoc,A,3 4 5\ndoc,B,4 3 5\ndoc,C,7 5\n", encoding="utf-8"
    )
    return path


def chains_file(folder: Path) -> Path:
    path = folder / "chains.json"
    mentions = {"A": [[[0, 1], [4, 5]], [[8, 9]]], "B": [[[0, 1]], [[4, 5], [8, 9]]]}
    path.write_text(json.dumps({"documents": {"doc": mentions}}))
    return path


def relations_file(folder: Path) -> tuple[Path, Path]:
    """Three annotators who link the units of a sentence; they agree on one link of four."""
    text = "Heavy rain flooded the old bridge, so the mayor closed the road."
    links = {
        "ana": [("rain", "flooded", "causes"), ("flooded", "closed", "causes")],
        "ben": [("rain", "flooded", "causes"), ("rain", "closed", "causes")],
        "cyd": [
            ("rain", "flooded", "causes"),
            ("rain", "closed", "allows"),
            ("mayor", "closed", "does"),
        ],
    }

    def place(word: str) -> str:
        return f"{text.index(word)},{text.index(word) + len(word)}"

    data, texts = folder / "links.csv", folder / "texts.csv"
    data.write_text(
        "document,annotator,source_start,source_end,target_start,target_end,label\n"
        + "".join(
            f"doc,{who},{place(s)},{place(t)},{label}\n"
            for who, own in links.items()
            for s, t, label in own
        )
    )
    texts.write_text(f'document,text\ndoc,"{text}"\n')
    return data, texts
