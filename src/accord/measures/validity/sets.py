"""Several labels an item: sets scored as sets, and labels of a tree.

R_i is the set of the reference, S_i that of the system. A single label is a set of one. 0/0 is 0, as in
scikit-learn with ``zero_division=0``.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from accord.data import Ratings
from accord.distance.taxonomy import ancestors
from accord.errors import UsageError
from accord.measures.ratio import ratio_of_totals
from accord.measures.validity.classes import LabelView, label_view, of_labels
from accord.measures.validity.matched_items import pair
from accord.measures.validity.options import BETA, BY, SEED, TAXONOMY, TIES
from accord.measures.validity.pairing import CELLS, Array, Pairing
from accord.measures.validity.result import validity_result
from accord.registry import measure
from accord.result import Result

_SEVERAL = (
    "G. Tsoumakas and I. Katakis (2007), Int. Journal of Data Warehousing and Mining 3(3), 1–13"
)


@measure(
    "f1-samples",
    title="F, mean over items",
    shape="ratings",
    question="score",
    citation=_SEVERAL,
    range=(0.0, 1.0),
    aliases=("samples-f1", "f1-examples"),
    use="For several labels an item: how near each item's set is, every item counting alike.",
    options=(TIES, SEED, BY),
)
def f1_samples(reference: Ratings, system: Ratings, *, ties: str, seed: int) -> Result:
    r"""Mean over items of how far the two sets share their labels.

    .. math:: \frac{1}{n} \sum_i \frac{2 |R_i \cap S_i|}{|R_i| + |S_i|}

    An item whose sets are both empty counts 0, as in scikit-learn: `terms.both_empty` is how many
    there are, `terms.with_one` the value with 1 for them.

    >>> r = Ratings.from_matrix([[frozenset("ab"), frozenset("b")]], annotators=["reference"])
    >>> s = Ratings.from_matrix([[frozenset("a"), frozenset("b")]], annotators=["system"])
    >>> round(f1_samples(r, s).value, 4)
    0.8333
    """
    pairing = pair(reference, system, ties=ties, seed=seed)
    view = label_view(pairing)

    def tally(p: Pairing) -> Array:
        tp, said, asked = _sizes(view, p)
        size = said + asked
        share = np.divide(2 * tp, size, out=np.zeros_like(tp), where=size > 0)
        return np.stack([share, np.ones(p.height)], axis=1)

    _, said, asked = _sizes(view, pairing)
    empty = float(pairing.total(((said + asked == 0) & pairing.given).astype(float)))
    rows = tally(pairing)
    mean = float(pairing.mean(rows[:, 0]))
    n = float(pairing.times.sum())
    return validity_result(
        "f1-samples", pairing, tally, ratio_of_totals, options={}, ties=True,
        terms={"both_empty": empty, "with_one": mean + empty / n, "labels": len(view.labels)},
        warnings=_said(empty, n),
    )  # fmt: skip


@measure(
    "exact-match",
    title="Exact match",
    shape="ratings",
    question="score",
    citation=_SEVERAL,
    range=(0.0, 1.0),
    aliases=("subset-accuracy", "exact-match-ratio"),
    right=True,
    use="For several labels an item: the share of items whose whole set is right; the strictest.",
    options=(TIES, SEED, BY),
)
def exact_match(reference: Ratings, system: Ratings, *, ties: str, seed: int) -> Result:
    r"""Share of items whose sets of labels are the same.

    .. math:: \frac{1}{n} \sum_i [R_i = S_i]

    Two empty sets are the same. An item that the system does not answer is wrong.
    """
    pairing = pair(reference, system, ties=ties, seed=seed)

    def tally(p: Pairing) -> Array:
        return np.stack([np.sum(p.target * p.choice, axis=1), np.ones(p.height)], axis=1)

    return validity_result(
        "exact-match", pairing, tally, ratio_of_totals, options={}, ties=True, share=True,
        terms={"correct": float(pairing.total(tally(pairing)[:, 0]))},
    )  # fmt: skip


@measure(
    "hamming-loss",
    title="Hamming loss",
    shape="ratings",
    question="score",
    citation=_SEVERAL,
    range=(0.0, 1.0),
    similarity=False,
    use="For several labels an item: the share of wrong yes-or-no decisions; small when labels are rare.",
    options=(TIES, SEED, BY),
)
def hamming_loss(reference: Ratings, system: Ratings, *, ties: str, seed: int) -> Result:
    r"""Share of the items' labels that are on one side only.

    .. math:: \frac{\sum_i |R_i \triangle S_i|}{n L}

    L is the number of labels: those declared, else those of either side. ``by="label"`` is the loss
    of each label.
    """
    pairing = pair(reference, system, ties=ties, seed=seed)
    view = label_view(pairing, declared=(*reference.universe, *system.universe))
    L = len(view.labels)

    def tally(p: Pairing) -> Array:
        asked, said = view.asked(p), view.said(p)
        wrong = asked + said - 2 * asked * said
        return np.concatenate([wrong, np.ones((p.height, 1))], axis=1)

    def score(totals: Array) -> Mapping[str, Array]:
        wrong = totals[:, :L].sum(axis=1)
        return ratio_of_totals(np.stack([wrong / max(L, 1), totals[:, L]], axis=1))

    totals = pairing.total(tally(pairing))
    table = [
        {"label": label, "value": float(totals[k] / totals[L]), "wrong": float(totals[k]),
         "n": float(totals[L])}
        for k, label in enumerate(view.labels)
    ]  # fmt: skip
    return validity_result(
        "hamming-loss", pairing, tally, score, options={"labels": L}, ties=True,
        tables={"label": table}, shares={"label": {n: (k, L) for k, n in enumerate(view.labels)}},
        terms={"labels": L, "wrong": float(totals[:L].sum())},
    )  # fmt: skip


@measure(
    "hierarchical-f1",
    title="Hierarchical F",
    shape="ratings",
    question="score",
    citation="S. Kiritchenko, S. Matwin and F. Famili (2005), ICML Workshop on Learning in Ontologies",
    range=(0.0, 1.0),
    aliases=("hierarchical-f", "hf1"),
    use="For labels of a tree: a label that shares its upper levels with the right one is partly right.",
    options=(TAXONOMY, BETA, TIES, SEED, BY),
)
def hierarchical_f1(
    reference: Ratings,
    system: Ratings,
    *,
    taxonomy: str | Path | None,
    beta: float,
    ties: str,
    seed: int,
) -> Result:
    """F over labels and all that they are kinds of.

    Each label becomes the set of itself and its ancestors; precision, recall and F are counted over
    these sets, all items together. Labels are paths (``animal/dog``), or `taxonomy` is a table
    ``label,parent``. A label that is the single top of the whole tree says nothing and is left out;
    the tops of a forest count.

    >>> r = Ratings.from_matrix([["animal/dog", "animal/dog", "animal/cat", "thing/car"]],
    ...                         annotators=["reference"])
    >>> s = Ratings.from_matrix([["animal/dog", "animal/cat", "animal", "animal/dog"]],
    ...                         annotators=["system"])
    >>> found = hierarchical_f1(r, s)
    >>> round(found.value, 6), round(found.terms["P"], 6), found.terms["R"]
    (0.533333, 0.571429, 0.5)
    """
    pairing = pair(reference, system, ties=ties, seed=seed)
    view = label_view(pairing)
    above = ancestors(view.labels, tree=taxonomy)
    nodes = tuple(dict.fromkeys(node for line in above for node in line))
    place = {node: k for k, node in enumerate(nodes)}
    if len(view.labels) * len(nodes) > CELLS:
        raise UsageError(f"{len(nodes)} labels and kinds are too many for a tree; use accuracy")
    closure = np.zeros((len(view.labels), len(nodes)))
    for k, line in enumerate(above):
        closure[k, [place[node] for node in line]] = 1.0
    held = closure if view.members is None else np.minimum(view.members @ closure, 1.0)
    widened = LabelView(nodes, held)
    return of_labels(
        "hierarchical-f1", pairing, widened, "F", "micro", beta,
        options={"taxonomy": None if taxonomy is None else str(taxonomy)},
    )  # fmt: skip


def _sizes(view: LabelView, pairing: Pairing) -> tuple[Array, Array, Array]:
    """Labels shared, given by the system, and of the reference, in each row."""
    asked, said = view.asked(pairing), view.said(pairing)
    return (asked * said).sum(axis=1), said.sum(axis=1), asked.sum(axis=1)


def _said(empty: float, n: float) -> list[str]:
    if not empty:
        return []
    return [
        f"{empty:g} of {n:g} items have no label on either side and count 0 (see terms.with_one)"
    ]
