"""Break the code on purpose and count how often a test notices: ``python scripts/mutants.py``.

Each *mutant* is the package with one small change: a comparison turned, + for −, a constant one off, `and`
for `or`, a `not` left out, min for max, a negated condition, a statement left out. The tests that ran the
changed line are run on it until one fails. A mutant that passes them all survived: it is printed with its
diff, to be looked at; either a test is missing, or the change makes no difference that anybody could
see (then its key, which the report gives, goes into ``scripts/equivalent_mutants.txt``, with the reason
on an indented line below, and it is not counted).

    python scripts/mutants.py                                  all of ``MODULES``, 450 of them
    python scripts/mutants.py alignment kernels/regions.py     these only (folders or files of src/accord)
    python scripts/mutants.py gold --most 60 --seed 3          a sample
    python scripts/mutants.py alignment --tests tests/alignment/*.py     only these tests
    python scripts/mutants.py --list gold                      what would be tried, without running
    python scripts/mutants.py --only survivors.txt             those whose keys stand in a file, again

A sample is drawn evenly over the files, with a fixed seed: a file of 300 lines is tried no more often than
one of 100, so that no module goes unlooked at. Everything happens in a copy of the tree in a temporary
folder. First the tests run once under coverage, to learn which of them runs which line, and how long each
takes (``--baseline FILE`` keeps that for the next time). Then pytest collects them once, and every mutant
is a fork of that process: the code of the changed function is exchanged where it lives, the tests that ran
its line run, the quickest first, until one fails, with a limit of CPU time (an endless loop is noticed
too). What declares rather than computes (decorators, defaults, constants of a module) is left alone. A
kernel runs uncompiled (the others stay compiled), with the tests named in ``KERNEL_TESTS``. The corpora of
``../shared`` are not there: what only they would notice is not caught. Needs a Unix system, pytest and
pytest-cov.

Figures: caught / (tried − equivalent), per folder, per file and in all; ``--out FILE`` keeps them, verdict by
verdict as they come, so that a stopped run is not lost.
"""

from __future__ import annotations

import argparse
import ast
import fnmatch
import gc
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from types import CodeType, FunctionType

import pytest

TOP = Path(__file__).resolve().parents[1]
PACKAGE = Path("src/accord")
EQUIVALENT = Path(__file__).with_name("equivalent_mutants.txt")
#: what is tried when nothing is named
MODULES = (
    "measures",
    "alignment",
    "uncertainty",
    "gold",
    "evaluation",
    "kernels/regions.py",
    "kernels/covers.py",
)
#: compiled code is not seen by coverage
KERNEL_TESTS = {
    "regions.py": ["tests/kernels/test_regions.py"],
    "covers.py": ["tests/kernels/test_covers.py", "tests/alignment/test_alignment_kernels.py"],
    "candidates.py": [
        "tests/alignment/test_candidates.py",
        "tests/alignment/test_alignment_kernels.py",
    ],
    "dissimilarity.py": [
        "tests/alignment/test_alignment_kernels.py",
        "tests/alignment/test_candidates.py",
    ],
    "outcome.py": ["tests/kernels/test_regions.py", "tests/alignment/test_alignment_kernels.py"],
    "pricing.py": ["tests/alignment/test_pricing.py"],
    "matching.py": ["tests/alignment/test_matching.py", "tests/alignment/test_pricing.py"],
    "components.py": ["tests/kernels/test_components_kernel.py"],
}
#: tests that start processes or browsers, or look at the house: slow, or blind to a wrong number
LEFT_OUT = (
    "tests/browser/*", "tests/fuzz/*", "tests/house/test_house.py", "tests/kernels/test_kernels.py",
    "tests/cli/test_score_folders.py", "tests/cli/test_bad_input.py", "tests/data/test_parallel.py",
    "tests/formats/test_exports.py", "tests/formats/test_fuzz.py", "tests/formats/test_more.py",
    "tests/formats/test_offsets.py", "tests/formats/test_platforms.py",
    "tests/formats/test_round_trip.py", "tests/formats/test_safety.py",
    "tests/formats/test_real_samples.py", "tests/web/test_serve.py", "tests/house/test_install.py",
    "tests/cli/test_plugins.py", "tests/house/test_public_types.py", "tests/report/test_report.py",
    "tests/report/test_report_shapes.py", "tests/formats/test_conll2003.py",
    "tests/formats/test_cells.py", "tests/reading/test_tables_people_have.py",
    "tests/peers/test_format_libraries.py", "tests/formats/test_evaluation_logs.py",
    "tests/kernels/test_regions.py", "tests/kernels/test_covers.py",
    "tests/alignment/test_matching.py", "tests/formats/test_chain_formats.py",
    "tests/formats/test_tiers_and_labels.py",
)  # fmt: skip
#: seconds of tests per mutant, at most, by what they took unchanged
_ENOUGH = 20.0

