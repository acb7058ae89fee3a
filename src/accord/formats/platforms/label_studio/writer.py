"""Writing Label Studio tasks: as they were exported, with the answers that the data hold.

Tasks that the data were read from keep their ids, fields and meta data, results their controls,
annotations their authors. There is one annotation per annotator who saw a task; that of a reference is
marked as ground truth and nobody's, for Label Studio refuses people whom it does not know. Since it gives
imported tasks new ids, the meta data repeat the old one, beside what the reference says of the task.

Attributes are choices per region under the region's id, notes the text of its meta data, relations
results of their own. Shapes in images are in per cent of them. Events and gaps have no place there.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import accumulate
from pathlib import Path
from typing import Any

import numpy as np

from accord.data import Annotations, Boxes, Ratings, Units
from accord.data.protocol import Shape
from accord.data.statements import NOTE, Statement, matched
from accord.data.units import Unit
from accord.errors import UsageError
from accord.formats.format import Origin
from accord.formats.platforms.label_studio.paragraphs import dialogue
from accord.formats.platforms.label_studio.records import JUDGED, Annotation, name_of
from accord.formats.platforms.label_studio.shapes import is_shape
from accord.formats.records import records, shaped
from accord.formats.writing import by_item, said_of_reference, units_of, write_text

#: what an import takes of a prediction; the rest is the installation's own
_OF_PREDICTIONS = ("result", "score", "model_version")
#: what JSON-MIN has beside the fields of a task and its answers
_OF_MINIMUM = frozenset(
    {"id", "annotator", "annotation_id", "created_at", "updated_at", "lead_time"}
)
_Record = dict[str, Any]
#: the field of a task that its document's name stands in: no text of it
_NAME = "document_name"
#: a control tag: its name, what it labels, its kind
_Control = tuple[str, str, str]


def write_back(data: Annotations, path: Path, origin: Origin) -> Sequence[str]:
    """Write one file of tasks."""
    if not isinstance(data, (Units, Ratings, Boxes)):
        raise UsageError(f"Label Studio holds units, boxes and ratings, not {data.shape}")
    exported = _Exported(origin, data.shape)
    if isinstance(data, Units):
        answers, fields, lost = _of_units(data, exported)
    elif isinstance(data, Boxes):
        answers, fields, lost = _of_boxes(data, exported)
    else:
        answers, fields, lost = _of_ratings(data, exported)
    said = said_of_reference(data) if origin.reference is not None else {}
    tasks = []
    for name in [*exported.tasks, *(n for n in fields if n not in exported.tasks)]:
        task = exported.task(name, fields.get(name, {}))
        if origin.reference is not None:
            told = {"name": origin.reference, **said.get(name, {})}
            task["meta"] = {**(task.get("meta") or {}), "task_id": task["id"], "reference": told}
        for who, results in answers.get(name, {}).items():
            task["annotations"].append(exported.annotation(name, who, results))
        tasks.append(task)
    write_text(path, json.dumps(tasks, ensure_ascii=False, indent=1))
    return lost


class _Exported:
    """The tasks that the data were read from: what stands in them, and who says it with which control."""

    def __init__(self, origin: Origin, shape: Shape) -> None:
        self.origin, self.shape = origin, shape
        self.tasks: dict[str, _Record] = {}
        self.given: dict[tuple[str, str], _Record] = {}
        self.people: dict[str, Any] = {}
        #: control → how often it gives each label
        self.controls: dict[_Control, Counter[str]] = {}
        n = 0
        for entry in origin.entries:
            for _, task in records(entry, _Record):
                n += 1
                name = name_of(task, n, entry.path)
                self.tasks.setdefault(name, task)
                for one in task.get("annotations", task.get("completions")) or ():
                    who = {"completed_by": one.get("completed_by")}
                    author = shaped(who, Annotation, entry.path).author
                    self.people.setdefault(author, one.get("completed_by"))
                    self.given.setdefault((name, author), one)
                    self._count(one.get("result") or ())

    def _count(self, results: Sequence[_Record]) -> None:
        for one in filter(self.is_answer, results):
            control = (str(one["from_name"]), str(one.get("to_name", "")), str(one.get("type")))
            value = next((v for k, v in one["value"].items() if k.endswith(control[2])), None)
            labels = value if isinstance(value, list) else [value]
            self.controls.setdefault(control, Counter()).update(map(str, labels))

    def is_answer(self, result: _Record) -> bool:
        """Whether the data hold this result: of a control that was read, in a place or of the whole."""
        value, layers = result.get("value"), self.origin.layers
        if not isinstance(value, dict) or (layers and result.get("from_name") not in layers):
            return False
        kind = str(result.get("type"))
        if self.shape == "boxes":
            return kind.endswith("labels") and is_shape(value)
        if self.shape == "units":
            return kind.endswith("labels") and ("start" in value or "globalOffsets" in value)
        return kind in JUDGED and "start" not in value

    def control(self, label: str | None, usual: _Control, kind: str = "") -> _Control:
        """The control that gives a label, or else most labels; the usual one where none is known.

        Where a `kind` is named, it is one of this kind.
        """
        known = [c for c in self.controls if kind in ("", c[2])]
        if not known:
            return usual
        return max(known, key=lambda c: (self.controls[c][str(label)], self.controls[c].total()))

    def has(self, kind: str) -> bool:
        """Whether a control of this kind may be written to: one that was met, or any where none was."""
        return not self.controls or any(c[2] == kind for c in self.controls)

    def task(self, name: str, fields: Mapping[str, Any]) -> _Record:
        """The task without annotations; of the given fields where the export does not have it."""
        old = self.tasks.get(name, {"id": name, "data": dict(fields)})
        data = old.get("data")
        if data is None:
            layers = self.origin.layers
            data = {
                k: v
                for k, v in old.items()
                if k not in _OF_MINIMUM and k not in layers and not isinstance(v, (list, dict))
            }
        predictions = [
            {k: one[k] for k in _OF_PREDICTIONS if k in one} for one in old.get("predictions") or ()
        ]
        kept = {"id": old.get("id", name), "data": data}
        if old.get("meta"):
            kept["meta"] = old["meta"]
        return kept | {"annotations": [], "predictions": predictions}

    def annotation(self, name: str, who: str, results: list[_Record]) -> _Record:
        """What somebody says, with what else they said of the task; the reference is nobody's."""
        plain = {"was_cancelled": False, "ground_truth": False, "result": results}
        if who == self.origin.reference:
            return plain | {"ground_truth": True}
        old = self.given.get((name, who), {})
        gone = {str(one.get("id")) for one in filter(self.is_answer, old.get("result") or ())}
        more = [
            one
            for one in old.get("result") or ()
            if not gone & {str(one.get(k)) for k in ("id", "from_id", "to_id")}
        ]
        author = self.people.get(who, {"email": who})
        truth = bool(old.get("ground_truth"))
        return plain | {"completed_by": author, "ground_truth": truth, "result": [*results, *more]}


