"""What a path holds, before anything is computed: the answer of `accord inspect`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from accord.data import Annotations, Boxes, Chains, Ratings, Relations, Segments, Units
from accord.data.ratings import label_of
from accord.data.reading import Reading
from accord.errors import InputError
from accord.files.archive import open_tree
from accord.files.pipe import as_file, is_piped, named_after
from accord.formats import detect
from accord.formats.export import Export
from accord.formats.format import Format, ReadOptions
from accord.reading import read
from accord.reading.file import export_of
from accord.reading.layers import data_of
from accord.reading.request import options_of

Row = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Inspection:
    """Documents, annotators, layers, labels, coverage, and what was ignored and why."""

    path: str
    format: str
    title: str
    #: what `accord.read` makes of it, or None when it needs to be told more
    shape: str | None
    #: why `accord.read` cannot read it as it is
    problem: str | None = None
    #: what offsets count
    unit: str | None = None
    documents: list[Row] = field(default_factory=list)
    annotators: list[Row] = field(default_factory=list)
    layers: list[Row] = field(default_factory=list)
    questions: list[Row] = field(default_factory=list)
    #: further columns of a table, kept beside the ratings or units
    columns: list[Row] = field(default_factory=list)
    relations: dict[str, int] = field(default_factory=dict)
    coverage: Row = field(default_factory=dict)
    ignored: list[Row] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    #: what was read, None where nothing can be read as it is
    reading: Reading | None = None

    def to_dict(self) -> Row:
        return {name: getattr(self, name) for name in self.__slots__ if name != "reading"}


def inspect(
    source: str | PathLike[str],
    *,
    format: str | None = None,  # noqa: A002
    **options: Any,
) -> Inspection:
    """Look at a file, folder or archive without choosing anything in it."""
    place = Path(source)
    if is_piped(place):
        with as_file(place) as copy, named_after(copy, place):
            return replace(inspect(copy, format=format, **options), path=str(place))
    if not place.exists():
        raise InputError("does not exist", path=place, hint="check the path")
    with open_tree(place) as tree:
        found = detect(tree, format)
        if found.collect is not None:
            chosen, _ = options_of(options)
            found.check_annotator_from(chosen.annotator_from)
            return _of_export(export_of(tree, found, chosen), found, chosen)
    # everybody is shown, whatever their role
    everybody = dict.fromkeys(("annotators", "without", "systems", "reference_annotator"))
    whole = read(place, format=found.name, **{**options, **everybody, "curation": "include"})
    return _of_data(whole, place, found)


def _of_export(export: Export, found: Format, options: ReadOptions) -> Inspection:
    shape: str | None = None
    problem = None
    reading = None
    notes = list(export.notes)
    try:
        data = data_of(export, options)
    except InputError as refused:
        problem = str(refused)
    else:
        shape = data.shape
        reading = data.reading.whole()
        notes = list(dict.fromkeys([*notes, *data.notes]))
    marks = Counter(
        (m.document, m.annotator) for m in export.marks if m.layer not in export.scaffolding
    )
    marks.update((j.item, j.annotator) for j in export.judgements)
    marks.update((x.document, x.annotator) for x in export.shapes)
    return Inspection(
        path=str(export.path),
        format=found.name,
        title=found.title,
        shape=shape,
        problem=problem,
        unit=export.unit if export.marks else None,
        layers=_layers(export),
        questions=_questions(export),
        relations=dict(sorted(export.relations.items())),
        ignored=[{"what": what, "count": n} for what, n in export.ignored.items()],
        notes=notes,
        reading=reading,
        **_coverage(list(export.seen), marks, export.lengths),
    )


def _layers(export: Export) -> list[Row]:
    labels: dict[str, Counter[str]] = {}
    features: dict[str, dict[str, None]] = {}
    broken: Counter[str] = Counter()
    for mark in export.marks:
        labels.setdefault(mark.layer, Counter())[mark.label or "(no label)"] += 1
        broken[mark.layer] += mark.fragments is not None
        if mark.features:
            features.setdefault(mark.layer, {}).update(dict.fromkeys(mark.features))
    for shape in export.shapes:
        labels.setdefault(shape.layer, Counter())[shape.label or "(no label)"] += 1
    for layer in export.skipped:
        labels.setdefault(layer, Counter())
    return [
        {
            "layer": layer,
            "units": counts.total() + export.skipped[layer],
            "scaffolding": layer in export.scaffolding,
            "label_feature": export.label_features.get(layer),
            "features": list(features.get(layer, ())),
            "discontinuous": broken[layer],
            "labels": dict(counts.most_common()),
        }
        for layer, counts in sorted(labels.items())
    ]


def _questions(export: Export) -> list[Row]:
    values: dict[str, Counter[str]] = {}
    for judgement in export.judgements:
        values.setdefault(judgement.question, Counter())[label_of(judgement.value)] += 1
    return [
        {"question": question, "judgements": counts.total(), "values": dict(counts.most_common())}
        for question, counts in sorted(values.items())
    ]


def _coverage(
    seen: Iterable[tuple[str, str]],
    marks: Counter[tuple[str, str]],
    lengths: dict[str, float],
) -> dict[str, Any]:
    pairs = dict.fromkeys([*seen, *marks])
    by_document: dict[str, list[str]] = {name: [] for name in lengths}
    by_annotator: dict[str, list[str]] = {}
    for document, annotator in pairs:
        by_document.setdefault(document, []).append(annotator)
        by_annotator.setdefault(annotator, []).append(document)
    per_document: Counter[str] = Counter()
    per_annotator: Counter[str] = Counter()
    for (document, annotator), n in marks.items():
        per_document[document] += n
        per_annotator[annotator] += n
    silent = Counter(a for d, a in pairs if not marks[d, a])
    whole = len(by_document) * len(by_annotator)
    return {
        "documents": [
            {
                "document": document,
                "length": lengths.get(document),
                "annotators": sorted(who),
                "annotations": per_document[document],
            }
            for document, who in by_document.items()
        ],
        "annotators": [
            {
                "annotator": annotator,
                "documents": len(documents),
                "annotations": per_annotator[annotator],
                "without_any": silent[annotator],
            }
            for annotator, documents in sorted(by_annotator.items())
        ],
        "coverage": {
            "pairs": len(pairs),
            "of": whole,
            "complete": len(pairs) == whole,
            "by_two_or_more": sum(len(who) > 1 for who in by_document.values()),
        },
    }


def _of_data(data: Annotations, path: Path, found: Format) -> Inspection:
    marks: Counter[tuple[str, str]] = Counter()
    labels: Counter[str] = Counter()
    seen: list[tuple[str, str]] = []
    lengths: dict[str, float] = {}
    questions: list[Row] = []
    columns: list[Row] = []
    relations: Counter[str] = Counter()
    if isinstance(data, Ratings):
        columns = [
            {"column": name, "items": sum(cell is not None for cell in cells)}
            for name, cells in data.extras.items()
        ]
        items = [str(i) for i in data.items]
        marks.update(
            (items[i], data.annotators[a])
            for i, a in zip(data.item.tolist(), data.annotator.tolist(), strict=True)
        )
        values = Counter(data.labels[c] for c in data.code.tolist())
        questions = [
            {"question": "", "judgements": data.n_ratings, "values": dict(values.most_common())}
        ]
    elif isinstance(data, Units):
        columns = [
            {"column": name, "units": sum(cell is not None for cell in cells)}
            for name, cells in data.extras.items()
        ]
        marks.update((u.document, u.annotator) for u in data)
        labels.update(u.label or "(no label)" for u in data)
        seen = [
            (data.documents[d], data.annotators[a]) for d, a in np.argwhere(data.coverage).tolist()
        ]
        lengths = {
            name: float(n)
            for name, n in zip(data.documents, data.lengths, strict=True)
            if np.isfinite(n)
        }
    elif isinstance(data, Relations):
        marks.update((r.document, r.annotator) for r in data)
        relations.update(r.label or "(no label)" for r in data)
        seen = [
            (data.documents[d], data.annotators[a]) for d, a in np.argwhere(data.coverage).tolist()
        ]
    elif isinstance(data, Boxes):
        columns = [
            {"column": name, "shapes": sum(cell is not None for cell in cells)}
            for name, cells in data.extras.items()
        ]
        marks.update((box.document, box.annotator) for box in data)
        labels.update(box.label or "(no label)" for box in data)
        seen = [
            (data.documents[d], data.annotators[a]) for d, a in np.argwhere(data.coverage).tolist()
        ]
    elif isinstance(data, Segments):
        for (d, a), positions in data.boundaries.items():
            seen.append((data.documents[d], data.annotators[a]))
            marks[data.documents[d], data.annotators[a]] = len(positions)
        labels["boundary"] = marks.total()
    elif isinstance(data, Chains):
        seen = [(data.documents[d], data.annotators[a]) for d, a in sorted(data.coverage)]
        marks.update(
            (data.documents[d], data.annotators[a])
            for d, a in zip(data.document.tolist(), data.annotator.tolist(), strict=True)
        )
        labels["mention"] = marks.total()
    layers = [{"layer": "", "units": labels.total(), "labels": dict(labels.most_common())}]
    return Inspection(
        path=str(path),
        format=found.name,
        title=found.title,
        shape=data.shape,
        layers=layers if labels else [],
        questions=questions,
        columns=columns,
        relations=dict(relations.most_common()),
        notes=list(data.notes),
        reading=data.reading.whole(),
        **_coverage(seen, marks, lengths),
    )
