"""Token rows with span tags: CoNLL-2003, plain BIO, IOB1, IOB2, IOBES and BILOU.

One token per line, columns separated by white space, the tag last; a blank line ends a sentence and
``-DOCSTART-`` begins a document, which ``-DOCSTART- (name)`` names, as AIDA CoNLL-YAGO does; the others
are called after their place. Spans are read as conlleval and seqeval (default mode) read them: a tag
continues a span when it is I, E or L, follows B or I, and has the same type; any other tag but O
starts one. Offsets count tokens.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from accord.data import Units
from accord.data.reading import Record
from accord.errors import InputError
from accord.files.archive import Entry
from accord.files.text import decode
from accord.formats.format import Format, ReadOptions, Regex, Sniff
from accord.formats.tags.conll2003_writer import DOCSTART, SUFFIXES, write
from accord.formats.tags.tags import CONTINUES, TAG, spans_of

#: the name on the line that begins a document: from the first to the last parenthesis
_NAMED = re.compile(re.escape(DOCSTART) + r"\s+\((.*)\)[^()]*")


_TAGS = ("label", "tag", "ner", "value")
_WORDS = ("word", "token", "form", "text")


def test(path: Path, head: bytes) -> bool:
    """Every row ends in a span tag, and one of them starts a span unless a document begins."""
    try:
        lines = head.decode("utf-8-sig", errors="strict").splitlines()
    except UnicodeDecodeError as problem:
        # the head may end within a character
        lines = head[: problem.start].decode("utf-8-sig", errors="ignore").splitlines()
    rows = [line.split() for line in lines[:400] if _is_row(line)]
    # who marked nothing has a file of nothing but O: the documents that begin in it tell
    begins = any(line.startswith(DOCSTART) for line in lines[:400])
    if not (rows or begins) or any(len(row) < 2 for row in rows[:-1]):
        return False
    tags = [row[-1] for row in rows if len(row) > 1]
    return all(TAG.match(tag) for tag in tags) and (begins or any("-" in tag for tag in tags))


def read(file: Entry, options: ReadOptions) -> Units:
    """Read one annotator's file.

    `feature` names another column than the last for the tags (1 is the first, -2 the last but one);
    ``layer="sentence"`` makes every sentence a document, so that intervals resample sentences.
    """
    column, word = _columns(options, file.path)
    who = options.annotator or file.stem
    rows: list[tuple[str, str, float, float, str | None]] = []
    lines: list[int] = []
    lengths: dict[str, float] = {}
    broken: list[int] = []
    offset, document = 0, ""
    words: dict[str, list[str]] = {}
    by_sentence = options.layer == "sentence"
    for name, sentence in _sentences(file, column, word, options.encoding, by_sentence=by_sentence):
        if name != document:
            offset, document = 0, name
        numbers, tags = [n for n, _, _ in sentence], [t for _, t, _ in sentence]
        words.setdefault(name, []).extend(w for _, _, w in sentence)
        for start, end, label in spans_of(tags):
            rows.append((name, who, offset + start, offset + end, label))
            lines.append(numbers[start])
            if tags[start][0] in CONTINUES:
                broken.append(numbers[start])
        offset += len(tags)
        lengths[name] = offset
    if not lengths:
        raise file.wrong("has no token")
    record = Record()
    if broken:
        why = f"as conlleval does; first at line {broken[0]}"
        record.assume(
            f"{len(broken):,} spans that begin with a tag which continues one are new spans",
            why=why,
        )
    units = Units.from_rows(
        rows,
        lengths={k: v for k, v in lengths.items() if v > 0},
        coverage=[(name, who) for name in lengths],
        categories=options.categories,
        path=file.path,
        lines=lines,
    )
    held = tuple(tuple(words[d]) if d in words else None for d in units.documents)
    # a file written without its words has _ for each
    known = any(w != "_" for of in held for w in of or ())
    return record.kept_by(replace(units, unit="tokens", words=held if known else None))


def _sentences(
    file: Entry, column: int, word: int, encoding: str | None, *, by_sentence: bool
) -> Iterator[tuple[str, list[tuple[int, str, str]]]]:
    """Each sentence with its document's name: (line number, tag, word) of every token.

    A document that is named and has no token comes as an empty sentence: somebody saw it.
    """
    sentence: list[tuple[int, str, str]] = []
    starts, count = 0, 0
    name, prefix = "document", ""
    begun: set[str] = set()
    text = decode(file.read(), file.path, encoding=encoding)
    known: set[str] = set()
    for number, line in enumerate([*text.splitlines(), ""], 1):
        cells = line.split()
        if _is_row(line):
            tag = cells[column] if len(cells) > 1 and column == -1 else ""
            if tag not in known:
                tag = _tag(cells, column, file.path, number)
                known.add(tag)
            sentence.append((number, tag, cells[word] if word < len(cells) else "_"))
            continue
        if sentence:
            count += 1
            begun.add(name)
            yield f"{prefix}sentence {count}" if by_sentence else name, sentence
            sentence = []
        if line.startswith(DOCSTART):
            starts += 1
            named = _NAMED.fullmatch(line)
            name = f"document {starts}" if named is None else named[1]
            if name in begun:
                raise file.wrong(
                    f"document {name!r} begins twice",
                    number,
                    hint="give each document a name of its own",
                )
            begun.add(name)
            if named is not None or prefix:
                # with the document's name, a sentence is the same one in every annotator's file
                prefix, count = f"{name}, ", 0
            if named is not None and not by_sentence:
                yield name, []


def _tag(cells: list[str], column: int, path: str, number: int) -> str:
    try:
        tag = cells[column]
    except IndexError:
        raise InputError(
            f"has {len(cells)} columns, too few", path=path, line=number, hint="check the line"
        ) from None
    if len(cells) < 2 or not TAG.match(tag):
        raise InputError(
            f"{tag!r} is not a span tag such as O, B-PER or I-PER",
            path=path,
            line=number,
            hint="name the column that holds the tags with `feature`, 1 for the first",
        )
    return tag


def _columns(options: ReadOptions, path: str) -> tuple[int, int]:
    """Where the tag and the word stand: the last column and the first, or as the layout says."""
    if not options.layout:
        return _column(options.feature, path), 0
    names = [name.strip().lower() for name in options.layout]
    tag = next((i for i, n in enumerate(names) if n in _TAGS), None)
    if tag is None:
        raise InputError(
            f"none of the columns {', '.join(names)} is called label, tag or ner", path=path
        )
    return tag, next((i for i, n in enumerate(names) if n in _WORDS), 0)


def _column(feature: str | None, path: str) -> int:
    if feature is None:
        return -1
    if not re.fullmatch(r"-?[1-9][0-9]*", feature):
        raise InputError(f"the column must be a number such as 4 or -1, got {feature!r}", path=path)
    number = int(feature)
    return number - 1 if number > 0 else number


def _is_row(line: str) -> bool:
    """A token, not a blank line, a document's start or a comment; the token may be #."""
    if not line or line.isspace() or line.startswith(DOCSTART):
        return False
    return not line.startswith("# ") or TAG.match(line.split()[-1]) is not None


FORMAT = Format(
    name="conll2003",
    title="Token rows with BIO, IOB or IOBES tags (CoNLL-2003)",
    sniff=(
        # the first row ends in a tag
        Sniff(
            begins=Regex(
                rb"(?:[ \t]*\r?\n|# [^\n]*\n)*"
                rb"(?:-DOCSTART-|[^\n]*[ \t](?:O|[BIESLUM](?:-\S*)?)[ \t]*(?:\r?\n|\Z))"
            )
        ),
    ),
    test=test,
    read=read,
    write=write,
    suffixes=SUFFIXES,
    holds=("units",),
)