#: document or item → who → results; their fields; what is lost
_Written = tuple[dict[str, dict[str, list[_Record]]], dict[str, _Record], list[str]]


def _of_units(units: Units, exported: _Exported) -> _Written:
    rows = units_of(units)
    lost: list[str] = []
    if units.texts is None or None in units.texts:
        unknown = set(units.documents) - set(exported.tasks)
        if unknown:
            lost.append("the texts are not known: tasks hold the document's name alone")
        if unknown and np.any(np.isfinite(units.lengths)):
            lost.append("the lengths of documents without a text")
    if np.any(units.label < 0):
        lost.append("units without a label have no labels in Label Studio")
    answers: dict[str, dict[str, list[_Record]]] = {}
    fields = {}
    for d, document in enumerate(units.documents):
        text = None if units.texts is None else units.texts[d]
        fields[document] = {_NAME: document} if text is None else {"text": text, _NAME: document}
        place = _Place(document, text, exported, lost)
        answers[document] = {
            who: _results(
                rows.get((document, who), []), units.statements.get((document, who), ()), place
            )
            for a, who in enumerate(units.annotators)
            if units.coverage[d, a]
        }
    return answers, fields, list(dict.fromkeys(lost))


class _Place:
    """Where regions of one task lie, as its controls say it."""

    def __init__(self, name: str, text: str | None, exported: _Exported, lost: list[str]) -> None:
        self.text, self.exported, self.lost = text, exported, lost
        self.paragraphs = dialogue(exported.tasks.get(name, {}).get("data") or {})
        #: places in HTML and on channels, as annotators gave them
        self.known: dict[tuple[float, float], _Record] = {}
        for (task, _), one in exported.given.items():
            for result in one.get("result") or () if task == name else ():
                if exported.is_answer(result):
                    value = result["value"]
                    at = value.get("globalOffsets", value)
                    self.known.setdefault((at.get("start"), at.get("end")), value)

    def value(self, start: float, end: float, kind: str) -> _Record:
        whole = start.is_integer() and end.is_integer()
        at: _Record = (
            {"start": int(start), "end": int(end)} if whole else {"start": start, "end": end}
        )
        if kind == "paragraphlabels" and self.paragraphs is not None and whole:
            return _in_paragraphs(at, self.paragraphs)
        if kind in ("hypertextlabels", "labels", "timeserieslabels"):
            old = self.known.get((start, end), {})
            if kind == "hypertextlabels" and "globalOffsets" not in old:
                self.lost.append("the paths of regions in HTML where no annotator has one")
                return at | {"globalOffsets": dict(at)}
            labels = {k for k in old if k.endswith("labels")}
            at |= {k: v for k, v in old.items() if k not in labels and k != "text"}
        if self.text is not None and whole and "channel" not in at:
            at["text"] = self.text[int(start) : int(end)]
        return at


