"""Chains: a consensus partition of the mentions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord.data import Chains
from accord.errors import UsageError
from accord.gold.consensus import Consensus
from accord.gold.decisions.decision import Value
from accord.gold.decisions.element import Element, versions_of
from accord.gold.decisions.identity import find, resolve
from accord.gold.decisions.ledger import Ledger, Standing
from accord.result import signature

Array = NDArray[np.float64]


def chain_consensus(
    data: Chains,
    *,
    name: str = "reference",
    keep: float = 0.5,
    most_mentions: int = 5_000,
    decisions: Ledger | None = None,
) -> Consensus:
    """The partition of the mentions that disagrees least with those of the annotators.

    A mention is kept when more than `keep` of the annotators of its document marked it. Among the
    kept ones the consensus minimises, over pairs of mentions, the share of the annotators (who marked
    both) that it contradicts: a median partition. Finding the best one is NP-hard; the search starts
    from every annotator's own partition and from average linkage, moves one mention or merges two
    entities as long as that helps, and keeps the best. The result is never worse than the best
    annotator. `terms.disagreement` is the mean share contradicted, `terms.bound` what no partition
    can beat: each pair decided by its own majority.

    Mentions are named ``document:mention``. A person's decision *(reject)* or *(none)* drops one; a
    label names another mention, whose entity it joins, or the mention itself: it begins its entity,
    so it leaves the one that the rule gave it when that has an earlier mention.
    """
    if not 0 <= keep < 1:
        raise UsageError(f"keep must be at least 0 and below 1, got {keep}")
    elements = tuple(e for d in range(len(data.documents)) for e in mention_elements(data, d))
    resolution = resolve(elements, decisions or Ledger())
    rows: list[dict[str, Any]] = []
    table: list[tuple[int, int, int, int]] = []
    cost = bound = pairs = 0.0
    covered = set()
    lost: list[Standing] = []
    first = 0
    for d, document in enumerate(data.documents):
        who = [a for a in range(len(data.annotators)) if (d, a) in data.coverage]
        if not who:
            continue
        covered.add((d, 0))
        entity = _entities(data, d, who)
        support = np.sum(entity >= 0, axis=0)
        here = range(first, first + entity.shape[1])
        first += entity.shape[1]
        names = [resolution.names[i] for i in here]
        chosen = {m: resolution.held[i] for m, i in enumerate(here) if resolution.decision(i)}
        wanted = support > keep * len(who)
        for m, standing in chosen.items():
            wanted[m] = standing.in_force is not None and standing.in_force.kind == "label"
        pointers, foreign = _pointers(chosen, names, [elements[i] for i in here], wanted)
        lost += foreign
        kept = np.flatnonzero(wanted)
        if len(kept) > most_mentions:
            raise UsageError(
                f"document {document!r} has {len(kept)} mentions, more than {most_mentions}; "
                "raise most_mentions or cut the document"
            )
        gain = _gain(entity[:, kept])
        labels, spent = _best_partition(gain, [_as_labels(row) for row in entity[:, kept]])
        cost, pairs = cost + spent, pairs + len(kept) * (len(kept) - 1) / 2
        bound += float(np.sum(np.minimum(gain.yes, gain.no))) / 2
        sure = _confidence(gain, labels)
        place = {int(m): i for i, m in enumerate(kept)}
        _join(labels, place, pointers)
        for m in range(entity.shape[1]):
            at = place.get(m)
            share = float(support[m] / len(who))
            human = m in chosen and chosen[m] not in foreign
            sure_of = 1 - share if at is None else share * float(sure[at])
            rows.append(
                {
                    "item": names[m],
                    "document": document,
                    "mention": _name(data.mentions[d][m]),
                    "support": int(support[m]),
                    "annotators": len(who),
                    "kept": at is not None,
                    "entity": None if at is None else int(labels[at]),
                    "confidence": 1.0 if human else sure_of,
                    "source": "human" if human else "rule",
                }
            )
            if at is not None:
                table.append((d, 0, m, int(labels[at])))
    resolution = resolution.without(lost)
    codes = np.array(sorted(table), dtype=np.int32).reshape(-1, 4)
    reference = replace(
        data,
        annotators=(name,),
        document=codes[:, 0].copy(),
        annotator=codes[:, 1].copy(),
        mention=codes[:, 2].copy(),
        entity=codes[:, 3].copy(),
        coverage=frozenset(covered),
        notes=(),
    )
    return Consensus(
        method="consensus",
        data=data,
        reference=reference,
        rows=tuple(rows),
        elements=elements,
        resolution=resolution,
        terms={
            "mentions": len(table),
            "considered": len(rows),
            "disagreement": cost / pairs if pairs else 0.0,
            "bound": bound / pairs if pairs else 0.0,
            "weak": sum(r["confidence"] <= 0.5 for r in rows),
        },
        warnings=resolution.sentences(elements),
        signature=signature("gold:consensus", len(covered), keep=keep),
    )


def mention_elements(data: Chains, d: int) -> list[Element]:
    """The mentions of a document, and the entity that each annotator puts them in.

    An entity is named by its first mention, so that annotators who split or merge it differ on the
    mentions concerned and on no others.
    """
    who = [a for a in range(len(data.annotators)) if (d, a) in data.coverage]
    if not who:
        return []
    document = data.documents[d]
    entity = _entities(data, d, who)
    names = [_name(m) for m in data.mentions[d]]
    members: list[dict[int, list[int]]] = []
    for row in entity:
        held: dict[int, list[int]] = {}
        for m in np.flatnonzero(row >= 0).tolist():
            held.setdefault(int(row[m]), []).append(m)
        members.append(held)
    out = []
    for m, mention in enumerate(data.mentions[d]):
        said: list[tuple[str, Value]] = []
        for a, row, held in zip(who, entity, members, strict=True):
            value: str | None = None
            if row[m] >= 0:
                value = names[held[int(row[m])][0]]
            said.append((data.annotators[a], value))
        place: dict[str, Any] = {"document": document, "mention": names[m]}
        if isinstance(mention, tuple) and len(mention) >= 2:
            place |= {"start": float(mention[0]), "end": float(mention[-1])}
        item = f"{document}:{names[m]}"
        out.append(Element(item=item, document=document, place=place, versions=versions_of(said)))
    return out


def _pointers(
    chosen: Mapping[int, Standing],
    names: list[str],
    elements: list[Element],
    wanted: NDArray[np.bool_],
) -> tuple[dict[int, int], list[Standing]]:
    """Which mention each decided one joins, the oldest decision first; and what joins nothing."""
    number = {str(e.place["mention"]): m for m, e in enumerate(elements)}
    # a mention that moved is still called by the name it was decided under
    number |= {name: m for m, name in enumerate(names)}
    number |= {name.removeprefix(f"{e.document}:"): m for m, (name, e) in
               enumerate(zip(names, elements, strict=True))}  # fmt: skip
    joined = {str(s.in_force.value) for s in chosen.values() if s.in_force is not None}
    gone = [f"{elements[0].document}:{value}" for value in sorted(joined - set(number))]
    for name, m in find(elements, gone).items():
        number[name.removeprefix(f"{elements[0].document}:")] = m
    pointers: dict[int, int] = {}
    lost = []
    for m, standing in sorted(chosen.items(), key=lambda pair: pair[1].history[-1].when):
        decision = standing.in_force
        if decision is None or decision.kind != "label":
            continue
        other = number.get(str(decision.value))
        if other is None or not wanted[other]:
            lost.append(standing)
        else:
            pointers[m] = other
    return pointers, lost


def _join(labels: NDArray[np.int64], place: Mapping[int, int], pointers: Mapping[int, int]) -> None:
    """Put each decided mention into the entity of the one it joins, wherever that one goes.

    A chain of decisions is followed to its end. Mentions that join each other in a circle follow the
    one whose decision is the oldest, into the entity that the rule gave what it joins.
    """
    rule = labels.copy()
    fresh = int(labels.max(initial=-1)) + 1
    order = {m: i for i, m in enumerate(pointers)}
    for m in pointers:
        path = [m]
        while path[-1] in pointers and pointers[path[-1]] not in path:
            path.append(pointers[path[-1]])
        end = path[-1]
        if end not in pointers:
            labels[place[m]] = rule[place[end]]
        elif pointers[end] == end:
            alike = np.flatnonzero(rule == rule[place[end]])
            begins = alike[0] == place[end]
            labels[place[m]] = rule[place[end]] if begins else fresh + end
        else:
            circle = path[path.index(pointers[end]) :]
            oldest = min(circle, key=order.__getitem__)
            labels[place[m]] = rule[place[pointers[oldest]]]


class _Pairs:
    """For each pair of mentions, the share of annotators who link them, and who do not."""

    __slots__ = ("no", "yes")

    def __init__(self, yes: Array, no: Array) -> None:
        self.yes, self.no = yes, no


def _entities(data: Chains, d: int, who: list[int]) -> NDArray[np.int64]:
    """annotators × mentions: the entity, or -1 for a mention not marked."""
    out = np.full((len(who), len(data.mentions[d])), -1, dtype=np.int64)
    for row, a in enumerate(who):
        here = (data.document == d) & (data.annotator == a)
        out[row, data.mention[here]] = data.entity[here]
    return out


def _gain(entity: NDArray[np.int64]) -> _Pairs:
    n = entity.shape[1]
    yes, both = np.zeros((n, n)), np.zeros((n, n))
    for row in entity:
        marked = row >= 0
        both += np.outer(marked, marked)
        yes += (row[:, None] == row[None, :]) & np.outer(marked, marked)
    np.fill_diagonal(yes, 0)
    np.fill_diagonal(both, 0)
    share = np.divide(yes, both, out=np.zeros_like(yes), where=both > 0)
    return _Pairs(share, np.where(both > 0, 1 - share, 0.0))


def _best_partition(
    pairs: _Pairs, starts: list[NDArray[np.int64]]
) -> tuple[NDArray[np.int64], float]:
    """The best partition found from all starts, its entities numbered by first mention."""
    n = len(pairs.yes)
    if n == 0:
        return np.empty(0, dtype=np.int64), 0.0
    link = pairs.yes - pairs.no
    found = []
    for start in [_linked(link), *starts]:
        labels = _improved(link, start)
        found.append((_cost(pairs, labels), labels.tolist()))
    # equal costs are settled by the partition itself, whatever the order of the annotators
    spent, labels = min(found)
    return np.array(labels, dtype=np.int64), spent


def _cost(pairs: _Pairs, labels: NDArray[np.int64]) -> float:
    same = labels[:, None] == labels[None, :]
    return round(float(np.sum(np.where(same, pairs.no, pairs.yes))) / 2, 9)


def _linked(link: Array) -> NDArray[np.int64]:
    """Average linkage: merge the two entities most in favour, while the mean favour is positive."""
    n = len(link)
    total = link.copy()
    np.fill_diagonal(total, -np.inf)
    size = np.ones(n)
    labels = np.arange(n)
    alive = np.ones(n, dtype=bool)
    while alive.sum() > 1:
        mean = total / np.outer(size, size)
        place = int(np.argmax(mean))
        i, j = sorted(divmod(place, n))
        if not mean[i, j] > 0:
            break
        labels[labels == j] = i
        total[i] += total[j]
        total[:, i] += total[:, j]
        total[i, i] = -np.inf
        total[j], total[:, j] = -np.inf, -np.inf
        size[i] += size[j]
        alive[j] = False
    return _renumbered(labels)


def _improved(link: Array, labels: NDArray[np.int64]) -> NDArray[np.int64]:
    """Move single mentions, then merge entities, as long as the favour within entities grows."""
    n = len(link)
    labels = labels.copy()
    for _ in range(100):
        moved = False
        member = np.zeros((n, n + 1))
        member[np.arange(n), labels] = 1
        favour = link @ member
        for m in range(n):
            here = labels[m]
            empty = int(np.argmin(member.sum(axis=0)[: n + 1]))
            favour[m, empty] = 0.0
            best = int(np.argmax(favour[m]))
            if favour[m, best] > favour[m, here] + 1e-12:
                favour[:, here] -= link[:, m]
                favour[:, best] += link[:, m]
                member[m, here], member[m, best] = 0, 1
                labels[m] = best
                moved = True
        labels = _renumbered(labels)
        k = int(labels.max()) + 1
        member = np.zeros((n, k))
        member[np.arange(n), labels] = 1
        between = member.T @ link @ member
        np.fill_diagonal(between, -np.inf)
        i, j = divmod(int(np.argmax(between)), k)
        if k > 1 and between[i, j] > 1e-12:
            labels[labels == j] = i
            labels = _renumbered(labels)
            moved = True
        if not moved:
            break
    return labels


def _as_labels(row: NDArray[np.int64]) -> NDArray[np.int64]:
    """One annotator's entities; mentions not marked stand alone."""
    labels = row.copy()
    absent = labels < 0
    labels[absent] = labels.max(initial=0) + 1 + np.arange(int(absent.sum()))
    return _renumbered(labels)


def _renumbered(labels: NDArray[np.int64]) -> NDArray[np.int64]:
    _, first, inverse = np.unique(labels, return_index=True, return_inverse=True)
    rank = np.empty(len(first), dtype=np.int64)
    rank[np.argsort(first)] = np.arange(len(first))
    return rank[inverse]


def _confidence(pairs: _Pairs, labels: NDArray[np.int64]) -> Array:
    """For each mention, the mean share of annotators that the consensus follows on its pairs.

    Only pairs that somebody links, or that the consensus links, are counted: the others are easy.
    """
    same = labels[:, None] == labels[None, :]
    counted = (pairs.yes > 0) | same
    np.fill_diagonal(counted, False)
    followed = np.where(same, pairs.yes, pairs.no) * counted
    total = counted.sum(axis=1)
    return np.where(total > 0, followed.sum(axis=1) / np.maximum(total, 1), 1.0)


def _name(mention: Any) -> str:
    return "-".join(map(str, mention)) if isinstance(mention, tuple) else str(mention)
