"""Distances between labels that form a tree: edges between them, or Wu and Palmer's share."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from accord.errors import InputError, UsageError
from accord.files.text import open_table

Array = NDArray[np.float64]
#: ways to measure in a tree
KINDS = ("path", "wu-palmer")
Line = tuple[str, ...]


def taxonomy_distances(
    labels: Sequence[str], *, tree: str | Path | None = None, kind: str = "path"
) -> Array:
    """Distances between labels in a tree, as they are.

    Labels are paths (``animal/bird/owl``), or `tree` is a table ``label,parent``. *path* counts the
    edges between two labels; top labels hang on a common root, so that two of them are 2 apart.
    *wu-palmer* is ``1 − 2·depth(lca)/(depth(a) + depth(b))``, the depth of a top label 1, lca the
    deepest label that contains both (Wu and Palmer 1994, *Verb semantics and lexical selection*).

    >>> taxonomy_distances(["animal", "animal/bird", "plant"]).tolist()
    [[0.0, 1.0, 2.0], [1.0, 0.0, 3.0], [2.0, 3.0, 0.0]]
    """
    if kind not in KINDS:
        raise UsageError(f"a tree is measured by {' or '.join(KINDS)}, got {kind!r}")
    lines, _ = _lines(labels, tree)
    size = len(labels)
    found = np.zeros((size, size))
    for i in range(size):
        for j in range(i + 1, size):
            found[i, j] = found[j, i] = _apart(lines[i], lines[j], kind)
    return found


def ancestors(labels: Sequence[str], *, tree: str | Path | None = None) -> list[tuple[str, ...]]:
    """Each label and all that it is a kind of, from the top down.

    A node that is the single top of the whole tree contains everything and is left out; the tops of
    a forest are kept. Labels are paths, or `tree` is a table, as for :func:`taxonomy_distances`.

    >>> ancestors(["animal/dog", "thing"])
    [('animal', 'animal/dog'), ('thing',)]
    >>> ancestors(["all/animal/dog", "all/thing"])
    [('all/animal', 'all/animal/dog'), ('all/thing',)]
    """
    lines, tops = _lines(labels, tree)
    if tree is None:
        nodes = [tuple("/".join(line[: k + 1]) for k in range(len(line))) for line in lines]
    else:
        nodes = lines
    return [line[1:] for line in nodes] if len(tops) == 1 else nodes


def _lines(labels: Sequence[str], tree: str | Path | None) -> tuple[list[Line], set[str]]:
    """Each label from the top of the tree down to it, and the tops of the whole tree."""
    if tree is None:
        lines = [tuple(part.strip() for part in label.split("/")) for label in labels]
        for label, line in zip(labels, lines, strict=True):
            if not all(line):
                raise UsageError(f"the label {label!r} has an empty part between its slashes")
        return lines, {line[0] for line in lines}
    parents = _parents(Path(tree))
    tops = {label for label, parent in parents.items() if parent is None}
    return [_line(label, parents, Path(tree)) for label in labels], tops


def _apart(one: Line, two: Line, kind: str) -> float:
    shared = 0
    while shared < min(len(one), len(two)) and one[shared] == two[shared]:
        shared += 1
    if kind == "path":
        return float(len(one) + len(two) - 2 * shared)
    return 1 - 2 * shared / (len(one) + len(two))


def _parents(path: Path) -> Mapping[str, str | None]:
    """The parent of each label; None for a top one."""
    try:
        with open_table(path) as handle:
            rows = list(csv.reader(handle))
    except OSError as problem:
        raise InputError(f"cannot be read ({problem.strerror})", path=path) from None
    except (UnicodeDecodeError, csv.Error) as problem:
        raise InputError(f"is not a readable table ({problem})", path=path) from None
    if not rows or [cell.strip() for cell in rows[0]] != ["label", "parent"]:
        raise InputError("must have the columns label,parent", path=path)
    parents: dict[str, str | None] = {}
    for line, row in enumerate(rows[1:], 2):
        if not row:
            continue
        label, parent = (*(cell.strip() for cell in row), "")[:2]
        if not label:
            raise InputError("has a row without a label", path=path, line=line)
        if parents.setdefault(label, parent or None) != (parent or None):
            raise InputError(f"the label {label!r} has two parents", path=path, line=line)
    # a parent that has no row of its own is a top label
    for parent in [p for p in parents.values() if p is not None]:
        parents.setdefault(parent, None)
    return parents


def _line(label: str, parents: Mapping[str, str | None], path: Path) -> Line:
    """From the top label down to this one."""
    if label not in parents:
        raise InputError(f"the label {label!r} of the data is not in the tree", path=path)
    line = [label]
    while (parent := parents[line[-1]]) is not None:
        if parent in line:
            raise InputError(f"the label {parent!r} is its own ancestor", path=path)
        line.append(parent)
    return tuple(reversed(line))
