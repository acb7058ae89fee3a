"""Scores of links: BLANC in its two definitions.

>>> from accord.data import Chains
>>> one = Chains.from_clusters({("d", "A"): [[1, 2, 3]]})
>>> two = Chains.from_clusters({("d", "B"): [[1, 2], [3]]})
>>> blanc(one, two).value, blanc(two, one).value
(0.5, 0.25)
>>> blanc_luo(one, two).value, blanc_luo(two, one).value
(0.25, 0.25)
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from accord.measures.coreference.contingency import Table
from accord.measures.coreference.enrolment import enrol
from accord.measures.coreference.lookup import Views
from accord.measures.coreference.specification import Specification, f_measure, pairs
from accord.result import Array


def count_links(table: Table) -> Array:
    """Per document: links C_k, C_r, C_c, N_k, N_r, N_c, then mentions of key, response, both.

    C are coreference links (pairs in one entity), N the other pairs of mentions of a side; the
    third of each is what both sides have.
    """
    n_k, n_r, n_c = table.mentions
    key, response = table.key, table.response
    C_k = table.per_document(key.document, pairs(key.size))
    C_r = table.per_document(response.document, pairs(response.size))
    C_c = table.per_document(table.cell_document, pairs(table.count))
    # pairs of common mentions, minus those coreferent on one side or the other
    together_k = table.per_document(key.document, pairs(key.shared))
    together_r = table.per_document(response.document, pairs(response.shared))
    N_c = pairs(n_c) - together_k - together_r + C_c
    return np.stack([C_k, C_r, C_c, pairs(n_k) - C_k, pairs(n_r) - C_r, N_c, n_k, n_r, n_c], axis=1)


def _looked_up(view: Views) -> Array:
    """The links where mentions have several entities: those of the key, looked up."""
    return count_links(view.recall)


def _components(totals: Array) -> tuple[dict[str, Array], dict[str, Array]]:
    C_k, C_r, C_c, N_k, N_r, N_c = (totals[:, i] for i in range(6))
    return f_measure(C_c, C_k, C_c, C_r), f_measure(N_c, N_k, N_c, N_r)


def _blended(totals: Array, drop_c: Array, drop_n: Array) -> Mapping[str, Array]:
    """Mean of the two components, or the one that is not dropped, or mentions without any link."""
    C, N = _components(totals)
    n_k, n_r, n_c = (totals[:, i] for i in (6, 7, 8))
    linkless = (totals[:, [0, 1, 3, 4]] == 0).all(axis=1)
    mentions = f_measure(n_c, n_k, n_c, n_r)
    out = {
        name: np.where(
            linkless,
            mentions[name],
            np.where(drop_c, N[name], np.where(drop_n, C[name], (C[name] + N[name]) / 2)),
        )
        for name in ("value", "R", "P", "F")
    }
    out |= {"F_c": C["F"], "F_n": N["F"]}
    return {name: np.where(n_k + n_r == 0, np.nan, value) for name, value in out.items()}


def _score_key(totals: Array) -> Mapping[str, Array]:
    none_c, none_n = totals[:, 0] == 0, totals[:, 3] == 0
    # a key without any link drops nothing on its own account: what the response adds is wrong
    return _blended(totals, none_c & ~none_n, none_n & ~none_c)


def _score_both(totals: Array) -> Mapping[str, Array]:
    none_c = (totals[:, 0] == 0) & (totals[:, 1] == 0)
    none_n = (totals[:, 3] == 0) & (totals[:, 4] == 0)
    return _blended(totals, none_c & ~none_n, none_n & ~none_c)


@enrol(
    Specification("blanc", count_links, _score_key, of_views=_looked_up),
    title="BLANC",
    citation="Recasens & Hovy 2011, BLANC: implementing the Rand index for coreference evaluation",
    use="Counts coreference and non-coreference links alike; not symmetric (its special cases look "
    "at the key only), so never compare two systems with each other by it.",
)
def blanc(table: Table) -> None:
    """BLANC of Recasens & Hovy: the mean of the F of coreference and of non-coreference links.

    ``F_c = 2|C_k∩C_r| / (|C_k|+|C_r|)``, F_n likewise, BLANC = (F_c + F_n)/2. A key without
    coreference links (singletons only) gives F_n, a key without other links (one entity) F_c. When
    neither side has any link (at most one mention per document) the score is that of the mentions:
    1 for one shared mention. The special cases apply to the totals over documents.

    Deviations: with predicted mentions, links are those of Luo et al. 2014. A key of one mention
    against a response with links is 0 (scorch 0.2 gives 1).
    """


@enrol(
    Specification("blanc-luo", count_links, _score_both, of_views=_looked_up),
    title="BLANC (Luo et al.)",
    citation="Luo, Pradhan, Recasens & Hovy 2014, An extension of BLANC to system mentions",
    use="BLANC for predicted mentions; symmetric, unlike the first definition.",
)
def blanc_luo(table: Table) -> None:
    """BLANC of Luo et al.: a component is left out only if it is empty on both sides.

    The formulas of `blanc` with links defined over each side's own mentions; F_c (or F_n) is
    dropped when neither side has such a link. Symmetric.
    """
