"""How the cost of what people run grows with their data: CPU seconds and peak memory at three sizes.

    python benchmarks/growth.py [--only WORDS] [--old SRC] [--limit 90] [--out benchmarks/results/growth.md]

Every row has its data (made from a seed, before the clock starts), and what is run on them: an `accord`
command, or a few lines of Python that print a value. Each run is a process of its own; its CPU time is the
user and system time that the kernel counted for it and its children, so that a busy machine changes little;
linear algebra has one thread, because threads that wait count as work.
The exponent is the slope between the two largest sizes, after the time of `import accord` is taken away.
``--old SRC`` names the `src` of another checkout, whose kernels are built: it is measured beside this one,
run by run, and the values that both print are compared.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import platform
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import numpy as np

RESULTS = Path(__file__).parent / "results" / "growth.md"
ACCORD = ("-c", "import sys; from accord.cli import main; sys.exit(main())")
LABELS = "vwxyz"

#: writes the data of a size into a folder
Make = Callable[[int, Path], None]


@dataclass(frozen=True, slots=True)
class Row:
    """One kind of work: its data at some sizes, and a command or a script that is run in their folder."""

    name: str
    sizes: Sequence[int]
    make: Make
    work: str
    #: what a size counts
    unit: str
    #: why it may grow faster than its data
    reason: str = ""

    def command(self, size: int) -> list[str]:
        work = self.work.replace("SIZE", str(size))
        if work.startswith("accord "):
            return [*ACCORD, *work.split()[1:]]
        return ["-c", "import accord\n" + work]


@dataclass(frozen=True, slots=True)
class Run:
    """What one process took, and what it printed last."""

    seconds: float
    megabytes: float
    value: str
    failed: str = ""


# --- data ------------------------------------------------------------------------------------------


def _table(path: Path, head: str, rows: Iterator[str]) -> None:
    with path.open("w", encoding="utf-8") as file:
        file.write(head + "\n")
        file.writelines(rows)


def prodigy(megabytes: int, folder: Path) -> None:
    """Sentences of eight words with three marks, as Prodigy saves them."""
    rng = np.random.default_rng(0)
    written = 0
    with (folder / "data.jsonl").open("w", encoding="utf-8") as file:
        for row in range(10**7):
            words = rng.choice(["alpha", "beta", "gamma", "delta", "of"], 8).tolist()
            starts = np.cumsum([0, *(len(w) + 1 for w in words)]).tolist()
            spans = [
                {"start": starts[k], "end": starts[k] + len(words[k]), "label": LABELS[k % 5]}
                for k in sorted(rng.choice(8, 3, replace=False).tolist())
            ]
            line = json.dumps(
                {"text": " ".join(words), "_input_hash": row, "_task_hash": row,
                 "spans": spans, "_session_id": "campaign-ann", "_view_id": "ner_manual",
                 "answer": "accept", "_timestamp": 1_700_000_000 + row}
            )  # fmt: skip
            file.write(line + "\n")
            written += len(line) + 1
            if written >= megabytes * 1_000_000:
                return


def label_studio(tasks: int, folder: Path) -> None:
    """Tasks of three spans by one person, who annotated every task twice."""
    rng = np.random.default_rng(0)
    text = "alpha beta gamma delta " * 10
    made = []
    for task in range(tasks):
        annotations = []
        for again in range(2):
            spans = [
                {"id": f"r{task}-{again}-{k}", "from_name": "label", "to_name": "text", "type": "labels",
                 "value": {"start": s, "end": s + 5, "text": text[s : s + 5],
                           "labels": [LABELS[k + again]]}}
                for k, s in enumerate(sorted(rng.choice(200, 3, replace=False).tolist()))
            ]  # fmt: skip
            annotations.append(
                {"id": 2 * task + again, "completed_by": {"email": "ann@x.org"}, "result": spans,
                 "created_at": f"2024-01-0{1 + again}T00:00:00Z"}
            )  # fmt: skip
        made.append({"id": task, "data": {"text": text}, "annotations": annotations})
    (folder / "data.json").write_text(json.dumps(made), encoding="utf-8")


def units(documents: int, folder: Path, annotators: int = 5, each: int = 3) -> None:
    """Short documents; everybody marks about the same places, a fifth labelled otherwise."""
    rng = np.random.default_rng(0)

    def rows() -> Iterator[str]:
        for d in range(documents):
            places = np.sort(rng.choice(20, each, replace=False)) * 10
            for a in range(annotators):
                starts = (places + rng.integers(0, 3, each)).tolist()
                names = rng.integers(0, 5, each) * (rng.random(each) < 0.2)
                for s, k in zip(starts, names.tolist(), strict=True):
                    yield f"doc{d},ann{a},{s},{s + 7},{LABELS[k]}\n"

    _table(folder / "data.csv", "document,annotator,start,end,label", rows())


def crowded(each: int, folder: Path) -> None:
    """One document of three people whose units overlap some thirty of each other's."""
    rng = np.random.default_rng(0)

    def rows() -> Iterator[str]:
        for a in range(3):
            starts = np.sort(rng.integers(0, 10 * each, each))
            for s in starts.tolist():
                yield f"doc,ann{a},{s},{s + int(rng.integers(100, 200))},{LABELS[int(rng.integers(5))]}\n"

    _table(folder / "data.csv", "document,annotator,start,end,label", rows())


