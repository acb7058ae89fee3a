"""REFI-QDA projects (`.qdpx`, or the `project.qde` in it): the exchange format of NVivo, ATLAS.ti,
MAXQDA, QualCoder and others.

A coding of a passage of text is a unit, its code the label and `creatingUser` the annotator; codes
given to a whole source are judgements. A code is called by its own name, or by its path (`a/b`)
where two have the same name. Positions count code points. Who coded nothing in a source is not known
to have seen it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath

from accord.files import safe_xml
from accord.files.archive import Entry, Tree
from accord.files.safe_xml import Node
from accord.formats.export import Export
from accord.formats.format import Format, Sniff
from accord.formats.offsets import Span

_NAMESPACE = b"urn:QDA-XML:project:"
_MEDIA = ("PictureSource", "AudioSource", "VideoSource", "PDFSource")


def test_tree(tree: Tree) -> bool:
    """The project file, which stands beside its sources."""
    return any(FORMAT.recognises(Path(e.name), e.head(4096)) for e in tree.ending(".qde"))


def collect(export: Export) -> None:
    """Every coding of every source."""
    for entry in export.files:
        root = safe_xml.parse(entry.read(), entry.path)
        users = {
            u.get("guid"): u.get("name") or u.get("id") or u.get("guid")
            for u in _children(root, "Users", "User")
        }
        codes = _codes(root)
        for source in _children(root, "Sources", None):
            if source.tag == "TextSource":
                _read_source(source, users, codes, entry, export)
            elif source.tag in _MEDIA:
                count = sum(n.tag == "Coding" for n in source.walk())
                kind = source.tag.removesuffix("Source").lower()
                export.leave_out(f"codings of {kind} sources", count)


def _read_source(
    source: Node, users: Mapping[str, str], codes: Mapping[str, str], entry: Entry, export: Export
) -> None:
    document = source.get("name") or source.get("guid")
    spans: list[Span] = []
    people: list[str] = []
    for selection in source.all("PlainTextSelection"):
        start, end = (_position(selection, name) for name in ("startPosition", "endPosition"))
        codings = list(selection.all("Coding"))
        if not codings:
            export.leave_out("selections without a code")
        for coding in codings:
            for code in _referred(coding, codes):
                # a name that is cut off or made up says nothing about the text
                people.append(_user(coding, selection, users))
                spans.append(Span(start, end, None, code, coding.line))
    judged: dict[str, set[str]] = {}
    for coding in source.all("Coding"):
        for code in _referred(coding, codes):
            judged.setdefault(_user(coding, source, users), set()).add(code)
    for who, chosen in judged.items():
        export.see(document, who).judge(frozenset(chosen))
    places = export.settle(document, _text(source, entry, export.tree), spans, entry.path)
    for who, place, span in zip(people, places, spans, strict=True):
        export.see(document, who).mark(*place, span.name, line=span.line)


def _text(source: Node, entry: Entry, tree: Tree) -> str | None:
    """The text in the project file, or in the file of the archive that it names."""
    content = source.find("PlainTextContent")
    if content is not None:
        return content.text
    name = PurePosixPath(source.get("plainTextPath").partition("://")[2]).name
    if not name:
        return None
    folder = str(PurePosixPath(entry.name).parent)
    for place in (f"{folder}/Sources/{name}", f"Sources/{name}", f"{folder}/sources/{name}"):
        held = tree.find(place.removeprefix("./"))
        if held is not None:
            return held.text()
    return None


def _codes(root: Node) -> dict[str, str]:
    """Code by its identity; the path where a name alone would not tell."""
    named: list[tuple[str, tuple[str, ...]]] = []
    stack: list[tuple[Node, tuple[str, ...]]] = [
        (code, ()) for code in _children(root, "CodeBook", "Codes", "Code")
    ]
    while stack:
        code, above = stack.pop()
        path = (*above, code.get("name"))
        named.append((code.get("guid"), path))
        stack.extend((child, path) for child in code.all("Code"))
    often = Counter(path[-1] for _, path in named)
    return {guid: path[-1] if often[path[-1]] == 1 else "/".join(path) for guid, path in named}


def _children(root: Node, *tags: str | None) -> Iterator[Node]:
    *above, last = tags
    node = root.find(*(t for t in above if t is not None))
    if node is not None:
        yield from node.children if last is None else node.all(last)


def _referred(coding: Node, codes: Mapping[str, str]) -> Iterator[str]:
    for reference in coding.all("CodeRef"):
        code = codes.get(reference.get("targetGUID"))
        if code is None:
            raise reference.wrong(
                f"has a coding with an unknown code {reference.get('targetGUID')!r}"
            )
        yield code


def _user(coding: Node, around: Node, users: Mapping[str, str]) -> str:
    guid = coding.get("creatingUser") or around.get("creatingUser")
    return users.get(guid, guid) or "annotator"


def _position(node: Node, name: str) -> int:
    value = node.get(name)
    if not value.isdecimal() or len(value) > 12:
        raise node.wrong(f"{name} must be a number, got {value[:30]!r}")
    return int(value)


FORMAT = Format(
    name="refi-qda",
    title="REFI-QDA project (.qdpx)",
    sniff=(Sniff(every=(b"<Project", _NAMESPACE)),),
    tree=((r"(?i)\.qde$",),),
    test_tree=test_tree,
    collect=collect,
)
