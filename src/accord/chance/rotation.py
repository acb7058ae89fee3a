"""Rotation: an annotator's own units, moved as a whole to where chance would put them.

Each annotator keeps what is his manner: how many units, how long, how labelled, in bursts or not,
nested, overlapping, or cutting the continuum completely. Only the place is drawn anew, with one
random turn. Independent annotators are then as likely to have made any turn of their work as the one
they made, so that their γ is 0 on average, unless they share habits of place (see
:mod:`accord.chance.documents`). Nothing passes the end.

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
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from accord.chance.pool import Array
from accord.data.continuum import Continuum, Pieces
from accord.data.encode import Codes
from accord.kernels.turns import NEEDS, turned_units

Places = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Manner:
    """The units of a continuum, made ready to be turned: annotators by content, in whole atoms.

    Annotator a has the units offsets[a] .. offsets[a+1], by start, longer before shorter; they may be
    anywhere on [0, extent], which is low .. low + step × extent.
    """

    template: Continuum
    offsets: Places
    start: Array
    end: Array
    label: Codes
    extent: float
    low: float
    step: float
    grid: bool
    #: fragments, and where their units were
    pieces: Pieces | None
    origin: Array

    @classmethod
    def of(cls, template: Continuum, atom: float = 0.0) -> Self:
        """The manner of the template's annotators; `atom` is the step of the grid, 0 for none."""
        low, high = extent_of(template)
        if atom:
            # whole atoms: what widens an unknown length is rounded up
            low = template.low - atom * math.ceil(_atoms(template.low - low, atom))
            high = template.high + atom * math.ceil(_atoms(high - template.high, atom))
        who = by_content(template)
        rank = np.empty(len(who), dtype=np.int64)
        rank[who] = np.arange(len(who))
        order = np.lexsort((-template.end, template.start, rank[template.annotator]))
        return cls(
            template,
            np.concatenate([[0], np.cumsum(template.counts[who])]),
            _whole(template.start[order] - low, atom),
            _whole(template.end[order] - low, atom),
            template.label[order],
            float(_whole(high - low, atom)),
            low,
            atom or 1.0,
            atom > 0,
            None if template.pieces is None else template.pieces.take(order),
            template.start[order],
        )

    def turned(self, rng: np.random.Generator) -> Continuum:
        """One draw: every annotator turned by himself.

        >>> rows = np.array([0.0, 10.0]), np.array([4.0, 16.0]), np.zeros(2, np.int32)
        >>> manner = Manner.of(Continuum.assemble([rows], 0.0, 20.0), atom=1.0)
        >>> manner.turned(np.random.default_rng(0)).start
        array([ 2., 12.])
        """
        start, end, number = turned_units(
            self.offsets,
            self.start,
            self.end,
            self.label,
            self.extent,
            self.grid,
            self.low,
            self.step,
            rng.random(NEEDS * len(self.start)),
        )
        pieces = None
        if self.pieces is not None:
            # fragments move with their hull
            pieces = self.pieces.take(number).moved(start - self.origin[number])
        return Continuum(
            self.offsets,
            start,
            end,
            self.label[number],
            self.template.low,
            self.template.high,
            pieces=pieces,
        )


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


def by_content(continuum: Continuum) -> Places:
    """Annotators in an order that depends on what they marked, so that names do not change a draw."""
    counts = continuum.counts
    owner = np.repeat(np.arange(len(counts)), counts)
    # as shares of the continuum, without their last digits: the unit of the offsets is no content
    extent = (continuum.high - continuum.low) or 1.0
    starts, ends = (
        np.round(np.bincount(owner, (x - continuum.low) / extent, minlength=len(counts)), 10)
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
