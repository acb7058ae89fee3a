"""What the scores of spans against a reference can be told."""

from accord.options import Option

TOLERANCE = Option("tolerance", float, "Boundaries this near are the same.", default=0.0, least=0)
AVERAGE = Option(
    "average",
    str,
    "How labels are put together: counted, or the mean of their values.",
    default="micro",
    choices=("micro", "macro", "weighted"),
)
MISSING_DOCUMENTS = Option(
    "missing_documents",
    str,
    "A document on one side only: nothing was marked there, or an error.",
    default="empty",
    choices=("empty", "error"),
    signed="missing",
)
WEIGHTING = Option(
    "weighting",
    str,
    "Costs of the slot errors.",
    default="makhoul",
    choices=("makhoul", "etape"),
)
ATOM = Option(
    "atom", float, "Size of the pieces that the continuum is cut into.", least=0, open=True
)
MATCH = Option(
    "match",
    str,
    "When two units match: same bounds and label, same label and some overlap, or by length.",
    default="strict",
    choices=("strict", "overlap", "token"),
)
