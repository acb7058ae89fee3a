"""`score`: any validity measure of a system against a reference, with its interval."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from accord.data import Annotations
from accord.errors import InputError
from accord.measures import find
from accord.measures.agreement import check
from accord.result import Result
from accord.uncertainty import interval

#: what to run when no measure is named
DEFAULTS: Mapping[str, str] = {
    "ratings": "accuracy",
    "units": "f1",
    "segments": "windowdiff",
    "chains": "conll",
}


def score(
    reference: Annotations,
    system: Annotations,
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
    """How good a system is against a reference.

    The reference and the system are annotations of the same shape; the system has one annotator.
    The other parameters are those of :func:`accord.agree`.
    """
    if reference.shape != system.shape:
        raise InputError(
            f"the reference holds {reference.shape}, the system {system.shape}",
            hint="both must have the same shape",
        )
    record = find(measure or DEFAULTS[reference.shape])
    check(record, reference.shape, options, question="score")
    if "seed" in record.options:
        options["seed"] = seed
    if "by" in record.options:
        options["by"] = by
    found = record.function(reference, system, **options)
    results: tuple[Result, ...] = found if isinstance(found, tuple) else (found,)
    finished = []
    for result in results:
        if ci is not None and result.interval is None:
            result = interval(result, ci, level=level, resamples=resamples, seed=seed, unit=unit)
        finished.append(
            replace(result, by={k: v for k, v in result.by.items() if not by or k in by})
        )
    return tuple(finished) if isinstance(found, tuple) else finished[0]
