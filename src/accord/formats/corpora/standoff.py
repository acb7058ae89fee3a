"""Lines of a brat `.ann` file as statements about units, and back.

`T` unit, `R` relation, `E` event, `A` and `M` attribute, `N` normalisation, `#` note, `*`
equivalence. A line that would not come back as it is (a blank too many, a missing argument) is kept
whole.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from accord.data.statements import Kind, Statement

_REFERENCE = re.compile(r"(?<![^ :])([TREAMN]\d+)(?= |$)")
_KINDS: dict[str, Kind] = {
    "R": "relation",
    "E": "event",
    "A": "attribute",
    "M": "attribute",
    "N": "normalisation",
    "#": "note",
    "*": "equivalence",
}
#: the first letters of lines that are about units
LETTERS = "".join(_KINDS)


def parsed(line: str) -> Statement:
    """One line that is no unit.

    >>> parsed("R1\\tVisits Arg1:T1 Arg2:T2").targets
    (('Arg1', 'T1'), ('Arg2', 'T2'))
    """
    name, _, rest = line.partition("\t")
    body, _, free = rest.partition("\t")
    words = body.split(" ")
    kind = _KINDS[line[0]]
    if kind == "relation":
        made = Statement(name, kind, words[0], _pairs(words[1:]))
    elif kind == "event":
        label, _, trigger = words[0].partition(":")
        made = Statement(name, kind, label, (("", trigger), *_pairs(words[1:])))
    elif kind == "equivalence":
        made = Statement(name, kind, words[0], tuple(("", w) for w in words[1:]))
    else:
        value = free if kind == "note" else " ".join(words[2:])
        if kind == "normalisation" and free:
            value = f"{value}\t{free}"
        made = Statement(name, kind, words[0], tuple(("", w) for w in words[1:2]), value)
    if written(made) != line or not all(target for _, target in made.targets):
        about = tuple(("", target) for target in _REFERENCE.findall(body))
        return Statement(name, "line", "", about, line)
    return made


def written(one: Statement) -> str:
    """The line of a statement, whether or not it is a unit's."""
    if one.kind == "line":
        return one.value
    if one.kind == "event":
        head, *arguments = one.targets or (("", ""),)
        words = [f"{one.label}:{head[1]}", *(f"{role}:{t}" for role, t in arguments)]
    elif one.kind == "relation":
        words = [one.label, *(f"{role}:{target}" for role, target in one.targets)]
    else:
        words = [one.label, *(target for _, target in one.targets)]
    if one.kind == "note":
        return f"{one.name}\t{' '.join(words)}\t{one.value}"
    if one.value:
        words.append(one.value)
    return f"{one.name}\t{' '.join(words)}"


def unit_line(name: str, label: str, pieces: Sequence[tuple[float, float]], text: str) -> str:
    """`T1⇥Type 4 9;12 17⇥covered text`."""
    ends = [(int(start), int(end)) for start, end in pieces]
    place = ";".join(f"{start} {end}" for start, end in ends)
    covered = " ".join(text[start:end] for start, end in ends)
    return f"{name}\t{label} {place}\t" + re.sub(r"[\r\n\t]", " ", covered)


def one_word(label: str) -> str:
    """A label as brat writes it, without blanks."""
    return re.sub(r"\s+", "_", label) or "_"


def _pairs(words: Sequence[str]) -> tuple[tuple[str, str], ...]:
    found = []
    for word in words:
        role, _, target = word.partition(":")
        found.append((role, target))
    return tuple(found)
