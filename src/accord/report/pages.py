"""Templates, style sheets and scripts of the pages, put together without any network."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup


def render(template: str, **values: Any) -> str:
    """Fill a template; every value that is not markup already is escaped."""
    return _environment().get_template(template).render(**values)


def style(*names: str) -> Markup:
    """These style sheets, one after the other."""
    return script(*names)


def script(*names: str) -> Markup:
    """These files of the templates folder, one after the other, as they are."""
    from markupsafe import Markup

    folder = files("accord.report") / "templates"
    return Markup("\n".join((folder / n).read_text(encoding="utf-8") for n in names))


@cache
def _environment() -> Environment:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    return Environment(
        loader=PackageLoader("accord.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
