"""What people see: drawings of alignments, charts with the table behind them, the report page."""

from accord.report.alignment import Drawing, alignment_svg, draw
from accord.report.explorer import alignment_html

__all__ = ["Drawing", "alignment_html", "alignment_svg", "draw"]
