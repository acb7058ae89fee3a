"""The best alignment of the relations of every document that at least two annotators saw."""

from __future__ import annotations

import numpy as np

from accord.alignment.alignment import Alignment
from accord.alignment.relations import Costs, Network, aligned
from accord.data.relations import Relations
from accord.errors import InputError


def align_relations(
    relations: Relations, costs: Costs, *, time_limit: float | None = None
) -> tuple[Alignment, ...]:
    """The alignments of :func:`accord.align`, for links between units."""
    network = Network.of(relations)
    if not len(network.shared):
        raise InputError(
            f"no document has two annotators (annotators: {len(relations.annotators)})",
            hint="alignment compares at least two",
        )
    return tuple(
        Alignment.exact(
            relations.documents[one.document],
            [relations.annotators[a] for a in network.annotators(one.document).tolist()],
            np.asarray(one.members, dtype=np.int64),
            one.disorders,
            one.gap,
        )
        for one in sorted(aligned(network, costs, time_limit=time_limit), key=lambda x: x.document)
    )
