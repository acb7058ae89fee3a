"""``accord discuss``: the meeting sheet, and one page per annotator."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from accord.cli import inputs
from accord.cli.texts import Texts, read_texts, texts_of, with_texts


@inputs.reads
def discuss(
    data: Annotated[list[Path], typer.Argument(help="Files, or folders, of one campaign.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="Folder to write the pages to.")],
    decisions: Annotated[
        Path | None, typer.Option(help="Store of human decisions (.db), for their reasons.")
    ] = None,
    texts: Texts = None,
    method: Annotated[
        str | None, typer.Option("--method", "-m", help="Who proposes: a method of accord gold.")
    ] = None,
    blind: Annotated[bool, typer.Option("--blind", help="Do not show who said what.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
    *,
    how: inputs.How,
) -> None:
    """Write pages to talk over: what annotators differ on, and where each of them does."""
    from accord.adjudication import Campaign
    from accord.cli.output import introduce, print_json
    from accord.cli.progress import progress_bar
    from accord.errors import InputError, UsageError
    from accord.formats.writing import file_names, write_text
    from accord.gold import Store
    from accord.report.discussion import annotator_page, meeting

    if output.exists() and not output.is_dir():
        raise UsageError(f"{output} is a file; name a folder")
    if decisions is not None and not decisions.exists():
        raise InputError("does not exist", path=decisions, hint="check the path")
    found = how.read(*data)
    told = {**texts_of(found), **read_texts(texts)}
    found = with_texts(found, told)
    with Store(decisions or ":memory:") as store, progress_bar("discuss") as progress:
        notes = store.notes
        campaign = Campaign(found, store, method=method, texts=told, blind=blind)
        pages = {"meeting.html": meeting(campaign, title=data[0].stem)}
        names = file_names(found.annotators, folders=False)
        for done, annotator in enumerate(found.annotators, 1):
            pages[f"annotator-{names[annotator]}.html"] = annotator_page(campaign, annotator)
            progress(done, len(found.annotators))
    for name, html in pages.items():
        write_text(output / name, html)
    written = [str(output / name) for name in pages]
    if as_json:
        print_json({"pages": written, "warnings": [*found.notes, *notes]}, found.reading.whole())
        return
    introduce(found.reading.whole(), [*found.notes, *notes])
    print("\n".join(written))  # noqa: T201
