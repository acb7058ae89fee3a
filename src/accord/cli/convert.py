"""``accord convert``: from one format to another, saying what is lost."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from accord.cli import reading


def convert(
    source: Annotated[Path, typer.Argument(help="What to read.")],
    target: Annotated[Path, typer.Argument(help="What to write; its ending names the format.")],
    to: Annotated[str | None, typer.Option("--to", help="Format to write.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
    format: reading.Format = None,  # noqa: A002
    shape: reading.Shape = None,
    column: reading.Columns = None,
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
    layer: reading.Layer = None,
    feature: reading.Feature = None,
) -> None:
    """Convert annotations between formats."""
    from accord.cli.output import print_json, say
    from accord.formats import write

    options = reading.read_options(
        shape=shape,
        columns=column,
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
        layer=layer,
        feature=feature,
    )
    data = reading.read_all([source], format=format, options=options)
    lost = write(data, target, format=to)
    if as_json:
        print_json({"shape": data.shape, "written": str(target), "lost": lost, "notes": data.notes})
    else:
        say(data.notes)
        say(lost, prefix="lost")
