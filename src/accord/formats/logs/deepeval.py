"""DeepEval test runs: the metrics of each test case, judged by a model.

A metric is a question, and with the model that judged by it the annotator; the value is the score, or
with `--feature success` whether it passed. A metric that ended in an error is missing.
"""

from __future__ import annotations

from typing import Any

from accord.errors import UsageError
from accord.formats.export import Export
from accord.formats.format import Format, Sniff
from accord.formats.logs.verdicts import Verdict, judged
from accord.formats.records import Name, Number, Struct, key, record


class _Metric(Struct):
    name: Name
    score: Number | None = None
    success: Any = None
    error: Any = None
    model: Any = key(default=None, name="evaluationModel")


class _Case(Struct):
    name: Name | None = None
    metrics: list[_Metric] | None = key(default=None, name="metricsData")


class _Run(Struct):
    cases: list[_Case] | None = key(default=None, name="testCases")
    talks: list[_Case] | None = key(default=None, name="conversationalTestCases")


class _Record(_Run):
    run: _Run | str | None = key(default=None, name="testRunData")


def collect(export: Export) -> None:
    """Every metric of every case."""
    if export.options.feature not in (None, "score", "success"):
        raise UsageError(
            f"a metric has the features score and success, not {export.options.feature!r}"
        )
    verdicts: list[Verdict] = []
    for entry in export.files:
        whole = record(entry, _Record)
        run = whole.run or whole
        if isinstance(run, str):
            raise entry.wrong(
                "is a link to a test run and not the run", hint="give the file it names"
            )
        for cases in (run.cases, run.talks):
            for number, case in enumerate(cases or ()):
                for metric in case.metrics or ():
                    value = metric.success if export.options.feature == "success" else metric.score
                    if metric.error or value is None:
                        export.leave_out("metrics without a value")
                        continue
                    if export.options.feature == "success":
                        value = "pass" if value else "fail"
                    who = f"{metric.name} ({metric.model})" if metric.model else metric.name
                    item = case.name or str(number)
                    verdicts.append(Verdict(item, "system", who, value, metric.name))
    judged(export, verdicts)


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
