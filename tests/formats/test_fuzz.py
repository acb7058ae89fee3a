"""A short run of the fuzzer (`python -m tests.fuzz.readers` runs it for longer), and free noise."""

from __future__ import annotations

import tempfile
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accord.errors import AccordError
from accord.formats import formats
from accord.reading import read
from tests.fuzz.readers import fuzz
from tests.fuzz.seeds import SEEDS

#: beginnings that lead noise into each reader
_HEADS = [
    b"", b"T1\tX 0 1\t", b"#FORMAT=WebAnno TSV 3.3\n#T_SP=a|b\n#Text=", b'{"text": "a", "label": ',
    b'[{"annotations": [{"result": [', b"<annotations><metadata corpusHashcode='1-1'/><unit>",
    b"<GateDocument><TextWithNodes>", b"SPEAKER a 1 0 1 <NA> <NA> ", b'"ooTextFile"\n"TextGrid"\n',
    b'{"%FEATURE_STRUCTURES": [', b"PK\x03\x04", b"a,b,1,2\n",
]  # fmt: skip


@pytest.mark.parametrize("name", SEEDS)
def test_damaged_exports_are_read_or_refused(name: str) -> None:
    ends, findings = fuzz(name, seconds=600, seed=0, samples=None, rounds=80)
    assert findings == []
    assert ends["read"] > 0


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(_HEADS), st.binary(max_size=200) | st.text(max_size=100), st.data())
def test_noise_is_read_or_refused(head: bytes, noise: bytes | str, data: st.DataObject) -> None:
    body = head + (noise.encode("utf-8", "replace") if isinstance(noise, str) else noise)
    name = data.draw(st.sampled_from([None, *(f.name for f in formats() if f.collect)]))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / data.draw(st.sampled_from(["x", "x.ann", "x.json", "x.xml", "x.zip"]))
        path.write_bytes(body)
        with suppress(AccordError):
            read(path, format=name)
