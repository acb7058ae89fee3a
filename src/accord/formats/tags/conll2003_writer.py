"""Writing token rows with BIO tags: one CoNLL-2003 file per annotator.

A row is ``token -X- -X- tag``: the four columns that programs made for CoNLL-2003 count on, with its
own mark for "nothing known" as part of speech and chunk. A document begins with
``-DOCSTART- (name) -X- O``, the name as AIDA CoNLL-YAGO writes it, because annotators may have seen
different documents. Tags are IOB2: B begins every unit, so that neighbours stay apart.

Where the text is known, its lines are sentences and its words tokens, cut where a unit of any annotator
starts or ends: the files of all annotators have the same tokens, and offsets that are read back count
them. Where it is not, offsets count tokens already, every token is ``_``, and what is read back is the
same.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from accord.data import Annotations, Units
from accord.errors import UsageError
from accord.formats.tags.tokens import covered, cut
from accord.formats.writing import (
    file_names,
    is_one_file,
    known_length,
    refuse_endless,
    require_units,
    write_text,
)

DOCSTART = "-DOCSTART-"
SUFFIXES = (".conll", ".conll2003", ".bio", ".iob", ".iob2")
_BLANK = re.compile(r"\s+")

_Unit = tuple[int, int, str | None]


def write(data: Annotations, path: Path) -> Sequence[str]:
    """Write a folder of `<annotator>.conll`, or one file when there is only one annotator.

    A token has one tag: of units of an annotator that overlap, the longest is kept, and the first
    of those that are equally long.
    """
    units = require_units(data, "CoNLL-2003")
    if not units.integral:
        raise UsageError("CoNLL-2003 counts tokens, but some offsets are not whole numbers")
    people = len(units.annotators)
    single = is_one_file(path, SUFFIXES, people, thing="annotator", format="conll2003")
    lost: list[str] = []
    #: why units are left out
    left: list[str] = []
    rows = _by_document(units, lost, left)
    files: dict[int, list[str]] = {}
    for d, name in enumerate(units.documents):
        seen = [a for a in range(len(units.annotators)) if units.coverage[d, a]]
        kept = {a: _disjoint(rows.get((d, a), []), left) for a in seen}
        edges = [(start, end) for of in kept.values() for start, end, _ in of]
        sentences_of = _tokens(units, d, edges, lost)
        # a line end in a name would cut the row in two
        clean = " ".join(name.splitlines())
        if clean != name:
            lost.append(f"document {name!r} is written {clean!r}")
        begin = f"{DOCSTART} ({clean}) -X- O\n\n"
        for a in seen:
            files.setdefault(a, []).append(begin + _written(sentences_of, kept[a]))
    names = file_names(units.annotators, folders=False)
    for a, who in enumerate(units.annotators):
        if a not in files:
            lost.append(f"annotator {who!r}, who saw no document")
            continue
        if not single and names[who] != who:
            lost.append(f"annotator {who!r} is written as {names[who]!r}")
        write_text(path if single else path / f"{names[who]}.conll", "".join(files[a]))
    return [*lost, *(f"{n} units that {why}" for why, n in Counter(left).items())]


def _by_document(
    units: Units, lost: list[str], left: list[str]
) -> dict[tuple[int, int], list[_Unit]]:
    """The units that tags can hold, by document and annotator, with labels that fit into a tag."""
    tags: list[str | None] = []
    for label in units.categories:
        tags.append(_BLANK.sub("_", label) or None)
        if tags[-1] != label:
            lost.append(f"label {label!r} is written {tags[-1] or ''!r}: tags have no blanks")
    found: dict[tuple[int, int], list[_Unit]] = {}
    columns = (units.document, units.annotator, units.start, units.end, units.label)
    for d, a, start, end, label in zip(*(c.tolist() for c in columns), strict=True):
        if end == start:
            left.append("have length zero: no token carries them")
        elif start < 0:
            left.append("begin before their document")
        else:
            tag = None if label < 0 else tags[label]
            found.setdefault((d, a), []).append((int(start), int(end), tag))
    return found


def _disjoint(units: list[_Unit], left: list[str]) -> list[_Unit]:
    """Of units that overlap, the longest, and of those the first; in the order of the text."""
    kept: list[_Unit] = []
    for unit in sorted(units, key=lambda u: u[0] - u[1]):
        place = bisect_left(kept, unit[0], key=lambda u: u[0])
        free = place == 0 or kept[place - 1][1] <= unit[0]
        if free and (place == len(kept) or unit[1] <= kept[place][0]):
            kept.insert(place, unit)
        else:
            left.append(
                "overlap another of the same annotator that is longer or first: a token has one tag"
            )
    return kept


_Token = tuple[int, int, str]


def _tokens(
    units: Units, d: int, edges: Sequence[tuple[int, int]], lost: list[str]
) -> list[list[_Token]]:
    """The sentences of a document: start, end and word of each token."""
    text = None if units.texts is None else units.texts[d]
    if text is None:
        words = None if units.words is None else units.words[d]
        if words is not None and units.unit == "tokens":
            return [[(t, t + 1, _word(word)) for t, word in enumerate(words)]] if words else []
        length = int(known_length(units, d))
        refuse_endless(units.documents[d], length)
        return [[(t, t + 1, "_") for t in range(length)]] if length else []
    lost.append("the texts, and offsets in characters: what is read back counts the tokens written")
    return [[(s, e, _word(text[s:e])) for s, e in tokens] for _, tokens in cut(text, edges)]


def _word(text: str) -> str:
    """A token as one cell; blanks that are a unit's own, and what would begin a document, are _."""
    word = text.strip()
    return "_" if not word or word.startswith(DOCSTART) else word


def _written(rows: list[list[_Token]], units: Sequence[_Unit]) -> str:
    flat = [token for row in rows for token in row]
    tags = ["O"] * len(flat)
    for start, end, label in units:
        here = covered(flat, start, end)
        kind = "" if label is None else f"-{label}"
        tags[here.start : here.stop] = [f"B{kind}", *[f"I{kind}"] * (len(here) - 1)]
    lines: list[str] = []
    tag = iter(tags)
    for row in rows:
        lines.extend(f"{word} -X- -X- {next(tag)}\n" for _, _, word in row)
        lines.append("\n")
    return "".join(lines)
