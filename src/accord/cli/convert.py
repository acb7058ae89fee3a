"""`accord convert`: between formats, with the list of what is lost."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from accord.cli import reading
from accord.cli.output import print_json, say


def convert(
    source: Annotated[Path, typer.Argument(help="A file, a folder or a zip archive.")],
    target: Annotated[Path, typer.Argument(help="File or folder to write; its ending may tell.")],
    to: Annotated[
        str | None, typer.Option("--to", help="Format to write, where the ending does not tell.")
    ] = None,
    check: Annotated[
        bool, typer.Option("--check/--no-check", help="Read back and compare what was written.")
    ] = True,
    format: reading.Format = None,  # noqa: A002
    shape: reading.Shape = None,
    columns: reading.Columns = None,
    wide: reading.Wide = False,
    categories: reading.Categories = None,
    missing_values: reading.MissingValues = None,
    values: reading.Values = None,
    separator: reading.Separator = None,
    duplicates: reading.Duplicates = "error",
    documents: reading.Documents = None,
    coverage: reading.Coverage = None,
    length: reading.Length = None,
    annotator: reading.Annotator = None,
    annotator_from: reading.AnnotatorFrom = None,
    layer: reading.Layer = None,
    feature: reading.Feature = None,
    offsets: reading.Offsets = None,
    discontinuous: reading.Discontinuous = "hull",
    points: reading.Points = False,
    predictions: reading.Predictions = False,
    curation: reading.Curation = "leave-out",
    json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Convert annotations from one format to another and list what is lost on the way."""
    from accord.formats import read
    from accord.formats.conversion import convert as write

    options = reading.read_options(
        shape=shape,
        columns=columns,
        wide=wide,
        categories=categories,
        missing_values=missing_values,
        values=values,
        separator=separator,
        duplicates=duplicates,
        documents=documents,
        coverage=coverage,
        length=length,
        annotator=annotator,
        annotator_from=annotator_from,
        layer=layer,
        feature=feature,
        offsets=offsets,
        discontinuous=discontinuous,
        points=points,
        predictions=predictions,
        curation=curation,
    )
    data = read(source, format=format, **options)
    lost = write(data, target, format=to, check=check)
    if json:
        print_json(
            {
                "source": str(source),
                "written": str(target),
                "shape": data.shape,
                "documents": len(data.documents),
                "annotators": len(data.annotators),
                "notes": list(data.notes),
                "lost": lost,
            }
        )
        return
    say(data.notes)
    say(lost, prefix="lost")
    say([f"{source} written to {target} as {data.shape}" + ("" if lost else ", nothing lost")])
