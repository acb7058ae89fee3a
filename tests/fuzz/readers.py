"""Fuzz every reader: data or an accord error, never a traceback, never a hang.

    python -m tests.fuzz.readers --seconds 600 [--format brat] [--seed 0] [--samples FOLDER]

Each round damages one file of a hand-made export (or of a real sample), reads it with random options
as a folder, a file or a zip, inspects it, and writes what was read to a random format. A finding is
printed with the seed that reproduces it.
"""

from __future__ import annotations

import argparse
import random
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from contextlib import suppress
from pathlib import Path
from types import FrameType
from typing import Any

from accord.errors import AccordError, InputError
from accord.formats import detect, formats
from accord.reading import read
from accord.reading.conversion import convert
from accord.reading.inspection import inspect
from tests.fuzz.mutate import damaged
from tests.fuzz.seeds import SEEDS
from tests.oracles.exports import Files, write_folder, write_zip

_LIMIT = 10
#: exports that show another shape in a format that has one already
_FORMATS = {"boxes": "csv", "label-studio-shapes": "label-studio"}
_OPTIONS: dict[str, list[Any]] = {
    "offsets": [None, None, "code-points", "utf-16", "graphemes"],
    "discontinuous": ["hull", "fragments", "drop"],
    "points": [False, True],
    "predictions": [False, True],
    "curation": ["leave-out", "include", "only"],
    "annotator": [None, None, "x"],
    "annotator_from": [None, None, None, "folder", "file", "tier", "author"],
    "layer": [None, None, "custom.Span", "label"],
    "feature": [None, None, None, "value"],
    "duplicates": ["error", "first", "last"],
    "shape": [None, None, None, "units", "ratings", "chains", "relations", "relations", "boxes"],
}
_SAMPLES = {
    "gate": "gate_xml", "label-studio": "label_studio", "textgrid": "praat_textgrid",
    "uima": "uima_cas", "webanno-tsv3": "webanno_tsv3", "pygamma-csv": "csv_long",
    "corefud": "conllu_corefud", "parquet": "hf_parquet",
}  # fmt: skip


class HangError(Exception):
    """A round took too much CPU time."""


def sources(name: str, samples: Path | None) -> list[Files]:
    """The hand-made export, and the real samples when they are there."""
    found = [SEEDS[name]()]
    folder = None if samples is None else samples / _SAMPLES.get(name, name)
    if folder is not None and folder.is_dir():
        files = [p for p in sorted(folder.rglob("*")) if p.is_file() and p.stat().st_size < 60_000]
        found.extend({str(p.relative_to(folder)): p.read_bytes()} for p in files)
    return found


def round_of(name: str, files: Files, seed: int, folder: Path) -> str:
    """One damaged export, read, inspected and written again; says how it ended."""
    rng = random.Random(seed)
    files = dict(files)
    for _ in range(rng.choice([1, 1, 1, 2])):
        victim = rng.choice(list(files))
        files[victim] = damaged(files[victim], rng)
    options = {}
    if rng.random() < 0.4:
        chosen = rng.sample(list(_OPTIONS), rng.randint(1, 4))
        options = {key: rng.choice(_OPTIONS[key]) for key in chosen}
    path = (
        write_zip(files, folder / "x.zip")
        if rng.random() < 0.3
        else write_folder(files, folder / "x")
    )
    forced = _FORMATS.get(name, name) if rng.random() < 0.7 else None
    with suppress(AccordError):
        detect(path)
    try:
        data = read(path, format=forced, **options)
    except AccordError as problem:
        if isinstance(problem, InputError) and not problem.path:
            raise AssertionError(f"an error without a place: {problem}") from problem
        return type(problem).__name__
    try:
        inspect(path, format=forced, **options)
        if rng.random() < 0.3:
            to = rng.choice([f.name for f in formats() if f.writes])
            convert(data, folder / "out", format=to)
    except AccordError:
        return "read, not written"
    return "read"


def fuzz(
    name: str, seconds: float, seed: int, samples: Path | None, rounds: int | None = None
) -> tuple[Counter[str], list[str]]:
    """Rounds until the time is over; how they ended, and what was found."""
    ends: Counter[str] = Counter()
    findings: dict[str, str] = {}
    known = sources(name, samples)
    base = Path("/dev/shm") if Path("/dev/shm").is_dir() else None
    stop = time.monotonic() + seconds

    def hang(_: int, frame: FrameType | None) -> None:
        raise HangError(f"more than {_LIMIT} s, in {frame}")

    signal.signal(signal.SIGPROF, hang)
    while time.monotonic() < stop and (rounds is None or ends.total() < rounds):
        files = known[seed % len(known)]
        folder = Path(tempfile.mkdtemp(dir=base))
        signal.setitimer(signal.ITIMER_PROF, _LIMIT)
        try:
            ends[round_of(name, files, seed, folder)] += 1
        except Exception as problem:
            ends["FOUND"] += 1
            where = traceback.extract_tb(problem.__traceback__)[-1]
            key = f"{type(problem).__name__} at {Path(where.filename).name}:{where.lineno}"
            findings.setdefault(key, f"{name} seed {seed}: {key}: {str(problem)[:200]}")
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
            shutil.rmtree(folder, ignore_errors=True)
        seed += 1
    return ends, list(findings.values())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--format", choices=list(SEEDS), action="append")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--samples", type=Path)
    arguments = parser.parse_args()
    failed = False
    for name in arguments.format or SEEDS:
        ends, findings = fuzz(name, arguments.seconds, arguments.seed, arguments.samples)
        print(name, ends.total(), "rounds", dict(ends), flush=True)  # noqa: T201
        for finding in findings:
            failed = True
            print("  FOUND", finding, flush=True)  # noqa: T201
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
