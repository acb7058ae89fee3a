"""What a column is called where people read it: its field's name, unless that is a word of the code."""

from __future__ import annotations

#: field → the words above its column
_HEADINGS = {
    "specific_agreement": "confirmed by another",
    "finds": "marks what is there",
    "invents": "marks what is not there",
    "gain": "usefulness",
    "scaffolding": "layout",
}


def heading(field: str) -> str:
    """Return the words above the column of a field.

    >>> heading("specific_agreement"), heading("mean_pairwise")
    ('confirmed by another', 'mean pairwise')
    """
    return _HEADINGS.get(field, field.replace("_", " "))