_COMPARE: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
}
_ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.Pow: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}
_NAMES = {
    "min": "max", "max": "min", "any": "all", "all": "any", "minimum": "maximum",
    "maximum": "minimum", "floor": "ceil", "ceil": "floor", "argmin": "argmax", "argmax": "argmin",
    "mean": "sum", "zeros": "ones", "ones": "zeros",
}  # fmt: skip


@dataclass(frozen=True)
class Mutant:
    """One change: bytes [begin, end) of a file are replaced."""

    file: Path
    line: int
    begin: int
    end: int
    before: str
    after: str
    #: the line without its indent, and where in it the change begins
    text: str = ""
    column: int = 0

    def __str__(self) -> str:
        return f"{self.file.as_posix()}:{self.line}: {self.before} → {self.after}"

    @property
    def key(self) -> str:
        """The same after lines moved: file, line, place in the line, change."""
        file = self.file.relative_to(PACKAGE).as_posix()
        return f"{file}: {self.text} [{self.column}]: {self.before} → {self.after}"

    def applied(self, source: bytes) -> bytes:
        return source[: self.begin] + self.after.encode() + source[self.end :]


class _Finder(ast.NodeVisitor):
    """All changes of one file; annotations, messages, docstrings and assertions are left alone."""

    def __init__(self, file: Path, source: bytes) -> None:
        self.file, self.source = file, source
        self.starts = [0]
        for line in source.splitlines(keepends=True):
            self.starts.append(self.starts[-1] + len(line))
        self.found: list[Mutant] = []
        self.depth = 0

    def place(self, node: ast.AST) -> tuple[int, int]:
        return (
            self.starts[node.lineno - 1] + node.col_offset,  # type: ignore[attr-defined]
            self.starts[node.end_lineno - 1] + node.end_col_offset,  # type: ignore[attr-defined]
        )

    def change(self, node: ast.expr | ast.stmt, after: str) -> None:
        begin, end = self.place(node)
        before = " ".join(self.source[begin:end].decode().split())
        start, stop = self.starts[node.lineno - 1], self.starts[node.lineno]
        line = self.source[start:stop].decode()
        column = len(self.source[start:begin].decode()) - (len(line) - len(line.lstrip()))
        self.found.append(
            Mutant(self.file, node.lineno, begin, end, before, after, line.strip(), column)
        )

    def expression(self, node: ast.expr, new: ast.expr) -> None:
        text = ast.unparse(ast.fix_missing_locations(new))
        simple = isinstance(new, ast.Constant | ast.Name | ast.Attribute | ast.Call)
        self.change(node, text if simple else f"({text})")

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        if node.name in ("__repr__", "__str__"):
            return
        self.depth += 1
        for statement in node.body:
            self.visit(statement)
        self.depth -= 1

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        for statement in node.body:
            self.visit(statement)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None and self.depth:
            self.visit(node.value)

    def visit_Assign(self, node: ast.Assign) -> None:
        # (constants of a module tune, name and cite: what they do is seen where they are used)
        if self.depth:
            self.generic_visit(node)

    def visit_Expr(self, node: ast.Expr) -> None:
        if isinstance(node.value, ast.Call) and self.depth:
            self.change(node, "pass")
            self.visit(node.value)

    def visit_Raise(self, node: ast.Raise) -> None:
        return

    def visit_Assert(self, node: ast.Assert) -> None:
        return

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        return

    def visit_Compare(self, node: ast.Compare) -> None:
        for k, op in enumerate(node.ops):
            for other in _COMPARE[type(op)]:
                ops = [*node.ops[:k], other(), *node.ops[k + 1 :]]
                self.expression(node, ast.Compare(node.left, ops, node.comparators))
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        texts = isinstance(node.left, ast.Constant | ast.JoinedStr) and not isinstance(
            getattr(node.left, "value", None), int | float
        )
        if type(node.op) in _ARITHMETIC and not texts:
            self.expression(node, ast.BinOp(node.left, _ARITHMETIC[type(node.op)](), node.right))
        self.generic_visit(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        if not self.depth:
            return
        if type(node.op) in _ARITHMETIC:
            other = ast.AugAssign(node.target, _ARITHMETIC[type(node.op)](), node.value)
            self.change(node, ast.unparse(ast.fix_missing_locations(other)))
        self.visit(node.value)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        other = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        self.expression(node, ast.BoolOp(other, node.values))
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        if isinstance(node.op, ast.Not | ast.USub | ast.Invert):
            self.expression(node, node.operand)
        if not isinstance(node.operand, ast.Constant):
            self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        value = node.value
        if isinstance(value, bool):
            self.expression(node, ast.Constant(not value))
        elif isinstance(value, int | float):
            self.expression(node, ast.Constant(value + 1))
            if value != 1:
                self.expression(node, ast.Constant(value - 1))

    def visit_keyword(self, node: ast.keyword) -> None:
        # `strict` of zip is an assertion; caching and the like are not a matter of numbers
        if node.arg != "strict":
            self.visit(node.value)

    def visit_Call(self, node: ast.Call) -> None:
        name = node.func
        word = name.id if isinstance(name, ast.Name) else getattr(name, "attr", "")
        if word in _NAMES:
            new = ast.Name(_NAMES[word]) if isinstance(name, ast.Name) else None
            if isinstance(name, ast.Attribute):
                new = ast.Attribute(name.value, _NAMES[word])  # type: ignore[assignment]
            assert new is not None
            self.expression(node, ast.Call(new, node.args, node.keywords))
        self.generic_visit(node)

    def condition(self, test: ast.expr) -> None:
        if isinstance(test, ast.Name | ast.Attribute | ast.Call | ast.Subscript):
            self.expression(test, ast.UnaryOp(ast.Not(), test))

    def visit_If(self, node: ast.If) -> None:
        if not self.depth or ast.unparse(node.test) in ("TYPE_CHECKING", "cython.compiled"):
            return
        self.condition(node.test)
        self.generic_visit(node)

    def visit_IfExp(self, node: ast.IfExp) -> None:
        self.condition(node.test)
        self.generic_visit(node)

    def visit_While(self, node: ast.While) -> None:
        self.condition(node.test)
        self.generic_visit(node)

    def visit_Continue(self, node: ast.Continue) -> None:
        self.change(node, "break")

    def visit_Break(self, node: ast.Break) -> None:
        self.change(node, "continue")


def mutants_of(file: Path) -> list[Mutant]:
    """Every change of one file (relative to the top)."""
    source = (TOP / file).read_bytes()
    finder = _Finder(file, source)
    finder.visit(ast.parse(source))
    unique = {(m.begin, m.end, m.after): m for m in finder.found if m.before != m.after}
    return list(unique.values())


def files_of(names: list[str]) -> Iterator[Path]:
    for name in names:
        place = TOP / PACKAGE / name
        if not place.exists():
            sys.exit(f"there is no {PACKAGE / name}")
        found = [place] if place.is_file() else sorted(place.rglob("*.py"))
        for file in found:
            yield file.relative_to(TOP)


def equivalents() -> set[str]:
    """Changes that were looked at and make no difference: lines without indent; reasons are indented."""
    if not EQUIVALENT.exists():
        return set()
    lines = EQUIVALENT.read_text(encoding="utf-8").splitlines()
    return {line.strip() for line in lines if line.strip() and line[0] not in "# \t"}


# --- which tests run which line ------------------------------------------------------------------------


@dataclass(frozen=True)
class Baseline:
    """Per file and line the tests that ran it, and the seconds that each took."""

    tests: dict[Path, dict[int, list[str]]]
    seconds: dict[str, float]

    def of(self, mutant: Mutant) -> list[str]:
        """The tests to run, quickest first."""
        if mutant.file.parent.name == "kernels":
            return KERNEL_TESTS.get(mutant.file.name, [])
        lines = self.tests.get(mutant.file, {})
        found = lines.get(mutant.line, [])
        if not found:
            # a line run only when the module was loaded (or a continuation): all that ran the module
            found = sorted({t for some in lines.values() for t in some})
        ranked = sorted(found, key=lambda t: self.seconds.get(t, 1.0))
        chosen, spent = [], 0.0
        for test in ranked:
            spent += self.seconds.get(test, 1.0)
            if spent > _ENOUGH and chosen:
                break
            chosen.append(test)
        return chosen

    def write(self, path: Path) -> None:
        tests = {file.as_posix(): lines for file, lines in self.tests.items()}
        text = json.dumps({"tests": tests, "seconds": self.seconds})
        path.write_text(text, encoding="utf-8")

    @classmethod
    def read(cls, path: Path) -> Baseline:
        found = json.loads(path.read_text(encoding="utf-8"))
        lines = {
            Path(file): {int(line): names for line, names in of.items()}
            for file, of in found["tests"].items()
        }
        return cls(lines, found["seconds"])


class _Durations:
    """A pytest plugin: seconds per test."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = defaultdict(float)

    def pytest_runtest_logreport(self, report: object) -> None:
        self.seconds[report.nodeid] += report.duration  # type: ignore[attr-defined]


def learn(copy: Path, tests: list[str]) -> Baseline:
    """Run the tests once under coverage, in a process of their own."""
    code = (
        "import json, sys, pytest\n"
        f"sys.path.insert(0, {str(Path(__file__).parent)!r})\n"
        "from mutants import _Durations\n"
        "plugin = _Durations()\n"
        "status = pytest.main(sys.argv[1:], plugins=[plugin])\n"
        "json.dump(plugin.seconds, open('durations.json', 'w'))\n"
        "sys.exit(int(status))\n"
    )
    options = ["-q", "-p", "no:cacheprovider", "--cov=accord", "--cov-context=test", "--cov-report=",
               "--cov-fail-under=0"]  # fmt: skip
    done = subprocess.run(
        [sys.executable, "-c", code, *options, *tests],
        cwd=copy,
        env=environment(copy),
        capture_output=True,
        text=True,
    )
    failing = {
        line.split(" ", 1)[1].split(" - ")[0]
        for line in done.stdout.splitlines()
        if line.startswith("FAILED ")
    }
    if done.returncode not in (0, 1) or not (copy / "durations.json").exists():
        sys.exit("the tests do not run:\n" + done.stdout[-3000:] + done.stderr[-1000:])
    for name in sorted(failing):
        print(f"fails without any change, and is left out: {name}")
    import coverage

    data = coverage.CoverageData(str(copy / ".coverage"))
    data.read()
    found: dict[Path, dict[int, list[str]]] = {}
    for name in data.measured_files():
        file = Path(name)
        if not file.is_relative_to(copy):
            continue
        found[file.relative_to(copy)] = {
            line: sorted({c.split("|")[0] for c in contexts if c} - failing)
            for line, contexts in data.contexts_by_lineno(name).items()
        }
    return Baseline(found, json.loads((copy / "durations.json").read_text(encoding="utf-8")))


def environment(copy: Path) -> dict[str, str]:
    return {
        **os.environ,
        "PYTHONPATH": str(copy / "src"),
        "PYTHONDONTWRITEBYTECODE": "1",
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "COLUMNS": "80",
    }


# --- running -------------------------------------------------------------------------------------------


def copied(folder: Path) -> Path:
    """What the tests need of the tree, kernels compiled as they are here."""
    copy = folder / "tree"
    keep = shutil.ignore_patterns("__pycache__", "*.c", ".git", ".venv*", "build", "*.parquet")
    for name in ("src", "tests", "docs", "examples", "scripts", "benchmarks"):
        if (TOP / name).exists():
            shutil.copytree(TOP / name, copy / name, ignore=keep)
    for name in ("pyproject.toml", "README.md", "CHANGELOG.md"):
        shutil.copy(TOP / name, copy / name)
    return copy


class Arena:
    """A pytest plugin: instead of the tests, the mutants; each in a fork of the process that collected."""

    def __init__(
        self,
        copy: Path,
        baseline: Baseline,
        mutants: Sequence[tuple[int, Mutant]],
        tell: Callable[[int, str, int], None],
    ) -> None:
        self.copy, self.baseline, self.mutants, self.tell = copy, baseline, mutants, tell
        self.items: dict[str, pytest.Item] = {}
        #: tests that pass in a fork of this process, and those that do not, without any change
        self.sound: set[str] = set()
        self.broken: set[str] = set()

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        self.items = {item.nodeid: item for item in session.items}
        gc.collect()
        gc.freeze()
        for number, mutant in self.mutants:
            self.tell(number, *self.verdict(mutant))
        return True

    def verdict(self, mutant: Mutant) -> tuple[str, int]:
        """ "failed", "time", "survived", or "absent" where no function of the process has the code."""
        while True:
            tests = [t for t in self.tests_of(mutant) if t not in self.broken]
            if not tests:
                return "survived", 0
            verdict, by = self.fork(tests, mutant)
            if verdict in ("survived", "absent") or by is None or by in self.sound:
                return verdict, len(tests)
            if self.fork([by], None)[0] == "survived":
                self.sound.add(by)
                return verdict, len(tests)
            self.broken.add(by)

    def tests_of(self, mutant: Mutant) -> list[str]:
        if mutant.file.parent.name == "kernels":
            return list(self.items)
        return [t for t in self.baseline.of(mutant) if t in self.items]

    def fork(self, tests: Sequence[str], mutant: Mutant | None) -> tuple[str, str | None]:
        """What becomes of the tests under the change, and the one that failed (or took too long)."""
        expected = sum(self.baseline.seconds.get(t, 2.0) for t in tests)
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reading)
            self.child([self.items[t] for t in tests], mutant, 10 + 2 * expected, writing)
        os.close(writing)
        with os.fdopen(reading) as lines:
            begun = lines.read().splitlines()
        _, status = os.waitpid(child, 0)
        last = begun[-1] if begun else None
        if os.WIFSIGNALED(status):
            return "time", last
        return {0: "survived", 3: "absent"}.get(os.WEXITSTATUS(status), "failed"), last

    def child(
        self, items: Sequence[pytest.Item], mutant: Mutant | None, seconds: float, out: int
    ) -> None:
        """In the fork: exchange the code, run the tests, and end."""
        status = 1
        try:
            os.setpgid(0, 0)
            resource.setrlimit(resource.RLIMIT_CPU, (int(seconds), int(seconds) + 1))
            signal.alarm(int(seconds) * 10)
            if mutant is not None and not exchanged(self.copy, mutant):
                os._exit(3)
            session = items[0].session
            session.testsfailed = 0
            for item, following in zip(items, [*items[1:], None], strict=True):
                os.write(out, f"{item.nodeid}\n".encode())
                item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
                if session.testsfailed:
                    os._exit(1)
            status = 0
        finally:
            os._exit(status)


def exchanged(copy: Path, mutant: Mutant) -> int:
    """Give every living function of the changed file its new code; how many there were."""
    path = copy / mutant.file
    # (what is imported when first used may not be there yet)
    import_module(
        ".".join(mutant.file.relative_to("src").with_suffix("").parts).removesuffix(".__init__")
    )
    source = mutant.applied(path.read_bytes())
    new: dict[tuple[str, int], CodeType] = {}

    def gather(code: CodeType) -> None:
        new[code.co_qualname, code.co_firstlineno] = code
        for constant in code.co_consts:
            if isinstance(constant, CodeType):
                gather(constant)

    gather(compile(source, str(path), "exec", dont_inherit=True))
    changed = 0
    gc.unfreeze()
    for function in gc.get_objects():
        if isinstance(function, FunctionType) and function.__code__.co_filename == str(path):
            old = function.__code__
            code = new.get((old.co_qualname, old.co_firstlineno))
            if code is not None and code != old and code.co_freevars == old.co_freevars:
                function.__code__ = code
                changed += 1
    return changed


def fight(copy: Path, baseline: Baseline, mutants: Sequence[tuple[int, Mutant]], out: int) -> None:
    """One process that collects the tests and tries the mutants; a line for each."""
    kernel = mutants[0][1].file if mutants[0][1].file.parent.name == "kernels" else None
    tests = sorted({t for _, m in mutants for t in baseline.of(m)})
    if kernel is not None:
        for library in (copy / kernel).parent.glob(f"{kernel.stem}.*.so"):
            library.unlink()
    os.environ.update(environment(copy))
    os.chdir(copy)
    quiet = os.open(os.devnull, os.O_WRONLY)
    os.dup2(quiet, 1)
    sys.path[:0] = [str(copy / "src"), str(copy)]

    def tell(number: int, verdict: str, count: int) -> None:
        os.write(out, f"{number}\t{verdict}\t{count}\n".encode())

    arena = Arena(copy, baseline, mutants, tell)
    files = sorted({t.split("::")[0] for t in tests})
    status = 1
    try:
        status = int(
            pytest.main(["-q", "-p", "no:cacheprovider", "-p", "no:cov", *files], plugins=[arena])
        )
    finally:
        os._exit(status)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("names", nargs="*", help="folders or files of src/accord")
    parser.add_argument(
        "--most", type=int, default=450, help="mutants, drawn evenly over the files"
    )
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--tests", nargs="+", help="test files; default: all but those in LEFT_OUT")
    parser.add_argument("--only", type=Path, help="a file of keys: only these")
    parser.add_argument(
        "--baseline", type=Path, help="keep there (or take from there) what tests run"
    )
    parser.add_argument("--list", action="store_true", help="show the mutants, run nothing")
    parser.add_argument("--out", type=Path, help="write the figures and survivors to this file")
    options = parser.parse_args()
    known = equivalents()
    every = [m for file in files_of(options.names or list(MODULES)) for m in mutants_of(file)]
    chosen = [m for m in every if m.key not in known]
    print(f"{len(every)} mutants, {len(every) - len(chosen)} of them known to be equivalent")
    if options.only is not None:
        asked = set(options.only.read_text(encoding="utf-8").splitlines())
        chosen = [m for m in chosen if m.key in asked]
    else:
        chosen = drawn(chosen, options.most, options.seed)
    print(f"{len(chosen)} tried", flush=True)
    if options.list:
        print("\n".join(map(str, chosen)))
        return
    tests = options.tests or [
        path.relative_to(TOP).as_posix()
        for path in sorted((TOP / "tests").rglob("test_*.py"))
        if not any(fnmatch.fnmatch(path.relative_to(TOP).as_posix(), p) for p in LEFT_OUT)
    ] + ["src"]
    with tempfile.TemporaryDirectory() as folder:
        verdicts = _tried(Path(folder), chosen, tests, options.baseline, options.out)
    lines = report(chosen, verdicts)
    print("\n".join(lines))
    if options.out:
        options.out.write_text("\n".join(lines) + "\n", encoding="utf-8")


def drawn(mutants: list[Mutant], most: int, seed: int) -> list[Mutant]:
    """As many of each file, while it has any; every file's own in an order by lot."""
    of: dict[Path, list[Mutant]] = defaultdict(list)
    for mutant in mutants:
        of[mutant.file].append(mutant)
    lot = random.Random(seed)
    for own in of.values():
        lot.shuffle(own)
    rounds = max(map(len, of.values()), default=0)
    turns = [own[turn] for turn in range(rounds) for own in of.values() if turn < len(own)]
    return turns[:most]


def _tried(
    folder: Path,
    chosen: list[Mutant],
    tests: list[str],
    kept: Path | None,
    out: Path | None,
) -> dict[int, str]:
    baseline = Baseline({}, {})
    if any(m.file.parent.name != "kernels" for m in chosen):
        if kept is not None and kept.exists():
            baseline = Baseline.read(kept)
        else:
            baseline = learn(copied(folder / "baseline"), tests)
            if kept is not None:
                baseline.write(kept)
    print(
        f"{len(baseline.seconds)} tests took {sum(baseline.seconds.values()):.0f} s unchanged",
        flush=True,
    )
    log = None if out is None else out.with_suffix(".jsonl").open("w", encoding="utf-8")
    # a kernel has a process of its own, in which it is not compiled
    parts: dict[Path | None, list[tuple[int, Mutant]]] = defaultdict(list)
    for number, mutant in enumerate(chosen):
        parts[mutant.file if mutant.file.parent.name == "kernels" else None].append(
            (number, mutant)
        )
    reading, writing = os.pipe()
    lines_out = os.fork()
    if lines_out == 0:
        os.close(reading)
        for place, own in parts.items():
            child = os.fork()
            if child == 0:
                fight(copied(folder / (place.stem if place else "python")), baseline, own, writing)
            os.waitpid(child, 0)
        os._exit(0)
    os.close(writing)
    verdicts: dict[int, str] = {}
    begun = time.monotonic()
    with os.fdopen(reading) as lines:
        for line in lines:
            number, verdict, count = line.split("\t")
            verdicts[int(number)] = verdict
            if log is not None:
                row = {"verdict": verdict, "tests": int(count), "key": chosen[int(number)].key}
                print(json.dumps(row, ensure_ascii=False), file=log, flush=True)
            if verdict == "survived":
                print(f"survived ({count.strip()} tests): {chosen[int(number)]}", flush=True)
            elif len(verdicts) % 25 == 0:
                print(
                    f"{len(verdicts)} of {len(chosen)}, {time.monotonic() - begun:.0f} s",
                    flush=True,
                )
    os.waitpid(lines_out, 0)
    return verdicts


def report(chosen: list[Mutant], verdicts: dict[int, str]) -> list[str]:
    """Caught and tried per folder, per file and in all, then the survivors."""
    tried, caught = defaultdict(int), defaultdict(int)
    for number, verdict in verdicts.items():
        if verdict == "absent":
            continue
        file = chosen[number].file.relative_to(PACKAGE)
        for place in (file, file.parent, Path("all")):
            tried[place] += 1
            caught[place] += verdict != "survived"
    rows = ["", "| | tried | caught | |", "|---|---|---|---|"]
    for place in sorted(tried):
        share = caught[place] / tried[place]
        rows.append(f"| {place} | {tried[place]} | {caught[place]} | {share:.1%} |")
    left = [chosen[k] for k, verdict in sorted(verdicts.items()) if verdict == "survived"]
    lines = [f"{m.file.as_posix()}:{m.line}\n{m.key}" for m in left]
    return [*rows, "", f"Survivors: {len(left)} (place, then key)", "", *lines]


if __name__ == "__main__":
    main()
