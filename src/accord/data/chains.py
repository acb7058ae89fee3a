"""Chains: a partition of mentions into entities (coreference, conversations, clusters)."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from math import ceil
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from accord.data.brief import brief, count
from accord.data.contents import Contents, of_documents, seen_in
from accord.data.encode import Codes, encode_sorted, label_of
from accord.data.located import Documented, Rows, canonical_order, renumbered
from accord.data.protocol import Shape
from accord.data.reading import Record
from accord.data.schema import CHAINS, Columns
from accord.data.units import Units
from accord.errors import InputError

if TYPE_CHECKING:
    from narwhals.typing import IntoFrame


#: a mention: a name, or token offsets (start, end), end exclusive
Mention = Hashable
Clusters = Sequence[Sequence[Mention]]
Held = TypeVar("Held")


@dataclass(frozen=True, slots=True)
class Link:
    """What a mention refers to other than by identity: bridging, or antecedents that are several."""

    #: "bridge" or "split"
    kind: str
    mention: Mention
    #: numbers of the entities it refers to
    antecedents: tuple[int, ...]
    relation: str = ""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Chains(Documented):
    """Which entity each annotator puts each mention in, sorted by document, annotator, mention.

    Mentions are numbered within their document (`mentions[d][m]`), shared by all annotators;
    entities are numbered within a document and annotator and mean nothing beyond it. `coverage`
    holds the (document, annotator) pairs that were annotated, even with no mention at all.

    >>> chains = Chains.from_clusters({("d", "Ana"): [["he", "Bob"], ["it"]]})
    >>> chains.annotators, chains.documents
    (('Ana',), ('d',))
    """

    shape: ClassVar[Shape] = "chains"

    #: for each document, its distinct mentions in canonical order
    mentions: tuple[tuple[Mention, ...], ...]
    document: Codes
    annotator: Codes
    mention: Codes
    entity: Codes
    coverage: frozenset[tuple[int, int]]
    #: for each document, facts about its mentions (head, type, text), aligned with `mentions`
    facts: tuple[tuple[Mapping[str, Any], ...], ...] | None = None
    #: for each document, its tokens, and their number; None where unknown
    words: tuple[tuple[str, ...] | None, ...] | None = None
    lengths: tuple[int | None, ...] | None = None
    #: rows (document, annotator, mention, entity) left out above because the annotator gives the
    #: mention again: in another entity, or twice in one
    copies: Codes | None = None
    #: {(document, annotator): the names of its entities, by number}, where the file names them
    names: Mapping[tuple[int, int], tuple[str, ...]] | None = None
    #: {column: its value for each document}, such as the topics of a corpus
    groups: Mapping[str, tuple[str | None, ...]] | None = None
    #: {(document, annotator): links of its mentions that are not identity}
    links: Mapping[tuple[int, int], tuple[Link, ...]] | None = None

    def __repr__(self) -> str:
        # an entity is one annotator's: its number means nothing beyond a document and annotator
        entities = np.unique(np.stack([self.document, self.annotator, self.entity]), axis=1)
        return brief(
            self,
            count(len(self.mention), "mention"),
            count(entities.shape[1], "entity", "entities"),
            count(len(self.documents), "document"),
            count(len(self.annotators), "annotator"),
        )

    @classmethod
    def from_clusters(
        cls,
        clusters: Mapping[tuple[str, str], Clusters],
        *,
        facts: Mapping[tuple[str, Mention], Mapping[str, object]] | None = None,
        words: Mapping[str, Sequence[str]] | None = None,
        lengths: Mapping[str, int] | None = None,
        names: Mapping[tuple[str, str], Sequence[str]] | None = None,
        groups: Mapping[str, Mapping[str, str | None]] | None = None,
        links: Mapping[tuple[str, str], Sequence[Link]] | None = None,
        notes: Sequence[str] = (),
    ) -> Self:
        """Build from {(document, annotator): [[mention, …], …]}.

        A mention that occurs twice on one side keeps its first entity, with a note (the rule of the
        official coreference scorer); the others stay in `copies`. `words` are the tokens of the
        documents, `lengths` their number where only that is known: scores use them to refuse
        misaligned texts. `names` are those of the entities, in their order; `groups` gives each
        column (a topic, say) its value for each document. `links` are bridging and split antecedents.

        >>> c = Chains.from_clusters({("d", "key"): [["a", "b"], ["c"]]})
        >>> c.mentions, c.entity.tolist()
        ((('a', 'b', 'c'),), [0, 0, 1])
        """
        keys = list(clusters)
        document, documents = encode_sorted(d for d, _ in keys)
        annotator, annotators = encode_sorted(a for _, a in keys)
        found: list[dict[Mention, None]] = [{} for _ in documents]
        for d, key in zip(document.tolist(), keys, strict=True):
            found[d].update(dict.fromkeys(chain.from_iterable(clusters[key])))
        mentions = tuple(_in_order(f) for f in found)
        number = [dict(zip(ms, range(len(ms)), strict=True)) for ms in mentions]
        mention: list[int] = []
        # (nothing yet, so that there is something to put together)
        entity: list[Codes] = [np.empty(0, dtype=np.int32)]
        for d, key in zip(document.tolist(), keys, strict=True):
            mention.extend(map(number[d].__getitem__, chain.from_iterable(clusters[key])))
            numbers = np.arange(len(clusters[key]), dtype=np.int32)
            entity.append(np.repeat(numbers, list(map(len, clusters[key]))))
        side = np.repeat(np.arange(len(keys)), list(map(len, entity[1:])))
        table = np.stack(
            [
                document[side],
                annotator[side],
                np.array(mention, dtype=np.int32),
                np.concatenate(entity),
            ]
        )
        # of a mention given twice, the first entity comes first
        table = table[:, canonical_order(table[:3])]
        again = np.zeros(table.shape[1], dtype=bool)
        again[1:] = (table[:3, 1:] == table[:3, :-1]).all(axis=0)
        copies, table = np.ascontiguousarray(table[:, again].T), table[:, ~again]

        def by_number(
            held: Mapping[tuple[str, str], Sequence[Held]] | None,
        ) -> dict[tuple[int, int], tuple[Held, ...]] | None:
            sides = zip(document.tolist(), annotator.tolist(), keys, strict=True)
            return (
                None if held is None else {(d, a): tuple(held[k]) for d, a, k in sides if k in held}
            )

        def by_document(held: Mapping[str, Held] | None) -> tuple[Held | None, ...] | None:
            return None if held is None else tuple(held.get(d) for d in documents)

        sizes = {**{d: len(w) for d, w in (words or {}).items()}, **(lengths or {})}
        made = cls(
            documents=tuple(documents),
            annotators=tuple(annotators),
            mentions=mentions,
            document=table[0].copy(),
            annotator=table[1].copy(),
            mention=table[2].copy(),
            entity=table[3].copy(),
            coverage=frozenset(zip(document.tolist(), annotator.tolist(), strict=True)),
            facts=None
            if facts is None
            else tuple(
                tuple(facts.get((name, m), {}) for m in ms)
                for name, ms in zip(documents, mentions, strict=True)
            ),
            words=by_document(None if words is None else {d: tuple(w) for d, w in words.items()}),
            lengths=by_document(sizes or None),
            notes=tuple(dict.fromkeys(notes)),
            copies=copies if len(copies) else None,
            names=by_number(names),
            groups={c: tuple(own.get(d) for d in documents) for c, own in groups.items()}
            if groups
            else None,
            links=by_number(links or None),
        )
        return made if made.copies is None else _repeated(made.copies, made).kept_by(made)

    def clusters(
        self, document: int, annotator: int, *, repeated: bool = False
    ) -> list[list[Mention]]:
        """Return the entities of one annotator in one document.

        With `repeated` they are those of the file, in its order: a mention of several entities is in
        each of them.
        """
        entities = self._entities(document, annotator, repeated)
        return [entities[e] for e in sorted(entities)] if repeated else list(entities.values())

    def entity_names(self, document: int, annotator: int) -> list[str] | None:
        """Return the names of the entities of `clusters(…, repeated=True)`, where the file names them."""
        own = None if self.names is None else self.names.get((document, annotator))
        if own is None:
            return None
        return [own[e] for e in sorted(self._entities(document, annotator, repeated=True))]

    def _entities(self, document: int, annotator: int, repeated: bool) -> dict[int, list[Mention]]:
        first, last = np.searchsorted(self.document, [document, document + 1])
        low, high = np.searchsorted(self.annotator[first:last], [annotator, annotator + 1])
        here = slice(first + low, first + high)
        entities: dict[int, list[Mention]] = {}
        for m, e in zip(self.mention[here].tolist(), self.entity[here].tolist(), strict=True):
            entities.setdefault(e, []).append(self.mentions[document][m])
        for d, a, m, e in self.copies.tolist() if repeated and self.copies is not None else ():
            if (d, a) == (document, annotator):
                entities.setdefault(e, []).append(self.mentions[document][m])
        return entities

    def text(self, document: int, mention: int) -> str:
        """Return a mention in words; its offsets, or its name, where the words are not known."""
        if self.facts is not None and (text := self.facts[document][mention].get("text")):
            return str(text)
        return mention_text(
            self.mentions[document][mention], None if self.words is None else self.words[document]
        )

    def mention_units(self, *, flat: bool = False) -> Units:
        """Return the mentions alone, as unlabelled units on the tokens: what was marked, not who it is.

        `flat` joins mentions that overlap or nest into the text they cover together.
        """
        rows: list[tuple[str, str, float, float, str | None]] = []
        merged = 0
        for d, a in sorted(self.coverage):
            spans = []
            for mention in (m for cluster in self.clusters(d, a) for m in cluster):
                if not isinstance(mention, tuple) or len(mention) % 2:
                    raise InputError(
                        f"mention {mention!r} of document {self.documents[d]!r} has no offsets",
                        hint="mentions must be [start, end] to be placed on the text",
                    )
                spans += list(zip(mention[::2], mention[1::2], strict=True))
            spans = sorted(set(spans))
            if flat:
                joined: list[tuple[float, float]] = []
                for start, end in spans:
                    if joined and start < joined[-1][1]:
                        joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
                        merged += 1
                    else:
                        joined.append((start, end))
                spans = joined
            who = (self.documents[d], self.annotators[a])
            rows += [(*who, float(s), float(e), "mention") for s, e in spans]
        sizes = self.lengths or (None,) * len(self.documents)
        record = Record()
        if merged:
            record.leave_out(f"{merged:,} nested mentions", merged, why="part of the outermost")
        units = Units.from_rows(
            rows,
            lengths={d: n for d, n in zip(self.documents, sizes, strict=True) if n is not None},
            coverage=self.seen_pairs(),
        )
        return record.kept_by(units)

    @classmethod
    def from_frame(
        cls,
        frame: IntoFrame,
        *,
        document: str = "document",
        annotator: str = "annotator",
        mention: str = "mention",
        start: str = "start",
        end: str = "end",
        entity: str = "entity",
    ) -> Self:
        """Build from any dataframe with one row per mention; the keywords name its columns.

        A mention is named by `mention`, or by token offsets `start` and `end` (end exclusive).
        Without a document column all is one document, without an annotator column one annotator.

        >>> import polars as pl
        >>> frame = pl.DataFrame({"start": [0, 5, 9], "end": [2, 6, 10], "entity": ["Ann", "Ann", "it"]})
        >>> Chains.from_frame(frame)
        Chains(3 mentions, 2 entities, 1 document, 1 annotator)
        """
        return cls.of(CHAINS.of_frame(frame, document, annotator, entity, mention, start, end))

    @classmethod
    def of(
        cls,
        columns: Columns,
        *,
        coverage: Iterable[tuple[str, str]] = (),
        groups: Mapping[str, Mapping[str, str | None]] | None = None,
    ) -> Self:
        """Build from the columns of a table with one row per mention; entities keep their names."""
        mentions = columns.get("mention")
        if mentions is None:
            spans = zip(columns["start"], columns["end"], strict=True)
            mentions = [(int(s), int(e)) for s, e in spans]
        sides: dict[tuple[str, str], dict[str, list[Mention]]] = {}
        rows = (columns["document"], columns["annotator"], columns["entity"], mentions)
        for d, a, e, m in zip(*rows, strict=True):
            sides.setdefault((d, a), {}).setdefault(e, []).append(m)
        for pair in coverage:
            sides.setdefault(pair, {})
        return cls.from_clusters(
            {side: list(entities.values()) for side, entities in sides.items()},
            names={side: list(entities) for side, entities in sides.items()},
            groups=groups,
        )

    @property
    def who_saw(self) -> NDArray[np.bool_]:
        return seen_in(self, self.coverage)

    @property
    def _height(self) -> int:
        return len(self.mention)

    @property
    def columns(self) -> tuple[str, ...]:
        return ("document", "annotator", "mention", "entity")

    def rows(self) -> Iterator[Mapping[str, object]]:
        """Return one row per mention; entities are numbered within a document and annotator.

        >>> Chains.from_clusters({("d", "key"): [["a", "b"], ["c"]]}).to_frame(backend="polars").shape
        (3, 4)
        """
        columns = (self.document, self.annotator, self.mention, self.entity)
        for d, a, m, e in zip(*(column.tolist() for column in columns), strict=True):
            mention = self.mentions[d][m]
            row: dict[str, Any] = {"document": self.documents[d], "annotator": self.annotators[a]}
            if isinstance(mention, tuple) and len(mention) == 2:
                row |= {"start": mention[0], "end": mention[1]}
            else:
                row["mention"] = str(mention)
            yield row | {"entity": e}

    def contents(self) -> Contents:
        """Count who marked how many mentions, and how many of them several people have seen."""
        return of_documents(self, self.document, self.annotator, self.who_saw)

    def _followed(self, fields: Mapping[str, Any], where: Rows, who: Rows) -> dict[str, Any]:
        if self.copies is None:
            return {}
        copies = self.copies.copy()
        copies[:, 0] = renumbered(where, len(self.documents))[self.copies[:, 0]]
        copies[:, 1] = renumbered(who, len(self.annotators))[self.copies[:, 1]]
        copies = copies[(copies[:, :2] >= 0).all(axis=1)]
        return {"copies": copies if len(copies) else None}


def mention_text(mention: Mention, words: Sequence[str] | None) -> str:
    """A mention in words: the parts of a discontinuous one with … between, ∅ for an empty node.

    >>> mention_text((0, 2, 3, 4), ["the", "old", "grey", "king"]), mention_text("Paul", None)
    ('the old … king', 'Paul')
    """
    if not isinstance(mention, tuple) or len(mention) % 2 or words is None:
        return mention if isinstance(mention, str) else label_of(mention)
    parts = [
        " ".join(words[ceil(start) : ceil(end)])
        for start, end in zip(mention[::2], mention[1::2], strict=True)
    ]
    return " … ".join(part for part in parts if part) or "∅"


def _in_order(found: Mapping[Mention, None]) -> tuple[Mention, ...]:
    """Mentions in canonical order: offsets before names."""
    kinds = set(map(type, found))
    try:
        # the usual cases, names only, numbers only, offsets only, need no key
        if len(kinds) < 2 and kinds <= {str, int, tuple}:
            return tuple(sorted(found))  # type: ignore[type-var]
        return tuple(sorted(found, key=_mention_key))
    except TypeError:
        return tuple(sorted(found, key=repr))


def _mention_key(mention: Mention) -> tuple[Any, ...]:
    return (0, *mention) if isinstance(mention, tuple) else (1, str(mention))


#: so many repeated mentions are named one by one
_NAMED = 3


def _repeated(copies: Codes, made: Chains) -> Record:
    """Keep which mentions an annotator gives twice: the first ones by name, then how many more."""
    columns = (made.document, made.annotator, made.mention, made.entity)
    entity = {(d, a, m): e for d, a, m, e in np.stack(columns, axis=1).tolist()}
    seen: dict[tuple[int, int, int], str] = {}
    for d, a, m, e in copies.tolist():
        again = "in two entities" if entity[d, a, m] != e else "twice in one entity"
        if seen.get((d, a, m)) != "in two entities":
            seen[d, a, m] = again
    record = Record()
    for (d, a, m), where in list(seen.items())[:_NAMED]:
        mention = made.mentions[d][m]
        text, words = repr(mention), None if made.words is None else made.words[d]
        if words is not None:
            text = f"{mention_text(mention, words)!r} {text}"
        what = f"mention {text} of {made.annotators[a]!r} in document {made.documents[d]!r}"
        record.leave_out(what, why=f"it occurs {where} and the first is kept")
    if len(seen) > _NAMED:
        more = len(seen) - _NAMED
        record.leave_out(f"{more:,} more mention{'s' * (more > 1)}", more, why="given twice")
    return record
