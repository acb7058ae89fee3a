"""Names of entities: do they mean the same beyond a document?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from accord.data.reading import Record


def shared_names(names: Mapping[tuple[str, str], Sequence[str]]) -> Record:
    """Keep how many names are in several documents, where entities are apart.

    ``names`` are those of each (document, annotator). Numbers from 0 or 1 in every document are no
    names of a corpus.

    >>> shared_names({("d", "A"): ["e1", "e2"], ("f", "A"): ["e1"]}).decisions[0].taken.means
    'entities of one name in several documents are apart (1 name)'
    >>> shared_names({("d", "A"): ["0", "1"], ("f", "A"): ["0"]}).decisions
    []
    """
    record = Record()
    if all(_numbered(own) for own in names.values()):
        return record
    count: Counter[tuple[str, str]] = Counter()
    for (_, who), own in names.items():
        count.update({(who, name) for name in own})
    several = sum(n > 1 for n in count.values())
    if several:
        named = f"{several:,} name{'s' * (several > 1)}"
        means = f"entities of one name in several documents are apart ({named})"
        record.assume(means, ("across", "corpus"))
    return record


def _numbered(names: Sequence[str]) -> bool:
    """The names are the numbers of a document's own entities."""
    return all(name.isdecimal() and int(name) <= len(names) for name in names)
