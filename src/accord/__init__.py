"""accord: agreement, references, scores and audits for annotations, whatever their shape.

Everything public is listed here and imported when first used, so that ``import accord`` is light.

>>> import accord
>>> data = accord.Ratings.from_matrix([["a", "b", "a", "b"], ["a", "b", "b", "b"]])
>>> print(accord.agree(data, "alpha"))
alpha = 0.5333
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from accord.version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType

#: public name → module that holds it
_HOMES = {
    "AccordError": "accord.errors",
    "Boxes": "accord.data",
    "Certainty": "accord.study",
    "Chains": "accord.data",
    "InputError": "accord.errors",
    "Interval": "accord.result",
    "Ratings": "accord.data",
    "Relations": "accord.data",
    "RefusedError": "accord.errors",
    "Result": "accord.result",
    "Results": "accord.result",
    "Segments": "accord.data",
    "Study": "accord.study",
    "Units": "accord.data",
    "UsageError": "accord.errors",
    "agree": "accord.measures",
    "agree_each": "accord.measures",
    "adjudicate": "accord.notebook",
    "align": "accord.alignment.align",
    "alt_test": "accord.evaluation",
    "compare": "accord.evaluation",
    "distribute": "accord.measures.distribute",
    "enrolled": "accord.measures",
    "explore": "accord.notebook",
    "find": "accord.measures",
    "gold_file": "accord.gold.chunks",
    "from_tags": "accord.formats.tags.tags",
    "interval": "accord.uncertainty",
    "judge": "accord.evaluation.judges",
    "prefer": "accord.evaluation.preferences",
    "rank": "accord.evaluation",
    "rank_located": "accord.evaluation",
    "read": "accord.reading",
    "score": "accord.evaluation",
    "scorer": "accord.evaluation.scorer",
    "serve": "accord.web.session",
    "write": "accord.reading.conversion",
}
#: packages that are used by their name; the first three are functions too
_PACKAGES = ("audit", "gold", "report", "simulate")

__all__ = sorted([*_HOMES, *_PACKAGES])
__all__ += ["__version__"]


def __getattr__(name: str) -> Callable[..., object] | type | ModuleType:
    from importlib import import_module

    if name in _PACKAGES:
        return import_module(f"accord.{name}")
    if name in _HOMES:
        found: Callable[..., object] | type = getattr(import_module(_HOMES[name]), name)
        return found
    # every measure is also a function of its own: accord.alpha, accord.gamma_cat, ...
    if not name.startswith("_"):
        import accord.measures
        from accord.errors import UsageError
        from accord.registry import function_of

        try:
            return function_of(name)
        except UsageError:
            pass
    raise AttributeError(f"module 'accord' has no attribute {name!r}")


def __dir__() -> list[str]:
    from accord.measures import enrolled

    return sorted({*__all__, *(m.name.replace("-", "_") for m in enrolled())})
