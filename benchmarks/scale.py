"""Ratings from 10⁶ to 10⁸ (10⁹ with ``--billion``) counted by engines, against SQL written by hand.

``--known`` writes the table of what was measured so far. The tables are generated once, beside the
results or where ``ACCORD_SCALE_DATA`` says: Parquet, names and values dictionary-encoded, rows shuffled
within runs of a million items. A *team* is five annotators who rate everything; a *crowd* is a thousand of
whom five rate an item. *Scattered* are the ratings of such a team when the rows of an item may be anywhere.
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
from harness import HERE, main, task, write
from harness import run as once

DATA = Path(os.environ.get("ACCORD_SCALE_DATA", HERE / "results"))
PER_ITEM, VALUES, CROWD = 5, 5, 1000
SHARES = (0.4, 0.25, 0.15, 0.1, 0.1)
#: odd and no multiple of five, about 10⁹ over the golden ratio: neighbours in the table are far from each
#: other in the walk
_STRIDE = 618_033_989
SIZES = (6, 7, 8, 9) if "--billion" in sys.argv else (6, 7, 8)


def table(kind: str, power: int) -> Path:
    """The table of 10^power ratings, written when it is not there yet."""
    path = DATA / f"{kind}-{power}.parquet"
    if not path.exists():
        scattered = kind == "scattered"
        generate(path, 10**power, CROWD if kind == "crowd" else PER_ITEM, scattered=scattered)
    return path


def generate(
    path: Path,
    ratings: int,
    annotators: int,
    *,
    run_of: int = 1_000_000,
    scattered: bool = False,
) -> None:
    import pyarrow as pa
    import pyarrow.parquet as parquet

    rng = np.random.default_rng(0)
    names = pa.array([f"w{a:04d}" for a in range(annotators)])
    labels = pa.array(list("abcde"))
    skill = rng.beta(6, 2, annotators)
    coded = pa.dictionary(pa.int32(), pa.string())
    schema = pa.schema([("item", pa.int64()), ("annotator", coded), ("value", coded)])
    items, done = ratings // PER_ITEM, 0
    with parquet.ParquetWriter(
        path, schema, compression="zstd", use_dictionary=["annotator", "value"]
    ) as writer:
        while done < items:
            n = min(run_of, items - done)
            if scattered:
                # a walk over all ratings by steps that have no divisor in common with their number
                row = np.arange(done * PER_ITEM, (done + n) * PER_ITEM, dtype=np.uint64)
                item, who = np.divmod(
                    (row * np.uint64(_STRIDE) % np.uint64(ratings)).astype(np.int64), PER_ITEM
                )
                truth = np.searchsorted(np.cumsum(SHARES)[:-1], _uniform(item), side="right")
            else:
                truth = np.repeat(rng.choice(VALUES, n, p=SHARES), PER_ITEM)
                item = np.repeat(np.arange(done, done + n), PER_ITEM)
                who = np.tile(np.arange(PER_ITEM), n)
            if annotators > PER_ITEM:
                start = rng.integers(0, annotators, n)
                step = rng.integers(1, annotators // PER_ITEM, n)
                who = ((start[:, None] + step[:, None] * np.arange(PER_ITEM)) % annotators).ravel()
            right = rng.random(len(item)) < skill[who]
            said = np.where(right, truth, rng.integers(0, VALUES, len(item)))
            order = rng.permutation(len(item))
            columns = [pa.array(item[order])]
            for codes, words in ((who, names), (said, labels)):
                places = pa.array(codes[order].astype(np.int32))
                columns.append(pa.DictionaryArray.from_arrays(places, words))
            writer.write_table(pa.table(columns, schema=schema), row_group_size=1_000_000)
            done += n


def _uniform(number: np.ndarray) -> np.ndarray:
    """A number in [0, 1) for each whole number, always the same (the mixing steps of SplitMix64)."""
    x = number.astype(np.uint64) + np.uint64(0x9E3779B97F4A7C15)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return (x ^ (x >> np.uint64(31))).astype(np.float64) / 2.0**64


# --- what is timed --------------------------------------------------------------------------------


def warm(engine: str) -> None:
    """What is imported when it is first used."""
    import tempfile

    import accord

    with tempfile.TemporaryDirectory() as folder:
        small = Path(folder, "small.parquet")
        generate(small, 50, PER_ITEM)
        accord.agree(accord.read(small, engine=engine), "alpha", ci="auto")


@task
def accord_alpha(path: str, engine: str):
    import accord

    warm(engine)
    return lambda: accord.agree(accord.read(path, engine=engine), "alpha").value


@task
def accord_interval(path: str, engine: str):
    import accord

    warm(engine)

    def work() -> list[float]:
        found = accord.agree(accord.read(path, engine=engine), "alpha", ci="auto")
        return [found.value, found.interval.low, found.interval.high]

    return work


#: α as people write it: cells, items, coincidences; no look at repeated ratings
SQL = """
WITH cells AS (SELECT item, value, count(*) AS n FROM read_parquet('{path}') GROUP BY item, value),
items AS (SELECT item, sum(n) AS m, sum(n * n) AS same FROM cells GROUP BY item HAVING sum(n) > 1),
pairable AS (SELECT value, sum(n) AS n FROM cells SEMI JOIN items USING (item) GROUP BY value),
whole AS (SELECT sum(n) AS total, sum(n * n) AS squares FROM pairable)
SELECT 1 - (SELECT sum((m * m - same) / (m - 1)) FROM items) * (total - 1)
           / (total * total - squares) FROM whole
