"""CoNLL-2012 coreference: one token a line, brackets in the last column."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, cast

from accord.data import Annotations, Chains
from accord.data.chains import Link, Mention
from accord.errors import UsageError
from accord.files.archive import Entry
from accord.formats.coreference.brackets import OpenMentions, bare_name, text_lines
from accord.formats.coreference.phrase_heads import Phrase, head_of, phrases
from accord.formats.format import Format, ReadOptions, Regex, Sniff
from accord.formats.writing import file_names, refuse_endless

_BEGIN = re.compile(r"#\s?begin document(?:\s+(?P<name>.*\S))?\s*$")
_END = re.compile(r"#\s?end document")
#: what stands for "no bracket"
_NOTHING = frozenset(("", "-", "_", "*"))


def read_conll2012(file: Entry, options: ReadOptions) -> Chains:
    """Read the mentions and entities of one annotator or system.

    Offsets are token numbers in the document, end exclusive. Entities are read from the last
    column; words from the fourth (or the second of the three-column form). The columns of SemEval-2010
    begin with the number of the token in its sentence: words are in the second, and the ninth, the
    governor, gives mentions their heads. In the others the sixth, the tree, gives them, where it is
    filled in.
    """
    reader = _Reader(file)
    for number, line in text_lines(file):
        if begin := _BEGIN.match(line):
            reader.begin(begin["name"] or "document", number)
        elif _END.match(line):
            reader.end()
        elif line.strip() and not (line.startswith("#") and "\t" not in line):
            reader.token(line, number)
    reader.end()
    if not reader.clusters:
        raise file.wrong("holds no document", hint="check the export")
    who = options.annotator or bare_name(file.name)
    return Chains.from_clusters(
        {(name, who): clusters for name, clusters in reader.clusters.items()},
        facts=reader.facts or None,
        words=reader.words,
        names={(name, who): own for name, own in reader.names.items()},
        links={(name, who): own for name, own in reader.links.items() if own},
        notes=reader.said_of_links(),
    )


class _Reader:
    """The document being read, and those read before it."""

    def __init__(self, file: Entry) -> None:
        self.file = file
        self.clusters: dict[str, list[list[tuple[int, int]]]] = {}
        self.words: dict[str, list[str]] = {}
        self.names: dict[str, list[str]] = {}
        self.facts: dict[tuple[str, Mention], dict[str, Any]] = {}
        #: plurals such as ``(1+2)``: an entity of their own, and the entities they refer to
        self.links: dict[str, list[Link]] = {}
        self._mentions: OpenMentions | None = None
        #: SemEval-2010: the governor of each token of the document; None for other columns
        self._governors: list[int | None] | None = None
        #: (tag, piece of the tree) of each token of the document, and where sentences begin
        self._pieces: list[tuple[str, str]] = []
        self._sentences: list[int] = []

    def begin(self, name: str, line: int) -> OpenMentions:
        """Open a document."""
        self.end()
        name = _canonical(name)
        if name in self.clusters:
            raise self.file.wrong(f"document {name!r} begins twice", line, hint="drop one of them")
        self._mentions = OpenMentions(self.file, name)
        self._governors = None
        self._pieces, self._sentences = [], []
        self._first = 0
        self.words[name] = []
        self.clusters[name] = []
        return self._mentions

    def end(self) -> None:
        """Close the document, if one is open."""
        if self._mentions is None:
            return
        self._mentions.finish()
        entities: dict[str, list[tuple[int, int]]] = {}
        for entity, _, first, last in self._mentions.found:
            entities.setdefault(entity, []).append((first, last + 1))
        # in the order they are opened, which decides whose a mention of two entities is
        order = sorted(entities, key=self._mentions.opened.__getitem__)
        name = self._mentions.document
        self.clusters[name] = [entities[entity] for entity in order]
        self.names[name] = order
        number = {entity: i for i, entity in enumerate(order)}
        self.links[name] = [
            Link("split", mention, tuple(number[part] for part in entity.split("+")))
            for entity in order
            if "+" in entity and all(part in number for part in entity.split("+"))
            for mention in entities[entity]
        ]
        heads: dict[tuple[int, int], int] = {}
        mentions = [m for members in entities.values() for m in members]
        if self._governors is not None:
            heads = {m: _top(m, self._governors) for m in mentions}
        elif len(self._pieces) == len(self.words[name]):
            heads = self._heads_of_trees(mentions)
        self.facts |= {(name, m): {"head": head, "guessed": True} for m, head in heads.items()}
        self._mentions = None

    def said_of_links(self) -> list[str]:
        """A sentence for references that are not identity."""
        plurals = sum(map(len, self.links.values()))
        if not plurals:
            return []
        return [
            f"{plurals} mentions refer to several entities together, as in (1+2): they are no mention of "
            "each, and the measure split-antecedent scores what they refer to"
        ]

    def _heads_of_trees(self, mentions: Sequence[tuple[int, int]]) -> dict[tuple[int, int], int]:
        """Heads of mentions within sentences whose brackets match; others have none."""
        bounds = [*self._sentences, len(self._pieces)]
        trees: list[list[Phrase] | None] = [
            phrases(self._pieces[a:b], a) for a, b in pairwise(bounds)
        ]
        heads = {}
        for mention in mentions:
            at = bisect_right(bounds, mention[0]) - 1
            tree = trees[at] if mention[1] <= bounds[at + 1] else None
            if tree is not None:
                heads[mention] = head_of(mention, tree)
        return heads

    def token(self, line: str, number: int) -> None:
        if self._mentions is None and self.clusters:
            raise self.file.wrong(
                "has a token outside of any document",
                number,
                hint="begin documents with '#begin document (name); part 000'",
            )
        mentions = self._mentions or self.begin("document", number)
        columns = line.split("\t") if "\t" in line else line.split()
        if len(columns) < 2:
            raise self.file.wrong(
                "has a single column where a token and its coreference brackets are expected",
                number,
            )
        words = self.words[mentions.document]
        cell = columns[-1].strip()
        if cell not in _NOTHING:
            mentions.read(cell, len(words), number)
        if not words and _is_semeval(columns):
            self._governors = []
        if self._governors is not None:
            if columns[0] == "1":
                self._first = len(words)
            self._governors.append(_governor(columns, self._first))
            words.append(columns[1])
        else:
            # (the third column is the number of the token in its sentence)
            if len(columns) >= 11 and "*" in columns[5] and columns[2].isdigit():
                if columns[2] == "0" or not self._sentences:
                    self._sentences.append(len(words))
                self._pieces.append((columns[4], columns[5]))
            words.append(columns[3 if len(columns) >= 5 else min(1, len(columns) - 2)])


def _is_semeval(columns: Sequence[str]) -> bool:
    """The first token of a document, numbered from 1, not after the document's name and part."""
    return len(columns) >= 8 and columns[0] == "1" and columns[2] != "0"


