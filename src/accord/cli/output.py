"""Printing: one JSON document on stdout, or rich tables; everything else goes to stderr."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

from accord.errors import in_command

if TYPE_CHECKING:
    from accord.data import Annotations
    from accord.language import Translator
    from accord.result import Result


#: no notes, warnings or progress: the answer alone
_quiet: ContextVar[bool] = ContextVar("quiet", default=False)
#: None until a language is chosen: English
_language: ContextVar[Translator | None] = ContextVar("language", default=None)


def be_quiet() -> None:
    """Say nothing beside the answer from now on; errors are still said."""
    _quiet.set(True)


def speak(lang: str) -> None:
    """Notes, warnings and sentences in this language from now on."""
    from accord.language import translator

    _language.set(translator(lang))


def spoken(sentence: str) -> str:
    """A sentence of ours in the language that was asked for."""
    say = _language.get()
    return sentence if say is None else say(sentence)


def is_quiet() -> bool:
    """Whether only the answer was asked for."""
    return _quiet.get()


def print_json(document: Any) -> None:
    """Print exactly one JSON document on stdout."""
    from accord.result import to_plain

    json.dump(_spoken(to_plain(document)), sys.stdout, ensure_ascii=False, allow_nan=False)
    sys.stdout.write("\n")


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


def say(sentences: Iterable[str], *, prefix: str = "note") -> None:
    """Tell the person something, on stderr, without repeating it."""
    if is_quiet() and prefix in ("note", "warning"):
        return
    for sentence in dict.fromkeys(sentences):
        print(f"accord: {prefix}: {in_command(spoken(sentence))}", file=sys.stderr)  # noqa: T201


def failed_under(
    results: Sequence[Result], threshold: float | None, *, on: str = "value"
) -> list[str]:
    """Why the results do not meet the threshold that was given: a value (or low limit) below it."""
    from accord.errors import UsageError

    if on not in ("value", "low"):
        raise UsageError(f"--fail-on must be value or low, got {on!r}")
    if on == "low" and threshold is None:
        raise UsageError("--fail-on says what --fail-under looks at; give --fail-under too")
    if threshold is None:
        return []
    failed = []
    for r in results:
        if on == "value":
            if not r.value >= threshold:
                failed.append(f"{r.measure} is below --fail-under {threshold:g}")
        elif r.interval is None:
            failed.append(f"{r.measure} has no interval whose low end could meet {threshold:g}")
        elif not r.interval.low >= threshold:
            failed.append(
                f"the low end of {r.measure}, {r.interval.low:.3f}, is below --fail-under "
                f"{threshold:g}"
            )
    return failed


def print_results(
    results: Sequence[Result],
    data: Annotations,
    *,
    command: str,
    extra: Mapping[str, Any] | None = None,
    remarks: Sequence[str] = (),
) -> None:
    """Tables for people on stdout, warnings on stderr."""
    from rich.console import Console

    from accord.report.tables import (
        breakdown_tables,
        captions,
        extra_tables,
        results_table,
        summary,
    )

    console = Console(soft_wrap=False)
    console.print(summary(data, command))
    console.print()
    console.print(results_table(results))
    console.print()
    for line in captions(results):
        console.print(spoken(line), style="dim", highlight=False, markup=False)
    for sentence in remarks:
        console.print(f"  {spoken(sentence)}", highlight=False)
    for table in breakdown_tables(results):
        console.print()
        console.print(table)
    for table in extra_tables(extra or {}):
        console.print(table)
    say(_warnings(results, set(data.notes)), prefix="warning")


def _warnings(results: Sequence[Result], noted: set[str]) -> list[str]:
    """Each warning once, after the measures it is about; it stands alone when it is about all."""
    about: dict[str, dict[str, None]] = {}
    for result in results:
        for sentence in result.warnings:
            if sentence not in noted:
                about.setdefault(sentence, {})[result.measure] = None
    everything = {r.measure for r in results}
    return [
        sentence
        if len(everything) > 1 and len(measures) == len(everything)
        else f"{', '.join(measures)}: {sentence}"
        for sentence, measures in about.items()
    ]
