"""CoNLL-U with CorefUD entities: brackets in ``Entity=`` of the last column, heads, types."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from accord.data import Annotations, Chains
from accord.data.chains import Link, Mention
from accord.files.archive import Entry
from accord.formats.coreference.brackets import OpenMentions, bare_name, text_lines
from accord.formats.coreference.conll2012 import each_annotator, one_annotator
from accord.formats.coreference.entity_names import shared_names
from accord.formats.format import Format, ReadOptions, Regex, Sniff
from accord.formats.writing import refuse_endless

#: order of the fields when the file does not say (CorefUD 1.0)
_FIELDS = "eid-etype-head-other"
_ENTITIES = (b"# global.Entity", Regex(rb"[\t|]Entity=\("))
_PART = re.compile(r"(.*)\[(\d+)/(\d+)\]")


@dataclass(slots=True)
class _Token:
    """One node: its place (fractional for empty nodes), its sentence's place, its tree."""

    place: float
    upos: str
    #: place of the governing token, None for a root or when unknown
    governor: float | None
    sentence: int = 0
    #: of an empty node: (place of the parent, -1 for the root; relation), from DEPS
    deps: tuple[tuple[float, str], ...] = ()


@dataclass(slots=True)
class _Document:
    name: str
    mentions: OpenMentions
    tokens: list[_Token] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    sentences: int = 0
    #: (token, kind, antecedent, anaphor, relation) of links that are not identity
    other_links: list[tuple[int, str, str, str, str]] = field(default_factory=list)


def read_conllu(file: Entry, options: ReadOptions) -> Annotations:
    """The entities, or the trees where relations are asked for."""
    if options.shape == "relations":
        from accord.formats.coreference.heads import read_heads

        return read_heads(file, options)
    return read_corefud(file, options)


def read_corefud(file: Entry, options: ReadOptions) -> Chains:
    """Read the entities of one annotator or system.

    Offsets count words, end exclusive. An empty node n.k stands at a fractional place after its
    word, and a discontinuous mention is (start, end, start, end, …). Each mention knows its head
    (from the `head` field, else from the tree: `guessed`), its `type` (etype), its head's `upos` and
    the empty nodes among its words (`empty`); a zero, whose head is one, its `sentence` and `deps`.
    """
    fields = _FIELDS.split("-")
    documents: list[_Document] = []
    sentence: list[tuple[list[str], int]] = []
    for number, line in text_lines(file):
        if line.startswith("#"):
            if found := re.match(r"#\s*global\.Entity\s*=\s*(\S+)", line):
                fields = found[1].split("-")
            if found := re.match(r"#\s*newdoc(?:\s+id\s*=\s*(.*\S))?", line):
                _begin(documents, found[1] or _unnamed(documents), file, number)
        elif line.strip():
            columns = line.split("\t")
            if len(columns) != 10:
                raise file.wrong(f"has {len(columns)} columns where CoNLL-U has 10", number)
            sentence.append((columns, number))
        elif sentence:
            if not documents:
                _begin(documents, "document", file, number)
            _read_sentence(documents[-1], sentence)
            sentence = []
    if sentence:
        if not documents:
            _begin(documents, "document", file, 1)
        _read_sentence(documents[-1], sentence)
    if not documents:
        raise file.wrong("holds no document", hint="check the export")
    who = options.annotator or bare_name(file.name)
    clusters: dict[tuple[str, str], list[list[Mention]]] = {}
    facts: dict[tuple[str, Mention], dict[str, Any]] = {}
    names: dict[tuple[str, str], list[str]] = {}
    links: dict[tuple[str, str], list[Link]] = {}
    lost = 0
    for document in documents:
        document.mentions.finish()
        entities, starts = _entities(document, fields, facts)
        clusters[document.name, who] = list(entities.values())
        names[document.name, who] = list(entities)
        own, unknown = _links(document, entities, starts)
        lost += unknown
        if own:
            links[document.name, who] = own
    record = shared_names(names)
    if lost:
        why = "they name mentions or entities that are not there"
        record.leave_out(f"{lost:,} links (SplitAnte, Bridge)", lost, why=why)
    chains = Chains.from_clusters(
        clusters,
        facts=facts,
        words={d.name: d.words for d in documents},
        names=names,
        links=links,
        notes=_said_of_links(documents),
    )
    return record.kept_by(chains)


