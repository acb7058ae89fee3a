"""``accord report``: one self-contained page on a campaign."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from accord.cli import inputs
from accord.cli.agree import Metric
from accord.cli.jobs import Jobs, start_workers, with_workers
from accord.cli.texts import Texts
from accord.language import figures, spoken


@inputs.reads
def report(
    data: Annotated[list[Path], typer.Argument(help="Files, or folders, of one campaign.")],
    output: Annotated[Path, typer.Option("-o", "--output", help="The page to write.")] = Path(
        "report.html"
    ),
    measure: Annotated[
        list[str] | None,
        typer.Option("--measure", "-m", help="Measures; the first is broken down. Repeatable."),
    ] = None,
    reference: Annotated[
        Path | None, typer.Option("--reference", help="Reference to score systems against.")
    ] = None,
    system: Annotated[
        list[Path] | None, typer.Option("--system", help="Output of a system. Repeatable.")
    ] = None,
    texts: Texts = None,
    media: Annotated[
        Path | None, typer.Option("--media", help="Folder of the images of boxes, to show them.")
    ] = None,
    tables: Annotated[
        Path | None, typer.Option("--tables", help="Folder for every table in full, as CSV.")
    ] = None,
    latex: Annotated[
        Path | None, typer.Option("--latex", help="Write tables and the sentence for a paper here.")
    ] = None,
    title: Annotated[str | None, typer.Option("--title", help="Heading of the page.")] = None,
    metric: Metric = None,
    level: Annotated[float, typer.Option("--level", help="Level of the intervals.")] = 0.95,
    resamples: Annotated[
        int, typer.Option("--resamples", help="Resamples of the intervals.")
    ] = 2000,
    seed: Annotated[int, typer.Option("--seed", help="Seed of everything random.")] = 0,
    jobs: Jobs = 1,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
    *,
    how: inputs.How,
) -> None:
    """Write a page that shows the agreement, where it fails, and how far to trust it."""
    from accord.cli.measure_choice import names
    from accord.cli.output import introduce, print_json, tell
    from accord.cli.progress import progress_bar
    from accord.cli.texts import read_texts, texts_of, with_texts
    from accord.errors import UsageError
    from accord.report.page import report as made

    if bool(reference) != bool(system):
        raise UsageError("--reference and --system go together: name both, or neither")
    start_workers(jobs, data)
    found = how.read(*data, partly=True)
    quoted = {**texts_of(found), **read_texts(texts)}
    found = with_texts(found, quoted)
    standard = None
    if reference is not None:
        standard = how.read_other(reference, shape=found.shape, wide=False)
    answers = {p.stem: how.read_other(p, shape=found.shape, wide=False) for p in system or ()}
    how.refuse_unknown_labels(found, standard, *answers.values())
    with progress_bar("report"), with_workers(jobs):
        page = made(
            found,
            names(measure),
            title=title or _title(data),
            reference=standard,
            systems=answers,
            texts=quoted,
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
    if as_json:
        print_json(
            {
                "report": str(output),
                "bytes": output.stat().st_size,
                "tables": [str(p) for p in written],
                "latex": None if latex is None else str(latex),
                "shape": found.shape,
                "results": [r.to_dict() for r in page.results],
                "warnings": list(found.notes),
            },
            page.reading,
        )
        return
    introduce(page.reading, found.notes)
    for result in page.results:
        of = f"{result.terms['category']}: " if "category" in result.terms else ""
        value = str(result)
        alone = result.interval is None and result.undefined is None
        tell(of + (figures(value) if alone else spoken(value)))
    typer.echo(f"{output} ({spoken(f'{output.stat().st_size / 1e6:.1f} MB')})")
    if written:
        typer.echo(spoken(f"{len(written)} tables in {tables}"))


def _title(data: list[Path]) -> str:
    from accord.report.page import TITLE

    return data[0].stem.replace("_", " ") if len(data) == 1 else TITLE
