"""``accord prefer``: who is better, by paired judgements."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from accord.cli import inputs
from accord.cli.keywords import AsJson, FailOn, Levels, Output, Paper, Random, Seed
from accord.cli.output import answer, exit_under, table, tell
from accord.cli.progress import progress_bar
from accord.language import figures, spoken
from accord.options import LEVEL, Said
from accord.options.reading import READING_PANEL

if TYPE_CHECKING:
    from accord.evaluation.preferences import Preferred

#: pairs listed in the terminal
_SHOWN = 15


@inputs.told
def prefer(
    data: Annotated[Path, Said("Table of judgements: judge, left, right, winner (and item).")],
    *,
    column: Annotated[
        list[str] | None,
        Said("What a column is called: winner=NAME; may be repeated.", panel=READING_PANEL),
    ] = None,
    repeats: Annotated[str, Said("A judge judges a pair again: error, keep or first.")] = "error",
    prior: Annotated[
        float, Said("Wins and losses of each object against an average opponent.")
    ] = 0.0,
    level: Levels = LEVEL,
    resamples: Annotated[int, Random("Resamples of the judges.")] = 1000,
    seed: Seed = 0,
    as_json: AsJson = False,
    paper: Paper,
    fail_under: Annotated[
        float | None, Output("Exit with 1 when the judges' agreement (Kendall's u) is below this.")
    ] = None,
    fail_on: FailOn = "value",
) -> None:
    """Rank objects by preferences, and say which are really better and what the judges are worth."""
    from accord.evaluation.preferences import prefer as preferred
    from accord.reading.preferences import read_preferences

    with progress_bar("prefer"):
        read = read_preferences(data, columns=inputs.named_columns(column), repeats=repeats)
        found = preferred(read, prior=prior, level=level, resamples=resamples, seed=seed)
    answer(
        as_json,
        found.to_dict(),
        read.reading,
        lambda: _show(found, level),
        warnings=found.warnings,
        paper=(paper, found),
    )
    exit_under([found.agreement], fail_under, on=fail_on)


def _show(found: Preferred, level: float) -> None:
    percent = figures(f"{level:.0%}")
    objects = [
        {
            "": row["group"],
            "object": row["object"],
            "θ": row["theta"],
            percent: _range(row),
            "won": int(row["wins"]),
            "lost": int(row["losses"]),
            "tied": int(row["ties"]),
        }
        for row in found.objects
    ]
    differences = [
        {
            "better": row["better"],
            "worse": row["worse"],
            "Δθ": row["difference"],
            percent: _range(row),
            "wins": figures(f"{row['chance_to_win']:.0%}"),
            "really better": spoken("yes" if row["decided"] else "not shown"),
        }
        for row in found.differences[:_SHOWN]
    ]
    title = f"strength (θ), {found.judgements} judgements; one letter in common: not told apart"
    table(title, objects)
    table("differences", differences)
    if len(found.differences) > _SHOWN:
        tell(spoken(f"… and {len(found.differences) - _SHOWN} more pairs (all with --json)"))
    tell(_judges(found))
    tell(found.signature, style="dim")


def _range(row: dict[str, float | None]) -> str:
    low, high = row["low"], row["high"]
    return "–" if low is None or high is None else figures(f"[{low:.2f}, {high:.2f}]")


def _judges(found: Preferred) -> str:
    """The sentences about the judges."""
    u = found.agreement
    said = []
    if u.undefined is None:
        limits = "" if u.interval is None else f" [{u.interval.low:.2f}, {u.interval.high:.2f}]"
        said.append(f"Judges agree: Kendall's u = {u.value:.2f}{limits} over {u.n} pairs.")
    else:
        said.append(f"Judges cannot be compared: {u.undefined}.")
    if found.consistency:
        circular = [row for row in found.consistency if row["circular_triads"]]
        mean = sum(row["zeta"] for row in found.consistency) / len(found.consistency)
        said.append(
            f"Consistency ζ = {mean:.2f} on average; {len(circular)} of {len(found.consistency)} "
            "orders are circular somewhere."
        )
    place = found.position
    if place["n"]:
        side = "" if place["low"] <= 0.5 <= place["high"] else ": the side matters"
        said.append(
            f"The left one wins {place['left']:.0%} [{place['low']:.0%}, {place['high']:.0%}]{side}."
        )
    if place.get("swapped"):
        said.append(
            f"{place['swapped']} pairs were judged in both orders; in {place['flips']:.0%} of them the order "
            "decided, and they count as ties."
        )
    if found.nu:
        said.append(f"Ties: ν = {found.nu:.2f}.")
    return "\n".join(map(spoken, said))
