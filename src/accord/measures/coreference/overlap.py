"""MOR: how well the words of the mentions are found, whoever they refer to."""

from __future__ import annotations

import numpy as np

from accord.alignment.matching import best_matching
from accord.measures.coreference.enrolment import enrol
from accord.measures.coreference.key_response import Paired, row_words
from accord.measures.coreference.specification import Specification, recall_precision
from accord.result import Array


def _overlaps(paired: Paired) -> Array:
    """Columns of `recall_precision`, per document: words in common, and words of each side."""
    table = paired.table
    key, response = row_words(paired.key), row_words(paired.response)
    holders: dict[tuple[int, float], list[int]] = {}
    for j, (d, words) in enumerate(zip(paired.response.document.tolist(), response, strict=True)):
        for word in words:
            holders.setdefault((d, word), []).append(j)
    common: dict[tuple[int, int], int] = {}
    for i, (d, words) in enumerate(zip(paired.key.document.tolist(), key, strict=True)):
        for word in words:
            for j in holders.get((d, word), ()):
                common[i, j] = common.get((i, j), 0) + 1
    pairs = np.array(list(common), dtype=np.int64).reshape(-1, 2)
    shared = np.array(list(common.values()), dtype=np.float64)
    chosen = best_matching(pairs[:, 0], pairs[:, 1], shared)
    found = table.per_document(paired.key.document[pairs[chosen, 0]], shared[chosen])
    sizes = [
        table.per_document(rows.document, np.array([len(w) for w in words], dtype=np.float64))
        for rows, words in ((paired.key, key), (paired.response, response))
    ]
    return np.stack(
        [found, sizes[0], found, sizes[1], table.mentions[0] + table.mentions[1]], axis=1
    )


@enrol(
    Specification("mor", lambda table: np.empty((0, 5)), recall_precision, of_mentions=_overlaps),
    title="Mention overlap ratio",
    citation="Žabokrtský et al. 2022, Findings of the shared task on multilingual coreference "
    "resolution",
    use="How much of the mentions' words is found; blind to who they refer to, kind to near misses.",
)
def mor(paired: Paired) -> None:
    """Mention overlap ratio: words in common under the best one-to-one assignment of mentions.

    ``R = Σ|k∩r| / Σ|k|``, ``P = Σ|k∩r| / Σ|r|``, summed over the pairs of the assignment that makes
    the sum largest; entities and `matching` play no part. Empty nodes are words.

    >>> from accord.data import Chains
    >>> key = Chains.from_clusters({("d", "key"): [[(0, 4), (5, 6)]]})
    >>> response = Chains.from_clusters({("d", "system"): [[(1, 4), (3, 7)]]})
    >>> found = mor(key, response)
    >>> print(found, found.terms["R"], round(found.terms["P"], 4))
    mor = 0.6667 0.8 0.5714
    """
