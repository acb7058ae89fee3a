"""TCF of WebLicht (`<D-Spin>`): a text, its tokens, and layers of annotations over them.

`namedEntities` are units, `references` chains; parts of speech and lemmas are scaffolding. Tokens are
found in the text one after the other.
"""

from __future__ import annotations

from accord.files import safe_xml
from accord.files.archive import Entry
from accord.formats.export import Sheet
from accord.formats.format import Format, Sniff
from accord.formats.places import by_files
from accord.formats.tags.tokens import placed

#: layer → its elements, which carry the value as attribute or as text
_LAYERS = {"POStags": "tag", "lemmas": "lemma", "namedEntities": "entity"}
_SCAFFOLDING = ("POStags", "lemmas")


def read(entry: Entry, sheet: Sheet) -> None:
    """Every layer of a file."""
    root, path, export = safe_xml.parse(entry.read(), entry.path), entry.path, sheet.export
    corpus = root if root.tag == "TextCorpus" else root.find("TextCorpus")
    tokens = corpus.find("tokens") if corpus is not None else None
    if corpus is None or tokens is None:
        raise entry.wrong("holds no tokens", hint="add a tokeniser to the chain")
    words = [(t.get("ID"), t.text) for t in tokens.all("token")]
    text = corpus.find("text")
    whole, places = placed(
        [w for _, w in words], text.text if text is not None else None, path, tokens.line
    )
    where = {name: number for number, (name, _) in enumerate(words)}
    export.add_text(sheet.document, whole, path)
    for name, element in _LAYERS.items():
        layer = corpus.find(name)
        for node in layer.all(element) if layer is not None else ():
            value = (node.get("class") or node.text).strip()
            _mark(node, value or None, name, None, where, places, sheet)
            if name in _SCAFFOLDING:
                export.scaffolding.add(name)
    references = corpus.find("references")
    for number, entity in enumerate(references.all("entity") if references is not None else ()):
        for node in entity.all("reference"):
            chain = entity.get("ID") or str(number)
            _mark(node, node.get("type") or None, "references", chain, where, places, sheet)
    for name in ("parsing", "depparsing"):
        layer = corpus.find(name)
        if layer is not None:
            export.relations[name] += sum(1 for _ in layer.all("parse"))


def _mark(
    node: safe_xml.Node,
    label: str | None,
    layer: str,
    chain: str | None,
    where: dict[str, int],
    places: list[tuple[int, int]],
    sheet: Sheet,
) -> None:
    names = node.get("tokenIDs").split()
    missing = next((n for n in names if n not in where), None)
    if not names:
        raise node.wrong("has an annotation of no token")
    if missing is not None:
        raise node.wrong(f"refers to the token {missing!r}, which does not exist")
    pieces: list[tuple[float, float]] = []
    before = -2
    for number in sorted(where[n] for n in names):
        start, end = map(float, places[number])
        if number == before + 1:
            start = pieces.pop()[0]
        pieces.append((start, end))
        before = number
    sheet.mark_pieces(pieces, label, layer, line=node.line, chain=chain)


FORMAT = Format(
    name="tcf",
    title="TCF (WebLicht)",
    sniff=(Sniff(every=(b"<D-Spin",)), Sniff(every=(b"<TextCorpus", b"dspin.de"))),
    people="file",
    collect=by_files(read),
)
