"""promptfoo results (`--output results.json` or `.jsonl`): verdicts of assertions and of people.

Every assertion is an annotator, called by its metric or its type (`llm-rubric`, `factuality` …), and
a manual rating is the annotator `human`. The value is `pass` or `fail`; `--feature score` takes the
score. A manual rating overwrites the verdict of the whole row, so that is never read: it would make
every judge agree with people on exactly the items that people rated.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from accord.errors import UsageError
from accord.files import safe_json
from accord.files.archive import Entry, Tree
from accord.formats.export import Export
from accord.formats.format import Format, ReadOptions
from accord.formats.logs.verdicts import Verdict, judged, numbered
from accord.formats.sniff import Regex, Sniff

_RESULT = re.compile(rb'"(gradingResult|promptIdx|testIdx|namedScores|promptId)"\s*:')


def collect(tree: Tree, options: ReadOptions) -> Export:
    """Every verdict on every output."""
    if options.feature not in (None, "pass", "score"):
        raise UsageError(f"a verdict has the features pass and score, not {options.feature!r}")
    export = Export(tree.path, "promptfoo", notes=list(tree.notes))
    verdicts: list[Verdict] = []
    for entry in FORMAT.among(tree):
        for number, row in enumerate(_rows(entry)):
            verdicts.extend(_verdicts(row, number, entry.path, export, options))
    return judged(export, verdicts, options)


def _rows(entry: Entry) -> Iterator[dict[str, Any]]:
    path = entry.path
    for line, value in safe_json.load_lines(entry.read(), path):
        record = safe_json.record(value, "a result", path, line)
        results = record.get("results")
        if isinstance(results, dict):
            for row in safe_json.listed(results.get("results"), "results.results", path):
                yield safe_json.record(row, "a result", path)
        else:
            yield record


def _verdicts(
    row: dict[str, Any], number: int, path: str, export: Export, options: ReadOptions
) -> Iterator[Verdict]:
    provider = row.get("provider")
    system = provider.get("label") or provider.get("id") if isinstance(provider, dict) else provider
    prompt = row.get("promptIdx", 0)
    test = row.get("testIdx", number)
    item = f"{safe_json.word(test, 'testIdx', path)}:{safe_json.word(prompt, 'promptIdx', path)}"
    if row.get("error") and row.get("response") is None:
        export.ignored["outputs that ended in an error are missing"] += 1
        return
    grading = row.get("gradingResult")
    parts = list(_parts(grading, path)) if isinstance(grading, dict) else []
    if not parts:
        export.ignored["outputs without any assertion or rating are missing"] += 1
        return
    for name, part in zip(numbered([n for n, _ in parts]), [p for _, p in parts], strict=True):
        if options.feature == "score":
            value: Any = safe_json.number(part.get("score"), "a score", path)
        elif isinstance(part.get("pass"), bool):
            value = "pass" if part["pass"] else "fail"
        else:
            export.ignored["assertions without a verdict were left out"] += 1
            continue
        yield Verdict(item, str(system or "system"), name, value)


def _parts(grading: dict[str, Any], path: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """The verdicts of single assertions; a set of assertions holds verdicts of its own."""
    stack = [grading]
    while stack:
        held = stack.pop()
        inner = safe_json.listed(held.get("componentResults"), "componentResults", path)
        if inner:
            records = [safe_json.record(i, "a component", path) for i in inner]
            stack.extend(reversed(records))
            continue
        assertion = held.get("assertion")
        if isinstance(assertion, dict):
            name = assertion.get("metric") or assertion.get("type") or "assertion"
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