def _in_paragraphs(at: Mapping[str, int], paragraphs: Sequence[str]) -> _Record:
    """A place in paragraphs joined by line ends as a paragraph and an offset.

    >>> _in_paragraphs({"start": 4, "end": 6}, ["Hi.", "Ho."])
    {'start': '1', 'startOffset': 0, 'end': '1', 'endOffset': 2, 'text': 'Ho'}
    """
    begins = [0, *accumulate(len(p) + 1 for p in paragraphs)][:-1]
    found: _Record = {}
    for end, offset in at.items():
        number = max(i for i, begin in enumerate(begins) if begin <= offset)
        found |= {end: str(number), f"{end}Offset": offset - begins[number]}
    return found | {"text": "\n".join(paragraphs)[at["start"] : at["end"]]}


def _results(rows: Sequence[Unit], said: Sequence[Statement], place: _Place) -> list[_Record]:
    known, others, _ = matched(rows, said)
    regions = [_region(row, f"u{i}", place) for i, row in enumerate(rows)]
    named = {
        one.name: region for one, region in zip(known, regions, strict=True) if one is not None
    }
    more = []
    for one in others:
        about = [named[name] for _, name in one.targets if name in named]
        if not about or len(about) < len(one.targets):
            continue
        first = about[0]
        if one.kind == "attribute":
            at = {k: v for k, v in first["value"].items() if not k.endswith("labels")}
            value = {**at, "choices": [one.value or "true"]}
            more.append({**first, "from_name": one.label, "type": "choices", "value": value})
        elif one.kind == "note" and one.label == NOTE:
            first.setdefault("meta", {"text": []})["text"].append(one.value)
        elif one.kind == "relation" and len(about) == 2:
            arrow = {
                "from_id": first["id"],
                "to_id": about[1]["id"],
                "type": "relation",
                "direction": one.value or "right",
            }
            more.append(arrow | ({"labels": [one.label]} if one.label else {}))
    for result in more:
        result.pop("meta", None)
    return [*regions, *more]


def _region(unit: Unit, name: str, place: _Place) -> _Record:
    control, to, kind = place.exported.control(unit.label, ("label", "text", "labels"))
    value = place.value(unit.start, unit.end, kind)
    if unit.label is not None:
        value[kind] = [unit.label]
    return {"id": name, "from_name": control, "to_name": to, "type": kind, "value": value}


