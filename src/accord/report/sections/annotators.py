"""Sections that every shape has: by pair of annotators, by annotator, by document."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from accord.data import Annotations, Chains, Ratings, Segments, Units
from accord.errors import AccordError
from accord.measures import find
from accord.report.charts import Estimate, estimates
from accord.report.figure import Figure, Table
from accord.report.matrices import heat_map
from accord.report.section import Section, section
from accord.result import Result
from accord.study import Study

#: annotators drawn at most: those who did most (fewer where each pair costs an alignment)
MOST_ANNOTATORS, MOST_ALIGNED = 20, 10
#: documents drawn at most: those that agree least
MOST_DOCUMENTS = 30


def active(data: Annotations, most: int = MOST_ANNOTATORS) -> tuple[str, ...]:
    """The annotators who annotated most, in the data's order."""
    if len(data.annotators) <= most:
        return data.annotators
    if isinstance(data, (Ratings, Units, Chains)):
        done = np.bincount(data.annotator, minlength=len(data.annotators))
    elif isinstance(data, Segments):
        done = np.bincount([a for _, a in data.boundaries], minlength=len(data.annotators))
    else:
        return data.annotators[:most]
    kept = np.sort(np.argsort(-done, kind="stable")[:most])
    return tuple(data.annotators[i] for i in kept)


def annotators_section(study: Study) -> Section | None:
    """The pair matrix as a heat map, and the agreement without each annotator."""
    data, result = study.data, study.result
    if len(data.annotators) < 2:
        return None
    chosen = active(data, MOST_ALIGNED if isinstance(data, Units) else MOST_ANNOTATORS)
    kept = study.part(annotators=chosen)
    pairs = _rows(kept, "pair")
    if not pairs:
        return None
    parts: list[Figure | str] = [_matrix(chosen, pairs, result)]
    leave = _left_out(kept) if len(chosen) > 2 else []
    if leave:
        parts.append(
            estimates(
                "annotators",
                f"{result.measure} without each annotator",
                leave,
                label="without",
                x_label=result.measure,
                overall=result.value,
            )
        )
    lead = "Each cell is the agreement of two annotators alone."
    if leave:
        lead += (
            " Below, the agreement of the others when one annotator is left out: to the right of the"
            " dashed line (everybody), the others agree better without them."
        )
    if len(chosen) < len(data.annotators):
        lead += f" The {len(chosen)} annotators who did most are shown, of {len(data.annotators)}."
    rows = _rows(kept, "annotator")
    return section("annotators", "Annotators", lead, parts, annotator_rows=Table.of(rows))


def documents_section(study: Study) -> Section | None:
    """The value of each document, the lowest drawn with their intervals."""
    data, result = study.data, study.result
    if len(data.documents) < 2:
        return None
    rows = [dict(r) for r in document_rows(study)]
    defined = [r for r in rows if r.get("value") is not None and math.isfinite(r["value"])]
    if not defined:
        return None
    defined.sort(key=lambda r: r["value"])
    shown = defined[:MOST_DOCUMENTS]
    for row in shown:
        if isinstance(data, Ratings):
            limits = study.part(documents=[row["document"]]).interval()
            row.update({} if limits is None else {"low": limits[0], "high": limits[1]})
    chart = estimates(
        "documents",
        f"{result.measure} by document",
        [
            Estimate(str(r["document"]), r["value"], r.get("low"), r.get("high"), r.get("n"))
            for r in shown
        ],
        label="document",
        x_label=result.measure,
        overall=result.value,
    )
    lead = "The dashed line is the value of the whole corpus."
    if len(shown) < len(rows):
        without = len(rows) - len(defined)
        lead += f" The {len(shown)} documents that agree least are drawn, of {len(rows)}"
        lead += f" ({without} have no value of their own)." if without else "."
    if not any("low" in r for r in shown):
        lead += " One document alone has no interval: documents are what is resampled."
    full = Table.of(rows)
    part = section("documents", "Documents", lead, [replace(chart, table=_brief(full, 500))])
    return replace(part, tables={"documents": full})


def document_rows(study: Study) -> Sequence[Mapping[str, Any]]:
    """One row per document: from the sample where that is quick, else the study's breakdown."""
    data, result = study.data, study.result
    if (
        isinstance(data, Ratings)
        and result.sample is not None
        and result.sample.cluster is not None
    ):
        grouped = result.sample.by_cluster()
        values = grouped.value(np.eye(len(data.documents))) if len(data.documents) <= 2000 else None
        if values is not None and data.document is not None:
            n = np.bincount(data.document, minlength=len(data.documents))
            return [
                {"document": d, "value": float(v), "n": int(k)}
                for d, v, k in zip(data.documents, values, n, strict=True)
            ]
    return _rows(study, "document")


def estimate(name: str, result: Result) -> Estimate:
    """A result as one line of a chart."""
    i = result.interval
    return Estimate(name, result.value, i.low if i else None, i.high if i else None, result.n)


def _matrix(who: Sequence[str], pairs: Sequence[Mapping[str, Any]], result: Result) -> Figure:
    value = {(p["first"], p["second"]): p["value"] for p in pairs}
    grid = [[None if a == b else value.get((a, b), value.get((b, a))) for b in who] for a in who]
    known = [v for line in grid for v in line if v is not None and math.isfinite(v)]
    high = find(result.measure).range[1]
    figure = heat_map(
        "pairs",
        f"{result.measure} of each pair",
        who,
        who,
        grid,
        corner="annotator",
        low=min([0.0, *known]),
        high=high if math.isfinite(high) else None,
    )
    return replace(figure, table=Table.of(pairs))


def _left_out(study: Study) -> list[Estimate]:
    out = []
    for who in study.data.annotators:
        try:
            out.append(estimate(who, study.without(who).estimate))
        except AccordError:
            continue
    return out


def _rows(study: Study, name: str) -> Sequence[Mapping[str, Any]]:
    try:
        return study.breakdown(name)
    except AccordError:
        return ()


def _brief(table: Table, most: int) -> Table:
    return Table(table.columns, table.rows[:most])
