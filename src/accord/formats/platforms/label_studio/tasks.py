"""Label Studio JSON, JSON-MIN, CSV and TSV: tasks, each with the annotations of several people.

Rectangles and polygons become boxes (:mod:`accord.formats.platforms.label_studio.shapes`).
Located results (labels on text, hypertext, audio, time series) become units, their layer being the
control tag (`from_name`). Choices, ratings, numbers and taxonomies become judgements on the task.
Predictions are systems: they are read, under their model version, when asked for.

CSV and TSV have one row per annotation, with the columns of JSON-MIN: the fields of the task, one column
per control tag with regions as JSON in its cells, and `annotator`, `annotation_id`, `lead_time` and dates.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

from accord.data.statements import NOTE, Statement
from accord.errors import InputError
from accord.files import safe_json
from accord.files.archive import Entry, Tree
from accord.files.text import table_records
from accord.formats.export import Export, Sheet
from accord.formats.format import Format, ReadOptions, Regex, Sniff
from accord.formats.offsets import Span
from accord.formats.places import places
from accord.formats.platforms.label_studio.paragraphs import dialogue, flattened
from accord.formats.platforms.label_studio.records import (
    JUDGED,
    Annotation,
    Result,
    Task,
    name_of,
)
from accord.formats.platforms.label_studio.shapes import draw, is_shape
from accord.formats.platforms.label_studio.writer import write_back
from accord.formats.records import records, shaped

#: file, name, and the task or the record of JSON-MIN
_Found = tuple[Entry, str, Task | dict[str, Any]]


def collect(export: Export) -> None:
    """Everything in the tasks of all JSON files."""
    options = export.options
    files = export.tree.ending(".json", ".jsonl") or list(export.tree)
    named = None
    if options.annotator_from is not None or options.path is not None:
        placed = places(export.tree, files, options, default="file")
        named = {p.entry.name: p.annotator for p in placed}
        files = [p.entry for p in placed]
    tasks: list[_Found] = []
    for entry in files:
        for _, task in records(entry, dict[str, Any]):
            name = name_of(task, len(tasks) + 1, entry.path)
            full = any(key in task for key in ("annotations", "completions", "predictions"))
            where = f"{entry.path}: task {name}"
            tasks.append((entry, name, shaped(task, Task, where) if full else task))
    if named is None and options.annotator_from is None:
        named = _told_apart(export.tree, tasks, export)
    truth = _Truth.of([task for _, _, task in tasks if isinstance(task, Task)])
    for entry, name, held in tasks:
        who = None if named is None else named[entry.name]
        where = f"{entry.path}: task {name}"
        if isinstance(held, Task):
            _read_task(held, name, where, export, who, truth)
        else:
            _read_small(held, name, where, export, who or options.annotator)


class _Truth(NamedTuple):
    """Whose annotations that are marked as ground truth are the reference, and no annotator's own."""

    #: there are others beside them
    mixed: bool
    #: who marked everything so: an administrator who imported a reference
    only: frozenset[str]

    @classmethod
    def of(cls, tasks: Sequence[Task]) -> _Truth:
        given = [(a.author, bool(a.ground_truth)) for task in tasks for a in task.given]
        others = {who for who, true in given if not true}
        return cls(bool(others), frozenset({who for who, _ in given} - others if others else ()))

    def holds(self, annotation: Annotation, task: Task) -> bool:
        """Whether this annotation is the reference: told so, by nobody else, or beside one's own."""
        own = [a for a in task.given if a.author == annotation.author and not a.was_cancelled]
        return bool(annotation.ground_truth) and (
            task.told is not None or annotation.author in self.only or len(own) > 1
        )


def _told_apart(tree: Tree, tasks: Sequence[_Found], export: Export) -> dict[str, str] | None:
    """File → annotator, where several files give one task to the same `completed_by`.

    Installations number their users from 1: the 1 of two files is two people. The outermost folder
    that differs names them, or else the file.
    """
    seen: dict[tuple[str, str], str] = {}
    twice: tuple[str, str] | None = None
    people: dict[str, set[str]] = {}
    for entry, name, task in tasks:
        authors = [a.author for a in task.given] if isinstance(task, Task) else []
        people.setdefault(entry.name, set()).update(authors)
        for author in filter(None, authors):
            if seen.setdefault((name, author), entry.name) != entry.name:
                twice = (name, author)
    if twice is None:
        return None
    if max(map(len, people.values())) > 1:
        raise InputError(
            f"has task {twice[0]} by annotator {twice[1]!r} in two files that hold several people each",
            path=tree.path,
            hint=f"read the files one by one with `rename=FILE:{twice[1]}=NAME`",
        )
    files = list({entry.name: entry for entry, _, _ in tasks}.values())
    way: Literal["folder", "file"] = "file"
    if len({entry.parts[:-1] for entry in files}) > 1:
        way = "folder"
    export.record.assume(
        f"each {way} is a person: annotator {twice[1]!r} has task {twice[0]} in several files",
        ("annotator_from", "file") if way == "folder" else ("rename", f"FILE:{twice[1]}=NAME"),
    )
    return {p.entry.name: p.annotator for p in places(tree, files, ReadOptions(), default=way)}


