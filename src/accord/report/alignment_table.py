"""An alignment as a table: one row per unit of each unitary alignment."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from accord.alignment.alignment import Alignment, places_of
from accord.data.boxes import Boxes
from accord.data.units import Units
from accord.formats.atomic import write_csv


def write_alignment_csv(units: Units | Boxes, alignments: Sequence[Alignment], path: Path) -> None:
    """Columns document, unitary, disorder, annotator, start, end (of shapes their corners), label.

    An annotator with the empty unit has a row with no place and label.
    """
    corners = places_of(units)
    names = (*units.categories, "")
    rows: list[tuple[object, ...]] = []
    for alignment in alignments:
        for number, (members, disorder) in enumerate(alignment):
            for who, row in zip(alignment.annotators, members.tolist(), strict=True):
                place: tuple[object, ...] = ("",) * (len(corners) + 1)
                if row >= 0:
                    at = [f"{float(getattr(units, name)[row]):.17g}" for name in corners]
                    place = (*at, names[units.label[row]])
                rows.append((alignment.document, number, repr(disorder), who, *place))
    header = ("document", "unitary", "disorder", "annotator", *corners, "label")
    write_csv(path, header, rows)
