"""Groups of annotators whose errors are correlated, for example several language models."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord.data import Ratings
from accord.data.names import places
from accord.errors import UsageError
from accord.gold.labels import Array, Labels


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Groups:
    """Weight of each annotator once correlated votes are counted for what they are worth."""

    weight: Array
    #: annotators in no declared group
    independent: NDArray[np.bool_]
    rows: tuple[dict[str, Any], ...]

    @property
    def effective(self) -> float:
        """Effective number of annotators: the sum of the weights."""
        return float(self.weight.sum())


def correlated(data: Ratings, groups: Mapping[str, Sequence[str]]) -> Groups:
    r"""Estimate how much the votes of each declared group are worth.

    A group of m annotators whose errors correlate by ρ is worth

    .. math:: m_{eff} = \frac{m}{1 + (m - 1) \rho}

    independent ones (Kish 1965), so each weighs m_eff / m. ρ is the mean over pairs of members of
    the correlation of their errors, an error being a label other than the most voted one among all
    annotators outside the group (items where these tie are left out); negative values count as 0.
    Two members wrong with different labels agree in being wrong and count as correlated. Where it
    cannot be estimated (nobody outside, or no shared item), the group counts as one annotator: that
    is what declaring it means.
    """
    A = len(data.annotators)
    weight = np.ones(A)
    independent = np.ones(A, dtype=bool)
    rows: list[dict[str, Any]] = []
    for name, members in groups.items():
        if len(members) < 2:
            raise UsageError(f"the group {name!r} must have at least two annotators")
        inside = places(list(members), data.annotators, "annotator")
        if not independent[inside].all():
            twice = data.annotators[int(inside[~independent[inside]][0])]
            raise UsageError(f"annotator {twice!r} is in two groups; declare one")
        independent[inside] = False
        rho, pairs = _error_correlation(data, inside)
        m = len(inside)
        effective = 1.0 if rho is None else m / (1 + (m - 1) * max(0.0, rho))
        weight[inside] = effective / m
        rows.append(
            {
                "group": name,
                "annotators": [data.annotators[i] for i in inside],
                "size": m,
                "error_correlation": rho,
                "pairs": pairs,
                "effective": effective,
            }
        )
    return Groups(weight=weight, independent=independent, rows=tuple(rows))


def overturned(
    data: Ratings, independent: NDArray[np.bool_], code: NDArray[np.int32]
) -> NDArray[np.int64]:
    """Items whose independent annotators (two at least) all say one thing and the reference another.

    An abstention overturns nobody.
    """
    labels = Labels.of(data, weight=independent.astype(np.float64))
    votes = labels.votes()
    total = votes.sum(axis=1)
    top = votes.max(axis=1, initial=0.0)
    unanimous = (total >= 2) & (top == total)
    said = votes.argmax(axis=1) if votes.shape[1] else np.zeros(len(votes), dtype=np.int64)
    return np.flatnonzero(unanimous & (code >= 0) & (said != code))


def _error_correlation(data: Ratings, inside: NDArray[np.int64]) -> tuple[float | None, int]:
    A, n = len(data.annotators), len(data.indptr) - 1
    outside = np.ones(A)
    outside[inside] = 0.0
    votes = Labels.of(data, weight=outside).votes()
    top = votes.max(axis=1, initial=0.0)
    clear = (top > 0) & ((votes == top[:, None]).sum(axis=1) == 1)
    said = votes.argmax(axis=1)
    wrong = np.full((len(inside), n), np.nan)
    item = data.item
    for row, member in enumerate(inside):
        mine = np.flatnonzero((data.annotator == member) & clear[item])
        wrong[row, item[mine]] = data.code[mine] != said[item[mine]]
    found: list[float] = []
    for i in range(len(inside)):
        for j in range(i):
            both = ~np.isnan(wrong[i]) & ~np.isnan(wrong[j])
            x, y = wrong[i, both], wrong[j, both]
            if both.sum() >= 2 and x.std() > 0 and y.std() > 0:
                found.append(float(np.corrcoef(x, y)[0, 1]))
    return (float(np.mean(found)), len(found)) if found else (None, 0)
