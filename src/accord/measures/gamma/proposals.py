"""Δ and the distances between categories, proposed from the data (2011 §7): shown, never applied."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from accord.alignment.align import align, alignable
from accord.alignment.alignment import real_pairs
from accord.alignment.batch import Batch
from accord.alignment.candidates import find_pairs
from accord.chance import ChanceModel
from accord.chance.pool import Pool
from accord.data.continuum import Continuum
from accord.data.units import Units
from accord.distance.units import Array, Dissimilarity, unit_dissimilarity
from accord.errors import UsageError
from accord.files.atomic import write_csv

#: chance continua drawn per document when Δ is proposed
_DRAWS = 10
#: largest d_pos (2011 form) looked at: two units of equal length four lengths apart
_FAR = 64.0


@dataclass(frozen=True, slots=True)
class ProposedDelta:
    """A Δ for the 2011 form, and how well it separates real neighbours from chance ones."""

    value: float
    #: share of units with a neighbour within Δ, observed and by chance
    observed: float
    chance: float

    @property
    def sentence(self) -> str:
        return (
            f"Δ = {self.value:.3g} would separate best: {self.observed:.0%} of units have a "
            f"counterpart within it, {self.chance:.0%} by chance (for `objective=holistic`; in γ's "
            "form Δ only scales); it was not used"
        )


def propose_delta(units: Units, *, positional: str = "sporadic", seed: int = 0) -> ProposedDelta:
    """The Δ that best separates the nearest counterparts of units from those in chance continua.

    For every unit and every other annotator the least d_pos (2011 form) is taken, on the data and
    on shuffled continua; Δ is the value t at which the shares with d_pos ≤ t differ most.
    """
    d = unit_dissimilarity(
        units.categories, objective="holistic", alpha=1.0, beta=0.0, positional=positional
    )
    observed: list[Array] = []
    chance: list[Array] = []
    for number, document in enumerate(alignable(units)):
        continuum = document.continuum
        if not len(continuum):
            continue
        observed.append(_nearest(continuum, d))
        model = ChanceModel(
            name="shuffle",
            templates=(continuum,),
            sources=(continuum,),
            pool=Pool.gather([continuum]),
            annotators=continuum.annotators,
            seed=seed,
            key=number,
        )
        chance.extend(_nearest(model.draw(i), d) for i in range(_DRAWS))
    if not observed:
        raise UsageError("nobody marked any unit: there is nothing to propose a Δ from")
    real, random = np.sort(np.concatenate(observed)), np.sort(np.concatenate(chance))
    places = np.unique(real[np.isfinite(real) & (real > 0)])
    if not len(places):
        return ProposedDelta(4.0, float((real == 0).mean()), float((random == 0).mean()))
    share = np.searchsorted(real, places, side="right") / len(real)
    other = np.searchsorted(random, places, side="right") / len(random)
    best = int(np.argmax(share - other))
    return ProposedDelta(float(places[best]), float(share[best]), float(other[best]))


def _nearest(continuum: Continuum, d: Dissimilarity) -> Array:
    """Least d from each unit to each other annotator, infinite where none is near."""
    n = continuum.annotators
    pairs = find_pairs(Batch.of([continuum]), d, limit=_FAR)
    first = np.repeat(np.arange(len(continuum)), np.diff(pairs.indptr))
    least = np.full((len(continuum), n), np.inf)
    annotator = continuum.annotator
    np.minimum.at(least, (first, annotator[pairs.other]), pairs.distance)
    np.minimum.at(least, (pairs.other, annotator[first]), pairs.distance)
    keep = np.ones((len(continuum), n), dtype=bool)
    keep[np.arange(len(continuum)), annotator] = False
    return least[keep]


def propose_matrix(units: Units, *, positional: str = "sporadic") -> Array:
    """Categories confused more often than chance expects are proposed to be closer.

    Units are aligned by position alone. With o the coincidences of categories in aligned pairs and
    e those expected from their frequencies, the distance is min(1, e/o), as for ratings.

    >>> rows = [("d", a, s, s + 5, c) for a, c in (("A", "x"), ("B", "y")) for s in (0, 20, 41)]
    >>> rows += [("d", a, s, s + 5, "z") for a in "AB" for s in (60, 80)]
    >>> propose_matrix(Units.from_rows(rows)).round(2).tolist()
    [[0.0, 0.33, 1.0], [0.33, 0.0, 1.0], [1.0, 1.0, 0.0]]
    """
    size = len(units.categories)
    if size < 2:
        raise UsageError("fewer than two categories: there are no distances to propose")
    o = np.zeros((size, size))
    for found in align(units, beta=0.0, positional=positional):
        _, first, second = real_pairs(found.members)
        a, b = units.label[first], units.label[second]
        both = (a >= 0) & (b >= 0)
        np.add.at(o, (a[both], b[both]), 1.0)
        np.add.at(o, (b[both], a[both]), 1.0)
    n = o.sum(axis=0)
    if n.sum() < 2:
        raise UsageError("no two units could be aligned: there are no confusions to learn from")
    e = np.outer(n, n) / (n.sum() - 1)
    table = np.where(o > e, e / np.where(o == 0, 1.0, o), 1.0)
    np.fill_diagonal(table, 0.0)
    return table


def write_matrix(path: Path, labels: Sequence[str], table: Array) -> None:
    """A square CSV with labels on the first row and column, to be edited and given back."""
    rows = zip(labels, table.tolist(), strict=True)
    write_csv(path, ["", *labels], ([label, *(f"{x:.4g}" for x in row)] for label, row in rows))
