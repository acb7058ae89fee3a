"""Templates, style sheets and scripts of the pages, put together without any network."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from accord.language import page_script, speaker

if TYPE_CHECKING:
    from jinja2 import Environment


def render(template: str, **values: Any) -> str:
    """Fill a template; every value is escaped, but for those the template declares safe."""
    return _environment().get_template(template).render(**values)


def page(template: str, *scripts: str, **values: Any) -> str:
    """A page of its own, with these scripts, in the language that is spoken."""
    say = speaker()
    own = page_script(say.lang, say.keep) + script(*scripts)
    return say.html(render(template, script=own, **values))


def style(*names: str) -> str:
    """These style sheets, one after the other."""
    return script(*names)


def script(*names: str) -> str:
    """These files of the templates folder, one after the other, as they are."""
    folder = files("accord.report") / "templates"
    return "\n".join((folder / n).read_text(encoding="utf-8") for n in names)


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
