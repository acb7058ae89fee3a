"""Coreference scores against the scorers on PyPI: values compared first, then CPU time.

    python benchmarks/chains.py [--quick]

Peers are installed into benchmarks/.venv-chains from requirements-chains.txt. The table is written
to benchmarks/results/chains.md. ``--quick`` leaves out the large single document for the peers.
"""

from __future__ import annotations

import argparse
import json
import platform
import resource
import subprocess
import sys
import tempfile
import venv
from datetime import date
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
ENVIRONMENT = HERE / ".venv-chains"
RESULTS = HERE / "results" / "chains.md"

#: scorch's scores, then those it lacks
SHARED = {"muc": "muc", "b3": "b_cubed", "ceaf-m": "ceaf_m", "ceaf-e": "ceaf_e", "blanc": "blanc"}

PEER = r"""
import json, sys, time, resource
which, path = sys.argv[1:3]
documents = json.load(open(path))
if which == "scorch":
    from scorch import scores
    names = ["muc", "b_cubed", "ceaf_m", "ceaf_e", "blanc"]
    data = [([set(c) for c in k], [set(c) for c in r]) for k, r in documents]
    start = time.process_time()
    out, spent = {}, {}
    for name in names:
        begin = time.process_time()
        out[name] = [getattr(scores, name)(k, r) for k, r in data]
        spent[name] = time.process_time() - begin
else:
    from corefeval import Scorer, Document
    start = time.process_time()
    scorer = Scorer()
    for k, r in documents:
        scorer.update(Document(predicted=[[[m, m] for m in c] for c in r],
                               truth=[[[m, m] for m in c] for c in k]))
    out = scorer.detailed_score("", "", verbose=False)[1]
    spent = {}
seconds = time.process_time() - start
print(json.dumps({"values": out, "seconds": seconds, "spent": spent,
                  "megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}))
"""

OURS = r"""
import json, sys, time, resource
import accord
from accord.data import Chains
from accord.measures.coreference.enrolment import SPECIFICATIONS
from accord.registry import find
documents = json.load(open(sys.argv[1]))
options = json.loads(sys.argv[2])
tiny = Chains.from_clusters({("d", "A"): [["a"]]})
find("b3").function(tiny, tiny)  # imports are not measured, on either side
start = time.process_time()
key = Chains.from_clusters({(f"d{i}", "key"): k for i, (k, _) in enumerate(documents)})
response = Chains.from_clusters({(f"d{i}", "system"): r for i, (_, r) in enumerate(documents)})
built = time.process_time() - start
out, by = {}, {}
for name in SPECIFICATIONS:
    result = find(name).function(key, response, by=["document"], **options)
    out[name] = [result.terms.get("R"), result.terms.get("P"), result.value]
    by[name] = [[r.get("R"), r.get("P"), r["value"]] for r in result.by["document"]]
seconds = time.process_time() - start
order = [int(d[1:]) for d in key.documents]
print(json.dumps({"values": out, "documents": by, "order": order, "seconds": seconds,
                  "built": built, "scores": len(out),
                  "megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}))
"""


def partition(codes: np.ndarray) -> list[list[int]]:
    order = np.argsort(codes, kind="stable")
    cuts = np.nonzero(np.diff(codes[order]))[0] + 1
    return [part.tolist() for part in np.split(order, cuts)]


