"""Writing UIMA CAS XMI that INCEpTION imports: one file per annotator and document.

Next to the files stands `TypeSystem.xml`, which declares the layer; in INCEpTION, import it as a
layer first, then the documents as *UIMA CAS XMI (XML 1.0)*. Sentences are the lines of the text and
tokens its words, because INCEpTION needs both.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from xml.sax.saxutils import quoteattr

from accord.data import Annotations
from accord.errors import UsageError
from accord.formats.text import from_code_points
from accord.formats.writer import by_annotator, file_names, require_units, write_text

LAYER = "custom.Span"
_DKPRO = "http:///de/tudarmstadt/ukp/dkpro/core/api/segmentation/type.ecore"
#: XML 1.0 cannot hold these, not even as references
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")

_TYPES = """<?xml version="1.0" encoding="UTF-8"?>
<typeSystemDescription xmlns="http://uima.apache.org/resourceSpecifier">
  <types>
    <typeDescription>
      <name>custom.Span</name>
      <description/>
      <supertypeName>uima.tcas.Annotation</supertypeName>
      <features>
        <featureDescription>
          <name>value</name>
          <description/>
          <rangeTypeName>uima.cas.String</rangeTypeName>
        </featureDescription>
      </features>
    </typeDescription>
    <typeDescription>
      <name>de.tudarmstadt.ukp.dkpro.core.api.segmentation.type.Sentence</name>
      <description/>
      <supertypeName>uima.tcas.Annotation</supertypeName>
    </typeDescription>
    <typeDescription>
      <name>de.tudarmstadt.ukp.dkpro.core.api.segmentation.type.Token</name>
      <description/>
      <supertypeName>uima.tcas.Annotation</supertypeName>
    </typeDescription>
  </types>
</typeSystemDescription>
"""


def write(data: Annotations, path: Path) -> Sequence[str]:
    """Write a folder `<document>/<annotator>.xmi`, or one `.xmi` when there is only one."""
    units = require_units(data, "UIMA CAS XMI")
    if units.texts is None or None in units.texts:
        raise UsageError("UIMA CAS XMI needs the texts of the documents, and they are not known")
    lost: list[str] = []
    names = file_names(units.documents)
    single = path.suffix.lower() == ".xmi"
    if single and int(units.coverage.sum()) > 1:
        raise UsageError(
            f"{path.name} can hold one annotator and one document, but there are "
            f"{int(units.coverage.sum())}; name a folder, and the format uima"
        )
    for annotator, document, rows in by_annotator(units, lost):
        text = units.texts[units.documents.index(document)] or ""
        body = _xmi(text, [(int(r.start), int(r.end), r.label) for r in rows], lost)
        write_text(path if single else path / names[document] / f"{annotator}.xmi", body)
    write_text((path.parent if single else path) / "TypeSystem.xml", _TYPES)
    return list(dict.fromkeys(lost))


def _xmi(text: str, units: Sequence[tuple[int, int, str | None]], lost: list[str]) -> str:
    clean = _FORBIDDEN.sub("\ufffd", text)
    if clean != text:
        lost.append("control characters, which XML cannot hold, are written as U+FFFD")
    sentences = [(m.start(), m.end()) for m in re.finditer(r"\S[^\n]*", clean)] or [(0, len(clean))]
    tokens = [(m.start(), m.end()) for m in re.finditer(r"\w+|[^\w\s]", clean)]
    members: list[int] = []
    lines: list[str] = []

    def add(tag: str, spans: Sequence[tuple[int, int]], extra: Sequence[str]) -> None:
        edges = from_code_points(clean, [e for span in spans for e in span], "utf-16")
        for i, more in enumerate(extra):
            number = len(members) + 10
            members.append(number)
            begin, end = edges[2 * i], edges[2 * i + 1]
            lines.append(
                f'  <{tag} xmi:id="{number}" sofa="1" begin="{begin}" end="{end}"{more}/>\n'
            )

    add("tcas:DocumentAnnotation", [(0, len(clean))], [' language="x-unspecified"'])
    add("segmentation:Sentence", sentences, [""] * len(sentences))
    add("segmentation:Token", tokens, [""] * len(tokens))
    add(
        "custom:Span",
        [(s, e) for s, e, _ in units],
        ["" if v is None else f" value={_quoted(v, lost)}" for _, _, v in units],
    )
    body = "".join(lines)
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<xmi:XMI xmlns:xmi="http://www.omg.org/XMI" xmlns:cas="http:///uima/cas.ecore"'
        ' xmlns:tcas="http:///uima/tcas.ecore" xmlns:custom="http:///custom.ecore"'
        f' xmlns:segmentation="{_DKPRO}" xmi:version="2.0">\n'
        f'  <cas:NULL xmi:id="0"/>\n{body}'
        '  <cas:Sofa xmi:id="1" sofaNum="1" sofaID="_InitialView" mimeType="text/plain"'
        f" sofaString={_quoted(clean, lost)}/>\n"
        f'  <cas:View sofa="1" members="{" ".join(map(str, members))}"/>\n</xmi:XMI>\n'
    )


def _quoted(text: str, lost: list[str]) -> str:
    clean = _FORBIDDEN.sub("\ufffd", text)
    if clean != text:
        lost.append("control characters, which XML cannot hold, are written as U+FFFD")
    return quoteattr(clean, {"\n": "&#10;", "\r": "&#13;", "\t": "&#9;"})
