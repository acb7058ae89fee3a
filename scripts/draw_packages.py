"""Draw the map of packages from their imports: docs/images/packages.svg and a table in docs/architecture.md.

    python scripts/draw_packages.py          write both
    python scripts/draw_packages.py --check  exit with 1 when they are not current

Rows are the layers of the contract in pyproject.toml, arrows the imports between packages that other
arrows do not imply (A → C is left out beside A → B → C). Imports inside functions count too.
"""

from __future__ import annotations

import ast
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "accord"
PICTURE = ROOT / "docs" / "images" / "packages.svg"
PAGE = ROOT / "docs" / "architecture.md"
BEGIN, END = "<!-- drawn by scripts/draw_packages.py -->", "<!-- end -->"

Edges = dict[str, set[str]]


def layers() -> list[list[str]]:
    """The rows of the map, from the top: packages of one row do not import each other."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contract = settings["tool"]["importlinter"]["contracts"][0]["layers"]
    return [[name.strip() for name in row.replace(":", "|").split("|")] for row in contract]


def imports() -> Edges:
    """For each package of accord, the others that it imports anywhere."""
    known = {name for row in layers() for name in row}
    found: Edges = {name: set() for name in known}
    for path in sorted(SOURCE.rglob("*.py")):
        inside = path.relative_to(SOURCE)
        owner = inside.parts[0].removesuffix(".py")
        if owner not in known:
            continue  # the top-level module only names what the others hold
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names: list[str] = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                names = [node.module] + [f"{node.module}.{alias.name}" for alias in node.names]
            for name in names:
                parts = name.split(".")
                if parts[0] == "accord" and len(parts) > 1 and parts[1] in known - {owner}:
                    found[owner].add(parts[1])
    return found


def reduced(edges: Edges) -> Edges:
    """Without the arrows that a longer way implies."""
    below: Edges = {}

    def reach(name: str) -> set[str]:
        if name not in below:
            below[name] = set()  # a cycle would stop here
            below[name] = edges[name].union(*(reach(other) for other in edges[name]))
        return below[name]

    return {
        name: {o for o in others if not any(o in reach(p) for p in others if p != o)}
        for name, others in edges.items()
    }


def sentence(name: str) -> str:
    """What a package is, in the first line of its docstring."""
    path = SOURCE / name / "__init__.py"
    text = ast.get_docstring(
        ast.parse((path if path.exists() else SOURCE / f"{name}.py").read_text("utf-8"))
    )
    return (text or "").split("\n", 1)[0]


def picture(rows: list[list[str]], edges: Edges) -> str:
    """The map as SVG."""
    width, step, box, half = 760, 74, 116, 17
    place: dict[str, tuple[float, float]] = {}
    for y, row in enumerate(rows):
        for x, name in enumerate(row):
            place[name] = (width * (x + 1) / (len(row) + 1), 34 + step * y)
    height = 34 + step * (len(rows) - 1) + 40
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" font-family="system-ui, sans-serif" font-size="14">',
        "<title>The packages of accord and what they import</title>",
        '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" '
        'orient="auto"><path d="M0,0L8,4L0,8z" fill="#5b6b7f"/></marker></defs>',
        f'<rect width="{width}" height="{height}" fill="#fff"/>',
    ]
    for name, others in sorted(edges.items()):
        for other in sorted(others):
            (x1, y1), (x2, y2) = place[name], place[other]
            rows_apart = abs(y2 - y1) / step
            # a long arrow goes around the rows between
            bend = (
                0
                if rows_apart < 1.5
                else (1 if (x1 + x2) / 2 >= width / 2 else -1) * 46 * rows_apart
            )
            parts.append(
                f'<path d="M{x1:.0f},{y1 + half:.0f} C{x1 + bend:.0f},{y1 + half + 28:.0f} '
                f'{x2 + bend:.0f},{y2 - half - 28:.0f} {x2:.0f},{y2 - half:.0f}" fill="none" '
                'stroke="#5b6b7f" stroke-width="1.2" opacity=".75" marker-end="url(#tip)"/>'
            )
    for name, (x, y) in place.items():
        parts.append(
            f'<rect x="{x - box / 2:.0f}" y="{y - half:.0f}" width="{box}" height="{2 * half}" rx="7" '
            'fill="#eef3f8" stroke="#31506e"/>'
            f'<text x="{x:.0f}" y="{y + 5:.0f}" text-anchor="middle" fill="#12263a">{name}</text>'
        )
    return "\n".join([*parts, "</svg>"]) + "\n"


def table(rows: list[list[str]], edges: Edges) -> str:
    """The packages with what they are and what they import."""
    lines = ["| package | what it is | imports |", "|---|---|---|"]
    order = [name for row in rows for name in row]
    for name in order:
        others = ", ".join(o for o in order if o in edges[name])
        lines.append(f"| `{name}` | {sentence(name)} | {others} |")
    return "\n".join(lines)


def main() -> int:
    rows, edges = layers(), imports()
    page = PAGE.read_text(encoding="utf-8")
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    made = {
        PICTURE: picture(rows, reduced(edges)),
        PAGE: f"{before}{BEGIN}\n\n{table(rows, edges)}\n\n{END}{after}",
    }
    stale = [p for p, text in made.items() if not p.exists() or p.read_text("utf-8") != text]
    if "--check" in sys.argv[1:]:
        if stale:
            sys.stderr.write(
                "the map of packages is not current: python scripts/draw_packages.py\n"
            )
        return int(bool(stale))
    for path in stale:
        path.write_text(made[path], encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
