"""What a signature asks for: the inverse of writing one, so that its number can be made again."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote

from accord.options import Option, unsigned
from accord.options.reading import READING
from accord.registry import Question, find, options_of

#: the choice of people and documents, as :func:`accord.read` calls it
_CHOICE = {
    "annotators": "annotators",
    "without": "without",
    "documents": "documents",
    "items": "items",
    "systems": "systems",
    "reference": "reference_annotator",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Everything that a signature says was asked for."""

    #: the measure, or the question: rank, alt-test, gold:majority …
    name: str
    #: options of the measure, or of the question
    options: Mapping[str, Any]
    #: those of the interval, as `agree` and `score` take them; ``{"ci": "none"}`` without one
    certainty: Mapping[str, Any]
    #: those of reading
    reading: Mapping[str, Any]
    #: what the data were, which is not asked for: ``n:40``, ``labels:3``
    told: tuple[str, ...]


def settings(
    signature: str,
    question: Question | None = None,
    *,
    of: Callable[..., object] | None = None,
) -> Settings:
    """What a signature says was asked for: of a measure, or of a function that answers another question.

    >>> import accord.measures
    >>> found = settings("alpha|metric:ordinal|without:eve|ci:dirichlet-item-2000|seed:3|n:40|v:1")
    >>> found.options, found.reading
    ({'metric': 'ordinal'}, {'without': ('eve',)})
    >>> found.certainty
    {'ci': 'dirichlet', 'unit': 'item', 'resamples': 2000, 'seed': 3}
    """
    name, *words = signature.split("|")
    options = options_of(of) if of is not None else find(name, question).options
    if name == "gold" or of is not None:
        certainty: dict[str, Any] = {}
    else:
        certainty, words = _certainty(words)
    # (a score of chains says of how many documents it is, before it says of which)
    told = [w for w in words[:4] if w.startswith("documents:")] if question == "score" else []
    words = [w for i, w in enumerate(words) if w not in told or w in words[:i]]
    found, rest = unsigned(words, [o for o in options if o.name != "seed" or of is not None])
    reading, rest = _reading(rest)
    return Settings(
        name=name,
        options=found,
        certainty=certainty,
        reading=reading,
        told=(*told, *rest),
    )


def _certainty(words: list[str]) -> tuple[dict[str, Any], list[str]]:
    """How the interval was made, and the other words."""
    found: dict[str, Any] = {"ci": "none"}
    rest = []
    for word in words:
        key, _, text = word.partition(":")
        if key == "ci":
            found |= _interval(text)
        elif key == "seed":
            found["seed"] = int(text)
        elif key == "level":
            found["level"] = float(text)
        else:
            rest.append(word)
    return found, rest


def _interval(text: str) -> dict[str, Any]:
    method, *parts = text.split("-")
    plain = "plain" in parts
    unit = next((p for p in parts if not p.isdigit() and p != "plain"), None)
    if method == "jackknife":
        method = "jackknife" if plain else "auto"
    if method == "analytic+jackknife":  # alone, analytic is the formula
        method = "auto"
    found: dict[str, Any] = {"ci": method.partition("+")[0]}
    if unit is not None:
        found["unit"] = "annotator" if "*" in unit else unit
    drawn = next((p for p in parts if p.isdigit()), None)
    return found if drawn is None else {**found, "resamples": int(drawn)}


def _reading(words: list[str]) -> tuple[dict[str, Any], list[str]]:
    """The options of reading, and the other words."""
    known = {option.name: option for option in READING}
    found: dict[str, Any] = {}
    rest = []
    for word in words:
        key, _, text = word.partition(":")
        if key in _CHOICE:
            names = tuple(unquote(one) for one in text.split(","))
            found[_CHOICE[key]] = names[0] if key == "reference" else names
        elif key in known and (read := _value(known[key], text)) is not None:
            found[key] = read
        else:
            rest.append(word)
    return found, rest


def _value(option: Option, text: str) -> Any:
    if option.type is bool:
        return text == "True"
    if option.type is float:
        return float(text)
    if option.type is tuple:
        return tuple(unquote(one) for one in text.split(",")) if text else ()
    if option.type is Mapping:
        pairs = (pair.partition("=") for pair in text.split(";"))
        several = option.name == "merge"
        return {
            unquote(old): tuple(map(unquote, new.split(","))) if several else unquote(new)
            for old, _, new in pairs
        }
    return None if option.choices and text not in option.choices else unquote(text)
