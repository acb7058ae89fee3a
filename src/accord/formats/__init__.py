"""Readers and writers, one module per format, and the choice among them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from importlib import import_module
from os import PathLike
from pathlib import Path

from accord.data import Annotations
from accord.errors import InputError, UsageError
from accord.files.archive import Tree, is_archive, open_tree
from accord.files.limits import refuse_long_lines_of
from accord.formats.format import Format, ReadOptions
from accord.plugins import plugged_in

__all__ = ["Format", "ReadOptions", "detect", "formats", "head_of", "write"]

#: bytes of a file that a format sees to recognise it
_HEAD = 1 << 18
#: files of a folder or archive that are looked at to recognise it
_SAMPLED = 64
_RUN = 4
#: bytes of a JSON file that are looked through when its first record is longer than a head
_LONG = 1 << 26
_LONG_STRING = re.compile(rb'"(?:[^"\\]|\\.){400,}+(?:"|\\?\Z)', re.DOTALL)

#: the most specific first: the first that recognises a file reads it
_MODULES = (
    "corpora.brat",
    "corpora.glozz",
    "corpora.inception",
    "corpora.webanno_tsv3",
    "corpora.webanno_tsv2",
    "corpora.uima",
    "speech.elan",
    "speech.textgrid",
    "corpora.gate_xml",
    "corpora.gate_json",
    "corpora.tei",
    "platforms.refi_qda",
    "platforms.qualcoder",
    "platforms.taguette",
    "corpora.bioc",
    "speech.exmaralda",
    "corpora.tcf",
    "corpora.xces",
    "speech.chat",
    "speech.subtitles",
    "speech.audacity",
    "speech.rttm",
    "platforms.argilla",
    "platforms.argilla1",
    "platforms.label_studio.tasks",
    "platforms.label_studio.csv",
    "platforms.lighttag",
    "platforms.tagtog",
    "platforms.prodigy",
    "platforms.potato",
    "platforms.doccano",
    "platforms.doccano_csv",
    "platforms.fasttext",
    "platforms.docbin",
    "logs.promptfoo",
    "logs.inspect_log",
    "logs.lm_eval",
    "logs.deepeval",
    "logs.mlflow",
    "logs.langfuse",
    "images.coco",
    "images.cvat",
    "coreference.conll2012",
    "coreference.corefud",
    "translation.mqm",
    "translation.esa",
    "tags.germeval",
    "tags.conll2003",
    "coreference.clusters_json",
    "platforms.hugging_face",
    "tables.pygamma",
    "tables.excel",
)


def formats() -> tuple[Format, ...]:
    """All formats, the most specific first: the first that recognises a file reads it."""
    from accord.formats.tables import delimited

    rich = (import_module(f"accord.formats.{name}").FORMAT for name in _MODULES)
    return (*_plugged_in(), *rich, *delimited.FORMATS)


def _plugged_in() -> tuple[Format, ...]:
    """The formats of other packages, which know their files best."""
    found = []
    for source, brought in plugged_in("accord.formats"):
        if not isinstance(brought, Format):
            raise UsageError(
                f"the format {source} must be an accord.formats.Format, "
                f"got {type(brought).__name__}"
            )
        found.append(brought)
    return tuple(found)


def detect(path: Path, name: str | None = None) -> Format:
    """The format called `name`, or the first that recognises the path."""
    from accord.formats.tables import delimited
    from accord.formats.unreadable import refuse, unknown

    known = formats()
    if name is not None:
        for candidate in known:
            if candidate.name == name:
                return candidate
        raise UsageError(f"unknown format {name!r}; it must be one of {_names(known)}")
    head = head_of(path)
    if path.is_dir() or is_archive(path.name, head):
        tree = open_tree(path)
        found = _detect_tree(tree, known)
        for entry in tree.entries[:_SAMPLED] if found is None else ():
            refuse(Path(entry.path), entry.head(_HEAD))
    else:
        found = next((f for f in known if f.recognise(path, head)), None)
        if found is None or found in delimited.FORMATS:
            refuse(path, head)
    if found is not None:
        return found
    raise unknown(path, head)


def write(
    data: Annotations,
    path: str | PathLike[str],
    *,
    format: str | None = None,  # noqa: A002
    overwrite: bool = False,
    written: list[Path] | None = None,
) -> list[str]:
    """Write annotations; returns what the format could not hold.

    The file or folder appears when it is complete (:mod:`accord.files.atomic`). A folder that is
    not empty is replaced only with `overwrite`. `written` receives every file.
    """
    target = Path(path)
    known = formats()
    if format is not None:
        candidates = [f for f in known if f.name == format]
    else:
        # the longest ending first: notes.labelstudio.json is no plain .json
        endings = sorted(
            ((s, f) for f in known for s in f.suffixes if target.name.endswith(s)),
            # .conll is coreference for chains and tags for units
            key=lambda pair: (-len(pair[0]), data.shape not in pair[1].holds),
        )
        candidates = [f for _, f in endings]
    for candidate in candidates:
        if candidate.write is not None:
            from accord.files.atomic import staged
            from accord.formats.positions import suited

            with staged(target, overwrite=overwrite, written=written) as stage:
                return list(candidate.write(suited(data, candidate.name), stage))
    writable = ", ".join(f.name for f in known if f.write is not None)
    raise UsageError(
        f"cannot write {format or target.suffix or target.name!r}; formats: {writable}"
    )


def _detect_tree(tree: Tree, known: tuple[Format, ...]) -> Format | None:
    """The format of a folder or archive: by its files together, else that of most of its files."""
    for candidate in known:
        if candidate.recognise_tree is not None and candidate.recognise_tree(tree):
            return candidate
    # runs of neighbours, from everywhere: a text and its annotations stand side by side
    stride = max(_RUN, len(tree.entries) * _RUN // _SAMPLED)
    votes: Counter[str] = Counter()
    for entry in (e for i, e in enumerate(tree.entries) if i % stride < _RUN):
        head = _telling(entry.head)
        name = next((f.name for f in known if f.recognise(Path(entry.name), head)), None)
        if name is not None:
            votes[name] += 1
    # a text or a table of document lengths may stand beside every annotation file
    from accord.formats.tables import delimited

    tables = {f.name for f in delimited.FORMATS}
    telling = {n: v for n, v in votes.items() if n not in tables} or votes
    if not telling:
        return None
    best = max(telling.values())
    return next(f for f in known if telling.get(f.name) == best)


def head_of(path: Path) -> bytes:
    if path.is_dir():
        return b""
    try:
        refuse_long_lines_of(path)
        with path.open("rb") as file:

            def first(size: int) -> bytes:
                file.seek(0)
                return file.read(size)

            return _telling(first)
    except OSError as problem:
        raise InputError(f"cannot be read ({problem.strerror})", path=path) from None


def _telling(first: Callable[[int], bytes]) -> bytes:
    """The beginning of a file; of a JSON file with long texts, the beginning with those cut out.

    What tells a platform may stand after the text of its first record, however long that is.
    """
    head = first(_HEAD)
    if len(head) < _HEAD or head.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] not in (b"{", b"["):
        return head
    size, short = _HEAD, _LONG_STRING.sub(b'"..."', head)
    while len(short) < _HEAD // 16 and len(head) == size < _LONG:
        size *= 8
        head = first(size)
        short = _LONG_STRING.sub(b'"..."', head)
    return short[:_HEAD]


def _names(known: tuple[Format, ...]) -> str:
    return ", ".join(f.name for f in known)
