"""``accord report``: one self-contained page on a campaign."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from accord.cli import inputs, keywords
from accord.cli.jobs import start_workers, with_workers
from accord.cli.keywords import OfMeasure, Output, Random
from accord.cli.output import answer, tell
from accord.cli.progress import progress_bar
from accord.cli.texts import quoted
from accord.errors import UsageError
from accord.language import figures, spoken
from accord.options import LEVEL, RESAMPLES, Said
from accord.options.reading import READING_PANEL


@inputs.reads
def report(
    data: keywords.Data,
    *,
    output: Annotated[Path, Output("The page to write.", typed="-o --output", first=True)] = Path(
        "report.html"
    ),
    measure: Annotated[
        list[str] | None,
        OfMeasure("Measures; the first is broken down. Repeatable.", first=True),
    ] = None,
    reference: Annotated[
        Path | None, Said("Reference to score systems against.", first=True)
    ] = None,
    system: Annotated[
        list[Path] | None, Said("Output of a system. Repeatable.", first=True)
    ] = None,
    texts: keywords.Texts = None,
    media: Annotated[
        Path | None,
        Said("Folder of the images of boxes, to show them.", panel=READING_PANEL),
    ] = None,
    tables: Annotated[Path | None, Output("Folder for every table in full, as CSV.")] = None,
    latex: Annotated[Path | None, Output("Write tables and the sentence for a paper here.")] = None,
    title: Annotated[str | None, Output("Heading of the page.", first=True)] = None,
    metric: keywords.Metric = None,
    level: keywords.Levels = LEVEL,
    resamples: Annotated[int, Random("Resamples of the intervals.")] = RESAMPLES,
    seed: keywords.Seed = 0,
    jobs: keywords.Jobs = 1,
    as_json: keywords.AsJson = False,
    how: inputs.How,
) -> None:
    """Write a page that shows the agreement, where it fails, and how far to trust it."""
    from accord.report.page import TITLE
    from accord.report.page import report as made

    if bool(reference) != bool(system):
        raise UsageError("--reference and --system go together: name both, or neither")
    start_workers(jobs, data)
    found, told = quoted(how.read(*data, partly=True), texts)
    standard = None
    if reference is not None:
        standard = how.read_other(reference, shape=found.shape, wide=False)
    answers = {p.stem: how.read_other(p, shape=found.shape, wide=False) for p in system or ()}
    how.refuse_unknown_labels(found, standard, *answers.values())
    with progress_bar("report"), with_workers(jobs):
        page = made(
            found,
            inputs.names(measure),
            title=title or (TITLE if data[1:] else data[0].stem.replace("_", " ")),
            reference=standard,
            systems=answers,
            texts=told,
            media=media,
            level=level,
            resamples=resamples,
            seed=seed,
            lang=how.lang,
            **({} if metric is None else {"metric": metric}),
        )
    try:
        page.save(output)
        written = page.save_tables(tables) if tables is not None else []
        if latex is not None:
            page.save_latex(latex)
    except OSError as problem:
        raise UsageError(f"cannot write {problem.filename}: {problem.strerror}") from None
    document = {
        "report": str(output),
        "bytes": output.stat().st_size,
        "tables": [str(p) for p in written],
        "latex": None if latex is None else str(latex),
        "shape": found.shape,
        "results": [r.to_dict() for r in page.results],
        "warnings": [],
    }

    def show() -> None:
        for result in page.results:
            of = f"{result.terms['category']}: " if "category" in result.terms else ""
            value = str(result)
            alone = result.interval is None and result.undefined is None
            tell(of + (figures(value) if alone else spoken(value)))
        typer.echo(f"{output} ({spoken(f'{output.stat().st_size / 1e6:.1f} MB')})")
        if written:
            typer.echo(spoken(f"{len(written)} tables in {tables}"))

    answer(as_json, document, page.reading, show, notes=found.notes)
