"""Small files in the formats that no platform exports: tables, columns, clusters."""

from __future__ import annotations

import io
import json
from collections.abc import Callable

from tests.oracles.exports import EXPORTS, Files

_CONLL2012 = b"""#begin document (d1); part 000
d1\t0\t0\tBarack\t-\t(0
d1\t0\t1\tObama\t-\t0)
d1\t0\t2\tsaw\t-\t-
d1\t0\t3\thim\t-\t(0)|(1)

#end document
"""

_CORPUS = b"""# newdoc id = d1
# global.Entity = eid-etype-head-other
# sent_id = 1
# text = Barack saw him
1\tBarack\tBarack\tPROPN\t_\t_\t2\tnsubj\t_\tEntity=(e1-person-1-)
2\tsaw\tsee\tVERB\t_\t_\t0\troot\t_\t_
3\thim\the\tPRON\t_\t_\t2\tobj\t_\tEntity=(e1-person-1-)(e2-x-1-)

"""

_CLUSTERS = {"documents": {"d1": {"ann": [[[0, 2], [3, 4]], ["a"]], "bob": [[[0, 2]], [[3, 4]]]}}}


def _parquet() -> Files:
    import pyarrow as pa
    import pyarrow.parquet as pq

    held = io.BytesIO()
    columns = {"item": [1, 1, 2], "annotator": ["A", "B", "A"], "value": ["x", "y", None]}
    pq.write_table(pa.table(columns), held, compression="none")
    return {"r.parquet": held.getvalue()}


_PROMPTFOO = {
    "promptIdx": 0, "testIdx": 1, "provider": {"id": "m", "label": ""}, "response": {"output": "x"},
    "success": True, "gradingResult": {"pass": True, "componentResults": [
        {"pass": True, "score": 0.5, "assertion": {"type": "llm-rubric"}},
        {"pass": False, "score": 0, "assertion": {"type": "human", "metric": None}}]},
}  # fmt: skip
_EDIT = {"value": "I", "provenance": {"author": "ann"}}
_INSPECT = {"eval": {"task": "t", "model": "m"}, "samples": [
    {"id": "q", "epoch": 1, "scores": {"s": {"value": "C", "history": [{"value": "C"}, _EDIT]},
                                       "two": {"value": {"a": 1, "b": 0.5}}}}]}  # fmt: skip
_LM_EVAL = {"doc_id": 0, "doc_hash": "h", "resps": [["4"]], "filtered_resps": ["4"],
            "filter": "none", "metrics": ["acc"], "acc": 1.0}  # fmt: skip
_DEEPEVAL = {"testCases": [{"name": "c", "metricsData": [
    {"name": "G", "score": 0.5, "success": True, "evaluationModel": "m"}]}]}  # fmt: skip
_LANGFUSE = {"data": [{"traceId": "t", "dataType": "NUMERIC", "name": "n", "source": "ANNOTATION",
                       "authorUserId": "u", "value": 1, "stringValue": None}]}  # fmt: skip
_MLFLOW = {"info": {"trace_id": "t", "assessments": [
    {"assessment_name": "n", "source": {"source_type": "HUMAN", "source_id": "u"},
     "feedback": {"value": True}}]}}  # fmt: skip
_TOKENS = {"id": "1", "tokens": ["in", "New", "York"], "ner_tags": ["O", "B-LOC", "I-LOC"]}


