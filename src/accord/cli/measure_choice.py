"""Choosing measures and giving each the options it takes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from accord.cli.measure_options import refuse_foreign
from accord.data import Annotations
from accord.errors import AccordError, in_command
from accord.registry import Measure, Question
from accord.result import Result


def chosen(asked: Sequence[str] | None, data: Annotations, question: Question) -> list[Measure]:
    """The measures asked for; by default the recommended one; 'all' for all that apply."""
    from accord.measures import enrolled, find
    from accord.measures.choice import choose

    asked_names = names(asked)
    if "all" in asked_names:
        return [m for m in enrolled(shape=data.shape, question=question) if not m.explicit]
    asked_names = asked_names or (choose(data, question).measure,)
    return [find(name, question) for name in asked_names]


def chosen_because(data: Annotations) -> str:
    """Why this measure, when none was named."""
    from accord.errors import in_command
    from accord.measures.choice import choose

    choice = choose(data)
    return f"{choice.measure} was chosen because of the data: {in_command(choice.why)}"


def names(given: Sequence[str] | None) -> tuple[str, ...]:
    """Options that may be repeated or hold a,b,c."""
    return tuple(p.strip() for text in given or () for p in text.split(",") if p.strip())


def run_measures(
    records: Sequence[Measure],
    options: Mapping[str, Any],
    run: Callable[[str, dict[str, Any]], Any],
    *,
    strict: bool = True,
) -> tuple[list[Result], list[str]]:
    """Run each measure with the options it takes.

    An option that no measure takes is an error. A measure that refuses the data is left out with its
    reason; with `strict` (it was asked for by name) it is listed as undefined for that reason, and is
    an error when no other has a value. A breakdown that it does not have is a warning beside its value.
    """
    from accord.cli.progress import progress_bar
    from accord.measures.agreement import REFUSALS, in_spite_of
    from accord.study import MissingBreakdownError

    refuse_foreign(options, records)
    results: list[Result] = []
    skipped: list[str] = []
    refused: list[AccordError] = []
    for record in records:
        own = {k: v for k, v in options.items() if record.takes(k)}
        try:
            with progress_bar(record.name) as progress:
                told = {"progress": progress} if record.takes("progress") else {}
                found = run(record.name, {**own, **told})
        except AccordError as problem:
            if strict and (len(records) == 1 or not isinstance(problem, REFUSALS)):
                raise
            if strict or isinstance(problem, MissingBreakdownError):
                refused.append(problem)
                results.extend(in_spite_of(problem, record.name, in_command))
                continue
            skipped.append(f"{record.name} was left out: {problem.sentence}")
            continue
        results.extend(found if isinstance(found, tuple) else (found,))
    if refused and len(refused) == len(records):
        raise refused[0]
    return results, skipped
