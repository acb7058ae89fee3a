"""accord: agreement, references, scores and audits for annotations, whatever their shape.

Everything public is listed here and imported when first used, so that ``import accord`` is light.

>>> import accord
>>> data = accord.Ratings.from_matrix([["a", "b", "a", "b"], ["a", "b", "b", "b"]])
>>> print(accord.agree(data, "alpha"))
alpha = 0.5333
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from accord.version import __version__

if TYPE_CHECKING:
    from accord.alignment.align import align as align
    from accord.data import Chains, Ratings, Segments, Units
    from accord.errors import AccordError, InputError, RefusedError, UsageError
    from accord.evaluation import alt_test, rank, score
    from accord.formats import read, write
    from accord.formats.tags import from_tags
    from accord.gold import gold
    from accord.measures import agree, enrolled, find
    from accord.result import Interval, Result
    from accord.uncertainty import compare, interval

#: public name → module that holds it
_HOMES = {
    "AccordError": "accord.errors",
    "Chains": "accord.data",
    "InputError": "accord.errors",
    "Interval": "accord.result",
    "Ratings": "accord.data",
    "RefusedError": "accord.errors",
    "Result": "accord.result",
    "Segments": "accord.data",
    "Units": "accord.data",
    "UsageError": "accord.errors",
    "agree": "accord.measures",
    "alt_test": "accord.evaluation",
    "align": "accord.alignment.align",
    "compare": "accord.uncertainty",
    "enrolled": "accord.measures",
    "find": "accord.measures",
    "from_tags": "accord.formats.tags",
    "gold": "accord.gold",
    "interval": "accord.uncertainty",
    "rank": "accord.evaluation",
    "read": "accord.formats",
    "score": "accord.evaluation",
    "write": "accord.formats",
}

__all__ = [*sorted(_HOMES), "__version__"]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        from importlib import import_module

        return getattr(import_module(_HOMES[name]), name)
    # every measure is also a function of its own: accord.alpha, accord.gamma_cat, ...
    if not name.startswith("_"):
        from accord.errors import UsageError
        from accord.measures import find

        try:
            return find(name).function
        except UsageError:
            pass
    raise AttributeError(f"module 'accord' has no attribute {name!r}")


def __dir__() -> list[str]:
    return list(__all__)
