"""`agree`: any agreement measure on any data, with its interval and breakdowns."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from accord.data import Annotations
from accord.errors import UsageError
from accord.measures.breakdown import GENERIC
from accord.options import filled
from accord.registry import Measure, enrolled, find
from accord.result import Result, Row
from accord.uncertainty import interval

#: what to run when no measure is named
DEFAULTS: Mapping[str, str] = {
    "ratings": "alpha",
    "units": "gamma",
    "segments": "boundary-alpha",
    "chains": "chain-alpha",
}


def agree(
    data: Annotations,
    measure: str | None = None,
    *,
    ci: str | None = None,
    level: float = 0.95,
    resamples: int = 1000,
    seed: int = 0,
    by: Sequence[str] = (),
    unit: str | None = None,
    **options: Any,
) -> Any:
    """How far the annotators agree, beyond chance where the measure corrects for it.

    Parameters
    ----------
    data : what :func:`accord.read` returns
    measure : name or alias (``accord measures`` lists them); by default the one recommended for
        the shape of the data
    ci : "bootstrap", "jackknife", "analytic", "krippendorff" or None for no interval
    by : any of "category", "annotator", "item", "document", "pair", "time"
    unit : resample "item" or "document"; see :func:`accord.uncertainty.interval`
    **options : those of the measure

    Returns
    -------
    A :class:`Result`, or a tuple of them for a measure with one value per category.
    """
    record = find(measure or DEFAULTS[data.shape])
    check(record, data.shape, options, question="agree")
    if record.takes("seed"):
        options["seed"] = seed
    found = record.function(data, **options)
    results: tuple[Result, ...] = found if isinstance(found, tuple) else (found,)
    finished = []
    for result in results:
        if ci is not None and result.interval is None:
            result = interval(result, ci, level=level, resamples=resamples, seed=seed, unit=unit)
        rows = {name: _breakdown(record, name, data, options, result) for name in by}
        finished.append(replace(result, by={**result.by, **rows}))
    return tuple(finished) if isinstance(found, tuple) else finished[0]


def check(record: Measure, shape: str, options: Mapping[str, Any], *, question: str) -> None:
    """Refuse a measure on the wrong shape, for the wrong question, or with a foreign option."""
    if record.shape != shape:
        there = [m.name for m in enrolled(shape=shape, question=question)]  # type: ignore[arg-type]
        raise UsageError(
            f"{record.name} is for {record.shape}, these data are {shape}; "
            f"use {', '.join(there) or 'another measure'}"
        )
    if record.question != question:
        meant = {
            "score": "scores a system against a reference",
            "agree": "measures the agreement among annotators",
        }[record.question]
        raise UsageError(f"{record.name} {meant}; use accord {record.question}")
    filled(record.name, record.options, options)


def _breakdown(
    record: Measure, name: str, data: Annotations, options: Mapping[str, Any], result: Result
) -> Sequence[Row]:
    if name in result.by:
        return result.by[name]
    own: Callable[..., Sequence[Row]] | None = record.breakdowns.get(name)
    if own is not None:
        return own(data, record.function, options)
    if name in GENERIC:
        return GENERIC[name](data, record.function, options)
    raise UsageError(
        f"{record.name} has no breakdown by {name!r}; "
        f"it has {', '.join(dict.fromkeys([*record.breakdowns, *GENERIC, *result.by]))}"
    )
