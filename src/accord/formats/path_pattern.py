"""Where annotator and document stand in a path: ``{batch}/{annotator}/{document}.ann``."""

from __future__ import annotations

import re
from typing import NamedTuple

from accord.errors import UsageError

_FIELD = re.compile(r"\{(\w+)\}")


class Named(NamedTuple):
    """What a path says; None where the pattern has no such field."""

    annotator: str | None
    document: str | None
    #: the other fields, such as a batch, joined by slashes
    rest: str


def named_by(pattern: str, name: str) -> Named | None:
    """Read a path (with slashes) by a pattern of its last parts; None when it does not fit.

    Fields hold no slash; the first of two in one part is as long as can be.

    >>> named_by("{annotator}/{document}.ann", "round1/ann/doc1.ann")
    Named(annotator='ann', document='doc1', rest='')
    >>> named_by("{document}_{annotator}.ann", "x/a_b_ann.ann")
    Named(annotator='ann', document='a_b', rest='')
    >>> named_by("{batch}/{annotator}/{document}.ann", "ann/doc1.ann") is None
    True
    """
    fields = _FIELD.findall(pattern)
    if not {"annotator", "document"} & set(fields):
        raise UsageError(
            f"the path pattern {pattern!r} names neither {{annotator}} nor {{document}}"
        )
    if len(set(fields)) < len(fields):
        raise UsageError(f"the path pattern {pattern!r} has a field twice")
    parts = pattern.strip("/").split("/")
    tail = "/".join(name.split("/")[-len(parts) :])
    match = _compiled(pattern.strip("/")).fullmatch(tail)
    if match is None:
        return None
    held = match.groupdict()
    rest = "/".join(held[f] for f in fields if f not in ("annotator", "document"))
    return Named(held.get("annotator"), held.get("document"), rest)


def _compiled(pattern: str) -> re.Pattern[str]:
    pieces: list[str] = []
    place = 0
    for match in _FIELD.finditer(pattern):
        pieces.append(_literal(pattern[place : match.start()]))
        pieces.append(f"(?P<{match[1]}>[^/]+)")
        place = match.end()
    return re.compile("".join([*pieces, _literal(pattern[place:])]))


def _literal(text: str) -> str:
    """Plain text, in which a star stands for anything but a slash."""
    return "[^/]*".join(map(re.escape, text.split("*")))
