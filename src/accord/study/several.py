"""Several measures at once: what stands in the list for one that refuses the data."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from accord.errors import AccordError, InputError, RefusedError, in_python
from accord.result import Result, Results
from accord.study.study import MissingBreakdownError

#: what one of several measures may say without taking the others with it
_REFUSALS = (InputError, RefusedError)


def answers_of_each(
    asked: Sequence[tuple[str, Mapping[str, Any]]],
    answer: Callable[[str, Mapping[str, Any]], Result | Sequence[Result]],
    *,
    every: bool = False,
    told: Callable[[str], str] = in_python,
) -> tuple[Results, list[str]]:
    """The results of several measures, and which were left out.

    One that refuses the data stays in the list, undefined for its reason. When there is no other, or
    all refuse, the refusal is the error it is. A breakdown that a measure does not have is a warning
    beside its value. With `every` none was named: all that apply were asked for, and one that does
    not is left out with its reason.
    """
    listed = Results()
    left_out: list[str] = []
    refused: list[AccordError] = []
    for name, own in asked:
        try:
            found = answer(name, own)
        except MissingBreakdownError as problem:
            refused.append(problem)
            found = problem.kept()
        except AccordError as problem:
            if every:
                left_out.append(f"{name} was left out: {problem.sentence}")
                continue
            if not isinstance(problem, _REFUSALS):
                raise
            refused.append(problem)
            why = told(problem.sentence).removeprefix(f"{name}: ")
            found = Result(measure=name, value=math.nan, undefined=why)
        listed.extend((found,) if isinstance(found, Result) else found)
    if refused and len(refused) == len(asked):
        raise refused[0]
    return listed, left_out
