"""``accord discuss``: the meeting sheet, and one page per annotator."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from accord.cli import inputs
from accord.cli.keywords import AsJson, Blind, Data, Method, Output, Texts
from accord.cli.output import answer
from accord.cli.progress import progress_bar
from accord.cli.texts import quoted
from accord.errors import InputError, UsageError
from accord.options import Said


@inputs.reads
def discuss(
    data: Data,
    *,
    output: Annotated[
        Path, Output("Folder to write the pages to.", typed="--output -o", first=True)
    ],
    decisions: Annotated[
        Path | None, Said("Store of human decisions (.db), for their reasons.", first=True)
    ] = None,
    texts: Texts = None,
    method: Method = None,
    blind: Blind = False,
    as_json: AsJson = False,
    how: inputs.How,
) -> None:
    """Write handouts for a meeting: what annotators differ on, and where each of them does."""
    from accord.adjudication import Campaign
    from accord.formats.writing import file_names, write_text
    from accord.gold import Store
    from accord.report.discussion import annotator_page, meeting

    if output.exists() and not output.is_dir():
        raise UsageError(f"{output} is a file; name a folder")
    if decisions is not None and not decisions.exists():
        raise InputError("does not exist", path=decisions, hint="check the path")
    found, told = quoted(how.read(*data), texts)
    with Store(decisions or ":memory:") as store, progress_bar("discuss") as progress:
        notes = [*found.notes, *store.notes]
        campaign = Campaign(found, store, method=method, texts=told, blind=blind)
        pages = {"meeting.html": meeting(campaign, title=data[0].stem)}
        names = file_names(found.annotators, folders=False)
        for done, annotator in enumerate(found.annotators, 1):
            pages[f"annotator-{names[annotator]}.html"] = annotator_page(campaign, annotator)
            progress(done, len(found.annotators))
    for name, html in pages.items():
        write_text(output / name, html)
    written = [str(output / name) for name in pages]
    answer(
        as_json,
        {"pages": written, "warnings": []},
        found.reading.whole(),
        lambda: print("\n".join(written)),  # noqa: T201
        notes=notes,
    )
