"""γ and exact alignment against pygamma-agreement: ``python benchmarks/gamma.py``.

Installs the peer from PyPI into an environment of its own (benchmarks/.venv-gamma), compares values
first, then CPU times (imports and the peer's compilation excluded), growth, dense cases and the sizes
of Table 2 of Mathet and Widlöcher (2011); writes benchmarks/results/gamma.md.

Options: --quick leaves out what takes the peer minutes; --python PATH uses an environment that is
already there; --answers FILE takes what the peer said to --peer TASKS beside this run.
"""

from __future__ import annotations

import argparse
import datetime
import json
import platform
import resource
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).parent
#: annotators × units per annotator, documents averaged over, whether the peer needs minutes
ALIGNMENTS = [
    (2, 25, 20, False),
    (2, 500, 3, False),
    (3, 100, 5, False),
    (3, 300, 1, False),
    (4, 50, 2, False),
    (5, 25, 1, False),
    (4, 100, 1, True),
]
#: CPU seconds after which the peer's slower solver is stopped, per task
PATIENCE = 120
#: times that an alignment is repeated on either side, at least; the peer repeats only what takes it little
#: time, accord goes on for so many CPU seconds
REPEATS, SECONDS = 5, 0.5
GAMMAS = [(2, 500, False), (3, 100, False), (4, 50, True), (5, 25, True)]
TABLE_2 = [
    (3, 25, "1145", "instantaneous"),
    (3, 100, "4347", "< 1 s"),
    (4, 100, "38624", "5 s"),
    (4, 200, "69994", "16 s"),
    (5, 25, "96794", "9 s"),
]


def rows_of(n: int, p: int, seed: int, *, noise: float | None = 0.2, spread: float = 10.0) -> list:
    """Units of n annotators who blur one reference of p units; at random when noise is None."""
    import random

    rng = random.Random(f"{n} {p} {seed} {noise} {spread}")
    span = p * spread
    base = [(rng.uniform(0, span), rng.uniform(2, 12), rng.choice("xyz")) for _ in range(p)]
    rows = []
    for a in range(n):
        for start, length, label in base:
            if noise is None:
                s, size, c = rng.uniform(0, span), rng.uniform(2, 12), rng.choice("xyz")
            else:
                s = start + rng.gauss(0, noise) * length
                size = length * 2 ** rng.gauss(0, noise)
                c = rng.choice("xyz") if rng.random() < 0.1 else label
            rows.append((f"a{a}", s, s + size, c))
    return rows


def peer(tasks: list) -> None:
    """Runs in the peer's environment: one JSON line per task."""
    import logging
    import warnings

    warnings.filterwarnings("ignore")
    logging.disable(logging.CRITICAL)
    import cvxpy
    import pygamma_agreement as pa
    from pyannote.core import Segment

    dissimilarity = pa.CombinedCategoricalDissimilarity(alpha=1, beta=1, delta_empty=1.0)

    def continuum(n: int, p: int, seed: int) -> pa.Continuum:
        found = pa.Continuum()
        for who, start, end, label in rows_of(n, p, seed):
            found.add(who, Segment(start, end), label)
        return found

    continuum(2, 4, 0).get_best_alignment(dissimilarity)  # compiles
    cbc = cvxpy.CBC
    fallbacks = []
    logging.warning = lambda message, *_: fallbacks.append(message)
    for task in tasks:
        kind, n, p, count, solver = task
        # pygamma asks for CBC and falls back to GLPK when it is not there
        cvxpy.CBC = cbc if solver == "CBC" else "no such solver"
        continua = [continuum(n, p, seed) for seed in range(count)]
        repeats = REPEATS if kind == "align" and n * p <= 100 else 1
        fallbacks.clear()
        runs = []
        begun = time.process_time()
        try:
            if kind == "align":
                for _ in range(repeats):
                    once = time.process_time()
                    values = [float(c.get_best_alignment(dissimilarity).disorder) for c in continua]
                    runs.append(time.process_time() - once)
            else:
                results = [c.compute_gamma(dissimilarity, n_samples=30) for c in continua]
                values = [float(g.observed_disorder) for g in results]
        except Exception as problem:
            print("RESULT" + json.dumps({"task": task, "failed": str(problem)[:80]}), flush=True)
            continue
        spent = min(runs or [time.process_time() - begun]) / count
        if kind == "align":
            used = sum("GLPK" in message for message in fallbacks)
            assert used == (count * repeats if solver == "GLPK" else 0), fallbacks
        print("RESULT" + json.dumps({"task": task, "seconds": spent, "values": values}), flush=True)


