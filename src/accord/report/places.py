"""The places that people marked: alike, with other boundaries, with another label, or one alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from accord.alignment.alignment import Alignable, Alignment, places_of
from accord.language import headed, spoken
from accord.result import Row

#: what is elsewhere where a place of this shape is not the same
WHERE = {"units": "boundaries", "boxes": "outlines", "relations": "ends"}
#: who marked little is no example: so many units weigh against
_FEW = 5


@dataclass(frozen=True, slots=True)
class Places:
    """How many places there are of each kind; `alone` by annotator: marked by nobody else."""

    what: str = "place"
    #: what is elsewhere where a place is not the same, and whether places have labels
    where: str = "boundaries"
    labelled: bool = True

    identical: int = 0
    moved: int = 0
    renamed: int = 0
    single: int = 0
    #: annotator → (units that nobody else marked, all units)
    alone: Mapping[str, tuple[int, int]] = field(default_factory=dict)

    @property
    def total(self) -> int:
        return self.identical + self.moved + self.renamed + self.single

    def sentence(self) -> str:
        """The places in a sentence."""
        n = self.total
        if not n:
            return ""
        kinds = [f"{self.identical:,} identical"]
        same = "the same label but " if self.labelled else ""
        kinds.append(f"{self.moved:,} with {same}other {self.where}")
        kinds += [f"{self.renamed:,} with another label"] if self.labelled else []
        kinds.append(f"{self.single:,} by one person only")
        return (
            headed(
                spoken(f"{n:,} {self.what}{'' if n == 1 else 's'} marked"),
                ", ".join(map(spoken, kinds)),
            )
            + "."
        )

    def people(self) -> Iterator[tuple[str, str]]:
        """Who marks most often what nobody else does."""
        if not self.single or len(self.alone) < 2:
            return
        who, (own, of) = max(self.alone.items(), key=lambda one: one[1][0] / (one[1][1] + _FEW))
        yield "most often alone", f"{who} ({spoken(f'{own:,} of {of:,}')})"


def of_relations(rows: Sequence[Row]) -> Places:
    """Put together what a measure of relations counts of how two of them differ."""
    n = {str(row["error"]): int(row["count"]) for row in rows}
    other = {name: count for name, count in n.items() if name not in ("same", "missing")}
    renamed = sum(count for name, count in other.items() if name.endswith("label"))
    moved = sum(other.values()) - renamed
    return Places(
        "relation", "ends", identical=n["same"], moved=moved, renamed=renamed, single=n["missing"]
    )


def tally(data: Alignable, alignments: Sequence[Alignment]) -> Places:
    """Count the places of alignments, where two people or more worked on the document."""
    identical = moved = renamed = single = 0
    alone = dict.fromkeys(data.annotators, 0)
    every = dict.fromkeys(data.annotators, 0)
    where = list(places_of(data).values())
    for a in alignments:
        if len(a.annotators) < 2 or not len(a):
            continue
        there = a.members >= 0
        present = there.sum(axis=1)
        lone = present == 1
        single += int(lone.sum())
        for k, who in enumerate(a.annotators):
            every[who] += int(there[:, k].sum())
            alone[who] += int((there[:, k] & lone).sum())
        shared, marked = a.members[~lone], there[~lone]
        labels = _alike(data.label, shared, marked)
        same = np.logical_and.reduce([_alike(column, shared, marked) for column in where])
        identical += int((labels & same).sum())
        moved += int((labels & ~same).sum())
        renamed += int((~labels).sum())
    told = {who: (alone[who], every[who]) for who in data.annotators if every[who]}
    return Places(
        where=WHERE[data.shape],
        labelled=bool(data.categories),
        identical=identical,
        moved=moved,
        renamed=renamed,
        single=single,
        alone=told,
    )


def _alike(column: Any, members: Any, marked: Any) -> Any:
    """For each place, whether all who marked it have the same in this column."""
    first = column[members[np.arange(len(members)), marked.argmax(axis=1)]]
    return ((column[members] == first[:, None]) | ~marked).all(axis=1)
