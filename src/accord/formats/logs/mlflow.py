"""Traces of MLflow with their assessments, as JSON or one a line.

The item is the trace; the source of an assessment is the annotator (a person, a model or a program),
its name the question. An expectation is the reference: it is called `reference`. Assessments that are
no longer valid are left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from accord.errors import InputError
from accord.files import safe_json
from accord.files.archive import Entry, Tree
from accord.formats.export import Export
from accord.formats.format import Format, ReadOptions
from accord.formats.logs.verdicts import Verdict, judged
from accord.formats.sniff import Sniff

_IDS = ("trace_id", "request_id", "id")


def collect(tree: Tree, options: ReadOptions) -> Export:
    """Every valid assessment."""
    export = Export(tree.path, "mlflow", notes=list(tree.notes))
    verdicts: list[Verdict] = []
    for entry in FORMAT.among(tree):
        path = entry.path
        for trace in _traces(entry):
            info = trace.get("info")
            about = info if isinstance(info, dict) else trace
            item = next((about[k] for k in _IDS if about.get(k)), None)
            name = safe_json.word(item, "the id of a trace", path)
            given = about.get("assessments", trace.get("assessments"))
            for value in safe_json.listed(given, "assessments", path):
                row = safe_json.record(value, "an assessment", path)
                if row.get("valid") is False:
                    export.ignored["assessments that were replaced are left out"] += 1
                    continue
                verdicts.extend(_verdict(row, name, path, export))
    return judged(export, verdicts, options)


def _verdict(row: dict[str, Any], item: str, path: str, export: Export) -> list[Verdict]:
    source = safe_json.record(row.get("source") or {}, "the source", path)
    who = source.get("source_id") or source.get("source_type") or "annotator"
    expected = row.get("expectation")
    held = expected if isinstance(expected, dict) else row.get("feedback")
    value = held.get("value") if isinstance(held, dict) else None
    if value is None or isinstance(value, (list, dict)):
        export.ignored["assessments without a single value are missing"] += 1
        return []
    if isinstance(value, bool):
        value = "yes" if value else "no"
    judge = "reference" if isinstance(expected, dict) else safe_json.word(who, "a source", path)
    name = safe_json.word(row.get("assessment_name") or row.get("name") or "", "a name", path)
    return [Verdict(item, "system", judge, value, name)]


def _traces(entry: Entry) -> Iterator[dict[str, Any]]:
    path = entry.path
    for line, value in safe_json.load_lines(entry.read(), path):
        record = safe_json.record(value, "a trace", path, line)
        if isinstance(record.get("traces"), list):
            for trace in record["traces"]:
                yield safe_json.record(trace, "a trace", path, line)
        elif "assessments" in record or isinstance(record.get("info"), dict):
            yield record
        else:
            raise InputError("is no trace with assessments", path=path, line=line)


FORMAT = Format(
    name="mlflow",
    title="MLflow traces with assessments",
    sniff=(Sniff(start=b"{[", every=(b'"assessments"', b'"source_type"')),),
    people="judges",
    collect=collect,
)
