"""Sections of ratings: categories, confusions, the items people disagree about."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from accord.data import Ratings
from accord.measures.ratings.coincidences import coincidences
from accord.measures.ratings.disagreements import against_rest
from accord.report.charts import Estimate, estimates
from accord.report.figure import Figure, Table
from accord.report.matrices import heat_map, shares
from accord.report.section import Section, section
from accord.report.sections.annotators import active, estimate
from accord.report.sections.examples import confused_items
from accord.report.svg import escaped, shortened
from accord.study import Studies, Study

#: categories drawn at most: the most frequent
MOST_CATEGORIES = 20
#: disputed items shown in full, and kept as a table in the page
MOST_ITEMS, MOST_ROWS = 20, 2000


def ratings_sections(
    data: Ratings, study: Study, studies: Studies, texts: Mapping[str, str]
) -> list[Section]:
    """All sections that only ratings have."""
    found = [
        _categories(data, study, studies),
        _confusions(data, texts),
        _items(study, studies, texts),
    ]
    return [s for s in found if s is not None]


def _categories(data: Ratings, study: Study, studies: Studies) -> Section | None:
    if data.kind == "sets":
        return _labels(study, studies)
    if len(data.values) < 2:
        return None
    counts = np.bincount(data.code, data.times_each, minlength=len(data.values))
    chosen = np.sort(np.argsort(-counts, kind="stable")[:MOST_CATEGORIES])
    result = study.result
    asked = study if study.record.binary else studies("alpha")
    name = asked.record.name
    lines = [estimate(data.labels[k], against_rest(asked, data, int(k)).estimate) for k in chosen]
    # a line of the whole under another metric would say nothing about one category
    nominal = study.options.get("metric", "nominal") == "nominal"
    overall = result.value if asked is study and nominal else None
    parts: list[Figure | str] = [
        estimates(
            "categories",
            f"{name} of each category against the rest",
            lines,
            label="category",
            x_label=name,
            overall=overall,
        )
    ]
    labels = [data.labels[k] for k in chosen]
    if not data.anonymous:
        who = active(data, 12)
        use = [(data.annotator == data.annotators.index(w)) * data.times_each for w in who]
        table = [
            np.bincount(data.code, times, minlength=len(data.values))[chosen].tolist()
            for times in use
        ]
        parts.append(
            shares(
                "use",
                "Use of the categories",
                who,
                labels,
                table,
                label="annotator",
                ordered=data.ordered or data.kind == "numbers",
            )
        )
    lead = (
        "A category to the left of the dashed line is harder to agree on than the whole."
        if overall is not None
        else "Each category against all the others together."
    )
    if len(chosen) < len(data.values):
        lead += f" The {len(chosen)} most frequent are drawn, of {len(data.values)}."
    return section("categories", "Categories", lead, parts)


def _labels(study: Study, studies: Studies) -> Section | None:
    """Sets of labels: each label given to an item or not."""
    asked = study if "label" in study.record.breakdowns else studies("alpha", metric="masi")
    rows = sorted(asked.breakdown("label"), key=lambda row: -row["count"])
    if not rows:
        return None
    drawn = [
        Estimate(row["label"], row["value"], row.get("low"), row.get("high"), row["count"])
        for row in rows[:MOST_CATEGORIES]
    ]
    name = asked.record.name
    figure = estimates(
        "labels", f"{name} of each label, given or not", drawn, label="label", x_label=name
    )
    lead = (
        "Items have sets of labels: the value above compares whole sets, these compare one label at a "
        "time. n is how many ratings hold the label."
    )
    if len(drawn) < len(rows):
        lead += f" The {len(drawn)} most frequent are drawn, of {len(rows)}."
    return section("labels", "Labels", lead, [figure], labels=Table.of(rows))


def _confusions(data: Ratings, texts: Mapping[str, str]) -> Section | None:
    if len(data.values) < 2 or len(data.values) > 2000:
        return None
    o = coincidences(data)
    if not o.sum():
        return None
    totals = o.sum(axis=1)
    chosen = np.sort(np.argsort(-totals, kind="stable")[:MOST_CATEGORIES])
    labels = [data.labels[k] for k in chosen]
    part = o[np.ix_(chosen, chosen)] / np.where(totals[chosen] > 0, totals[chosen], 1)[:, None]
    # items that an engine counted have no names to show
    behind = None if data.multiplicity is not None else confused_items(data, texts)
    figure = heat_map(
        "confusions",
        "When one annotator says the row, another says the column",
        labels,
        labels,
        part.tolist(),
        corner="one says",
        low=0,
        high=1,
        links=behind.links("confusion") if behind else None,
    )
    lead = (
        "The share of the other annotators' choices on the same item. The diagonal says how often "
        "another annotator chooses the label too; the rest of a row is what it is confused with."
    )
    if behind and behind.cases:
        lead += " A cell opens its examples."
    if len(chosen) < len(data.values):
        lead += f" The {len(chosen)} most frequent are shown, of {len(data.values)}."
    counts = Table(("value", *labels), tuple(
        (labels[i], *(round(float(v), 6) for v in o[chosen[i], chosen])) for i in range(len(chosen))
    ))  # fmt: skip
    shown = behind.html("confusion", "or") if behind else ""
    return section("confusions", "Confusions", lead, [figure, shown], coincidences=counts)


def _items(study: Study, studies: Studies, texts: Mapping[str, str]) -> Section | None:
    if isinstance(study.data, Ratings) and study.data.multiplicity is not None:
        return None
    asked = study if study.record.name == "alpha" else studies("alpha")
    rows = asked.breakdown("item")
    chance = asked.result.expected or 1.0
    worst = [r for r in rows[:MOST_ITEMS] if r["disagreement"] > 0]
    if not worst:
        return None
    body = ['<ol class="cases">']
    for r in worst:
        item = str(r["item"])
        votes: dict[str, list[str]] = {}
        for who, value in r["values"].items():
            votes.setdefault(value, []).append(str(who))
        ranked = sorted(votes.items(), key=lambda v: -len(v[1]))
        choices = "".join(
            f"<li><b>{escaped(value)}</b> <span>{escaped(', '.join(who[:12]))}"
            f"{f' and {len(who) - 12} more' if len(who) > 12 else ''}</span></li>"
            for value, who in ranked
        )
        said = (
            f'<p class="quote" translate="no">{escaped(shortened(texts[item], 600))}</p>'
            if item in texts
            else ""
        )
        body.append(
            f"<li><p><code>{escaped(item)}</code> <span class='aside'>"
            f"{float(r['disagreement']) / chance:.1f} times the disagreement of chance</span></p>{said}"
            f"<ul class='votes'>{choices}</ul></li>"
        )
    body.append("</ol>")
    table = Table.of(
        [
            {
                "item": str(r["item"]),
                "disagreement": r["disagreement"],
                "values": "; ".join(f"{a}={v}" for a, v in r["values"].items()),
                **({"text": texts.get(str(r["item"]), "")} if texts else {}),
            }
            for r in rows[:MOST_ROWS]
        ]
    )
    return section(
        "items",
        "Worst disagreements",
        f"The {len(worst)} items that divide the annotators most, with everybody's choice.",
        ["".join(body)],
        items=table,
    )