def _links(
    document: _Document,
    entities: Mapping[str, Sequence[Mention]],
    starts: Mapping[tuple[str, int], Mention],
) -> tuple[list[Link], int]:
    """The links of a document that name what is there, and how many do not.

    A link stands where the mention that refers begins: ``antecedent<anaphor:relation``. Antecedents of
    one plural mention are put together.
    """
    number = {name: i for i, name in enumerate(entities)}
    found: dict[tuple[str, Mention, int], Link] = {}
    lost = 0
    for i, (token, kind, antecedent, anaphor, relation) in enumerate(document.other_links):
        mention = starts.get((anaphor, token))
        if mention is None or antecedent not in number:
            lost += 1
            continue
        key = (kind, mention, -1 if kind == "split" else i)
        before = found[key].antecedents if key in found else ()
        found[key] = Link(kind, mention, (*before, number[antecedent]), relation)
    return list(found.values()), lost


def _said_of_links(documents: Sequence[_Document]) -> list[str]:
    """A sentence for annotation of entities that is not identity."""
    kinds = [kind for d in documents for _, kind, *_ in d.other_links]
    split, bridge = kinds.count("split"), kinds.count("bridge")
    notes = []
    if split:
        notes.append(
            f"{split} split antecedents (SplitAnte) are no part of the chains: the measure "
            "split-antecedent scores them"
        )
    if bridge:
        notes.append(
            f"{bridge} bridging links (Bridge) are no part of the chains: the measure bridging scores "
            "them"
        )
    return notes


def _unnamed(documents: Sequence[_Document]) -> str:
    """A name for a document that has none: its number, the first one plain."""
    return f"document {len(documents) + 1}" if documents else "document"


def _begin(documents: list[_Document], name: str, file: Entry, line: int) -> None:
    if documents:
        documents[-1].mentions.finish()
    if any(d.name == name for d in documents):
        raise file.wrong(f"document {name!r} begins twice", line, hint="drop one of them")
    documents.append(_Document(name, OpenMentions(file, name)))


def _read_sentence(document: _Document, sentence: Sequence[tuple[list[str], int]]) -> None:
    first = len(document.words)
    document.sentences += 1
    for columns, line in sentence:
        number = columns[0]
        if "-" in number:
            continue
        word, _, empty = number.partition(".")
        if not word.isdigit() or (empty and not empty.isdigit()) or len(number) > 12:
            raise document.mentions.file.wrong(f"has the token number {number!r}", line)
        if empty:
            place = _empty_place(first, int(word), int(empty))
            governor = None
            deps = _dependencies(columns[8], first)
        else:
            place, deps = float(len(document.words)), ()
            head = columns[6]
            linked = head.isdigit() and head != "0" and len(head) <= 12
            governor = float(first + int(head) - 1) if linked else None
            document.words.append(columns[1])
        value = re.search(r"(?:^|\|)Entity=([^|]*)", columns[9])
        if value:
            document.mentions.read(value[1], len(document.tokens), line, separator="-")
        for name, kind in (("SplitAnte", "split"), ("Bridge", "bridge")):
            if other := re.search(rf"(?:^|\|){name}=([^|]*)", columns[9]):
                for link in other[1].split(","):
                    antecedent, _, anaphor = link.partition("<")
                    anaphor, _, relation = anaphor.partition(":")
                    here = (len(document.tokens), kind, antecedent, anaphor, relation)
                    document.other_links.append(here)
        document.tokens.append(_Token(place, columns[3], governor, document.sentences, deps))


def _dependencies(column: str, first: int) -> tuple[tuple[float, str], ...]:
    """(place of the parent, relation) of each link in DEPS; -1 is the root."""
    found: list[tuple[float, str]] = []
    for link in column.split("|"):
        parent, _, relation = link.partition(":")
        word, _, empty = parent.partition(".")
        if not word.isdigit() or (empty and not empty.isdigit()) or len(parent) > 12:
            continue
        if empty:
            place = _empty_place(first, int(word), int(empty))
        else:
            place = float(first + int(word) - 1) if int(word) else -1.0
        found.append((place, relation))
    return tuple(sorted(set(found)))


