"""Naming items that have no identifier: the same text is the same item."""

from __future__ import annotations

from collections import Counter


class SameItems:
    """Names texts by the order of their first appearance, across files.

    A text that occurs twice in one file is two items; the second is matched with the second of the
    other files.

    >>> names = SameItems()
    >>> names.begin_file()
    >>> names.name("x"), names.name("y"), names.name("x")
    ('1', '2', '3')
    >>> names.begin_file()
    >>> names.name("y"), names.name("x")
    ('2', '1')
    """

    def __init__(self) -> None:
        self._names: dict[tuple[str, int], str] = {}
        self._here: Counter[str] = Counter()

    def begin_file(self) -> None:
        self._here.clear()

    def name(self, text: str) -> str:
        self._here[text] += 1
        return self._names.setdefault((text, self._here[text]), str(len(self._names) + 1))

    def known(self, text: str) -> str:
        """The name of a text, however often it occurs."""
        return self._names.setdefault((text, 1), str(len(self._names) + 1))
