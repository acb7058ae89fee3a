"""The small campaign of :mod:`tests.oracles.exports` in more formats, written by hand."""

from __future__ import annotations

import csv
import io
import json
import sqlite3
from collections.abc import Callable

Files = dict[str, bytes]

TEXT = "Barack Obama 🥳 visited Paris."
OTHER = "Nothing here."
ANN = [(0, 12, "PER", "Barack Obama"), (23, 28, "LOC", "Paris")]
BOB = [(7, 12, "PER", "Obama")]


def _json(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode()


def potato() -> Files:
    def line(name: str, text: str, units: list[tuple[int, int, str, str]]) -> bytes:
        spans = [{"start": s, "end": e, "span": t, "annotation": x} for s, e, x, t in units]
        record = {"id": name, "displayed_text": text, "label_annotations": {}}
        return _json({**record, "span_annotations": spans}) + b"\n"

    return {
        "ann/annotated_instances.jsonl": line("d1", TEXT, ANN) + line("d2", OTHER, []),
        "bob/annotated_instances.jsonl": line("d1", TEXT, BOB),
    }


def bioc() -> Files:
    def document(name: str, text: str, units: list[tuple[int, int, str, str]]) -> str:
        # the second half of the text is a passage of its own
        cut = text.index(" ", 5) + 1
        marks = "".join(
            f'<annotation id="{i}"><infon key="type">{x}</infon>'
            f'<location offset="{s}" length="{e - s}"/><text>{t}</text></annotation>'
            for i, (s, e, x, t) in enumerate(units)
        )
        return (
            f"<document><id>{name}</id><passage><offset>0</offset><text>{text[:cut]}</text>"
            f"{marks}</passage><passage><offset>{cut}</offset><text>{text[cut:]}</text></passage>"
            "</document>"
        )

    head = "<?xml version='1.0' encoding='UTF-8'?>\n<collection><source>s</source>"
    ann = document("d1", TEXT, ANN) + document("d2", OTHER, [])
    return {
        "ann.xml": f"{head}{ann}</collection>".encode(),
        "bob.xml": f"{head}{document('d1', TEXT, BOB)}</collection>".encode(),
    }


def webanno_tsv2() -> Files:
    def file(text: str, tags: dict[str, str]) -> bytes:
        words = text.replace(".", " .").split()
        rows = "".join(f"1-{i}\t{w}\t{tags.get(w, 'O')}\t\n" for i, w in enumerate(words, 1))
        return f" # custom.Span | value\n#id=1\n#text={text}\n{rows}\n".encode()

    ann = {"Barack": "B-PER", "Obama": "I-PER", "Paris": "B-LOC"}
    return {
        "d1/ann.tsv": file(TEXT, ann),
        "d1/bob.tsv": file(TEXT, {"Obama": "B-PER"}),
        "d2/ann.tsv": file(OTHER, {}),
    }


def gate_json() -> Files:
    def document(text: str, sets: dict[str, list[tuple[int, int, str, str]]]) -> bytes:
        held = {
            name: {
                "name": name,
                "annotations": [
                    # Java counts the emoji as two
                    {"type": x, "start": s + (s > 13), "end": e + (e > 13), "id": i, "features": {}}
                    for i, (s, e, x, _) in enumerate(units)
                ],
            }
            for name, units in sets.items()
        }
        return _json({"text": text, "offset_type": "j", "annotation_sets": held, "features": {}})

    return {
        "d1.bdocjs": document(TEXT, {"ann": ANN, "bob": BOB}),
        "d2.bdocjs": document(OTHER, {"ann": []}),
    }


def refi_qda() -> Files:
    def codings(user: str, units: list[tuple[int, int, str, str]]) -> str:
        return "".join(
            f'<PlainTextSelection guid="s{user}{s}" startPosition="{s}" endPosition="{e}">'
            f'<Coding guid="c{user}{s}" creatingUser="{user}"><CodeRef targetGUID="{x}"/></Coding>'
            "</PlainTextSelection>"
            for s, e, x, _ in units
        )

    project = (
        '<?xml version="1.0" encoding="utf-8"?>\n<Project xmlns="urn:QDA-XML:project:1.0" name="p">'
        '<Users><User guid="u1" name="ann"/><User guid="u2" name="bob"/></Users><CodeBook><Codes>'
        '<Code guid="X" name="entity"><Code guid="PER" name="PER"/><Code guid="LOC" name="LOC"/>'
        '</Code></Codes></CodeBook><Sources><TextSource guid="t" name="d1" '
        f'plainTextPath="internal://t.txt">{codings("u1", ANN)}{codings("u2", BOB)}</TextSource>'
        "</Sources></Project>"
    )
    return {"project.qde": project.encode(), "Sources/t.txt": TEXT.encode()}


def qualcoder() -> Files:
    database = sqlite3.connect(":memory:")
    database.executescript(
        "CREATE TABLE source (id integer, name text, fulltext text);"
        "CREATE TABLE code_cat (catid integer, name text);"
        "CREATE TABLE code_name (cid integer, name text, catid integer);"
        "CREATE TABLE code_text (ctid integer, cid integer, fid integer, seltext text, pos0 integer,"
        " pos1 integer, owner text);"
        "INSERT INTO code_cat VALUES (1, 'entity');"
        "INSERT INTO code_name VALUES (1, 'PER', 1), (2, 'LOC', NULL);"
    )
    database.execute("INSERT INTO source VALUES (1, 'd1', ?)", [TEXT])
    codes = {"PER": 1, "LOC": 2}
    for owner, units in (("ann", ANN), ("bob", BOB)):
        for s, e, x, t in units:
            row = [codes[x], t, s, e, owner]
            database.execute("INSERT INTO code_text VALUES (NULL, ?, 1, ?, ?, ?, ?)", row)
    database.commit()
    return {"p.qda/data.qda": database.serialize(), "p.qda/memo.log": b"opened"}


def taguette() -> Files:
    database = sqlite3.connect(":memory:")
    database.executescript(
        "CREATE TABLE projects (id integer, name text);"
        "CREATE TABLE project_members (project_id integer, user_login text);"
        "CREATE TABLE documents (id integer, name text, project_id integer, contents text);"
        "CREATE TABLE tags (id integer, path text);"
        "CREATE TABLE highlights (id integer, document_id integer, start_offset integer,"
        " end_offset integer);"
        "CREATE TABLE highlight_tags (highlight_id integer, tag_id integer);"
        "CREATE TABLE commands (id integer, user_login text, payload text);"
        "INSERT INTO projects VALUES (1, 'p'); INSERT INTO tags VALUES (1, 'PER'), (2, 'LOC');"
    )
    database.execute("INSERT INTO documents VALUES (1, 'd1', 1, ?)", [f"<p><b>{TEXT}</b></p>"])
    number = 0
    for who, units in (("ann", ANN), ("bob", BOB)):
        for s, e, x, _ in units:
            number += 1
            # UTF-8 bytes: the emoji is four
            start, end = (len(TEXT[:o].encode()) for o in (s, e))
            database.execute("INSERT INTO highlights VALUES (?, 1, ?, ?)", [number, start, end])
            tag = {"PER": 1, "LOC": 2}[x]
            database.execute("INSERT INTO highlight_tags VALUES (?, ?)", [number, tag])
            payload = json.dumps({"type": "highlight_add", "highlight_id": number})
            database.execute("INSERT INTO commands VALUES (?, ?, ?)", [number, who, payload])
    database.commit()
    return {"project.sqlite3": database.serialize()}


def tcf() -> Files:
    def file(text: str, entities: dict[str, str]) -> bytes:
        words = text.replace(".", " .").split()
        tokens = "".join(f'<token ID="t{i}">{w}</token>' for i, w in enumerate(words))
        named = "".join(
            f'<entity ID="e{i}" class="{x}" tokenIDs="{t}"/>'
            for i, (t, x) in enumerate(entities.items())
        )
        return (
            '<?xml version="1.0" encoding="UTF-8"?><D-Spin xmlns="http://www.dspin.de/data" '
            'version="0.4"><TextCorpus xmlns="http://www.dspin.de/data/textcorpus" lang="en">'
            f"<text>{text}</text><tokens>{tokens}</tokens><namedEntities>{named}</namedEntities>"
            "</TextCorpus></D-Spin>"
        ).encode()

    return {
        "d1/ann.xml": file(TEXT, {"t0 t1": "PER", "t4": "LOC"}),
        "d1/bob.xml": file(TEXT, {"t1": "PER"}),
        "d2/ann.xml": file(OTHER, {}),
    }


def exmaralda() -> Files:
    def file(units: list[tuple[int, int, str, str]]) -> bytes:
        line = "".join(f'<tli id="T{i}" time="{i}"/>' for i in range(31))
        events = "".join(f'<event start="T{s}" end="T{e}">{x}</event>' for s, e, x, _ in units)
        return (
            '<?xml version="1.0" encoding="UTF-8"?>\n<basic-transcription><head/><basic-body>'
            f'<common-timeline>{line}</common-timeline><tier id="TIE0" category="entity" type="a">'
            f"{events}</tier></basic-body></basic-transcription>"
        ).encode()

    return {"ann/d1.exb": file(ANN), "ann/d2.exb": file([]), "bob/d1.exb": file(BOB)}


def audacity() -> Files:
    def file(units: list[tuple[int, int, str, str]]) -> bytes:
        return "".join(f"{s:.6f}\t{e:.6f}\t{x}\n\\\t10.0\t20.0\n" for s, e, x, _ in units).encode()

    return {"ann/d1.txt": file(ANN), "bob/d1.txt": file(BOB)}


def subtitles() -> Files:
    def file(units: list[tuple[int, int, str, str]]) -> bytes:
        cues = "".join(
            f"00:{s:02}.000 --> 00:00:{e:02}.000\n<b>{x}</b>\n\n" for s, e, x, _ in units
        )
        return f"WEBVTT\n\nNOTE none\n\n{cues}".encode()

    return {"ann/d1.vtt": file(ANN), "bob/d1.vtt": file(BOB)}


def chat() -> Files:
    def file(units: list[tuple[int, int, str, str]]) -> bytes:
        lines = "".join(
            f"*{x}:\thello\n\tthere . \x15{s}_{e}\x15\n%cod:\t$A\n" for s, e, x, _ in units
        )
        return f"@UTF8\n@Begin\n{lines}@End\n".encode()

    return {"ann/d1.cha": file(ANN), "bob/d1.cha": file(BOB)}


def label_studio_csv() -> Files:
    held = io.StringIO()
    writer = csv.writer(held)
    writer.writerow(["annotation_id", "annotator", "id", "label", "lead_time", "text"])
    rows = [("ann", "d1", ANN, TEXT), ("bob", "d1", BOB, TEXT), ("ann", "d2", [], OTHER)]
    for number, (who, name, units, text) in enumerate(rows):
        regions = [{"start": s, "end": e, "text": t, "labels": [x]} for s, e, x, t in units]
        writer.writerow([number, who, name, json.dumps(regions), 1.5, text])
    return {"project.csv": held.getvalue().encode()}


def argilla1() -> Files:
    def record(name: str, text: str, who: str, units: list[tuple[int, int, str, str]]) -> object:
        return {
            "id": name, "text": text, "annotation": [[x, s, e] for s, e, x, _ in units],
            "annotation_agent": who, "prediction": [["PER", 0, 6, 0.9]], "prediction_agent": "m1",
            "status": "Validated",
        }  # fmt: skip

    waiting = {**record("d2", OTHER, "", []), "annotation": None, "status": "Default"}  # type: ignore[dict-item]
    return {
        "ann.json": _json([record("d1", TEXT, "ann", ANN), record("d2", OTHER, "ann", [])]),
        "bob.json": _json([record("d1", TEXT, "bob", BOB), waiting]),
    }


#: format → the files of its export
MORE: dict[str, Callable[[], Files]] = {
    "webanno-tsv2": webanno_tsv2,
    "gate-json": gate_json,
    "refi-qda": refi_qda,
    "qualcoder": qualcoder,
    "taguette": taguette,
    "bioc": bioc,
    "exmaralda": exmaralda,
    "tcf": tcf,
    "chat": chat,
    "subtitles": subtitles,
    "audacity": audacity,
    "argilla-1": argilla1,
    "label-studio-csv": label_studio_csv,
    "potato": potato,
}
