"""Zeros that refer back: is each empty node linked to the right entity?"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from accord.measures.coreference.enrolment import enrol
from accord.measures.coreference.key_response import Paired, Rows, row_words
from accord.measures.coreference.matching import is_zero
from accord.measures.coreference.specification import Specification, f_measure
from accord.result import Array


class _Side:
    """The mentions of a side: zero or not, their entity, and the rows of each entity in order."""

    __slots__ = ("entities", "entity", "first", "mention", "zero")

    def __init__(self, rows: Rows) -> None:
        chains = rows.chains
        facts = chains.facts
        where, which = rows.place.tolist(), rows.mention.tolist()
        self.zero = [
            facts is not None and is_zero(facts[d][m]) for d, m in zip(where, which, strict=True)
        ]
        self.entity = list(zip(rows.document.tolist(), rows.entity.tolist(), strict=True))
        self.entities: dict[tuple[int, int], list[int]] = {}
        for i, entity in enumerate(self.entity):
            self.entities.setdefault(entity, []).append(i)
        #: the mention itself: one that is in several entities has several rows
        self.mention = list(zip(where, which, strict=True))
        self.first: set[tuple[int, int]] = set()

    def ordered(self, rows: Rows) -> None:
        """Put the mentions of each entity in order of first word, last word, number of words."""
        place = [(min(words), max(words), len(words)) for words in row_words(rows)]
        for members in self.entities.values():
            members.sort(key=place.__getitem__)
        self.first = {self.mention[members[0]] for members in self.entities.values()}


def _anaphors(paired: Paired) -> Array:
    """Per document: TP, FP, FN, WL."""
    key, response = _Side(paired.key), _Side(paired.response)
    out = np.zeros((len(paired.table.documents), 4))
    if not any(key.zero) and not any(response.zero):
        return out
    key.ordered(paired.key)
    response.ordered(paired.response)
    twin = dict(zip(paired.twins[0].tolist(), paired.twins[1].tolist(), strict=True))
    answered: set[tuple[int, int]] = set()
    for (d, _), members in key.entities.items():
        entities_before: set[tuple[int, int]] = set()
        for place, k in enumerate(members):
            r = twin.get(k)
            if key.zero[k] and place:
                if r is not None:
                    answered.add(response.mention[r])
                if r is None or response.mention[r] in response.first:
                    out[d, 2] += 1
                else:
                    out[d, 0 if response.entity[r] in entities_before else 3] += 1
            if r is not None:
                entities_before.add(response.entity[r])
    for j, zero in enumerate(response.zero):
        if zero and response.mention[j] not in response.first | answered:
            out[response.entity[j][0], 1] += 1
    return out


def _score(totals: Array) -> Mapping[str, Array]:
    TP, FP, FN, WL = (totals[:, i] for i in range(4))
    scores = f_measure(TP, TP + FN + WL, TP, TP + FP + WL)
    none = TP + FP + FN + WL == 0
    return {
        **{name: np.where(none, np.nan, value) for name, value in scores.items()},
        "TP": TP,
        "FP": FP,
        "FN": FN,
        "WL": WL,
    }


@enrol(
    Specification(
        "zero-anaphor",
        lambda table: np.empty((0, 4)),
        _score,
        of_mentions=_anaphors,
        undefined="neither side has a zero that refers back",
    ),
    title="Zero anaphors",
    aliases=("zero",),
    citation="Žabokrtský et al. 2022, Findings of the shared task on multilingual coreference "
    "resolution",
    use="Whether dropped pronouns are linked to the right entity; needs empty nodes, as in CorefUD.",
)
def zero_anaphor(paired: Paired) -> None:
    """Anaphor-decomposable score of zeros: those linked to the entity they refer back to.

    A zero (its head is an empty node) that is not the first mention of its entity is an anaphor.
    TP: its twin is in the response entity of an earlier mention of its entity; WL (wrong link): it
    is not; FN: it has no twin, or one that begins its entity; FP: an anaphoric zero of the response
    that is nobody's twin among those. ``R = TP/(TP+FN+WL)``, ``P = TP/(TP+FP+WL)``.

    Deviations: the CorefUD scorer 1.2 looks for a mention at the same place before it uses its own
    alignment of zeros; here the alignment decides.
    """
