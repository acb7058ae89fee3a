"""UIMA CAS as XMI or JSON: a text, and typed annotations with features.

The layer is the type, the label one of its features. Only indexed annotations of the initial view
are read. Offsets count UTF-16 code units. Read directly rather than through dkpro-cassis: a CAS
exported without its type system is then readable too, entities are refused while parsing, and a
file of 50 MB takes seconds; cassis is the oracle in the tests.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from accord.data.statements import Statement, by_features
from accord.errors import InputError
from accord.files import safe_json, safe_xml
from accord.files.archive import Entry
from accord.files.text import first_sign
from accord.formats.corpora.label_feature import label_layers, preferred
from accord.formats.corpora.uima_writer import write
from accord.formats.export import Export, Sheet
from accord.formats.format import Format, Sniff
from accord.formats.offsets import Span
from accord.formats.places import by_files

_XMI_ID = "http://www.omg.org/XMI}id"
#: what every annotation has, and what is only housekeeping
_STANDARD = frozenset({_XMI_ID, "sofa", "begin", "end", "%ID", "%TYPE", "id", "uiId"})
_SCAFFOLDING = ("Token", "Sentence", "Paragraph", "TokenForm")
_HOUSEKEEPING = (
    "DocumentAnnotation",
    "DocumentMetaData",
    "TagsetDescription",
    "TagDescription",
    "CASMetadata",
    "LayerDefinition",
    "FeatureDefinition",
)
_ENDS = (("Governor", "Dependent"), ("source", "target"))


#: type, id, sofa, begin, end, features, line
_Annotation = tuple[str, str, str, int, int, dict[str, str], int | None]


@dataclass(slots=True)
class _Cas:
    """The parts of a CAS that matter here."""

    #: sofa number → text
    texts: dict[str, str] = field(default_factory=dict)
    initial: str | None = None
    annotations: list[_Annotation] = field(default_factory=list)
    #: sofa → identifiers of its indexed annotations
    members: dict[str, set[str]] = field(default_factory=dict)
    links: list[str] = field(default_factory=list)
    #: link → (role, what fills it); array → its elements
    slots: dict[str, tuple[str, str]] = field(default_factory=dict)
    arrays: dict[str, list[str]] = field(default_factory=dict)
    #: layers asked for by name: scaffolding is read only then
    wanted: frozenset[str] = frozenset()
    skipped: Counter[str] = field(default_factory=Counter)
    #: first link of each chain
    heads: list[str] = field(default_factory=list)


def read(entry: Entry, sheet: Sheet) -> None:
    """Everything in one CAS; :func:`label_layers` is called after the last."""
    data, path, export = entry.read(), entry.path, sheet.export
    cas = _Cas(wanted=frozenset((export.options.layer or "").replace(" ", "").split(",")))
    if first_sign(data) == b"{":
        _from_json(cas, data, path)
    else:
        _from_xmi(cas, data, path)
    export.skipped.update(cas.skipped)
    export.scaffolding.update(cas.skipped)
    if cas.initial is None:
        raise entry.wrong("holds no text (sofa)", hint="export it with its document text")
    if len(cas.texts) > 1:
        export.leave_out("more view(s)", len(cas.texts) - 1)
    kept = list(_kept(cas, sheet))
    export.relations.update(cas.links)
    chains = _chains(cas, export)
    spans = [Span(b, e, None, k.rpartition(".")[2] + f" #{i}", n) for k, i, _, b, e, _, n in kept]
    places = sheet.settle(cas.texts[cas.initial], spans, path, "utf-16")
    for (kind, name, *_, features, line), place in zip(kept, places, strict=True):
        chain = chains.get(name)
        sheet.mark(*place, None, kind, features, line=line, chain=chain, name=f"#{name}")


def _kept(cas: _Cas, sheet: Sheet) -> Iterator[_Annotation]:
    """The annotations that are units; what relations and events say of them is put down."""
    export, members = sheet.export, cas.members.get(cas.initial or "")
    for annotation in cas.annotations:
        kind, identifier, sofa, _, _, features, _ = annotation
        short = kind.rpartition(".")[2]
        if sofa != cas.initial or short in _HOUSEKEEPING:
            continue
        if members is not None and identifier not in members:
            export.leave_out("annotations that are not indexed in the view")
        elif any(a in features and b in features for a, b in _ENDS):
            export.relations[kind] += 1
            sheet.say(*_relation(kind, identifier, features))
        else:
            sheet.say(*_event(identifier, features, cas))
            if short in _SCAFFOLDING:
                export.scaffolding.add(kind)
            yield annotation


def _relation(kind: str, identifier: str, features: dict[str, str]) -> Iterator[Statement]:
    """A relation from its source (governor) to its target, and its other features."""
    ends = next((a, b) for a, b in _ENDS if a in features and b in features)
    rest = {k: v for k, v in features.items() if k not in ends}
    label = preferred(rest)
    name = f"relation {identifier}"
    targets = tuple(
        (role, f"#{features[end]}") for role, end in zip(("Arg1", "Arg2"), ends, strict=True)
    )
    type_name = kind.rpartition(".")[2] if label is None else rest.pop(label)
    yield Statement(name, "relation", type_name, targets, layer=kind)
    yield from by_features(name, rest)


def _event(identifier: str, features: dict[str, str], cas: _Cas) -> Iterator[Statement]:
    """Slots filled with other annotations make an event, of which this one is the trigger."""
    arguments: list[tuple[str, str]] = []
    for feature, value in list(features.items()):
        links = [link for word in value.split() for link in cas.arrays.get(word, [word])]
        if links and all(link in cas.slots for link in links):
            del features[feature]
            arguments.extend((cas.slots[k][0] or feature, f"#{cas.slots[k][1]}") for k in links)
    if arguments:
        name = f"event {identifier}"
        yield Statement(name, "event", "", (("", f"#{identifier}"), *arguments))


def _chains(cas: _Cas, export: Export) -> dict[str, str]:
    """The chain of each link, following `next` from the first."""
    if not cas.heads:
        return {}
    following = {a[1]: a[5].pop("next", "") for a in cas.annotations if a[0].endswith("Link")}
    kinds = {a[1]: a[0] for a in cas.annotations}
    chains: dict[str, str] = {}
    for head in cas.heads:
        link = head
        while link in kinds and link not in chains:
            chains[link] = head
            export.relations[f"{kinds[link]} links"] += 1
            link = following.get(link, "")
    return chains


def _from_xmi(cas: _Cas, data: bytes, path: str) -> None:
    depth = 0
    types: dict[str, str] = {}

    def start(tag: str, attributes: dict[str, str], line: int) -> None:
        nonlocal depth
        depth += 1
        if depth != 2:
            return
        kind = types.get(tag)
        if kind is None:
            kind = types[tag] = _type_name(tag)
        _take(cas, kind, attributes.get(_XMI_ID, ""), attributes, path, line)

    def end(_: str) -> None:
        nonlocal depth
        depth -= 1

    safe_xml.scan(data, path, start=start, end=end, namespaces=True)


def _take(
    cas: _Cas, kind: str, identifier: str, attributes: dict[str, str], path: str, line: int | None
) -> None:
    if kind == "uima.cas.Sofa":
        if "sofaString" in attributes:
            cas.texts[identifier] = attributes["sofaString"]
            if cas.initial is None or attributes.get("sofaID") == "_InitialView":
                cas.initial = identifier
    elif kind == "uima.cas.View":
        cas.members.setdefault(attributes.get("sofa", ""), set()).update(
            attributes.get("members", "").split()
        )
    elif "begin" in attributes and "end" in attributes:
        short = kind.rpartition(".")[2]
        if short in _SCAFFOLDING and short not in cas.wanted and kind not in cas.wanted:
            cas.skipped[kind] += 1
            return
        begin = _offset(attributes["begin"], path, line)
        finish = _offset(attributes["end"], path, line)
        features = {k: v for k, v in attributes.items() if k not in _STANDARD and "}" not in k}
        cas.annotations.append(
            (kind, identifier, attributes.get("sofa", ""), begin, finish, features, line)
        )
    elif "first" in attributes and kind.endswith("Chain"):
        cas.heads.append(attributes["first"])
    elif "target" in attributes and kind.endswith("Link"):
        cas.links.append(kind)
        cas.slots[identifier] = (attributes.get("role", ""), attributes["target"])
    elif kind.endswith("FSArray"):
        cas.arrays[identifier] = attributes.get("elements", "").split()


def _from_json(cas: _Cas, data: bytes, path: str) -> None:
    whole = safe_json.record(safe_json.load(data, path), "a CAS", path)
    structures = whole.get("%FEATURE_STRUCTURES") or []
    if isinstance(structures, dict):
        items: list[Any] = [
            {"%ID": k, **safe_json.record(v, "a feature structure", path)}
            for k, v in structures.items()
        ]
    else:
        items = safe_json.listed(structures, "%FEATURE_STRUCTURES", path)
    for item in items:
        fs = safe_json.record(item, "a feature structure", path)
        plain = {
            k.removeprefix("@"): _plain(v)
            for k, v in fs.items()
            if isinstance(v, (str, int, float)) and not k.startswith("^")
        }
        kind = _json_type(str(fs.get("%TYPE", "")))
        if isinstance(fs.get("%ELEMENTS"), list):
            plain["elements"] = " ".join(map(_plain, fs["%ELEMENTS"]))
        _take(cas, kind, plain.get("%ID", ""), plain, path, None)
    views = whole.get("%VIEWS")
    for view in views.values() if isinstance(views, dict) else ():
        view = safe_json.record(view, "a view", path)
        members = safe_json.listed(view.get("%MEMBERS"), "%MEMBERS", path)
        cas.members.setdefault(_plain(view.get("%SOFA", "")), set()).update(map(_plain, members))


def _plain(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int) and abs(value) > 1 << 64:
        return "0"
    return str(value)


def _json_type(name: str) -> str:
    return {"Sofa": "uima.cas.Sofa", "Annotation": "uima.tcas.Annotation"}.get(name, name)


def _type_name(tag: str) -> str:
    """``http:///de/x/type.ecore}Name`` is the type ``de.x.type.Name``.

    >>> _type_name("http:///uima/cas.ecore}Sofa")
    'uima.cas.Sofa'
    """
    uri, _, name = tag.rpartition("}")
    package = uri.removeprefix("http:///").removesuffix(".ecore").replace("/", ".")
    return name if package in ("", "uima.noNamespace") else f"{package}.{name}"


def _offset(value: str, path: str, line: int | None) -> int:
    digits = value.strip()
    if not digits.lstrip("-").isascii() or not digits.lstrip("-").isdigit() or len(digits) > 15:
        raise InputError(f"has an offset that is no number: {value[:20]!r}", path=path, line=line)
    return int(digits)


FORMAT = Format(
    name="uima",
    title="UIMA CAS (XMI or JSON)",
    sniff=(
        Sniff(start=b"<", every=(b"http://www.omg.org/XMI",)),
        Sniff(start=b"{", some=(b'"%FEATURE_STRUCTURES"', b'"%TYPES"')),
    ),
    people="file",
    collect=by_files(read, then=label_layers),
    write=write,
    suffixes=(".xmi",),
    holds=("units", "relations"),
)
