"""``accord align``: the best alignment of the units of every document."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from accord.cli import inputs, measure_options
from accord.cli.align_chains import align_chains
from accord.cli.first_screens import reading
from accord.cli.jobs import start_workers
from accord.cli.keywords import AsJson, Data, Jobs, Output, Texts
from accord.cli.measure_options import given
from accord.cli.output import (
    Step,
    answer,
    blank,
    fitted,
    is_verbose,
    say,
    show_steps,
    table,
    tell,
)
from accord.cli.progress import progress_bar
from accord.cli.texts import read_texts, with_texts
from accord.errors import AccordError, InputError, UsageError
from accord.language import spoken
from accord.options import Said, filled
from accord.options.reading import READING_PANEL

if TYPE_CHECKING:
    from collections.abc import Sequence

    from accord.alignment.alignment import Alignable, Alignment
    from accord.data import Annotations, Boxes, Relations, Units


def _options() -> measure_options.Uses:
    """How far two units are apart, as γ's record says it."""
    from accord.measures.gamma.options import DISTANCE, TIME_LIMIT
    from accord.measures.relations.options import SYMMETRIC, UNDIRECTED

    found = {o.name: [("units", o)] for o in (*DISTANCE, TIME_LIMIT) if not o.python_only}
    return found | {o.name: [("relations", o)] for o in (UNDIRECTED, SYMMETRIC)}


@measure_options.takes(_options)
@inputs.reads
def align(
    data: Data,
    *,
    objective: Annotated[str, Said("gamma or holistic (2011).")] = "gamma",
    method: Annotated[str, Said("exact, greedy (Algorithm 1) or soft.")] = "exact",
    jobs: Jobs = 1,
    csv: Annotated[Path | None, Output("Write the alignment as a table.", first=True)] = None,
    svg: Annotated[Path | None, Output("Draw one document.")] = None,
    plot: Annotated[
        Path | None,
        Output("Draw one document as .png or .pdf (needs matplotlib).", first=True),
    ] = None,
    document: Annotated[
        str | None, Said("The document to draw; else the one of most disorder.", first=True)
    ] = None,
    time: Annotated[
        str | None, Said("Offsets are s or ms: an axis in minutes and seconds.")
    ] = None,
    html: Annotated[Path | None, Output("Draw all documents on one page.", first=True)] = None,
    media: Annotated[
        Path | None,
        Said(
            "The recording, or a folder of recordings (of boxes: images) named like the documents, to "
            "play or show in the page.",
            panel=READING_PANEL,
        ),
    ] = None,
    texts: Texts = None,
    propose: Annotated[
        Path | None, Said("Folder for a proposed category matrix and Δ, made from the data.")
    ] = None,
    as_json: AsJson = False,
    how: inputs.How,
    **options: Any,
) -> None:
    """Align the units of all annotators, document by document, with the least disorder.

    Boxes: the shapes of all annotators, image by image (--html: in the images, --media their folder).
    Chains: the entities of every two annotators, one to one, with what differs (--html: in the text).
    """
    from accord.alignment.align import align as aligned
    from accord.alignment.align import alignment_signature
    from accord.data import Boxes, Chains, Relations, Units
    from accord.measures.gamma.options import DISTANCE, TIME_LIMIT, weights_of
    from accord.measures.relations.options import DISTANCE as BETWEEN

    if media is not None and html is None:
        raise UsageError("--media is played in the page: name it with --html")
    start_workers(jobs, data)
    units = with_texts(_read(how, data), read_texts(texts))
    if isinstance(units, Chains):
        if svg is not None or plot is not None:
            raise UsageError("the entities of chains are drawn as a page: name it with --html")
        align_chains(units, html=html, csv=csv, as_json=as_json)
        return
    if not isinstance(units, Units | Boxes | Relations):
        raise UsageError(
            f"only units, relations, chains and boxes can be aligned, these data are {units.shape}"
        )
    if not isinstance(units, Units) and (svg or plot or propose):
        raise UsageError(f"{units.shape} are drawn as a page: name it with --html")
    known = {o.name: o for o in (*DISTANCE, *BETWEEN, TIME_LIMIT)}
    chosen = filled("align", tuple(known.values()), given(options))
    time_limit = chosen.pop("time_limit")
    chosen["feature_weights"] = weights_of(chosen["feature_weights"])
    distance = {**chosen, "objective": objective}
    with progress_bar("align") as progress:
        found = aligned(
            units, **distance, method=method, time_limit=time_limit, jobs=jobs, progress=progress
        )
    if csv is not None:
        from accord.report.alignment_table import write_alignment_csv

        write_alignment_csv(units, found, csv)
    extra: dict[str, Any] = {}
    if isinstance(units, Units):
        _draw(units, found, document, time, media, svg, plot, html)
        if propose is not None:
            extra = {"proposed": _proposals(units, distance["positional"], propose)}
    elif html is not None:
        _page(units, found, media, html)
    signature = alignment_signature(units, found, **distance)

    def show() -> None:
        _print(units, found, signature, _next(units, data, how, html))
        say(extra.get("proposed", {}).get("notes", ()))

    documents = [_document(units, a) for a in found]
    answer(
        as_json,
        {"documents": documents, "signature": signature, "warnings": [], **extra},
        units.reading,
        show,
        notes=units.notes,
    )


