"""`accord convert`: between formats, with the list of what is lost."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from accord.cli import inputs
from accord.cli.output import introduce, print_json, say
from accord.cli.texts import Texts, read_texts, with_texts
from accord.errors import some


@inputs.reads
def convert(
    source: Annotated[Path, typer.Argument(help="A file, a folder or a zip archive.")],
    target: Annotated[Path, typer.Argument(help="File or folder to write; its ending may tell.")],
    to: Annotated[
        str | None, typer.Option("--to", help="Format to write, where the ending does not tell.")
    ] = None,
    check: Annotated[
        bool, typer.Option("--check/--no-check", help="Read back and compare what was written.")
    ] = True,
    blank_texts: Annotated[
        bool, typer.Option("--blank-texts", help="Write blanks where a text is not known.")
    ] = False,
    texts: Texts = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
    *,
    how: inputs.How,
) -> None:
    """Convert annotations from one format to another and list what is lost on the way."""
    from accord.cli.progress import progress_bar
    from accord.reading.conversion import converted

    data = with_texts(how.read(source), read_texts(texts))
    with progress_bar(f"writing {target.name}"):
        files, lost = converted(
            data, target, format=to, check=check, overwrite=how.overwrite, blank_texts=blank_texts
        )
    if json:
        print_json(
            {
                "source": str(source),
                "written": str(target),
                "files": [str(file) for file in files],
                "shape": data.shape,
                "documents": len(data.documents),
                "annotators": len(data.annotators),
                "notes": list(data.notes),
                "lost": lost,
            },
            data.reading.whole(),
        )
        return
    introduce(data.reading.whole(), data.notes)
    say(lost, prefix="lost")
    say([f"{source} written to {target} as {data.shape}" + ("" if lost else ", nothing lost")])
    if files != (target,):
        from accord.data.brief import count

        say([f"{count(len(files), 'file')} written: {some([str(file) for file in files])}"])
