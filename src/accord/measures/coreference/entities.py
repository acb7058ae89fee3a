"""Scores of entities: MUC, B³, CEAF, LEA, their mean, and mention detection.

Every score is a sum over key entities (recall) and over response entities (precision).

>>> from accord.data import Chains
>>> key = Chains.from_clusters({("d", "key"): [[1, 2, 3], [4, 5]]})
>>> response = Chains.from_clusters({("d", "system"): [[1, 2, 3], [4], [5]]})
>>> for score in (muc, b3, ceaf_m, ceaf_e, lea, conll):
...     print(score(key, response))
muc = 0.8000
b3 = 0.8889
ceaf-m = 0.8000
ceaf-e = 0.6667
lea = 0.6000
conll = 0.7852
"""

from __future__ import annotations

import numpy as np

from accord.measures.coreference.contingency import Floats, Side, Table
from accord.measures.coreference.enrolment import entity_score, mean_score
from accord.measures.coreference.specification import Parts, pairs
from accord.result import Array


def _all_singletons(totals: Array) -> list[str]:
    """What MUC (and any mean that contains it) hides."""
    sides = [name for name, column in (("key", 1), ("response", 3)) if totals[0, column] == 0]
    return [
        f"all entities of the {side} are singletons: MUC has no link to count there and is 0"
        for side in sides
    ]


@entity_score(
    "muc",
    title="MUC",
    usual=True,
    citation="Vilain et al. 1995, A model-theoretic coreference scoring scheme (MUC-6)",
    use="Counts links only: blind to singletons and kind to entities merged by mistake; report it "
    "for comparison with older work, never alone.",
    remarks=_all_singletons,
)
def muc(table: Table) -> Parts:
    """MUC: the links to add to get from one side's entities to the other's.

    ``R = Σ_K (|K| − |p(K)|) / Σ_K (|K| − 1)``, where p(K) is the partition of K by the response
    (mentions the response lacks are alone); P exchanges the sides. A side of singletons only has
    no link: the score is then 0, and the result says so.
    """
    return Parts(
        _links(table.key), table.key.size - 1, _links(table.response), table.response.size - 1
    )


def _links(side: Side) -> Floats:
    """|K| − |p(K)| = shared mentions − pieces."""
    return (side.shared - side.pieces).astype(np.float64)


@entity_score(
    "b3",
    title="B³",
    usual=True,
    aliases=("b-cubed", "bcubed"),
    citation="Bagga & Baldwin 1998, Algorithms for scoring coreference chains; predicted mentions: "
    "Pradhan et al. 2014, Scoring coreference partitions of predicted mentions",
    use="Weighs every mention; with gold mentions and many singletons it is high for any system.",
)
def b3(table: Table) -> Parts:
    """B³: for each mention, how much of its entity the other side agrees on.

    ``R = Σ_K Σ_R |K∩R|²/|K| / Σ_K |K|``, ``P = Σ_R Σ_K |K∩R|²/|R| / Σ_R |R|``: each side's own mentions
    are the denominator and mentions without a twin are not manipulated.
    """
    squares = table.count.astype(np.float64) * table.members
    key, response = table.key, table.response
    return Parts(
        np.bincount(table.row, squares, len(key.size)) / key.size,
        key.size,
        np.bincount(table.column, squares, len(response.size)) / response.size,
        response.size,
    )


@entity_score(
    "ceaf-m",
    aligned=True,
    title="CEAF_m",
    aliases=("ceafm", "ceaf"),
    citation="Luo 2005, On coreference resolution performance metrics",
    use="The only one of the usual scores that behaves like a metric (on the same mentions); use "
    "ceaf-m-jaccard when the mentions are predicted.",
)
def ceaf_m(table: Table) -> Parts:
    """CEAF with φ₃: mentions in common under the best one-to-one alignment of entities.

    ``R = Σ φ₃(K, g(K)) / Σ_K |K|`` with ``φ₃(K, R) = |K∩R|`` and g the one-to-one map of entities
    that makes the sum largest (found exactly); P divides by ``Σ_R |R|``.
    """
    chosen = table.aligned_by_mentions
    gain = table.count[chosen].astype(np.float64)
    return _aligned(table, chosen, gain, table.key.size, table.response.size)


