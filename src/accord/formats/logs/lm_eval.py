"""Samples of the lm-evaluation-harness (`--log_samples`): the metrics of each document.

The model (the folder's name) is the annotator, with the filter where there are several; each metric
is a question. The item is the document's hash. A document stands once for every filter.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from accord.files import safe_json
from accord.files.archive import Entry
from accord.formats.export import Export
from accord.formats.format import Format, Sniff
from accord.formats.records import Name, Struct, records, shaped

_TASK = re.compile(r"samples_(.+?)(_\d{4}-\d\d-\d\dT[\d.:-]+)?$")


class _Sample(Struct):
    doc_id: Name
    doc_hash: Name | None = None
    filter: Name | None = None
    metrics: list[Name] | None = None


def collect(export: Export) -> None:
    """Every metric of every sample."""
    files = export.files
    rows: list[tuple[str, str, str, str, Any]] = []
    for entry in files:
        found = _TASK.fullmatch(entry.stem)
        task = entry.stem if found is None else found[1]
        model = _model(entry)
        for line, values in records(entry, dict[str, Any]):
            sample = shaped(values, _Sample, entry.path, line)
            item = sample.doc_hash or f"{task} {sample.doc_id}"
            for metric in sample.metrics or ():
                given = values.get(metric)
                if isinstance(given, bool) or not isinstance(given, (int, float)):
                    export.leave_out(f"values of {metric} that are no numbers")
                    continue
                score = safe_json.number(given, metric, entry.path, line)
                rows.append((item, model, sample.filter or "none", metric, score))
    filters = {r[2] for r in rows}
    for item, model, chosen, metric, score in rows:
        who = f"{model} {chosen}" if len(filters) > 1 else model
        export.see(item, who).judge(score, metric)


def _model(entry: Entry) -> str:
    """The folder in which the samples stand; the tool names it after the model."""
    return Path(entry.path.rpartition("!")[2]).resolve().parent.name or "model"


FORMAT = Format(
    name="lm-eval",
    title="lm-evaluation-harness samples",
    sniff=(Sniff(start=b"{", every=(b'"doc_id"', b'"filtered_resps"', b'"resps"')),),
    people="judges",
    collect=collect,
)
