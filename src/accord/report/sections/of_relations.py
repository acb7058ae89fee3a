"""Sections of relations: what is the same and what is not, labels, the worst, and arcs to look at."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from accord.alignment.align_relations import align_relations
from accord.data import Relations
from accord.errors import AccordError
from accord.measures.relations.parts import settings_of
from accord.report.charts import Estimate, estimates
from accord.report.figure import Table
from accord.report.section import Section, section
from accord.report.sections.examples import Behind
from accord.report.svg import escaped
from accord.study import Studies, Study

MOST_LABELS = 20
MOST_CASES = 25
#: letters of an end that are shown
_LONGEST = 40


@dataclass(frozen=True, slots=True)
class _Case:
    """One aligned relation: what each annotator linked, empty where they have none there."""

    document: str
    disorder: float
    said: Mapping[str, str]


def relations_sections(data: Relations, study: Study, studies: Studies) -> list[Section]:
    """All sections that only relations have, but the explorer, which the page includes itself."""
    found = [_errors(study), _labels(study), _beside(data, studies), _cases(data, study)]
    return [s for s in found if s is not None]


def _errors(study: Study) -> Section | None:
    try:
        rows = study.breakdown("errors")
    except AccordError:
        return None
    if not any(row["count"] for row in rows):
        return None
    table = Table.of(rows)
    return section(
        "relation-errors",
        "What differs",
        "Each two annotators of a document, relation by relation of the best alignment. Ends that "
        "overlap count as the same end; a relation that one annotator draws from B to A and another "
        "from A to B is turned round.",
        [table.html("Kinds of difference")],
        errors=table,
    )


def _labels(study: Study) -> Section | None:
    try:
        rows = [row for row in study.breakdown("label") if row["n"]]
    except AccordError:
        return None
    if len(rows) < 2:
        return None
    shown = sorted(rows, key=lambda row: -row["n"])[:MOST_LABELS]
    lines = [
        Estimate(str(row["label"]), float(row["value"]), row.get("low"), row.get("high"), row["n"])
        for row in shown
        if row["value"] == row["value"]
    ]
    table = Table.of(rows)
    parts: list[Any] = []
    if lines:
        parts.append(
            estimates(
                "labels", "Agreement on each label", lines, label="label", x_label=study.record.name
            )
        )
    return section(
        "labels",
        "Labels",
        "The relations of one label alone: how well annotators agree which units it links.",
        parts or [table.html("Labels")],
        labels=table,
    )


def _beside(data: Relations, studies: Studies) -> Section | None:
    """What must be read beside γ of the relations."""
    rows: list[dict[str, Any]] = []
    for name in ("relation-f1", "relation-cat"):
        try:
            result = studies(name).result
        except AccordError:
            continue
        rows.append({"measure": name, "value": result.value, "what": studies.find(name).title})
    if not data.given:
        from accord.measures import agree

        try:
            found = agree(data.ends_as_units(), "gamma")
            rows.append({"measure": "gamma", "value": found.value, "what": "the units they link"})
        except AccordError:
            pass
    if not rows:
        return None
    table = Table.of(rows)
    return section(
        "relations-beside",
        "Beside the coefficient",
        "Agreement on relations is agreement given the units: where people do not mark the same "
        "units they cannot link the same.",
        [table.html("Other measures of the same annotations")],
        beside=table,
    )


def divided_relations(data: Relations, study: Study, who: Sequence[str]) -> Behind:
    """For each two annotators, the aligned relations in which they differ, the worst first."""
    found: dict[tuple[str, str], list[_Case]] = {}
    for case in _disputed(data, study):
        there = [name for name in case.said if name in who]
        for a, b in combinations(there, 2):
            if case.said[a] != case.said[b]:
                found.setdefault((a, b), []).append(case)
    return Behind(found, _told, ("relation", "relations"))


def _told(case: _Case) -> str:
    said = ", ".join(
        f'{escaped(name)} <b translate="no">{escaped(words)}</b>' if words
        else f"{escaped(name)} <b>nothing</b>"
        for name, words in case.said.items()
    )  # fmt: skip
    return f"<code>{escaped(case.document)}</code><br>{said}"


def _disputed(data: Relations, study: Study) -> list[_Case]:
    """Relations aligned at a cost, or that others do not have; the worst first. Kept with the data."""
    key = ("disputed", repr(sorted(study.options.items())))
    if key not in data.memo:
        data.memo[key] = _aligned(data, study)
    kept: list[_Case] = data.memo[key]
    return kept


def _aligned(data: Relations, study: Study) -> list[_Case]:
    try:
        found = align_relations(data, settings_of(study).between(data)[1])
    except AccordError:
        return []
    texts = dict(zip(data.documents, data.texts or (), strict=False))
    said = [
        f"{_end(r.source, text)} → {_end(r.target, text)} {r.label or ''}".strip()
        for r in data
        for text in (texts.get(r.document),)
    ]
    cases = [
        _Case(
            a.document,
            float(disorder),
            {
                who: "" if row < 0 else said[row]
                for who, row in zip(a.annotators, members.tolist(), strict=True)
            },
        )
        for a in found
        for members, disorder in a
        if disorder > 0
    ]
    return sorted(cases, key=lambda case: -case.disorder)


def _cases(data: Relations, study: Study) -> Section | None:
    rows: list[dict[str, Any]] = [
        {"document": case.document, "disorder": case.disorder, **case.said}
        for case in _disputed(data, study)
    ]
    if not rows:
        return None
    table = Table.of(rows[:2000])
    return section(
        "items",
        "Worst disagreements",
        "Aligned relations that cost most, and those that others do not have.",
        [Table(table.columns, table.rows[:MOST_CASES]).html("Worst alignments")],
        disputed=table,
    )


def _end(end: str | tuple[float, float], text: str | None) -> str:
    """The item, or the words that stand there, or else where it is."""
    if isinstance(end, str):
        return end
    start, stop = int(end[0]), int(end[1])
    if text is None or not 0 <= start < stop <= len(text):
        return f"{end[0]:g}–{end[1]:g}"
    words = " ".join(text[start:stop].split())
    return words if len(words) <= _LONGEST else f"{words[: _LONGEST - 1]}…"
