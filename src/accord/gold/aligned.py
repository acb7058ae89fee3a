"""What is aligned, taken together: whether it is real, under which label, and how each annotator meets it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
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
    reference: Located,
    covered: Sequence[str],
    matched: Mapping[str, int],
    belief: Belief | None = None,
) -> tuple[Row, ...]:
    """How what each annotator marked meets the reference, in the documents that they saw.

    What they marked has the place and the label of something in the reference, its place only, is aligned
    with it nearby (`matched` counts all three), or is extra; what the reference has beside is missed.
    Precision and recall are those of place and label.
    """
    marks: dict[tuple[str, str], Counter[tuple[Any, Any]]] = {}
    for side in (data, reference):
        rows: Iterable[Any] = side
        for row in rows:
            place = tuple(x for name, x in zip(row._fields, row, strict=True) if name != "label")
            key = (str(row[0]), str(row[1]))
            marks.setdefault(key, Counter())[place[2:], row.label] += 1
    (name,) = reference.annotators
    out: list[dict[str, Any]] = []
    for a, who in enumerate(data.annotators):
        n = asked = same = placed = 0
        for d, document in enumerate(data.documents):
            if document not in covered or not data.coverage[d, a]:
                continue
            own, kept = (marks.get((document, x), Counter()) for x in (who, name))
            n, asked, same = n + own.total(), asked + kept.total(), same + (own & kept).total()
            placed += (_places(own) & _places(kept)).total()
        near = max(min(matched.get(who, 0), n, asked) - placed, 0)
        out.append(
            {
                "annotator": who,
                "n": n,
                "same": same,
                "place_only": placed - same,
                "near": near,
                "missed": asked - placed - near,
                "extra": n - placed - near,
                "precision": same / n if n else np.nan,
                "recall": same / asked if asked else np.nan,
            }
        )
        if belief is not None and belief.invented is not None:
            out[-1] |= {"finds": float(belief.found[a]), "invents": float(belief.invented[a])}
    return tuple(out)


def _places(marks: Mapping[tuple[Any, Any], int]) -> Counter[Any]:
    """How many lie at each place, whatever their labels."""
    found = Counter[Any]()
    for (place, _), n in marks.items():
        found[place] += n
    return found


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
            f"{len(alone)} {what} have no consensus, fewer than two people annotated them: {some(alone)}"
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
