"""Make src/accord/simulate/grids.json: ``python scripts/reading_grids.py``.

The grids that ``accord agree`` reads its values against. They change when a measure or the setting
changes; the file says with which version, seed and number of campaigns it was made.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

from accord.result import to_plain
from accord.simulate import PAPER, reading_grid

TARGET = Path(__file__).parents[1] / "src" / "accord" / "simulate" / "grids.json"
MEASURES = ("gamma", "holistic")
ANNOTATORS = (2, 3, 4)


def main() -> None:
    grids = []
    for measure in MEASURES:
        for annotators in ANNOTATORS:
            setting = replace(
                PAPER,
                annotators=annotators,
                sentence=f"25 units of random place and size, {annotators} annotators",
            )
            grid = reading_grid(
                measure, setting, degradations=("shift", "omission"), steps=16, campaigns=12
            )
            grids.append(rounded(grid.to_dict()))
    TARGET.write_text(json.dumps(to_plain({"grids": grids}), ensure_ascii=False, indent=1) + "\n")


def rounded(value: object) -> object:
    """Four decimals are more than the simulation is worth."""
    if isinstance(value, float):
        return round(value, 4)
    if isinstance(value, dict):
        return {k: rounded(v) for k, v in value.items()}
    if isinstance(value, list):
        return [rounded(v) for v in value]
    return value


if __name__ == "__main__":
    main()
