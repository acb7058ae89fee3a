"""What an alignment is: which units of the annotators of one document belong together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol, overload

import numpy as np
from numpy.typing import NDArray

from accord.data.boxes import Boxes
from accord.data.brief import as_html, brief, count
from accord.data.relations import Relations
from accord.data.tabular import Backend
from accord.data.units import Units
from accord.errors import UsageError

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl
    from narwhals.typing import IntoDataFrame

#: what can be aligned
Alignable = Units | Boxes | Relations


class Picture(Protocol):
    """What shows itself in a notebook, and can be saved."""

    def save(self, path: str | Path) -> None: ...
    def _repr_html_(self) -> str: ...


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Alignment:
    """The unitary alignments of one document, in canonical order.

    `members[k, a]` is the row (in the :class:`~accord.data.Units` it was made from) of the unit
    that annotator a brings to unitary alignment k, or -1 for the empty unit. `annotators` are those
    who saw the document. `bound` is a proven lower bound of the disorder; `gap` = disorder - bound
    is 0 when the alignment is proven ideal. `greedy` is the disorder of the 2011 Algorithm 1 on the
    same document: what the fast method would have lost; None where that was too long to find out.
    A document without units has disorder NaN.
    """

    document: str
    annotators: tuple[str, ...]
    members: NDArray[np.int64]
    #: disorder of each unitary alignment
    disorders: NDArray[np.float64]
    disorder: float
    bound: float
    method: str
    objective: str
    greedy: float | None = None
    #: candidate unitary alignments left after pruning; None where they were too many to be listed
    candidates: int | None = 0

    @classmethod
    def exact(
        cls,
        document: str,
        annotators: Sequence[str],
        members: NDArray[np.int64],
        disorders: NDArray[np.float64],
        gap: float,
    ) -> Alignment:
        """γ's alignment of what comes with its pairs; `gap` is what is missing of the proof of Σδ."""
        mean_count = int((members >= 0).sum()) / len(annotators)
        disorder = float(disorders.sum()) / mean_count if mean_count else float("nan")
        return cls(
            document=document,
            annotators=tuple(annotators),
            members=members,
            disorders=disorders,
            disorder=disorder,
            bound=disorder - gap / mean_count if gap else disorder,
            method="exact",
            objective="gamma",
            greedy=None,
            candidates=None,
        )

    @property
    def gap(self) -> float:
        return max(0.0, self.disorder - self.bound)

    @property
    def proven(self) -> bool:
        return self.gap == 0.0

    def __repr__(self) -> str:
        proof = "proven best" if self.proven else f"at most {self.gap:.4f} above the best"
        return brief(
            self,
            f"document {self.document!r}",
            count(len(self), "place"),
            count(len(self.annotators), "annotator"),
            "" if np.isnan(self.disorder) else f"disorder {self.disorder:.4f}, {proof}",
        )

    def _repr_html_(self) -> str:
        """A table: the row of each annotator's unit, and the disorder of each unitary alignment."""
        rows = [
            {
                who: None if i < 0 else i
                for who, i in zip(self.annotators, own.tolist(), strict=True)
            }
            | {"disorder": f"{disorder:.4f}"}
            for own, disorder in self
        ]
        return as_html(self, rows[:20], len(rows))

    def __len__(self) -> int:
        return len(self.members)

    @overload
    def to_frame(self, units: Alignable, backend: Literal["pandas"] = ...) -> pd.DataFrame: ...
    @overload
    def to_frame(self, units: Alignable, backend: Literal["polars"]) -> pl.DataFrame: ...
    @overload
    def to_frame(self, units: Alignable, backend: Backend) -> IntoDataFrame: ...
    def to_frame(self, units: Alignable, backend: Backend | None = None) -> IntoDataFrame:
        """One row per unit (shape, relation): its unitary alignment, annotator, place and label.

        `units` are those that were aligned; `backend` names the dataframe library.
        """
        from accord.data.frame import to_frame

        if not hasattr(units, "categories"):
            raise UsageError(
                f"the units that were aligned come first, got {units!r}; write "
                "alignment.to_frame(units, 'polars')"
            )
        group, column = np.nonzero(self.members >= 0)
        row = self.members[group, column]
        names = (*units.categories, None)
        columns: dict[str, list[Any]] = {
            "document": [self.document] * len(row),
            "alignment": group.tolist(),
            "annotator": [self.annotators[a] for a in column.tolist()],
            **{name: values[row].tolist() for name, values in places_of(units).items()},
            "label": [names[k] for k in units.label[row].tolist()],
            "disorder": self.disorders[group].tolist(),
        }
        rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
        return to_frame(rows, backend, list(columns))

    def plot(
        self, units: Units, *, time: str | None = None, media: str | Path | None = None
    ) -> Picture:
        """The picture of this alignment: shown by a notebook, saved with ``.save("picture.svg")``.

        `units` are those that were aligned; the options are those of :func:`accord.report.draw`.
        """
        # (pictures are made of alignments, so that their module cannot be imported from here)
        picture: Picture = import_module("accord.report").draw(units, self, time=time, media=media)
        return picture

    def __iter__(self) -> Iterator[tuple[NDArray[np.int64], float]]:
        """Each unitary alignment: its row numbers (-1 for the empty unit) and its disorder."""
        return zip(self.members, self.disorders.tolist(), strict=True)


def places_of(data: Alignable) -> dict[str, NDArray[Any]]:
    """The columns that say where each unit, shape or relation is."""
    if isinstance(data, Relations):
        if data.items is not None:
            names = np.array(data.items, dtype=object)
            return {
                side: names[getattr(data, side)[:, 0].astype(np.int64)]
                for side in ("source", "target")
            }
        return {
            f"{side}_{end}": getattr(data, side)[:, k]
            for side in ("source", "target")
            for k, end in enumerate(("start", "end"))
        }
    columns = ("x0", "y0", "x1", "y1") if isinstance(data, Boxes) else ("start", "end")
    return {name: getattr(data, name) for name in columns}


def real_pairs(
    members: NDArray[np.int64],
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """(unitary alignment, unit, unit) of every pair of real units that are aligned."""
    row, column = np.nonzero(members >= 0)
    unit = members[row, column]
    sizes = np.bincount(row, minlength=len(members))
    ends = np.cumsum(sizes)
    # each real unit is paired with those after it in its row
    after = ends[row] - np.arange(len(row)) - 1
    first = np.repeat(np.arange(len(row)), after)
    step = np.arange(len(first)) - np.repeat(np.cumsum(after) - after, after)
    return row[first], unit[first], unit[first + 1 + step]
