"""``accord alt-test``: may this system replace a human annotator?"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from accord.cli import inputs
from accord.cli.keywords import AsJson, Each, Output, PriceOfAHuman, SystemAnnotator
from accord.cli.output import (
    Gated,
    answer,
    exit_failed,
    failed_gate,
    headline,
    indented,
    say,
    table,
)
from accord.cli.progress import progress_bar
from accord.language import spoken
from accord.options import Said

if TYPE_CHECKING:
    from collections.abc import Sequence

    from accord.evaluation.alternative import AltTest


@inputs.reads
def alt_test(
    ratings: Annotated[Path, Said("The humans: ratings, units, segments or chains.")],
    system: Annotated[
        list[Path] | None, Said("The system's answers, several are compared; or --systems.")
    ] = None,
    *,
    epsilon: PriceOfAHuman = 0.2,
    q: Annotated[float, Said("False discovery rate.", first=True)] = 0.05,
    least_items: Annotated[int, Said("Humans with fewer items are named and left out.")] = 30,
    scoring: Annotated[
        str | None,
        Said(
            "accuracy or rmse (numbers); units, segments, chains: a score such as f1.", first=True
        ),
    ] = None,
    as_json: AsJson = False,
    fail_under: Annotated[
        float | None,
        Output(
            "Exit with 1 when a winning rate is below this; .5 is to pass the test.", first=True
        ),
    ] = None,
    system_annotator: SystemAnnotator = None,
    each: Each = False,
    how: inputs.How,
) -> None:
    """Test whether a system may stand in for the human annotators."""
    from accord.data.reading import beside
    from accord.evaluation import alt_test as tested

    judges, systems = how.read_people(ratings, system, system_annotator, each=each)
    found = []
    with progress_bar("alt-test") as progress:
        for name, answers in systems.items():
            result = tested(
                judges, answers, epsilon=epsilon, q=q, least_items=least_items, scoring=scoring
            )
            found.append(replace(result, system=name))
            progress(len(found), len(systems))
    several = {"systems": [f.to_dict() for f in found]}
    answer(
        as_json,
        found[0].to_dict() if len(found) == 1 else several,
        beside(judges, systems),
        lambda: _show(found),
    )
    exit_failed(
        failed_gate(
            [Gated(spoken(f"{f.system}: winning rate"), f.winning_rate) for f in found], fail_under
        )
    )


def _show(found: Sequence[AltTest]) -> None:
    for result in found:
        headline(spoken(str(result)))
        table("annotators", result.annotators)
        indented(result.signature, "dim")
        say(result.warnings, prefix="warning")
