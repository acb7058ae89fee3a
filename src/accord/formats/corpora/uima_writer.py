"""Writing UIMA CAS XMI that INCEpTION imports: one file per annotator and document.

Next to the files stands `TypeSystem.xml`, which declares the layers; in INCEpTION, import it as
layers first, then the documents as *UIMA CAS XMI (XML 1.0)*. Sentences are the lines of the text and
tokens its words, because INCEpTION needs both. Attributes and notes are features of the layer
`custom.Span`, relations annotations of `custom.Relation`, and the arguments of an event slots of its
trigger.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from xml.sax.saxutils import quoteattr

from accord.data import Annotations
from accord.data.statements import Statement, matched
from accord.data.units import Unit
from accord.formats.offsets import from_code_points
from accord.formats.writing import (
    by_annotator,
    is_one_file,
    without_controls,
    write_text,
)

_DKPRO = "http:///de/tudarmstadt/ukp/dkpro/core/api/segmentation/type.ecore"


def write(data: Annotations, path: Path) -> Sequence[str]:
    """Write a folder `<document>/<annotator>.xmi`, or one `.xmi` when there is only one."""
    lost: list[str] = []
    found = list(by_annotator(data, "UIMA CAS XMI", lost, texts=True))
    thing = "annotator and one document"
    single = is_one_file(path, (".xmi",), len(found), thing=thing, format="uima")
    features: dict[str, dict[str, None]] = {"Span": {}, "Relation": {}}
    for one in found:
        cas = _Cas(without_controls(one.text, lost), lost, features)
        cas.fill(one.units, one.said)
        write_text(path if single else path / one.file / f"{one.folder}.xmi", cas.xmi())
    write_text((path.parent if single else path) / "TypeSystem.xml", _type_system(features))
    return lost


@dataclass(slots=True)
class _Cas:
    """One document of one annotator, on its way to XMI."""

    text: str
    lost: list[str]
    #: layer → the features that it needs, over all files
    features: dict[str, dict[str, None]]
    elements: list[str] = field(default_factory=list)
    members: list[int] = field(default_factory=list)
    number: int = 9
    #: name → the attributes and notes of what is called so
    about: dict[str, list[Statement]] = field(default_factory=dict)

    def fill(self, rows: Sequence[Unit], said: Sequence[Statement]) -> None:
        """Text layers first, then units, what fills their slots, and relations."""
        text = self.text
        self.add("tcas:DocumentAnnotation", [(0, len(text))], [' language="x-unspecified"'])
        lines = [(m.start(), m.end()) for m in re.finditer(r"\S[^\n]*", text)] or [(0, len(text))]
        self.add("segmentation:Sentence", lines, [""] * len(lines))
        words = [(m.start(), m.end()) for m in re.finditer(r"\w+|[^\w\s]", text)]
        self.add("segmentation:Token", words, [""] * len(words))
        known, others, _ = matched(rows, said)
        for one in others:
            if one.kind in ("attribute", "note") and len(one.targets) == 1:
                self.about.setdefault(one.targets[0][1], []).append(one)
        numbers = {one.name: self.number + 1 + i for i, one in enumerate(known) if one is not None}
        events = {one.targets[0][1]: one for one in reversed(others) if _is_event(one, numbers)}
        # the numbers of links follow those of the units
        link = self.number + len(rows)
        extra: list[str] = []
        links: list[tuple[str, int]] = []
        for row, unit in zip(rows, known, strict=True):
            event = None if unit is None else events.get(unit.name)
            about = "" if unit is None else unit.name if event is None else event.name
            told = {} if row.label is None else {"value": row.label}
            attributes = self._attributes(told | self._said(about, "Span"))
            if event is not None:
                slots = event.targets[1:]
                links.extend((role, numbers[name]) for role, name in slots)
                ids = " ".join(str(link + 1 + i) for i in range(len(slots)))
                link += len(slots)
                attributes += f' arguments="{ids}"' if slots else ""
            extra.append(attributes)
        self.add("custom:Span", [(int(r.start), int(r.end)) for r in rows], extra)
        for role, target in links:
            self.number += 1
            said_role = f" role={self._quoted(role)}" if role else ""
            self.elements.append(
                f'  <custom:SpanArgumentsLink xmi:id="{self.number}"{said_role} target="{target}"/>\n'
            )
        self._relations(rows, known, others, numbers)

    def _relations(
        self,
        rows: Sequence[Unit],
        known: Sequence[Statement | None],
        others: Sequence[Statement],
        numbers: dict[str, int],
    ) -> None:
        places = {
            one.name: (int(row.start), int(row.end))
            for row, one in zip(rows, known, strict=True)
            if one is not None
        }
        spans, extra = [], []
        for one in others:
            ends = [name for _, name in one.targets]
            if one.kind == "relation" and len(ends) == 2 and all(name in numbers for name in ends):
                # a relation stands where its target does
                spans.append(places[ends[1]])
                told = {"value": one.label} | self._said(one.name, "Relation")
                extra.append(
                    f' Governor="{numbers[ends[0]]}" Dependent="{numbers[ends[1]]}"'
                    + self._attributes(told)
                )
        self.add("custom:Relation", spans, extra)

    def _said(self, name: str, layer: str) -> dict[str, str]:
        """Attributes and notes of a unit, event or relation, as features of its layer."""
        found: dict[str, str] = {}
        for one in self.about.get(name, ()):
            feature = feature_name(one.label)
            found.setdefault(feature, one.value or "true")
            self.features[layer].setdefault(feature)
        return found

    def _attributes(self, told: dict[str, str]) -> str:
        return "".join(f" {name}={self._quoted(value)}" for name, value in told.items())

    def add(self, tag: str, spans: Sequence[tuple[int, int]], extra: Sequence[str]) -> None:
        """Annotations of one type, with what else their elements say."""
        edges = from_code_points(self.text, [e for span in spans for e in span], "utf-16")
        for i, more in enumerate(extra):
            self.number += 1
            self.members.append(self.number)
            self.elements.append(
                f'  <{tag} xmi:id="{self.number}" sofa="1" begin="{edges[2 * i]}" '
                f'end="{edges[2 * i + 1]}"{more}/>\n'
            )

    def xmi(self) -> str:
        """The whole file."""
        return (
            '<?xml version="1.0" encoding="UTF-8"?>\n'
            '<xmi:XMI xmlns:xmi="http://www.omg.org/XMI" xmlns:cas="http:///uima/cas.ecore"'
            ' xmlns:tcas="http:///uima/tcas.ecore" xmlns:custom="http:///custom.ecore"'
            f' xmlns:segmentation="{_DKPRO}" xmi:version="2.0">\n'
            f'  <cas:NULL xmi:id="0"/>\n{"".join(self.elements)}'
            '  <cas:Sofa xmi:id="1" sofaNum="1" sofaID="_InitialView" mimeType="text/plain"'
            f" sofaString={self._quoted(self.text)}/>\n"
            f'  <cas:View sofa="1" members="{" ".join(map(str, self.members))}"/>\n</xmi:XMI>\n'
        )

    def _quoted(self, text: str) -> str:
        clean = without_controls(text, self.lost)
        return quoteattr(clean, {"\n": "&#10;", "\r": "&#13;", "\t": "&#9;"})


def _is_event(one: Statement, units: dict[str, int]) -> bool:
    """An event whose trigger and arguments are units; events of events have no slot to stand in."""
    return one.kind == "event" and all(name in units for _, name in one.targets)


_SEGMENTATION = "de.tudarmstadt.ukp.dkpro.core.api.segmentation.type"
_STRING = "uima.cas.String"
#: names that every annotation has already, or that these layers use themselves
_RESERVED = frozenset(
    {"value", "sofa", "begin", "end", "id", "uiId", "arguments", "Governor", "Dependent"}
)


def feature_name(name: str) -> str:
    """A name that UIMA allows, as near as can be.

    >>> feature_name("Confidence"), feature_name("très sûr"), feature_name("value")
    ('Confidence', 'tr_s_s_r', 'value_')
    """
    safe = re.sub(r"[^A-Za-z0-9_]", "_", name) or "_"
    if not safe[0].isalpha():
        safe = f"f{safe}"
    return f"{safe}_" if safe in _RESERVED else safe


def _type_system(features: Mapping[str, Iterable[str]]) -> str:
    """The description that INCEpTION imports as layers."""
    strings = {layer: dict.fromkeys(names, _STRING) for layer, names in features.items()}
    span = {"value": _STRING, "arguments": "uima.cas.FSArray", **strings.get("Span", {})}
    link = {"role": _STRING, "target": "custom.Span"}
    relation = {
        "Governor": "custom.Span",
        "Dependent": "custom.Span",
        "value": _STRING,
        **strings.get("Relation", {}),
    }
    types = [
        _type("custom.Span", "uima.tcas.Annotation", span),
        _type("custom.SpanArgumentsLink", "uima.cas.TOP", link),
        _type("custom.Relation", "uima.tcas.Annotation", relation),
        _type(f"{_SEGMENTATION}.Sentence", "uima.tcas.Annotation", {}),
        _type(f"{_SEGMENTATION}.Token", "uima.tcas.Annotation", {}),
    ]
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<typeSystemDescription xmlns="http://uima.apache.org/resourceSpecifier">\n  <types>\n'
        + "".join(types)
        + "  </types>\n</typeSystemDescription>\n"
    )


def _type(name: str, above: str, features: Mapping[str, str]) -> str:
    listed = "".join(
        "        <featureDescription>\n"
        f"          <name>{feature}</name>\n          <description/>\n"
        f"          <rangeTypeName>{kind}</rangeTypeName>\n"
        + (
            "          <elementType>custom.SpanArgumentsLink</elementType>\n"
            if kind == "uima.cas.FSArray"
            else ""
        )
        + "        </featureDescription>\n"
        for feature, kind in features.items()
    )
    inside = f"      <features>\n{listed}      </features>\n" if features else ""
    return (
        f"    <typeDescription>\n      <name>{name}</name>\n      <description/>\n"
        f"      <supertypeName>{above}</supertypeName>\n{inside}    </typeDescription>\n"
    )
