"""The pages on coming from another tool, row by row: the call there, the call here, one value.

The peers run where they are: in the Python that ``ACCORD_PEERS`` names (they cannot all share one
environment), else in this one; those of R with psych, those of SPSS with PSPP. Rows with † were not run.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

DOCS = Path(__file__).parents[2] / "docs"
PYTHON = os.environ.get("ACCORD_PEERS", sys.executable)
#: what evaluates each expression by itself, so that one peer that is missing leaves the others
_EVALUATE = """
import contextlib, json, sys
blocks, calls = json.load(sys.stdin)
names, found = {}, []
with contextlib.redirect_stdout(sys.stderr):
    for block in blocks:
        exec(block, names)
    for call in calls:
        found.append(float(eval(call, names)))
print(json.dumps(found))
"""


class Row(NamedTuple):
    """One line of a table: the call there, the call here, the value of both, whether it was run."""

    page: str
    number: int
    there: str
    here: str
    value: float
    margin: float
    run: bool


def blocks(page: str, language: str, *kinds: str) -> list[str]:
    """Code of the page in a language, of those kinds: data, there, here."""
    text = (DOCS / page).read_text(encoding="utf-8")
    found = re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)
    return [b for b in found if not kinds or b.partition("\n")[0].removeprefix("# ") in kinds]


def rows(page: str) -> list[Row]:
    """The lines of its tables of two calls and a value."""
    found = []
    for line in (DOCS / page).read_text(encoding="utf-8").splitlines():
        match = re.fullmatch(r"\| `(.+?)`.* \| `(.+?)` \| (\d*\.\d+)(†?) \|", line)
        if match:
            there, here, printed, unrun = match.groups()
            margin = 0.5 * 10.0 ** -len(printed.partition(".")[2])
            found.append(
                Row(page, len(found), there, here, float(printed), margin * 1.001, not unrun)
            )
    return found


PAGES = [p.name for p in sorted(DOCS.glob("coming-from-*.md")) if rows(p.name)]
ROWS = [row for page in PAGES for row in rows(page)]


def named(row: Row) -> str:
    return f"{row.page.removeprefix('coming-from-').removesuffix('.md')}-{row.number}"


@cache
def here(page: str) -> dict[str, object]:
    names: dict[str, object] = {}
    for block in blocks(page, "python", "data", "here"):
        exec(block, names)
    return names


@cache
def there(page: str) -> list[float] | str:
    """The peer's values of the rows that can be run, or why they cannot."""
    calls = [row.there for row in rows(page) if row.run]
    if blocks(page, "r"):
        if shutil.which("Rscript") is None:
            return "R is not here"
        printed = "\n".join(f'cat(sprintf("%.12f\\n", {call}))' for call in calls)
        script = "\n".join([*blocks(page, "r"), printed])
        done = subprocess.run(["Rscript", "-e", script], capture_output=True, text=True)
        if done.returncode:
            return f"R: {done.stderr.strip().splitlines()[-1]}"
        return [float(line) for line in done.stdout.split()[-len(calls) :]]
    asked = json.dumps([blocks(page, "python", "data", "there"), calls])
    done = subprocess.run([PYTHON, "-c", _EVALUATE], input=asked, capture_output=True, text=True)
    if done.returncode:
        last = done.stderr.strip().splitlines()[-1]
        assert "ModuleNotFoundError" in last, done.stderr
        return f"the peer is not here ({last}): name a Python that has it in ACCORD_PEERS"
    found: list[float] = json.loads(done.stdout.splitlines()[-1])
    return found


def test_there_are_pages_and_rows():
    assert len(PAGES) >= 7
    assert len(ROWS) >= 60
    assert sum(row.run for row in ROWS) >= 50


@pytest.mark.parametrize("row", ROWS, ids=named)
def test_the_call_here_gives_the_value(row):
    found = eval(row.here, here(row.page))
    assert float(getattr(found, "value", found)) == pytest.approx(row.value, abs=row.margin)


@pytest.mark.parametrize("row", [r for r in ROWS if r.run], ids=named)
def test_the_call_there_gives_the_value(row, tmp_path):
    if blocks(row.page, "text"):
        assert_pspp_prints(row, tmp_path)
        return
    found = there(row.page)
    if isinstance(found, str):
        pytest.skip(found)
    place = [r for r in rows(row.page) if r.run].index(row)
    assert found[place] == pytest.approx(row.value, abs=row.margin)


def assert_pspp_prints(row: Row, folder: Path) -> None:
    if shutil.which("pspp") is None:
        pytest.skip("PSPP is not here")
    script = folder / "row.sps"
    script.write_text("".join(blocks(row.page, "text")) + row.there + "\n")
    english = {**os.environ, "LC_ALL": "C"}  # it writes decimal commas where the place has them
    done = subprocess.run(["pspp", script], capture_output=True, text=True, check=True, env=english)
    assert re.search(rf"\|\s*{row.value:.2f}\|".replace("0.", r"0?\."), done.stdout), done.stdout
