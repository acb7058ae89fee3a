"""Inspect logs (`.eval`, or `.json` with `--log-format json`): scores of samples, and their edits.

Every scorer asks a question of its own, and every value of a scorer with several does (`two.a`); the
scorer answers it under that name. Where people edited a score, the first one is the scorer's and each
author is an annotator; the log's current value is the last edit and is not the judge's. Edits stand in
the samples alone: a summary has the last value without its history. NaN means unscored. Newer logs are
packed with Zstandard (`pip install 'accord[logs]'`).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from accord.errors import InputError
from accord.files.archive import Entry
from accord.formats.export import Export
from accord.formats.format import Format, Sniff
from accord.formats.logs.verdicts import Verdict, judged
from accord.formats.records import Name, Struct, key, record

_UNCHANGED = "UNCHANGED"


class _Edit(Struct):
    value: Any = _UNCHANGED
    provenance: dict[str, Any] | None = None


class _Score(Struct):
    value: Any = None
    history: list[_Edit] | None = None


class _Sample(Struct):
    id: Name
    epoch: Any = None
    scores: dict[str, _Score] | None = None


class _Log(Struct):
    about: dict[str, Any] | None = key(default=None, name="eval")
    samples: list[_Sample] | None = None

    @property
    def model(self) -> str:
        return str((self.about or {}).get("model") or "model")


def collect(export: Export) -> None:
    """Every score of every sample."""
    verdicts: list[Verdict] = []
    for model, samples in _logs(export):
        for sample in samples:
            if not sample.scores:
                export.leave_out("samples without a score (errors)")
            for scorer, score in (sample.scores or {}).items():
                for who, question, given in _answers(scorer, score, export):
                    verdicts.append(Verdict(sample.id, model, who, given, question))
    judged(export, verdicts)


def _logs(export: Export) -> Iterator[tuple[str, list[_Sample]]]:
    """Model and samples of each log: files, or the folders that hold the parts of one."""
    parts: dict[str, dict[str, Entry]] = {}
    for entry in export.tree:
        if FORMAT.recognises(Path(entry.name), entry.head(1 << 16)) and entry.stem not in (
            "header",
            "start",
        ):
            whole = record(entry, _Log, constants=True)
            yield whole.model, whole.samples or []
            continue
        for known in ("header.json", "summaries.json", "_journal/", "samples/"):
            place = entry.name.find(known)
            if place == 0 or (place > 0 and entry.name[place - 1] == "/"):
                # a name can occur twice: the last one counts
                parts.setdefault(entry.name[:place], {})[entry.name[place:]] = entry
                break
    for folder, held in parts.items():
        begin = held.get("header.json") or held.get("_journal/start.json")
        if begin is None:
            raise InputError("has no header.json", path=f"{export.path}!{folder}")
        yield record(begin, _Log, constants=True).model, _samples(held, export)


def _samples(held: dict[str, Entry], export: Export) -> list[_Sample]:
    """The samples of one log, and the summaries of those whose sample was not written."""
    whole = [
        record(held[name], _Sample, constants=True)
        for name in sorted(held)
        if name.startswith("samples/")
    ]
    known = {(sample.id, sample.epoch) for sample in whole}
    names = [n for n in sorted(held) if n.startswith("_journal/summaries/")]
    names = ["summaries.json"] if "summaries.json" in held else names
    rows = [s for n in names for s in record(held[n], list[_Sample], constants=True)]
    alone = [row for row in rows if (row.id, row.epoch) not in known]
    if alone:
        export.assume(
            "scores stand in summaries alone, which do not tell who edited them", len(alone)
        )
    return whole + alone


def _answers(scorer: str, score: _Score, export: Export) -> Iterator[tuple[str, str, Any]]:
    """Who answered which question how: the scorer at first, and each author of an edit after it."""
    if not score.history:
        for question, given in _values(scorer, score.value, export):
            yield question, question, given
        return
    current: Any = _UNCHANGED
    people: dict[str | None, Any] = {}
    for edit in score.history:
        if edit.value != _UNCHANGED:
            current = edit.value
        by = edit.provenance
        people[None if by is None else str(by.get("author", "human"))] = current
    for who, value in people.items():
        for question, given in _values(scorer, value, export):
            yield who or question, question, given


def _values(scorer: str, value: Any, export: Export) -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _values(f"{scorer}.{key}", inner, export)
    elif isinstance(value, (str, bool)):
        yield scorer, str(value)
    elif isinstance(value, (int, float)) and math.isfinite(value):
        yield scorer, value
    elif value is None or isinstance(value, float):
        export.leave_out("unscored samples")
    else:
        export.leave_out("scores that are lists")


FORMAT = Format(
    name="inspect",
    title="Inspect log",
    sniff=(
        Sniff(start=b"{", every=(b'"eval"', b'"task"', b'"model"'), some=(b'"samples"', b'"plan"')),
    ),
    tree=(
        (r"(^|/)header\.json$", r"(^|/)summaries\.json$"),
        (r"_journal/(.*/)?[^/]*start\.json$",),
    ),
    people="judges",
    collect=collect,
)
