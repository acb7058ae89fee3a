"""The README's comparison with what people use today, quoted from ``benchmarks/results``.

``python scripts/make_comparison.py`` writes the table, ``--check`` fails when it is not the one in the
README: run it after a benchmark.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
HEADER = "| task | accord | beside | values |\n|---|---|---|---|\n"

Cells = list[str]


def comparison() -> str:
    """The rows, in the order in which they are shown."""
    alpha = row("ratings", "α, 2 × 10⁶ items", "krippendorff_alpha")
    rounds = row("ratings", "1000 bootstrap replicates, 5 × 10⁴ ratings")
    aligned = row("gamma", "3×300")
    labels = row("gold", "dawid-skene {'smoothing': 0.0} ")
    chains = row("chains", "1 document × 20 000 mentions", "scorch")
    schemes = row("located", "four SemEval schemes, 100 000 entities")
    windows = row("located", "windowdiff, 100 000 atoms")
    scores = re.search(r"accord computes its (\d+) scores", text("chains"))
    if scores is None:
        raise SystemExit("benchmarks/results/chains.md does not say how many scores there are")
    shares = f"{float(labels[2]):.3f} and {float(labels[4]):.3f} right"
    rows = [
        ("α, two annotators, a million items", cost(alpha[1]), f"krippendorff {cost(alpha[3])}", alpha[5]),
        ("1000 bootstrap replicates of α, 50 000 ratings", seconds(rounds[1]),
         f"krippendorff in a loop {seconds(rounds[3])}", rounds[5]),
        ("best alignment, 3 annotators × 300 units", f"{seconds(aligned[1])}, proven",
         f"pygamma-agreement (CBC) {seconds(aligned[2])}", f"same within {power(aligned[6])}"),
        ("Dawid–Skene, a million labels (the fit, `calibrate=\"model\"`)",
         seconds(labels[1]), f"crowd-kit {seconds(labels[3])}", shares),
        (f"{scores[1]} coreference scores, one document of 20 000 mentions",
         f"{seconds(chains[4])}, {chains[9]} MB",
         f"scorch, five scores, {seconds(chains[3])}, {chains[8]} MB",
         f"same within {power(chains[2])}"),
        ("four SemEval schemes, 100 000 entities", seconds(schemes[1]), peer(schemes[2]), schemes[3]),
        ("WindowDiff, 100 000 atoms", seconds(windows[1]), peer(windows[2]), windows[3]),
    ]  # fmt: skip
    return HEADER + "".join(f"| {' | '.join(cells)} |\n" for cells in rows)


def text(name: str) -> str:
    return (ROOT / "benchmarks" / "results" / f"{name}.md").read_text(encoding="utf-8")


def row(name: str, begins: str, holds: str = "") -> Cells:
    """The first row of a table of results that begins and goes on like this."""
    for line in text(name).splitlines():
        if line.startswith(f"| {begins}") and holds in line:
            return [cell.strip() for cell in line.strip("|\n ").split("|")]
    raise SystemExit(f"benchmarks/results/{name}.md has no row {begins!r} {holds}".rstrip())


def seconds(cell: str) -> str:
    """The time of a cell with two figures, three from ten seconds on."""
    value = float(cell.split()[0])
    figures = 3 if value >= 10 else 2
    return f"{float(f'{value:.{figures}g}'):g} s" if value >= 1e-4 else f"{value:.2g} s"


def cost(cell: str) -> str:
    """Time and memory: “1.801 s, 602 MB”."""
    return f"{seconds(cell)}, {cell.partition(', ')[2]}"


def peer(cell: str) -> str:
    """“segeval 3.169 s”."""
    name, _, time = cell.partition(" ")
    return f"{name} {seconds(time)}"


def power(cell: str) -> str:
    """2.1e-08 → 2·10⁻⁸"""
    digit, _, exponent = f"{float(cell):.0e}".partition("e")
    return f"{digit}·10{str(int(exponent)).translate(str.maketrans('-0123456789', '⁻⁰¹²³⁴⁵⁶⁷⁸⁹'))}"


def with_comparison(readme: str) -> str:
    """The README with the table that the results give."""
    start = readme.index(HEADER)
    return readme[:start] + comparison() + readme[readme.index("\n\n", start) + 1 :]


def main() -> None:
    now = README.read_text(encoding="utf-8")
    wanted = with_comparison(now)
    if now == wanted:
        return
    if "--check" in sys.argv:
        raise SystemExit("the README quotes other results: run scripts/make_comparison.py")
    README.write_text(wanted, encoding="utf-8")


if __name__ == "__main__":
    main()
