"""Draw the pictures of the README and the documentation that accord makes of its examples.

    python scripts/make_pictures.py

A terminal (docs/images/agree.svg), an alignment, a counterexample. Photographs of pages are taken by
hand in a browser.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

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


if __name__ == "__main__":
    terminal()
    drawings()
