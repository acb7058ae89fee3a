"""Sections of units: categories, confusions of aligned units, worst alignments, the explorer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from accord.alignment.alignment import Alignment
from accord.data import Boxes, Units
from accord.data.remarks import Remarks
from accord.errors import AccordError
from accord.report.charts import estimates
from accord.report.figure import Table
from accord.report.matrices import heat_map
from accord.report.section import Section, section
from accord.report.sections.annotators import estimate
from accord.report.svg import escaped, shortened
from accord.result import Result
from accord.study import Studies

MOST_CATEGORIES = 20
MOST_CASES = 20
_NOTHING = "(nothing)"


def units_sections(
    data: Units, alignments: Sequence[Alignment], studies: Studies, options: Mapping[str, Any]
) -> list[Section]:
    """All sections that only units have, but the explorer, which the page includes itself."""
    found = [
        _categories(data, studies, options),
        confusions(data, alignments),
        _cases(data, alignments),
    ]
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
    for a in alignments:
        label = np.where(a.members >= 0, data.label[a.members], -2)
        for i, j in combinations(range(label.shape[1]), 2):
            x, y = label[:, i], label[:, j]
            real = (x > -2) | (y > -2)
            # without a label: last but one; no unit at all: last
            x, y = (np.where(v == -2, q - 1, np.where(v == -1, q - 2, v))[real] for v in (x, y))
            np.add.at(counts, (x, y), 1)
            np.add.at(counts, (y, x), 1)
    return counts


def confusions(data: Units | Boxes, alignments: Sequence[Alignment]) -> Section | None:
    """What another annotator marks where one marks a label; the last column is nothing."""
    counts = confusion_counts(data, alignments)
    totals = counts.sum(axis=1)
    labels = [*data.categories, "(no label)", _NOTHING]
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
    )
    lead = (
        "Over the pairs of annotators in each unitary alignment. The last column is the share of "
        "units for which the other annotator marked nothing there."
    )
    table = Table(("label", *names), tuple(
        (names[i], *(int(v) for v in counts[chosen[i], chosen])) for i in range(len(chosen))
    ))  # fmt: skip
    return section("confusions", "Confusions", lead, [figure], aligned_pairs=table)


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
        for who, unit in r["units"].items():
            if unit is None:
                choices.append(f"<li><b>nothing</b> <span>{escaped(who)}</span></li>")
                continue
            start, end, label = unit
            told = dict(beside.said(r["document"], who, start, end))
            covered = told.pop("text", "") if text is None else text[int(start) : int(end)]
            said = f" “{escaped(shortened(covered, 120))}”" if covered else ""
            told.pop("text", None)
            if told:
                words = ", ".join(f"{name} {cell}" for name, cell in told.items())
                said += f" ({escaped(shortened(words, 120))})"
            choices.append(
                f"<li><b>{escaped(label or 'no label')}</b> <span>{escaped(who)}, "
                f"{start:g}–{end:g}{said}</span></li>"
            )
        body.append(
            f"<li><p><code>{escaped(r['document'])}</code> <span class='aside'>disorder "
            f"{r['disorder']:.3f}</span></p><ul class='votes'>{''.join(choices)}</ul></li>"
        )
    body.append("</ol>")
    table = Table.of([_written(data, r) for r in rows])
    return section(
        "items",
        "Worst disagreements",
        f"The {len(worst)} unitary alignments of the most disorder among those of several "
        "annotators, with everybody's choice.",
        ["".join(body)],
        alignments=table,
    )


def _written(data: Units, row: Mapping[str, Any]) -> dict[str, Any]:
    """A unitary alignment as a row that a spreadsheet shows: a column per annotator, and the text."""
    given = [unit for unit in row["units"].values() if unit is not None]
    low, high = min(u[0] for u in given), max(u[1] for u in given)
    out = {name: row[name] for name in ("document", "disorder", "present")}
    out |= {"start": low, "end": high}
    for who, unit in row["units"].items():
        out[who] = "" if unit is None else f"{unit[2] or ''} {unit[0]:g}–{unit[1]:g}".strip()
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
