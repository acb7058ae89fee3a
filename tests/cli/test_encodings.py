"""Every command in every encoding: what it lacks is written in ASCII, and JSON is UTF-8."""

import csv
import json
import os
import shutil
import subprocess
import sys

import pytest

from accord.cli.help import EXAMPLES as EXAMPLES_OF
from tests.conftest import ROOT

MOODS = ROOT / "examples" / "moods.csv"
#: they serve, draw for minutes, or need a package of their own
NOT_RUN = ("accord serve", "--dask", "accord reproduce", "simulate measures", "simulate grid")

_SCRIPT = """
import io, json, shlex, sys
import accord.cli.app as app
app.load_commands()
app.load_commands = lambda *_: None
out, told = sys.stdout, sys.stderr
for line in sys.stdin.read().splitlines():
    sys.argv = shlex.split(line)
    said = [io.TextIOWrapper(io.BytesIO(), encoding="ascii") for _ in range(2)]
    sys.stdout, sys.stderr = said
    code = 0
    try:
        app.run()
    except SystemExit as end:
        code = end.code
    except BaseException as problem:
        code = repr(problem)
    finally:
        sys.stdout, sys.stderr = out, told
    for stream in said:
        stream.flush()
    found = [stream.buffer.getvalue() for stream in said]
    if "--json" in sys.argv:
        json.loads(found[0].decode("utf-8"))
    else:
        found[0].decode("ascii")
    found[1].decode("ascii")
    if code not in (0, 1, None) or b"Traceback" in found[1]:
        sys.exit(f"{line}: {code}: {found[1]!r}")
print("done")
"""


def _lines():
    for name, lines in EXAMPLES_OF.items():
        shown = [line for line in lines if not any(word in line for word in NOT_RUN)][:1]
        yield from shown
        yield from (f"{line} --json" for line in shown if "--json" not in line)
        yield f"accord {name} --help"


def _bare(encoding="ascii"):
    """The environment of a system without UTF-8."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("LC_", "LANG", "PYTHONUTF8"))}
    return {**kept, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0",
            "PYTHONIOENCODING": encoding}  # fmt: skip


def test_every_command_writes_ascii_where_there_is_no_more(tmp_path):
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    lines = list(_lines())
    assert len(lines) > 45
    done = subprocess.run(
        [sys.executable, "-c", _SCRIPT], input="\n".join(lines).encode(), capture_output=True,
        cwd=tmp_path, timeout=1200, env=_bare("utf-8"),
    )  # fmt: skip
    assert done.stdout.strip() == b"done", done.stderr[-2000:].decode()


def _run(encoding, *words, **more):
    return subprocess.run(
        [sys.executable, "-m", "accord", *map(os.fsencode, words)], capture_output=True,
        env=_bare(encoding), timeout=300, **more,
    )  # fmt: skip


@pytest.mark.parametrize("encoding", ["cp1252", "ascii", "latin-1", "cp437", "utf-8"])
def test_a_redirect_in_any_encoding(encoding, tmp_path):
    table = tmp_path / "étude.csv"
    rows = [(str(i), a, "été" if i % 2 else "λ字") for i in range(4) for a in "AB"]
    with table.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([("item", "annotator", "value"), *rows])
    done = _run(encoding, "agree", table, "--by", "category", "--measure", "alpha,kappa")
    assert done.returncode == 0, done.stderr
    said = done.stdout.decode(encoding)
    assert "alpha" in said
    assert ("ete" if encoding == "ascii" else "été") in said
    assert ("λ字" if encoding == "utf-8" else "lambda?") in said
    whole = json.loads(
        _run(encoding, "agree", table, "--by", "category", "--json").stdout.decode("utf-8")
    )
    assert {row["category"] for row in whole["results"][0]["by"]["category"]} == {"été", "λ字"}
    wrong = _run(encoding, "agree", table, "--measure", "κ字")
    assert wrong.returncode == 2
    assert b"Traceback" not in wrong.stderr
    assert wrong.stderr.decode(encoding).startswith("accord: ")


@pytest.mark.skipif(sys.platform != "linux", reason="names of files are bytes on Linux alone")
def test_names_of_files_that_are_no_text(tmp_path):
    table = os.fsdecode(b"caf\xe9.csv")
    (tmp_path / table).write_bytes(MOODS.read_bytes())
    for encoding in ("utf-8", "ascii"):
        done = _run(encoding, "inspect", table, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        assert "caf\\xe9.csv" in done.stdout.decode(encoding)
        missing = _run(encoding, "inspect", table + "x", cwd=tmp_path)
        assert missing.returncode == 2
        assert "caf\\xe9.csvx: " in missing.stderr.decode(encoding)
        found = _run(encoding, "agree", table, "--ci", "none", "--json", cwd=tmp_path)
        assert json.loads(found.stdout.decode("utf-8"))["results"][0]["n"] == 40


def test_control_characters_of_labels_are_the_same_in_json(tmp_path):
    table = tmp_path / "x.csv"
    table.write_text(
        "item,annotator,value\n1,A,a\x9bb\n1,B,a\x9bb\n2,A,c\n2,B,c\n", encoding="utf-8"
    )
    done = _run("utf-8", "agree", table, "--by", "category", "--ci", "none", "--json")
    assert b"\x9b" not in done.stdout
    rows = json.loads(done.stdout)["results"][0]["by"]["category"]
    assert [row["category"] for row in rows] == ["a\x9bb", "c"]
