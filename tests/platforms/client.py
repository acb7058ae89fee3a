"""A small client of the interfaces that annotation platforms have on this machine."""

from __future__ import annotations

import http.cookiejar
import json
import socket
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from pathlib import Path
from typing import Any


class Client:
    """One person who is signed in; every address is one of this machine."""

    def __init__(self, port: int, token: str | None = None) -> None:
        self.root = f"http://127.0.0.1:{port}"
        self.token = token
        self.cookies = http.cookiejar.CookieJar()
        self.opener = urllib.request.build_opener(
            urllib.request.ProxyHandler({}), urllib.request.HTTPCookieProcessor(self.cookies)
        )

    def ask(self, method: str, path: str, body: Any = None, form: bool = False) -> Any:
        """Send a request and return the answer: JSON as plain data, anything else as bytes."""
        headers = {"Referer": self.root}
        if self.token is not None:
            headers["Authorization"] = f"Token {self.token}"
        for cookie in self.cookies:
            if cookie.name == "csrftoken":
                headers["X-CSRFToken"] = str(cookie.value)
        data = None
        if isinstance(body, Path):
            data, headers["Content-Type"] = _multipart(body)
        elif form:
            data = urllib.parse.urlencode(body).encode()
        elif body is not None:
            data, headers["Content-Type"] = json.dumps(body).encode(), "application/json"
        request = urllib.request.Request(self.root + path, data, headers, method=method)
        try:
            with self.opener.open(request, timeout=60) as answer:
                held, kind = answer.read(), answer.headers.get("Content-Type", "")
        except urllib.error.HTTPError as problem:
            said = problem.read()[:2000].decode(errors="replace")
            raise AssertionError(f"{method} {path}: {problem.code} {said}") from None
        return json.loads(held) if held and "json" in kind else held

    def get(self, path: str) -> Any:
        return self.ask("GET", path)

    def post(self, path: str, body: Any = None, form: bool = False) -> Any:
        return self.ask("POST", path, body, form)


def _multipart(path: Path) -> tuple[bytes, str]:
    """A file as a form sends it."""
    mark = uuid.uuid4().hex
    head = (
        f'--{mark}\r\nContent-Disposition: form-data; name="filepond"; filename="{path.name}"\r\n'
        "Content-Type: application/octet-stream\r\n\r\n"
    )
    body = head.encode() + path.read_bytes() + f"\r\n--{mark}--\r\n".encode()
    return body, f"multipart/form-data; boundary={mark}"


def free_port() -> int:
    """A port of the loopback that nobody listens to."""
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        port: int = held.getsockname()[1]
        return port


def until(ready: Any, seconds: float) -> bool:
    """Whether it is ready before so many seconds are over."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            if ready():
                return True
        except (OSError, AssertionError):
            pass
        time.sleep(0.5)
    return False