def _of_boxes(boxes: Boxes, exported: _Exported) -> _Written:
    lost: list[str] = []
    if not np.all(np.isfinite(boxes.sizes)):
        unknown = boxes.documents[int(np.flatnonzero(~np.isfinite(boxes.sizes).all(axis=1))[0])]
        raise UsageError(
            f"Label Studio has shapes in per cent of the image, and the size of {unknown!r} is not known; "
            "give the sizes with `lengths`"
        )
    if np.any(boxes.label < 0):
        lost.append("shapes without a label have no labels in Label Studio")
    answers: dict[str, dict[str, list[_Record]]] = {}
    fields: dict[str, _Record] = {}
    for d, document in enumerate(boxes.documents):
        image = None if boxes.images is None else boxes.images[d]
        fields[document] = {_NAME: document} if image is None else {"image": image, _NAME: document}
        if image is None and document not in exported.tasks:
            lost.append("the images are not known: tasks hold the document's name alone")
        answers[document] = {
            who: [
                _shape(boxes, int(i), exported, lost)
                for i in np.flatnonzero((boxes.document == d) & (boxes.annotator == a))
            ]
            for a, who in enumerate(boxes.annotators)
            if boxes.coverage[d, a]
        }
    return answers, fields, list(dict.fromkeys(lost))


def _shape(boxes: Boxes, i: int, exported: _Exported, lost: list[str]) -> _Record:
    """A rectangle, or a polygon where there is a control for it, in per cent of the image."""
    wide, high = boxes.sizes[boxes.document[i]].tolist()
    label = None if boxes.label[i] < 0 else boxes.categories[boxes.label[i]]
    outline = None if boxes.outlines is None else boxes.outlines[i]
    if outline is not None and not exported.has("polygonlabels"):
        lost.append(
            "polygons and turned rectangles are the rectangles around them: no control draws polygons"
        )
        outline = None
    kind = "rectanglelabels" if outline is None else "polygonlabels"
    name, to, kind = exported.control(label, ("label", "image", kind), kind)
    x, y, right, down = (float(side[i]) for side in (boxes.x0, boxes.y0, boxes.x1, boxes.y1))
    value: _Record = {
        "x": 100 * x / wide,
        "y": 100 * y / high,
        "width": 100 * (right - x) / wide,
        "height": 100 * (down - y) / high,
        "rotation": 0,
    }
    if outline is not None:
        value = {"points": (100 * outline / (wide, high)).tolist(), "closed": True}
    if label is not None:
        value[kind] = [label]
    size = {"original_width": _whole(wide), "original_height": _whole(high), "image_rotation": 0}
    return {"id": f"b{i}", "from_name": name, "to_name": to, "type": kind, **size, "value": value}


def _whole(number: float) -> float:
    return int(number) if number.is_integer() else number


def _of_ratings(data: Ratings, exported: _Exported) -> _Written:
    lost: list[str] = []
    usual = ("value", "item", "number" if data.kind == "numbers" else "choices")
    answers: dict[str, dict[str, list[_Record]]] = {}
    fields: dict[str, _Record] = {}
    for item, text, given in by_item(data, lost, what="tasks"):
        fields[item] = {"item": item} if text is None else {"item": item, "text": text}
        here = answers.setdefault(item, {})
        for who, value, labels in given:
            name, to, kind = exported.control("|".join(labels), usual)
            held = _held(value, labels, kind)
            here[who] = [{"from_name": name, "to_name": to, "type": kind, "value": held}]
    return answers, fields, lost


def _held(value: Any, labels: list[str], kind: str) -> _Record:
    """An answer as a control of this kind holds it."""
    if kind in ("number", "rating"):
        number = float(value)
        return {kind: int(number) if number.is_integer() else number}
    if kind == "pairwise":
        return {"selected": labels[0]}
    return {kind: [label.split("/") for label in labels] if kind == "taxonomy" else labels}
