"""An alignment as a table: one row per unit of each unitary alignment."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from accord.alignment.alignment import Alignable, Alignment, places_of
from accord.files.atomic import write_csv


def write_alignment_csv(units: Alignable, alignments: Sequence[Alignment], path: Path) -> None:
    """Columns document, unitary, disorder, annotator, start, end (corners, ends of relations), label.

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
                    at = [
                        value if isinstance(value := own[row], str) else f"{float(value):.17g}"
                        for own in corners.values()
                    ]
                    place = (*at, names[units.label[row]])
                rows.append((alignment.document, number, repr(disorder), who, *place))
    header = ("document", "unitary", "disorder", "annotator", *corners, "label")
    write_csv(path, header, rows)
