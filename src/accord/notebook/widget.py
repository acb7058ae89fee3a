"""A widget made of one script and some state, when anywidget is there."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib.resources import files
from typing import Any, Protocol


class Widget(Protocol):
    """What is used of anywidget: state that the page and Python share."""

    def observe(self, handler: Callable[[Any], None], names: str) -> None: ...

    def __getattr__(self, name: str) -> Any: ...

    def __setattr__(self, name: str, value: Any) -> None: ...


class View(Protocol):
    """Something that a notebook shows."""

    def static(self) -> str: ...


def made(script: str, state: Mapping[str, Any]) -> Widget | None:
    """A widget that runs a script of this package; None where anywidget is not installed."""
    try:
        import anywidget
        import traitlets
    except ImportError:
        return None
    source = (files("accord.notebook") / script).read_text(encoding="utf-8")
    traits: dict[str, Any] = {
        name: traitlets.Any(default_value=value).tag(sync=True) for name, value in state.items()
    }
    kind = type("AccordWidget", (anywidget.AnyWidget,), {"_esm": source, **traits})
    widget: Widget = kind()
    return widget


def shown(view: View, widget: Widget | None, asked: Mapping[str, Any]) -> dict[str, Any]:
    """What the notebook chooses from: the widget where it can run, HTML, text."""
    bundle = {"text/plain": repr(view), "text/html": view.static()}
    if widget is None:
        return bundle
    live = widget._repr_mimebundle_(**asked)
    live = live[0] if isinstance(live, tuple) else live
    return {**(live or {}), **bundle}
