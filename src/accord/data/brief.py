"""Data in one line: what `repr` says of them, whatever their size."""

from __future__ import annotations


def brief(what: object, *parts: str) -> str:
    """The name of the class and what there is to say, leaving out what is empty.

    >>> brief(object(), count(46630, "unit"), "", count(1, "document"))
    'object(46 630 units, 1 document)'
    """
    return f"{type(what).__name__}({', '.join(part for part in parts if part)})"


def count(number: int, one: str, many: str | None = None) -> str:
    """So many things, with digits in groups of three.

    >>> count(1, "category", "categories"), count(3579, "category", "categories")
    ('1 category', '3 579 categories')
    """
    digits = f"{number:,}".replace(",", " ")
    return f"{digits} {one if number == 1 else many or one + 's'}"
