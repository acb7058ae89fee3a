"""Data in one line: what `repr` says of them, whatever their size."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING, Any

from accord.errors import in_python
from accord.markup import block, folded, paragraph, table

if TYPE_CHECKING:
    from accord.data.reading import Reading


def brief(what: object, *parts: str) -> str:
    """The name (of the class, where none is given) and what there is to say, without what is empty.

    >>> brief(object(), count(46630, "unit"), "", count(1, "document"))
    'object(46 630 units, 1 document)'
    """
    name = what if isinstance(what, str) else type(what).__name__
    return f"{name}({', '.join(part for part in parts if part)})"


def count(number: int, one: str, many: str | None = None) -> str:
    """So many things, with digits in groups of three.

    >>> count(1, "category", "categories"), count(3579, "category", "categories")
    ('1 category', '3 579 categories')
    """
    digits = f"{number:,}".replace(",", " ")
    return f"{digits} {one if number == 1 else many or one + 's'}"


def one_of(shape: str) -> str:
    """What one annotation of a shape is called.

    >>> one_of("boxes"), one_of("units")
    ('box', 'unit')
    """
    return shape.removesuffix("es") if shape == "boxes" else shape.removesuffix("s")


def as_html(what: object, rows: Sequence[Mapping[str, Any]], whole: int) -> str:
    """What a notebook shows of data: how much there is, what was read, the first rows, what was noted."""
    from accord.data.header import header

    notes: Sequence[str] = getattr(what, "notes", ())
    told = "".join(f"<li>{escape(in_python(note))}</li>" for note in notes)
    more = whole - len(rows)
    # columns that only some data fill (the corners of polygons) are shown where they are filled
    filled = {name for row in rows for name, value in row.items() if value is not None}
    rows = [{name: value for name, value in row.items() if name in filled} for row in rows]
    reading: Reading | None = getattr(what, "reading", None)
    read = [] if reading is None else header(reading, width=None)
    return block(
        repr(what),
        *(paragraph(line, soft=True) for line in read),
        table(rows, bars=False),
        paragraph(f"… and {count(more, 'more row')}", soft=True) if more > 0 else "",
        folded(count(len(notes), "note"), f"<ul>{told}</ul>") if notes else "",
    )
