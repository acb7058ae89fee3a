"""Sphinx configuration; the reference pages are written from the code when the site is built."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from accord.version import __version__

project = "accord"
author = "The accord developers"
copyright = "2026, the accord developers"  # noqa: A001 sphinx's word
release = version = __version__
extensions = ["myst_parser", "sphinx.ext.mathjax", "sphinx-mathjax-offline", "sphinx.ext.autodoc"]
myst_enable_extensions = ["dollarmath", "colon_fence", "deflist"]
myst_heading_anchors = 3
source_suffix = {".md": "markdown"}
exclude_patterns = ["_build"]
html_theme = "furo"
html_title = "accord"
html_static_path = ["_static"]
html_css_files = ["accord.css"]
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#0b5c94", "color-brand-content": "#0b5c94"},
    "dark_css_variables": {"color-brand-primary": "#7db8e8", "color-brand-content": "#7db8e8"},
}
autodoc_typehints = "none"
add_module_names = False  # headings say how a thing is called; its module is nobody's business
smartquotes = False  # options begin with two hyphens
# doctest wants an empty line after its last output, a reader does not
highlight_options = {lang: {"stripnl": True} for lang in ("python", "pycon", "console")}


def _generate(app: object) -> None:
    from reference_pages import write_reference

    write_reference(Path(__file__).parent / "reference")


def _parameters(app: object, what: str, name: str, found: object, options: object,
                lines: list[str]) -> None:  # fmt: skip
    """Our sections of parameters as lists: they end at the first empty line, an example may follow."""
    from reference_pages import with_fields

    lines[:] = with_fields(lines)


def setup(app: object) -> None:
    app.connect("builder-inited", _generate)  # type: ignore[attr-defined]
    app.connect("autodoc-process-docstring", _parameters)  # type: ignore[attr-defined]
