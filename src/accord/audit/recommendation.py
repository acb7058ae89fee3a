"""What to report: the measure for this shape, the command, and a sentence for the paper."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from accord.data import Annotations, Ratings
from accord.errors import AccordError
from accord.measures import agree, find
from accord.measures.agreement import DEFAULTS
from accord.result import Result
from accord.version import __version__


@dataclass(frozen=True, slots=True, kw_only=True)
class Recommendation:
    """The recommended measure and how to report it."""

    measure: str
    options: dict[str, Any]
    command: str
    why: str
    #: ready for a methods section; None when the value cannot be computed
    sentence: str | None
    result: Result | None


def recommend(
    data: Annotations, path: str = "DATA", *, result: Result | None = None, seed: int = 0
) -> Recommendation:
    """The measure for these data, with its command and a sentence for a methods section."""
    name, options, why = choice(data)
    if result is None:
        result = headline(data, seed=seed)
    flags = "".join(f" --{k} {v}" for k, v in options.items())
    return Recommendation(
        measure=name,
        options=options,
        command=f"accord agree {path} --measure {name}{flags}",
        why=why,
        sentence=None if result is None or result.undefined else sentence(data, result),
        result=result,
    )


def choice(data: Annotations) -> tuple[str, dict[str, Any], str]:
    """Measure, options and reason for the shape and the values."""
    name = DEFAULTS[data.shape]
    if isinstance(data, Ratings):
        several = len(np.unique(data.code)) > 2
        if data.kind == "sets":
            return (
                name,
                {"metric": "masi"},
                "items have sets of labels: alpha with the MASI distance",
            )
        if data.kind == "numbers" and several:
            return (
                name,
                {"metric": "interval"},
                "the values are numbers: alpha with the interval metric",
            )
        if data.ordered and several:
            return (
                name,
                {"metric": "ordinal"},
                "the categories are ordered: alpha with the ordinal metric",
            )
        return name, {}, "names without order: alpha with the nominal metric"
    reasons = {
        "units": "units are located by the annotators: gamma aligns and measures at once",
        "segments": "a continuum cut completely: agreement on its boundaries",
        "chains": "mentions are grouped into entities: alpha with a distance between sets",
    }
    return name, {}, reasons[data.shape]


def headline(data: Annotations, *, seed: int = 0) -> Result | None:
    """The recommended measure with its interval; None when it cannot be computed."""
    name, options, _ = choice(data)
    try:
        found: Any = agree(data, name, ci="auto", seed=seed, **options)
    except AccordError:
        return None
    result: Result = found[0] if isinstance(found, tuple) else found
    return result


def sentence(data: Annotations, result: Result) -> str:
    """The value as a methods section reports it."""
    title = find(result.measure).title
    who = f"{len(data.annotators)} annotators"
    text = f"Agreement among {who} was {title} = {result.value:.3f}"
    if result.interval is not None:
        i = result.interval
        text += f" ({i.level:.0%} interval {i.low:.3f} to {i.high:.3f}, {i.method.replace(':', ' by ')})"
    return f"{text}, computed with accord {__version__} [{result.signature}]."