def _governor(columns: Sequence[str], first: int) -> int | None:
    """Place of the governing token: the ninth column, or the tenth where that is predicted only."""
    for column in columns[8:10]:
        if column.isdigit() and len(column) <= 12:
            return first + int(column) - 1 if column != "0" else None
    return None


def _top(mention: tuple[int, int], governors: Sequence[int | None]) -> int:
    """The first token of a mention that is governed from outside, else its first."""
    start, end = mention
    for place in range(start, end):
        governor = governors[place]
        if governor is None or not start <= governor < end:
            return place
    return start


def write_conll2012(data: Annotations, path: Path) -> Sequence[str]:
    """Write the chains of one annotator; words that are not known are written ``_``."""
    if isinstance(data, Chains) and len(data.annotators) > 1:
        return each_annotator(data, path, ".conll", write_conll2012)
    chains = one_annotator(data, "CoNLL-2012")
    lost: list[str] = []
    if chains.facts is not None:
        lost.append("what is known about mentions (heads, types)")
    lines: list[str] = []
    for d, name in enumerate(chains.documents):
        opening, closing, length = _brackets(chains, d, lost)
        label, part = _label(name)
        lines.append(f"#begin document ({label}); part {part:03d}")
        for t, word in enumerate(words_of(chains, d, length)):
            cell = "|".join([*opening.get(t, ()), *closing.get(t, ())]) or "-"
            lines.append("\t".join([label, str(part), str(t), word, *["-"] * 7, cell]))
        lines += ["", "#end document"]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return list(dict.fromkeys(lost))


