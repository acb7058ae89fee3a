"""Print the size and shape of each package of the source: lines, tokens, complexity, prose, knots.

python scripts/measure_house.py                # this source
python scripts/measure_house.py OTHER/src/accord

Complexity needs radon (`pip install radon`); without it that column is left empty.
"""

from __future__ import annotations

import ast
import io
import sys
import tokenize
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

SOURCE = Path(__file__).parents[1] / "src/accord"
SHAPES = {"Annotations", "Ratings", "Units", "Boxes", "Relations", "Segments", "Chains"}
COLUMNS = ("modules", "lines", "tokens", "cc>15", "longest", "shape?", "prose%", "lazy")
_LAYOUT = {
    *(tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT),
    *(tokenize.ENCODING, tokenize.ENDMARKER),
}
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_DOCUMENTED = (ast.Module, ast.ClassDef, *_FUNCTIONS)


def measured(path: Path) -> Counter[str]:
    """Measure one module."""
    text = path.read_text(encoding="utf-8")
    tree = ast.parse(text)
    tokens = list(tokenize.generate_tokens(io.StringIO(text).readline))
    prose = {t.start[0] for t in tokens if t.type == tokenize.COMMENT}
    for node in ast.walk(tree):
        if isinstance(node, _DOCUMENTED) and ast.get_docstring(node) is not None:
            prose.update(range(node.body[0].lineno, (node.body[0].end_lineno or 0) + 1))
    return Counter(
        {
            "modules": 1,
            "lines": len(text.splitlines()),
            "tokens": sum(t.type not in _LAYOUT for t in tokens),
            "cc>15": sum(c > 15 for c in _complexities(text)),
            "longest": max((_length(n) for n in ast.walk(tree)), default=0),
            "shape?": sum(_asks_shape(n) for n in ast.walk(tree)),
            "prose": len(prose),
            "lazy": len(set(_lazy(tree))),
        }
    )


def _complexities(text: str) -> Iterator[int]:
    try:
        from radon.complexity import cc_visit
    except ImportError:
        return
    for block in cc_visit(text):
        # a class counts by its methods, which are listed beside it
        if not hasattr(block, "methods"):
            yield block.complexity


def _length(node: ast.AST) -> int:
    return (node.end_lineno or 0) - node.lineno + 1 if isinstance(node, _FUNCTIONS) else 0


def _asks_shape(node: ast.AST) -> bool:
    """Whether this asks by `isinstance` which shape the data have."""
    if not (isinstance(node, ast.Call) and getattr(node.func, "id", "") == "isinstance"):
        return False
    named = {getattr(n, "id", "") for n in ast.walk(node.args[1])}
    return bool(named & SHAPES)


def _lazy(tree: ast.Module) -> Iterator[str]:
    """Modules of accord that are imported inside of a function or for types alone."""
    top = {id(node) for node in tree.body}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and id(node) not in top:
            yield from [node.module] if (node.module or "").startswith("accord") else ()


def packages(source: Path) -> dict[str, Counter[str]]:
    """Measure every package, and the modules beside them as `.`."""
    found: dict[str, Counter[str]] = {}
    for path in sorted(source.rglob("*.py")):
        parts = path.relative_to(source).parts
        held = found.setdefault(parts[0] if len(parts) > 1 else ".", Counter())
        here = measured(path)
        longest = max(held["longest"], here["longest"])
        held.update(here)
        held["longest"] = longest
    return found


def main() -> None:
    """Print a row per package and their sum."""
    found = packages(Path(sys.argv[1]) if len(sys.argv) > 1 else SOURCE)
    whole = sum(found.values(), Counter())
    whole["longest"] = max(each["longest"] for each in found.values())
    print(f"{'':14}" + "".join(f"{c:>9}" for c in COLUMNS))
    for name, held in [*found.items(), ("all", whole)]:
        held["prose%"] = round(100 * held["prose"] / max(held["lines"], 1))
        print(f"{name:14}" + "".join(f"{held[c]:>9}" for c in COLUMNS))


if __name__ == "__main__":
    main()
