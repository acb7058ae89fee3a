"""Units as tag sequences: a document cut into atoms, each annotator a row of O, B and I.

Atoms are the pieces between the borders of all annotators of a document, so that every unit is a run
of atoms; where the text is known its words are cut too. Time is cut like text. Tags are 0 for O,
1 + 2j for B of label j and 2 + 2j for I of label j.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from accord.data import Units
from accord.errors import InputError

Index = NDArray[np.int64]
_WORD = re.compile(r"\w+|[^\w\s]")


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Sequences:
    """The tag of each atom by each annotator who saw it; the atoms of a document are consecutive."""

    #: first atom of each sequence, and the end of the last
    indptr: Index
    #: index of the document of each sequence
    document: Index
    #: borders of each atom
    start: NDArray[np.float64]
    end: NDArray[np.float64]
    #: one row per atom and annotator who saw it
    atom: Index
    annotator: Index
    #: the annotator's tag of the atom, and of the atom before it (O at the start)
    tag: Index
    before: Index
    n_annotators: int
    #: labels; the tags are 1 + 2 × labels
    n_labels: int

    @property
    def n_tags(self) -> int:
        return 1 + 2 * self.n_labels

    @property
    def n_atoms(self) -> int:
        return len(self.start)


def allowed(tags: int) -> NDArray[np.bool_]:
    """Which tag may follow which: I of a label only B or I of that label."""
    ok = np.ones((tags, tags), dtype=bool)
    for inside in range(2, tags, 2):
        ok[:, inside] = False
        ok[[inside - 1, inside], inside] = True
    return ok


def sequences_of(data: Units, labels: Index) -> Sequences:
    """The units with these labels (indices into the categories, -1 for none) as tag sequences.

    Units of one annotator must not overlap.
    """
    number = {int(code): j for j, code in enumerate(labels)}
    kept = np.flatnonzero(np.isin(data.label, labels))
    starts: list[NDArray[np.float64]] = []
    ends: list[NDArray[np.float64]] = []
    rows: list[tuple[Index, Index, Index, Index]] = []
    indptr, documents = [0], []
    for d in range(len(data.documents)):
        own = kept[data.document[kept] == d]
        seen = np.flatnonzero(data.coverage[d])
        if not len(own) or not len(seen):
            continue
        borders = np.unique(np.concatenate([data.start[own], data.end[own], _words(data, d)]))
        n = len(borders) - 1
        first = np.searchsorted(borders, data.start[own])
        last = np.searchsorted(borders, data.end[own])
        for a in seen:
            mine = np.flatnonzero(data.annotator[own] == a)
            tag = np.zeros(n, dtype=np.int64)
            for i in mine[np.argsort(first[mine], kind="stable")]:
                run = tag[first[i] : last[i]]
                if run.any():
                    raise overlap(data, d, int(a), float(data.start[own[i]]))
                j = number[int(data.label[own[i]])]
                run[:] = 2 + 2 * j
                run[:1] = 1 + 2 * j
            before = np.concatenate([[0], tag[:-1]])
            atoms = indptr[-1] + np.arange(n)
            rows.append((atoms, np.full(n, a, dtype=np.int64), tag, before))
        starts.append(borders[:-1])
        ends.append(borders[1:])
        indptr.append(indptr[-1] + n)
        documents.append(d)
    empty = np.empty(0, dtype=np.int64)
    atom, annotator, tag, before = (
        np.concatenate([r[k] for r in rows]) if rows else empty for k in range(4)
    )
    return Sequences(
        indptr=np.array(indptr, dtype=np.int64),
        document=np.array(documents, dtype=np.int64),
        start=np.concatenate(starts) if starts else np.empty(0),
        end=np.concatenate(ends) if ends else np.empty(0),
        atom=atom,
        annotator=annotator,
        tag=tag,
        before=before,
        n_annotators=len(data.annotators),
        n_labels=len(labels),
    )


def _words(data: Units, document: int) -> NDArray[np.float64]:
    """Where the words of a text begin, and its end; nothing where the text is unknown."""
    text = None if data.texts is None else data.texts[document]
    if not text:
        return np.empty(0)
    return np.array([*(m.start() for m in _WORD.finditer(text)), len(text)], dtype=np.float64)


def overlap(data: Units, document: int, annotator: int, start: float) -> InputError:
    """The error for an annotator whose units of one layer overlap."""
    return InputError(
        f"units of {data.annotators[annotator]!r} overlap in {data.documents[document]!r} at {start:g}: "
        "a sequence model needs units without overlap",
        hint="use method='consensus', which aligns overlapping units",
    )


def runs(tags: Index) -> list[tuple[int, int, int]]:
    """(first atom, end, label) of each unit in a tag sequence; an I that opens is read as a B.

    >>> runs(np.array([0, 1, 2, 0, 2, 3]))
    [(1, 3, 0), (4, 5, 0), (5, 6, 1)]
    """
    found: list[tuple[int, int, int]] = []
    opened, label = -1, -1
    for i, tag in enumerate([*tags.tolist(), 0]):
        inside = tag > 0 and tag % 2 == 0 and opened >= 0 and (tag - 2) // 2 == label
        if opened >= 0 and not inside:
            found.append((opened, i, label))
            opened = -1
        if tag > 0 and not inside:
            opened, label = i, (tag - 1) // 2
    return found
