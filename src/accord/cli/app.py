"""The typer application, and how errors become one sentence and exit code 2."""

from __future__ import annotations

import os
import shlex
import sys
import warnings
from collections.abc import Sequence
from importlib import import_module
from typing import Any

import typer

from accord.cli.help import CONTEXT, START, Grouped, explain_group
from accord.cli.measure_options import command_class
from accord.cli.terminal import Terminal
from accord.errors import AccordError, RefusedError, SlowWarning, UsageError, in_command

#: panel of `accord --help` → its commands: one module of this package each, with a function of that name
THEMES = {
    "Do the annotators agree?": ("agree", "align", "distribute", "discuss", "limits", "report"),
    "What is the reference?": ("gold", "decisions", "serve"),
    "How good is a system?": ("score", "rank", "alt-test", "judge", "prefer"),
    "Can it be trusted?": ("simulate", "audit", "falsify", "reproduce"),
    "Look": ("inspect", "measures", "convert"),
}
_THEME_OF = {name: theme for theme, names in THEMES.items() for name in names}
COMMANDS: tuple[str, ...] = tuple(_THEME_OF)


class _Commands(Grouped):
    """The commands; a measure that is typed as one is answered with the line to type."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        if not ctx.resilient_parsing and args[0] not in self.commands:
            _refuse_measure(*args)
        return super().resolve_command(ctx, args)


def _refuse_measure(name: str, *data: str) -> None:
    """Refuse a name that is a measure's, or one of the field that is none here."""
    import accord.evaluation  # noqa: F401 enrols what lives beside the measures
    from accord.registry import find_each

    try:
        record, *_ = find_each(name)
    except RefusedError:
        raise
    except UsageError:
        return
    given = shlex.join(data) or ("DATA" if record.question == "agree" else "REFERENCE SYSTEM")
    raise UsageError(
        f"{name} is a measure; type: accord {record.question} {given} --measure {record.name}"
    )


app = typer.Typer(
    name="accord",
    help="Evaluate annotations: agreement, references, scores, audits.",
    add_completion=True,
    pretty_exceptions_enable=False,
    context_settings=CONTEXT,
    cls=_Commands,
)


@app.callback(invoke_without_command=True)
def accord(
    ctx: typer.Context,
    version: bool = typer.Option(
        False, "--version", help="Show the version and leave.", metavar=""
    ),
    quiet: bool = typer.Option(
        False, "--quiet", "-q", help="The answer alone: no notes, no progress.", metavar=""
    ),
) -> None:
    """Evaluate annotations: agreement, references, scores, audits."""
    if version:
        from accord.version import __version__, compiled

        typer.echo(f"{__version__} (kernels {'' if compiled() else 'not '}compiled)")
        raise typer.Exit
    if quiet:
        from accord.cli.output import be_quiet

        be_quiet()
    if ctx.invoked_subcommand is None:
        from rich.console import Console

        Console(highlight=False).print(START)


def load_commands(names: Sequence[str] = COMMANDS) -> None:
    """Attach these commands; the modules import nothing heavy until they run."""
    for name in names:
        module = import_module(f"accord.cli.{name.replace('-', '_')}")
        attached = getattr(module, name.replace("-", "_"))
        if isinstance(attached, typer.Typer):
            explain_group(attached)
            app.add_typer(attached, name=name, rich_help_panel=_THEME_OF[name])
        else:
            panel = _THEME_OF[name]
            app.command(name, cls=command_class(attached), rich_help_panel=panel)(attached)


def _asked() -> Sequence[str]:
    """The command that was typed; all of them where help, completion or a suggestion may list them."""
    typed = next((word for word in sys.argv[1:] if not word.startswith("-")), "")
    alone = typed in COMMANDS and "_ACCORD_COMPLETE" not in os.environ
    return (typed,) if alone else COMMANDS


def _abandon_output() -> None:
    """What could not be written will not be tried again when Python ends."""
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, sys.__stdout__.fileno() if sys.__stdout__ is not None else 1)


def run() -> None:
    """Run the command line; accord's own errors are one sentence on stderr and exit code 2."""
    load_commands(_asked())
    warnings.showwarning = _show
    sys.stdout, sys.stderr = Terminal(sys.stdout), Terminal(sys.stderr)
    try:
        try:
            app()
        finally:
            # a full disc shows when the last of the output is written
            sys.stdout.flush()
    except AccordError as problem:
        print(f"accord: {in_command(problem.sentence)}", file=sys.stderr)  # noqa: T201
        sys.exit(2)
    except OSError as problem:
        if isinstance(problem, BrokenPipeError):
            sys.stderr.close()
            sys.exit(0)
        where = f"{problem.filename}: " if problem.filename else ""
        print(f"accord: {where}{problem.strerror or problem}", file=sys.stderr)  # noqa: T201
        _abandon_output()
        sys.exit(2)
    except KeyboardInterrupt:
        print("accord: interrupted", file=sys.stderr)  # noqa: T201
        sys.exit(130)


def _show(message: Warning | str, category: type[Warning], *where: object, **more: object) -> None:
    """A warning of ours is a note like the others; those of libraries keep their place in the code."""
    if issubclass(category, SlowWarning):
        from accord.cli.output import say

        say([str(message)])
    else:
        print(f"{where[0]}:{where[1]}: {category.__name__}: {message}", file=sys.stderr)  # noqa: T201