_COCO = {
    "images": [{"id": 1, "file_name": "a.jpg", "width": 80, "height": 60, "rater_list": ["ann", "bob"]}],
    "annotations": [
        {"id": 1, "image_id": 1, "category_id": 1, "bbox": [1, 2, 30, 20], "rater": "ann"},
        {"id": 2, "image_id": 1, "category_id": 2, "bbox": [1, 2, 30, 20], "rater": "bob",
         "segmentation": [[1, 2, 31, 2, 31, 22]], "iscrowd": 0}],
    "categories": [{"id": 1, "name": "Car"}, {"id": 2, "name": "Tree"}],
}  # fmt: skip
_CVAT = b"""<?xml version="1.0" encoding="utf-8"?>
<annotations><version>1.1</version>
<image id="0" name="a.jpg" width="80" height="60">
<box label="Car" xtl="1" ytl="2" xbr="31" ybr="22" rotation="15.0"></box>
<polygon label="Tree" points="1,2;31,2;31,22"></polygon></image>
<image id="1" name="b.jpg" width="80" height="60"></image>
<track id="0" label="Car"><box frame="3" outside="0" xtl="1" ytl="2" xbr="9" ybr="8"/></track>
</annotations>
"""
_REGION = {"x": 10, "y": 10, "width": 20, "height": 30, "rotation": 0, "rectanglelabels": ["Car"]}
_POLYGON = {"points": [[1, 1], [20, 1], [20, 30]], "polygonlabels": ["Tree"]}
_SHAPES = [{"id": 1, "data": {"image": "/a.jpg"}, "annotations": [
    {"completed_by": who, "result": [
        {"id": str(k), "type": "rectanglelabels", "from_name": "l", "to_name": "i", "value": value,
         "original_width": 80, "original_height": 60}
        for k, value in enumerate((_REGION, _POLYGON))]} for who in (1, 2)]}]  # fmt: skip


def _one(name: str, value: object) -> Callable[[], Files]:
    return lambda: {name: json.dumps(value).encode()}


OTHERS: dict[str, Callable[[], Files]] = {
    "conll2003": lambda: {
        "ann.conll": b"-DOCSTART- -X- O O\n\nEU NNP B-NP B-ORG\nrejects VBZ B-VP O\n\nBob NNP I-NP I-PER\n",
        "bob.conll": b"-DOCSTART- -X- O O\n\nEU NNP B-NP O\nrejects VBZ B-VP O\n\nBob NNP I-NP B-PER\n",
    },
    "conll2012": lambda: {"ann.conll": _CONLL2012},
    "corefud": lambda: {"ann.conllu": _CORPUS},
    "clusters": lambda: {"c.json": json.dumps(_CLUSTERS).encode()},
    "csv": lambda: {
        "units.csv": b"document,annotator,start,end,label\nd,A,0,4,x\nd,B,1.5,4,y\n",
    },
    "jsonl": lambda: {
        "r.jsonl": b'{"item": 1, "annotator": "A", "value": "x"}\n'
        b'{"item": 1, "annotator": "B", "value": ["x", "y"]}\n',
    },
    "json": lambda: {
        "r.json": b'[{"item": 1, "annotator": "A", "value": {"x": 0.5, "y": 0.5}},'
        b' {"item": 1, "annotator": "B", "value": {"x": 1}}]',
    },
    "parquet": _parquet,
    "coco": _one("a.json", _COCO),
    "cvat": lambda: {"ann.xml": _CVAT, "bob.xml": _CVAT},
    "boxes": lambda: {
        "b.csv": b'document,annotator,x0,y0,x1,y1,label,points\np,A,0,0,4,4,x,\np,B,,,,,x,"0,0 4,0 0,3"\n',
    },
    "label-studio-shapes": _one("tasks.json", _SHAPES),
    "promptfoo": _one("r.jsonl", _PROMPTFOO),
    "inspect": _one("log.json", _INSPECT),
    "lm-eval": _one("m/samples_t.jsonl", _LM_EVAL),
    "deepeval": _one("run.json", _DEEPEVAL),
    "langfuse": _one("scores.json", _LANGFUSE),
    "mlflow": _one("traces.json", _MLFLOW),
    "hugging-face": _one("ann.jsonl", _TOKENS),
    "germeval": lambda: {"ann.tsv": b"#\tx\n1\tTroia\tB-OTH\tO\n2\tTraum\tI-OTH\tO\n"},
    "fasttext": lambda: {"ann.txt": b"__label__a one\n__label__b two\n"},
    "xces": lambda: {"ann.xml": b'<cesDoc><p><s><t word="a" tag="D"/></s></p></cesDoc>'},
    "doccano-csv": lambda: {
        "all.csv": b"id,text,annotation_approver,label,start_offset,end_offset,user\n1,New York,,2,0,8,7\n"
    },
}

SEEDS: dict[str, Callable[[], Files]] = {**EXPORTS, **OTHERS}
