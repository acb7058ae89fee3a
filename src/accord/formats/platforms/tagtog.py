"""tagtog: `*.ann.json` with entities, perhaps beside `*.plain.html` and `annotations-legend.json`.

An entity has a class, a part of the document and offsets within it with the covered text. Parts are
laid end to end, one line break between two. The annotator is the member whose version of the
annotations it is (`ann.json/<member>/pool/…`), or whoever the confidence names.
"""

from __future__ import annotations

import html
import re
from pathlib import Path
from typing import Any

from accord.files.archive import Entry, Tree
from accord.files.text import decode
from accord.formats.export import Export
from accord.formats.format import Format, Sniff
from accord.formats.offsets import Span
from accord.formats.records import Name, Struct, Whole, key, record

_VERSION = re.compile(r"(?:^|/)ann\.json/([^/]+)/")
_PART = re.compile(
    r"<(p|pre|h[1-6]|div|td|li)\b[^>]*\bid=[\"']([^\"']+)[\"'][^>]*>(.*?)</\1>", re.DOTALL
)
_TAG = re.compile(r"<[^>]*>")
_LINE_BREAK = "\n"


class _Confidence(Struct):
    who: list[Name] | None = None


class _Said(Struct):
    """What somebody said: an entity, a relation, or a label of the document."""

    confidence: _Confidence | None = None


class _Offset(Struct):
    start: Whole
    text: Any = None


class _Entity(_Said):
    kind: Name = key(default="", name="classId")
    part: Any = "s1p1"
    offsets: list[_Offset] | None = None


class _Relation(_Said):
    kind: Any = key(default="(unnamed)", name="classId")
    entities: list[Any] | None = None


class _Meta(_Said):
    value: Any = None


class _Export(Struct):
    entities: list[_Entity] | None = None
    relations: list[_Relation] | None = None
    metas: dict[str, _Meta] | None = None


def collect(export: Export) -> None:
    """Everything in the `.ann.json` files."""
    legend = _legend(export.tree)
    pages = {_document(e): e for e in export.tree.ending(".plain.html", ".html", ".txt")}
    for entry in export.tree.ending(".json"):
        if not FORMAT.recognises(Path(entry.name), entry.head(1 << 16)):
            continue
        whole = record(entry, _Export)
        document = _document(entry)
        parts = _parts(pages.get(document))
        if parts is None and whole.entities:
            export.notes.append(f"{entry.path}: no text beside it; offsets were not checked")
        version = _VERSION.search(entry.name)
        member = version[1] if version is not None and version[1] != "master" else None
        who = member or export.options.annotator
        _read_file(whole, document, who, parts, legend, entry.path, export)


def _document(entry: Entry) -> str:
    name = entry.name.rpartition("/")[2]
    return re.sub(r"\.(ann\.json|plain\.html|html|txt|json)$", "", name)


def _legend(tree: Tree) -> dict[str, str]:
    for entry in tree:
        if entry.name.rpartition("/")[2] == "annotations-legend.json":
            return {k: v for k, v in record(entry, dict[str, Any]).items() if isinstance(v, str)}
    return {}


def _parts(entry: Entry | None) -> tuple[str, dict[str, int]] | None:
    """The text of all parts, and where each begins."""
    if entry is None:
        return None
    source = decode(entry.read(), entry.path)
    if entry.suffix == ".txt":
        return source, {"s1p1": 0, "s1v1": 0}
    text: list[str] = []
    places: dict[str, int] = {}
    length = 0
    for match in _PART.finditer(source):
        inner = html.unescape(_TAG.sub("", match[3]))
        places[match[2]] = length
        text.append(inner)
        length += len(inner) + len(_LINE_BREAK)
    return _LINE_BREAK.join(text), places


def _read_file(
    whole: _Export,
    document: str,
    member: str | None,
    parts: tuple[str, dict[str, int]] | None,
    legend: dict[str, str],
    path: str,
    export: Export,
) -> None:
    spans: list[Span] = []
    found: list[tuple[list[str], slice, str]] = []
    if member is not None:
        export.see(document, member)
    text, begins = (None, None) if parts is None else parts
    for row in whole.entities or ():
        label, part = legend.get(row.kind, row.kind), str(row.part)
        if begins is not None and part not in begins:
            export.leave_out("entities in a part that the text does not have")
            continue
        begin = 0 if begins is None else begins[part]
        first = len(spans)
        for at in row.offsets or ():
            covered = at.text if isinstance(at.text, str) else ""
            start = begin + at.start
            spans.append(Span(start, start + len(covered), covered, label))
        if len(spans) > first:
            name = f"{part}|{row.kind}|{spans[first].start - begin}"
            found.append((_people(row, member), slice(first, len(spans)), name))
    for name, meta in (whole.metas or {}).items():
        if isinstance(meta.value, (str, int, float)):
            answer = meta.value if isinstance(meta.value, str) else str(meta.value).lower()
            for who in _people(meta, member):
                export.sheet(document, who).judge(answer, legend.get(name, name))
    for relation in whole.relations or ():
        kind = legend.get(str(relation.kind), str(relation.kind))
        export.relations[kind] += 1
        # entities are written part|class|first,last: class and first place tell which they are
        ends = [str(e).partition(",")[0] for e in relation.entities or ()]
        for who in _people(relation, member) if len(ends) == 2 else ():
            export.sheet(document, who).relate(kind, ends)
    settled = export.settle(document, text, spans, path)
    for people, held, name in found:
        for who in people:
            mine = export.see(document, who)
            mine.mark_pieces(settled[held], spans[held.start].name or None, name=name)


def _people(row: _Said, member: str | None) -> list[str]:
    """The member whose version it is, or those whom the confidence names."""
    if member is not None:
        return [member]
    who = None if row.confidence is None else row.confidence.who
    return list(dict.fromkeys(w.removeprefix("user:") for w in who or ())) or ["annotator"]


FORMAT = Format(
    name="tagtog",
    title="tagtog (ann.json)",
    sniff=(
        Sniff(start=b"{", every=(b'"anncomplete"',)),
        Sniff(start=b"{", every=(b'"classId"', b'"offsets"')),
    ),
    collect=collect,
    beside=(".html", ".txt"),
)
