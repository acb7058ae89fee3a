"""Small files in the formats that no platform exports: tables, columns, clusters."""

from __future__ import annotations

import io
import json
from collections.abc import Callable

from tests.exports import EXPORTS, Files

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
    "parquet": _parquet,
}

SEEDS: dict[str, Callable[[], Files]] = {**EXPORTS, **OTHERS}
