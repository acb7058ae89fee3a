"""box-f1: shapes that match in place and label, among annotators and against a reference."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from accord.alignment.matching import best_matching
from accord.alignment.scenes import cells_of
from accord.data.boxes import Boxes
from accord.data.join import joined
from accord.data.roles import changed
from accord.distance.boxes import Geometry
from accord.errors import UsageError
from accord.measures.boxes.options import IOU, UNLABELLED
from accord.measures.spans.counts import Average, Matched, tabulate
from accord.measures.spans.options import AVERAGE, MISSING_DOCUMENTS
from accord.measures.spans.pairwise import mean_f1
from accord.measures.spans.sides import Index, Missing, shared_documents, shared_labels
from accord.registry import measure
from accord.result import NO_SHARED_DOCUMENT, Array, Result, Row, Rows, signature

#: pairs of annotators compared at most
_MOST_PAIRS = 5_000
_UNCORRECTED = (
    "not corrected for chance: where everybody draws the middle of every image they match without "
    "looking; report box-gamma beside it"
)
_NO_SHAPE = "there is no shape"
_CITATION = "Everingham et al. 2010, IJCV 88(2), the overlap of PASCAL VOC; greatest matching here"


@measure(
    "box-f1",
    title="mean F-measure of the annotators' boxes, two by two",
    shape="boxes",
    question="agree",
    citation=_CITATION,
    range=(0.0, 1.0),
    aliases=("boxf1",),
    use="What many papers report for boxes, and easy to explain; it knows no chance, and IoU .49 is as "
    "bad as a missing box. Report box-gamma beside it.",
    options=(IOU, UNLABELLED),
)
def box_f1(boxes: Boxes, *, iou: float, unlabelled: bool) -> Result:
    """The F-measure of each two annotators, averaged over the pairs.

    ::

        value = (1/|pairs|) Σ_{a<b} 2·m_ab / (n_a + n_b),    pooled = Σ 2·m_ab / Σ (n_a + n_b)

    m_ab counts the shapes of a and b that match one to one, as many as possible: the same label (unless
    `unlabelled`) and an intersection over union of at least `iou`. Counts are summed over the images
    that both saw. A pair without any shape is left out and named. It is not corrected for chance.

    Everingham, M. et al. (2010). The PASCAL Visual Object Classes (VOC) challenge. *IJCV* 88(2).

    Deviations: a greatest matching, where VOC and COCO match greedily by confidence, which annotators
    do not have.

    >>> rows = [("p", "A", 0, 0, 10, 10, "cat"), ("p", "B", 2, 0, 12, 10, "cat"),
    ...         ("p", "B", 50, 50, 60, 60, "cat")]
    >>> print(box_f1(Boxes.from_rows(rows)))
    box-f1 = 0.6667
    """
    saw = boxes.coverage.astype(np.int64)
    together = np.triu(saw.T @ saw, 1)
    couples = np.argwhere(together > 0)
    if len(couples) > _MOST_PAIRS:
        raise UsageError(
            f"{len(boxes.annotators)} annotators make {len(couples)} pairs that saw an image; "
            "choose some annotators first"
        )
    people, D, L = len(boxes.annotators), len(boxes.documents), len(boxes.categories)
    number = np.full((people, people), -1, dtype=np.int64)
    number[couples[:, 0], couples[:, 1]] = np.arange(len(couples))
    steps = _Steps.of(boxes, iou)
    matched, _ = steps.matched(boxes, unlabelled=unlabelled)
    first = matched[0]
    of_pair = number[boxes.annotator[first], boxes.annotator[matched[1]]]
    table = np.zeros((D, len(couples), 3))
    np.add.at(table[:, :, 0], (boxes.document[first], of_pair), 1)
    counts = np.zeros((D, people, L + 1))
    np.add.at(counts, (boxes.document, boxes.annotator, boxes.label), 1)
    both = saw[:, couples[:, 0]] * saw[:, couples[:, 1]]
    for side in (0, 1):
        table[:, :, 1 + side] = counts.sum(axis=2)[:, couples[:, side]] * both
    drawn: NDArray[np.bool_] = np.asarray(table[:, :, 1:].any(axis=(0, 2)))
    names = [(boxes.annotators[a], boxes.annotators[b]) for a, b in couples.tolist()]
    labels: dict[str | None, Array] = {}
    if not unlabelled:
        for k, label in enumerate((*boxes.categories, None)):
            sums = np.zeros((D, 3))
            at = k if label is not None else -1
            own = boxes.label[first] == at
            np.add.at(sums[:, 0], boxes.document[first[own]], 1)
            for side in (0, 1):
                sums[:, 1 + side] = (counts[:, couples[:, side], at] * both).sum(axis=1)
            if sums.any():
                labels[label] = sums
    found = mean_f1(
        "box-f1",
        boxes,
        [who for who, any_ in zip(names, drawn, strict=True) if any_],
        [" and ".join(who) for who, any_ in zip(names, drawn, strict=True) if not any_],
        table[:, drawn].reshape(D, -1),
        labels,
        signature=signature(
            "box-f1", len(boxes), iou=f"{iou:g}", unlabelled="yes" if unlabelled else None,
            seen=boxes.seen,
        ),
        warning=_UNCORRECTED,
        undefined=_NO_SHAPE if len(couples) else NO_SHARED_DOCUMENT,
        by={"errors": Rows(lambda: _errors(boxes, steps, table))},
    )  # fmt: skip
    return _with_labels(replace(found, warnings=(*found.warnings, *boxes.notes)))


@measure(
    "box-f1",
    title="F-measure of boxes",
    shape="boxes",
    question="score",
    citation=_CITATION,
    range=(0.0, 1.0),
    aliases=("boxf1",),
    use="Boxes of a system (or an annotator) against a reference, at one threshold of overlap. For "
    "detections with confidences, average precision by faster-coco-eval.",
    options=(IOU, UNLABELLED, AVERAGE, MISSING_DOCUMENTS),
)
def box_f1_score(
    reference: Boxes,
    system: Boxes,
    *,
    iou: float,
    unlabelled: bool,
    average: Average,
    missing_documents: Missing,
) -> Result:
    """F-measure of shapes that match one of the reference in label and place.

    ::

        P = COR/ACT, R = COR/POS, F = 2·COR/(POS + ACT)

    COR is the greatest number of shapes that can be matched one to one, with the same label (unless
    `unlabelled`) and an intersection over union of at least `iou`; POS shapes of the reference, ACT of
    the system, MIS = POS − COR, SPU = ACT − COR.

    >>> ref = Boxes.from_rows([("p", "ref", 0, 0, 10, 10, "cat"), ("p", "ref", 20, 20, 40, 40, "dog")])
    >>> sys = Boxes.from_rows([("p", "sys", 2, 0, 12, 10, "cat"), ("p", "sys", 21, 20, 41, 42, "cat")])
    >>> result = box_f1_score(ref, sys)
    >>> print(result, result.terms["COR"], result.terms["MIS"], result.terms["SPU"])
    box-f1 = 0.5000 1 1 1
    """
    documents, warnings = shared_documents(reference, system, missing_documents)
    names = shared_labels(reference, system)
    whole = joined([_called(reference, "reference"), _called(system, "system")])
    assert isinstance(whole, Boxes)
    whole = whole.select(documents=documents)
    steps = _Steps.of(whole, iou)
    (first, second), _ = steps.matched(whole, unlabelled=unlabelled)
    at = {name: k for k, name in enumerate(names)}
    code = np.array([*(at[c] for c in whole.categories), at.get(None, -1)], dtype=np.int64)
    rows = [np.flatnonzero(whole.annotator == a) for a in (0, 1)]
    sides = [_Side(whole.document[own].astype(np.int64), code[whole.label[own]]) for own in rows]
    place = np.zeros(len(whole), dtype=np.int64)
    for own in rows:
        place[own] = np.arange(len(own))
    result = tabulate(
        "box-f1",
        _Both(
            whole.documents,
            tuple(names),
            sides[0],
            sides[1],
            (*warnings, *reference.notes, *system.notes),
        ),
        Matched(
            first=place[first], second=place[second], outcome=np.zeros(len(first), dtype=np.int64)
        ),
        average=average,
        options={"iou": f"{iou:g}", "unlabelled": "yes" if unlabelled else None},
        by={"errors": lambda: _mistakes(whole, steps)},
    )
    return _with_labels(result)


@dataclass(frozen=True, slots=True, eq=False)
class _Side:
    """Shapes of one side, by document and label."""

    document: Index
    label: Index

    def __len__(self) -> int:
        return len(self.document)


@dataclass(frozen=True, slots=True, eq=False)
class _Both:
    documents: tuple[str, ...]
    labels: tuple[str | None, ...]
    reference: _Side
    system: _Side
    warnings: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class _Steps:
    """All pairs of overlapping shapes of two annotators, and whether they overlap enough."""

    first: Index
    second: Index
    near: NDArray[np.bool_]

    @classmethod
    def of(cls, boxes: Boxes, iou: float) -> _Steps:
        edges = cells_of(boxes)
        people = len(boxes.annotators)
        bounds = np.column_stack([edges[:-1].reshape(-1, people), edges[people::people]])
        shapes = Geometry.of(boxes)
        indptr, other, shared = shapes.meeting(np.ascontiguousarray(bounds, dtype=np.int64))
        first = np.repeat(np.arange(len(boxes)), np.diff(indptr))
        second = other.astype(np.int64)
        return cls(first, second, shapes.iou(first, second, shared) >= iou)

    def matched(
        self, boxes: Boxes, *, unlabelled: bool, taken: Sequence[tuple[Index, Index]] = (),
        loose: bool = False,
    ) -> tuple[tuple[Index, Index], NDArray[np.int64]]:  # fmt: skip
        """The greatest matching of every two annotators in every image; `taken` pairs are left out.

        An element stands once for each annotator that it may be matched with.
        """
        use = np.full(len(self.first), True) if loose else self.near.copy()
        if not unlabelled:
            use &= boxes.label[self.first] == boxes.label[self.second]
        people = np.int64(max(1, len(boxes.annotators)))
        left = self.first * people + boxes.annotator[self.second]
        right = self.second * people + boxes.annotator[self.first]
        for one, two in taken:
            use &= ~np.isin(left, one * people + boxes.annotator[two])
            use &= ~np.isin(right, two * people + boxes.annotator[one])
        places = np.flatnonzero(use)
        best = places[best_matching(left[places], right[places], np.ones(len(places)))]
        return (self.first[best], self.second[best]), best


def _analysed(boxes: Boxes, steps: _Steps) -> dict[str, int]:
    """Pairs by what they differ in: what is right first, then what comes nearest to it."""
    found: dict[str, int] = {}
    taken: list[tuple[Index, Index]] = []
    for name, unlabelled, loose in (
        ("same", False, False),
        ("other label", True, False),
        ("other place", False, True),
        ("other label and place", True, True),
    ):
        pairs, _ = steps.matched(boxes, unlabelled=unlabelled, taken=taken, loose=loose)
        taken.append(pairs)
        found[name] = len(pairs[0])
    return found


def _errors(boxes: Boxes, steps: _Steps, table: Array) -> list[Row]:
    counts = _analysed(boxes, steps)
    counts["missing"] = int(table[:, :, 1:].sum()) - 2 * sum(counts.values())
    whole = sum(counts.values())
    return [
        {"error": name, "pairs": n, "share": n / whole if whole else math.nan}
        for name, n in counts.items()
    ]


def _mistakes(whole: Boxes, steps: _Steps) -> list[Row]:
    counts = _analysed(whole, steps)
    paired = sum(counts.values())
    for name, side in (("missed", 0), ("spurious", 1)):
        counts[name] = int((whole.annotator == side).sum()) - paired
    return [{"error": name, "n": n} for name, n in counts.items()]


def _called(boxes: Boxes, name: str) -> Boxes:
    made = changed(boxes, annotators=(name,) if boxes.annotators else ())
    assert isinstance(made, Boxes)
    return made


def _with_labels(result: Result) -> Result:
    """The breakdown by category under the word that shapes have for it; "category" when asked for."""
    held = result.by.get("category", ())
    rows = [
        {"label": row["category"], **{k: v for k, v in row.items() if k != "category"}}
        for row in held
    ]
    shown = {k: v for k, v in result.by.items() if k not in ("category", "errors")}
    # shapes without any label are one row that says nothing
    labelled = any(row["label"] is not None for row in rows)
    return replace(
        result,
        by={**shown, **({"label": rows} if labelled else {})},
        offers={
            "category": lambda: held,
            "label": lambda: rows,
            "errors": lambda: result.by["errors"],
        },
    )
