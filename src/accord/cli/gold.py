"""``accord gold``: what is the reference, and how sure is it?"""

from __future__ import annotations

import csv
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from accord.cli import reading

if TYPE_CHECKING:
    from accord.gold import Consensus, Reference


@reading.reads
def gold(
    data: Annotated[list[Path], typer.Argument(help="Files, or folders, of one campaign.")],
    method: Annotated[
        str | None,
        typer.Option(
            "--method",
            "-m",
            help="majority, unanimity, weighted, dawid-skene, one-coin, glad, mace, "
            "minimax-entropy, mean, median, bias-noise; consensus for other shapes.",
        ),
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write the reference here.")
    ] = None,
    soft: Annotated[
        bool, typer.Option("--soft", help="Write p:<label> columns: the distribution.")
    ] = False,
    details: Annotated[
        bool,
        typer.Option("--details", help="Write source, strength, tie, dissent, who, when, why."),
    ] = False,
    ties: Annotated[str, typer.Option(help="error, abstain, first or random.")] = "abstain",
    threshold: Annotated[
        float | None, typer.Option(help="No value under this share or probability.")
    ] = None,
    known: Annotated[
        Path | None, typer.Option(help="Table item,value of items known beforehand.")
    ] = None,
    group: Annotated[
        list[str] | None,
        typer.Option(help="NAME=A,B,C: annotators with correlated errors. Repeatable."),
    ] = None,
    annotator_weights: Annotated[
        Path | None, typer.Option(help="Table annotator,weight for a weighted vote.")
    ] = None,
    adjudicate: Annotated[
        Path | None, typer.Option(help="Human decisions (item,decision,who,when,why); they win.")
    ] = None,
    log: Annotated[
        Path | None,
        typer.Option(help="Log of decisions; by default OUTPUT's name with .decisions.jsonl."),
    ] = None,
    worklist: Annotated[
        Path | None, typer.Option(help="Write what needs a human, most useful first.")
    ] = None,
    blind: Annotated[
        bool, typer.Option("--blind", help="Worklist without votes and proposals.")
    ] = False,
    confidence: Annotated[
        float, typer.Option(help="Worklist: what is less sure than this.")
    ] = 0.75,
    annotators: Annotated[
        Path | None, typer.Option(help="Write the quality of each annotator.")
    ] = None,
    together: Annotated[
        Path | None, typer.Option(help="Write the data with the reference as one more annotator.")
    ] = None,
    name: Annotated[str, typer.Option(help="Name of the reference as annotator.")] = "reference",
    ordinal: Annotated[
        bool, typer.Option("--ordinal", help="minimax-entropy: classes are in order.")
    ] = False,
    smoothing: Annotated[
        float | None, typer.Option(help="dawid-skene, one-coin: prior counts (0: none).")
    ] = None,
    restarts: Annotated[int | None, typer.Option(help="mace: restarts.")] = None,
    rounds: Annotated[int | None, typer.Option(help="Models: most rounds.")] = None,
    tolerance: Annotated[float | None, typer.Option(help="Models: when to stop.")] = None,
    keep: Annotated[
        float | None, typer.Option(help="consensus: keep what more than this share marked.")
    ] = None,
    window: Annotated[
        int | None, typer.Option(help="segments: near misses within this many atoms.")
    ] = None,
    max_disorder: Annotated[
        float | None, typer.Option(help="units: drop unitary alignments above this disorder.")
    ] = None,
    position: Annotated[str | None, typer.Option(help="units: median or medoid.")] = None,
    alpha: Annotated[float | None, typer.Option(help="units: weight of positions.")] = None,
    beta: Annotated[float | None, typer.Option(help="units: weight of categories.")] = None,
    delta: Annotated[float | None, typer.Option(help="units: cost of the empty unit.")] = None,
    seed: Annotated[int, typer.Option("--seed", help="Seed of everything random.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
    *,
    how: reading.How,
) -> None:
    """Build a reference from several annotators."""
    from accord.cli.output import print_json, say
    from accord.cli.progress import progress_bar
    from accord.formats import write
    from accord.gold import Consensus
    from accord.gold import gold as build
    from accord.gold.worklist import write_table

    found = how.read(*data)
    decided, notes = _decisions(adjudicate, log, output)
    options: dict[str, Any] = {
        "ordinal": ordinal or None, "smoothing": smoothing, "restarts": restarts, "rounds": rounds,
        "tolerance": tolerance, "keep": keep, "window": window, "max_disorder": max_disorder,
        "position": position, "alpha": alpha, "beta": beta, "delta": delta,
    }  # fmt: skip
    with progress_bar(method or "gold") as progress:
        reference = build(
            found,
            method,
            ties=ties,
            threshold=threshold,
            known=_pairs(known, "value") if known else None,
            groups=_groups(group),
            weights=_weights(annotator_weights),
            decisions=decided,
            seed=seed,
            name=name,
            progress=progress,
            **{k: v for k, v in options.items() if v is not None},
        )
    todo = _worklist(reference, confidence, blind)
    if worklist is not None:
        write_table(worklist, todo, ("item", "reason", "gain"))
    if annotators is not None:
        write_table(annotators, reference.annotators, ("annotator",))
    if together is not None:
        whole = reference.together()
        notes += [f"{together} cannot hold {lost}" for lost in write(whole, together)]
    if output is not None:
        notes += _write(reference, output, soft=soft, details=details)
    notes = [*found.notes, *notes]
    if as_json:
        report = (
            reference.to_dict()
            if isinstance(reference, Consensus)
            else reference.to_dict(soft=soft)
        )
        report["warnings"] = [*notes, *report["warnings"]]
        print_json(report | {"worklist": todo})
        return
    say(notes)
    _show(reference, todo, written=output)
    say(reference.warnings, prefix="warning")


def _decisions(
    adjudicate: Path | None, log: Path | None, output: Path | None
) -> tuple[dict[str, dict[str, str]], list[str]]:
    """The decisions in force: those of the log, and the new ones, which are added to it."""
    from accord.gold.decisions import append, latest, log_beside, read_decisions, read_log

    place = log or (log_beside(output) if output is not None else None)
    new = read_decisions(adjudicate) if adjudicate is not None else []
    if place is None:
        return latest(new), []
    notes = []
    same = adjudicate is not None and place.exists() and adjudicate.resolve() == place.resolve()
    if new and not same:
        added = append(place, new)
        notes.append(f"{added} decisions were added to {place}")
    held, problems = read_log(place)
    return latest(held), [*notes, *problems]


def _write(reference: Reference | Consensus, path: Path, *, soft: bool, details: bool) -> list[str]:
    from accord.formats import write
    from accord.gold import Consensus
    from accord.gold.worklist import write_table

    if isinstance(reference, Consensus):
        return [f"{path} cannot hold {lost}" for lost in write(reference.reference, path)]
    rows = list(reference.rows(soft=soft, details=details))
    write_table(path, rows, ("item", "value", "confidence"))
    return []


def _worklist(
    reference: Reference | Consensus, confidence: float, blind: bool
) -> list[dict[str, Any]]:
    from accord.gold import Consensus
    from accord.gold import worklist as listed

    if isinstance(reference, Consensus):
        return reference.worklist(confidence=confidence)
    return listed(reference, confidence=confidence, blind=blind)


def _show(
    reference: Reference | Consensus, todo: list[dict[str, Any]], written: Path | None
) -> None:
    from rich.console import Console

    from accord.gold import Consensus
    from accord.report.tables import rows_table

    console = Console()
    size = len(reference.rows) if isinstance(reference, Consensus) else len(reference)
    console.print(f"[bold]Reference[/bold] · {reference.method}, {size} items")
    shown = {k: v for k, v in reference.terms.items() if not isinstance(v, dict)}
    for key, value in shown.items():
        console.print(f"  {key}: {value:.4g}" if isinstance(value, float) else f"  {key}: {value}")
    if not isinstance(reference, Consensus) and "unanimity" in reference.terms:
        for key, value in reference.terms["unanimity"].items():
            console.print(f"  unanimity {key}: {value}")
    if written is None:
        rows = reference.rows if isinstance(reference, Consensus) else list(reference.rows())
        console.print(rows_table("reference", list(rows)))
    if reference.annotators:
        console.print(rows_table("annotators", list(reference.annotators)))
    if todo:
        console.print(rows_table(f"needs a human ({len(todo)})", todo))
    console.print(f"  {reference.signature}", style="dim", highlight=False)


def _pairs(path: Path, value: str) -> dict[str, str]:
    """A two-column table as a mapping: item,value or annotator,weight."""
    from accord.errors import InputError

    if not path.exists():
        raise InputError("does not exist", path=path, hint="check the path")
    with path.open(encoding="utf-8-sig", newline="") as file:
        reader = csv.reader(file)
        header = next(reader, [])
        if value not in header or len(header) < 2:
            raise InputError(f"needs a column {value!r}; it has {header}", path=path, line=1)
        column = header.index(value)
        key = 0 if column else 1
        out: dict[str, str] = {}
        for row in reader:
            if len(row) <= max(column, key):
                raise InputError("has too few cells", path=path, line=reader.line_num)
            if row[key] in out:
                raise InputError(f"names {row[key]!r} twice", path=path, line=reader.line_num)
            out[row[key]] = row[column]
    return out


def _weights(path: Path | None) -> dict[str, float] | None:
    from accord.errors import InputError

    if path is None:
        return None
    out = {}
    for who, text in _pairs(path, "weight").items():
        try:
            out[who] = float(text)
        except ValueError:
            raise InputError(
                f"the weight of {who!r} must be a number, got {text!r}", path=path
            ) from None
    return out


def _groups(given: list[str] | None) -> dict[str, list[str]]:
    from accord.errors import UsageError

    groups: dict[str, list[str]] = {}
    for text in given or ():
        label, equals, members = text.partition("=")
        if not equals or not members:
            raise UsageError(f"--group must be NAME=A,B,C, got {text!r}")
        groups[label.strip()] = [m.strip() for m in members.split(",") if m.strip()]
    return groups
