"""The same small campaign as each platform exports it, written by hand.

Two texts. Ann marks a person and, after an emoji, a place in the first, and nothing in the second;
Bob marks a shorter person in the first and never saw the second.
"""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path

from tests.oracles.more_exports import MORE, OTHER, TEXT, Files

#: the same offsets in code points: (annotator, start, end, label) in the first document
MARKS = {("ann", 0, 12, "PER"), ("ann", 23, 28, "LOC"), ("bob", 7, 12, "PER")}


def _json(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode()


def _lines(rows: list[object]) -> bytes:
    return b"".join(_json(row) + b"\n" for row in rows)


def brat() -> Files:
    return {
        "ann/d1.txt": TEXT.encode(),
        "ann/d1.ann": b"T1\tPER 0 12\tBarack Obama\nT2\tLOC 23 28\tParis\n"
        b"R1\tVisit Arg1:T1 Arg2:T2\t\nA1\tSure T1 high\n#1\tAnnotatorNotes T1\thm\n",
        "ann/d2.txt": OTHER.encode(),
        "ann/d2.ann": b"",
        "bob/d1.txt": TEXT.encode(),
        "bob/d1.ann": b"T1\tPER 7 12\tObama\n",
    }


def _glozz(*units: tuple[int, int, str]) -> bytes:
    body = "".join(
        f'<unit id="u_{i}"><metadata><author>importer</author><creation-date>{i}</creation-date>'
        f"</metadata><characterisation><type>{label}</type><featureSet>"
        f'<feature name="sure">yes</feature></featureSet></characterisation><positioning>'
        f'<start><singlePosition index="{start}"/></start><end><singlePosition index="{end}"/></end>'
        "</positioning></unit>"
        for i, (start, end, label) in enumerate(units)
    )
    relation = (
        '<relation id="r"><characterisation><type>Visit</type><featureSet/></characterisation>'
        '<positioning><term id="u_0"/><term id="u_1"/></positioning></relation>'
    )
    return (
        '<?xml version="1.0" encoding="UTF-8" standalone="no"?>\n<annotations>\n'
        f"<metadata/>{body}{relation if len(units) > 1 else ''}</annotations>"
    ).encode()


def glozz() -> Files:
    return {
        "ann/d1.ac": TEXT.encode(),
        "ann/d1.aa": _glozz((0, 12, "PER"), (23, 28, "LOC"), (0, 29, "paragraph")),
        "ann/d2.ac": OTHER.encode(),
        "ann/d2.aa": _glozz(),
        "bob/d1.ac": TEXT.encode(),
        "bob/d1.aa": _glozz((7, 12, "PER")),
    }


_TSV = "#FORMAT=WebAnno TSV 3.3\n#T_SP=custom.Span|value\n\n\n#Text={text}\n{rows}"


def webanno_tsv3() -> Files:
    words = [(0, 6), (7, 12), (13, 15), (16, 23), (24, 29), (29, 30)]  # UTF-16 code units
    tokens = ["Barack", "Obama", "🥳", "visited", "Paris", "."]

    def rows(values: dict[int, str]) -> str:
        return "".join(
            f"1-{i + 1}\t{s}-{e}\t{token}\t{values.get(i, '_')}\t\n"
            for i, ((s, e), token) in enumerate(zip(words, tokens, strict=True))
        )

    other = "1-1\t0-7\tNothing\t_\t\n1-2\t8-12\there\t_\t\n1-3\t12-13\t.\t_\t\n"
    ann = rows({0: "PER[1]", 1: "PER[1]", 4: "LOC"})
    return {
        "d1/ann.tsv": _TSV.format(text=TEXT, rows=ann).encode(),
        "d1/bob.tsv": _TSV.format(text=TEXT, rows=rows({1: "PER"})).encode(),
        "d2/ann.tsv": _TSV.format(text=OTHER, rows=other).encode(),
    }


def _xmi(text: str, *units: tuple[int, int, str]) -> bytes:
    spans = "".join(
        f'<custom:Span xmi:id="{i}" sofa="1" begin="{s}" end="{e}" value="{label}"/>'
        for i, (s, e, label) in enumerate(units, start=10)
    )
    ids = " ".join(str(i) for i in range(10, 10 + len(units)))
    return (
        '<?xml version="1.0" encoding="UTF-8"?><xmi:XMI xmlns:xmi="http://www.omg.org/XMI" '
        'xmlns:cas="http:///uima/cas.ecore" xmlns:tcas="http:///uima/tcas.ecore" '
        'xmlns:type="http:///de/tudarmstadt/ukp/dkpro/core/api/segmentation/type.ecore" '
        'xmlns:custom="http:///custom.ecore" xmi:version="2.0">'
        f'<type:Token xmi:id="5" sofa="1" begin="0" end="6"/>{spans}'
        f'<cas:Sofa xmi:id="1" sofaNum="1" sofaID="_InitialView" sofaString="{text}"/>'
        f'<cas:View sofa="1" members="5 {ids}"/></xmi:XMI>'
    ).encode()


def _cas_json(text: str, *units: tuple[int, int, str]) -> bytes:
    spans = [
        {"%ID": i, "%TYPE": "custom.Span", "@sofa": 1, "begin": s, "end": e, "value": label}
        for i, (s, e, label) in enumerate(units, start=10)
    ]
    sofa = {"%ID": 1, "%TYPE": "uima.cas.Sofa", "sofaID": "_InitialView", "sofaString": text}
    view = {"%SOFA": 1, "%MEMBERS": [s["%ID"] for s in spans]}
    return _json(
        {
            "%TYPES": {},
            "%FEATURE_STRUCTURES": [sofa, *spans],
            "%VIEWS": {"_InitialView": view},
        }
    )


def uima() -> Files:
    return {
        "d1/ann.xmi": _xmi(TEXT, (0, 12, "PER"), (24, 29, "LOC")),
        "d1/bob.json": _cas_json(TEXT, (7, 12, "PER")),
        "d2/ann.xmi": _xmi(OTHER),
    }


def inception() -> Files:
    def zipped(name: str, data: bytes) -> bytes:
        held = io.BytesIO()
        with zipfile.ZipFile(held, "w") as archive:
            archive.writestr(name, data)
            archive.writestr("TypeSystem.xml", b"<typeSystemDescription/>")
        return held.getvalue()

    files = uima()
    project = {
        "name": "campaign",
        "annotation_documents": [
            {"name": "d1", "user": "ann", "state": "FINISHED"},
            {"name": "d1", "user": "bob", "state": "IN_PROGRESS"},
        ],
    }
    return {
        "exportedproject123.json": _json(project),
        "source/d1": TEXT.encode(),
        "annotation/d1/INITIAL_CAS.zip": zipped("INITIAL_CAS.xmi", _xmi(TEXT)),
        "annotation/d1/ann.zip": zipped("ann.xmi", files["d1/ann.xmi"]),
        "annotation/d1/bob.json": files["d1/bob.json"],
        "annotation/d2/ann.zip": zipped("ann.xmi", files["d2/ann.xmi"]),
        "annotation_ser/d1/ann.ser": b"\xac\xed\x00\x05",
        "curation/d1/CURATION_USER.zip": zipped("CURATION_USER.xmi", _xmi(TEXT, (0, 12, "PER"))),
    }


def label_studio() -> Files:
    def region(start: int, end: int, label: str) -> dict[str, object]:
        value = {"start": start, "end": end, "text": TEXT[start:end], "labels": [label]}
        return {"from_name": "label", "to_name": "text", "type": "labels", "value": value}

    relation = {"type": "relation", "from_id": "a", "to_id": "b", "labels": ["visited"]}
    tasks = [
        {
            "id": "d1",
            "data": {"text": TEXT},
            "annotations": [
                {
                    "completed_by": {"id": 1, "email": "ann"},
                    "result": [region(0, 12, "PER"), region(23, 28, "LOC"), relation],
                },
                {"completed_by": "bob", "result": [region(7, 12, "PER")]},
                {"completed_by": "eve", "was_cancelled": True, "result": []},
            ],
            "predictions": [{"model_version": "m1", "result": [region(0, 6, "PER")]}],
        },
        {
            "id": "d2",
            "data": {"text": OTHER},
            "annotations": [{"completed_by": "ann", "result": []}],
        },
    ]
    return {"export.json": _json(tasks)}


def doccano() -> Files:
    ann = [
        {"id": "d1", "text": TEXT, "label": [[0, 12, "PER"], [23, 28, "LOC"]], "Comments": []},
        {"id": "d2", "text": OTHER, "label": []},
    ]
    entity = {"id": 0, "start_offset": 7, "end_offset": 12, "label": "PER"}
    bob = [{"id": "d1", "text": TEXT, "entities": [entity], "relations": [{"type": "visits"}]}]
    return {"ann.jsonl": _lines(ann), "bob.jsonl": _lines(bob)}


def prodigy() -> Files:
    def task(who: str, item: str, text: str, *spans: tuple[int, int, str]) -> dict[str, object]:
        return {
            "text": text,
            "_input_hash": item,
            "_task_hash": f"{who}{item}",
            "_annotator_id": who,
            "_session_id": who,
            "_view_id": "ner_manual",
            "spans": [{"start": s, "end": e, "label": label} for s, e, label in spans],
            "answer": "accept",
        }

    rows: list[object] = [
        task("ann", "d1", TEXT, (0, 12, "PER"), (23, 28, "LOC")),
        task("bob", "d1", TEXT, (7, 12, "PER")),
        task("ann", "d2", OTHER),
        {**task("bob", "d2", OTHER, (0, 7, "PER")), "answer": "ignore"},
    ]
    return {"export.jsonl": _lines(rows)}


def argilla() -> Files:
    def span(start: int, end: int, label: str) -> dict[str, object]:
        return {"start": start, "end": end, "label": label}

    rows = [
        {
            "id": "d1",
            "fields": {"text": TEXT},
            "suggestions": {"ner": {"value": [span(0, 6, "PER")], "agent": "m1"}},
            "responses": {
                "ner": [
                    {"user_id": "ann", "value": [span(0, 12, "PER"), span(23, 28, "LOC")]},
                    {"user_id": "bob", "value": [span(7, 12, "PER")], "status": "submitted"},
                    {"user_id": "eve", "value": [], "status": "draft"},
                ]
            },
        },
        {
            "id": "d2",
            "fields": {"text": OTHER},
            "suggestions": {},
            "responses": {"ner": [{"user_id": "ann", "value": []}]},
        },
    ]
    return {"records.json": _json(rows)}


def lighttag() -> Files:
    def mark(start: int, end: int, tag: str, *people: str) -> dict[str, object]:
        who = [{"annotator": p} for p in people]
        return {
            "start": start,
            "end": end,
            "tag": tag,
            "value": TEXT[start:end],
            "annotated_by": who,
        }

    examples = [
        {
            "example_id": "d1",
            "content": TEXT,
            "seen_by": [{"annotator": "ann"}, {"annotator": "bob"}],
            "annotations": [
                mark(0, 12, "PER", "ann"),
                mark(23, 28, "LOC", "ann"),
                mark(7, 12, "PER", "bob"),
            ],
            "classifications": [],
        },
        {
            "example_id": "d2",
            "content": OTHER,
            "seen_by": [{"annotator": "ann"}],
            "annotations": [],
        },
    ]
    return {"export.json": _json({"examples": examples, "relations": [{"tag": "visits"}]})}


def tagtog() -> Files:
    def page(text: str) -> bytes:
        return f'<html><body><p id="s1p1">{text}</p></body></html>'.encode()

    def entities(*units: tuple[int, int, str]) -> bytes:
        rows = [
            {
                "classId": label,
                "part": "s1p1",
                "offsets": [{"start": s, "text": TEXT[s:e]}],
                "confidence": {"who": ["user:x"]},
            }
            for s, e, label in units
        ]
        return _json({"annotatable": {"parts": ["s1p1"]}, "anncomplete": True, "entities": rows})

    return {
        "annotations-legend.json": _json({"e_1": "PER", "e_2": "LOC"}),
        "plain.html/pool/d1.plain.html": page(TEXT),
        "plain.html/pool/d2.plain.html": page(OTHER),
        "ann.json/ann/pool/d1.ann.json": entities((0, 12, "e_1"), (23, 28, "e_2")),
        "ann.json/ann/pool/d2.ann.json": entities(),
        "ann.json/bob/pool/d1.ann.json": entities((7, 12, "e_1")),
    }


def gate_xml() -> Files:
    def mark(i: int, start: int, end: int, label: str) -> str:
        return (
            f'<Annotation Id="{i}" Type="{label}" StartNode="{start}" EndNode="{end}"><Feature>'
            "<Name>rule</Name><Value>hand</Value></Feature></Annotation>"
        )

    def document(body: str, sets: str) -> bytes:
        return (
            f'<?xml version="1.0"?><GateDocument version="3"><TextWithNodes>{body}</TextWithNodes>'
            f'<AnnotationSet><Annotation Id="0" Type="Token" StartNode="0" EndNode="12"/>'
            f"</AnnotationSet>{sets}</GateDocument>"
        ).encode()

    body = (
        '<Node id="0"/>Barack <Node id="7"/>Obama<Node id="12"/> 🥳 visited <Node id="24"/>Paris'
        '<Node id="29"/>.<Node id="30"/>'
    )
    ann = mark(1, 0, 12, "PER") + mark(2, 24, 29, "LOC")
    sets = (
        f'<AnnotationSet Name="ann">{ann}</AnnotationSet>'
        f'<AnnotationSet Name="bob">{mark(3, 7, 12, "PER")}</AnnotationSet>'
    )
    other = '<Node id="0"/>Nothing here<Node id="12"/>.'
    return {
        "d1.xml": document(body, sets),
        "d2.xml": document(other, '<AnnotationSet Name="ann"></AnnotationSet>'),
    }


def tei() -> Files:
    def document(text: str, *groups: str) -> bytes:
        return (
            '<?xml version="1.0"?><TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader/><standOff>'
            f'{"".join(groups)}</standOff><text><body><p xml:id="p1">{text}</p></body></text></TEI>'
        ).encode()

    def span(start: int, end: int, label: str) -> str:
        place = f"string-range(//p[@xml:id='p1'],{start},{end})"
        return f'<span from="{place}" ana="#{label}">{TEXT[start:end]}</span>'

    ann = f'<spanGrp resp="#ann">{span(0, 12, "PER")}{span(23, 28, "LOC")}</spanGrp>'
    bob = f'<spanGrp resp="#bob">{span(7, 12, "PER")}</spanGrp>'
    return {"d1.xml": document(TEXT, ann, bob), "d2.xml": document(OTHER, '<spanGrp resp="#ann"/>')}


def _eaf(*tiers: tuple[str, list[tuple[int, int, str]]]) -> bytes:
    slots, body, n = "", "", 0
    for name, rows in tiers:
        held = ""
        for start, end, label in rows:
            slots += f'<TIME_SLOT TIME_SLOT_ID="t{n}" TIME_VALUE="{start}"/>'
            slots += f'<TIME_SLOT TIME_SLOT_ID="t{n + 1}" TIME_VALUE="{end}"/>'
            held += (
                f'<ANNOTATION><ALIGNABLE_ANNOTATION ANNOTATION_ID="a{n}" TIME_SLOT_REF1="t{n}" '
                f'TIME_SLOT_REF2="t{n + 1}"><ANNOTATION_VALUE>{label}</ANNOTATION_VALUE>'
                "</ALIGNABLE_ANNOTATION></ANNOTATION>"
            )
            n += 2
        body += f'<TIER TIER_ID="{name}" LINGUISTIC_TYPE_REF="default-lt">{held}</TIER>'
    return (
        '<?xml version="1.0"?><ANNOTATION_DOCUMENT AUTHOR="" DATE="2020-01-01T00:00:00+00:00" '
        'FORMAT="3.0" VERSION="3.0" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" '
        'xsi:noNamespaceSchemaLocation="http://www.mpi.nl/tools/elan/EAFv3.0.xsd"><HEADER/>'
        f"<TIME_ORDER>{slots}</TIME_ORDER>{body}</ANNOTATION_DOCUMENT>"
    ).encode()


def elan() -> Files:
    return {
        "d1.eaf": _eaf(("ann", [(0, 12, "PER"), (23, 28, "LOC")]), ("bob", [(7, 12, "PER")])),
        "d2.eaf": _eaf(("ann", [])),
    }


def textgrid() -> Files:
    def tier(name: str, *rows: tuple[int, int, str]) -> str:
        held = "".join(f'{s}\n{e}\n"{label}"\n' for s, e, label in rows)
        return f'"IntervalTier"\n"{name}"\n0\n29\n{len(rows)}\n{held}'

    def grid(*tiers: str) -> bytes:
        head = 'File type = "ooTextFile"\nObject class = "TextGrid"\n\n0\n29\n<exists>\n'
        return f"{head}{len(tiers)}\n{''.join(tiers)}".encode()

    ann = tier("ann", (0, 12, "PER"), (12, 23, ""), (23, 28, "LOC"), (28, 29, ""))
    bob = tier("bob", (0, 7, ""), (7, 12, "PER"), (12, 29, ""))
    return {"d1.TextGrid": grid(ann, bob), "d2.TextGrid": grid(tier("ann", (0, 29, "")))}


def rttm() -> Files:
    row = "SPEAKER d1 1 {} {} <NA> <NA> {} <NA> <NA>\n"
    ann = row.format(0, 12, "PER") + row.format("23.0", "5.0", "LOC")
    return {"ann.rttm": ann.encode(), "bob.rttm": row.format(7, 5, "PER").encode()}


def pygamma_csv() -> Files:
    return {"d1.csv": b"ann,PER,0,12\nann,LOC,23,28\nbob,PER,7,12\n"}


#: format → the files of its export
EXPORTS = {
    "brat": brat,
    "glozz": glozz,
    "webanno-tsv3": webanno_tsv3,
    "uima": uima,
    "inception": inception,
    "label-studio": label_studio,
    "doccano": doccano,
    "prodigy": prodigy,
    "argilla": argilla,
    "lighttag": lighttag,
    "tagtog": tagtog,
    "gate": gate_xml,
    "tei": tei,
    "elan": elan,
    "textgrid": textgrid,
    "rttm": rttm,
    "pygamma-csv": pygamma_csv,
    **MORE,
}


def write_folder(files: Files, folder: Path) -> Path:
    """The export as a folder, or as its only file."""
    for name, data in files.items():
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
    return folder / next(iter(files)) if len(files) == 1 else folder


def write_zip(files: Files, path: Path) -> Path:
    """The export as an archive."""
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return path