def team(annotators: int, folder: Path, each: int = 50) -> None:
    """One document of so many people, who move, relabel and miss the same units."""
    rng = np.random.default_rng(0)
    places = np.sort(rng.choice(40 * each, each, replace=False))

    def rows() -> Iterator[str]:
        for a in range(annotators):
            for s in places.tolist():
                if rng.random() < 0.1:
                    continue
                start = s + int(rng.integers(0, 10))
                label = LABELS[int(rng.integers(5)) if rng.random() < 0.2 else s % 5]
                yield f"doc,ann{a:03},{start},{start + int(rng.integers(10, 30))},{label}\n"

    _table(folder / "data.csv", "document,annotator,start,end,label", rows())


def small_team(annotators: int, folder: Path) -> None:
    team(annotators, folder, each=20)


def votes(
    items: int, folder: Path, people: int = 50, per: int = 5, classes: int = 5, right: float = 0.7
) -> None:
    """Votes of a crowd: an item has a true class, that each of `per` people gives or not."""
    rng = np.random.default_rng(0)

    def rows() -> Iterator[str]:
        for i in range(items):
            truth = int(rng.integers(classes))
            for a in rng.choice(people, min(per, people), replace=False).tolist():
                told = truth if rng.random() < right else int(rng.integers(classes))
                yield f"i{i},a{a},c{told}\n"

    _table(folder / "data.csv", "item,annotator,value", rows())


def many_classes(classes: int, folder: Path) -> None:
    votes(2_000, folder, people=20, classes=classes)


def web_search(items: int, folder: Path) -> None:
    """Of the size of the web-search votes of the crowds: 177 people, six votes of an item."""
    votes(items, folder, people=177, per=6, right=0.5)


def judges(people: int, folder: Path) -> None:
    """So many judges and ten systems on 2 000 items."""
    _judged(2_000, people, 10, folder)


def systems(number: int, folder: Path) -> None:
    """A reference and so many systems on 10 000 items."""
    _judged(10_000, 1, number, folder)


def _judged(items: int, people: int, machines: int, folder: Path) -> None:
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 4, items)
    names = [*(f"judge{k}" for k in range(people)), *(f"sys{k:02}" for k in range(machines))]

    def rows() -> Iterator[str]:
        for k, name in enumerate(names):
            wrong = rng.random(items) < 0.1 + 0.005 * (k % 50)
            told = np.where(wrong, rng.integers(0, 4, items), truth)
            yield from (f"i{i},{name},{LABELS[v]}\n" for i, v in enumerate(told.tolist()))

    _table(folder / "data.csv", "item,annotator,value", rows())