def units_of(n: int, p: int, seeds: range, **how: float | None):
    from accord.data import Units

    return Units.from_rows(
        [(f"d{s}", *row) for s in seeds for row in rows_of(n, p, s, **how)],
        categories=["x", "y", "z"],
    )


def timed(function, repeat: int = 1):
    """(mean CPU seconds, last value)."""
    value = None
    begun = time.process_time()
    for _ in range(repeat):
        value = function()
    return (time.process_time() - begun) / repeat, value


def environment(python: str | None) -> str:
    if python:
        return python
    folder = HERE / ".venv-gamma"
    executable = folder / "bin" / "python"
    if not executable.exists():
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        install = [executable, "-m", "pip", "install", "-q", "-r"]
        subprocess.run([*install, HERE / "requirements-gamma.txt"], check=True)
    return str(executable)


def ask_peer(python: str, tasks: list, patience: int | None = None) -> dict:
    def stop() -> None:
        if patience is not None:
            resource.setrlimit(resource.RLIMIT_CPU, (patience, patience))

    done = subprocess.run(
        # -P: the modules beside this file must not hide the peer's
        [python, "-P", __file__, "--peer", json.dumps(tasks)],
        capture_output=True,
        text=True,
        check=patience is None,
        preexec_fn=stop,
    )
    if patience is not None and done.returncode != 0:
        return {tuple(t): {"task": t, "failed": f"> {patience} s"} for t in tasks}
    return answers_in(done.stdout)


def answers_in(text: str) -> dict:
    answers = [json.loads(x[6:]) for x in text.splitlines() if x.startswith("RESULT")]
    return {tuple(a["task"]): a for a in answers}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--python")
    parser.add_argument("--peer")
    parser.add_argument("--answers", type=Path)
    options = parser.parse_args()
    if options.peer:
        peer(json.loads(options.peer))
        return
    import accord
    from accord.alignment.align import align

    python = environment(options.python)
    tasks = []
    for n, p, count, long in ALIGNMENTS:
        if not (options.quick and long):
            tasks += [("align", n, p, count, "CBC")]
    for n, p, long in GAMMAS:
        if not (options.quick and long):
            tasks += [("gamma", n, p, 1, "CBC")]
    if options.answers is not None:
        answers = answers_in(options.answers.read_text(encoding="utf-8"))
    else:
        answers = ask_peer(python, tasks)
    for n, p, _, long in ALIGNMENTS:
        if not long and options.answers is None:
            # on the larger ones GLPK takes many times longer than CBC, if it ends at all
            answers |= ask_peer(python, [("align", n, p, 1, "GLPK")], PATIENCE)
    versions = subprocess.run(
        [python, "-m", "pip", "list", "--format=freeze"], capture_output=True, text=True, check=True
    ).stdout.split()
    named = ("pygamma", "cylp", "cvxpy", "cvxopt", "numpy", "numba")
    out = [
        "# γ and exact alignment",
        "",
        f"{datetime.date.today()}, Python {platform.python_version()}, {platform.machine()}; "
        f"accord {accord.__version__} against {', '.join(v for v in versions if v.startswith(named))}.",
        f"CPU seconds, imports and the peer's compilation excluded. Alignment: the best of {REPEATS} runs of accord",
        f"or of as many as take {SECONDS} s, and of {REPEATS} of the peer where a run takes it little time (2×25; else one). γ: the",
        "mean of 10 runs, each with data of its own, and one run of the peer. The same data. Data are n",
        "annotators who blur one reference of p units. Values are compared first: the peer computes in",
        "float32. GLPK is what the peer falls back on without CBC, and says so; one document each.",
        "",
        "## Best alignment",
        "",
        "| annotators × units | accord | pygamma (CBC) | ratio | pygamma (GLPK) | ratio | largest relative difference |",
        "|---|---|---|---|---|---|---|",
    ]
    for n, p, count, long in ALIGNMENTS:
        if options.quick and long:
            continue
        data = units_of(n, p, range(count))
        align(data)
        once, found = timed(lambda data=data: align(data))
        repeats = max(REPEATS, int(SECONDS / once))
        spent = min(timed(lambda data=data: align(data))[0] for _ in range(repeats)) / count
        cells = []
        worst = 0.0
        for solver, many in (("CBC", count), ("GLPK", 1)):
            answer = answers.get(("align", n, p, many, solver))
            if answer is None or "failed" in answer:
                cells += (
                    ["", ""] if answer is None else [answer["failed"], f"> {PATIENCE / spent:.0f}×"]
                )
                continue
            ours = {a.document: a.disorder for a in found}
            for seed, value in enumerate(answer["values"]):
                worst = max(worst, abs(value / ours[f"d{seed}"] - 1))
            cells += [f"{answer['seconds']:.3g}", f"**{answer['seconds'] / spent:.0f}×**"]
        assert all(a.proven for a in found)
        out.append(f"| {n}×{p} | {spent:.2g} | {' | '.join(cells)} | {worst:.1e} |")
        print(out[-1], flush=True)
    out += [
        "",
        "## Full γ, 30 chance samples, their generation included",
        "",
        "| annotators × units | accord | γ | pygamma (CBC) | ratio | observed disorder differs by |",
        "|---|---|---|---|---|---|",
    ]
    for n, p, long in GAMMAS:
        if options.quick and long:
            continue
        accord.agree(units_of(n, p, range(1)), "gamma", samples=2)
        # (what was drawn for data is kept: every run has data of its own)
        fresh = [units_of(n, p, range(1)) for _ in range(10)]
        spent, result = timed(lambda fresh=fresh: accord.agree(fresh.pop(), "gamma"), 10)
        answer = answers.get(("gamma", n, p, 1, "CBC"))
        if answer is None:
            continue
        assert result.terms["proven"]
        differs = abs(answer["values"][0] / result.observed - 1)
        out.append(
            f"| {n}×{p} | {spent:.3g} | {result.value:.3f} | {answer['seconds']:.3g} | "
            f"**{answer['seconds'] / spent:.0f}×** | {differs:.1e} |"
        )
        print(out[-1], flush=True)
    out += growth(align) + dense(align) + chances() + table_2(align) + first_value()
    target = HERE / "results" / "gamma.md"
    target.write_text("\n".join(out) + "\n", encoding="utf-8")
    print(f"written to {target}")


