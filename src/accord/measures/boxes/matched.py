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
from accord.data.protocol import changed
from accord.distance.boxes import Geometry
from accord.measures.boxes.options import IOU, UNLABELLED
from accord.measures.spans.counts import Average, Matched, tabulate
from accord.measures.spans.options import AVERAGE, MISSING_DOCUMENTS
from accord.measures.spans.pairwise import Compared, mean_over_pairs
from accord.measures.spans.sides import Index, Missing, shared_documents, shared_labels
from accord.registry import measure
from accord.result import Result, Row, signature

_UNCORRECTED = (
    "not corrected for chance: where everybody draws the middle of every image they match without "
    "looking; report box-gamma beside it"
)
_NO_SHAPE = "there is no shape"
_CITATION = "Everingham et al. 2010, IJCV 88(2), the overlap of PASCAL VOC; greatest matching here"


@measure(
    "box-f1",
    title="mean F-measure of the annotators' boxes, two by two",
    usual=True,
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
    steps = _Steps.of(boxes, iou)
    (first, second), _ = steps.matched(boxes, unlabelled=unlabelled)
    D, L = len(boxes.documents), len(boxes.categories)
    counts = np.zeros((D, len(boxes.annotators), L + 1))
    np.add.at(counts, (boxes.document, boxes.annotator, boxes.label), 1)
    pair = boxes.annotator[first].astype(np.int64) * len(boxes.annotators) + boxes.annotator[second]
    # matches by pair of annotators; a shape without a label is counted in the last column
    order = np.argsort(pair, kind="stable")
    place, label, pair = boxes.document[first][order], boxes.label[first][order], pair[order]

    def compare(a: int, b: int, documents: Sequence[int]) -> Compared:
        here = slice(*np.searchsorted(pair, (a * len(boxes.annotators) + b + np.array([0, 1]))))
        matched = np.zeros((D, L + 1))
        np.add.at(matched, (place[here], label[here]), 1)
        held = np.stack([matched, counts[:, a], counts[:, b]], axis=2)[documents]
        used = [] if unlabelled else np.flatnonzero(held.any(axis=(0, 2))).tolist()
        names = (*boxes.categories, None)
        return Compared(documents, held.sum(axis=1), {names[k]: held[:, k] for k in used})

    found = mean_over_pairs(
        "box-f1",
        boxes,
        compare,
        of_label="label",
        undefined=_NO_SHAPE,
        signature=signature(
            "box-f1", boxes.compared, iou=f"{iou:g}", unlabelled="yes" if unlabelled else None,
            seen=boxes.seen,
        ),
        notes=(_UNCORRECTED, *boxes.notes),
    )  # fmt: skip
    return _with_labels(replace(found, offers={"errors": lambda: _errors(boxes, steps)}))


@measure(
    "box-f1",
    title="F-measure of boxes",
    usual=True,
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
    within = steps.matched(whole, unlabelled=False)[0]
    found = steps.matched(whole, unlabelled=True)[0] if unlabelled else within
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
        *(
            Matched(first=place[one], second=place[two], outcome=np.zeros(len(one), dtype=np.int64))
            for one, two in (found, within)
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


def _errors(boxes: Boxes, steps: _Steps) -> list[Row]:
    counts = _analysed(boxes, steps)
    # every shape is looked for by every other annotator of its image
    others = boxes.coverage.sum(axis=1)[boxes.document] - 1
    counts["missing"] = int(others.sum()) - 2 * sum(counts.values())
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
    """The breakdown by label, which is also found as "category"; mistakes when they are asked for."""
    name = "label" if "label" in result.by else "category"
    rows = [
        {"label": row[name], **{k: v for k, v in row.items() if k != name}}
        for row in result.by[name]
    ]
    shown = {k: v for k, v in result.by.items() if k not in ("category", "label", "errors")}
    # shapes without any label are one row that says nothing
    labelled = any(row["label"] is not None for row in rows)
    offers = dict(result.offers)
    if "errors" in result.by:
        offers["errors"] = lambda: result.by["errors"]
    return replace(
        result,
        by={**shown, **({"label": rows} if labelled else {})},
        offers={
            **offers,
            "label": lambda: rows,
            "category": lambda: [{"category": row["label"], **row} for row in rows],
        },
    )
