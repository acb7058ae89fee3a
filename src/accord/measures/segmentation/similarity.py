"""Segmentation similarity S and boundary similarity B, from boundary edit distance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from accord.data import Segments
from accord.errors import UsageError
from accord.measures.ratio import ratio
from accord.measures.segmentation.cuttings import Pair, by_type, pair_up
from accord.measures.segmentation.edits import Edits, Types, boundary_edits
from accord.measures.segmentation.options import NT, TYPES
from accord.measures.segmentation.result import segmentation_result
from accord.registry import measure
from accord.result import Array, Result, Row


@measure(
    "segmentation-similarity",
    title="Segmentation similarity S",
    shape="segments",
    question="score",
    citation="Fournier & Inkpen 2012, NAACL",
    range=(0.0, 1.0),
    aliases=("s-segmentation",),
    use="Edits over all possible boundaries: close to 1 whenever boundaries are rare. Prefer "
    "boundary-similarity.",
    options=(NT, TYPES),
)
def segmentation_similarity(
    reference: Segments, system: Segments, *, nt: int, types: Types
) -> Result:
    """Segmentation similarity: edits over the number of possible boundaries.

    ::

        S = 1 - (|A| + w_S + w_T) / (types·(N - 1))

    A are additions, w_S and w_T the weighted substitutions and transpositions of
    :func:`~accord.measures.segmentation.edits.boundary_edits`; `types` in the formula counts the
    boundary types in use.

    >>> ref = Segments.from_masses([("d", "ref", [2, 3, 5])])
    >>> sys = Segments.from_masses([("d", "sys", [3, 2, 3, 2])])
    >>> print(segmentation_similarity(ref, sys))
    segmentation-similarity = 0.8333
    """

    def value(totals: Array) -> Array:
        return 1 - ratio(totals[:, 0], totals[:, 2])

    return _similar(
        "segmentation-similarity",
        reference,
        system,
        value,
        nt=nt,
        types=types,
        undefined="no document has room for a boundary",
        parts=by_type(segmentation_similarity, reference, system, {"nt": nt}),
    )


@measure(
    "boundary-similarity",
    title="Boundary similarity B",
    usual=True,
    shape="segments",
    question="score",
    citation="Fournier 2013, ACL",
    range=(0.0, 1.0),
    aliases=("b-boundary", "boundary-edit-similarity"),
    use="The recommended similarity of two segmentations: boundaries only, near misses (within nt) count "
    "in part, misses and false alarms alike.",
    options=(NT, TYPES),
)
def boundary_similarity(reference: Segments, system: Segments, *, nt: int, types: Types) -> Result:
    """Boundary similarity: edits over boundaries placed, near misses counted in part.

    ::

        B = 1 - (|A| + w_S + w_T) / (|A| + |S| + |T| + matches)

    A additions, S substitutions of type, T transpositions within n_t - 1, at the least total cost
    (:func:`~accord.measures.segmentation.edits.boundary_edits`). Without a boundary on either side
    B is 1: the two cuttings are equal.

    >>> ref = Segments.from_masses([("d", "ref", [2, 3, 5])])
    >>> sys = Segments.from_masses([("d", "sys", [3, 2, 3, 2])])
    >>> print(boundary_similarity(ref, sys))
    boundary-similarity = 0.5000

    Deviations: edits are minimal for every n_t (segeval's are greedy).
    """

    def value(totals: Array) -> Array:
        return np.where(totals[:, 1] == 0, 1.0, 1 - ratio(totals[:, 0], totals[:, 1]))

    return _similar(
        "boundary-similarity",
        reference,
        system,
        value,
        nt=nt,
        types=types,
        undefined="",
        parts=by_type(boundary_similarity, reference, system, {"nt": nt}),
    )


def _similar(
    name: str,
    reference: Segments,
    system: Segments,
    value: Any,
    *,
    nt: int,
    types: Types,
    undefined: str,
    parts: Mapping[str, Sequence[tuple[str, Result]]],
) -> Result:
    if types not in ("nominal", "ordinal"):
        raise UsageError(f"types must be nominal or ordinal, got {types!r}")
    pairs, categories = pair_up(reference, system)
    used = max(1, len(categories))
    edits = [
        boundary_edits(
            p.first,
            p.second,
            nt=nt,
            first_types=p.first_types,
            second_types=p.second_types,
            types=types,
            span=used,
        )
        for p in pairs
    ]
    rows = np.array(
        [
            (
                e.cost,
                e.size,
                used * (p.length - 1),
                e.additions,
                len(e.substitutions),
                len(e.transpositions),
                e.matches,
                e.w_s,
                e.w_t,
            )
            for e, p in zip(edits, pairs, strict=True)
        ]
    ).reshape(-1, 9)
    errors = [r for p, e in zip(pairs, edits, strict=True) for r in _itemised(p, e, categories)]
    return segmentation_result(
        name,
        pairs,
        rows,
        lambda totals: {"value": value(totals)},
        terms=_terms,
        options={"nt": nt, "types": types if categories else None},
        undefined=undefined,
        by={"errors": errors},
        parts=parts,
    )


def _terms(row: Array) -> Mapping[str, Any]:
    return {
        "A": int(row[3]),
        "S": int(row[4]),
        "T": int(row[5]),
        "matches": int(row[6]),
        "w_S": float(row[7]),
        "w_T": float(row[8]),
    }


def _itemised(pair: Pair, edits: Edits, categories: Sequence[str]) -> list[Row]:
    """Every edit as a row: missed, spurious, moved, or of another type."""

    def row(error: str, reference: int | None, system: int | None, *types: int) -> Row:
        out: dict[str, Any] = {
            "document": pair.document,
            "error": error,
            "reference": reference,
            "system": system,
        }
        if categories:
            out["types"] = [categories[t] for t in types]
        return out

    found = [row("missed", p, None, t) for p, t in edits.first_only.tolist()]
    found += [row("spurious", None, p, t) for p, t in edits.second_only.tolist()]
    found += [row("moved", p, q, t) for p, q, t in edits.transpositions.tolist()]
    found += [row("wrong type", p, p, t, u) for p, t, u in edits.substitutions.tolist()]
    return sorted(found, key=lambda r: r["system"] if r["reference"] is None else r["reference"])
