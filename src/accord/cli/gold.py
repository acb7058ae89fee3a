"""``accord gold``: what is the reference, and how sure is it?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from accord.cli import inputs, keywords
from accord.cli.decision_store import open_store, take_in_file
from accord.cli.first_screens import reading
from accord.cli.help import DECISIONS, METHODS
from accord.cli.jobs import with_workers
from accord.cli.keywords import OUTPUT
from accord.cli.large_reference import is_large, write_large
from accord.cli.measure_options import given
from accord.cli.output import Gated, Step, answer, exit_failed, failed_gate
from accord.cli.progress import progress_bar
from accord.cli.reference_table import show_groups, show_reference
from accord.cli.texts import quoted, read_pairs
from accord.errors import InputError, UsageError
from accord.language import spoken
from accord.options import Said

if TYPE_CHECKING:
    from accord.gold import Reference
    from accord.gold.by_group import GroupReferences


@dataclass(frozen=True, slots=True, kw_only=True)
class OfMethods:
    """What single methods take, by the names that :func:`accord.gold` knows."""

    smoothing: Annotated[float | None, Said("dawid-skene, one-coin: prior counts (0: none).")] = (
        None
    )
    restarts: Annotated[int | None, Said("mace: restarts.")] = None
    rounds: Annotated[int | None, Said("Models: most rounds.")] = None
    tolerance: Annotated[float | None, Said("Models: when to stop.")] = None
    keep: Annotated[float | None, Said("consensus: keep what more than this share marked.")] = None
    mentions: Annotated[
        str | None,
        Said("chains: exact, or near (spans that share words are one mention)."),
    ] = None
    overlap: Annotated[float | None, Said("chains: how much near mentions share (Dice, .5).")] = (
        None
    )
    window: Annotated[int | None, Said("segments: near misses within this many positions.")] = None
    max_disorder: Annotated[float | None, Said("units: drop places above this disorder.")] = None
    position: Annotated[str | None, Said("units: median or medoid.")] = None
    alpha: Annotated[float | None, Said("units: weight of positions.")] = None
    beta: Annotated[float | None, Said("units: weight of categories.")] = None
    delta: Annotated[float | None, Said("units: cost of the empty unit.")] = None
    calibrate: Annotated[
        str,
        Said("Models: confidence by auto, known, bagged, held-out or model (raw)."),
    ] = "auto"
    centre: Annotated[
        float | None,
        Said("minimax-entropy: what annotators are drawn to (0: paper)."),
    ] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """What is written, where and how."""

    output: Annotated[
        Path | None, Said("Write the reference here.", typed="--output -o", first=True)
    ] = None
    to: Annotated[
        str | None,
        Said(
            "Format of OUTPUT, where its ending does not tell.",
            words=keywords.formats_written,
        ),
    ] = None
    soft: Annotated[bool, Said("Write p:<label> columns: the distribution.", first=True)] = False
    with_annotators: Annotated[bool, Said("Write everybody's annotations beside it.")] = False
    details: Annotated[bool, Said("Write source, strength, tie, dissent, who, when, why.")] = False
    annotator_details: Annotated[Path | None, Said("Write the quality of each annotator.")] = None
    together: Annotated[
        Path | None,
        Said("Write the data with the reference as one more annotator."),
    ] = None
    name: Annotated[str, Said("Name of the reference as annotator.")] = "reference"


@dataclass(frozen=True, slots=True, kw_only=True)
class Human:
    """What people decide, and what they are asked."""

    decisions: Annotated[
        Path | None,
        Said("Store of human decisions (.db); by default OUTPUT's with .decisions.db.", first=True),
    ] = None
    adjudicate: Annotated[
        Path | None,
        Said("Take in decisions: item,decision,who,when,why, or .jsonl.", first=True),
    ] = None
    new_labels: keywords.NewLabels = False
    who: keywords.Who = None
    worklist: Annotated[
        Path | None, Said("Write what needs a human, most useful first.", first=True)
    ] = None
    blind: Annotated[bool, Said("Worklist without votes and proposals.")] = False
    confidence: Annotated[float, Said("Worklist: what is less sure than this.")] = 0.75


@inputs.reads
def gold(
    data: keywords.Data,
    *,
    method: Annotated[
        str | None,
        Said(
            "Ratings: majority (by default), unanimity, weighted, dawid-skene, one-coin, glad, mace, "
            "ebcc, minimax-entropy, mean, median, bias-noise. Other shapes: consensus (by default); units "
            "without overlap: bsc, hmm-crowd, token-dawid-skene.",
            typed="--method -m",
            words="majority unanimity weighted dawid-skene one-coin glad mace ebcc minimax-entropy mean "
            "median bias-noise consensus bsc hmm-crowd token-dawid-skene",
            first=True,
        ),
    ] = None,
    ties: Annotated[
        str, Said("error, abstain, first or random.", words="error abstain first random")
    ] = "abstain",
    threshold: Annotated[
        float | None, Said("No value under this share or probability.", first=True)
    ] = None,
    known: Annotated[
        Path | None, Said("Table item,value of items known beforehand.", panel=METHODS)
    ] = None,
    group: Annotated[
        list[str] | None,
        Said("NAME=A,B,C: annotators with correlated errors. Repeatable.", panel=METHODS),
    ] = None,
    annotator_weights: Annotated[
        Path | None, Said("Table annotator,weight for a weighted vote.", panel=METHODS)
    ] = None,
    texts: keywords.Texts = None,
    human: Annotated[Human, DECISIONS],
    written: Annotated[Written, OUTPUT],
    ordinal: Annotated[bool, Said("", hidden=True)] = False,
    methods: Annotated[OfMethods, METHODS],
    blank_texts: keywords.BlankTexts = False,
    seed: keywords.Seed = 0,
    jobs: keywords.Jobs = 1,
    as_json: keywords.AsJson = False,
    fail_under: Annotated[
        float | None,
        Said("Exit with 1 when the share that needs no human is below this.", panel=OUTPUT),
    ] = None,
    how: inputs.How,
) -> None:
    """Build a reference from several annotators."""
    from accord.gold import gold as build
    from accord.gold.by_group import group_references
    from accord.gold.decisions import Ledger
    from accord.gold.tables import write_table
    from accord.gold.worklist import refuse_filled

    written, how, moved = _details_of_old(written, how)
    if ordinal:
        how = how.changed(ordered=True)
        moved.append("--ordinal is now called --ordered")
    found, told = quoted(how.read(*data), texts)
    options = given(asdict(methods)) | {"ties": ties, "threshold": threshold, "seed": seed}
    # what is about the single items of one reference
    single: dict[str, object] = {
        "--adjudicate": human.adjudicate,
        "--decisions": human.decisions,
        "--worklist": human.worklist,
        "--together": written.together,
        "--fail-under": fail_under,
    }
    if is_large(found):
        single |= {
            "--known": known,
            "--group": group,
            "--details": written.details or None,
            "--annotator-weights": annotator_weights,
            "--to": written.to,
        }
        _refuse(
            single,
            "needs the single items, and these are too many to fetch; choose documents or annotators "
            "first",
        )
        of_large = {k: options[k] for k in options if k in _OF_LARGE} | {"soft": written.soft}
        write_large(
            found,
            written.output,
            method or "majority",
            written.annotator_details,
            as_json,
            **of_large,
        )
        return
    store, notes = open_store(human.decisions, written.output, human.adjudicate is not None)
    if human.worklist is not None:
        refuse_filled(human.worklist, Ledger() if store is None else store.ledger)
    options |= {
        "known": read_pairs(known, ("item",), "value") if known else None,
        "groups": _groups(group),
        "weights": _weights(annotator_weights),
    }
    whole = found.reading.whole()
    if found.roles is not None and found.roles.groups:
        _refuse(
            single | {"--annotator-details": written.annotator_details},
            "is about one reference and --groups makes one for each group; choose the annotators of a "
            "group with --annotators",
        )
        of_groups = group_references(found, found.roles.groups, method, **options)
        notes += _write_groups(of_groups, written, overwrite=how.overwrite)
        answer(
            as_json,
            of_groups.to_dict(),
            whole,
            lambda: show_groups(of_groups, written.output),
            notes=[*found.notes, *notes],
            warnings=of_groups.warnings,
        )
        return

    def built(**more: Any) -> Reference:
        with progress_bar(method or "gold") as progress, with_workers(jobs):
            made: Reference = build(
                found,
                method,
                decisions=None if store is None else store.ledger,
                name=written.name,
                progress=progress,
                **options,
                **more,
            )
        return made

    reference = built()
    if human.adjudicate is not None and store is not None:
        added, said = take_in_file(
            store, human.adjudicate, reference, new_labels=human.new_labels, who=human.who
        )
        notes += [*said, f"{added} decisions were added to {store.path}"]
        aligned = reference.alignments
        reference = built(**({"alignments": aligned} if aligned else {}))
    with progress_bar("worklist"):
        todo = reference.worklist(confidence=human.confidence, blind=human.blind, texts=told)
    if store is not None:
        store.close()
    if human.worklist is not None:
        write_table(human.worklist, todo, ("item", "reason", "gain", "text"))
    notes += _write(reference, written, overwrite=how.overwrite, blank_texts=blank_texts)
    document = reference.to_dict(soft=written.soft)
    answer(
        as_json,
        document | {"worklist": todo},
        whole,
        lambda: show_reference(reference, todo, written.output, _next(data, how, written, todo)),
        notes=[*found.notes, *moved, *notes],
        warnings=reference.warnings,
    )
    n = document["n"]
    settled = 1 - len(todo) / n if isinstance(n, int) and n else None
    exit_failed(failed_gate([Gated(spoken("the share that needs no human"), settled)], fail_under))


def _next(
    data: Sequence[Path], how: inputs.How, written: Written, todo: Sequence[object]
) -> list[Step]:
    """What to do next with the reference, as commands on the same data."""
    read = reading(data, how)
    steps: list[Step] = []
    if todo:
        steps.append((f"accord serve {read} --decisions decisions.db", "decide in the browser"))
    if written.output is None:
        steps.append((f"accord gold {read} -o reference.csv", "write it"))
    steps.append((f"accord audit {read}", "what to trust"))
    return [(command + how.speaking, purpose) for command, purpose in steps[:2]]


#: what a reference of too many items to hold can be told
_OF_LARGE = ("ties", "threshold", "seed", "smoothing", "restarts", "rounds", "tolerance")


def _refuse(typed: Mapping[str, object], why: str) -> None:
    asked = next((option for option, value in typed.items() if value is not None), None)
    if asked is not None:
        raise UsageError(f"{asked} {why}")


def _details_of_old(written: Written, how: inputs.How) -> tuple[Written, inputs.How, list[str]]:
    """``--annotators FILE`` was the table of annotators before it chose them."""
    typed = how.options["annotators"]
    path = inputs.old_details(typed)
    if written.annotator_details is not None or path is None:
        return written, how, []
    said = f"--annotators {typed} is a file: it is now called --annotator-details"
    return replace(written, annotator_details=path), how.changed(annotators=None), [said]


def _lost(path: Path, what: Sequence[str]) -> list[str]:
    return [f"{path} cannot hold {lost}" for lost in what]


def _write(
    reference: Reference, asked: Written, *, overwrite: bool, blank_texts: bool
) -> list[str]:
    """Write the tables and the reference that were asked for: what their formats cannot hold."""
    from accord.formats import write
    from accord.gold.tables import write_table

    path = asked.output
    if asked.annotator_details is not None:
        write_table(asked.annotator_details, reference.annotators, ("annotator",))
    lost = []
    if asked.together is not None:
        lost = _lost(asked.together, write(reference.together(), asked.together))
    if path is None:
        return lost
    with progress_bar(f"writing {path.name}"):
        made = reference.write(
            path,
            format=asked.to,
            soft=asked.soft,
            details=asked.details,
            with_annotators=asked.with_annotators,
            overwrite=overwrite,
            blank_texts=blank_texts,
        )
    return [*lost, *(f"{path}: {what}" for what in made)]


def _write_groups(found: GroupReferences, asked: Written, *, overwrite: bool) -> list[str]:
    """Write the references of all groups as one campaign whose annotators are the groups."""
    from accord.formats import write
    from accord.gold.item_reference import ItemReference
    from accord.gold.tables import write_table

    path, to = asked.output, asked.to
    if path is None:
        return []
    plain = {n: r for n, r in found.references.items() if isinstance(r, ItemReference)}
    if len(plain) < len(found.references) or to is not None:
        return _lost(path, write(found.together(), path, format=to, overwrite=overwrite))
    columns = ("item", "annotator", "value", "confidence")
    rows = [
        {name: {**row, "annotator": group}[name] for name in columns}
        for group, reference in plain.items()
        for row in reference.rows()
    ]
    write_table(path, rows, columns)
    return []


def _weights(path: Path | None) -> dict[str, float] | None:
    if path is None:
        return None
    weights = {}
    for who, text in read_pairs(path, ("annotator",), "weight").items():
        try:
            weights[who] = float(text)
        except ValueError:
            raise InputError(
                f"the weight of {who!r} must be a number, got {text!r}", path=path
            ) from None
    return weights


def _groups(typed: Sequence[str] | None) -> dict[str, list[str]]:
    groups: dict[str, list[str]] = {}
    for text in typed or ():
        label, _, members = text.partition("=")
        if not members:
            raise UsageError(f"--group must be NAME=A,B,C, got {text!r}")
        groups[label.strip()] = list(inputs.names([members]))
    return groups
