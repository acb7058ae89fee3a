"""Sections of units: categories, confusions of aligned units, worst alignments, the explorer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from accord.alignment.alignment import Alignment
from accord.data import Boxes, Units
from accord.data.progress import counted, stages
from accord.data.remarks import Remarks
from accord.errors import AccordError
from accord.report.charts import estimates
from accord.report.figure import Table
from accord.report.matrices import heat_map
from accord.report.section import Section, section
from accord.report.sections.aligned_examples import (
    MOST_PEOPLE,
    NO_LABEL,
    NOTHING,
    confused_units,
)
from accord.report.sections.annotators import estimate
from accord.report.svg import escaped, shortened
from accord.result import Result
from accord.study import Studies

MOST_CATEGORIES = 20
MOST_CASES = 20
#: annotators who get a column of their own in a table
_MOST_COLUMNS = 60


def units_sections(
    data: Units, alignments: Sequence[Alignment], studies: Studies, options: Mapping[str, Any]
) -> list[Section]:
    """All sections that only units have, but the explorer, which the page includes itself."""
    first, second, third = stages((1, 2, 7))
    with first:
        found = [_categories(data, studies, options)]
    with second:
        found.append(confusions(data, alignments))
    with third:
        found.append(_cases(data, alignments))
    return [s for s in found if s is not None]


def by_category(studies: Studies, options: Mapping[str, Any]) -> tuple[Result, ...]:
    """γ-k of each category under the options of the page; none where it cannot be had."""
    takes = studies.find("gamma-k").takes
    try:
        return studies("gamma-k", **{k: v for k, v in options.items() if takes(k)}).estimates
    except AccordError:
        return ()


def _categories(data: Units, studies: Studies, options: Mapping[str, Any]) -> Section | None:
    results = by_category(studies, options)
    if len(data.categories) < 2 or not results:
        return None
    lines = [estimate(str(r.terms.get("category", "")), r) for r in results]
    lines = sorted(lines, key=lambda e: -(e.n or 0))[:MOST_CATEGORIES]
    chart = estimates(
        "categories", "γ-k of each category", lines, label="category", x_label="gamma-k"
    )
    lead = "Agreement on the category alone, over the aligned units of which one has it."
    if len(lines) < len(results):
        lead += f" The {len(lines)} most frequent are drawn, of {len(results)}."
    return section("categories", "Categories", lead, [chart])


def confusion_counts(data: Units | Boxes, alignments: Sequence[Alignment]) -> Any:
    """Pairs of labels given to aligned units, both ways round; the last is 'nothing'."""
    q = len(data.categories) + 2
    counts = np.zeros((q, q))
    for a in counted(alignments, 500):
        label = np.where(a.members >= 0, data.label[a.members], -2)
        # without a label: last but one; no unit at all: last
        place = np.where(label == -2, q - 1, np.where(label == -1, q - 2, label))
        row = np.arange(len(place))[:, None] * q
        given = np.bincount((row + place).ravel(), minlength=len(place) * q).reshape(-1, q)
        counts += given.T @ given - np.diag(given.sum(axis=0))
    # two annotators who marked nothing are no pair
    counts[-1, -1] = 0
    return counts


def confusions(data: Units | Boxes, alignments: Sequence[Alignment]) -> Section | None:
    """What another annotator marks where one marks a label; the last column is nothing."""
    counts = confusion_counts(data, alignments)
    totals = counts.sum(axis=1)
    labels = [*data.categories, NO_LABEL, NOTHING]
    behind = confused_units(data, alignments)
    ranked = [k for k in np.argsort(-totals, kind="stable") if totals[k] > 0]
    real = [k for k in ranked if k < len(labels) - 1][:MOST_CATEGORIES]
    if not real:
        return None
    chosen = [*sorted(real), *([len(labels) - 1] if totals[-1] else [])]
    names = [labels[k] for k in chosen]
    part = counts[np.ix_(chosen, chosen)] / np.where(totals[chosen] > 0, totals[chosen], 1)[:, None]
    rows = part[:-1] if chosen[-1] == len(labels) - 1 else part
    figure = heat_map(
        "confusions",
        "When one annotator marks the row, another marks the column",
        names[: len(rows)],
        names,
        rows.tolist(),
        corner="one marks",
        low=0,
        high=1,
        links=behind.links("confusion"),
    )
    lead = (
        "Over the pairs of annotators at each place. The last column is the share of "
        "units for which the other annotator marked nothing there."
    )
    if behind.cases:
        lead += " A cell opens its examples."
    table = Table(("label", *names), tuple(
        (names[i], *(int(v) for v in counts[chosen[i], chosen])) for i in range(len(chosen))
    ))  # fmt: skip
    shown = behind.html("confusion", "or")
    return section("confusions", "Confusions", lead, [figure, shown], aligned_pairs=table)


def _cases(data: Units, alignments: Sequence[Alignment]) -> Section | None:
    rows = alignment_rows(data, alignments)
    # a unit that stands alone says little here: the explorer and the table have them
    worst = sorted(
        (r for r in rows if r["present"] > 1 and r["disorder"] > 0), key=lambda r: -r["disorder"]
    )[:MOST_CASES]
    if not worst:
        return None
    body = ['<ol class="cases">']
    beside = Remarks.of(data)
    for r in worst:
        text = None if data.texts is None else data.texts[data.documents.index(r["document"])]
        choices = []
        people = list(r["units"].items())
        if len(people) > MOST_PEOPLE:
            # of a crowd, those who marked something
            people.sort(key=lambda one: one[1] is None)
        for who, unit in people[:MOST_PEOPLE]:
            if unit is None:
                choices.append(f"<li><b>nothing</b> <span>{escaped(who)}</span></li>")
                continue
            start, end, label = unit
            told = dict(beside.said(r["document"], who, start, end))
            covered = told.pop("text", "") if text is None else text[int(start) : int(end)]
            said = f' <q translate="no">{escaped(shortened(covered, 120))}</q>' if covered else ""
            told.pop("text", None)
            if told:
                words = ", ".join(f"{name} {cell}" for name, cell in told.items())
                said += f" ({escaped(shortened(words, 120))})"
            choices.append(
                f"<li><b>{escaped(label or 'no label')}</b> <span>{escaped(who)}, "
                f"{start:g}–{end:g}{said}</span></li>"
            )
        if len(people) > MOST_PEOPLE:
            choices.append(f"<li><span>and {len(people) - MOST_PEOPLE} more</span></li>")
        body.append(
            f"<li><p><code>{escaped(r['document'])}</code> <span class='aside'>disorder "
            f"{r['disorder']:.3f}</span></p><ul class='votes'>{''.join(choices)}</ul></li>"
        )
    body.append("</ol>")
    table = Table.of([_written(data, r) for r in rows])
    return section(
        "items",
        "Worst disagreements",
        f"The {len(worst)} places of several annotators on which they differ "
        "most, with everybody's choice.",
        ["".join(body)],
        alignments=table,
    )


def _written(data: Units, row: Mapping[str, Any]) -> dict[str, Any]:
    """A unitary alignment as a row that a spreadsheet shows: the units of each annotator, and the text."""
    given = [unit for unit in row["units"].values() if unit is not None]
    low, high = min(u[0] for u in given), max(u[1] for u in given)
    out = {name: row[name] for name in ("document", "disorder", "present")}
    out |= {"start": low, "end": high}
    told = {
        who: "" if unit is None else f"{unit[2] or ''} {unit[0]:g}–{unit[1]:g}".strip()
        for who, unit in row["units"].items()
    }
    if len(data.annotators) <= _MOST_COLUMNS:
        out |= told
    else:  # of a crowd, those who marked something
        out["units"] = "; ".join(f"{who}: {what}" for who, what in told.items() if what)
    if data.texts is not None:
        text = data.texts[data.documents.index(row["document"])]
        out["text"] = None if text is None else text[int(low) : int(high)]
    return out


def alignment_rows(data: Units, alignments: Sequence[Alignment]) -> list[dict[str, Any]]:
    """One row per unitary alignment."""
    rows = []
    for a in alignments:
        for members, disorder in a:
            units: Mapping[str, Any] = {
                who: None
                if m < 0
                else (
                    float(data.start[m]),
                    float(data.end[m]),
                    data.categories[data.label[m]] if data.label[m] >= 0 else None,
                )
                for who, m in zip(a.annotators, members.tolist(), strict=True)
            }
            present = int((members >= 0).sum())
            rows.append(
                {"document": a.document, "disorder": disorder, "present": present, "units": units}
            )
    return rows
