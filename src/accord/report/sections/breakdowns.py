"""Sections that every shape has: by pair of annotators, by annotator, by document."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from accord.data import Annotations, Chains, Ratings, Segments, Units
from accord.errors import AccordError
from accord.measures import agree, find
from accord.report.charts import Estimate, estimates
from accord.report.figure import Figure, Table
from accord.report.matrices import heat_map
from accord.report.section import Section, section
from accord.result import Result

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


def annotators_section(
    data: Annotations, result: Result, options: Mapping[str, Any], *, seed: int, resamples: int
) -> Section | None:
    """The pair matrix as a heat map, and the agreement without each annotator."""
    if len(data.annotators) < 2:
        return None
    chosen = active(data, MOST_ALIGNED if isinstance(data, Units) else MOST_ANNOTATORS)
    kept = data if len(chosen) == len(data.annotators) else data.select(annotators=chosen)
    pairs = _rows(kept, result.measure, "pair", options)
    if not pairs:
        return None
    parts: list[Figure | str] = [_matrix(chosen, pairs, result)]
    leave = _left_out(kept, result, options, seed, resamples) if len(chosen) > 2 else []
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
    if isinstance(kept, Ratings):
        rows = _rows(kept, result.measure, "annotator", options)
    else:
        rows = _means(chosen, pairs, leave)
    return section("annotators", "Annotators", lead, parts, annotator_rows=Table.of(rows))


def documents_section(
    data: Annotations, result: Result, options: Mapping[str, Any], *, seed: int, resamples: int
) -> Section | None:
    """The value of each document, the lowest drawn with their intervals."""
    if len(data.documents) < 2:
        return None
    rows = [dict(r) for r in document_rows(data, result, options)]
    defined = [r for r in rows if r.get("value") is not None and math.isfinite(r["value"])]
    if not defined:
        return None
    defined.sort(key=lambda r: r["value"])
    shown = defined[:MOST_DOCUMENTS]
    for row in shown:
        if isinstance(data, Ratings):
            alone = data.select(documents=[row["document"]])
            row.update(_bounds(alone, result.measure, options, seed, resamples))
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


def document_rows(
    data: Annotations, result: Result, options: Mapping[str, Any]
) -> Sequence[Mapping[str, Any]]:
    """One row per document: from the result, its sample, or the measure once more."""
    if "document" in result.by:
        return result.by["document"]
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
    return _rows(data, result.measure, "document", options)


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


def _means(
    who: Sequence[str], pairs: Sequence[Mapping[str, Any]], leave: Sequence[Estimate]
) -> list[dict[str, Any]]:
    """Mean over the pairs of each annotator, and the value without them: nothing computed twice."""
    without = {e.name: e.value for e in leave}
    rows = []
    for a in who:
        values = [p["value"] for p in pairs if a in (p["first"], p["second"])]
        good = [v for v in values if math.isfinite(v)]
        mean = sum(good) / len(good) if good else math.nan
        rows.append({"annotator": a, "mean_pairwise": mean, "without": without.get(a)})
    return rows


def _left_out(
    data: Annotations, result: Result, options: Mapping[str, Any], seed: int, resamples: int
) -> list[Estimate]:
    out = []
    for who in data.annotators:
        others = data.select(annotators=[a for a in data.annotators if a != who])
        try:
            value = agree(
                others, result.measure, ci="bootstrap", seed=seed, resamples=resamples, **options
            )
        except AccordError:
            continue
        out.append(estimate(who, value))
    return out


def _bounds(
    data: Annotations, measure: str, options: Mapping[str, Any], seed: int, resamples: int
) -> dict[str, float]:
    value = agree(data, measure, ci="bootstrap", seed=seed, resamples=resamples, **options)
    if value.interval is None:
        return {}
    return {"low": value.interval.low, "high": value.interval.high}


def _rows(
    data: Annotations, measure: str, name: str, options: Mapping[str, Any]
) -> Sequence[Mapping[str, Any]]:
    try:
        rows: Sequence[Mapping[str, Any]] = agree(data, measure, by=[name], **options).by[name]
    except AccordError:
        return ()
    return rows


def _brief(table: Table, most: int) -> Table:
    return Table(table.columns, table.rows[:most])
