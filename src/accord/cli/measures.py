"""``accord measures``: what exists, for which data and question, by which formula."""

from __future__ import annotations

import inspect
from collections import Counter
from collections.abc import Sequence
from textwrap import indent
from typing import TYPE_CHECKING, Annotated, Any

from accord.cli import inputs
from accord.cli.description import described
from accord.cli.keywords import AsJson
from accord.cli.output import blank, indented, print_json, table, tell
from accord.cli.parameters import in_words
from accord.errors import UsageError
from accord.language import headed, speaks, spoken
from accord.options import Said
from accord.options.reading import READING_PANEL

if TYPE_CHECKING:
    from accord.options import Option
    from accord.registry import Measure

#: before what stands as it is
_INDENT = "    "


@inputs.told
def measures(
    name: Annotated[str | None, Said("A measure, for its whole description.")] = None,
    *,
    shape: Annotated[
        str | None,
        Said("ratings, units, segments, chains, relations or boxes.", panel=READING_PANEL),
    ] = None,
    question: Annotated[str | None, Said("agree or score.", words="agree score")] = None,
    every: Annotated[bool, Said("Every measure, with when to use it.", typed="--all")] = False,
    as_json: AsJson = False,
) -> None:
    """List the measures, or describe one."""
    import accord.evaluation  # noqa: F401 enrols what lives beside the measures
    from accord.data.protocol import SHAPES
    from accord.measures import enrolled
    from accord.registry import find_each

    for option, value, allowed in (
        ("--shape", shape, SHAPES),
        ("--question", question, ("agree", "score")),
    ):
        if value is not None and value not in allowed:
            raise UsageError(f"{option} must be one of {', '.join(allowed)}, got {value!r}")
    records = (
        [m for m in find_each(name) if question in (None, m.question)]
        if name
        else enrolled(shape=shape, question=question)  # type: ignore[arg-type]
    )
    if as_json:
        print_json({"measures": [_document(m, whole=bool(name)) for m in records]}, None)
        return
    if name:
        for record in records:
            _describe(record)
        return
    for kind in SHAPES:
        for asked in ("agree", "score"):
            if own := [m for m in records if m.shape == kind and m.question == asked]:
                table(
                    f"{kind}: accord {asked}",
                    [_row(m, when=every) for m in own if every or m.usual],
                )
                if more := families([m.name for m in own if not (every or m.usual)]):
                    indented(headed(spoken("also"), more))
                blank()
    if not every:
        tell(
            spoken("accord measures NAME describes one, --all lists every one with when to use it.")
        )


def _row(m: Measure, *, when: bool) -> dict[str, str]:
    row = {"name": m.name, "what it is": spoken(m.title)}
    return row | {"when": spoken(m.use)} if when else row


def families(names: Sequence[str]) -> str:
    """Return the names in one line: three or more that begin alike are one.

    >>> families(["s", "icc-1", "icc-1k", "icc-ck", "sigma"])
    's, icc-* (3), sigma'
    """
    shared = Counter(name.partition("-")[0] for name in names if "-" in name)
    shown = {
        f"{first}-* ({shared[first]})" if "-" in name and shared[first] > 2 else name: None
        for name in names
        for first in [name.partition("-")[0]]
    }
    return ", ".join(shown)


def _document(m: Measure, *, whole: bool) -> dict[str, Any]:
    return {
        "name": m.name,
        "title": m.title,
        "aliases": list(m.aliases),
        "shape": m.shape,
        "question": m.question,
        "range": list(m.range),
        "chance": m.chance,
        "options": [o.name for o in m.options],
        **({"option_details": [_details(o) for o in m.options]} if whole else {}),
        "use": m.use,
        "citation": m.citation,
        **({"description": inspect.getdoc(m.function)} if whole else {}),
    }


def _describe(record: Measure) -> None:
    from rich.console import Console
    from rich.padding import Padding
    from rich.table import Table
    from rich.text import Text

    console = Console()
    console.print(f"[bold]{record.name}[/bold]  {spoken(record.title)}")
    if record.aliases:
        console.print(f"[dim]{spoken('also called')}[/dim] {', '.join(record.aliases)}")
    given = "DATA" if record.question == "agree" else "REFERENCE SYSTEM"
    command = f"accord {record.question} {given} --measure {record.name}"
    console.print(f"[dim]{spoken('for')}[/dim] {spoken(record.shape)} · {command}", highlight=False)
    console.print(f"[dim]{spoken('use')}[/dim] {spoken(record.use)}", highlight=False)
    console.print(f"[dim]{spoken('source')}[/dim] {record.citation}", highlight=False)
    typed = [known for known in record.options if not known.python_only]
    if typed:
        options = Table.grid(padding=(0, 2))
        options.add_column(style="bold", no_wrap=True)
        for known in typed:
            options.add_row(known.flag, Text(in_words(known)))
        console.print(Padding(options, (0, 0, 0, 2), expand=False))
    console.print()
    if speaks() != "en":
        tell(spoken("The description that follows is in English."), style="dim")
    for text, as_it_stands in described(inspect.getdoc(record.function) or ""):
        # (what may be copied is not broken into lines)
        console.print(Text(indent(text, _INDENT) if as_it_stands else text), soft_wrap=as_it_stands)
        console.print()


def _details(option: Option) -> dict[str, object]:
    return {
        "name": option.name,
        "type": option.annotation,
        "help": option.help,
        "default": option.default,
        "choices": list(option.choices),
        "command_line": None if option.python_only else option.flag,
    }
