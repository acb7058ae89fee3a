"""Sections of chains: the mentions whose entity people disagree about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from accord.data import Chains
from accord.measures.coreference.unmatched import unmatched_mentions
from accord.report.figure import Table, shown_value
from accord.report.section import Section, section
from accord.report.sections.examples import Behind
from accord.report.svg import escaped, shortened

MOST_CASES = 20
_ABSENT = "not a mention"


def chains_sections(data: Chains) -> list[Section]:
    """All sections that only chains have."""
    out = [_sizes(data)]
    if (apart := _unmatched(data)) is not None:
        out.append(apart)
    rows = mention_rows(data)
    # what one annotator alone marked is listed above: here are the entities that are disputed
    worst = [r for r in rows if r["disagreement"] > 0 and r["marked"] > 1][:MOST_CASES]
    if worst:
        body = ['<ol class="cases">']
        for r in worst:
            choices = "".join(
                f"<li><b>{escaped(shortened(said, 160))}</b> <span>{escaped(', '.join(who))}</span></li>"
                for said, who in r["entities"].items()
            )
            body.append(
                f"<li><p><code>{escaped(r['document'])}</code> "
                f'<span translate="no">{escaped(r["mention"])}</span> '
                f"<span class='aside'>disagreement {shown_value(r['disagreement'])}</span></p>"
                f"<ul class='votes'>{choices}</ul></li>"
            )
        body.append("</ol>")
        out.append(
            section(
                "items",
                "Worst disagreements",
                f"The {len(worst)} mentions whose entity differs most between annotators, with the "
                "other mentions that each puts with them.",
                ["".join(body)],
                mentions=Table.of(
                    [
                        {k: r[k] for k in ("document", "mention", "disagreement")}
                        | {a: said for said, who in r["entities"].items() for a in who}
                        for r in rows[:2000]
                    ]
                ),
            )
        )
    return out


def mention_rows(data: Chains) -> list[dict[str, Any]]:
    """Each mention: one minus the mean Jaccard overlap of its entity over pairs of annotators."""
    rows = []
    for d, name in enumerate(data.documents):
        here = data.document == d
        who = sorted({a for doc, a in data.coverage if doc == d})
        entity: dict[int, dict[int, frozenset[int]]] = {}
        for a in who:
            mine = here & (data.annotator == a)
            members: dict[int, list[int]] = {}
            for m, e in zip(data.mention[mine].tolist(), data.entity[mine].tolist(), strict=True):
                members.setdefault(e, []).append(m)
            for group in members.values():
                together = frozenset(group)
                for m in group:
                    entity.setdefault(m, {})[a] = together
        for m, sets in entity.items():
            pairs = list(combinations(who, 2))
            empty: frozenset[int] = frozenset()
            overlap = [
                len(sets.get(a, empty) & sets.get(b, empty))
                / max(1, len(sets.get(a, empty) | sets.get(b, empty)))
                for a, b in pairs
            ]
            chosen: dict[str, list[str]] = {}
            for a in who:
                chosen.setdefault(_entity(data, d, m, sets.get(a)), []).append(data.annotators[a])
            rows.append(
                {
                    "document": name,
                    "mention": _mention(data, d, m),
                    "disagreement": 1 - float(np.mean(overlap)) if overlap else 0.0,
                    "marked": len(sets),
                    "entities": chosen,
                }
            )
    return sorted(rows, key=lambda r: -r["disagreement"])


def divided_mentions(data: Chains, who: Sequence[str]) -> Behind:
    """For each two annotators, the mentions that both marked and put into other entities."""
    found: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for row in mention_rows(data):
        said = {a: words for words, people in row["entities"].items() for a in people if a in who}
        both = [a for a in data.annotators if said.get(a, _ABSENT) != _ABSENT]
        for a, b in combinations(both, 2):
            if said[a] != said[b]:
                found.setdefault((a, b), []).append(row)
    return Behind(found, _told, ("mention", "mentions"))


def _told(row: Mapping[str, Any]) -> str:
    said = "; ".join(
        f"{escaped(', '.join(people))} <b>{escaped(shortened(words, 160))}</b>"
        for words, people in row["entities"].items()
    )
    words = f'<q translate="no">{escaped(row["mention"])}</q>'
    return f"<code>{escaped(row['document'])}</code> {words}<br>{said}"


def _sizes(data: Chains) -> Section:
    rows = []
    for a, who in enumerate(data.annotators):
        mine = data.annotator == a
        pairs = np.stack([data.document[mine], data.entity[mine]], axis=1)
        sizes = np.unique(pairs, axis=0, return_counts=True)[1] if len(pairs) else np.zeros(0)
        rows.append(
            {
                "annotator": who,
                "mentions": int(mine.sum()),
                "entities": len(sizes),
                "singletons": int((sizes == 1).sum()),
                "mean_size": float(sizes.mean()) if len(sizes) else float("nan"),
                "largest": int(sizes.max(initial=0)),
            }
        )
    table = Table.of(rows)
    return section(
        "entities",
        "Entities",
        "What each annotator made of the mentions.",
        [table.html("Entities by annotator", most=60)],
        entities=table,
    )


def _unmatched(data: Chains) -> Section | None:
    """What one annotator marked and nobody else, which agreement on entities leaves out."""
    rows = unmatched_mentions(data)
    if not rows:
        return None
    near = sum(r["overlap"] >= 0.5 for r in rows)
    counts = [
        {
            "annotator": who,
            "mentions": int((data.annotator == a).sum()),
            "marked_alone": sum(r["annotator"] == who for r in rows),
            "near_misses": sum(r["annotator"] == who and r["overlap"] >= 0.5 for r in rows),
        }
        for a, who in enumerate(data.annotators)
    ]
    shown = [
        {
            "document": r["document"],
            "annotator": r["annotator"],
            "mention": r["text"],
            "nearest": "" if r["nearest_text"] is None else r["nearest_text"],
            "of": r["nearest_by"] or "",
            "overlap": r["overlap"],
        }
        for r in sorted(rows, key=lambda r: -r["overlap"])
    ]
    return section(
        "unmatched",
        "Mentions of one annotator only",
        f"{len(rows)} mentions were marked by one annotator and nobody else who saw the document: they "
        f"are left out when entities are compared. {near} of them overlap a mention of another by half "
        "or more: such near misses can be taken as one mention.",
        [
            Table.of(counts).html("Mentions marked alone, by annotator", most=60),
            Table.of(shown).html("The nearest first", most=40),
        ],
        unmatched=Table.of(shown),
    )


def _mention(data: Chains, document: int, mention: int) -> str:
    return data.text(document, mention)


def _entity(data: Chains, document: int, mention: int, group: frozenset[int] | None) -> str:
    if group is None:
        return _ABSENT
    others = sorted(group - {mention})
    if not others:
        return "alone"
    shown = ", ".join(_mention(data, document, m) for m in others[:6])
    return f"with {shown}" + (f" and {len(others) - 6} more" if len(others) > 6 else "")
