"""The command line: reads, calls the library, prints. Nothing is computed here.

A command is a function in a module of its name: arguments, then after a ``*`` its options, each a
keyword annotated with :class:`accord.options.Said` (those of several commands stand in `keywords`), and
`how`, which reads. `inputs.reads` makes the command of it; `output.answer` prints what it found. To add
one: the module, its name among the themes of `app`, two examples in `help`.
"""

from __future__ import annotations


def main() -> None:
    """Entry point of the ``accord`` command."""
    from accord.cli.app import run

    run()
