"""spaCy's DocBin (`.spacy`): entities, span groups and categories of each document.

`ents` is a layer and so is every group of `spans`; `cats` are judgements (the categories of 0.5 and
more). A document whose entities were never set (spaCy knows) was not annotated. The annotator is the
file; documents are told apart by their texts, in their order. Offsets count code points. Needs spaCy
(`pip install 'accord[spacy]'`), which made the file.
"""

from __future__ import annotations

import zlib
from typing import Any

from accord.errors import InputError, missing_dependency
from accord.files.archive import Entry
from accord.formats.export import Export, Sheet
from accord.formats.format import Format, Sniff
from accord.formats.places import SameItems

_ENTITIES = "ents"
_LARGEST = 1 << 30
_CHOSEN = 0.5


def collect(export: Export) -> None:
    """Every document of every file; each file is one annotator."""
    names = SameItems()
    for entry in export.tree.ending(".spacy"):
        names.begin_file()
        for doc in _documents(entry):
            document = names.name(doc.text)
            # without any annotation it was not seen
            if doc.has_annotation("ENT_IOB") or doc.cats or any(map(len, doc.spans.values())):
                _read_doc(doc, export.see(document, entry.stem))
                export.add_text(document, doc.text, entry.path)
            else:
                export.leave_out(
                    "documents without any annotation set", why="count as not annotated"
                )
    if {m.layer for m in export.marks} == {_ENTITIES}:
        export.marks[:] = [m._replace(layer="") for m in export.marks]


def _read_doc(doc: Any, sheet: Sheet) -> None:
    entities = doc.ents if doc.has_annotation("ENT_IOB") else ()
    groups = {_ENTITIES: entities, **{f"spans[{n}]": group for n, group in doc.spans.items()}}
    for layer, group in groups.items():
        for span in group:
            sheet.mark(span.start_char, span.end_char, span.label_ or None, layer)
    if doc.cats:
        chosen = frozenset(name for name, score in doc.cats.items() if score >= _CHOSEN)
        sheet.judge(chosen, "cats")


def _documents(entry: Entry) -> list[Any]:
    try:
        import spacy
        from spacy.tokens import DocBin
    except ImportError:
        raise missing_dependency("spacy", "spacy", "reading spaCy's DocBin") from None
    data = entry.read()
    stream = zlib.decompressobj()
    try:
        stream.decompress(data, _LARGEST)
        if stream.unconsumed_tail:
            raise entry.wrong("expands to more than 1 GB")
        return list(DocBin().from_bytes(data).get_docs(spacy.blank("xx").vocab))
    except InputError:
        raise
    except Exception as problem:  # spaCy, srsly and numpy each have errors of their own for damage
        first = str(problem).split("\n")[0][:200]
        raise entry.wrong(f"is not a readable DocBin ({first})") from None


FORMAT = Format(
    name="docbin",
    title="spaCy DocBin",
    sniff=(Sniff(endings=(".spacy",), begins=b"\x78"),),
    collect=collect,
)
