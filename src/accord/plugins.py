"""Packages that extend accord: measures, formats and audit rules found by their entry points.

A package names what it brings in its own metadata, and accord loads it when it is first needed::

    [project.entry-points."accord.measures"]
    weather = "accord_weather.measures"        # a module: importing it enrols its measures

    [project.entry-points."accord.formats"]
    weather = "accord_weather.format:FORMAT"   # an accord.formats.Format

    [project.entry-points."accord.audit"]
    weather = "accord_weather.audit:too_sunny" # a rule made by accord.audit.rule
"""

from __future__ import annotations

import warnings
from functools import cache
from importlib.metadata import entry_points
from typing import Any


@cache
def plugged_in(group: str) -> tuple[tuple[str, Any], ...]:
    """(where it comes from, what it is) of everything that other packages bring to the group.

    A package that cannot be loaded is left out with a warning: it must not stop the others.
    """
    found = []
    for point in entry_points(group=group):
        try:
            found.append((point.value, point.load()))
        except Exception as problem:
            warnings.warn(
                f"the plug-in {point.name!r} ({point.value}) cannot be loaded: {problem}",
                stacklevel=2,
            )
    return tuple(found)