@entity_score(
    "ceaf-e",
    aligned=True,
    title="CEAF_e",
    usual=True,
    aliases=("ceafe",),
    citation="Luo 2005, On coreference resolution performance metrics",
    use="Weighs every entity alike, so singletons dominate it; part of the CoNLL mean.",
)
def ceaf_e(table: Table) -> Parts:
    """CEAF with φ₄: entities in common, in part, under the best one-to-one alignment.

    ``R = Σ φ₄(K, g(K)) / (number of key entities)``, ``φ₄(K, R) = 2|K∩R| / (|K|+|R|)``; P divides by
    the number of response entities.
    """
    chosen = table.aligned_by_dice
    ones = np.ones_like
    return _aligned(
        table, chosen, table.dice[chosen], ones(table.key.size), ones(table.response.size)
    )


def _aligned(
    table: Table, chosen: np.ndarray, gain: Floats, recallable: np.ndarray, claimed: np.ndarray
) -> Parts:
    return Parts(
        np.bincount(table.row[chosen], gain, len(recallable)),
        recallable,
        np.bincount(table.column[chosen], gain, len(claimed)),
        claimed,
    )


@entity_score(
    "lea",
    title="LEA",
    usual=True,
    citation="Moosavi & Strube 2016, Which coreference evaluation metric do you trust?",
    use="Link-based and aware of entity size; large entities weigh most.",
)
def lea(table: Table) -> Parts:
    """LEA: importance of each entity × the share of its links that are resolved.

    ``R = Σ_K |K| Σ_R link(K∩R)/link(K) / Σ_K |K|``, ``link(E) = |E|(|E|−1)/2``. A singleton has one
    link to itself, resolved only by a singleton of the same mention.
    """
    key, response = table.key, table.response
    alone = (key.size[table.row] == 1) & (response.size[table.column] == 1)
    link = np.where(alone, 1.0, pairs(table.count))
    return Parts(
        _resolved(key, table.row, link),
        key.size,
        _resolved(response, table.column, link),
        response.size,
    )


def _resolved(side: Side, index: np.ndarray, link: Floats) -> Floats:
    links = np.where(side.size == 1, 1.0, pairs(side.size))
    return side.size * np.bincount(index, link, len(side.size)) / links


@entity_score(
    "mention-detection",
    title="Mention detection",
    aliases=("mentions",),
    citation="Pradhan et al. 2012, CoNLL-2012 shared task",
    use="Whether the mentions are found at all, before asking who they refer to.",
)
def mention_detection(table: Table) -> Parts:
    """Mention detection: R and P of the mentions themselves, whatever their entities."""
    return Parts(
        table.key.shared.astype(np.float64),
        table.key.size,
        table.response.shared.astype(np.float64),
        table.response.size,
    )


@entity_score(
    "entity-f",
    aligned=True,
    title="Entities exactly right",
    aliases=("exact-entity", "entity-exact"),
    citation="Luo 2005, On coreference resolution performance metrics (φ₁)",
    use="The strictest score: an entity counts when all its mentions, and no other, are found.",
)
def entity_f(table: Table) -> Parts:
    """Exact-match entity F: entities that both sides have with the same mentions.

    ``R = |{K = R}| / (number of key entities)``, P divides by the number of response entities.
    """
    key, response = table.key, table.response
    equal = (table.count == key.size[table.row]) & (table.count == response.size[table.column])
    return _aligned(
        table,
        np.flatnonzero(equal),
        np.ones(int(equal.sum())),
        np.ones_like(key.size),
        np.ones_like(response.size),
    )


def _conll_remarks(totals: Array) -> list[str]:
    return [f"{sentence}, so that CoNLL cannot exceed 2/3" for sentence in _all_singletons(totals)]


conll = mean_score(
    "conll",
    (muc, b3, ceaf_e),
    title="CoNLL (MELA)",
    usual=True,
    aliases=("mela", "conll-2012"),
    citation="Denis & Baldridge 2009, Global joint models for coreference resolution; "
    "Pradhan et al. 2012, CoNLL-2012 shared task",
    use="The figure of the CoNLL-2012 shared task; comparable with published results, but neither "
    "a metric nor 1 for a perfect answer made of singletons.",
    remarks=_conll_remarks,
    summary="""CoNLL score (MELA): the mean of the F of MUC, B³ and CEAF_e.

    R and P are the means of theirs, as often reported; `value` is the mean of the three F.""",
)