def _next(
    units: Annotations, data: Sequence[Path], how: inputs.How, html: Path | None
) -> list[Step]:
    """What to look at next, as commands on the same data."""
    read = reading(data, how)
    drawn = [] if html else [(f"accord align {read} --html alignment.html", "see every place")]
    steps = [*drawn, (f"accord agree {read}", "how good that is")]
    steps.append((f"accord gold {read} -o reference.csv", "a reference from them"))
    return [(command + how.speaking, purpose) for command, purpose in steps]


def _read(how: inputs.How, data: Sequence[Path]) -> Annotations:
    """Units where there are some; else relations, or shapes in images."""
    from accord.data import Boxes, Relations, Units

    if how.options.get("shape") is not None:
        return how.read(*data)
    try:
        units = how.read(*data, shape="units")
    except InputError:
        found = _other(how, data)
        if isinstance(found, (Boxes, Relations)):
            return found
        raise
    if isinstance(units, Units) and not len(units):
        found = _other(how, data)
        return found if isinstance(found, Boxes) else units
    return units


def _other(how: inputs.How, data: Sequence[Path]) -> Annotations | None:
    try:
        return how.read(*data)
    except AccordError:
        return None


def _draw(
    units: Units,
    found: Sequence[Alignment],
    document: str | None,
    time: str | None,
    media: Path | None,
    *files: Path | None,
) -> None:
    """Write the drawings asked for: one document as .svg, .png or .pdf, all of them as .html."""
    from accord.report import draw

    if not any(files) or not found:
        return
    chosen = [a for a in found if document in (None, a.document)]
    if not chosen:
        raise UsageError(f"there is no alignment of a document {document!r} to draw")
    for file in files:
        if file is not None:
            one = max(chosen, key=lambda a: a.disorder if len(a) else -1.0)
            draw(units, found if file.suffix == ".html" else one, time=time, media=media).save(file)


def _page(
    data: Boxes | Relations, found: Sequence[Alignment], media: Path | None, html: Path
) -> None:
    """Write the page that shows shapes in their images, or relations as arcs."""
    from accord.data import Boxes
    from accord.files.atomic import write_text

    if isinstance(data, Boxes):
        from accord.report.images import images_html

        write_text(html, images_html(data, found, media=media))
        return
    from accord.report.relations_page import relations_html

    write_text(html, relations_html(data))


