"""The section on ranks: where systems stand among the people, by every measure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from accord.data import Annotations
from accord.data.roles import systems_of
from accord.errors import AccordError, in_command
from accord.evaluation.located import LocatedRanking, rank_located
from accord.evaluation.ranking import Ranking, rank
from accord.report.charts import Estimate, estimates
from accord.report.figure import Figure, Table
from accord.report.section import Section, paragraph, section

_TITLE = "Ranks among people"
_LEAD = (
    "Everybody is scored in the same way. Rank 1 is the best; a bar is the interval of a rank when the "
    "items or documents are drawn again."
)


def ranks_section(
    data: Annotations,
    systems: Mapping[str, Annotations],
    reference: Annotations | None,
    *,
    level: float,
    seed: int,
) -> Section | None:
    """The ranks of people and systems, those in the data included; None when there is no system."""
    entered = {**systems_of(data), **systems}
    if not entered:
        return None
    ranked = rank if data.shape == "ratings" else rank_located
    try:
        found = ranked(data, entered, reference=reference, level=level, seed=seed)
    except AccordError as problem:
        return section("ranks", _TITLE, _LEAD, [paragraph(in_command(problem.sentence), "aside")])
    parts: list[Figure | str] = [*rank_figures(found), paragraph(found.signature, "aside")]
    return section("ranks", _TITLE, _LEAD, parts, ranks=Table.of(found.table))


def rank_figures(found: Ranking | LocatedRanking) -> Sequence[Figure]:
    """One drawing per measure: everybody with their rank and its interval."""
    rows = found.table
    return [
        estimates(
            f"ranks-{measure}",
            f"Rank by {measure}",
            [
                Estimate(_named(r), r["rank"], r["rank_low"], r["rank_high"])
                for r in rows
                if r["measure"] == measure
            ],
            label="name",
            x_label="rank",
            x_range=(1.0, float(max(len(found.participants), 2))),
        )
        for measure in dict.fromkeys(r["measure"] for r in rows)
    ]


def _named(row: Mapping[str, object]) -> str:
    return f"{row['name']} (system)" if row["role"] == "system" else str(row["name"])