def growth(align) -> list[str]:
    out = [
        "",
        "## Growth at constant density, three annotators",
        "",
        "| units per annotator | blurred reference: s | µs per unit | at random: s | µs per unit | peak MB |",
        "|---|---|---|---|---|---|",
    ]
    for p in (1_000, 3_000, 10_000, 30_000):
        cells = []
        for noise in (0.2, None):
            data = units_of(3, p, range(1), noise=noise)
            spent, (found,) = timed(lambda data=data: align(data), 1)
            assert found.proven
            cells += [f"{spent:.2f}", f"{spent / p * 1e6:.0f}"]
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        out.append(f"| {p} | {' | '.join(cells)} | {peak} |")
        print(out[-1], flush=True)
    return out


def dense(align) -> list[str]:
    out = [
        "",
        "## Dense: about ten units of each annotator over every point",
        "",
        "The gap is what may be missing of the optimum, as a share of the disorder; sixty seconds at most.",
        "",
        "| annotators × units | data | disorder | gap | s |",
        "|---|---|---|---|---|",
    ]
    for n, p, noise, limit in (
        (3, 50, 0.2, None),
        (3, 50, None, 30.0),
        (5, 10, 0.2, None),
        (5, 10, None, 30.0),
        (5, 50, 0.2, 60.0),
        (5, 50, None, 60.0),
        (8, 20, 0.2, 60.0),
        (8, 20, None, 60.0),
        (12, 10, 0.2, 60.0),
        (12, 10, None, 60.0),
        (14, 10, None, 60.0),
        (20, 20, 0.2, 60.0),
    ):
        data = units_of(n, p, range(1), noise=noise, spread=0.7)
        spent, (found,) = timed(lambda data=data, limit=limit: align(data, time_limit=limit))
        gap = "0, proven" if found.proven else f"{found.gap / found.disorder:.1%}"
        kind = "random" if noise is None else "blurred"
        out.append(f"| {n}×{p} | {kind} | {found.disorder:.4f} | {gap} | {spent:.2f} |")
        print(out[-1], flush=True)
    return out


