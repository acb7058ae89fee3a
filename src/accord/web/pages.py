"""The pages: templates with everything escaped, and static files known by name."""

from __future__ import annotations

from functools import cache
from importlib import resources

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from accord.report.explorer import SCRIPTS

#: file → (package folder, media type); a name that is not here does not exist
_JS, _CSS = "text/javascript; charset=utf-8", "text/css; charset=utf-8"
_STATIC = {
    **{f"{name}.js": ("accord.web", f"static/{name}.js", _JS) for name in (
        "app", "state", "page", "card", "versions", "units", "segments", "chains", "outbox", "events", "dom",
        "alignment")},
    "app.css": ("accord.web", "static/app.css", _CSS),
    "page.css": ("accord.report", "templates/page.css", _CSS),
    "chart.css": ("accord.report", "templates/chart.css", _CSS),
    "discussion.css": ("accord.report", "templates/discussion.css", _CSS),
    "explorer.css": ("accord.report", "templates/explorer.css", _CSS),
    **{name: ("accord.report", f"templates/{name}", _JS) for name in SCRIPTS},
}  # fmt: skip


def render(template: str, **values: object) -> str:
    """A page; everything put into it is escaped."""
    return _environment().get_template(template).render(**values)


async def static(request: Request) -> Response:
    """A file of ours by its name; the name never becomes a path."""
    found = _STATIC.get(request.path_params["name"])
    if found is None:
        return PlainTextResponse("there is no such file", 404)
    return Response(_read(found[0], found[1]), media_type=found[2])


@cache
def _read(package: str, path: str) -> bytes:
    return resources.files(package).joinpath(path).read_bytes()


@cache
def _environment() -> Environment:
    return Environment(
        loader=ChoiceLoader([PackageLoader("accord.web"), PackageLoader("accord.report")]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
