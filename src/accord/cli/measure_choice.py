"""Choosing measures and giving each the options it takes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from accord.cli import inputs
from accord.cli.measure_options import refuse_foreign
from accord.data import Annotations
from accord.errors import in_command
from accord.registry import Measure, Question
from accord.result import Result


def chosen(asked: Sequence[str] | None, data: Annotations, question: Question) -> list[Measure]:
    """The measures asked for; by default the recommended one; 'all' for all that apply."""
    from accord.measures import enrolled, find
    from accord.measures.choice import choose

    asked_names = inputs.names(asked)
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


def run_measures(
    records: Sequence[Measure],
    options: Mapping[str, Any],
    run: Callable[[str, dict[str, Any]], Any],
    *,
    strict: bool = True,
) -> tuple[list[Result], list[str]]:
    """Run each measure with the options it takes.

    An option that no measure takes is an error; for one that refuses the data see
    :func:`accord.study.several.answers_of_each` (`strict`: the measures were asked for by name).
    """
    from accord.cli.progress import progress_bar
    from accord.study.several import answers_of_each

    refuse_foreign(options, records)

    def answer(name: str, own: Mapping[str, Any]) -> Any:
        with progress_bar(name) as progress:
            told = {"progress": progress} if takes_progress[name] else {}
            return run(name, {**own, **told})

    takes_progress = {r.name: r.takes("progress") for r in records}
    asked = [(r.name, {k: v for k, v in options.items() if r.takes(k)}) for r in records]
    return answers_of_each(asked, answer, every=not strict, told=in_command)
