"""fastText lines (`__label__x text`), as doccano and many scripts write them: one file per annotator.

The labels before the text are the categories of the item; items are matched by their text.
"""

from __future__ import annotations

import re

from accord.formats.export import Export
from accord.formats.format import Format, Regex, Sniff
from accord.formats.places import SameItems

_LINE = re.compile(r"((?:__label__\S+(?:,? +|\t|\Z))+)(.*)")


def collect(export: Export) -> None:
    """The labels of every line."""
    names = SameItems()
    for entry in export.files:
        names.begin_file()
        for number, line in enumerate(entry.text().split("\n"), 1):
            if not line.strip():
                continue
            found = _LINE.fullmatch(line.rstrip("\r"))
            if found is None:
                raise entry.wrong("begins with no __label__", number)
            labels = [word.rstrip(",").removeprefix("__label__") for word in found[1].split()]
            item = names.name(found[2])
            export.add_text(item, found[2], entry.path)
            export.see(item, entry.stem).judge(frozenset(labels))


FORMAT = Format(
    name="fasttext",
    title="fastText labels",
    sniff=(Sniff(rows=Regex(rb"__label__.*")),),
    collect=collect,
)
