"""Pages to talk over: one for the meeting, and one for each annotator."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from accord.adjudication.campaign import Campaign
from accord.adjudication.deck import NOTHING
from accord.data.header import under_title
from accord.errors import InputError
from accord.gold.decisions.decision import Decision, Value, canonical, number
from accord.gold.decisions.element import Version
from accord.report.template import page, style

#: examples of each confusion, and cards of an annotator's page
_EXAMPLES = 3
_MOST = 300


def meeting(campaign: Campaign, *, title: str = "Meeting", linked: bool = False) -> str:
    """What annotators differ on, by confusion: how often, three examples in context, the question.

    What people flagged, and what adjudicators decided differently, comes first. `linked` takes the
    style sheet from the server instead of from the page.
    """
    deck = campaign.deck
    cells = Counter(c for c, d in zip(deck.confusion, deck.disputed, strict=True) if d and c)
    by_cell: dict[str, list[int]] = defaultdict(list)
    for i in campaign.queue_.order("gain"):
        if deck.disputed[i] and len(by_cell[deck.confusion[i]]) < _EXAMPLES:
            by_cell[deck.confusion[i]].append(int(i))
    groups = [
        {
            "name": cell,
            "count": n,
            "share": n / max(1, int(deck.disputed.sum())),
            "decided": _decided(campaign, cell),
            "question": question(cell),
            "examples": [_example(campaign, i) for i in by_cell[cell]],
        }
        for cell, n in cells.most_common()
    ]
    urgent = np.flatnonzero(campaign.flagged | campaign.conflict)
    return page(
        "discussion.html",
        title=title,
        read=under_title(campaign.reading),
        linked=linked,
        style="" if linked else style("page.css", "discussion.css"),
        about=_about(campaign),
        urgent=[_example(campaign, int(i)) for i in urgent[:_MOST]],
        groups=groups,
    )


def annotator_page(campaign: Campaign, annotator: str, *, linked: bool = False) -> str:
    """Where one annotator differs from the reference where there is a decision, else from the others."""
    data = campaign.data
    if annotator not in data.annotators:
        raise InputError(f"there is no annotator {annotator!r}")
    differs: list[tuple[str, dict[str, Any]]] = []
    judged = 0
    for i in campaign.queue_.order("document"):
        versions = campaign.deck.element(int(i)).versions
        mine = next((v for v in versions if annotator in v.annotators), None)
        if mine is None:
            continue
        judged += 1
        decision = campaign.standing(int(i)).in_force
        example = _example(campaign, int(i)) | {"mine": said(mine.value)}
        if decision is not None and not _follows(mine, decision):
            differs.append(("reference", example))
        elif (
            decision is None
            and len(versions) > 1
            and len(versions[0].annotators) > len(mine.annotators)
        ):
            differs.append(("others", example))
    sections = [
        {
            "name": name,
            "cards": [e for kind, e in differs if kind == key][:_MOST],
            "count": sum(kind == key for kind, _ in differs),
        }
        for key, name in (
            ("reference", "Decided otherwise"),
            ("others", "Where most of the others disagree with you"),
        )
    ]
    return page(
        "annotator.html",
        title=annotator,
        read=under_title(campaign.reading),
        linked=linked,
        style="" if linked else style("page.css", "discussion.css"),
        judged=judged,
        sections=sections,
    )


def question(cell: str) -> str:
    """What the meeting has to answer for a confusion."""
    if cell == "borders":
        asked = "Where does it begin, and where does it end?"
        return f"{asked} Which rule gives the same boundaries to everybody?"
    if cell == "entity":
        return "Which mentions speak of the same? What makes two of them one entity?"
    first, _, second = cell.partition(" ~ ")
    if NOTHING in (first, second):
        what = second if first == NOTHING else first
        return f"When is it {what}, and when nothing at all? Which test decides?"
    return f"What makes it {first}, and what {second}? Which test decides the next one?"


def said(value: Value) -> str:
    """A version as people read it."""
    if value is None:
        return NOTHING
    if isinstance(value, Mapping):
        where = f"{number(float(value['start'] or 0))}-{number(float(value['end'] or 0))}"
        return f"{value.get('label') or 'no label'} ({where})"
    return canonical(value)


def _example(campaign: Campaign, i: int) -> dict[str, Any]:
    element = campaign.deck.element(i)
    found = campaign.deck.passage(i, around=160)
    decision = campaign.standing(i).in_force
    rivals = campaign.standing(i).rivals
    return {
        "item": campaign.deck.names[i],
        "before": "" if found is None else found[0],
        "inside": "" if found is None else found[1],
        "after": "" if found is None else found[2],
        "versions": [
            {"value": said(v.value), "who": "" if campaign.blind else ", ".join(v.annotators),
             "count": len(v.annotators)}
            for v in element.versions
        ],
        "decisions": [_told(d) for d in (decision, *rivals) if d is not None],
        "remarks": [r for r in campaign.remarks(campaign.deck.names[i]) if r["text"]],
        "flagged": bool(campaign.flagged[i]),
    }  # fmt: skip


def _told(decision: Decision) -> dict[str, str]:
    words = {"reject": "rejected", "none": "nothing here"}
    what = words.get(decision.kind) or said(decision.value)
    return {"what": what, "who": decision.who, "why": decision.why}


def _follows(mine: Version, decision: Decision) -> bool:
    if decision.kind != "label":
        return mine.value is None
    if isinstance(mine.value, Mapping) and isinstance(decision.value, str):
        return mine.value.get("label") == decision.value
    return mine.value is not None and canonical(mine.value) == canonical(decision.value)


def _decided(campaign: Campaign, cell: str) -> int:
    here = np.array([c == cell for c in campaign.deck.confusion], dtype=bool)
    return int((here & campaign.decided).sum())


def _about(campaign: Campaign) -> Sequence[tuple[str, int]]:
    progress = campaign.progress()
    disputed = int(campaign.deck.disputed.sum())
    return [
        ("cards", progress["cards"]),
        ("annotators differ", disputed),
        ("decided", progress["decided"]),
        ("differ and are not decided", progress["disputed_left"]),
        ("flagged", progress["flagged"]),
    ]
