"""Freeze the value of every measure on every sample, and compare two such freezes.

    python scripts/freeze_values.py freeze OUT.json [--data FOLDER]
    python scripts/freeze_values.py compare OLD.json NEW.json

`freeze` runs each enrolled measure with its default options and no interval on the samples of
`examples/` and, where present, on a folder of real corpora (by default `../shared/data`). Large
corpora are cut to their first documents or rows, so that a freeze takes minutes. Measures that
score get a reference and a system made from the same sample: its last annotator is scored against
the first (located shapes) or against the others (ratings). What is refused or undefined is kept
with its sentence: an error that changes is a change too.

`compare` prints each value that moved by more than rounding, each that came and each that went,
and leaves with 1 when a value moved.
"""

from __future__ import annotations

import argparse
import itertools
import json
import math
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import accord
from accord.data import Annotations
from accord.errors import AccordError
from accord.measures import enrolled

HOME = Path(__file__).parents[1]
ROWS = 2000
DOCUMENTS = 30
#: units, boundaries or mentions; enough for every measure to have something to say
PIECES = 400
SMALL_FILE = 60_000
#: corpora that need to be told their columns
TOLD: dict[str, dict[str, Any]] = {
    "ratings/emobank/reader_V.csv": {"columns": {"value": "label"}},
    "ratings/emobank/writer_V.csv": {"columns": {"value": "label"}},
    "ratings/convabuse/labels.csv": {"columns": {"value": "label"}, "duplicates": "first"},
    "ratings/convabuse/intra_annotator.csv": {"columns": {"value": "label"}, "duplicates": "first"},
    "segments/moonstone_g2/segmentations.csv": {"columns": {"annotator": "coder"}},
    "segments/moonstone_g5/segmentations.csv": {"columns": {"annotator": "coder"}},
    "units/toxic_spans/spans.csv": {"duplicates": "first"},
    "units/casa_stuttering/spans.csv": {"duplicates": "first"},
}
#: numbers that differ by less are the same number added up in another order
ROUNDING = 1e-9


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    what = parser.add_subparsers(dest="what", required=True)
    make = what.add_parser("freeze")
    make.add_argument("out", type=Path)
    make.add_argument("--data", type=Path, default=HOME.parent / "shared" / "data")
    check = what.add_parser("compare")
    check.add_argument("old", type=Path)
    check.add_argument("new", type=Path)
    asked = parser.parse_args()
    if asked.what == "freeze":
        frozen = freeze(asked.data)
        asked.out.write_text(json.dumps(frozen, indent=1, sort_keys=True) + "\n", encoding="utf-8")
        say(f"{len(frozen)} values in {asked.out}")
    else:
        sys.exit(compare(*(json.loads(p.read_text("utf-8")) for p in (asked.old, asked.new))))


def freeze(corpora: Path) -> dict[str, Any]:
    """sample | measure → value (with its observed and expected parts), or the sentence instead."""
    frozen: dict[str, Any] = {}
    for name, path, told in samples(corpora):
        began = time.process_time()
        try:
            data = cut(read(path, told))
        except AccordError as problem:
            frozen[f"{name}|(reading)"] = {"refused": sentence(problem)}
            continue
        for record in enrolled(shape=data.shape):
            frozen |= {f"{name}|{k}": v for k, v in values(record.name, record.question, data)}
        say(f"{time.process_time() - began:6.1f} s  {name}")
    return frozen


def samples(corpora: Path) -> Iterator[tuple[str, Path, dict[str, Any]]]:
    """Name, path and reading options of every sample."""
    for path in sorted((HOME / "examples").glob("[!_]*")):
        if path.suffix in (".py", ".ipynb"):
            continue
        yield f"examples/{path.name}", path, {}
    if not corpora.is_dir():
        say(f"{corpora} is not there: only examples/ are frozen")
        return
    for path in sorted(corpora.rglob("*")):
        name = path.relative_to(corpora).as_posix()
        main_table = path.name in ("spans.csv", "segmentations.csv", "clusters.json", "gold.csv")
        small = name.startswith(("formats/", "exports/")) and path.stat().st_size < SMALL_FILE
        if path.is_file() and (name in TOLD or main_table or small):
            yield name, path, TOLD.get(name, {})


def read(path: Path, told: dict[str, Any]) -> Annotations:
    """The sample; only the first rows of a large table."""
    if path.suffix != ".csv":
        return accord.read(path, **told)
    with TemporaryDirectory() as folder, path.open(encoding="utf-8", errors="replace") as lines:
        short = Path(folder) / path.name
        short.write_text("".join(itertools.islice(lines, ROWS + 1)), encoding="utf-8")
        return accord.read(short, **told)


def cut(data: Annotations) -> Annotations:
    """The first documents, as many as keep the sample small."""
    if data.shape == "ratings":
        return data
    kept = min(DOCUMENTS, len(data.documents))
    while kept > 1 and pieces(part := data.select(documents=data.documents[:kept])) > PIECES:
        kept //= 2
    return data.select(documents=data.documents[:kept]) if kept == 1 else part if kept > 1 else data


def pieces(data: Annotations) -> int:
    counted = getattr(data, "start", None)
    return len(counted if counted is not None else getattr(data, "mention", ()))


def values(measure: str, question: str, data: Annotations) -> Iterator[tuple[str, Any]]:
    try:
        if question == "agree":
            found = accord.agree(data, measure)
        else:
            *others, system = data.annotators
            if not others:
                yield measure, {"refused": "one annotator: nothing to score against"}
                return
            judges = others if data.shape == "ratings" else others[:1]
            key, answer = data.select(annotators=judges), data.select(annotators=[system])
            found = accord.score(key, answer, measure)
    except AccordError as problem:
        yield measure, {"refused": sentence(problem)}
        return
    several = found if isinstance(found, tuple) else (found,)
    for result in several:
        label = result.terms.get("category") if isinstance(found, tuple) else None
        yield (
            measure if label is None else f"{measure}:{label}",
            {
                "value": plain(result.value),
                "observed": plain(result.observed),
                "expected": plain(result.expected),
                "n": result.n,
                **({"undefined": result.undefined} if result.undefined else {}),
            },
        )


def compare(old: dict[str, Any], new: dict[str, Any]) -> int:
    """Print what differs; 1 when a number moved, came undone or a refusal changed sides."""
    moved = 0
    for key in sorted(old.keys() | new.keys()):
        if key not in new and "value" not in old[key]:
            say(f"no longer refused: {key}")
        elif key not in new:
            say(f"gone   {key}: {old[key]}")
            moved += 1
        elif key not in old:
            say(f"new    {key}: {new[key]}")
        elif differing := [f for f in (*NUMBERS, "refused") if differs(old[key], new[key], f)]:
            moved += 1
            for field in differing:
                say(f"moved  {key} {field}: {old[key].get(field)} → {new[key].get(field)}")
    say(f"{moved} of {len(old)} moved")
    return 1 if moved else 0


NUMBERS = ("value", "observed", "expected", "n")


def differs(old: dict[str, Any], new: dict[str, Any], field: str) -> bool:
    a, b = old.get(field), new.get(field)
    if field == "refused":  # its words may get better
        return (a is None) != (b is None)
    if a is None or b is None:
        return a is not b
    return not math.isclose(a, b, rel_tol=ROUNDING, abs_tol=ROUNDING)


def plain(value: float | None) -> float | None:
    return None if value is None or not math.isfinite(value) else float(value)


def sentence(problem: Exception) -> str:
    return str(problem).rsplit("/", 1)[-1]


def say(text: str) -> None:
    print(text, flush=True)


if __name__ == "__main__":
    main()
