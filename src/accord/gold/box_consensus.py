"""Boxes: a consensus from the best alignment of each image."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from accord.alignment.align import align
from accord.data import Boxes
from accord.data.polygons import made_polygons, shapely
from accord.errors import UsageError
from accord.gold.aligned import Belief, belief_of, check_keep, doubts, quality, terms, verdict
from accord.gold.decisions.check import NO_BOXES
from accord.gold.decisions.element import Element, versions_of
from accord.gold.decisions.identity import Resolution
from accord.gold.decisions.ledger import Ledger
from accord.gold.placed_reference import PlacedReference
from accord.result import signature

if TYPE_CHECKING:
    from accord.alignment.alignment import Alignment

Corners = tuple[float, float, float, float]
Points = tuple[tuple[float, float], ...]


def box_consensus(
    data: Boxes,
    *,
    name: str = "reference",
    keep: float | None = None,
    max_disorder: float | None = None,
    position: str = "median",
    decisions: Ledger | None = None,
    alignments: Sequence[Alignment] | None = None,
    **options: Any,
) -> PlacedReference:
    """Which shapes, where, with which label, and how sure, from the alignment of least disorder.

    A group of aligned shapes is kept, and labelled, as :func:`accord.gold.unit_consensus.unit_consensus`
    does with units: more likely real than not by a model of who misses and who invents, or drawn by more
    than `keep` of the annotators; the label by vote. Its corners are the *median* of each corner (the lower
    of two middle ones, so that they are ones that somebody drew): one careless outline does not move them,
    as it would move a *mean*, which can be asked for and is the better the more alike the annotators are.
    Medians of scattered boxes can cross, and polygons have no median: then the group's *medoid* stands for
    it, the shape that shares most with the others (it can be asked for too).

    Elements are named ``image:x0,y0,x1,y1``. `options` are those of :func:`accord.align`.
    """
    check_keep(keep)
    if position not in ("median", "mean", "medoid"):
        raise UsageError(f"the position must be median, mean or medoid, got {position!r}")
    if decisions is not None and decisions.decisions:
        raise UsageError(NO_BOXES)
    if alignments is None:
        alignments = align(data, **options)
    belief = belief_of(data, alignments, keep)
    rows: list[dict[str, Any]] = []
    elements: list[Element] = []
    kept: list[tuple[Any, ...]] = []
    matched = Counter[str]()
    for alignment in alignments:
        for row, element, place, present in _elements(
            data, alignment, belief, len(rows), max_disorder, position
        ):
            rows.append(row)
            elements.append(element)
            if row["kept"]:
                kept.append((alignment.document, name, *place, row["label"]))
                matched.update(present)
    covered = [a.document for a in alignments]
    reference = _reference(data, kept, covered, name)
    return PlacedReference(
        method="consensus",
        data=data,
        name=name,
        reference=reference,
        considered=tuple(rows),
        elements=tuple(elements),
        resolution=Resolution(names=tuple(str(r["item"]) for r in rows)),
        alignments=tuple(alignments),
        annotators=quality(data, reference, covered, matched, belief),
        terms=terms("shapes", len(kept), rows),
        warnings=tuple(doubts(data, covered, alignments, "images")),
        signature=signature(
            "gold:consensus", len(covered), keep=belief.rule, position=position,
            max_disorder=max_disorder, **options,
        ),
    )  # fmt: skip


def _reference(
    data: Boxes, kept: Sequence[tuple[Any, ...]], covered: Sequence[str], name: str
) -> Boxes:
    files = data.images or (None,) * len(data.documents)
    return Boxes.from_rows(
        kept,
        sizes={d: size for d in covered if (size := data.size_of(d)) is not None},
        images={d: f for d, f in zip(data.documents, files, strict=True) if f is not None},
        coverage=[(d, name) for d in covered],
        categories=data.categories or None,
    )


def _elements(
    data: Boxes,
    alignment: Alignment,
    belief: Belief,
    first: int,
    max_disorder: float | None,
    position: str,
) -> list[tuple[dict[str, Any], Element, Corners | tuple[Points], tuple[str, ...]]]:
    """Each group of an image: its row, its element, where it is, who takes part."""
    out = []
    for i, (members, disorder) in enumerate(alignment):
        corners, points = _place(data, members[members >= 0], position)
        found = verdict(data, alignment, members, disorder, belief, first + i, max_disorder)
        item = f"{alignment.document}:{','.join(f'{c:g}' for c in corners)}#{i}"
        place = dict(zip(("x0", "y0", "x1", "y1"), corners, strict=True))
        row = {"item": item, "document": alignment.document, **place, **found.columns}
        versions = versions_of(
            (who, None if row_ < 0 else _value(data, row_))
            for who, row_ in zip(alignment.annotators, members.tolist(), strict=True)
        )
        element = Element(
            item=item,
            document=alignment.document,
            place={"document": alignment.document, **place, "label": found.label},
            versions=versions,
        )
        out.append((row, element, corners if points is None else (points,), found.present))
    return out


def _value(data: Boxes, row: int) -> dict[str, Any]:
    code = int(data.label[row])
    return {
        **{name: float(getattr(data, name)[row]) for name in ("x0", "y0", "x1", "y1")},
        "label": None if code < 0 else data.categories[code],
    }


def _place(data: Boxes, inside: Any, position: str) -> tuple[Corners, Points | None]:
    """Where a group is: its corners, and its points where it is a polygon."""
    corners = data.corners[inside]
    drawn = data.outlines is not None and any(data.outlines[i] is not None for i in inside.tolist())
    if position != "medoid" and not drawn:
        if position == "mean":
            found = corners.mean(axis=0)
        else:
            found = np.sort(corners, axis=0)[(len(inside) - 1) // 2]
        x0, y0, x1, y1 = found.tolist()
        if x0 < x1 and y0 < y1:
            return (x0, y0, x1, y1), None
    best = int(inside[_medoid(data, inside)])
    outline = None if data.outlines is None else data.outlines[best]
    x0, y0, x1, y1 = data.corners[best].tolist()
    points = None if outline is None else tuple((x, y) for x, y in outline.tolist())
    return (x0, y0, x1, y1), points


def _medoid(data: Boxes, inside: Any) -> int:
    """The place of the shape that shares most with the others: of greatest summed IoU."""
    if len(inside) == 1:
        return 0
    corners = data.corners[inside]
    area = data.area[inside]
    if data.outlines is not None and any(data.outlines[i] is not None for i in inside.tolist()):
        library = shapely()
        shapes = library.box(*corners.T)
        for k, i in enumerate(inside.tolist()):
            outline = data.outlines[i]
            if outline is not None:
                shapes[k] = made_polygons([outline])[0]
        shared = library.area(library.intersection(shapes[:, None], shapes[None, :]))
    else:
        low = np.maximum(corners[:, None, :2], corners[None, :, :2])
        high = np.minimum(corners[:, None, 2:], corners[None, :, 2:])
        shared = np.prod(np.maximum(0.0, high - low), axis=2)
    iou = shared / (area[:, None] + area[None, :] - shared)
    return int(np.argmax(np.round(iou.sum(axis=1), 12)))
