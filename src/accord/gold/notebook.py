"""What a notebook shows of a reference."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from accord.errors import in_python
from accord.markup import block, folded, paragraph, table
from accord.result import Row


def reference_html(
    what: Any, order: str, rows: Sequence[Row], annotators: Sequence[Row], warnings: Sequence[str]
) -> str:
    """The items in doubt, the annotators, what to beware of, the signature."""
    people = [
        {k: v for k, v in row.items() if not isinstance(v, (dict, list))} for row in annotators
    ]
    return block(
        repr(what),
        folded(f"items, {order}", table(rows), unfolded=True),
        folded("annotators", table(people)) if people else "",
        *(paragraph(f"⚠ {in_python(w)}") for w in warnings),
        paragraph(what.signature, soft=True),
    )
