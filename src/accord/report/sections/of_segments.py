"""Sections of segments: every cutting drawn, and the places people disagree about."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, pairwise
from typing import Any, NamedTuple

import numpy as np

from accord.data import Segments
from accord.report.figure import Figure, Table
from accord.report.section import Section, section
from accord.report.sections.examples import Behind
from accord.report.svg import box, element, escaped, line, shortened, tick_labels, ticks, words

#: documents drawn at most
MOST_DOCUMENTS = 12


class _Boundary(NamedTuple):
    """A boundary that one of two annotators set."""

    document: str
    place: int
    by: str
    other: str


def segments_sections(data: Segments) -> list[Section]:
    """All sections that only segments have."""
    rows = [_votes(data, d) for d in range(len(data.documents))]
    disputed = sorted(
        (r for found in rows for r in found if 0 < r["votes"] < r["annotators"]),
        key=lambda r: (abs(r["share"] - 0.5), r["document"], r["position"]),
    )
    drawn = [cuttings(data, d) for d in range(min(MOST_DOCUMENTS, len(data.documents)))]
    lead = "One row per annotator; each block is a segment, and the line below counts the votes."
    if len(drawn) < len(data.documents):
        lead += f" The first {len(drawn)} documents are drawn, of {len(data.documents)}."
    out = [
        section(
            "cuttings",
            "Cuttings",
            lead,
            list(drawn),
            boundaries=Table.of([r for found in rows for r in found]),
        )
    ]
    if disputed:
        table = Table.of(disputed[:2000])
        out.append(
            section(
                "items",
                "Worst disagreements",
                "Boundaries that about half of the annotators set. Two neighbours that each have half "
                "of the votes are often one boundary set at two places.",
                [Table(table.columns, table.rows[:25]).html("Disputed boundaries")],
                disputed=table,
            )
        )
    return out


def divided_boundaries(data: Segments, who: Sequence[str]) -> Behind:
    """For each two annotators, the boundaries that one of them set and the other did not."""
    chosen = [a for a, name in enumerate(data.annotators) if name in who]
    found: dict[tuple[str, str], list[_Boundary]] = {}
    for d, name in enumerate(data.documents):
        for a, b in combinations([a for a in chosen if (d, a) in data.boundaries], 2):
            first, second = (set(data.boundaries[d, x].tolist()) for x in (a, b))
            pair = data.annotators[a], data.annotators[b]
            for place in sorted(first ^ second):
                by, other = pair if place in first else pair[::-1]
                found.setdefault(pair, []).append(_Boundary(name, int(place), by, other))
    return Behind(found, _told, ("boundary", "boundaries"))


def _told(case: _Boundary) -> str:
    return (
        f"<code>{escaped(case.document)}</code> {case.place}<br>{escaped(case.by)} <b>boundary</b>, "
        f"{escaped(case.other)} <b>nothing</b>"
    )


def cuttings(data: Segments, document: int) -> Figure:
    """The segmentations of one document, one row each."""
    who = [a for a in range(len(data.annotators)) if (document, a) in data.boundaries]
    length = int(data.lengths[document])
    left, width, step = 120.0, 720.0, 22.0

    def px(v: float) -> float:
        return left + v / length * (width - left - 12)

    parts = []
    for row, a in enumerate(who):
        y = 8 + step * row
        parts.append(words(shortened(data.annotators[a], 16), left - 10, y + 14, anchor="end"))
        edges = [0, *data.boundaries[document, a].tolist(), length]
        for k, (s, e) in enumerate(pairwise(edges)):
            pale = f"opacity:{0.62 if k % 2 else 0.34}"
            wide = max(px(e) - px(s) - 2, 1.0)
            parts.append(box(px(s) + 1, y, wide, step - 5, "bar", rx=2, style=pale))
    base = 8 + step * len(who) + 34
    for r in _votes(data, document):
        x = px(float(r["position"]))
        parts.append(element("path", d=f"M{x:.1f},{base:.1f}v{-26 * r['share']:.1f}",
                             style="stroke:var(--warm);stroke-width:3"))  # fmt: skip
    parts.append(line(f"M{left},{base}H{width - 12}", "axis"))
    parts.append(words("votes", left - 10, base - 2, "soft small", anchor="end"))
    # a boundary stands between two atoms: no halves
    marks = [v for v in ticks(0, length, 8) if float(v).is_integer()]
    parts += [
        words(t, px(v), base + 16, "soft small", anchor="middle")
        for v, t in zip(marks, tick_labels(marks), strict=True)
    ]
    title = f"Cuttings of {data.documents[document]}"
    table = Table.of(
        [
            {
                "annotator": data.annotators[a],
                "segments": len(data.boundaries[document, a]) + 1,
                "masses": " ".join(map(str, data.masses(document, a).tolist())),
            }
            for a in who
        ]
    )
    said = f"{len(who)} segmentations of {length} pieces"
    return Figure.of(f"segmentation-{document + 1}", title, (width, base + 24), parts, said, table)


def _votes(data: Segments, document: int) -> list[dict[str, Any]]:
    """How many annotators set each boundary of one document."""
    who = [a for a in range(len(data.annotators)) if (document, a) in data.boundaries]
    chosen = [np.unique(data.boundaries[document, a]) for a in who]
    if not who:
        return []
    places, votes = np.unique(np.concatenate([*chosen, []]), return_counts=True)
    return [
        {
            "document": data.documents[document],
            "position": int(p),
            "votes": int(v),
            "annotators": len(who),
            "share": float(v / len(who)),
            "set_by": ", ".join(
                data.annotators[a] for a, c in zip(who, chosen, strict=True) if p in c
            ),
        }
        for p, v in zip(places, votes, strict=True)
    ]
