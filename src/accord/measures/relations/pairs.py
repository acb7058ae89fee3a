"""Pairs of aligned units as items that annotators judged: related how, or not at all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path

import numpy as np

from accord.alignment.align import align
from accord.alignment.alignment import Alignment
from accord.data.relations import Relations
from accord.errors import InputError, UsageError

NONE, NO_LABEL = "(none)", "(no label)"
Place = tuple[float, float]
#: a pair of groups, in the order source, target (or the smaller first)
Pair = tuple[int, int]


@dataclass(slots=True, eq=False)
class Judged:
    """One document: its groups of aligned units, and what each annotator said of pairs of them."""

    name: str
    annotators: tuple[int, ...]
    #: who has a unit in each group, groups in the order of the text
    members: list[frozenset[int]]
    #: (annotator, place) → group
    group: dict[tuple[int, Place], int]
    #: pair → annotator → labels
    said: dict[Pair, dict[int, list[str]]] = field(default_factory=dict)
    #: relations with an end that nobody shares, loops
    left_out: int = 0
    loops: int = 0

    def raters(self, pair: Pair) -> list[int]:
        """Who has units in both groups."""
        return sorted(self.members[pair[0]] & self.members[pair[1]])


def judged(relations: Relations, *, undirected: bool) -> Iterator[Judged]:
    """Every document that two or more annotators saw, its relations laid over its aligned units."""
    rows = relations.document.searchsorted(np.arange(len(relations.documents) + 1))
    for document in groups_of(relations):
        d = relations.documents.index(document.name)
        for i in range(int(rows[d]), int(rows[d + 1])):
            who = int(relations.annotator[i])
            ends = [
                document.group[who, (float(p[0]), float(p[1]))]
                for p in (relations.source[i], relations.target[i])
            ]
            if ends[0] == ends[1]:
                document.loops += 1
                continue
            if any(len(document.members[g]) < 2 for g in ends):
                document.left_out += 1
                continue
            pair = (min(ends), max(ends)) if undirected else (ends[0], ends[1])
            label = relations.label[i]
            name = NO_LABEL if label < 0 else relations.categories[label]
            document.said.setdefault(pair, {}).setdefault(who, []).append(name)
        yield document


def groups_of(
    relations: Relations, alignments: Sequence[Alignment] | None = None
) -> Iterator[Judged]:
    """The groups of each document: given items are their own, located units are aligned (perhaps
    already)."""
    seen = {
        name: tuple(np.flatnonzero(own).tolist())
        for name, own in zip(relations.documents, relations.coverage, strict=True)
    }
    units = relations.ends_as_units()
    if relations.given:
        places: dict[str, set[Place]] = {}
        ends = zip(units.start.tolist(), units.end.tolist(), strict=True)
        for d, end in zip(units.document.tolist(), ends, strict=True):
            places.setdefault(units.documents[d], set()).add(end)
        for name, who in seen.items():
            if len(who) >= 2:
                listed = sorted(places.get(name, ()))
                yield Judged(
                    name,
                    who,
                    [frozenset(who)] * len(listed),
                    {(a, p): g for g, p in enumerate(listed) for a in who},
                )
        return
    number = {name: i for i, name in enumerate(relations.annotators)}
    if sum(len(who) >= 2 for who in seen.values()) == 0 or not len(units):
        return
    for alignment in align(units) if alignments is None else alignments:
        group: dict[tuple[int, Place], int] = {}
        members: list[frozenset[int]] = []
        for own in alignment.members.tolist():
            held = {
                number[a]: row for a, row in zip(alignment.annotators, own, strict=True) if row >= 0
            }
            for a, row in held.items():
                place = (float(units.start[row]), float(units.end[row]))
                group.setdefault((a, place), len(members))
            members.append(frozenset(held))
        yield Judged(alignment.document, seen[alignment.document], members, group)


def chosen_pairs(
    document: Judged,
    *,
    undirected: bool,
    window: int | None,
    candidates: Mapping[str, Sequence[tuple[Place, Place]]] | None,
) -> Iterator[Pair] | None:
    """The pairs that were judged; None for all of them."""
    if candidates is not None:
        return _listed(document, candidates.get(document.name, ()), undirected)
    if window is not None:
        return _near(document, window, undirected)
    return None


def _near(document: Judged, window: int, undirected: bool) -> Iterator[Pair]:
    size = len(document.members)
    for g in range(size):
        for h in range(g + 1, min(size, g + window + 1)):
            yield g, h
            if not undirected:
                yield h, g


def _listed(
    document: Judged, pairs: Sequence[tuple[Place, Place]], undirected: bool
) -> Iterator[Pair]:
    anywhere: dict[Place, int] = {}
    for (_, place), number in document.group.items():
        anywhere.setdefault(place, number)
    found: dict[Pair, None] = {}
    for source, target in pairs:
        g, h = anywhere.get(source), anywhere.get(target)
        if g is not None and h is not None and g != h:
            found[(min(g, h), max(g, h)) if undirected else (g, h)] = None
    return iter(found)


def all_pairs(document: Judged, undirected: bool) -> Iterator[tuple[int, int]]:
    """(raters, how many pairs have so many), without listing them one by one."""
    kinds = Counter(document.members)
    times = 1 if undirected else 2
    for (one, n), (two, m) in combinations(kinds.items(), 2):
        if len(one & two) >= 2:
            yield len(one & two), times * n * m
    for own, n in kinds.items():
        if len(own) >= 2 and n > 1:
            yield len(own), times * n * (n - 1) // 2


def read_candidates(path: str | Path, relations: Relations) -> dict[str, list[tuple[Place, Place]]]:
    """A table document and the columns of the ends: the pairs that annotators were asked about."""
    import csv

    from accord.files.text import open_table

    names = (
        ("source", "target")
        if relations.given
        else ("source_start", "source_end", "target_start", "target_end")
    )
    number = {name: float(i) for i, name in enumerate(relations.items or ())}
    found: dict[str, list[tuple[Place, Place]]] = {}
    file = Path(path)
    if not file.is_file():
        raise UsageError(f"`candidates` must be a file, got {str(path)!r}")
    with open_table(file) as lines:
        reader = csv.DictReader(lines)
        lacking = [n for n in names if n not in (reader.fieldnames or ())]
        if lacking:
            raise InputError(f"has no column {lacking[0]!r}", path=file, line=1)
        for row in reader:
            name = row.get("document") or relations.documents[0]
            if relations.given:
                ends = [number.get(row[n], -1.0) for n in names]
                pair = ((ends[0], ends[0] + 1), (ends[1], ends[1] + 1))
            else:
                try:
                    n = [float(row[c]) for c in names]
                except ValueError:
                    raise InputError(
                        "the ends must be numbers", path=file, line=reader.line_num
                    ) from None
                pair = ((n[0], n[1]), (n[2], n[3]))
            found.setdefault(name, []).append(pair)
    return found