def raters(people: int, folder: Path) -> None:
    """So many people who rated all of 300 items."""
    votes(300, folder, people=people, per=people)


def ratings(rows: int, folder: Path) -> None:
    """Ratings of five people who rate everything."""
    votes(rows // 5, folder, people=5)


def brat(documents: int, folder: Path) -> None:
    """Folders of two people, fifty units in a text of five hundred words."""
    rng = np.random.default_rng(0)
    for d in range(documents):
        words = rng.choice(["alpha", "beta", "gamma", "épsilon", "🥳"], 500).tolist()
        starts = np.cumsum([0, *(len(w) + 1 for w in words)]).tolist()
        marks = "".join(
            f"T{k + 1}\tX{k % 7} {starts[w]} {starts[w] + len(words[w])}\t{words[w]}\n"
            for k, w in enumerate(range(0, 500, 10))
        )
        for who in ("ann", "bob"):
            place = folder / "data" / who
            place.mkdir(parents=True, exist_ok=True)
            (place / f"d{d}.txt").write_text(" ".join(words), encoding="utf-8")
            (place / f"d{d}.ann").write_text(marks, encoding="utf-8")


def webanno(documents: int, folder: Path) -> None:
    """The same, written as WebAnno TSV by the checkout that is measured."""
    brat(documents, folder)
    subprocess.run(
        [sys.executable, *ACCORD, "convert", "data", "out", "--to", "webanno-tsv3", "--no-check", "-q"],
        cwd=folder, check=True, capture_output=True,
    )  # fmt: skip


def tags(sentences: int, folder: Path) -> None:
    """CoNLL tags of a reference and a system, sentences of twenty tokens."""
    rng = np.random.default_rng(0)
    gold, told = (folder / f"{name}.conll" for name in ("gold", "system"))
    with gold.open("w", encoding="utf-8") as one, told.open("w", encoding="utf-8") as two:
        for _ in range(sentences):
            a, b = ["O"] * 20, ["O"] * 20
            for k in range(0, 20, 5):
                label, other = (str(v) for v in rng.choice(["PER", "LOC", "ORG"], 2))
                a[k : k + 2] = [f"B-{label}", f"I-{label}"]
                place = k + int(rng.random() < 0.1)
                kept = label if rng.random() < 0.9 else other
                b[place : place + 2] = [f"B-{kept}", f"I-{kept}"]
            one.write("".join(f"w{k}\t{t}\n" for k, t in enumerate(a)) + "\n")
            two.write("".join(f"w{k}\t{t}\n" for k, t in enumerate(b)) + "\n")


def nothing(_: int, folder: Path) -> None:
    votes(40, folder, people=3, per=3)


# --- rows ------------------------------------------------------------------------------------------

_GAMMA = 'print(repr(accord.agree(accord.read("data.csv"), measure="gamma").value))'
_AGREE = 'print(repr(accord.agree(accord.read("data.csv"), measure="{}", ci="none").value))'
_MODEL = """
found = accord.gold(accord.read("data.csv"), method="{}"{})
import numpy as np
print(found.method, len(found.values), hash(tuple(found.values)) and list(found.values)[:5])
"""

ROWS = (
    Row("inspect of Prodigy JSON Lines", (5, 10, 20), prodigy, "accord inspect data.jsonl -q", "MB"),
    Row("json.loads of every line of them", (5, 10, 20), prodigy,
        "import json\nprint(sum(len(json.loads(x)) for x in open('data.jsonl')))", "MB"),
    Row("Label Studio, tasks annotated twice, duplicates=last", (1_000, 2_000, 4_000), label_studio,
        "print(len(accord.read('data.json', duplicates='last')))", "tasks"),
    Row("gold of units, five people, three units each", (5_000, 10_000, 40_000), units,
        "accord gold data.csv -q -o out.csv --overwrite", "sentences"),
    Row("agree of a CSV of ratings", (500_000, 1_000_000, 2_000_000), ratings,
        "accord agree data.csv -q --ci none", "ratings"),
    Row("γ of three people, units that overlap thirty", (125, 250, 500), crowded, _GAMMA, "units each"),
    Row("γ of many people, 50 units each", (5, 10, 20), team, _GAMMA, "people",
        "candidates are of all pairs of people"),
    Row("γ of a hundred people, 50 units each", (25, 50, 100), team, _GAMMA, "people",
        "candidates are of all pairs of people"),
    Row("γ of few people, 20 units each", (4, 5, 6), small_team, _GAMMA, "people",
        "tuples of all people are priced until too many"),
    Row("Dawid–Skene of many categories", (250, 500, 1_000), many_classes,
        _MODEL.format("dawid-skene", ', calibrate="model"'), "categories"),
    Row("minimax entropy of 177 people", (650, 1_300, 2_600), web_search,
        _MODEL.format("minimax-entropy", ', calibrate="model"'), "items"),
    Row("rank of ten systems among judges", (8, 15, 30), judges,
        "accord rank data.csv --systems SYSTEMS --json", "judges",
        "the reference is the vote of all"),
    Row("rank of ten systems among many judges", (75, 150, 300), judges,
        "accord rank data.csv --systems SYSTEMS --json", "judges"),
    Row("score --compare of systems", (12, 25, 50), systems,
        "accord score data.csv --systems MANY --reference-annotator judge0 --compare --json", "systems",
        "one comparison for each pair of systems"),
    Row("convert of brat folders to WebAnno TSV", (250, 500, 1_000), brat,
        "accord convert data out --to webanno-tsv3 --no-check -q --overwrite", "documents"),
    Row("reading brat folders", (250, 500, 1_000), brat, "print(len(accord.read('data')))", "documents"),
    Row("reading WebAnno TSV", (250, 500, 1_000), webanno, "print(len(accord.read('out')))", "documents"),
    Row("SemEval, four schemes, reading included", (5_000, 10_000, 20_000), tags,
        "accord score gold.conll system.conll --measure "
        "semeval-strict,semeval-exact,semeval-partial,semeval-type --ci none -q", "sentences"),
    Row("F of spans from tags, reading included", (5_000, 10_000, 20_000), tags,
        "accord score gold.conll system.conll --ci none -q", "sentences"),
    Row("align --json", (2_500, 5_000, 10_000), units, "accord align data.csv --json", "sentences"),
    Row("conger of many annotators", (75, 150, 300), raters, _AGREE.format("conger"), "people",
        "every pair of people"),
    Row("α of many annotators", (75, 150, 300), raters, _AGREE.format("alpha"), "people"),
    Row("agree of many annotators, by pair", (75, 150, 300), raters,
        "accord agree data.csv --by pair --json", "people", "a row for every pair of people"),
    Row("agree FILE of 40 items", (40,), nothing, "accord agree data.csv", "items"),
    Row("agree --help", (1,), nothing, "accord agree --help", ""),
)  # fmt: skip


# --- measuring -------------------------------------------------------------------------------------


def measure(command: Sequence[str], folder: Path, source: Path, limit: int) -> Run:
    """Run python with this command in this folder, with the package of this source."""
    environment = {
        **os.environ,
        "PYTHONPATH": str(source),
        "PYTHONHASHSEED": "0",
        "OPENBLAS_NUM_THREADS": "1",
        "COLUMNS": "100",
    }

    def bound() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 1))

    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        process = subprocess.Popen(
            [sys.executable, *command], cwd=folder, env=environment, stdout=out, stderr=err,
            preexec_fn=bound,
        )  # fmt: skip
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        value = out.read().decode(errors="replace").strip()
        told = err.read().decode(errors="replace").strip().splitlines() or ["killed"]
    failed = ""
    if process.returncode < 0:
        failed = f"over {limit} s"
    elif process.returncode:
        failed = told[-1][:80]
    return Run(used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, value, failed)


