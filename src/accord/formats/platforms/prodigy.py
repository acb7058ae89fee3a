"""Prodigy JSONL: one record per answered task, the annotator in `_annotator_id` or `_session_id`.

Records with the same `_input_hash` are about the same document. `spans` of accepted tasks are
units; `accept` (multiple choice) and the answer to a `label` (binary classification) are
judgements. Ignored tasks count as not annotated, rejected spans are left out; both are reported.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from accord.formats.export import Export, Sheet
from accord.formats.format import Format, Regex, Sniff
from accord.formats.places import SameItems
from accord.formats.platforms.prodigy_writer import write_back
from accord.formats.records import Name, Place, Struct, Whole, key, records, shaped

#: the offset of a span that has none
_NOWHERE = -1 << 60


class _Span(Place):
    """A span in a text, or in a picture, where it has no offsets."""

    start: Whole = _NOWHERE
    end: Whole = _NOWHERE


class _Relation(Struct):
    label: Any = None
    head_span: Place | None = None
    child_span: Place | None = None


class _Task(Struct):
    text: Any = None
    answer: Any = "accept"
    input_hash: Name | None = key(default=None, name="_input_hash")
    annotator: Name | None = key(default=None, name="_annotator_id")
    session: Name | None = key(default=None, name="_session_id")
    label: Any = None
    options: Any = False
    accept: Any = None
    spans: list[_Span] | None = None
    relations: list[_Relation] | None = None
    #: what a reference said of the task
    reference: Any = None


def collect(export: Export) -> None:
    """Everything in the records of all files."""
    reader = _Reader(export, SameItems(), {}, set())
    for entry in export.tree.ending(".jsonl", ".json") or list(export.tree):
        for line, task in records(entry, _Task):
            reader.read(task, task.annotator or task.session or entry.stem, entry.path, line)


@dataclass(slots=True)
class _Reader:
    export: Export
    names: SameItems
    #: (document, annotator) → names of their marks, and the marks themselves
    named: dict[Sheet, set[str]]
    taken: set[tuple[Any, ...]]

    def read(self, task: _Task, who: str, path: str, line: int) -> None:
        export, accepted = self.export, task.answer == "accept"
        text = task.text if isinstance(task.text, str) else None
        document = task.input_hash
        if document is None:
            document = self.names.known(text or str(line))
        if isinstance(task.reference, dict):
            self.export.said[document] = task.reference
            self.export.see(document, who)
        if task.answer == "ignore" and isinstance(task.reference, dict):
            return
        if task.answer == "ignore":
            export.leave_out("ignored tasks (answer: ignore)", why="count as not annotated")
            return
        sheet = export.see(document, who)
        for relation in task.relations or ():
            export.relations[str(relation.label or "(unnamed)")] += 1
            if accepted:
                self._relate(relation, sheet)
        if task.options is not False or isinstance(task.accept, list):
            if accepted:
                chosen = shaped(task.accept or [], list[Name], path, line, "accept")
                sheet.judge(frozenset(chosen), "accept")
            else:
                export.leave_out("rejected multiple-choice tasks")
        elif isinstance(task.label, str) and not task.spans:
            sheet.judge(str(task.answer), task.label)
        if not task.spans:
            if text is not None:
                export.add_text(document, text, f"{path}:{line}")
        elif accepted:
            self._mark(task.spans, text, sheet, path, line)
        else:
            export.leave_out("spans of rejected tasks", len(task.spans))

    def _relate(self, relation: _Relation, sheet: Sheet) -> None:
        """From its head to its child, which say where they are; ends without a label are marked, too."""
        ends = [p for p in (relation.head_span, relation.child_span) if p is not None]
        if len(ends) < 2:
            return
        known = self.named.setdefault(sheet, set())
        for at in ends:
            name = _called(at)
            if at.label is None and name not in known:
                known.add(name)
                self.export.scaffolding.add(_BARE)
                sheet.mark(at.start, at.end, None, _BARE, name=name)
        sheet.relate(str(relation.label or ""), [_called(at) for at in ends])

    def _mark(
        self, given: list[_Span], text: str | None, sheet: Sheet, path: str, line: int
    ) -> None:
        placed = [at for at in given if _NOWHERE not in (at.start, at.end)]
        if len(placed) < len(given):
            left = "spans without character offsets (pictures)"
            self.export.leave_out(left, len(given) - len(placed))
        places = sheet.settle(text, [at.span for at in placed], f"{path}:{line}")
        for at, place in zip(placed, places, strict=True):
            key = (sheet, *place, at.label)
            # one text can be asked about in several tasks, each showing the spans accepted before
            if key in self.taken:
                self.export.leave_out("spans repeated in another task on the same text")
                continue
            self.taken.add(key)
            self.named.setdefault(sheet, set()).add(_called(at))
            sheet.mark(*place, at.label, line=line, name=_called(at))


#: ends of relations that are tokens and no spans
_BARE = "tokens in relations"


def _called(at: Place) -> str:
    """What a span is called in relations: its place."""
    return f"{at.start}-{at.end}"


FORMAT = Format(
    name="prodigy",
    title="Prodigy JSONL",
    sniff=(
        Sniff(
            start=b"{[",
            some=(
                Regex(rb'"(_input_hash|_task_hash|_session_id|_annotator_id|_view_id)"\s*:'),
                Regex(rb'"answer"\s*:\s*"(accept|reject|ignore)"'),
            ),
        ),
    ),
    collect=collect,
    write_back=write_back,
    suffixes=(".prodigy.jsonl",),
    holds=("units", "ratings"),
)
