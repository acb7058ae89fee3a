"""γ's raw side: the disorder of the best alignment of a system with the reference."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from accord.alignment.align import align
from accord.alignment.alignment import Alignment
from accord.data import Units
from accord.measures.gamma.options import ALPHA, BETA, DELTA, MATRIX, POSITIONAL
from accord.measures.spans.errors import Analysis
from accord.measures.spans.options import MISSING_DOCUMENTS
from accord.measures.spans.sides import Both, Missing, pair_up
from accord.registry import JOBS, measure
from accord.result import NO_SPAN, Array, Result, Row, Rows, Sample, signature


@measure(
    "disorder",
    title="Disorder of the best alignment (γ without chance)",
    shape="units",
    question="score",
    citation="Mathet & Widlöcher 2016, TAL 57(2); Mathet, Widlöcher & Métivier 2015, Computational "
    "Linguistics 41(3)",
    range=(0.0, float("inf")),
    aliases=("observed-disorder",),
    similarity=False,
    use="Position and label errors of a system in one graded number, 0 for none, with the alignment "
    "that explains it; not corrected for chance, which a score must not be.",
    options=(ALPHA, BETA, DELTA, MATRIX, POSITIONAL, MISSING_DOCUMENTS, JOBS),
)
def disorder(
    reference: Units,
    system: Units,
    *,
    alpha: float | None,
    beta: float | None,
    delta: float | None,
    matrix: str | Path | NDArray[np.float64] | None,
    positional: str,
    missing_documents: Missing,
    jobs: int,
) -> Result:
    """The observed disorder of γ between a reference and a system.

    ::

        disorder = Σ_K δ(K) / x̄,  δ(K) = α·d_pos + β·d_cat for a pair, Δ for a span left alone

    over the unitary alignments K of the ideal alignment, x̄ the mean number of spans of the two
    sides; several documents are summed above and below. 0 for equal annotations; 2Δ for a system
    with nothing in common with a reference of as many spans.

    >>> ref = Units.from_rows([("d", "r", 0, 4, "x"), ("d", "r", 9, 12, "y")])
    >>> sys = Units.from_rows([("d", "s", 1, 4, "x")])
    >>> result = disorder(ref, sys)
    >>> round(result.value, 4), result.terms["aligned"], result.terms["MIS"]
    (0.6803, 1, 1)
    """
    both = pair_up(reference, system, missing_documents=missing_documents)
    joined = _joined(both)
    options = {
        "alpha": alpha,
        "beta": beta,
        "delta": delta,
        "matrix": matrix,
        "positional": positional,
    }
    found = align(joined, jobs=jobs, **options) if both.documents else ()  # type: ignore[arg-type]
    place = {name: i for i, name in enumerate(both.documents)}
    rows = np.zeros((len(both.documents), 5))
    for one in found:
        real = one.members >= 0
        rows[place[one.document]] = (
            float(one.disorders.sum()),
            real.sum() / 2,
            np.count_nonzero(real.all(axis=1)),
            np.count_nonzero(real[:, 0] & ~real[:, 1]),
            np.count_nonzero(real[:, 1] & ~real[:, 0]),
        )
    totals = rows.sum(axis=0)
    value = float(_score(totals[None, :])["value"][0])
    each = _score(rows)["value"] if len(rows) else np.empty(0)
    documents: list[Row] = [
        {"document": name, "value": float(v), **_terms(row)}
        for name, v, row in zip(both.documents, each, rows, strict=True)
    ]
    n = len(both.reference)
    made = {
        **Analysis(both).breakdowns(),
        "alignment": lambda: [r for one in found for r in _unitary(one, joined)],
    }
    gap = max((one.gap for one in found), default=0.0)
    return Result(
        measure="disorder",
        value=value,
        terms={**_terms(totals), "gap": gap},
        by={"document": documents, **{k: Rows(make) for k, make in made.items()}},
        n=n,
        signature=signature("disorder", n, **{k: v for k, v in options.items() if v is not None}),
        undefined=NO_SPAN,
        warnings=both.warnings,
        sample=Sample(
            rows=rows, score=_score, keys=both.documents, unit="document", weight=rows[:, 1]
        ),
    )


def _score(totals: Array) -> Mapping[str, Array]:
    under = np.where(totals[:, 1] == 0, 1, totals[:, 1])
    return {"value": np.where(totals[:, 1] == 0, np.nan, totals[:, 0] / under)}


def _terms(row: Array) -> dict[str, float | int]:
    return {
        "disorder_sum": float(row[0]),
        "units_per_side": float(row[1]),
        "aligned": int(row[2]),
        "MIS": int(row[3]),
        "SPU": int(row[4]),
    }


def _joined(both: Both) -> Units:
    """Both sides as two annotators of one campaign."""
    sides = (both.reference, both.system)
    document, start, end, label = (
        np.concatenate([getattr(side, name) for side in sides])
        for name in ("document", "start", "end", "label")
    )
    annotator = np.repeat([0, 1], [len(side) for side in sides])
    named = [name for name in both.labels if name is not None]
    label = np.where(label < len(named), label, -1)
    order = np.lexsort((label, end, start, annotator, document))
    return Units(
        documents=both.documents,
        annotators=("reference", "system"),
        categories=tuple(named),
        document=document[order].astype(np.int32),
        annotator=annotator[order].astype(np.int32),
        start=start[order],
        end=end[order],
        label=label[order].astype(np.int32),
        coverage=np.ones((len(both.documents), 2), dtype=bool),
        lengths=np.full(len(both.documents), np.nan),
    )


def _unitary(one: Alignment, joined: Units) -> list[Row]:
    def span(row: int) -> list[object] | None:
        if row < 0:
            return None
        label = int(joined.label[row])
        return [
            float(joined.start[row]),
            float(joined.end[row]),
            None if label < 0 else joined.categories[label],
        ]

    return [
        {
            "document": one.document,
            "disorder": cost,
            "reference": span(int(members[0])),
            "system": span(int(members[1])),
        }
        for members, cost in one
    ]
