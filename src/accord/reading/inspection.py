"""What a path holds, before anything is computed: the answer of `accord inspect`."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import repeat
from os import PathLike
from pathlib import Path
from typing import Any

from accord.data import Annotations, Chains, Ratings, Relations, Segments
from accord.data.located import Documented, Located
from accord.data.ratings import label_of
from accord.data.reading import Answer, LeftOut, OpenQuestionError, Reading
from accord.data.schema import SCHEMAS
from accord.data.tabular import Tabular
from accord.errors import InputError, UsageError, in_command
from accord.files.archive import open_tree
from accord.files.pipe import as_file, is_piped, named_after
from accord.formats import detect
from accord.formats.export import Export
from accord.formats.format import Format, ReadOptions
from accord.reading import read_many
from accord.reading.file import export_of, read_sound
from accord.reading.layers import data_of
from accord.reading.request import options_of
from accord.reading.sidecars import lengths_in

Row = dict[str, Any]


#: rows that are shown of each way to read
_FIRST = 5
#: questions that are asked one after the other, at most
_QUESTIONS = 3
#: people are shown whatever their role
_EVERYBODY = dict.fromkeys(("without", "systems", "reference_annotator"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """One answer to an open question: what is read with it."""

    means: str
    #: the option as sentences name it
    option: str
    #: what is read so, None where that cannot be, or raises a further question
    reading: Reading | None = None
    rows: Sequence[Mapping[str, object]] = ()
    problem: str | None = None

    def to_dict(self) -> Row:
        return {
            "means": self.means,
            "option": in_command(self.option),
            "rows": list(self.rows),
            "problem": None if self.problem is None else in_command(self.problem),
        }


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
    #: where two readings are sensible: what each of them gives
    ways: tuple[Way, ...] = ()

    def to_dict(self) -> Row:
        kept = {name: getattr(self, name) for name in self.__slots__ if name != "reading"}
        return {**kept, "ways": [way.to_dict() for way in self.ways]}


def inspect(
    *sources: str | PathLike[str],
    format: str | None = None,  # noqa: A002
    **options: Any,
) -> Inspection:
    """Look at a file, folder or archive, or at several as one campaign, without choosing anything in it.

    What can be read in two sensible ways is read in both.
    """
    places = [Path(source) for source in sources]
    if not places:
        raise UsageError("there is nothing to look at; name a file or a folder")
    if len(places) == 1 and is_piped(places[0]):
        with as_file(places[0]) as copy, named_after(copy, places[0]):
            return replace(inspect(copy, format=format, **options), path=str(places[0]))
    options["format"] = format
    for place in places:
        if not place.exists():
            raise InputError("does not exist", path=place, hint="check the path")
    with open_tree(places[0]) as tree:
        found = detect(tree, format)
    try:
        return _looked_at(places, found, options)
    except OpenQuestionError as asked:
        why = asked.decision.why
        ways = _ways(asked.decision.others, places, options)
    except InputError as refused:
        # (what was said twice is a question too, when it is all that is wrong)
        why = refused.sentence.partition(";")[0]
        ways = _without_repeats(places, options)
        if not ways:
            raise
    return Inspection(
        path=_named(places),
        format=found.name,
        title=found.title,
        shape=None,
        problem=why,
        ways=tuple(ways),
    )


def _without_repeats(places: Sequence[Path], options: Mapping[str, Any]) -> list[Way]:
    """What is read of data in which somebody says a thing twice; none where that is not what is wrong."""
    answers = [
        Answer("the first counts of what was said twice", ("duplicates", "first")),
        Answer("the last counts", ("duplicates", "last")),
        Answer("an item can have several labels", ("multiple", True)),
    ]
    if options.get("duplicates", "error") != "error":
        return []
    return [way for way in _ways(answers, places, options) if way.reading is not None]


def _ways(
    answers: Iterable[Answer],
    places: Sequence[Path],
    options: Mapping[str, Any],
    before: Sequence[Answer] = (),
) -> list[Way]:
    """What is read with each of the answers, beside the options that were given and earlier answers."""
    found: list[Way] = []
    for answer in answers:
        chosen, given = {**options, **_with(options, answer)}, (*before, answer)
        way = Way(
            means=", ".join(one.means for one in given), option=" ".join(one.typed for one in given)
        )
        try:
            data = read_many(places, **chosen)
        except OpenQuestionError as further:
            if len(given) < _QUESTIONS:
                found += _ways(further.decision.others, places, chosen, given)
                continue
            way = replace(way, problem=further.sentence)
        except InputError as problem:
            way = replace(way, problem=problem.sentence)
        else:
            rows = data.first_rows(_FIRST) if isinstance(data, Tabular) else []
            way = replace(way, reading=data.reading, rows=rows)
        found.append(way)
    return found


def _with(options: Mapping[str, Any], answer: Answer) -> dict[str, Any]:
    """The option of an answer, beside what was given for it already."""
    name, value = answer.option
    given = options.get(name)
    if isinstance(given, Mapping) and isinstance(value, Mapping):
        return {name: {**given, **value}}
    if isinstance(given, tuple) and given:
        return {name: (*given, *(value if isinstance(value, (tuple, list)) else (value,)))}
    return {name: value}


def _named(places: Sequence[Path]) -> str:
    return ", ".join(map(str, places))


def _looked_at(places: Sequence[Path], found: Format, options: Mapping[str, Any]) -> Inspection:
    if found.collect is not None and len(places) == 1:
        chosen, _ = options_of({n: v for n, v in options.items() if n != "format"})
        found.check_annotator_from(chosen.annotator_from)
        with open_tree(places[0]) as tree:
            export, left = read_sound(lambda: export_of(tree, found, chosen), tree.leave)
            export.record.left_out.extend(left.left_out)
            return _of_export(export, found, chosen)
    everybody = {**options, **_EVERYBODY, "curation": "include"}
    if len(places) == 1:
        everybody["format"] = found.name
    whole = read_many(places, **everybody)
    return _of_data(whole, _named(places), found)


def _of_export(export: Export, found: Format, options: ReadOptions) -> Inspection:
    data = problem = None
    notes, left = list(export.notes), list(export.record.left_out)
    try:
        data = data_of(export, options)
    except InputError as refused:
        problem = str(refused)
    marks = Counter(
        (m.document, m.annotator) for m in export.marks if m.layer not in export.scaffolding
    )
    marks.update((j.item, j.annotator) for j in export.judgements)
    marks.update((x.document, x.annotator) for x in export.shapes)
    return Inspection(
        path=str(export.path),
        format=found.name,
        title=found.title,
        shape=None if data is None else data.shape,
        problem=problem,
        unit=export.unit if export.marks else None,
        layers=_layers(export),
        questions=_questions(export),
        relations=dict(sorted(export.relations.items())),
        ignored=[
            *({"what": one.what, "count": n} for one, n in export.ignored.items()),
            *({"what": what, "count": n} for what, n in export.assumed.items()),
            *_left_out(left),
        ],
        notes=list(dict.fromkeys([*notes, *(() if data is None else data.notes)])),
        reading=None if data is None else data.reading.whole(),
        **_coverage(list(export.seen), marks, export.lengths),
    )


def _left_out(gone: Iterable[LeftOut]) -> list[Row]:
    """What is in the sources and not in the data, with why, as rows."""
    return [{"what": f"{x.what}, {x.why}" if x.why else x.what, "count": x.n} for x in gone]


def _layers(export: Export) -> list[Row]:
    labels: defaultdict[str, Counter[str]] = defaultdict(Counter)
    features: defaultdict[str, dict[str, None]] = defaultdict(dict)
    for mark in export.marks:
        labels[mark.layer][mark.label or "(no label)"] += 1
        features[mark.layer].update(dict.fromkeys(mark.features or ()))
    for shape in export.shapes:
        labels[shape.layer][shape.label or "(no label)"] += 1
    broken = Counter(mark.layer for mark in export.marks if mark.fragments is not None)
    return [
        {
            "layer": layer,
            "units": counts.total() + export.skipped[layer],
            "scaffolding": layer in export.scaffolding,
            "label_feature": export.label_features.get(layer),
            "features": list(features[layer]),
            "discontinuous": broken[layer],
            "labels": dict(counts.most_common()),
        }
        for layer in sorted({*labels, *export.skipped})
        for counts in [labels[layer]]
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
    whole = len(by_document) * len(by_annotator)
    return {
        "documents": [
            {
                "document": document,
                "length": lengths.get(document),
                "annotators": sorted(who),
                "annotations": sum(marks[document, annotator] for annotator in who),
            }
            for document, who in by_document.items()
        ],
        "annotators": [
            {
                "annotator": annotator,
                "documents": len(documents),
                "annotations": sum(marks[document, annotator] for document in documents),
                "without_any": sum(not marks[document, annotator] for document in documents),
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


def _of_data(data: Annotations, path: str, found: Format) -> Inspection:
    said = list(_said(data))
    labels = dict(Counter(label for *_, label in said).most_common())
    layers = [{"layer": "", "units": len(said), "labels": labels}] if said else []
    judged, related = isinstance(data, Ratings), isinstance(data, Relations)
    rows = "items" if isinstance(data, Ratings) else f"{SCHEMAS[data.shape].row}s"
    extras = data.extras if isinstance(data, (Ratings, Located)) else {}
    return Inspection(
        path=path,
        format=found.name,
        title=found.title,
        shape=data.shape,
        layers=[] if judged or related else layers,
        questions=[{"question": "", "judgements": data.n_ratings, "values": labels}]
        if isinstance(data, Ratings)
        else [],
        columns=[
            {"column": name, rows: sum(cell is not None for cell in cells)}
            for name, cells in extras.items()
        ],
        relations=labels if related else {},
        ignored=_left_out(data.provenance.left_out if data.provenance else ()),
        notes=list(data.notes),
        reading=data.reading.whole(),
        **_coverage(
            data.seen_pairs() if isinstance(data, Documented) else [],
            Counter((document, annotator) for document, annotator, _ in said),
            lengths_in(data),
        ),
    )


def _said(data: Annotations) -> Iterator[tuple[str, str, str]]:
    """What is annotated (an item, a document), by whom, and with which label."""
    if isinstance(data, Ratings):
        items = [str(i) for i in data.items]
        who, what = data.annotator.tolist(), data.code.tolist()
        for i, a, c in zip(data.item.tolist(), who, what, strict=True):
            yield items[i], data.annotators[a], data.labels[c]
    elif isinstance(data, Located):
        names = (*data.categories, "(no label)")
        for row, c in zip(data, data.label.tolist(), strict=True):
            yield row[0], row[1], names[c]
    elif isinstance(data, Segments):
        for (d, a), cuts in data.boundaries.items():
            yield from repeat((data.documents[d], data.annotators[a], "boundary"), len(cuts))
    elif isinstance(data, Chains):
        for d, a in zip(data.document.tolist(), data.annotator.tolist(), strict=True):
            yield data.documents[d], data.annotators[a], "mention"