def _empty_place(first: int, word: int, number: int) -> float:
    """Where the empty node word.number of the sentence that begins at word `first` stands.

    Nodes 0.k lie before the first word of their sentence and after those of the sentence before: the
    upper half of the gap is theirs, so that n.1 of one sentence and 0.1 of the next stay apart.
    """
    if word == 0:
        return round(first - 0.5 + number / 200, 4)
    return round(first + word - 1 + number / 100, 4)


def _entities(
    document: _Document, fields: Sequence[str], facts: dict[tuple[str, Mention], dict[str, Any]]
) -> tuple[dict[str, list[Mention]], dict[tuple[str, int], Mention]]:
    """Entities of one document by name, in the order they are opened; mentions by where they begin.

    What is known about each mention goes to `facts`.
    """
    starts: dict[tuple[str, int], Mention] = {}
    entities: dict[str, list[Mention]] = {}
    pending: dict[str, list[int]] = {}
    attributes_of: dict[str, str] = {}
    for name, attributes, first, last in sorted(
        document.mentions.found, key=lambda m: (m[2], -m[3])
    ):
        places = list(range(first, last + 1))
        part = _PART.fullmatch(name)
        if part is not None:
            entity, number, total = part[1], int(part[2]), int(part[3])
            pending.setdefault(entity, []).extend(places)
            if attributes:
                attributes_of[entity] = attributes
            if number < total:
                continue
            places, name = pending.pop(entity), entity
            attributes = attributes_of.pop(entity, "")
        mention, fact = _mention(document, sorted(set(places)), attributes, fields)
        entities.setdefault(name, []).append(mention)
        starts.setdefault((name, min(places)), mention)
        facts.setdefault((document.name, mention), fact)
    for entity in pending:
        raise document.mentions.file.wrong(
            f"the discontinuous mention of entity {entity!r} in document {document.name!r} "
            "lacks its last part"
        )
    opened: dict[str, tuple[int, bool, int]] = {}
    for name, place in document.mentions.opened.items():
        part = _PART.fullmatch(name)
        entity = name if part is None else part[1]
        opened[entity] = min(opened.get(entity, place), place)
    return {name: entities[name] for name in sorted(entities, key=opened.__getitem__)}, starts


def _mention(
    document: _Document, places: Sequence[int], attributes: str, fields: Sequence[str]
) -> tuple[Mention, dict[str, Any]]:
    tokens = [document.tokens[p] for p in places]
    spans: list[float] = []
    for index, place in enumerate(places):
        if index == 0 or places[index - 1] != place - 1:
            spans += [_start(document.tokens[place]), 0.0]
        spans[-1] = _end(document.tokens[place])
    mention: Mention = tuple(int(x) if x == int(x) else x for x in spans)
    # the entity name is the first field and is not among the attributes
    values = dict(zip(fields[1:], attributes.split("-", max(0, len(fields) - 2)), strict=False))
    head = _head(tokens, values.get("head", ""))
    centre = tokens[head].place
    fact: dict[str, Any] = {
        "head": int(centre) if centre == int(centre) else centre,
        "upos": tokens[head].upos,
    }
    if values.get("etype"):
        fact["type"] = values["etype"]
    if empty := tuple(t.place for t in tokens if t.place != int(t.place)):
        fact["empty"] = empty
    if centre != int(centre):
        fact |= {"sentence": tokens[head].sentence, "deps": tokens[head].deps}
    if not _given_head(values.get("head", ""), len(tokens)):
        fact["guessed"] = True
    return mention, fact


def _head(tokens: Sequence[_Token], given: str) -> int:
    """Index of the head: as given (1-based), else the first token governed from outside."""
    if _given_head(given, len(tokens)):
        return int(given) - 1
    inside = {t.place for t in tokens}
    for index, token in enumerate(tokens):
        if token.place == int(token.place) and token.governor not in inside:
            return index
    return 0


def _given_head(given: str, words: int) -> bool:
    return given.isdigit() and len(given) <= 12 and 1 <= int(given) <= words


def _start(token: _Token) -> float:
    return token.place


