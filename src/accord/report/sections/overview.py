"""The top of the report: the value, its interval, what it is like, and what to know first."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from accord.audit.finding import Finding
from accord.errors import in_command
from accord.registry import find
from accord.report.figure import Table
from accord.report.first_screen import FirstScreen
from accord.report.section import Section
from accord.report.svg import box, drawing, element, escaped, line, words
from accord.result import Result, to_plain

_WORDS = {"serious": "Serious", "caution": "Caution", "note": "Note"}


def headline(
    result: Result,
    reading: str | None,
    options: Mapping[str, Any],
    notes: Sequence[str] = (),
    screen: FirstScreen | None = None,
) -> Mapping[str, Any]:
    """The value as the template shows it; what is said of the data (`notes`) stands under Method.

    What a first screen says of it stands there too, in the language of the page already.
    """
    record = find(result.measure)
    metric = f", {options['metric']} metric" if "metric" in options else ""
    category = f", {result.terms['category']}" if "category" in result.terms else ""
    interval = result.interval
    sentence = result.undefined or ""
    if interval is not None:
        sentence = (
            f"{interval.level:.0%} interval {_signed(interval.low)} to {_signed(interval.high)}"
            f" ({interval.words})"
        )
    elif not sentence:
        sentence = "no interval"
    return {
        "title": record.title + metric + category,
        "name": result.measure,
        "value": "undefined" if math.isnan(result.value) else _signed(result.value),
        "interval": sentence,
        "chance": _against_chance(result) if screen is None else "",
        "meaning": () if screen is None else screen.meaning,
        "facts": () if screen is None else screen.facts,
        "reading": reading,
        "scale": scale(result),
        "warnings": [in_command(w) for w in dict.fromkeys(result.warnings) if w not in notes],
        "signature": result.signature,
    }


def scale(result: Result) -> str:
    """The value and its interval on the line from chance to perfect."""
    low, high = find(result.measure).range
    left = max(-1.0, min(0.0, low if math.isfinite(low) else 0.0, result.value))
    left = left if result.value < 0 else 0.0
    right = high if math.isfinite(high) else max(1.0, result.value)

    def px(v: float) -> float:
        return 14 + (min(max(v, left), right) - left) / ((right - left) or 1) * 532

    parts = [line(f"M{px(left):.1f},26H{px(right):.1f}", "axis")]
    for v in sorted({left, 0.0, (left + right) / 2 if left == 0 else 0.0, right}):
        parts.append(line(f"M{px(v):.1f},22v8", "axis"))
        parts.append(words(f"{v:g}", px(v), 48, "soft small", anchor="middle"))
    if math.isfinite(result.value):
        if result.interval is not None:
            a, b = px(result.interval.low), px(result.interval.high)
            parts.append(box(a, 20, max(b - a, 2.0), 12, "bar", rx=6, style="opacity:.28"))
        parts.append(element("circle", cx=px(result.value), cy=26, r=7, class_="dot"))
    return drawing(
        560,
        54,
        *parts,
        title=f"{result.measure} {_signed(result.value)} on the scale from {left:g} to {right:g}",
        description="A dot for the value, a bar for its interval",
        standalone=False,
    )


def findings_section(findings: Sequence[Finding]) -> Section:
    """What the audit found, the most serious first; a clean bill is said too."""
    if not findings:
        return Section(
            "findings",
            "Before you trust it",
            "The audit found nothing to object to in these data.",
            "",
        )
    order = {"serious": 0, "caution": 1, "note": 2}
    ranked = sorted(findings, key=lambda f: order.get(f.severity, 3))
    listed = [
        f'<li class="{escaped(f.severity)}"><p class="statement">'
        f'<span class="tag">{_WORDS.get(f.severity, f.severity)}</span> {escaped(f.statement)}</p>'
        + (f'<p class="advice">{escaped(in_command(f.advice))}</p>' if f.advice else "")
        + (f'<p class="aside">{escaped(f.citation)}</p>' if f.citation else "")
        + "</li>"
        for f in ranked
    ]
    body = ['<ol class="findings">', *listed, "</ol>"]
    rows = [
        {
            "rule": f.rule,
            "severity": f.severity,
            "statement": f.statement,
            "advice": f.advice,
            "evidence": str(to_plain(f.evidence)),
            "citation": f.citation,
        }
        for f in ranked
    ]
    return Section(
        "findings",
        "Before you trust it",
        "What the data themselves say about how far the numbers can be relied on.",
        "".join(body),
        {"findings": Table.of(rows)},
    )


def _against_chance(result: Result) -> str:
    """Observed and expected in words: agreement for κ and its kin, disagreement for α and γ.

    Nothing when they are not shares: raw distances have no scale that people know.
    """
    observed, expected = result.observed, result.expected
    if observed is None or expected is None or not (0 <= observed <= 1 and 0 < expected <= 1):
        return ""
    what = "Disagreement" if abs(1 - observed / expected - result.value) < 1e-6 else "Agreement"
    return f"{what} observed {observed:.3f}, expected by chance {expected:.3f}."


def _signed(value: float) -> str:
    return f"{value:.2f}".replace("-", "\u2212")
