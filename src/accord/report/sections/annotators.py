"""The section on annotators that every shape has: each pair, and all without one."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from accord.data import Annotations, Boxes, Chains, Ratings, Relations, Segments, Units
from accord.data.progress import stages, stepwise
from accord.errors import AccordError
from accord.measures import find
from accord.report.charts import Estimate, estimates
from accord.report.figure import Figure, Table
from accord.report.matrices import heat_map
from accord.report.section import Section, section
from accord.report.sections.examples import Behind
from accord.result import Result
from accord.study import Study

#: annotators drawn at most: those who did most (fewer where each pair costs an alignment)
MOST_ANNOTATORS, MOST_ALIGNED = 20, 10
#: about what of the work is on pairs, on all but one annotator, and on the means of pairs; where the others
#: must be aligned anew without one of them, almost all is on that
_SHARES, _SHARES_ALIGNED = (5, 1, 4), (1, 8, 1)


def active(data: Annotations, most: int = MOST_ANNOTATORS) -> tuple[str, ...]:
    """The annotators who annotated most, in the data's order."""
    if len(data.annotators) <= most:
        return data.annotators
    if isinstance(data, Ratings):
        done = np.bincount(data.annotator, data.times_each, minlength=len(data.annotators))
    elif isinstance(data, (Units, Chains, Boxes, Relations)):
        done = np.bincount(data.annotator, minlength=len(data.annotators))
    elif isinstance(data, Segments):
        done = np.bincount([a for _, a in data.boundaries], minlength=len(data.annotators))
    else:
        return data.annotators[:most]
    kept = np.sort(np.argsort(-done, kind="stable")[:most])
    return tuple(data.annotators[i] for i in kept)


def annotators_section(
    study: Study, behind: Callable[[Sequence[str]], Behind | None]
) -> Section | None:
    """The pair matrix as a heat map, and the agreement without each annotator.

    `behind` gives what these annotators differ on, which the cells of the matrix open.
    """
    data, result = study.data, study.result
    if len(data.annotators) < 2 or (isinstance(data, Ratings) and data.anonymous):
        return None
    chosen = active(data, MOST_ALIGNED if isinstance(data, (Units, Boxes)) else MOST_ANNOTATORS)
    kept = study.part(annotators=chosen)
    two, without, each = stages(_SHARES if isinstance(data, Ratings) else _SHARES_ALIGNED)
    with two:
        pairs = rows_of(kept, "pair")
    if not pairs:
        return None
    cases = behind(chosen)
    parts: list[Figure | str] = [
        _matrix(chosen, pairs, result, cases.links("pair") if cases else {})
    ]
    if cases and cases.cases:
        parts.append(cases.html("pair", "and"))
    with without:
        leave = _left_out(kept) if len(chosen) > 2 else []
    if leave:
        parts.append(
            estimates(
                "annotators",
                f"{result.measure} without each annotator",
                leave,
                label="without",
                x_label=result.measure,
                overall=kept.result.value,
            )
        )
    lead = "Each cell is the agreement of two annotators alone."
    if cases and cases.cases:
        lead += f" It opens the {cases.what[1]} on which they differ."
    if leave:
        lead += (
            " Below, the agreement of the others when one annotator is left out: to the right of the"
            " dashed line (everybody), the others agree better without them."
        )
    if len(chosen) < len(data.annotators):
        lead += (
            f" The {len(chosen)} annotators who did most are shown, of {len(data.annotators)}:"
            " everybody is these."
            if leave
            else f" The {len(chosen)} annotators who did most are shown, of {len(data.annotators)}."
        )
    with each:
        rows = rows_of(kept, "annotator")
    return section("annotators", "Annotators", lead, parts, annotator_rows=Table.of(rows))


def estimate(name: str, result: Result) -> Estimate:
    """A result as one line of a chart."""
    i = result.interval
    return Estimate(name, result.value, i.low if i else None, i.high if i else None, result.n)


def _matrix(
    who: Sequence[str],
    pairs: Sequence[Mapping[str, Any]],
    result: Result,
    goals: Mapping[tuple[str, str], str],
) -> Figure:
    value = {(p["first"], p["second"]): p["value"] for p in pairs}
    grid = [[None if a == b else value.get((a, b), value.get((b, a))) for b in who] for a in who]
    known = [v for line in grid for v in line if v is not None and math.isfinite(v)]
    high = find(result.measure).range[1]
    figure = heat_map(
        "pairs",
        f"{result.measure} of each pair",
        who,
        who,
        grid,
        corner="annotator",
        low=min([0.0, *known]),
        high=high if math.isfinite(high) else None,
        links=goals,
    )
    return replace(figure, table=Table.of(pairs))


def _left_out(study: Study) -> list[Estimate]:
    out = []
    for who in stepwise(study.data.annotators):
        try:
            out.append(estimate(who, study.without(who).estimate))
        except AccordError:
            continue
    return out


def rows_of(study: Study, name: str) -> Sequence[Mapping[str, Any]]:
    try:
        return study.breakdown(name)
    except AccordError:
        return ()
