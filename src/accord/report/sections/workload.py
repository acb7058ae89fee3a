"""The section that says who did how much of what, and the one that follows agreement over time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from accord.data import Annotations, Boxes, Chains, Ratings, Relations, Segments, Units
from accord.report.charts import Estimate, estimates
from accord.report.figure import Figure
from accord.report.matrices import bars, heat_map
from accord.report.section import Section, section
from accord.report.sections.annotators import MOST_ANNOTATORS, active, rows_of
from accord.study import Study

#: documents or batches side by side at most
MOST_COLUMNS = 24
#: documents or batches beyond which there is no such picture
_MOST_PARTS = 200
#: moments drawn one by one; more are put together
MOST_PERIODS = 12
#: shape → what an annotator gives
_WHAT: Mapping[str, str] = {
    "ratings": "ratings",
    "units": "units",
    "boxes": "shapes",
    "relations": "relations",
    "segments": "boundaries",
    "chains": "mentions",
}


def workload_section(data: Annotations) -> Section | None:
    """How much each annotator did, and where: a gap is what nobody asked them, or they left out."""
    if len(data.annotators) < 2 or (isinstance(data, Ratings) and data.anonymous):
        return None
    who = active(data, MOST_ANNOTATORS)
    place = {name: i for i, name in enumerate(data.annotators)}
    done = _done(data)
    what = _WHAT[data.shape]
    parts: list[Figure | str] = [
        bars("workload", f"{what} of each annotator", who, [float(done[place[w]]) for w in who],
             label="annotator", unit=what)
    ]  # fmt: skip
    table = _by_part(data)
    lead = f"How many {what} each annotator gave."
    if table is not None:
        names, counts, of = table
        # a period by its beginning: the timeline names both ends
        short = [
            f"{begin} –" if dash else name
            for name in names
            for begin, dash, _ in [name.partition(" – ")]
        ]
        figure = heat_map(
            "coverage",
            f"{what} by annotator and {of}",
            who,
            short,
            [[float(v) if v >= 0 else None for v in counts[place[w]][: len(names)]] for w in who],
            corner="annotator",
            low=0,
            decimals=0,
        )
        whole = replace(figure.table, columns=("annotator", *names))
        parts.append(replace(figure, table=whole))
        lead += f" Below, in each {of}: an empty cell is a {of} that an annotator did not see."
        if counts.shape[1] > len(names):
            lead += f" The first {len(names)} of {counts.shape[1]} are shown."
    if len(who) < len(data.annotators):
        lead += f" The {len(who)} annotators who did most are shown, of {len(data.annotators)}."
    return section("workload", "Who did what", lead, parts)


def time_section(study: Study) -> Section | None:
    """The measure on each batch or moment, in their order."""
    data = study.data
    if not isinstance(data, Ratings) or len(data.times) < 2:
        return None
    together = in_periods(data, MOST_PERIODS)
    asked = study if together is data else study.of(together)
    rows = rows_of(asked, "time")
    if not rows:
        return None
    figure = estimates(
        "time",
        f"{study.result.measure} over time",
        [
            Estimate(str(r["time"]), r["value"], r.get("low"), r.get("high"), r.get("n"))
            for r in rows
        ],
        label="time",
        x_label=study.result.measure,
        overall=study.result.value,
    )
    lead = "From the first batch or moment down to the last; the dashed line is the value of all."
    if together is not data:
        lead += (
            f" {len(data.times)} moments are drawn in {len(rows)} periods of about as many items."
        )
    return section("time", "Over time", lead, [figure])


def in_periods(data: Ratings, most: int) -> Ratings:
    """The ratings with their moments in at most so many periods of about as many items, in their order."""
    if data.time is None or len(data.times) <= most:
        return data
    items = np.bincount(data.time[data.time >= 0], minlength=len(data.times))
    before = np.cumsum(items) - items
    # moments after the last item begin no period of their own: it would be empty
    share = np.minimum(before * most // max(1, int(items.sum())), most - 1)
    period = np.unique(share, return_inverse=True)[1]
    ends = [np.flatnonzero(period == k)[[0, -1]] for k in range(int(period[-1]) + 1)]
    names = _ranges([(data.times[a], data.times[b]) for a, b in ends])
    codes = np.where(data.time < 0, -1, period[data.time]).astype(data.time.dtype)
    return replace(data, times=names, time=codes)


def _ranges(ends: Sequence[tuple[str, str]]) -> tuple[str, ...]:
    """From the first moment of each period to its last: days alone where they tell periods apart."""

    def said(pairs: Sequence[tuple[str, str]]) -> tuple[str, ...]:
        return tuple(a if a == b else f"{a} – {b}" for a, b in pairs)

    days = [(_day(a), _day(b)) for a, b in ends]
    begins = [a for a, _ in days]
    if all(a and b for a, b in days) and len(set(begins)) == len(begins):
        return said(days)
    return said(ends)


def _day(moment: str) -> str:
    """The day of an ISO date and time, or nothing."""
    try:
        return datetime.fromisoformat(moment).date().isoformat()
    except ValueError:
        return ""


def _done(data: Annotations) -> NDArray[np.float64]:
    """How much each annotator did."""
    if not isinstance(data, Ratings):
        return np.asarray(np.maximum(_by_document(data), 0).sum(axis=1), dtype=np.float64)
    counted = np.bincount(data.annotator, weights=data.times_each, minlength=len(data.annotators))
    return np.asarray(counted, dtype=np.float64)


def _by_document(data: Annotations) -> NDArray[np.int64]:
    """Annotators × documents: what each marked there, −1 where it was not seen."""
    counts = np.zeros((len(data.annotators), len(data.documents)), dtype=np.int64)
    if isinstance(data, Segments):
        for (d, a), places in data.boundaries.items():
            counts[a, d] = len(places)
    elif isinstance(data, (Units, Boxes, Relations, Chains)):
        np.add.at(counts, (data.annotator, data.document), 1)
    return np.where(data.who_saw.T, counts, -1)


def _by_part(data: Annotations) -> tuple[Sequence[str], NDArray[np.int64], str] | None:
    """Counts by annotator and document (or batch), −1 where an annotator saw nothing."""
    if not isinstance(data, Ratings):
        if not 2 <= len(data.documents) <= _MOST_PARTS:
            return None
        return data.documents[:MOST_COLUMNS], _by_document(data), "document"
    if data.document is not None and len(data.documents) >= 2:
        part, names, of = data.document[data.item], data.documents, "document"
    elif data.time is not None and len(data.times) > 1:
        batches = in_periods(data, MOST_PERIODS)
        assert batches.time is not None
        part, names, of = batches.time[data.item], batches.times, "batch"
    else:
        return None
    if not 2 <= len(names) <= _MOST_PARTS:
        return None
    counts = np.zeros((len(data.annotators), len(names)), dtype=np.int64)
    np.add.at(counts, (data.annotator, part), data.times_each)
    counts[counts == 0] = -1
    return names[:MOST_COLUMNS], counts, of
