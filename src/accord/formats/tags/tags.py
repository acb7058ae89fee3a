"""Sequences of BIO, IOB2, IOBES or BILOU tags as spans, by the rules of conlleval."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord.data import Units
from accord.data.encode import encode, natural_key
from accord.errors import InputError, UsageError
from accord.options.kinds import refuses_other_kinds

Span = tuple[int, int, str | None]
Places = NDArray[np.int64]

TAG = re.compile(r"(?:O|([BIESLUM])(?:-(\S+))?)\Z")
#: signs that continue a span, and signs that leave it open for the next token
CONTINUES, _OPEN = frozenset("IELM"), frozenset("BIM")


def spans_of(tags: Sequence[str]) -> list[Span]:
    """The spans (start, end, label) of a sequence of tags.

    >>> spans_of(["B-PER", "I-PER", "O", "S-LOC", "I-LOC", "I-ORG"])
    [(0, 2, 'PER'), (3, 4, 'LOC'), (4, 5, 'LOC'), (5, 6, 'ORG')]
    """
    start, end, kind, kinds = _cut(list(tags), np.zeros(1, dtype=np.int64))
    return [
        (s, e, kinds[k])
        for s, e, k in zip(start.tolist(), end.tolist(), kind.tolist(), strict=True)
    ]


@refuses_other_kinds
def from_tags(
    sequences: Sequence[Sequence[str]],
    *,
    annotator: str = "annotator",
    names: Sequence[str] | None = None,
) -> Units:
    """Read the units of one annotator from one sequence of tags per document.

    A span continues while I, E, L or M follows B, I or M with the same type; anything else begins a
    new one, as conlleval and seqeval do. Documents are called 0, 1, 2 … unless named.

    >>> units = from_tags([["B-PER", "I-PER", "O"], ["O", "S-LOC"]])
    >>> [(u.document, u.start, u.end, u.label) for u in units]
    [('0', 0.0, 2.0, 'PER'), ('1', 1.0, 2.0, 'LOC')]
    """
    sequences = [_tags(s) for s in _listed(sequences)]
    called = [str(i) for i in range(len(sequences))] if names is None else list(names)
    if len(called) != len(sequences):
        raise InputError(f"{len(sequences)} sequences of tags but {len(called)} names")
    if len(set(called)) < len(called):
        twice = next(n for n in called if called.count(n) > 1)
        raise InputError(f"two sequences of tags are called {twice!r}")
    sizes = np.array([len(s) for s in sequences], dtype=np.int64)
    first = np.concatenate([[0], np.cumsum(sizes)[:-1]]).astype(np.int64)
    flat = list(chain.from_iterable(sequences))
    start, end, kind, kinds = _cut(flat, first[sizes > 0])
    where = np.repeat(np.arange(len(sizes)), sizes)[start] if len(flat) else start
    order, rank = _sorted(called)
    place, code = _sorted([k for k in kinds if k is not None])
    known = [k for k in kinds if k is not None]
    label_of = np.array(
        [-1 if k is None else code[known.index(k)] for k in kinds] or [-1], dtype=np.int32
    )
    document = rank[where]
    # spans come in the order of the sequences and never overlap: documents alone need sorting
    by_document = np.argsort(document, kind="stable")
    offset = first[where]
    return Units(
        documents=tuple(called[i] for i in order),
        annotators=(annotator,),
        categories=tuple(known[i] for i in place),
        document=document[by_document],
        annotator=np.zeros(len(start), dtype=np.int32),
        start=(start - offset)[by_document].astype(np.float64),
        end=(end - offset)[by_document].astype(np.float64),
        label=label_of[kind][by_document],
        coverage=np.ones((len(called), 1), dtype=bool),
        lengths=np.where(sizes > 0, sizes, np.nan)[order].astype(np.float64),
    )


def _listed(given: object) -> list[Any]:
    """What can be gone through: not one text, not a table."""
    if isinstance(given, (str, bytes, Mapping)) or not isinstance(given, Iterable):
        raise UsageError(
            "tags must be lists of words such as B-PER and O, one list per document, "
            f"got {type(given).__name__}"
        )
    return list(given)


def _tags(given: object) -> list[str]:
    """The tags of a document."""
    tags = _listed(given)
    if not all(isinstance(tag, str) for tag in tags):
        odd = next(tag for tag in tags if not isinstance(tag, str))
        raise UsageError(f"a tag must be a word such as B-PER or O, got {odd!r}")
    return tags


def _sorted(names: list[str]) -> tuple[list[int], NDArray[np.int32]]:
    """The names' places in canonical order, and the rank of each."""
    order = sorted(range(len(names)), key=lambda i: natural_key(names[i]))
    rank = np.empty(len(names), dtype=np.int32)
    rank[order] = np.arange(len(names), dtype=np.int32)
    return order, rank


def _cut(tags: list[str], first: Places) -> tuple[Places, Places, Places, list[str | None]]:
    """Starts, ends and types of the spans of sequences laid end to end; `first` begins each."""
    codes, distinct = encode(tags)
    found = [TAG.match(tag) for tag in distinct]
    if None in found:
        raise InputError(
            f"{distinct[found.index(None)]!r} is not a BIO or IOBES tag",
            hint="tags look like B-PER or O",
        )
    signs = [m[1] if m is not None else None for m in found]
    _, kinds = encode([m[2] if m is not None else None for m in found])
    place = {k: i for i, k in enumerate(kinds)}

    def table(values: list[int]) -> Places:
        return np.array(values, dtype=np.int64)[codes] if values else np.empty(0, dtype=np.int64)

    inside = table([int(s is not None) for s in signs]).astype(bool)
    continues = table([int(s in CONTINUES) for s in signs]).astype(bool)
    opens = table([int(s in _OPEN) for s in signs]).astype(bool)
    kind = table([place[m[2] if m is not None else None] for m in found])
    joined = np.zeros(len(tags), dtype=bool)
    joined[1:] = continues[1:] & opens[:-1] & (kind[1:] == kind[:-1])
    joined[first[first < len(tags)]] = False
    start = np.flatnonzero(inside & ~joined)
    last = inside.copy()
    last[:-1] &= ~joined[1:]
    return start, np.flatnonzero(last) + 1, kind[start], kinds
