"""The section on documents that every shape has: the value of each."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from accord.data import Ratings
from accord.report.charts import Estimate, estimates
from accord.report.figure import Table
from accord.report.section import Section, section
from accord.report.sections.annotators import rows_of
from accord.study import Study

#: documents drawn at most: those that agree least
MOST_DOCUMENTS = 30


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
    return rows_of(study, "document")


def _brief(table: Table, most: int) -> Table:
    return Table(table.columns, table.rows[:most])
