"""The last section: how the numbers were made, ready for a paper."""

from __future__ import annotations

import platform

from accord.registry import find
from accord.report.figure import Table
from accord.report.section import Section, paragraph, section
from accord.report.svg import escaped
from accord.result import Result
from accord.version import __version__

CITE = (
    "The accord developers. accord: agreement, references and scores for annotations, "
    f"version {__version__}."
)


def method_section(result: Result, size: str, notes: tuple[str, ...], audited: bool) -> Section:
    """A paragraph for the methods section, what to cite, signature and versions."""
    record = find(result.measure)
    parts = [
        "<h3>Sentence for a paper</h3>",
        f'<blockquote id="sentence">{escaped(sentence(result, size))}</blockquote>',
        "<h3>To cite</h3>",
        f"<ul><li>{escaped(record.citation)}</li><li>{escaped(CITE)}</li></ul>",
        "<h3>To compute it again</h3>",
        f"<p><code>{escaped(result.signature)}</code></p>",
    ]
    if record.use:
        parts.insert(0, paragraph(record.use))
    if notes:
        parts.append("<h3>Noted while reading</h3><ul>")
        parts += [f"<li>{escaped(n)}</li>" for n in notes[:40]]
        parts.append(f"</ul>{paragraph(f'{len(notes) - 40} more.') if len(notes) > 40 else ''}")
    if not audited:
        parts.append(paragraph("No audit was run on these data.", "aside"))
    versions = Table.of([{"software": k, "version": v} for k, v in software().items()])
    parts.append("<h3>Versions</h3>" + versions.html("Software that made this page"))
    return section(
        "method", "Method", "How the figures on this page were made.", parts, versions=versions
    )


def sentence(result: Result, size: str) -> str:
    """The value, its interval and signature as a paper states them."""
    record = find(result.measure)
    author = record.citation.split(".")[0] if record.citation else ""
    if result.undefined is not None:
        return f"{record.title} is undefined on these data: {result.undefined}."
    text = f"We measured agreement with {record.title} on {size}: {result.value:.3f}"
    if result.interval is not None:
        i = result.interval
        kind, _, unit = i.method.partition(":")
        over = f" over {unit}s" if unit else ""
        text += f" ({i.level:.0%} {kind} interval{over}: {i.low:.3f} to {i.high:.3f})"
    if result.observed is not None and result.expected is not None:
        text += f", observed {result.observed:.3f}, expected by chance {result.expected:.3f}"
    return f"{text}. Computed with accord {__version__}, {result.signature}." + (
        f" Measure: {author}." if author else ""
    )


def software() -> dict[str, str]:
    """Versions of what the numbers depend on."""
    from importlib.metadata import PackageNotFoundError, version

    found = {"accord": __version__, "Python": platform.python_version()}
    for package in ("numpy", "scipy", "highspy", "narwhals"):
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found
