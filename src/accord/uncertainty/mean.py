"""The mean of several values on the same units, as one sample: its interval is that of the mean."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord.result import Array, Sample, Virtual
from accord.uncertainty.jackknife import dense

#: cells of the joint table, at most
_MOST = 20_000_000


def mean_sample(samples: Sequence[Sample], *, counted: bool = False) -> Sample | None:
    """One sample whose value is the mean of the values that are defined.

    Units are matched by their keys; a sample that lacks one has zeros there. None when the samples
    cannot be put side by side (no keys, different units, too many). Units that an engine `counted`
    stand apart again, as long as they are not too many, so that they are drawn as any others are.
    """
    if not samples or any(s.keys is None or s.unit != samples[0].unit for s in samples):
        return None
    first = samples[0]
    place: dict[Any, int] = {}
    at = [
        np.array([place.setdefault(key, len(place)) for key in s.keys or ()], dtype=np.int64)
        for s in samples
    ]
    widths = [s.width for s in samples]
    n = len(place)
    if n * sum(widths) > _MOST:
        return None
    rows = np.zeros((n, sum(widths)))
    times = np.zeros(n, dtype=np.int64)
    weight = np.zeros(n)
    cluster = np.full(n, -1, dtype=np.int32)
    for s, here, start in zip(samples, at, np.cumsum([0, *widths[:-1]]), strict=True):
        index: NDArray[Any] = np.arange(s.size) if s.index is None else s.index
        held = np.ones(len(index), dtype=np.int64) if s.multiplicity is None else s.multiplicity
        rows[here, start : start + s.width] = dense(_rows(s)[index]) * (held > 0)[:, None]
        times[here] = np.maximum(times[here], held)
        weight[here] = np.maximum(weight[here], 1.0 if s.weight is None else s.weight)
        if s.cluster is not None:
            cluster[here] = s.cluster
    keys = list(place)
    if counted and int(times.sum()) * sum(widths) <= _MOST:
        each = np.repeat(np.arange(n), times)
        rows, weight, cluster, keys = (
            rows[each],
            weight[each],
            cluster[each],
            [keys[i] for i in each],
        )
        times = np.ones(len(each), dtype=np.int64)
    clustered = first.cluster is not None and bool((cluster >= 0).all())
    edges = np.cumsum(widths)[:-1]

    def score(totals: Array) -> Mapping[str, Array]:
        parts = np.split(totals, edges, axis=1)
        values = np.stack([s.score(t)["value"] for s, t in zip(samples, parts, strict=True)])
        known = np.isfinite(np.real(values))
        with np.errstate(divide="ignore", invalid="ignore"):
            return {"value": np.where(known, values, 0.0).sum(axis=0) / known.sum(axis=0)}

    return Sample(
        rows=rows,
        score=score,
        multiplicity=times,
        cluster=cluster if clustered else None,
        clusters=first.clusters if clustered else (),
        keys=keys,
        unit=first.unit,
        weight=weight if first.unit == "document" else None,
        virtual=None if any(s.virtual is None for s in samples) else lambda: _together(samples),
        graded=any(s.graded for s in samples),
        whole=any(s.whole for s in samples),
    )


def _rows(sample: Sample) -> Any:
    """Its statistics; of a sample that keeps none, a mark for each row."""
    return np.eye(sample.size) if sample.rows is None else sample.rows


def _together(samples: Sequence[Sample]) -> Virtual:
    """The virtual units that all samples know, answered in all of them."""
    made = [s.virtual() for s in samples if s.virtual is not None]
    shared = [n for n in made[0].names if all(n in v.names for v in made)]
    where = [[v.names.index(n) for n in shared] for v in made]
    agreed = {n[0]: i for i, n in enumerate(shared) if n[1] is None}
    return Virtual(
        rows=np.hstack([dense(v.rows[at]) for v, at in zip(made, where, strict=True)]),
        mass=made[0].mass[where[0]],
        base=np.array([agreed.get(n[0], i) for i, n in enumerate(shared)], dtype=np.int64),
        names=tuple(shared),
    )
