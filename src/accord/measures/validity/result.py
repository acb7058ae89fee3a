"""From per-item statistics to a Result, with breakdowns by any grouping of the items."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord.measures.ratio import ratio_of_totals
from accord.measures.validity.pairing import Array, Pairing
from accord.measures.validity.strata import BY, confusion, grouped, strata
from accord.result import Result, Row, Sample, Score, Virtual, signature
from accord.uncertainty.dirichlet import DISSENT, UNANIMOUS

#: a pairing → additive statistics of each of its rows
Tally = Callable[[Pairing], Array]


def validity_result(
    name: str,
    pairing: Pairing,
    tally: Tally,
    score: Score,
    *,
    classes: NDArray[np.int64] | None = None,
    share: bool = False,
    swappable: bool = True,
    options: Mapping[str, Any],
    terms: Mapping[str, Any] | None = None,
    tables: Mapping[str, Sequence[Row]] | None = None,
    warnings: Sequence[str] = (),
    observed: float | None = None,
    expected: float | None = None,
    undefined: str | None = None,
    ties: bool = False,
    groups: Sequence[str] = BY,
    scores: Mapping[str, Mapping[str, Score]] | None = None,
    shares: Mapping[str, Mapping[str, tuple[int, int]]] | None = None,
) -> Result:
    """Score all items at once, and offer each group of the breakdowns.

    `tally` gives the statistics of each row of a pairing. `classes`: those that virtual items of an
    interval may have; None when the answers are not right or wrong. `share`: the value is the first
    statistic over the second, a share of items. `swappable`: rows of two systems mean the same.
    `scores`: breakdowns whose rows are other scores of all items, as the F of each class. `shares`:
    those whose rows are shares, one statistic over another.
    `groups`: the strata of items on each of which the measure makes sense.
    `ties`: the value depends on how ties of the judges are settled, and the signature says how.
    """
    rows = tally(pairing)
    index: NDArray[np.int32] | None = pairing.index.astype(np.int32)
    held = rows
    if pairing.weights is not None:
        # a weighted item is a row of its own
        held, index = rows[pairing.index] * pairing.weights[:, None], None
    sample = Sample(
        rows=held,
        score=score,
        index=index,
        keys=pairing.keys,
        cluster=pairing.document,
        clusters=pairing.documents,
        graded=classes is None,
        virtual=None if classes is None or len(classes) < 2 else _virtual(pairing, tally, classes),
        share=(0, 1) if share and pairing.weights is None else None,
        swappable=swappable,
        # a ratio of two sums needs no classes
        meaning=None if rows.shape[1] == 2 else pairing.labels,
    )
    sample = replace(sample, parts=_parts(pairing, sample, scores or {}, shares or {}))
    scored = score(sample.totals())
    value = float(np.real(scored["value"][0]))
    found = {k: float(np.real(v[0])) for k, v in scored.items() if k != "value"}
    offers: dict[str, Callable[[], Sequence[Row]]] = {
        by: partial(grouped, pairing, rows, score, by) for by in groups
    }
    if "confusion" in offers:
        offers["confusion"] = partial(confusion, pairing)
    offers |= {by: partial(list, table) for by, table in (tables or {}).items()}
    options = {"ties": pairing.ties if ties and len(pairing.judges) > 1 else None, **options}
    return Result(
        measure=name,
        value=value,
        observed=observed,
        expected=expected,
        terms={**found, **(terms or {})},
        offers=offers,
        n=pairing.n,
        signature=signature(name, pairing.n, **options),
        undefined=undefined,
        warnings=(*pairing.warnings, *warnings),
        sample=sample,
    )


def _parts(
    pairing: Pairing,
    sample: Sample,
    scores: Mapping[str, Mapping[str, Score]],
    shares: Mapping[str, Mapping[str, tuple[int, int]]],
) -> Callable[[str], Sequence[tuple[str, Sample]]]:
    """The sample behind each row of a breakdown; items alone have none."""

    def made(by: str) -> Sequence[tuple[str, Sample]]:
        if by in scores:
            return [(n, replace(sample, score=s, parts=None)) for n, s in scores[by].items()]
        if by in shares:
            return [(name, _share(sample, columns)) for name, columns in shares[by].items()]
        if by in ("item", "confusion"):
            return []
        group, names = strata(pairing, by)
        return [
            (name, sample.among(group == g)) for g, name in enumerate(names) if (group == g).any()
        ]

    return made


def _share(sample: Sample, columns: tuple[int, int]) -> Sample:
    weighted = sample.index is None
    return replace(
        sample,
        score=lambda totals: ratio_of_totals(totals[:, list(columns)]),
        share=None if weighted else columns,
        parts=None,
    )


def used_classes(pairing: Pairing) -> NDArray[np.int64]:
    """Classes that the reference or the system uses."""
    seen = pairing.total(pairing.target) + pairing.total(pairing.choice)
    return np.flatnonzero(seen > 0)


def _virtual(pairing: Pairing, tally: Tally, classes: NDArray[np.int64]) -> Callable[[], Virtual]:
    """Virtual items: one per class on the diagonal of the confusion matrix, the others off it."""

    def made() -> Virtual:
        K = len(classes)
        agreed, said = (axis.ravel() for axis in np.meshgrid(classes, classes, indexing="ij"))
        right = agreed == said
        order = np.argsort(~right, kind="stable")
        agreed, said, right = agreed[order], said[order], right[order]
        items = np.arange(K * K)
        table = replace(
            pairing,
            keys=tuple(map(str, items)),
            judged=(items, agreed),
            answered=(items, said),
            judged_soft=None,
            answered_soft=None,
            document=None,
            weights=None,
            _made={},
        )
        weight = 1.0 if pairing.weights is None else float(pairing.weights.mean())
        place = {int(k): i for i, k in enumerate(agreed[right])}
        return Virtual(
            rows=tally(table)[table.index] * weight,
            mass=np.where(right, UNANIMOUS / K, DISSENT / (K * (K - 1))),
            base=np.array([place[int(k)] for k in agreed], dtype=np.int64),
            names=tuple(
                (pairing.labels[k], None if k == other else pairing.labels[other])
                for k, other in zip(agreed.tolist(), said.tolist(), strict=True)
            ),
        )

    return made
