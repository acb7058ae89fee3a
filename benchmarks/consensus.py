"""PlacedReference of chains: CPU time and the proven gap, by number of mentions and size of the entities.

    python benchmarks/consensus.py

Three annotators of one document; each moves a tenth of the mentions to another entity and leaves a
twentieth unmarked. The table is written to benchmarks/results/consensus.md.
"""

from __future__ import annotations

import platform
import time
from datetime import date
from pathlib import Path

import numpy as np

import accord
from accord.gold.clustering import cluster

RESULTS = Path(__file__).resolve().parent / "results" / "consensus.md"
KINDS = {"about 5 mentions each": 0.0, "Zipf 1.5, the first holds two fifths": 1.5}


def annotations(mentions: int, zipf: float, seed: int = 0) -> np.ndarray:
    """Annotators × mentions: the entity, or -1 for not marked."""
    rng = np.random.default_rng(seed)
    entities = mentions // 5
    share = 1 / np.arange(1, entities + 1) ** zipf
    key = rng.choice(entities, mentions, p=share / share.sum())
    out = np.empty((3, mentions), dtype=np.int64)
    for row in out:
        other = key[rng.integers(0, mentions, mentions)]
        row[:] = np.where(rng.random(mentions) < 0.1, other, key)
        row[rng.random(mentions) < 0.05] = -1
    return out


def main() -> None:
    lines = [
        "# PlacedReference of chains: time and proven gap",
        "",
        f"{date.today()}, Python {platform.python_version()}, accord {accord.__version__}. Three annotators "
        "of one document, a tenth of the mentions moved, a twentieth unmarked.",
        "The gap is what the cost of the partition found may exceed the cheapest by, as a share of it.",
        "",
        "| entities | mentions | nodes | components | largest | CPU s | gap |",
        "|---|---|---|---|---|---|---|",
    ]
    cluster(annotations(200, 0.0))  # imports are not measured
    for title, zipf in KINDS.items():
        for mentions in (1_000, 2_000, 5_000, 10_000, 20_000):
            entity = annotations(mentions, zipf)
            start = time.process_time()
            found = cluster(entity)
            seconds = time.process_time() - start
            gap = (found.cost - found.bound) / found.cost
            lines.append(
                f"| {title} | {mentions:,} | {found.nodes:,} | {found.components:,} "
                f"| {found.largest:,} | {seconds:.2f} | {max(gap, 0):.4%} |"
            )
            print(lines[-1], flush=True)
    RESULTS.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
