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

from accord.data.statements import Statement
from accord.files import safe_json
from accord.files.archive import Entry, Tree
from accord.files.text import decode
from accord.formats.export import Export, Judgement, Mark
from accord.formats.format import Format, ReadOptions
from accord.formats.offsets import Settled, Span, settle
from accord.formats.sniff import Sniff

_VERSION = re.compile(r"(?:^|/)ann\.json/([^/]+)/")
_PART = re.compile(
    r"<(p|pre|h[1-6]|div|td|li)\b[^>]*\bid=[\"']([^\"']+)[\"'][^>]*>(.*?)</\1>", re.DOTALL
)
_TAG = re.compile(r"<[^>]*>")
_LINE_BREAK = "\n"


def collect(tree: Tree, options: ReadOptions) -> Export:
    """Everything in the `.ann.json` files."""
    export = Export(tree.path, "tagtog", notes=list(tree.notes))
    legend = _legend(tree)
    pages = {_document(e): e for e in tree.ending(".plain.html", ".html", ".txt")}
    for entry in tree.ending(".json"):
        if not FORMAT.recognises(Path(entry.name), entry.head(1 << 16)):
            continue
        whole = safe_json.record(safe_json.load(entry.read(), entry.path), "the export", entry.path)
        document = _document(entry)
        parts = _parts(pages.get(document))
        if parts is None and whole.get("entities"):
            export.notes.append(f"{entry.path}: no text beside it; offsets were not checked")
        version = _VERSION.search(entry.name)
        member = version[1] if version is not None and version[1] != "master" else None
        _read_file(
            whole, document, member or options.annotator, parts, legend, entry.path, export, options
        )
    return export


def _document(entry: Entry) -> str:
    name = entry.name.rpartition("/")[2]
    return re.sub(r"\.(ann\.json|plain\.html|html|txt|json)$", "", name)


def _legend(tree: Tree) -> dict[str, str]:
    for entry in tree:
        if entry.name.rpartition("/")[2] == "annotations-legend.json":
            whole = safe_json.record(
                safe_json.load(entry.read(), entry.path), "the legend", entry.path
            )
            return {k: v for k, v in whole.items() if isinstance(v, str)}
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
    whole: dict[str, Any],
    document: str,
    member: str | None,
    parts: tuple[str, dict[str, int]] | None,
    legend: dict[str, str],
    path: str,
    export: Export,
    options: ReadOptions,
) -> None:
    spans: list[Span] = []
    found: list[tuple[list[str], str, int, int, str]] = []
    if member is not None:
        export.see(document, member)
    for value in safe_json.listed(whole.get("entities"), "entities", path):
        row = safe_json.record(value, "an entity", path)
        label = safe_json.word(row.get("classId", ""), "classId", path)
        label = legend.get(label, label)
        begin = 0
        if parts is not None:
            part = str(row.get("part", "s1p1"))
            if part not in parts[1]:
                export.ignored["entities in a part that the text does not have were left out"] += 1
                continue
            begin = parts[1][part]
        first = len(spans)
        for offset in safe_json.listed(row.get("offsets"), "offsets", path):
            offset = safe_json.record(offset, "an offset", path)
            start = begin + safe_json.integer(offset.get("start"), "a start offset", path)
            covered = offset.get("text")
            covered = covered if isinstance(covered, str) else ""
            spans.append(Span(start, start + len(covered), covered, label))
        if len(spans) > first:
            name = (
                f"{row.get('part', 's1p1')}|{row.get('classId', '')}|{spans[first].start - begin}"
            )
            found.append((_people(row, member, path), label, first, len(spans), name))
    _read_metas(whole.get("metas"), document, member, legend, path, export)
    for r in safe_json.listed(whole.get("relations"), "relations", path):
        if isinstance(r, dict):
            kind = str(r.get("classId", "(unnamed)"))
            export.relations[legend.get(kind, kind)] += 1
            _read_relation(r, legend.get(kind, kind), document, member, path, export)
    if parts is None:
        read = Settled("", [s.start for s in spans], [s.end for s in spans])
    else:
        read = settle(parts[0], spans, path=path, forced=options.offsets)
        export.add_text(document, read.text, path)
    export.notes.extend(read.notes)
    for people, label, first, last, name in found:
        pieces = tuple(zip(read.starts[first:last], read.ends[first:last], strict=True))
        start, end = min(p[0] for p in pieces), max(p[1] for p in pieces)
        for who in people:
            export.see(document, who)
            fragments = pieces if len(pieces) > 1 else None
            export.marks.append(
                Mark(document, who, start, end, label or None, fragments=fragments, name=name)
            )


def _read_relation(
    row: dict[str, Any], kind: str, document: str, member: str | None, path: str, export: Export
) -> None:
    """Its entities are written part|class|first,last: class and first place tell which they are."""
    names = [
        str(e).partition(",")[0] for e in safe_json.listed(row.get("entities"), "entities", path)
    ]
    if len(names) != 2:
        return
    targets = (("Arg1", names[0]), ("Arg2", names[1]))
    for who in _people(row, member, path):
        said = export.statements.setdefault((document, who), [])
        said.append(Statement("", "relation", kind, targets))


def _read_metas(
    metas: Any, document: str, member: str | None, legend: dict[str, str], path: str, export: Export
) -> None:
    labels: dict[str, Any] = metas if isinstance(metas, dict) else {}
    for name, value in labels.items():
        row = safe_json.record(value, "a document label", path)
        given = row.get("value")
        if isinstance(given, (str, int, float)):
            for who in _people(row, member, path):
                answer = given if isinstance(given, str) else str(given).lower()
                export.judgements.append(Judgement(document, who, answer, legend.get(name, name)))


def _people(row: dict[str, Any], member: str | None, path: str) -> list[str]:
    """The member whose version it is, or those whom the confidence names."""
    if member is not None:
        return [member]
    confidence = row.get("confidence")
    who = confidence.get("who") if isinstance(confidence, dict) else None
    names = [
        safe_json.word(w, "who", path).removeprefix("user:")
        for w in safe_json.listed(who, "confidence.who", path)
    ]
    return list(dict.fromkeys(names)) or ["annotator"]


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
