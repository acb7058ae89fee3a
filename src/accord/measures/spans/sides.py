"""A reference and a system side by side: the same documents, the same labels, touching pairs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from accord.alignment.matching import best_matching
from accord.data import Units
from accord.data.choose import some
from accord.data.encode import encode_sorted
from accord.data.texts import agreed_texts, same_places
from accord.errors import InputError, UsageError

Missing = Literal["empty", "error"]
Index = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Side:
    """Spans of one side, sorted by document, start, end, label."""

    document: Index
    start: Floats
    end: Floats
    #: index into the common labels; the last one stands for "no label" when that occurs
    label: Index

    def __len__(self) -> int:
        return len(self.start)

    @property
    def length(self) -> Floats:
        return self.end - self.start


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Both:
    """Reference and system over the documents of either."""

    documents: tuple[str, ...]
    labels: tuple[str | None, ...]
    reference: Side
    system: Side
    integral: bool
    warnings: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Touching:
    """Pairs of a reference span and a system span that overlap (or nearly coincide)."""

    first: Index
    second: Index
    same_bounds: NDArray[np.bool_]
    same_label: NDArray[np.bool_]
    #: shared length
    shared: Floats
    #: shared length over joint length, 0 to 1
    share: Floats

    def where(self, keep: NDArray[np.bool_]) -> Touching:
        return Touching(
            first=self.first[keep],
            second=self.second[keep],
            same_bounds=self.same_bounds[keep],
            same_label=self.same_label[keep],
            shared=self.shared[keep],
            share=self.share[keep],
        )


def pair_up(reference: Units, system: Units, *, missing_documents: Missing = "empty") -> Both:
    """Put both sides over the same documents and labels.

    A document without any span on one side is empty there, with a warning that names it: a file of
    spans cannot say that it was read and nothing was found. A document that the reference's
    annotator did not see (its coverage says so) is left out, with a warning. With
    ``missing_documents="error"`` a document on one side only is an error. A single document of the
    same text on both sides is one document, whatever the two files call it.
    """
    if missing_documents not in ("empty", "error"):
        raise UsageError(f"missing documents must be empty or error, got {missing_documents!r}")
    for data, side in ((reference, "reference"), (system, "system")):
        if len(data.annotators) > 1:
            raise InputError(
                f"the {side} has {len(data.annotators)} annotators: {some(data.annotators)}",
                hint=f"choose one: {side}.select(annotators=[{data.annotators[0]!r}])",
            )
    warnings = []
    if _one_text(reference, system):
        ours, theirs = reference.documents[0], system.documents[0]
        warnings.append(f"document {theirs!r} of the system has the text of {ours!r}: paired")
        system = replace(system, documents=reference.documents)
    agreed_texts([reference, system])
    documents = encode_sorted([*reference.documents, *system.documents])[1]
    unseen = (
        {reference.documents[d] for d in np.flatnonzero(~reference.coverage.any(axis=1)).tolist()}
        if len(reference.annotators)
        else set()
    )
    if unseen:
        documents = [d for d in documents if d not in unseen]
        warnings.append(
            f"{len(unseen)} documents were not annotated in the reference and are left out: "
            f"{some(sorted(unseen))}"
        )
    for data, side, what in (
        (reference, "reference", "the system's spans there are spurious"),
        (system, "system", "the reference's spans there are missed"),
    ):
        absent = sorted(set(documents) - set(data.documents))
        if absent and missing_documents == "error":
            raise InputError(
                f"document {absent[0]!r} is missing in the {side}",
                hint='count it as empty with missing_documents="empty"',
            )
        if absent:
            warnings.append(
                f"{len(absent)} of {len(documents)} documents have nothing in the {side} "
                f"({what}): {some(absent)}"
            )
    names: list[str | None] = list(encode_sorted([*reference.categories, *system.categories])[1])
    if (reference.label < 0).any() or (system.label < 0).any():
        names.append(None)
    return Both(
        documents=tuple(documents),
        labels=tuple(names),
        reference=_side(reference, documents, names),
        system=_side(system, documents, names),
        integral=reference.integral and system.integral,
        warnings=tuple(warnings),
    )


def _one_text(reference: Units, system: Units) -> bool:
    """Both sides are the same single text under two names."""
    if not len(reference.documents) == len(system.documents) == 1:
        return False
    ours, theirs = reference.texts or (None,), system.texts or (None,)
    return (
        reference.documents != system.documents
        and bool(ours[0] and theirs[0])
        and same_places(ours[0] or "", theirs[0] or "")
    )


def _side(data: Units, documents: Sequence[str], labels: Sequence[str | None]) -> Side:
    place = {name: i for i, name in enumerate(documents)}
    number = np.array([place.get(name, -1) for name in data.documents], dtype=np.int64)
    at = {name: i for i, name in enumerate(labels)}
    # the entry after the last category is where label -1 (none) lands
    code = np.array([*(at[c] for c in data.categories), at.get(None, -1)], dtype=np.int64)
    document = number[data.document]
    start, end, label = data.start, data.end, code[data.label]
    kept = (np.diff(number) > 0).all() and (np.diff(code[:-1]) > 0).all() and (number >= 0).all()
    if kept and data.label.min(initial=0) >= 0:
        # units come sorted, and their new numbers keep the order
        return Side(document=document, start=start, end=end, label=label)
    order = np.lexsort((label, end, start, document))
    order = order[document[order] >= 0]
    return Side(document=document[order], start=start[order], end=end[order], label=label[order])


def touching(both: Both, *, tolerance: float = 0.0) -> Touching:
    """All pairs that overlap, and with a tolerance those whose two bounds differ by no more.

    Spans starting within another form a contiguous run in the sorted order, so the pairs come from
    binary searches alone: time grows with the spans and the pairs found.
    """
    if not 0 <= tolerance < float("inf"):
        raise UsageError(f"the tolerance must be at least 0 and finite, got {tolerance}")
    a, b = both.reference, both.system
    first, second = _overlaps(both)
    if tolerance > 0:
        near = _near(a, b, tolerance)
        pairs = np.unique(np.concatenate([first * len(b) + second, near[0] * len(b) + near[1]]))
        first, second = np.divmod(pairs, max(len(b), 1))
    s1, e1, s2, e2 = a.start[first], a.end[first], b.start[second], b.end[second]
    shared = np.maximum(np.minimum(e1, e2) - np.maximum(s1, s2), 0.0)
    joint = np.maximum(e1, e2) - np.minimum(s1, s2)
    return Touching(
        first=first,
        second=second,
        same_bounds=(np.abs(s1 - s2) <= tolerance) & (np.abs(e1 - e2) <= tolerance),
        same_label=a.label[first] == b.label[second],
        shared=shared,
        share=np.where(joint > 0, shared / np.where(joint > 0, joint, 1.0), 1.0),
    )


def _overlaps(both: Both) -> tuple[Index, Index]:
    a, b = both.reference, both.system
    (a0, a1), (b0, b1), width = _places(both)
    # a point (length zero) covers its own place only
    a0, a1 = a.document * width + a0, a.document * width + np.maximum(a1, a0 + 1)
    b0, b1 = b.document * width + b0, b.document * width + np.maximum(b1, b0 + 1)
    # b starts within a, or a starts within b after b's start: each overlap exactly once
    one = _ranges(np.searchsorted(b0, a0, "left"), np.searchsorted(b0, a1, "left"))
    two = _ranges(np.searchsorted(a0, b0, "right"), np.searchsorted(a0, b1, "left"))
    return np.concatenate([one[0], two[1]]), np.concatenate([one[1], two[0]])


def _places(both: Both) -> tuple[tuple[Index, Index], tuple[Index, Index], int]:
    """Offsets as whole numbers from 0 in the same order, and a number above them all plus one."""
    sides = (both.reference, both.system)
    every = [x for side in sides for x in (side.start, side.end) if len(x)]
    low, high = (
        (min(float(x.min()) for x in every), max(float(x.max()) for x in every))
        if every
        else (0.0, 0.0)
    )
    if both.integral and (high - low + 2) * (len(both.documents) + 1) < 2**60:
        one, two = (
            ((side.start - low).astype(np.int64), (side.end - low).astype(np.int64))
            for side in sides
        )
        return one, two, int(high - low) + 2
    where = np.unique(np.concatenate(every)) if every else np.empty(0)
    one, two = (
        (np.searchsorted(where, side.start), np.searchsorted(where, side.end)) for side in sides
    )
    return one, two, len(where) + 1


def _near(a: Side, b: Side, tolerance: float) -> tuple[Index, Index]:
    if not len(a) or not len(b):
        return np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64)
    low = min(a.start.min(), b.start.min()) - tolerance
    width = max(a.start.max(), b.start.max()) + tolerance - low + 1
    ka, kb = ((s.start - low) + s.document * width for s in (a, b))
    # the keys round: widen the search by a hair, the exact test comes after
    hair = 4 * float(np.spacing(max(ka.max(), kb.max())))
    first, second = _ranges(
        np.searchsorted(kb, ka - tolerance - hair, "left"),
        np.searchsorted(kb, ka + tolerance + hair, "right"),
    )
    keep = (
        (a.document[first] == b.document[second])
        & (np.abs(a.start[first] - b.start[second]) <= tolerance)
        & (np.abs(a.end[first] - b.end[second]) <= tolerance)
    )
    return first[keep], second[keep]


def _ranges(low: Index, high: Index) -> tuple[Index, Index]:
    """Pairs (i, j) for low[i] <= j < high[i]."""
    counts = np.maximum(high - low, 0)
    left = np.repeat(np.arange(len(low), dtype=np.int64), counts)
    begin = np.cumsum(counts) - counts
    right = np.arange(len(left), dtype=np.int64) + np.repeat(low - begin, counts)
    return left, right


def choose(pairs: Touching, *ranks: NDArray[np.int64]) -> NDArray[np.int64]:
    """The one-to-one choice of pairs that maximises the sums of `ranks`, the first most important.

    Between equals: the most pairs, then the greatest shared length. Returns numbers of pairs.
    Pairs that compete with no other are taken at once; the others form an assignment.
    """
    if not len(pairs.first):
        return np.empty(0, dtype=np.int64)
    alone = (np.bincount(pairs.first)[pairs.first] == 1) & (
        np.bincount(pairs.second)[pairs.second] == 1
    )
    rest = np.flatnonzero(~alone)
    if not len(rest):
        return np.flatnonzero(alone)
    # one number per pair whose sums compare as the lists (rank, …, pairs, share) do; sums need to
    # compare within a connected group only, which keeps the numbers small enough to be exact
    most = _largest_group(pairs.first[rest], pairs.second[rest]) + 1
    levels = 1000 if most < 4096 else 1
    weight = np.floor(pairs.share[rest] * levels) + (levels + 1.0) * most
    scale = (levels + 1.0) * most * most
    for rank in reversed(ranks):
        weight = weight + scale * rank[rest]
        scale *= most * (int(rank.max(initial=0)) + 1)
    chosen = best_matching(pairs.first[rest], pairs.second[rest], weight)
    return np.sort(np.concatenate([np.flatnonzero(alone), rest[chosen]]))


def _largest_group(first: Index, second: Index) -> int:
    """The most pairs that a connected group of pairs can contribute."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    _, i = np.unique(first, return_inverse=True)
    _, j = np.unique(second, return_inverse=True)
    size = int(i.max()) + 1
    graph = coo_array((np.ones(len(i)), (i, size + j)), shape=(size + int(j.max()) + 1,) * 2)
    group = connected_components(graph, directed=False)[1]
    counts = np.bincount(group[:size]), np.bincount(group[size:])
    shared = min(len(c) for c in counts)
    return int(np.minimum(counts[0][:shared], counts[1][:shared]).max())


