"""A reference written as it is made: labels in chunks of whole items, never all in memory.

Dawid & Skene and MACE pass over all labels again and again, and what a pass leaves is small: sums per
annotator and class. Labels are therefore put on the disk once, the labels of an item side by side, a
few bytes each, and every pass reads them chunk by chunk; the last pass writes the reference.
"""

from __future__ import annotations

import csv
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord.data import Ratings
from accord.data.brief import brief
from accord.data.brief import count as counted
from accord.data.progress import heard, hearing
from accord.data.ratings import label_of
from accord.data.reasons import REASONS
from accord.errors import UsageError, missing_dependency
from accord.files.atomic import replacing
from accord.gold import ties as tied_labels
from accord.gold.labels import Array, Chunks, Estimate, Labels, refuse_nothing
from accord.gold.plan import Plan, fitted
from accord.gold.votes import majority
from accord.options.kinds import refuses_other_kinds
from accord.reading.given import Given, of_kind
from accord.result import signature

#: methods whose passes need no more than sums
METHODS = ("majority", "dawid-skene", "mace")
#: items in a chunk: what a pass makes of them stays small
_ITEMS = 100_000


@dataclass(frozen=True, slots=True, kw_only=True)
class FileReference:
    """A reference on the disk: where, how it was made, and what was found about the annotators."""

    path: str
    method: str
    items: int
    ratings: int
    #: items without a value: ties, or under the threshold
    undecided: int
    labels: tuple[str, ...]
    #: share of the items that each value has
    prevalence: tuple[float, ...]
    annotators: tuple[dict[str, Any], ...] = field(repr=False)
    objective: tuple[float, ...] = field(repr=False)
    converged: bool | None
    signature: str
    warnings: tuple[str, ...] = ()

    def __repr__(self) -> str:
        held = counted(self.items, "item")
        decided = f"{self.items - self.undecided} of {held} with a value"
        return brief(self, self.method, decided, f"in {Path(self.path).name}")

    def to_dict(self) -> dict[str, Any]:
        """Plain values, as ``accord gold --json`` prints them."""
        return {
            "method": self.method,
            "path": self.path,
            "n": self.items,
            "ratings": self.ratings,
            "undecided": self.undecided,
            "prevalence": dict(zip(self.labels, self.prevalence, strict=True)),
            "annotators": [dict(row) for row in self.annotators],
            "objective": list(self.objective),
            "converged": self.converged,
            "signature": self.signature,
            "warnings": list(self.warnings),
        }


@refuses_other_kinds
def gold_file(
    data: Given,
    path: str | PathLike[str],
    method: str = "majority",
    *,
    ties: str = "abstain",
    threshold: float | None = None,
    soft: bool = False,
    seed: int = 0,
    chunk: int | None = None,
    progress: Callable[[int, int], None] | None = None,
    **options: object,
) -> FileReference:
    """Write the reference of ratings of any number to a table, in bounded memory.

    Parameters
    ----------
    data : what :func:`accord.read` returns, or what it reads; a lazy frame, or a table that an engine
        scans, is read by the engine in parts
    path : ``.csv`` or ``.parquet``; columns item, value, confidence, reason, and ``p:<label>`` with `soft`
    method : "majority", "dawid-skene" or "mace"
    ties, threshold, seed : as for :func:`accord.gold`
    chunk : items held at once, where the data are in memory already
    **options : those of the method

    The values are those of :func:`accord.gold`; the confidences are the model's own, which
    ``calibrate="model"`` gives there. The items stand in the order in which they were read.

    >>> import accord, tempfile
    >>> data = accord.Ratings.from_matrix([list("aabb"), list("abbb"), list("aabb")])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     made = gold_file(data, f"{folder}/gold.csv", "dawid-skene", chunk=2)
    ...     print(made.items, made.undecided, open(f"{folder}/gold.csv").readline().strip())
    4 0 item,value,confidence,reason
    """
    if method not in METHODS:
        raise UsageError(
            f"{method} is not made by chunks: its passes need all items at once; "
            f"use {', '.join(METHODS)}"
        )
    target = Path(path)
    if target.suffix.lower() not in (".csv", ".parquet"):
        raise UsageError(f"a reference by chunks is .csv or .parquet, not {target.suffix!r}")
    ratings = of_kind(data, Ratings)
    if ratings.kind in ("sets", "objects"):
        raise UsageError(
            f"a reference by chunks is of single labels, the values are {ratings.kind}"
        )
    refuse_nothing(ratings)
    plan = Plan(method=method, seed=seed, options=options)
    with tempfile.TemporaryDirectory(prefix="accord-gold-") as folder:
        held = _held(ratings, chunk, Path(folder))
        labels = Chunks(
            n_annotators=len(ratings.annotators),
            n_classes=len(ratings.values),
            weight=np.ones(len(ratings.annotators)),
            n_items=held.items,
            n_labels=held.ratings,
            read=lambda: (part for part, _ in held.read()),
        )
        with hearing(progress or heard()):
            estimate = majority(labels) if method == "majority" else fitted(plan, labels)
        with replacing(target) as beside:
            found = _written(
                held, estimate, ratings, beside, target.suffix.lower(), ties, threshold, soft, seed
            )
    given, same, judged = found.given, found.same, found.judged
    rows = []
    for a, name in enumerate(ratings.annotators):
        row: dict[str, Any] = {
            "annotator": name,
            "n": int(given[a]),
            "agreement": float(same[a] / judged[a]) if judged[a] else float("nan"),
        }
        if estimate.accuracy is not None:
            row["accuracy"] = float(estimate.accuracy[a])
        row |= {key: float(column[a]) for key, column in estimate.annotators.items()}
        rows.append(row)
    notes = [] if method == "majority" else ["the confidences are the model's own, not calibrated"]
    if estimate.converged is False:
        notes.append("the rounds ended before the objective stood still: give more `rounds`")
    return FileReference(
        path=str(target),
        method=method,
        items=held.items,
        ratings=held.ratings,
        undecided=found.undecided,
        labels=ratings.labels,
        prevalence=tuple((found.values / max(1, found.values.sum())).tolist()),
        annotators=tuple(rows),
        objective=estimate.objective,
        converged=estimate.converged,
        signature=signature(
            f"gold:{method}",
            held.items,
            **options,
            ties=ties,
            threshold=threshold,
            calibrate=None if method == "majority" else "model",
            seed=seed if method == "mace" or ties == "random" else None,
        ),
        warnings=(*notes, *estimate.notes),
    )


