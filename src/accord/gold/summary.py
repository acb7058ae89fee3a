"""The last touches on a reference: annotators, strength of majorities, decisions, warnings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord.data import Ratings
from accord.data.encode import Codes
from accord.data.ratings import label_of
from accord.data.reasons import REASONS
from accord.errors import some
from accord.gold.decisions import Decision
from accord.gold.groups import Groups, overturned
from accord.gold.item_reference import ItemReference
from accord.gold.labels import Estimate, Labels
from accord.gold.ties import below


def annotator_rows(
    data: Ratings, code: Codes, values: Sequence[Any], estimate: Estimate
) -> tuple[dict[str, Any], ...]:
    """Per annotator: labels given, share equal to the reference, and the model's own figures."""
    place = {label_of(v): i for i, v in enumerate(values)}
    as_reference = np.array([place.get(name, -2) for name in data.labels], dtype=np.int64)
    item = data.item
    held = code[item] >= 0
    same = (as_reference[data.code] == code[item]) & held
    size = len(data.annotators)
    given = np.bincount(data.annotator, minlength=size)
    judged = np.bincount(data.annotator, weights=held, minlength=size)
    right = np.bincount(data.annotator, weights=same, minlength=size)
    rows = []
    for a, name in enumerate(data.annotators):
        row: dict[str, Any] = {
            "annotator": name,
            "n": int(given[a]),
            "agreement": float(right[a] / judged[a]) if judged[a] else np.nan,
        }
        if estimate.accuracy is not None:
            row["accuracy"] = float(estimate.accuracy[a])
        row |= {key: float(column[a]) for key, column in estimate.annotators.items()}
        rows.append(row)
    return tuple(rows)


def with_votes(reference: ItemReference) -> ItemReference:
    """Strength of each majority, and the share of majorities under half the votes."""
    data = reference.data
    votes = Labels.of(data).votes()
    total = votes.sum(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        strength = np.where(total > 0, votes.max(axis=1, initial=0.0) / total, np.nan)
    rated = total > 0
    weak = rated & (strength < 0.5)
    terms = {
        "weak_majority": float(weak.sum() / rated.sum()) if rated.any() else np.nan,
        "weak_items": int(weak.sum()),
        "ties": int(reference.tied.sum()),
        "abstained": int(np.sum(reference.code < 0)),
        "unrated": int(np.sum(~rated)),
        **reference.terms,
    }
    return replace(reference, strength=strength, terms=terms)


def with_rejections(
    reference: ItemReference,
    decisions: Mapping[str, Decision],
    place: Mapping[str, int],
    *,
    ties: str,
    threshold: float | None,
) -> ItemReference:
    """The reference without what people rejected, and why each item without a value has none."""
    code, confidence = reference.code.copy(), reference.confidence.copy()
    reason = _reasons(reference, ties, threshold)
    for item, decision in decisions.items():
        i = place[item]
        confidence[i] = 1.0
        if decision.kind in ("reject", "none"):
            code[i] = -1
            reason[i] = REASONS.index("rejected" if decision.kind == "reject" else "undecided")
    rejected = sum(d.kind == "reject" for d in decisions.values())
    terms = {**reference.terms, "abstained": int(np.sum(code < 0)), "decided": len(decisions),
             "rejected": rejected}  # fmt: skip
    return replace(reference, code=code, confidence=confidence, reason=reason, terms=terms)


def _reasons(reference: ItemReference, ties: str, threshold: float | None) -> NDArray[np.int8]:
    """Why the rule gave an item no value, the first that holds."""
    tied = reference.tied & (ties == "abstain")
    low = below(reference.confidence, 0.0 if threshold is None else threshold)
    why = np.select(
        [reference.code >= 0, reference.data.per_item == 0, tied, low],
        [REASONS.index(name) for name in ("", "nobody", "tie", "threshold")],
        REASONS.index("undecided"),
    )
    return why.astype(np.int8)


def with_warnings(reference: ItemReference, groups: Groups, *, numeric: bool) -> ItemReference:
    warnings = list(reference.warnings)
    n = int(np.sum(~np.isnan(reference.strength)))
    weak = reference.terms["weak_items"]
    if weak and not numeric:
        warnings.append(
            f"the majority is under half the votes on {weak} of {n} items "
            f"({reference.terms['weak_majority']:.1%})"
        )
    if reference.terms["ties"]:
        names = [label_of(reference.data.items[int(i)]) for i in np.flatnonzero(reference.tied)]
        tie = "1 item ties" if len(names) == 1 else f"{len(names)} items tie"
        warnings.append(f"{tie}: {some(names)}")
    estimate = reference.estimate
    if estimate is not None and estimate.converged is False:
        warnings.append(
            f"{reference.method} stopped after {len(estimate.objective)} rounds without converging"
        )
    overturn = np.empty(0, dtype=np.int64)
    if not groups.independent.all() and not numeric and reference.data.kind != "sets":
        rule = np.where(reference.source < 2, reference.code, -1).astype(np.int32)
        overturn = overturned(reference.data, groups.independent, rule)
        if len(overturn):
            names = [label_of(reference.data.items[int(i)]) for i in overturn]
            warnings.append(
                f"on {len(names)} items the reference contradicts annotators outside the declared "
                f"groups who are unanimous: {some(names)}; they are on the worklist"
            )
    if reference.method == "unanimity":
        share = reference.terms["unanimity"]
        warnings.append(
            f"unanimity keeps {share['kept']:.1%} of the items, the easiest: scores on this "
            "reference are inflated"
        )
    return replace(reference, overturned=overturn, warnings=tuple(warnings))
