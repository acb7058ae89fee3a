"""What people see: drawings of alignments, charts with the table behind them, the report page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from accord.verbs import is_verb

if TYPE_CHECKING:
    from accord.report.alignment import Drawing, alignment_svg, draw
    from accord.report.explorer import alignment_html
    from accord.report.page import Report, report

#: imported when first used: a table on the terminal needs none of this
_HOMES = {
    "Drawing": "accord.report.alignment",
    "Report": "accord.report.page",
    "alignment_html": "accord.report.explorer",
    "alignment_svg": "accord.report.alignment",
    "draw": "accord.report.alignment",
    "report": "accord.report.page",
}

__all__ = ["Drawing", "Report", "alignment_html", "alignment_svg", "draw", "report"]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        from importlib import import_module

        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'accord.report' has no attribute {name!r}")


is_verb(__name__)
