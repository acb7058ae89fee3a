"""References that are not identity: bridging, and plurals whose antecedents are several entities.

They are scored apart from the chains, as the Universal Anaphora scorer does (Yu et al. 2022, 2023): is the
referring mention found, and does it refer to the right entity?
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from accord.data.chains import Mention
from accord.measures.coreference.contingency import Integers
from accord.measures.coreference.enrolment import enrol
from accord.measures.coreference.key_response import Paired, Rows, pair, row_words
from accord.measures.coreference.specification import Specification, f_measure
from accord.result import Array

_CITATION = (
    "Yu et al. 2022, The Universal Anaphora scorer (LREC); Yu et al. 2023, The Universal Anaphora "
    "scorer 2.0 (IWCS)"
)

#: of a side: {(document of the table, mention): the entities it refers to}
References = Mapping[tuple[int, Mention], list[int]]


def _references(rows: Rows, where: Integers, kind: str) -> dict[tuple[int, Mention], list[int]]:
    found: dict[tuple[int, Mention], list[int]] = {}
    for (d, a), links in (rows.chains.links or {}).items():
        table = np.flatnonzero(where == d)
        if a != 0 or not len(table):
            continue
        for link in links:
            if link.kind == kind:
                found.setdefault((int(table[0]), link.mention), []).extend(link.antecedents)
    return found


def _tally(kind: str) -> Callable[[Paired], Array]:
    """Per document: right antecedents, those of the key and of the response; the same of mentions."""

    def tally(paired: Paired) -> Array:
        # a mention that refers may be alone in its entity: singletons stay
        whole = pair(
            paired.key.chains,
            paired.response.chains,
            matching=paired.rule.matching,
            zeros=paired.rule.zeros,
            first_heads=paired.rule.first_heads,
            words="ignore",
            missing_documents="empty",
        )
        ours = _references(whole.key, whole.where[:, 0], kind)
        theirs = _references(whole.response, whole.where[:, 1], kind)
        out = np.zeros((len(whole.table.documents), 6))
        if not ours and not theirs:
            return out
        key, response = _Side(whole.key), _Side(whole.response)
        twin = dict(zip(whole.twins[1].tolist(), whole.twins[0].tolist(), strict=True))
        for (d, _), wanted in ours.items():
            out[d, 1] += len(wanted)
            out[d, 4] += 1
        for (d, mention), given in theirs.items():
            out[d, 2] += len(given)
            out[d, 5] += 1
            row = response.row.get((d, mention))
            if row is None or row not in twin:
                continue
            left = list(ours.get((d, key.mention(twin[row])), ()))
            if not left:
                continue
            out[d, 3] += 1
            for entity in given:
                antecedent = response.nearest((d, entity), row)
                there = twin.get(antecedent) if antecedent is not None else None
                if there is not None and key.entity[there][1] in left:
                    left.remove(key.entity[there][1])
                    out[d, 0] += 1
        return out

    return tally


class _Side:
    """The rows of a side by mention, and the mentions of each entity in order."""

    def __init__(self, rows: Rows) -> None:
        self.rows = rows
        mentions = rows.chains.mentions
        places = list(zip(rows.place.tolist(), rows.mention.tolist(), strict=True))
        self.names: list[Mention] = [mentions[d][m] for d, m in places]
        self.entity: list[tuple[int, int]] = list(
            zip(rows.document.tolist(), rows.entity.tolist(), strict=True)
        )
        self.row = {
            (d, m): i for i, ((d, _), m) in enumerate(zip(self.entity, self.names, strict=True))
        }
        self.members: dict[tuple[int, int], list[int]] = {}
        for i, entity in enumerate(self.entity):
            self.members.setdefault(entity, []).append(i)
        spans = all(isinstance(m, tuple) for m in self.names)
        self.place: list[Any] = (
            [(min(w), max(w)) for w in row_words(rows)] if spans else list(range(len(self.names)))
        )

    def mention(self, row: int) -> Mention:
        return self.names[row]

    def nearest(self, entity: tuple[int, int], row: int) -> int | None:
        """The last mention of an entity before a mention, else its first."""
        members = sorted(self.members.get(entity, ()), key=self.place.__getitem__)
        before = [m for m in members if self.place[m] < self.place[row] and m != row]
        return before[-1] if before else members[0] if members else None


def _score(totals: Array) -> Mapping[str, Array]:
    right, key, response, found, k_mentions, r_mentions = (totals[:, i] for i in range(6))
    none = key + response == 0
    scores = f_measure(right, key, right, response)
    mentions = f_measure(found, k_mentions, found, r_mentions)
    recognised = {f"mention_{name}": mentions[name] for name in ("R", "P", "F")}
    counts = {"right": right, "key_links": key, "response_links": response}
    return {
        name: np.where(none, np.nan, value)
        for name, value in {**scores, **recognised, **counts}.items()
    }


@enrol(
    Specification(
        "bridging",
        lambda table: np.empty((0, 6)),
        _score,
        of_mentions=_tally("bridge"),
        undefined="neither side has a bridging link",
    ),
    title="Bridging",
    citation=_CITATION,
    use="Whether mentions that bridge are found and refer to the right entity; needs CorefUD's Bridge.",
)
def bridging(paired: Paired) -> None:
    """Bridging at the level of entities: links whose anaphor and antecedent are both right.

    An anaphor of the response is right when its twin in the key is one; its antecedent when the last mention
    before it of the entity it refers to has its twin in the entity the key refers to.
    ``R = right / links of the key``, ``P = right / links of the response``; `mention_R`, `mention_P` and
    `mention_F` are of the anaphors alone (anaphora recognition). Singletons always count here.

    Deviations: the Universal Anaphora scorer reads antecedents as mentions; CorefUD gives entities, of
    which the last mention before the anaphor is taken.
    """


@enrol(
    Specification(
        "split-antecedent",
        lambda table: np.empty((0, 6)),
        _score,
        of_mentions=_tally("split"),
        undefined="neither side has split antecedents",
    ),
    title="Split antecedents",
    citation=_CITATION,
    use="Whether plurals refer to the right entities together; needs CorefUD's SplitAnte.",
)
def split_antecedent(paired: Paired) -> None:
    """Split antecedents: of the entities that a plural mention refers to, those that are right.

    Counted as in `bridging`, one to one within a plural mention. ``R = right / antecedents of the key``,
    ``P = right / antecedents of the response``; `mention_R`, `mention_P`, `mention_F` are of the plural
    mentions alone.

    Deviations: the Universal Anaphora scorer aligns the sets of antecedents under each of its metrics and
    adds them to the chains; here they are a score of their own.
    """
