"""Clusters of mentions as JSON or JSON Lines, in the layouts people have."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from accord.data import Annotations, Chains
from accord.data.chains import Mention
from accord.errors import UsageError
from accord.files.archive import Entry
from accord.files.safe_json import scrubbed
from accord.formats.coreference.brackets import bare_name, text_lines
from accord.formats.coreference.entity_names import shared_names
from accord.formats.coreference.json_mentions import (
    exclusive,
    in_document,
    is_table,
    names_entities,
    read_mention,
    whole_words,
)
from accord.formats.format import Format, ReadOptions, Regex, Sniff

Entities = list[list[Mention]]

#: what of a record is not said about the document as a whole
_ENDINGS = (".json", ".jsonl", ".jsonlines", ".ndjson")
_KNOWN = frozenset(("doc_key", "document", "id", "type", "annotator", "text", "tokens"))
#: what records call a reference, and a system's answer
_REFERENCE = ("clusters", "gold_clusters", "mention_clusters", "entities")
_ANSWER = ("predicted_clusters", "clusters_token_offsets", "clusters_predicted")


def read_clusters(file: Entry, options: ReadOptions) -> Chains:
    """Read clusters of mentions; a mention is a name, a number or ``[start, end]``, end exclusive.

    Layouts: ``{"documents": {name: clusters}}``, where clusters are ``[[mention, …], …]`` or
    ``{annotator: [[mention, …], …]}`` or ``{"tokens": n, "clusters": either of these}``; one bare
    list of clusters; ``{"type": "clusters", "clusters": {entity: [mention, …]}}`` and
    ``{"type": "graph", "mentions": […], "links": [[a, b], …]}`` (scorch); JSON Lines with
    ``doc_key`` and ``clusters`` (or ``predicted_clusters``), where with ``sentences`` present ends
    are inclusive, as the tools that write them have it; ``{"documents": [record, …]}``. A record with
    both ``clusters`` and ``predicted_clusters`` holds a reference and a system's answer: the answer is
    read where a system is wanted (`predictions`), the reference elsewhere, and what was left out is
    said. Maverick's ``clusters_token_offsets`` have inclusive ends, PreCo's ``mention_clusters`` are
    ``[sentence, start, end]``; word pieces with a ``subtoken_map`` become words, and where there is only
    a ``text`` offsets count characters. A mention may be an object with ``start`` and ``end`` (or
    ``span``) and a ``type``, and ``[document, start, end]`` where entities cross documents; other words
    of a record (``topic``) are groups of documents.
    """
    text = "\n".join(line for _, line in text_lines(file))
    reader = _Reader(file, options.annotator, bare_name(file.name), predictions=options.predictions)
    try:
        whole = scrubbed(json.loads(text, object_pairs_hook=reader.unique))
    except json.JSONDecodeError as problem:
        if not reader.read_lines(text):
            raise file.unreadable(
                f"is not JSON ({problem.msg})", problem.lineno, hint="export it again"
            ) from None
    except RecursionError:
        raise file.wrong("is nested too deeply to be clusters") from None
    else:
        reader.read_whole(whole)
    if not reader.clusters:
        raise file.wrong("holds no document", hint="check the export")
    chains = Chains.from_clusters(
        reader.clusters,
        facts=reader.facts or None,
        words=reader.words or None,
        lengths=reader.lengths or None,
        names=reader.names or None,
        groups=reader.groups or None,
    )
    record = shared_names(reader.names)
    if reader.both:
        what = "clusters" if options.predictions else "predicted_clusters"
        keep = None if options.predictions else ("predictions", True)
        record.leave_out(f"{what} of {reader.both:,} documents", reader.both, keep=keep)
    chains = record.kept_by(chains)
    if options.annotator in chains.annotators and len(chains.annotators) > 1:
        return chains.select(annotators=[options.annotator])
    return chains


class _Reader:
    def __init__(self, file: Entry, annotator: str | None, name: str, *, predictions: bool) -> None:
        self.file = file
        self.predictions = predictions
        #: records with a reference and an answer
        self.both = 0
        self.annotator = annotator or name
        self.clusters: dict[tuple[str, str], Entities] = {}
        self.words: dict[str, Sequence[str]] = {}
        self.lengths: dict[str, int] = {}
        self.facts: dict[tuple[str, Mention], dict[str, Any]] = {}
        #: texts whose mentions are offsets of characters
        self.texts: dict[str, str] = {}
        self.names: dict[tuple[str, str], list[str]] = {}
        self.groups: dict[str, dict[str, str | None]] = {}

    def unique(self, pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
        """A JSON object; a key given twice would silently lose the first."""
        found = dict(pairs)
        if len(found) < len(pairs):
            names = [name for name, _ in pairs]
            twice = next(n for n in names if names.count(n) > 1)
            raise self.file.wrong(f"has the key {twice!r} twice in one object")
        return found

    def read_whole(self, whole: Any) -> None:
        held = whole.get("documents") if isinstance(whole, dict) else whole
        if isinstance(held, dict):
            for name, content in held.items():
                self._document(name, content)
        elif isinstance(held, list) and (held is not whole or _are_objects(held)):
            for number, part in enumerate(held):
                self._record(part, f"document {number}", None)
        elif held is whole and isinstance(whole, list):
            self._add("document", self.annotator, whole, None)
        else:
            self._record(whole, "document", None)

    def read_lines(self, text: str) -> bool:
        """Read one document per line; False when the first line is not JSON."""
        for number, line in enumerate(text.split("\n"), 1):
            if not line.strip():
                continue
            try:
                record = scrubbed(json.loads(line, object_pairs_hook=self.unique))
            except json.JSONDecodeError as problem:
                if not self.clusters:
                    return False
                raise self.file.wrong(f"is not JSON ({problem.msg})", number) from None
            self._record(record, f"document {number}", number)
        return bool(self.clusters)

    def _record(self, record: Any, default: str, line: int | None) -> None:
        """A document that is an object of its own: scorch, or a line of JSON Lines."""
        if not isinstance(record, dict):
            self._refuse(line)
        name = str(record.get("doc_key", record.get("document", record.get("id", default))))
        if record.get("type") == "graph":
            self._add(name, self.annotator, self._components(record), line)
            return
        field, clusters = self._chosen(record)
        if clusters is None:
            self._refuse(line)
        self._grouped(name, record)
        names = None
        if isinstance(clusters, dict) and (
            record.get("type") == "clusters" or names_entities(clusters)
        ):
            names, clusters = list(clusters), list(clusters.values())
        sentences: Any = record.get("sentences")
        if is_table(sentences) and ("doc_key" in record or field == "mention_clusters"):
            self.words[name] = [str(word) for sentence in sentences for word in sentence]
        elif isinstance(record.get("tokens"), list):
            self.words[name] = [str(word) for word in record["tokens"]]
        elif isinstance(record.get("text"), str):
            self.texts[name] = record["text"]
        for who, entities in self._people(clusters, record).items():
            if field == "mention_clusters" and is_table(sentences):
                entities = in_document(entities, sentences, self.file, line)
            elif field == "clusters_token_offsets" or ("doc_key" in record and is_table(sentences)):
                entities = exclusive(entities, self.file, line)
                if (token := record.get("subtoken_map")) and name in self.words:
                    if not (_are_whole(token) and len(token) == len(self.words[name])):
                        self._refuse(line, name)
                    pieces = [str(piece) for sentence in sentences for piece in sentence]
                    entities, self.words[name] = whole_words(
                        entities, pieces, token, self.file, line
                    )
            self._add(name, who, entities, line, names)

    def _grouped(self, name: str, record: Mapping[str, Any]) -> None:
        """Words about a document, such as its topic, group documents."""
        for key, value in record.items():
            if key not in _KNOWN and isinstance(value, (str, int)) and not isinstance(value, bool):
                self.groups.setdefault(key, {})[name] = str(value)

    def _chosen(self, record: Mapping[str, Any]) -> tuple[str, Any]:
        """The reference or the answer of a record, by what is wanted, and what it is called."""
        reference = next((k for k in _REFERENCE if record.get(k) is not None), "")
        answer = next((k for k in _ANSWER if record.get(k) is not None), "")
        if reference and answer:
            self.both += 1
        field = answer if answer and (self.predictions or not reference) else reference
        return field, record.get(field)

    def _document(self, name: str, content: Any) -> None:
        """One value of ``documents``."""
        if isinstance(content, dict) and "clusters" in content:
            tokens = content.get("tokens")
            if isinstance(tokens, int):
                self.lengths[name] = tokens
            elif isinstance(tokens, list):
                self.words[name] = [str(word) for word in tokens]
            self._grouped(name, content)
            content = content["clusters"]
        for who, entities in self._people(content, {}).items():
            self._add(name, who, entities, None)

    def _people(self, clusters: Any, record: Mapping[str, Any]) -> dict[str, Any]:
        """The entities of each annotator; of the one of the record, or of the file, if it names none."""
        who = str(record.get("annotator", self.annotator))
        return clusters if isinstance(clusters, dict) else {who: clusters}

    def _add(
        self,
        name: str,
        who: str,
        entities: Any,
        line: int | None,
        names: Sequence[str] | None = None,
    ) -> None:
        """The entities of an annotator in a document, or in the documents that mentions name."""
        if not is_table(entities):
            self._refuse(line, name)
        here: dict[str, dict[str, list[Mention]]] = {}
        for number, entity in enumerate(entities):
            called = f"#{number}" if names is None else names[number]
            for given in entity:
                place, mention, fact = read_mention(given, name, self.file, line)
                if place in self.texts and isinstance(mention, tuple):
                    # offsets are characters: the text itself tells what was marked
                    fact["text"] = self.texts[place][int(mention[0]) : int(mention[-1])]
                here.setdefault(place, {}).setdefault(called, []).append(mention)
                if fact:
                    self.facts.setdefault((place, mention), fact)
        crossing = set(here) - {name}
        for place in here if crossing else (name,):
            if (place, who) in self.clusters:
                raise self.file.wrong(
                    f"annotator {who!r} has document {place!r} twice", line, hint="drop one of them"
                )
            found = here.get(place, {})
            self.clusters[place, who] = list(found.values())
            if crossing or names is not None:
                self.names[place, who] = list(found)
            if crossing and place != name:
                self.groups.setdefault("topic", {}).setdefault(place, name)

    def _components(self, graph: Mapping[str, Any]) -> list[list[Any]]:
        """Connected components of mentions and links."""
        mentions, links = graph.get("mentions", []), graph.get("links", [])
        parent: dict[str, str] = {}
        value: dict[str, Any] = {}

        def root(key: str) -> str:
            while parent[key] != key:
                parent[key] = parent[parent[key]]
                key = parent[key]
            return key

        if not isinstance(mentions, list) or not isinstance(links, list):
            self._refuse(None)
        for mention in mentions:
            key = json.dumps(mention)
            parent[key], value[key] = key, mention
        for link in links:
            ends = [json.dumps(end) for end in link] if isinstance(link, list) else []
            if len(ends) != 2 or any(end not in parent for end in ends):
                raise self.file.wrong(
                    f"has the link {json.dumps(link)[:60]}",
                    hint="a link is a pair of mentions that are listed in 'mentions'",
                )
            parent[root(ends[0])] = root(ends[1])
        entities: dict[str, list[Any]] = {}
        for key in parent:
            entities.setdefault(root(key), []).append(value[key])
        return list(entities.values())

    def _refuse(self, line: int | None, name: str | None = None) -> Any:
        where = "" if name is None else f"document {name!r} "
        raise self.file.wrong(
            f"{where}does not hold clusters of mentions",
            line,
            hint='expected {"documents": {name: [[mention, …], …]}} or a list of clusters',
        )


def write_clusters(data: Annotations, path: Path) -> Sequence[str]:
    """Write ``{"documents": {name: {annotator: [[mention, …], …]}}}``."""
    if not isinstance(data, Chains):
        raise UsageError(f"JSON clusters hold chains, these data are {data.shape}")
    documents: dict[str, dict[str, Any]] = {name: {} for name in data.documents}
    for d, a in sorted(data.coverage):
        documents[data.documents[d]][data.annotators[a]] = data.clusters(d, a)
    path.write_text(
        json.dumps({"documents": documents}, ensure_ascii=False) + "\n", encoding="utf-8"
    )
    return [] if data.facts is None else ["what is known about mentions (heads, types)"]


def _are_objects(value: list[Any]) -> bool:
    return bool(value) and all(isinstance(part, dict) for part in value)


def _are_whole(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(n, int) and n >= 0 for n in value)


FORMAT = Format(
    name="clusters",
    title="clusters of mentions (JSON, JSON Lines)",
    sniff=(
        Sniff(endings=_ENDINGS, begins=Regex(rb"\s*\[\s*\[")),
        Sniff(endings=_ENDINGS, begins=Regex(rb'\s*\{\s*"type"\s*:\s*"clusters"')),
        Sniff(
            endings=_ENDINGS,
            begins=Regex(rb"\s*(?:\{|\[\{)"),
            some=(
                Regex(rb'"documents"\s*:\s*\{'),
                Regex(rb'"clusters"\s*:\s*(\{|\[\s*[\[\]])'),
                Regex(rb'"(mention_clusters|clusters_token_offsets)"\s*:\s*\['),
                Regex(rb'"predicted_clusters"\s*:'),
                Regex(rb'"type"\s*:\s*"graph"'),
            ),
        ),
    ),
    read=read_clusters,
    write=write_clusters,
    suffixes=(".json",),
    holds=("chains",),
)
