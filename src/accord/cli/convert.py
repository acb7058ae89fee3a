"""`accord convert`: between formats, with the list of what is lost."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from accord.cli import inputs
from accord.cli.keywords import AsJson, BlankTexts, Texts, WriteAs
from accord.cli.output import answer, say
from accord.cli.progress import progress_bar
from accord.cli.texts import read_texts, with_texts
from accord.errors import some
from accord.options import Said


@inputs.reads
def convert(
    source: Annotated[Path, Said("A file, a folder or a zip archive.")],
    target: Annotated[Path, Said("File or folder to write; its ending may tell.")],
    *,
    to: WriteAs = None,
    check: Annotated[
        bool,
        Said("Read back and compare what was written.", typed="--check/--no-check", first=True),
    ] = True,
    blank_texts: BlankTexts = False,
    texts: Texts = None,
    as_json: AsJson = False,
    how: inputs.How,
) -> None:
    """Convert annotations from one format to another and list what is lost on the way."""
    from accord.data.brief import count
    from accord.reading.conversion import converted

    data = with_texts(how.read(source), read_texts(texts))
    with progress_bar(f"writing {target.name}"):
        files, lost = converted(
            data, target, format=to, check=check, overwrite=how.overwrite, blank_texts=blank_texts
        )

    def show() -> None:
        say(lost, prefix="lost")
        say([f"{source} written to {target} as {data.shape}" + ("" if lost else ", nothing lost")])
        if files != (target,):
            say([f"{count(len(files), 'file')} written: {some([str(file) for file in files])}"])

    document = {
        "source": str(source),
        "written": str(target),
        "files": [str(file) for file in files],
        "shape": data.shape,
        "documents": len(data.documents),
        "annotators": len(data.annotators),
        "notes": list(data.notes),
        "lost": lost,
    }
    answer(as_json, document, data.reading.whole(), show, notes=data.notes)
