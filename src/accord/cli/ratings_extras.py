"""What `accord agree` shows of ratings beyond the coefficients, when asked."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from accord.data import Annotations, Ratings
from accord.errors import UsageError


def extras(
    data: Annotations, *, diagnose: bool, merges: bool, distances: Path | None, seed: int
) -> dict[str, Any]:
    """Diagnostics, merge what-ifs and proposed distances, as asked."""
    if not isinstance(data, Ratings):
        raise UsageError(
            f"--diagnose, --merges and --propose-distances are for ratings, these are {data.shape}"
        )
    from accord.measures.ratings.diagnostics import diagnostics
    from accord.measures.ratings.proposals import merge_table, propose_distances, write_matrix

    out: dict[str, Any] = {}
    if diagnose:
        out["diagnostics"] = diagnostics(data, seed=seed)
    if merges:
        out["merges"] = merge_table(data)
    if distances is not None:
        proposal = propose_distances(data)
        write_matrix(distances, data.labels, proposal.matrix)
        out["proposed_distances"] = proposal.summary(str(distances))
    return out
