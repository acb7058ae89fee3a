"""Label Studio JSON and JSON-MIN: tasks, each with the annotations of several people.

Rectangles and polygons become boxes (:mod:`accord.formats.platforms.label_studio.shapes`).
Located results (labels on text, hypertext, audio, time series) become units, their layer being the
control tag (`from_name`). Choices, ratings, numbers and taxonomies become judgements on the task.
Predictions are systems: they are read, under their model version, when asked for.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from accord.data.statements import NOTE, Statement
from accord.errors import InputError
from accord.files import safe_json
from accord.files.archive import Entry, Tree
from accord.formats.export import Export, Judgement, Mark
from accord.formats.format import Format, ReadOptions
from accord.formats.offsets import Span, settle
from accord.formats.places import places
from accord.formats.platforms.label_studio.paragraphs import dialogue, flattened
from accord.formats.platforms.label_studio.shapes import draw, is_shape
from accord.formats.platforms.label_studio.writer import write
from accord.formats.sniff import Regex, Sniff

_KEYS = re.compile(rb'"(annotations|completions|predictions)"\s*:\s*\[')
_OWN = re.compile(rb'"(result|completed_by|was_cancelled|from_name|model_version|inner_id)"\s*:')
_MIN = re.compile(rb'"(annotation_id|annotator)"\s*:')
#: result types whose value is a judgement on the whole task
_JUDGED = ("choices", "rating", "number", "taxonomy", "pairwise")


def collect(tree: Tree, options: ReadOptions) -> Export:
    """Everything in the tasks of all JSON files."""
    export = Export(tree.path, "label-studio", notes=list(tree.notes))
    files = tree.ending(".json", ".jsonl") or list(tree)
    named = _people(tree, files, options)
    tasks: list[tuple[Entry, dict[str, Any], int]] = []
    count = 0
    for entry in files:
        for line, task in safe_json.load_lines(entry.read(), entry.path):
            count += 1
            tasks.append((entry, safe_json.record(task, "a task", entry.path, line), count))
    if named is None and options.annotator_from is None:
        named = _told_apart(tree, tasks, export)
    for entry, task, number in tasks:
        who = None if named is None else named[entry.name]
        own = options if who is None else replace(options, annotator=who)
        _read_task(task, number, entry, export, own, forced=who)
    return export


def _people(tree: Tree, files: Sequence[Entry], options: ReadOptions) -> dict[str, str] | None:
    """File → annotator, where it was said that folders or files name them."""
    if options.annotator_from is None and options.path is None:
        return None
    return {p.entry.name: p.annotator for p in places(tree, files, options, default="file")}


def _given(task: dict[str, Any]) -> list[Any]:
    given = task.get("annotations")
    return given if isinstance(given, list) else []


def _told_apart(
    tree: Tree, tasks: Sequence[tuple[Entry, dict[str, Any], int]], export: Export
) -> dict[str, str] | None:
    """File → annotator, where several files give one task to the same `completed_by`.

    Installations number their users from 1: the 1 of two files is two people. The outermost folder
    that differs names them, or else the file.
    """
    seen: dict[tuple[str, str], str] = {}
    twice: tuple[str, str] | None = None
    for entry, task, number in tasks:
        name = str(task.get("id", number))
        for annotation in _given(task):
            if isinstance(annotation, dict):
                key = (name, _author(annotation.get("completed_by"), entry.path))
                if key[1] and seen.setdefault(key, entry.name) != entry.name:
                    twice = key
    if twice is None:
        return None
    files = list({entry.name: entry for entry, _, _ in tasks}.values())
    several = {
        entry.name: len(
            {
                _author(a.get("completed_by"), entry.path)
                for other, task, _ in tasks
                if other is entry
                for a in _given(task)
                if isinstance(a, dict)
            }
        )
        for entry in files
    }
    if max(several.values()) > 1:
        raise InputError(
            f"has task {twice[0]} by annotator {twice[1]!r} in two files that hold several people each",
            path=tree.path,
            hint=f"read the files one by one with `rename=FILE:{twice[1]}=NAME`",
        )
    way = "folder" if len({entry.parts[:-1] for entry in files}) > 1 else "file"
    made = ReadOptions(annotator_from="folder" if way == "folder" else "file")
    export.notes.append(
        f"annotator {twice[1]!r} has task {twice[0]} in several files: each {way} is taken as a person "
        "(`annotator_from` or `rename` says otherwise)"
    )
    return {p.entry.name: p.annotator for p in places(tree, files, made)}


def _read_task(
    task: dict[str, Any],
    number: int,
    entry: Entry,
    export: Export,
    options: ReadOptions,
    *,
    forced: str | None = None,
) -> None:
    path = entry.path
    name = safe_json.word(task.get("id", number), "the id of a task", path)
    where = f"{path}: task {name}"
    if "annotations" not in task and "completions" not in task and "predictions" not in task:
        read_small(task, name, where, export, options)
        return
    fields = safe_json.record(task.get("data") or {}, "the data of a task", where)
    given = safe_json.listed(
        task.get("annotations", task.get("completions")), "the annotations", where
    )
    authors: set[str] = set()
    for place, annotation in enumerate(given, start=1):
        annotation = safe_json.record(annotation, "an annotation", where)
        if annotation.get("was_cancelled"):
            export.ignored["skipped (cancelled) annotations were left out"] += 1
            continue
        author = forced or _author(annotation.get("completed_by"), where) or options.annotator
        if not author:
            author = f"annotator {place}"
            export.ignored["annotations name nobody: numbered by their place in the task"] += 1
        if author in authors:
            if options.duplicates in ("error", "keep"):
                raise InputError(
                    f"annotator {author!r} annotated task {name} twice",
                    path=path,
                    hint="pass `duplicates=first` or `duplicates=last`",
                )
            if options.duplicates == "first":
                export.ignored["later annotations of a task by the same annotator left out"] += 1
                continue
            export.ignored["earlier annotations of a task by the same annotator left out"] += 1
            export.marks = [m for m in export.marks if (m.document, m.annotator) != (name, author)]
            export.statements.pop((name, author), None)
            export.shapes = [
                x for x in export.shapes if (x.document, x.annotator) != (name, author)
            ]
            export.judgements = [
                j for j in export.judgements if (j.item, j.annotator) != (name, author)
            ]
        authors.add(author)
        if annotation.get("ground_truth"):
            said = "annotations are marked as ground truth; they stay with their annotator"
            export.ignored[said] += 1
        _read_results(annotation.get("result"), name, author, fields, where, export, options)
    for prediction in safe_json.listed(task.get("predictions"), "the predictions", where):
        prediction = safe_json.record(prediction, "a prediction", where)
        if options.predictions:
            version = prediction.get("model_version") or "predictions"
            author = safe_json.word(version, "the model version", where)
            _read_results(prediction.get("result"), name, author, fields, where, export, options)
        else:
            export.ignored["predictions were left out (predictions=True reads them)"] += 1


def _author(who: Any, where: str) -> str:
    if isinstance(who, dict):
        for key in ("email", "username", "id"):
            if who.get(key) not in (None, ""):
                return safe_json.word(who[key], "completed_by", where)
        return ""
    return "" if who is None else safe_json.word(who, "completed_by", where)


def _read_results(
    results: Any,
    document: str,
    annotator: str,
    fields: dict[str, Any],
    where: str,
    export: Export,
    options: ReadOptions,
) -> None:
    export.see(document, annotator)
    located: list[tuple[str, str, dict[str, Any]]] = []
    listed = [
        safe_json.record(result, "a result", where)
        for result in safe_json.listed(results, "the result", where)
    ]
    features = _features(listed, where)
    for result in listed:
        kind = str(result.get("type", ""))
        if kind == "relation":
            said = _relations(result)
            export.relations[said[0].label or "(unnamed)"] += 1
            export.statements.setdefault((document, annotator), []).extend(said)
            continue
        value = result.get("value")
        layer = str(result.get("from_name", ""))
        if not isinstance(value, dict):
            export.ignored["results without a value were left out"] += 1
        elif _labelled(result) is None and str(result.get("id", "")) in features:
            continue
        elif "start" in value or "globalOffsets" in value:
            located.append((layer, str(result.get("id", "")), value))
        elif is_shape(value):
            draw(result, _labels(value, where), document, annotator, fields, where, export)
        elif kind in _JUDGED or any(k in value for k in _JUDGED):
            answer = _answer(value, kind, where)
            if answer is not None:
                export.judgements.append(Judgement(document, annotator, answer, layer))
        else:
            export.ignored[f"results of type {kind or '(none)'!s} were left out"] += 1
    _locate(located, document, annotator, fields, where, export, options, features)


def _labelled(result: dict[str, Any]) -> str | None:
    """The name of a region that has labels."""
    value = result.get("value")
    if isinstance(value, dict) and any(key.endswith("labels") for key in value):
        return str(result.get("id", "")) or None
    return None


def _features(results: Sequence[dict[str, Any]], where: str) -> dict[str, dict[str, str]]:
    """What is said of regions by their ids: choices, texts and numbers per region, their notes."""
    found: dict[str, dict[str, str]] = {
        name: {} for name in map(_labelled, results) if name is not None
    }
    for result in results:
        name, value = str(result.get("id", "")), result.get("value")
        if name not in found or not isinstance(value, dict):
            continue
        if _labelled(result) is None:
            kind = str(result.get("type", ""))
            answer = value.get("text") if kind == "textarea" else _answer(value, kind, where)
            if answer is not None:
                found[name][str(result.get("from_name", ""))] = _shown(answer)
        else:
            meta = result.get("meta")
            if isinstance(meta, dict) and meta.get("text"):
                found[name][NOTE] = _shown(meta["text"])
    return found


def _shown(answer: Any) -> str:
    if isinstance(answer, (list, frozenset)):
        words = [str(word) for word in answer]
        return "|".join(sorted(words) if isinstance(answer, frozenset) else words)
    return f"{answer:g}" if isinstance(answer, float) else str(answer)


def _relations(result: dict[str, Any]) -> list[Statement]:
    """One statement per label; an arrow to the left is one to the right from the other end."""
    given = result.get("labels")
    labels = [str(label) for label in given] if isinstance(given, list) else [str(given or "")]
    ends = [str(result.get("from_id", "")), str(result.get("to_id", ""))]
    way = result.get("direction")
    first, second = reversed(ends) if way == "left" else ends
    targets = (("Arg1", first), ("Arg2", second))
    both = "bi" if way == "bi" else ""
    return [Statement("", "relation", label, targets, both) for label in labels or [""]]


def _answer(value: dict[str, Any], kind: str, where: str) -> Any:
    key = kind if kind in value else next((k for k in _JUDGED if k in value), kind)
    answer = value.get(key, value.get("selected"))
    if isinstance(answer, list):
        return frozenset(
            "/".join(map(str, a)) if isinstance(a, list) else safe_json.word(a, f"a {key}", where)
            for a in answer
        )
    if isinstance(answer, (int, float)) and not isinstance(answer, bool):
        return safe_json.number(answer, f"the {key}", where)
    return None if answer is None else safe_json.word(answer, f"the {key}", where)


def _locate(
    located: list[tuple[str, str, dict[str, Any]]],
    document: str,
    annotator: str,
    fields: dict[str, Any],
    where: str,
    export: Export,
    options: ReadOptions,
    features: Mapping[str, Mapping[str, str]] | None = None,
) -> None:
    text = _text(fields)
    paragraphs = dialogue(fields) if any("startOffset" in v for _, _, v in located) else None
    if paragraphs is not None:
        text = "\n".join(paragraphs)
    kept: list[tuple[str, list[Any], tuple[float, float], Span | None, str]] = []
    for layer, name, value in located:
        if paragraphs is not None and isinstance(value.get("start"), str):
            value = flattened(value, paragraphs, where)
        place = value.get("globalOffsets", value)
        place = safe_json.record(place, "globalOffsets", where)
        start, end = place.get("start"), place.get("end")
        if isinstance(start, str) or (isinstance(end, str)):
            export.ignored["regions placed by path, without global offsets, were left out"] += 1
            continue
        labels = _labels(value, where)
        s = safe_json.number(start, "the start of a region", where)
        e = safe_json.number(end, "the end of a region", where)
        span = None
        if text is not None and s.is_integer() and e.is_integer() and "channel" not in value:
            covered = value.get("text")
            span = Span(int(s), int(e), covered if isinstance(covered, str) else None, name)
        kept.append((layer, labels, (s, e), span, name))
    if text is not None and not kept:
        export.texts.setdefault(document, text)
    spans = [k[3] for k in kept if k[3] is not None]
    starts: list[float] = [k[2][0] for k in kept]
    ends: list[float] = [k[2][1] for k in kept]
    if text is not None and len(spans) == len(kept):
        read = settle(text, spans, path=where, forced=options.offsets)
        export.add_text(document, read.text, where)
        export.notes.extend(read.notes)
        starts, ends = [float(s) for s in read.starts], [float(e) for e in read.ends]
    elif kept:
        export.unit = "seconds"
    for (layer, labels, _, _, name), start, end in zip(kept, starts, ends, strict=True):
        said = (features or {}).get(name) or None
        for label in labels or [None]:
            shown = None if label is None else str(label)
            export.marks.append(
                Mark(document, annotator, start, end, shown, layer, said, name=name)
            )


def _labels(value: dict[str, Any], where: str) -> list[Any]:
    for key, labels in value.items():
        if key.endswith("labels"):
            return safe_json.listed(labels, "the labels of a region", where)
    return []


def _text(fields: dict[str, Any]) -> str | None:
    """The text that was annotated: the field called text, or the only text there is."""
    texts = {k: v for k, v in fields.items() if isinstance(v, str)}
    for key in ("text", "Text", "html", "document"):
        if key in texts:
            return texts[key]
    # an address of a picture or recording is no text to check offsets against
    texts = {k: v for k, v in texts.items() if "://" not in v and not v.startswith("/data/")}
    return next(iter(texts.values())) if len(texts) == 1 else None


def read_small(
    task: dict[str, Any], name: str, where: str, export: Export, options: ReadOptions
) -> None:
    """JSON-MIN: one record per annotation, the task's fields beside one key per control tag."""
    if not ({"annotator", "annotation_id"} & set(task)):
        export.ignored["tasks that nobody annotated were left out"] += 1
        return
    author = _author(task.get("annotator"), where) or options.annotator or "annotator"
    export.see(name, author)
    located: list[tuple[str, str, dict[str, Any]]] = []
    for key, value in task.items():
        items = value if isinstance(value, list) else []
        regions = [v for v in items if isinstance(v, dict) and "start" in v]
        if regions:
            located.extend((key, "", v) for v in regions)
        elif isinstance(value, dict) and isinstance(value.get("choices"), list):
            answer = frozenset(map(str, value["choices"]))
            export.judgements.append(Judgement(name, author, answer, key))
    fields = {k: v for k, v in task.items() if isinstance(v, str)}
    text = fields.get("text")
    _locate(located, name, author, {} if text is None else {"text": text}, where, export, options)
    if not located:
        skip = {"text", "created_at", "updated_at", "id", "annotator", "annotation_id", "lead_time"}
        for key, value in fields.items():
            if key not in skip and "://" not in value and len(value) < 200:
                export.judgements.append(Judgement(name, author, value, key))


FORMAT = Format(
    name="label-studio",
    title="Label Studio JSON",
    sniff=(
        Sniff(
            start=b"{[",
            every=(
                Regex(rb'"(annotations|completions|predictions)"\s*:\s*\['),
                Regex(
                    rb'"(result|completed_by|was_cancelled|from_name|model_version|inner_id)"\s*:'
                ),
            ),
        ),
        # the flat JSON-MIN
        Sniff(start=b"{[", every=(b'"annotation_id"', b'"annotator"', b'"lead_time"')),
    ),
    people="file",
    collect=collect,
    write=write,
    suffixes=(".labelstudio.json",),
    holds=("units", "ratings", "relations"),
)
