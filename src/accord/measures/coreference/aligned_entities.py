"""Which entities of two sides belong together: one to one, by the greatest sum of their likeness (φ₄)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from accord.alignment.matching import best_matching
from accord.measures.coreference.corrections import Corrections

#: (document, entity) of one side
Entity = tuple[int, int]


@dataclass(frozen=True, slots=True)
class AlignedEntities:
    """An entity of the first side and one of the second, or one that stands alone."""

    first: Entity | None
    second: Entity | None
    #: mentions in common, near misses included, and 2|K∩R| / (|K|+|R|)
    common: int = 0
    dice: float = 0.0


def aligned_entities(found: Corrections) -> list[AlignedEntities]:
    """Entities of the first side in order, each with its partner; then those of the second alone."""
    keys = {entity: i for i, entity in enumerate(found.key.entities)}
    answers = {entity: i for i, entity in enumerate(found.response.entities)}
    common: dict[tuple[int, int], int] = {}
    for k, r in found.twins:
        cell = keys[found.key.entity[k]], answers[found.response.entity[r]]
        common[cell] = common.get(cell, 0) + 1
    cells = np.array(list(common), dtype=np.int64).reshape(-1, 2)
    count = np.array(list(common.values()), dtype=np.int64)
    sizes = [
        np.array([len(rows) for rows in side.entities.values()], dtype=np.float64)
        for side in (found.key, found.response)
    ]
    dice = 2 * count / (sizes[0][cells[:, 0]] + sizes[1][cells[:, 1]])
    partner = {int(cells[c, 0]): int(c) for c in best_matching(cells[:, 0], cells[:, 1], dice)}
    named = list(answers)
    out = []
    for entity, i in keys.items():
        if i in partner:
            c = partner[i]
            there = named[int(cells[c, 1])]
            out.append(AlignedEntities(entity, there, int(count[c]), float(dice[c])))
        else:
            out.append(AlignedEntities(entity, None))
    taken = {pair.second for pair in out}
    return out + [AlignedEntities(None, entity) for entity in named if entity not in taken]
