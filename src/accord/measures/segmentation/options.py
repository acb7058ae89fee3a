"""What the measures of segmentations can be told."""

from accord.options import Option

NT = Option("nt", int, "Transposition window n_t of the boundary edits.", default=2, least=1)
TYPES = Option(
    "types",
    str,
    "Boundary types that differ cost 1, or the ranks between them.",
    default="nominal",
    choices=("nominal", "ordinal"),
)
WINDOW = Option(
    "window", int, "Window size k; by default half the mean length of a segment.", least=1
)
PADDING = Option(
    "padding",
    str,
    "Windows past both ends, so that every boundary counts alike.",
    default="none",
    choices=("none", "lamprier"),
)
INSERTION = Option("insertion", float, "Cost of a boundary to insert.", default=2.0, least=0)
DELETION = Option("deletion", float, "Cost of a boundary to delete.", default=2.0, least=0)
SHIFT = Option("shift", float, "Cost of shifting a boundary by one position.", default=1.0, least=0)
