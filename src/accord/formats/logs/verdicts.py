"""Logs of evaluations: who judged which output, and how; one rule for all tools.

An item is the *output* that was judged: the input, and the system where there are several. The
annotators are the judges (scorers, assertions, metrics, people); `--annotator-from file` turns that
round and makes the systems annotators of the inputs, with the judges as questions. Repeated runs
(epochs) are repeats of one item: numbers are averaged with a note, other values need `--duplicates`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from accord.errors import InputError
from accord.formats.export import Export

#: what Inspect writes for correct, partially correct, incorrect and no answer
GRADES = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}


class Verdict(NamedTuple):
    """One judgement of one output."""

    item: str
    system: str
    judge: str
    value: Any
    #: what was asked, where the log says so apart from who answered
    question: str = ""


def judged(export: Export, verdicts: Sequence[Verdict]) -> None:
    """Put the verdicts into the export; systems are a part of the item, or the annotators."""
    if not verdicts:
        raise InputError(
            "holds no verdict on any item",
            path=export.path,
            hint="give scorers, assertions or metrics to the evaluation",
        )
    options = export.options
    systems = {v.system for v in verdicts}
    by_system = options.annotator_from == "file"
    found: dict[tuple[str, str, str], list[Any]] = {}
    for v in verdicts:
        if by_system:
            question = v.judge
            if v.question not in ("", v.judge):
                question = f"{v.judge}: {v.question}"
            key = (v.item, v.system, question)
        else:
            item = v.item if len(systems) == 1 else f"{v.system}: {v.item}"
            key = (item, v.judge, v.question)
        found.setdefault(key, []).append(v.value)
    repeated = sum(len(values) > 1 for values in found.values())
    for (item, who, question), values in found.items():
        sheet = export.see(item, who)
        if len(values) > 1 and options.duplicates == "error":
            values = [_mean(values, item, who, export.path)]
        for value in values:
            sheet.judge(value, question)
    if repeated and options.duplicates == "error":
        export.record.assume(
            f"the mean of {repeated} repeated judgements (epochs or runs) is taken",
            *[("duplicates", one) for one in ("first", "last", "mode")],
        )
        # where some are means, all must be numbers
        graded = [j._replace(value=_number(j.value)) for j in export.judgements]
        if all(j.value is not None for j in graded):
            export.judgements[:] = graded


def numbered(names: Sequence[str]) -> list[str]:
    """Names that occur more than once get a number.

    >>> numbered(["llm-rubric", "factuality", "llm-rubric"])
    ['llm-rubric', 'factuality', 'llm-rubric 2']
    """
    seen: Counter[str] = Counter()
    out = []
    for name in names:
        seen[name] += 1
        out.append(name if seen[name] == 1 else f"{name} {seen[name]}")
    return out


def _mean(values: Sequence[Any], item: str, who: str, path: Path) -> float:
    numbers = [_number(v) for v in values]
    known = [n for n in numbers if n is not None]
    if len(known) < len(numbers):
        raise InputError(
            f"{who!r} judged {item!r} {len(values)} times, and not by numbers",
            path=path,
            hint="take one with `duplicates=first`, `duplicates=last` or `duplicates=mode`",
        )
    return sum(known) / len(known)


def _number(value: Any) -> float | None:
    if isinstance(value, (bool, int, float)):
        return float(value)
    return GRADES.get(value) if isinstance(value, str) else None
