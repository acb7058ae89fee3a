"""Relations drawn: the annotators' units aligned, and an arc for each relation between them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from accord.alignment.align import align
from accord.alignment.alignment import Alignment
from accord.data import Relations
from accord.errors import AccordError
from accord.formats.positions import as_statements
from accord.report.explorer import Explorer, alignment_html, explorer


def relations_explorer(relations: Relations, *, most_bytes: int | None = None) -> Explorer | None:
    """What the explorer of a page needs; None where no document has two annotators."""
    try:
        units = as_statements(relations)
        return explorer(
            units, align(units), most_bytes=most_bytes, of_relations=_disorders(align(relations))
        )
    except AccordError:
        return None


def relations_html(
    relations: Relations,
    alignments: Sequence[Alignment] | None = None,
    *,
    title: str = "Relations",
) -> str:
    """A page of its own: units of all annotators, and their relations as arcs.

    Documents are listed by the disorder of the `alignments` of their relations, the ideal ones by default.
    """
    units = as_statements(relations)
    found = align(relations) if alignments is None else alignments
    return alignment_html(
        units, align(units), title=title, of_relations=_disorders(found), reading=relations.reading
    )


def _disorders(alignments: Sequence[Alignment]) -> Mapping[str, float]:
    return {a.document: a.disorder for a in alignments}
