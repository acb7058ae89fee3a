"""Rotation: an annotator's own units, moved as a whole to where chance would put them.

Each annotator keeps what is his manner: how many units, how long, how labelled, in bursts or not,
nested, overlapping, or cutting the continuum completely. Only the place is drawn anew, with one
random turn. Independent annotators are then as likely to have made any turn of their work as the one
they made, so that their γ is 0 on average, whatever their manner. Nothing passes the end.

Which turn depends on what the units leave free (L the length of the continuum):

* units apart turn in the free space: with f the start less the lengths before it and F the length
  left free, f becomes (f + r·F) mod F; units that touch are a cutting of their stretch and change
  places within it;
* fewer than one mean unit of free space is a cutting: its segments, and its gaps, in random order;
* nested units move with what contains them, and turn within it;
* overlapping units move by clumps in the free space where at least a fifth of the continuum is free
  between three clumps or more; else each turns among its possible starts: t = s/(L − l) becomes
  (t + r) mod 1.

On a grid (characters, tokens) possible places are counted, not measured: `atom` is its step, and all
offsets are then whole numbers of atoms.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from accord.chance.pool import Array
from accord.data.continuum import Continuum
from accord.data.encode import Codes

Places = NDArray[np.int64]

#: overlapping units keep their clumps when so much of the continuum is free between so many
_FREE, _CLUMPS = 0.2, 3


def rotated(
    start: Array, end: Array, extent: float, rng: np.random.Generator, *, grid: bool = False
) -> Array:
    """New starts of one annotator's units on [0, extent]; their lengths stay.

    With `grid` all offsets are whole numbers, and so are the new ones.

    >>> turn = np.random.default_rng(0)
    >>> rotated(np.array([0.0, 10.0]), np.array([4.0, 16.0]), 20.0, turn, grid=True)
    array([ 3., 13.])
    """
    new = np.empty(len(start))
    order = np.lexsort((-end, start))
    new[order] = _turned(start[order], end[order], extent, rng, grid)
    return new


def extent_of(continuum: Continuum) -> tuple[float, float]:
    """Where units may be: the continuum, or when its length is unknown what the units suggest.

    Their range is too short, since chance may have put units before the first and after the last:
    it is widened on each side by range/(N − 1), N the number of units. A cutting by everybody shows
    its own ends.
    """
    low, high = continuum.low, continuum.high
    if continuum.known or len(continuum) < 2:
        return low, high
    # (one unit each, all alike, cuts nothing)
    if continuum.counts.max() > 1 and all(cuttings(continuum)):
        return low, high
    more = (high - low) / (len(continuum) - 1)
    return low - more, high + more


def cuttings(continuum: Continuum) -> list[bool]:
    """For each annotator with units, whether they tile the continuum."""
    found = []
    for a, b in zip(continuum.offsets[:-1], continuum.offsets[1:], strict=True):
        if a == b:
            continue
        start, end = continuum.start[a:b], continuum.end[a:b]
        found.append(
            bool(
                start[0] == continuum.low
                and end[-1] == continuum.high
                and (start[1:] == end[:-1]).all()
            )
        )
    return found


def rotation(
    template: Continuum, rng: np.random.Generator, atom: float
) -> list[tuple[Array, Array, Codes]]:
    """One draw: the template's annotators, each turned by himself."""
    low, high = extent_of(template)
    parts = []
    if atom:
        # whole atoms: what widens an unknown length is rounded up
        low = template.low - atom * math.ceil(_atoms(template.low - low, atom))
        high = template.high + atom * math.ceil(_atoms(high - template.high, atom))
    scale = atom or 1.0
    extent = _whole(high - low, atom)
    for a in by_content(template):
        part = slice(int(template.offsets[a]), int(template.offsets[a + 1]))
        start = _whole(template.start[part] - low, atom)
        end = _whole(template.end[part] - low, atom)
        new = rotated(start, end, float(extent), rng, grid=atom > 0)
        moved = low + new * scale
        parts.append((moved, low + (new + (end - start)) * scale, template.label[part]))
    return parts


def by_content(continuum: Continuum) -> Places:
    """Annotators in an order that depends on what they marked, so that names do not change a draw."""
    counts = continuum.counts
    owner = np.repeat(np.arange(len(counts)), counts)
    starts, ends = (
        np.bincount(owner, weights=x - continuum.low, minlength=len(counts))
        for x in (continuum.start, continuum.end)
    )
    return np.lexsort((ends, starts, counts))


