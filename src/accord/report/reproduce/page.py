"""The page "the papers, recomputed"."""

from __future__ import annotations

from base64 import b64encode
from collections import Counter
from collections.abc import Mapping, Sequence
from html import escape

from accord.language import speaker
from accord.report.reproduce.check import Check, Drawing
from accord.version import __version__

_STYLE = """
:root{color-scheme:light dark;--line:#d5d5d5;--dim:#666;--off:#b00020;--slip:#8a5a00}
@media(prefers-color-scheme:dark){:root{--line:#444;--dim:#aaa;--off:#ff8a80;--slip:#ffd180}}
body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}
h1{font-weight:600}h2{margin-top:2.5rem;font-size:1.15rem}
table{border-collapse:collapse;width:100%;font-size:.9rem}
caption{text-align:left;font-weight:600;padding:.8rem 0 .2rem}
th,td{text-align:left;padding:.25rem .6rem .25rem 0;border-bottom:1px solid var(--line);vertical-align:top}
td.n,th.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
figure{margin:1rem 0;overflow-x:auto}figure img{max-width:100%;min-width:26rem;background:#fff}
figcaption{color:var(--dim);font-size:.85rem}
.OFF{color:var(--off);font-weight:600}.slip{color:var(--slip)}.dim{color:var(--dim)}
"""


def papers_page(
    checks: Sequence[Check],
    papers: Mapping[str, str],
    cannot: Mapping[str, Mapping[str, str]],
    figures: Mapping[str, Sequence[Drawing]],
) -> str:
    """One self-contained page with every number of the papers beside ours, and their figures, in the language
    that is spoken."""
    parts = [
        "<!doctype html><html lang='en'><head><meta charset='utf-8'>",
        "<meta name='viewport' content='width=device-width,initial-scale=1'>",
        f"<title>The papers, recomputed</title><style>{_STYLE}</style></head><body><main>",
        f"<h1>The papers, recomputed</h1><p>Computed by accord {escape(__version__)}.</p>",
        f"<p>{escape(summary(checks))}</p>",
    ]
    for key, title in papers.items():
        mine = [c for c in checks if c.paper == key]
        if not mine:
            continue
        parts.append(f"<h2 translate='no'>{escape(title)}</h2>")
        parts.extend(
            _table(table, [c for c in mine if c.table == table])
            for table in dict.fromkeys(c.table for c in mine)
        )
        parts.extend(map(_figure, figures.get(key, ())))
        if cannot.get(key):
            rows = "".join(
                f"<li><strong>{escape(what)}</strong> <span>{escape(why)}</span></li>"
                for what, why in cannot[key].items()
            )
            parts.append(f"<p>What cannot be recomputed, and why:</p><ul>{rows}</ul>")
    parts.append("</main></body></html>\n")
    return speaker().html("".join(parts))


def summary(checks: Sequence[Check]) -> str:
    """How many values are as printed, and how many are something else.

    >>> summary([])
    '0 values: 0 as printed, 0 of data made up here, 0 without a printed number, 0 known slips, 0 off'
    """
    counts = Counter("not printed" if c.status == "ok" and c.printed is None else c.status
                     for c in checks)  # fmt: skip
    return (
        f"{len(checks)} values: {counts['ok']} as printed, {counts['own data']} of data made up "
        f"here, {counts['not printed']} without a printed number, {counts['slip']} known slips, "
        f"{counts['OFF']} off"
    )


def _table(name: str, checks: Sequence[Check]) -> str:
    rows = "".join(
        f"<tr><td>{escape(c.what)}</td><td class='n'>{escape(c.as_printed)}</td>"
        f"<td class='n'>{_number(c.ours)}</td><td class='n'>{_number(c.difference)}</td>"
        f"<td><code>{escape(c.how)}</code></td>"
        f"<td class='{c.status}'>{c.status}</td><td>{escape(c.slip or '')}</td></tr>"
        for c in checks
    )
    return (
        f"<table><caption>{escape(name)}</caption><thead><tr><th scope='col'>what</th>"
        "<th scope='col' class='n'>printed</th><th scope='col' class='n'>ours</th>"
        "<th scope='col' class='n'>difference</th><th scope='col'>computed by</th>"
        f"<th scope='col'>status</th><th scope='col'>slip</th></tr></thead><tbody>{rows}</tbody></table>"
    )


def _figure(drawing: Drawing) -> str:
    """An image of its own: its style stays in it."""
    data = b64encode(speaker().html(drawing.svg).encode()).decode("ascii")
    words = escape(drawing.caption)
    return (
        f"<figure><img alt='{words}' src='data:image/svg+xml;base64,{data}'>"
        f"<figcaption><strong>{escape(drawing.table)}</strong> <span>{words}</span></figcaption></figure>"
    )


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.4g}"
