"""Alignments and adjudication inside a notebook: widgets with the extra ``notebook``, else plain HTML.

``accord.explore(data)`` shows the alignments, ``accord.adjudicate(data, who=…)`` asks one card after
the other. Both are ordinary objects; what they draw needs neither a server nor a network.
"""

from __future__ import annotations

from accord.notebook.alignments import AlignmentView, explore
from accord.notebook.cards import CardView, adjudicate

__all__ = ["AlignmentView", "CardView", "adjudicate", "explore"]
