"""TCF of WebLicht (`<D-Spin>`): a text, its tokens, and layers of annotations over them.

`namedEntities` are units, `references` chains; parts of speech and lemmas are scaffolding. Tokens are
found in the text one after the other.
"""

from __future__ import annotations

from itertools import pairwise

from accord.errors import InputError
from accord.files import safe_xml
from accord.files.archive import Entry, Tree
from accord.formats.export import Export, Mark
from accord.formats.format import Format, ReadOptions
from accord.formats.places import by_place
from accord.formats.sniff import Sniff
from accord.formats.tags.token_text import placed

#: layer → its elements, which carry the value as attribute or as text
_LAYERS = {"POStags": "tag", "lemmas": "lemma", "namedEntities": "entity"}
_SCAFFOLDING = ("POStags", "lemmas")


def collect(tree: Tree, options: ReadOptions) -> Export:
    """Every layer of every file; each file is one annotator."""
    export = Export(tree.path, "tcf", notes=list(tree.notes))
    files = FORMAT.among(tree)

    def read_one(entry: Entry, document: str, annotator: str) -> None:
        _read_file(entry.read(), entry.path, document, annotator, export)

    by_place(tree, files, options, export, read_one)
    return export


def _read_file(data: bytes, path: str, document: str, annotator: str, export: Export) -> None:
    root = safe_xml.parse(data, path)
    corpus = root if root.tag == "TextCorpus" else root.find("TextCorpus")
    tokens = corpus.find("tokens") if corpus is not None else None
    if corpus is None or tokens is None:
        raise InputError("holds no tokens", path=path, hint="add a tokeniser to the chain")
    words = [(t.get("ID"), t.text) for t in tokens.all("token")]
    text = corpus.find("text")
    whole, places = placed(
        [w for _, w in words], text.text if text is not None else None, path, tokens.line
    )
    where = {name: place for (name, _), place in zip(words, places, strict=True)}
    export.add_text(document, whole, path)
    export.see(document, annotator)
    for name, element in _LAYERS.items():
        layer = corpus.find(name)
        for node in layer.all(element) if layer is not None else ():
            value = (node.get("class") or node.text).strip()
            _mark(node, value or None, name, None, where, document, annotator, path, export)
            if name in _SCAFFOLDING:
                export.scaffolding.add(name)
    references = corpus.find("references")
    for number, entity in enumerate(references.all("entity") if references is not None else ()):
        for node in entity.all("reference"):
            label = node.get("type") or None
            chain = entity.get("ID") or str(number)
            _mark(node, label, "references", chain, where, document, annotator, path, export)
    for name in ("parsing", "depparsing"):
        layer = corpus.find(name)
        if layer is not None:
            export.relations[name] += sum(1 for _ in layer.all("parse"))


def _mark(
    node: safe_xml.Node,
    label: str | None,
    layer: str,
    chain: str | None,
    where: dict[str, tuple[int, int]],
    document: str,
    annotator: str,
    path: str,
    export: Export,
) -> None:
    names = node.get("tokenIDs").split()
    missing = next((n for n in names if n not in where), None)
    if missing is not None or not names:
        raise InputError(
            f"refers to the token {missing!r}, which does not exist"
            if names
            else "has an annotation of no token",
            path=path,
            line=node.line,
        )
    places = sorted(where[n] for n in names)
    pieces: list[tuple[float, float]] = []
    order = sorted(where.values())
    follows = set(pairwise(order))
    for before, place in pairwise([None, *places]):
        assert place is not None
        if before is not None and (before, place) in follows:
            pieces[-1] = (pieces[-1][0], float(place[1]))
        else:
            pieces.append((float(place[0]), float(place[1])))
    export.marks.append(
        Mark(
            document,
            annotator,
            pieces[0][0],
            pieces[-1][1],
            label,
            layer,
            fragments=tuple(pieces) if len(pieces) > 1 else None,
            line=node.line,
            chain=chain,
        )
    )


FORMAT = Format(
    name="tcf",
    title="TCF (WebLicht)",
    sniff=(Sniff(every=(b"<D-Spin",)), Sniff(every=(b"<TextCorpus", b"dspin.de"))),
    people="file",
    collect=collect,
)
