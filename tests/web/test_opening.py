"""Opening the page: what other users of the machine can read of it."""

from __future__ import annotations

import json
import os
import re
import stat
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import Request, url2pathname, urlopen

import pytest

from tests.patience import until
from tests.served import ratings_file

if not Path("/proc/self/cmdline").exists():
    pytest.skip("this system has no /proc to read command lines from", allow_module_level=True)

#: a browser that writes down how it was started and what it was given, and stays open
BROWSER = """#!{python}
import json, os, pathlib, sys, time
from urllib.parse import urlsplit
from urllib.request import url2pathname
page = pathlib.Path(url2pathname(urlsplit(sys.argv[1]).path))
told = {{"pid": os.getpid(), "page": sys.argv[1], "text": page.read_text() if page.is_file() else "",
        "file": page.stat().st_mode if page.is_file() else 0,
        "folder": page.parent.stat().st_mode if page.is_file() else 0}}
pathlib.Path({out!r} + ".new").write_text(json.dumps(told))
os.rename({out!r} + ".new", {out!r})
time.sleep(600)
"""


def command_lines() -> str:
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                found.append((entry / "cmdline").read_bytes().decode("utf-8", "replace"))
            except OSError:
                continue
    return "\n".join(found)


def appears(path: Path) -> None:
    assert until(path.exists), f"{path} does not appear"


def goes(path: Path) -> None:
    assert until(lambda: not path.exists()), f"{path} does not go"


PYTHON = """
import json, sys
import accord
page = accord.serve(sys.argv[1], decisions=sys.argv[2], browser=True)
url, _, token = page.url.partition("?token=")
print(json.dumps({"url": url, "token": token}), flush=True)
page.wait()
"""


@pytest.mark.parametrize("door", ["command", "python"])
def test_the_token_stands_in_no_command_line(door: str, tmp_path: Path) -> None:
    out, script = tmp_path / "started.json", tmp_path / "browser"
    script.write_text(BROWSER.format(python=sys.executable, out=str(out)))
    script.chmod(0o700)
    data, db = ratings_file(tmp_path), tmp_path / "c.db"
    command = {
        "command": ["-m", "accord", "serve", data, "--decisions", db, "--port", "0", "--json"],
        "python": ["-c", PYTHON, data, db],
    }[door]
    process = subprocess.Popen(
        [sys.executable, *map(str, command)], stdout=subprocess.PIPE, text=True,
        env={**os.environ, "BROWSER": f"{script} %s"},
    )  # fmt: skip
    started = 0
    try:
        assert process.stdout is not None
        ready = json.loads(process.stdout.readline())
        assert set(ready) == {"url", "token"}
        appears(out)
        told = json.loads(out.read_text())
        started = told["pid"]
        lines = command_lines()
        assert str(script) in lines
        assert told["page"] in lines
        assert ready["token"] not in lines
        assert ready["token"] not in told["page"]
        # a file in a folder, both of their owner alone, which leads to the page
        assert told["page"].startswith("file:///")
        assert stat.S_IMODE(told["file"]) == 0o600
        assert stat.S_IMODE(told["folder"]) == 0o700
        found = re.search(r'content="0; url=([^"]*)"', told["text"])
        assert found is not None
        assert found[1] == f"{ready['url']}?token={ready['token']}"
        page = Path(url2pathname(urlsplit(told["page"]).path))
        assert page.exists()
        # anything else leaves the file; whoever came in by it has no more use for it
        urlopen(
            Request(ready["url"], headers={"Authorization": f"Bearer {ready['token']}"})
        ).close()
        assert page.exists()
        urlopen(found[1]).close()
        goes(page.parent)
    finally:
        if started:
            os.kill(started, 9)
        process.kill()
        process.wait()


def test_the_file_goes_with_the_server(tmp_path: Path) -> None:
    out, script = tmp_path / "started.json", tmp_path / "browser"
    script.write_text(BROWSER.format(python=sys.executable, out=str(out)))
    script.chmod(0o700)
    process = subprocess.Popen(
        [sys.executable, "-m", "accord", "serve", ratings_file(tmp_path), "--decisions",
         tmp_path / "c.db", "--port", "0"],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env={**os.environ, "BROWSER": f"{script} %s"},
    )  # fmt: skip
    started = 0
    try:
        appears(out)
        told = json.loads(out.read_text())
        started = told["pid"]
        page = Path(url2pathname(urlsplit(told["page"]).path))
        assert page.exists()
        process.terminate()
        process.wait(30)
        assert not page.parent.exists()
    finally:
        if started:
            os.kill(started, 9)
        process.kill()
        process.wait()
