"""Samples of the lm-evaluation-harness (`--log_samples`): the metrics of each document.

The model (the folder's name) is the annotator, with the filter where there are several; each metric
is a question. The item is the document's hash. A document stands once for every filter.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from accord.files import safe_json
from accord.files.archive import Entry, Tree
from accord.formats.export import Export, Judgement
from accord.formats.format import Format, ReadOptions
from accord.formats.sniff import Sniff

_TASK = re.compile(r"samples_(.+?)(_\d{4}-\d\d-\d\dT[\d.:-]+)?$")


def collect(tree: Tree, options: ReadOptions) -> Export:
    """Every metric of every sample."""
    export = Export(tree.path, "lm-eval", notes=list(tree.notes))
    files = FORMAT.among(tree)
    rows: list[tuple[str, str, str, str, Any]] = []
    for entry in files:
        found = _TASK.fullmatch(entry.stem)
        task = entry.stem if found is None else found[1]
        model = _model(entry)
        for line, value in safe_json.load_lines(entry.read(), entry.path):
            row = safe_json.record(value, "a sample", entry.path, line)
            number = safe_json.word(row.get("doc_id"), "doc_id", entry.path, line)
            item = safe_json.word(row.get("doc_hash") or f"{task} {number}", "doc_hash", entry.path)
            chosen = safe_json.word(row.get("filter") or "none", "filter", entry.path, line)
            for name in safe_json.listed(row.get("metrics"), "metrics", entry.path, line):
                metric = safe_json.word(name, "a metric", entry.path, line)
                given = row.get(metric)
                if isinstance(given, bool) or not isinstance(given, (int, float)):
                    export.ignored[f"values of {metric} that are no numbers were left out"] += 1
                    continue
                rows.append(
                    (item, model, chosen, metric, safe_json.number(given, metric, entry.path))
                )
    filters = {r[2] for r in rows}
    for item, model, chosen, metric, score in rows:
        who = f"{model} {chosen}" if len(filters) > 1 else model
        export.see(item, who)
        export.judgements.append(Judgement(item, who, score, metric))
    return export


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
