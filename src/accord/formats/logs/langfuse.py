"""Scores of Langfuse, as its interface gives them: a list under `data`, or one a line.

The item is the observation that was scored, else the trace or session. A score of source ANNOTATION
is a person's (`authorUserId`); one of EVAL is a judge's, called by its name; one of API may be either:
it is called by its name, with a note. Scores of one name answer one question.
"""

from __future__ import annotations

from typing import Any

from accord.files import safe_json
from accord.formats.export import Export
from accord.formats.format import Format, Regex, Sniff
from accord.formats.logs.verdicts import Verdict, judged
from accord.formats.records import Name, Struct, key, records


class _Subject(Struct):
    """What a score is about, the narrowest first."""

    observation: Name | None = key(default=None, name="observationId")
    trace: Name | None = key(default=None, name="traceId")
    session: Name | None = key(default=None, name="sessionId")
    run: Name | None = key(default=None, name="datasetRunId")
    id: Name | None = None


class _Score(_Subject):
    name: Name | None = None
    source: Any = None
    author: Name | None = key(default=None, name="authorUserId")
    value: Any = None
    word: Any = key(default=None, name="stringValue")
    subject: _Subject | None = None


class _Record(_Score):
    data: list[_Score] | None = None


def collect(export: Export) -> None:
    """Every score."""
    verdicts: list[Verdict] = []
    unclear = 0
    for entry in export.files:
        for line, held in records(entry, _Record):
            for row in [held] if held.data is None else held.data:
                about = row.subject or row
                item = about.observation or about.trace or about.session or about.run or about.id
                if row.name is None or item is None:
                    raise entry.wrong("is no score of anything", line)
                value = row.value if row.word is None else row.word
                if row.source == "ANNOTATION":
                    who = row.author or "human"
                else:
                    who = row.name
                    unclear += row.source != "EVAL"
                if value is None:
                    export.leave_out("scores without a value")
                    continue
                if not isinstance(value, str):
                    value = safe_json.number(value, "a score", entry.path, line)
                verdicts.append(Verdict(item, "system", who, value, row.name))
    if unclear:
        # whether a person or a program gave them is not said
        export.assume("scores that came through the API are called by their name", unclear)
    judged(export, verdicts)


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
