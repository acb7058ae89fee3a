"""Boxes: a consensus from the best alignment of each image."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from accord.alignment.align import align
from accord.data import Boxes
from accord.data.choose import some
from accord.data.polygons import made_polygons, shapely
from accord.errors import UsageError
from accord.gold.consensus import Consensus
from accord.gold.decisions.element import Element, versions_of
from accord.gold.decisions.identity import Resolution
from accord.gold.decisions.ledger import Ledger
from accord.gold.unit_consensus import Belief, belief_of, label_of_group
from accord.result import Row, signature

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
) -> Consensus:
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
    if keep is not None and not 0 <= keep < 1:
        raise UsageError(f"keep must be at least 0 and below 1, got {keep}")
    if position not in ("median", "mean", "medoid"):
        raise UsageError(f"the position must be median, mean or medoid, got {position!r}")
    if decisions is not None and decisions.decisions:
        raise UsageError(
            "decisions about boxes cannot be taken in: edit the table of the reference"
        )
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
    alone = [d for d in data.documents if d not in set(covered)]
    warnings = [f"{a.document}: the alignment is within {a.gap:.3g} of the best" for a in alignments
                if not a.proven]  # fmt: skip
    if alone:
        warnings.append(
            f"{len(alone)} images seen by fewer than two annotators have no consensus: {some(alone)}"
        )
    weak = sum(r["confidence"] <= 0.5 for r in rows)
    return Consensus(
        method="consensus",
        data=data,
        reference=_reference(data, kept, covered, name),
        rows=tuple(rows),
        elements=tuple(elements),
        resolution=Resolution(names=tuple(str(r["item"]) for r in rows)),
        alignments=tuple(alignments),
        annotators=_quality(data, covered, rows, matched, belief),
        terms={
            "shapes": len(kept),
            "considered": len(rows),
            "label_ties": sum(r["tie"] for r in rows),
            "weak": weak,
            "weak_share": weak / len(rows) if rows else 0.0,
        },
        warnings=tuple(warnings),
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
) -> list[tuple[dict[str, Any], Element, Corners | tuple[Points], list[str]]]:
    """Each group of an image: its row, its element, where it is, who takes part."""
    out = []
    n = len(alignment.annotators)
    for i, (members, disorder) in enumerate(alignment):
        inside = members[members >= 0]
        present = [alignment.annotators[a] for a in np.flatnonzero(members >= 0)]
        corners, points = _place(data, inside, position)
        code, share, tie = label_of_group(data, inside, belief)
        m = len(inside)
        p = float(belief.probability[first + i])
        real = p if belief.rule == "model" else m / n
        holds = p > 0.5 and (max_disorder is None or disorder <= max_disorder)
        label = None if code < 0 else data.categories[code]
        item = f"{alignment.document}:{','.join(f'{c:g}' for c in corners)}#{i}"
        place = dict(zip(("x0", "y0", "x1", "y1"), corners, strict=True))
        row = {
            "item": item,
            "document": alignment.document,
            **place,
            "label": label,
            "support": m,
            "annotators": n,
            "label_share": share,
            "tie": tie,
            "disorder": float(disorder),
            "kept": holds,
            "confidence": real * share if holds else 1 - real,
            "source": "rule",
            "dissent": ";".join(a for a in alignment.annotators if (a in present) != holds),
        }
        versions = versions_of(
            (who, None if row_ < 0 else _value(data, row_))
            for who, row_ in zip(alignment.annotators, members.tolist(), strict=True)
        )
        element = Element(
            item=item,
            document=alignment.document,
            place={"document": alignment.document, **place, "label": label},
            versions=versions,
        )
        out.append((row, element, corners if points is None else (points,), present))
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


def _quality(
    data: Boxes,
    covered: Sequence[str],
    rows: Sequence[Row],
    matched: Counter[str],
    belief: Belief,
) -> tuple[Row, ...]:
    """How each annotator's shapes meet the consensus: precision, and recall where they saw it."""
    kept = Counter(str(row["document"]) for row in rows if row["kept"])
    where = np.isin(np.array(data.documents)[data.document] if len(data) else [], covered)
    out: list[dict[str, Any]] = []
    for a, who in enumerate(data.annotators):
        given = int(np.sum(where & (data.annotator == a)))
        asked = sum(kept[d] for i, d in enumerate(data.documents) if data.coverage[i, a])
        out.append(
            {
                "annotator": who,
                "n": given,
                "matched": matched[who],
                "precision": matched[who] / given if given else np.nan,
                "recall": matched[who] / asked if asked else np.nan,
            }
        )
        if belief.invented is not None:
            out[-1] |= {"finds": float(belief.found[a]), "invents": float(belief.invented[a])}
    return tuple(out)
