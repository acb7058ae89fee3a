"""Draw the pictures of the README and the documentation that accord makes of its examples.

    python scripts/make_pictures.py

A terminal (docs/images/agree.svg), an alignment, a counterexample, a reading grid, curves of prevalence, the
data of tutorials. Photographs of pages are taken by take_photographs.py.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.text import Text

ROOT = Path(__file__).parents[1]
IMAGES = ROOT / "docs" / "images"
SHOWN = "agree examples/moods.csv --measure alpha,fleiss,conger,ac1 --by category"


def accord(*words: str, **environment: str) -> str:
    """What a command prints, with its colours."""
    import os

    done = subprocess.run(
        [sys.executable, "-m", "accord", *words],
        cwd=ROOT, capture_output=True, text=True, check=True, encoding="utf-8",
        env={**os.environ, "COLUMNS": "84", "FORCE_COLOR": "1", "TERM": "xterm-256color", **environment},
    )  # fmt: skip
    return done.stdout


def terminal() -> None:
    """The first command of the README in a terminal."""
    console = Console(record=True, width=84, file=sys.stderr, force_terminal=True)
    console.print(Text(f"$ accord {SHOWN}", style="dim"))
    lines = accord(*SHOWN.split()).splitlines()
    # the first breakdown is enough to see what it is like
    ends = [i for i, line in enumerate(lines) if "by category" in line]
    kept = lines[: ends[1]] if len(ends) > 1 else lines
    console.print(Text.from_ansi("\n".join(kept).rstrip()))
    # the fonts of the reader will do: nothing is fetched
    drawn = re.sub(
        r"@font-face \{.*?\}\s*", "", console.export_svg(title="accord agree"), flags=re.S
    )
    (IMAGES / "agree.svg").write_text(drawn, encoding="utf-8")


def drawings() -> None:
    accord(
        *["align", "examples/claims.csv", "--texts", "examples/claims_texts.csv", "--document", "cycling"],
        "--svg", str(IMAGES / "alignment.svg"), "--quiet",
    )  # fmt: skip
    accord(
        *["falsify", "b3", "--max-n", "4", "--draw", "4"],
        "--svg",
        str(IMAGES / "counterexample.svg"),
    )
    accord("simulate", "grid", "--measure", "gamma", "--svg", str(IMAGES / "grid.svg"))
    accord("simulate", "prevalence", "--svg", str(IMAGES / "prevalence.svg"))


def tutorials() -> None:
    """The data that tutorials write down in Python, run from their own pages."""
    from accord.report.charts import Series, curves
    from accord.report.sections.of_segments import cuttings

    music = _session("music-and-speech")
    music["best"].plot(music["song"], time="s").save(IMAGES / "song.svg")
    cut = _session("segmentation")["cut"]
    cuttings(cut, cut.documents.index("talk")).save(IMAGES / "cuttings.svg")
    epsilon, omega = zip(*winning_rates(_session("language-model")["labels"]), strict=True)
    curves(
        "winning-rate", "Winning rate of the model by the price of a person",
        [Series("model", epsilon, omega)], x_label="ε, the price of a person", y_label="ω", level=0.5,
    ).save(IMAGES / "winning-rate.svg")  # fmt: skip


def winning_rates(labels: Any) -> list[tuple[float, float]]:
    """ε and ω, which is a share of people: it rises in steps, and they are drawn where they are."""
    import accord as package

    points: list[tuple[float, float]] = []
    for step in range(101):
        epsilon = step / 200
        omega = package.alt_test(labels, "model", epsilon=epsilon).winning_rate
        if points and points[-1][1] != omega:
            points.append((epsilon, points[-1][1]))
        points.append((epsilon, omega))
    return points


def _session(tutorial: str) -> dict[str, Any]:
    """What a tutorial's page has defined when it was read to its end."""
    import doctest

    page = (ROOT / "docs" / "tutorials" / f"{tutorial}.md").read_text("utf-8")
    names: dict[str, Any] = {}
    for example in doctest.DocTestParser().get_examples(page):
        exec(compile(example.source, tutorial, "single"), names)
    return names


if __name__ == "__main__":
    terminal()
    drawings()
    tutorials()
