"""How much data hold: by person, in all, and of what more than one person has seen."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from accord.data.reading import Decision, LeftOut

if TYPE_CHECKING:
    from accord.data.ratings import Ratings
    from accord.data.sums import Sums

#: what one row of a shape is, where it is not called like the shape
_ROWS = {"segments": "boundaries", "chains": "mentions"}
#: what people do with them, and what is said where they do it alone
_WORDS = {
    "item": (
        "rated",
        "shares no item with another annotator",
        "rated by one annotator only",
    ),
    "document": (
        "annotated",
        "shares no document with another annotator",
        "annotated by one annotator only",
    ),
}
#: items or documents of one annotator that are named
_NAMED = 20


class _Seen(Protocol):
    """Annotations of documents, as far as they are counted."""

    @property
    def shape(self) -> str: ...

    @property
    def documents(self) -> tuple[str, ...]: ...

    @property
    def annotators(self) -> tuple[str, ...]: ...


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
    #: what one person alone has seen, and so does not enter agreement
    alone: tuple[LeftOut, ...] = ()
    #: who saw what, where rows do not say it
    silence: Decision | None = None


def of_items(data: Ratings) -> Contents:
    """Count ratings.

    >>> from accord.data import Ratings
    >>> of_items(Ratings.from_matrix([["x", "y", "x"], ["x", None, "x"]])).used
    {'annotators': 2, 'items': 2, 'ratings': 4}
    """
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
        alone=() if data.anonymous else _items_alone(data, times, shared),
    )


def _items_alone(
    data: Ratings, times: NDArray[np.int64], shared: NDArray[np.bool_]
) -> tuple[LeftOut, ...]:
    """Items that one annotator rated, and annotators who rated no others."""
    single = data.per_item == 1
    rows = np.flatnonzero(single)
    names = None
    if data.multiplicity is None and len(rows) <= _NAMED:
        names = [str(data.items[int(i)]) for i in rows]
    who = data.annotator[data.indptr[:-1][single]]
    met = np.zeros(len(data.annotators), dtype=bool)
    met[data.annotator[shared]] = True
    return _alone("item", names, int(times[single].sum()), who, data.annotators, met)


def _alone(
    noun: str,
    names: Sequence[str] | None,
    n: int,
    who: NDArray[np.generic],
    annotators: Sequence[str],
    met: NDArray[np.bool_],
) -> tuple[LeftOut, ...]:
    """What one annotator alone saw, by name where it is little, and who saw nothing else."""
    verb, apart, _ = _WORDS[noun]
    found = [
        LeftOut(what=f"annotator {name}", why=apart)
        for name, one in zip(annotators, met, strict=True)
        if not one and met.any()
    ]
    if names is None:
        return (*found, *_many(noun, n))
    found += [
        LeftOut(what=f"{noun} {name}", why=f"{verb} by {annotators[a]} only")
        for name, a in zip(names, who.tolist(), strict=True)
    ]
    return tuple(found)


def _many(noun: str, n: int) -> tuple[LeftOut, ...]:
    """So many that one annotator alone saw, without their names."""
    what = f"{n:,} {noun if n == 1 else noun + 's'}"
    return (LeftOut(what=what, n=n, why=_WORDS[noun][2]),) if n else ()


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
        alone=_many("item", int(alike.items[alike.size == 1].sum())),
    )


def _scale(data: Ratings) -> str:
    if data.kind == "objects":
        return "vectors"
    if data.kind != "categories":
        return data.kind
    if data.ordered:
        return "ordered"
    return "texts" if is_free_text(data) else "names"


def is_free_text(ratings: Ratings) -> bool:
    """Most answers occur once, and an answer is several words: a sentence, not a label."""
    used = np.unique(ratings.code)
    if ratings.kind != "categories" or ratings.declared or len(used) * 2 < len(ratings.code):
        return False
    words = [len(str(ratings.values[c]).split()) for c in used[:1_000].tolist()]
    return float(np.median(words)) >= 3


def of_documents(
    data: _Seen,
    document: NDArray[np.integer[Any]],
    annotator: NDArray[np.integer[Any]],
    seen: NDArray[np.bool_],
    *,
    labels: tuple[str, ...] = (),
    silence: Decision | None = None,
) -> Contents:
    """Count rows of documents and annotators; `seen` says who saw what.

    >>> from accord.data import Units
    >>> u = Units.from_rows([("d", "A", 0, 4, "x"), ("d", "B", 0, 4, "x"), ("e", "A", 5, 9, "y")])
    >>> u.covered("marked").contents().used
    {'annotators': 2, 'documents': 1, 'units': 2}
    """
    shared = seen.sum(axis=1) > 1
    name = _ROWS.get(data.shape, data.shape)
    single = np.flatnonzero(seen.sum(axis=1) == 1)
    names = [data.documents[d] for d in single] if len(single) <= _NAMED else None
    met = np.asarray(seen[shared].any(axis=0))
    return Contents(
        by_annotator=_counts(annotator, len(data.annotators)),
        size={"documents": len(data.documents), name: len(document)},
        labels=labels,
        scale="names",
        used={
            "annotators": int(met.sum()),
            "documents": int(shared.sum()),
            name: int(shared[document].sum()),
        },
        alone=_alone(
            "document",
            names,
            len(single),
            seen[single].argmax(axis=1) if len(single) else single,
            data.annotators,
            met,
        ),
        silence=silence,
    )


def seen_in(data: _Seen, pairs: Iterable[tuple[int, int]]) -> NDArray[np.bool_]:
    """Documents × annotators: whether the pair of them is among these."""
    seen = np.zeros((len(data.documents), len(data.annotators)), dtype=bool)
    for d, a in pairs:
        seen[d, a] = True
    return seen


def _counts(
    annotator: NDArray[np.generic], people: int, each: NDArray[np.int64] | None = None
) -> tuple[int, ...]:
    counts = np.bincount(annotator, weights=each, minlength=people)
    return tuple(int(n) for n in counts.tolist())
