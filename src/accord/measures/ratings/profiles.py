"""Items that received the same ratings are counted once.

Labels are encoded once and items grouped once; every coefficient then works on the few distinct
profiles, so that computing all of them costs little more than one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord.data import Ratings
from accord.data.encode import Codes
from accord.kernels.profiles import group_rows
from accord.result import Array, Sample, Score, Virtual
from accord.uncertainty.dirichlet import DISSENT, UNANIMOUS

#: profiles → additive statistics of each
Tally = Callable[["Profiles"], Any]


@dataclass(frozen=True, slots=True, eq=False)
class Profiles:
    """The distinct rows of a ragged table of ratings, and which items have them."""

    indptr: NDArray[np.int64]
    annotator: Codes
    code: Codes
    #: profile of each item
    index: NDArray[np.int32]
    #: weight of each profile, when items are weighted (they are then apart by weight)
    weight: Array | None
    ratings: Ratings

    @property
    def size(self) -> int:
        return len(self.indptr) - 1

    @property
    def per_item(self) -> NDArray[np.int64]:
        return np.diff(self.indptr)

    @property
    def row(self) -> NDArray[np.int64]:
        """Profile of each rating."""
        return np.repeat(np.arange(self.size), self.per_item)

    def sum_rows(self, values: Array) -> Any:
        """Sum a number per rating within each profile."""
        return np.bincount(self.row, weights=values, minlength=self.size)

    def in_order(self) -> Profiles:
        """The same profiles numbered by their content: for samples that keep no statistics of them."""
        mark = np.cos(97.0 * (self.code + 1.0) + 31.0 * np.sqrt(2) * (self.annotator + 1.0))
        order = np.lexsort((np.round(self.sum_rows(mark), 8), self.per_item))
        number = np.empty(self.size, dtype=np.int32)
        number[order] = np.arange(self.size)
        weight = None if self.weight is None else self.weight[order]
        return replace(self.taken(order), index=number[self.index], weight=weight)

    def taken(self, of: NDArray[np.int64]) -> Profiles:
        """These profiles in this order, perhaps some of them several times; items are not told."""
        sizes = self.per_item[of]
        indptr = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        places = np.repeat(self.indptr[of] - indptr[:-1], sizes) + np.arange(indptr[-1])
        return replace(
            self, indptr=indptr, annotator=self.annotator[places], code=self.code[places]
        )

    def sample(
        self,
        tally: Tally,
        score: Score,
        *,
        least: int = 1,
        graded: bool = False,
        scale_free: bool = False,
        **extra: Any,
    ) -> Sample:
        """A sample over the items that at least `least` annotators rated.

        `tally` gives the statistics of profiles, these and those of the virtual items. `graded`:
        some values are nearer to one another than others. `scale_free`: annotators may use scales
        of their own, so that equal values mean nothing and virtual items do not exist.
        """
        data = self.ratings
        times = data.multiplicity
        lacking = self.per_item[self.index] < least
        if lacking.any():
            times = np.where(lacking, 0, 1 if times is None else times).astype(np.int64)
        return Sample(
            rows=self._scaled(tally(self)),
            score=score,
            index=self.index,
            multiplicity=times,
            cluster=data.document,
            clusters=data.documents,
            keys=data.items,
            graded=graded,
            virtual=None if scale_free or len(data.values) < 2 else self._virtual(tally, graded),
            # who is who differs between campaigns: only sums over whoever it was mean the same
            meaning=None if self._named else data.labels,
            **extra,
        )

    @property
    def _named(self) -> bool:
        return self is self.ratings._profiles.get("named")

    def _scaled(self, rows: Any) -> Any:
        """Item weights scale the statistics."""
        if self.weight is None or rows is None:
            return rows
        from scipy.sparse import diags_array, issparse

        scale: Any = diags_array(self.weight)
        return scale @ rows if issparse(rows) else self.weight[:, None] * rows

    def _virtual(self, tally: Tally, graded: bool) -> Callable[[], Virtual]:
        named = self._named

        def made() -> Virtual:
            from accord.measures.ratings.virtual import virtual_ratings

            data = self.ratings
            if named:
                who, what = _in_their_order(data)
                data = replace(data, annotator=who, code=what, probabilities=None, _profiles={})
            in_order = graded and (data.kind == "numbers" or data.ordered)
            found = virtual_ratings(data, neighbours=in_order)
            if found is None:
                return Virtual(
                    rows=np.zeros((0, self._scaled(tally(self)).shape[1])),
                    mass=np.zeros(0), base=np.zeros(0, dtype=np.int64), names=(),
                )  # fmt: skip
            ratings, base, names = found
            profiles = _grouped(ratings, ratings.annotator, ratings.code, named=named)
            rows = profiles._scaled(tally(profiles))
            alone = np.array([other is None for _, other in names])
            mass = np.where(alone, UNANIMOUS / alone.sum(), DISSENT / max(1, (~alone).sum()))
            return Virtual(rows=rows[profiles.index], mass=mass, base=base, names=names)

        return made


def anonymous_profiles(ratings: Ratings) -> Profiles:
    """Items grouped by which values they received, whoever gave them."""
    return _cached(ratings, named=False)


def named_profiles(ratings: Ratings) -> Profiles:
    """Items grouped by who gave them which value."""
    return _cached(ratings, named=True)


def _cached(ratings: Ratings, *, named: bool) -> Profiles:
    name = "named" if named else "anonymous"
    found = ratings._profiles.get(name)
    if isinstance(found, Profiles):
        return found
    who, what = _in_their_order(ratings) if named else (ratings.annotator, ratings.code)
    profiles = ratings._profiles[name] = _grouped(ratings, who, what, named=named)
    return profiles


def _grouped(ratings: Ratings, who: Codes, what: Codes, *, named: bool) -> Profiles:
    index, indptr, annotator, code = group_rows(ratings.indptr, who, what, named)
    found = Profiles(
        indptr=indptr, annotator=annotator, code=code, index=index, weight=None, ratings=ratings
    )
    return found if ratings.weights is None else _by_weight(found, item_weights(ratings))


def item_weights(ratings: Ratings) -> Array:
    """The weights of items: how many each stands for, or where one is under 1 shares, of mean 1."""
    weights = np.asarray(ratings.weights)
    if not are_shares(weights):
        return weights
    return weights / float(np.average(weights, weights=ratings.multiplicity))


def are_shares(weights: Array) -> bool:
    """Whether weights are relative to each other: no item stands for less than itself."""
    return bool(np.any((weights > 0) & (weights < 1)))


def _by_weight(profiles: Profiles, weights: Array) -> Profiles:
    """The same profiles, apart for each weight that their items have."""
    distinct, place = np.unique(weights, return_inverse=True)
    key = profiles.index.astype(np.int64) * len(distinct) + place
    kinds, index = np.unique(key, return_inverse=True)
    return replace(
        profiles.taken(kinds // len(distinct)),
        index=index.astype(np.int32),
        weight=distinct[kinds % len(distinct)],
    )


def _in_their_order(ratings: Ratings) -> tuple[Codes, Codes]:
    """Annotators numbered by what they answered, not by their names, and the codes to match.

    Sums, fits and draws are then the same to the last digit when annotators are renamed. The number
    of an annotator follows from how many ratings they gave and from a mark of each: their value
    among the values of the item.
    """
    order = annotators_in_order(ratings)
    m = len(order)
    if np.array_equal(order, np.arange(m)):
        return ratings.annotator, ratings.code
    number = np.empty(m, dtype=ratings.annotator.dtype)
    number[order] = np.arange(m)
    place = np.lexsort((number[ratings.annotator], ratings.item))
    return number[ratings.annotator][place], ratings.code[place]


def annotators_in_order(ratings: Ratings) -> NDArray[np.int64]:
    """The annotators as named profiles number them: the first is number 0 there."""
    m = len(ratings.annotators)
    if len(ratings.code) > _MOST_ORDERED:
        return np.arange(m)
    mark = np.random.default_rng(0).random(len(ratings.values))[ratings.code]
    item = ratings.item
    among = np.bincount(item, weights=mark, minlength=len(ratings.indptr) - 1)[item]
    times = 1.0 if ratings.multiplicity is None else ratings.multiplicity[item]
    weight = 1.0 if ratings.weights is None else ratings.weights[item]
    given, kind = (
        np.bincount(ratings.annotator, weights=w, minlength=m)
        for w in (times * np.ones(len(item)), times * weight * np.cos(97 * among + 31 * mark))
    )
    return np.lexsort((np.round(kind, 8), given))


#: ratings up to which annotators are numbered by what they answered
_MOST_ORDERED = 1_000_000
#: cells of a dense table beyond which a sparse one is used
_DENSE = 5_000_000


def table(
    rows: NDArray[np.int64], columns: NDArray[Any], values: Array, shape: tuple[int, int]
) -> Any:
    """Values added into a rows × columns table: dense when small, sparse when large."""
    if shape[0] * shape[1] <= _DENSE:
        key = rows * shape[1] + columns
        return np.bincount(key, weights=values, minlength=shape[0] * shape[1]).reshape(shape)
    from scipy.sparse import coo_array

    return coo_array((values, (rows, columns)), shape=shape).tocsr()


def counted(
    profiles: Profiles,
    figures: Array | None,
    *,
    weight: Array | None = None,
    by_annotator: bool = False,
) -> Any:
    """How often each profile holds each value, or the sums of the `figures` (q, m) of its values."""
    q = len(profiles.ratings.values)
    width = q if figures is None else figures.shape[1]
    people = len(profiles.ratings.annotators) if by_annotator else 1
    first = profiles.annotator.astype(np.int64) * width if by_annotator else np.int64(0)
    if figures is None:
        row, column = profiles.row, first + profiles.code
        values = np.ones(len(row)) if weight is None else weight
    else:
        row = np.repeat(profiles.row, width)
        column = (
            np.reshape(first, (-1, 1)) + np.arange(width) + 0 * profiles.code[:, None]
        ).ravel()
        held = figures[profiles.code]
        values = (held if weight is None else weight[:, None] * held).ravel()
    return table(row, column, values, (profiles.size, people * width))


def beside(parts: list[Any]) -> Any:
    """Columns side by side, sparse if one part is."""
    from scipy.sparse import csr_array, hstack, issparse

    if any(issparse(p) for p in parts):
        return hstack([csr_array(p) for p in parts]).tocsr()
    return np.column_stack(parts)


def pair_sums(profiles: Profiles, pairs: Any) -> Array:
    """For each profile, Σ over ordered pairs of its ratings (j ≠ l) of pairs(c_j, c_l).

    Works on blocks of profiles of equal length, so that memory stays linear.
    """
    total = np.zeros(profiles.size)
    lengths = profiles.per_item
    for r in np.unique(lengths[lengths >= 2]).tolist():
        which = np.flatnonzero(lengths == r)
        height = max(1, 2_000_000 // (r * r))
        upper = np.triu_indices(r, k=1)
        for start in range(0, len(which), height):
            block = which[start : start + height]
            codes = profiles.code[profiles.indptr[block][:, None] + np.arange(r)[None, :]]
            total[block] = 2 * pairs(codes[:, upper[0]], codes[:, upper[1]]).sum(axis=1)
    return total
