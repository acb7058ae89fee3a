"""One way to measure: each task in a process of its own, CPU time and peak memory of the work alone.

A benchmark is a script with tasks (functions decorated with :func:`task`) and a ``main`` that calls
:func:`run`. ``python benchmarks/NAME.py`` builds the benchmark's own virtual environment from
``requirements-NAME.txt`` and the package, and runs itself there.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from datetime import date
from importlib.metadata import version
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
TASKS: dict[str, Callable[..., Any]] = {}


def task(function: Callable[..., Any]) -> Callable[..., Any]:
    """Register a task: called with JSON arguments, it prepares, then returns the work to time."""
    TASKS[function.__name__] = function
    return function


def main(script: str, report: Callable[[], None]) -> None:
    """Entry point of a benchmark: set up, run one task, or run the whole report."""
    if len(sys.argv) > 2 and sys.argv[1] == "--task":
        _perform(sys.argv[2], json.loads(sys.argv[3]))
        return
    name = Path(script).stem
    python = HERE / f".venv-{name}" / "bin" / "python"
    if Path(sys.executable) != python and os.environ.get("ACCORD_BENCHMARK_HERE") is None:
        if not python.exists():
            subprocess.run([sys.executable, "-m", "venv", python.parents[1]], check=True)
        install = [python, "-m", "pip", "install", "--quiet"]
        subprocess.run([*install, "-r", HERE / f"requirements-{name}.txt"], check=True)
        subprocess.run([*install, "--force-reinstall", "--no-deps", HERE.parent], check=True)
        subprocess.run([*install, HERE.parent], check=True)
        os.execv(python, [str(python), script, *sys.argv[1:]])
    report()


def run(
    name: str, *arguments: Any, timeout: float = 900, memory: int | None = None
) -> dict[str, Any]:
    """Perform a task in a fresh process; {"cpu", "peak" (MB), "value"} or {"failed": why}."""
    command = [sys.executable, sys.argv[0], "--task", name, json.dumps(arguments)]

    def limit() -> None:
        if memory is not None:
            resource.setrlimit(resource.RLIMIT_AS, (memory, memory))

    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=timeout, preexec_fn=limit
        )
    except subprocess.TimeoutExpired:
        return {"failed": f"not finished after {timeout:.0f} s"}
    if done.returncode != 0:
        told = done.stderr.strip().splitlines() or ["killed"]
        last = next((line for line in reversed(told) if "Error" in line), told[-1])
        return {"failed": last[:120]}
    result: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return result


def _perform(name: str, arguments: list[Any]) -> None:
    work = TASKS[name](*arguments)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start = time.process_time()
    value = work()
    cpu = time.process_time() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(json.dumps({"cpu": cpu, "peak": (peak - before) / 1024, "value": value}))


def versions(*packages: str) -> str:
    """Names and versions, for the head of a table."""
    return ", ".join(f"{p} {version(p)}" for p in packages)


def write(name: str, title: str, lines: list[str], *packages: str) -> None:
    """Print the results and write them to results/NAME.md."""
    python = ".".join(map(str, sys.version_info[:3]))
    head = [
        f"# {title}",
        "",
        f"{date.today().isoformat()}, Python {python}, {versions('accord', 'numpy', *packages)}.",
        "CPU seconds of the work alone (data prepared and modules imported before), peak memory added "
        "by it, each in a fresh process; values compared first.",
        "",
    ]
    text = "\n".join([*head, *lines]) + "\n"
    folder = HERE / "results"
    folder.mkdir(exist_ok=True)
    (folder / f"{name}.md").write_text(text, encoding="utf-8")
    print(text)
