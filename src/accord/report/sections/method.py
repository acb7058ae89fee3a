"""The last section: how the numbers were made, ready for a paper."""

from __future__ import annotations

import platform

from accord.audit.recommendation import sentence
from accord.data import Annotations
from accord.errors import in_command
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


def method_section(data: Annotations, result: Result) -> Section:
    """A paragraph for the methods section, what to cite, signature and versions."""
    record, notes = find(result.measure), data.notes
    said = result.undefined or sentence(data, result)
    parts = [
        "<h3>Sentence for a paper</h3>",
        f'<blockquote id="sentence">{escaped(said)}</blockquote>',
        "<h3>To cite</h3>",
        f"<ul><li>{escaped(record.citation)}</li><li>{escaped(CITE)}</li></ul>",
        "<h3>To compute it again</h3>",
        f"<p><code>{escaped(result.signature)}</code></p>",
    ]
    if record.use:
        parts.insert(0, paragraph(record.use))
    if notes:
        parts.append("<h3>Noted while reading</h3><ul>")
        parts += [f"<li>{escaped(in_command(n))}</li>" for n in notes[:40]]
        parts.append(f"</ul>{paragraph(f'{len(notes) - 40} more.') if len(notes) > 40 else ''}")
    versions = Table.of([{"software": k, "version": v} for k, v in software().items()])
    parts.append("<h3>Versions</h3>" + versions.html("Software that made this page"))
    return section(
        "method", "Method", "How the figures on this page were made.", parts, versions=versions
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
