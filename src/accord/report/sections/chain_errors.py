"""What it takes to correct each system's chains: errors by class, size of entity and type."""

from __future__ import annotations

from collections.abc import Mapping

from accord.data import Annotations, Chains
from accord.errors import AccordError, in_command
from accord.measures.coreference.corrections import CLASSES, MEANINGS, by_error, errors_by
from accord.measures.coreference.enrolment import SPECIFICATIONS, paired_by
from accord.measures.coreference.entities import b3  # noqa: F401 the scores must be enrolled
from accord.report.figure import Figure, Table
from accord.report.matrices import heat_map
from accord.report.section import Section, paragraph, section
from accord.report.svg import escaped


def chain_errors_section(
    reference: Annotations, systems: Mapping[str, Annotations]
) -> Section | None:
    """Errors after Kummerfeld & Klein, of each system: all, by size, by type, by document."""
    if not isinstance(reference, Chains):
        return None
    any_score = next(iter(SPECIFICATIONS.values()))
    parts: list[Figure | str] = []
    tables: dict[str, Table] = {}
    counts: dict[str, list[float]] = {}
    for name, system in systems.items():
        if not isinstance(system, Chains):
            continue
        try:
            paired = paired_by(reference, system)
        except AccordError as problem:
            parts.append(paragraph(f"{name}: {in_command(problem.sentence)}", "aside"))
            continue
        counts[name] = [float(row["count"]) for row in by_error(any_score, paired)]
        for what in ("size", "type", "document"):
            rows = errors_by(what)(any_score, paired)
            if what == "type" and all(row["type"] == "(none)" for row in rows):
                continue
            tables[f"errors_{name}_by_{what}"] = Table.of(rows)
    if not counts:
        return None
    figure = heat_map(
        "errors-by-class",
        "Errors of each class, shaded by the share of the system's",
        list(counts),
        list(CLASSES),
        list(counts.values()),
        corner="system",
        low=0,
        decimals=0,
    )
    meanings = "".join(f"<dt>{escaped(c)}</dt><dd>{escaped(MEANINGS[c])}</dd>" for c in CLASSES)
    parts = [
        figure,
        f"<details class='behind'><summary>What the classes mean</summary><dl>{meanings}</dl></details>",
        *parts,
    ]
    for name, table in tables.items():
        if table.rows:
            parts.append(table.html(name.replace("_", " "), most=30))
    return section(
        "errors",
        "What it takes to correct the systems",
        "The steps from the response to the key (classes after Kummerfeld & Klein 2013): spans first, then "
        "what does not belong is taken out and entities are split, then what is missing is added and the "
        "parts are merged.",
        parts,
        **tables,
    )