def _read_task(
    task: Task, name: str, where: str, export: Export, forced: str | None, truth: _Truth
) -> None:
    fields, options = task.data or {}, export.options
    kept: dict[str, Annotation] = {}
    reference = str((task.told or {}).get("name", "reference"))
    if task.told is not None:
        said = {key: value for key, value in task.told.items() if key != "name"}
        if said or task.given:
            export.said[name] = said
            export.see(name, reference)
    for place, annotation in enumerate(task.given, start=1):
        if annotation.was_cancelled:
            export.leave_out("skipped (cancelled) annotations")
            continue
        author = forced or annotation.author or options.annotator
        if truth.holds(annotation, task) or options.curation == "only":
            if options.curation == "only" and not annotation.ground_truth:
                continue
            if options.curation == "leave-out" and truth.mixed:
                export.leave_out("annotation(s) of ground truth", keep=("curation", "include"))
                continue
            author = forced or reference
        elif annotation.ground_truth:
            export.assume("annotations marked as ground truth stay with their annotator")
        if not author:
            author = f"annotator {place}"
            export.assume("annotations that name nobody are numbered by their place in the task")
        if author in kept:
            if options.duplicates in ("error", "keep"):
                raise InputError(
                    f"annotator {author!r} annotated task {name} twice",
                    path=where.removesuffix(f": task {name}"),
                    hint="pass `duplicates=first` or `duplicates=last`",
                )
            if options.duplicates == "first":
                export.leave_out("later annotations of a task by the same annotator")
                continue
            export.leave_out("earlier annotations of a task by the same annotator")
            del kept[author]
        kept[author] = annotation
    for author, annotation in kept.items():
        _read_results(annotation.result or [], fields, export.see(name, author), where)
    for prediction in task.predictions or ():
        if options.predictions:
            author = prediction.model_version or "predictions"
            _read_results(prediction.result or [], fields, export.see(name, author), where)
        else:
            export.leave_out("predictions", keep=("predictions", True))


def _read_results(
    results: Sequence[Result], fields: dict[str, Any], sheet: Sheet, where: str
) -> None:
    export = sheet.export
    located: list[Result] = []
    features = _features(results, where)
    for result in results:
        kind, value = str(result.type), result.value
        if kind == "relation":
            said = _relations(result)
            export.relations[said[0].label or "(unnamed)"] += 1
            sheet.say(*said)
        elif not isinstance(value, dict):
            export.leave_out("results without a value")
        elif not result.is_labelled and str(result.id) in features:
            continue
        elif "start" in value or "globalOffsets" in value:
            located.append(result)
        elif is_shape(value):
            draw(result, _labels(value, where), fields, sheet, where)
        elif kind in JUDGED or any(k in value for k in JUDGED):
            answer = _answer(value, kind, where)
            if answer is not None:
                sheet.judge(answer, str(result.from_name))
        else:
            export.leave_out(f"results of type {kind or '(none)'!s}")
    _locate(located, fields, sheet, where, features)


def _features(results: Sequence[Result], where: str) -> dict[str, dict[str, str]]:
    """What is said of regions by their ids: choices, texts and numbers per region, their notes."""
    found: dict[str, dict[str, str]] = {str(r.id): {} for r in results if r.is_labelled}
    for result in results:
        said, value, kind = found.get(str(result.id)), result.value, str(result.type)
        if said is None or not isinstance(value, dict):
            continue
        if not result.is_labelled:
            answer = value.get("text") if kind == "textarea" else _answer(value, kind, where)
            if answer is not None:
                said[str(result.from_name)] = _shown(answer)
        elif isinstance(result.meta, dict) and result.meta.get("text"):
            said[NOTE] = _shown(result.meta["text"])
    return found


def _shown(answer: Any) -> str:
    if isinstance(answer, (list, frozenset)):
        words = [str(word) for word in answer]
        return "|".join(sorted(words) if isinstance(answer, frozenset) else words)
    return f"{answer:g}" if isinstance(answer, float) else str(answer)


def _relations(result: Result) -> list[Statement]:
    """One statement per label; an arrow to the left is one to the right from the other end."""
    given = result.labels
    labels = [str(label) for label in given] if isinstance(given, list) else [str(given or "")]
    ends = [str(result.from_id), str(result.to_id)]
    first, second = reversed(ends) if result.direction == "left" else ends
    targets = (("Arg1", first), ("Arg2", second))
    both = "bi" if result.direction == "bi" else ""
    return [Statement("", "relation", label, targets, both) for label in labels or [""]]


