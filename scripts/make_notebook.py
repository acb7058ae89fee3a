"""Write `examples/first_steps.ipynb`: a notebook that a test executes.

python scripts/make_notebook.py
"""

from __future__ import annotations

import json
from pathlib import Path

TARGET = Path(__file__).parents[1] / "examples" / "first_steps.ipynb"
CELLS = [
    "# accord in a notebook\n\nRun it in this folder: `pip install 'accord[notebook]' pandas`.",
    'import accord\n\ndata = accord.read("moods.csv")\ndata',
    'accord.agree(data, "alpha", ci="auto", by="category")',
    "accord.audit(data)",
    'reference = accord.gold(data, "dawid-skene")\nreference',
    "reference.to_frame().head()",
    "The same for units on a text: what belongs together, drawn.",
    'view = accord.explore("claims.csv")\nview',
    'view.document = "trees"\nview.document',
    'cards = accord.adjudicate(data, who="Ann", decisions="first_steps.decisions.db")\ncards',
    'cards.answer(cards.card["versions"][0]["value"])\ncards.reference()',
]


def notebook() -> str:
    cells = []
    for number, text in enumerate(CELLS):
        lines = text.splitlines(keepends=True)
        if text.startswith(("#", "The same")):
            cells.append(
                {"cell_type": "markdown", "id": f"cell{number}", "metadata": {}, "source": lines}
            )
        else:
            cells.append(
                {
                    "cell_type": "code", "execution_count": None, "id": f"cell{number}",
                    "metadata": {}, "outputs": [], "source": lines,
                }
            )  # fmt: skip
    about = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
    document = {"cells": cells, "metadata": about, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(document, ensure_ascii=False, indent=1) + "\n"


if __name__ == "__main__":
    TARGET.write_text(notebook(), encoding="utf-8")
