"""What each annotator decided, as ratings of items, for data of every shape.

Whether annotators copy one another, form camps or stand apart is asked in the same way of labels, of
units, of boundaries and of chains. Ratings are taken as they are. Elsewhere an item is a mark that
somebody made (a unit with its place and label; a boundary; a mention with the one before it in its
entity), and everyone who saw the document marked it or did not. Marks must be the same to count as
the same: a measure of agreement would forgive a near miss, a comparison of annotators need not. No two
people draw the same box: there an item is a group of aligned shapes.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from accord.data import Annotations, Boxes, Chains, Ratings, Relations, Segments, Units

Indices = NDArray[np.int64]

#: more cells (marks × annotators) than this are not laid out
_MOST_CELLS = 5_000_000


def decisions(data: Annotations) -> Ratings | None:
    """Ratings as they are; marks made or not made for the other shapes; None when too many.

    >>> units = Units.from_rows([("d", "A", 0, 4, "x"), ("d", "B", 0, 4, "x"), ("d", "B", 6, 9, "x")])
    >>> made = decisions(units)
    >>> made.n_items, made.n_ratings, made.labels
    (2, 4, ('unmarked', 'marked'))
    """
    if isinstance(data, Ratings):
        return data
    document, annotator, mark, seen = _marks(data)
    if not len(mark):
        return None
    _, first, mark = np.unique(mark, return_index=True, return_inverse=True)
    place = document[first]  # the document of each mark
    viewers = seen.sum(axis=1)
    sizes = viewers[place]
    if sizes.sum() > _MOST_CELLS:
        return None
    indptr = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    starts = np.concatenate([[0], np.cumsum(viewers)])[:-1]
    who = np.nonzero(seen)[1]
    cell = np.repeat(starts[place] - indptr[:-1], sizes) + np.arange(indptr[-1])
    by = who[cell].astype(np.int32)
    m = len(data.annotators)
    made = np.isin(np.repeat(np.arange(len(place)), sizes) * m + by, mark * m + annotator)
    return Ratings(
        items=range(len(place)),
        annotators=data.annotators,
        values=("unmarked", "marked"),
        kind="categories",
        indptr=indptr,
        annotator=by,
        code=made.astype(np.int32),
        declared=True,
        documents=data.documents,
        document=place.astype(np.int32),
    )


def _marks(data: Annotations) -> tuple[Indices, Indices, Indices, NDArray[np.bool_]]:
    """(document, annotator, number of the mark) of everything marked, and who saw what."""
    if isinstance(data, Relations):
        ends = np.column_stack([data.document, data.source, data.target, data.label])
        mark = np.unique(ends.astype(np.float64), axis=0, return_inverse=True)[1]
        mark = mark.astype(np.int64).reshape(-1)
        return data.document.astype(np.int64), data.annotator.astype(np.int64), mark, data.coverage
    if isinstance(data, Boxes):
        mark = _groups(data)
        return data.document.astype(np.int64), data.annotator.astype(np.int64), mark, data.coverage
    if isinstance(data, Units):
        places = np.stack([data.document, data.start, data.end, data.label]).astype(np.float64)
        mark = np.unique(places, axis=1, return_inverse=True)[1].astype(np.int64).reshape(-1)
        return data.document.astype(np.int64), data.annotator.astype(np.int64), mark, data.coverage
    seen = np.zeros((len(data.documents), len(data.annotators)), dtype=bool)
    rows: list[tuple[int, int, int, int]] = []
    if isinstance(data, Segments):
        for (d, a), positions in data.boundaries.items():
            seen[d, a] = True
            kinds = positions if data.types is None else data.types[d, a]
            typed = data.types is not None
            rows.extend(
                (d, a, p, k if typed else 0)
                for p, k in zip(positions.tolist(), kinds.tolist(), strict=True)
            )
    elif isinstance(data, Chains):
        for d, a in data.coverage:
            seen[d, a] = True
        latest: dict[tuple[int, int, int], int] = {}
        for d, a, mention, entity in zip(
            data.document.tolist(),
            data.annotator.tolist(),
            data.mention.tolist(),
            data.entity.tolist(),
            strict=True,
        ):
            rows.append((d, a, mention, latest.get((d, a, entity), -1)))
            latest[d, a, entity] = mention
    table = np.array(rows, dtype=np.int64).reshape(-1, 4)
    mark = (
        np.unique(table[:, [0, 2, 3]], axis=0, return_inverse=True)[1].astype(np.int64).reshape(-1)
    )
    return table[:, 0], table[:, 1], mark, seen


def _groups(boxes: Boxes) -> Indices:
    """The group of aligned shapes that each belongs to; one of its own in an image that one person saw."""
    from accord.alignment.align_boxes import align_boxes, images_of
    from accord.distance.units import unit_dissimilarity

    mark = np.arange(len(boxes), dtype=np.int64)
    if images_of(boxes):
        for alignment in align_boxes(boxes, unit_dissimilarity(boxes.categories)):
            for members in alignment.members:
                rows = members[members >= 0]
                mark[rows] = rows.min()
    return mark
