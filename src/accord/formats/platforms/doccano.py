"""doccano: JSONL, one file per annotator, usually a zip of `<user>.jsonl`; and its older CSV.

`label: [[start, end, name]]`, or `entities` with `relations`, are units; `label: ["name"]`, `cats`
and `labels` of words are judgements. Before version 1.2 a record held the `annotations` of all its
users, who are then the annotators, and labels were numbers. Offsets count code points, or graphemes
in a project that was created so (pass offsets="graphemes").

CSV before version 1.2 has one row per annotation, with the number of its user. The text is repeated in
every row; `start_offset` and `end_offset` make a row a unit, without them its label is a judgement on
the text. Labels and users are numbers: the names are in the project only.
"""

from __future__ import annotations

from typing import Any

from accord.errors import InputError
from accord.files import safe_json
from accord.files.archive import Entry
from accord.files.text import table_records
from accord.formats.export import Export, Sheet
from accord.formats.format import Format, Regex, Sniff
from accord.formats.offsets import Span
from accord.formats.places import SameItems
from accord.formats.platforms.doccano_writer import write_back
from accord.formats.records import Name, Struct, Whole, records, shaped

#: keys that other platforms, and answers of accord, write beside the same ones
_OTHERS = (
    *(b'"_input_hash"', b'"answer"', b'"annotations"', b'"classId"', b'"tokens"'),
    b'"signature"',
)
#: before version 1.2 annotators were inside of the record, and here is what only doccano wrote
_OLD = b'"annotation_approver"'
_PICTURE = Regex(rb'"filename"\s*:\s*"[^"]*"\s*,\s*"(label|bbox|segmentation)"\s*:\s*\[')


class _Entity(Struct):
    label: Name
    id: Any = ""
    start: Whole | None = None
    end: Whole | None = None
    start_offset: Whole | None = None
    end_offset: Whole | None = None
    span: Any = None

    def __post_init__(self) -> None:
        self.start = self.start if self.start_offset is None else self.start_offset
        self.end = self.end if self.end_offset is None else self.end_offset
        if self.start is None or self.end is None:
            raise ValueError("has no start_offset and end_offset")
        self.span = Span(self.start, self.end, None, self.label)


_Label = _Entity | list[Any] | str | int | float | bool


class _Relation(Struct):
    type: Any = None
    label: Any = None
    from_id: Any = ""
    to_id: Any = ""


class _Answers(Struct):
    """What one person said of a text."""

    label: str | list[_Label] | None = None
    labels: str | list[_Label] | None = None
    entities: list[_Entity | list[Any]] | None = None
    cats: dict[str, Any] | list[Name] | None = None
    relations: list[_Relation] | None = None
    Comments: list[Any] | None = None


class _Record(_Answers):
    id: Name | None = None
    text: Any = None
    data: Any = None
    filename: Any = None
    bbox: Any = None
    segmentation: Any = None
    annotations: list[dict[str, Any]] | None = None
    #: what a reference said of the record when it was put back into doccano
    reference: Any = None


def collect(export: Export) -> None:
    """Everything in the records of all files; each file is one annotator."""
    names = SameItems()
    for entry in export.tree.ending(".jsonl", ".json") or list(export.tree):
        names.begin_file()
        for line, row in records(entry, _Record):
            given = [t for t in (row.text, row.data, row.filename) if t is not None]
            if not given or not isinstance(given[0], str):
                raise entry.wrong("has no text", line, hint="export with the text")
            if row.bbox is not None or row.segmentation is not None:
                raise entry.wrong(
                    "holds boxes and polygons on pictures, which no measure of accord compares",
                    line,
                )
            text = given[0]
            document = names.name(text) if row.id is None else row.id
            if isinstance(row.reference, dict):
                export.said[document] = row.reference
            for annotator, mine in _by_user(row, entry, line).items():
                _read_answers(mine, text, export.see(document, annotator), entry.path, line)