def _answer(value: dict[str, Any], kind: str, where: str) -> Any:
    key = kind if kind in value else next((k for k in JUDGED if k in value), kind)
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
    located: Sequence[Result],
    fields: dict[str, Any],
    sheet: Sheet,
    where: str,
    features: Mapping[str, Mapping[str, str]],
) -> None:
    export = sheet.export
    text = _text(fields)
    paragraphs = dialogue(fields) if any("startOffset" in r.value for r in located) else None
    if paragraphs is not None:
        text = "\n".join(paragraphs)
    kept: list[tuple[Result, list[Any]]] = []
    places: list[tuple[float, float]] = []
    spans: list[Span] = []
    for result in located:
        value = result.value
        if paragraphs is not None and isinstance(value.get("start"), str):
            value = flattened(value, paragraphs, where)
        place = safe_json.record(value.get("globalOffsets", value), "globalOffsets", where)
        if any(isinstance(place.get(end), str) for end in ("start", "end")):
            export.leave_out("regions placed by path, without global offsets")
            continue
        kept.append((result, _labels(value, where)))
        start = safe_json.number(place.get("start"), "the start of a region", where)
        end = safe_json.number(place.get("end"), "the end of a region", where)
        places.append((start, end))
        if start.is_integer() and end.is_integer() and "channel" not in value:
            covered = value.get("text")
            covered = covered if isinstance(covered, str) else None
            spans.append(Span(int(start), int(end), covered, str(result.id)))
    if text is not None and not kept:
        export.texts.setdefault(sheet.document, text)
    if text is not None and len(spans) == len(kept):
        places = [(float(start), float(end)) for start, end in sheet.settle(text, spans, where)]
    elif kept:
        export.unit = "seconds"
    for (result, labels), (start, end) in zip(kept, places, strict=True):
        name, layer = str(result.id), str(result.from_name)
        for label in labels or [None]:
            shown = None if label is None else str(label)
            sheet.mark(start, end, shown, layer, features.get(name) or None, name=name)


def _labels(value: dict[str, Any], where: str) -> list[Any]:
    for key, labels in value.items():
        if key.endswith("labels"):
            return safe_json.listed(labels, "the labels of a region", where)
    return []


def _text(fields: dict[str, Any]) -> str | None:
    """The text that was annotated: the field called text, or the only text there is."""
    # (`document_name` is what accord writes beside a text, or in its place)
    texts = {k: v for k, v in fields.items() if isinstance(v, str) and k != "document_name"}
    for key in ("text", "Text", "html", "document"):
        if key in texts:
            return texts[key]
    # an address of a picture or recording is no text to check offsets against
    texts = {k: v for k, v in texts.items() if "://" not in v and not v.startswith("/data/")}
    return next(iter(texts.values())) if len(texts) == 1 else None


def _read_small(
    task: dict[str, Any], name: str, where: str, export: Export, annotator: str | None
) -> None:
    """JSON-MIN: one record per annotation, the task's fields beside one key per control tag."""
    if not ({"annotator", "annotation_id"} & set(task)):
        export.leave_out("tasks that nobody annotated")
        return
    given = shaped({"completed_by": task.get("annotator")}, Annotation, where)
    sheet = export.see(name, given.author or annotator or "annotator")
    located: list[Result] = []
    for tag, value in task.items():
        items = value if isinstance(value, list) else []
        regions = [v for v in items if isinstance(v, dict) and "start" in v]
        if regions:
            located.extend(Result(from_name=tag, value=v) for v in regions)
        elif isinstance(value, dict) and isinstance(value.get("choices"), list):
            sheet.judge(frozenset(map(str, value["choices"])), tag)
    fields = {k: v for k, v in task.items() if isinstance(v, str)}
    _locate(located, {k: fields[k] for k in {"text"} & set(fields)}, sheet, where, {})
    if not located:
        skip = {"text", "created_at", "updated_at", "id", "annotator", "annotation_id", "lead_time"}
        for tag, value in fields.items():
            if tag not in skip and "://" not in value and len(value) < 200:
                sheet.judge(value, tag)


def collect_csv(export: Export) -> None:
    """Everything in the rows of all files in the layout of CSV or TSV."""
    for entry in export.files:
        text = entry.text()
        header = text.partition("\n")[0]
        delimiter = "\t" if header.count("\t") > header.count(",") else ","
        for number, (_, row) in enumerate(table_records(text, entry.path, delimiter), 1):
            task = {name: _cell(value, entry.path) for name, value in row.items()}
            name = safe_json.word(task.get("id", number), "the id", entry.path)
            where = f"{entry.path}: task {name}"
            _read_small(task, name, where, export, export.options.annotator)
    if not export.seen:
        raise InputError("has a header and no rows", path=export.path, hint="check the export")


def _cell(value: str, path: str) -> Any:
    """A cell; JSON where it is JSON, as regions and several choices are written."""
    if value[:1] in ("[", "{"):
        try:
            return safe_json.load(value.encode(), path)
        except InputError:
            return value
    return value


FORMATS = (
    Format(
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
        write_back=write_back,
        suffixes=(".labelstudio.json",),
        holds=("units", "ratings", "relations", "boxes"),
    ),
    Format(
        name="label-studio-csv",
        title="Label Studio CSV",
        sniff=(
            Sniff(
                columns=("annotation_id", "annotator", "lead_time"), none=(Regex(rb"\A\s*[{[]"),)
            ),
        ),
        collect=collect_csv,
    ),
)
