"""fastText lines (`__label__x text`), as doccano and many scripts write them: one file per annotator.

The labels before the text are the categories of the item; items are matched by their text.
"""

from __future__ import annotations

import re
from pathlib import Path

from accord.errors import InputError
from accord.files.archive import Tree
from accord.files.text import decode
from accord.formats.export import Export, Judgement
from accord.formats.format import Format, ReadOptions
from accord.formats.same_items import SameItems
from accord.formats.sniff import Regex, Sniff

_LINE = re.compile(r"((?:__label__\S+(?:,? +|\t|\Z))+)(.*)")


def test(path: Path, head: bytes) -> bool:
    """Every line begins with a label."""
    lines = [x for x in head.split(b"\n")[:200] if x.strip()]
    return bool(lines) and all(x.startswith(b"__label__") for x in lines)


def collect(tree: Tree, options: ReadOptions) -> Export:
    """The labels of every line."""
    export = Export(tree.path, "fasttext", notes=list(tree.notes))
    names = SameItems()
    for entry in FORMAT.among(tree):
        names.begin_file()
        for number, line in enumerate(decode(entry.read(), entry.path).split("\n"), 1):
            if not line.strip():
                continue
            found = _LINE.fullmatch(line.rstrip("\r"))
            if found is None:
                raise InputError("begins with no __label__", path=entry.path, line=number)
            labels = frozenset(
                word.rstrip(",").removeprefix("__label__") for word in found[1].split()
            )
            item = names.name(found[2])
            export.see(item, entry.stem)
            export.add_text(item, found[2], entry.path)
            export.judgements.append(Judgement(item, entry.stem, labels))
    return export


FORMAT = Format(
    name="fasttext",
    title="fastText labels",
    sniff=(Sniff(begins=Regex(rb"\s*__label__")),),
    test=test,
    collect=collect,
)
