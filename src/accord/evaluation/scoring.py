"""`score`: any validity measure of a system against a reference, with its interval."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from accord.data import Annotations
from accord.errors import InputError, UsageError
from accord.evaluation.refusal import agreement_as_score
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
    allow_agreement: bool = False,
    **options: Any,
) -> Any:
    """How good a system is against a reference.

    The reference and the system are annotations of the same shape; the reference may be the table of
    all judges. An agreement coefficient is refused as a score, with the reason; `allow_agreement`
    computes it with that reason as a warning. The other parameters are those of
    :func:`accord.agree`.

    >>> from accord.data import Ratings
    >>> reference = Ratings.from_matrix([list("AAAABBBB")], annotators=["reference"])
    >>> system = Ratings.from_matrix([list("AABBBBAA")], annotators=["system 2"])
    >>> print(score(reference, system, "accuracy"))
    accuracy = 0.5000
    """
    if reference.shape != system.shape:
        raise InputError(
            f"the reference holds {reference.shape}, the system {system.shape}",
            hint="both must have the same shape",
        )
    record = find(measure or DEFAULTS[reference.shape])
    if record.question == "agree" and record.shape == reference.shape:
        return agreement_as_score(
            reference, system, record, allowed=allow_agreement, ci=ci, level=level,
            resamples=resamples, seed=seed, by=by, unit=unit, **options,
        )  # fmt: skip
    check(record, reference.shape, options, question="score")
    if record.takes("seed"):
        options["seed"] = seed
    if record.takes("by"):
        options["by"] = by
    found = record.function(reference, system, **options)
    results: tuple[Result, ...] = found if isinstance(found, tuple) else (found,)
    finished = []
    for result in results:
        for name in by:
            if name not in result.by:
                raise UsageError(
                    f"{record.name} has no breakdown by {name!r}"
                    + (f"; it has {', '.join(result.by)}" if result.by else "")
                )
        if ci is not None and result.interval is None:
            result = interval(result, ci, level=level, resamples=resamples, seed=seed, unit=unit)
        finished.append(
            replace(result, by={k: v for k, v in result.by.items() if not by or k in by})
        )
    return tuple(finished) if isinstance(found, tuple) else finished[0]
