"""Coefficients on ratings against krippendorff, irrCAC, nltk, statsmodels, scikit-learn, simpledorff."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from harness import main, run, task, write

# --- data: agreeing annotators, one row each ------------------------------------------------------


def matrix(annotators: int, items: int, q: int = 5, noise: float = 0.3) -> np.ndarray:
    rng = np.random.default_rng(0)
    truth = rng.integers(0, q, items)
    rows = np.broadcast_to(truth, (annotators, items)).copy()
    wrong = rng.random(rows.shape) < noise
    rows[wrong] = rng.integers(0, q, wrong.sum())
    return rows


def reals(items: int) -> np.ndarray:
    rng = np.random.default_rng(0)
    truth = rng.normal(size=items)
    return np.stack([truth + rng.normal(scale=0.5, size=items) for _ in range(2)])


# --- accord ---------------------------------------------------------------------------------------


@task
def accord_one(measure: str, annotators: int, items: int):
    import accord

    accord.agree(accord.Ratings.from_matrix(matrix(2, 10)), measure)
    data = matrix(annotators, items)
    return lambda: accord.agree(accord.Ratings.from_matrix(data), measure).value


@task
def accord_all(annotators: int, items: int):
    import accord

    names = [m.name for m in accord.enrolled(shape="ratings", question="agree")]
    if annotators > 2:
        names = [n for n in names if n not in ("kappa", "weighted-kappa", "aickin")]
    accord.agree(accord.Ratings.from_matrix(matrix(2, 10)), "alpha")
    data = matrix(annotators, items)

    def work():
        ratings = accord.Ratings.from_matrix(data)
        return [accord.agree(ratings, n).value for n in names]

    return work


@task
def accord_bootstrap(annotators: int, items: int):
    import accord

    accord.agree(accord.Ratings.from_matrix(matrix(2, 10)), "alpha", ci="bootstrap")
    data = matrix(annotators, items)

    def work():
        result = accord.agree(
            accord.Ratings.from_matrix(data), "alpha", ci="bootstrap", resamples=1000
        )
        return [result.value, result.interval.low, result.interval.high]

    return work


@task
def accord_reals(metric: str, items: int):
    import accord

    accord.agree(accord.Ratings.from_matrix(reals(10)), "alpha", metric=metric)
    data = reals(items)
    return lambda: accord.agree(accord.Ratings.from_matrix(data), "alpha", metric=metric).value


@task
def accord_lazy(path: str, engine: str):
    import accord

    if engine == "duckdb":
        import duckdb

        duckdb.sql("set memory_limit='200MB'; set threads=1; set preserve_insertion_order=false")
        frame = duckdb.sql(f"select * from '{path}'")
    else:
        import polars as pl

        frame = pl.scan_parquet(path)
    return lambda: accord.agree(accord.read(frame, wide=True), "alpha").value


# --- peers ----------------------------------------------------------------------------------------


@task
def krippendorff_alpha(annotators: int, items: int):
    import krippendorff

    data = matrix(annotators, items)
    krippendorff.alpha(matrix(2, 10), level_of_measurement="nominal")
    return lambda: float(krippendorff.alpha(data, level_of_measurement="nominal"))


@task
def krippendorff_loop(annotators: int, items: int, rounds: int):
    import krippendorff

    data = matrix(annotators, items)
    rng = np.random.default_rng(1)
    krippendorff.alpha(matrix(2, 10), level_of_measurement="nominal")

    def work():
        values = [
            krippendorff.alpha(
                data[:, rng.integers(0, items, items)], level_of_measurement="nominal"
            )
            for _ in range(rounds)
        ]
        return [float(np.mean(values))]

    return work


@task
def krippendorff_reals(metric: str, items: int):
    import krippendorff

    data = reals(items)
    krippendorff.alpha(reals(10), level_of_measurement=metric)
    return lambda: float(krippendorff.alpha(data, level_of_measurement=metric))


@task
def irrcac_alpha(annotators: int, items: int):
    import pandas as pd
    from irrCAC.raw import CAC

    frame = pd.DataFrame(matrix(annotators, items).T)
    return lambda: float(CAC(frame, digits=12).krippendorff()["est"]["coefficient_value"])


@task
def simpledorff_alpha(annotators: int, items: int):
    import pandas as pd
    import simpledorff

    data = matrix(annotators, items)
    frame = pd.DataFrame(
        [(i, a, int(v)) for a, row in enumerate(data) for i, v in enumerate(row)],
        columns=["i", "a", "v"],
    )
    return lambda: float(
        simpledorff.calculate_krippendorffs_alpha_for_df(
            frame, experiment_col="i", annotator_col="a", class_col="v"
        )
    )


@task
def nltk_alpha(annotators: int, items: int):
    from nltk.metrics.agreement import AnnotationTask

    data = matrix(annotators, items)
    triples = [(str(a), str(i), int(v)) for a, row in enumerate(data) for i, v in enumerate(row)]
    return lambda: float(AnnotationTask(triples).alpha())


@task
def sklearn_kappa(annotators: int, items: int):
    from sklearn.metrics import cohen_kappa_score

    data = matrix(2, items)
    return lambda: float(cohen_kappa_score(data[0], data[1]))


@task
def statsmodels_fleiss(annotators: int, items: int):
    from statsmodels.stats.inter_rater import aggregate_raters, fleiss_kappa

    data = matrix(annotators, items)
    return lambda: float(fleiss_kappa(aggregate_raters(data.T)[0]))


# --- report ---------------------------------------------------------------------------------------


def close(a: float, b: float, tolerance: float = 1e-9) -> str:
    return "same" if abs(a - b) <= tolerance else f"DIFFERENT ({a} / {b})"


def line(what: str, ours: dict, peer: str, theirs: dict, same: str = "") -> str:
    if "failed" in theirs:
        return f"| {what} | {ours['cpu']:.3f} s, {ours['peak']:.0f} MB | {peer} | {theirs['failed']} | | |"
    ratio = theirs["cpu"] / max(ours["cpu"], 1e-9)
    memory = theirs["peak"] / max(ours["peak"], 0.1)
    return (
        f"| {what} | {ours['cpu']:.3f} s, {ours['peak']:.0f} MB | {peer} | {theirs['cpu']:.3f} s, "
        f"{theirs['peak']:.0f} MB | {ratio:.1f}× faster, {memory:.1f}× less memory | {same} |"
    )


def report() -> None:
    lines = ["| task | accord | peer | its cost | ratio | values |", "|---|---|---|---|---|---|"]
    big = (2, 1_000_000)
    ours = run("accord_one", "alpha", *big)
    for peer in ("krippendorff_alpha", "irrcac_alpha"):
        theirs = run(peer, *big)
        lines.append(
            line(
                "α, 2 × 10⁶ items", ours, peer, theirs, close(ours["value"], theirs.get("value", 9))
            )
        )
    small = (2, 20_000)
    ours_small = run("accord_one", "alpha", *small)
    for peer in ("simpledorff_alpha", "nltk_alpha"):
        theirs = run(peer, *small, timeout=600)
        lines.append(
            line(
                "α, 2 × 2·10⁴ items",
                ours_small,
                peer,
                theirs,
                close(ours_small["value"], theirs.get("value", 9)),
            )
        )
    ours_kappa = run("accord_one", "kappa", *big)
    theirs = run("sklearn_kappa", *big)
    lines.append(
        line(
            "κ, 2 × 10⁶ items",
            ours_kappa,
            "sklearn_kappa",
            theirs,
            close(ours_kappa["value"], theirs["value"]),
        )
    )
    ours_fleiss = run("accord_one", "fleiss", *big)
    theirs = run("statsmodels_fleiss", *big)
    lines.append(
        line(
            "Fleiss, 2 × 10⁶ items",
            ours_fleiss,
            "statsmodels_fleiss",
            theirs,
            close(ours_fleiss["value"], theirs["value"]),
        )
    )
    everything = run("accord_all", *big)
    lines.append(
        f"| all coefficients together, 2 × 10⁶ | {everything['cpu']:.3f} s, {everything['peak']:.0f} MB | α alone "
        f"| {ours['cpu']:.3f} s | {everything['cpu'] / ours['cpu']:.2f}× the cost of one | |"
    )
    boot = run("accord_bootstrap", 5, 10_000)
    rounds = 20
    loop = run("krippendorff_loop", 5, 10_000, rounds)
    scaled = {**loop, "cpu": loop["cpu"] * 1000 / rounds}
    lines.append(
        line(
            "1000 bootstrap replicates, 5 × 10⁴ ratings",
            boot,
            f"krippendorff in a loop ({rounds} rounds, scaled)",
            scaled,
            close(boot["value"][0], loop["value"][0], 0.01),
        )
    )
    lines += [
        "",
        "## Real values: linear time and memory",
        "",
        "| metric | items | accord | krippendorff |",
        "|---|---|---|---|",
    ]
    for metric in ("interval", "ordinal"):
        for items in (300, 3_000, 100_000, 1_000_000):
            mine = run("accord_reals", metric, items)
            theirs = (
                run("krippendorff_reals", metric, items, memory=8 << 30)
                if items <= 3_000
                else {"failed": "not tried"}
            )
            other = (
                theirs.get("failed")
                or f"{theirs['cpu']:.2f} s, {theirs['peak']:.0f} MB, {close(mine['value'], theirs['value'])}"
            )
            lines.append(
                f"| {metric} | {items:,} | {mine['cpu']:.3f} s, {mine['peak']:.0f} MB | {other} |"
            )
    lines += ["", *larger_than_memory(), "", *start_up()]
    write(
        "ratings",
        "Coefficients on ratings",
        lines,
        "krippendorff",
        "irrCAC",
        "nltk",
        "statsmodels",
        "scikit-learn",
        "simpledorff",
        "polars",
        "duckdb",
    )


def larger_than_memory() -> list[str]:
    """A Parquet file whose columns do not fit in the memory given to the process."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    path = Path(__file__).parent / "results" / "large.parquet"
    path.parent.mkdir(exist_ok=True)
    rng = np.random.default_rng(0)
    schema = pa.schema([(f"A{a}", pa.int64()) for a in range(6)])
    rows = 0
    with pq.ParquetWriter(path, schema, compression="none", use_dictionary=False) as writer:
        for _ in range(30):
            n = 1_000_000
            rows += n
            truth = rng.integers(0, 4, n)
            writer.write_table(
                pa.table(
                    {
                        f"A{a}": np.where(rng.random(n) < 0.2, rng.integers(0, 4, n), truth)
                        for a in range(6)
                    },
                    schema=schema,
                )
            )
    size = path.stat().st_size / 1e6
    lines = [
        "## Larger than memory",
        "",
        f"{rows:,} items × 6 annotators, {size:.0f} MB of uncompressed Parquet, address space of the process limited:",
        "",
        "| engine | limit | result |",
        "|---|---|---|",
    ]
    for engine, limit in (("duckdb", 1_400 << 20), ("polars", 1_400 << 20)):
        done = run("accord_lazy", str(path), engine, memory=limit)
        shown = (
            done.get("failed")
            or f"α = {done['value']:.6f} in {done['cpu']:.1f} CPU s, {done['peak']:.0f} MB more at the peak"
        )
        lines.append(f"| {engine} | {limit >> 20} MB | {shown} |")
    path.unlink()
    return lines


def start_up() -> list[str]:
    """CPU time of a fresh process, less that of an empty one."""
    import os
    import subprocess

    def cost(*code: str) -> float:
        best = 9.0
        for _ in range(5):
            before = os.times()
            subprocess.run([sys.executable, *code], capture_output=True, check=True)
            after = os.times()
            best = min(
                best,
                after.children_user
                + after.children_system
                - before.children_user
                - before.children_system,
            )
        return best

    return [
        "## Start-up",
        "",
        "| what | CPU s, whole process |",
        "|---|---|",
        f"| python -c pass | {cost('-c', 'pass'):.3f} |",
        f"| import accord | {cost('-c', 'import accord'):.3f} |",
        f"| accord --help | {cost('-m', 'accord', '--help'):.3f} |",
    ]


if __name__ == "__main__":
    main(__file__, report)
