"""How much data hold: by person, in all, and of what more than one person has seen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from accord.data.boxes import Boxes
from accord.data.chains import Chains
from accord.data.protocol import Annotations
from accord.data.ratings import Ratings, is_free_text
from accord.data.reading import LeftOut
from accord.data.relations import Relations
from accord.data.seen import seen_by
from accord.data.segments import Segments
from accord.data.sums import Sums
from accord.data.units import Units
from accord.errors import some

#: what one row of a shape is, where it is not called like the shape
_ROWS = {"segments": "boundaries", "chains": "mentions"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Contents:
    """What data hold, counted."""

    #: annotations of each; empty where it is not known who gave which
    by_annotator: tuple[int, ...]
    size: Mapping[str, int]
    labels: tuple[str, ...]
    scale: str
    #: what two people or more have seen: the part that agreement is measured on
    used: Mapping[str, int]
    #: what is there and not used
    left_out: tuple[LeftOut, ...] = ()


def contents_of(data: Annotations) -> Contents:
    """Count what the data hold.

    >>> from accord.data import Units
    >>> u = Units.from_rows([("d", "A", 0, 4, "x"), ("d", "B", 0, 4, "x"), ("e", "A", 5, 9, "y")])
    >>> contents_of(u.covered("marked")).used
    {'annotators': 2, 'documents': 1, 'units': 2}
    """
    return _of_ratings(data) if isinstance(data, Ratings) else _of_documents(data)


def _of_ratings(data: Ratings) -> Contents:
    if data.sums is not None:
        return _of_sums(data, data.sums)
    times = np.ones(len(data.indptr) - 1, dtype=np.int64)
    if data.multiplicity is not None:
        times = data.multiplicity
    each = np.repeat(times, data.per_item)
    shared = np.repeat(data.per_item > 1, data.per_item)
    size = {"items": data.n_items, "ratings": data.n_ratings}
    if data.documents:
        size = {"items": data.n_items, "documents": len(data.documents), "ratings": data.n_ratings}
    return Contents(
        by_annotator=() if data.anonymous else _counts(data.annotator, len(data.annotators), each),
        size=size,
        labels=tuple(data.labels),
        scale=_scale(data),
        used={
            "annotators": len(np.unique(data.annotator[shared])),
            "items": int(times[data.per_item > 1].sum()),
            "ratings": int(each[shared].sum()),
        },
    )


def _of_sums(data: Ratings, sums: Sums) -> Contents:
    """The same of numbers that were only summed: who gave how many, as far as the sums tell."""
    alike = sums.alike
    people = len(data.annotators)
    shared = alike.size > 1
    by_annotator: NDArray[np.int64] = np.zeros(0, dtype=np.int64)
    present = people
    if alike.who is not None:
        rated = alike.rated(people).astype(np.int64)
        by_annotator = alike.items @ rated
        present = int(rated[shared].any(axis=0).sum())
    return Contents(
        by_annotator=tuple(by_annotator.tolist()),
        size={"items": data.n_items, "ratings": data.n_ratings},
        labels=(),
        scale="numbers",
        used={
            "annotators": present,
            "items": int(alike.items[shared].sum()),
            "ratings": int((alike.items * alike.size)[shared].sum()),
        },
    )


def _scale(data: Ratings) -> str:
    if data.kind == "objects":
        return "vectors"
    if data.kind != "categories":
        return data.kind
    if data.ordered:
        return "ordered"
    return "texts" if is_free_text(data) else "names"


def _of_documents(data: Annotations) -> Contents:
    document, annotator, labels = _rows(data)
    seen = seen_by(data)
    shared = seen.sum(axis=1) > 1
    name = _ROWS.get(data.shape, data.shape)
    return Contents(
        by_annotator=_counts(annotator, len(data.annotators)),
        size={"documents": len(data.documents), name: len(document)},
        labels=labels,
        scale="names",
        used={
            "annotators": int(seen[shared].any(axis=0).sum()),
            "documents": int(shared.sum()),
            name: int(shared[document].sum()),
        },
        left_out=_alone(data, seen) if len(data.annotators) > 1 else (),
    )


def _alone(data: Annotations, seen: NDArray[np.bool_]) -> tuple[LeftOut, ...]:
    """The documents that one person alone has seen, by person, and the people who saw no others."""
    by_one = seen.sum(axis=1) == 1
    found: list[LeftOut] = []
    for a in np.flatnonzero(seen[by_one].any(axis=0)).tolist():
        who = data.annotators[a]
        names = [data.documents[d] for d in np.flatnonzero(by_one & seen[:, a]).tolist()]
        what = f"document{'s' if len(names) > 1 else ''} {some(names, 5)}"
        found.append(LeftOut(what=what, n=len(names), why=f"annotated by {who} only"))
        if not seen[~by_one, a].any():
            found.append(LeftOut(what=f"annotator {who!r}", why="no document with anybody else"))
    return tuple(found)


def _rows(data: Annotations) -> tuple[NDArray[np.int64], NDArray[np.int64], tuple[str, ...]]:
    """The document and the annotator of every row, and the labels that rows have."""
    if isinstance(data, (Units, Boxes, Relations)):
        return np.asarray(data.document), np.asarray(data.annotator), tuple(data.categories)
    if isinstance(data, Chains):
        return np.asarray(data.document), np.asarray(data.annotator), ()
    if isinstance(data, Segments):
        pairs = [(d, a) for (d, a), cuts in data.boundaries.items() for _ in range(len(cuts))]
        places = np.array(pairs, dtype=np.int64).reshape(-1, 2)
        return places[:, 0], places[:, 1], tuple(data.categories)
    raise TypeError(f"not annotations: {type(data).__name__}")


def _counts(
    annotator: NDArray[np.generic], people: int, each: NDArray[np.int64] | None = None
) -> tuple[int, ...]:
    counts = np.bincount(annotator, weights=each, minlength=people)
    return tuple(int(n) for n in counts.tolist())
