"""What is aligned, taken together: whether it is real, under which label, and how each annotator meets it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from accord.data.located import Located
from accord.errors import UsageError, some
from accord.gold.presence import presence
from accord.result import Row

if TYPE_CHECKING:
    from accord.alignment.alignment import Alignment

#: groups from which who misses and who invents can be learnt
_ENOUGH = 50


def check_keep(keep: float | None) -> None:
    if keep is not None and not (isinstance(keep, Real) and 0 <= keep < 1):
        raise UsageError(f"keep must be at least 0 and below 1, got {keep!r}")


@dataclass(frozen=True, slots=True, eq=False)
class Belief:
    """How likely each group is real, and what decides ties of labels."""

    rule: str
    probability: NDArray[np.float64]
    #: how often each annotator finds what is real
    found: NDArray[np.float64]
    invented: NDArray[np.float64] | None
    #: how often each label occurs in the campaign
    frequency: Counter[int]


def belief_of(data: Located, alignments: Sequence[Alignment], keep: float | None) -> Belief:
    """What the groups themselves say about who misses and who invents."""
    number = {name: a for a, name in enumerate(data.annotators)}
    rows = sum(len(alignment) for alignment in alignments)
    marks = np.full((rows, len(number)), -1, dtype=np.int8)
    i = 0
    for alignment in alignments:
        columns = [number[name] for name in alignment.annotators]
        for members, _ in alignment:
            marks[i, columns] = members >= 0
            i += 1
    frequency = Counter(data.label[data.label >= 0].tolist())
    if keep is None and rows >= _ENOUGH:
        known = presence(marks)
        return Belief("model", known.probability, known.found, known.invented, frequency)
    share = (marks == 1).sum(axis=1) / np.maximum((marks >= 0).sum(axis=1), 1)
    rule = 0.5 if keep is None else keep
    # a share at the rule is dropped; scaled so that what is kept lies above one half
    above = np.where(share > rule, np.maximum(share, np.nextafter(0.5, 1)), np.minimum(share, 0.5))
    return Belief(f"{rule:g}", above, np.ones(len(number)), None, frequency)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is decided about one group."""

    label: str | None
    kept: bool
    present: tuple[str, ...]
    #: the columns that a row of every shape has
    columns: dict[str, Any]


def verdict(
    data: Located,
    alignment: Alignment,
    members: NDArray[np.int64],
    disorder: float,
    belief: Belief,
    group: int,
    max_disorder: float | None,
) -> Verdict:
    """Group number `group` of all: kept when it is more likely real than not, its label by vote."""
    n = len(alignment.annotators)
    inside = members[members >= 0]
    present = tuple(alignment.annotators[a] for a in np.flatnonzero(members >= 0))
    code, share, tie = _label(data, inside, belief)
    p = float(belief.probability[group])
    real = p if belief.rule == "model" else len(inside) / n
    holds = p > 0.5 and (max_disorder is None or disorder <= max_disorder)
    label = None if code < 0 else data.categories[code]
    return Verdict(
        label,
        holds,
        present,
        {
            "label": label,
            "support": len(inside),
            "annotators": n,
            "label_share": share,
            "tie": tie,
            "disorder": float(disorder),
            "kept": holds,
            "confidence": real * share if holds else 1 - real,
            "source": "rule",
            "dissent": ";".join(a for a in alignment.annotators if (a in present) != holds),
        },
    )


def quality(
    data: Located,
    covered: Sequence[str],
    rows: Sequence[Row],
    matched: Mapping[str, int],
    belief: Belief | None = None,
) -> tuple[Row, ...]:
    """How what each annotator marked meets the consensus: precision, and recall where they saw it."""
    kept = Counter(str(row["document"]) for row in rows if row["kept"])
    where = np.isin(np.array(data.documents)[data.document] if len(data.label) else [], covered)
    out: list[dict[str, Any]] = []
    for a, who in enumerate(data.annotators):
        given = int(np.sum(where & (data.annotator == a)))
        asked = sum(kept[d] for i, d in enumerate(data.documents) if data.coverage[i, a])
        found = matched.get(who, 0)
        out.append(
            {
                "annotator": who,
                "n": given,
                "matched": found,
                "precision": found / given if given else np.nan,
                "recall": found / asked if asked else np.nan,
            }
        )
        if belief is not None and belief.invented is not None:
            out[-1] |= {"finds": float(belief.found[a]), "invents": float(belief.invented[a])}
    return tuple(out)


def terms(what: str, reference: int, rows: Sequence[Row]) -> dict[str, Any]:
    """How many of `what` the reference has, of how many considered, and how many hang by little."""
    weak = sum(r["confidence"] <= 0.5 for r in rows)
    return {
        what: reference,
        "considered": len(rows),
        "label_ties": sum(bool(r["tie"]) for r in rows),
        "weak": weak,
        "weak_share": weak / len(rows) if rows else 0.0,
    }


def doubts(
    data: Located, covered: Sequence[str], alignments: Sequence[Alignment], what: str = "documents"
) -> list[str]:
    """Alignments that are not proven, and documents that have no consensus."""
    told = [
        f"{a.document}: the alignment is within {a.gap:.3g} of the best"
        for a in alignments
        if not a.proven
    ]
    held = set(covered)
    alone = [d for d in data.documents if d not in held]
    if alone:
        told.append(
            f"{len(alone)} {what} seen by fewer than two annotators have no consensus: {some(alone)}"
        )
    return told


def _label(data: Located, inside: Any, belief: Belief) -> tuple[int, float, bool]:
    """The label of a group by vote, the share that gave it, and whether it was a tie."""
    counts = Counter(data.label[inside].tolist())
    top = max(counts.values())
    best = [code for code, count in counts.items() if count == top]
    worth = Counter[int]()
    for unit in inside.tolist():
        worth[int(data.label[unit])] += float(belief.found[data.annotator[unit]])  # type: ignore[assignment]
    chosen = min(best, key=lambda code: (-worth[code], -belief.frequency.get(code, 0), code))
    return chosen, top / len(inside), len(best) > 1
