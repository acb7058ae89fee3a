"""Printing: one JSON document on stdout, or rich tables; everything else goes to stderr."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import asdict, replace
from shutil import get_terminal_size
from textwrap import fill
from typing import TYPE_CHECKING, Any, NamedTuple

from accord.errors import UsageError, in_command
from accord.language import headed, spoken

if TYPE_CHECKING:
    from accord.cli.keywords import Paper
    from accord.data.reading import Reading
    from accord.printed import Printable
    from accord.report.first_screen import FirstScreen
    from accord.result import Result
    from accord.study.ask import Answer

    #: what a command read: one campaign, or several that it compares; None where it reads no data
    Readings = Reading | Sequence[Reading] | None


#: no notes, warnings or progress: the answer alone
_quiet: ContextVar[bool] = ContextVar("quiet", default=False)


def be_quiet() -> None:
    """Say nothing beside the answer from now on; errors are still said."""
    _quiet.set(True)


#: everything that is known, where the first screen holds what matters most
_verbose: ContextVar[bool] = ContextVar("verbose", default=False)


def be_verbose() -> None:
    """Show everything from now on."""
    _verbose.set(True)


def is_verbose() -> bool:
    """Whether everything was asked for."""
    return _verbose.get()


def is_quiet() -> bool:
    """Whether only the answer was asked for."""
    return _quiet.get()


def print_json(document: Mapping[str, Any], reading: Readings) -> None:
    """Print exactly one JSON document on stdout, with what was read; None where nothing was."""
    from accord.data.reading import Reading
    from accord.result import to_plain

    if isinstance(reading, Reading):
        document = {**document, "reading": reading.to_dict()}
    elif reading is not None:
        document = {**document, "reading": [one.to_dict() for one in reading]}
    text = json.dumps(_spoken(to_plain(document)), ensure_ascii=False, allow_nan=False)
    # (no command for a terminal, and the same value)
    text = _COMMANDS.sub(lambda found: f"\\u{ord(found[0]):04x}", text) + "\n"
    raw = getattr(sys.stdout, "buffer", None)
    if raw is None:
        sys.stdout.write(text)
        return
    # UTF-8 whatever the locale; a byte of a file name that is no text as JSON escapes it
    sys.stdout.flush()
    raw.write(text.encode("utf-8", "backslashreplace"))


#: control characters that JSON leaves as they are
_COMMANDS = re.compile("[\x7f-\x9f]")

#: keys whose texts are sentences of accord, in which options may stand
_SENTENCES = {"warnings", "undefined", "why", "note", "notes", "statement", "advice", "sentence"}


def _spoken(value: Any, sentence: bool = False) -> Any:
    """The document with the options in its sentences as they are typed here."""
    if isinstance(value, str):
        return in_command(value) if sentence else value
    if isinstance(value, dict):
        return {k: _spoken(v, k in _SENTENCES) for k, v in value.items()}
    if isinstance(value, list):
        return [_spoken(v, sentence) for v in value]
    return value


def introduce(reading: Readings, notes: Iterable[str] = ()) -> None:
    """Say what was read, above the answer on stdout; notes go to stderr."""
    from accord.data.header import header
    from accord.data.reading import Reading

    say(notes)
    if reading is None or is_quiet():
        return
    readings = [reading] if isinstance(reading, Reading) else reading
    lines = header(*readings, width=get_terminal_size((80, 24)).columns, spelt=in_command)
    print("\n".join(lines), end="\n\n", flush=True)  # noqa: T201


def say(sentences: Iterable[str], *, prefix: str = "note", about: str = "") -> None:
    """Tell the person something, on stderr, without repeating it; `about` names what it is about."""
    if is_quiet() and prefix in ("note", "warning"):
        return
    for sentence in dict.fromkeys(sentences):
        told = in_command(spoken(sentence))
        told = headed(spoken(prefix), headed(about, told) if about else told)
        told = f"accord: {told}"
        print(fitted(told) if sys.stderr.isatty() else told, file=sys.stderr)  # noqa: T201


def fitted(sentence: str, indent: int = 0) -> str:
    """Lines of the width of the terminal that end with words; all but the first stand in."""
    width = get_terminal_size((80, 24)).columns
    told = fill(
        sentence.replace("  ", "\0\0"),
        width,
        subsequent_indent=" " * indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return told.replace("\0", " ")


def tell(*sentences: str, style: str = "") -> None:
    """Print sentences on stdout, wrapped to the terminal."""
    from rich.console import Console

    for sentence in sentences:
        Console().print(sentence, style=style, highlight=False, markup=False)


def indented(sentence: str, style: str = "") -> None:
    """Print a sentence that stands two cells in, on all of its lines."""
    from rich.console import Console
    from rich.padding import Padding
    from rich.text import Text

    Console().print(Padding(Text(sentence, style=style), (0, 0, 0, 2), expand=False))


def headline(title: str, rest: str = "") -> None:
    """Print a title, and what is said beside it."""
    from rich.console import Console
    from rich.markup import escape

    Console().print(f"[bold]{escape(title)}[/bold]{escape(rest)}")


def copied(command: str) -> None:
    """Print a command: it is copied, so that no line may break it."""
    from rich.console import Console

    Console().print(command, markup=False, highlight=False, soft_wrap=True)


def table(title: str, rows: Sequence[Mapping[str, Any]], most: int | None = None) -> None:
    """Print rows as a table; of more than `most` the first."""
    from rich.console import Console

    from accord.report.tables import rows_table

    Console().print(rows_table(title, rows, **({} if most is None else {"most": most})))


def compared(title: str, rows: Sequence[Mapping[str, Any]], **how: str) -> None:
    """Print comparisons, each with its test."""
    from rich.console import Console

    from accord.report.tables import comparisons_table

    Console().print(comparisons_table(title, rows, **how))


def blank() -> None:
    """Print an empty line."""
    tell("")


def answer(
    as_json: bool,
    document: Mapping[str, Any],
    reading: Readings,
    show: Callable[[], None],
    *,
    notes: Sequence[str] = (),
    warnings: Sequence[str] = (),
    paper: tuple[Paper, Printable] | None = None,
) -> None:
    """Print what a command found: one JSON document, or what was read, what `show` prints, warnings.

    The document has the notes and warnings among its own, where it has any. With `paper` its table is
    written, and printed instead, where that was asked for.
    """
    if paper is not None and paper[0].shows(paper[1], as_json=as_json):
        say(notes)
        say([w for w in warnings if w not in notes], prefix="warning")
        return
    if as_json:
        if "warnings" in document:
            document = {**document, "warnings": [*notes, *document["warnings"]]}
        print_json(document, reading)
        return
    introduce(reading, notes)
    show()
    say([w for w in warnings if w not in notes], prefix="warning")


class Gated(NamedTuple):
    """What a threshold is held against: its name, its value, and the low end of its interval."""

    name: str
    value: float | None
    low: float | None = None

    @classmethod
    def of(cls, result: Result) -> Gated:
        """Return the same of a result."""
        low = None if result.interval is None else result.interval.low
        return cls(result.measure, result.value, low)


def failed_gate(
    gated: Sequence[Gated], least: float | None, *, on: str = "value", shown: str = ""
) -> list[str]:
    """Return why a threshold is not met: a value (or low limit) below it; `shown` is how it was typed."""
    if on not in ("value", "low"):
        raise UsageError(f"--fail-on must be value or low, got {on!r}")
    if least is None:
        return []
    shown = shown or f"--fail-under {least:g}"
    failed = []
    for name, value, low in gated:
        if on == "value":
            if value is None or not value >= least:
                failed.append(f"{name} is below {shown}")
        elif low is None:
            failed.append(f"{name} has no interval whose low end could meet {least:g}")
        elif not low >= least:
            failed.append(f"the low end of {name}, {low:.3f}, is below {shown}")
    return failed


def failed_under(
    results: Sequence[Result], threshold: float | None, *, on: str = "value"
) -> list[str]:
    """Why the results do not meet the threshold that was given: a value (or low limit) below it."""
    if on == "low" and threshold is None:
        raise UsageError("--fail-on says what --fail-under looks at; give --fail-under too")
    return failed_gate([Gated.of(r) for r in results], threshold, on=on)


def exit_under(results: Sequence[Result], threshold: float | None, *, on: str) -> None:
    """Leave with 1 where a result does not meet the threshold, and say which."""
    exit_failed(failed_under(results, threshold, on=on))


def exit_failed(failed: Sequence[str]) -> None:
    """Leave with 1 where something failed, and say what."""
    import typer

    if failed:
        say(failed, prefix="failed")
        raise typer.Exit(1)


def print_results(
    as_json: bool,
    shape: str,
    answered: Answer,
    reading: Readings,
    *,
    notes: Sequence[str] = (),
    extra: Mapping[str, Any] | None = None,
    remarks: Sequence[str] = (),
    first: Callable[[], FirstScreen] | None = None,
    steps: Sequence[Step] = (),
    asked: Sequence[str] = (),
    paper: Paper | None = None,
) -> None:
    """Print an answer: one JSON document, or what was read and the answer, with notes on stderr.

    It is shown as its `first` screen where there is one, else a table; `steps` are what to type next,
    `asked` the breakdowns that stand below it.
    How it was measured, every figure and `remarks` are for who asks for everything.
    """
    from rich.console import Console

    from accord.report.tables import breakdown_tables, captions, extra_tables, results_table
    from accord.result import Results

    results, choice = answered.results, answered.choice
    if paper is not None and paper.shows(Results(results), as_json=as_json):
        say(notes)
        for sentence, measures in _warnings(results, set(notes)):
            say([sentence], prefix="warning", about=measures)
        return
    if as_json:
        document: dict[str, Any] = {"shape": shape, "results": [r.to_dict() for r in results]}
        if choice is not None:
            document["choice"] = asdict(choice)
        warned = {"warnings": [*notes, *answered.left_out]}
        print_json(document | warned | dict(extra or {}), reading)
        return
    if choice is not None:
        why = f"{choice.measure} was chosen because of the data: {in_command(choice.why)}"
        remarks = [why, *remarks]
    introduce(reading, notes)
    console = Console(soft_wrap=False)
    if first is not None:
        show_first(first(), results[0])
    if first is None or is_verbose():
        if first is not None:
            blank()
        console.print(results_table(results))
        console.print()
        for line in captions(results):
            console.print(line, style="dim", highlight=False, markup=False)
    if is_verbose():
        for sentence in remarks:
            indented(spoken(sentence))
    shown: Sequence[Result] = results
    if first is not None and not is_verbose():
        # (some results come with breakdowns that nobody asked for)
        shown = [
            replace(r, by={n: rows for n, rows in r.by.items() if n in asked}) for r in results
        ]
    for table in breakdown_tables(shown):
        console.print()
        console.print(table)
    for table in extra_tables(extra or {}):
        console.print(table)
    show_steps(steps)
    # why a measure was chosen stands among the remarks already
    above = remarks if is_verbose() else ()
    said = {w for r in results for w in r.warnings if any(in_command(w) in s for s in above)}
    for sentence, measures in _warnings(results, said | set(notes)):
        say([sentence], prefix="warning", about=measures)


#: a command that runs on the data that were read, and what it is for
Step = tuple[str, str]


def show_first(screen: FirstScreen, result: Result) -> None:
    """Print the value on its line, what it means, and who and what stands out."""
    from rich.console import Console
    from rich.text import Text

    from accord.report.cell import bar

    console = Console(highlight=False, markup=False)
    line = Text(screen.value, style="bold")
    axis = Text("   ").append_text(bar(result, _AXIS)) if result.undefined is None else Text()
    if line.cell_len + axis.cell_len > console.width:
        line, axis = Text(fitted(screen.value), style="bold"), Text()
    console.print(line + axis)
    for sentence in screen.meaning:
        console.print(fitted(sentence))
    if screen.facts:
        blank()
    widest = max((len(head) for head, _ in screen.facts), default=0)
    for head, text in screen.facts:
        console.print(fitted(f"{head.ljust(widest)}  {text}", indent=widest + 2))


def show_steps(steps: Sequence[Step]) -> None:
    """Print what to type next, each command on a line of its own that can be copied."""
    if not steps or is_quiet():
        return
    room = get_terminal_size((80, 24)).columns
    blank()
    tell(headed(spoken("next"), "").rstrip(), style="dim")
    for command, purpose in steps:
        line = f"  {command}  # {spoken(purpose)}"
        copied(line if len(line) <= room else f"  {command}")


#: steps of the axis from 0 to 1 beside a value
_AXIS = 14


def _warnings(results: Sequence[Result], noted: set[str]) -> list[tuple[str, str]]:
    """Each warning once, with the measures it is about; with none when it is about all."""
    about: dict[str, dict[str, None]] = {}
    for result in results:
        for sentence in result.warnings:
            if sentence not in noted:
                about.setdefault(sentence, {})[result.measure] = None
    everything = {r.measure for r in results}
    return [
        (sentence, "" if 1 < len(everything) == len(measures) else ", ".join(measures))
        for sentence, measures in about.items()
    ]
