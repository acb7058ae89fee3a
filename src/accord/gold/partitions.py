"""Chains: a consensus partition of the mentions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord.data import Chains
from accord.errors import UsageError
from accord.gold.clustering import cluster
from accord.gold.decisions.decision import Value
from accord.gold.decisions.element import Element, versions_of
from accord.gold.decisions.identity import find, resolve
from accord.gold.decisions.ledger import Ledger, Standing
from accord.gold.placed_reference import PlacedReference
from accord.measures.coreference.near_mentions import near_mentions
from accord.result import signature


def chain_consensus(
    data: Chains,
    *,
    name: str = "reference",
    keep: float = 0.5,
    mentions: str = "exact",
    overlap: float = 0.5,
    decisions: Ledger | None = None,
) -> PlacedReference:
    """The partition of the mentions that disagrees least with those of the annotators.

    A mention is kept when more than `keep` of the annotators of its document marked it. Among the
    kept ones the consensus minimises, over pairs of mentions, the share of the annotators (who marked
    both) that it contradicts: a median partition. Finding the best one is NP-hard; mentions treated
    alike by all are taken together, what no majority links is looked at apart, and the search starts
    from every annotator's own partition, so that the result is never worse than the best annotator.
    Equal costs are settled by the smaller label vector. `terms.disagreement` is the mean share
    contradicted, `terms.bound` what no partition can beat (packed contradictions, then a linear
    and an integer programme), `terms.gap` what lies between as a share of the first; `terms.proven`
    says that they meet.

    With mentions="near" spans of different annotators that nearly are the same (`overlap`, see
    `chain_alpha`) are one mention, called by its most frequent span; `spans` of its row lists all of
    them with their votes.

    Mentions are named ``document:mention``. A person's decision *(reject)* or *(none)* drops one; a
    label names another mention, whose entity it joins, or the mention itself: it begins its entity,
    so it leaves the one that the rule gave it when that has an earlier mention.
    """
    if not 0 <= keep < 1:
        raise UsageError(f"keep must be at least 0 and below 1, got {keep}")
    if mentions not in ("exact", "near"):
        raise UsageError(f"mentions must be exact or near, got {mentions!r}")
    if not 0 <= overlap <= 1:
        raise UsageError(f"overlap must be between 0 and 1, got {overlap}")
    near = near_mentions(data, overlap) if mentions == "near" else None
    if near is not None:
        data = near.data
    elements = tuple(e for d in range(len(data.documents)) for e in mention_elements(data, d))
    resolution = resolve(elements, decisions or Ledger())
    rows: list[dict[str, Any]] = []
    table: list[tuple[int, int, int, int]] = []
    cost = bound = pairs = 0.0
    nodes = components = largest = 0
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
        found = cluster(entity[:, kept])
        labels, sure = found.labels.copy(), found.followed
        cost, pairs = cost + found.cost, pairs + len(kept) * (len(kept) - 1) / 2
        bound += found.bound
        nodes, components = nodes + found.nodes, components + found.components
        largest = max(largest, found.largest)
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
                    **(
                        {} if near is None else {"spans": near.spans(document, data.mentions[d][m])}
                    ),
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
        # those of the annotators' entities
        copies=None,
        names=None,
        links=None,
    )
    return PlacedReference(
        method="consensus",
        data=data,
        name=name,
        reference=reference,
        considered=tuple(rows),
        elements=elements,
        resolution=resolution,
        terms={
            "mentions": len(table),
            "considered": len(rows),
            "disagreement": cost / pairs if pairs else 0.0,
            "bound": bound / pairs if pairs else 0.0,
            "gap": max(cost - bound, 0.0) / cost if cost else 0.0,
            "proven": cost <= bound + 1e-6,
            "nodes": nodes,
            "components": components,
            "largest": largest,
            **({} if near is None else {"near": near.classes, "near_dice": near.dice}),
            "weak": sum(r["confidence"] <= 0.5 for r in rows),
        },
        warnings=(*resolution.sentences(elements), *_apart(data)),
        signature=signature(
            "gold:consensus", len(covered), keep=keep, **_signed(mentions, overlap)
        ),
    )


def _signed(mentions: str, overlap: float) -> dict[str, object]:
    return {} if mentions == "exact" else {"mentions": mentions, "overlap": overlap}


def _apart(data: Chains) -> list[str]:
    """A sentence when no document has two annotators: there is nothing to agree on."""
    documents = [d for d, _ in data.coverage]
    if len(data.annotators) < 2 or len(documents) > len(set(documents)):
        return []
    return ["no document was annotated by two annotators: the consensus is what each one said"]


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


def _entities(data: Chains, d: int, who: list[int]) -> NDArray[np.int64]:
    """annotators × mentions: the entity, or -1 for a mention not marked."""
    out = np.full((len(who), len(data.mentions[d])), -1, dtype=np.int64)
    for row, a in enumerate(who):
        here = (data.document == d) & (data.annotator == a)
        out[row, data.mention[here]] = data.entity[here]
    return out


def _name(mention: Any) -> str:
    return "-".join(map(str, mention)) if isinstance(mention, tuple) else str(mention)