# --- labels, chunk by chunk ----------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class _Held:
    """Chunks of labels, with the names of their items, that can be read again and again."""

    items: int
    ratings: int
    read: Callable[[], Iterator[tuple[Labels, Sequence[Any]]]]


def _held(ratings: Ratings, chunk: int | None, folder: Path) -> _Held:
    if ratings.multiplicity is not None and ratings.engine is not None:
        return _on_disk(ratings, folder)
    ratings = ratings.single()
    size = chunk or _ITEMS
    n = len(ratings.indptr) - 1

    def read() -> Iterator[tuple[Labels, Sequence[Any]]]:
        for first in range(0, n, size):
            indptr = ratings.indptr[first : first + size + 1]
            here = slice(int(indptr[0]), int(indptr[-1]))
            part = _labels(ratings, indptr - indptr[0], ratings.annotator[here], ratings.code[here])
            yield part, [label_of(i) for i in ratings.items[first : first + len(indptr) - 1]]

    return _Held(items=n, ratings=len(ratings.code), read=read)


def _on_disk(ratings: Ratings, folder: Path) -> _Held:
    """The labels of an engine's table, put aside once: three to eight bytes each."""
    assert ratings.engine is not None
    who = np.min_scalar_type(len(ratings.annotators))
    what = np.min_scalar_type(len(ratings.values))
    items = count = parts = 0
    for run in ratings.engine.by_item():
        for first in range(0, len(run.items), _ITEMS):
            indptr = run.indptr[first : first + _ITEMS + 1]
            here = slice(indptr[0], indptr[-1])
            np.save(folder / f"indptr-{parts}", indptr - indptr[0])
            np.save(folder / f"annotator-{parts}", run.annotator[here].astype(who))
            np.save(folder / f"code-{parts}", run.code[here].astype(what))
            np.save(folder / f"items-{parts}", run.items[first : first + _ITEMS])
            parts += 1
        items += len(run.items)
        count += len(run.code)

    def read() -> Iterator[tuple[Labels, Sequence[Any]]]:
        for part in range(parts):
            indptr, annotator, code = (
                np.load(folder / f"{name}-{part}.npy") for name in ("indptr", "annotator", "code")
            )
            yield (
                _labels(ratings, indptr, annotator.astype(np.int32), code.astype(np.int32)),
                _Names(folder / f"items-{part}.npy"),
            )

    return _Held(items=items, ratings=count, read=read)


