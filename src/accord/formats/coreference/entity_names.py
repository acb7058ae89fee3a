"""Names of entities: do they mean the same beyond a document?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence


def shared_names(names: Mapping[tuple[str, str], Sequence[str]]) -> list[str]:
    """A sentence with how many names are in several documents, where entities are apart.

    ``names`` are those of each (document, annotator). Numbers from 0 or 1 in every document are no
    names of a corpus.

    >>> shared_names({("d", "A"): ["e1", "e2"], ("f", "A"): ["e1"]})[0][:42]
    '1 entity name is in several documents: an '
    >>> shared_names({("d", "A"): ["0", "1"], ("f", "A"): ["0"]})
    []
    """
    if all(_numbered(own) for own in names.values()):
        return []
    count: Counter[tuple[str, str]] = Counter()
    for (_, who), own in names.items():
        count.update({(who, name) for name in own})
    several = sum(n > 1 for n in count.values())
    if not several:
        return []
    which = "entity name is" if several == 1 else "entity names are"
    return [
        f"{several} {which} in several documents: an entity of its own in each (`across` puts "
        "documents together)"
    ]


def _numbered(names: Sequence[str]) -> bool:
    """The names are the numbers of a document's own entities."""
    return all(name.isdecimal() and int(name) <= len(names) for name in names)
