"""Traces of MLflow with their assessments, as JSON or one a line.

The item is the trace; the source of an assessment is the annotator (a person, a model or a program),
its name the question. An expectation is the reference: it is called `reference`. Assessments that are
no longer valid are left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from accord.formats.export import Export
from accord.formats.format import Format, Sniff
from accord.formats.logs.verdicts import Verdict, judged
from accord.formats.records import Name, Struct, records


class _Assessment(Struct):
    assessment_name: Name | None = None
    name: Name | None = None
    valid: Any = None
    source: dict[str, Any] | None = None
    expectation: dict[str, Any] | None = None
    feedback: dict[str, Any] | None = None


class _Info(Struct):
    trace_id: Name | None = None
    request_id: Name | None = None
    id: Name | None = None
    assessments: list[_Assessment] | None = None


class _Trace(_Info):
    info: _Info | None = None
    traces: list[_Trace] | None = None


def collect(export: Export) -> None:
    """Every valid assessment."""
    verdicts: list[Verdict] = []
    for entry in export.files:
        for line, whole in records(entry, _Trace):
            for trace in [whole] if whole.traces is None else whole.traces:
                about = trace.info or trace
                item = about.trace_id or about.request_id or about.id
                given = trace.assessments if about.assessments is None else about.assessments
                if item is None:
                    raise entry.wrong("is no trace with assessments", line)
                for one in given or ():
                    verdicts.extend(_verdict(one, item, export))
    judged(export, verdicts)


def _verdict(one: _Assessment, item: str, export: Export) -> Iterator[Verdict]:
    if one.valid is False:
        export.leave_out("assessments that were replaced")
        return
    value = (one.expectation or one.feedback or {}).get("value")
    if value is None or isinstance(value, (list, dict)):
        export.leave_out("assessments without a single value")
        return
    if isinstance(value, bool):
        value = "yes" if value else "no"
    source = one.source or {}
    judge = str(source.get("source_id") or source.get("source_type") or "annotator")
    judge = "reference" if one.expectation else judge
    yield Verdict(item, "system", judge, value, one.assessment_name or one.name or "")


FORMAT = Format(
    name="mlflow",
    title="MLflow traces with assessments",
    sniff=(Sniff(start=b"{[", every=(b'"assessments"', b'"source_type"')),),
    people="judges",
    collect=collect,
)