class _Names(Sequence[Any]):
    """Names on the disk, read when they are wanted."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._read: Any = None

    def _names(self) -> Any:
        if self._read is None:
            self._read = np.load(self.path)
        return self._read

    def __len__(self) -> int:
        return len(self._names())

    def __getitem__(self, place: Any) -> Any:
        return self._names()[place]


def _labels(ratings: Ratings, indptr: NDArray[np.int64], annotator: Any, code: Any) -> Labels:
    return Labels(
        indptr=indptr,
        annotator=annotator,
        code=code,
        n_annotators=len(ratings.annotators),
        n_classes=len(ratings.values),
        weight=np.ones(len(ratings.annotators)),
        clamp=np.full(len(indptr) - 1, -1, dtype=np.int32),
    )


# --- the last pass -------------------------------------------------------------------------------


@dataclass(slots=True)
class _Totals:
    given: Array
    judged: Array
    same: Array
    values: Array
    undecided: int = 0


def _written(
    held: _Held, estimate: Estimate, ratings: Ratings, path: Path, ending: str, ties: str,
    threshold: float | None, soft: bool, seed: int,
) -> _Totals:  # fmt: skip
    """Decide every item and write it; returns what is summed on the way."""
    A, K = len(ratings.annotators), len(ratings.values)
    totals = _Totals(np.zeros(A), np.zeros(A), np.zeros(A), np.zeros(K))
    assert estimate.apply is not None
    with _table(path, ending) as write:
        for part, names in held.read():
            posterior = estimate.apply(part)
            rated = np.diff(part.indptr) > 0
            code, tied = tied_labels.decide(
                posterior, names, ties=ties, threshold=threshold, seed=seed
            )
            code[~rated] = -1
            sure = np.where(
                code >= 0, posterior[np.arange(len(code)), np.maximum(code, 0)],
                posterior.max(axis=1, initial=0.0),
            )  # fmt: skip
            columns: dict[str, Any] = {"item": names, "value": (code, ratings.labels)}
            columns["confidence"] = np.round(sure, 6)
            # (what is neither is under the threshold)
            why = np.select(
                [code >= 0, ~rated, tied & (ties == "abstain")],
                [REASONS.index(name) for name in ("", "nobody", "tie")],
                REASONS.index("threshold"),
            )
            columns["reason"] = np.array(REASONS)[why]
            if soft:
                columns |= {
                    f"p:{k}": np.round(posterior[:, j], 6) for j, k in enumerate(ratings.labels)
                }
            write(columns)
            decided = (code >= 0)[part.item]
            right = (code[part.item] == part.code) & decided
            totals.given += part.per_annotator()
            totals.judged += np.bincount(part.annotator, weights=decided, minlength=A)
            totals.same += np.bincount(part.annotator, weights=right, minlength=A)
            totals.values += np.bincount(code[code >= 0], minlength=K)
            totals.undecided += int((code < 0).sum())
    return totals


class _table:  # noqa: N801 # used as a function
    """A table that is written chunk by chunk, as CSV or Parquet."""

    def __init__(self, path: Path, ending: str) -> None:
        try:
            import pyarrow
            import pyarrow.csv
            import pyarrow.parquet
        except ImportError:
            raise missing_dependency("pyarrow", "parquet", "writing by chunks") from None
        self._arrow: Any = pyarrow
        self._path, self._ending = path, ending
        self._writer: Any = None
        self._close = ExitStack()

    def __enter__(self) -> Callable[[dict[str, Any]], None]:
        return self._write

    def _write(self, columns: dict[str, Any]) -> None:
        pa = self._arrow
        code, labels = columns["value"]
        value = pa.DictionaryArray.from_arrays(
            pa.array(code, mask=code < 0), pa.array(list(labels))
        ).cast(pa.string())
        item = pa.array(np.asarray(columns["item"][:])).cast(pa.string())
        made = pa.table(
            {**{k: pa.array(v) for k, v in columns.items() if k not in ("item", "value")}}
        )
        made = made.add_column(0, "value", value).add_column(0, "item", item)
        if self._writer is None:
            if self._ending == ".csv":
                # (pyarrow quotes every name of a column)
                with self._path.open("w", encoding="utf-8", newline="") as file:
                    csv.writer(file, lineterminator="\n").writerow(made.column_names)
                style = pa.csv.WriteOptions(quoting_style="needed", include_header=False)
                sink = self._path.open("ab")
                self._close.callback(sink.close)
                self._writer = pa.csv.CSVWriter(sink, made.schema, write_options=style)
            else:
                self._writer = pa.parquet.ParquetWriter(self._path, made.schema)
        self._writer.write_table(made)

    def __exit__(self, *problem: object) -> None:
        if self._writer is not None:
            self._writer.close()
        self._close.close()
