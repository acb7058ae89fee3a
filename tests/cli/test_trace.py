"""What `accord agree ratings.csv` costs before it computes: files passed, modules loaded, one opening."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import accord

SOURCE = Path(accord.__file__).parent
#: the rooms between a file and the data
ROOMS = ("files", "formats", "large", "reading", "data", "options")
DOORS = ("cli/inputs.py", "cli/parameters.py", "cli/measure_options.py")

TRACE = """
import json, sys
passed, opened = {}, []
source, data = sys.argv[1:]

def listen(event, given):
    if event == "open" and str(given[0]) == data:
        opened.append(given[1])

def follow(frame, event, _):
    code = frame.f_code
    # functions that are called, not modules and classes that are made
    if event == "call" and code.co_flags & 1 and code.co_name[0] != "<":
        if code.co_filename.startswith(source):
            passed[code.co_filename[len(source) + 1:].replace("\\\\", "/")] = None

sys.addaudithook(listen)
sys.argv = ["accord", "agree", data, "--ci", "none"]
sys.setprofile(follow)
from accord.cli import main
try:
    main()
except SystemExit:
    pass
sys.setprofile(None)
loaded = sorted(m for m in sys.modules if m.split(".")[0] == "accord")
print(json.dumps({"passed": list(passed), "opened": opened, "loaded": loaded}))
"""


@pytest.fixture(scope="module")
def trace(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    path = tmp_path_factory.mktemp("trace") / "ratings.csv"
    rows = [f"i{i},{who},{(i * k) % 3}" for i in range(40) for k, who in ((1, "A"), (4, "B"))]
    path.write_text("\n".join(["item,annotator,label", *rows]) + "\n")
    done = subprocess.run(
        [sys.executable, "-c", TRACE, str(SOURCE), str(path)],
        capture_output=True,
        text=True,
        check=True,
    )
    found: dict[str, list[str]] = json.loads(done.stdout.splitlines()[-1])
    assert "alpha" in done.stdout
    return found


def test_few_files_are_passed_between_a_table_and_the_data(trace: dict[str, list[str]]) -> None:
    passed = [f for f in trace["passed"] if f.startswith(ROOMS) or f in DOORS]
    assert "reading/read.py" in passed
    assert len(passed) <= 45, sorted(passed)


def test_a_table_is_opened_once_to_recognise_and_read_it(trace: dict[str, list[str]]) -> None:
    assert len(trace["opened"]) == 1


def test_few_modules_are_loaded(trace: dict[str, list[str]]) -> None:
    loaded = trace["loaded"]
    assert len(loaded) <= 320
    # no format but tables, no engine, and of the commands the one that was typed
    formats = [m for m in loaded if m.startswith("accord.formats.") and m.count(".") > 2]
    assert all(
        m.startswith(("accord.formats.tables.", "accord.formats.coreference.entity_names"))
        for m in formats
    )
    assert not [m for m in loaded if m.startswith("accord.large")]
    assert "accord.cli.score" not in loaded
