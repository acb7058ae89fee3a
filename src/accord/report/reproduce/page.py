"""The page "the papers, recomputed"."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from accord.report.reproduce.check import Check
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
.OFF{color:var(--off);font-weight:600}.slip{color:var(--slip)}.dim{color:var(--dim)}
"""


def papers_page(
    checks: Sequence[Check], papers: dict[str, str], cannot: dict[str, dict[str, str]]
) -> str:
    """One self-contained page with every number of the papers beside ours."""
    off = sum(c.status == "OFF" for c in checks)
    slips = sum(c.status == "slip" for c in checks)
    parts = [
        "<!doctype html><html lang='en'><head><meta charset='utf-8'>",
        "<meta name='viewport' content='width=device-width,initial-scale=1'>",
        f"<title>The papers, recomputed</title><style>{_STYLE}</style></head><body><main>",
        "<h1>The papers, recomputed</h1>",
        f"<p>{len(checks)} numbers recomputed by accord {escape(__version__)}: "
        f"{len(checks) - off - slips} as printed, {slips} known slips of the papers, {off} off.</p>",
    ]
    for key, title in papers.items():
        mine = [c for c in checks if c.paper == key]
        if not mine:
            continue
        parts.append(f"<h2>{escape(title)}</h2>")
        parts.extend(
            _table(table, [c for c in mine if c.table == table])
            for table in dict.fromkeys(c.table for c in mine)
        )
        if cannot.get(key):
            rows = "".join(
                f"<li><strong>{escape(what)}</strong>: {escape(why)}</li>"
                for what, why in cannot[key].items()
            )
            parts.append(f"<p>What cannot be recomputed, and why:</p><ul>{rows}</ul>")
    parts.append("</main></body></html>\n")
    return "".join(parts)


def _table(name: str, checks: Sequence[Check]) -> str:
    rows = "".join(
        f"<tr><td>{escape(c.what)}</td><td class='n'>{_number(c.printed)}</td>"
        f"<td class='n'>{_number(c.ours)}</td><td class='n'>{_number(c.difference)}</td>"
        f"<td class='{c.status}'>{c.status}{': ' + escape(c.slip) if c.slip else ''}</td></tr>"
        for c in checks
    )
    return (
        f"<table><caption>{escape(name)}</caption><thead><tr><th scope='col'>what</th>"
        "<th scope='col' class='n'>printed</th><th scope='col' class='n'>ours</th>"
        "<th scope='col' class='n'>difference</th><th scope='col'>status</th></tr></thead>"
        f"<tbody>{rows}</tbody></table>"
    )


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.4g}"
