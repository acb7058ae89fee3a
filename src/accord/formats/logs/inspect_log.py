"""Inspect logs (`.eval`, or `.json` with `--log-format json`): scores of samples, and their edits.

Every scorer is an annotator; a scorer with several values is one annotator for each (`two.a`). Where
people edited a score, the first one is the scorer's and each author is an annotator; the log's
current value is the last edit and is not the judge's. NaN means unscored. Newer logs are packed with
Zstandard (`pip install 'accord[logs]'`).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from accord.errors import InputError
from accord.files import safe_json
from accord.files.archive import Entry, Tree
from accord.formats.export import Export
from accord.formats.format import Format, ReadOptions
from accord.formats.logs.verdicts import Verdict, judged
from accord.formats.sniff import Sniff

_UNCHANGED = "UNCHANGED"


def collect(tree: Tree, options: ReadOptions) -> Export:
    """Every score of every sample."""
    export = Export(tree.path, "inspect", notes=list(tree.notes))
    verdicts: list[Verdict] = []
    for model, samples, path in _logs(tree):
        for value in samples:
            sample = safe_json.record(value, "a sample", path)
            name = safe_json.word(sample.get("id"), "the id of a sample", path)
            scores = safe_json.record(sample.get("scores") or {}, "the scores", path)
            if not scores:
                export.ignored["samples without a score (errors) are missing"] += 1
            for scorer, score in scores.items():
                held = safe_json.record(score, "a score", path)
                for who, given in _answers(scorer, held, path, export):
                    verdicts.append(Verdict(name, model, who, given))
    return judged(export, verdicts, options)


def _logs(tree: Tree) -> Iterator[tuple[str, list[Any], str]]:
    """Model, samples and place of each log: files, or the folders that hold the parts of one."""
    parts: dict[str, dict[str, Entry]] = {}
    for entry in tree:
        if FORMAT.recognises(Path(entry.name), entry.head(1 << 16)) and entry.stem not in (
            "header",
            "start",
        ):
            whole = _load(entry)
            yield (
                _model(whole),
                safe_json.listed(whole.get("samples"), "samples", entry.path),
                (entry.path),
            )
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
            raise InputError("has no header.json", path=f"{tree.path}!{folder}")
        rows: list[Any] = []
        if "summaries.json" in held:
            entry = held["summaries.json"]
            rows = safe_json.listed(_any(entry), "the summaries", entry.path)
        else:
            for name in sorted(n for n in held if n.startswith("_journal/summaries/")):
                rows += safe_json.listed(_any(held[name]), "the summaries", held[name].path)
        if not rows:
            rows = [_load(held[n]) for n in sorted(held) if n.startswith("samples/")]
        yield _model(_load(begin)), rows, begin.path


def _any(entry: Entry) -> Any:
    return safe_json.load(entry.read(), entry.path, constants=True)


def _load(entry: Entry) -> dict[str, Any]:
    return safe_json.record(_any(entry), "the log", entry.path)


def _model(log: dict[str, Any]) -> str:
    about = log.get("eval")
    return str(about.get("model") or "model") if isinstance(about, dict) else "model"


def _answers(
    scorer: str, score: dict[str, Any], path: str, export: Export
) -> Iterator[tuple[str, Any]]:
    """Who gave what: the scorer its first value, and each author of an edit the value after it."""
    history = [
        safe_json.record(edit, "an edit of a score", path)
        for edit in safe_json.listed(score.get("history"), "the history of a score", path)
    ]
    if not history:
        yield from _values(scorer, score.get("value"), export)
        return
    current: Any = _UNCHANGED
    people: dict[str, Any] = {}
    for edit in history:
        if edit.get("value", _UNCHANGED) != _UNCHANGED:
            current = edit["value"]
        about = edit.get("provenance")
        if not isinstance(about, dict):
            yield from _values(scorer, current, export)
        else:
            people[safe_json.word(about.get("author", "human"), "an author", path)] = current
    for author, value in people.items():
        for name, given in _values(scorer, value, export):
            yield author + name.removeprefix(scorer), given


def _values(scorer: str, value: Any, export: Export) -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _values(f"{scorer}.{key}", inner, export)
    elif isinstance(value, (str, bool)):
        yield scorer, str(value)
    elif isinstance(value, (int, float)) and math.isfinite(value):
        yield scorer, value
    elif value is None or isinstance(value, float):
        export.ignored["unscored samples are missing"] += 1
    else:
        export.ignored["scores that are lists were left out"] += 1


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
