"""relation-gamma by document, by label and by kind of error; other breakdowns work for any measure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from accord.alignment.relations import Costs, Network, aligned
from accord.data.relations import Relations
from accord.errors import UsageError
from accord.measures.relations.options import Settings
from accord.options import filled
from accord.result import Row
from accord.study import Study

#: what may be wrong with two relations that were aligned, or with one that was not
KINDS = (
    "same",
    "other label",
    "other source",
    "other target",
    "other source and label",
    "other target and label",
    "turned round",
    "missing",
)


def by_document(study: Study) -> Sequence[Row]:
    """Each document's own value, against what chance gives in it."""
    result, relations = study.result, relations_of(study)
    if result.sample is None or result.sample.rows is None or result.sample.keys is None:
        return []
    counts = np.bincount(relations.document, minlength=len(relations.documents))
    place = {name: i for i, name in enumerate(relations.documents)}
    rows = []
    for name, (observed, chance, weight) in zip(
        result.sample.keys, result.sample.rows.tolist(), strict=True
    ):
        row: dict[str, Any] = {
            "document": name,
            "value": 1 - observed / chance if chance > 0 else float("nan"),
            "observed": observed / weight if weight > 0 else None,
            "expected": chance / weight if weight > 0 else None,
            "n": int(counts[place[str(name)]]),
        }
        if chance == 0:
            row["undefined"] = "nothing to compare in this document"
        rows.append(row)
    return rows


def by_label(study: Study) -> Sequence[Row]:
    """The measure on the relations of one label alone: how well these are placed."""
    relations = relations_of(study)
    return [
        {
            "label": name,
            **study.of(relations.select(categories=[name])).row(),
            "n": int((relations.label[relations.shared] == k).sum()),
        }
        for k, name in enumerate(relations.categories)
    ]


def by_errors(study: Study) -> Sequence[Row]:
    """What is the same and what is not, over the pairs of annotators who saw a document.

    Ends correspond when they overlap (or are the same item). Two relations that were not aligned and
    lead from each other's ends to each other's are one that was turned round.
    """
    relations = relations_of(study)
    _, costs = settings_of(study).between(relations)
    network = Network.of(relations)
    counts: Counter[str] = Counter()
    for one in aligned(network, costs):
        counts.update(_errors(network, one.members, costs))
    whole = counts.total()
    return [
        {"error": kind, "count": counts[kind], "share": counts[kind] / whole if whole else 0.0}
        for kind in KINDS
        if counts[kind] or "and" not in kind
    ]


def _errors(network: Network, members: Any, costs: Costs) -> Counter[str]:
    """Of one document: members are unitary alignments × annotators, rows of the data or -1."""
    r = network.relations
    found: Counter[str] = Counter()
    people = members.shape[1]
    for a in range(people):
        for b in range(a + 1, people):
            left: list[int] = []
            right: list[int] = []
            for i, j in members[:, [a, b]].tolist():
                if i >= 0 and j >= 0:
                    found[_difference(r, i, j, costs)] += 1
                elif i >= 0:
                    left.append(i)
                elif j >= 0:
                    right.append(j)
            for i in left:
                match = next((j for j in right if _crosswise(r, i, j)), None)
                if match is None:
                    found["missing"] += 1
                else:
                    right.remove(match)
                    found["turned round"] += 1
            found["missing"] += len(right)
    return found


def _difference(r: Relations, i: int, j: int, costs: Costs) -> str:
    straight = (_meet(r.source[i], r.source[j]), _meet(r.target[i], r.target[j]))
    if costs.unordered[r.label[i]] or costs.unordered[r.label[j]]:
        crossed = (_meet(r.source[i], r.target[j]), _meet(r.target[i], r.source[j]))
        straight = max(straight, crossed, key=sum)
    labels = r.label[i] == r.label[j]
    if all(straight):
        return "same" if labels else "other label"
    end = "other target" if straight[0] else "other source"
    return end if labels else f"{end} and label"


def _crosswise(r: Relations, i: int, j: int) -> bool:
    return _meet(r.source[i], r.target[j]) and _meet(r.target[i], r.source[j])


def _meet(one: Any, two: Any) -> bool:
    return bool(one[0] < two[1] and two[0] < one[1])


def settings_of(study: Study) -> Settings:
    """The options of a study of this family."""
    values = filled(study.record.name, study.record.options, study.options)
    return Settings(**{k: v for k, v in values.items() if k in Settings.__slots__})


def relations_of(study: Study) -> Relations:
    if not isinstance(study.data, Relations):
        raise UsageError(f"this breakdown is for relations, the data are {study.data.shape}")
    return study.data
