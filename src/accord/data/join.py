"""Several files as one campaign; a reference or a system as one more annotator."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from accord.data.chains import Chains
from accord.data.choose import some
from accord.data.protocol import Annotations
from accord.data.ratings import Ratings
from accord.data.segments import Segments
from accord.data.texts import agreed_texts
from accord.data.units import QUESTION, Units
from accord.errors import InputError


def joined(parts: Sequence[Annotations], *, sources: Sequence[str] | None = None) -> Annotations:
    """Put annotations of one shape together, with the annotators and documents of all.

    `sources`, the file of each part, makes errors name the place.

    >>> a = Ratings.from_matrix([["x", "y"]], annotators=["A"], items=["i", "j"])
    >>> b = Ratings.from_matrix([["x", "x"]], annotators=["B"], items=["i", "j"])
    >>> joined([a, b]).annotators
    ('A', 'B')
    """
    first = parts[0]
    if len(parts) == 1:
        return first
    shapes = {p.shape for p in parts}
    if len(shapes) > 1:
        raise InputError(
            f"the files hold different shapes: {', '.join(sorted(shapes))}",
            hint="evaluate each shape on its own",
        )
    if isinstance(first, Ratings):
        return _ratings([p for p in parts if isinstance(p, Ratings)])
    if isinstance(first, Units):
        return _units([p for p in parts if isinstance(p, Units)], sources)
    if isinstance(first, Segments):
        return _segments([p for p in parts if isinstance(p, Segments)])
    return _chains([p for p in parts if isinstance(p, Chains)])


def _ratings(parts: Sequence[Ratings]) -> Ratings:
    from accord.data.tables import ratings_from_long

    kinds = {p.kind for p in parts}
    categories = next((p.labels for p in parts if p.declared), None)
    columns: list[list[Any]] = [[], [], [], [], []]
    for part in parts:
        values: Sequence[Any] = part.values if len(kinds) == 1 else part.labels
        for i, a, c in zip(part.item.tolist(), part.annotator, part.code, strict=True):
            columns[0].append(part.items[i])
            columns[1].append(part.annotators[a])
            columns[2].append(values[c])
            columns[3].append(None if part.document is None else part.documents[part.document[i]])
            columns[4].append(None if part.time is None else part.times[part.time[i]])
    return ratings_from_long(
        columns[0],
        columns[1],
        columns[2],
        documents=columns[3] if all(p.document is not None for p in parts) else None,
        times=columns[4] if all(p.time is not None for p in parts) else None,
        kind=next(iter(kinds)) if len(kinds) == 1 else "categories",
        categories=categories,
        notes=_notes(parts),
    )


def _units(parts: Sequence[Units], sources: Sequence[str] | None) -> Units:
    texts = agreed_texts(parts, sources)
    lengths: dict[str, float] = {}
    unlike: list[str] = []
    coverage: list[tuple[str, str]] = []
    for part in parts:
        for name, length in zip(part.documents, part.lengths.tolist(), strict=True):
            if np.isfinite(length):
                if lengths.setdefault(name, length) != length and name not in texts:
                    unlike.append(name)
                lengths[name] = max(length, lengths[name])
        coverage.extend(
            (part.documents[d], part.annotators[a]) for d, a in np.argwhere(part.coverage).tolist()
        )
    if len(set(coverage)) < len(coverage):
        twice = next(c for c in coverage if coverage.count(c) > 1)
        raise InputError(
            f"annotator {twice[1]!r} has document {twice[0]!r} in two files",
            hint="rename the annotator with `annotator`",
        )
    return Units.from_rows(
        [tuple(u) for part in parts for u in part],  # type: ignore[misc]
        lengths=lengths,
        # tables say nothing about the documents that only others marked
        coverage=coverage if any(part.told for part in parts) else None,
        texts=texts or None,
        notes=[n for n in _notes(parts) if not n.endswith(QUESTION)] + _told(unlike),
    )


def _told(unlike: Sequence[str]) -> list[str]:
    names = list(dict.fromkeys(unlike))
    if not names:
        return []
    return [f"the files differ in the length of {some(names)}; the longest is taken"]


def _segments(parts: Sequence[Segments]) -> Segments:
    return Segments.from_masses(
        [
            (part.documents[d], part.annotators[a], part.masses(d, a).tolist())
            for part in parts
            for d, a in sorted(part.boundaries)
        ],
        notes=_notes(parts),
    )


def _chains(parts: Sequence[Chains]) -> Chains:
    clusters: dict[tuple[str, str], Any] = {}
    facts: dict[tuple[str, Any], Any] = {}
    words: dict[str, Any] = {}
    lengths: dict[str, int] = {}
    for part in parts:
        for d, name in enumerate(part.documents):
            _same_tokens(name, part, d, words, lengths)
        for d, a in sorted(part.coverage):
            key = (part.documents[d], part.annotators[a])
            if key in clusters:
                raise InputError(
                    f"annotator {key[1]!r} has document {key[0]!r} in two files",
                    hint="rename the annotator with `annotator`",
                )
            clusters[key] = part.clusters(d, a)
        if part.facts is not None:
            for d, name in enumerate(part.documents):
                facts.update(
                    {(name, m): f for m, f in zip(part.mentions[d], part.facts[d], strict=True)}
                )
    return Chains.from_clusters(
        clusters,
        facts=facts or None,
        words=words or None,
        lengths=lengths or None,
        notes=_notes(parts),
    )


def _same_tokens(
    name: str, part: Chains, d: int, words: dict[str, Any], lengths: dict[str, int]
) -> None:
    """Keep a document's tokens; offsets of two annotators mean the same only over the same ones."""
    own = None if part.words is None else part.words[d]
    length = None if part.lengths is None else part.lengths[d]
    if own is not None and words.setdefault(name, own) != own:
        raise InputError(
            f"document {name!r} has other words in another file",
            hint="join annotations of the same tokenisation",
        )
    if length is not None and lengths.setdefault(name, length) != length:
        raise InputError(
            f"document {name!r} has {length} tokens in one file and {lengths[name]} in another",
            hint="join annotations of the same tokenisation",
        )


def _notes(parts: Sequence[Annotations]) -> list[str]:
    return list(dict.fromkeys(note for part in parts for note in part.notes))
