"""Chains: a partition of mentions into entities (coreference, conversations, clusters)."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np

from accord.data.choose import places
from accord.data.encode import Codes, encode_sorted
from accord.data.protocol import Shape

#: a mention: a name, or token offsets (start, end), end exclusive
Mention = Hashable
Clusters = Sequence[Sequence[Mention]]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Chains:
    """Which entity each annotator puts each mention in, sorted by document, annotator, mention.

    Mentions are numbered within their document (`mentions[d][m]`), shared by all annotators;
    entities are numbered within a document and annotator and mean nothing beyond it. `coverage`
    holds the (document, annotator) pairs that were annotated, even with no mention at all.
    """

    shape: ClassVar[Shape] = "chains"

    documents: tuple[str, ...]
    annotators: tuple[str, ...]
    #: for each document, its distinct mentions in canonical order
    mentions: tuple[tuple[Mention, ...], ...]
    document: Codes
    annotator: Codes
    mention: Codes
    entity: Codes
    coverage: frozenset[tuple[int, int]]
    #: for each document, facts about its mentions (head, type, text), aligned with `mentions`
    facts: tuple[tuple[Mapping[str, Any], ...], ...] | None = None
    notes: tuple[str, ...] = ()

    @classmethod
    def from_clusters(
        cls,
        clusters: Mapping[tuple[str, str], Clusters],
        *,
        facts: Mapping[tuple[str, Mention], Mapping[str, Any]] | None = None,
        notes: Sequence[str] = (),
    ) -> Self:
        """Build from {(document, annotator): [[mention, …], …]}.

        A mention that occurs twice on one side keeps its first entity, with a note (the rule of the
        official coreference scorer).

        >>> c = Chains.from_clusters({("d", "key"): [["a", "b"], ["c"]]})
        >>> c.mentions, c.entity.tolist()
        ((('a', 'b', 'c'),), [0, 0, 1])
        """
        keys = list(clusters)
        document, documents = encode_sorted(d for d, _ in keys)
        annotator, annotators = encode_sorted(a for _, a in keys)
        found: list[dict[Mention, None]] = [{} for _ in documents]
        for d, key in zip(document, keys, strict=True):
            for cluster in clusters[key]:
                found[d].update(dict.fromkeys(cluster))
        mentions = tuple(tuple(sorted(f, key=_mention_key)) for f in found)
        number = [{m: i for i, m in enumerate(ms)} for ms in mentions]
        rows: list[tuple[int, int, int, int]] = []
        remarks = list(notes)
        for d, a, key in zip(document.tolist(), annotator.tolist(), keys, strict=True):
            entity_of: dict[Mention, int] = {}
            for e, cluster in enumerate(clusters[key]):
                for m in cluster:
                    if m in entity_of:
                        remarks.append(
                            f"document {key[0]!r}, {key[1]!r}: mention {m!r} occurs twice; "
                            "the first is kept"
                        )
                    else:
                        entity_of[m] = e
            rows.extend((d, a, number[d][m], e) for m, e in entity_of.items())
        table = np.array(sorted(rows), dtype=np.int32).reshape(-1, 4)
        return cls(
            documents=tuple(documents),
            annotators=tuple(annotators),
            mentions=mentions,
            document=table[:, 0].copy(),
            annotator=table[:, 1].copy(),
            mention=table[:, 2].copy(),
            entity=table[:, 3].copy(),
            coverage=frozenset(zip(document.tolist(), annotator.tolist(), strict=True)),
            facts=None
            if facts is None
            else tuple(
                tuple(facts.get((name, m), {}) for m in ms)
                for name, ms in zip(documents, mentions, strict=True)
            ),
            notes=tuple(remarks),
        )

    def clusters(self, document: int, annotator: int) -> list[list[Mention]]:
        """The entities of one annotator in one document."""
        here = (self.document == document) & (self.annotator == annotator)
        entities: dict[int, list[Mention]] = {}
        for m, e in zip(self.mention[here].tolist(), self.entity[here].tolist(), strict=True):
            entities.setdefault(e, []).append(self.mentions[document][m])
        return list(entities.values())

    def select(
        self,
        *,
        annotators: Sequence[str] | None = None,
        documents: Sequence[str] | None = None,
    ) -> Self:
        who = places(annotators or self.annotators, self.annotators, "annotator")
        where = places(documents or self.documents, self.documents, "document")
        number_who = {int(a): i for i, a in enumerate(who)}
        number_where = {int(d): i for i, d in enumerate(where)}
        keep = np.isin(self.annotator, who) & np.isin(self.document, where)
        document = np.array([number_where[d] for d in self.document[keep].tolist()], dtype=np.int32)
        annotator = np.array([number_who[a] for a in self.annotator[keep].tolist()], dtype=np.int32)
        mention, entity = self.mention[keep], self.entity[keep]
        order = np.lexsort((mention, annotator, document))
        return replace(
            self,
            documents=tuple(self.documents[i] for i in where),
            annotators=tuple(self.annotators[i] for i in who),
            mentions=tuple(self.mentions[i] for i in where),
            document=document[order],
            annotator=annotator[order],
            mention=mention[order],
            entity=entity[order],
            coverage=frozenset(
                (number_where[d], number_who[a])
                for d, a in self.coverage
                if d in number_where and a in number_who
            ),
            facts=None if self.facts is None else tuple(self.facts[i] for i in where),
        )


def _mention_key(mention: Mention) -> tuple[Any, ...]:
    return (0, *mention) if isinstance(mention, tuple) else (1, str(mention))
