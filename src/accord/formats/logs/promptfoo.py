"""promptfoo results (`--output results.json` or `.jsonl`): verdicts of assertions and of people.

Every assertion is a question of its own, called by its metric or its type (`llm-rubric`, `factuality` …),
which it answers under that name; a manual rating is the annotator `human`, who answers each of them
for the whole output. The value is `pass` or `fail`; `--feature score` takes the
score. A manual rating overwrites the verdict of the whole row, so that is never read: it would make
every judge agree with people on exactly the items that people rated.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from accord.errors import UsageError
from accord.files import safe_json
from accord.formats.export import Export
from accord.formats.format import Format, Regex, Sniff
from accord.formats.logs.verdicts import Verdict, judged, numbered
from accord.formats.records import Name, Struct, key, records

#: the assertion that a manual rating is
_HUMAN = "human"


class _Grading(Struct):
    """A verdict, or a set of them."""

    passed: Any = key(default=None, name="pass")
    score: Any = None
    assertion: dict[str, Any] | None = None
    inner: list[_Grading] | None = key(default=None, name="componentResults")


class _Row(Struct):
    provider: dict[str, Any] | str | None = None
    prompt: Name = key(default="0", name="promptIdx")
    test: Name | None = key(default=None, name="testIdx")
    error: Any = None
    response: Any = None
    grading: _Grading | None = key(default=None, name="gradingResult")


class _Rows(Struct):
    results: list[_Row] | None = None


class _Record(_Row):
    results: _Rows | None = None


def collect(export: Export) -> None:
    """Every verdict on every output."""
    if export.options.feature not in (None, "pass", "score"):
        raise UsageError(
            f"a verdict has the features pass and score, not {export.options.feature!r}"
        )
    verdicts: list[Verdict] = []
    for entry in export.files:
        rows: list[_Row] = []
        for _, held in records(entry, _Record):
            rows += [held] if held.results is None else held.results.results or []
        for number, row in enumerate(rows):
            verdicts.extend(_verdicts(row, number, entry.path, export))
    judged(export, verdicts)


def _verdicts(row: _Row, number: int, path: str, export: Export) -> Iterator[Verdict]:
    system = row.provider
    if isinstance(system, dict):
        system = system.get("label") or system.get("id")
    item = f"{number if row.test is None else row.test}:{row.prompt}"
    if row.error and row.response is None:
        export.leave_out("outputs that ended in an error")
        return
    parts = [] if row.grading is None else list(_parts(row.grading, path))
    if not parts:
        export.leave_out("outputs without any assertion or rating")
        return
    names = numbered([n for n, _ in parts])
    asked = [name for name in names if name != _HUMAN] or [_HUMAN]
    for name, (_, part) in zip(names, parts, strict=True):
        if export.options.feature == "score":
            value: Any = safe_json.number(part.score, "a score", path)
        elif isinstance(part.passed, bool):
            value = "pass" if part.passed else "fail"
        else:
            export.leave_out("assertions without a verdict")
            continue
        for question in asked if name == _HUMAN else [name]:
            yield Verdict(item, str(system or "system"), name, value, question)


def _parts(grading: _Grading, path: str) -> Iterator[tuple[str, _Grading]]:
    """The verdicts of single assertions; a set of assertions holds verdicts of its own."""
    stack = [grading]
    while stack:
        held = stack.pop()
        stack.extend(reversed(held.inner or ()))
        if not held.inner and held.assertion is not None:
            name = held.assertion.get("metric") or held.assertion.get("type") or "assertion"
            yield safe_json.word(name, "the name of an assertion", path), held


FORMAT = Format(
    name="promptfoo",
    title="promptfoo results",
    sniff=(
        Sniff(start=b"{", every=(b'"gradingResult"', b'"promptIdx"')),
        # version 2 tells its tests by neither number nor verdict
        Sniff(
            start=b"{",
            every=(b'"results"', b'"prompt"'),
            some=(
                Regex(rb'"(gradingResult|promptIdx|testIdx|namedScores|promptId)"\s*:'),
                b'"tokenUsage"',
            ),
        ),
    ),
    people="judges",
    collect=collect,
)
