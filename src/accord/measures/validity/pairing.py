"""A system set against a reference: the same items, the same classes, who said what."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from accord.data.encode import Codes
from accord.errors import UsageError
from accord.kernels.profiles import group_rows

Array = NDArray[np.float64]
#: item (or row) and class of each vote
Votes = tuple[NDArray[np.int64], NDArray[np.int64]]
TIES = ("split", "error", "abstain", "first", "random")
#: rows × classes held at once, at most
CELLS = 60_000_000


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Pairing:
    """Reference items with the judges' votes and the system's answers.

    The reference may be one column or many judges, the system one answer or several (an ensemble).
    Items that received the same votes and answers share a *row*: `index` gives the row of each item,
    `times` how many items (or how much of their weight) a row stands for. Arrays over classes have
    one line per row, so that a million items with twenty classes cost no more than their profiles.
    """

    keys: Sequence[str]
    labels: tuple[str, ...]
    #: the classes as numbers, when they are numbers
    numbers: Array | None
    ordered: bool
    #: the sets of labels that the classes are, when they are sets
    sets: tuple[frozenset[str], ...] | None = None
    #: votes of the judges and of the system: item and class of each
    judged: Votes
    answered: Votes
    judges: tuple[str, ...]
    ties: str = "split"
    seed: int = 0
    documents: tuple[str, ...] = ()
    document: Codes | None = None
    #: importance of each item
    weights: Array | None = None
    #: distributions where a side gives probabilities: its votes alone do not say all then
    judged_soft: Soft | None = None
    answered_soft: Soft | None = None
    warnings: tuple[str, ...] = ()
    _made: dict[str, Any] = field(default_factory=dict, repr=False)

    @property
    def n(self) -> int:
        return len(self.keys)

    # --- rows --------------------------------------------------------------------------------

    @property
    def index(self) -> NDArray[np.int64]:
        """Row of each item."""
        rows: _Rows = self._once("rows", self._rows)
        return rows.place

    @property
    def times(self) -> Array:
        """Items (or weight) behind each row."""
        times: Array = self._once(
            "times",
            lambda: np.bincount(self.index, weights=self.weights, minlength=self.height).astype(
                float
            ),
        )
        return times

    @property
    def height(self) -> int:
        """Number of rows."""
        rows: _Rows = self._once("rows", self._rows)
        return rows.height

    @property
    def row_judged(self) -> Votes:
        """Votes of the judges: row and class of each."""
        rows: _Rows = self._once("rows", self._rows)
        return rows.judged

    @property
    def row_answered(self) -> Votes:
        """Answers of the system: row and class of each."""
        rows: _Rows = self._once("rows", self._rows)
        return rows.answered

    @property
    def shares(self) -> Array:
        """p(k): share of the judges who gave class k."""
        if self.judged_soft is not None:
            return self.judged_soft.share
        shares: Array = self._once("shares", lambda: self._shares(self.row_judged))
        return shares

    @property
    def answers(self) -> Array:
        """q(k): share of the system's answers; a row of zeros where it gave none."""
        if self.answered_soft is not None:
            return self.answered_soft.share
        answers: Array = self._once("answers", lambda: self._shares(self.row_answered))
        return answers

    @property
    def tied(self) -> NDArray[np.bool_]:
        """Rows whose most voted class is not alone."""
        top = self.shares.max(axis=1, initial=0.0)
        tied: NDArray[np.bool_] = np.sum(self.shares == top[:, None], axis=1) > 1
        return tied

    @property
    def target(self) -> Array:
        """The most voted class; tied ones share the item, or follow `ties`."""
        target: Array = self._once("target", self._target)
        return target

    @property
    def choice(self) -> Array:
        """The system's own answer, tied ones sharing the item; zeros where it gave none."""
        if self.answered_soft is not None:
            return self.answered_soft.choice
        choice: Array = self._once("choice", lambda: winners(self.answers))
        return choice

    @property
    def given(self) -> NDArray[np.bool_]:
        """Rows that the system answered."""
        present = np.zeros(self.height, dtype=bool)
        present[self.row_answered[0]] = True
        return present

    @property
    def positions(self) -> Array:
        """Where each class lies: its number, or its rank for classes in order."""
        if self.numbers is not None:
            return self.numbers
        if not self.ordered:
            raise UsageError(
                "this needs numbers or classes in order; declare them with `categories=low<mid<high`"
            )
        return np.arange(len(self.labels), dtype=np.float64)

    def total(self, values: Array) -> Array:
        """Sum over items of values given per row."""
        summed: Array = self.times @ values
        return summed

    def mean(self, values: Array) -> Any:
        """Mean over items of values given per row."""
        return self.total(values) / self.times.sum()

    def _rows(self) -> _Rows:
        """Group items alike; ties drawn at random depend on the item, so each keeps its row.

        So does each where probabilities are given: hardly two are alike.
        """
        K = len(self.labels)
        soft = self.judged_soft is not None or self.answered_soft is not None
        if self.ties == "random" or soft:
            return _Rows(np.arange(self.n), self.n, self.judged, self.answered)
        alone = self._one_each(K)
        if alone is not None:
            return alone
        item = np.concatenate([self.judged[0], self.answered[0]])
        code = np.concatenate([self.judged[1], self.answered[1] + K]).astype(np.int32)
        order = np.argsort(item, kind="stable")
        code = code[order]
        counts = np.bincount(item, minlength=self.n)
        indptr = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        group, start, _, pool = group_rows(indptr, np.zeros_like(code), code, False)
        row = np.repeat(np.arange(len(start) - 1), np.diff(start))
        judge = pool < K
        return _Rows(
            group.astype(np.int64),
            len(start) - 1,
            (row[judge], pool[judge].astype(np.int64)),
            (row[~judge], pool[~judge].astype(np.int64) - K),
        )

    def _one_each(self, K: int) -> _Rows | None:
        """The common case without sorting: one reference value and at most one answer per item."""
        (item, code), (where, said) = self.judged, self.answered
        if len(item) != self.n or 4 * self.n < K * (K + 1):
            return None
        if np.any(item[1:] <= item[:-1]):
            return None
        sorted_too = not np.any(where[1:] <= where[:-1])
        if not sorted_too and np.bincount(where, minlength=1).max() > 1:
            return None
        key = code * (K + 1) + K  # K stands for no answer
        key[where] += said - K
        used = np.flatnonzero(np.bincount(key, minlength=K * (K + 1)))
        place = np.zeros(K * (K + 1), dtype=np.int64)
        place[used] = np.arange(len(used))
        answered = np.flatnonzero(used % (K + 1) < K)
        return _Rows(
            place[key],
            len(used),
            (np.arange(len(used)), used // (K + 1)),
            (answered, used[answered] % (K + 1)),
        )

    def _shares(self, votes: Votes) -> Array:
        K = len(self.labels)
        if self.height * K > CELLS:
            raise UsageError(
                f"{K} distinct values are too many to be classes; use pearson or spearman"
            )
        size = self.height * K
        counts = np.bincount(votes[0] * K + votes[1], minlength=size).reshape(-1, K).astype(float)
        total = counts.sum(axis=1, keepdims=True)
        share: Array = np.divide(counts, total, out=np.zeros_like(counts), where=total > 0)
        return share

    def _target(self) -> Array:
        soft = self.judged_soft
        best = winners(self.shares) if soft is None else soft.choice
        if self.ties in ("split", "abstain", "error"):
            return best
        out = best.copy()
        for i in np.flatnonzero(self.tied):
            among = np.flatnonzero(best[i])
            pick = among[0]
            if self.ties == "random":
                pick = among[crc32(f"{self.seed}:{self.keys[int(i)]}".encode()) % len(among)]
            out[i] = 0.0
            out[i, pick] = 1.0
        return out

    def _once(self, name: str, make: Any) -> Any:
        if name not in self._made:
            self._made[name] = make()
        return self._made[name]


class Soft(NamedTuple):
    """One side that gives probabilities: items × classes, and the classes it decides for."""

    share: Array
    choice: Array

    def of(self, items: NDArray[np.int64]) -> Soft:
        return Soft(self.share[items], self.choice[items])


class _Rows(NamedTuple):
    place: NDArray[np.int64]
    height: int
    judged: Votes
    answered: Votes


def with_warnings(pairing: Pairing, warnings: Sequence[str]) -> Pairing:
    return replace(pairing, warnings=tuple(dict.fromkeys(warnings)))


def subset(pairing: Pairing, rows: NDArray[np.int64]) -> Pairing:
    """The same pairing on some of its items."""
    number = np.full(pairing.n, -1, dtype=np.int64)
    number[rows] = np.arange(len(rows))

    def kept(votes: Votes) -> Votes:
        hold = number[votes[0]] >= 0
        return number[votes[0][hold]], votes[1][hold]

    return replace(
        pairing,
        keys=tuple(pairing.keys[i] for i in rows),
        judged=kept(pairing.judged),
        answered=kept(pairing.answered),
        judged_soft=None if pairing.judged_soft is None else pairing.judged_soft.of(rows),
        answered_soft=None if pairing.answered_soft is None else pairing.answered_soft.of(rows),
        document=None if pairing.document is None else pairing.document[rows],
        weights=None if pairing.weights is None else pairing.weights[rows],
        _made={},
    )


def winners(shares: Array) -> Array:
    """The largest of each row, tied ones in equal parts; zeros where there is nothing."""
    top = shares.max(axis=1, initial=0.0, keepdims=True)
    best = (shares == top) & (top > 0)
    count = best.sum(axis=1, keepdims=True)
    split: Array = np.divide(best, count, out=np.zeros(shares.shape), where=count > 0)
    return split
