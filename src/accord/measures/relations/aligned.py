"""The best alignment of relations as people read it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from accord.alignment.relations import Costs, Network, aligned
from accord.data.relations import End, Relation, Relations
from accord.distance.units import unit_dissimilarity
from accord.errors import InputError
from accord.measures.relations.options import unordered
from accord.result import signature


@dataclass(frozen=True, slots=True)
class Group:
    """Relations that belong together: that of each annotator, or None, and δ of them."""

    members: Mapping[str, Relation | None]
    disorder: float

    @property
    def present(self) -> tuple[str, ...]:
        return tuple(who for who, one in self.members.items() if one is not None)


@dataclass(frozen=True, slots=True)
class RelationAlignment:
    """The unitary alignments of one document's relations, in canonical order."""

    document: str
    groups: tuple[Group, ...]
    #: Σδ over the mean number of relations per annotator
    disorder: float
    size: int
    signature: str

    def to_dict(self) -> dict[str, Any]:
        """As plain JSON data."""
        return {
            "document": self.document,
            "disorder": self.disorder,
            "unitary": [
                {
                    "disorder": g.disorder,
                    "relations": {
                        who: None if r is None else [_plain(r.source), _plain(r.target), r.label]
                        for who, r in g.members.items()
                    },
                }
                for g in self.groups
            ],
        }

    def rows(self) -> list[dict[str, Any]]:
        """One row per relation, with the number of its unitary alignment."""
        return [
            {
                "document": self.document,
                "alignment": k,
                "annotator": who,
                "source": _written(r.source),
                "target": _written(r.target),
                "label": r.label,
                "disorder": g.disorder,
            }
            for k, g in enumerate(self.groups)
            for who, r in g.members.items()
            if r is not None
        ]


def aligned_relations(
    relations: Relations,
    *,
    alpha: float | None = None,
    beta: float | None = None,
    delta: float | None = None,
    matrix: Any = None,
    categorical: str = "nominal",
    undirected: bool = False,
    symmetric: Sequence[str] | None = None,
    **others: Any,
) -> list[RelationAlignment]:
    """The alignment of least disorder of every document that two or more annotators saw.

    >>> rows = [("d", "A", 1, 2, "x"), ("d", "A", 3, 2, "x"), ("d", "B", 1, 2, "y")]
    >>> (found,) = aligned_relations(Relations.from_rows(rows))
    >>> [g.disorder for g in found.groups], round(found.disorder, 4)
    ([1.0, 1.0], 1.3333)
    """
    d = unit_dissimilarity(
        relations.categories,
        alpha=alpha,
        beta=beta,
        delta=delta,
        matrix=matrix,
        categorical=categorical,
        **{k: v for k, v in others.items() if k in ("taxonomy", "feature_weights")},
    )
    flags = unordered(relations, undirected, None if symmetric is None else tuple(symmetric))
    costs = Costs(alpha=d.alpha, delta=d.delta, labels=d.costs, unordered=flags)
    network = Network.of(relations)
    if not len(network.shared):
        raise InputError("no document has two annotators", hint="alignment compares at least two")
    words = d.words()
    mark = signature(
        "align",
        len(relations),
        alpha=words["alpha"],
        beta=words["beta"],
        delta=words["delta"],
        categorical=words["categorical"],
        undirected="yes" if undirected else None,
        symmetric="+".join(symmetric) if symmetric else None,
    )
    every = list(relations)
    found = []
    for document, members in sorted(aligned(network, costs), key=lambda pair: pair[0]):
        who = [relations.annotators[a] for a in network.annotators(document).tolist()]
        groups = [
            Group(
                {a: None if i < 0 else every[i] for a, i in zip(who, own, strict=True)},
                _delta([i for i in own if i >= 0], relations, costs, len(who)),
            )
            for own in members.tolist()
        ]
        size = int((members >= 0).sum())
        total = sum(g.disorder for g in groups)
        found.append(
            RelationAlignment(
                relations.documents[document],
                tuple(groups),
                total / (size / len(who)) if size else float("nan"),
                size,
                mark,
            )
        )
    return found


def _delta(rows: Sequence[int], relations: Relations, costs: Costs, annotators: int) -> float:
    """δ of one unitary alignment: Δ + (1/C) Σ (d − Δ) over its pairs."""
    total = sum(_distance(relations, i, j, costs) - costs.delta for i, j in combinations(rows, 2))
    return float(costs.delta + total / (annotators * (annotators - 1) / 2))


def _distance(r: Relations, i: int, j: int, costs: Costs) -> float:
    ways = [(r.source[i], r.source[j], r.target[i], r.target[j])]
    if costs.unordered[r.label[i]] or costs.unordered[r.label[j]]:
        ways.append((r.source[i], r.target[j], r.target[i], r.source[j]))
    ends = min(_apart(s, q) + _apart(t, u) for s, q, t, u in ways)
    cost = costs.alpha * costs.delta * ends / 2 + costs.labels[r.label[i], r.label[j]]
    return float(cost)


def _apart(one: Any, two: Any) -> float:
    shared = min(one[1], two[1]) - max(one[0], two[0])
    if shared <= 0:
        return 1.0
    return float((1 - 2 * shared / (one[1] - one[0] + two[1] - two[0])) ** 2)


def _plain(end: End) -> str | list[float]:
    return end if isinstance(end, str) else list(end)


def _written(end: End) -> str:
    return end if isinstance(end, str) else f"{end[0]:g}-{end[1]:g}"