def _atoms(length: float, atom: float) -> float:
    """Whole numbers stay whole in spite of rounding."""
    count = length / atom
    near = round(count)
    return near if math.isclose(count, near, rel_tol=1e-9, abs_tol=1e-9) else count


def _whole(x: Array | float, atom: float) -> Array:
    return np.rint(np.asarray(x) / atom) if atom else np.asarray(x)


def _turned(start: Array, end: Array, extent: float, rng: np.random.Generator, grid: bool) -> Array:
    """New starts, for units in the order of their starts, longer before shorter."""
    size = len(start)
    if size == 0:
        return start
    # what fills everything cannot move, and holds the others
    full = int(((start == 0) & (end == extent)).sum())
    if 0 < full < size:
        return np.concatenate([start[:full], _turned(start[full:], end[full:], extent, rng, grid)])
    reach = np.maximum.accumulate(end)
    first = np.flatnonzero(np.concatenate([[True], start[1:] >= reach[:-1]]))
    last = np.concatenate([first[1:], [size]])
    begin, stop = start[first], reach[last - 1]
    apart = len(first) == size
    if not apart and _crossing(start, end):
        free = extent - float((stop - begin).sum())
        if free < _FREE * extent or len(first) < _CLUMPS:
            return _possible_starts(start, end - start, extent, rng, grid)
    new = _in_free_space(begin, stop - begin, extent, rng, grid)
    if apart:
        return new
    moved = start + np.repeat(new - begin, last - first)
    for a, b, at in zip(first.tolist(), last.tolist(), new.tolist(), strict=True):
        if b - a > 1 and end[a] == reach[b - 1]:
            inner = _turned(
                start[a + 1 : b] - start[a], end[a + 1 : b] - start[a],
                float(end[a] - start[a]), rng, grid,
            )  # fmt: skip
            moved[a + 1 : b] = at + inner
    return moved


def _crossing(start: Array, end: Array) -> bool:
    """Whether two units overlap without one containing the other."""
    open_ends: list[float] = []
    for a, b in zip(start.tolist(), end.tolist(), strict=True):
        while open_ends and open_ends[-1] <= a:
            open_ends.pop()
        if open_ends and b > open_ends[-1]:
            return True
        open_ends.append(b)
    return False


def _in_free_space(
    start: Array, length: Array, extent: float, rng: np.random.Generator, grid: bool
) -> Array:
    """New starts of bodies that do not overlap, given in their order."""
    size = len(start)
    free = extent - float(length.sum())
    gap = np.diff(start - (np.cumsum(length) - length), prepend=0.0)
    new = np.empty(size)
    if size > 1 and free < length.mean():
        gaps = rng.permutation(np.append(gap, max(0.0, free - gap.sum())))[:size]
        order = rng.permutation(size)
        moved = length[order]
        new[order] = np.cumsum(gaps) + np.cumsum(moved) - moved
        return new
    # bodies that touch change places within their stretch
    stretch = np.cumsum(gap > 0)
    order = np.lexsort((rng.random(size), stretch))
    f = np.cumsum(gap)
    if grid:
        # free atoms and bodies are the beads of one circle
        circle = free + size
        bead = (f + np.arange(size) + rng.integers(int(circle))) % circle
    else:
        bead = (f + rng.random() * free) % free if free > 0 else f
    turn = int(np.argmax(np.diff(bead, prepend=bead[0]) < 0))
    order, bead = np.roll(order, -turn), np.roll(bead, -turn)
    f = bead - np.arange(size) if grid else bead
    moved = length[order]
    new[order] = f + np.cumsum(moved) - moved
    return new


def _possible_starts(
    start: Array, length: Array, extent: float, rng: np.random.Generator, grid: bool
) -> Array:
    """Each start a share of the possible ones, all shares turned together."""
    room = extent - length
    if grid:
        places = room + 1
        return np.asarray(np.floor(((start + 0.5) / places + rng.random()) % 1.0 * places))
    share = np.divide(start, room, out=np.zeros(len(start)), where=room > 0)
    return np.asarray((share + rng.random()) % 1.0 * room)