def identical(both: Both) -> tuple[Index, Index]:
    """Pairs of spans equal in bounds and label, each span once."""
    a, b = both.reference, both.system
    *places, width = _places(both)

    def keyed(side: Side, start: Index, end: Index) -> Index:
        span = (side.document * width + start) * width + end
        return span * (len(both.labels) + 1) + side.label

    if float(len(both.documents)) * width * width * (len(both.labels) + 1) > 2**62:
        rows = np.concatenate(
            [np.column_stack([s.document, s.start, s.end, s.label]) for s in (a, b)]
        )
        codes = np.unique(rows, axis=0, return_inverse=True)[1].reshape(-1)
        one, two = codes[: len(a)], codes[len(a) :]
    else:
        one, two = keyed(a, *places[0]), keyed(b, *places[1])
    order = np.argsort(one, kind="stable"), np.argsort(two, kind="stable")
    one, two = one[order[0]], two[order[1]]
    if len(one) and len(two) and not (np.diff(one) == 0).any() and not (np.diff(two) == 0).any():
        _, i, j = np.intersect1d(one, two, assume_unique=True, return_indices=True)
        return order[0][i], order[1][j]
    # equal spans on one side: the n-th of one side goes with the n-th of the other
    code = np.unique(np.concatenate([one, two]), return_inverse=True)[1].reshape(-1)
    nth = [_nth(c) for c in (code[: len(one)], code[len(one) :])]
    size = max((int(n.max(initial=0)) for n in nth), default=0) + 1
    _, i, j = np.intersect1d(
        code[: len(one)] * size + nth[0],
        code[len(one) :] * size + nth[1],
        assume_unique=True,
        return_indices=True,
    )
    return order[0][i], order[1][j]


def _nth(codes: Index) -> Index:
    """How many equal entries stand before each entry of a sorted array."""
    if not len(codes):
        return codes
    starts = np.flatnonzero(np.concatenate([[True], codes[1:] != codes[:-1]]))
    return np.arange(len(codes)) - np.repeat(starts, np.diff([*starts, len(codes)]))