"""


#: what the query by hand may use, and put on the disk
HAND = {
    "memory_limit": "1GB",
    "temp_directory": str(DATA / "by-hand"),
    "max_temp_directory_size": "30GB",
}


@task
def by_hand(path: str):
    import duckdb

    connection = duckdb.connect(config=HAND)
    return lambda: float(connection.execute(SQL.format(path=path)).fetchone()[0])


@task
def by_hand_with_repeats(path: str):
    """The same, after the look that accord takes too."""
    import duckdb

    connection = duckdb.connect(config=HAND)
    repeats = (
        f"SELECT item FROM read_parquet('{path}') GROUP BY item, annotator HAVING count(*) > 1"
    )

    def work() -> float:
        assert not connection.execute(f"{repeats} LIMIT 1").fetchall()
        return float(connection.execute(SQL.format(path=path)).fetchone()[0])

    return work


@task
def krippendorff_alpha(path: str):
    import krippendorff
    import polars as pl

    pl.DataFrame({"a": [1]}).to_numpy()

    def work() -> float:
        counts = pl.read_parquet(path).pivot("value", index="item", values="annotator",
                                             aggregate_function="len").drop("item")  # fmt: skip
        return float(
            krippendorff.alpha(
                value_counts=counts.fill_null(0).to_numpy(), level_of_measurement="nominal"
            )
        )

    return work


@task
def irrcac_alpha(path: str):
    import polars as pl
    from irrCAC.raw import CAC

    def work() -> float:
        wide = pl.read_parquet(path).pivot("annotator", index="item", values="value").drop("item")
        return float(CAC(wide.to_pandas()).krippendorff()["est"]["coefficient_value"])

    return work


@task
def reference(path: str, method: str, rounds: int):
    import tempfile

    import accord
    from accord.kernels import crowd

    data = accord.read(path, engine="duckdb")
    name = "spam_round" if method == "mace" else "confusion_round"
    kernel, seen = getattr(crowd, name), []

    def timed(indptr: Any, *rest: Any) -> Any:
        begun = time.process_time()
        found = kernel(indptr, *rest)
        seen.append((begun, time.process_time(), int(indptr[-1])))
        return found

    setattr(crowd, name, timed)

    def work() -> dict[str, Any]:
        with tempfile.TemporaryDirectory() as folder:
            options = {"restarts": 1} if method == "mace" else {}
            made = accord.gold_file(
                data, f"{folder}/gold.parquet", method, rounds=rounds, **options
            )
            size = Path(folder, "gold.parquet").stat().st_size
        # from the first label of the first pass to the last label of the last; two more passes follow
        passes = len(made.objective)
        read = np.cumsum([n for _, _, n in seen])
        last = int(np.searchsorted(read, passes * made.ratings))
        each = (seen[last][1] - seen[0][0]) / passes
        return {"items": made.items, "passes": passes, "each": each, "bytes": size}

    return work


def run(name: str, *arguments: Any, **limits: Any) -> dict[str, Any]:
    """One measurement; those of an interrupted report stand in a file, which is to be deleted."""
    done = DATA / "scale-runs.json"
    known: dict[str, Any] = json.loads(done.read_text()) if done.exists() else {}
    key = " ".join([name, *(Path(str(a)).name for a in arguments)])
    if key not in known and "--known" in sys.argv:
        return {"failed": "not run"}
    if key not in known:
        known[key] = once(name, *arguments, **limits)
        done.write_text(json.dumps(known, indent=1))
    return known[key]


# --- the table ------------------------------------------------------------------------------------


def cost(found: dict[str, Any]) -> str:
    if "failed" in found:
        told: str = found["failed"]
        if "Out of Memory" in told:
            return "out of memory"
        # a library that cannot get memory says this, or worse
        return "failed with 4 GB of memory" if "backtrace" in told.lower() else told
    return f"{found['cpu']:.1f} s, {found['peak']:.0f} MB"


def same(found: dict[str, Any], value: float | None) -> str:
    if "failed" in found or value is None:
        return ""
    apart = abs(found["value"] - value)
    # irrCAC rounds to five digits
    return "same" if apart < 1e-9 else "same, rounded" if apart < 1e-5 else f"other: {value:.6f}"


def growth(spent: dict[tuple[str, int], list[float | None]]) -> list[str]:
    """How CPU time grows where there is ten times as much, DuckDB and polars."""
    lines = [
        "Ten times the ratings take so many times the CPU time:",
        "",
        "| data | from | to | DuckDB | polars |",
        "|---|---|---|---|---|",
    ]
    for (kind, power), now in spent.items():
        if power > 7 and (before := spent.get((kind, power - 1))):
            ratios = [f"{b / a:.1f}" if a and b else "" for a, b in zip(before, now, strict=True)]
            lines.append(f"| {kind} | 10^{power - 1} | 10^{power} | {' | '.join(ratios)} |")
    return lines


def report() -> None:
    lines = [
        "DuckDB may use 800 MB (`memory_limit`). Teams and crowds lie in the table about in the order of "
        "their items and are counted range by range of items, nothing is put on the disk; scattered ratings "
        "are put there in parts by item, beyond 10⁸ rows by DuckDB and beyond 5·10⁶ by polars (DuckDB spills "
        "what it cannot hold before). All as accord does by itself. By hand: one DuckDB query for α that may "
        "use 1 GB (it fails at 10⁸ with 800 MB) and put 30 GB on the disk, which does not look for annotators "
        "who rate an item twice, as accord does. Crowds of up to two million ratings are fetched whole, so "
        "that every measure is at hand.",
        "",
        "| data | ratings | file | accord, DuckDB | accord, polars | by hand, DuckDB | the same, with a look "
        "for repeats | accord / by hand | values |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    peers = [
        "",
        "| data | ratings | accord, DuckDB | krippendorff | irrCAC |",
        "|---|---|---|---|---|",
    ]
    spent: dict[tuple[str, int], list[float | None]] = {}
    for kind in ("team", "crowd", "scattered"):
        for power in SIZES:
            path = str(table(kind, power))
            size = Path(path).stat().st_size / 1e6
            by_engine = {
                e: run("accord_alpha", path, e, timeout=7200) for e in ("duckdb", "polars")
            }
            hand = run("by_hand", path, timeout=7200)
            looked = run("by_hand_with_repeats", path, timeout=7200)
            value = hand.get("value")
            ratio = ""
            if "failed" not in by_engine["duckdb"] and "failed" not in hand:
                ratio = f"{by_engine['duckdb']['cpu'] / hand['cpu']:.2f}"
            told = {same(f, value) for f in by_engine.values()}
            if value is None and len({f.get("value") for f in by_engine.values()}) == 1:
                told = {"same in both engines"}
            spent[kind, power] = [f.get("cpu") for f in by_engine.values()]
            lines.append(
                f"| {kind} | 10^{power} | {size:.0f} MB | {cost(by_engine['duckdb'])} | "
                f"{cost(by_engine['polars'])} | {cost(hand)} | {cost(looked)} | {ratio} | {', '.join(sorted(told))} |"
            )
            print(lines[-1], flush=True)
            if power <= 7 and kind != "scattered":
                others = [run(name, path, timeout=200, memory=4 << 30)
                          for name in ("krippendorff_alpha", "irrcac_alpha")]  # fmt: skip
                cells = " | ".join(f"{cost(f)} {same(f, value)}".strip() for f in others)
                peers.append(f"| {kind} | 10^{power} | {cost(by_engine['duckdb'])} | {cells} |")
                print(peers[-1], flush=True)
    found = run("accord_interval", str(table("team", max(SIZES[:3]))), "duckdb", timeout=7200)
    lines += [
        "",
        *growth(spent),
        *peers,
        "",
        f"With the interval (team, 10^{max(SIZES[:3])}): {cost(found)}.",
        "",
    ]
    lines += [f"Load of the machine (two cores) at the end: {os.getloadavg()[0]:.1f}.", ""]
    if 9 not in SIZES:
        lines += ["10⁹ ratings were not measured in this run (`--billion`).", ""]
    lines += [
        "## References by chunks",
        "",
        "`accord.gold_file` on the crowd (1 000 annotators, 5 classes): the labels are put on the disk "
        "once, then come the passes; two more find the accuracies and write the reference.",
        "",
        "| method | ratings | passes | all of it | one pass | CPU ns per rating: a pass | the rest |",
        "|---|---|---|---|---|---|---|",
    ]
    for power in SIZES[:3]:
        for method, rounds in (("dawid-skene", 10), ("mace", 10)):
            found = run("reference", str(table("crowd", power)), method, rounds, timeout=7200)
            if "failed" in found:
                lines.append(f"| {method} | 10^{power} | | {cost(found)} | | | |")
                continue
            told, n = found["value"], 10**power
            rest = found["cpu"] - told["passes"] * told["each"]
            lines.append(
                f"| {method} | 10^{power} | {told['passes']} | {cost(found)} | {told['each']:.2f} s | "
                f"{told['each'] / n * 1e9:.0f} | {rest / n * 1e9:.0f} |"
            )
            print(lines[-1], flush=True)
    write(
        "scale", "Ratings at scale", lines, "polars", "duckdb", "pyarrow", "krippendorff", "irrCAC"
    )


if __name__ == "__main__":
    main(__file__, report)
