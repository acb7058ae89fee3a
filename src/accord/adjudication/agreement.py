"""Agreement before and after decisions, and among the people who made them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy as np

from accord.adjudication.campaign import Campaign
from accord.data import Annotations, Chains, Ratings, Segments, Units
from accord.data.tables import ratings_from_long
from accord.gold.decisions.decision import Decision
from accord.gold.item_reference import ItemReference
from accord.gold.placed_reference import PlacedReference
from accord.measures import agree
from accord.result import Result


def among_adjudicators(campaign: Campaign) -> dict[str, Any]:
    """α of what adjudicators decided on cards that two or more of them decided, each by themselves.

    A decision that replaces another's was made with that one in sight: it is no second opinion.
    """
    said: dict[tuple[str, str], str] = {}
    for standing in campaign.store.ledger:
        for decision in standing.history:
            seen = decision.replaces is not None
            alone = decision.independent or not seen or decision.who == _author(campaign, decision)
            if decision.kind != "withdraw" and alone:
                said[standing.item, decision.who] = "\t".join(decision.says)
    both = _twice(said)
    rows = [(item, who, value) for (item, who), value in said.items() if item in both]
    if not rows:
        return {
            "items": 0,
            "measure": "alpha",
            "value": None,
            "undefined": "no card was decided by two people",
        }
    data = ratings_from_long(
        [r[0] for r in rows], [r[1] for r in rows], [r[2] for r in rows], kind="categories"
    )
    result: Result = agree(data, "alpha")
    return {"items": len(both), "measure": "alpha", **_told(result)}


def before_and_after(
    campaign: Campaign, *, before: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Agreement of the annotators as they are, and with every decided card set to its decision.

    What is left between the second and perfect agreement is what nobody has settled yet. `before` is
    what was found earlier: the annotators' data do not change.
    """
    after: Result = _first(agree(settled(campaign)))
    first = dict(before) if before is not None else _told(_first(agree(campaign.data)))
    return {"measure": after.measure, "before": first, "after": _told(after)}


def changes(campaign: Campaign) -> list[dict[str, Any]]:
    """What the decisions change in the reference: each card whose value is another than the rule's."""
    out = []
    for i in np.flatnonzero(campaign.decided):
        decision = campaign.standing(int(i)).in_force
        rule = campaign.deck.propose(int(i))
        if decision is None:
            continue
        kept = decision.value if decision.kind == "label" else None
        proposed = Decision(item="", kind="none" if rule is None else "label", value=rule, who="?")
        same = decision.says == proposed.says or (kept is None and rule is None)
        if isinstance(rule, Mapping) and isinstance(kept, str):
            same = kept == rule["label"]
        if not same:
            out.append({"item": campaign.deck.names[i], "rule": rule, "decision": kept,
                        "kind": decision.kind, "who": decision.who})  # fmt: skip
    return out


def settled(campaign: Campaign) -> Annotations:
    """The data with every decided card as decided, for every annotator who saw it."""
    data = campaign.data
    if isinstance(data, Ratings):
        return _ratings(campaign, data)
    reference = campaign.reference()
    assert isinstance(reference, PlacedReference)
    if isinstance(data, Units):
        return _units(campaign, data, reference)
    if isinstance(data, Segments):
        return _segments(campaign, data)
    assert isinstance(data, Chains)
    return _chains(campaign, data, reference)


def _ratings(campaign: Campaign, data: Ratings) -> Ratings:
    reference = campaign.reference()
    assert isinstance(reference, ItemReference)
    items, who, values = [], [], []
    for i, item in enumerate(campaign.deck.names):
        human = reference.source[i] == 2
        for j in range(int(data.indptr[i]), int(data.indptr[i + 1])):
            value = reference.value(i) if human else data.values[data.code[j]]
            if value is not None:
                items.append(item)
                who.append(data.annotators[data.annotator[j]])
                values.append(value)
    return ratings_from_long(items, who, values, kind=data.kind)


