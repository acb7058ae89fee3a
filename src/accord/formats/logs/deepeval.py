"""DeepEval test runs: the metrics of each test case, judged by a model.

A metric and the model that judged by it are the annotator; the value is the score, or with
`--feature success` whether it passed. A metric that ended in an error is missing.
"""

from __future__ import annotations

from typing import Any

from accord.errors import InputError, UsageError
from accord.files import safe_json
from accord.files.archive import Tree
from accord.formats.export import Export
from accord.formats.format import Format, ReadOptions
from accord.formats.logs.verdicts import Verdict, judged
from accord.formats.sniff import Sniff


def collect(tree: Tree, options: ReadOptions) -> Export:
    """Every metric of every case."""
    if options.feature not in (None, "score", "success"):
        raise UsageError(f"a metric has the features score and success, not {options.feature!r}")
    export = Export(tree.path, "deepeval", notes=list(tree.notes))
    verdicts: list[Verdict] = []
    for entry in FORMAT.among(tree):
        path = entry.path
        whole = safe_json.record(safe_json.load(entry.read(), path), "the test run", path)
        run = whole.get("testRunData", whole)
        if not isinstance(run, dict):
            raise InputError(
                "is a link to a test run and not the run", path=path, hint="give the file it names"
            )
        for kind in ("testCases", "conversationalTestCases"):
            for number, value in enumerate(safe_json.listed(run.get(kind), kind, path)):
                case = safe_json.record(value, "a test case", path)
                item = safe_json.word(case.get("name") or number, "the name of a case", path)
                for metric in safe_json.listed(case.get("metricsData"), "metricsData", path):
                    held = safe_json.record(metric, "a metric", path)
                    verdicts.extend(_verdict(held, item, path, export, options))
    return judged(export, verdicts, options)


def _verdict(
    metric: dict[str, Any], item: str, path: str, export: Export, options: ReadOptions
) -> list[Verdict]:
    value = metric.get(options.feature or "score")
    if metric.get("error") or value is None:
        export.ignored["metrics without a value are missing"] += 1
        return []
    model = metric.get("evaluationModel")
    who = safe_json.word(metric.get("name"), "the name of a metric", path)
    who = f"{who} ({model})" if model else who
    if options.feature == "success":
        return [Verdict(item, "system", who, "pass" if value else "fail")]
    return [Verdict(item, "system", who, safe_json.number(value, "a score", path))]


FORMAT = Format(
    name="deepeval",
    title="DeepEval test run",
    sniff=(
        Sniff(
            start=b"{",
            every=(b'"metricsData"',),
            some=(b'"testCases"', b'"conversationalTestCases"'),
        ),
        Sniff(start=b"{", every=(b'"testRunData"',)),
    ),
    people="judges",
    collect=collect,
)
