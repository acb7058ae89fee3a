"""An application asked without a server: one request, its status, headers and body."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import accord
from accord.adjudication import Campaign
from accord.gold import Store
from accord.web.accounts import Accounts, add
from accord.web.app import application
from accord.web.gate import Gate
from accord.web.guards import local_names

HOST = "127.0.0.1:8000"
PASSWORDS = {"ann": "correct horse", "eve": "battery staple"}


@dataclass(frozen=True)
class Answer:
    status: int
    headers: dict[str, str]
    body: str
    #: every cookie that is set, as name=value
    cookies: tuple[str, ...] = ()


def ask(
    app: Any, path: str, method: str = "GET", *, body: bytes = b"", client: str = "10.0.0.9",
    more: tuple[tuple[str, str], ...] = (), **headers: str,
) -> Answer:  # fmt: skip
    """One request from a browser that is a stranger, but for the headers given."""
    said: list[Any] = []
    given = [("host", HOST), *((k.replace("_", "-"), v) for k, v in headers.items()), *more]
    if body and "content_length" not in headers:
        given.append(("content-length", str(len(body))))
    bare, _, query = path.partition("?")
    scope = {
        "type": "http", "method": method, "path": bare, "raw_path": bare.encode(), "root_path": "",
        "query_string": query.encode(), "http_version": "1.1", "scheme": "http",
        "client": (client, 50_000), "server": ("127.0.0.1", 8000), "asgi": {"version": "3.0"},
        "headers": [(k.encode(), v.encode("latin-1")) for k, v in given],
    }  # fmt: skip
    pieces = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive() -> Any:
        if pieces:
            return pieces.pop()
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        said.append(message)

    async def run() -> None:
        await asyncio.wait_for(app(scope, receive, send), 30)

    asyncio.run(run())
    text = b"".join(m.get("body", b"") for m in said[1:]).decode("utf-8", "replace")
    found = {k.decode().lower(): v.decode("latin-1") for k, v in said[0]["headers"]}
    cookies = [v.decode() for k, v in said[0]["headers"] if k == b"set-cookie"]
    return Answer(said[0]["status"], found, text, tuple(c.split(";")[0] for c in cookies))


def logged_in(app: Any, gate: Gate, name: str) -> dict[str, str]:
    """The header that a browser sends after this person has logged in."""
    body = f"name={name}&password={PASSWORDS[name].replace(' ', '+')}".encode()
    answer = ask(app, "/login", "POST", body=body)
    assert answer.status == 303, answer
    return {"cookie": answer.cookies[-1]}


class Clock:
    """Time that passes when the test says so."""

    def __init__(self) -> None:
        self.time = 1000.0

    def __call__(self) -> float:
        return self.time


def with_accounts(folder: Path, *, blind: bool = False, lang: str = "fr", **more: Any) -> Any:
    """An application with ann (who decides) and eve (who looks), its gate and its clock."""
    users = folder / "users.json"
    add(users, "ann", "adjudicator", PASSWORDS["ann"])
    add(users, "eve", "viewer", PASSWORDS["eve"])
    clock = Clock()
    gate = Gate(cookie="accord-8000", accounts=Accounts(users), now=clock, **more)
    return made(folder, gate, blind=blind, lang=lang), gate, clock


def made(folder: Path, gate: Gate, *, blind: bool = False, lang: str = "fr") -> Any:
    """The application on units of Annotator-Zoe and Annotator-Yan."""
    data = folder / "secret-claims.csv"
    data.write_text(
        "document,annotator,start,end,label\n"
        "doc-Q,Annotator-Zoe,0,4,LABEL-X\ndoc-Q,Annotator-Yan,0,5,LABEL-W\n"
    )
    campaign = Campaign(accord.read(data), Store(folder / "c.db"), blind=blind)
    names = local_names("127.0.0.1", 8000, "http")
    return application(campaign, gate, names=names, title="secret-claims", lang=lang)
