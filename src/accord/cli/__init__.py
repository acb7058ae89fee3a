"""The command line: reads, calls the library, prints. Nothing is computed here."""

from __future__ import annotations


def main() -> None:
    """Entry point of the ``accord`` command."""
    from accord.cli.app import run

    run()
