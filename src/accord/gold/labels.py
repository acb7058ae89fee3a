"""What the models of a reference read, and what they give back."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from accord.data import Ratings
from accord.data.encode import Codes
from accord.errors import InputError, UsageError

Array = NDArray[np.float64]

#: two probabilities closer than this cannot be told apart after sums in another order: they tie
TIE = 1e-9


def refuse_nothing(data: Ratings) -> None:
    """A reference is made of values."""
    if not len(data.values):
        raise InputError(
            "no item has a value, and a reference is made of values", hint="check the value column"
        )


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Labels:
    """Labels sorted by item, the weight of each annotator, and the classes known beforehand."""

    indptr: NDArray[np.int64]
    annotator: Codes
    code: Codes
    n_annotators: int
    n_classes: int
    #: how much each annotator's labels count (1 unless correlated or given)
    weight: Array
    #: known class of each item, or -1
    clamp: Codes
    #: the classes are in order
    ordered: bool = False

    @classmethod
    def of(
        cls, data: Ratings, *, weight: Array | None = None, clamp: Codes | None = None
    ) -> Labels:
        if data.multiplicity is not None:
            raise UsageError("a reference needs the single items; these data are counts of them")
        return cls(
            indptr=data.indptr,
            annotator=data.annotator,
            code=data.code,
            n_annotators=len(data.annotators),
            n_classes=len(data.values),
            weight=np.ones(len(data.annotators)) if weight is None else weight,
            clamp=np.full(len(data.indptr) - 1, -1, dtype=np.int32) if clamp is None else clamp,
            ordered=data.ordered and data.kind == "categories",
        )

    @property
    def n_items(self) -> int:
        return len(self.indptr) - 1

    @property
    def n_labels(self) -> int:
        return len(self.code)

    def parts(self) -> Iterator[Labels]:
        """All labels, which are one part; a pass goes over the parts."""
        yield self

    @property
    def item(self) -> NDArray[np.int64]:
        return np.repeat(np.arange(self.n_items), np.diff(self.indptr))

    def votes(self) -> Array:
        """Weighted votes: items × classes."""
        key = self.item * self.n_classes + self.code
        weights = None if np.all(self.weight == 1) else self.weight[self.annotator]
        size = self.n_items * self.n_classes
        counted = np.bincount(key, weights=weights, minlength=size)
        return counted.astype(np.float64).reshape(self.n_items, self.n_classes)

    def shares(self) -> Array:
        """Share of the votes; known items are certain, items nobody labelled are uniform."""
        share = normalised(self.votes())
        known = self.clamp >= 0
        share[known] = 0.0
        share[known, self.clamp[known]] = 1.0
        return share

    def per_annotator(self) -> Array:
        """Number of labels of each annotator."""
        return np.bincount(self.annotator, minlength=self.n_annotators).astype(np.float64)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Chunks:
    """Labels too many to hold: a pass reads them again, so many whole items at a time."""

    n_annotators: int
    n_classes: int
    weight: Array
    n_items: int
    n_labels: int
    read: Callable[[], Iterator[Labels]]

    def parts(self) -> Iterator[Labels]:
        """The labels, part by part."""
        return self.read()


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Estimate:
    """What a model found: distributions, annotators, items, and how its objective went."""

    #: of each item; of none where labels came in chunks (`apply` gives them, chunk by chunk)
    posterior: Array
    #: the distributions of a part of the labels, under what was found
    apply: Callable[[Labels], Array] | None = None
    #: expected share of right labels of each annotator; NaN for one without labels
    accuracy: Array | None = None
    #: makes `confusion`, which is large where the classes are many
    tables: Callable[[], Array] | None = None
    #: other figures per annotator (the model's own names)
    annotators: Mapping[str, Array] = field(default_factory=dict)
    #: larger is harder
    difficulty: Array | None = None
    prior: Array | None = None
    objective: tuple[float, ...] = ()
    converged: bool | None = None
    notes: tuple[str, ...] = ()

    @property
    def confusion(self) -> Array | None:
        """Annotators × said × true: P(said | true)."""
        return None if self.tables is None else self.tables()


def normalised(votes: Array) -> Array:
    """Rows that sum to one; a row of zeros becomes uniform."""
    total = votes.sum(axis=1, keepdims=True)
    return np.where(total > 0, votes / np.where(total > 0, total, 1), 1 / max(1, votes.shape[1]))


def agreement_with(posterior: Array, labels: Labels) -> Array:
    """Expected share of each annotator's labels that are right under these distributions."""
    return agreement_under(lambda part: posterior, labels)


def agreement_under(apply: Callable[[Labels], Array], labels: Labels | Chunks) -> Array:
    """The same, where the distributions are made part by part."""
    right, given = np.zeros(labels.n_annotators), np.zeros(labels.n_annotators)
    for part in labels.parts():
        right += np.bincount(
            part.annotator,
            weights=apply(part)[part.item, part.code],
            minlength=labels.n_annotators,
        )
        given += part.per_annotator()
    return np.where(given > 0, right / np.where(given > 0, given, 1), np.nan)


def whole(labels: Labels | Chunks, apply: Callable[[Labels], Array]) -> Array:
    """The distributions of all items, where they are held; of none where they come in chunks."""
    if isinstance(labels, Labels):
        return apply(labels)
    return np.empty((0, labels.n_classes))
