"""What to report: the measure for this shape, the command, and a sentence for the paper."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from accord.data import Annotations
from accord.errors import AccordError
from accord.measures import find
from accord.result import Result
from accord.study import Certainty
from accord.study.ask import Ask
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
    ask = Ask(question="agree", certainty=Certainty(ci="auto", seed=seed)).settled(data)
    (record,) = ask.records(data)
    options = dict(ask.options_of(record))
    if result is None:
        with suppress(AccordError):
            result = ask.answer(data).results[0]
    # vectors need a distance: this is one
    needed = [("metric", "cosine")] if getattr(data, "kind", None) == "objects" else []
    flags = "".join(f" --{k} {v}" for k, v in [*options.items(), *needed])
    return Recommendation(
        measure=record.name,
        options=options,
        command=f"accord agree {path} --measure {record.name}{flags}",
        why="" if ask.choice is None else ask.choice.why,
        sentence=None if result is None or result.undefined else sentence(data, result),
        result=result,
    )


def sentence(data: Annotations, result: Result) -> str:
    """The value as a methods section reports it."""
    title = find(result.measure).title
    who = f"{len(data.annotators)} annotators"
    text = f"Agreement among {who} was {title} = {result.value:.3f}"
    if result.interval is not None:
        i = result.interval
        text += f" ({i.level:.0%} interval {i.low:.3f} to {i.high:.3f}, {i.words})"
    return f"{text}, computed with accord {__version__} [{result.signature}]."
