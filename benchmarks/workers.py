"""Workers: what two of them gain, what is sent to them, and γ of 100 000 documents that stay in Parquet.

``python benchmarks/workers.py`` takes about three minutes on an idle machine with two cores. Times are
wall times, so nothing else should run.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from datetime import date
from pathlib import Path

import numpy as np

import accord
from accord.data import workers

HERE = Path(__file__).parent
PEOPLE, CATEGORIES = ("A", "B", "C"), "abcd"
REPEATS = 15


def columns(documents: int, units: int, seed: int = 0) -> dict[str, object]:
    """Units of three annotators: the same places, each moved, of another length, a fifth relabelled."""
    rng = np.random.default_rng(seed)
    shape = (documents, 1, units)
    place = np.sort(rng.permuted(np.tile(np.arange(6 * units), (documents, 1)), axis=1)[:, :units])
    start = 10 * place[:, None, :] + rng.integers(-3, 4, (documents, 3, units))
    start = np.maximum(start, 0).astype(float)
    end = start + rng.integers(3, 25, start.shape)
    other = rng.random(start.shape) < 0.2
    label = np.where(
        other,
        rng.integers(4, size=start.shape),
        np.broadcast_to(rng.integers(4, size=shape), start.shape),
    )
    return {
        "document": np.repeat(np.arange(documents), 3 * units),
        "annotator": np.tile(np.repeat(np.arange(3), units), documents),
        "start": start.ravel(),
        "end": end.ravel(),
        "label": label.ravel(),
    }


def units_of(documents: int, units: int) -> accord.Units:
    made = columns(documents, units)
    return accord.Units.from_columns(
        [f"d{k:06}" for k in made["document"].tolist()],
        [PEOPLE[k] for k in made["annotator"].tolist()],
        made["start"],
        made["end"],
        [CATEGORIES[k] for k in made["label"].tolist()],
    )


def write_parquet(path: Path, documents: int, units: int) -> None:
    """In groups of 1 000 documents, so that this needs no memory either."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    writer = None
    for first in range(0, documents, 1000):
        made = columns(min(1000, documents - first), units, seed=first)
        table = pa.table(
            {
                "document": pa.array([f"d{first + k:06}" for k in made["document"].tolist()]),
                "annotator": pa.DictionaryArray.from_arrays(
                    pa.array(made["annotator"]), pa.array(PEOPLE)
                ),
                "start": made["start"],
                "end": made["end"],
                "label": pa.DictionaryArray.from_arrays(
                    pa.array(made["label"]), pa.array(list(CATEGORIES))
                ),
            }
        )
        writer = writer or pq.ParquetWriter(path, table.schema)
        writer.write_table(table)
    writer.close()


def timed(data: accord.Units, jobs: int, **options: object) -> tuple[float, float, float]:
    """Seconds, CPU seconds of this process, and the value; nothing is remembered from before."""
    data.memo.clear()
    began, cpu = time.perf_counter(), time.process_time()
    value = accord.agree(data, "gamma", jobs=jobs, **options).value
    return time.perf_counter() - began, time.process_time() - cpu, value


def gain(name: str, data: accord.Units, **options: object) -> list[str]:
    """One job and two, in turn; the least time of each."""
    sent: list[int] = []
    packed = workers.Parcel.of

    def noted(function: object) -> workers.Parcel:
        parcel = packed(function)
        sent.append(len(parcel.content))
        return parcel

    workers.Parcel.of = noted  # type: ignore[assignment,method-assign]
    runs = [[timed(data, jobs, **options) for jobs in (1, 2)] for _ in range(REPEATS)]
    workers.Parcel.of = packed  # type: ignore[method-assign]
    assert len({value for pair in runs for _, _, value in pair}) == 1
    one, two = (min(pair[k][0] for pair in runs) for k in (0, 1))
    here = min(pair[1][1] for pair in runs)
    return [
        name,
        f"{one * 1000:.0f} ms",
        f"{two * 1000:.0f} ms",
        f"{one / two:.2f}×",
        f"{here * 1000:.0f} ms",
        f"{len(sent) // REPEATS} × {np.mean(sent) / 1000:.0f} kB" if sent else "–",
    ]


STORED = """
import resource, sys, time
import accord
path, jobs = sys.argv[1], int(sys.argv[2])
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
began = time.perf_counter()
result = accord.distribute(path, "gamma", jobs=jobs, ci="auto")
wall = time.perf_counter() - began
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
from joblib.externals.loky import get_reusable_executor
worker = 0
if jobs > 1:
    get_reusable_executor().shutdown(wait=True)
    worker = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
cpu = sum(sum(resource.getrusage(w)[:2]) for w in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
print(wall, cpu, before / 1024, peak / 1024, worker / 1024, result.value.hex(),
      result.interval.low.hex(), result.n)
"""


def stored(path: Path, jobs: int) -> list[float | str]:
    """γ of a table in a fresh process: seconds, CPU, MB before, at most here, at most in a worker."""
    done = subprocess.run(
        [sys.executable, "-c", STORED, str(path), str(jobs)],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    return [*map(float, done[:5]), *done[5:]]


def main() -> None:
    workers.ProcessCrew(2).start()
    many, one = units_of(3000, 18), units_of(1, 3000)
    # (workers are there, and have done such work before)
    timed(many, 2), timed(many, 2), timed(one, 2, samples=30)
    gains = [
        gain("3 000 documents × 3 annotators × 18 units", many),
        gain("the same, 3 000 samples", many, samples=3000),
        gain("1 document × 3 × 3 000 units, 30 samples", one, samples=30),
        gain("1 document × 3 × 3 000 units, 300 samples", one, samples=300),
    ]
    lines = [
        "| γ of | one job | two workers | gain | CPU of the parent | sent to each worker |",
        "|---|---|---|---|---|---|",
        *(f"| {' | '.join(row)} |" for row in gains),
        "",
    ]
    with tempfile.TemporaryDirectory() as folder:
        rows = []
        for documents in (1_000, 10_000, 100_000):
            path = Path(folder, f"{documents}.parquet")
            write_parquet(path, documents, 18)
            found = [stored(path, jobs) for jobs in (1, 2)]
            assert found[0][5:] == found[1][5:]
            for jobs, (wall, cpu, before, peak, worker, *_) in zip((1, 2), found, strict=True):
                rows.append(
                    f"| {documents:,} | {int(float(found[0][7])):,} | "
                    f"{path.stat().st_size / 1e6:.0f} | {jobs} | {wall:.1f} | {cpu:.1f} | "
                    f"{before:.0f} | {peak:.0f} | {worker:.0f} |".replace(",", " ")
                )
    lines += [
        "| documents in Parquet | units | file MB | jobs | s | CPU s | MB at the start | MB at most | a worker's |",
        "|---|---|---|---|---|---|---|---|---|",
        *rows,
    ]
    load = os.getloadavg()[0]
    text = "\n".join(
        [
            "# Workers",
            "",
            f"{date.today().isoformat()}, Python {sys.version.split()[0]}, accord {accord.__version__}, "
            f"{os.cpu_count()} cores, load {load:.1f} at the end.",
            "",
            f"Wall time, the least of {REPEATS} runs of each kind in turn, nothing remembered from one to the "
            "next; the two workers were started before (that takes one to two seconds, once). Every value is "
            "the same to the last bit for one job and two, in memory and in Parquet, value and interval.",
            "",
            *lines,
        ]
    )
    (HERE / "results" / "workers.md").write_text(text + "\n", encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