def _end(token: _Token) -> float:
    part = token.place - int(token.place)
    if not part:
        return token.place + 1
    return round(token.place + (0.01 if part < 0.5 else 0.005), 4)


def write_corefud(data: Annotations, path: Path) -> Sequence[str]:
    """Write the chains of one annotator as CoNLL-U; words and trees not known are ``_``."""
    if isinstance(data, Chains) and len(data.annotators) > 1:
        return each_annotator(data, path, ".conllu", write_corefud)
    chains = one_annotator(data, "CorefUD")
    lost: list[str] = []
    lines = [f"# global.Entity = {_FIELDS}"]
    for d, name in enumerate(chains.documents):
        cells, length = _cells(chains, d, lost)
        words = chains.words[d] if chains.words is not None else None
        lines += [f"# newdoc id = {name}", f"# sent_id = {name}-1"]
        for t in range(length):
            word = words[t] if words is not None and t < len(words) else "_"
            misc = "Entity=" + "".join(cells[t]) if t in cells else "_"
            governor = ["0", "root"] if t == 0 else ["1", "dep"]
            lines.append("\t".join([str(t + 1), word, "_", "_", "_", "_", *governor, "_", misc]))
        lines.append("")
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    if chains.facts is not None and any("upos" in f for facts in chains.facts for f in facts):
        lost.append("the part of speech of heads")
    return list(dict.fromkeys(lost))


def _cells(chains: Chains, d: int, lost: list[str]) -> tuple[dict[int, list[str]], int]:
    """Brackets of each token in the order CorefUD wants: closing, alone, opening."""
    opening: dict[int, list[tuple[int, str]]] = {}
    closing: dict[int, list[tuple[int, str]]] = {}
    facts = (
        {} if chains.facts is None else dict(zip(chains.mentions[d], chains.facts[d], strict=True))
    )
    known = None if chains.lengths is None else chains.lengths[d]
    length = known or 0
    refuse_endless(chains.documents[d], length)
    for e, cluster in enumerate(chains.clusters(d, 0), 1):
        for mention in cluster:
            if not isinstance(mention, tuple) or any(x != int(x) for x in mention):
                lost.append(f"mention {mention!r} of {chains.documents[d]!r}: it is not on words")
                continue
            spans = list(zip(mention[::2], mention[1::2], strict=True))
            refuse_endless(chains.documents[d], max(mention[1::2]))
            fact = facts.get(mention, {})
            head = 1
            if "head" in fact:
                covered = [w for s, t in spans for w in range(int(s), int(t))]
                head = covered.index(fact["head"]) + 1 if fact["head"] in covered else 1
            for i, (start, end) in enumerate(spans, 1):
                name = f"e{e}" if len(spans) == 1 else f"e{e}[{i}/{len(spans)}]"
                first = f"({name}-{fact.get('type', '')}-{head}-" if i == 1 else f"({name}"
                length = max(length, int(end))
                if end - start == 1:
                    opening.setdefault(int(start), []).append((int(end), first + ")"))
                else:
                    opening.setdefault(int(start), []).append((int(end), first))
                    closing.setdefault(int(end) - 1, []).append((int(start), f"{name})"))
    cells: dict[int, list[str]] = {}
    for t, found in closing.items():
        cells.setdefault(t, []).extend(text for _, text in sorted(found, key=lambda x: -x[0]))
    for t, found in opening.items():
        cells.setdefault(t, []).extend(text for _, text in sorted(found, key=lambda x: -x[0]))
    return cells, length


FORMAT = Format(
    name="corefud",
    title="CoNLL-U: CorefUD entities, or trees as relations",
    sniff=(
        Sniff(endings=(".conllu",), some=_ENTITIES),
        Sniff(every=(b"\t",), some=_ENTITIES),
        # a response may have no entity at all
        Sniff(
            endings=(".conllu",),
            begins=Regex(rb"(?:(?:#[^\n]*)?\r?\n){0,49}[^#\n\t][^\n\t]*(?:\t[^\n\t]*){9}(?:\n|\Z)"),
        ),
    ),
    read=read_conllu,
    write=write_corefud,
    suffixes=(".conllu",),
    holds=("chains",),
)
