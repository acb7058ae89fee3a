"""What looks like a slip in names and numbers of annotations: the audit and the header say it."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from accord.data.reading import Person, Reading

#: more labels than this are no classes
_MOST_LABELS = 1_000
_TRIAL = re.compile(
    r"(test|admin|demo|dummy|guest)([ _.-]?(user|account))?[ _.-]?\d*(@.*)?|.+@localhost"
)
#: shares of what the busiest did: who has less did a part, others are done
_PART, _WHOLE = 0.5, 0.9


def slips(reading: Reading) -> Iterator[tuple[str, tuple[str, object]]]:
    """Yield what to look at, with the option that mends it."""
    people = [p for p in reading.people if p.role == "annotator"]
    if len(reading.labels) <= _MOST_LABELS and reading.scale in ("names", "sets"):
        for first, *rest in alike(reading.labels):
            yield (
                f"labels {first!r} and {rest[0]!r} differ in spelling only",
                ("merge", {first: tuple(rest)}),
            )
    trying = trial_accounts([p.name for p in people])
    for name in trying:
        yield f"{name!r} looks like a test account", ("without", name)
    staying = [p for p in people if p.name not in trying]
    for one, most in in_part(staying) if reading.shape == "ratings" else ():
        items = "item" if one.n == 1 else "items"
        told = f"{one.name!r} rated {one.n:,} {items}, others {most:,}"
        yield told, ("without", one.name)


def alike(names: Sequence[str]) -> list[list[str]]:
    """Return groups of names that are one when case, blanks and composed accents do not count.

    >>> alike(["Person", "place", "PERSON ", "in-law", "in law", "+", "-"])
    [['Person', 'PERSON '], ['in-law', 'in law']]
    """
    groups: dict[str, list[str]] = defaultdict(list)
    for name in names:
        plain = unicodedata.normalize("NFKC", name).casefold()
        groups[re.sub(r"[\s_\u200b\ufeff-]+", " ", plain).strip()].append(name)
    return [group for key, group in groups.items() if len(group) > 1 and key]


def in_two_ways(ours: Iterable[str], theirs: Iterable[str]) -> tuple[str, str] | None:
    """Return a name on each side that are one when leading zeros, `.0`, case and blanks do not count.

    >>> in_two_ways(["007", "8"], ["7"]), in_two_ways(["item_01"], ["ITEM_1.0 "])
    (('007', '7'), ('item_01', 'ITEM_1.0 '))
    >>> in_two_ways(["1.05", "a"], ["1.5", "b", "a"])
    """
    known = {_spelt(name): name for name in ours}
    pairs = ((known.get(_spelt(name), name), name) for name in theirs)
    return next((pair for pair in pairs if pair[0] != pair[1]), None)


def _spelt(name: str) -> str:
    plain = unicodedata.normalize("NFKC", name).casefold().strip()
    return re.sub(r"(?<![\d.])0+(?=\d)", "", re.sub(r"(?<=\d)\.0+$", "", plain))


def trial_accounts(names: Sequence[str]) -> list[str]:
    """Return the annotators who are called like an account for trying things out, beside others.

    >>> trial_accounts(["ana", "admin@localhost", "test_2", "Testa"]), trial_accounts(["test1", "test2"])
    (['admin@localhost', 'test_2'], [])
    """
    found = [name for name in names if _TRIAL.fullmatch(name.casefold())]
    return found if len(found) < len(names) else []


def in_part(people: Sequence[Person]) -> list[tuple[Person, int]]:
    """Return the one annotator who rated half of the items or fewer where all others rated nearly all."""
    counts = [p.n for p in people if p.n]
    if len(counts) < len(people) or len(counts) < 2:
        return []
    most = max(counts)
    fewer = [p for p in people if p.n and p.n < _WHOLE * most]
    return [(p, most) for p in fewer if p.n and p.n <= _PART * most and len(fewer) == 1]
