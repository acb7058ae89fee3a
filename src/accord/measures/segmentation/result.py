"""From counts by document to the result of a measure of cuttings."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from accord.measures.segmentation.cuttings import Pair
from accord.result import Array, Result, Row, Sample, Score, signature


def segmentation_result(
    name: str,
    pairs: Sequence[Pair],
    rows: Array,
    score: Score,
    *,
    terms: Callable[[Array], Mapping[str, Any]],
    options: Mapping[str, object],
    undefined: str,
    by: Mapping[str, Sequence[Row]] | None = None,
    parts: Mapping[str, Sequence[tuple[str, Result]]] | None = None,
    warnings: Sequence[str] = (),
) -> Result:
    """The result over all documents: counts are summed, then scored; each document beside it.

    `parts`: breakdowns whose rows are results of their own.
    """
    totals = rows.sum(axis=0)
    value = float(score(totals[None, :])["value"][0])
    each = score(rows)["value"] if len(rows) else np.empty(0)
    finite = each[np.isfinite(each)]
    documents = [
        {"document": p.document, "value": float(v), **terms(row)}
        for p, v, row in zip(pairs, each, rows, strict=True)
    ]
    several = parts or {}
    briefs = {
        key: [{key: t, "value": r.value, "n": r.n} for t, r in found]
        for key, found in several.items()
    }
    return Result(
        measure=name,
        value=value,
        terms={**terms(totals), "macro": float(finite.mean()) if len(finite) else math.nan},
        by={"document": documents, **(by or {}), **briefs},
        n=sum(p.length for p in pairs),
        signature=signature(name, sum(p.length for p in pairs), **options, average="micro"),
        undefined=undefined,
        warnings=tuple(warnings),
        sample=Sample(
            rows=rows,
            score=score,
            keys=[p.document for p in pairs],
            unit="document",
            weight=np.array([float(p.length) for p in pairs]),
            parts=lambda key: [
                (t, r.sample) for t, r in several.get(key, ()) if r.sample is not None
            ],
        ),
    )
