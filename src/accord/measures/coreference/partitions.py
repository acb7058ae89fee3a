"""Scores of partitions that are metrics, or nearly: what statistics offers beside the usual scores.

Distances are 0 for equal partitions. Mentions that one side lacks ("twinless") are taken as
singletons of that side where a formula needs one common set; the others say how they count.

>>> from accord.data import Chains
>>> key = Chains.from_clusters({("d", "key"): [[1, 2, 3], [4, 5]]})
>>> response = Chains.from_clusters({("d", "system"): [[1, 2], [3, 4, 5]]})
>>> for score in (vi, vi_scaled, nvi, nid, rand, ari, pair_jaccard, split_join, merge_split,
...               b3_jaccard, ceaf_m_jaccard):
...     print(score(key, response))
vi = 0.7638
vi-scaled = 0.5254
nvi = 0.7241
nid = 0.5675
rand = 0.6000
ari = 0.1667
pair-jaccard = 0.3333
split-join = 2.0000
merge-split = 2.0000
b3-jaccard = 0.5733
ceaf-m-jaccard = 0.6667
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord.measures.coreference.contingency import Table
from accord.measures.coreference.enrolment import enrol
from accord.measures.coreference.links import count_links
from accord.measures.coreference.specification import Specification, pairs
from accord.measures.ratio import ratio
from accord.result import Array


def _union(table: Table) -> Array:
    """Mentions of either side, per document."""
    n_k, n_r, n_c = table.mentions
    return n_k + n_r - n_c


def _valued(mentions: Array, value: Array, **terms: Array) -> Mapping[str, Array]:
    return {
        name: np.where(mentions == 0, np.nan, amount)
        for name, amount in {"value": value, **terms}.items()
    }


def _one_minus(table: Table, values: Array) -> Array:
    return 1 - values


# Entropies. Columns: n, n·H(K), n·H(R), n·H(K,R), each summed over documents: chance is looked for
# within documents, because entities never cross them.


def _entropies(table: Table) -> Array:
    n = _union(table)
    n_log_n = _x_log_x(n)
    sums = [
        table.per_document(table.key.document, _x_log_x(table.key.size)),
        table.per_document(table.response.document, _x_log_x(table.response.size)),
        table.per_document(table.cell_document, _x_log_x(table.count)),
    ]
    # a rounding error must not make an entropy of 0 look like information
    entropies = [_clean(n_log_n - s, n_log_n) for s in sums]
    return np.stack([n, *entropies], axis=1)


def _x_log_x(x: NDArray[Any]) -> Array:
    product: Array = x * np.log(np.maximum(x, 1))
    return product


def _clean(entropy: Array, scale: Array) -> Array:
    return np.where(np.abs(entropy) <= 1e-12 * np.maximum(scale, 1), 0.0, entropy)


def _vi_score(totals: Array) -> Mapping[str, Array]:
    n, h_k, h_r, h = (totals[:, i] for i in range(4))
    value = ratio(2 * h - h_k - h_r, n, 0.0)
    return _valued(
        n,
        value,
        VI_bits=value / math.log(2),
        missed=ratio(h - h_r, n, 0.0),
        added=ratio(h - h_k, n, 0.0),
    )


def _per_log_n(table: Table, values: Array) -> Array:
    return 1 - ratio(values, np.log(np.maximum(_union(table), 1)), 0.0)


@enrol(
    Specification("vi", _entropies, _vi_score, similarity=_per_log_n),
    title="Variation of information",
    citation="Meilă 2007, Comparing clusterings: an information based distance",
    use="A metric with a meaning (information lost and added); not normalised, in nats.",
    range=(0.0, math.inf),
    similarity=False,
    aliases=("variation-of-information",),
)
def vi(table: Table) -> None:
    """Variation of information: ``H(K|R) + H(R|K)``, in nats (a distance; `VI_bits` in bits).

    Over documents: the mean weighted by mentions. Terms: `missed` is ``H(K|R)``, `added` is
    ``H(R|K)``.
    """


def _scaled_tally(table: Table) -> Array:
    return np.concatenate([_entropies(table), _x_log_x(_union(table))[:, None]], axis=1)


def _scaled_score(totals: Array) -> Mapping[str, Array]:
    n, h_k, h_r, h, most = (totals[:, i] for i in range(5))
    # a document of one mention has no information to lose
    return _valued(n, 1 - ratio(2 * h - h_k - h_r, most, 0.0), VI=ratio(2 * h - h_k - h_r, n, 0.0))


@enrol(
    Specification("vi-scaled", _scaled_tally, _scaled_score),
    title="1 − VI, scaled",
    citation="Meilă 2007, Comparing clusterings: an information based distance",
    use="Variation of information as a similarity in [0, 1]: 1 − VI / log n, a metric (1 minus it) for "
    "a given number of mentions.",
    aliases=("1-vi", "one-minus-vi"),
)
def vi_scaled(table: Table) -> None:
    """1 − VI scaled: ``1 − VI/log n``, n the mentions of either side; log n is the largest VI.

    Over documents: ``1 − Σ n·VI / Σ n log n``. The term `VI` is in nats.
    """


def _nvi_score(totals: Array) -> Mapping[str, Array]:
    n, h_k, h_r, h = (totals[:, i] for i in range(4))
    return _valued(n, ratio(2 * h - h_k - h_r, h, 0.0))


@enrol(
    Specification("nvi", _entropies, _nvi_score, similarity=_one_minus),
    title="Normalised variation of information",
    citation="Vinh, Epps & Bailey 2010, Information theoretic measures for clusterings comparison",
    use="A metric in [0, 1]; 1 as soon as the two sides share no information.",
    similarity=False,
)
def nvi(table: Table) -> None:
    """Normalised VI: VI / H(K,R) = 1 − I(K;R)/H(K,R) (a distance; 0 when both have one entity)."""


def _nid_score(totals: Array) -> Mapping[str, Array]:
    n, h_k, h_r, h = (totals[:, i] for i in range(4))
    largest = np.where(h_k.real > h_r.real, h_k, h_r)
    return _valued(n, ratio(h - h_k - h_r + largest, largest, 0.0))


@enrol(
    Specification("nid", _entropies, _nid_score, similarity=_one_minus),
    title="Normalised information distance",
    citation="Vinh, Epps & Bailey 2010, Information theoretic measures for clusterings comparison",
    use="A metric in [0, 1] that uses the range better than nvi.",
    similarity=False,
)
def nid(table: Table) -> None:
    """Normalised information distance: 1 − I(K;R) / max(H(K), H(R)) (a distance)."""


# Pairs of mentions. Columns of count_links, then what each formula adds.


def _pairs_of_union(table: Table) -> Array:
    links = count_links(table)
    n = _union(table)
    # expected number of pairs together on both sides, given the sizes (ARI)
    expected = ratio(links[:, 0] * links[:, 1], pairs(n), 0.0)
    return np.concatenate([links, pairs(n)[:, None], expected[:, None], n[:, None]], axis=1)


def _rand_score(totals: Array) -> Mapping[str, Array]:
    agreeing, every, n, n_c = totals[:, 2] + totals[:, 5], totals[:, 9], totals[:, 11], totals[:, 8]
    return _valued(n, ratio(agreeing, every, otherwise=ratio(n_c, n, 0.0)))


@enrol(
    Specification("rand", _pairs_of_union, _rand_score),
    title="Rand index",
    citation="Rand 1971, Objective criteria for the evaluation of clustering methods",
    use="A metric, but near 1 whenever entities are small: most pairs are apart on both sides.",
)
def rand(table: Table) -> None:
    """Rand index: share of pairs of mentions treated alike (together, or apart) by both sides.

    Pairs are those within a document among the mentions of either side; a pair that one side lacks
    counts as treated differently. Without any pair: the share of mentions in common.
    """


def _ari_score(totals: Array) -> Mapping[str, Array]:
    C_k, C_r, C_c, expected, n = (totals[:, i] for i in (0, 1, 2, 10, 11))
    most = (C_k + C_r) / 2
    return _valued(n, ratio(C_c - expected, most - expected, otherwise=1.0), expected=expected)


@enrol(
    Specification("ari", _pairs_of_union, _ari_score),
    title="Adjusted Rand index",
    citation="Hubert & Arabie 1985, Comparing partitions",
    use="Corrected for chance, so neither a metric nor a validity score; compares clusterings.",
    range=(-1.0, 1.0),
    aliases=("adjusted-rand",),
)
def ari(table: Table) -> None:
    """Adjusted Rand index: (C − E)/(½(C_k + C_r) − E), C the pairs together on both sides.

    E = C_k C_r / (all pairs), summed over documents. 1 when both sides are all singletons, or one
    entity (0/0: they are then equal).
    """


def _jaccard_score(totals: Array) -> Mapping[str, Array]:
    C_k, C_r, C_c, n = (totals[:, i] for i in (0, 1, 2, 11))
    return _valued(n, ratio(C_c, C_k + C_r - C_c, otherwise=1.0))


@enrol(
    Specification("pair-jaccard", _pairs_of_union, _jaccard_score),
    title="Jaccard index of coreference links",
    citation="Jaccard 1912; Ben-Hur, Elisseeff & Guyon 2002, A stability based method",
    use="A metric on links; blind to singletons.",
)
def pair_jaccard(table: Table) -> None:
    """Jaccard index of coreference links: ``|C_k∩C_r| / |C_k∪C_r|``; 1 without any link."""


# Edits of partitions.


def _split_join_tally(table: Table) -> Array:
    n_k, n_r, n_c = table.mentions
    n = _union(table)
    # a twinless mention is alone on the other side: its entity has a piece of size 1 at least
    best_k = table.per_document(table.key.document, np.maximum(table.key.largest, 1)) + (n_r - n_c)
    best_r = table.per_document(table.response.document, np.maximum(table.response.largest, 1)) + (
        n_k - n_c
    )
    return np.stack([n, n - best_k, n - best_r], axis=1)


def _split_join_score(totals: Array) -> Mapping[str, Array]:
    n, split, join = (totals[:, i] for i in range(3))
    return _valued(
        n, split + join, split=split, join=join, normalised=ratio(split + join, 2 * n, 0.0)
    )


def _per_mention_twice(table: Table, values: Array) -> Array:
    return 1 - ratio(values, 2 * _union(table), 0.0)


@enrol(
    Specification(
        "split-join", _split_join_tally, _split_join_score, similarity=_per_mention_twice
    ),
    title="Split-join distance",
    citation="van Dongen 2000, Performance criteria for graph clustering",
    use="A metric that counts mentions to move; `normalised` divides it by 2n.",
    range=(0.0, math.inf),
    similarity=False,
    aliases=("van-dongen",),
)
def split_join(table: Table) -> None:
    """Split-join distance: ``2n − Σ_K max_R |K∩R| − Σ_R max_K |K∩R|``, mentions to move."""


def _merge_split_tally(table: Table) -> Array:
    n_k, n_r, n_c = table.mentions
    twinless = n_k + n_r - 2 * n_c
    blocks_k = table.per_document(table.key.document)
    blocks_r = table.per_document(table.response.document)
    merges = blocks_k + (n_r - n_c) - table.components
    splits = blocks_r + (n_k - n_c) - table.components
    meet = table.per_document(table.cell_document) + twinless
    through_meet = 2 * meet - blocks_k - blocks_r
    return np.stack([_union(table), merges, splits, twinless, through_meet], axis=1)


def _merge_split_score(totals: Array) -> Mapping[str, Array]:
    n, merges, splits, twinless, through_meet = (totals[:, i] for i in range(5))
    return _valued(
        n,
        merges + splits + twinless,
        merges=merges,
        splits=splits,
        twinless=twinless,
        splits_first=through_meet,
    )


def _per_most_edits(table: Table, values: Array) -> Array:
    n_k, n_r, n_c = table.mentions
    return 1 - ratio(values, _union(table) - 1 + n_k + n_r - 2 * n_c, 0.0)


@enrol(
    Specification(
        "merge-split", _merge_split_tally, _merge_split_score, similarity=_per_most_edits
    ),
    title="Merge/split edit distance",
    citation="Monjardet 1981, Metrics on partially ordered sets; Menestrina, Whang & Garcia-Molina "
    "2010, Evaluating entity resolution results",
    use="A metric that counts corrections a person would make: merge two entities, split one.",
    range=(0.0, math.inf),
    similarity=False,
    aliases=("edit-distance",),
)
def merge_split(table: Table) -> None:
    """Merge/split distance: fewest merges of two entities and splits of one, key to response.

    ``|K| + |R| − 2|K∨R|``, K∨R the connected groups of entities: the partition lattice is semimodular,
    so merging first is never longer. A twinless mention costs one more edit (added or deleted as a
    singleton). The term `splits_first` is the length when all splits must come first,
    ``2|K∧R| − |K| − |R|`` (Menestrina et al.).
    """


# Jaccard forms of B³ and CEAF.


def _b3_jaccard_tally(table: Table) -> Array:
    union = table.key.size[table.row] + table.response.size[table.column] - table.count
    gain = table.count.astype(np.float64) ** 2 / union
    return np.stack([_union(table), table.per_document(table.cell_document, gain)], axis=1)


def _share(totals: Array) -> Mapping[str, Array]:
    return _valued(totals[:, 0], ratio(totals[:, 1], totals[:, 0], 0.0))


@enrol(
    Specification("b3-jaccard", _b3_jaccard_tally, _share),
    title="B³-Jaccard",
    citation="after Bagga & Baldwin 1998 and Jaccard 1912",
    use="B³ as a mean of metrics, one per mention: symmetric and a metric on the same mentions.",
)
def b3_jaccard(table: Table) -> None:
    """B³-Jaccard: mean over mentions of ``|K(m)∩R(m)| / |K(m)∪R(m)|``, 0 for a twinless mention."""


def _ceaf_jaccard_tally(table: Table) -> Array:
    n_k, n_r, _ = table.mentions
    chosen = table.aligned_by_mentions
    common = table.per_document(table.cell_document[chosen], table.count[chosen])
    return np.stack([n_k + n_r - common, common], axis=1)


@enrol(
    Specification("ceaf-m-jaccard", _ceaf_jaccard_tally, _share),
    title="CEAF_m-Jaccard",
    citation="after Luo 2005 and Jaccard 1912",
    use="A proven metric, also with predicted mentions: the score to choose when systems are "
    "compared with each other.",
)
def ceaf_m_jaccard(table: Table) -> None:
    """CEAF_m-Jaccard: ``m/(|K|+|R|−m)``, m the mentions in common under the best alignment (φ₃)."""
