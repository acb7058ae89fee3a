"""Scores of Langfuse, as its interface gives them: a list under `data`, or one a line.

The item is the observation that was scored, else the trace or session. A score of source ANNOTATION
is a person's (`authorUserId`); one of EVAL is a judge's, called by its name; one of API may be either:
it is called by its name, with a note. Scores of one name answer one question.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from accord.errors import InputError
from accord.files import safe_json
from accord.files.archive import Entry, Tree
from accord.formats.export import Export
from accord.formats.format import Format, ReadOptions
from accord.formats.logs.verdicts import Verdict, judged
from accord.formats.sniff import Regex, Sniff

_SOURCE = re.compile(rb'"source"\s*:\s*"(ANNOTATION|EVAL|API)"')
_SUBJECTS = ("observationId", "traceId", "sessionId", "datasetRunId")


def collect(tree: Tree, options: ReadOptions) -> Export:
    """Every score."""
    export = Export(tree.path, "langfuse", notes=list(tree.notes))
    verdicts: list[Verdict] = []
    unclear = 0
    for entry in FORMAT.among(tree):
        path = entry.path
        for row in _rows(entry):
            given = row.get("subject")
            subject = given if isinstance(given, dict) else row
            item = next((subject[k] for k in _SUBJECTS if subject.get(k)), subject.get("id"))
            name = safe_json.word(row.get("name"), "the name of a score", path)
            source = row.get("source")
            if source == "ANNOTATION":
                who = safe_json.word(row.get("authorUserId") or "human", "authorUserId", path)
            else:
                who = name
                unclear += source != "EVAL"
            value = row.get("stringValue")
            if value is None:
                value = row.get("value")
            if value is None:
                export.ignored["scores without a value are missing"] += 1
                continue
            if not isinstance(value, str):
                value = safe_json.number(value, "a score", path)
            about = safe_json.word(item, "what a score is about", path)
            verdicts.append(Verdict(about, "system", who, value, name))
    if unclear:
        export.notes.append(
            f"{unclear} scores came through the API: whether a person or a program gave them is not "
            "said; they are called by their name"
        )
    return judged(export, verdicts, options)


def _rows(entry: Entry) -> Iterator[dict[str, Any]]:
    path = entry.path
    for line, value in safe_json.load_lines(entry.read(), path):
        record = safe_json.record(value, "a score", path, line)
        if isinstance(record.get("data"), list):
            for row in record["data"]:
                yield safe_json.record(row, "a score", path, line)
        elif "name" in record:
            yield record
        else:
            raise InputError("is no list of scores", path=path, line=line)


FORMAT = Format(
    name="langfuse",
    title="Langfuse scores",
    sniff=(
        Sniff(
            start=b"{[",
            every=(Regex(rb'"source"\s*:\s*"(ANNOTATION|EVAL|API)"'),),
            some=(b'"dataType"', b'"traceId"'),
        ),
    ),
    people="judges",
    collect=collect,
)
