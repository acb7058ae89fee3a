"""Sphinx configuration; the pages of the measures are generated from their docstrings."""

from __future__ import annotations

import inspect
from pathlib import Path

from accord.version import __version__

project = "accord"
author = "The accord developers"
copyright = "2026, the accord developers"  # noqa: A001 sphinx's word
release = version = __version__
extensions = ["myst_parser", "sphinx.ext.mathjax", "sphinx.ext.autodoc"]
myst_enable_extensions = ["dollarmath", "colon_fence", "deflist"]
myst_heading_anchors = 3
source_suffix = {".md": "markdown"}
exclude_patterns = ["_build"]
html_theme = "alabaster"
html_theme_options = {"description": "Evaluate annotations", "fixed_sidebar": True}
html_static_path = []
autodoc_typehints = "none"
suppress_warnings = ["myst.xref_missing"]

_FAMILIES = {
    ("ratings", "agree"): "Agreement on ratings",
    ("units", "agree"): "Agreement on units",
    ("segments", "agree"): "Agreement on segmentations",
    ("chains", "agree"): "Agreement on chains",
    ("ratings", "score"): "Systems against a reference: ratings",
    ("units", "score"): "Systems against a reference: spans",
    ("segments", "score"): "Systems against a reference: segmentations",
    ("chains", "score"): "Systems against a reference: coreference",
}


def _write_measures(app: object) -> None:
    """One page per family, from the registry: it cannot drift from the code."""
    import accord.evaluation  # noqa: F401 enrols everything
    from accord.measures import enrolled

    folder = Path(__file__).parent / "reference" / "measures"
    folder.mkdir(parents=True, exist_ok=True)
    for (shape, question), title in _FAMILIES.items():
        records = enrolled(shape=shape, question=question)
        if not records:
            continue
        lines = [f"# {title}", "", f"`accord {question} … --measure NAME`", ""]
        for m in records:
            module = inspect.getmodule(m.function).__name__
            lines += [f"## {m.name}", "", f"**{m.title}**", "", m.use, ""]
            if m.aliases:
                lines += ["Also called " + ", ".join(f"`{a}`" for a in m.aliases) + ".", ""]
            lines += [f"Source: {m.citation}", ""]
            if m.options:
                lines += ["| Python | terminal | what it says |", "|---|---|---|"]
                lines += [
                    f"| `{o.name}` | {'' if o.python_only else f'`{o.flag}`'} | {o.description} |"
                    for o in m.options
                ]
                lines.append("")
            lines += [
                "```{eval-rst}",
                f".. autofunction:: {module}.{m.function.__name__}",
                "   :no-index:",
                "```",
                "",
            ]
        (folder / f"{shape}-{question}.md").write_text("\n".join(lines), encoding="utf-8")


def setup(app: object) -> None:
    app.connect("builder-inited", _write_measures)  # type: ignore[attr-defined]