def exponent(sizes: Sequence[int], runs: Sequence[Run], start: float) -> str:
    """The slope between the two largest sizes that ended."""
    ended = [(s, r) for s, r in zip(sizes, runs, strict=False) if not r.failed]
    if len(ended) < 2:
        return ""
    (small, before), (large, after) = ended[-2:]
    if before.seconds - start < 0.02:
        return "–"
    return f"{math.log((after.seconds - start) / (before.seconds - start)) / math.log(large / small):.2f}"


def _systems(size: int) -> str:
    return ",".join(f"sys{k:02}" for k in range(size))


def line(row: Row, sources: Sequence[Path], starts: Sequence[float], limit: int) -> list[str]:
    """The table lines of one row: one for each source, run by run side by side."""
    runs: list[list[Run]] = [[] for _ in sources]
    for size in row.sizes:
        with tempfile.TemporaryDirectory(prefix="growth-") as name:
            row.make(size, Path(name))
            command = [
                c.replace("SYSTEMS", _systems(10)).replace("MANY", _systems(size))
                for c in row.command(size)
            ]
            for of, source in zip(runs, sources, strict=True):
                if of and of[-1].failed:
                    of.append(of[-1])
                else:
                    of.append(measure(command, Path(name), source, limit))
    lines = []
    for k, (of, start) in enumerate(zip(runs, starts, strict=True)):
        cells = [r.failed or f"{r.seconds:.2f} s, {r.megabytes:.0f} MB" for r in of]
        cells += [""] * (3 - len(cells))
        same = ""
        if len(sources) > 1 and k == len(sources) - 1:
            both = [(a, b) for a, b in zip(runs[0], of, strict=True) if not (a.failed or b.failed)]
            same = "yes" if both and all(a.value == b.value for a, b in both) else "no"
        sizes = " / ".join(f"{s:,}".replace(",", " ") for s in row.sizes)
        title = f"{row.name}: {sizes} {row.unit}" if k == 0 else ""
        which = "" if len(sources) == 1 else ("before" if k == 0 else "now")
        grown = exponent(row.sizes, of, start)
        why = row.reason if k == len(runs) - 1 else ""
        lines.append(f"| {title} | {which} | {' | '.join(cells)} | {grown} | {same} | {why} |")
    return lines


