"""``accord rank``: where do systems stand among the human judges?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from accord.cli import inputs, keywords
from accord.cli.first_screens import reading, switched
from accord.cli.keywords import METRICS, OfMeasure, Output, Random
from accord.cli.output import (
    Gated,
    Step,
    answer,
    blank,
    compared,
    exit_failed,
    failed_gate,
    fitted,
    headline,
    indented,
    is_verbose,
    show_steps,
    table,
    tell,
)
from accord.cli.progress import progress_bar
from accord.errors import UsageError
from accord.language import spoken
from accord.options import LEVEL, Said

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from accord.data.reading import Reading
    from accord.evaluation import Ranking
    from accord.evaluation.located import LocatedRanking


@inputs.reads
def rank(
    ratings: Annotated[Path, Said("Long table of all judges.")],
    system: Annotated[
        list[Path] | None, Said("One file per system; or name them with --systems.")
    ] = None,
    *,
    reference: Annotated[
        Path | None, Said("Rank by this reference, not by the majority of the judges.", first=True)
    ] = None,
    measure: Annotated[
        list[str] | None,
        OfMeasure("Measures to rank by; all that apply by default.", first=True),
    ] = None,
    paired: Annotated[
        bool, Said("Also judge against system, both against the others.", first=True)
    ] = False,
    metric: Annotated[str | None, Said(f"Distance between classes: {METRICS}.", first=True)] = None,
    ties: Annotated[
        str, Said("Ties of the judges: split, abstain, first, random, error.")
    ] = "split",
    level: keywords.Levels = LEVEL,
    resamples: Annotated[int, Random("Bootstrap resamples.")] = 500,
    seed: keywords.Seed = 0,
    as_json: keywords.AsJson = False,
    paper: keywords.Paper,
    fail_under: Annotated[
        float | None,
        Output("Exit with 1 when a system's value by the first measure is below this."),
    ] = None,
    output: Annotated[
        Path | None, Output("Write all ranks as a table (CSV).", typed="--output -o", first=True)
    ] = None,
    svg: Annotated[Path | None, Output("Draw the ranks into this SVG file.")] = None,
    html: Annotated[
        Path | None, Output("Draw the ranks on a page, with their table.", first=True)
    ] = None,
    system_annotator: keywords.SystemAnnotator = None,
    each: keywords.Each = False,
    how: inputs.How,
) -> None:
    """Rank systems among the judges, by every measure side by side."""
    from accord.data.reading import beside
    from accord.evaluation import rank as ranked
    from accord.evaluation.contest import OF_KAPPA
    from accord.evaluation.entrants import key_of
    from accord.evaluation.located import rank_located

    people, found_systems = how.read_people(
        ratings, system, system_annotator, each=each, alone=True
    )
    given = None if reference is None else how.read_other(reference, shape=people.shape)
    key = key_of(people, given)
    read = beside(people, found_systems, key=given)
    asked = inputs.names(measure)
    found: Ranking | LocatedRanking
    with progress_bar("rank") as progress:
        if people.shape == "ratings":
            found = ranked(
                people, found_systems, reference=key, measures=asked, paired=paired, metric=metric, ties=ties,
                level=level, resamples=resamples, seed=seed, progress=progress,
            )  # fmt: skip
        else:
            _refuse_for_located(
                people.shape, asked, paired=paired, metric=metric, ties=ties != "split"
            )
            found = rank_located(
                people, found_systems, reference=key, measure=asked[0] if asked else None, level=level,
                resamples=resamples, seed=seed,
            )  # fmt: skip
    sides = (people, given, *found_systems.values())
    notes = [n for one in sides if one is not None for n in one.notes]
    _write(found, read, output, svg, html)
    words = switched(
        {
            "--reference": reference,
            "--metric": metric,
            "--measure": ",".join(asked),
            "--each": each,
            "--system-annotator": system_annotator,
        }
    )
    again = " ".join(["accord rank", reading([ratings, *(system or ())], how), *words])
    steps = [(f"{again} --verbose{how.speaking}", "by every measure, and where each is right")]
    if people.shape == "ratings" and not paired:
        steps.append((f"{again} --paired{how.speaking}", "each judge against each system"))
    document = found.to_dict() | {"warnings": found.warnings}
    # the first screen has no κ to warn of
    hidden = () if as_json or is_verbose() or len(asked) > 1 else (OF_KAPPA,)
    answer(
        as_json,
        document,
        read,
        lambda: _show(found, steps),
        notes=notes,
        warnings=[w for w in found.warnings if w not in hidden or "kappa" in asked],
        paper=(paper, found),
    )
    exit_failed(failed_gate(_gated(found), fail_under))


def _gated(found: Ranking | LocatedRanking) -> list[Gated]:
    """The value of each system by the first measure, to be held against a threshold."""
    rows = [row for row in found.table if row["role"] == "system"]
    first = rows[0]["measure"] if rows else ""
    return [
        Gated(f"{row['name']}: {row['measure']}", row["value"])
        for row in rows
        if row["measure"] == first
    ]


def _refuse_for_located(shape: str, measures: Sequence[str], **typed: object) -> None:
    """What is of ratings alone would change nothing here; ranks are by one measure."""
    for name, value in typed.items():
        if value:
            raise UsageError(f"`{name}` is for ratings, these data are {shape}")
    if len(measures) > 1:
        raise UsageError(f"{shape} are ranked by one measure, got {', '.join(measures)}")


def _write(
    found: Ranking | LocatedRanking,
    read: Reading,
    output: Path | None,
    svg: Path | None,
    html: Path | None,
) -> None:
    """Write the table and the drawings that were asked for."""
    from accord.data.header import under_title
    from accord.files.atomic import write_text
    from accord.report.curves import stacked
    from accord.report.figure import Table
    from accord.report.scores import figures_page
    from accord.report.sections.ranks import rank_figures

    if output is not None:
        write_text(output, Table.of(found.table).csv())
    if svg is not None:
        drawn = rank_figures(found)
        write_text(svg, drawn[0].standalone() if len(drawn) == 1 else stacked(drawn))
    if html is not None:
        told = [*under_title(read), *map(spoken, found.warnings), found.signature]
        measures = {str(row["measure"]) for row in found.table}
        write_text(html, figures_page("Ranks", rank_figures(found), told, measures))


#: what is said of the judges, from 0 to 1
_TOLD = {
    "weak_majority": "on {:.1%} of the items no value has half of the votes",
    "unanimous": "on {:.1%} of the items all judges agree",
}
#: breakdown → its title
_BREAKDOWNS = {
    "majority": "accuracy by the share of the majority",
    "unanimous": "accuracy where all judges agree, and where not",
    "unanimity_effect": "accuracy if only unanimous items were kept",
}


def _show(found: Ranking | LocatedRanking, steps: Sequence[Step]) -> None:
    """Print where the systems stand; everything measured where that was asked for."""
    from accord.evaluation import Ranking

    if is_verbose():
        _everything(found)
    elif isinstance(found, Ranking):
        _standing(found)
    else:
        rows = [{**row, "role": spoken(row["role"])} for row in found.participants]
        title = (
            f"Rank among {len(found.judges)} people by {found.measure}, {found.documents} documents"
        )
        table(title, rows, most=_MOST)
    show_steps(steps)


#: participants of a first screen
_MOST = 10


def _standing(found: Ranking) -> None:
    """Each system in a sentence, and everybody by the first measure."""
    by, of = found.measures[0], len(found.participants)
    headline(spoken(f"Rank among {len(found.judges)} judges"), f" · {spoken(f'{of} participants')}")
    for row in found.systems:
        if row["measure"] != by:
            continue
        low, high = row["rank_low"], row["rank_high"]
        better, judges = row["better_judges"], len(found.judges)
        tell(
            fitted(
                spoken(
                    f"{row['system']} has rank {row['rank']} of {of} by {by} (interval {low} to {high}); "
                    f"{better} of {judges} judges do better."
                )
            )
        )
    blank()
    rows = [{k: v for k, v in row.items() if v is not None} for row in _everybody(found)]
    table("", rows, most=_MOST)
    if "unanimous" in found.terms:
        tell(fitted(spoken(_TOLD["unanimous"].format(found.terms["unanimous"]))), style="dim")


def _everything(found: Ranking | LocatedRanking) -> None:
    from accord.evaluation import Ranking

    if not isinstance(found, Ranking):
        title = (
            f"Rank among {len(found.judges)} people by {found.measure}, {found.documents} documents"
        )
        table(title, [{**row, "role": spoken(row["role"])} for row in found.participants])
        indented(found.signature, "dim")
        return
    of = len(found.participants)
    title = spoken(f"Rank among {len(found.judges)} judges")
    headline(title, f" · {spoken(f'{of} participants')}")
    for key, sentence in _TOLD.items():
        if key in found.terms:
            indented(spoken(sentence.format(found.terms[key])))
    if any("others" in row for row in found.participants):
        blank()
        table("everybody against the reference, and against the others", _everybody(found))
    for name, spread in found.terms["rank_spread"].items():
        rows = _of_system(found.systems, name)
        blank()
        title = f"{name}: rank {spread['best_rank']} to {spread['worst_rank']} of {of}, by measure"
        table(title, rows)
        for key, breakdown in found.breakdowns[name].items():
            title = f"{name}: {_BREAKDOWNS.get(key, f'accuracy by {key}')}"
            table(title, [_told(row, key) for row in breakdown])
    for name in dict.fromkeys(row["system"] for row in found.paired or ()):
        blank()
        title = f"{name} against each judge, both against the other judges"
        table(title, _of_system(found.paired, name))
    if found.comparisons:
        compared("systems two by two", found.comparisons)
    indented(found.signature, "dim")


def _of_system(rows: Sequence[Mapping[str, Any]], name: str) -> list[dict[str, Any]]:
    """The rows of a system, without what its title says."""
    told = ("system", "duels", "of")
    return [{k: v for k, v in r.items() if k not in told} for r in rows if r["system"] == name]


def _everybody(found: Ranking) -> list[dict[str, Any]]:
    """The participants by the first measure, the best first."""
    by = found.measures[0]
    rows = [
        {
            "name": row["name"],
            "role": spoken(row["role"]),
            "n": row["n"],
            "rank": row["ranks"][by],
            by: row["scores"][by],
            "others": row.get("others", {}).get(by),
        }
        for row in found.participants
    ]
    return sorted(rows, key=lambda row: (row["rank"], row["name"]))


def _told(row: Mapping[str, Any], key: str) -> dict[str, Any]:
    """A row of a breakdown, its first cell in words of ours unless it is a category of theirs."""
    first = row.get(key)
    ours = isinstance(first, str) and (key != "category" or first == "(tie)")
    return {**row, key: spoken(str(first))} if ours else dict(row)