def each_annotator(
    data: Chains, path: Path, ending: str, write: Callable[[Annotations, Path], Sequence[str]]
) -> list[str]:
    """A folder with one file per annotator, each of the documents that they saw."""
    if path.suffix:
        raise UsageError(
            f"{path.name} can hold one annotator, these data have {len(data.annotators)}; name a folder"
        )
    lost: list[str] = []
    path.mkdir(parents=True, exist_ok=True)
    for a, (annotator, name) in enumerate(file_names(data.annotators, folders=False).items()):
        seen = sorted(d for d, who in data.coverage if who == a)
        own = data.select(annotators=[annotator], documents=[data.documents[d] for d in seen])
        lost += write(own, path / f"{name}{ending}")
        if name != annotator:
            lost.append(f"annotator {annotator!r} is written as {name!r}")
    return list(dict.fromkeys(lost))


def one_annotator(data: Annotations, title: str) -> Chains:
    """The data as chains of a single annotator, or an error."""
    if not isinstance(data, Chains):
        raise UsageError(f"{title} holds chains, these data are {data.shape}")
    if len(data.annotators) > 1:
        raise UsageError(
            f"{title} holds one annotator per file, these data have {len(data.annotators)}; "
            "choose one"
        )
    return data


def words_of(chains: Chains, d: int, length: int) -> list[str]:
    """The words of a document of that length; those that are not known are ``_``."""
    words = (None if chains.words is None else chains.words[d]) or ()
    return [*words[:length], *["_"] * (length - len(words))]


def _brackets(
    chains: Chains, d: int, lost: list[str]
) -> tuple[dict[int, list[str]], dict[int, list[str]], int]:
    """Brackets that open (or stand alone) and close at each token, and the number of tokens."""
    spans: list[tuple[int, int, int]] = []
    for e, cluster in enumerate(chains.clusters(d, 0)):
        for mention in cluster:
            if not _is_span(mention):
                lost.append(f"mention {mention!r} of {chains.documents[d]!r}: it is not one span")
                continue
            start, end = cast("tuple[int, int]", mention)
            spans.append((int(start), int(end), e))
    known = None if chains.lengths is None else chains.lengths[d]
    length = max([known or 0, *(end for _, end, _ in spans)])
    refuse_endless(chains.documents[d], length)
    opening: dict[int, list[str]] = {}
    closing: dict[int, list[str]] = {}
    # the longest opens first and closes last, so that readers with one stack per entity agree
    for start, end, e in sorted(spans, key=lambda s: (s[0], -s[1])):
        opening.setdefault(start, []).append(f"({e})" if end - start == 1 else f"({e}")
    for _, end, e in sorted((s for s in spans if s[1] - s[0] > 1), key=lambda s: (s[1], -s[0])):
        closing.setdefault(end - 1, []).append(f"{e})")
    return opening, closing, length


def _is_span(mention: Any) -> bool:
    return (
        isinstance(mention, tuple)
        and len(mention) == 2
        and all(isinstance(x, int) or float(x).is_integer() for x in mention)
    )


def _canonical(name: str) -> str:
    """The official form of a document's name: ``(name); part 000``; other names as they are."""
    found = re.fullmatch(r"\((.*)\);?\s*(?:part\s*(\d+))?", name)
    return f"({found[1]}); part {int(found[2] or 0):03d}" if found else name


def _label(name: str) -> tuple[str, int]:
    found = re.fullmatch(r"\((.*)\); part (\d+)", name)
    return (found[1], int(found[2])) if found else (name, 0)


FORMAT = Format(
    name="conll2012",
    title="CoNLL-2012 or SemEval-2010 coreference",
    sniff=(Sniff(begins=Regex(rb"(?:[^\n]*\n){0,49}#\s?begin document(?:\s|\Z)")),),
    read=read_conll2012,
    write=write_conll2012,
    suffixes=(".conll", ".v4_gold_conll", ".v4_auto_conll"),
    holds=("chains",),
)
