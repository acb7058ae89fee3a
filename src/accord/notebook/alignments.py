"""``accord.explore``: the alignment explorer as the value of a cell."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from html import escape
from typing import Any

from accord.alignment.align import align
from accord.alignment.alignment import Alignable, Alignment
from accord.data import Boxes, Relations, Units
from accord.data.brief import count
from accord.data.names import places
from accord.errors import UsageError
from accord.notebook.widget import Widget, made, shown
from accord.options.kinds import refuses_other_kinds
from accord.reading.given import Given, as_annotations
from accord.report.explorer import alignment_html
from accord.report.images import images_html
from accord.report.relations_page import relations_html


class AlignmentView:
    """The explorer of a corpus. `document` is the one that is open: read it, or set it."""

    def __init__(
        self, data: Alignable, alignments: Sequence[Alignment], *, height: int = 620
    ) -> None:
        self.data = data
        self.alignments = tuple(alignments)
        self.height = height
        self._document = ""

    @property
    def document(self) -> str:
        """Name of the open document; empty before the explorer was shown."""
        return str(self.widget.document) if self.widget is not None else self._document

    @document.setter
    def document(self, name: str) -> None:
        places([name], [a.document for a in self.alignments], "document")
        self._document = name
        if self.widget is not None:
            self.widget.document = name

    @cached_property
    def widget(self) -> Widget | None:
        """The live widget; None where anywidget is not installed."""
        state = {"page": self.html(), "height": self.height, "document": self._document}
        return made("alignments.js", state)

    def html(self) -> str:
        """The explorer as a page of its own."""
        if isinstance(self.data, Boxes):
            return images_html(self.data, self.alignments)
        if isinstance(self.data, Relations):
            return relations_html(self.data, self.alignments)
        return alignment_html(self.data, self.alignments)

    def static(self) -> str:
        """The explorer in a frame, for notebooks without widgets."""
        return (
            f'<iframe srcdoc="{escape(self.html())}" title="Alignments" '
            'sandbox="allow-scripts allow-downloads" '
            f'style="width:100%;height:{self.height}px;border:0"></iframe>'
        )

    def __repr__(self) -> str:
        return f"<AlignmentView of {count(len(self.alignments), 'document')}>"

    def _repr_mimebundle_(self, **asked: Any) -> Any:
        return shown(self, self.widget, asked)


@refuses_other_kinds
def explore(
    data: Given,
    alignments: Sequence[Alignment] | None = None,
    *,
    height: int = 620,
    **options: object,
) -> AlignmentView:
    """Look through the alignments of units, relations or boxes in a notebook.

    Parameters
    ----------
    data : units, relations or boxes, or what :func:`accord.read` reads
    alignments : what :func:`accord.align` returned for them; computed when not given
    height : pixels
    **options : those of :func:`accord.align`

    >>> import accord
    >>> units = Units.from_rows([("d", "A", 0, 4, "x"), ("d", "B", 1, 4, "x")])
    >>> accord.explore(units)
    <AlignmentView of 1 document>
    """
    source = as_annotations(data)
    if not isinstance(source, Units | Relations | Boxes):
        instead = "adjudicate" if source.shape in ("ratings", "segments") else "report"
        raise UsageError(
            f"accord.explore shows what is aligned: units, relations or boxes, and these data are "
            f"{source.shape}; call accord.{instead}"
        )
    own: dict[str, Any] = options
    found = align(source, **own) if alignments is None else alignments
    return AlignmentView(source, found, height=height)