def main() -> None:
    reader = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    reader.add_argument("--only", default="", help="rows whose name holds one of these words: a,b")
    reader.add_argument(
        "--old", type=Path, help="the src of another checkout, to be measured beside"
    )
    reader.add_argument("--limit", type=int, default=90, help="CPU seconds of one run")
    reader.add_argument("--out", type=Path, default=None)
    asked = reader.parse_args()
    here = Path(__file__).resolve().parents[1] / "src"
    sources = [here] if asked.old is None else [asked.old.resolve(), here]
    starts = []
    with tempfile.TemporaryDirectory() as name:
        for source in sources:
            measure(("-c", "import accord"), Path(name), source, 60)  # compiles
            starts.append(measure(("-c", "import accord"), Path(name), source, 60).seconds)
    words = [w for w in asked.only.split(",") if w]
    lines = [
        "# How the cost grows with the data",
        "",
        f"{date.today().isoformat()}, Python {platform.python_version()}, numpy {np.__version__}. CPU seconds "
        "of the whole process (start included) and its peak memory, at three sizes; exponent between the two "
        "largest, the start taken away; whether both printed the same.",
        "",
        "| work and sizes | code | small | middle | large | exponent | same output | why |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for row in ROWS:
        if words and not any(w in row.name for w in words):
            continue
        for one in line(row, sources, starts, asked.limit):
            print(one, flush=True)
            lines.append(one)
    if asked.out is not None or not words:
        (asked.out or RESULTS).write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
