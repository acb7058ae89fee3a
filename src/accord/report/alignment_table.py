"""An alignment as a table: one row per unit of each unitary alignment."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from accord.alignment.alignment import Alignment
from accord.data.units import Units
from accord.formats.atomic import write_csv


def write_alignment_csv(units: Units, alignments: Sequence[Alignment], path: Path) -> None:
    """Columns document, unitary, disorder, annotator, start, end, label.

    An annotator with the empty unit has a row with no start, end and label.
    """
    names = (*units.categories, "")
    rows: list[tuple[object, ...]] = []
    for alignment in alignments:
        for number, (members, disorder) in enumerate(alignment):
            for who, row in zip(alignment.annotators, members.tolist(), strict=True):
                place: tuple[object, ...] = ("", "", "")
                if row >= 0:
                    start, end = float(units.start[row]), float(units.end[row])
                    place = (f"{start:.17g}", f"{end:.17g}", names[units.label[row]])
                rows.append((alignment.document, number, repr(disorder), who, *place))
    header = ("document", "unitary", "disorder", "annotator", "start", "end", "label")
    write_csv(path, header, rows)
