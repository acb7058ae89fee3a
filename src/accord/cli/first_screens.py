"""What stands on a first screen beside the answer: who and what stands out, and what to type next."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from accord.cli.parameters import typed_again

if TYPE_CHECKING:
    from accord.cli.inputs import How
    from accord.cli.output import Step
    from accord.data import Annotations
    from accord.evaluation.scores import Side
    from accord.report.first_screen import FirstScreen
    from accord.result import Result

#: what γ aligns: pairs of annotators would sample chance again
_ALIGNED = ("units", "boxes", "relations")


def first_of(
    data: Annotations, results: Sequence[Result], options: Mapping[str, Any]
) -> Callable[[], FirstScreen] | None:
    """Return the first screen of one value with these options; several are a table."""
    if len(results) != 1:
        return None

    def made() -> FirstScreen:
        from accord.report.first_screen import first_screen

        return first_screen(data, results[0], options)

    return made


def after_agreement(
    data: Annotations,
    results: Sequence[Result],
    paths: Sequence[Path],
    how: How,
    typed: Mapping[str, Any],
    measures: Sequence[str],
) -> list[Step]:
    """Return what to look at next, as commands on the same data."""
    from accord.registry import measure_of

    records = [measure_of(result) for result in results]
    options = list({o.name: o for record in records for o in record.options}.values())
    read = reading(paths, how)
    named = ["--measure", ",".join(measures)] if measures else []
    again = " ".join(["accord agree", read, *named, *typed_again(options, typed)])
    steps: list[Step] = []
    if data.shape in (*_ALIGNED, "chains"):
        steps.append((f"accord align {read} --html alignment.html", "see every place"))
    if len(data.annotators) > 2 and data.shape not in _ALIGNED:
        steps.append((f"{again} --by pair", "each pair of annotators"))
    elif "item" in records[0].breakdowns:
        steps.append((f"{again} --by item", "the most disputed items first"))
    elif len(data.documents) > 1:
        steps.append((f"{again} --by document", "the weakest documents first"))
    steps.append((f"accord audit {read}", "what to trust, and the sentence for a paper"))
    steps.append((f"accord report {read} -o report.html", "a page with all figures"))
    return [(command + how.speaking, purpose) for command, purpose in steps]


def score_of(
    sides: Sequence[Side], results: Sequence[Result], typed: Mapping[str, Any]
) -> Callable[[], FirstScreen] | None:
    """Return the first screen of one score; several are a table."""
    from accord.registry import find_each

    if len(results) != 1 or len(sides) != 1:
        return None
    if all(m.question == "agree" for m in find_each(results[0].measure)):
        return None

    def made() -> FirstScreen:
        from accord.report.first_screen import score_screen

        return score_screen(sides[0].reference, sides[0].system, results[0], typed)

    return made


#: what shows where a system is wrong, the most telling first
_ERRORS = ("confusion", "errors", "error", "document", "category")


def after_scores(
    results: Sequence[Result],
    paths: Sequence[Path],
    how: How,
    typed: Mapping[str, Any],
    measures: Sequence[str],
    switches: Mapping[str, bool | str | None],
) -> list[Step]:
    """Return where to look for the errors, as commands on the same data.

    `switches` are options of the command itself that say what is compared with what.
    """
    from accord.registry import measure_of

    records = [measure_of(result) for result in results]
    options = list({o.name: o for record in records for o in record.options}.values())
    named = ["--measure", ",".join(measures)] if measures else []
    named += switched(switches)
    again = " ".join(["accord score", reading(paths, how), *named, *typed_again(options, typed)])
    there = [{*r.breakdowns, *one.offers, *one.by} for r, one in zip(records, results, strict=True)]
    by = next((b for b in _ERRORS if all(b in names for names in there)), None)
    steps: list[Step] = [] if by is None else [(f"{again} --by {by}", "where it is wrong")]
    steps.append((f"{again} --verbose", "how it was measured"))
    return [(command + how.speaking, purpose) for command, purpose in steps]


def switched(switches: Mapping[str, Path | bool | str | None]) -> list[str]:
    """Return options of a command itself as they are typed; what is not set is not typed.

    >>> switched({"--each": True, "--paired": False, "--system-annotator": "Ana B", "--metric": None})
    ['--each', '--system-annotator', "'Ana B'"]
    """
    words: list[str] = []
    for flag, value in switches.items():
        words += [flag] if value is True else [flag, shlex.quote(str(value))] if value else []
    return words


def reading(paths: Sequence[Path], how: How) -> str:
    """Return the data and how they were read, as they are typed."""
    return " ".join([*(shlex.quote(str(path)) for path in paths), *how.words])
