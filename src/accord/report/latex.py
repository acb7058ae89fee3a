"""The results of a report as LaTeX: a table, the breakdown by category, the sentence."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from accord.printed import Printed, tex
from accord.registry import measure_of
from accord.result import Interval, Result

if TYPE_CHECKING:
    from accord.language import Translator


def latex(
    results: Sequence[Result],
    categories: Sequence[Mapping[str, Any]],
    sentence: str,
    *,
    annotators: int,
    say: Translator,
) -> str:
    """Two tables for `booktabs` and the sentence, parted by empty lines; `say` translates."""
    parts = [_table(results, annotators, say).latex(say)]
    if categories:
        parts.append(_by_category(results[0], categories).latex(say))
    if sentence:
        parts.append(tex(say(sentence)))
    cited = dict.fromkeys(measure_of(r).citation for r in results)
    parts.append("\n".join(f"% {c}" for c in cited))
    return "\n\n".join(parts) + "\n"


def _table(results: Sequence[Result], annotators: int, say: Translator) -> Printed:
    level = next((r.interval.level for r in results if r.interval), None)
    interval = "" if level is None else f"{100 * level:g}\u202f% {say('interval')}"
    rows = [
        {
            "measure": say(_title(r)),
            "value": r.value,
            **({interval: _limits(r.interval)} if interval else {}),
            "n": r.n,
        }
        for r in results
    ]
    claims = dict.fromkeys(
        f"{r.interval.words}, for {r.interval.claim}" for r in results if r.interval
    )
    return Printed.of_rows(
        rows,
        caption=f"Agreement among {annotators} annotators.",
        notes=[f"Intervals: {'; '.join(claims)}."] if claims else [],
        label="agreement",
    )


def _by_category(result: Result, rows: Sequence[Mapping[str, Any]]) -> Printed:
    kept = ("category", "value", "low", "high")
    return Printed.of_rows(
        [{k: row[k] for k in kept if k in row} for row in rows],
        caption=f"{_title(result)} by category.",
        label="agreement-by-category",
    )


def _limits(found: Interval | None) -> tuple[float, float] | None:
    return None if found is None else (found.low, found.high)


def _title(result: Result) -> str:
    title = re.split(r" = |: ", measure_of(result).title)[0]
    category = result.terms.get("category")
    return f"{title} ({category})" if category is not None else title