def corpus(documents: int, mentions: int, *, singletons: bool = True, seed: int = 0) -> list:
    """Entities of Zipf-like sizes; the response moves a fifth of the mentions."""
    rng = np.random.default_rng(seed)
    out = []
    for _ in range(documents):
        sizes: list[int] = []
        while sum(sizes) < mentions:
            sizes.append(min(int(rng.zipf(1.8)), mentions // 10) + (0 if singletons else 1))
        key = np.repeat(np.arange(len(sizes)), sizes)[:mentions]
        moved = np.where(rng.random(mentions) < 0.2, rng.integers(0, len(sizes), mentions), key)
        pair = [partition(key), partition(moved)]
        if not singletons:
            pair = [[c for c in side if len(c) > 1] for side in pair]
        out.append(pair)
    return out


def unrelated() -> list:
    """The hardest alignment: 250 000 entities on each side that share next to nothing."""
    rng = np.random.default_rng(0)
    sides = [rng.permutation(1_000_000).reshape(-1, 4).tolist() for _ in range(2)]
    return [sides]


FALSIFY = r"""
import json, time
from accord.simulate.falsify import falsify
from accord.simulate.falsify_table import TABLE_1, property_tables
falsify("b3", max_n=2, max_n_triples=2)
start = time.process_time()
for name in TABLE_1:
    assert falsify(name, max_n=6, max_n_triples=5).violated == TABLE_1[name]
seven = time.process_time() - start
start = time.process_time()
found = falsify("ceaf-m", max_n=7, max_n_triples=7)
deep = time.process_time() - start
start = time.process_time()
property_tables()
print(json.dumps({"seven": seven, "deep": deep, "cases": found.findings["4"].cases,
                  "violated": found.violated, "tables": time.process_time() - start}))
"""


def falsification() -> list[str]:
    found = run(sys.executable, FALSIFY)
    return [
        "Falsification (CPU s):",
        "",
        f"- the seven scores of the paper, pairs to n = 6 and triples to n = 5: {found['seven']:.2f}",
        f"- CEAF_m, pairs and triples to n = 7 ({found['cases']:,} triples, "
        f"violated: {', '.join(found['violated']) or 'none'}): {found['deep']:.1f}",
        f"- all three tables of `accord falsify --table`: {found['tables']:.1f}",
    ]


MATCHING = r"""
import json, sys, time
import numpy as np
from accord.data import Chains
from accord.measures.coreference import b3, mor
from accord.measures.coreference.key_response import pair

def side(mentions, noisy, who):
    # mentions of one to four words with a head; the response cuts a word off three in ten of the
    # longer ones and lacks a tenth
    rng, drawn = np.random.default_rng(0), np.random.default_rng(1)
    length = rng.integers(1, 5, mentions)
    head, entity = rng.integers(0, length), rng.integers(0, mentions // 5, mentions)
    clusters, facts = {}, {}
    for i in range(mentions):
        start, end, centre = 4 * i, 4 * i + int(length[i]), 4 * i + int(head[i])
        if noisy and drawn.random() < 0.3 and end - start > 1:
            start, end = (start + 1, end) if centre > start else (start, end - 1)
        if noisy and drawn.random() < 0.1:
            continue
        clusters.setdefault(int(entity[i]), []).append((start, end))
        facts["d", (start, end)] = {"head": centre}
    return Chains.from_clusters({("d", who): list(clusters.values())}, facts=facts)

def timed(score, *sides, **options):
    pair.cache_clear()
    start = time.process_time()
    score(*sides, **options)
    return time.process_time() - start

n = int(sys.argv[1])
sides = side(n, False, "key"), side(n, True, "response")
tiny = side(20, False, "key"), side(20, True, "response")
out = {}
for matching in ("exact", "head", "partial"):
    timed(b3, *tiny, matching=matching)
    out[matching] = timed(b3, *sides, matching=matching)
timed(mor, *tiny)
out["mor"] = timed(mor, *sides)
print(json.dumps(out))
"""


def matching_growth() -> list[str]:
    """B³ under each matching, and MOR, on one document of more and more mentions."""
    lines = [
        "Growth with the mentions of one document where spans are near misses, B³ under each matching and "
        "MOR (CPU s):",
        "",
        "| mentions | exact | head | partial | mor |",
        "|---|---|---|---|---|",
    ]
    for size in (1_000, 10_000, 100_000):
        found = run(sys.executable, MATCHING, str(size))
        values = " | ".join(f"{found[k]:.3f}" for k in ("exact", "head", "partial", "mor"))
        lines.append(f"| {size:,} | {values} |")
        print(lines[-1], flush=True)
    return lines


def run(python: Path | str, code: str, *arguments: str) -> dict:
    done = subprocess.run(
        [str(python), "-c", code, *arguments], capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise RuntimeError(done.stderr[-2000:])
    return json.loads(done.stdout)


def peers() -> Path:
    python = ENVIRONMENT / "bin" / "python"
    if not python.exists():
        venv.create(ENVIRONMENT, with_pip=True)
        requirements = str(HERE / "requirements-chains.txt")
        subprocess.run([str(python), "-m", "pip", "install", "-q", "-r", requirements], check=True)
    return python


def largest_difference(ours: dict, theirs: dict) -> float:
    """Over documents, scores and R, P, F; scorch's harmonic mean is F as we have it."""
    worst = 0.0
    for name, peer in SHARED.items():
        for place, d in enumerate(ours["order"]):
            for a, b in zip(ours["documents"][name][place], theirs["values"][peer][d], strict=True):
                worst = max(worst, abs(a - b))
    return worst


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--quick", action="store_true")
    quick = parser.parse_args().quick
    python = peers()
    versions = subprocess.run(
        [str(python), "-m", "pip", "list", "--format=freeze"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    versions = [v for v in versions if v.startswith(("scorch", "coreference", "numpy", "scipy"))]
    import accord

    lines = [
        "# Coreference scores: accord and the scorers on PyPI",
        "",
        f"{date.today()}, Python {platform.python_version()}, accord {accord.__version__}, "
        + ", ".join(versions)
        + ".",
        "CPU seconds without imports and reading. accord computes its 21 scores, scorch five of them. "
        "The first ratio counts everything from plain lists of clusters on; the second counts the "
        "scoring alone, as for the peer, whose sets are made beforehand.",
        "",
        "| data | peer | largest difference | peer s | accord s | ratio | scoring s | ratio "
        "| peer MB | accord MB |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "data.json"

        def case(title: str, data: list, peer: str | None, **options: bool) -> dict:
            path.write_text(json.dumps(data))
            ours = run(sys.executable, OURS, str(path), json.dumps(options))
            if peer is None:
                lines.append(
                    f"| {title} | – | – | – | {ours['seconds']:.2f} | – "
                    f"| {ours['seconds'] - ours['built']:.2f} | – | – | {ours['megabytes']:.0f} |"
                )
            else:
                theirs = run(python, PEER, peer, str(path))
                if peer == "scorch":
                    worst = largest_difference(ours, theirs)
                else:
                    names = {"muc": "muc", "b3": "b_cubed", "ceaf-e": "ceafe", "lea": "lea"}
                    worst = max(
                        abs(ours["values"][o][2] - theirs["values"][p]["f1"])
                        for o, p in names.items()
                    )
                scoring = ours["seconds"] - ours["built"]
                lines.append(
                    f"| {title} | {peer} | {worst:.1e} | {theirs['seconds']:.2f} "
                    f"| {ours['seconds']:.3f} | {theirs['seconds'] / ours['seconds']:.0f}× "
                    f"| {scoring:.3f} | {theirs['seconds'] / scoring:.0f}× "
                    f"| {theirs['megabytes']:.0f} | {ours['megabytes']:.0f} |"
                )
            print(lines[-1], flush=True)
            return ours

        case("100 documents × 500 mentions", corpus(100, 500), "scorch")
        case(
            "100 documents × 500 mentions, no singletons",
            corpus(100, 500, singletons=False),
            "coreference-eval",
            drop_singletons=True,
        )
        large = None if quick else "scorch"
        case("1 document × 20 000 mentions", corpus(1, 20_000), large)
        case("2 000 documents × 500 mentions (10⁶)", corpus(2_000, 500), None)
        case("1 document × 10⁶ mentions", corpus(1, 1_000_000), None)
        case("1 document × 10⁶ mentions, unrelated response, entities of 4", unrelated(), None)
        lines += ["", *matching_growth(), "", *falsification()]
        lines += [
            "",
            "Growth of accord with the size of one document:",
            "",
            "| mentions | accord s | of which building |",
            "|---|---|---|",
        ]
        for size in (5_000, 20_000, 80_000, 320_000):
            path.write_text(json.dumps(corpus(1, size)))
            ours = run(sys.executable, OURS, str(path), "{}")
            lines.append(f"| {size:,} | {ours['seconds']:.2f} | {ours['built']:.2f} |")
            print(lines[-1], flush=True)
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(f"largest child process: {peak:.0f} MB")
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
