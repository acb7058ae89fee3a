"""The parts of a report: sections made of figures, tables and prose."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from accord.report.figure import Figure, Table
from accord.report.svg import escaped


@dataclass(frozen=True, slots=True)
class Section:
    """One heading of the report; `body` is markup, `tables` everything in it as tables."""

    key: str
    title: str
    #: one or two sentences that say how to read it
    lead: str
    body: str
    tables: Mapping[str, Table] = field(default_factory=dict)


def section(
    key: str, title: str, lead: str, parts: Iterable[Figure | str], **tables: Table
) -> Section:
    """A section from figures and pieces of markup; the tables of the figures are collected."""
    body, collected = [], dict(tables)
    for part in parts:
        if isinstance(part, Figure):
            body.append(part.html())
            collected[part.name] = part.table
        else:
            body.append(part)
    return Section(key, title, lead, "".join(body), collected)


def paragraph(text: str, css: str = "") -> str:
    """Escaped prose."""
    return f'<p class="{css}">{escaped(text)}</p>' if css else f"<p>{escaped(text)}</p>"