def _units(campaign: Campaign, data: Units, reference: PlacedReference) -> Units:
    rows = []
    decided: set[int] = set()
    numbers = iter(range(len(reference.elements)))
    for alignment in reference.alignments:
        for members, _ in alignment:
            i = next(numbers)
            if not campaign.decided[i]:
                continue
            decided |= {int(m) for m in members if m >= 0}
            row = reference.considered[i]
            if row["kept"]:
                place = (row["start"], row["end"], row["label"])
                rows += [(alignment.document, a, *place) for a in alignment.annotators]
    rows += [u for i, u in enumerate(data) if i not in decided]
    seen = [
        (data.documents[d], data.annotators[a])
        for d, a in zip(*np.nonzero(data.coverage), strict=True)
    ]
    lengths = {
        d: float(x) for d, x in zip(data.documents, data.lengths, strict=True) if np.isfinite(x)
    }
    return Units.from_rows(
        rows, coverage=seen, lengths=lengths, points=bool(np.any(data.start == data.end))
    )


def _segments(campaign: Campaign, data: Segments) -> Segments:
    held = {key: set(b.tolist()) for key, b in data.boundaries.items()}
    for i in np.flatnonzero(campaign.decided):
        element, decision = campaign.deck.element(int(i)), campaign.standing(int(i)).in_force
        d = data.documents.index(element.document)
        for version in element.versions:
            for who in version.annotators:
                mine = held[d, data.annotators.index(who)]
                if version.value is not None:
                    mine.discard(version.value)
                if decision is not None and decision.kind == "label":
                    mine.add(int(float(decision.value)))  # type: ignore[arg-type]
    rows = [
        (data.documents[d], data.annotators[a], int(p), None)
        for (d, a), mine in held.items() for p in sorted(mine)
    ]  # fmt: skip
    return Segments.from_boundaries(
        rows,
        lengths={n: int(x) for n, x in zip(data.documents, data.lengths, strict=True)},
        coverage=[(data.documents[d], data.annotators[a]) for d, a in held],
    )


def _chains(campaign: Campaign, data: Chains, reference: PlacedReference) -> Chains:
    """Every annotator's partition with the decided mentions in the entity of the reference.

    A decided mention joins the annotator's mentions that the reference puts with it.
    """
    whole = reference.reference
    assert isinstance(whole, Chains)
    decided = {
        (e.document, e.place["mention"]): bool(r["kept"])
        for i, (e, r) in enumerate(zip(reference.elements, reference.considered, strict=True))
        if campaign.decided[i]
    }
    clusters: dict[tuple[str, str], list[list[Any]]] = {}
    for d, a in sorted(data.coverage):
        document = data.documents[d]
        name = {
            m: "-".join(map(str, m)) if isinstance(m, tuple) else str(m) for m in data.mentions[d]
        }
        mine = [[m for m in c if (document, name[m]) not in decided] for c in data.clusters(d, a)]
        for cluster in whole.clusters(d, 0):
            settled_here = [m for m in cluster if decided.get((document, name[m]))]
            if not settled_here:
                continue
            mates = [c for c in mine if set(c) & set(cluster)]
            target = max(mates, key=lambda c: len(set(c) & set(cluster)), default=None)
            if target is None:
                mine.append(settled_here)
            else:
                target.extend(settled_here)
        clusters[document, data.annotators[a]] = [c for c in mine if c]
    return Chains.from_clusters(clusters)


def _author(campaign: Campaign, decision: Decision) -> str | None:
    replaced = None if decision.replaces is None else campaign.store.ledger.find(decision.replaces)
    return None if replaced is None else replaced.who


def _twice(said: Mapping[tuple[str, str], str]) -> set[str]:
    counts = Counter(item for item, _ in said)
    return {item for item, n in counts.items() if n > 1}


def _first(found: Any) -> Result:
    first: Result = found[0] if isinstance(found, tuple) else found
    return first


def _told(result: Result) -> dict[str, Any]:
    known = result.undefined is None
    return {"value": float(result.value) if known else None, "undefined": result.undefined}