def chances() -> list[str]:
    """Whole values that were long to find: many cuts, unequal lengths, very many small documents."""
    import numpy as np

    import accord
    from accord.data import Segments, Units

    def cuts(seed: int, blur: float | None) -> Segments:
        rng = np.random.default_rng(seed)
        base = np.sort(rng.choice(np.arange(1, 200), 17, replace=False))
        rows = []
        for a in range(9):
            at = np.sort(rng.choice(np.arange(1, 200), 17, replace=False))
            if blur is not None:
                at = np.unique(np.clip(base + np.rint(rng.normal(0, blur, 17)), 1, 199)).astype(int)
            rows.append(("d", f"a{a}", np.diff(np.concatenate([[0], at, [200]])).tolist()))
        return Segments.from_masses(rows)

    def unequal() -> Units:
        rng = np.random.default_rng(0)
        rows = []
        for a in range(3):
            for _ in range(40):
                size = min(float(rng.lognormal(2, 1.8)), 900.0)
                start = rng.uniform(0, 1000 - size)
                rows.append(("d", f"a{a}", start, start + size, str(rng.choice(["x", "y"]))))
        return Units.from_rows(rows, lengths={"d": 1000})

    def small(count: int) -> Units:
        rng = np.random.default_rng(1)
        rows = []
        for d in range(count):
            for a in range(2 + d % 3):
                for _ in range(int(rng.integers(0, 3))):
                    start, size = rng.integers(0, 90), rng.integers(1, 10)
                    rows.append((f"d{d}", f"a{a}", int(start), int(start + size), "x"))
        return Units.from_rows(
            rows,
            lengths={f"d{d}": 100 for d in range(count)},
            coverage=[(f"d{d}", f"a{a}") for d in range(count) for a in range(2 + d % 3)],
            duplicates="first",
        )

    tasks = [
        (
            "segmentation-gamma, 9 × 18 segments, blurred by 2",
            cuts(1, 2.0),
            "segmentation-gamma",
            {},
        ),
        ("the same, blurred by 4", cuts(3, 4.0), "segmentation-gamma", {}),
        ("the same, at random", cuts(2, None), "segmentation-gamma", {}),
        ("holistic, 3×40, lengths differ by 1 000", unequal(), "holistic", {}),
        ("the same, chance min", unequal(), "holistic", {"chance": "min"}),
        ("γ, 16 100 documents of 0–2 units, 2–4 annotators", small(16_100), "gamma", {}),
    ]
    out = [
        "",
        "## Whole values that were long to find",
        "",
        "| data | value | samples | chance known to | proven | s |",
        "|---|---|---|---|---|---|",
    ]
    for name, data, measure, options in tasks:
        spent, found = timed(
            lambda data=data, measure=measure, options=options: accord.agree(
                data, measure, ci=None, **options
            )
        )
        terms = found.terms
        out.append(
            f"| {name} | {found.value:.3f} | {terms['samples']} | ± {terms['precision']:.1%} | "
            f"{'yes' if terms['proven'] else 'no: ' + str([round(x, 3) for x in terms['proof_interval']])} "
            f"| {spent:.2f} |"
        )
        print(out[-1], flush=True)
    return out


def table_2(align) -> list[str]:
    out = [
        "",
        "## Table 2 of Mathet and Widlöcher (2011): candidates after pruning and time",
        "",
        "The paper's times are those of its approximate Algorithm 1; here the alignment is proven",
        "ideal for its own objective, and the last column is what Algorithm 1 loses.",
        "",
        "| annotators × units | candidates, paper | here | time, paper | here (s) | greedy − ideal |",
        "|---|---|---|---|---|---|",
    ]
    for n, p, candidates, duration in TABLE_2:
        data = units_of(n, p, range(1))
        run = lambda data=data: align(data, objective="holistic")  # noqa: E731
        spent, (found,) = timed(run, 2)
        out.append(
            f"| {n}×{p} | {candidates} | {found.candidates} | {duration} | {spent:.2g} | "
            f"{found.greedy - found.disorder:.3f} |"
        )
        print(out[-1], flush=True)
    return out


def first_value() -> list[str]:
    """CPU seconds of a fresh process up to its first γ on 3×25, import included."""
    code = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "import accord, gamma as benchmark\n"
        "data = benchmark.units_of(3, 25, range(1))\n"
        "accord.agree(data, 'gamma')\n"
        "import time; print(time.process_time())"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(HERE)], capture_output=True, text=True, check=True
    )
    line = f"A fresh process reaches its first γ on a 3×25 document after {float(done.stdout):.2f} CPU s."
    print(line)
    return ["", "## First value", "", line]


if __name__ == "__main__":
    main()
