"""What a killed process leaves in the folder of temporary files is deleted by the next one."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from accord.files import scratch
from accord.large import engines

DIES = """
import os, signal
from accord.files import scratch
folder = scratch.own_folder("duckdb")
folder.mkdir()
(folder / "spilled").write_bytes(bytes(1000))
print(folder, flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.skipif(os.name == "nt", reason="processes are not asked there")
def test_what_a_killed_process_left_is_swept_away(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    ran = subprocess.run(
        [sys.executable, "-c", DIES],
        capture_output=True,
        text=True,
        env={**os.environ, "TMPDIR": str(tmp_path)},
    )
    assert ran.returncode == -signal.SIGKILL
    left = Path(ran.stdout.strip())
    assert (left / "spilled").exists()
    # this process lives; so does the one that runs the tests; other names are other people's
    mine = scratch.own_folder("parts")
    mine.mkdir()
    dead = left.name.split("-")[2]
    others = [
        tmp_path / f"accord-duckdb-{os.getppid()}-{'0' * 32}",
        tmp_path / f"accord-duckdb-{dead}",
        tmp_path / f"accord-other-{dead}-{'0' * 32}",
    ]
    for folder in others:
        folder.mkdir()
    (tmp_path / "elsewhere").mkdir()
    link = tmp_path / f"accord-parts-{dead}-{'1' * 32}"
    link.symlink_to(tmp_path / "elsewhere", target_is_directory=True)
    pytest.importorskip("duckdb", reason="duckdb is not installed")
    engines._connection().close()
    assert not left.exists()
    assert mine.exists()
    assert all(folder.exists() for folder in others)
    assert (tmp_path / "elsewhere").exists()
    assert link.is_symlink()


def test_processes_of_others_are_not_asked_to_end(monkeypatch):
    def refused(process: int, number: int) -> None:
        assert number == 0
        raise PermissionError

    monkeypatch.setattr(os, "kill", refused)
    assert scratch._lives(1)
