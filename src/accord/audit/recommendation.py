"""What to report: the measure for this shape, the command, and a sentence for the paper."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from accord.data import Annotations
from accord.errors import AccordError
from accord.measures import agree, find
from accord.result import Result
from accord.study.choice import choose
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
    chosen = choose(data)
    name, options = chosen.measure, dict(chosen.options)
    if result is None:
        result = headline(data, seed=seed)
    # vectors need a distance: this is one
    needed = [("metric", "cosine")] if getattr(data, "kind", None) == "objects" else []
    flags = "".join(f" --{k} {v}" for k, v in [*options.items(), *needed])
    return Recommendation(
        measure=name,
        options=options,
        command=f"accord agree {path} --measure {name}{flags}",
        why=chosen.why,
        sentence=None if result is None or result.undefined else sentence(data, result),
        result=result,
    )


def headline(data: Annotations, *, seed: int = 0) -> Result | None:
    """The recommended measure with its interval; None when it cannot be computed."""
    try:
        return agree(data, ci="auto", seed=seed)
    except AccordError:
        return None


def sentence(data: Annotations, result: Result) -> str:
    """The value as a methods section reports it."""
    title = find(result.measure).title
    who = f"{len(data.annotators)} annotators"
    text = f"Agreement among {who} was {title} = {result.value:.3f}"
    if result.interval is not None:
        i = result.interval
        text += f" ({i.level:.0%} interval {i.low:.3f} to {i.high:.3f}, {i.method.replace(':', ' by ')})"
    return f"{text}, computed with accord {__version__} [{result.signature}]."
