"""What is left of agreement on places beyond layout that all documents share.

Beside the value of a measure against its own chance stands the same against chance `documents`: people
who know where things usually stand, and did not look, reach the difference.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any

from accord.errors import AccordError
from accord.options import further
from accord.result import Result

if TYPE_CHECKING:
    from accord.study.study import Study

#: the chance model, and the name of what it leaves
CHANCE, TERM = "documents", "beyond_layout"
#: less of a value than this is none to the reader
_NONE = 0.005


def beyond_layout(study: Study) -> Callable[[int, Result], Result]:
    """What adds to a result of the study, by its place, what it would be beyond shared layout, or why not.

    It holds the study where there is something to add, and asks once, when it is first called.
    """
    if not _asked(study):
        return lambda _, result: result

    @cache
    def beside() -> Sequence[Result] | str:
        try:
            return study.against(CHANCE).estimates
        except AccordError as refused:
            return refused.sentence

    def added(k: int, result: Result) -> Result:
        if result.undefined is not None:
            return result
        other = beside()
        return _with(result, other if isinstance(other, str) else other[k])

    return added


def _asked(study: Study) -> bool:
    """The measure takes its usual chance, and the question is nobody's part."""
    record = study.record
    if study.is_part or not record.takes("chance"):
        return False
    option = record.option("chance")
    return CHANCE in (option.choices or ()) and study.option("chance", str) == option.default


def _with(result: Result, other: Result | str) -> Result:
    why = other if isinstance(other, str) else other.undefined
    if isinstance(other, str) or why is not None:
        told: dict[str, Any] = {"value": None, "undefined": why}
        return replace(result, terms={**result.terms, TERM: told})
    made = other.interval
    # what people reach who give each other's documents, as the measure has it
    shared = (result.value - other.value) / (1 - other.value) if other.value < 1 else 0.0
    told = {
        "value": other.value,
        "shared": shared,
        "low": None if made is None else made.low,
        "high": None if made is None else made.high,
        "level": None if made is None else made.level,
        "samples": other.terms.get("samples"),
    }
    left = f"{other.value:.2f}"
    if made is not None:
        left += f" [{made.low:.2f}, {made.high:.2f}]"
    if shared < _NONE:
        sentence = (
            f"people who know the genre would reach nothing of {result.value:.2f} without looking: "
            f"beyond shared layout it is {left}"
        )
    elif shared > result.value:
        sentence = f"nothing of {result.value:.2f} is left beyond shared layout: it is {left}"
    else:
        sentence = (
            f"of {result.value:.2f}, {shared:.2f} is what people who know the genre would reach without "
            f"looking: beyond shared layout it is {left}"
        )
    return replace(
        result,
        terms={**result.terms, TERM: {**told, "sentence": sentence}},
        signature=further(result.signature, f"beyond-layout:{CHANCE}"),
        # where nothing is lost there is nothing to warn of
        warnings=(*result.warnings, sentence) if shared >= _NONE else result.warnings,
    )
