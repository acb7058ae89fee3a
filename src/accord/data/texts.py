"""The texts of documents that come more than once: offsets mean the same only in the same text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from accord.data.units import Units
from accord.errors import InputError

_BLANK = re.compile(r"\s")
#: characters shown around the first difference
_BEFORE, _AFTER = 10, 15


def same_places(one: str, other: str) -> bool:
    """Every offset means the same in both: at most white space differs in kind, or at the end.

    >>> same_places("a\\nb\\n", "a b"), same_places("a\\r\\nb", "a\\nb")
    (True, False)
    """
    return one == other or _evened(one) == _evened(other)


def first_difference(one: str, other: str) -> int:
    """Where two texts part.

    >>> first_difference("abc", "abd"), first_difference("ab", "abc")
    (2, 2)
    """
    pairs = zip(one, other, strict=False)
    return next((i for i, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))


def agreed_texts(parts: Sequence[Units], sources: Sequence[str] | None = None) -> dict[str, str]:
    """The text of each document of several files, which must be the same wherever there is one.

    White space may differ in kind and at the end, because platforms rewrite it and no offset moves.
    Line ends of two characters and a byte-order mark move all offsets behind them: they may differ
    only where at most one of the files has units behind the first difference.
    """
    known: dict[str, _Text] = {}
    for p, part in enumerate(parts):
        if part.texts is None:
            continue
        last = np.zeros(len(part.documents))
        np.maximum.at(last, part.document, part.end)
        for d, (name, text) in enumerate(zip(part.documents, part.texts, strict=True)):
            if text is None:
                continue
            new = _Text(text, float(last[d]), p, d)
            old = known.setdefault(name, new)
            if not same_places(old.text, text):
                _refuse_shift(name, old, new, parts, sources)
                # past the difference, only the text of the units that are there will do
                known[name] = max(old, new, key=lambda t: t.last)
            elif len(text) > len(old.text):
                known[name] = _Text(text, max(old.last, new.last), p, d)
            elif new.last > old.last:
                known[name] = _Text(old.text, new.last, old.part, old.document)
    return {name: held.text for name, held in known.items()}


@dataclass(frozen=True, slots=True)
class _Text:
    """A text, the end of the last unit in it, and which document of which part has it."""

    text: str
    last: float
    part: int
    document: int


def _refuse_shift(
    name: str, old: _Text, new: _Text, parts: Sequence[Units], sources: Sequence[str] | None
) -> None:
    """Refuse texts that differ, unless only line ends do and no two units stand behind them."""
    at = first_difference(old.text, new.text)
    ends_only = same_places(_bare(old.text), _bare(new.text))
    if ends_only and min(old.last, new.last) <= at:
        return
    who = []
    for held in (new, old):
        part = parts[held.part]
        seen = part.coverage[held.document]
        names = [a for a, s in zip(part.annotators, seen, strict=True) if s]
        whose = f"annotator {names[0]!r}" if len(names) == 1 else f"{len(names)} annotators"
        who.append(whose if sources is None else f"{whose} ({sources[held.part]})")
    raise InputError(
        f"document {name!r} has another text for {who[0]} than for {who[1]}: from character {at} on, "
        f"{_around(new.text, at)!r} against {_around(old.text, at)!r}",
        path=None if sources is None else sources[new.part],
        hint="save both with the same line ends and byte-order mark, and offsets that count them"
        if ends_only
        else "annotate the same text, or name the documents differently",
    )


def _around(text: str, at: int) -> str:
    left, right = max(0, at - _BEFORE), at + _AFTER
    return f"{'…' if left else ''}{text[left:right]}{'…' if right < len(text) else ''}"


def _evened(text: str) -> str:
    """White space of every kind alike, none at the end: what platforms rewrite freely."""
    return _BLANK.sub(" ", text).rstrip()


def _bare(text: str) -> str:
    return text.removeprefix("\ufeff").replace("\r\n", "\n")