def _document(data: Alignable, alignment: Alignment) -> dict[str, Any]:
    return {
        "document": alignment.document,
        "disorder": _known(alignment.disorder),
        "bound": _known(alignment.bound),
        "gap": alignment.gap,
        "greedy": alignment.greedy,
        "candidates": alignment.candidates,
        "unitary": [
            {
                "disorder": disorder,
                "units": {
                    name: None if row < 0 else _written(data, row)
                    for name, row in zip(alignment.annotators, members.tolist(), strict=True)
                },
            }
            for members, disorder in alignment
        ],
    }


def _written(data: Alignable, row: int) -> list[Any]:
    """One unit, shape or relation: where it is, and its label."""
    from accord.data import Boxes, Relations

    label = (*data.categories, None)[data.label[row]]
    if isinstance(data, Relations):
        ends = [data.end(data.source[row]), data.end(data.target[row])]
        return [*(e if isinstance(e, str) else [_number(v) for v in e] for e in ends), label]
    if isinstance(data, Boxes):
        if data.outlines is not None and (outline := data.outlines[row]) is not None:
            return [outline.tolist(), label]
        return [*(float(getattr(data, name)[row]) for name in ("x0", "y0", "x1", "y1")), label]
    return [_number(data.start[row]), _number(data.end[row]), label]


def _known(value: float) -> float | None:
    return None if value != value else value


def _number(value: float) -> int | float:
    """Whole offsets as whole numbers."""
    return int(value) if float(value).is_integer() else float(value)


def _proposals(units: Units, positional: str, folder: Path) -> dict[str, Any]:
    from accord.measures.gamma.proposals import propose_delta, propose_matrix, write_matrix

    folder.mkdir(parents=True, exist_ok=True)
    target = folder / "matrix.csv"
    write_matrix(target, units.categories, propose_matrix(units, positional=positional))
    delta = propose_delta(units, positional=positional)
    notes = [
        f"a category matrix made from the confusions was written to {target}; it was not used: "
        f"edit it, then give it with --matrix",
        delta.sentence,
    ]
    return {"matrix": str(target), "delta": delta.value, "notes": notes}


#: documents of a first screen
_SHOWN = 8


def _print(
    data: Alignable, found: Sequence[Alignment], signature: str, steps: Sequence[Step]
) -> None:
    """A line for each document, the one of most disorder first, and their sum."""
    from accord.data import Boxes, Relations
    from accord.report.places import WHERE, tally

    # (without units there is nothing to look at)
    ranked = sorted(found, key=lambda a: -a.disorder if len(a) else 1.0)
    whole = tally(data, found)
    tell(fitted(whole.sentence()))
    blank()
    elements = {Relations: "relations", Boxes: "shapes"}.get(type(data), "units")
    other = f"other {WHERE[data.shape]}"
    rows: list[dict[str, Any]] = []
    most = len(ranked) if is_verbose() else _SHOWN
    for a in ranked[:most]:
        own = tally(data, [a])
        row: dict[str, Any] = {
            "image" if isinstance(data, Boxes) else "document": a.document,
            elements: int((a.members >= 0).sum()),
            "identical": own.identical,
            other: own.moved,
            **({"other label": own.renamed} if own.labelled else {}),
            "alone": own.single,
            "disorder": a.disorder if len(a) else None,
        }
        if is_verbose():
            row["not proven"] = a.gap if len(a) else None
            greedy = None if a.greedy is None else a.greedy - a.disorder
            row["greedy method"] = greedy
        rows.append(row)
    table("", rows, most=most)
    tell(fitted(spoken(LEGEND)), style="dim")
    if len(ranked) > most:
        tell(spoken(f"… and {len(ranked) - most} more (all with --verbose, --json or --csv)"))
    open_ = sum(not a.proven for a in found)
    proof = "No better alignment exists (proven for every document)."
    if open_:
        proof = f"{open_} of {len(found)} documents may have a better alignment: --verbose shows how much."
    tell(fitted(spoken(proof)), style="dim")
    if is_verbose():
        tell(signature, style="dim")
    show_steps(steps)


#: what stands under the table
LEGEND = (
    "alone: marked by one person only; disorder: how far apart people are, 0 when all are identical"
)
