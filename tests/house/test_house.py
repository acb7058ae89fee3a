"""The house rules: layers, style, types, dependencies, documentation that builds."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.source import docstrings_of

ROOT = Path(__file__).parents[2]

COMMANDS = {
    "layers": ["-c", "from importlinter.cli import lint_imports_command; lint_imports_command()"],
    "lint": ["-m", "ruff", "check", "."],
    "format": ["-m", "ruff", "format", "--check", "."],
    "types": ["-m", "mypy"],
    "dependencies": ["-m", "deptry", "src"],
    "guide to measures": ["-m", "doctest", "-o", "ELLIPSIS", "docs/extend/measure.md"],
    "map of packages": ["scripts/draw_packages.py", "--check"],
    "comparison of the README": ["scripts/make_comparison.py", "--check"],
    "documentation": ["-m", "sphinx", "-W", "-q", "-b", "html", "docs", "docs/_build/html"],
}


@pytest.mark.parametrize("name", COMMANDS)
def test_house_rule(name):
    done = subprocess.run(
        [sys.executable, *COMMANDS[name]], cwd=ROOT, capture_output=True, text=True, timeout=600
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_importing_accord_is_light():
    """No scientific stack, solver or web framework until it is used."""
    heavy = ("numpy", "scipy", "highspy", "rich", "typer")
    code = f"import accord, sys; print([m for m in {heavy} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_help_is_light():
    heavy = ("numpy", "scipy", "highspy", "pandas", "narwhals")
    code = (
        "import sys; sys.argv = ['accord', '--help']\n"
        "from accord.cli import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        f"print([m for m in {heavy} if m in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr.strip().endswith("[]")


def test_all_is_flat_and_true():
    import accord

    assert list(accord.__all__) == sorted(accord.__all__, key=lambda n: (n.startswith("_"), n))
    for name in accord.__all__:
        assert getattr(accord, name) is not None


def test_the_library_speaks_python():
    """Options in a sentence stand in backticks (accord.errors); only cli/ types dashes, and where
    options are declared it is said how each is typed.

    A whole command, ``accord gold --soft``, may be named anywhere, and so may other tools' options.
    """
    dashes = re.compile(r"(?<![\w/-])--[a-z][a-z-]+")
    command = re.compile(
        r"accord [a-z-]+ [^;.)]*--|var\(--|--(ink|soft|line|paper|accent|warm|band)\b"
    )
    others = {"unreadable.py", "tables.py", "errors.py", "recommendation.py"}
    found = []
    for path in sorted((ROOT / "src" / "accord").rglob("*.py")):
        # (what recomputes a paper shows the command of each value)
        if {"cli", "options", "reproduce"} & set(path.parts) or path.name in others:
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"))
        docstrings = docstrings_of(tree)
        found += [
            f"{path.relative_to(ROOT)}:{node.lineno}: {node.value}"
            for node in ast.walk(tree)
            if isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and id(node) not in docstrings
            and dashes.search(node.value)
            and not command.search(node.value)
        ]
    assert not found, "\n".join(found)


def test_modules_do_not_import_each_other_in_circles():
    """Imports made when a function runs count too; a class and the functions that build it may."""
    import grimp
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    graph = grimp.build_graph("accord", exclude_type_checking_imports=True)
    names = sorted(graph.modules)
    place = {name: i for i, name in enumerate(names)}
    edges = [
        (place[a], place[b]) for a in names for b in graph.find_modules_directly_imported_by(a)
    ]
    rows, columns = zip(*edges, strict=True)
    matrix = coo_array(([1] * len(edges), (rows, columns)), shape=(len(names), len(names)))
    _, part = connected_components(matrix, directed=True, connection="strong")
    circles: dict[int, set[str]] = {}
    for name, p in zip(names, part.tolist(), strict=True):
        circles.setdefault(p, set()).add(name.removeprefix("accord."))
    builders = {"data.ratings", "data.tables", "data.values", "data.frame", "data.tabular"}
    assert [c for c in circles.values() if len(c) > 1 and not c <= builders] == []
