"""Sections of boxes: three faults, labels, confusions of aligned shapes, worst groups."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from accord.alignment.alignment import Alignment
from accord.data import Boxes
from accord.report.charts import Estimate, estimates
from accord.report.figure import Figure, Table
from accord.report.section import Section, paragraph, section
from accord.report.sections.annotators import rows_of
from accord.report.sections.of_units import MOST_CATEGORIES, confusions
from accord.result import Row
from accord.study import Study

#: what each fault is cured by
_CURES = {
    "without_counterpart": (
        "shapes without counterpart",
        "say what is to be drawn, and what is not",
    ),
    "mean_iou": ("mean IoU of aligned pairs", "say where a shape ends"),
    "label_alpha": ("α of the labels of aligned groups", "say what the labels mean"),
}


def boxes_sections(data: Boxes, alignments: Sequence[Alignment], study: Study) -> list[Section]:
    """All sections that only boxes have, but the images, which the page includes itself."""
    found = [_faults(study), _labels(study), confusions(data, alignments)]
    return [s for s in found if s is not None]


def _faults(study: Study) -> Section | None:
    terms: Mapping[str, Any] = study.result.terms
    rows: list[Row] = [
        {"what": what, "value": terms[key], "cure": cure}
        for key, (what, cure) in _CURES.items()
        if terms.get(key) is not None
    ]
    if not rows:
        return None
    errors = rows_of(study, "errors")
    parts: list[Figure | str] = [Table.of(rows).html("Three faults, three cures")]
    tables = {"faults": Table.of(rows)}
    if errors:
        parts.append(Table.of(errors).html("What two annotators do with a shape"))
        tables["errors"] = Table.of(errors)
    parts.append(
        paragraph(
            "Aligned shapes are in the same place when they share half of what both cover (IoU .5).",
            "aside",
        )
    )
    lead = (
        "Disorder has three sources, which one value cannot tell apart: shapes that only some drew, "
        "outlines that differ, labels that differ."
    )
    return section("faults", "Where it fails", lead, parts, **tables)


def _labels(study: Study) -> Section | None:
    if len(getattr(study.data, "categories", ())) < 2:
        return None
    rows = [r for r in rows_of(study, "label") if r.get("value") == r.get("value")]
    rows = sorted(rows, key=lambda r: -(r.get("n") or 0))
    if not rows:
        return None
    shown = rows[:MOST_CATEGORIES]
    chart = estimates(
        "labels",
        f"{study.result.measure} of each label",
        [
            Estimate(str(r["label"]), r["value"], r.get("low"), r.get("high"), r.get("n"))
            for r in shown
        ],
        label="label",
        x_label=study.result.measure,
        overall=study.result.value,
    )
    lead = "The measure on the shapes of one label alone: how well these are found and outlined."
    if len(shown) < len(rows):
        lead += f" The {len(shown)} most frequent are drawn, of {len(rows)}."
    return section("labels", "Labels", lead, [chart])
