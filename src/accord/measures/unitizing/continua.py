"""Units as records on continua: who saw which document, how long it is, and no overlap."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from accord.data import Units
from accord.errors import InputError, UsageError, some
from accord.measures.unitizing.overlap import left_out, without_overlap
from accord.measures.unitizing.resolution import atom_of
from accord.options import exact

Index = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Continua:
    """The documents seen by at least two coders, one after the other."""

    documents: tuple[str, ...]
    #: values in order; None is a unit without label
    values: tuple[str | None, ...]
    #: number of coders and length of each document
    coders: Index
    lengths: Floats
    #: size of an atom; 0 for none
    atom: float
    #: documents × annotators
    coverage: NDArray[np.bool_]
    document: Index
    annotator: Index
    start: Floats
    end: Floats
    value: Index
    warnings: tuple[str, ...]
    guessed: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.start)

    @property
    def atom_said(self) -> str | None:
        """The size of an atom as a signature tells it: None for the usual 1."""
        return None if self.atom == 1 else exact(self.atom)


def continua(
    units: Units,
    name: str,
    *,
    length: float | None = None,
    atom: float | None = 0.0,
    by_value: bool = False,
    overlap: str = "refuse",
) -> Continua:
    """Check and arrange units for a measure on continua.

    `atom` is the size of an atom, None for what the offsets tell
    (:mod:`accord.measures.unitizing.resolution`); 0 where atoms do not count.

    The length of a document is the one declared, else `length`, else the end of its last unit, with
    a warning. Documents that fewer than two coders saw cannot show agreement: left out, and said.
    Overlap within one coder is refused, or only between units of one value (`by_value`), or resolved
    by the rule `overlap` (:mod:`accord.measures.unitizing.overlap`), with a warning.
    """
    if len(units.annotators) < 2:
        raise InputError(
            f"{name} needs at least two annotators, got {len(units.annotators)}",
            hint="check the annotator column",
        )
    if length is not None and not length > 0:
        raise UsageError(f"the length must be greater than 0, got {length}")
    size, told = atom_of(
        np.concatenate([units.start, units.end, units.lengths, [length or np.nan]]), atom, name
    )
    dropped = 0
    if overlap == "refuse":
        refuse_overlap(units, name, by_value=by_value)
    else:
        units, dropped = without_overlap(units, overlap, by_value=by_value)
    lengths = units.lengths.copy()
    last = np.zeros(len(units.documents))
    np.maximum.at(last, units.document, units.end)
    unknown = ~np.isfinite(lengths)
    guessed = unknown & (length is None)
    lengths[unknown] = last[unknown] if length is None else float(length)
    for wrong, what in (
        (units.end > lengths[units.document], "ends past the end of its document"),
        (units.start < 0, "starts before 0"),
    ):
        if wrong.any():
            i = int(np.argmax(wrong))
            raise InputError(
                f"the unit {_unit(units, i)} {what} ({units.documents[units.document[i]]!r}, "
                f"length {lengths[units.document[i]]:g})",
                hint="check the length or move the offsets so that the continuum starts at 0",
            )
    coders = units.coverage.sum(axis=1)
    kept = np.flatnonzero((coders >= 2) & (lengths > 0))
    warnings = [*told, *left_out(dropped, overlap)]
    if len(kept) < len(units.documents):
        lost = [units.documents[d] for d in np.flatnonzero((coders < 2) | ~(lengths > 0))]
        warnings.append(
            f"{len(lost)} of {len(units.documents)} documents have fewer than two annotators or no "
            f"length and do not count: {some(lost, 5)}"
        )
    number = np.full(len(units.documents), -1, dtype=np.int64)
    number[kept] = np.arange(len(kept))
    points = int(np.count_nonzero(units.end == units.start))
    if points:
        warnings.append(f"{points} units have length zero: they cover nothing and do not count")
    rows = np.flatnonzero((number[units.document] >= 0) & (units.end > units.start))
    values: tuple[str | None, ...] = units.categories
    value = units.label[rows].astype(np.int64)
    if (value < 0).any():
        values = (*values, None)
        value = np.where(value < 0, len(values) - 1, value)
    return Continua(
        documents=tuple(units.documents[d] for d in kept),
        values=values,
        coders=coders[kept].astype(np.int64),
        lengths=lengths[kept],
        atom=size,
        coverage=units.coverage[kept],
        document=number[units.document[rows]],
        annotator=units.annotator[rows].astype(np.int64),
        start=units.start[rows],
        end=units.end[rows],
        value=value,
        warnings=tuple(warnings),
        guessed=tuple(units.documents[d] for d in kept if guessed[d]),
    )


def length_warning(found: Continua) -> tuple[str, ...]:
    """What to say when a length had to be guessed and the value depends on it."""
    if not found.guessed:
        return ()
    return (
        f"the length of {len(found.guessed)} documents is not known and was taken to be the end of "
        f"their last unit ({some(found.guessed, 3)}); give it with `length` or `lengths`",
    )


def refuse_overlap(units: Units, name: str, *, by_value: bool) -> None:
    """Two overlapping units of one annotator have no place on one continuum."""
    layer = units.label if by_value else np.zeros_like(units.label)
    order = np.lexsort((units.end, units.start, layer, units.annotator, units.document))
    same = np.ones(max(len(order) - 1, 0), dtype=bool)
    for column in (units.document, units.annotator, layer):
        same &= column[order][1:] == column[order][:-1]
    wrong = same & (units.start[order][1:] < units.end[order][:-1])
    if wrong.any():
        i, j = order[int(np.argmax(wrong)) :][:2].tolist()
        raise InputError(
            f"{name}: annotator {units.annotators[units.annotator[i]]!r} has overlapping units "
            f"{_unit(units, i)} and {_unit(units, j)} in document "
            f"{units.documents[units.document[i]]!r}",
            hint="use gamma, or keep only the outermost or innermost with `overlaps`",
        )


def _unit(units: Units, i: int) -> str:
    label = "(no label)" if units.label[i] < 0 else units.categories[units.label[i]]
    return f"[{units.start[i]:g}, {units.end[i]:g}) {label}"
