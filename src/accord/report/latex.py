"""The results of a report as LaTeX: a table, the breakdown by category, the sentence."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from accord.registry import measure_of
from accord.result import Result

if TYPE_CHECKING:
    from accord.language import Translator

_SPECIAL = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_",
    "{": r"\{", "}": r"\}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
}  # fmt: skip
_GREEK = {
    "α": r"$\alpha$", "κ": r"$\kappa$", "π": r"$\pi$", "γ": r"$\gamma$", "ρ": r"$\rho$",
    "≥": r"$\ge$", "≤": r"$\le$", "−": "--", "–": "--", "…": r"\ldots{}",
    "\u202f": r"\,", "\u00a0": "~", "“": "``", "”": "''",
}  # fmt: skip


def tex(text: str) -> str:
    r"""Any text, safe in LaTeX.

    >>> tex("Krippendorff's α, 95 % of #1")
    "Krippendorff's $\\alpha$, 95 \\% of \\#1"
    """
    return "".join(_SPECIAL.get(c) or _GREEK.get(c) or c for c in text)


def latex(
    results: Sequence[Result],
    categories: Sequence[Mapping[str, Any]],
    sentence: str,
    *,
    annotators: int,
    say: Translator,
) -> str:
    """Two tables for `booktabs` and the sentence, parted by empty lines; `say` translates."""
    parts = [_table(results, annotators, say)]
    if categories:
        parts.append(_by_category(results[0], categories, say))
    if sentence:
        parts.append(tex(say(sentence)))
    cited = dict.fromkeys(measure_of(r).citation for r in results)
    parts.append("\n".join(f"% {c}" for c in cited))
    return "\n\n".join(parts) + "\n"


def _table(results: Sequence[Result], annotators: int, say: Translator) -> str:
    level = next((r.interval.level for r in results if r.interval), None)
    head = [tex(say("measure")), tex(say("value"))]
    if level is not None:
        head.append(rf"{100 * level:g}\,\% {tex(say('interval'))}")
    head.append("$n$")
    rows = []
    for r in results:
        cells = [tex(say(_title(r))), _number(r.value, say)]
        if level is not None:
            i = r.interval
            cells.append("" if i is None else f"[{_number(i.low, say)}, {_number(i.high, say)}]")
        rows.append([*cells, str(r.n)])
    claims = dict.fromkeys(
        f"{r.interval.words}, for {r.interval.claim}" for r in results if r.interval
    )
    caption = f"Agreement among {annotators} annotators."
    told = f"Intervals: {'; '.join(claims)}." if claims else ""
    both = " ".join(part for part in (say(caption), say(told) if told else "") if part)
    return _tabular(head, rows, both, "agreement")


def _by_category(result: Result, rows: Sequence[Mapping[str, Any]], say: Translator) -> str:
    limits = all("low" in row for row in rows)
    head = [tex(say("category")), tex(say("value")), *([tex(say("interval"))] if limits else [])]
    cells = []
    for row in rows:
        line = [tex(str(row["category"])), _number(row["value"], say)]
        if limits:
            line.append(f"[{_number(row['low'], say)}, {_number(row['high'], say)}]")
        cells.append(line)
    caption = say(f"{_title(result)} by category.")
    return _tabular(head, cells, caption, "agreement-by-category")


def _tabular(head: Sequence[str], rows: Sequence[Sequence[str]], caption: str, label: str) -> str:
    lines = [
        r"\begin{table}",
        r"  \centering",
        rf"  \begin{{tabular}}{{l{'r' * (len(head) - 1)}}}",
        r"    \toprule",
        "    " + " & ".join(head) + r" \\",
        r"    \midrule",
        *("    " + " & ".join(row) + r" \\" for row in rows),
        r"    \bottomrule",
        r"  \end{tabular}",
        rf"  \caption{{{tex(caption)}}}",
        rf"  \label{{tab:{label}}}",
        r"\end{table}",
    ]
    return "\n".join(lines)


def _title(result: Result) -> str:
    title = re.split(r" = |: ", measure_of(result).title)[0]
    category = result.terms.get("category")
    return f"{title} ({category})" if category is not None else title


def _number(value: float | None, say: Translator) -> str:
    if value is None or not math.isfinite(value):
        return "--"
    text = say(f"{value:.3f}")
    return f"${text}$".replace("-", "{-}") if value < 0 else text
