"""``accord gold``: what is the reference, and how sure is it?"""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeGuard

import typer

from accord.cli import inputs
from accord.cli.texts import Texts, read_texts, texts_of, with_known_texts

if TYPE_CHECKING:
    from rich.table import Table

    from accord.gold import Consensus, Reference, Store

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


@inputs.reads
def gold(
    data: Annotated[list[Path], typer.Argument(help="Files, or folders, of one campaign.")],
    method: Annotated[
        str | None,
        typer.Option(
            "--method",
            "-m",
            help="majority, unanimity, weighted, dawid-skene, one-coin, glad, mace, "
            "ebcc, minimax-entropy, mean, median, bias-noise; consensus for other shapes; "
            "units without overlap: bsc, hmm-crowd, token-dawid-skene.",
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
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
    *,
    how: inputs.How,
) -> None:
    """Build a reference from several annotators."""
    from accord.cli.output import print_json, say
    from accord.cli.progress import progress_bar
    from accord.formats import write
    from accord.gold import Consensus
    from accord.gold import gold as build
    from accord.gold.worklist import write_table

    annotator_details, how, moved = _details_of_old(annotator_details, how)
    found = with_known_texts(how.read(*data), read_texts(texts))
    store, notes = open_store(decisions, output, adjudicate is not None)
    if worklist is not None:
        from accord.gold.decisions import Ledger
        from accord.gold.worklist import refuse_filled

        refuse_filled(worklist, store.ledger if store is not None else Ledger())
    options: dict[str, Any] = {
        "ordinal": ordinal or None, "smoothing": smoothing, "restarts": restarts, "rounds": rounds,
        "tolerance": tolerance, "keep": keep, "centre": centre, "window": window,
        "mentions": mentions, "overlap": overlap,
        "max_disorder": max_disorder, "position": position, "alpha": alpha, "beta": beta, "delta": delta,
    }  # fmt: skip
    given = _pairs(known, "value") if known else None
    correlated, weights = _groups(group), _weights(annotator_weights)

    def built(*, again: Reference | Consensus | None = None) -> Reference | Consensus:
        reuse = {"alignments": again.alignments} if _aligned(again) else {}
        with progress_bar(method or "gold") as progress:
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
        print_json(report | {"worklist": todo})
        return
    say(notes)
    _show(reference, todo, written=output)
    say(reference.warnings, prefix="warning")


def _details_of_old(
    details: Path | None, how: inputs.How
) -> tuple[Path | None, inputs.How, list[str]]:
    """``--annotators FILE`` was the table of annotators before it chose them."""
    given = how.options["annotators"]
    if details is not None or given is None or Path(given).suffix.lower() not in (".csv", ".tsv"):
        return details, how, []
    said = f"--annotators {given} is a file: it is now called --annotator-details"
    return Path(given), how.changed(annotators=None), [said]


def open_store(
    decisions: Path | None, output: Path | None, wanted: bool
) -> tuple[Store | None, list[str]]:
    """The store that was named, else the one beside the output when it is there or wanted.

    Logs of earlier versions that lie beside the output are taken in once.
    """
    from accord.gold.decisions import Store
    from accord.gold.decisions.exchange import read_records, take_in

    beside = None if output is None else output.with_name(output.stem + ".decisions.db")
    old = None if output is None else output.with_name(output.stem + ".decisions.jsonl")
    path = decisions or beside
    if path is None:
        note = "the decisions are used and not kept; keep them with --decisions FILE.db"
        return (Store(":memory:"), [note]) if wanted else (None, [])
    if decisions is None and not wanted and not path.exists() and not (old and old.exists()):
        return None, []
    notes = [] if path.exists() or wanted else [f"{path} is new and holds no decisions"]
    store = Store(path)
    if old is not None and old.exists():
        found, _, problems = read_records(old, who="unknown")
        notes += problems
        added = take_in(store, found)
        if added:
            notes.append(f"{added} decisions of {old} were taken into {path}")
    return store, notes


def take_in_file(
    store: Store, path: Path, reference: Reference | Consensus, *, new_labels: bool, who: str | None
) -> list[str]:
    """Check a file's decisions against the data, then store what is new; says what it did."""
    import getpass

    from accord.gold.adjudication import adjudicate, check_of
    from accord.gold.decisions.exchange import read_records, take_in_remarks

    found, remarks, notes = read_records(path, who=who or getpass.getuser())
    added = adjudicate(store, found, check_of(reference, new_labels=new_labels), path=str(path))
    take_in_remarks(store, remarks)
    return [*notes, f"{added} decisions were added to {store.path}"]


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
    from accord.gold.worklist import write_table

    if to in _PLATFORMS:
        from accord.formats.conversion import convert

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
    write_table(path, rows, ("item", "value", "confidence"))
    return []


def _worklist(
    reference: Reference | Consensus, confidence: float, blind: bool, texts: Mapping[str, str]
) -> Sequence[Mapping[str, Any]]:
    from accord.gold import Consensus
    from accord.gold import worklist as listed

    if isinstance(reference, Consensus):
        return reference.worklist(confidence=confidence, blind=blind, texts=texts)
    return listed(reference, confidence=confidence, blind=blind, texts=texts)


def _show(
    reference: Reference | Consensus, todo: Sequence[Mapping[str, Any]], written: Path | None
) -> None:
    from rich.console import Console

    from accord.gold import Consensus
    from accord.report.tables import rows_table

    console = Console()
    size = len(reference.rows) if isinstance(reference, Consensus) else len(reference)
    console.print(f"[bold]Reference[/bold] · {reference.method}, {size} items")
    for sentence in _told(reference.terms):
        console.print(f"  {sentence}", highlight=False)
    if written is None:
        short = _brief(reference) if isinstance(reference, Consensus) else list(reference.rows())
        console.print(rows_table("reference", short))
    if reference.annotators:
        console.print(rows_table("annotators", list(reference.annotators)))
    if todo:
        console.print(_todo_table(todo))
    console.print(f"  {reference.signature}", style="dim", highlight=False)


#: what a term of a reference says; those that are nothing to speak of (0) are not said
_TOLD = {
    "weak_items": "{} items have a majority under half the votes",
    "ties": "{} items tie",
    "abstained": "{} items have no value",
    "unrated": "{} items were rated by nobody",
    "decided": "{} items were decided by people",
    "rejected": "{} items were rejected by people",
    "considered": "{} candidates were considered",
    "units": "{} units are in the reference",
    "boundaries": "{} boundaries are in the reference",
    "mentions": "{} mentions are in the reference",
    "entities": "{} entities are in the reference",
    "label_ties": "{} units have as many votes for one label as for another",
    "weak": "{} rest on a minority, or on a label without a majority",
    "confidence": "confidences are {}",
}
#: told in another way, or of no use on a terminal
_UNTOLD = {"weak_majority", "weak_share"}


def _told(terms: Mapping[str, Any]) -> list[str]:
    """The terms of a reference as sentences."""
    said = []
    for key, value in terms.items():
        if key in _UNTOLD or value in (0, 0.0, None):
            continue
        if isinstance(value, dict):
            inner = ", ".join(f"{k.replace('_', ' ')} {_figure(v)}" for k, v in value.items())
            said.append(f"{key.replace('_', ' ')}: {inner}")
        elif key in _TOLD:
            said.append(_TOLD[key].format(_figure(value)))
        else:
            said.append(f"{key.replace('_', ' ')}: {_figure(value)}")
    return said


def _figure(value: Any) -> str:
    return f"{value:.3g}" if isinstance(value, float) else str(value)


def _brief(reference: Consensus) -> list[dict[str, Any]]:
    """The elements in few columns; the whole rows are in --json."""
    kept = ("item", "label", "position", "entity", "kept", "confidence", "source")
    return [
        {k: r[k] for k in kept if k in r} | {"support": f"{r['support']} of {r['annotators']}"}
        for r in reference.rows
    ]


def _todo_table(todo: Sequence[Mapping[str, Any]], most: int = 20) -> Table:
    """What needs a human, few enough columns to be read on a terminal; the rest is in the file."""
    from rich.markup import escape
    from rich.table import Table

    from accord.report.name import Name, cut

    more = (
        f"{len(todo) - most:,} more; --worklist FILE writes them all" if len(todo) > most else None
    )
    table = Table(
        title=f"needs a human ({len(todo)})", title_justify="left", title_style="bold", box=None,
        pad_edge=False, header_style="dim", padding=(0, 2, 0, 0), caption=more, caption_justify="left",
    )  # fmt: skip
    table.add_column("item", max_width=24)
    table.add_column("gain", justify="right", no_wrap=True)
    table.add_column("proposed", max_width=16)
    table.add_column("why a human, and what to judge by", overflow="fold")
    for row in todo[:most]:
        proposed = row.get("proposed", row.get("label", row.get("position", row.get("entity", ""))))
        text = str(row.get("text") or row.get("votes") or row.get("dissent") or "")
        words = " ".join(cut(word, 24) for word in text.split())
        words = words if len(words) <= 120 else f"{words[:119]}…"
        told = row["reason"] + (f": {words}" if words else "")
        table.add_row(
            Name(str(row["item"])),
            f"{row['gain']:.2f}",
            Name("" if proposed is None else str(proposed)),
            escape(told),
        )
    return table


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
