"""Prodigy JSONL: one record per answered task, the annotator in `_annotator_id` or `_session_id`.

Records with the same `_input_hash` are about the same document. `spans` of accepted tasks are
units; `accept` (multiple choice) and the answer to a `label` (binary classification) are
judgements. Ignored tasks count as not seen, rejected spans are left out; both are reported.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from accord.files.archive import Tree
from accord.formats.export import Export, Judgement, Mark
from accord.formats.format import Format, ReadOptions
from accord.formats.records import Name, Place, Struct, Whole, key, records, shaped
from accord.formats.same_items import SameItems
from accord.formats.sniff import Regex, Sniff

_OWN = re.compile(rb'"(_input_hash|_task_hash|_session_id|_annotator_id|_view_id)"\s*:')
#: the offset of a span that has none
_NOWHERE = -1 << 60
_ANSWER = re.compile(rb'"answer"\s*:\s*"(accept|reject|ignore)"')


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


def collect(tree: Tree, options: ReadOptions) -> Export:
    """Everything in the records of all files."""
    export = Export.of("prodigy", tree, options)
    reader = _Reader(export, SameItems(), {}, set())
    for entry in tree.ending(".jsonl", ".json") or list(tree):
        for line, task in records(entry, _Task):
            reader.read(task, task.annotator or task.session or entry.stem, entry.path, line)
    return export


@dataclass(slots=True)
class _Reader:
    export: Export
    names: SameItems
    #: (document, annotator) → names of their marks, and the marks themselves
    named: dict[tuple[str, str], set[str]]
    taken: set[tuple[Any, ...]]

    def read(self, task: _Task, who: str, path: str, line: int) -> None:
        export, accepted = self.export, task.answer == "accept"
        text = task.text if isinstance(task.text, str) else None
        document = task.input_hash
        if document is None:
            document = self.names.known(text or str(line))
        if task.answer == "ignore":
            export.ignored["ignored tasks (answer: ignore) count as not seen"] += 1
            return
        export.see(document, who)
        for relation in task.relations or ():
            export.relations[str(relation.label or "(unnamed)")] += 1
            if accepted:
                self._relate(relation, document, who)
        if task.options is not False or isinstance(task.accept, list):
            if accepted:
                chosen = shaped(task.accept or [], list[Name], path, line, "accept")
                export.judgements.append(Judgement(document, who, frozenset(chosen), "accept"))
            else:
                export.ignored["rejected multiple-choice tasks were left out"] += 1
        elif isinstance(task.label, str) and not task.spans:
            export.judgements.append(Judgement(document, who, str(task.answer), task.label))
        if not task.spans:
            if text is not None:
                export.add_text(document, text, f"{path}:{line}")
        elif accepted:
            self._mark(task.spans, text, document, who, path, line)
        else:
            export.ignored["spans of rejected tasks were left out"] += len(task.spans)

    def _relate(self, relation: _Relation, document: str, who: str) -> None:
        """From its head to its child, which say where they are; ends without a label are marked, too."""
        ends = [p for p in (relation.head_span, relation.child_span) if p is not None]
        if len(ends) < 2:
            return
        known = self.named.setdefault((document, who), set())
        for at in ends:
            name = _called(at)
            if at.label is None and name not in known:
                known.add(name)
                self.export.scaffolding.add(_BARE)
                mark = Mark(document, who, at.start, at.end, None, _BARE, name=name)
                self.export.marks.append(mark)
        self.export.say(document, who, str(relation.label or ""), [_called(at) for at in ends])

    def _mark(
        self, given: list[_Span], text: str | None, document: str, who: str, path: str, line: int
    ) -> None:
        placed = [at for at in given if _NOWHERE not in (at.start, at.end)]
        if len(placed) < len(given):
            left = "spans without character offsets (pictures) were left out"
            self.export.ignored[left] += len(given) - len(placed)
        spans, where = [at.span for at in placed], f"{path}:{line}"
        places = self.export.settle(document, text, spans, where)
        for at, (start, end) in zip(placed, places, strict=True):
            key = (document, who, start, end, at.label)
            # one text can be asked about in several tasks, each showing the spans accepted before
            if key in self.taken:
                repeated = "spans repeated in another task on the same text, kept once"
                self.export.ignored[repeated] += 1
                continue
            self.taken.add(key)
            self.named.setdefault((document, who), set()).add(_called(at))
            mark = Mark(document, who, start, end, at.label, line=line, name=_called(at))
            self.export.marks.append(mark)


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
)
