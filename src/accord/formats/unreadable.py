"""Files that accord knows and does not read, each with the reason and what to do instead."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from accord.errors import InputError

Test = Callable[[Path, bytes], bool]


def refuse(path: Path, head: bytes) -> None:
    """Raise the sentence for a file that is known to hold nothing to compare."""
    for test, problem, hint in _KNOWN:
        if test(path, head):
            raise InputError(problem, path=path, hint=hint)


def _holds(*words: bytes) -> Test:
    return lambda path, head: all(word in head for word in words)


def _header(*names: str) -> Test:
    columns = ",".join(names).encode()
    return lambda path, head: head.removeprefix(b"\xef\xbb\xbf").splitlines()[:1] == [columns]


def _ends(*suffixes: str) -> Test:
    return lambda path, head: path.name.lower().endswith(suffixes)


def _aggregate(path: Path, head: bytes) -> bool:
    return (
        head.lstrip()[:1] == b"{"
        and b'"results"' in head
        and (b'"versions"' in head or b'"config"' in head)
        and re.search(rb'"(acc|exact_match|acc_norm)[",]', head) is not None
    )


def _prose(path: Path, head: bytes) -> bool:
    """Lines of writing: no cell that could be a header."""
    if path.suffix.lower() not in (".txt", ".ac"):
        return False
    first = head.decode("utf-8", "replace").removeprefix("\ufeff").split("\n")[0].strip()
    return "\t" not in first and (
        path.suffix.lower() == ".ac" or re.search(r"[.!?…]$| \w+ \w+ ", first) is not None
    )


def _promptfoo(path: Path, head: bytes) -> bool:
    first = head[:200_000]
    table = re.search(rb'"?\[(PASS|FAIL|ERROR)\] \(\d', first) is not None
    return (path.suffix == ".csv" and table) or (
        path.suffix in (".yaml", ".yml") and b"promptIdx:" in first
    )


_KNOWN: tuple[tuple[Test, str, str], ...] = (
    (
        _holds(b"<typeSystemDescription"),
        "is a UIMA type system, without annotations",
        "give the XMI or CAS JSON files",
    ),
    (_holds(b"<xs:schema"), "is an XML schema, without annotations", "give the project itself"),
    (_holds(b"<xsd:schema"), "is an XML schema, without annotations", "give the project itself"),
    (
        _holds(b"urn:QDA-XML:codebook:"),
        "is a codebook: it lists codes and no coded passage",
        "export the project (.qdpx)",
    ),
    (
        _header("tag", "description", "number of highlights", "number of documents"),
        "is Taguette's codebook: it counts highlights and holds none",
        "give the project's SQLite file",
    ),
    (
        _header("id", "document", "tag", "content"),
        "is Taguette's table of highlights, which has neither places nor users",
        "give the project's SQLite file",
    ),
    (
        _aggregate,
        "holds results of whole tasks and no item",
        "run lm_eval with --log_samples and give the samples_*.jsonl",
    ),
    (
        lambda path, head: path.name in ("annotation.conf", "visual.conf", "tools.conf"),
        "is a configuration of brat, without annotations",
        "give the folder of .ann files",
    ),
    (
        _promptfoo,
        "is a promptfoo table or YAML, which tells the last verdict and not who gave it",
        "write the results with --output results.json",
    ),
    (_ends(".xls"), "is an old Excel workbook (.xls)", "save it as .xlsx or CSV"),
    (
        lambda path, head: head.startswith(b"PK") and path.suffix.lower() in (".docx", ".odt"),
        "is a word processor's document",
        "export the annotations themselves",
    ),
    (
        _prose,
        "is a text, without annotations",
        "give the file or folder that holds the annotations",
    ),
)
