"""``accord gold``: what is the reference, and how sure is it?"""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeGuard

import typer

from accord.cli import inputs
from accord.cli.decision_store import open_store, take_in_file
from accord.cli.jobs import Jobs, with_workers
from accord.cli.large_reference import is_large, write_large
from accord.cli.reference_table import show_reference
from accord.cli.texts import Texts, read_texts, texts_of, with_texts

if TYPE_CHECKING:
    from accord.gold import Consensus, Reference

#: formats of platforms, in which the reference is one more annotator beside the originals
_PLATFORMS = frozenset(
    {
        "brat",
        "conll2003",
        "doccano",
        "glozz",
        "label-studio",
        "rttm",
        "textgrid",
        "uima",
        "webanno-tsv3",
    }
)
#: formats of chains: a folder holds everybody, a file the reference alone
_OF_CHAINS = frozenset({"conll2012", "corefud"})


@inputs.reads
def gold(
    data: Annotated[list[Path], typer.Argument(help="Files, or folders, of one campaign.")],
    method: Annotated[
        str | None,
        typer.Option(
            "--method",
            "-m",
            help="Ratings: majority (by default), unanimity, weighted, dawid-skene, one-coin, glad, "
            "mace, ebcc, minimax-entropy, mean, median, bias-noise. Other shapes: consensus (by "
            "default); units without overlap: bsc, hmm-crowd, token-dawid-skene.",
        ),
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write the reference here.")
    ] = None,
    to: Annotated[
        str | None, typer.Option("--to", help="Format of OUTPUT, where its ending does not tell.")
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
    decisions: Annotated[
        Path | None,
        typer.Option(
            help="Store of human decisions (.db); by default OUTPUT's with .decisions.db."
        ),
    ] = None,
    adjudicate: Annotated[
        Path | None, typer.Option(help="Take in decisions: item,decision,who,when,why, or .jsonl.")
    ] = None,
    new_labels: Annotated[
        bool, typer.Option("--new-labels", help="Decisions may use labels that nobody used.")
    ] = False,
    who: Annotated[
        str | None, typer.Option(help="Who made the decisions of a file that does not say.")
    ] = None,
    texts: Texts = None,
    worklist: Annotated[
        Path | None, typer.Option(help="Write what needs a human, most useful first.")
    ] = None,
    blind: Annotated[
        bool, typer.Option("--blind", help="Worklist without votes and proposals.")
    ] = False,
    confidence: Annotated[
        float, typer.Option(help="Worklist: what is less sure than this.")
    ] = 0.75,
    annotator_details: Annotated[
        Path | None, typer.Option(help="Write the quality of each annotator.")
    ] = None,
    together: Annotated[
        Path | None, typer.Option(help="Write the data with the reference as one more annotator.")
    ] = None,
    name: Annotated[str, typer.Option(help="Name of the reference as annotator.")] = "reference",
    ordinal: Annotated[bool, typer.Option("--ordinal", hidden=True)] = False,
    smoothing: Annotated[
        float | None, typer.Option(help="dawid-skene, one-coin: prior counts (0: none).")
    ] = None,
    restarts: Annotated[int | None, typer.Option(help="mace: restarts.")] = None,
    rounds: Annotated[int | None, typer.Option(help="Models: most rounds.")] = None,
    tolerance: Annotated[float | None, typer.Option(help="Models: when to stop.")] = None,
    keep: Annotated[
        float | None, typer.Option(help="consensus: keep what more than this share marked.")
    ] = None,
    mentions: Annotated[
        str | None,
        typer.Option(help="chains: exact, or near (spans that share words are one mention)."),
    ] = None,
    overlap: Annotated[
        float | None, typer.Option(help="chains: how much near mentions share (Dice, .5).")
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
    calibrate: Annotated[
        str,
        typer.Option(help="Models: confidence by auto, known, bagged, held-out or model (raw)."),
    ] = "auto",
    centre: Annotated[
        float | None, typer.Option(help="minimax-entropy: what annotators are drawn to (0: paper).")
    ] = None,
    blank_texts: Annotated[
        bool, typer.Option("--blank-texts", help="Write blanks where a text is not known.")
    ] = False,
    seed: Annotated[int, typer.Option("--seed", help="Seed of everything random.")] = 0,
    jobs: Jobs = 1,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
    *,
    how: inputs.How,
) -> None:
    """Build a reference from several annotators."""
    from accord.cli.output import introduce, print_json, say
    from accord.cli.progress import progress_bar
    from accord.formats import write
    from accord.gold import Consensus
    from accord.gold import gold as build
    from accord.gold.worklist import write_table

    annotator_details, how, moved = _details_of_old(annotator_details, how)
    if ordinal:
        how = how.changed(ordered=True)
        moved.append("--ordinal is now called --ordered")
    found = with_texts(how.read(*data), read_texts(texts))
    if is_large(found):
        beside = {"--adjudicate": adjudicate, "--decisions": decisions, "--worklist": worklist,
                  "--together": together, "--known": known, "--group": group, "--details": details or None,
                  "--annotator-weights": annotator_weights, "--to": to}  # fmt: skip
        given_options = {
            "smoothing": smoothing, "restarts": restarts, "rounds": rounds, "tolerance": tolerance,
        }  # fmt: skip
        write_large(
            found, output, method or "majority", annotator_details, as_json=as_json,
            refused=[option for option, value in beside.items() if value is not None],
            ties=ties, threshold=threshold, soft=soft, seed=seed,
            **{k: v for k, v in given_options.items() if v is not None},
        )  # fmt: skip
        return
    store, notes = open_store(decisions, output, adjudicate is not None)
    if worklist is not None:
        from accord.gold.decisions import Ledger
        from accord.gold.worklist import refuse_filled

        refuse_filled(worklist, store.ledger if store is not None else Ledger())
    options: dict[str, Any] = {
        "smoothing": smoothing, "restarts": restarts, "rounds": rounds,
        "tolerance": tolerance, "keep": keep, "centre": centre, "window": window,
        "mentions": mentions, "overlap": overlap,
        "max_disorder": max_disorder, "position": position, "alpha": alpha, "beta": beta, "delta": delta,
    }  # fmt: skip
    given = _pairs(known, "value") if known else None
    correlated, weights = _groups(group), _weights(annotator_weights)
    if found.roles is not None and found.roles.groups:
        from accord.cli import gold_groups
        from accord.errors import UsageError
        from accord.gold.by_group import group_references

        beside = {"--adjudicate": adjudicate, "--decisions": decisions, "--worklist": worklist,
                  "--together": together, "--annotator-details": annotator_details}  # fmt: skip
        if asked := [option for option, value in beside.items() if value is not None]:
            raise UsageError(
                f"{asked[0]} is about one reference and --groups makes one for each group; choose the "
                "annotators of a group with --annotators"
            )
        of_groups = group_references(
            found, found.roles.groups, method, ties=ties, threshold=threshold, known=given,
            groups=correlated, weights=weights, calibrate=calibrate, seed=seed,
            **{k: v for k, v in options.items() if v is not None},
        )  # fmt: skip
        if output is not None:
            notes += gold_groups.written(of_groups, output, to, overwrite=how.overwrite)
        if as_json:
            said = [*found.notes, *notes, *of_groups.warnings]
            print_json({**of_groups.to_dict(), "warnings": said}, found.reading.whole())
            return
        introduce(found.reading.whole(), [*found.notes, *notes])
        gold_groups.show(of_groups, output=output)
        say(of_groups.warnings, prefix="warning")
        return

    def built(*, again: Reference | Consensus | None = None) -> Reference | Consensus:
        reuse = {"alignments": again.alignments} if _aligned(again) else {}
        with progress_bar(method or "gold") as progress, with_workers(jobs):
            reference: Reference | Consensus = build(
                found,
                method,
                ties=ties,
                threshold=threshold,
                known=given,
                groups=correlated,
                weights=weights,
                decisions=None if store is None else store.ledger,
                calibrate=calibrate,
                seed=seed,
                name=name,
                progress=progress,
                **{k: v for k, v in options.items() if v is not None},
                **reuse,
            )
        return reference

    reference = built()
    if adjudicate is not None and store is not None:
        notes += take_in_file(store, adjudicate, reference, new_labels=new_labels, who=who)
        reference = built(again=reference)
    told = {**texts_of(found), **read_texts(texts)}
    with progress_bar("worklist"):
        todo = _worklist(reference, confidence, blind, told)
    if store is not None:
        store.close()
    if worklist is not None:
        write_table(worklist, todo, ("item", "reason", "gain", "text"))
    if annotator_details is not None:
        write_table(annotator_details, reference.annotators, ("annotator",))
    if together is not None:
        whole = reference.together()
        notes += [f"{together} cannot hold {lost}" for lost in write(whole, together)]
    if output is not None:
        with progress_bar(f"writing {output.name}"):
            notes += _write(
                reference,
                output,
                to,
                soft=soft,
                details=details,
                overwrite=how.overwrite,
                blank_texts=blank_texts,
            )
    notes = [*found.notes, *moved, *notes]
    if as_json:
        report: dict[str, Any] = (
            reference.to_dict()
            if isinstance(reference, Consensus)
            else reference.to_dict(soft=soft)
        )
        report["warnings"] = [*notes, *report["warnings"]]
        print_json(report | {"worklist": todo}, found.reading.whole())
        return
    introduce(found.reading.whole(), notes)
    show_reference(reference, todo, written=output)
    say(reference.warnings, prefix="warning")


def _details_of_old(
    details: Path | None, how: inputs.How
) -> tuple[Path | None, inputs.How, list[str]]:
    """``--annotators FILE`` was the table of annotators before it chose them."""
    given = how.options["annotators"]
    path = inputs.old_details(given)
    if details is not None or path is None:
        return details, how, []
    said = f"--annotators {given} is a file: it is now called --annotator-details"
    return path, how.changed(annotators=None), [said]


def _aligned(reference: Reference | Consensus | None) -> TypeGuard[Consensus]:
    from accord.gold import Consensus

    return isinstance(reference, Consensus) and bool(reference.alignments)


def _write(
    reference: Reference | Consensus,
    path: Path,
    to: str | None,
    *,
    soft: bool,
    details: bool,
    overwrite: bool,
    blank_texts: bool,
) -> list[str]:
    from accord.formats import write
    from accord.gold import Consensus
    from accord.gold.reference import COLUMNS
    from accord.gold.worklist import write_table

    if to in _PLATFORMS or (to in _OF_CHAINS and not path.suffix):
        from accord.reading.conversion import convert

        # one more annotator beside those who annotated, with their texts, read back to be sure
        whole = reference.together()
        made = convert(whole, path, format=to, overwrite=overwrite, blank_texts=blank_texts)
        return [f"{path}: {lost}" for lost in made]
    if isinstance(reference, Consensus):
        return [
            f"{path} cannot hold {lost}"
            for lost in write(reference.reference, path, format=to, overwrite=overwrite)
        ]
    if to is not None:
        return [
            f"{path} cannot hold {lost}" for lost in write(reference.to_ratings(), path, format=to)
        ]
    rows = list(reference.rows(soft=soft, details=details))
    write_table(path, rows, COLUMNS)
    return []


def _worklist(
    reference: Reference | Consensus, confidence: float, blind: bool, texts: Mapping[str, str]
) -> Sequence[Mapping[str, Any]]:
    from accord.gold import Consensus
    from accord.gold import worklist as listed

    if isinstance(reference, Consensus):
        return reference.worklist(confidence=confidence, blind=blind, texts=texts)
    return listed(reference, confidence=confidence, blind=blind, texts=texts)


def _pairs(path: Path, value: str) -> dict[str, str]:
    """A two-column table as a mapping: item,value or annotator,weight."""
    from accord.errors import InputError

    if not path.exists():
        raise InputError("does not exist", path=path, hint="check the path")
    from accord.files.text import open_table

    with open_table(path) as file:
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
