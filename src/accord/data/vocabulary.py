"""The words that data bring: names and labels, which are never words of ours to be translated."""

from __future__ import annotations

from accord.data.protocol import Annotations

#: items whose names are kept; a page shows no more of them
_ITEMS = 1000


def vocabulary(data: Annotations, *, annotators: bool = True) -> frozenset[str]:
    """Annotators, documents, labels, items: a label called “note” is no note of ours.

    Where annotators are hidden, nobody is told their names this way either.

    >>> from accord.data import Ratings
    >>> sorted(vocabulary(Ratings.from_matrix([["yes", "no"], ["no", "no"]], annotators=["A", "B"])))
    ['1', '2', 'A', 'B', 'no', 'yes']
    """
    found = {*(data.annotators if annotators else ()), *data.documents, *getattr(data, "times", ())}
    found |= set(getattr(data, "labels", ())) | set(getattr(data, "categories", ()))
    items = getattr(data, "items", None)
    found |= {str(item) for item in (() if items is None else items[:_ITEMS])}
    return frozenset(found)
