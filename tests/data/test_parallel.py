"""Parallel work: the same answers for any number of workers, and nothing left after Ctrl-C."""

import os
import shutil
import signal
import subprocess
import sys

import pytest

from accord.data.parallel import map_tasks
from tests.patience import until


def double(x):
    return 2 * x


def test_same_answers_in_order_for_any_number_of_workers():
    told = []
    assert map_tasks(double, range(20), jobs=2, progress=told.append) == list(range(0, 40, 2))
    assert told == list(range(1, 21))
    assert map_tasks(double, range(20)) == list(range(0, 40, 2))


SLOW = """
import time
from accord.data.parallel import map_tasks
print("started", flush=True)
map_tasks(time.sleep, [30] * 4, jobs=2)
"""


@pytest.mark.skipif(shutil.which("ps") is None, reason="ps lists the processes that are left")
def test_interrupt_leaves_no_process():
    process = subprocess.Popen(
        [sys.executable, "-c", SLOW],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    assert process.stdout.readline() == b"started\n"
    assert until(lambda: len(_alive(process.pid)) > 2)
    os.killpg(process.pid, signal.SIGINT)
    process.communicate(timeout=300)
    assert process.returncode != 0
    assert until(lambda: not _alive(process.pid))


def _alive(session: int) -> list[str]:
    """Processes of that session that still run."""
    listed = subprocess.run(
        ["ps", "-eo", "sid,stat,args"], capture_output=True, text=True, check=True
    )
    rows = [line.split(None, 2) for line in listed.stdout.splitlines()[1:]]
    return [row[2] for row in rows if row[0] == str(session) and not row[1].startswith("Z")]
