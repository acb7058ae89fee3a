"""CoNLL-U with CorefUD entities: brackets in ``Entity=`` of the last column, heads, types."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from accord.data import Annotations, Chains
from accord.data.chains import Link, Mention
from accord.files.archive import Entry
from accord.formats.coreference.brackets import OpenMentions, bare_name, text_lines
from accord.formats.coreference.conll2012 import each_annotator, one_annotator, words_of
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
    #: place of the governing token, -1 for a root, None when unknown
    governor: float | None
    sentence: int = 0
    #: of an empty node: (place of the parent, -1 for the root; relation), from DEPS
    deps: tuple[tuple[float, str], ...] = ()

    @property
    def is_empty(self) -> bool:
        return self.place != int(self.place)


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
                # one that has no name is called after its number, the first one plain
                plain = f"document {len(documents) + 1}" if documents else "document"
                _begin(documents, found[1] or plain, file, number)
        elif line.strip():
            columns = line.split("\t")
            if len(columns) != 10:
                raise file.wrong(f"has {len(columns)} columns where CoNLL-U has 10", number)
            sentence.append((columns, number))
        elif sentence:
            _read_sentence(documents, sentence, file)
            sentence = []
    if sentence:
        _read_sentence(documents, sentence, file)
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
    kinds = Counter(kind for d in documents for _, kind, *_ in d.other_links)
    said = {
        "split": f"{kinds['split']} split antecedents (SplitAnte) are no part of the chains: the measure "
        "split-antecedent scores them",
        "bridge": f"{kinds['bridge']} bridging links (Bridge) are no part of the chains: the measure "
        "bridging scores them",
    }
    return [sentence for kind, sentence in said.items() if kinds[kind]]


def _begin(documents: list[_Document], name: str, file: Entry, line: int) -> None:
    if documents:
        documents[-1].mentions.finish()
    if any(d.name == name for d in documents):
        raise file.wrong(f"document {name!r} begins twice", line, hint="drop one of them")
    documents.append(_Document(name, OpenMentions(file, name)))


def _read_sentence(
    documents: list[_Document], sentence: Sequence[tuple[list[str], int]], file: Entry
) -> None:
    if not documents:
        _begin(documents, "document", file, sentence[0][1])
    document = documents[-1]
    first = len(document.words)
    document.sentences += 1
    for columns, line in sentence:
        number = columns[0]
        if "-" in number:
            continue
        place, governor = _place(number, first), None
        deps: tuple[tuple[float, str], ...] = ()
        if place is None:
            raise document.mentions.file.wrong(f"has the token number {number!r}", line)
        if number.partition(".")[2]:
            deps = _dependencies(columns[8], first)
        else:
            place, governor = float(len(document.words)), _place(columns[6], first)
            document.words.append(columns[1])
        # of a key that is there twice the first counts
        said = dict(part.partition("=")[::2] for part in reversed(columns[9].split("|")))
        document.mentions.read(said.get("Entity", ""), len(document.tokens), line, separator="-")
        for name, kind in (("SplitAnte", "split"), ("Bridge", "bridge")):
            for link in said[name].split(",") if name in said else ():
                antecedent, _, anaphor = link.partition("<")
                anaphor, _, relation = anaphor.partition(":")
                here = (len(document.tokens), kind, antecedent, anaphor, relation)
                document.other_links.append(here)
        document.tokens.append(_Token(place, columns[3], governor, document.sentences, deps))


def _dependencies(column: str, first: int) -> tuple[tuple[float, str], ...]:
    """(place of the parent, relation) of each link in DEPS; -1 is the root."""
    links = [link.partition(":") for link in column.split("|")]
    found = {(_place(parent, first), relation) for parent, _, relation in links}
    return tuple(sorted((place, relation) for place, relation in found if place is not None))


def _place(number: str, first: int) -> float | None:
    """Where the word n or the empty node n.k of the sentence that begins at word `first` stands.

    The root (0) is at -1; what is no number is nowhere. Nodes 0.k lie before the first word of their
    sentence and after those of the sentence before: the upper half of the gap is theirs, so that n.1 of
    one sentence and 0.1 of the next stay apart.
    """
    word, _, empty = number.partition(".")
    if not word.isdigit() or (empty and not empty.isdigit()) or len(number) > 12:
        return None
    if not empty:
        return float(first + int(word) - 1) if int(word) else -1.0
    step = int(empty) / 100
    return round(first + int(word) - 1 + step if int(word) else first - 0.5 + step / 2, 4)


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
            spans += [document.tokens[place].place, 0.0]
        spans[-1] = _end(document.tokens[place].place)
    mention: Mention = tuple(map(_short, spans))
    # the entity name is the first field and is not among the attributes
    values = dict(zip(fields[1:], attributes.split("-", max(0, len(fields) - 2)), strict=False))
    number = values.get("head", "")
    given = number.isdigit() and len(number) <= 12 and 1 <= int(number) <= len(tokens)
    head = tokens[int(number) - 1] if given else _head(tokens)
    fact: dict[str, Any] = {"head": _short(head.place), "upos": head.upos}
    if values.get("etype"):
        fact["type"] = values["etype"]
    if empty := tuple(t.place for t in tokens if t.is_empty):
        fact["empty"] = empty
    if head.is_empty:
        fact |= {"sentence": head.sentence, "deps": head.deps}
    if not given:
        fact["guessed"] = True
    return mention, fact


def _head(tokens: Sequence[_Token]) -> _Token:
    """The first word that is governed from outside."""
    inside = {t.place for t in tokens}
    outside = (t for t in tokens if not t.is_empty and t.governor not in inside)
    return next(outside, tokens[0])


def _short(place: float) -> float:
    return int(place) if place == int(place) else place


def _end(place: float) -> float:
    part = place - int(place)
    return round(place + (0.01 if part < 0.5 else 0.005), 4) if part else place + 1


def write_corefud(data: Annotations, path: Path) -> Sequence[str]:
    """Write the chains of one annotator as CoNLL-U; words and trees not known are ``_``."""
    if isinstance(data, Chains) and len(data.annotators) > 1:
        return each_annotator(data, path, ".conllu", write_corefud)
    chains = one_annotator(data, "CorefUD")
    lost: list[str] = []
    lines = [f"# global.Entity = {_FIELDS}"]
    for d, name in enumerate(chains.documents):
        cells, length = _cells(chains, d, lost)
        lines += [f"# newdoc id = {name}", f"# sent_id = {name}-1"]
        for t, word in enumerate(words_of(chains, d, length)):
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
    length = (None if chains.lengths is None else chains.lengths[d]) or 0
    refuse_endless(chains.documents[d], length)
    for e, cluster in enumerate(chains.clusters(d, 0), 1):
        for mention in cluster:
            if not isinstance(mention, tuple) or any(x != int(x) for x in mention):
                lost.append(f"mention {mention!r} of {chains.documents[d]!r}: it is not on words")
                continue
            spans = list(zip(mention[::2], mention[1::2], strict=True))
            refuse_endless(chains.documents[d], max(mention[1::2]))
            fact = facts.get(mention, {})
            covered = [w for s, t in spans for w in range(int(s), int(t))]
            head = covered.index(fact["head"]) + 1 if fact.get("head") in covered else 1
            for i, (start, end) in enumerate(spans, 1):
                name = f"e{e}" if len(spans) == 1 else f"e{e}[{i}/{len(spans)}]"
                first = f"({name}-{fact.get('type', '')}-{head}-" if i == 1 else f"({name}"
                length = max(length, int(end))
                alone = end - start == 1
                opening.setdefault(int(start), []).append((int(end), first + ")" * alone))
                if not alone:
                    closing.setdefault(int(end) - 1, []).append((int(start), f"{name})"))
    cells: dict[int, list[str]] = {}
    for t, found in (*closing.items(), *opening.items()):
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
