"""The command line run in this process: what it printed, told and answered."""

from __future__ import annotations

import contextlib
import io
import shlex

import typer

import accord.cli.app as command_line
from accord.cli.output import _quiet, _verbose
from accord.language import Translator, _speaking


def commands() -> typer.core.TyperGroup:
    if not command_line.app.registered_commands:
        command_line.load_commands()
    found = typer.main.get_command(command_line.app)
    assert isinstance(found, typer.core.TyperGroup)
    return found


def words_of(line: str) -> list[str]:
    """What the command gets: without a comment, without where its output goes."""
    words = shlex.split(line, comments=True)[1:]
    return words[: words.index(">")] if ">" in words else words


def run(line: str) -> tuple[int, str, str, Translator | None]:
    """Exit code, standard output, standard error, and who translated."""
    out, told = io.StringIO(), io.StringIO()
    spoken, quiet, verbose = _speaking.set(None), _quiet.set(False), _verbose.set(False)
    code = 0
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(told):
            code = commands().main(words_of(line), prog_name="accord", standalone_mode=False) or 0
    except (typer.Exit, SystemExit) as end:
        code = int(getattr(end, "exit_code", getattr(end, "code", 0)) or 0)
    except Exception as problem:
        code, _ = 2, told.write(str(problem))
    finally:
        who = _speaking.get()
        _speaking.reset(spoken)
        _quiet.reset(quiet)
        _verbose.reset(verbose)
    return code, out.getvalue(), told.getvalue(), who