def _by_user(row: _Record, entry: Entry, line: int) -> dict[str, _Answers]:
    """The record of each annotator: the file's, or before version 1.2 each user's in the record."""
    if row.annotations is None:
        return {entry.stem: row}
    people: dict[str, list[Any]] = {}
    for given in row.annotations:
        user = safe_json.word(given.get("user", entry.stem), "a user", entry.path, line)
        located = "start_offset" in given
        item = given if located else given.get("label", given.get("text"))
        people.setdefault(user, []).append(item)
    return {
        user: shaped({"label": items}, _Answers, entry.path, line) for user, items in people.items()
    }


def _read_answers(row: _Answers, text: str, sheet: Sheet, path: str, line: int) -> None:
    given = row.labels if row.label is None else row.label
    spans: list[Span] = []
    names: list[str] = []
    chosen: list[str] = []
    for item in [*([given] if isinstance(given, str) else given or ()), *(row.entities or ())]:
        if isinstance(item, list):
            if len(item) != 3:
                raise InputError("has a label that is not [start, end, name]", path=path, line=line)
            start, end, label = shaped(item, tuple[Whole, Whole, Name], path, line, "label")
            spans.append(Span(start, end, None, label))
            names.append("")
        elif isinstance(item, _Entity):
            spans.append(item.span)
            names.append(str(item.id))
        else:
            chosen.append(safe_json.word(item, "a label", path, line))
    cats = row.cats or ()
    chosen += [name for name in cats if not isinstance(cats, dict) or cats[name]]
    if chosen:
        sheet.judge(frozenset(chosen))
    for relation in row.relations or ():
        kind = str((relation.label if relation.type is None else relation.type) or "")
        sheet.export.relations[kind or "(unnamed)"] += 1
        sheet.relate(kind, (str(relation.from_id), str(relation.to_id)))
    for comment in row.Comments or ():
        sheet.export.leave_out("comments", bool(comment))
    places = sheet.settle(text, spans, f"{path}:{line}")
    for span, place, name in zip(spans, places, names, strict=True):
        sheet.mark(*place, span.name, line=line, name=name)


def collect_csv(export: Export) -> None:
    """Every row of every file in the layout of CSV."""
    chosen: dict[tuple[str, str], set[str]] = {}
    for entry in export.files:
        for line, row in table_records(entry.text(), entry.path):
            document, who = row.get("id") or row.get("text", ""), row.get("user", "")
            if not document or not who:
                raise entry.wrong("names no text or no user", line)
            sheet, label = export.see(document, who), row.get("label", "")
            if "start_offset" in row:
                places = [row["start_offset"], row.get("end_offset", "")]
                if not all(p.isdecimal() and len(p) < 13 for p in places):
                    raise entry.wrong("has an offset that is no number", line)
                span = Span(int(places[0]), int(places[1]), None, label, line)
                sheet.mark_spans(row.get("text", ""), [span], f"{entry.path}:{line}")
            elif label:
                chosen.setdefault((document, who), set()).add(label)
                if "text" in row:
                    export.texts.setdefault(document, row["text"])
    for pair, labels in chosen.items():
        export.see(*pair).judge(frozenset(labels))


FORMATS = (
    Format(
        name="doccano",
        title="doccano JSONL (zip of one file per user)",
        sniff=(
            Sniff(start=b"{[", some=(_OLD, _PICTURE)),
            # a text and labels, and no trace of the platforms that look alike
            Sniff(
                start=b"{[",
                every=(
                    Regex(rb'"(text|data)"'),
                    Regex(rb'"(label|labels|cats|entities)"\s*:\s*[\[{]'),
                ),
                none=_OTHERS,
            ),
        ),
        collect=collect,
        write_back=write_back,
        suffixes=(".doccano.jsonl",),
        holds=("units", "ratings", "relations"),
    ),
    Format(
        name="doccano-csv",
        title="doccano CSV (before version 1.2)",
        sniff=(Sniff(columns=("annotation_approver", "user", "label", "text")),),
        collect=collect_csv,
    ),
)
